"""Optimizers outside the graph: `tf.contrib.opt.ScipyOptimizerInterface` and its base."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.gradients import gradients_impl
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.variables import variables
from tf1compat.core import ops
from tf1compat.core.export import tf_export

_SET_BY_US = ("jac", "callback", "method", "constraints", "bounds")


@tf_export("contrib.opt.ExternalOptimizerInterface")
class ExternalOptimizerInterface:
    """Base of optimizers that see the variables as one vector.

    A subclass defines `_minimize`.

    Args:
      loss: a scalar tensor.
      var_list: the variables; all trainable ones by default.
      equalities: scalar tensors to be kept at 0.
      inequalities: scalar tensors to be kept from going below 0.
      var_to_bounds: a dict from variables to (low, high), each a number or an array that broadcasts
        to the variable.
      **optimizer_kwargs: what else `_minimize` takes.
    """

    def __init__(
        self,
        loss: Any,
        var_list: Any = None,
        equalities: Any = None,
        inequalities: Any = None,
        var_to_bounds: Any = None,
        **optimizer_kwargs: Any,
    ):
        self._loss = loss
        self._equalities = equalities or []
        self._inequalities = inequalities or []
        self._vars = variables.trainable_variables() if var_list is None else list(var_list)
        self._packed_bounds = (
            None if var_to_bounds is None else _packed_bounds(self._vars, var_to_bounds)
        )
        self._update_placeholders = [array_ops.placeholder(var.dtype) for var in self._vars]
        self._var_updates = [
            var.assign(array_ops.reshape(placeholder, _shape(var)))
            for var, placeholder in zip(self._vars, self._update_placeholders)
        ]
        targets = [loss, *self._equalities, *self._inequalities]
        grads = [_gradients(target, self._vars) for target in targets]
        self._packed_var, self._packed_loss_grad, *packed = map(self._pack, [self._vars, *grads])
        self._packed_equality_grads = packed[: len(self._equalities)]
        self._packed_inequality_grads = packed[len(self._equalities) :]
        self.optimizer_kwargs = optimizer_kwargs
        ends = list(itertools.accumulate((math.prod(_shape(v)) for v in self._vars), initial=0))
        self._packing_slices = [slice(*pair) for pair in itertools.pairwise(ends)]

    def minimize(
        self,
        session: Any = None,
        feed_dict: Any = None,
        fetches: Any = None,
        step_callback: Any = None,
        loss_callback: Any = None,
        **run_kwargs: Any,
    ) -> None:
        """Minimizes the loss, and sets the variables to where it is least.

        The variables keep their values until the end: those that the optimizer tries are fed.

        Args:
          session: the session; the default one by default.
          feed_dict: what is fed to every run.
          fetches: what every run fetches besides, for `loss_callback`.
          step_callback: a function that gets the vector of variables after every step.
          loss_callback: a function that gets the values of `fetches` whenever the loss is computed.
          **run_kwargs: arguments of the run that sets the variables.
        """
        session = session or ops.get_default_session()
        feed_dict = feed_dict or {}
        fetches = fetches or []

        def evaluators(tensors: Sequence[Any]) -> list[Callable[..., Any]]:
            return [self._make_eval_func(t, session, feed_dict, fetches) for t in tensors]

        best = self._minimize(
            initial_val=session.run(self._packed_var),
            loss_grad_func=self._make_eval_func(
                [self._loss, self._packed_loss_grad], session, feed_dict, fetches, loss_callback
            ),
            equality_funcs=evaluators(self._equalities),
            equality_grad_funcs=evaluators(self._packed_equality_grads),
            inequality_funcs=evaluators(self._inequalities),
            inequality_grad_funcs=evaluators(self._packed_inequality_grads),
            packed_bounds=self._packed_bounds,
            step_callback=step_callback or (lambda xk: None),
            optimizer_kwargs=self.optimizer_kwargs,
        )
        values = [best[part] for part in self._packing_slices]
        session.run(
            self._var_updates, feed_dict=dict(zip(self._update_placeholders, values)), **run_kwargs
        )

    def _minimize(
        self,
        initial_val: Any,
        loss_grad_func: Any,
        equality_funcs: Any,
        equality_grad_funcs: Any,
        inequality_funcs: Any,
        inequality_grad_funcs: Any,
        packed_bounds: Any,
        step_callback: Any,
        optimizer_kwargs: Any,
    ) -> Any:
        """Minimizes a function of a vector.

        Args:
          initial_val: where to start.
          loss_grad_func: from a vector to [loss, gradient].
          equality_funcs, equality_grad_funcs: functions to be kept at 0, and their gradients; each
            from a vector to a list of one array.
          inequality_funcs, inequality_grad_funcs: the same of what is kept from going below 0.
          packed_bounds: (low, high) for each element, or None.
          step_callback: gets the vector after every step.
          optimizer_kwargs: what else was given to the constructor.

        Returns:
          The vector where the loss is least.
        """
        raise NotImplementedError(
            "To use ExternalOptimizerInterface, subclass from it and implement the _minimize() "
            "method."
        )

    @classmethod
    def _pack(cls, tensors: Sequence[Any]) -> Any:
        """Tensors as one vector."""
        if not tensors:
            return None
        flat = [array_ops.reshape(tensor, [-1]) for tensor in tensors]
        return flat[0] if len(flat) == 1 else array_ops.concat(flat, 0)

    def _make_eval_func(
        self,
        tensors: Any,
        session: Any,
        feed_dict: dict[Any, Any],
        fetches: Any,
        callback: Any = None,
    ) -> Callable[[np.ndarray], list[Any]]:
        """From a vector of variables to the values of tensors."""
        tensors = tensors if isinstance(tensors, list) else [tensors]
        count = len(tensors)

        def evaluate(x: np.ndarray) -> list[Any]:
            feeds = {
                var: x[part].reshape(_shape(var))
                for var, part in zip(self._vars, self._packing_slices)
            }
            values = session.run(tensors + fetches, feed_dict={**feeds, **feed_dict})
            if callable(callback):
                callback(*values[count:])
            return values[:count]

        return evaluate


@tf_export("contrib.opt.ScipyOptimizerInterface")
class ScipyOptimizerInterface(ExternalOptimizerInterface):
    """Minimizes a loss with `scipy.optimize.minimize`, as in TF 1.15.

    The method is L-BFGS-B by default. Constraints need `method="SLSQP"`; bounds L-BFGS-B or SLSQP.
    The constructor's `method`, `options` and other keyword arguments go to SciPy.
    """

    _DEFAULT_METHOD = "L-BFGS-B"

    def _minimize(
        self,
        initial_val: Any,
        loss_grad_func: Any,
        equality_funcs: Any,
        equality_grad_funcs: Any,
        inequality_funcs: Any,
        inequality_grad_funcs: Any,
        packed_bounds: Any,
        step_callback: Any,
        optimizer_kwargs: Any,
    ) -> Any:
        # SciPy's compiled routines take nothing but float64.
        def loss_and_gradient(x: np.ndarray) -> tuple[Any, Any]:
            loss, gradient = loss_grad_func(x)
            return loss, gradient.astype("float64")

        def in_float64(function: Callable[..., Any]) -> Callable[..., Any]:
            return lambda x: np.asarray(function(x), np.float64)

        settings = dict(optimizer_kwargs)
        method = settings.pop("method", self._DEFAULT_METHOD)
        constraints = [
            {"type": kind, "fun": in_float64(function), "jac": in_float64(gradient)}
            for kind, functions, gradients in (
                ("eq", equality_funcs, equality_grad_funcs),
                ("ineq", inequality_funcs, inequality_grad_funcs),
            )
            for function, gradient in zip(functions, gradients)
        ]
        for name in _SET_BY_US:
            if name == "bounds" and name in settings:
                raise ValueError("Bounds must be set using the var_to_bounds argument")
            if name in settings:
                raise ValueError(
                    f"Optimizer keyword arg '{name}' is set automatically and cannot be injected "
                    "manually"
                )
        result = _scipy_minimize()(
            loss_and_gradient,
            np.asarray(initial_val, np.float64),
            jac=True,
            callback=step_callback,
            method=method,
            constraints=constraints,
            bounds=packed_bounds,
            **settings,
        )
        said = f"  Message: {_text(result.message)}\n  Objective function value: {result.fun:f}"
        if hasattr(result, "nit"):
            said += f"\n  Number of iterations: {result.nit:d}"
        if hasattr(result, "nfev"):
            said += f"\n  Number of functions evaluations: {result.nfev:d}"
        logging.info("Optimization terminated with:\n%s", said)
        return result["x"]


def _scipy_minimize() -> Callable[..., Any]:
    try:
        from scipy.optimize import minimize
    except ImportError as error:
        raise ImportError(
            "tf.contrib.opt.ScipyOptimizerInterface needs SciPy, which is not installed: "
            "pip install scipy"
        ) from error
    return minimize


def _text(message: str) -> str:
    # SciPy 1.2, which TF 1.15 went with, gave L-BFGS-B's message as bytes.
    return message.decode() if isinstance(message, bytes) else str(message)


def _packed_bounds(var_list: Sequence[Any], var_to_bounds: Any) -> list[tuple[Any, Any]]:
    """(low, high) for each element of the variables, in order."""
    packed: tuple[list[Any], list[Any]] = ([], [])
    for var in var_list:
        bounds = var_to_bounds.get(var, (-np.inf, np.inf))
        for side, bound in zip(packed, bounds):
            side.extend(np.broadcast_to(bound, _shape(var)).flat)
    return list(zip(*packed))


def _shape(tensor: Any) -> tuple[int, ...]:
    return tuple(tensor.get_shape().as_list())


def _gradients(tensor: Any, var_list: Sequence[Any]) -> list[Any]:
    """The gradients to variables; zeros where there is none."""
    grads = gradients_impl.gradients(tensor, var_list)
    return [
        array_ops.zeros_like(var) if grad is None else grad for var, grad in zip(var_list, grads)
    ]
