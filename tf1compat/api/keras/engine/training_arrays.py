"""Training on arrays (`tensorflow.python.keras.engine.training_arrays`)."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import numpy as np

from tf1compat.api.keras import backend
from tf1compat.api.keras import callbacks as cbks
from tf1compat.api.keras.distribute import distributed_training_utils as distributed
from tf1compat.api.keras.engine import eager_data, training_eager, training_utils
from tf1compat.api.keras.engine.epoch_loop import EpochLoop
from tf1compat.api.keras.utils.generic_utils import make_batches, slice_arrays
from tf1compat.core import context, errors, nest, tensor_util
from tf1compat.core.tensor_shape import TensorShape

TRAIN, TEST, PREDICT = "train", "test", "predict"


def _is_scipy_sparse(x: Any) -> bool:
    return hasattr(x, "tocoo") and hasattr(x, "toarray")


def model_iteration(
    model: Any, inputs: Any, targets: Any = None, sample_weights: Any = None,
    batch_size: Any = None, epochs: int = 1, verbose: int = 1, callbacks: Any = None,
    val_inputs: Any = None, val_targets: Any = None, val_sample_weights: Any = None,
    shuffle: Any = True, initial_epoch: int = 0, steps_per_epoch: Any = None,
    validation_steps: Any = None, validation_freq: Any = 1, mode: str = TRAIN,
    validation_in_fit: bool = False, prepared_feed_values_from_dataset: bool = False,
    steps_name: str = "steps", **kwargs: Any,
) -> Any:  # fmt: skip
    """Runs a model over data, for some epochs. Args: see `Model.fit`; data are lists of arrays.

    Returns:
      The history when training, else the results.
    """
    if "steps" in kwargs:
        steps_per_epoch = kwargs.pop("steps")
    if kwargs:
        raise TypeError(f"Unknown arguments: {kwargs}")
    given_steps = steps_per_epoch, validation_steps
    restarts = False
    iterator: Any = None
    is_dataset = training_utils.is_dataset(inputs)
    eager = context.executing_eagerly()
    # In eager execution: a strategy's loop for datasets, or the one without a strategy, each for
    # what is not trained in TF 1.15's newer loop.
    of_strategy = eager and bool(model._distribution_strategy) and not eager_data.is_in_use(model)
    newer = eager_data.is_in_use(model)
    reads_first = eager and not of_strategy and not newer
    if is_dataset:
        if steps_per_epoch is None:
            restarts = True
            inferred = training_utils.infer_steps_for_dataset(
                model, inputs, steps_per_epoch, epochs=epochs, steps_name=steps_name
            )
            # TF's newer loop trains on any dataset as if it did not know its size.
            steps_per_epoch = None if newer and mode == TRAIN else inferred
        iterator = distributed.get_iterator(inputs, distributed.strategy_in_graph(model))
    # What gives batches of a dataset in eager execution comes prepared to a validation.
    may_end = is_dataset or callable(inputs)
    streams = not may_end and streams_batches(model, inputs)
    use_steps = may_end or (steps_per_epoch is not None and not streams)
    do_validation = val_inputs is not None
    inputs = iterator or inputs
    if validation_in_fit and prepared_feed_values_from_dataset:
        ins = inputs
    else:
        ins = _prepare_feed_values(model, inputs, targets, sample_weights, mode)
    count: Any
    if use_steps:
        count = steps_per_epoch
    else:
        count = training_utils.check_num_samples(
            ins, batch_size, None if streams else steps_per_epoch, "steps_per_epoch"
        )
    stream: Iterator[Any] = iter(())
    if streams:
        batch_size, steps_per_epoch = _size_and_steps(count, batch_size, steps_per_epoch)
        shuffle = shuffle and not validation_in_fit
        stream = _stream(count, batch_size, shuffle, epochs)
    _update_sample_weight_mode(model, mode, ins)
    step_function = distributed.make_execution_function(model, mode)
    if isinstance(step_function, training_eager.Step):
        step_function.shapes = getattr(ins, "shapes", None)
        if streams:
            step_function.shapes = _shapes_of_batches(ins, count, batch_size)
        step_function.rank_one_parts = getattr(ins, "rank_one_parts", 0)

    def function(batch: Any) -> Any:
        # What callbacks see of eager outputs are arrays.
        outs = step_function(batch)
        return _as_arrays(outs) if mode == PREDICT else outs

    val_iterator: Any = None
    if training_utils.is_dataset(val_inputs):
        if validation_steps is None:
            validation_steps = training_utils.infer_steps_for_dataset(
                model, val_inputs, validation_steps, epochs=epochs, steps_name="validation_steps"
            )
        val_iterator = distributed.get_iterator(val_inputs, distributed.strategy_in_graph(model))
        val_inputs = _prepare_feed_values(
            model, val_iterator, val_targets, val_sample_weights, TEST
        )
        val_count = validation_steps
    else:
        val_count = (val_inputs and nest.flatten(val_inputs)[0].shape[0]) or None
    if mode == TRAIN and verbose:
        if newer:
            is_counted = training_utils.is_dataset(val_inputs) or val_iterator is not None
            training_utils.print_train_info(
                None if use_steps else count,
                steps_per_epoch,
                None if is_counted else val_count,
                validation_steps if is_counted else None,
            )
        elif is_dataset and eager and not of_strategy:
            training_utils.print_train_info(None, given_steps[0], None, given_steps[1])
        else:
            _print_train_info(count, val_count, is_dataset)
    callbacks = cbks.configure_callbacks(
        callbacks, model, do_validation=do_validation, batch_size=batch_size, epochs=epochs,
        steps_per_epoch=steps_per_epoch, verbose=0, mode=mode,
        # TF's newer loop says only whether it counts them.
        samples=not use_steps if newer and mode != TRAIN else count,
    )  # fmt: skip
    progbar = training_utils.get_progbar(model, "steps" if use_steps else "samples")
    progbar.params = callbacks.params
    progbar.params["verbose"] = verbose
    to_dense = []
    if not use_steps:
        feed = model._feed_inputs
        if mode != PREDICT:
            feed = feed + model._feed_targets + model._feed_sample_weights
        to_dense = [
            i
            for i, (x, tensor) in enumerate(zip(ins, feed, strict=False))
            if _is_scipy_sparse(x) and not backend.is_sparse(tensor)
        ]
    loop = EpochLoop(
        model, callbacks, progbar, mode, use_steps, steps=steps_per_epoch,
        num_samples=None if use_steps else count, newer=newer,
    )  # fmt: skip
    # In eager execution batches of a dataset have their sizes, and when training the loss is the
    # mean over samples.
    reads_first = reads_first and use_steps and callable(ins)
    sized = use_steps and callable(ins) and eager and not of_strategy and mode != PREDICT
    over_samples = sized and mode == TRAIN
    if over_samples:
        loop.aggregator.use_steps = False

    def validate(epoch: int) -> Any:
        with distributed.scope(model, TEST):
            distributed.copy_weights_back(model)
            distributed.copy_weights_to_replicas(model, TEST)
            results = model_iteration(
                model, val_inputs, targets=val_targets, sample_weights=val_sample_weights,
                batch_size=batch_size, steps_per_epoch=validation_steps, callbacks=callbacks,
                verbose=0, mode=TEST, validation_in_fit=True,
                prepared_feed_values_from_dataset=val_iterator is not None,
                steps_name="validation_steps",
            )  # fmt: skip
        if val_iterator and epoch < epochs - 1:
            training_utils.initialize_iterator(val_iterator)
        return results

    with loop.epochs(initial_epoch, epochs) as begun:
        for epoch in begun:
            if use_steps:
                step = taken = 0
                while steps_per_epoch is None or step < steps_per_epoch:
                    if not reads_first:
                        loop.begin_batch(step, 1)
                    start = taken
                    try:
                        batch: Any = ins() if callable(ins) else ins
                        if reads_first:
                            loop.begin_batch(step, int(batch[0].shape[0]))
                        if sized:
                            taken += int(batch[0].shape[0])
                            loop.found_size(taken - start)
                        outs = function(batch)
                    except errors.OutOfRangeError:
                        if may_end and not steps_per_epoch:
                            if step > 0:
                                loop.found_steps(step)
                                steps_per_epoch = None if newer else step
                        else:
                            loop.ran_out(is_dataset, steps_name, steps_per_epoch, epochs)
                        break
                    rows = (start, taken) if over_samples else ()
                    if loop.end_batch(step, outs, *rows):
                        break
                    step += 1
                if over_samples:
                    loop.aggregator.num_samples = taken
            else:
                if streams:
                    assert steps_per_epoch is not None
                    batches = [
                        (i * batch_size, (i + 1) * batch_size) for i in range(steps_per_epoch)
                    ]
                    batches[-1] = (batches[-1][0], count)  # Is said to have all that is left.
                else:
                    batches = make_batches(count, batch_size)  # pyright: ignore[reportArgumentType]
                    stream = _stream(count, batch_size, shuffle, 1)
                taken = 0
                for index, (start, end) in enumerate(batches):
                    loop.begin_batch(index, end - start)
                    rows = next(stream, None)
                    if rows is None:
                        loop.ran_out(True, steps_name, steps_per_epoch, epochs)
                        break
                    taken += len(rows)
                    whole = len(rows) == count and not (streams and shuffle)
                    batch = ins if whole else _batch_of(ins, rows)
                    for i in to_dense:
                        batch[i] = batch[i].toarray()  # pyright: ignore[reportIndexIssue]
                    if streams and mode != PREDICT:
                        end = start + len(rows)
                        loop.found_size(len(rows))
                    if loop.end_batch(index, function(batch), start, end):
                        break
                if streams and mode != PREDICT:
                    loop.aggregator.num_samples = taken
            loop.end_epoch(epoch, validate if do_validation else None, validation_freq)
            if restarts and epoch < epochs - 1:
                training_utils.initialize_iterator(iterator)
    return model.history if mode == TRAIN else loop.results


def streams_batches(model: Any, x: Any) -> bool:
    """Whether the batches of all epochs are one sequence, of which an epoch takes some steps.

    So it is in the loop that TF 1.15 has for arrays and tensors in eager execution.
    """
    return (
        eager_data.is_in_use(model)
        and x is not None
        and all(isinstance(v, np.ndarray) or _is_eager_tensor(v) for v in nest.flatten(x))
    )


def _is_eager_tensor(x: Any) -> bool:
    return tensor_util.is_tensor(x) and hasattr(x, "numpy")


def _as_arrays(data: Any) -> Any:
    """Data with the values of eager tensors."""
    return nest.map_structure(lambda x: x.numpy() if _is_eager_tensor(x) else x, data)


def _check_steps(x: Any, batch_size: Any, steps: Any) -> None:
    """Refuses steps that arrays are too short for; tensors may run out, as in TF 1.15."""
    first = nest.flatten(x)[0]
    if batch_size == 0:
        raise ZeroDivisionError("division by zero")
    if steps is None or not isinstance(first, np.ndarray):
        return
    count = first.shape[0]
    if batch_size is None and count % steps:
        raise ValueError(
            f"The number of samples {count} is not divisible by steps {steps}. Please change "
            "the number of steps to a value that can consume all the samples"
        )
    if batch_size is not None and count < batch_size * (steps - 1) + 1:
        raise ValueError(
            f"Number of samples {count} is less than samples required for specified batch_size "
            f"{batch_size} and steps {steps}"
        )


def _size_and_steps(count: int, batch_size: Any, steps: Any) -> tuple[int, int]:
    """The size of batches and their number in an epoch, each from the other if it is missing."""
    if steps is None:
        batch_size = batch_size or 32
        return batch_size, -(-count // batch_size)
    return batch_size or -(-count // steps), steps


def _shapes_of_batches(ins: list[Any], count: int, batch_size: int) -> list[TensorShape]:
    """The shapes of parts of batches, where their sizes are unknown if the last is smaller."""
    size = batch_size if count % batch_size == 0 else count if count < batch_size else None
    return [TensorShape([size, *x.shape[1:]]) for x in ins if x is not None]


def _stream(count: int, batch_size: int, shuffle: Any, epochs: int) -> Iterator[Any]:
    """The samples of each batch; the orders of all epochs are drawn before the first batch."""
    orders = [_order(count, batch_size, shuffle) for _ in range(epochs)]
    cuts = make_batches(count, batch_size)
    return (order[start:end] for order in orders for start, end in cuts)


def _order(count: int, batch_size: int, shuffle: Any) -> Any:
    order = np.arange(count)
    if shuffle == "batch" and not context.executing_eagerly():
        return training_utils.batch_shuffle(order, batch_size)
    if shuffle:
        np.random.shuffle(order)
    return order


def _batch_of(ins: Any, rows: Any) -> list[Any]:
    try:
        if ins and isinstance(ins[-1], int):
            return [*slice_arrays(ins[:-1], rows), ins[-1]]  # The learning phase is no array.
        return slice_arrays(ins, rows)
    except TypeError:
        raise TypeError(
            'TypeError while preparing batch. If using HDF5 input data, pass shuffle="batch".'
        ) from None


def _print_train_info(count: Any, val_count: Any, is_dataset: bool) -> None:
    what = "steps" if is_dataset else "samples"
    text = f"Train on {count} {what}"
    if val_count:
        text += f", validate on {val_count} {what}"
    print(text)


def _prepare_feed_values(
    model: Any, inputs: Any, targets: Any, sample_weights: Any, mode: str
) -> Any:
    """What the execution function takes; or, in eager execution, what gives it for each batch."""
    if distributed.strategy_in_graph(model):
        return distributed.feed_values(model, inputs, mode)
    if isinstance(inputs, training_utils.Restartable):
        return inputs.values_for(model)
    if training_utils.is_dataset_or_iterator(inputs):
        inputs, targets, sample_weights = model._standardize_user_data(
            inputs, extract_tensors_from_dataset=True
        )
    inputs = training_utils.ModelInputs(inputs).as_list()
    ins = inputs + (targets or []) + (sample_weights or [])
    if mode == TRAIN and backend.learning_phase_is_fed():
        ins = [*ins, True]
    return ins


def _update_sample_weight_mode(model: Any, mode: str, inputs: Any) -> None:
    if mode == PREDICT or callable(inputs):
        return
    weights = inputs[len(model._feed_inputs) + len(model._feed_targets) :]
    if mode == TRAIN and backend.learning_phase_is_fed():
        weights = weights[:-1]
    model._update_sample_weight_modes(sample_weights=weights)
    distributed.update_sample_weight_modes(model, mode, weights)


fit_loop = functools.partial(model_iteration, mode=TRAIN)
test_loop = functools.partial(model_iteration, mode=TEST, shuffle=False)
predict_loop = functools.partial(model_iteration, mode=PREDICT, shuffle=False)


class ArrayLikeTrainingLoop:
    """How models train on arrays."""

    def fit(
        self, model: Any, x: Any = None, y: Any = None, batch_size: Any = None, epochs: int = 1,
        verbose: int = 1, callbacks: Any = None, validation_split: float = 0.0,
        validation_data: Any = None, shuffle: Any = True, class_weight: Any = None,
        sample_weight: Any = None, initial_epoch: int = 0, steps_per_epoch: Any = None,
        validation_steps: Any = None, validation_freq: Any = 1, **kwargs: Any,
    ) -> Any:  # fmt: skip
        """See `Model.fit`."""
        x, y, sample_weight = eager_data.adapted(model, x, y, sample_weight, validation_split)
        batch_size = model._validate_or_infer_batch_size(batch_size, steps_per_epoch, x)
        streams = streams_batches(model, x)
        if streams:
            if validation_data and validation_split and 0.0 < validation_split < 1.0:
                raise ValueError(
                    "validation_data and validation_split cannot be used at same time."
                )
            _check_steps(x, batch_size, steps_per_epoch)
        if context.executing_eagerly() and not training_utils.is_dataset(x):
            x, y, sample_weight, validation_data = (
                _as_arrays(data) for data in (x, y, sample_weight, validation_data)
            )
        x, y, sample_weights = model._standardize_user_data(
            x, y, sample_weight=sample_weight, class_weight=class_weight, batch_size=batch_size,
            check_steps=not streams, steps_name="steps_per_epoch", steps=steps_per_epoch,
            validation_split=validation_split, shuffle=shuffle,
        )  # fmt: skip
        val_x = val_y = val_weights = None
        if validation_data:
            val_x, val_y, val_weights = model._prepare_validation_data(
                validation_data, batch_size, validation_steps
            )
        elif validation_split and 0.0 < validation_split < 1.0:
            x, y, sample_weights, val_x, val_y, val_weights = (
                training_utils.split_training_and_validation_data(
                    x, y, sample_weights, validation_split
                )
            )
        elif validation_steps:
            raise ValueError(
                "`validation_steps` should not be specified if `validation_data` is None."
            )
        return fit_loop(
            model, inputs=x, targets=y, sample_weights=sample_weights, batch_size=batch_size,
            epochs=epochs, verbose=verbose, callbacks=callbacks, val_inputs=val_x,
            val_targets=val_y, val_sample_weights=val_weights, shuffle=shuffle,
            initial_epoch=initial_epoch, steps_per_epoch=steps_per_epoch,
            validation_steps=validation_steps, validation_freq=validation_freq,
            steps_name="steps_per_epoch",
        )  # fmt: skip

    def evaluate(
        self, model: Any, x: Any = None, y: Any = None, batch_size: Any = None, verbose: int = 1,
        sample_weight: Any = None, steps: Any = None, callbacks: Any = None, **kwargs: Any,
    ) -> Any:  # fmt: skip
        """See `Model.evaluate`."""
        x, y, sample_weight = eager_data.adapted(model, x, y, sample_weight)
        batch_size = model._validate_or_infer_batch_size(batch_size, steps, x)
        streams = streams_batches(model, x)
        if streams:
            _check_steps(x, batch_size, steps)
        if context.executing_eagerly() and not training_utils.is_dataset(x):
            x, y, sample_weight = (_as_arrays(data) for data in (x, y, sample_weight))
        x, y, sample_weights = model._standardize_user_data(
            x, y, sample_weight=sample_weight, batch_size=batch_size, check_steps=not streams,
            steps_name="steps", steps=steps,
        )  # fmt: skip
        return test_loop(
            model, inputs=x, targets=y, sample_weights=sample_weights, batch_size=batch_size,
            verbose=verbose, steps=steps, callbacks=callbacks,
        )  # fmt: skip

    def predict(
        self, model: Any, x: Any, batch_size: Any = None, verbose: int = 0, steps: Any = None,
        callbacks: Any = None, **kwargs: Any,
    ) -> Any:  # fmt: skip
        """See `Model.predict`."""
        x, _, _ = eager_data.adapted(model, x)
        batch_size = model._validate_or_infer_batch_size(batch_size, steps, x)
        streams = streams_batches(model, x)
        if streams:
            _check_steps(x, batch_size, steps)
        x, _, _ = model._standardize_user_data(
            _as_arrays(x),
            check_steps=not streams,
            steps_name="steps",
            steps=steps,
        )
        return predict_loop(
            model, x, batch_size=batch_size, verbose=verbose, steps=steps, callbacks=callbacks
        )
