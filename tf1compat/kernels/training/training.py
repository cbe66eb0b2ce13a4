"""The update rules of optimizers (TF's `training_ops.cc`).

A rule is a function of the variable, its slots, the settings and the gradient, named as in the op's
definition; it returns the new variable and slots.  From each come the ops `Apply<Rule>` (on
references), `ResourceApply<Rule>` (on resources) and, where TF has them, `SparseApply<Rule>` and
`ResourceSparseApply<Rule>`, which apply the rule to the rows that `indices` names.  The formulas
are those of TF's CPU kernels, term by term, so that results agree to the rounding of single
operations.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.backend import at, in_place, jnp, lax
from tf1compat.core import errors, op_defs, shapes
from tf1compat.core.op_registry import register
from tf1compat.core.operation import Operation
from tf1compat.core.typing import LoweringContext
from tf1compat.kernels.array.padded_rows import updating
from tf1compat.kernels.framework.common import in_range, known
from tf1compat.kernels.variables.state import variable_shape

Array = Any
Rule = Callable[..., tuple[Array, ...]]

_square = jnp.square


def _gradient_descent(var: Any, alpha: Any, delta: Any) -> Any:
    return (var - delta * alpha,)


def _shrink(v: Array, rate: Array, l1: Array, l2: Array) -> Array:
    """The proximal operator of `l1 * |v| + l2 / 2 * v ** 2` at a learning rate."""
    shrunk = jnp.sign(v) * jnp.maximum(jnp.abs(v) - rate * l1, 0)
    return jnp.where(l1 > 0, shrunk, v) / (1 + l2 * rate)


def _proximal_gradient_descent(var: Any, alpha: Any, l1: Any, l2: Any, delta: Any) -> Any:
    return (_shrink(var - delta * alpha, alpha, l1, l2),)


def _proximal_adagrad(var: Any, accum: Any, lr: Any, l1: Any, l2: Any, grad: Any) -> Any:
    accum = accum + _square(grad)
    rate = lr * lax.rsqrt(accum)
    return _shrink(var - grad * rate, rate, l1, l2), accum


def _adadelta(
    var: Any, accum: Any, accum_update: Any, lr: Any, rho: Any, epsilon: Any, grad: Any
) -> Any:
    accum = accum * rho + _square(grad) * (1 - rho)
    update = jnp.sqrt(accum_update + epsilon) * lax.rsqrt(accum + epsilon) * grad
    accum_update = accum_update * rho + _square(update) * (1 - rho)
    return var - update * lr, accum, accum_update


def _adagrad(var: Any, accum: Any, lr: Any, grad: Any, *, update_slots: Any) -> Any:
    if update_slots:
        accum = accum + _square(grad)
    return var - grad * lr * lax.rsqrt(accum), accum


def _adagrad_v2(
    var: Any, accum: Any, lr: Any, epsilon: Any, grad: Any, *, update_slots: Any
) -> Any:
    if update_slots:
        accum = accum + _square(grad)
    return var - grad * lr / (jnp.sqrt(accum) + epsilon), accum


def _adagrad_da(
    var: Any,
    gradient_accumulator: Any,
    gradient_squared_accumulator: Any,
    grad: Any,
    lr: Any,
    l1: Any,
    l2: Any,
    global_step: Any,
) -> Any:
    total = gradient_accumulator + grad
    squares = gradient_squared_accumulator + _square(grad)
    steps = jnp.asarray(global_step, total.dtype)
    shrunk = jnp.sign(total) * jnp.maximum(jnp.abs(total) - steps * l1, 0)
    step = lr * jnp.where(l1 > 0, shrunk, total)
    return -step / (l2 * (steps * lr) + jnp.sqrt(squares)), total, squares


def _momentum(var: Any, accum: Any, lr: Any, grad: Any, momentum: Any, *, use_nesterov: Any) -> Any:
    accum = accum * momentum + grad
    if use_nesterov:
        return var - (grad * lr + accum * momentum * lr), accum
    return var - accum * lr, accum


def _keras_momentum(
    var: Any, accum: Any, lr: Any, grad: Any, momentum: Any, *, use_nesterov: Any
) -> Any:
    accum = accum * momentum - grad * lr
    if use_nesterov:
        return var + (accum * momentum - grad * lr), accum
    return var + accum, accum


def _adam(
    var: Any,
    m: Any,
    v: Any,
    beta1_power: Any,
    beta2_power: Any,
    lr: Any,
    beta1: Any,
    beta2: Any,
    epsilon: Any,
    grad: Any,
    *,
    use_nesterov: Any,
) -> Any:
    alpha = lr * jnp.sqrt(1 - beta2_power) / (1 - beta1_power)
    m = m + (grad - m) * (1 - beta1)
    v = v + (_square(grad) - v) * (1 - beta2)
    first = grad * (1 - beta1) + beta1 * m if use_nesterov else m
    return var - (first * alpha) / (jnp.sqrt(v) + epsilon), m, v


def _adam_with_amsgrad(
    var: Any,
    m: Any,
    v: Any,
    vhat: Any,
    beta1_power: Any,
    beta2_power: Any,
    lr: Any,
    beta1: Any,
    beta2: Any,
    epsilon: Any,
    grad: Any,
) -> Any:
    alpha = lr * jnp.sqrt(1 - beta2_power) / (1 - beta1_power)
    m = m + (grad - m) * (1 - beta1)
    v = v + (_square(grad) - v) * (1 - beta2)
    vhat = jnp.maximum(vhat, v)
    return var - (m * alpha) / (jnp.sqrt(vhat) + epsilon), m, v, vhat


def _ada_max(
    var: Any,
    m: Any,
    v: Any,
    beta1_power: Any,
    lr: Any,
    beta1: Any,
    beta2: Any,
    epsilon: Any,
    grad: Any,
) -> Any:
    m = m + (grad - m) * (1 - beta1)
    v = jnp.maximum(beta2 * v, jnp.abs(grad))
    return var - lr / (1 - beta1_power) * (m / (v + epsilon)), m, v


def _rms_prop(
    var: Any, ms: Any, mom: Any, lr: Any, rho: Any, momentum: Any, epsilon: Any, grad: Any
) -> Any:
    ms = ms + (_square(grad) - ms) * (1 - rho)
    mom = mom * momentum + (grad * lr) / jnp.sqrt(ms + epsilon)
    return var - mom, ms, mom


def _centered_rms_prop(
    var: Any, mg: Any, ms: Any, mom: Any, lr: Any, rho: Any, momentum: Any, epsilon: Any, grad: Any
) -> Any:
    ms = ms + (_square(grad) - ms) * (1 - rho)
    mg = mg + (grad - mg) * (1 - rho)
    variance = (ms - _square(mg)) + epsilon
    mom = mom * momentum + (grad * lr) / jnp.sqrt(variance)
    return var - mom, mg, ms, mom


def _ftrl(
    var: Any, accum: Any, linear: Any, grad: Any, lr: Any, l1: Any, l2: Any, lr_power: Any
) -> Any:
    return _ftrl_v2(var, accum, linear, grad, lr, l1, l2, None, lr_power)


def _ftrl_v2(
    var: Any,
    accum: Any,
    linear: Any,
    grad: Any,
    lr: Any,
    l1: Any,
    l2: Any,
    l2_shrinkage: Any,
    lr_power: Any,
) -> Any:
    new_accum = accum + _square(grad)

    def rate(squares: Array) -> Array:
        # The usual power is the square root, which TF computes as such.
        if type(lr_power) is np.ndarray:
            return jnp.sqrt(squares) if lr_power == -0.5 else jnp.power(squares, -lr_power)
        return jnp.where(lr_power == -0.5, jnp.sqrt(squares), jnp.power(squares, -lr_power))

    with_shrinkage = grad if l2_shrinkage is None else grad + 2 * l2_shrinkage * var
    linear = linear + (with_shrinkage - (rate(new_accum) - rate(accum)) / lr * var)
    step = (l1 * jnp.sign(linear) - linear) / (rate(new_accum) / lr + 2 * l2)
    return jnp.where(jnp.abs(linear) > l1, step, 0), new_accum, linear


def _add_sign(var: Any, m: Any, lr: Any, alpha: Any, sign_decay: Any, beta: Any, grad: Any) -> Any:
    m = m * beta + grad * (1 - beta)
    agreement = jnp.sign(grad) * jnp.sign(m)
    return var - lr * (alpha + sign_decay * agreement) * grad, m


def _power_sign(
    var: Any, m: Any, lr: Any, logbase: Any, sign_decay: Any, beta: Any, grad: Any
) -> Any:
    m = m * beta + grad * (1 - beta)
    agreement = jnp.sign(grad) * jnp.sign(m)
    return var - lr * jnp.exp(logbase * sign_decay * agreement) * grad, m


# The name in op types -> the rule, and how many variables it updates, the slots included.
_RULES: dict[str, tuple[Rule, int]] = {
    "AdaMax": (_ada_max, 3),
    "Adadelta": (_adadelta, 3),
    "Adagrad": (_adagrad, 2),
    "AdagradDA": (_adagrad_da, 3),
    "AdagradV2": (_adagrad_v2, 2),
    "Adam": (_adam, 3),
    "AdamWithAmsgrad": (_adam_with_amsgrad, 4),
    "AddSign": (_add_sign, 2),
    "CenteredRMSProp": (_centered_rms_prop, 4),
    "Ftrl": (_ftrl, 3),
    "FtrlV2": (_ftrl_v2, 3),
    "GradientDescent": (_gradient_descent, 1),
    "KerasMomentum": (_keras_momentum, 2),
    "Momentum": (_momentum, 2),
    "PowerSign": (_power_sign, 2),
    "ProximalAdagrad": (_proximal_adagrad, 2),
    "ProximalGradientDescent": (_proximal_gradient_descent, 1),
    "RMSProp": (_rms_prop, 3),
}

# What is out of range fails the run elsewhere; here it is dropped.
_MODE: dict[str, Any] = {"mode": "drop", "wrap_negative_indices": False}

# Attrs that change what a rule does.
_RULE_ATTRS = ("use_nesterov", "update_slots")


def _attrs(op: Operation) -> dict[str, Any]:
    return {name: op._attrs[name] for name in _RULE_ATTRS if name in op._attrs}


def _assign_all(refs: list[Any], values: tuple[Array, ...]) -> Any:
    for ref, value in zip(refs, values, strict=True):
        ref.assign(value)
    return None if refs[0].is_resource else refs[0]


def _check_same_shape(
    ctx: LoweringContext, var: tuple[int, ...], others: dict[str, tuple[int, ...]]
) -> None:
    """Shapes that only the run knows."""
    for name, other in others.items():
        if other != var:
            ctx.check(
                False,
                errors.InvalidArgumentError,
                f"var and {name} do not have the same shape{shapes.to_string(var)} "
                f"{shapes.to_string(other)}",
            )


def _dense(
    rule: Rule, count: int, names: list[str]
) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """The shape function and lowering of `Apply<Rule>` and `ResourceApply<Rule>`."""
    gradient = names.index("delta" if "delta" in names else "grad")

    def shape(*inputs: Any, op: Any) -> Any:
        found = None
        for i, given in enumerate(inputs):
            if i < count:
                found = shapes.merge(found, variable_shape(op, i))
            elif i == gradient:
                found = shapes.merge(found, given)
            else:
                shapes.with_rank(given, 0)
        return found if op._inputs[0]._dtype._is_ref_dtype else []

    def lower(*inputs: Any, op: Any, ctx: LoweringContext) -> Any:
        refs = list(inputs[:count])
        values = [ref.read() for ref in refs]
        others = [*range(1, count), gradient]
        found = [*values, *inputs[count:]]
        size = np.shape(values[0])
        if any(np.shape(found[i]) != size for i in others):
            _check_same_shape(ctx, size, {names[i]: np.shape(found[i]) for i in others})
        attrs = _attrs(op)
        if known(values[0]):
            return _assign_all(refs, rule(*found, **attrs))

        def change(values: list[Array], where: tuple[()], *settings: Any) -> tuple[Array, ...]:
            return rule(*values, *settings, **attrs)

        ctx.update(refs, (), change, *inputs[count:])
        return None if refs[0].is_resource else refs[0]

    return shape, lower


def _sparse(
    rule: Rule, count: int, names: list[str]
) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """The shape function and lowering of `SparseApply<Rule>` and `ResourceSparseApply<Rule>`."""
    gradient, positions = names.index("grad"), names.index("indices")

    def shape(*inputs: Any, op: Any) -> Any:
        found = None
        for i, given in enumerate(inputs):
            if i < count:
                found = shapes.merge(found, variable_shape(op, i))
            elif i == gradient:
                indices = shapes.with_rank(inputs[positions], 1)
                if given is not None and given:
                    shapes.merge_dim(indices[0], given[0])
                    given = (None, *given[1:])
                found = shapes.merge(found, given)
            elif i != positions:
                shapes.with_rank(given, 0)
        return found if op._inputs[0]._dtype._is_ref_dtype else []

    def lower(*inputs: Any, op: Any, ctx: LoweringContext) -> Any:
        refs = list(inputs[:count])
        size = refs[0].value_shape
        _check_same_shape(ctx, size, {names[i]: refs[i].value_shape for i in range(1, count)})
        indices = jnp.asarray(inputs[positions])
        _check_gradient(ctx, size, indices.shape, np.shape(inputs[gradient]))
        _check_rows(ctx, indices, size[0], ctx.meant(positions))
        settings = [
            x for i, x in enumerate(inputs) if i >= count and i not in (gradient, positions)
        ]
        own = [i for i in range(count, len(inputs)) if i != positions]
        before_gradient = own.index(gradient)
        all_different = _all_different(op, positions, inputs[positions])

        def change(
            tables: list[Array], where: tuple[Array], grads: Array, *settings: Any
        ) -> list[Array]:
            def rows_after(rows: list[Array], grad: Array) -> tuple[Array, ...]:
                given = [*settings[:before_gradient], grad, *settings[before_gradient:]]
                return rule(*rows, *given, **_attrs(op))

            (indices,) = where
            if all_different and known(tables[0]):
                after = rows_after([table[indices] for table in tables], grads)
                for table, row in zip(tables, after, strict=True):
                    table[indices] = row
                return tables
            if all_different:
                rows = [at(table)[indices].get(mode="clip") for table in tables]
                return [
                    in_place(table)[indices].set(row, unique_indices=True, **_MODE)
                    for table, row in zip(tables, rows_after(rows, grads), strict=True)
                ]

            def step(i: Any, tables: list[Array]) -> list[Array]:
                index = indices[i]
                rows = [at(table)[index].get(mode="clip") for table in tables]
                return [
                    in_place(table)[index].set(row, **_MODE)
                    for table, row in zip(tables, rows_after(rows, grads[i]), strict=True)
                ]

            # TF applies the rows in order, so a repeated index sees what came before.
            return lax.fori_loop(0, indices.shape[0], step, tables)

        ctx.update(refs, (indices,), change, jnp.asarray(inputs[gradient]), *settings)
        return None if refs[0].is_resource else refs[0]

    return shape, lower


def _all_different(op: Operation, position: int, indices: Any) -> bool:
    """Whether no index comes twice, as far as can be told before the run.

    Optimizers hand over what `Unique` gives, so the rows can be updated at once; the loop over rows
    is for other programs.
    """
    source = op._inputs[position]
    if source._op.type in ("Unique", "UniqueV2") and source._value_index == 0:
        return True
    return type(indices) is np.ndarray and len(np.unique(indices)) == indices.size


def _check_gradient(
    ctx: LoweringContext, var: tuple[int, ...], indices: tuple[int, ...], grad: tuple[int, ...]
) -> None:
    """Shapes that only the run knows."""

    def check(holds: bool, text: str) -> None:
        ctx.check(holds, errors.InvalidArgumentError, text)

    check(len(indices) == 1, "indices must be one-dimensional")
    for dim in range(1, len(var)):
        check(
            grad[dim : dim + 1] == var[dim : dim + 1], f"var and grad must match in dimension {dim}"
        )
    check(grad[:1] == indices, "grad must be the same size as indices in the first dimension.")


def _check_rows(ctx: LoweringContext, indices: Array, limit: int, meant: Any) -> None:
    if indices.size == 0 or (known(indices) and in_range(indices, limit)):
        return
    bad = (indices < 0) | (indices >= limit)
    if meant is not None:
        bad &= jnp.arange(bad.size) < meant
    first = jnp.argmax(bad)

    def text(at: Any, value: Any) -> str:
        return f"Index {int(value)} at offset {int(at)} in indices is out of range"

    ctx.check(~bad.any(), errors.InvalidArgumentError, text, at=first, value=indices[first])


def _register_all() -> None:
    for name, (rule, count) in _RULES.items():
        for form, make in (("Apply", _dense), ("SparseApply", _sparse)):
            for kind in ("", "Resource"):
                op_def = op_defs.get(kind + form + name)
                if op_def is None:
                    continue
                names = [arg.name for arg in op_def.input_args]
                shape, lower = make(rule, count, names)
                facts: dict[str, Any] = {"writes": tuple(range(count)), "unset": "apply"}
                if form == "SparseApply":
                    facts["updates_rows"] = True
                    facts["padding"] = updating(names.index("indices"), names.index("grad"))
                register(op_def.name, shape=shape, lower=lower, **facts)


_register_all()
