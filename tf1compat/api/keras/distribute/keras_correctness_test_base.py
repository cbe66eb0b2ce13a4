"""`tensorflow.python.keras.distribute.keras_correctness_test_base`: a model does the same under a
strategy and without one.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from absl.testing import parameterized

from tf1compat.api.data.ops import dataset_ops
from tf1compat.api.distribute import (
    combinations,
    distribute_lib,
    mirrored_strategy,
    strategy_combinations,
    tpu_strategy,
)
from tf1compat.api.eager import context
from tf1compat.api.framework import test_util
from tf1compat.api.keras import backend
from tf1compat.api.keras.callbacks_base import Callback
from tf1compat.api.keras.distribute import distributed_training_utils
from tf1compat.api.keras.preprocessing import sequence
from tf1compat.api.random import random_seed
from tf1compat.core import nest

_RANDOM_SEED = 1337
_EVAL_STEPS = 20
_GLOBAL_BATCH_SIZE = 64

all_strategies = [
    strategy_combinations.default_strategy,
    strategy_combinations.one_device_strategy,
    strategy_combinations.mirrored_strategy_with_gpu_and_cpu,
    strategy_combinations.mirrored_strategy_with_two_gpus,
    strategy_combinations.tpu_strategy,
    strategy_combinations.tpu_strategy_one_step,
]

_Combinations = list[Any]


# What tests are run with.


def _inputs_of(mode: str) -> _Combinations:
    return combinations.combine(
        mode=mode, use_numpy=[True, False], use_validation_data=[True, False]
    )


def eager_mode_test_configuration() -> _Combinations:
    """Arrays and datasets, with and without validation, in eager execution."""
    return _inputs_of("eager")


def graph_mode_test_configuration() -> _Combinations:
    """The same in graphs."""
    return _inputs_of("graph")


def all_strategy_and_input_config_combinations() -> _Combinations:
    """All strategies with all inputs."""
    by = combinations.combine(
        distribution=all_strategies, experimental_run_tf_function=[True, False]
    )
    return combinations.times(by, _inputs_of("eager") + _inputs_of("graph"))


def strategy_minus_tpu_and_input_config_combinations_eager() -> _Combinations:
    """The strategies but those for TPUs with all inputs, in eager execution."""
    by = combinations.combine(distribution=strategy_combinations.strategies_minus_tpu)
    return combinations.times(by, _inputs_of("eager"))


def strategies_for_embedding_models() -> list[combinations.NamedDistribution]:
    """The strategies but the default one: models of words take long to train."""
    plain = (strategy_combinations.one_device_strategy,)
    return [s for s in all_strategies if s in plain or s.required_gpus or s.required_tpu]


def test_combinations_for_embedding_model() -> _Combinations:
    """Those with all inputs, for TPUs in graphs alone."""
    strategies = strategies_for_embedding_models()
    in_graphs = combinations.combine(
        distribution=strategies, experimental_run_tf_function=[True, False]
    )
    eagerly = combinations.combine(
        distribution=[s for s in strategies if not s.required_tpu],
        experimental_run_tf_function=[False],
    )
    return combinations.times(in_graphs, _inputs_of("graph")) + combinations.times(
        eagerly, _inputs_of("eager")
    )


def test_combinations_with_tpu_strategies() -> _Combinations:
    """The strategies for TPUs with all inputs, in graphs."""
    by = combinations.combine(
        distribution=[
            strategy_combinations.tpu_strategy,
            strategy_combinations.tpu_strategy_one_step,
        ]
    )
    return combinations.times(by, _inputs_of("graph"))


# For pytest, which takes what begins with `test` for one where it is imported.
for _function in (test_combinations_for_embedding_model, test_combinations_with_tpu_strategies):
    _function.__test__ = False  # type: ignore[attr-defined]


class MaybeDistributionScope:
    """A `with` block in a strategy's scope, or in none.

    Args:
      distribution: the strategy, or None.
    """

    def __init__(self, distribution: Any):
        self._distribution = distribution
        self._scope: Any = None

    def __enter__(self) -> None:
        if self._distribution:
            self._scope = self._distribution.scope()
            self._scope.__enter__()

    def __exit__(self, *exc_info: Any) -> None:
        scope, self._scope = self._scope, None
        if scope is not None:
            scope.__exit__(*exc_info)


# Inputs.


def batch_wrapper(dataset: Any, batch_size: int, repeat: int | None = None) -> Any:
    """A dataset in batches, repeated before if it is to be."""
    return (dataset.repeat(repeat) if repeat else dataset).batch(batch_size)


def get_batch_size(global_batch_size: int, distribution: Any) -> int:
    """How large a batch a strategy, or None, is given so that all replicas take so many."""
    of_all = distributed_training_utils.global_batch_size_supported
    if not distribution or of_all(distribution):
        return global_batch_size
    return global_batch_size // distribution.num_replicas_in_sync


def get_data_size(data: Any) -> int:
    """How many elements an array has, or those of a list, tuple or dict."""
    assert isinstance(data, np.ndarray | list | dict | tuple)
    if isinstance(data, np.ndarray):
        return len(data)
    return len(next(iter(data.values() if isinstance(data, dict) else data)))


def get_shapes(data: Any) -> Any:
    """The shapes of a structure of arrays; None if some of it has none."""
    if all(hasattr(part, "shape") for part in nest.flatten(data)):
        return nest.map_structure(lambda part: part.shape, data)
    return None


def _steps(data: Any) -> int:
    return -(-get_data_size(data) // _GLOBAL_BATCH_SIZE)


def get_correctness_test_inputs(
    use_numpy: bool, use_validation_data: bool, with_distribution: Any, x_train: Any, y_train: Any,
    x_eval: Any, y_eval: Any, x_predict: Any, training_epochs: int,
) -> tuple[Any, Any, Any]:  # fmt: skip
    """The arguments of `fit`, `evaluate` and `predict`.

    Args:
      use_numpy: whether they are arrays, or datasets.
      use_validation_data: whether `fit` validates; nothing is evaluated then.
      with_distribution: the strategy, or None.
      x_train, y_train, x_eval, y_eval, x_predict: the arrays.
      training_epochs: how often `fit` goes through them.
    """
    size = get_batch_size(_GLOBAL_BATCH_SIZE, with_distribution)

    def dataset(of: Any, batch_size: int = size, repeat: int | None = None) -> Any:
        return batch_wrapper(dataset_ops.Dataset.from_tensor_slices(of), batch_size, repeat)

    trained, evaluated = (x_train, y_train), (x_eval, y_eval)
    train: dict[str, Any] = {"epochs": training_epochs, "shuffle": False}
    evaluate: dict[str, Any] | None
    if use_numpy:
        train.update(batch_size=size, x=x_train, y=y_train)
        evaluate = {"batch_size": size, "x": x_eval, "y": y_eval}
        predict = {"x": x_predict}
        if use_validation_data:
            train["validation_data"] = evaluated
    else:
        # A dataset says by itself how large its batches are.
        train.update(batch_size=None, x=dataset(trained, repeat=training_epochs), y=None)
        train["steps_per_epoch"] = _steps(x_train)
        evaluate = {
            "batch_size": None,
            "x": dataset(evaluated),
            "y": None,
            "steps": _steps(x_eval),
        }
        of_all = get_batch_size(get_data_size(x_predict), with_distribution)
        predict = {"steps": 1, "x": dataset(x_predict, of_all)}
        if use_validation_data:
            train.update(validation_data=evaluate["x"], validation_steps=5)
    return train, None if use_validation_data else evaluate, predict


# Results.


def fit_eval_and_predict(
    initial_weights: Any,
    input_fn: Any,
    model_fn: Any,
    experimental_run_tf_function: bool | None = None,
    distribution: Any = None,
    is_stateful_model: bool = False,
) -> dict[str, Any]:
    """What a model gives when it is trained and evaluated, predicts, and is trained once more.

    Args:
      initial_weights: the weights that it begins with.
      input_fn: makes the arguments of `fit`, `evaluate` and `predict`; None for what is not called.
      model_fn: makes the model.
      experimental_run_tf_function: whether Keras runs it as a function.
      distribution: the strategy, or None.
      is_stateful_model: whether it predicts otherwise each time: it does it three times then.
    """
    train, evaluate, predict = input_fn()
    model = model_fn(
        experimental_run_tf_function=experimental_run_tf_function,
        initial_weights=initial_weights,
        distribution=distribution,
        input_shapes=get_shapes(train["x"]),
    )
    found: dict[str, Any] = {}
    for turn in (1, 2):
        found[f"training_history_{turn}"] = model.fit(**train).history
        if evaluate is not None:
            found[f"eval_result_{turn}"] = model.evaluate(**evaluate)
        found[f"weights_{turn}"] = model.get_weights()
        if turn == 1 and predict is not None:
            for number in range(3 if is_stateful_model else 1):
                found[f"predict_result_{number}"] = model.predict(**predict)
    return found


def compare_results(
    results_with_ds: dict[str, Any],
    results_without_ds: dict[str, Any],
    distribution: Any,
    testcase: Any,
    partial_last_batch: str | None = None,
) -> None:
    """Fails unless results are near each other.

    Args:
      results_with_ds, results_without_ds: by a strategy, and without one; changed where the last
        batch is smaller: losses, in which its elements weigh more, are left out.
      distribution: the strategy.
      testcase: a test case.
      partial_last_batch: what has such a batch: None, "eval", or "train_and_eval", where gradients
        differ too.
    """
    near, far = (1e-3, 1e-3) if partial_last_batch == "train_and_eval" else (1e-5, 1e-4)
    kinds = (mirrored_strategy.MirroredStrategy, distribute_lib._DefaultDistributionStrategy)
    of_weights = ("weights_1", "weights_2", "predict_result")
    for key in sorted(results_with_ds):
        history = key.startswith("training_history")
        if history and _has_steps_per_run(distribution):
            continue
        both = (results_with_ds, results_without_ds)
        if partial_last_batch is not None:
            for results in both:
                if history:
                    results[key]["val_loss"] = 0
                elif key.startswith("eval_result"):
                    results[key] = results[key][1:]
        is_far = isinstance(distribution, kinds) and key.startswith(of_weights)
        tolerance = far if is_far else near
        wanted, got = (results[key] for results in both)
        testcase.assertAllClose(
            wanted, got, atol=tolerance, rtol=tolerance, msg=f"Fail to assert {key}."
        )


def _is_for_tpus(distribution: Any) -> bool:
    return isinstance(distribution, tpu_strategy.TPUStrategy | tpu_strategy.TPUStrategyV1)


def _has_steps_per_run(distribution: Any) -> bool:
    """Whether a strategy runs several steps at once."""
    return _is_for_tpus(distribution) and distribution.extended.steps_per_run > 1


def should_skip_tpu_with_eager(distribution: Any) -> bool:
    """Whether a strategy is one for TPUs, which do not execute eagerly, as is done here."""
    return context.executing_eagerly() and _is_for_tpus(distribution)


class LearningRateBatchScheduler(Callback):
    """Gives each batch a learning rate: a thousandth of the last digit of its number.

    Args:
      update_freq: it is changed for each so manieth batch; None for all.
    """

    def __init__(self, update_freq: int | None = None):
        super().__init__()
        self._update_freq = update_freq

    def on_batch_begin(self, batch: int, logs: Any = None) -> None:
        if batch % (self._update_freq or 1) == 0:
            backend.set_value(self.model.optimizer.lr, 0.001 * (batch % 10))


class TestDistributionStrategyCorrectnessBase(test_util.TensorFlowTestCase, parameterized.TestCase):
    """A model, which a subclass makes, does the same under a strategy and without one."""

    __test__ = False  # For pytest: a base class.

    def set_up_test_config(
        self,
        use_numpy: bool = False,
        use_validation_data: bool = False,
        with_batch_norm: bool = False,
    ) -> None:
        """Keeps what a test is run with; seeds all generators.

        Args:
          use_numpy: whether inputs are arrays, or datasets.
          use_validation_data: whether training validates.
          with_batch_norm: whether the model normalizes batches.
        """
        self.use_numpy = use_numpy
        self.use_validation_data = use_validation_data
        self.with_batch_norm = with_batch_norm
        backend.set_image_data_format("channels_last")
        np.random.seed(_RANDOM_SEED)
        random_seed.set_random_seed(_RANDOM_SEED)

    def get_data(self) -> Any:
        """(10,000 zeros and ones, the same as labels, nothing to predict)."""
        points = np.random.randint(0, 2, 10000).reshape(-1, 1).astype(np.float32)
        return points, points.copy(), None

    def get_data_with_partial_last_batch(self) -> Any:
        """(points and labels to train on, to evaluate on, points to predict): a subclass's."""
        raise NotImplementedError

    def get_data_with_partial_last_batch_eval(self) -> Any:
        """The same, for evaluations whose last batch is smaller: a subclass's."""
        raise NotImplementedError

    def get_input_for_correctness_test(self, **kwargs: Any) -> tuple[Any, Any, Any]:
        """The arguments of `fit`, `evaluate` and `predict`; see `get_correctness_test_inputs`."""
        return get_correctness_test_inputs(**kwargs)

    def get_input_for_dynamic_lr_test(self, **kwargs: Any) -> tuple[Any, Any, Any]:
        """The same where the learning rate changes: only `fit` is called."""
        return kwargs, None, None

    def get_model(
        self,
        distribution: Any = None,
        experimental_run_tf_function: bool | None = None,
        input_shapes: Any = None,
    ) -> Any:
        """The model, compiled: a subclass's.

        Args:
          distribution: the strategy, or None.
          experimental_run_tf_function: whether Keras runs it as a function.
          input_shapes: of the arrays that it is to take.
        """
        raise NotImplementedError

    def _results(
        self, x_train: Any, strategies: tuple[Any, ...], input_fn: Any, run_tf_function: Any,
        is_stateful_model: bool = False,
    ) -> list[dict[str, Any]]:  # fmt: skip
        """What a model gives under each of some strategies; it begins with the same weights."""
        shapes = get_shapes(x_train)
        model = self.get_model(experimental_run_tf_function=run_tf_function, input_shapes=shapes)
        weights = model.get_weights()
        return [
            fit_eval_and_predict(
                weights,
                input_fn=functools.partial(input_fn, strategy),
                model_fn=self.get_model,
                experimental_run_tf_function=run_tf_function,
                distribution=strategy,
                is_stateful_model=is_stateful_model,
            )
            for strategy in strategies
        ]

    def run_correctness_test(
        self, distribution: Any, use_numpy: bool, use_validation_data: bool,
        experimental_run_tf_function: bool | None = None, with_batch_norm: bool = False,
        is_stateful_model: bool = False, partial_last_batch: str | None = None,
        training_epochs: int = 2,
    ) -> None:  # fmt: skip
        """Trains, evaluates and predicts under a strategy and without one.

        Several replicas normalize their batches each for itself: results must differ then.

        Args:
          distribution: the strategy.
          use_numpy: whether inputs are arrays, or datasets.
          use_validation_data: whether `fit` validates.
          experimental_run_tf_function: whether Keras runs models as functions.
          with_batch_norm: whether the model normalizes batches.
          is_stateful_model: whether it predicts otherwise each time.
          partial_last_batch: "eval" or "train_and_eval" if the last batch of it is smaller.
          training_epochs: how often `fit` goes through the data.
        """
        with self.cached_session():
            self.set_up_test_config(use_numpy, use_validation_data, with_batch_norm)
            if partial_last_batch == "eval":
                data = self.get_data_with_partial_last_batch_eval()
            elif partial_last_batch == "train_and_eval":
                data = self.get_data_with_partial_last_batch()
            else:
                x, y, to_predict = self.get_data()
                data = (x, y, x, y, to_predict)
            names = ("x_train", "y_train", "x_eval", "y_eval", "x_predict")

            def inputs(strategy: Any) -> Any:
                return self.get_input_for_correctness_test(
                    use_numpy=use_numpy,
                    use_validation_data=use_validation_data,
                    with_distribution=strategy,
                    training_epochs=training_epochs,
                    **dict(zip(names, data, strict=True)),
                )

            by_strategy, alone = self._results(
                data[0], (distribution, None), inputs, experimental_run_tf_function,
                is_stateful_model,
            )  # fmt: skip
            compare = functools.partial(
                compare_results, by_strategy, alone, distribution, self, partial_last_batch
            )
            if self.with_batch_norm and distribution.num_replicas_in_sync > 1:
                self.assertRaises(AssertionError, compare)
            else:
                compare()

    def run_dynamic_lr_test(
        self, distribution: Any, experimental_run_tf_function: bool | None = None
    ) -> None:
        """Trains with a learning rate that changes from batch to batch.

        Args:
          distribution: the strategy.
          experimental_run_tf_function: whether Keras runs models as functions.
        """
        with self.cached_session():
            self.set_up_test_config()
            x, y, _ = self.get_data()
            # Callbacks are called between runs.
            several = _has_steps_per_run(distribution)
            every = distribution.extended.steps_per_run if several else None

            def inputs(strategy: Any) -> Any:
                return self.get_input_for_dynamic_lr_test(
                    x=x,
                    y=y,
                    batch_size=get_batch_size(_GLOBAL_BATCH_SIZE, strategy),
                    shuffle=False,
                    epochs=2,
                    callbacks=[LearningRateBatchScheduler(every)],
                    validation_data=(x, y),
                )

            by_strategy, alone = self._results(
                x, (distribution, None), inputs, experimental_run_tf_function
            )
            compare_results(by_strategy, alone, distribution, testcase=self)


