"""`tensorflow.python.distribute.saved_model_test_base`: models that are saved under one strategy
and loaded under another.
"""

from __future__ import annotations

import contextlib
import os
from typing import Any

import numpy as np
from absl.testing import parameterized

from tf1compat.api.array import array_ops
from tf1compat.api.data.ops import dataset_ops
from tf1compat.api.distribute import combinations, model_combinations, strategy_combinations
from tf1compat.api.framework import test_util
from tf1compat.api.random import random_seed
from tf1compat.core.export import find

_RANDOM_SEED = 1337
_DEFAULT_FUNCTION_KEY = "serving_default"
_TOLERANCE = 1e-30
_TPU_TOLERANCE = 1e-7  # They compute with bfloat16.
PREDICT_STEPS = 1

simple_models = [
    model_combinations.simple_functional_model,
    model_combinations.simple_sequential_model,
]
strategies = [
    strategy_combinations.one_device_strategy,
    strategy_combinations.one_device_strategy_gpu,
    strategy_combinations.mirrored_strategy_with_one_cpu,
    strategy_combinations.mirrored_strategy_with_one_gpu,
    strategy_combinations.mirrored_strategy_with_gpu_and_cpu,
    strategy_combinations.mirrored_strategy_with_two_gpus,
    strategy_combinations.tpu_strategy,
]


def is_tpu_strategy(distribution: Any) -> bool:
    """Whether a strategy, or None, is one for TPUs."""
    return distribution is not None and type(distribution).__name__.startswith("TPUStrategy")


def get_tolerance(save_distribution: Any, restore_distribution: Any) -> float:
    """How far apart results may be that two strategies compute."""
    either = is_tpu_strategy(save_distribution) or is_tpu_strategy(restore_distribution)
    return _TPU_TOLERANCE if either else _TOLERANCE


_ONE = {"distribution": strategies}
_TWO = {"distribution_for_saving": strategies, "distribution_for_restoring": strategies}


def _combined(models: list[Any], by: dict[str, Any], run_tf_function: list[bool]) -> list[Any]:
    return combinations.combine(
        model_and_input=models, mode=["eager"], experimental_run_tf_function=run_tf_function, **by
    )


def simple_models_with_strategies() -> list[Any]:
    """Keras's models, each under each strategy."""
    return _combined(simple_models, _ONE, [True, False])


def simple_models_with_strategy_pairs() -> list[Any]:
    """Keras's models, under each pair of strategies."""
    return _combined(simple_models, _TWO, [True, False])


def tfmodule_models_with_strategies() -> list[Any]:
    """A `tf.Module` under each strategy."""
    return _combined([model_combinations.simple_tfmodule_model], _ONE, [True])


def tfmodule_models_with_strategy_pairs() -> list[Any]:
    """A `tf.Module` under each pair of strategies."""
    return _combined([model_combinations.simple_tfmodule_model], _TWO, [True])


def load_and_run_with_saved_model_api(
    distribution: Any, saved_dir: str, predict_dataset: Any, output_name: str
) -> Any:
    """What a SavedModel gives for the first batch of a dataset.

    Args:
      distribution: the strategy that runs it, or None.
      saved_dir: where it is.
      predict_dataset: the dataset.
      output_name: the name of the output.
    """
    loaded = find("saved_model.load_v2")(saved_dir)  # Its variables live as long as this.
    predict = loaded.signatures[_DEFAULT_FUNCTION_KEY]
    if not distribution:
        return predict(next(iter(predict_dataset)))[output_name]
    batch = next(iter(distribution.experimental_distribute_dataset(predict_dataset)))
    outputs = distribution.experimental_run_v2(predict, args=(batch,))
    of_replicas = distribution.experimental_local_results(outputs[output_name])
    return array_ops.concat(of_replicas, 0)


