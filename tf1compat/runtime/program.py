"""Everything a `Session.run` does for one set of fetches and feeds: levels of regions and host
steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tf1compat.core import constants, dtypes, errors
from tf1compat.core.constants import DEAD
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.runtime import plan as plan_lib
from tf1compat.runtime.executable import (
    Compiled,
    Cut,
    Region,
    Store,
    Versioned,
    nearest,
    run_region,
)
from tf1compat.runtime.interpret import Interpreter, Ref, Variables, op_error, uninitialized


class Program:
    """The plan of a run.

    Args:
      fetches: tensors whose values are wanted.
      targets: operations that must run.
      feeds: tensors whose values are given.
      donate: whether variables may be updated in place: nothing else holds their arrays.
    """

    def __init__(
        self,
        fetches: Sequence[Tensor],
        targets: Sequence[Operation],
        feeds: Sequence[Tensor],
        donate: bool = True,
    ):
        self.fetches = list(fetches)
        self._feeds = list(feeds)
        self._donate = donate
        self._feed_set = set(feeds)
        needed = [tensor._op for tensor in fetches if tensor not in self._feed_set]
        self.ops = plan_lib.prune([*needed, *targets], self._feed_set)
        self._effects = plan_lib.order_effects(self.ops, self._feed_set)
        self._cuts: set[tuple[Operation, int]] = set()
        self._repeat: _Repeat | None = None
        self._split()

    def _split(self) -> None:
        levels = plan_lib.partition(self.ops, self._feed_set, self._cuts)
        self._levels: list[tuple[Region | None, list[Operation]]] = []
        wanted = {
            tensor
            for tensor in self.fetches
            if not self._is_reference(tensor) and tensor not in self._feed_set
        }
        later: set[Versioned] = set()
        single = len(levels) == 1 and not levels[0].host
        # From the last level back, so that each region knows what is needed after it.
        for level in reversed(levels):
            for op in level.host:
                wanted.update(op._inputs)
                later.update(self._versions_seen(op))
            region = None
            if level.device:
                region = Region(
                    level.device,
                    self._effects,
                    self._feed_set,
                    set(wanted),
                    set(later),
                    single and self._donate,
                )
                wanted.update(region.inputs)
                later.update(region.needs)
            self._levels.append((region, level.host))
        self._levels.reverse()
        only = self._levels[0][0]
        self._only = only if single else None

    def _is_reference(self, tensor: Tensor) -> bool:
        """Whether `tensor` stands for a variable, and not for a value that was fed."""
        while plan_lib.is_view(tensor) and tensor not in self._feed_set:
            tensor = tensor._op._inputs[0]
        return plan_lib.is_reference(tensor) and tensor not in self._feed_set

    def _versions_seen(self, op: Operation) -> set[Versioned]:
        visible = self._effects.visible[op]
        return set(visible.items())

    def run(
        self, base: dict[Versioned, Any], feeds: Sequence[Any], session: Any = None
    ) -> list[Any]:
        """Runs the program.

        Args:
          base: the session's variables; updated when (and only when) the run succeeds.
          feeds: the values of the fed tensors, as arrays of the right dtype.
          session: given to host steps.

        Returns:
          The fetched values, as they are on the device.

        Raises:
          OpError: the run failed; the variables are as they were.
        """
        repeat = self._repeat
        if repeat is not None:
            results = repeat.run(base, feeds)
            if results is not None:
                return results
        tensors = dict(zip(self._feeds, feeds, strict=True))
        store = Store(base)
        if self._only is not None:
            try:
                entry = run_region(self._only, tensors, store, set())
                self._repeat = self._repeated(entry, feeds)
            except Cut as cut:
                self._cuts.add(cut.edge)
                self._split()
                return self.run(base, feeds, session)
        else:
            self._run_levels(tensors, store, session)
        results = [
            self._fetched(tensor, i, tensors, store) for i, tensor in enumerate(self.fetches)
        ]
        store.commit(self._effects.written)
        return results

    def _repeated(self, entry: Compiled, feeds: Sequence[Any]) -> _Repeat | None:
        """What the next run with feeds of the same shapes can do without looking at the graph
        again."""
        region = self._only
        assert region is not None
        places = {tensor: i for i, tensor in enumerate(self._feeds)}
        if region.static or any(tensor not in places for tensor in region.inputs):
            return None
        fetched: list[tuple[str, Any]] = []
        computed = entry.computed
        written = entry.written_last(self._effects.written)
        for tensor in self.fetches:
            if tensor in places:
                fetched.append(("feed", places[tensor]))
            elif tensor in computed:
                fetched.append(("output", computed[tensor]))
            elif self._is_reference(tensor):
                key = plan_lib.variable_key(tensor)
                if key not in written:
                    return None
                fetched.append(("made", written[key]))
            else:
                return None
        return _Repeat(entry, feeds, [places[tensor] for tensor in region.inputs], fetched, written)

    def _run_levels(self, tensors: dict[Tensor, Any], store: Store, session: Any) -> None:
        index = 0
        dead: set[Operation] = set()
        while index < len(self._levels):
            region, host = self._levels[index]
            if region is not None:
                try:
                    run_region(region, tensors, store, dead)
                except Cut as cut:
                    # What is before this level stays as it is, and need not run again.
                    self._cuts.add(cut.edge)
                    self._split()
                    continue
            if host:
                self._run_host(host, tensors, store, dead, session)
            index += 1

    def _run_host(
        self,
        ops: list[Operation],
        tensors: dict[Tensor, Any],
        store: Store,
        dead: set[Operation],
        session: Any,
    ) -> None:
        """Runs host steps on NumPy values."""
        variables = _HostVariables(store)
        interpreter = Interpreter(variables, self._effects, session=session)
        interpreter.env = _HostEnvironment(tensors)
        interpreter.dead = dead
        interpreter.run(ops)
        tensors.update(interpreter.env)

    def _fetched(self, tensor: Tensor, index: int, tensors: dict[Tensor, Any], store: Store) -> Any:
        if tensor in tensors:
            value = tensors[tensor]
        elif self._is_reference(tensor) and tensor._dtype is not dtypes.resource:
            return self._fetched_variable(tensor, index, store)
        else:
            value = constants.known_value(tensor)
        if value is DEAD:
            raise errors.InvalidArgumentError(None, None, f"Retval[{index}] does not have value")
        if type(value) is Ref:
            if value.is_resource:
                raise op_error(
                    errors.InvalidArgumentError,
                    tensor._op,
                    f"Fetching a resource handle ({tensor.name}) is not supported by tf1compat yet",
                )
            return self._fetched_variable(tensor, index, store)
        return value

    def _fetched_variable(self, tensor: Tensor, index: int, store: Store) -> Any:
        """A fetched variable gives its value at the end of the run."""
        key = plan_lib.variable_key(tensor)
        found = nearest(store, key, self._effects.written.get(key, 0))
        if found is None:
            name = plan_lib.source_of(tensor)._op._name
            error = uninitialized(key, False, None)
            raise errors.FailedPreconditionError(
                None,
                None,
                f"{error.message}\n\t [[{{{{node "
                f"_retval_{name}_{tensor._value_index}_{index}}}}}]]",
            )
        return store[found]


class _Repeat:
    """The fast path of a repeated run: one region, all of whose inputs are fed.

    Args:
      entry: the compiled region.
      feeds: feeds of the shapes that it is for.
      inputs: which feed each input is.
      fetched: where each fetched value is found.
      written: variable -> which of the entry's results is its new value.
    """

    def __init__(
        self,
        entry: Compiled,
        feeds: Sequence[Any],
        inputs: list[int],
        fetched: list[tuple[str, Any]],
        written: dict[Any, int],
    ):
        self._entry = entry
        self._shapes = [feed.shape for feed in feeds]
        self._inputs = inputs
        self._fetched = fetched
        self._written = [((key, 0), position) for key, position in written.items()]
        self._only_outputs = [at for kind, at in fetched if kind == "output"]
        self._simple = len(self._only_outputs) == len(fetched)

    def run(self, base: dict[Versioned, Any], feeds: Sequence[Any]) -> list[Any] | None:
        """The fetched values; None where this run needs the long way."""
        for feed, shape in zip(feeds, self._shapes, strict=True):
            if feed.shape != shape:
                return None
        called = self._entry.call_again(base, [feeds[i] for i in self._inputs])
        if called is None:
            return None
        outputs, made = called
        for pair, position in self._written:
            base[pair] = made[position]
        if self._simple:
            return [outputs[at] for at in self._only_outputs]
        sources = {"output": outputs, "made": made, "feed": feeds}
        return [sources[kind][at] for kind, at in self._fetched]


class _HostEnvironment(dict[Tensor, Any]):
    """Values for host steps: what the device computed is fetched on first use."""

    def __init__(self, tensors: dict[Tensor, Any]):
        super().__init__(tensors)

    def get(self, tensor: Tensor, default: Any = None) -> Any:
        value = super().get(tensor, default)
        if value is None or value is DEAD or isinstance(value, np.ndarray | Ref):
            return value
        value = self[tensor] = to_host(value, tensor._dtype)
        return value


class _HostVariables(Variables):
    """Variables for host steps."""

    def __init__(self, store: Store):
        super().__init__({})
        self._store = store

    def read(self, key: Any, version: int) -> Any:
        found = nearest(self._store, key, version)
        if found is None:
            raise KeyError(key)
        return np.asarray(self._store[found])

    def initialized(self, key: Any, version: int) -> bool:
        return nearest(self._store, key, version) is not None

    def write(self, key: Any, version: int, value: Any) -> None:
        self._store[(key, version)] = np.asarray(value)


def to_host(value: Any, dtype: dtypes.DType) -> Any:
    """A device value as a NumPy array."""
    return np.asarray(value)
