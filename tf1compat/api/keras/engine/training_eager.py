"""Steps of models in eager execution: recorded as a `tf.function`, or run operation by operation
(`tensorflow.python.keras.engine.training_eager`)."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.data.ops.iterator_ops import IteratorV2
from tf1compat.api.distribute import mirrored_strategy, values
from tf1compat.api.distribute.reduce_util import ReduceOp
from tf1compat.api.eager import backprop
from tf1compat.api.functions.function import function
from tf1compat.api.keras import backend
from tf1compat.api.keras.engine import eager_data, training_utils
from tf1compat.api.keras.mixed_precision.experimental.loss_scale_optimizer import (
    LossScaleOptimizer,
)
from tf1compat.api.keras.utils import losses_utils
from tf1compat.api.math import math_ops
from tf1compat.api.random import random_seed
from tf1compat.core import nest, ops, raw_ops
from tf1compat.core.eager import EagerTensor
from tf1compat.core.indexed_slices import IndexedSlices
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.type_spec import TensorSpec


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


class _Batches:
    """An iterator whose next element is the batch that it was given.

    Args:
      specs: of the parts of a batch.

    Attributes:
      iterator: the iterator.
      lock: held from when a batch is given until it is taken.
    """

    def __init__(self, specs: Sequence[TensorSpec]):
        components = raw_ops.AnonymousIteratorV2(
            output_types=[spec.dtype for spec in specs], output_shapes=[s.shape for s in specs]
        )
        self.iterator = IteratorV2(components=components, element_spec=tuple(specs))
        self.lock = threading.RLock()
        self._next: tuple[Any, ...] = ()
        components[0]._value.go_through(self._elements())

    def _elements(self) -> Iterator[tuple[Any, ...]]:
        while True:
            yield self._next

    def give(self, tensors: Sequence[Any]) -> None:
        """Sets the next element."""
        self._next = tuple([np.asarray(tensor._value) for tensor in tensors])


class Step:
    """What a model does with a batch.

    Args:
      model: the model.
      mode: "train", "test" or "predict".

    Attributes:
      shapes: those of the parts of a batch that are not None, as far as they are known of all
        batches; None if nobody knows.
      rank_one_parts: how many inputs and targets got a second dimension of size 1.
    """

    def __init__(self, model: Any, mode: str):
        self.shapes: Sequence[Any] | None = None
        self.rank_one_parts = 0
        self._model = model
        self._mode = mode
        self._function = function(self._recorded, autograph=False)
        self._batches: dict[Any, _Batches] = {}
        self._draws: bool | None = None

    def __call__(self, ins: Any) -> list[Any]:
        """The loss and the metrics as NumPy scalars; when predicting the outputs, as tensors.

        Args:
          ins: inputs, targets and weights of samples, in a list.
        """
        return self._called(self._body if self._model.run_eagerly else self._run, ins)

    def at_once(self, ins: Any) -> list[Any]:
        """`__call__` as TF runs a single batch, operation by operation.

        Random operations have other seeds then, drawn every time; a step that has none runs as it
        is recorded.
        """
        if self._model.run_eagerly or self._draws is False:
            return self(ins)
        is_built, before = self._model.built, random_seed.given()
        results = self._called(self._body, ins)
        if is_built:  # else initializers may have drawn
            self._draws = random_seed.given() > before
        return results

    def _called(self, run: Callable[..., Any], ins: Any) -> list[Any]:
        # What layers do that nobody tells whether to train: those in a model whose `call` doesn't.
        with backend.eager_learning_phase_scope(int(self._mode == "train")):
            tensors = [_tensor(x) for x in ins]
            if self._mode == "predict":
                tensors = self._cast(tensors)
            results = nest.flatten(run(tensors))
        if self._mode != "predict":
            return [result.numpy() for result in results]
        if self._model.run_eagerly:
            return results
        return [_value(x) if nest.is_composite(x) else x for x in results]

    def _cast(self, inputs: list[Any]) -> list[Any]:
        """Inputs in the dtypes that predictions take.

        TF asks a model of layers that was never compiled through its placeholders, and any other
        by a call, which is given floats of one kind.
        """
        model = self._model
        built = model._is_graph_network and not model._is_compiled
        if built and not model.run_eagerly:
            dtypes = [given.dtype for given in model._feed_inputs]
            return [math_ops.cast(x, dtype) for x, dtype in zip(inputs, dtypes, strict=True)]
        return [training_utils.cast_single_tensor(x) for x in inputs]

    def _body(self, tensors: list[Any]) -> Any:
        count = len(self._model._feed_inputs)
        inputs, rest = tensors[:count], tensors[count:]
        if self._mode == "predict":
            return self._step(inputs)
        targets = len(self._model._feedable())
        return self._step(inputs, rest[:targets], rest[targets:])

    def _step(self, *lists: list[Any]) -> Any:
        """The loss and the metrics; when predicting the outputs.

        Args:
          *lists: inputs; but to predict, also targets and weights.
        """
        return getattr(self, f"_{self._mode}")(*lists)

    def _run(self, tensors: list[Any]) -> Any:
        """Runs the step as a function of an iterator, as in TF.

        So batches of all sizes have one recorded function, and its generators of random numbers.
        """
        if any(x is not None and not isinstance(x, EagerTensor) for x in tensors):
            return self._function(tensors, None)
        given = [x for x in tensors if x is not None]
        specs = [TensorSpec(s, x.dtype) for s, x in zip(self._shapes(given), given, strict=True)]
        key = tuple([None if x is None else 0 for x in tensors]), tuple(specs)
        if key not in self._batches:
            self._batches[key] = _Batches(specs)
        batches = self._batches[key]
        with batches.lock:  # Several threads may predict.
            batches.give(given)
            return self._function(list(key[0]), batches.iterator)

    def _shapes(self, given: list[Any]) -> list[Any]:
        """The shapes that parts of a batch have in every batch.

        Where they are not those that were said, as of a generator's smaller batch, their first
        dimensions are unknown.
        """
        known = [
            shape + [1] if shape.rank == 1 and x.shape.rank == 2 else shape
            for shape, x in zip(self.shapes or (), given)
        ]
        if len(known) == len(given) and all(
            shape.is_compatible_with(x.shape) for shape, x in zip(known, given)
        ):
            return known
        return [TensorShape([None]).concatenate(x.shape[1:]) for x in given]

    def _recorded(self, places: list[Any], iterator: Any) -> Any:
        """The step in a function.

        Args:
          places: the parts of a batch; or, with an iterator, for each whether it is None.
          iterator: gives those that are not None.
        """
        if iterator is not None:
            parts = iter(iterator.get_next())
            places = [None if place is None else next(parts) for place in places]
        # The seeds of random operations go by how many nodes there are before them. TF's function
        # gives parts their second dimension here, and works out the size of the batch.
        graph = ops.get_default_graph()
        own = (4 if self._mode == "predict" else 9) + 2 * self.rank_one_parts
        while graph._last_id < own:
            constant_op.constant(0)
        return self._body(places)

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
        self,
        inputs: list[Any],
        targets: list[Any],
        weights: list[Any],
        training: bool,
        means: list[Any] | None = None,
    ) -> Any:
        """The loss of a batch; updates the metrics, and adds the mean losses of outputs to `means`
        if the model has several."""
        model = self._model
        dtypes = [placeholder.dtype for placeholder in model._feed_inputs]
        inputs = [math_ops.cast(x, dtype) for x, dtype in zip(inputs, dtypes, strict=True)]
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
                    mean = endpoint.output_loss_metric(loss)
                    if means is not None and len(endpoints) > 1:
                        means.append(mean)
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


def _on_batch(
    model: Any, inputs: Any, targets: Any, sample_weights: Any, training: bool
) -> dict[str, list[Any]]:
    """What a model does with a batch, operation by operation."""
    step = Step(model, "train" if training else "test")
    xs, ys = ([_tensor(x) for x in nest.flatten(part)] for part in (inputs, targets))
    weights = [] if sample_weights is None else [_tensor(x) for x in nest.flatten(sample_weights)]
    scales = training and isinstance(model.optimizer, LossScaleOptimizer)
    means: list[Any] = []
    with backend.eager_learning_phase_scope(int(training)), backprop.GradientTape() as tape:
        total = step._loss(xs, ys, weights, training, means)
        scaled = model.optimizer.get_scaled_loss(total) if scales else total
    if training:
        model._backwards(tape, scaled)
    losses = [endpoint.output_loss_metric for endpoint in model._training_endpoints]
    results = [
        metric.result()
        for metric in model._get_training_eval_metrics()
        if not any(metric is loss for loss in losses)
    ]
    return {"total_loss": [total], "output_losses": means, "metrics": results}


def train_on_batch(
    model: Any,
    inputs: Any,
    targets: Any,
    sample_weights: Any = None,
    output_loss_metrics: Any = None,
) -> dict[str, list[Any]]:
    """Trains a compiled model with a batch, in eager execution.

    Args:
      model: the model.
      inputs, targets, sample_weights: of the batch, in the form in which the model has them.
      output_loss_metrics: those of the model, which it knows.

    Returns:
      The tensors "total_loss" (one), "output_losses" (of each output if there are several) and
      "metrics".
    """
    return _on_batch(model, inputs, targets, sample_weights, training=True)


def test_on_batch(
    model: Any,
    inputs: Any,
    targets: Any,
    sample_weights: Any = None,
    output_loss_metrics: Any = None,
) -> dict[str, list[Any]]:
    """Tests a compiled model with a batch, in eager execution; see `train_on_batch`."""
    return _on_batch(model, inputs, targets, sample_weights, training=False)


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

    def _step(self, *lists: list[Any]) -> Any:
        """As of the base class, for the whole batch."""
        strategy = self._model._distribution_strategy
        count = strategy.num_replicas_in_sync
        args: Any = lists
        if count > 1:
            parts = [[_divided(x, count) for x in tensors] for tensors in lists]
            of_replicas = [tuple([x[i] for x in part] for part in parts) for i in range(count)]
            args = values.regroup(strategy.extended._device_map, of_replicas)
        outs = nest.flatten(strategy.experimental_run_v2(super()._step, args=args))
        local = [strategy.experimental_local_results(out) for out in outs]
        if self._mode == "predict":
            return [array_ops.concat(parts, 0) for parts in local]
        total = strategy.reduce(ReduceOp.SUM, outs[0], axis=None)
        return [total, *(metric[0] for metric in local[1:])]


# While the batches of a loop over a generator run: the shapes of the first, by steps.
_loop: dict[Step, list[TensorShape]] | None = None


@contextlib.contextmanager
def loop() -> Iterator[None]:
    """Where batches are those of `Model.fit` and the like, whose steps TF records.

    Yields:
      Nothing, once, for the `with` block.
    """
    global _loop
    before, _loop = _loop, {}
    try:
        yield
    finally:
        _loop = before


def in_loop() -> bool:
    """Whether batches are those of `Model.fit` and the like."""
    return _loop is not None


def run_batch(model: Any, step: Any, ins: list[Any], rank_one_parts: int) -> list[Any]:
    """Runs a step, or in a graph a function, for a single batch of the model.

    Args:
      model: the model.
      step: what runs.
      ins: what it takes.
      rank_one_parts: see `Step`.
    """
    if _loop is None and eager_data.is_in_use(model):
        return step.at_once(ins)
    if isinstance(step, Step):
        step.rank_one_parts = rank_one_parts
        if _loop is not None:
            # TF takes the batches of a generator to have the shapes of the first.
            if step not in _loop:
                _loop[step] = [TensorShape(x.shape) for x in ins if x is not None]
            step.shapes = _loop[step]
    return step(ins)


def _divided(x: Any, count: int) -> list[Any]:
    """The parts of a batch for the replicas, as TF's datasets divide it: the last may be smaller,
    or empty."""
    if x is None:
        return [None] * count
    each = -(-array_ops.shape(x)[0] // count)
    return [x[i * each : (i + 1) * each] for i in range(count)]


def _value(x: Any) -> Any:
    """What a session would give for a sparse or ragged tensor of eager execution."""
    return nest.map_structure(lambda part: part.numpy(), x, expand_composites=True)


def _tensor(x: Any) -> Any:
    if x is None or isinstance(x, ops.Tensor | IndexedSlices) or nest.is_composite(x):
        return x
    x = ops.convert_to_tensor(x)
    return training_utils.cast_single_tensor(x)
