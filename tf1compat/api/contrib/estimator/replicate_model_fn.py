"""A model on several devices that share its variables
(`tensorflow_estimator.contrib.estimator.python.estimator.replicate_model_fn`)."""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable, Sequence
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.estimator import model_fn as model_fn_lib
from tf1compat.api.estimator.export import export_output
from tf1compat.api.losses.losses_impl import Reduction
from tf1compat.api.math import math_ops
from tf1compat.api.platform import tf_logging
from tf1compat.api.sparse import sparse_ops
from tf1compat.api.training import device_setter
from tf1compat.api.training import optimizer as optimizer_lib
from tf1compat.api.util.deprecation import deprecated
from tf1compat.api.variables import state_ops, variable_scope
from tf1compat.core import ops
from tf1compat.core.device import DeviceSpec
from tf1compat.core.export import required, tf_export
from tf1compat.core.function_utils import fn_args
from tf1compat.core.sparse_tensor import SparseTensor
from tf1compat.core.typing import TensorLike

_VARIABLES = ("Variable", "VariableV2", "VarHandleOp")

_deprecated = deprecated(
    "2018-05-31", "Please use `tf.contrib.distribute.MirroredStrategy` instead."
)


@tf_export("contrib.estimator.replicate_model_fn")
@_deprecated
def replicate_model_fn(
    model_fn: Callable[..., Any],
    loss_reduction: str = Reduction.SUM_BY_NONZERO_WEIGHTS,
    devices: Sequence[str] | None = None,
) -> Callable[..., Any]:
    """A `model_fn` that makes a tower of another one on each device.

    Features and labels are split by examples. Losses and gradients are added up; the optimizer is
    to be a `TowerOptimizer`. Metrics add up their variables; predictions are joined; of all else
    the first tower's is taken. Names of the first tower have no prefix.

    Args:
      model_fn: as an `Estimator` takes it.
      loss_reduction: a `tf.losses.Reduction`; each tower's loss is divided by the number of towers
        unless it is SUM.
      devices: their names; by default all GPUs, or the CPU.

    Returns:
      The other `model_fn`.

    Raises:
      ValueError: `loss_reduction` is NONE; when it is called, the size of a batch is no multiple of
        the number of devices, the optimizer is no `TowerOptimizer`, or the towers differ.
    """
    if loss_reduction == Reduction.NONE:
        raise ValueError(
            "Tower losses need to be reduced in some way, yet "
            f"{loss_reduction} reduction is specified."
        )
    names = devices or _local_devices("GPU") or _local_devices("CPU")
    is_one_gpu = len(names) == 1 and "GPU" in names[0].upper()
    shared = names[0] if is_one_gpu else "/CPU:0"
    tf_logging.info(
        f"Replicating the `model_fn` across {names}.  Variables are going to be placed on "
        f"{[shared]}.  Consolidation device is going to be {shared}."
    )

    def replicated(
        features: Any, labels: Any, mode: Any, params: Any = None, config: Any = None
    ) -> Any:
        given = {"params": params, "config": config}
        count = len(names)
        shards: Any = ([features], [labels])
        if count > 1:
            shards = _split_batch(features, labels, count, shared)
        specs = _towers(model_fn, mode, shards, given, names, shared, loss_reduction)
        if count == 1:
            return specs[0]
        make = {
            model_fn_lib.ModeKeys.TRAIN: _training_spec,
            model_fn_lib.ModeKeys.EVAL: _evaluation_spec,
            model_fn_lib.ModeKeys.PREDICT: _prediction_spec,
        }.get(mode)
        return make and make(specs, shared)

    return replicated


class _PerGraphState:
    """What the towers of a graph have in common while they are made."""

    def __init__(self) -> None:
        self.number_of_towers = 1
        self.loss_reduction: str | None = None
        self.is_used = False
        self.tower = 0
        self.first_scopes: tuple[Any, str] | None = None
        # For each tower, what `apply_gradients` was given, call by call.
        self.gradients: list[list[Any]] = []


