"""What is to be written: the steps of a plan that results need by their values alone."""

from __future__ import annotations

import contextlib
import contextvars
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NoReturn

from tf1compat.core import constants, dtypes, gradient_registry
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.migrate.gradients import GradientProgram
from tf1compat.migrate.lowering import gradient_of
from tf1compat.runtime import plan as plan_lib
from tf1compat.runtime.plan.branches import Branches
from tf1compat.runtime.plan.loops import Loop


class CannotWrite(NotImplementedError):
    """There is no source for an operation."""


def refuse(step: Any, why: str = "") -> NoReturn:
    """Raises CannotWrite, with the user's line."""
    op = step if hasattr(step, "_graph") else step.members[0]
    text = f"Source of operation '{step.name}' ({step.type}){why and ', ' + why}, can't be written"
    raise CannotWrite(op._graph.error_text(op, f"{text} by tf1compat yet"))


class Slope:
    """A call of `tf.gradients` as one step of the plan.

    It has the attributes of an `Operation` that the plan looks at.

    Attributes:
      ys, xs: what it was called with.
      results: the gradient of each x; None where there is none.
      steps: what computes the ys from the xs; `looked_at` is what that takes besides.
    """

    def __init__(self, ys: list[Tensor], xs: list[Tensor], results: list[Tensor | None]):
        self.ys, self.xs, self.results = ys, xs, results
        self.steps: list[Any] = []
        self.looked_at: list[Tensor] = []
        self._outputs = [t for t in results if t is not None]
        self.members = tuple(dict.fromkeys(t._op for t in self._outputs))
        self._inputs = list(dict.fromkeys([*ys, *xs]))
        self._control_inputs: list[Operation] = []
        self._id = min(op._id for op in self.members)
        self._op = self.members[0]
        self.name, self.type = self._op.name, "gradients"

    def find_steps(self, before: Sequence[Any]) -> None:
        """Takes what lies between the xs and the ys from the steps of the plan."""
        xs = set(self.xs)
        inside = needed(before, set(self.ys), xs)
        reached = set(xs)
        for step in inside:
            # A product of more dimensions takes other things than its last operation.
            taken = [*step._inputs, *inputs_of(step, set(step._outputs))]
            if any(_leads_to(tensor, reached) for tensor in taken):
                self.steps.append(step)
                reached.update(given_by(step))
        made = {tensor for step in self.steps for tensor in given_by(step)}
        if made & xs:
            refuse(self, "of one x with respect to another")
        self._look()

    def take_in(
        self, before: Sequence[Any], users: Mapping[Tensor, set[Any]], results: set[Tensor]
    ) -> None:
        """Takes what nothing else uses, as random numbers and one-hot labels.

        Args:
          before: the steps before it.
          users: the steps that take a tensor.
          results: what all the steps are for.
        """
        inside = {self, *self.steps}
        found = set()
        for step in reversed(before):
            if step in inside or isinstance(step, Slope):
                continue
            made = set(step._outputs)
            if made & results or made & set(self.xs):
                continue
            if all(users.get(t, set()) <= inside for t in made) and any(t in users for t in made):
                inside.add(step)
                found.add(step)
        self.steps = [step for step in before if step in found or step in self.steps]
        self._look()

    def _look(self) -> None:
        """Finds what the steps take besides the xs."""
        xs = set(self.xs)
        made = {tensor for step in self.steps for tensor in given_by(step)}
        used = [t for step in self.steps for t in inputs_of(step, set(step._outputs))]
        self.looked_at = [t for t in dict.fromkeys([*used, *self.ys]) if t not in made | xs]
        self._inputs = list(dict.fromkeys([*self.looked_at, *self.xs]))


def given_by(step: Any) -> list[Tensor]:
    """What a step makes: a call of `tf.gradients` also what it differentiates."""
    return [*step.ys, *step._outputs] if isinstance(step, Slope) else step._outputs


def _leads_to(tensor: Tensor, reached: set[Tensor]) -> bool:
    """Whether a tensor is one of these, or the value of a variable that is."""
    name = variable_of(tensor)
    if name is not None:
        return any(variable_of(other) == name for other in reached)
    return tensor in reached


# Constants that are inputs of what is written: they, and what follows from them, are not known.
_given: contextvars.ContextVar[dict[Tensor, bool]] = contextvars.ContextVar("given")


