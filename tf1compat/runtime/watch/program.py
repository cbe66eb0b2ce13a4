"""A program whose tensors are watched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tf1compat.core import dtypes
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.runtime.host.program import HostProgram, NotOnHost
from tf1compat.runtime.program import Program
from tf1compat.runtime.trace.values import Ref
from tf1compat.runtime.watch import dump, graph, watches

_DEVICE = "/device:CPU:0"


class WatchedProgram:
    """What a session runs instead of a `Program` where tensors are watched.

    Args:
      fetches, targets, feeds: see `Program`.
      options: a `DebugOptions`.
      task: what the names of the devices begin with.
      every: see `Program`.

    Raises:
      OpError: watches that there cannot be.
      NotImplementedError: the host tier cannot run the program.
    """

    def __init__(
        self,
        fetches: Sequence[Tensor],
        targets: Sequence[Operation],
        feeds: Sequence[Tensor],
        *,
        options: Any,
        task: str,
        every: bool = False,
    ):
        program = Program(fetches, targets, feeds, every=every)
        self._program = program
        self._device = task + _DEVICE
        self._options = options
        self._steps = 0
        self.ops = program.ops
        members = graph.members(program.ops)
        nodes = watches.fed_nodes(feeds)
        tensors = (t for op in sorted(members, key=lambda op: op._id) for t in op._outputs)
        self._watched = watches.watched(options, tensors, nodes)
        self._facts = {
            "input_names": [tensor.name for tensor in nodes],
            "output_names": sorted({tensor.name for tensor in fetches}),
            "target_nodes": sorted({op.name for op in targets}),
        }
        #: The graph that runs, with the debugger's nodes.
        self.graph_def = graph.debug_graph_def(members, fetches, feeds, self._watched, self._device)
        try:
            self._host = HostProgram(
                program.ops, program.effects, program.feed_set, feeds, fetches, program.functions,
                frozenset(self._watched),
            )  # fmt: skip
        except NotOnHost as why:
            raise NotImplementedError(
                f"Watching the tensors of {program.title} is not supported by tf1compat: {why}"
            ) from None
        self._roots = sorted({watches.folder(u) for w in self._watched.values() for u in w.urls})
        for root in self._roots:
            dump.write_graph(root, self._device, self.graph_def)

    def run(
        self, base: Any, feeds: Sequence[Any], lock: Any, session: Any = None, trace: Any = None
    ) -> list[Any]:
        """Runs the program and dumps what is watched; see `Program.run`."""
        for root in self._roots:
            dump.write_metadata(
                root,
                session._step,
                global_step=self._options.global_step,
                session_run_index=session._step,
                executor_step_index=self._steps,
                **self._facts,
            )
        self._steps += 1
        for tensor, value in zip(self._program.feeds, feeds, strict=True):
            if tensor in self._watched:
                self._saw(tensor, value)
        found = self._host.run(base, feeds, lock, session, self._saw)
        base.container_exists |= self._program._makes_variables
        if trace is not None:
            trace.graphs.append(self.graph_def)
        return [self._program._checked(value, i) for i, value in enumerate(found)]

    def release(self) -> None:
        """See `Program.release`."""

    def _saw(self, tensor: Tensor, value: Any) -> None:
        """Dumps a value of a watched tensor."""
        watch = self._watched[tensor]
        if isinstance(value, Ref):
            if value.is_resource:
                self._dump(watch, "DebugIdentity", dump.handle_proto(watch.node, self._device))
                return
            value = value.read() if value.initialized else None
        elif watch.dtype is dtypes.resource:
            self._dump(watch, "DebugIdentity", dump.handle_proto(watch.node, self._device))
            return
        elif not isinstance(value, np.ndarray | np.generic):
            # What stands for a flow, a list or the like: TF's flows are zeros.
            value = None
            if watch.dtype is not dtypes.variant:
                value = np.zeros((), watch.dtype.as_numpy_dtype)
        for op in watch.ops:
            try:
                seen = op.value(value, watch.dtype)
            except LookupError:
                continue
            self._dump(watch, op.name, dump.tensor_proto(seen, op.dtype, tensor._shape))

    def _dump(self, watch: watches.Watched, debug_op: str, proto: Any) -> None:
        for url in watch.urls:
            root = watches.folder(url)
            dump.write_tensor(root, self._device, watch.node, watch.slot, debug_op, proto)