def _of_the_other(name: str) -> Callable[..., Any]:
    """Method `name` of `TowerOptimizer`, which is that of the other optimizer."""

    @functools.wraps(getattr(optimizer_lib.Optimizer, name))
    def method(self: TowerOptimizer, *args: Any, **kwargs: Any) -> Any:
        return getattr(self._get_optimizer(), name)(*args, **kwargs)

    return method


@tf_export("contrib.estimator.TowerOptimizer")
class TowerOptimizer(optimizer_lib.Optimizer):
    """An optimizer that adds up the gradients of all towers, and applies them with the last one.

    Where there is one tower, or no `replicate_model_fn`, it does what the other optimizer does.

    Args:
      optimizer_or_optimizer_fn: the other optimizer, or a function that makes it.
    """

    COLLECTION_FOR_GRAPH_STATES = "replicate_model_fn_graph_states"

    @_deprecated
    def __init__(self, optimizer_or_optimizer_fn: Any):
        self._optimizer_or_optimizer_fn = optimizer_or_optimizer_fn

    @staticmethod
    def has_been_used() -> bool:
        """Whether one was used in the default graph."""
        return TowerOptimizer._graph_state().is_used

    get_slot = _of_the_other("get_slot")
    get_slot_names = _of_the_other("get_slot_names")
    get_name = _of_the_other("get_name")
    variables = _of_the_other("variables")

    def compute_gradients(self, loss: Any, *args: Any, **kwargs: Any) -> Any:
        """Gradients of this tower's part of the loss.

        Args:
          loss: a scalar.
          *args: as for `tf.train.Optimizer.compute_gradients`.
          **kwargs: the same.

        Returns:
          (gradient, variable) pairs.
        """
        loss = _scale(loss, self._graph_state())
        return self._get_optimizer().compute_gradients(loss, *args, **kwargs)

    def apply_gradients(
        self, grads_and_vars: Any, global_step: TensorLike | None = None, **kwargs: Any
    ) -> Any:
        """Keeps a tower's gradients; in the last tower, applies the sums over all.

        Args:
          grads_and_vars: (gradient, variable) pairs.
          global_step: a variable that is counted up, or None.
          **kwargs: as for `tf.train.Optimizer.apply_gradients`.

        Returns:
          The operation; one that only waits for the gradients in other towers than the last.
        """
        state = self._graph_state()
        if state.number_of_towers == 1:
            return self._get_optimizer().apply_gradients(grads_and_vars, global_step, **kwargs)
        state.gradients[state.tower].append(grads_and_vars)
        if state.tower < state.number_of_towers - 1:
            gradients = (getattr(gradient, "values", gradient) for gradient, _ in grads_and_vars)
            with ops.control_dependencies([x for x in gradients if x is not None]):
                return control_flow_ops.no_op(name="train_op_placeholder")
        assert state.first_scopes is not None
        scope, name = state.first_scopes
        with variable_scope.variable_scope(scope), ops.name_scope(name):
            return self._apply_sums(state, global_step, **kwargs)

    def _apply_sums(self, state: _PerGraphState, global_step: Any, **kwargs: Any) -> Any:
        optimizer = self._get_optimizer()
        last = len(state.gradients[state.tower]) - 1
        by_variable: dict[Any, list[Any]] = {}
        for calls in state.gradients:
            for gradient, variable in calls[last]:
                if gradient is not None:
                    by_variable.setdefault(variable, []).append(gradient)
        with ops.name_scope("gradient_aggregating"):
            sums = [(_sum(grads, v.device), v) for v, grads in by_variable.items()]
        return optimizer.apply_gradients(sums, global_step=global_step, **kwargs)

    def _get_optimizer(self) -> Any:
        if callable(self._optimizer_or_optimizer_fn):
            self._optimizer_or_optimizer_fn = self._optimizer_or_optimizer_fn()
        self._graph_state().is_used = True
        return self._optimizer_or_optimizer_fn

    @staticmethod
    def _graph_state() -> _PerGraphState:
        key = TowerOptimizer.COLLECTION_FOR_GRAPH_STATES
        states = ops.get_default_graph().get_collection_ref(key)
        if not states:
            states.append(_PerGraphState())
        return states[-1]

    @staticmethod
    def _clear_graph_state() -> None:
        # It could not be written into a MetaGraphDef.
        ops.get_default_graph().clear_collection(TowerOptimizer.COLLECTION_FOR_GRAPH_STATES)


