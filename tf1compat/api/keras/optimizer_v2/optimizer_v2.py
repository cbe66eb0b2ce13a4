"""The base of `tf.keras.optimizers`
(`tensorflow.python.keras.optimizer_v2.optimizer_v2`)."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.distribute import distribution_strategy_context as strategies
from tf1compat.api.gradients import gradients_impl
from tf1compat.api.keras import backend, initializers
from tf1compat.api.keras.engine import base_layer_utils
from tf1compat.api.keras.engine.base_layer import is_trainable
from tf1compat.api.keras.optimizer_v2 import learning_rate_schedule
from tf1compat.api.keras.utils import generic_utils
from tf1compat.api.math import clip_ops, math_ops
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.saved_model import revived_types
from tf1compat.api.training.tracking import base
from tf1compat.api.variables import variables as variables_lib
from tf1compat.core import context, dtypes, export, nest, ops, raw_ops, tensor_util
from tf1compat.core.export import tf_export
from tf1compat.core.indexed_slices import IndexedSlices
from tf1compat.core.typing import DTypeLike, Initializer, Name, ShapeLike, TensorLike

_SCHEDULE = learning_rate_schedule.LearningRateSchedule
_DTYPES = (dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64)


def _deduplicate_indexed_slices(values: Any, indices: TensorLike) -> tuple[Any, Any]:
    """Slices of different indices: those of the same one added up."""
    unique, places = array_ops.unique(indices)
    summed = math_ops.unsorted_segment_sum(values, places, array_ops.shape(unique)[0])
    return summed, unique


@tf_export("keras.optimizers.Optimizer")
class OptimizerV2(base.Trackable):
    """Base class of optimizers. Their hyperparameters are variables, made at the first step.

    Args:
      name: of the optimizer and its name scope.
      **kwargs: `clipnorm` and `clipvalue`, bounds of gradients; `lr`, the learning rate; `decay`,
        by how much it falls each step.

    Raises:
      TypeError: any other keyword argument.
      ValueError: a negative one.
    """

    clipnorm: Any
    clipvalue: Any

    def __init__(self, name: Name, **kwargs: Any):
        for key, value in kwargs.items():
            if key not in ("clipnorm", "clipvalue", "lr", "decay"):
                raise TypeError(f"Unexpected keyword argument passed to optimizer: {key}")
            if value < 0:
                raise ValueError(f"Expected {key} >= 0, received: {value}")
        self._use_locking = True
        self._init_set_name(name)
        self._hyper: dict[str, Any] = {}
        self._slots: dict[str, dict[str, Any]] = {}
        self._slot_names: list[str] = []
        self._weights: list[Any] = []
        self._iterations: Any = None
        self._initial_decay = kwargs.pop("decay", 0.0)
        for key in ("clipnorm", "clipvalue"):
            if key in kwargs:
                setattr(self, key, kwargs[key])
        self._hypers_created = False
        # By slot name and the key of a variable: what restores a slot that is not made yet.
        self._deferred_slot_restorations: dict[str, dict[str, list[Any]]] = {}

    # Gradients.

    def minimize(
        self, loss: Callable[[], Any], var_list: Any, grad_loss: Any = None, name: Name = None
    ) -> Any:
        """Records a step.

        Args:
          loss: a function of nothing that gives the loss.
          var_list: the variables, or a function of nothing that gives them.
          grad_loss: the gradient of the loss; 1 by default.
          name: of the operation.
        """
        grads_and_vars = self._compute_gradients(loss, var_list=var_list, grad_loss=grad_loss)
        return self.apply_gradients(grads_and_vars, name=name)

    def _compute_gradients(
        self, loss: Callable[[], Any], var_list: Any, grad_loss: Any = None
    ) -> list[tuple[Any, Any]]:
        with export.required("GradientTape")() as tape:
            if not callable(var_list):
                tape.watch(var_list)
            loss_value = loss()
        if callable(var_list):
            var_list = var_list()
        var_list = nest.flatten(var_list)
        with backend.name_scope(self._name + "/gradients"):
            grads = self._clipped(tape.gradient(loss_value, var_list, grad_loss))
        pairs = list(zip(grads, var_list, strict=True))
        self._assert_trained_dtypes(pairs)
        return pairs

    def get_gradients(self, loss: Any, params: Any) -> list[Any]:
        """The gradients of a loss, clipped as the optimizer is told.

        Raises:
          ValueError: there is none.
        """
        params = nest.flatten(params)
        with backend.name_scope(self._name + "/gradients"):
            grads = gradients_impl.gradients(loss, params)
            for grad, param in zip(grads, params, strict=True):
                if grad is None:
                    raise ValueError(
                        f"Variable {param} has `None` for gradient. Please make sure that all of "
                        "your ops have a gradient defined (i.e. are differentiable). Common ops "
                        "without gradient: K.argmax, K.round, K.eval."
                    )
            return self._clipped(grads)

    def _clipped(self, grads: Any) -> list[Any]:
        if hasattr(self, "clipnorm"):
            grads = [clip_ops.clip_by_norm(g, self.clipnorm) for g in grads]
        if hasattr(self, "clipvalue"):
            limit = self.clipvalue
            grads = [clip_ops.clip_by_value(g, -limit, limit) for g in grads]
        return grads

    # A step.

    def get_updates(self, loss: Any, params: Any) -> list[Any]:
        """The operations of a step, as models want them."""
        pairs = list(zip(self.get_gradients(loss, params), params, strict=True))
        self._assert_trained_dtypes(pairs)
        return [self.apply_gradients(pairs)]

    def apply_gradients(self, grads_and_vars: Any, name: Name = None) -> Any:
        """Records a step.

        Args:
          grads_and_vars: pairs of a gradient and a variable.
          name: of the operation.

        Returns:
          The operation; `iterations` is one more after it.

        Raises:
          ValueError: no variable has a gradient.
        """
        grads_and_vars = _filter_grads(grads_and_vars)
        var_list = [v for _, v in grads_and_vars]
        with backend.name_scope(self._name):
            with ops.init_scope():
                self._create_variables(var_list)
            apply_state = self._prepare(var_list)
            replica = strategies.get_replica_context()
            assert replica is not None, "apply_gradients() is for a replica context"
            apply = functools.partial(self._distributed_apply, apply_state=apply_state)
            return replica.merge_call(apply, args=(grads_and_vars,), kwargs={"name": name})

    def _distributed_apply(
        self, distribution: Any, grads_and_vars: Any, name: Name, apply_state: Any
    ) -> Any:
        """`apply_gradients` in the cross-replica context of a strategy."""
        extended = distribution.extended
        grads = extended.batch_reduce_to("SUM", grads_and_vars)
        update = functools.partial(self._update, apply_state=apply_state)
        updates = []
        with backend.name_scope(name or self._name):
            for grad, (_, var) in zip(grads, grads_and_vars, strict=True):
                with backend.name_scope(_update_scope(var)), extended.colocate_vars_with(var):
                    updates.extend(extended.update(var, update, args=(grad,), group=False))
            with ops.control_dependencies(updates):
                step = self._iterations.assign_add(1)
                return step if context.executing_eagerly() else getattr(step, "op", None)

    def _update(self, var: Any, grad: TensorLike, apply_state: Any) -> Any:
        if isinstance(var, ops.Tensor):
            raise NotImplementedError("Trying to update a Tensor ", var)
        sparse = isinstance(grad, IndexedSlices)
        rule = self._resource_apply_sparse if sparse else self._resource_apply_dense
        kwargs = {}
        if _takes_apply_state(getattr(rule, "__func__", rule)):
            kwargs["apply_state"] = apply_state
        if sparse:
            if var.constraint is not None:
                raise RuntimeError("Cannot use a constraint function on a sparse variable.")
            return self._resource_apply_sparse_duplicate_indices(
                grad.values, var, grad.indices, **kwargs
            )
        update = self._resource_apply_dense(grad, var, **kwargs)
        if var.constraint is None:
            return update
        with ops.control_dependencies([update]):
            return var.assign(var.constraint(var))

    # What subclasses define.

    def _create_variables(self, var_list: Any) -> None:
        """Makes the count of steps, the hyperparameters and the slots of variables."""
        _ = self.iterations
        self._create_hypers()
        self._create_slots(var_list)

    def _create_slots(self, var_list: Any) -> None:
        """Makes the slots of variables."""

    def _resource_apply_dense(self, grad: TensorLike, handle: Any, apply_state: Any) -> Any:
        """Records the update of a variable."""
        raise NotImplementedError

    def _resource_apply_sparse(
        self, grad: TensorLike, handle: Any, indices: TensorLike, apply_state: Any
    ) -> Any:
        """Records the update of rows of a variable, which differ."""
        raise NotImplementedError

    def _resource_apply_sparse_duplicate_indices(
        self, grad: TensorLike, handle: Any, indices: TensorLike, **kwargs: Any
    ) -> Any:
        """Records the update of rows of a variable, some of which may be the same."""
        summed, unique = _deduplicate_indexed_slices(values=grad, indices=indices)
        return self._resource_apply_sparse(summed, handle, unique, **kwargs)

    def _resource_scatter_add(self, x: Any, i: Any, v: Any) -> Any:
        with ops.control_dependencies([raw_ops.ResourceScatterAdd(x.handle, i, v)]):
            return x.value()

    def _resource_scatter_update(self, x: Any, i: Any, v: Any) -> Any:
        with ops.control_dependencies([raw_ops.ResourceScatterUpdate(x.handle, i, v)]):
            return x.value()

    def _prepare(self, var_list: Any) -> dict[Any, Any]:
        """(device, dtype) -> what the updates of such variables need."""
        keys = {
            (device, var.dtype.base_dtype): None
            for var in var_list
            for device in getattr(var, "devices", (var.device,))
        }
        apply_state: dict[Any, Any] = {}
        for device, dtype in keys:
            apply_state[device, dtype] = {}
            with ops.device(device):
                self._prepare_local(device, dtype, apply_state)
        return apply_state

    def _prepare_local(self, var_device: Any, var_dtype: DTypeLike, apply_state: Any) -> None:
        if "learning_rate" in self._hyper:
            rate = array_ops.identity(self._decayed_lr(var_dtype))
            apply_state[var_device, var_dtype]["lr_t"] = rate

    def _fallback_apply_state(self, var_device: Any, var_dtype: DTypeLike) -> Any:
        apply_state = {(var_device, var_dtype): {}}
        self._prepare_local(var_device, var_dtype, apply_state)
        return apply_state[var_device, var_dtype]

    def _coefficients(self, var: Any, apply_state: Any) -> Any:
        key = var.device, var.dtype.base_dtype
        return (apply_state or {}).get(key) or self._fallback_apply_state(*key)

    # Hyperparameters.

    def _set_hyper(self, name: str, value: Any) -> None:
        before = self._hyper.get(name)
        if (
            name not in self._hyper
            or callable(before)
            or isinstance(before, ops.Tensor | int | float | _SCHEDULE)
            or isinstance(value, _SCHEDULE)
        ):
            self._hyper[name] = value
        else:
            backend.set_value(before, value)

    def _get_hyper(self, name: str, dtype: DTypeLike | None = None) -> Any:
        if not self._hypers_created:
            self._create_hypers()
        value = self._hyper[name]
        if isinstance(value, _SCHEDULE):
            return value
        if callable(value):
            value = value()
        return math_ops.cast(value, dtype) if dtype else value

    def __getattribute__(self, name: str) -> Any:
        try:
            return super().__getattribute__(name)
        except AttributeError:
            if name == "_hyper":
                raise
            hyper = "learning_rate" if name == "lr" else name
            if hyper in self._hyper:
                return self._get_hyper(hyper)
            raise

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "lr":
            name = "learning_rate"
        if "_hyper" in self.__dict__ and name in self._hyper:
            self._set_hyper(name, value)
        else:
            super().__setattr__(name, value)

    def _set_hypers(self, learning_rate: TensorLike, **others: Any) -> None:
        """The learning rate, its decay, and others in their order."""
        hypers = {"learning_rate": learning_rate, "decay": self._initial_decay, **others}
        for name, value in hypers.items():
            self._set_hyper(name, value)

    def _create_hypers(self) -> None:
        if self._hypers_created:
            return
        for name, value in sorted(self._hyper.items()):
            if not isinstance(value, ops.Tensor | variables_lib.Variable) and not callable(value):
                self._hyper[name] = self.add_weight(
                    name, shape=[], trainable=False, initializer=value,
                    aggregation=variables_lib.VariableAggregation.ONLY_FIRST_REPLICA,
                )  # fmt: skip
                self._track_trackable(self._hyper[name], name=name, overwrite=True)
                self._handle_deferred_dependencies(name, self._hyper[name])
        self._hypers_created = True

    @property
    def iterations(self) -> Any:
        """The variable that counts the steps."""
        if self._iterations is None:
            self._iterations = self.add_weight(
                "iter", shape=[], dtype=dtypes.int64, trainable=False,
                aggregation=variables_lib.VariableAggregation.ONLY_FIRST_REPLICA,
            )  # fmt: skip
            self._weights.append(self._iterations)
            self._track_trackable(self._iterations, name="iter", overwrite=True)
            self._handle_deferred_dependencies("iter", self._iterations)
        return self._iterations

    @iterations.setter
    def iterations(self, variable: Any) -> None:
        if self._iterations is not None:
            raise RuntimeError(
                "Cannot set `iterations` to a new Variable after the Optimizer weights have been "
                "created"
            )
        self._iterations = variable
        self._weights.append(self._iterations)

    def _decayed_lr(self, var_dtype: DTypeLike) -> Any:
        rate = self._get_hyper("learning_rate", var_dtype)
        if isinstance(rate, _SCHEDULE):
            step = math_ops.cast(self.iterations, var_dtype)
            rate = math_ops.cast(rate(step), var_dtype)
        if self._initial_decay > 0.0:
            step = math_ops.cast(self.iterations, var_dtype)
            decay = self._get_hyper("decay", var_dtype)
            rate = rate / (1.0 + decay * step)
        return rate

    # Configs.

    def get_config(self) -> dict[str, Any]:
        """The arguments with which `from_config` makes an equal optimizer."""
        config = {"name": self._name}
        for key in ("clipnorm", "clipvalue"):
            if hasattr(self, key):
                config[key] = getattr(self, key)
        return config

    @classmethod
    def from_config(
        cls, config: dict[str, Any], custom_objects: dict[str, Any] | None = None
    ) -> Any:
        """An optimizer from what `get_config` gave."""
        if "lr" in config:
            config["learning_rate"] = config.pop("lr")
        if isinstance(config.get("learning_rate"), dict):
            config["learning_rate"] = learning_rate_schedule.deserialize(
                config["learning_rate"], custom_objects=custom_objects
            )
        return cls(**config)

    def _serialize_hyperparameter(self, hyperparameter_name: str) -> Any:
        value = self._hyper[hyperparameter_name]
        if isinstance(value, _SCHEDULE):
            return learning_rate_schedule.serialize(value)
        if callable(value):
            return value()
        if tensor_util.is_tensor(value) or isinstance(value, variables_lib.Variable):
            return backend.get_value(value)
        return value

    # Variables.

    def get_slot_names(self) -> list[str]:
        """The names of the slots."""
        return self._slot_names

    def add_slot(self, var: Any, slot_name: str, initializer: Initializer = "zeros") -> Any:
        """Makes the slot of a variable, if it is not there yet."""
        if slot_name not in self._slot_names:
            self._slot_names.append(slot_name)
        slots = self._slots.setdefault(_var_key(var), {})
        weight = slots.get(slot_name)
        if weight is None:
            value = initializer
            if isinstance(initializer, str) or callable(initializer):
                value = functools.partial(
                    initializers.get(initializer), shape=var.shape, dtype=var.dtype
                )
            with strategies.get_strategy().extended.colocate_vars_with(var):
                weight = variables_lib.VariableV1(
                    name=f"{_shared_name(var)}/{slot_name}", dtype=var.dtype, trainable=False,
                    initial_value=value, use_resource=True,
                )  # fmt: skip
            backend.track_variable(weight)
            self._restore_slot_variable(slot_name, var, weight)
            slots[slot_name] = weight
            self._weights.append(weight)
        return weight

    # Checkpoints of objects.

    def _restore_slot_variable(self, slot_name: str, variable: Any, slot_variable: Any) -> None:
        """Restores a slot that has just been made, if it was asked for before."""
        of_slot = self._deferred_slot_restorations.get(slot_name, {})
        waiting = of_slot.pop(_var_key(variable), [])
        for position in sorted(waiting, key=lambda p: p.restore_uid, reverse=True):
            position.restore(slot_variable)

    def _create_or_restore_slot_variable(
        self, slot_variable_position: Any, slot_name: str, variable: Any
    ) -> None:
        """Restores a slot now, or when it is made."""
        slot = self._slots.get(_var_key(variable), {}).get(slot_name)
        if slot is not None:
            slot_variable_position.restore(slot)
            return
        waiting = self._deferred_slot_restorations.setdefault(slot_name, {})
        waiting.setdefault(_var_key(variable), []).append(slot_variable_position)

    def get_slot(self, var: Any, slot_name: str) -> Any:
        """The slot of a variable."""
        return self._slots[_var_key(var)][slot_name]

    def variables(self) -> list[Any]:
        """The variables of the optimizer: `iterations` and the slots."""
        return self._weights

    @property
    def weights(self) -> list[Any]:
        """The variables of the optimizer: `iterations` and the slots."""
        return self._weights

    def get_weights(self) -> list[Any]:
        """The values of the variables."""
        return backend.batch_get_value(self.weights)

    def set_weights(self, weights: Any) -> None:
        """Gives the variables values.

        Raises:
          ValueError: their number or shapes don't fit.
        """
        params = self.weights
        if len(params) != len(weights):
            raise ValueError(
                f"You called `set_weights(weights)` on optimizer {self._name} with a  weight list "
                f"of length {len(weights)}, but the optimizer was expecting {len(params)} weights. "
                f"Provided weights: {str(weights)[:50]}..."
            )
        if not params:
            return
        for value, weight in zip(backend.batch_get_value(params), weights, strict=True):
            if value.shape != weight.shape:
                raise ValueError(
                    f"Optimizer weight shape {value.shape} not compatible with provided weight "
                    f"shape {weight.shape}"
                )
        backend.batch_set_value(list(zip(params, weights, strict=True)))

    def _set_weights_without_iterations(self, weights: Any) -> None:
        """`set_weights`, also from what older Keras saved, which has no `iterations`."""
        if len(self.weights) == len(weights) + 1:
            weights = [np.array(0), *weights]
        OptimizerV2.set_weights(self, weights)

    def add_weight(
        self, name: str, shape: ShapeLike, dtype: DTypeLike | None = None,
        initializer: Initializer = "zeros",
        trainable: bool | None = None,
        synchronization: Any = variables_lib.VariableSynchronization.AUTO,
        aggregation: Any = variables_lib.VariableAggregation.NONE,
    ) -> Any:  # fmt: skip
        """Makes a variable of the optimizer."""
        if isinstance(initializer, str) or callable(initializer):
            initializer = initializers.get(initializer)
        variable = base_layer_utils.make_variable(
            name=name, shape=shape, initializer=initializer,
            dtype=dtypes.float32 if dtype is None else dtype,
            trainable=is_trainable(trainable, synchronization), use_resource=True,
            synchronization=synchronization, aggregation=aggregation,
        )  # fmt: skip
        backend.track_variable(variable)
        return variable

    def _init_set_name(self, name: Name, zero_based: bool = True) -> None:
        if not name:
            name = backend.unique_object_name(
                generic_utils.to_snake_case(type(self).__name__), zero_based=zero_based
            )
        self._name = name

    def _valid_dtypes(self) -> set[Any]:
        """The dtypes of variables that it trains; a subclass may allow others."""
        return set(_DTYPES)

    def _assert_valid_dtypes(self, tensors: Iterable[Any]) -> None:
        valid = self._valid_dtypes()
        for tensor in tensors:
            dtype = tensor.dtype.base_dtype
            if dtype not in valid:
                raise ValueError(
                    f"Invalid type {dtype!r} for {tensor.name}, expected: {list(valid)}."
                )

    def _assert_trained_dtypes(self, pairs: Iterable[tuple[Any, Any]]) -> None:
        """As `_assert_valid_dtypes`, of the variables that have a gradient."""
        trained = [var for grad, var in pairs if grad is not None]
        self._assert_valid_dtypes(var for var in trained if var.dtype != dtypes.resource)

    def _call_if_callable(self, param: Any) -> Any:
        return param() if callable(param) else param


@functools.cache
def _takes_apply_state(rule: Callable[..., Any]) -> bool:
    return "apply_state" in inspect.getfullargspec(rule).args


def _filter_grads(grads_and_vars: Any) -> tuple[tuple[Any, Any], ...]:
    """The pairs with a gradient."""
    grads_and_vars = tuple(grads_and_vars)
    if not grads_and_vars:
        return grads_and_vars
    filtered = tuple(pair for pair in grads_and_vars if pair[0] is not None)
    if not filtered:
        names = [v.name for _, v in grads_and_vars]
        raise ValueError(f"No gradients provided for any variable: {names}.")
    missing = [v.name for grad, v in grads_and_vars if grad is None]
    if missing:
        logging.warning(
            "Gradients do not exist for variables %s when minimizing the loss.", missing
        )
    return filtered


def _var_key(var: Any) -> str:
    """What a variable's slots are kept under: eager variables may share a name."""
    if hasattr(var, "_distributed_container"):
        var = var._distributed_container()  # What belongs to a copy belongs to the whole variable.
    return _shared_name(var) if getattr(var, "_in_graph_mode", True) else var._unique_id


