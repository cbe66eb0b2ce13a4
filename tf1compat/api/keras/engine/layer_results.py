"""What calls of a layer bring about beside outputs: losses, metrics and updates (of
`tensorflow.python.keras.engine.base_layer`)."""

from __future__ import annotations

import functools
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.distribute import distribution_strategy_context as strategies
from tf1compat.api.keras import backend
from tf1compat.api.keras.engine import base_layer_utils
from tf1compat.api.keras.engine.call_context import call_context
from tf1compat.api.keras.utils import generic_utils, tf_utils
from tf1compat.api.math import math_ops
from tf1compat.api.training.tracking import layer_utils
from tf1compat.api.util.decorator_utils import method_of
from tf1compat.api.util.deprecation import deprecated_args
from tf1compat.api.variables import variables as variables_lib
from tf1compat.core import nest, ops
from tf1compat.core.typing import Name


def _loss_of(loss: Any, unconditional: bool) -> Any:
    """The tensor that a function of nothing records; None if it has no loss."""
    value = loss()
    if value is None:
        return None
    if not isinstance(value, ops.Tensor):
        value = ops.convert_to_tensor(value, dtype=backend.floatx())
    value._unconditional_loss = unconditional  # pyright: ignore[reportAttributeAccessIssue]
    return value


class LayerResults:
    """The part of a layer that keeps its losses, metrics and updates."""

    trainable: bool
    stateful: bool
    _is_graph_network: bool
    _activity_regularizer: Any
    _callable_losses: list[Any]
    _eager_losses: list[Any]
    _losses: list[Any]
    _metrics: list[Any]
    _updates: list[Any]
    _gather_children_attribute: Any
    _set_private: Any

    @property
    def updates(self) -> list[Any]:
        """The operations that update the layer's state; none if the layer is not trainable."""
        if not self.trainable and not self.stateful:
            return []
        return [u() if callable(u) else u for u in self._updates] + self._gather_children_attribute(
            "updates"
        )

    @property
    def losses(self) -> list[Any]:
        """The losses of outputs and variables; those of variables are recorded anew at each
        look."""
        found = list(self._eager_losses or self._losses)
        for regularizer in self._callable_losses:
            loss = regularizer()
            if loss is not None:
                found.append(loss)
        return found + self._gather_children_attribute("losses")

    @property
    def metrics(self) -> list[Any]:
        """The metrics that were added, in the layers inside too."""
        return self._metrics + self._gather_children_attribute("metrics")

    def _handle_weight_regularization(self, name: str, variable: Any, regularizer: Any) -> None:
        def loss(part: Any) -> Any:
            with backend.name_scope(f"{name}/Regularizer"):
                return regularizer(part)

        partitioned = isinstance(variable, variables_lib.PartitionedVariable)
        for part in variable if partitioned else [variable]:
            self.add_loss(functools.partial(loss, part))

    def _handle_activity_regularization(self, inputs: Any, outputs: Any) -> None:
        if not self._activity_regularizer:
            return
        with backend.name_scope("ActivityRegularizer"):
            for output in nest.flatten(outputs):
                loss = self._activity_regularizer(output)
                batch_size = math_ops.cast(array_ops.shape(output)[0], loss.dtype)
                self.add_loss(loss / batch_size, inputs=inputs)

    def add_loss(self, losses: Any, inputs: Any = None) -> None:
        """Adds losses.

        Args:
          losses: tensors, or functions of nothing that record one, or a structure of these.
          inputs: the inputs that they depend on; None if on none.

        Raises:
          ValueError: the value of a loss, and no layer is being called.
        """
        for loss in nest.flatten(losses):
            if callable(loss):
                self._callable_losses.append(functools.partial(_loss_of, loss, inputs is None))
            elif loss is not None:
                self._add_loss_tensor(_loss_of(lambda loss=loss: loss, inputs is None))

    def _add_loss_tensor(self, loss: Any) -> None:
        if not tf_utils.is_symbolic_tensor(loss) or base_layer_utils.is_in_tf_function():
            if not call_context.in_call:
                raise ValueError(
                    "Expected a symbolic Tensors or a callable for the loss value. Please wrap "
                    "your loss computation in a zero argument `lambda`."
                )
            self._eager_losses.append(loss)
        elif not call_context.in_call and self._is_graph_network:
            self._graph_network_add_loss(loss)  # pyright: ignore
        else:
            self._losses.append(loss)

    def _clear_losses(self) -> None:
        """Forgets the losses that the last eager call added."""
        self._set_private("_eager_losses", [])
        for layer in layer_utils.filter_empty_layer_containers(self.__dict__.get("_layers", ())):
            layer._clear_losses()

    def add_metric(self, value: Any, aggregation: Any = None, name: Name = None) -> None:
        """Adds a metric.

        Args:
          value: a tensor, or the result of a `Metric`.
          aggregation: "mean", or None if the value is a result already.
          name: the metric's name.

        Raises:
          ValueError: another aggregation, no name, or no symbolic tensor.
        """
        if aggregation is not None and aggregation != "mean":
            raise ValueError(
                "We currently support only `mean` sample-wise metric aggregation. You provided "
                f"aggregation=`{aggregation}`"
            )
        metric = getattr(value, "_metric_obj", None)
        if name is None and metric is None:
            raise ValueError(
                "Please provide a name for your metric like "
                "`self.add_metric(tf.reduce_sum(inputs), name='mean_activation', "
                "aggregation='mean')`"
            )
        if metric is not None:
            name = metric.name
        if not call_context.in_call:
            if not tf_utils.is_symbolic_tensor(value):
                raise ValueError(
                    f"Expected a symbolic Tensor for the metric value, received: {value!s}"
                )
            if self._is_graph_network:
                if metric is not None:
                    raise ValueError(
                        "Using the result of calling a `Metric` object when calling `add_metric` "
                        "on a Functional Model is not supported. Please pass the Tensor to monitor "
                        "directly."
                    )
                self._graph_network_add_metric(value, aggregation, name)  # pyright: ignore
                return
        self._symbolic_add_metric(value, aggregation, name)

    def _get_existing_metric(self, name: Any = None) -> Any:
        same = [m for m in self._metrics if m.name == name]
        if len(same) > 1:
            raise ValueError(
                "Please provide different names for the metrics you have added. We found "
                f'{len(same)} metrics with the name: "{name}"'
            )
        return same[0] if same else None

    def _symbolic_add_metric(self, value: Any, aggregation: Any = None, name: Any = None) -> None:
        match = self._get_existing_metric(name)
        if aggregation is None:
            if match is not None:
                return
            if not hasattr(value, "_metric_obj"):
                raise ValueError(
                    "We do not support adding an aggregated metric result tensor that is not the "
                    "output of a `tf.keras.metrics.Metric` metric instance. Without having access "
                    "to the metric instance we cannot reset the state of a metric after every "
                    "epoch during training. You can create a `tf.keras.metrics.Metric` instance "
                    "and pass the result here or pass an un-aggregated result with `aggregation` "
                    "parameter set as `mean`. For example: `self.add_metric(tf.reduce_sum(inputs), "
                    "name='mean_activation', aggregation='mean')`"
                )
            self._metrics.append(value._metric_obj)
        elif match is not None:
            match(value)
        else:
            self._metrics.append(base_layer_utils.create_mean_metric(value, name)[0])

    @deprecated_args(
        None,
        "`inputs` is now automatically inferred",
        "inputs",
        module="tensorflow.python.keras.engine.base_layer",
    )
    @method_of("Layer")
    def add_update(self, updates: Any, inputs: Any = None) -> None:
        """Adds operations that update the layer's state; eagerly and in functions they run at once.

        Args:
          updates: operations, tensors, or functions of nothing that record one, or a list of these.
          inputs: ignored; they are known.
        """
        if strategies.has_strategy() and strategies.in_cross_replica_context():
            # They run in replicas alone.
            if (
                ops.executing_eagerly_outside_functions()
                and not base_layer_utils.is_in_keras_graph()
            ):
                raise RuntimeError(
                    "`add_update` was called in a cross-replica context. This is not expected. If "
                    "you require this feature, please file an issue."
                )
            return
        updates = generic_utils.to_list(updates)
        if base_layer_utils.is_in_eager_or_tf_function():
            for update in updates:
                if callable(update) and not call_context.frozen:
                    update()
            return
        if call_context.in_call:
            relevant = call_context.inputs
        else:
            relevant = [node.input_tensors for node in self.__dict__.get("_inbound_nodes", ())]
        update: Any
        for update in updates:
            while callable(update):
                update = update()
            if not isinstance(update, ops.Operation):
                update = update.op if hasattr(update, "op") else ops.convert_to_tensor(update)
            reachable = tf_utils.get_reachable_from_inputs(relevant, [update])
            update._unconditional_update = update not in reachable  # pyright: ignore
            self._updates.append(update)

    def get_updates_for(self, inputs: Any) -> list[Any]:
        """The updates that depend on `inputs`; for None those that depend on no inputs of the
        layer."""
        if inputs is None:
            return [u for u in self.updates if u._unconditional_update]
        updates = [u for u in self.updates if not u._unconditional_update]
        reachable = tf_utils.get_reachable_from_inputs(nest.flatten(inputs), updates)
        return [u for u in updates if u in reachable]

    def get_losses_for(self, inputs: Any) -> list[Any]:
        """The losses that depend on `inputs`; for None those that depend on none."""
        if inputs is None:
            return [loss for loss in self.losses if loss._unconditional_loss]
        losses = [loss for loss in self.losses if not loss._unconditional_loss]
        reachable = tf_utils.get_reachable_from_inputs(nest.flatten(inputs), losses)
        return [loss for loss in losses if loss in reachable]
