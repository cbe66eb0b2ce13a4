"""What a run is given, and what is therefore a constant of it."""

from __future__ import annotations

import weakref
from collections.abc import Collection, Iterable, Sequence

from tf1compat.core import constants, dtypes, errors
from tf1compat.core.graph import Graph
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor

# Results up to this size are folded in NumPy when all inputs are known; larger ones are XLA's
# business.
FOLD_ELEMENTS = 4096


class Feeds(set[Tensor]):
    """The tensors that a run is given.

    A constant that is given is none in this run, nor is what is computed from it.
    """

    def __init__(self, tensors: Iterable[Tensor] = ()):
        super().__init__(tensors)
        self._constants = any(is_constant(tensor._op) for tensor in self)
        self._overridden: dict[Operation, bool] = {}

    def override(self, op: Operation) -> bool:
        """Whether a constant op hangs on one that is given."""
        if not self._constants:
            return False
        known = self._overridden
        stack = [op]
        while stack:
            op = stack[-1]
            sources = [tensor._op for tensor in op._inputs if tensor not in self]
            waiting = [source for source in sources if source not in known]
            if waiting:
                stack += waiting
                continue
            stack.pop()
            given = any(tensor in self for tensor in (*op._inputs, *op._outputs))
            known[op] = given or any(known[source] for source in sources)
        return known[op]


def refuse_references(ops: Iterable[Operation], feeds: Sequence[Tensor]) -> None:
    """Raises InvalidArgumentError if an operation takes a variable for which a value is given."""
    by_name = sorted(feeds, key=lambda tensor: tensor.name)
    places = {tensor: i for i, tensor in enumerate(by_name) if tensor._dtype._is_ref_dtype}
    for op in ops if places else ():
        op_def = op._spec.op_def
        if op_def is None or op_def.has_list_inputs:
            continue
        for index, (arg, tensor) in enumerate(zip(op_def.input_args, op._inputs)):
            if arg.is_ref and tensor in places:
                given = f"_arg_{tensor._op._name}_{tensor._value_index}_{places[tensor]}:0"
                kind = dtypes.cpp_name(tensor._dtype.base_dtype)
                raise _misfit(op, index, kind, given, f"{kind}_ref")


def refuse_mistyped(graph: Graph) -> None:
    """Raises InvalidArgumentError if an operation's input was exchanged for one of another dtype,
    as that of a loop whose body gives another dtype than it takes."""
    for (op, index), expected in graph._mistyped.items():
        tensor = op._inputs[index]
        kinds = [dtypes.cpp_name(dtype) for dtype in (tensor._dtype, expected)]
        raise _misfit(op, index, kinds[0], tensor.name, kinds[1])


def _misfit(op: Operation, index: int, kind: str, given: str, expected: str) -> Exception:
    return errors.InvalidArgumentError(
        op.node_def,
        op,
        f"Input {index} of node {op._name} was passed {kind} from {given} incompatible with "
        f"expected {expected}.",
    )


def is_constant(op: Operation, feeds: Collection[Tensor] = ()) -> bool:
    """Whether the op is computed from constants alone, so that it belongs to every level.

    A value that is only known from static shapes does not count: what it hangs on may be dead.

    Args:
      feeds: what the run is given, if it is to be told what is a constant of this run.
    """
    if not _computed_from_constants(op):
        return False
    return not (isinstance(feeds, Feeds) and feeds.override(op))


_known: weakref.WeakKeyDictionary[Operation, bool] = weakref.WeakKeyDictionary()


def _computed_from_constants(op: Operation) -> bool:
    if op._spec.fold is None or op._control_inputs or op._spec.writes or not op._outputs:
        return False
    known = _known.get(op)
    if known is None:
        if not op._inputs:
            return True
        known = all(_computed_from_constants(tensor._op) for tensor in op._inputs)
        if known:
            values = [constants.known_value(tensor) for tensor in op._outputs]
            known = all(value is not None and value.size <= FOLD_ELEMENTS for value in values)
        _known[op] = known
    return known
