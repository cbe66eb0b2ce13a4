"""Training on arrays (`tensorflow.python.keras.engine.training_arrays`)."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from tf1compat.api.keras import backend
from tf1compat.api.keras import callbacks as cbks
from tf1compat.api.keras.engine import training_utils
from tf1compat.api.keras.utils.generic_utils import make_batches, slice_arrays
from tf1compat.api.platform import tf_logging as logging
from tf1compat.core import context, errors, nest

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
    restarts = False
    iterator: Any = None
    is_dataset = training_utils.is_dataset(inputs)
    if is_dataset:
        if steps_per_epoch is None:
            restarts = True
            steps_per_epoch = training_utils.infer_steps_for_dataset(
                model, inputs, steps_per_epoch, epochs=epochs, steps_name=steps_name
            )
        iterator = training_utils.get_iterator(inputs)
    use_steps = is_dataset or steps_per_epoch is not None
    do_validation = val_inputs is not None
    inputs = iterator or inputs
    if validation_in_fit and prepared_feed_values_from_dataset:
        ins = inputs
    else:
        ins = _prepare_feed_values(model, inputs, targets, sample_weights, mode)
    if is_dataset or steps_per_epoch:
        count = steps_per_epoch
    else:
        count = training_utils.check_num_samples(
            ins, batch_size, steps_per_epoch, "steps_per_epoch"
        )
    _update_sample_weight_mode(model, mode, ins)
    function = model._make_execution_function(mode)
    val_iterator: Any = None
    if training_utils.is_dataset(val_inputs):
        if validation_steps is None:
            validation_steps = training_utils.infer_steps_for_dataset(
                model, val_inputs, validation_steps, epochs=epochs, steps_name="validation_steps"
            )
        val_iterator = training_utils.get_iterator(val_inputs)
        val_inputs = _prepare_feed_values(
            model, val_iterator, val_targets, val_sample_weights, TEST
        )
        val_count = validation_steps
    else:
        val_count = (val_inputs and nest.flatten(val_inputs)[0].shape[0]) or None
    if mode == TRAIN and verbose:
        _print_train_info(count, val_count, is_dataset)
    callbacks = cbks.configure_callbacks(
        callbacks, model, do_validation=do_validation, batch_size=batch_size, epochs=epochs,
        steps_per_epoch=steps_per_epoch, samples=count, verbose=0, mode=mode,
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
    loop = training_utils.EpochLoop(
        model, callbacks, progbar, mode, use_steps, steps=steps_per_epoch,
        num_samples=None if steps_per_epoch else count,
    )  # fmt: skip

    orders = _orders(count, batch_size, shuffle, epochs)

    def validate(epoch: int) -> Any:
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

    for epoch in loop.epochs(initial_epoch, epochs):
        if use_steps:
            step = 0
            while steps_per_epoch is None or step < steps_per_epoch:
                loop.begin_batch(step, 1)
                try:
                    outs = function(ins() if callable(ins) else ins)
                except errors.OutOfRangeError:
                    if is_dataset and not steps_per_epoch:
                        if step > 0:
                            # Now the number of steps is known.
                            steps_per_epoch = loop.aggregator.steps = step
                            if mode == TRAIN:
                                progbar.params["steps"] = steps_per_epoch
                                progbar.progbar.target = steps_per_epoch
                    else:
                        callbacks.model.stop_training = True
                        logging.warning(_ran_out(is_dataset, steps_name, steps_per_epoch, epochs))
                    break
                if loop.end_batch(step, outs):
                    break
                step += 1
        else:
            order = next(orders)
            batches = make_batches(count, batch_size)  # pyright: ignore[reportArgumentType]
            for index, (start, end) in enumerate(batches):
                rows = order[start:end]
                batch = ins if len(batches) == 1 else _batch_of(ins, rows)
                for i in to_dense:
                    batch[i] = batch[i].toarray()  # pyright: ignore[reportIndexIssue]
                loop.begin_batch(index, len(rows))
                if loop.end_batch(index, function(batch), start, end):
                    break
        loop.end_epoch(epoch, validate if do_validation else None, validation_freq)
        if restarts and epoch < epochs - 1:
            training_utils.initialize_iterator(iterator)
    return model.history if mode == TRAIN else loop.results


def _orders(count: Any, batch_size: Any, shuffle: Any, epochs: int) -> Iterator[Any]:
    """The order of the samples in each epoch.

    As in TF 1.15, eager execution draws those of all epochs before it begins.
    """
    if not context.executing_eagerly() or not shuffle:
        return (_order(count, batch_size, shuffle) for _ in itertools.count())
    return iter([_order(count, batch_size, True) for _ in range(epochs)])


def _order(count: int, batch_size: int, shuffle: Any) -> Any:
    order = np.arange(count)
    if shuffle == "batch":
        return training_utils.batch_shuffle(order, batch_size)
    if shuffle:
        np.random.shuffle(order)
    return order


def _ran_out(is_dataset: bool, steps_name: str, steps: Any, epochs: int) -> str:
    if is_dataset:
        return (
            "Your dataset ran out of data; interrupting training. Make sure that your dataset can "
            f"generate at least `{steps_name} * epochs` batches (in this case, {steps * epochs} "
            "batches). You may need to use the repeat() function when building your dataset."
        )
    return (
        "Your dataset iterator ran out of data; interrupting training. Make sure that your "
        f"iterator can generate at least `{steps_name} * epochs` batches (in this case, "
        f"{steps * epochs} batches). You may need touse the repeat() function when building your "
        "dataset."
    )


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
        batch_size = model._validate_or_infer_batch_size(batch_size, steps_per_epoch, x)
        x, y, sample_weights = model._standardize_user_data(
            x, y, sample_weight=sample_weight, class_weight=class_weight, batch_size=batch_size,
            check_steps=True, steps_name="steps_per_epoch", steps=steps_per_epoch,
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
        batch_size = model._validate_or_infer_batch_size(batch_size, steps, x)
        x, y, sample_weights = model._standardize_user_data(
            x, y, sample_weight=sample_weight, batch_size=batch_size, check_steps=True,
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
        batch_size = model._validate_or_infer_batch_size(batch_size, steps, x)
        x, _, _ = model._standardize_user_data(x, check_steps=True, steps_name="steps", steps=steps)
        return predict_loop(
            model, x, batch_size=batch_size, verbose=verbose, steps=steps, callbacks=callbacks
        )
