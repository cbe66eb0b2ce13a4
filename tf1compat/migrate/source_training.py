"""What a training operation does: which loss, which optimizer, which weights, and what besides."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from tf1compat.core import dtypes, gradient_registry
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.migrate.source_needs import (
    is_in_branch,
    known_value,
    refuse,
    resolved,
    variable_of,
)
from tf1compat.runtime import plan as plan_lib


class Slices(NamedTuple):
    """The gradient of a table as rows of it: their values, and their numbers."""

    values: Tensor
    indices: Tensor


class Optimizer(NamedTuple):
    """One of the optimizers of a training operation.

    Attributes:
      text: how it is written, with `{rate}` for its learning rate.
      rate: the learning rate.
      variables: what it trains.
    """

    text: str
    rate: Tensor
    variables: list[str]


class Moved(NamedTuple):
    """A change of a variable that no optimizer trains.

    Attributes:
      sign: "+" or "-" if the tensor is added to the old value or taken from it, "" if it is the
        new one.
      tensor: by what, or to what, the variable is changed.
    """

    sign: str
    tensor: Tensor

    @property
    def average(self) -> tuple[Tensor, Tensor] | None:
        """(value, share) if it moves a variable by a share of the way to a value."""
        op = self.tensor._op
        if self.sign != "-" or op.type != "Mul" or op._inputs[0]._op.type != "Sub":
            return None
        if is_in_branch(self.tensor):
            return None  # On the other side it stays as it is.
        old, value = op._inputs[0]._op._inputs
        share = op._inputs[1]
        return (value, share) if share._shape == () and variable_of(old) is not None else None

    @property
    def tensors(self) -> list[Tensor]:
        """What has to be computed for it."""
        return [self.tensor] if self.average is None else list(self.average)


@dataclasses.dataclass
class Training:
    """A training operation, taken apart.

    Attributes:
      losses: what it makes small; several if there are several calls of `tf.gradients`.
      gradients: by variable, what `tf.gradients` gave: a tensor, or slices of it.
      applied: by variable, the gradient that the optimizer is given.
      rows: by variable, the numbers of the rows that the optimizer changes, if it leaves the others
        and their slots alone.
      direct: whether the gradients that the optimizer is given are no function of those of one
        loss: of towers, of a gradient that is part of another call's loss, or of the rows of a
        table that are changed one by one.
      optimizers: the optimizers.
      moved: what it changes besides (moving averages), each variable by changes in their order.
      late: what it changes when the optimizer is done, from the new weights.
      counters: the variables that count the steps, and by what each is changed.
    """

    losses: list[Tensor]
    gradients: dict[str, Any]
    applied: dict[str, Any]
    rows: dict[str, list[Tensor]]
    direct: bool
    optimizers: list[Optimizer]
    moved: dict[str, list[Moved]]
    late: dict[str, list[Moved]]
    counters: dict[str, Moved]

    @property
    def step(self) -> str | None:
        """The variable that counts the steps, if there is one."""
        return next(iter(self.counters)) if len(self.counters) == 1 else None

    @property
    def loss(self) -> Tensor:
        """The loss, if there is one."""
        return self.losses[0]

    @property
    def changes(self) -> list[Moved]:
        """All that it changes besides."""
        return [change for changes in self.moved.values() for change in changes]


class _Rule:
    """How an optimizer's operation is written.

    Args:
      inputs: the names of the inputs.
      write: the optimizer, from its numbers; `first` is the first value of the slot.
      sparse: whether it is about some rows alone.
      alone: whether it leaves the other rows as they are, where a gradient of 0 changes them.
    """

    def __init__(
        self, inputs: str, write: Callable[..., str], sparse: bool = False, alone: bool = False
    ):
        self.inputs, self.write, self.sparse, self.alone = inputs.split(), write, sparse, alone


def _sgd() -> str:
    return "optax.sgd({rate})"


def _momentum(momentum: float, nesterov: bool) -> str:
    return f"optax.sgd({{rate}}, momentum={momentum}{', nesterov=True' if nesterov else ''})"


def _adam(beta1: float, beta2: float, epsilon: float, *, of_floats: bool = False) -> str:
    more = ", of_floats=True" if of_floats else ""
    return f"adam({{rate}}, b1={beta1}, b2={beta2}, eps={epsilon}{more})"


def _adagrad(first: float) -> str:
    return f"optax.adagrad({{rate}}, initial_accumulator_value={first}, eps=0.0)"


def _rmsprop(
    rho: float, momentum: float, epsilon: float, first: float, centered: bool = False
) -> str:
    more = f", momentum={momentum}" if momentum else ""
    more += ", centered=True" if centered else ""
    return f"optax.rmsprop({{rate}}, {rho}, eps={epsilon}, initial_scale={first}{more})"


def _adadelta(rho: float, epsilon: float) -> str:
    return f"optax.adadelta({{rate}}, rho={rho}, eps={epsilon})"


def _ftrl(first: float, l1: float, l2: float, lr_power: float) -> str:
    return f"ftrl({{rate}}, power={lr_power}, l1={l1}, l2={l2}, first={first})"


def _of_rows(inputs: str, write: Callable[..., str]) -> _Rule:
    return _Rule(inputs, write, sparse=True, alone=True)


_RULES = {
    "ApplyGradientDescent": _Rule("var lr grad", _sgd),
    "ApplyMomentum": _Rule("var accum lr grad momentum", _momentum),
    "ApplyKerasMomentum": _Rule("var accum lr grad momentum", _momentum),
    "ApplyAdam": _Rule("var m v beta1_power beta2_power lr beta1 beta2 epsilon grad", _adam),
    "ApplyAdagrad": _Rule("var accum lr grad", _adagrad),
    "SparseApplyAdagrad": _Rule("var accum lr grad indices", _adagrad, sparse=True),
    "ApplyRMSProp": _Rule("var ms mom lr rho momentum epsilon grad", _rmsprop),
    "ApplyCenteredRMSProp": _Rule("var mg ms mom lr rho momentum epsilon grad", _rmsprop),
    "ApplyAdadelta": _Rule("var accum accum_update lr rho epsilon grad", _adadelta),
    "ApplyFtrl": _Rule("var accum linear grad lr l1 l2 lr_power", _ftrl),
    "SparseApplyFtrl": _of_rows("var accum linear grad indices lr l1 l2 lr_power", _ftrl),
    "SparseApplyMomentum": _of_rows("var accum lr grad indices momentum", _momentum),
    "SparseApplyRMSProp": _of_rows("var ms mom lr rho momentum epsilon grad indices", _rmsprop),
    "SparseApplyCenteredRMSProp": _of_rows(
        "var mg ms mom lr rho momentum epsilon grad indices", _rmsprop
    ),
    "SparseApplyAdadelta": _of_rows(
        "var accum accum_update lr rho epsilon grad indices", _adadelta
    ),
}


def training_of(train: Operation, first_value: Callable[[str], Any]) -> Training:
    """Takes a training operation apart.

    Args:
      first_value: gives the value that a variable begins with.

    Raises:
      CannotWrite: it does something that there is no source for.
    """
    ops = plan_lib.prune([train], plan_lib.Feeds())
    writing = [op for op in ops if isinstance(op, Operation) and op._spec.writes]
    updates: dict[tuple[str, str], list[Operation]] = {}
    others = []
    for op in writing:
        match = re.match(r"(.*?)/update_(.*?)/[^/]*$", op.name)
        if match is not None:
            updates.setdefault((match[1], _written(op)), []).append(op)
        else:
            others.append(op)
    scopes = dict.fromkeys(scope for scope, _ in updates)
    if not scopes:
        refuse(train, "which uses no optimizer of tf.train or of Keras")
    calls = _outermost(_calls(train, ops))
    differentiated = {variable_of(x) for call in calls for x in call.xs}
    trained: dict[str, tuple[str, list[Operation]]] = {}
    for (scope, variable), found in updates.items():
        if variable in differentiated and variable in trained:
            refuse(train, f"in which two optimizers train {variable}")
        if variable in differentiated:
            trained[variable] = (scope, found)
    one = _of_one_loss(calls, trained)
    slices = {name: _slices(found) for name, (_, found) in trained.items()}
    direct = one is None or any(
        (rows is None) != isinstance(one[name], Tensor)
        or (rows is not None and rows.values is not one[name].values)
        for name, rows in slices.items()
    )
    chosen: dict[tuple[str, str], Optimizer] = {}
    applied, rows, numbers_of_others = {}, {}, []
    for name, (scope, found) in trained.items():
        update = _update(found[0], scope, train, first_value)
        applied[name] = slices[name] or update.gradient
        if slices[name] is not None and not direct and one is not None:
            applied[name] = one[name]
        if update.alone:
            rows[name] = _looked_up(applied[name].indices)
        if update.text is None or update.rate is None:
            numbers_of_others.append((name, scope, found[0], update.text))
            continue
        key = (scope, update.text)
        chosen.setdefault(key, Optimizer(update.text, update.rate, [])).variables.append(name)
    for name, scope, op, text in numbers_of_others:
        alike = [o for (s, t), o in chosen.items() if s == scope and text in (None, t)]
        if len(alike) != 1:
            refuse(op, "which changes rows alone, by an optimizer that no whole variable has")
        alike[0].variables.append(name)
    moved, counters = _besides(others, scopes, {variable for _, variable in updates})
    late = {n: c for n, c in moved.items() if any(reads_after_writes(x.tensor, train) for x in c)}
    early = {n: c for n, c in moved.items() if n not in late}
    losses = list(dict.fromkeys(y for call in calls for y in call.ys))
    given = dict(applied) if direct or one is None else one
    return Training(
        losses, given, applied, rows, direct, list(chosen.values()), early, late, counters
    )


def _written(op: Operation) -> str:
    return plan_lib.variable_key(op._inputs[op._spec.writes[0]])[1].decode()


def _calls(train: Operation, ops: Sequence[Any]) -> list[gradient_registry.Call]:
    """The calls of `tf.gradients` whose results the training operation takes."""
    used = {t for op in ops for t in op._inputs}
    found = [
        call
        for call in train._graph._gradient_calls
        if any(_tensor(r) in used for r in call.results if r is not None)
    ]
    if not found:
        refuse(train, "which takes no results of tf.gradients that are known (a file has none)")
    return found


def _outermost(calls: Sequence[gradient_registry.Call]) -> list[gradient_registry.Call]:
    """The calls whose results are no part of the losses of others."""
    inside = set()
    for call in calls:
        reached = plan_lib.prune([y._op for y in call.ys], plan_lib.Feeds(), expand=False)
        made = {t for op in plan_lib.flat(reached) for t in op._outputs}
        inside |= {
            id(other)
            for other in calls
            if any(_tensor(r) in made for r in other.results if r is not None)
        } - {id(call)}
    return [call for call in calls if id(call) not in inside]


def _of_one_loss(
    calls: Sequence[gradient_registry.Call], trained: Mapping[str, Any]
) -> dict[str, Any] | None:
    """By variable, its gradient; None if the calls are about others, or about no single number."""
    losses = {y for call in calls for y in call.ys}
    if len(losses) != 1 or next(iter(losses))._shape != ():
        return None
    found: dict[str, Any] = {}
    for call in calls:
        for x, result in zip(call.xs, call.results, strict=True):
            name = variable_of(x)
            if name is not None and name in trained and result is not None:
                if name in found:
                    return None
                found[name] = result
    return found if set(found) == set(trained) else None


def _slices(updates: Sequence[Operation]) -> Slices | None:
    """The rows that an optimizer is given; None if it is given a whole gradient."""
    kind = updates[0].type.removeprefix("Resource")
    rule = _RULES.get(kind)
    if rule is not None and not rule.sparse:
        return None
    if rule is None and "Apply" in kind:
        refuse(updates[0], "of an optimizer that Optax does not have")
    prefix = f"{updates[0].name.rpartition('/')[0]}/"
    stack: list[Operation] = list(updates)
    inside = set(stack)
    given: dict[Tensor, None] = {}
    while stack:
        op = stack.pop()
        given.update(dict.fromkeys(t for t in op._inputs if not t._op.name.startswith(prefix)))
        before = {*(t._op for t in op._inputs), *op._control_inputs} - inside
        more = [each for each in before if each.name.startswith(prefix)]
        inside.update(more)
        stack += more
    arrays = [t for t in given if t._shape != () and not _is_slot(t)]
    indices = [t for t in arrays if t._dtype.is_integer]
    indices = [t for t in indices if known_value(t) is None] or indices
    values = [t for t in arrays if t._dtype.is_floating and known_value(t) is None]
    if len(values) != 1 or len(indices) != 1:
        refuse(updates[0], "which changes rows, and does not say by which gradient")
    return Slices(values[0], indices[0])


def _is_slot(tensor: Tensor) -> bool:
    """Whether a tensor is a variable, or its value."""
    return tensor._dtype.base_dtype is dtypes.resource or variable_of(tensor) is not None


def _looked_up(indices: Tensor) -> list[Tensor]:
    """What the numbers of rows are put together from."""
    op = resolved(indices)._op
    if op.type == "ConcatV2":
        return [part for tensor in op._inputs[:-1] for part in _looked_up(tensor)]
    if op.type == "Reshape":
        return _looked_up(op._inputs[0])
    return [resolved(indices)]


def _tensor(gradient: Any) -> Tensor:
    return gradient if isinstance(gradient, Tensor) else gradient.values


def _number(
    tensor: Tensor, train: Operation, what: str, first_value: Callable[[str], Any] | None = None
) -> float:
    value = known_value(resolved(tensor))
    variable = variable_of(resolved(tensor))
    if value is None and variable is not None and first_value is not None:
        value = first_value(variable)  # As optimizers of Keras keep them.
    if value is None:
        refuse(train, f"whose {what} is computed")
    return float(str(value))


class _Update(NamedTuple):
    """How a variable is trained.

    Attributes:
      text: how the optimizer is written; None if updates of whole variables say so.
      rate: its learning rate; None if updates of whole variables have it.
      gradient: the gradient that it is given, if that is a whole one.
      alone: whether it leaves other rows as they are.
    """

    text: str | None
    rate: Tensor | None
    gradient: Tensor | None
    alone: bool = False


def _update(
    op: Operation, scope: str, train: Operation, first_value: Callable[[str], Any]
) -> _Update:
    kind = op.type.removeprefix("Resource")
    rule = _RULES.get(kind)
    if rule is None:
        return _Update(*_rows(op, scope, train), None)
    inputs = dict(zip(rule.inputs, op._inputs, strict=True))
    numbers: dict[str, Any] = {
        name: _number(inputs[name], train, name, first_value)
        for name in ("beta1", "beta2", "rho", "momentum", "epsilon", "l1", "l2", "lr_power")
        if name in inputs
    }
    if rule.write is _momentum:
        numbers["nesterov"] = op.get_attr("use_nesterov")
    if kind.endswith("ApplyCenteredRMSProp"):
        numbers["centered"] = True
    if rule.write is _adam:
        # That of Keras computes powers anew, where that of tf.train keeps products, of 32 bits.
        power = inputs["beta2_power"]
        power = power._op._inputs[0] if power._op.type == "Cast" else power
        numbers["of_floats"] = variable_of(power) is None
    slot = {_adagrad: "accum", _ftrl: "accum", _rmsprop: "ms"}.get(rule.write)
    if slot is not None:
        numbers["first"] = first_value(plan_lib.variable_key(inputs[slot])[1].decode())
    given = None if rule.sparse else inputs["grad"]
    return _Update(rule.write(**numbers), inputs["lr"], given, rule.alone)


def _rows(op: Operation, scope: str, train: Operation) -> tuple[str | None, Tensor | None]:
    """An update of rows that is equal to one of the whole variable."""
    graph = train._graph

    def constant(name: str) -> Tensor | None:
        try:
            return graph.get_operation_by_name(f"{scope}/{name}").outputs[0]
        except KeyError:
            return None

    rate = constant("learning_rate")
    if rate is None:
        rate = constant("Identity")
    betas = [constant(name) for name in ("beta1", "beta2", "epsilon")]
    if op.type == "AssignSub" and all(b is not None for b in betas):
        return _adam(*(_number(b, train, "beta") for b in betas if b is not None)), rate
    if op.type in ("ScatterSub", "ResourceScatterSub", "ResourceScatterAdd"):
        rate = rate if rate is not None else _factor(op._inputs[2])
        if all(b is None for b in betas) and rate is not None:
            return _sgd(), rate
    if op.type in ("AssignSubVariableOp", "AssignVariableOp", "ResourceScatterAdd"):
        return None, None  # An optimizer of Keras, whose numbers are variables.
    return refuse(op, "which changes rows alone: Optax has no such optimizer")


def _factor(rows: Tensor) -> Tensor | None:
    """The number that rows are multiplied by."""
    numbers = [t for t in rows._op._inputs if t._shape == ()] if rows._op.type == "Mul" else []
    return numbers[0] if len(numbers) == 1 else None


_SIGNS = {
    "AssignSub": "-",
    "AssignSubVariableOp": "-",
    "AssignAdd": "+",
    "AssignAddVariableOp": "+",
}
_SIGNS |= {"Assign": "", "AssignVariableOp": ""}


def _besides(
    ops: Sequence[Operation], scopes: Iterable[str], updated: set[str]
) -> tuple[dict[str, list[Moved]], dict[str, Moved]]:
    """What else is written: (changes of variables, the counters of steps)."""
    moved: dict[str, list[Moved]] = {}
    counters: dict[str, Moved] = {}
    for op in ops:
        variable = _written(op)
        own = any(op.name.startswith(f"{scope}/") or op.name == scope for scope in scopes)
        if own and op.type.startswith("Assign") and "beta" in variable:
            continue
        if op.type in ("AssignAdd", "AssignAddVariableOp"):
            by = known_value(op._inputs[1])
            if by is not None and by.ndim == 0 and by == 1 and op._inputs[1]._dtype.is_integer:
                counters[variable] = Moved("+", op._inputs[1])
                continue
        if op.type not in _SIGNS or variable in updated:
            refuse(op, "which changes a variable besides the optimizer")
        flow = op._get_control_flow_context()
        while flow is not None:
            if not flow.IsCondContext() or not _SIGNS[op.type]:
                refuse(op, "which changes a variable in a loop, or sets it in a conditional")
            flow = flow.outer_context
        if not _SIGNS[op.type]:
            moved.pop(variable, None)
        moved.setdefault(variable, []).append(Moved(_SIGNS[op.type], op._inputs[1]))
    return moved, counters


def is_training(op: Operation) -> bool:
    """Whether an operation runs an optimizer."""
    ops = plan_lib.prune([op], plan_lib.Feeds(), expand=False)
    return any(
        isinstance(step, Operation) and step._spec.writes and re.search(r"/update_.*/", step.name)
        for step in ops
    )


def hangs_on_counter(tensor: Tensor) -> bool:
    """Whether a tensor is computed from an integer variable, as a learning rate may be."""
    ops = plan_lib.flat(plan_lib.prune([tensor._op], plan_lib.Feeds(), expand=False))
    sources = [op for op in ops if op._spec.source and not op._spec.local and "dtype" in op._attrs]
    return any(op.get_attr("dtype").base_dtype.is_integer for op in sources)


def clipped_norm(gradients: Mapping[str, Any], applied: Mapping[str, Any]) -> str | None:
    """The largest norm, if these gradients are what `tf.clip_by_global_norm` makes of all."""
    if set(applied) != set(gradients):
        return None
    scales, clipped = set(), set()
    for name, tensor in applied.items():
        mul = resolved(tensor)._op if isinstance(tensor, Tensor) else None
        if mul is None or mul.type != "Mul" or mul._inputs[0] is not gradients[name]:
            return None
        clipped.add(mul._inputs[0])
        scales.add(mul._inputs[1])
    scale = scales.pop()._op
    if scales or scale.type != "Select" or scale._inputs[0]._op.type != "IsFinite":
        return None
    norm, product = scale._inputs[0]._op._inputs[0], scale._inputs[1]._op
    least = product._inputs[1]._op if product.type == "Mul" else product
    limit = known_value(product._inputs[0])
    if limit is None or limit.shape or least.type != "Minimum":
        return None
    one, other = (t._op for t in least._inputs)
    if (
        one.type != "RealDiv"
        or one._inputs[1] is not norm
        or known_value(other._outputs[0]) is None
    ):
        return None
    twice = norm._op._inputs[0]._op if norm._op.type == "Sqrt" else norm._op
    total = twice._inputs[0]._op if twice.type == "Mul" else norm._op
    if total.type != "Sum" or total._inputs[0]._op.type != "Pack":
        return None
    halves = [t._op for t in total._inputs[0]._op._inputs]
    if any(op.type != "L2Loss" for op in halves) or {op._inputs[0] for op in halves} != clipped:
        return None
    return str(limit.item() if limit.dtype.kind in "iu" else np.float32(limit))


def sources_of(tensor: Tensor) -> tuple[set[str], bool]:
    """What a tensor is computed from: the names of variables, and whether there is more."""
    stack, ops = [tensor._op], {tensor._op}
    while stack:
        more = {t._op for t in stack.pop()._inputs} - ops
        ops |= more
        stack += more
    names = {name for op in ops for t in op._outputs if (name := variable_of(t)) is not None}
    return names, any(op.type.startswith("Placeholder") for op in ops)


def reads_after_writes(tensor: Tensor, run: Operation | None = None) -> bool:
    """Whether a tensor is computed from variables as the run has changed them.

    Args:
      run: what is run besides.
    """
    targets = [tensor._op] if run is None else [tensor._op, run]
    ops = plan_lib.prune(targets, plan_lib.Feeds(), expand=False)
    visible = plan_lib.order_effects(ops, plan_lib.Feeds()).visible
    stack, seen = [tensor._op], {tensor._op}
    while stack:
        op = stack.pop()
        for given in op._inputs:
            shows = given._dtype._is_ref_dtype or given._dtype is dtypes.resource
            if (shows or plan_lib.is_view(given)) and variable_of(given) is not None:
                if plan_lib.variable_key(given) in visible.get(op, ()):
                    return True
            if given._op not in seen:
                seen.add(given._op)
                stack.append(given._op)
    return False
