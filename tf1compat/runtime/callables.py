"""What a session makes of `CallableOptions`: a run that is named once and called with arrays.

Debuggers, Keras and profilers ask for it (`Session._make_callable_from_options`); everything in it
is by name, and the dtypes of what is fed are not converted.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from tf1compat.core import dtypes, errors
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor


class SessionCallable:
    """Runs what some `CallableOptions` name.

    Args:
      session: the session.
      callable_options: a `CallableOptions` with names of tensors to feed and fetch, and of targets.

    Raises:
      NotImplementedError: the options connect tensors.
      tf.errors.OpError: something that they name isn't there, or is named twice.
    """

    def __init__(self, session: Any, callable_options: Any):
        callable_options.SerializeToString()
        options = type(callable_options)()
        options.CopyFrom(callable_options)
        if options.tensor_connection:
            raise NotImplementedError(
                "CallableOptions.tensor_connection is not supported by tf1compat"
            )
        graph = session.graph
        # In the order in which TF 1.15 finds out.
        for name in (*options.feed, *options.fetch):
            if name.partition(":")[0] not in graph._nodes_by_name:
                raise errors.InvalidArgumentError(
                    None,
                    None,
                    f"Tensor {_full(name)}, specified in either feed_devices or fetch_devices was "
                    "not found in the Graph",
                )
        self._feeds = [_tensor(graph, name) for name in options.feed]
        twice = [tensor.name for tensor, n in Counter(self._feeds).items() if n > 1]
        if twice:
            raise errors.InvalidArgumentError(
                None, None, f'Endpoint "{twice[0]}" fed more than once.'
            )
        self._fetches = [_tensor(graph, name) for name in options.fetch]
        if not options.fetch and not options.target:
            raise errors.InvalidArgumentError(
                None, None, "Must specify at least one target to fetch or execute."
            )
        self._targets = _targets(graph, options.target)
        self._run_options = options.run_options if options.HasField("run_options") else None
        self._session = session

    def __call__(self, *args: Any, **kwargs: Any) -> list[Any]:
        """Runs it.

        Args:
          *args: the values of the tensors that are fed.
          **kwargs: `run_metadata`, a `RunMetadata` to fill in.

        Returns:
          The list of what is fetched.

        Raises:
          tf.errors.OpError: the run failed, or the session is closed.
        """
        metadata = kwargs.get("run_metadata") or None
        self._session._check_open()
        if len(args) != len(self._feeds):
            raise errors.InvalidArgumentError(
                None, None, f"Expected {len(self._feeds)} feed tensors, but got {len(args)}"
            )
        arrays = [np.asarray(value) for value in args]
        for i, (tensor, array) in enumerate(zip(self._feeds, arrays, strict=True)):
            _check_dtype(tensor, array, i)
        results = self._session._run_with(
            [self._fetches, self._targets],
            dict(zip(self._feeds, arrays, strict=True)),
            self._run_options,
            metadata,
        )
        return results[0]


def _full(name: str) -> str:
    return name if ":" in name else f"{name}:0"


def _tensor(graph: Any, name: str) -> Tensor:
    op_name, _, index = _full(name).rpartition(":")
    op = graph._nodes_by_name[op_name]
    if int(index) >= len(op.outputs):
        raise errors.OutOfRangeError(
            None,
            None,
            f"Node '{op_name}' (type: '{op.type}', num of outputs: {len(op.outputs)}) does not "
            f"have output {index}",
        )
    return op.outputs[int(index)]


def _targets(graph: Any, names: Any) -> list[Operation]:
    found = {name: graph._nodes_by_name.get(name.partition(":")[0]) for name in names}
    missing = " ".join(name for name, op in found.items() if op is None)
    if missing:
        text = f"PruneForTargets: Some target nodes not found: {missing} "
        raise errors.NotFoundError(None, None, text)
    return list(found.values())


def _check_dtype(tensor: Tensor, array: np.ndarray, position: int) -> None:
    is_text = array.dtype.kind in "OSU"
    actual = dtypes.string if is_text else dtypes.as_dtype(array.dtype)
    wanted = tensor.dtype.base_dtype
    if actual != wanted:
        node = f"_arg_{tensor.op.name}_{tensor.value_index}_{position}"
        raise errors.InvalidArgumentError(
            None,
            None,
            f"Type mismatch: actual {dtypes.cpp_name(actual)} vs. expect "
            f"{dtypes.cpp_name(wanted)}\n\t [[{{{{node {node}}}}}]]",
        )