def _shared_name(var: Any) -> str:
    return getattr(var, "_shared_name", None) or _name_of(var)


def _name_of(var: Any) -> str:
    """The name of a variable, which in eager execution no operation has."""
    return var.name.partition(":")[0]


def _update_scope(var: Any) -> str:
    """The name scope of a variable's update."""
    if ops.executing_eagerly_outside_functions():
        return "update"
    return f"update_{_name_of(var)}"


class RestoredOptimizer(OptimizerV2):
    """An optimizer of a SavedModel: it has the variables that it had, and can't train."""

    def __init__(self) -> None:
        super().__init__("RestoredOptimizer")
        self._hypers_created = True

    def get_config(self) -> Any:
        """Not there.

        Raises:
          NotImplementedError: always.
        """
        raise NotImplementedError(
            "Restoring functional Optimzers from SavedModels is not currently supported. Please "
            "file a feature request if this limitation bothers you."
        )


revived_types.register_revived_type(
    "optimizer",
    lambda obj: isinstance(obj, OptimizerV2),
    versions=[
        revived_types.VersionedTypeRegistration(
            object_factory=lambda proto: RestoredOptimizer(),
            version=1,
            min_producer_version=1,
            min_consumer_version=1,
            setter=RestoredOptimizer._set_hyper,
        )
    ],
)
