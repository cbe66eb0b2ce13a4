"""Training on what generators yield (`tensorflow.python.keras.engine.training_generator`)."""

from __future__ import annotations

import contextlib
import functools
import inspect
import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from tf1compat.api.keras import callbacks as cbks
from tf1compat.api.keras.engine import eager_data, training_eager, training_utils
from tf1compat.api.keras.engine.epoch_loop import EpochLoop
from tf1compat.api.keras.engine.training_aggregators import convert_eager_tensors_to_numpy
from tf1compat.api.keras.utils import data_utils, generic_utils
from tf1compat.api.platform import tf_logging as logging
from tf1compat.core import errors, nest
from tf1compat.core.typing import TensorLike

TRAIN, TEST, PREDICT = "train", "test", "predict"


def model_iteration(
    model: Any, data: Any, steps_per_epoch: Any = None, epochs: int = 1, verbose: int = 1,
    callbacks: Any = None, validation_data: Any = None, validation_steps: Any = None,
    validation_freq: Any = 1, class_weight: Any = None, max_queue_size: int = 10,
    workers: int = 1, use_multiprocessing: bool = False, shuffle: bool = False,
    initial_epoch: int = 0, mode: str = TRAIN, batch_size: Any = None, steps_name: str = "steps",
    **kwargs: Any,
) -> Any:  # fmt: skip
    """Runs a model over what a generator yields, for some epochs. Args: see `Model.fit_generator`.

    Returns:
      The history when training, else the results.
    """
    if "steps" in kwargs:
        steps_per_epoch = kwargs["steps"]
    is_dataset = training_utils.is_dataset(data)
    restarts = is_dataset and steps_per_epoch is None
    if restarts:
        steps_per_epoch = training_utils.infer_steps_for_dataset(
            model, data, steps_per_epoch, epochs=epochs, steps_name=steps_name
        )
    generator, steps_per_epoch = convert_to_generator_like(
        data, steps_per_epoch=steps_per_epoch, batch_size=batch_size,
        epochs=epochs - initial_epoch, shuffle=shuffle,
    )  # fmt: skip
    do_validation = validation_data is not None
    # TF 1.15's newer loop, where a generator may end: in eager `fit`, not in `fit_generator`.
    newer = training_eager.in_loop() and eager_data.is_in_use(model)
    _validate_arguments(
        isinstance(generator, data_utils.Sequence), use_multiprocessing, workers, steps_per_epoch,
        validation_data, validation_steps, mode, kwargs, is_dataset or newer,
    )  # fmt: skip
    run_batch = _execution_function(model, mode, class_weight)
    generator, enqueuer = _make_enqueued_generator(
        generator, 0 if is_dataset else workers, use_multiprocessing, max_queue_size, shuffle
    )
    first = nest.flatten(data)[0]
    use_steps = not hasattr(first, "shape")
    count = steps_per_epoch if use_steps else int(first.shape[0])
    size = 0
    if newer and isinstance(data, data_utils.Sequence):
        # It counts samples of a sequence, and takes all batches to have the size of the first.
        use_steps, size = False, int(nest.flatten(data[0])[0].shape[0])
        count = len(data) * size
    if newer and mode != TRAIN:
        count = not use_steps
    if newer and mode == TRAIN and verbose:
        counts = _validation_counts(model, validation_data, validation_steps, epochs)
        training_utils.print_train_info(None if use_steps else count, steps_per_epoch, *counts)
    settings: dict[str, Any] = {
        "do_validation": do_validation, "epochs": epochs, "steps_per_epoch": steps_per_epoch,
        "batch_size": batch_size, "samples": count, "mode": mode,
    }  # fmt: skip
    callbacks = cbks.configure_callbacks(callbacks, model, verbose=0, **settings)
    progbar = training_utils.get_progbar(model, "steps" if use_steps else "samples")

    def tell_progbar() -> None:
        progbar.params = callbacks.params
        progbar.params["verbose"] = verbose

    tell_progbar()
    # As in TF 1.15's loop for eager execution, which asks a generator when a batch has begun.
    announces_one = newer and inspect.isgenerator(data)
    loop = EpochLoop(
        model, callbacks, progbar, mode, use_steps=True, steps=steps_per_epoch, newer=newer
    )

    def validate(_: int) -> Any:
        if newer and not data_utils.is_generator_or_sequence(validation_data):
            x, y, weights = training_utils.unpack_validation_data(validation_data)
            return model._select_training_loop(x).evaluate(
                model, x, y, sample_weight=weights, batch_size=size or batch_size, verbose=0,
                steps=validation_steps, callbacks=callbacks,
            )  # fmt: skip
        return model_iteration(
            model, validation_data, steps_per_epoch=validation_steps, batch_size=batch_size,
            class_weight=class_weight, workers=workers, use_multiprocessing=use_multiprocessing,
            max_queue_size=max_queue_size, callbacks=callbacks, verbose=0 if newer else verbose,
            mode=TEST,
            steps_name="validation_steps",
        )  # fmt: skip

    with contextlib.ExitStack() as stack:
        if enqueuer is not None:
            stack.callback(enqueuer.stop)
        for epoch in stack.enter_context(loop.epochs(initial_epoch, epochs)):
            step = 0
            while steps_per_epoch is None or step < steps_per_epoch:
                batch = _get_next_batch(generator)
                if batch is None and steps_per_epoch is None:
                    if step > 0:
                        loop.found_steps(step)
                        steps_per_epoch = None if newer else step
                    break
                if batch is None:
                    assert steps_per_epoch is not None
                    loop.ran_out(False, steps_name, steps_per_epoch, epochs)
                    break
                batch_size = int(nest.flatten(batch)[0].shape[0])
                loop.begin_batch(step, 1 if announces_one else batch_size)
                loop.found_size(batch_size)
                was_deferred = not model._is_compiled
                outs = run_batch(*batch)
                if step == 0 and was_deferred:
                    # Only now it is known which metrics there are.
                    settings["batch_size"] = batch_size
                    cbks.set_callback_parameters(callbacks, model, verbose=verbose, **settings)
                    tell_progbar()
                if loop.end_batch(step, outs):
                    break
                step += 1
            loop.end_epoch(epoch, validate if do_validation else None, validation_freq)
            if restarts and epoch < epochs - 1:
                generator = iter(data)
    return model.history if mode == TRAIN else loop.results


