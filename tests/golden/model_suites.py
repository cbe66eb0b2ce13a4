"""Suites on TF's base classes and examples for models under strategies; see strategy_suites.py.

python model_suites.py data/model_suites.json.gz
"""

import collections
import json
import os

import numpy as np
import tensorflow as tf
from absl.testing import parameterized
from strategy_suites import ONE, TWO, record
from tensorflow.python.distribute import (
    combinations,
    model_combinations,
    saved_model_test_base,
    single_loss_example,
    strategy_combinations,
)
from tensorflow.python.distribute.model_collection import model_collection_base, simple_models
from tensorflow.python.keras.distribute import (
    keras_correctness_test_base,
    multi_worker_testing_utils,
)
from tensorflow.python.keras.layers.preprocessing import preprocessing_test_utils
from tensorflow.python.keras.mixed_precision.experimental import test_util

keras = tf.keras
BOTH = ["graph", "eager"]
KINDS = ("ParameterServer", "Mirrored2")
STRATEGIES = [named for named in ONE + TWO if repr(named) in KINDS]
V1 = [strategy_combinations.gradient_descent_optimizer_v1_fn]
OPTIMIZERS = [*V1, strategy_combinations.gradient_descent_optimizer_keras_v2_fn]


def combined(**values):
    return combinations.generate(combinations.combine(**values))


class Examples(tf.test.TestCase, parameterized.TestCase):
    def _trained(self, strategy, model_fn, dataset_fn, layer, variable):
        """A variable's values before and after ten steps."""
        iterator = strategy.make_input_fn_iterator(lambda _: dataset_fn())
        self.evaluate(iterator.initialize())

        def step():
            outputs = strategy.experimental_run(model_fn, iterator)
            return strategy.group(strategy.unwrap(outputs))

        if not tf.executing_eagerly():
            train = step()
            self.evaluate(tf.global_variables_initializer())
            step = lambda: self.evaluate(train)  # noqa: E731
        step()
        values = [self.evaluate(variable(layer))]
        for _ in range(9):
            step()
        return values + [self.evaluate(variable(layer))]

    @combined(distribution=STRATEGIES, optimizer_fn=OPTIMIZERS, mode=BOTH, use_bias=[True])
    def test_minimize_loss(self, distribution, optimizer_fn, use_bias):
        with distribution.scope():
            made = single_loss_example.minimize_loss_example(optimizer_fn(), use_bias)
            model_fn, dataset_fn, layer = made
            first, last = self._trained(
                distribution, model_fn, dataset_fn, layer, lambda layer: layer.kernel.read_value()
            )
            self.assertEqual(len(layer.trainable_variables), 1 + use_bias)
            bias = self.evaluate(layer.bias.read_value())[0] if use_bias else 0.0
            self.assertLess(abs(last[0, 0] + bias - 1.0), 0.6)
            self.assertEqual(first.shape, (1, 1))

    @combined(distribution=STRATEGIES, mode=BOTH, iterations_per_step=[1, 3], optimizer_fn=V1)
    def test_single_loss(self, distribution, optimizer_fn, iterations_per_step):
        with distribution.scope():
            step, layer = single_loss_example.single_loss_example(
                optimizer_fn, distribution, True, iterations_per_step
            )
            if tf.executing_eagerly():
                run = step
            else:
                self.evaluate(step.initialize())
                train = step()
                self.evaluate(tf.global_variables_initializer())
                run = lambda: self.evaluate(train)  # noqa: E731
            if tf.executing_eagerly():
                step.initialize()
            for _ in range(10):
                run()
            total = self.evaluate(layer.kernel.read_value() + layer.bias.read_value())
            self.assertLess(abs(total[0, 0] - 1.0), 0.1)

    @combined(distribution=STRATEGIES, mode=["graph"], optimizer_fn=V1, renorm=[False])
    def test_batchnorm(self, distribution, optimizer_fn, renorm):
        with distribution.scope():
            made = single_loss_example.batchnorm_example(
                optimizer_fn, 2, renorm=renorm, update_ops_in_replica_mode=True
            )
            model_fn, dataset_fn, normalize = made
            first, last = self._trained(
                distribution, model_fn, dataset_fn, normalize, lambda n: n.moving_mean.read_value()
            )
            means = np.arange(8) + 60.0
            if distribution.num_replicas_in_sync == 1:
                self.assertAllClose(first, 0.1 * means)
            self.assertAllGreater(last - first, 0.0)


