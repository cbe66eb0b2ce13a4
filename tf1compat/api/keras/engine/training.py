"""Models: networks that train (`tensorflow.python.keras.engine.training`)."""

from __future__ import annotations

import contextlib
import functools
import inspect
from collections.abc import Callable
from typing import Any

from tf1compat.api.distribute import distribution_strategy_context as strategies
from tf1compat.api.keras import backend, losses, optimizer_v1, optimizers
from tf1compat.api.keras.distribute import distributed_training_utils
from tf1compat.api.keras.engine import (
    eager_data,
    network,
    training_arrays,
    training_distributed,
    training_eager,
    training_generator,
    training_utils,
)
from tf1compat.api.keras.engine.training_data import ModelData
from tf1compat.api.keras.engine.training_endpoint import TrainingEndpoint
from tf1compat.api.keras.engine.training_metrics import ModelMetrics
from tf1compat.api.keras.mixed_precision.experimental import loss_scale_optimizer
from tf1compat.api.keras.utils import data_utils, losses_utils
from tf1compat.api.math import math_ops
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.training.tracking.base import Trackable
from tf1compat.core import context, nest, ops, tensor_util, tf2
from tf1compat.core.export import tf_export

__all__ = ["Model", "losses"]


@tf_export("keras.models.Model", "keras.Model")
class Model(ModelData, ModelMetrics, network.Network):
    """A network that can be compiled, trained and saved.

    Args:
      inputs, outputs: tensors of `tf.keras.Input` and what layers made of them; neither for a
        subclass that defines `call`.
      name: the model's name.
      **kwargs: `trainable`, `dtype`, `dynamic`.
    """

    optimizer: Any

    def __init__(self, *args: Any, **kwargs: Any):
        super().__init__(*args, **kwargs)
        for attribute in ("_run_eagerly", "_distribution_strategy", "_compile_distribution"):
            self._set_private(attribute, None)
        self._set_private(
            "_experimental_run_tf_function", ops.executing_eagerly_outside_functions()
        )
        self._set_private("_distributed_models", {})

    def compile(
        self, optimizer: Any = "rmsprop", loss: Any = None, metrics: Any = None,
        loss_weights: Any = None, sample_weight_mode: Any = None, weighted_metrics: Any = None,
        target_tensors: Any = None, distribute: Any = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        """Says how to train.

        Args:
          optimizer: an optimizer of `tf.keras.optimizers` or `tf.train`, or a name.
          loss: a loss, its name, or a list or dict of them by output.
          metrics: a list of metrics or their names, or a dict of such lists by output.
          loss_weights: by what each loss counts, a list or dict.
          sample_weight_mode: "temporal" for weights of steps; None for weights of samples.
          weighted_metrics: metrics that take the weights of samples into account.
          target_tensors: tensors to use as targets, instead of placeholders.
          distribute: a distribution strategy; better, make and compile the model in its scope.
          **kwargs: `run_eagerly`; `experimental_run_tf_function`, whether to train as TF 1.15 does
            with a Keras optimizer in eager execution (else as with one of `tf.train`); and
            arguments of `Session.run` for training functions.
        """
        private = self._set_private
        private("_run_eagerly", kwargs.pop("run_eagerly", None))
        asked = kwargs.pop("experimental_run_tf_function", True)
        several = isinstance(optimizer, list | tuple)
        found = [optimizers.get(o) for o in optimizer] if several else optimizers.get(optimizer)
        private("optimizer", loss_scale_optimizer.with_scale_of(self._dtype_policy, found))
        older = [o for o in nest.flatten(self.optimizer) if isinstance(o, optimizer_v1.Optimizer)]
        for opt in older:
            opt._begin()
        unsettled = sample_weight_mode is None and target_tensors is None and not older
        private(
            "_experimental_run_tf_function",
            bool(asked and unsettled and ops.executing_eagerly_outside_functions()),
        )
        self._set_strategy(distribute)
        if isinstance(self.optimizer, Trackable):
            self._track_trackable(self.optimizer, name="optimizer", overwrite=True)
            self._handle_deferred_dependencies("optimizer", self.optimizer)
        distributed_training_utils.check_compile_arguments(
            self, self.run_eagerly, sample_weight_mode, target_tensors, weighted_metrics
        )
        private("loss", loss or {})
        private("loss_weights", loss_weights)
        private("sample_weight_mode", sample_weight_mode)
        private("_compile_metrics", metrics or [])
        private("_compile_weighted_metrics", weighted_metrics)
        private("_training_endpoints", [])
        private("_compiled_trainable_state", self._get_trainable_state())
        private("_compile_metric_functions", [])
        if not self.built or not self.inputs or not self.outputs:
            # It is compiled when it first sees data.
            return
        private("_is_compiled", True)
        private(
            "loss_functions",
            training_utils.prepare_loss_functions(self.loss, self.output_names),
        )
        targets = self._process_target_tensor_for_compile(target_tensors)
        for output, name, loss_fn, target in zip(
            self.outputs, self.output_names, self.loss_functions, targets, strict=True
        ):
            endpoint = TrainingEndpoint(output, name, loss_fn)
            endpoint.create_training_target(target)
            self._training_endpoints.append(endpoint)
        training_utils.prepare_loss_weights(self._training_endpoints, loss_weights)
        eager = context.executing_eagerly()
        in_graph = eager and not self.run_eagerly  # Names are unique among those of this graph.
        with backend.get_graph().as_default() if in_graph else contextlib.nullcontext():
            self._cache_output_metric_attributes(metrics, weighted_metrics)
            self._set_metric_attributes()
        if in_graph and all(e.should_skip_target() for e in self._training_endpoints):
            self._check_own_losses()
        if not eager:
            self._handle_metrics(
                self.outputs, targets=self._targets,
                skip_target_masks=[loss_fn is None for loss_fn in self.loss_functions],
                masks=self._output_masks(),
            )  # fmt: skip
        training_utils.prepare_sample_weight_modes(self._training_endpoints, sample_weight_mode)
        if not eager:
            self._compile_weights_loss_and_weighted_metrics()
        private("_function_kwargs", kwargs)
        for attribute in ("train_function", "test_function", "predict_function"):
            private(attribute, None)
        private("_collected_trainable_weights", self._unique_trainable_weights)
        distributed_training_utils.check_variables(self)

    def _set_strategy(self, distribute: Any) -> None:
        """Notes which strategy the model is compiled for, if any.

        A model in the cross-replica context of one is; a replica's copy of it is not.
        """
        if distribute is not None:
            if tf2.enabled() or self._experimental_run_tf_function:
                raise ValueError(
                    "Distribute argument in compile is not available in TF 2.0 please create the "
                    "model under the distribution strategy scope."
                )
            logging.warning(
                "Distribute argument in compile is deprecated please create the model under the "
                "distribution strategy scope."
            )
        elif strategies.has_strategy() and strategies.in_cross_replica_context():
            distribute = strategies.get_strategy()
        else:
            return
        if context.executing_eagerly():
            training_eager.check_strategy(distribute)
        self._set_private("_distribution_strategy", distribute)
        self._set_private("_compile_distribution", not strategies.has_strategy())
        self._set_private("_distributed_models", {})

    @property
    def _object_identifier(self) -> str:
        return "_tf_keras_model"

    def _metadata(self) -> dict[str, Any]:
        from tf1compat.api.keras.saving import saving_utils  # which needs this module

        own = saving_utils.model_metadata(self, include_optimizer=True, require_config=False)
        return {**super()._metadata(), **own}

    def _process_target_tensor_for_compile(self, target_tensors: Any) -> list[Any]:
        if target_tensors is None or (isinstance(target_tensors, list) and not target_tensors):
            return [None for _ in self.output_names]
        if isinstance(target_tensors, list):
            if len(target_tensors) != len(self.outputs):
                raise ValueError(
                    "When passing a list as `target_tensors`, it should have one entry per model "
                    f"output. The model has {len(self.outputs)} outputs, but you passed "
                    f"target_tensors={target_tensors}"
                )
            return target_tensors
        if isinstance(target_tensors, dict):
            unexpected = set(target_tensors).difference(self.output_names)
            if unexpected:
                raise ValueError(
                    f'Unknown entry in `target_tensors` dictionary: "{unexpected}". Only expected '
                    f"the following keys: {self.output_names}"
                )
            return [target_tensors.get(name) for name in self.output_names]
        if tensor_util.is_tensor(target_tensors):
            return [target_tensors]
        raise TypeError(
            "Expected `target_tensors` to be a list or tuple or dict or a single tensor, but got:",
            target_tensors,
        )

    @property
    def run_eagerly(self) -> bool:
        """Whether to run without a graph: not in graph mode."""
        if self._run_eagerly is True and not context.executing_eagerly():
            raise ValueError("You can only set `run_eagerly=True` if eager execution is enabled.")
        if self.dynamic and not context.executing_eagerly():
            raise ValueError(
                "Your model contains layers that can only be successfully run in eager execution "
                "(layers constructed with `dynamic=True`). You must enable eager execution with "
                "`tf.enable_eager_execution()`."
            )
        if self.dynamic:
            if self._run_eagerly is False:
                raise ValueError(
                    "Your model contains layers that can only be successfully run in eager "
                    "execution (layers constructed with `dynamic=True`). You cannot set "
                    "`run_eagerly=False`."
                )
            return True
        return bool(self._run_eagerly)

    @run_eagerly.setter
    def run_eagerly(self, value: Any) -> None:
        self._set_private("_run_eagerly", value)

    def get_weights(self) -> list[Any]:
        """The values of the variables; with a strategy, of those that replicas have of their own
        what they are together."""
        strategy = self._distribution_strategy
        with strategy.scope() if strategy else contextlib.nullcontext():
            return super().get_weights()

    # The loss.

    def _output_masks(self) -> list[Any]:
        return [getattr(x, "_keras_mask", None) for x in self.outputs]

    def _update_sample_weight_modes(self, sample_weights: Any = None) -> None:
        if not self._is_compiled:
            return
        given = bool(sample_weights) and any(w is not None for w in sample_weights)
        for endpoint in self._training_endpoints:
            mode = endpoint.sample_weight_mode or "samplewise"
            endpoint.sample_weight_mode = mode if given else None

    def _recompile_weights_loss_and_weighted_metrics(self) -> bool:
        """Records the loss anew if weights have come or gone; whether it did."""
        if not self._is_compiled or context.executing_eagerly():
            return False
        again = any(e.sample_weights_mismatch() for e in self._training_endpoints)
        if again:
            self._compile_weights_loss_and_weighted_metrics()
        return again

    def _compile_weights_loss_and_weighted_metrics(self, sample_weights: Any = None) -> None:
        """Records the loss and the weighted metrics.

        Args:
          sample_weights: the weights of each output; placeholders by default.

        Raises:
          ValueError: there are too few or too many of them.
        """
        count = len(self._training_endpoints)
        if sample_weights is None:
            sample_weights = [None] * count
        else:
            self._update_sample_weight_modes(sample_weights)
        if len(sample_weights) != count:
            raise ValueError(
                "Provided sample weights must have same length as the number of outputs. "
                f"Expected: {count}, got: {len(sample_weights)}."
            )
        for endpoint, weight in zip(self._training_endpoints, sample_weights, strict=True):
            endpoint.populate_sample_weight(weight, endpoint.sample_weight_mode)
        masks = self._output_masks()
        self._handle_metrics(
            self.outputs, targets=self._targets,
            skip_target_masks=[loss_fn is None for loss_fn in self.loss_functions],
            sample_weights=self.sample_weights, masks=masks, return_weighted_metrics=True,
        )  # fmt: skip
        self._set_private("total_loss", self._prepare_total_loss(masks))

    def _check_own_losses(self) -> None:
        if not self.losses:
            raise ValueError("The model cannot be compiled because it has no loss to optimize.")

    def _prepare_total_loss(self, masks: Any) -> Any:
        total: Any = None
        with backend.name_scope("loss"):
            for endpoint, mask in zip(self._training_endpoints, masks, strict=True):
                if endpoint.should_skip_target():
                    continue
                with backend.name_scope(endpoint.loss_name()):
                    loss = _endpoint_loss(endpoint, mask)
                if len(self.outputs) > 1:
                    endpoint.output_loss_metric(loss)
                if losses_utils.is_mean(endpoint.loss_fn):
                    loss = losses_utils.scale_loss_for_distribution(loss)
                weighted = endpoint.loss_weight * loss
                if total is None:
                    total = weighted
                else:
                    total += weighted
            if total is None:
                self._check_own_losses()
                total = 0.0
            own = self.get_losses_for(None) + self.get_losses_for(self.inputs)
            if own:
                total += losses_utils.scale_loss_for_distribution(math_ops.add_n(own))
        return total

    # Functions.

    def _check_trainable_weights_consistency(self) -> None:
        if not hasattr(self, "_collected_trainable_weights"):
            return
        if len(self._unique_trainable_weights) != len(self._collected_trainable_weights):
            logging.log_first_n(
                logging.WARN,
                "Discrepancy between trainable weights and collected trainable weights, did you "
                "set `model.trainable` without calling `model.compile` after ?",
                1,
            )

    def _all_inputs(self) -> list[Any]:
        return self._feed_inputs + self._feed_targets + self._feed_sample_weights

    def _loss_and_metrics(self) -> list[Any]:
        results = [
            m._call_result for m in self._get_training_eval_metrics() if hasattr(m, "_call_result")
        ]
        return [self.total_loss, *results]

    def _make_step(self, mode: str) -> None:
        """What stands for a training function in eager execution."""
        if mode == "train":
            self._check_trainable_weights_consistency()
        if getattr(self, f"{mode}_function", None) is None:
            replicated = self._distribution_strategy is not None
            step = training_eager.ReplicatedStep if replicated else training_eager.Step
            self._set_private(f"{mode}_function", step(self, mode))

    def _make_train_function(self) -> None:
        if context.executing_eagerly():
            self._make_step("train")
            return
        again = self._recompile_weights_loss_and_weighted_metrics()
        self._check_trainable_weights_consistency()
        if getattr(self, "train_function", None) is not None and not again:
            return
        # What was trainable when the model was compiled counts.
        current = self._get_trainable_state()
        self._set_trainable_state(self._compiled_trainable_state)
        inputs = self._all_inputs()
        phase = backend.symbolic_learning_phase()
        if not isinstance(phase, int):
            inputs = [*inputs, phase]
        with backend.name_scope("training"):
            updates = self._optimizer_updates()
            updates = updates + self.get_updates_for(None)
            updates += self.get_updates_for(self.inputs)
        outputs = self._loss_and_metrics()
        with backend.name_scope("training"):
            function = backend.function(
                inputs, outputs, updates=updates, name="train_function", **self._function_kwargs
            )
        self._set_private("train_function", function)
        self._set_trainable_state(current)

    def _backwards(self, tape: Any, loss: Any) -> None:
        """Applies the gradients of a loss, in eager execution."""
        training_eager.backwards(self, tape, loss)

    def _optimizer_updates(self) -> list[Any]:
        """Records a step of the optimizer.

        Raises:
          ValueError: there are several.
        """
        if isinstance(self.optimizer, list):
            raise ValueError("The `optimizer` in `compile` should be a single optimizer.")
        return self.optimizer.get_updates(
            params=self._collected_trainable_weights, loss=self.total_loss
        )

    def _make_test_function(self) -> None:
        if context.executing_eagerly():
            self._make_step("test")
            return
        again = self._recompile_weights_loss_and_weighted_metrics()
        if getattr(self, "test_function", None) is not None and not again:
            return
        outputs = self._loss_and_metrics()
        with backend.name_scope("evaluation"):
            function = backend.function(
                self._all_inputs(), outputs, updates=self.state_updates, name="test_function",
                **self._function_kwargs,
            )  # fmt: skip
        self._set_private("test_function", function)

    def _make_predict_function(self) -> None:
        if context.executing_eagerly():
            self._make_step("predict")
            return
        if getattr(self, "predict_function", None) is not None:
            return
        with backend.name_scope("predict"):
            function = backend.function(
                self._feed_inputs, self.outputs, updates=self.state_updates,
                name="predict_function", **getattr(self, "_function_kwargs", {}),
            )  # fmt: skip
        self._set_private("predict_function", function)

    def _make_execution_function(self, mode: str) -> Any:
        getattr(self, f"_make_{mode}_function")()
        return getattr(self, f"{mode}_function")

    # Training.

    def _assert_compile_was_called(self) -> None:
        if not self.optimizer:
            raise RuntimeError(
                "You must compile your model before training/testing. Use "
                "`model.compile(optimizer, loss)`."
            )

    def _refuse_strategy(self, method_name: str, what: str) -> None:
        if self._distribution_strategy:
            raise NotImplementedError(
                f"`{method_name}` is not supported for models {what} with tf.distribute.Strategy."
            )

    def _refuse_batch(self, method_name: str) -> None:
        """Refuses a batch of the caller's; in eager execution that is for the strategy's scope."""
        if not context.executing_eagerly() or strategies.in_cross_replica_context():
            self._refuse_strategy(method_name, "distributed")

    def _check_call_args(self, method_name: str) -> None:
        names = _required_arguments(getattr(self.call, "__func__", self.call))
        if len(names) > 2:
            raise ValueError(
                f"Models passed to `{method_name}` can only have `training` and the first argument "
                f"in `call` as positional arguments, found: {names[2:]}."
            )

    def _select_training_loop(self, inputs: Any) -> Any:
        if training_utils.is_iterator(inputs):
            raise ValueError(
                "For performance reasons Keras `fit`, `evaluate` and`predict` accept tf.data "
                "`Datasets` as input but not iterators that have been manually generated from "
                "Datasets by users. Please directly pass in the original `Dataset` object instead "
                "of passing in `iter(dataset)`."
            )
        if self._distribution_strategy and not eager_data.is_in_use(self):
            return training_distributed.DistributionSingleWorkerTrainingLoop()
        if data_utils.is_generator_or_sequence(inputs):
            return training_generator.GeneratorOrSequenceTrainingLoop()
        return training_arrays.ArrayLikeTrainingLoop()

    def fit(
        self, x: Any = None, y: Any = None, batch_size: Any = None, epochs: int = 1,
        verbose: int = 1, callbacks: Any = None, validation_split: float = 0.0,
        validation_data: Any = None, shuffle: Any = True, class_weight: Any = None,
        sample_weight: Any = None, initial_epoch: int = 0, steps_per_epoch: Any = None,
        validation_steps: Any = None, validation_freq: Any = 1, max_queue_size: int = 10,
        workers: int = 1, use_multiprocessing: bool = False, **kwargs: Any,
    ) -> Any:  # fmt: skip
        """Trains for some epochs.

        Args:
          x: inputs: an array, a list or dict of arrays, a dataset, a generator or `Sequence`.
          y: targets, likewise; None where `x` has them.
          batch_size: 32 by default.
          epochs: the number of the last epoch.
          verbose: 0 for no output, 1 for progress bars, 2 for a line an epoch.
          callbacks: a list of `tf.keras.callbacks`.
          validation_split: what part of the samples, the last ones, is for validation.
          validation_data: (inputs, targets) or (inputs, targets, weights), or a dataset.
          shuffle: whether samples change places before each epoch; "batch" for whole batches.
          class_weight: class -> weight.
          sample_weight: the weights of samples.
          initial_epoch: the number of the first epoch.
          steps_per_epoch, validation_steps: how many batches an epoch has.
          validation_freq: every how many epochs to validate, or a list of epochs.
          max_queue_size, workers, use_multiprocessing: how generators run.

        Returns:
          A `History`.
        """
        if "nb_epoch" in kwargs:
            logging.warning("The `nb_epoch` argument in `fit` has been renamed `epochs`.")
            epochs = kwargs.pop("nb_epoch")
        if kwargs:
            raise TypeError(f"Unrecognized keyword arguments: {kwargs}")
        self._assert_compile_was_called()
        self._check_call_args("fit")
        with distributed_training_utils.eager_scope(self):
            return self._select_training_loop(x).fit(
                self, x=x, y=y, batch_size=batch_size, epochs=epochs, verbose=verbose,
                callbacks=callbacks, validation_split=validation_split,
                validation_data=validation_data, shuffle=shuffle, class_weight=class_weight,
                sample_weight=sample_weight, initial_epoch=initial_epoch,
                steps_per_epoch=steps_per_epoch, validation_steps=validation_steps,
                validation_freq=validation_freq, max_queue_size=max_queue_size, workers=workers,
                use_multiprocessing=use_multiprocessing,
            )  # fmt: skip

    def evaluate(
        self, x: Any = None, y: Any = None, batch_size: Any = None, verbose: int = 1,
        sample_weight: Any = None, steps: Any = None, callbacks: Any = None,
        max_queue_size: int = 10, workers: int = 1, use_multiprocessing: bool = False,
    ) -> Any:  # fmt: skip
        """The loss and metrics of data. Args: see `fit`.

        Returns:
          The loss, or a list of it and the metrics.
        """
        self._assert_compile_was_called()
        self._check_call_args("evaluate")
        with distributed_training_utils.eager_scope(self):
            return self._select_training_loop(x).evaluate(
                self, x=x, y=y, batch_size=batch_size, verbose=verbose,
                sample_weight=sample_weight, steps=steps, callbacks=callbacks,
                max_queue_size=max_queue_size, workers=workers,
                use_multiprocessing=use_multiprocessing,
            )  # fmt: skip

    def predict(
        self, x: Any, batch_size: Any = None, verbose: int = 0, steps: Any = None,
        callbacks: Any = None, max_queue_size: int = 10, workers: int = 1,
        use_multiprocessing: bool = False,
    ) -> Any:  # fmt: skip
        """The outputs for data. Args: see `fit`.

        Returns:
          An array, or a list of them.
        """
        self._check_call_args("predict")
        with distributed_training_utils.eager_scope(self):
            return self._select_training_loop(x).predict(
                self, x=x, batch_size=batch_size, verbose=verbose, steps=steps,
                callbacks=callbacks, max_queue_size=max_queue_size, workers=workers,
                use_multiprocessing=use_multiprocessing,
            )  # fmt: skip

    def train_on_batch(
        self, x: Any, y: Any = None, sample_weight: Any = None, class_weight: Any = None,
        reset_metrics: bool = True,
    ) -> Any:  # fmt: skip
        """One step of training. Args: see `fit`.

        Returns:
          The loss, or a list of it and the metrics.
        """
        self._assert_compile_was_called()
        self._refuse_batch("train_on_batch")
        return self._run_train_batch(x, y, sample_weight, class_weight, reset_metrics)

    def _run_train_batch(
        self, x: Any, y: Any = None, sample_weight: Any = None, class_weight: Any = None,
        reset_metrics: bool = True,
    ) -> Any:  # fmt: skip
        """`train_on_batch`, also of a strategy's batch."""
        self._check_call_args("train_on_batch")
        expanded = training_utils.rank_one_parts((x, y))
        x, y, weights = self._standardize_user_data(
            x, y, sample_weight=sample_weight, class_weight=class_weight,
            extract_tensors_from_dataset=True,
        )  # fmt: skip
        ins = training_utils.ModelInputs(x).as_list() + (y or []) + (weights or [])
        if backend.learning_phase_is_fed():
            ins += [True]
        self._update_sample_weight_modes(sample_weights=weights)
        self._make_train_function()
        return self._batch_results(
            training_eager.run_batch(self, self.train_function, ins, expanded), reset_metrics
        )

    def test_on_batch(
        self, x: Any, y: Any = None, sample_weight: Any = None, reset_metrics: bool = True
    ) -> Any:
        """The loss and metrics of one batch. Args: see `fit`."""
        self._assert_compile_was_called()
        self._refuse_batch("test_on_batch")
        return self._run_test_batch(x, y, sample_weight, reset_metrics)

    def _run_test_batch(
        self, x: Any, y: Any = None, sample_weight: Any = None, reset_metrics: bool = True
    ) -> Any:
        """`test_on_batch`, also of a strategy's batch."""
        self._check_call_args("test_on_batch")
        expanded = training_utils.rank_one_parts((x, y))
        x, y, weights = self._standardize_user_data(
            x, y, sample_weight=sample_weight, extract_tensors_from_dataset=True
        )
        ins = training_utils.ModelInputs(x).as_list() + (y or []) + (weights or [])
        self._update_sample_weight_modes(sample_weights=weights)
        self._make_test_function()
        return self._batch_results(
            training_eager.run_batch(self, self.test_function, ins, expanded), reset_metrics
        )

    def _batch_results(self, outputs: Any, reset_metrics: bool) -> Any:
        if reset_metrics:
            self.reset_metrics()
        return outputs[0] if len(outputs) == 1 else outputs

    def predict_on_batch(self, x: Any) -> Any:
        """The outputs for one batch."""
        self._refuse_batch("predict_on_batch")
        return self._run_predict_batch(x)

    def _run_predict_batch(self, x: Any) -> Any:
        """`predict_on_batch`, also of a strategy's batch."""
        self._check_call_args("predict_on_batch")
        expanded = training_utils.rank_one_parts(x)
        inputs, _, _ = self._standardize_user_data(x, extract_tensors_from_dataset=True)
        self._make_predict_function()
        outputs = training_eager.run_batch(self, self.predict_function, inputs, expanded)
        return outputs[0] if len(outputs) == 1 else outputs

    def fit_generator(
        self, generator: Any, steps_per_epoch: Any = None, epochs: int = 1, verbose: int = 1,
        callbacks: Any = None, validation_data: Any = None, validation_steps: Any = None,
        validation_freq: Any = 1, class_weight: Any = None, max_queue_size: int = 10,
        workers: int = 1, use_multiprocessing: bool = False, shuffle: bool = True,
        initial_epoch: int = 0,
    ) -> Any:  # fmt: skip
        """Trains on what a generator or `Sequence` yields. Args: see `fit`."""
        self._refuse_strategy("fit_generator", "compiled")
        self._check_call_args("fit_generator")
        return training_generator.fit_generator(
            self, generator, steps_per_epoch=steps_per_epoch, epochs=epochs, verbose=verbose,
            callbacks=callbacks, validation_data=validation_data,
            validation_steps=validation_steps, validation_freq=validation_freq,
            class_weight=class_weight, max_queue_size=max_queue_size, workers=workers,
            use_multiprocessing=use_multiprocessing, shuffle=shuffle, initial_epoch=initial_epoch,
            steps_name="steps_per_epoch",
        )  # fmt: skip

    def evaluate_generator(
        self, generator: Any, steps: Any = None, callbacks: Any = None, max_queue_size: int = 10,
        workers: int = 1, use_multiprocessing: bool = False, verbose: int = 0,
    ) -> Any:  # fmt: skip
        """The loss and metrics of what a generator yields. Args: see `fit`."""
        self._refuse_strategy("evaluate_generator", "compiled")
        self._check_call_args("evaluate_generator")
        return training_generator.evaluate_generator(
            self, generator, steps=steps, max_queue_size=max_queue_size, workers=workers,
            use_multiprocessing=use_multiprocessing, verbose=verbose, callbacks=callbacks,
        )  # fmt: skip

    def predict_generator(
        self, generator: Any, steps: Any = None, callbacks: Any = None, max_queue_size: int = 10,
        workers: int = 1, use_multiprocessing: bool = False, verbose: int = 0,
    ) -> Any:  # fmt: skip
        """The outputs for what a generator yields. Args: see `fit`."""
        self._refuse_strategy("predict_generator", "compiled")
        return training_generator.predict_generator(
            self, generator, steps=steps, max_queue_size=max_queue_size, workers=workers,
            use_multiprocessing=use_multiprocessing, verbose=verbose, callbacks=callbacks,
        )  # fmt: skip

    def _get_callback_model(self) -> Any:
        return getattr(self, "callback_model", None) or self

    # What the outputs have.

    @property
    def _targets(self) -> list[Any]:
        return [e.target for e in self._training_endpoints if e.has_target]

    def _feedable(self) -> list[TrainingEndpoint]:
        return [e for e in self._training_endpoints if e.has_feedable_training_target()]

    @property
    def _feed_targets(self) -> list[Any]:
        return [e.target for e in self._feedable()]

    @property
    def _feed_output_names(self) -> list[str]:
        return [e.output_name for e in self._feedable()]

    @property
    def _feed_output_shapes(self) -> list[Any]:
        return [e.feed_output_shape for e in self._feedable()]

    @property
    def _feed_loss_fns(self) -> list[Any]:
        return [e.loss_fn for e in self._feedable()]

    @property
    def sample_weights(self) -> list[Any]:
        """The tensors of the weights of samples; None where there are none."""
        return [e.sample_weight for e in self._training_endpoints]

    @property
    def _sample_weight_modes(self) -> list[Any]:
        return [e.sample_weight_mode for e in self._training_endpoints]

    @property
    def _feed_sample_weights(self) -> list[Any]:
        return [w for w in self.sample_weights if w is not None]


def _endpoint_loss(endpoint: TrainingEndpoint, mask: Any) -> Any:
    """The loss of an output."""
    return training_utils.output_loss(
        endpoint.loss_fn, endpoint.target, endpoint.output, endpoint.sample_weight, mask
    )


@functools.lru_cache(maxsize=64)
def _required_arguments(call: Callable[..., Any]) -> list[str]:
    """The arguments of a model's `call` that have no default; but for `training`."""
    found = inspect.getfullargspec(call)
    names = found.args[: -len(found.defaults)] if found.defaults else found.args
    return [name for name in names if name != "training"]