fit_generator = functools.partial(model_iteration, mode=TRAIN)
evaluate_generator = functools.partial(model_iteration, mode=TEST, shuffle=False)
predict_generator = functools.partial(model_iteration, mode=PREDICT, shuffle=False)


def _validation_counts(model: Any, data: Any, steps: Any, epochs: int) -> tuple[Any, Any]:
    """(the number of samples or None, the number of steps or None) to validate on."""
    if training_utils.is_dataset(data):
        return None, training_utils.infer_steps_for_dataset(
            model, data, steps, epochs=epochs, steps_name="validation_steps"
        )
    if data is None or data_utils.is_generator_or_sequence(data):
        return None, steps
    return len(nest.flatten(data)[0]), None


def _get_next_batch(generator: Any) -> tuple[Any, ...] | None:
    try:
        output = next(generator)
    except (StopIteration, errors.OutOfRangeError):
        return None
    if not isinstance(output, tuple):
        output = (output,)
    if len(output) not in (1, 2, 3):
        raise ValueError(
            "Output of generator should be a tuple of 1 or 2 or 3 elements: (input,) or (input, "
            f"target) or (input, target, sample_weights). Received {output}"
        )
    return output


def _validate_arguments(
    is_sequence: bool, use_multiprocessing: bool, workers: int, steps_per_epoch: Any,
    validation_data: Any, validation_steps: Any, mode: str, kwargs: Any, may_end: bool = False,
) -> None:  # fmt: skip
    if not is_sequence and use_multiprocessing and workers > 1:
        logging.warning(
            "Using a generator with `use_multiprocessing=True` and multiple workers may duplicate "
            "your data. Please consider using the `keras.utils.Sequence` class."
        )
    if steps_per_epoch is None and not may_end:
        name = "steps_per_epoch" if mode == TRAIN else "steps"
        raise ValueError(f"Please specify the number of steps via the `{name}` argument.")
    generator = data_utils.is_generator_or_sequence(validation_data)
    if generator and not isinstance(validation_data, data_utils.Sequence) and not validation_steps:
        raise ValueError("Please specify the `validation_steps` argument.")
    unknown = [key for key in kwargs if key != "steps"]
    if unknown:
        raise ValueError(f"Invalid arguments passed: {unknown}")


def convert_to_generator_like(
    data: Any, batch_size: Any = None, steps_per_epoch: Any = None, epochs: int = 1,
    shuffle: bool = False,
) -> tuple[Any, Any]:  # fmt: skip
    """(a generator or `Sequence`, the number of steps) of data."""
    if isinstance(data, tuple):
        data = tuple(x for x in data if any(part is not None for part in nest.flatten(x)))
    if data_utils.is_generator_or_sequence(data):
        if isinstance(data, data_utils.Sequence) and steps_per_epoch is None:
            steps_per_epoch = len(data)
        return data, steps_per_epoch
    if training_utils.is_dataset(data):
        return iter(data), steps_per_epoch
    count = int(nest.flatten(data)[0].shape[0])
    if batch_size is None:
        raise ValueError(
            "When passing input data as arrays, do not specify `steps_per_epoch`/`steps` argument. "
            "Please use `batch_size` instead."
        )

    def batches() -> Iterator[Any]:
        order = np.arange(count)
        for _ in range(epochs):
            if shuffle:
                np.random.shuffle(order)
            for start, end in generic_utils.make_batches(count, batch_size):
                rows = order[start:end]
                flat = training_utils.slice_arrays(nest.flatten(data), rows)
                yield nest.pack_sequence_as(data, flat)

    return batches(), int(math.ceil(count / batch_size))