class Collection(tf.test.TestCase, parameterized.TestCase):
    @combined(
        model_and_input=[
            model_combinations.simple_functional_model, model_combinations.simple_sequential_model,
        ],
        mode=BOTH,
        experimental_run_tf_function=[True, False],
    )  # fmt: skip
    def test_models(self, model_and_input, experimental_run_tf_function):
        with self.cached_session():
            model, name = model_and_input.get_model(
                experimental_run_tf_function=experimental_run_tf_function
            )
            self.assertEqual((name, model.layers[-1].name), ("output_layer", "output_layer"))
            self.assertEqual(model_and_input.get_batch_size(), 10)
            data = model_and_input.get_data()
            self.assertEqual([d.shape.as_list() for d in data], [[1000, 3], [1000, 5], [1000, 3]])
            history = model.fit(data[0], data[1], epochs=2, steps_per_epoch=5, verbose=0).history
            self.assertEqual(sorted(history), ["loss", "mean_absolute_error"])
            self.assertEqual(model.optimizer.get_config()["name"], "SGD")

    @combined(mode=BOTH)
    def test_module(self):
        model, _ = simple_models.SimpleTFModuleModel().get_model(anything=1)
        result = model(tf.constant([2.0]))
        self.evaluate(tf.global_variables_initializer())
        self.assertAllEqual(self.evaluate(result), [6.0])

    def test_names(self):
        found = [getattr(model_combinations, n) for n in sorted(dir(model_combinations))]
        names = [repr(f) for f in found if isinstance(f, combinations.NamedObject)]
        kinds = ["Functional", "Sequential", "Subclass", "TFModule"]
        self.assertEqual(names, ["Simple%sModel" % kind for kind in kinds])
        base = model_collection_base.ModelAndInput()
        for method in (base.get_model, base.get_data, base.get_batch_size):
            with self.assertRaisesRegex(NotImplementedError, "must be implemented in descendants"):
                method()
        with self.assertRaises(AssertionError):
            simple_models.SimpleFunctionalModel().get_model()


EAGER = [named for named in ONE + TWO if repr(named) in ("OneDevice", "Mirrored1", "Mirrored2")]
MODELS = [
    model_combinations.simple_functional_model,
    model_combinations.simple_sequential_model,
]


class _Signatures(saved_model_test_base.TestSavedModelBase):
    """Models by `tf.saved_model.save`, and their signatures."""

    def _train_model(self, model, x_train, y_train, batch_size):
        points = tf.data.Dataset.from_tensor_slices((x_train, y_train)).batch(batch_size)
        model.fit(x=points.repeat(), epochs=1, steps_per_epoch=5, verbose=0)

    def _save_model(self, model, saved_dir):
        tf.saved_model.save(model, saved_dir)

    def _load_and_run_model(
        self, distribution, saved_dir, predict_dataset, output_name, experimental_run_tf_function
    ):
        return saved_model_test_base.load_and_run_with_saved_model_api(
            distribution, saved_dir, predict_dataset, output_name
        )


class SavedModels(_Signatures):
    @combined(
        model_and_input=MODELS, distribution=EAGER, mode=["eager"],
        experimental_run_tf_function=[True],
    )  # fmt: skip
    def test_loaded_under_a_strategy(
        self, model_and_input, distribution, experimental_run_tf_function
    ):
        self.run_test_save_no_strategy_restore_strategy(
            model_and_input, distribution, experimental_run_tf_function
        )

    def test_facts(self):
        base = saved_model_test_base
        said = [
            len(function())
            for function in (
                base.simple_models_with_strategies, base.simple_models_with_strategy_pairs,
                base.tfmodule_models_with_strategies, base.tfmodule_models_with_strategy_pairs,
            )
        ]  # fmt: skip
        self.assertEqual(said, [28, 196, 7, 49])
        strategy = tf.distribute.OneDeviceStrategy("/cpu:0")
        self.assertEqual((base.is_tpu_strategy(strategy), base.is_tpu_strategy(None)), (False,) * 2)
        self.assertEqual(base.get_tolerance(strategy, None), 1e-30)
        with self.assertRaises(NotImplementedError):
            base.TestSavedModelBase("_save_model")._save_model(None, "")


