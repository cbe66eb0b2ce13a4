"""What a training operation does: which loss, which optimizer, which weights, and what besides."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from tf1compat.core import gradient_registry
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.migrate.source_needs import known_value, refuse, resolved, variable_of
from tf1compat.runtime import plan as plan_lib


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
        loss: of towers, or of a gradient that is part of another call's loss.
      optimizer: how the optimizer is written, with `{rate}` for its learning rate.
      rate: the learning rate.
      moved: by variable, the new values of those that it changes besides (moving averages).
      step: the variable that counts the steps; None if there is none.
    """

    losses: list[Tensor]
    gradients: dict[str, Any]
    applied: dict[str, Any]
    rows: dict[str, list[Tensor]]
    direct: bool
    optimizer: str
    rate: Tensor
    moved: dict[str, Tensor]
    step: str | None

    @property
    def loss(self) -> Tensor:
        """The loss, if there is one."""
        return self.losses[0]


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


def _adam(beta1: float, beta2: float, epsilon: float) -> str:
    return f"adam({{rate}}, b1={beta1}, b2={beta2}, eps={epsilon})"


def _adagrad(first: float) -> str:
    return f"optax.adagrad({{rate}}, initial_accumulator_value={first}, eps=0.0)"


def _rmsprop(rho: float, momentum: float, epsilon: float, centered: bool = False) -> str:
    more = f", momentum={momentum}" if momentum else ""
    more += ", centered=True" if centered else ""
    return f"optax.rmsprop({{rate}}, {rho}, eps={epsilon}, initial_scale=1.0{more})"


def _adadelta(rho: float, epsilon: float) -> str:
    return f"optax.adadelta({{rate}}, rho={rho}, eps={epsilon})"


def _of_rows(inputs: str, write: Callable[..., str]) -> _Rule:
    return _Rule(inputs, write, sparse=True, alone=True)


