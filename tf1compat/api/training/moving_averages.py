"""Moving averages of variables and values."""

from __future__ import annotations

from typing import Any

from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.distribute import distribution_strategy_context as strategies
from tf1compat.api.distribute.reduce_util import ReduceOp
from tf1compat.api.math import math_ops
from tf1compat.api.random import init_ops
from tf1compat.api.training import slot_creator
from tf1compat.api.variables import state_ops, variable_scope, variables
from tf1compat.core import dtypes, ops
from tf1compat.core.eager import EagerTensor
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Collections, ShapeLike

_FLOATS = (dtypes.bfloat16, dtypes.float16, dtypes.float32, dtypes.float64)
_VARIABLE_OPS = ("Variable", "VariableV2", "VarHandleOp")


def assign_moving_average(
    variable: Any, value: Any, decay: Any, zero_debias: bool = True, name: str | None = None
) -> Any:
    """Moves a variable towards a value: `variable -= (1 - decay) * (variable - value)`. In replicas
    that is the mean of their values.

    Args:
      variable: a variable.
      value: a tensor of its shape.
      decay: a float or a scalar tensor, how much of the variable stays.
      zero_debias: whether the result is divided by what the average of a constant 1 would be by
        now, as in Adam (Kingma and Ba, 2014): for variables that start with zeros. It makes two
        variables, `biased` and `local_step`, in a scope of the variable's name.
      name: the name of the operation.

    Returns:
      The variable after the assignment.
    """
    with ops.name_scope(name, "AssignMovingAvg", [variable, value, decay]) as scope:
        rate = ops.convert_to_tensor(1.0 - decay, name="decay")
        if rate.dtype != variable.dtype.base_dtype:
            rate = math_ops.cast(rate, variable.dtype.base_dtype)

        def move(variable: Any, value: Any) -> Any:
            return state_ops.assign_sub(variable, (variable - value) * rate, name=scope)

        def assign(strategy: Any, variable: Any, value: Any) -> Any:
            if zero_debias:
                return _assign_unbiased(strategy, variable, value, rate)
            return strategy.extended.update(variable, move, args=(value,))

        def assign_mean(strategy: Any, variable: Any, value: Any) -> Any:
            mean = strategy.extended.reduce_to(ReduceOp.MEAN, value, variable)
            return assign(strategy, variable, mean)

        replica = strategies.get_replica_context()
        if replica is None:
            return assign(strategies.get_strategy(), variable, value)
        return replica.merge_call(assign_mean, args=(variable, value))


def _assign_unbiased(strategy: Any, variable: Any, value: Any, rate: Tensor) -> Any:
    """Sets a variable to an average that started with zeros, divided by the weight of what is in
    it.
    """
    with variable_scope.variable_scope(
        variable.name[: -len(":0")], values=[variable, value, rate]
    ) as scope:
        with ops.init_scope():
            zeros = init_ops.zeros_initializer()

        def get(name: str, shape: ShapeLike) -> Any:
            return variable_scope.get_variable(
                _unique_in(scope, name),
                initializer=zeros,
                shape=shape,
                dtype=variable.dtype,
                trainable=False,
            )

        with strategy.extended.colocate_vars_with(variable):
            biased, local_step = get("biased", variable.get_shape()), get("local_step", [])

    def move(variable: Any, value: Any, biased: Any, local_step: Any) -> Any:
        new_biased = state_ops.assign_sub(biased, (biased - value) * rate)
        new_step = local_step.assign_add(1)
        weight = 1 - math_ops.pow(1.0 - rate, new_step)
        return state_ops.assign(variable, new_biased / weight, name=ops.get_name_scope() + "/")

    return strategy.extended.update(variable, move, args=(value, biased, local_step))


def _unique_in(scope: Any, name: str) -> str:
    """`name`, or `name_1`, …: what no global variable of the scope has, unless it is reused."""
    if scope.reuse:
        return name
    taken = {v.op.name for v in scope.global_variables()}
    unique, count = name, 0
    while f"{scope.name}/{unique}" in taken:
        count += 1
        unique = f"{name}_{count}"
    return unique


def weighted_moving_average(
    value: Any,
    decay: Any,
    weight: Any,
    truediv: bool = True,
    collections: Collections | None = None,
    name: str | None = None,
) -> Tensor:
    """The moving average of values that count more or less: that of `value * weight`, divided by
    that of `weight`.

    Args:
      value: a tensor.
      decay: a float or a scalar tensor, how much of the averages stays.
      weight: a tensor that broadcasts to `value`.
      truediv: whether integers are divided as floats.
      collections: of the two variables that are made; GLOBAL_VARIABLES by default.
      name: the variable scope.

    Returns:
      The average after the update, of the shape of `value`.
    """
    if collections is None:
        collections = [ops.GraphKeys.GLOBAL_VARIABLES]

    def get(name: str, like: Any) -> Any:
        return variable_scope.get_variable(
            name,
            shape=like.get_shape(),
            dtype=like.dtype,
            initializer=init_ops.zeros_initializer(),
            trainable=False,
            collections=collections,
        )

    with variable_scope.variable_scope(name, "WeightedMovingAvg", [value, weight, decay]) as scope:
        products, weights = get("value_x_weight", value), get("weight", weight)
        numerator = assign_moving_average(products, value * weight, decay, zero_debias=False)
        denominator = assign_moving_average(weights, weight, decay, zero_debias=False)
        divide = math_ops.truediv if truediv else math_ops.div
        return divide(numerator, denominator, name=scope.name)