class SavedModules(_Signatures):
    """A `tf.Module`, which is not trained."""

    def _train_model(self, model, x_train, y_train, batch_size):
        self.assertEqual((model.v.numpy(), batch_size), (3.0, 10))

    def _predict_with_model(self, distribution, model, predict_dataset):
        if distribution is None:
            return model(next(iter(predict_dataset)))
        batch = next(iter(distribution.experimental_distribute_dataset(predict_dataset)))
        outputs = distribution.experimental_run_v2(model, args=(batch,))
        return tf.concat(distribution.experimental_local_results(outputs), 0)

    def _save_model(self, model, saved_dir):
        spec = tf.TensorSpec([None, 3], tf.float32)
        signature = tf.function(lambda x: {"foo": model(x)}, [spec])
        tf.saved_model.save(model, saved_dir, signatures=signature)

    MODULE = [model_combinations.simple_tfmodule_model]

    @combined(model_and_input=MODULE, distribution=EAGER, mode=["eager"])
    def test_loaded_under_a_strategy(self, model_and_input, distribution):
        self.run_test_save_no_strategy_restore_strategy(model_and_input, distribution, True)

    @combined(
        model_and_input=MODULE, distribution=EAGER, mode=["eager"], save_in_scope=[True, False]
    )
    def test_saved_under_a_strategy(self, model_and_input, distribution, save_in_scope):
        self.run_test_save_strategy_restore_no_strategy(
            model_and_input, distribution, save_in_scope, True
        )

    @combined(
        model_and_input=MODULE, distribution_for_saving=EAGER, distribution_for_restoring=EAGER,
        mode=["eager"],
    )  # fmt: skip
    def test_pairs(self, model_and_input, distribution_for_saving, distribution_for_restoring):
        self.run_test_save_strategy_restore_strategy(
            model_and_input, distribution_for_saving, distribution_for_restoring, True, True
        )


class MixedPrecision(tf.test.TestCase, parameterized.TestCase):
    @combined(mode=BOTH)
    def test_gradient_is_checked(self):
        x = tf.constant([1.0, 2.0])
        for wanted, dtype, error in (
            ([2.0, 2.0], tf.float32, None), ([2.0, 2.0], None, None),
            ([2.0, 3.0], None, tf.errors.InvalidArgumentError), (2.0, tf.float16, AssertionError),
        ):  # fmt: skip
            identity = test_util.create_identity_with_grad_check_fn(wanted, dtype)

            def gradient():
                with tf.GradientTape() as tape:
                    tape.watch(x)
                    y = identity(x) * 2.0
                return self.evaluate(tape.gradient(y, x))

            if error is None:
                self.assertAllEqual(gradient(), [2.0, 2.0])
            else:
                with self.assertRaises(error):
                    gradient()

    @combined(mode=BOTH)
    def test_gradient_is_no_number(self):
        x = tf.constant([1.0, 2.0])
        for spoilt in (False, True):
            identity = test_util.create_identity_with_nan_gradients_fn(tf.constant(spoilt))
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = identity(x) * 2.0
            gradient = self.evaluate([y, tape.gradient(y, x)])
            self.assertAllEqual(gradient[0], [2.0, 4.0])
            self.assertAllEqual(np.isnan(gradient[1]), [spoilt, spoilt])


class Mean:
    """Gathers a mean by its sum and its count."""

    Sums = collections.namedtuple("Sums", "total count")

    def compute(self, values, accumulator=None):
        made = self.Sums(np.sum(values, axis=0), np.array(len(values)))
        return made if accumulator is None else self.merge([made, accumulator])

    def merge(self, accumulators):
        return self.Sums(*(np.sum(part, axis=0) for part in zip(*accumulators)))

    def extract(self, accumulator):
        return {"mean": accumulator.total / accumulator.count, "n": accumulator.count}

    def restore(self, output):
        return self.Sums(output["mean"] * output["n"], output["n"])

    def serialize(self, accumulator):
        return json.dumps([part.tolist() for part in accumulator]).encode()

    def deserialize(self, encoded):
        return self.Sums(*map(np.array, json.loads(encoded.decode())))