def _local_devices(kind: str) -> list[str]:
    found = required("config.experimental.list_physical_devices")(kind)
    return [device.name.replace("/physical_device:", "/device:") for device in found]


def _split_batch(features: Any, labels: Any, count: int, device: str) -> tuple[Any, Any]:
    """Features and labels of each tower."""

    def split_tensor(tensor: Any) -> Any:
        size = ops.convert_to_tensor(tensor).get_shape()[0]
        if size % count != 0:
            raise ValueError(
                f"Batch size {size} needs to be divisible by the number of GPUs, which is {count}."
            )
        return array_ops.split(tensor, count)

    def split(values: Any) -> Any:
        if not isinstance(values, dict):
            return split_tensor(values)
        parts: list[dict[Any, Any]] = [{} for _ in range(count)]
        for name, value in values.items():
            if isinstance(value, SparseTensor):
                pieces = sparse_ops.sparse_split(sp_input=value, num_split=count, axis=0)
            else:
                pieces = split_tensor(value)
            for part, piece in zip(parts, pieces, strict=True):
                part[name] = piece
        return parts

    with ops.name_scope("split_inputs"), ops.device(device):
        return split(features), None if labels is None else split(labels)


def _towers(
    model_fn: Callable[..., Any],
    mode: Any,
    shards: tuple[Any, Any],
    given: dict[str, Any],
    devices: Sequence[str],
    shared: str,
    loss_reduction: str,
) -> list[Any]:
    """The specs of all towers."""
    features, labels = shards
    specs = []
    wanted = fn_args(model_fn)
    kwargs = {name: copy.deepcopy(value) for name, value in given.items() if name in wanted}
    dealt = device_setter._RoundRobinStrategy(num_tasks=1)
    state = TowerOptimizer._graph_state()
    state.loss_reduction, state.number_of_towers = loss_reduction, len(devices)
    state.gradients = [[] for _ in devices]
    for i, device in enumerate(devices):
        scope = variable_scope.variable_scope("", reuse=i > 0)
        with scope as var_scope, ops.name_scope(f"tower_{i}" if i else "") as name_scope:
            state.tower = i
            if i == 0:
                state.first_scopes = var_scope, name_scope
            with ops.device(_device_setter(device, [shared], dealt)):
                spec = model_fn(
                    mode=mode, features=features[i], labels=labels[i] if labels else None, **kwargs
                )
                if (
                    spec.train_op is not None
                    and len(devices) > 1
                    and not TowerOptimizer.has_been_used()
                ):
                    raise ValueError(
                        "Please wrap optimizers with TowerOptimizer in order to use "
                        "replicate_model_fn with multiple `devices`."
                    )
                if spec.loss is not None:
                    # Gradients have been taken already: this only says the loss.
                    spec = _replaced(spec, loss=_scale(spec.loss, state))
                specs.append(spec)
    if sum(map(len, state.gradients)) % len(devices) != 0:
        raise ValueError(
            "Each invocation of model_fn was supposed to make the same optimizer calls."
        )
    TowerOptimizer._clear_graph_state()
    return specs


def _device_setter(worker: str, servers: list[str], dealt: Callable[[Any], int]) -> Any:
    """Puts variables on one of some devices, all else on another one."""

    def choose(op: Any) -> str:
        current = DeviceSpec.from_string(op.device or "")
        kind = getattr(op, "node_def", op).op
        spec = DeviceSpec.from_string(servers[dealt(op)] if kind in _VARIABLES else worker or "")
        spec.merge_from(current)
        return spec.to_string()

    return choose


def _scale(loss: Any, state: _PerGraphState) -> Any:
    """A tower's part of the loss."""
    count = state.number_of_towers
    if loss is None or count == 1 or state.loss_reduction == Reduction.SUM:
        return loss
    return math_ops.div(loss, 1.0 * count, name="averaged_loss")