@contextlib.contextmanager
def given_another_value(inputs: Iterable[Tensor]) -> Iterator[None]:
    """Has inputs have no known value, constants though they may be (the state of `zero_state`)."""
    token = _given.set({t: True for t in inputs if constants.known_value(t) is not None})
    try:
        yield
    finally:
        _given.reset(token)


def _hangs_on_given(tensor: Tensor) -> bool:
    found = _given.get({})
    stack = [tensor] if found else []
    while stack:  # No recursion: graphs are deep.
        last = stack[-1]
        if found.get(last) is None:
            found[last] = False  # Until it is known; a loop leads back to it.
            stack += [t for t in last._op._inputs if t not in found]
        else:
            found[last] = found[last] or any(found.get(t, False) for t in last._op._inputs)
            stack.pop()
    return found.get(tensor, False)


def known_value(tensor: Tensor) -> Any:
    """The value of a tensor if it is known while recording; None if not."""
    if _hangs_on_given(tensor):
        return None
    while tensor._op._spec.loop == "enter" and not _is_carried(tensor):
        tensor = tensor._op._inputs[0]
    return constants.known_value(tensor)


def _is_carried(tensor: Tensor) -> bool:
    """Whether what enters a loop is the first value of a loop variable."""
    return any(op._spec.merges for op in tensor._consumers)


def variable_of(tensor: Tensor) -> str | None:
    """The name of the variable that a tensor is the value of."""
    op = tensor._op
    while not op._spec.source:
        reads = plan_lib.is_view(tensor) or op.type == "ReadVariableOp"
        reads = reads or (op._spec.loop == "enter" and not _is_carried(tensor))
        # The handle of a variable on one side of a conditional.
        reads = reads or (op._spec.is_switch and tensor._dtype is dtypes.resource)
        reads = reads or (op.type == "Identity" and op._inputs[0]._op.type == "ReadVariableOp")
        if not reads or is_overridden(op):
            return None
        tensor = op._inputs[0]
        op = tensor._op
    if op._spec.local or not op._spec.op_def or "TensorArray" in op.type:
        return None
    return plan_lib.variable_key(tensor)[1].decode()


def is_overridden(op: Operation) -> bool:
    """Whether the program gave an operation a gradient of its own."""
    return "_gradient_op_type" in op._attrs or op.type in gradient_registry._registered


def looked_at_by_gradient(op: Operation) -> list[Tensor]:
    """What the gradient that the program gave an operation looks at besides it."""
    program = gradient_of(op)
    if not isinstance(program, GradientProgram):
        return []
    own = {*op._inputs, *op._outputs}
    return [t for t in program.captured if t not in own and known_value(t) is None]


def inputs_of(step: Any, wanted: set[Tensor]) -> list[Tensor]:
    """The values that a step takes to give those of its outputs that are wanted."""
    if isinstance(step, Loop):
        return carried(step, wanted).inputs
    if isinstance(step, Branches):
        inside = needed(step.steps, wanted, set())
        made = {tensor for op in inside for tensor in op._outputs}
        found = [t for op in inside for t in inputs_of(op, wanted)] + [predicate(step)]
        return [t for t in dict.fromkeys(found) if t not in made]
    if not isinstance(step, Operation):
        return step._inputs
    factors = product_of(step)
    if factors is not None:
        return list(factors)
    shares = softmax_of(step)
    if shares is not None:
        return [shares[0]]
    if step._spec.is_switch:
        return [step._inputs[0]]
    index = index_of(step)
    if index is not None:
        return [step._inputs[0], *(t for t in index if known_value(t) is None)]
    unread = unread_by(step)
    found = [t for t in step._inputs if not is_object(t) and t is not unread]
    return [*found, *looked_at_by_gradient(step)] if is_overridden(step) else found


def unread_by(op: Operation) -> Tensor | None:
    """The input that is not taken where the source of an operation is simpler than that; None if
    all are."""
    if op.type in _TAKES_ROWS:
        return op._inputs[1] if takes_each(op) else None
    if op.type != "Reshape" or known_value(op._inputs[1]) is not None:
        return None
    kept = keeps_form(op) and op._outputs[0]._dtype.is_floating  # Integers may be dimensions.
    return op._inputs[1] if kept or is_reshaped_by_data(op) else None