class Preprocessing(preprocessing_test_utils.PreprocessingLayerTest):
    def test_mean(self):
        data = np.array([[1.0], [2.0], [3.0], [6.0], [8.0]])
        mean = Mean()
        self.validate_accumulator_computation(mean, data, mean.Sums(np.array([20.0]), np.array(5)))
        extracted = {"mean": np.array([4.0]), "n": np.array(5)}
        self.validate_accumulator_extract(mean, data, extracted)
        self.validate_accumulator_extract_and_restore(mean, data, extracted)
        self.validate_accumulator_serialize_and_deserialize(mean, data, None)
        self.validate_accumulator_uniqueness(mean, data)
        for wrong in ({"mean": np.array([5.0]), "n": np.array(5)}, {"mean": np.array([4.0])}):
            with self.assertRaises(AssertionError):
                self.validate_accumulator_extract(mean, data, wrong)
        with self.assertRaisesRegex(AssertionError, "Data must have at least 4 elements."):
            self.validate_accumulator_computation(mean, data[:3], None)

    def test_words(self):
        words = np.array([b"a", b"b"])
        self.assertAllCloseOrEqual([words, {"x": words}], (words, {"x": words}))
        with self.assertRaisesRegex(AssertionError, "said"):
            self.assertAllCloseOrEqual({"x": np.array([1.0])}, {"x": np.array([2.0])}, "said")
        with self.assertRaises(AssertionError):
            self.assertAllCloseOrEqual(words, np.array([b"a", b"c"]))

    def test_of_order(self):
        class Last(Mean):
            def merge(self, accumulators):
                return accumulators[-1]

        with self.assertRaises(AssertionError):
            self.validate_accumulator_computation(Last(), np.arange(5.0), None)


base = keras_correctness_test_base
CORRECT = [
    named
    for named in [strategy_combinations.default_strategy] + ONE + TWO
    if repr(named) == "Mirrored2"
]


class Dense(base.TestDistributionStrategyCorrectnessBase):
    """A model of two layers."""

    def get_data(self):
        x = np.random.rand(192, 1).astype(np.float32)
        return x, 3 * x, np.arange(16, dtype=np.float32).reshape(16, 1) / 16

    def get_data_with_partial_last_batch_eval(self):
        x, y, predicted = self.get_data()
        return x, y, x[:100], y[:100], predicted

    def get_model(
        self, initial_weights=None, distribution=None, experimental_run_tf_function=None,
        input_shapes=None,
    ):  # fmt: skip
        with base.MaybeDistributionScope(distribution):
            layers = [keras.layers.Dense(10, activation="relu", input_shape=(1,))]
            if self.with_batch_norm:
                layers.append(keras.layers.BatchNormalization())
            model = keras.Sequential(layers + [keras.layers.Dense(1)])
            if initial_weights:
                model.set_weights(initial_weights)
            model.compile(
                loss="mse",
                optimizer=keras.optimizers.SGD(0.05),
                metrics=["mse"],
                experimental_run_tf_function=experimental_run_tf_function,
            )
        return model

    @combined(
        distribution=CORRECT, mode=["graph"], use_numpy=[True, False],
        use_validation_data=[False],
    )  # fmt: skip
    def test_correct(self, distribution, use_numpy, use_validation_data):
        self.run_correctness_test(distribution, use_numpy, use_validation_data, False)

    @combined(distribution=CORRECT, mode=["graph"], use_numpy=[True])
    def test_batch_norm(self, distribution, use_numpy):
        self.run_correctness_test(distribution, use_numpy, False, False, with_batch_norm=True)

    @combined(distribution=CORRECT, mode=["graph"], use_numpy=[False])
    def test_partial_last_batch(self, distribution, use_numpy):
        self.run_correctness_test(
            distribution, use_numpy, False, False, partial_last_batch="eval", training_epochs=1
        )

    @combined(distribution=CORRECT, mode=["graph"], experimental_run_tf_function=[True])
    def test_dynamic_lr(self, distribution, experimental_run_tf_function):
        self.run_dynamic_lr_test(distribution, experimental_run_tf_function)