class TestSavedModelBase(test_util.TensorFlowTestCase, parameterized.TestCase):
    """What is predicted by a model is predicted once it was saved and loaded, too."""

    __test__ = False  # For pytest: a base class.

    def setUp(self) -> None:
        """Seeds all generators."""
        np.random.seed(_RANDOM_SEED)
        random_seed.set_random_seed(_RANDOM_SEED)
        self._root_dir = "base"
        super().setUp()

    def _save_model(self, model: Any, saved_dir: str) -> None:
        """Saves a model: a subclass says how."""
        raise NotImplementedError("must be implemented in descendants")

    def _load_and_run_model(
        self, distribution: Any, saved_dir: str, predict_dataset: Any, output_name: str,
        experimental_run_tf_function: bool,
    ) -> Any:  # fmt: skip
        """Loads a model and predicts one batch: a subclass says how.

        Args:
          distribution: the strategy, or None.
          saved_dir: where the model is.
          predict_dataset: the points.
          output_name: the name of the output layer.
          experimental_run_tf_function: whether Keras runs its models as functions.
        """
        raise NotImplementedError("must be implemented in descendants")

    def _batches(self, points: Any, batch_size: int) -> Any:
        return dataset_ops.Dataset.from_tensor_slices(points).repeat().batch(batch_size)

    def _train_model(self, model: Any, x_train: Any, y_train: Any, batch_size: int) -> None:
        """Trains 100 steps."""
        batches = self._batches((x_train, y_train), batch_size)
        model.fit(x=batches, epochs=1, steps_per_epoch=100)

    def _get_predict_dataset(self, x_predict: Any, batch_size: int) -> Any:
        """The points in batches, for ever."""
        return self._batches(x_predict, batch_size)

    def _predict_with_model(self, distribution: Any, model: Any, predict_dataset: Any) -> Any:
        """What the model says of the first batch."""
        return model.predict(predict_dataset, steps=PREDICT_STEPS)

    def _check_saved_and_loaded(
        self, folder: str, model_and_input: Any, saving: Any, loading: Any, save_in_scope: bool,
        experimental_run_tf_function: bool,
    ) -> None:  # fmt: skip
        """Trains and predicts under one strategy, or none; predicts again under another one."""
        folder = os.path.join(self.get_temp_dir(), folder)

        def scope(strategy: Any) -> Any:
            return strategy.scope() if strategy else contextlib.nullcontext()

        with scope(saving):
            model, output_name = model_and_input.get_model(
                experimental_run_tf_function=experimental_run_tf_function
            )
            x_train, y_train, x_predict = model_and_input.get_data()
            size = model_and_input.get_batch_size()
            self._train_model(model, x_train, y_train, size)
            points = self._get_predict_dataset(x_predict, size)
            wanted = self._predict_with_model(saving, model, points)
        with scope(saving if save_in_scope else None):
            self._save_model(model, folder)
        with scope(loading):
            got = self._load_and_run_model(
                distribution=loading,
                saved_dir=folder,
                predict_dataset=points,
                output_name=output_name,
                experimental_run_tf_function=experimental_run_tf_function,
            )
        self.assertAllClose(wanted, got, atol=get_tolerance(saving, loading))

    def run_test_save_no_strategy_restore_strategy(
        self, model_and_input: Any, distribution: Any, experimental_run_tf_function: bool
    ) -> None:
        """A model without a strategy, loaded under one."""
        self._check_saved_and_loaded(
            "0", model_and_input, None, distribution, False, experimental_run_tf_function
        )

    def run_test_save_strategy_restore_no_strategy(
        self, model_and_input: Any, distribution: Any, save_in_scope: bool,
        experimental_run_tf_function: bool,
    ) -> None:  # fmt: skip
        """A model of a strategy, loaded without one."""
        self._check_saved_and_loaded(
            "1", model_and_input, distribution, None, save_in_scope, experimental_run_tf_function
        )

    def run_test_save_strategy_restore_strategy(
        self, model_and_input: Any, distribution_for_saving: Any, distribution_for_restoring: Any,
        save_in_scope: bool, experimental_run_tf_function: bool,
    ) -> None:  # fmt: skip
        """A model of a strategy, loaded under another one."""
        self._check_saved_and_loaded(
            "2", model_and_input, distribution_for_saving, distribution_for_restoring,
            save_in_scope, experimental_run_tf_function,
        )  # fmt: skip