def keeps_form(op: Operation) -> bool:
    """Whether the shape that a Reshape gives is known to be that of its input."""
    before, after = op._inputs[0]._shape, op._outputs[0]._shape
    if before is None or after is None or len(before) != len(after):
        return False
    # All dimensions but one decide that as well.
    return sum(a == b is not None for a, b in zip(before, after)) >= len(before) - 1


_TAKES_ROWS = {"Gather", "GatherV2", *(f"SparseSegment{how}" for how in ("Sum", "Mean", "SqrtN"))}


def takes_each(op: Operation) -> bool:
    """Whether an operation takes of rows of distinct ids (of Unique) the one of each element: ids
    are written with their repetitions, so these are all rows in turn."""
    rows, places = op._inputs[0], resolved(op._inputs[1])
    return places._op.type == "Unique" and places.value_index == 1 and rows._op is not places._op


def is_reshaped_by_data(op: Operation) -> bool:
    """Whether the shape that a Reshape gives is made of values, of which what is known while
    recording says all but one."""
    if op.type != "Reshape" or known_value(op._inputs[1]) is not None:
        return False
    after = op._outputs[0]._shape
    if after is None or after.count(None) > 1:
        return False
    stack, seen = [op._inputs[1]._op], set()
    while stack:
        each = stack.pop()
        texts = any(tensor._dtype is dtypes.string for tensor in each._inputs)
        if each in seen or (each._spec.static is not None and not texts):
            continue  # Of dimensions Python knows as much.
        seen.add(each)
        if not each._inputs and each.type != "Const":
            return True
        stack += [tensor._op for tensor in each._inputs]
    return False


def product_of(op: Operation) -> tuple[Tensor, Tensor] | None:
    """(x, matrix) if an operation ends what `tf.tensordot` records for their product along the last
    axis of x."""
    if op.type != "Reshape" or op._inputs[0]._op.type != "MatMul":
        return None
    product = op._inputs[0]._op
    rows, matrix = (_reshaped(t) for t in product._inputs)
    if is_overridden(product) or rows is None or matrix is None or rows is product._inputs[0]:
        return None
    shapes = [rows._shape, matrix._shape, op._outputs[0]._shape]
    if any(shape is None for shape in shapes) or any(
        product._attrs[f"transpose_{x}"] for x in "ab"
    ):
        return None
    x, kernel, out = (tuple(shape or ()) for shape in shapes)
    if len(x) < 3 or len(kernel) != 2 or None in kernel or x[-1] != kernel[0]:
        return None
    return (rows, matrix) if out == (*x[:-1], kernel[1]) and _is_tensordot(op) else None


def softmax_of(op: Operation) -> tuple[Tensor, Operation, int] | None:
    """(x, the softmax, axis) if an operation ends what `tf.nn.softmax` records for an axis that is
    not the last: it swaps the two, and swaps them again."""
    inner = op._inputs[0]._op if op.type == "Transpose" else op
    if inner.type not in ("Softmax", "LogSoftmax") or inner is op or is_overridden(inner):
        return None
    before = inner._inputs[0]._op
    axes = [known_value(swap._inputs[1]) for swap in (op, before) if swap.type == "Transpose"]
    if len(axes) != 2 or any(each is None for each in axes):
        return None
    first, second = (each.tolist() for each in axes)
    last = len(first) - 1
    swapped = list(range(last + 1))
    swapped[first[-1]], swapped[last] = last, first[-1]
    if first != second or first != swapped:
        return None
    return before._inputs[0], inner, first[-1]


def index_of(op: Operation) -> list[Tensor] | None:
    """The numbers of `x[i, ..., j]`, if some of them are computed."""
    if op.type != "StridedSlice" or known_value(op._inputs[1]) is not None:
        return None
    pack = op._inputs[1]._op
    if pack.type != "Pack" or any(op.get_attr(f"{n}_mask") for n in ("ellipsis", "new_axis")):
        return None
    for i, tensor in enumerate(pack._inputs):
        if known_value(tensor) is None and not op.get_attr("shrink_axis_mask") & 1 << i:
            return None
    return list(pack._inputs)


def _reshaped(tensor: Tensor) -> Tensor | None:
    """What a factor was before `tf.tensordot` made a matrix of it."""
    for kind in ("Reshape", "Transpose"):
        if tensor._op.type == kind:
            axes = known_value(tensor._op._inputs[1])
            if kind == "Transpose" and (axes is None or list(axes) != list(range(len(axes)))):
                return None
            tensor = tensor._op._inputs[0]
    return tensor


