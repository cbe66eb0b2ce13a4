"""Ordinary differential equations (`tensorflow.contrib.integrate.python.ops.odes`): Dormand and
Prince's method of order 5 with adaptive steps (J. Comput. Appl. Math. 6, 1980), and methods with
fixed steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.control_flow import control_flow_ops, tensor_array_ops
from tf1compat.api.math import math_ops
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name, TensorLike

Derivative = Callable[[Any, Any], Any]

# Where the derivative is taken within a step, and the weights of those before it.
_PLACES = [1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0, 1.0]
_WEIGHTS = [
    [1 / 5],
    [3 / 40, 9 / 40],
    [44 / 45, -56 / 15, 32 / 9],
    [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729],
    [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656],
    [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84],
]
# Those of the value in the middle of the step, and of the error's estimate.
_MIDDLE = [
    6025192743 / 30085553152 / 2, 0, 51252292925 / 65400821598 / 2, -2691868925 / 45128329728 / 2,
    187940372067 / 1594534317056 / 2, -1776094331 / 19743644256 / 2, 11237099 / 235043384 / 2,
]  # fmt: skip
_ERROR = [
    1951 / 21600 - 35 / 384, 0, 22642 / 50085 - 500 / 1113, 451 / 720 - 125 / 192,
    -12231 / 42400 - -2187 / 6784, 649 / 6300 - 11 / 84, 1 / 60,
]  # fmt: skip


def _scaled_sum(
    scale: TensorLike, weights: Sequence[Any], values: Sequence[Any], name: Name = None
) -> Any:
    with ops.name_scope(name, "scaled_dot_product", [scale, weights, values]) as scope:
        terms = [scale * w * v for w, v in zip(weights, values) if w != 0]
        return math_ops.add_n(terms, name=scope)


def _sum_of_products(xs: Sequence[Any], ys: Sequence[Any]) -> Any:
    with ops.name_scope(None, "dot_product", [xs, ys]) as scope:
        return math_ops.add_n([x * y for x, y in zip(xs, ys)], name=scope)


def _stepped(func: Derivative, y0: Any, f0: Any, t0: Any, dt: Any) -> tuple[Any, Any, Any, Any]:
    """A step: the value and the derivative at its end, the error, and all derivatives."""
    with ops.name_scope(None, "runge_kutta_step", [y0, f0, t0, dt]) as scope:
        begin = {"y0": y0, "f0": f0, "t0": t0, "dt": dt}
        y0, f0, t0, dt = (ops.convert_to_tensor(x, name=key) for key, x in begin.items())
        scale = math_ops.cast(dt, y0.dtype)
        found = [f0]
        y = y0
        for place, weights in zip(_PLACES, _WEIGHTS):
            t = t0 + place * dt
            y = y0 + _scaled_sum(scale, weights, found)
            found.append(func(y, t))
        # The last weights are those of the step itself.
        y1 = array_ops.identity(y, name=f"{scope}/y1")
        f1 = array_ops.identity(found[-1], name=f"{scope}/f1")
        return y1, f1, _scaled_sum(scale, _ERROR, found, name=f"{scope}/y1_error"), found


def _fitted(y0: Any, y1: TensorLike, derivatives: list[Any], dt: Any) -> list[Any]:
    """The coefficients of the polynomial of order 4 through a step, the highest first."""
    with ops.name_scope("interp_fit_rk"):
        dt = math_ops.cast(dt, y0.dtype)
        middle = y0 + _scaled_sum(dt, _MIDDLE, derivatives)
        f0, f1 = derivatives[0], derivatives[-1]
        values = [f0, f1, y0, y1, middle]
        return [
            _sum_of_products([-2 * dt, 2 * dt, -8, -8, 16], values),
            _sum_of_products([5 * dt, -3 * dt, 18, 14, -32], values),
            _sum_of_products([-4 * dt, dt, -11, -5, 16], values),
            dt * f0,
            y0,
        ]


def _interpolated(coefficients: Any, t0: Any, t1: Any, t: TensorLike) -> Any:
    with ops.name_scope("interp_evaluate"):
        t0, t1, t = (ops.convert_to_tensor(x) for x in (t0, t1, t))
        dtype = coefficients[0].dtype
        said = ["invalid interpolation, fails `t0 <= t <= t1`:", t0, t, t1]
        inside = control_flow_ops.Assert((t0 <= t) & (t <= t1), said)
        with ops.control_dependencies([inside]):
            x = math_ops.cast((t - t0) / (t1 - t0), dtype)
        powers = [constant_op.constant_v1(1, dtype), x]
        while len(powers) < len(coefficients):
            powers.append(powers[-1] * x)
        return _sum_of_products(coefficients, powers[::-1])


def _next_size(last: Any, ratio: Any, safety: Any, most: Any, least: Any) -> Any:
    """The step size at which the error would be the allowed one, of order 5."""
    with ops.name_scope(None, "optimal_step_size", [last, ratio]) as scope:
        ratio = math_ops.cast(ratio, last.dtype)
        exponent = math_ops.cast(1 / 5, last.dtype)
        lowest = 1 / most
        wanted = math_ops.minimum(ratio**exponent / safety, 1 / least)
        return math_ops.div(last, math_ops.maximum(lowest, wanted), name=scope)


def _squared(x: Any) -> Any:
    if not x.dtype.is_complex:
        return math_ops.square(x)
    return math_ops.square(math_ops.real(x)) + math_ops.square(math_ops.imag(x))


class _State(NamedTuple):
    y: Any
    f: Any
    before: Any  # the time at the beginning of the last step
    t: Any  # and at its end
    dt: Any
    fit: Any


class _History(NamedTuple):
    times: Any
    ratios: Any


def _increasing(t: Any) -> Any:
    holds = math_ops.reduce_all(t[1:] > t[:-1])
    check = control_flow_ops.Assert(holds, ["`t` must be monotonic increasing"])
    return ops.control_dependencies([check])


def _check_types(y0: Any, t: Any, dt: Any = None) -> None:
    if not (y0.dtype.is_floating or y0.dtype.is_complex):
        raise TypeError("`y0` must have a floating point or complex floating point dtype")
    if not t.dtype.is_floating:
        raise TypeError("`t` must have a floating point dtype")
    if dt is not None and not dt.dtype.is_floating:
        raise TypeError("`dt` must have a floating point dtype")


def _dopri5(
    func: Derivative, y0: Any, t: Any, rtol: Any, atol: Any, full_output: bool, name: Any,
    first_step: Any = None, safety: Any = 0.9, ifactor: Any = 10.0, dfactor: Any = 0.2,
    max_num_steps: Any = 1000,
) -> Any:  # fmt: skip
    first_step = 1.0 if first_step is None else first_step
    with ops.name_scope(name, "dopri5", [y0, t, rtol, atol]) as scope:
        given = {
            "first_step": first_step, "safety": safety, "ifactor": ifactor, "dfactor": dfactor,
        }  # fmt: skip
        numbers = [ops.convert_to_tensor(x, dtype=t.dtype, name=key) for key, x in given.items()]
        size, *factors = numbers
        most_steps = ops.convert_to_tensor(max_num_steps, dtype=dtypes.int32, name="max_num_steps")

        def step(state: _State, history: _History, count: Any) -> tuple[Any, Any, Any]:
            y0, f0, _, t0, dt, fit = state
            with ops.name_scope("assertions"):
                checks = [
                    control_flow_ops.Assert(t0 + dt > t0, ["underflow in dt", dt]),
                    control_flow_ops.Assert(count < most_steps, ["max_num_steps exceeded"]),
                    control_flow_ops.Assert(
                        math_ops.reduce_all(math_ops.is_finite(abs(y0))),
                        ["non-finite values in state `y`", y0],
                    ),
                ]
            with ops.control_dependencies(checks):
                y1, f1, error, derivatives = _stepped(func, y0, f0, t0, dt)
            with ops.name_scope("error_ratio"):
                allowed = atol + rtol * math_ops.maximum(abs(y0), abs(y1))
                ratio = math_ops.sqrt(math_ops.reduce_mean(_squared(error) / _squared(allowed)))
                accepted = ratio <= 1
            with ops.name_scope("update/rk_state"):
                pairs = (lambda: y1, lambda: y0), (lambda: f1, lambda: f0), (
                    lambda: t0 + dt, lambda: t0
                ), (lambda: _fitted(y0, y1, derivatives, dt), lambda: fit)  # fmt: skip
                y, f, end, fit = (control_flow_ops.cond(accepted, *pair) for pair in pairs)
                state = _State(y, f, t0, end, _next_size(dt, ratio, *factors), fit)
            with ops.name_scope("update/history"):
                times, ratios = history
                end = t0 + dt
                history = _History(
                    times.write(times.size(), end), ratios.write(ratios.size(), ratio)
                )
            return state, history, count + 1

        def interpolate(solution: Any, history: Any, state: Any, i: Any) -> tuple[Any, ...]:
            with ops.name_scope("interpolate"):
                state, history, _ = control_flow_ops.while_loop(
                    lambda state, *_: t[i] > state.t, step, (state, history, 0),
                    name="integrate_loop",
                )  # fmt: skip
                y = _interpolated(state.fit, state.before, state.t, t[i])
                return solution.write(i, y), history, state, i + 1

        with _increasing(t):
            count = array_ops.size(t)
        solution = tensor_array_ops.TensorArray(y0.dtype, size=count).write(0, y0)
        kinds = t.dtype, rtol.dtype
        history = _History(
            *[tensor_array_ops.TensorArray(x, size=0, dynamic_size=True) for x in kinds]
        )
        state = _State(y0, func(y0, t[0]), t[0], t[0], size, [y0] * 5)
        solution, history, _, _ = control_flow_ops.while_loop(
            lambda _, __, ___, i: i < count, interpolate, (solution, history, state, 1),
            name="interpolate_loop",
        )  # fmt: skip
        y = solution.stack(name=scope)
        y.set_shape(t.get_shape().concatenate(y0.get_shape()))
        if not full_output:
            return y
        times = history.times.stack()
        evaluations = 6 * array_ops.size(times) + 1
        about = {"num_func_evals": evaluations, "integrate_points": times}
        return y, about | {"error_ratio": history.ratios.stack()}


@tf_export("contrib.integrate.odeint")
def odeint(
    func: Derivative, y0: Any, t: TensorLike, rtol: Any = 1e-6, atol: Any = 1e-12,
    method: Any = None,
    options: Any = None, full_output: bool = False, name: Name = None,
) -> Any:  # fmt: skip
    """The solution of dy/dt = func(y, t), with adaptive steps.

    Args:
      func: a function of the value and the time.
      y0: the value at the first time; floats or complex numbers of any shape.
      t: increasing times, a float vector.
      rtol, atol: how far off a value may be, in proportion and in all.
      method: None or "dopri5".
      options: with a method, a dict of first_step, safety, ifactor, dfactor and max_num_steps.
      full_output: whether what the solver did is given, too.
      name: the name scope.

    Returns:
      The values at the times, [times, …]; with `full_output` also a dict of num_func_evals,
      integrate_points and error_ratio.

    Raises:
      ValueError: there is no such method, or there are options without one.
      TypeError: values or times are no floats.
    """
    if method not in (None, "dopri5"):
        raise ValueError(f"invalid method: {method!r}")
    if options is not None and method is None:
        raise ValueError("cannot supply `options` without specifying `method`")
    with ops.name_scope(name, "odeint", [y0, t, rtol, atol]) as scope:
        y0 = ops.convert_to_tensor(y0, name="y0")
        t = ops.convert_to_tensor(t, preferred_dtype=dtypes.float64, name="t")
        _check_types(y0, t)
        dtype = abs(y0).dtype
        rtol = ops.convert_to_tensor(rtol, dtype=dtype, name="rtol")
        atol = ops.convert_to_tensor(atol, dtype=dtype, name="atol")
        return _dopri5(func, y0, t, rtol, atol, full_output, scope, **(options or {}))


def _midpoint(func: Derivative, t: Any, dt: Any, y: Any) -> Any:
    scale = math_ops.cast(dt, y.dtype)
    return scale * func(y + func(y, t) * scale / 2, t + dt / 2)


def _rk4(func: Derivative, t: Any, dt: Any, y: Any) -> Any:
    first = func(y, t)
    half = t + dt / 2
    scale = math_ops.cast(dt, y.dtype)
    second = func(y + scale * first / 2, half)
    third = func(y + scale * second / 2, half)
    last = func(y + scale * third, t + dt)
    return math_ops.add_n([first, 2 * second, 2 * third, last]) * (scale / 6)


_FIXED = {"midpoint": _midpoint, "rk4": _rk4}


@tf_export("contrib.integrate.odeint_fixed")
def odeint_fixed(
    func: Derivative, y0: Any, t: TensorLike, dt: Any = None, method: Any = "rk4", name: Name = None
) -> Any:
    """The solution of dy/dt = func(y, t), with steps of fixed sizes.

    Args:
      func, y0, t: see `odeint`.
      dt: the size of steps, a scalar or one for each interval; the intervals by default.
      method: "rk4" or "midpoint".
      name: the name scope.

    Returns:
      The values at the times, [times, …].

    Raises:
      ValueError: there is no such method, or sizes don't fit.
      TypeError: values, times or sizes are no floats.
    """
    with ops.name_scope(name, "odeint_fixed", [y0, t, dt]):
        t = ops.convert_to_tensor(t, preferred_dtype=dtypes.float64, name="t")
        y0 = ops.convert_to_tensor(y0, name="y0")
        intervals = t[1:] - t[:-1]
        dt = intervals if dt is None else dt
        dt = ops.convert_to_tensor(dt, preferred_dtype=dtypes.float64, name="dt")
        counts = math_ops.ceil(intervals / dt)
        dt = intervals / counts
        counts = math_ops.cast(counts, dtype=dtypes.int32)
        _check_types(y0, t, dt)
        if max(len(x.get_shape().as_list()) for x in (t, dt)) > 1:
            raise ValueError("t must be a 1D tensor")
        if t.get_shape()[0] != dt.get_shape()[0] + 1:
            raise ValueError("t and dt have incompatible lengths, must be N and N-1")
        with _increasing(t), ops.name_scope(method):
            if method not in _FIXED:
                raise ValueError(f"method not supported: {method}")
            return _on_grid(func, _FIXED[method], y0, t, dt, counts)


def _on_grid(func: Derivative, rule: Any, y0: Any, t: Any, dt: Any, counts: Any) -> Any:
    def step(y: Any, now: Any, done: Any, interval: Any) -> tuple[Any, ...]:
        size = dt[interval - 1]
        change = math_ops.cast(rule(func, now, size, y), dtype=y.dtype)
        return y + change, now + size, done + 1, interval

    def through(solution: Any, y: TensorLike, now: Any, interval: Any) -> tuple[Any, ...]:
        y, now, _, _ = control_flow_ops.while_loop(
            lambda _, __, done, interval: done < counts[interval - 1], step, (y, now, 0, interval)
        )
        return solution.write(interval, y), y, now, interval + 1

    count = array_ops.size(t)
    begin = t[0]
    solution = tensor_array_ops.TensorArray(y0.dtype, count).write(0, y0)
    solution, _, _, _ = control_flow_ops.while_loop(
        lambda _, __, ___, i: i < count, through, (solution, y0, begin, 1)
    )
    y = solution.stack()
    y.set_shape(t.get_shape().concatenate(y0.get_shape()))
    return y