_RULES = {
    "ApplyGradientDescent": _Rule("var lr grad", _sgd),
    "ApplyMomentum": _Rule("var accum lr grad momentum", _momentum),
    "ApplyAdam": _Rule("var m v beta1_power beta2_power lr beta1 beta2 epsilon grad", _adam),
    "ApplyAdagrad": _Rule("var accum lr grad", _adagrad),
    "SparseApplyAdagrad": _Rule("var accum lr grad indices", _adagrad, sparse=True),
    "ApplyRMSProp": _Rule("var ms mom lr rho momentum epsilon grad", _rmsprop),
    "ApplyCenteredRMSProp": _Rule("var mg ms mom lr rho momentum epsilon grad", _rmsprop),
    "ApplyAdadelta": _Rule("var accum accum_update lr rho epsilon grad", _adadelta),
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
    groups: dict[tuple[str, str], list[Operation]] = {}
    others = []
    for op in writing:
        match = re.match(r"(.*?)/update_(.*?)/[^/]*$", op.name)
        if match is not None:
            groups.setdefault((match[1], _written(op)), []).append(op)
        else:
            others.append(op)
    scopes = dict.fromkeys(scope for scope, _ in groups)
    if len(scopes) != 1:
        refuse(train, "which uses no optimizer of tf.train, or several")
    scope = next(iter(scopes))
    updates: dict[str, list[Operation]] = {}
    for (_, variable), found in groups.items():
        updates.setdefault(variable, []).extend(found)
    trained = {v: u for v, u in updates.items() if not _is_slot(v, scope)}
    calls = _outermost(_calls(train, ops))
    one = _of_one_call(calls[0], trained) if len(calls) == 1 else None
    direct, found_gradients = one is None, one or {}
    written: dict[str, Tensor | None] = {}
    applied, rows = {}, {}
    for variable, found in trained.items():
        gradient = found_gradients.get(variable)
        update = _update(found[0], scope, gradient, train, first_value)
        if written.get(update.text) is None:
            written[update.text] = update.rate
        applied[variable] = update.gradient
        if not isinstance(update.gradient, Tensor):
            _check_rows(found, gradient)
        if update.alone:
            rows[variable] = _looked_up(found_gradients[variable].indices)
    # Those of rows take their numbers from the others.
    if len(written) != 1:
        refuse(train, "whose variables are trained in several ways")
    text, rate = next(iter(written.items()))
    if rate is None:
        refuse(train, "whose learning rate is computed, and which trains rows alone")
    moved, step = _besides(others, scope, set(updates))
    losses = [y for call in calls for y in call.ys]
    given = dict(applied) if direct else found_gradients
    return Training(losses, given, applied, rows, direct, text, rate, moved, step)


def _written(op: Operation) -> str:
    return plan_lib.variable_key(op._inputs[op._spec.writes[0]])[1].decode()


def _is_slot(variable: str, scope: str) -> bool:
    optimizer = re.sub(r"_\d+$", "", scope.rpartition("/")[2])
    return re.search(rf"/{optimizer}(_\d+)?$", variable) is not None


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


def _of_one_call(call: gradient_registry.Call, trained: Mapping[str, Any]) -> dict[str, Any] | None:
    """By variable, its gradient; None if the call is about others, or about no single number."""
    results = {
        name: result
        for x, result in zip(call.xs, call.results, strict=True)
        if (name := variable_of(x)) is not None and name in trained and result is not None
    }
    single = len(call.ys) == 1 and call.ys[0]._shape == ()
    return results if single and set(results) == set(trained) else None


def _check_rows(updates: Sequence[Operation], gradient: Any) -> None:
    """Raises CannotWrite unless an optimizer is given the rows that `tf.gradients` gave."""
    prefix = f"{updates[0].name.rpartition('/')[0]}/"
    stack: list[Operation] = list(updates)
    seen = set(stack)
    while stack:
        op = stack.pop()
        for tensor in op._inputs:
            if tensor is gradient.values:
                return
            if tensor._op.name.startswith(prefix) and tensor._op not in seen:
                seen.add(tensor._op)
                stack.append(tensor._op)
    refuse(updates[0], "where the gradient of rows is changed before it is used")


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


def _number(tensor: Tensor, train: Operation, what: str) -> float:
    value = known_value(resolved(tensor))
    if value is None:
        refuse(train, f"whose {what} is computed")
    return float(str(value))


class _Update(NamedTuple):
    """How a variable is trained.

    Attributes:
      text: how the optimizer is written.
      rate: its learning rate; None if updates of whole variables have it.
      gradient: the gradient that it is given; rows of one as `tf.gradients` gave them.
      alone: whether it leaves other rows as they are.
    """

    text: str
    rate: Tensor | None
    gradient: Any
    alone: bool = False


def _update(
    op: Operation, scope: str, gradient: Any, train: Operation, first_value: Callable[[str], Any]
) -> _Update:
    kind = op.type.removeprefix("Resource")
    rule = _RULES.get(kind)
    if (rule is None or rule.sparse) and (gradient is None or isinstance(gradient, Tensor)):
        refuse(op, "which changes rows, by gradients that are those of no single call of "
               "tf.gradients")  # fmt: skip
    if rule is None:
        return _Update(*_rows(op, scope, train), gradient)
    inputs = dict(zip(rule.inputs, op._inputs, strict=True))
    numbers = {
        name: _number(inputs[name], train, name)
        for name in ("beta1", "beta2", "rho", "momentum", "epsilon")
        if name in inputs
    }
    if rule.write is _momentum:
        numbers["nesterov"] = op.get_attr("use_nesterov")
    if kind.endswith("ApplyCenteredRMSProp"):
        numbers["centered"] = True
    if rule.write is _adagrad:
        numbers["first"] = first_value(plan_lib.variable_key(inputs["accum"])[1].decode())
    given = gradient if rule.sparse else inputs["grad"]
    return _Update(rule.write(**numbers), inputs["lr"], given, rule.alone)


def _rows(op: Operation, scope: str, train: Operation) -> tuple[str, Tensor | None]:
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
    if op.type in ("ScatterSub", "ResourceScatterSub", "ResourceScatterAdd") and rate is not None:
        if all(b is None for b in betas):
            return _sgd(), rate
    return refuse(op, "which changes rows alone: Optax has no such optimizer")


def _besides(
    ops: Sequence[Operation], scope: str, updated: set[str]
) -> tuple[dict[str, Tensor], str | None]:
    """What else is written: (new values of moving averages, the counter of steps)."""
    moved: dict[str, Tensor] = {}
    step = None
    for op in ops:
        variable = _written(op)
        own = op.name.startswith(f"{scope}/") or op.name == scope
        if own and op.type.startswith("Assign") and "beta" in variable:
            continue
        if op.type in ("AssignAdd", "AssignAddVariableOp"):
            by = known_value(op._inputs[1])
            if by is not None and by.ndim == 0 and by == 1 and op._inputs[1]._dtype.is_integer:
                step = variable
                continue
        if op._get_control_flow_context() is not None:
            refuse(op, "which changes a variable if a conditional says so (with an is_training "
                   "that is a Python bool there is none)")  # fmt: skip
        if op.type in ("AssignSub", "AssignSubVariableOp") and variable not in moved:
            moved[variable] = op._inputs[1]
            continue
        refuse(op, "which changes a variable besides the optimizer")
    return moved, step


def is_training(op: Operation) -> bool:
    """Whether an operation runs an optimizer."""
    ops = plan_lib.prune([op], plan_lib.Feeds(), expand=False)
    return any(
        isinstance(step, Operation) and step._spec.writes and re.search(r"/update_.*/", step.name)
        for step in ops
    )


def hangs_on_counter(tensor: Tensor) -> bool:
    """Whether a tensor is computed from an integer variable, as a learning rate may be."""
    ops = plan_lib.prune([tensor._op], plan_lib.Feeds(), expand=False)
    outputs = [t for op in ops if isinstance(op, Operation) for t in op._outputs]
    return any(t._dtype.is_integer and variable_of(t) is not None for t in outputs)