@tf_export("train.ExponentialMovingAverage")
class ExponentialMovingAverage:
    """Moving averages of variables, each in a variable of its own.

    Args:
      decay: a float or a scalar tensor, how much of the averages stays at each step.
      num_updates: a count of steps; the decay is `(1 + num_updates) / (10 + num_updates)` as long
        as this is less than `decay`.
      zero_debias: whether the averages of tensors make up for starting with zeros.
      name: the name of the averages under the variables' names.
    """

    def __init__(
        self,
        decay: Any,
        num_updates: Any = None,
        zero_debias: bool = False,
        name: str = "ExponentialMovingAverage",
    ):
        self._decay = decay
        self._num_updates = num_updates
        self._zero_debias = zero_debias
        self._name = name
        self._averages: dict[Any, Any] = {}

    @property
    def name(self) -> str:
        """The name given at creation."""
        return self._name

    def apply(self, var_list: Any = None) -> Any:
        """Records the update of the averages, which it makes where they are not there yet.

        An average starts with the initial value of its variable, that of a tensor with zeros. Both
        it and the variable are in global collections; the variable also in
        MOVING_AVERAGE_VARIABLES.

        Args:
          var_list: variables or tensors of a float type; all trainable variables by default.

        Returns:
          The operation that updates them all.

        Raises:
          TypeError: a variable is of no float type.
        """
        if var_list is None:
            var_list = variables.trainable_variables()
        if any(isinstance(v, EagerTensor) for v in var_list):
            raise TypeError(
                "tf.train.ExponentialMovingAverage does not support non-Variable tensors when "
                "eager execution is enabled."
            )
        unbiased = set()
        for var in var_list:
            if var.dtype.base_dtype not in _FLOATS:
                raise TypeError(f"The variables must be half, float, or double: {var.name}")
            key = var.experimental_ref()
            if key not in self._averages:
                self._averages[key] = self._new_average(var)
                if self._zero_debias and isinstance(var, Tensor):
                    unbiased.add(key)
        with ops.name_scope(self.name) as scope:
            decay = self._current_decay()
            keys = [var.experimental_ref() for var in var_list]
            updates = [
                assign_moving_average(self._averages[key], var, decay, key in unbiased)
                for key, var in zip(keys, var_list)
            ]
            return control_flow_ops.group(*updates, name=scope)

    def _new_average(self, var: Any) -> Any:
        with ops.init_scope():
            if isinstance(var, Tensor):
                return slot_creator.create_zeros_slot(
                    var, self.name, colocate_with_primary=var.op.type in _VARIABLE_OPS
                )
            start = var.initialized_value()
            average = slot_creator.create_slot(var, start, self.name, colocate_with_primary=True)
            ops.add_to_collection(ops.GraphKeys.MOVING_AVERAGE_VARIABLES, var)
            return average

    def _current_decay(self) -> Tensor:
        """The decay; less in the first steps, if these are counted."""
        decay = ops.convert_to_tensor(self._decay, name="decay")
        if self._num_updates is None:
            return decay
        count = math_ops.cast(self._num_updates, dtypes.float32, name="num_updates")
        return math_ops.minimum(decay, (1.0 + count) / (10.0 + count))

    def average(self, var: Any) -> Any:
        """The variable that holds the average of `var`, or None."""
        return self._averages.get(var.experimental_ref())

    def average_name(self, var: Any) -> str:
        """The name of the variable that holds the average of `var`, or that it would have."""
        average = self.average(var)
        if average is not None:
            return average.op.name
        return ops.get_default_graph().unique_name(f"{var.op.name}/{self.name}", mark_as_used=False)

    def variables_to_restore(self, moving_avg_variables: Any = None) -> dict[str, Any]:
        """What a `tf.train.Saver` takes to load averages in place of the variables.

        Args:
          moving_avg_variables: the variables to load averages for; by default the trainable ones
            and those that have averages.

        Returns:
          A dict from names in the checkpoint (the average's, or the variable's own) to all global
          variables.
        """
        if moving_avg_variables is None:
            moving_avg_variables = variables.trainable_variables()
            moving_avg_variables += variables.moving_average_variables()
        averaged = dict.fromkeys(moving_avg_variables)
        restored = {self.average_name(v): v for v in averaged}
        names = {v.name for v in averaged}
        for v in variables.global_variables():
            if v.name not in names:
                restored.setdefault(v.op.name, v)
        return restored
