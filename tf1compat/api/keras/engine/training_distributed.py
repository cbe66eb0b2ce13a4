"""Training in distribution strategies (`tensorflow.python.keras.engine.training_distributed`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.keras import callbacks as cbks
from tf1compat.api.keras.distribute import distributed_training_utils as dist_utils
from tf1compat.api.keras.engine import training_arrays, training_utils
from tf1compat.api.keras.optimizer_v2.optimizer_v2 import OptimizerV2
from tf1compat.api.platform import tf_logging as logging
from tf1compat.core import context


def _check_callbacks(input_callbacks: Any, optimizer: Any) -> None:
    for callback in input_callbacks or ():
        changes_rate = isinstance(callback, cbks.LearningRateScheduler | cbks.ReduceLROnPlateau)
        if changes_rate and not isinstance(optimizer, OptimizerV2):
            raise ValueError(
                f"You must specify a Keras Optimizer V2 when using {callback} callback with "
                "DistributionStrategy."
            )
        if getattr(callback, "write_grads", False):
            logging.warning(
                "`write_grads` in the TensorBoard callback is not supported when using "
                "DistributionStrategy. Setting `write_grads` to `False`."
            )
            callback.write_grads = False


def _check_inputs(x: Any, y: Any) -> None:
    if training_utils.is_iterator(x) or training_utils.is_iterator(y):
        raise ValueError(
            "`DistributionStrategy` does not support inputs of type Iterator. You must pass a "
            "`tf.data.Dataset` object or a numpy array as input."
        )


class DistributionSingleWorkerTrainingLoop:
    """How models train in the strategy of one process: on datasets."""

    def fit(
        self, model: Any, x: Any = None, y: Any = None, batch_size: Any = None, epochs: int = 1,
        verbose: int = 1, callbacks: Any = None, validation_split: float = 0.0,
        validation_data: Any = None, shuffle: Any = True, class_weight: Any = None,
        sample_weight: Any = None, initial_epoch: int = 0, steps_per_epoch: Any = None,
        validation_steps: Any = None, validation_freq: Any = 1, **kwargs: Any,
    ) -> Any:  # fmt: skip
        """See `Model.fit`."""
        _check_callbacks(callbacks, model.optimizer)
        _check_inputs(x, y)
        batch_size, steps_per_epoch = dist_utils.process_batch_and_step_size(
            model._distribution_strategy, x, batch_size, steps_per_epoch, "train", validation_split
        )
        batch_size = model._validate_or_infer_batch_size(batch_size, steps_per_epoch, x)
        dataset = dist_utils.dataset_of(
            model, x, y, sample_weight, class_weight, batch_size=batch_size,
            validation_split=validation_split, shuffle=shuffle, epochs=epochs,
        )  # fmt: skip
        if context.executing_eagerly():
            # As in TF 1.15, which looks at what is trained on as if it had been given as a dataset.
            training_utils.validate_dataset_input(dataset, None, sample_weight, validation_split)
        val_dataset = None
        if validation_data:
            val_x, val_y, weights = training_utils.unpack_validation_data(validation_data)
            _check_inputs(val_x, val_y)
            _, validation_steps = dist_utils.process_batch_and_step_size(
                model._distribution_strategy, val_x, batch_size, validation_steps, "test"
            )
            val_dataset = dist_utils.dataset_of(
                model, val_x, val_y, weights, batch_size=batch_size,
                validation_split=validation_split, shuffle=shuffle,
            )  # fmt: skip
        elif validation_split:
            raise ValueError(
                "validation_split argument is not supported with distribution strategies."
            )
        with dist_utils.scope(model, "train"):
            dist_utils.copy_weights_to_replicas(model, "train")
            trained = dist_utils.trained_in_its_place(model)
            history = training_arrays.fit_loop(
                trained, dataset, batch_size=batch_size, epochs=epochs, verbose=verbose,
                callbacks=callbacks, val_inputs=val_dataset, shuffle=shuffle,
                initial_epoch=initial_epoch, steps_per_epoch=steps_per_epoch,
                validation_steps=validation_steps, validation_freq=validation_freq,
                steps_name="steps_per_epoch",
            )  # fmt: skip
            dist_utils.copy_weights_back(model)
            if trained is not model:
                model.set_weights(trained.get_weights())
                model.history = history
        return history

    def evaluate(
        self, model: Any, x: Any = None, y: Any = None, batch_size: Any = None, verbose: int = 1,
        sample_weight: Any = None, steps: Any = None, callbacks: Any = None, **kwargs: Any,
    ) -> Any:  # fmt: skip
        """See `Model.evaluate`."""
        dataset, batch_size, steps = self._data(model, x, y, batch_size, steps, sample_weight)
        with dist_utils.scope(model, "test"):
            dist_utils.copy_weights_to_replicas(model, "test")
            return training_arrays.test_loop(
                dist_utils.trained_in_its_place(model), inputs=dataset, batch_size=batch_size,
                verbose=verbose, steps=steps, callbacks=callbacks,
            )  # fmt: skip

    def predict(
        self, model: Any, x: Any, batch_size: Any = None, verbose: int = 0, steps: Any = None,
        callbacks: Any = None, **kwargs: Any,
    ) -> Any:  # fmt: skip
        """See `Model.predict`."""
        dataset, batch_size, steps = self._data(model, x, None, batch_size, steps, None)
        with dist_utils.scope(model, "predict"):
            dist_utils.copy_weights_to_replicas(model, "predict")
            return training_arrays.predict_loop(
                dist_utils.trained_in_its_place(model), dataset, batch_size=batch_size,
                verbose=verbose, steps=steps, callbacks=callbacks,
            )  # fmt: skip

    def _data(
        self, model: Any, x: Any, y: Any, batch_size: Any, steps: Any, sample_weight: Any
    ) -> tuple[Any, Any, Any]:
        _check_inputs(x, y)
        batch_size, steps = dist_utils.process_batch_and_step_size(
            model._distribution_strategy, x, batch_size, steps, "test"
        )
        batch_size = model._validate_or_infer_batch_size(batch_size, steps, x)
        dataset = dist_utils.dataset_of(model, x, y, sample_weight, batch_size=batch_size)
        return dataset, batch_size, steps