class TestDistributionStrategyEmbeddingModelCorrectnessBase(
    TestDistributionStrategyCorrectnessBase
):
    """The same for models of words."""

    def get_data(
        self,
        count: int = _GLOBAL_BATCH_SIZE * _EVAL_STEPS,
        min_words: int = 5,
        max_words: int = 10,
        max_word_id: int = 19,
        num_classes: int = 2,
    ) -> Any:
        """Rows of words; each class has its own frequencies of them.

        Args:
          count: how many rows there are.
          min_words, max_words: how long they are; the latter is none of the lengths.
          max_word_id: how many words there are.
          num_classes: how many classes.

        Returns:
          (the rows, padded to `max_words`; their classes; the first 64 rows).
        """
        frequencies = []
        for _ in range(num_classes):
            weights = np.abs(np.random.randn(max_word_id))
            frequencies.append(weights / np.sum(weights))
        rows, classes = [], []
        for _ in range(count):
            (number,) = np.random.randint(0, num_classes, size=1)
            (length,) = np.random.randint(min_words, max_words, size=1)
            classes.append(number)
            rows.append(np.random.choice(max_word_id, length, True, frequencies[number]))
        padded = sequence.pad_sequences(rows, maxlen=max_words)
        x = np.asarray(padded, dtype=np.float32)
        y = np.asarray(classes, dtype=np.int32).reshape(-1, 1)
        return x, y, x[:_GLOBAL_BATCH_SIZE]
