"""Steps of models in eager execution: recorded as a `tf.function`, or run operation by operation
(`tensorflow.python.keras.engine.training_eager`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.distribute import mirrored_strategy, values
from tf1compat.api.distribute.reduce_util import ReduceOp
from tf1compat.api.eager import backprop
from tf1compat.api.functions.function import function
from tf1compat.api.keras import backend
from tf1compat.api.keras.engine import training_utils
from tf1compat.api.keras.mixed_precision.experimental.loss_scale_optimizer import (
    LossScaleOptimizer,
)
from tf1compat.api.keras.utils import losses_utils
from tf1compat.api.math import math_ops
from tf1compat.core import nest, ops
from tf1compat.core.indexed_slices import IndexedSlices


def backwards(model: Any, tape: Any, loss: Any) -> None:
    """Applies the gradients of a (scaled) loss that a tape has noted.

    What the optimizer says of clipping has no effect here, as in TF 1.15.

    Raises:
      ValueError: the model has several optimizers.
    """
    optimizer, variables = model.optimizer, model._collected_trainable_weights
    if model.dynamic:
        variables = model._unique_trainable_weights  # There are none before it has run.
    if isinstance(optimizer, list):
        raise ValueError("The `optimizer` in `compile` should be a single optimizer.")
    grads = tape.gradient(loss, variables)
    if isinstance(optimizer, LossScaleOptimizer):
        grads = optimizer.get_unscaled_gradients(grads)
    if variables:
        optimizer.apply_gradients(list(zip(grads, variables, strict=True)))


class Step:
    """What a model does with a batch.

    Args:
      model: the model.
      mode: "train", "test" or "predict".
    """

    def __init__(self, model: Any, mode: str):
        self._model = model
        self._mode = mode
        run = getattr(self, f"_{mode}")
        self._run = run if model.run_eagerly else function(run, autograph=False)

    def __call__(self, ins: Any) -> list[Any]:
        """The loss and the metrics as NumPy scalars; when predicting the outputs, as tensors.

        Args:
          ins: inputs, targets and weights of samples, in a list.
        """
        # What layers do that nobody tells whether to train: those in a model whose `call` doesn't.
        with backend.eager_learning_phase_scope(int(self._mode == "train")):
            return self._called(ins)

    def _called(self, ins: Any) -> list[Any]:
        tensors = [_tensor(x) for x in ins]
        count = len(self._model._feed_inputs)
        inputs, rest = tensors[:count], tensors[count:]
        if self._mode == "predict":
            return nest.flatten(self._run(inputs))
        targets = len(self._model._feedable())
        results = self._run(inputs, rest[:targets], rest[targets:])
        return [result.numpy() for result in results]

    def _train(self, inputs: list[Any], targets: list[Any], weights: list[Any]) -> list[Any]:
        scales = isinstance(self._model.optimizer, LossScaleOptimizer)
        with backprop.GradientTape() as tape:
            total = self._loss(inputs, targets, weights, training=True)
            scaled = self._model.optimizer.get_scaled_loss(total) if scales else total
        self._model._backwards(tape, scaled)
        return self._results(total)

    def _test(self, inputs: list[Any], targets: list[Any], weights: list[Any]) -> list[Any]:
        return self._results(self._loss(inputs, targets, weights, training=False))

    def _predict(self, inputs: list[Any]) -> Any:
        return self._outputs(inputs, training=False)

    def _results(self, total: Any) -> list[Any]:
        return [total, *(m.result() for m in self._model._get_training_eval_metrics())]

    def _outputs(self, inputs: list[Any], training: bool) -> list[Any]:
        model = self._model
        given: Any = inputs[0] if len(inputs) == 1 else inputs
        if isinstance(model.inputs, dict):
            given = dict(zip(model._feed_input_names, inputs, strict=True))
        kwargs = {"training": training} if model._expects_training_arg else {}
        return nest.flatten(model(given, **kwargs))

    def _loss(
        self, inputs: list[Any], targets: list[Any], weights: list[Any], training: bool
    ) -> Any:
        """The loss of a batch; updates the metrics."""
        model = self._model
        inputs = training_utils.cast_if_floating_dtype(inputs)
        outputs = self._outputs(inputs, training)
        masks = [getattr(x, "_keras_mask", None) for x in outputs]
        endpoints = model._training_endpoints
        fed = model._feedable()
        given = [targets[fed.index(e)] if e in fed else e.target for e in endpoints]
        given = [
            y if y is None or not y.dtype.is_floating else math_ops.cast(y, output.dtype)
            for y, output in zip(given, outputs, strict=True)
        ]
        weighting = weights or [None] * len(endpoints)
        total: Any = None
        with backend.name_scope("loss"):
            for i, endpoint in enumerate(endpoints):
                if endpoint.should_skip_target():
                    continue
                with backend.name_scope(endpoint.loss_name()):
                    loss = training_utils.output_loss(
                        endpoint.loss_fn, given[i], outputs[i], weighting[i], masks[i]
                    )
                if endpoint.output_loss_metric is not None:
                    endpoint.output_loss_metric(loss)
                if losses_utils.is_mean(endpoint.loss_fn):
                    loss = losses_utils.scale_loss_for_distribution(loss)
                weighted = endpoint.loss_weight * loss
                total = weighted if total is None else total + weighted
            own = model.losses
            if own:
                added = math_ops.add_n([math_ops.cast(x, backend.floatx()) for x in own])
                added = losses_utils.scale_loss_for_distribution(added)
                total = added if total is None else total + added
        if total is None:
            raise ValueError("The model cannot be run because it has no loss to optimize.")
        skip = [endpoint.should_skip_target() for endpoint in endpoints]
        for with_weights in (False, True):
            model._handle_metrics(
                outputs, targets=given, skip_target_masks=skip, masks=masks,
                sample_weights=weighting if with_weights else None,
                return_weighted_metrics=with_weights,
            )  # fmt: skip
        return total


def check_strategy(strategy: Any) -> None:
    """Refuses a strategy in which `ReplicatedStep` cannot run.

    Raises:
      NotImplementedError: it has several workers; or several replicas which share variables, as in
        TF 1.15, or which get batches of their own.
    """
    extended = strategy.extended
    is_mirrored = isinstance(extended, mirrored_strategy.MirroredExtended)
    one = strategy.num_replicas_in_sync == 1
    divides = is_mirrored and extended._global_batch_size
    if strategy._in_multi_worker_mode() or not (one or divides):
        raise NotImplementedError(
            f"Model.compile for a {type(strategy).__name__} in eager execution is not supported by "
            "tf1compat yet"
        )


class ReplicatedStep(Step):
    """What the replicas of a model do with a batch: each with its part, and the losses are added.

    Args:
      model: the model; it has a strategy.
      mode: "train", "test" or "predict".
    """

    def __init__(self, model: Any, mode: str):
        super().__init__(model, mode)
        self._run = self._joint if model.run_eagerly else function(self._joint, autograph=False)

    def _joint(self, *lists: list[Any]) -> Any:
        """The loss and the metrics; when predicting the outputs.

        Args:
          *lists: what a replica takes, for the whole batch.
        """
        strategy = self._model._distribution_strategy
        count = strategy.num_replicas_in_sync
        args: Any = lists
        if count > 1:
            parts = [[_divided(x, count) for x in tensors] for tensors in lists]
            of_replicas = [tuple([x[i] for x in part] for part in parts) for i in range(count)]
            args = values.regroup(strategy.extended._device_map, of_replicas)
        one = getattr(self, f"_{self._mode}")
        outs = nest.flatten(strategy.experimental_run_v2(one, args=args))
        local = [strategy.experimental_local_results(out) for out in outs]
        if self._mode == "predict":
            return [array_ops.concat(parts, 0) for parts in local]
        total = strategy.reduce(ReduceOp.SUM, outs[0], axis=None)
        return [total, *(metric[0] for metric in local[1:])]


def _divided(x: Any, count: int) -> list[Any]:
    """The parts of a batch for the replicas, as TF's datasets divide it: the last may be smaller,
    or empty."""
    if x is None:
        return [None] * count
    each = -(-array_ops.shape(x)[0] // count)
    return [x[i * each : (i + 1) * each] for i in range(count)]


def _tensor(x: Any) -> Any:
    if x is None or isinstance(x, ops.Tensor | IndexedSlices) or hasattr(x, "dense_shape"):
        return x
    x = ops.convert_to_tensor(x)
    return training_utils.cast_single_tensor(x)