def _is_tensordot(op: Operation) -> bool:
    """Whether the shape of the result is that of x but for the last dimension."""
    whole = op._inputs[1]
    x = _reshaped(op._inputs[0]._op._inputs[0])
    if known_value(whole) is not None:
        return True  # Compared as static shapes.
    parts = whole._op._inputs if whole._op.type == "ConcatV2" else ()
    if len(parts) != 3 or parts[0]._op.type != "GatherV2" or known_value(parts[1]) is None:
        return False
    shape, at = parts[0]._op._inputs[:2]
    free = known_value(at)
    return (
        shape._op.type == "Shape"
        and shape._op._inputs[0] is x
        and list(free) == list(range(len(free)))
    )


def is_in_branch(tensor: Tensor) -> bool:
    """Whether a tensor has a value on one side of a conditional alone."""
    flow = tensor._op._get_control_flow_context()
    return flow is not None and flow.IsCondContext() and not tensor._op._spec.merges


def predicate(step: Branches) -> Tensor:
    """The predicate of a conditional."""
    return step.pred if isinstance(step.pred, Tensor) else step.pred.tensor


def is_object(tensor: Tensor) -> bool:
    """Whether a tensor is the handle of something else than a variable."""
    return tensor._dtype is dtypes.resource and variable_of(tensor) is None


def needed(steps: Sequence[Any], wanted: set[Tensor], given: set[Tensor]) -> list[Any]:
    """Those of `steps`, which are in order, that compute what is wanted."""
    wanted = wanted - given
    found = []
    for step in reversed(steps):
        if wanted.isdisjoint(step._outputs):
            continue
        if isinstance(step, Operation):
            if variable_of(step._outputs[0]) is not None:
                continue
            if all(known_value(tensor) is not None for tensor in step._outputs):
                continue
        found.append(step)
        if isinstance(step, Slope):
            wanted -= set(step.ys)  # It has them as well, if nothing before needs them.
        wanted |= set(inputs_of(step, wanted)) - given
    return found[::-1]


class Carried:
    """What an iteration of a loop has to compute.

    Attributes:
      positions: the loop variables that matter.
      steps: what computes their next values, and the condition.
      inputs: what the loop takes.
    """

    def __init__(self, positions: list[int], steps: list[Any], inputs: list[Tensor]):
        self.positions, self.steps, self.inputs = positions, steps, inputs


def places(loop: Loop) -> dict[Tensor, int]:
    """The tensors inside of a loop that are its variables."""
    found = {tensor: i for i, op in enumerate(loop.merges) for tensor in op._outputs}
    for op, i in zip(loop.switches, loop.switched, strict=True):
        found.update(dict.fromkeys(op._outputs, i))
    return found


def carried(loop: Loop, wanted: set[Tensor]) -> Carried:
    """What matters of a loop if these of its outputs are wanted."""
    at = places(loop)
    leaving = [op for op in loop.exits if op._outputs[0] in wanted]
    positions = {at[op._inputs[0]] for op in leaving if op._inputs[0] in at}
    given = loop.given()
    while True:
        targets = {loop.condition, *(loop.next[i] for i in positions)}
        steps = needed(loop.steps, set(targets), given)
        used = {t for step in steps for t in inputs_of(step, set(step._outputs))} | targets
        more = {at[t] for t in used if t in at} - positions
        if not more:
            break
        positions |= more
    entering = [op for op in loop.enters if op._outputs[0] in used]
    first = [loop.initial[i] for i in positions]
    inputs = [op._inputs[0] for op in entering]
    inputs += [t._op._inputs[0] if t._op._spec.loop == "enter" else t for t in first]
    inputs = [t for t in dict.fromkeys(inputs) if not is_object(t)]
    return Carried(sorted(positions), steps, inputs)


def resolved(tensor: Tensor) -> Tensor:
    """What a tensor is a copy of."""
    while tensor._op.type == "Identity" and not is_overridden(tensor._op):
        tensor = tensor._op._inputs[0]
    return tensor


def used_outside(steps: Iterable[Any], others: Iterable[Any]) -> set[Tensor]:
    """What `steps` give to others."""
    made = {tensor for step in steps for tensor in step._outputs}
    return made & {t for step in others for t in inputs_of(step, set(step._outputs))}
