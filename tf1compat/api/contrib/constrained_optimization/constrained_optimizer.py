"""`tf.contrib.constrained_optimization.ConstrainedOptimizer`, and what its kinds have in common."""

from __future__ import annotations

import abc
import contextlib
from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import math_ops
from tf1compat.api.training.optimizer import Optimizer
from tf1compat.api.variables import state_ops, variables
from tf1compat.core import ops
from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name, TensorLike

_GATE_OP = Optimizer.GATE_OP


@tf_export("contrib.constrained_optimization.ConstrainedOptimizer")
class ConstrainedOptimizer(metaclass=abc.ABCMeta):
    """Base of optimizers of a `ConstrainedMinimizationProblem`.

    Args:
      optimizer: the `tf.train.Optimizer` of the variables.
    """

    def __init__(self, optimizer: Any):
        self._optimizer = optimizer

    optimizer = attribute("_optimizer", "The optimizer of the variables.")

    @abc.abstractmethod
    def _minimize_constrained(
        self, minimization_problem: Any, global_step: TensorLike | None = None,
        var_list: Any = None,
        gate_gradients: Any = _GATE_OP, aggregation_method: Any = None,
        colocate_gradients_with_ops: Any = False, name: Name = None, grad_loss: Any = None,
    ) -> Any:  # fmt: skip
        """Records a step."""

    def minimize_constrained(
        self, minimization_problem: Any, global_step: TensorLike | None = None,
        var_list: Any = None,
        gate_gradients: Any = _GATE_OP, aggregation_method: Any = None,
        colocate_gradients_with_ops: Any = False, name: Name = None, grad_loss: Any = None,
    ) -> Any:  # fmt: skip
        """Records a step under the constraints.

        Args: as of `tf.train.Optimizer.minimize`, but for
          minimization_problem: the problem.
        """
        with _after(minimization_problem.pre_train_ops):
            return self._minimize_constrained(
                minimization_problem,
                global_step=global_step,
                var_list=var_list,
                gate_gradients=gate_gradients,
                aggregation_method=aggregation_method,
                colocate_gradients_with_ops=colocate_gradients_with_ops,
                name=name,
                grad_loss=grad_loss,
            )

    def minimize_unconstrained(
        self, minimization_problem: Any, global_step: TensorLike | None = None,
        var_list: Any = None,
        gate_gradients: Any = _GATE_OP, aggregation_method: Any = None,
        colocate_gradients_with_ops: Any = False, name: Name = None, grad_loss: Any = None,
    ) -> Any:  # fmt: skip
        """Records a step as if there were no constraints; see `minimize_constrained`."""
        with _after(minimization_problem.pre_train_ops):
            return self.optimizer.minimize(
                minimization_problem.objective,
                global_step=global_step,
                var_list=var_list,
                gate_gradients=gate_gradients,
                aggregation_method=aggregation_method,
                colocate_gradients_with_ops=colocate_gradients_with_ops,
                name=name,
                grad_loss=grad_loss,
            )

    def minimize(
        self, minimization_problem: Any, unconstrained_steps: Any = None,
        global_step: TensorLike | None = None,
        var_list: Any = None, gate_gradients: Any = _GATE_OP, aggregation_method: Any = None,
        colocate_gradients_with_ops: Any = False, name: Name = None, grad_loss: Any = None,
    ) -> Any:  # fmt: skip
        """Records a step.

        Args: as of `minimize_constrained`, and
          unconstrained_steps: how many steps are made first as if there were no constraints.

        Raises:
          ValueError: these can't be counted without `global_step`.
        """
        settings = {
            "global_step": global_step,
            "var_list": var_list,
            "gate_gradients": gate_gradients,
            "aggregation_method": aggregation_method,
            "colocate_gradients_with_ops": colocate_gradients_with_ops,
            "name": name,
            "grad_loss": grad_loss,
        }
        if unconstrained_steps is None:
            return self.minimize_constrained(minimization_problem, **settings)
        if global_step is None:
            raise ValueError("global_step cannot be None if unconstrained_steps is provided")
        limit = ops.convert_to_tensor(unconstrained_steps)
        return control_flow_ops.cond(
            math_ops.cast(global_step, limit.dtype) < limit,
            true_fn=lambda: self.minimize_unconstrained(minimization_problem, **settings),
            false_fn=lambda: self.minimize_constrained(minimization_problem, **settings),
        )


def _after(operations: Any) -> Any:
    return ops.control_dependencies(operations) if operations else contextlib.nullcontext()