class Words(base.TestDistributionStrategyEmbeddingModelCorrectnessBase):
    """A model of words."""

    def get_data(self, count=128, **kwargs):
        return super(Words, self).get_data(count, **kwargs)

    def get_model(
        self, max_words=10, initial_weights=None, distribution=None,
        experimental_run_tf_function=None, input_shapes=None,
    ):  # fmt: skip
        with base.MaybeDistributionScope(distribution):
            words = keras.layers.Input(shape=(max_words,), dtype=np.int32, name="words")
            embedded = keras.layers.Embedding(20, 4)(words)
            output = keras.layers.Dense(2, activation="softmax")(
                keras.layers.GlobalAveragePooling1D()(embedded)
            )
            model = keras.Model(words, output)
            if initial_weights:
                model.set_weights(initial_weights)
            model.compile(
                optimizer=keras.optimizers.SGD(0.1),
                loss="sparse_categorical_crossentropy",
                metrics=["sparse_categorical_accuracy"],
                experimental_run_tf_function=experimental_run_tf_function,
            )
        return model

    @combined(
        distribution=CORRECT,
        mode=["graph"],
        use_numpy=[True, False],
        use_validation_data=[True],
    )
    def test_correct(self, distribution, use_numpy, use_validation_data):
        self.run_correctness_test(distribution, use_numpy, use_validation_data, False)

    def test_facts(self):
        said = [
            len(function())
            for function in (
                base.eager_mode_test_configuration, base.graph_mode_test_configuration,
                base.all_strategy_and_input_config_combinations,
                base.strategy_minus_tpu_and_input_config_combinations_eager,
                base.strategies_for_embedding_models, base.test_combinations_for_embedding_model,
                base.test_combinations_with_tpu_strategies,
            )
        ]  # fmt: skip
        self.assertEqual(said, [4, 4, 96, 20, 5, 52, 8])
        x = np.zeros((3, 2))
        sizes = [base.get_data_size(data) for data in (x, [x, x], (x,), {"a": x})]
        self.assertEqual(sizes, [3, 3, 3, 3])
        self.assertEqual(base.get_shapes([x, {"a": x}]), [(3, 2), {"a": (3, 2)}])
        self.assertIsNone(base.get_shapes([x, 5]))
        self.assertFalse(base.should_skip_tpu_with_eager(None))
        self.assertEqual(base.get_batch_size(64, None), 64)
        x, y, predicted = super(Words, self).get_data()
        self.assertEqual((x.shape, y.shape, predicted.shape), ((1280, 10), (1280, 1), (64, 10)))
        np.random.seed(3)
        x, y, _ = self.get_data(4)
        self.assertEqual((x.sum(), y.ravel().tolist()), DRAWN)


DRAWN = (np.float32(287.0), [0, 0, 0, 1])


class Digits(tf.test.TestCase, parameterized.TestCase):
    @combined(mode=["graph"])
    def test_model(self):
        with self.cached_session():
            train, test = multi_worker_testing_utils.mnist_synthetic_dataset(64, 2)
            shapes = [tf.data.get_output_shapes(d)[0].as_list() for d in (train, test)]
            self.assertEqual(shapes, [[64, 28, 28, 1]] * 2)
            model = multi_worker_testing_utils.get_mnist_model((28, 28, 1))
            first = np.abs(model.get_weights()[0]).sum()
            self.assertAllClose(first, 10.0126, atol=1e-3)
            history = model.fit(train, epochs=1, steps_per_epoch=2, verbose=0).history
            self.assertEqual(sorted(history), ["acc", "loss"])
            self.assertAllClose(history["loss"][0], 2.0, atol=1.0)


CLASSES = [
    Collection, MixedPrecision, Preprocessing, SavedModules, Examples, Words, Dense, SavedModels,
    Digits,
]  # fmt: skip

if __name__ == "__main__":
    strategy_combinations.set_virtual_cpus_to_at_least(3)
    wanted = os.environ.get("CLASSES")
    record([case for case in CLASSES if not wanted or case.__name__ in wanted.split()])