def _sum(values: list[Any], device: str, name: str | None = None) -> Any:
    with ops.device(device):
        if not isinstance(values[0], ops.IndexedSlices):
            return math_ops.add_n(values, name=name)
        return ops.IndexedSlices(
            array_ops.concat([v.values for v in values], axis=0),
            array_ops.concat([v.indices for v in values], axis=0),
            values[0].dense_shape,
        )


def _replaced(spec: Any, **changes: Any) -> Any:
    """A spec with other fields, which are looked at again."""
    return model_fn_lib.EstimatorSpec(**{**spec._asdict(), **changes})


def _losses(specs: list[Any], device: str) -> Any:
    return _sum([spec.loss for spec in specs], device, "loss")


def _training_spec(specs: list[Any], device: str) -> Any:
    # The last tower's hooks may rest on calls that only its optimizer makes.
    return _replaced(specs[-1], mode=model_fn_lib.ModeKeys.TRAIN, loss=_losses(specs, device))


def _evaluation_spec(specs: list[Any], device: str) -> Any:
    loss = _losses(specs, device)
    updates = [update for spec in specs for _, update in spec.eval_metric_ops.values()]
    with ops.control_dependencies(updates):
        update = _add_up_metrics(len(specs))
    metrics = {name: (value, update) for name, (value, _) in specs[0].eval_metric_ops.items()}
    mode = model_fn_lib.ModeKeys.EVAL
    return _replaced(specs[0], mode=mode, loss=loss, eval_metric_ops=metrics)


def _add_up_metrics(count: int) -> Any:
    """Adds the metrics' variables of other towers to the first one's, and zeroes them."""
    variables = ops.get_collection(ops.GraphKeys.METRIC_VARIABLES)
    each = len(variables) // count
    if len(variables) % count != 0:
        raise ValueError(
            "Different `EstimatorSpec.eval_metric_ops` across `model_fn()` calls. "
            f"Expected {each * count} local variables, but got {len(variables)} instead."
        )
    zeroed = []
    for i in range(each):
        others = variables[i + each :: each]
        added = state_ops.assign_add(variables[i], math_ops.add_n(others))
        with ops.control_dependencies([added]):
            for other in others:
                zeros = array_ops.zeros(array_ops.shape(other), dtype=other.dtype)
                zeroed.append(state_ops.assign(other, zeros))
    return control_flow_ops.group(*zeroed)


def _prediction_spec(specs: list[Any], device: str) -> Any:
    with ops.device(device):
        predictions = _joined_values([spec.predictions for spec in specs])
        outputs = _by_name([spec.export_outputs for spec in specs])
        outputs = {name: _joined_outputs(each) for name, each in outputs.items()}
    mode = model_fn_lib.ModeKeys.PREDICT
    return _replaced(specs[0], mode=mode, predictions=predictions, export_outputs=outputs)


def _by_name(dicts: Sequence[dict[Any, Any] | None]) -> dict[Any, list[Any]]:
    found: dict[Any, list[Any]] = {}
    for one in dicts:
        for key, value in (one or {}).items():
            found.setdefault(key, []).append(value)
    return found


def _joined_values(dicts: Sequence[dict[Any, Any] | None]) -> dict[Any, Any]:
    return {
        name: array_ops.concat(values, axis=0, name=name)
        for name, values in _by_name(dicts).items()
    }


def _joined_outputs(outputs: list[Any]) -> Any:
    """What is exported of all towers."""
    first = outputs[0]
    if isinstance(first, export_output.RegressionOutput):
        return export_output.RegressionOutput(
            value=array_ops.concat([each.value for each in outputs], axis=0)
        )
    if not isinstance(first, export_output.ClassificationOutput):
        return export_output.PredictOutput(_joined_values([each.outputs for each in outputs]))
    scores = classes = None
    if first.scores is not None:
        scores = array_ops.concat([each.scores for each in outputs], axis=0)
    if first.classes is not None:
        # As in TF, which stacks them.
        classes = array_ops.stack([each.classes for each in outputs], axis=0)
    return export_output.ClassificationOutput(scores=scores, classes=classes)