class RegretOptimizer(ConstrainedOptimizer):
    """A game of two players: the one minimizes, the other, who has a state, sets the weights of the
    constraints.

    Args:
      optimizer: of the variables.
      constraint_optimizer: of the state; `optimizer` by default, in the same step.
    """

    STATE_NAME: str

    def __init__(self, optimizer: Any, constraint_optimizer: Any = None):
        super().__init__(optimizer=optimizer)
        self._constraint_optimizer = constraint_optimizer

    constraint_optimizer = attribute("_constraint_optimizer", "The optimizer of the state.")

    @abc.abstractmethod
    def _initial_state(self, num_constraints: int) -> Any:
        """The state at first."""

    @abc.abstractmethod
    def _loss_and_gradient(
        self, state: Any, objective: Any, constraints: Any, proxy_constraints: Any
    ) -> tuple[Any, Any]:
        """What is minimized, and the gradient of the state."""

    @abc.abstractmethod
    def _projection_op(self, state: Any, name: Name = None) -> Any:
        """Brings the state back to where it may be."""

    def _constraint_grad_and_var(self, state: Any, gradient: Any) -> tuple[Any, Any]:
        """The second player maximizes."""
        return -gradient, state

    def _minimize_constrained(
        self, minimization_problem: Any, global_step: TensorLike | None = None,
        var_list: Any = None,
        gate_gradients: Any = _GATE_OP, aggregation_method: Any = None,
        colocate_gradients_with_ops: Any = False, name: Name = None, grad_loss: Any = None,
    ) -> Any:  # fmt: skip
        objective = minimization_problem.objective
        constraints = minimization_problem.constraints
        proxy = minimization_problem.proxy_constraints
        proxy = constraints if proxy is None else proxy
        if len({x.dtype.base_dtype for x in (objective, constraints, proxy)}) != 1:
            raise ValueError(
                "objective, constraints and proxy_constraints must have the same dtype"
            )
        count = minimization_problem.num_constraints
        constraints = array_ops.reshape(constraints, shape=(count,))
        proxy = array_ops.reshape(proxy, shape=(count,))
        state = variables.VariableV1(
            lambda: self._initial_state(count),
            trainable=False,
            name=self.STATE_NAME,
            use_resource=True,
        )
        loss, gradient = self._loss_and_gradient(state, objective, constraints, proxy)
        pairs = self.optimizer.compute_gradients(
            loss, var_list=var_list, gate_gradients=gate_gradients,
            aggregation_method=aggregation_method,
            colocate_gradients_with_ops=colocate_gradients_with_ops, grad_loss=grad_loss,
        )  # fmt: skip
        state_pair = self._constraint_grad_and_var(state, gradient)
        if self.constraint_optimizer is None:
            update_ops = [self.optimizer.apply_gradients([*pairs, state_pair], name="update")]
        else:
            gradients = [g for g, _ in [*pairs, state_pair] if g is not None]
            with ops.control_dependencies(gradients):
                update_ops = [
                    self.optimizer.apply_gradients(pairs, name="update"),
                    self.constraint_optimizer.apply_gradients(
                        [state_pair], name="optimizer_state_update"
                    ),
                ]
        with ops.control_dependencies(update_ops):
            if global_step is None:
                return self._projection_op(state, name=name)
            projected = self._projection_op(state, name="project")
            with ops.colocate_with(global_step):
                counted = state_ops.assign_add(global_step, 1, name="global_step_increment")
            return control_flow_ops.group(projected, counted, name=name)


def projected(x: Any, excess: Any, total: Any, dimension: int) -> Any:
    """The nearest point none of whose coordinates is negative and whose sum is given.

    Args:
      x: the point.
      excess: a function of a point: what its sum lacks.
      total: a function that sums.
      dimension: how many coordinates there are.
    """

    def step(iteration: Any, x: Any, inactive: Any, old_inactive: Any) -> tuple[Any, ...]:
        iteration += 1
        numerator = excess(x)
        scale = numerator(math_ops.maximum(1.0, total(inactive)))
        x = x + scale * inactive
        new_inactive = math_ops.cast(x > 0, x.dtype)
        return iteration, x * new_inactive, new_inactive, inactive

    def goes_on(iteration: Any, x: TensorLike, inactive: Any, old_inactive: Any) -> Any:
        not_done = iteration < dimension
        not_converged = math_ops.reduce_any(math_ops.not_equal(inactive, old_inactive))
        return math_ops.logical_and(not_done, not_converged)

    iteration = constant_op.constant(0)
    inactive = array_ops.ones_like(x, dtype=x.dtype)
    first = step(iteration, x, inactive, inactive)
    return control_flow_ops.while_loop(goes_on, step, loop_vars=first, name="euclidean_projection")[
        1
    ]