def _make_enqueued_generator(
    generator: Any, workers: int, use_multiprocessing: bool, max_queue_size: int, shuffle: bool
) -> tuple[Any, Any]:
    is_sequence = isinstance(generator, data_utils.Sequence)
    if workers == 0:
        return (data_utils.iter_sequence_infinite(generator) if is_sequence else generator), None
    if is_sequence:
        enqueuer: Any = data_utils.OrderedEnqueuer(
            generator, use_multiprocessing=use_multiprocessing, shuffle=shuffle
        )
    else:
        enqueuer = data_utils.GeneratorEnqueuer(generator, use_multiprocessing=use_multiprocessing)
    enqueuer.start(workers=workers, max_queue_size=max_queue_size)
    return enqueuer.get(), enqueuer


def _execution_function(model: Any, mode: str, class_weight: Any) -> Any:
    train, test, predict = model.train_on_batch, model.test_on_batch, model.predict_on_batch
    if model._distribution_strategy:  # in whose scope these refuse a caller's batch
        train, test = model._run_train_batch, model._run_test_batch
        predict = model._run_predict_batch
    if mode == TRAIN:
        return functools.partial(train, class_weight=class_weight, reset_metrics=False)
    if mode == TEST:
        return functools.partial(test, reset_metrics=False)

    def predicted(x: Any, y: Any = None, sample_weights: Any = None) -> Any:
        return convert_eager_tensors_to_numpy(predict(x))  # What callbacks see are arrays.

    return predicted


class GeneratorOrSequenceTrainingLoop:
    """How models train on generators."""

    @training_eager.loop()
    def fit(
        self, model: Any, x: Any = None, y: Any = None, batch_size: Any = None, epochs: int = 1,
        verbose: int = 1, callbacks: Any = None, validation_split: float = 0.0,
        validation_data: Any = None, shuffle: Any = True, class_weight: Any = None,
        sample_weight: TensorLike | None = None, initial_epoch: int = 0,
        steps_per_epoch: Any = None,
        validation_steps: Any = None, validation_freq: Any = 1, max_queue_size: int = 10,
        workers: int = 1, use_multiprocessing: bool = False,
    ) -> Any:  # fmt: skip
        """See `Model.fit`."""
        model._validate_or_infer_batch_size(batch_size, steps_per_epoch, x)
        eager_data.adapted(model, x, y, sample_weight, validation_split)
        if eager_data.is_in_use(model):
            class_weight = None  # TF 1.15 leaves it out there
        training_utils.check_generator_arguments(
            y, sample_weight, validation_split=validation_split
        )
        return fit_generator(
            model, x, steps_per_epoch=steps_per_epoch, epochs=epochs, verbose=verbose,
            callbacks=callbacks, validation_data=validation_data,
            validation_steps=validation_steps, validation_freq=validation_freq,
            class_weight=class_weight, max_queue_size=max_queue_size, workers=workers,
            use_multiprocessing=use_multiprocessing, shuffle=shuffle, initial_epoch=initial_epoch,
            steps_name="steps_per_epoch",
        )  # fmt: skip

    @training_eager.loop()
    def evaluate(
        self, model: Any, x: Any = None, y: Any = None, batch_size: Any = None, verbose: int = 1,
        sample_weight: TensorLike | None = None, steps: Any = None, callbacks: Any = None,
        **settings: Any,
    ) -> Any:  # fmt: skip
        """See `Model.evaluate`."""
        model._validate_or_infer_batch_size(batch_size, steps, x)
        eager_data.adapted(model, x, y, sample_weight)
        training_utils.check_generator_arguments(y, sample_weight)
        return evaluate_generator(
            model, x, steps=steps, verbose=verbose, callbacks=callbacks, **settings
        )

    @training_eager.loop()
    def predict(
        self, model: Any, x: Any, batch_size: Any = None, verbose: int = 0, steps: Any = None,
        callbacks: Any = None, **settings: Any,
    ) -> Any:  # fmt: skip
        """See `Model.predict`."""
        model._validate_or_infer_batch_size(batch_size, steps, x)
        return predict_generator(
            model, x, steps=steps, verbose=verbose, callbacks=callbacks, **settings
        )
