"""The base classes and decorators of TF's own tests, beside `test_util`."""

from __future__ import annotations

import unittest

import numpy as np
import pytest
from absl.testing import parameterized

import tf1compat
from tf1compat.launcher import import_hook

import_hook.install()
tf = tf1compat.tensorflow()
from tensorflow.python.data.kernel_tests import test_base  # noqa: E402  # pyright: ignore
from tensorflow.python.framework import combinations  # noqa: E402  # pyright: ignore
from tensorflow.python.keras import (  # noqa: E402  # pyright: ignore
    keras_parameterized,
    testing_utils,
)
from tensorflow.python.summary.writer import (  # noqa: E402  # pyright: ignore
    fake_summary_writer,
)
from tensorflow.python.training import saver_test_utils  # noqa: E402  # pyright: ignore

keras = tf.keras


def _run(case):
    """Runs a test case; returns (names of its tests, {failed test: last line}, reasons)."""
    tests = unittest.defaultTestLoader.loadTestsFromTestCase(case)
    names = sorted(test.id().split(".")[-1] for test in tests)
    result = unittest.TestResult()
    tests.run(result)
    failed = {
        test.id().split(".")[-1]: text.splitlines()[-1]
        for test, text in result.errors + result.failures
    }
    reasons = {reason for _, reason in result.skipped} - {"Not a test."}
    return [name for name in names if name != "test_session"], failed, reasons


def test_combinations():
    seen = []
    wanted = combinations.times(
        combinations.combine(a=[1, 2]), combinations.combine(mode="graph", b=["x y"])
    )

    class Methods(tf.test.TestCase, parameterized.TestCase):
        @combinations.generate(wanted)
        def testArguments(self, a, b):
            seen.append((a, b))

        @combinations.generate(combinations.combine(a=[1]))
        def testUnknown(self):
            pass

        @combinations.generate(combinations.combine(tf_api_version=[1, 2]))
        def testVersion(self):
            seen.append("version")

    names, failed, reasons = _run(Methods)
    assert names == [
        "testArguments_test_a_1_b_xy_mode_graph",
        "testArguments_test_a_2_b_xy_mode_graph",
        "testUnknown_test_a_1",
        "testVersion_test_tfapiversion_1",
        "testVersion_test_tfapiversion_2",
    ]
    text = "ValueError: The test does not take parameters that were passed : {'a'} ."
    assert failed == {"testUnknown_test_a_1": text}
    assert seen == [(1, "x y"), (2, "x y"), "version"]
    assert reasons == {" - Skipping a TF2 test when TF2 is not enabled."}
    with pytest.raises(ValueError, match="Keys need to not overlap"):
        combinations.times(combinations.combine(a=1), combinations.combine(a=2))


def test_combinations_of_a_class():
    modes = []

    @combinations.generate(combinations.combine(mode=["graph", "eager"]))
    class Both(tf.test.TestCase, parameterized.TestCase):
        def testMode(self):
            modes.append(tf.executing_eagerly())

    assert _run(Both)[:2] == (["testMode_test_mode_eager", "testMode_test_mode_graph"], {})
    assert sorted(modes) == [False, True]


def test_dataset_tests():
    class Range(test_base.DatasetTestBase, parameterized.TestCase):
        @combinations.generate(combinations.combine(mode=["graph", "eager"]))
        def testRange(self):
            dataset = tf.data.Dataset.range(3)
            self.assertDatasetProduces(dataset, [0, 1, 2], expected_shapes=tf.TensorShape([]))
            self.assertDatasetProduces(dataset, [2, 0, 1], assert_items_equal=True)
            self.assertDatasetsEqual(dataset, dataset.map(lambda x: x))
            zeros = self.structuredDataset((None, (None,)), [2])
            self.assertDatasetProduces(zeros, [(np.zeros(2), (np.zeros(2),))])
            with self.assertRaises(AssertionError):
                self.assertDatasetProduces(dataset, [0, 1, 3])
            failing = dataset.map(
                lambda x: tf.debugging.check_numerics(1.0 / tf.cast(x, "float"), "bad")
            )
            error = (tf.errors.InvalidArgumentError, "bad")
            self.assertDatasetProduces(failing, expected_error=error)
            if tf.executing_eagerly():  # A graph's errors name the iterators' nodes.
                self.assertDatasetsRaiseSameError(failing, failing, tf.errors.InvalidArgumentError)

    assert _run(Range)[1] == {}


def test_keras_tests():
    kinds = []

    @keras_parameterized.run_with_all_model_types
    class Models(keras_parameterized.TestCase):
        def test_models(self):
            kinds.append(testing_utils.get_model_type())
            with testing_utils.run_eagerly_scope(False):
                model = testing_utils.get_small_mlp(4, 2, 3)
                eagerly = testing_utils.should_run_eagerly()
                model.compile(testing_utils.get_v2_optimizer("sgd"), "mse", run_eagerly=eagerly)
                model.fit(np.zeros((4, 3), np.float32), np.zeros((4, 2)), verbose=0)

        def test_branches(self):
            if testing_utils.get_model_type() == "sequential":
                return
            a, b = keras.layers.Input((2,)), keras.layers.Input((3,))
            model = testing_utils.get_multi_io_model(
                [a, keras.layers.Dense(2)], [b, keras.layers.Dense(2)]
            )
            data = [np.ones((4, 2), np.float32), np.ones((4, 3), np.float32)]
            self.assertEqual([y.shape for y in model.predict(data)], [(4, 2), (4, 2)])

    assert _run(Models)[1] == {}
    assert sorted(kinds) == ["functional", "sequential", "subclass"]
    with pytest.raises(ValueError, match=r"^Cannot call `get_model_type\(\)` outside of a"):
        testing_utils.get_model_type()


@keras_parameterized.run_all_keras_modes(always_skip_eager=True)
class _Modes(keras_parameterized.TestCase):
    def test_mode(self):
        self.assertFalse(testing_utils.should_run_eagerly())


def test_keras_modes():
    assert [name.partition("v")[2] for name in _run(_Modes)[0]] == [
        "1_session",
        "2_funcgraph",
        "2_function",
    ]
    assert _run(_Modes)[1] == {}


def test_layers_are_tested():
    output = testing_utils.layer_test(keras.layers.Flatten, input_shape=(3, 2, 4))
    assert output.shape == (3, 8)
    dense = {"kwargs": {"units": 3}, "input_shape": (3, 2)}
    testing_utils.layer_test(keras.layers.Dense, **dense)
    with pytest.raises(
        AssertionError, match="^When testing layer Dense, for input .* found output"
    ):
        testing_utils.layer_test(keras.layers.Dense, **dense, expected_output_shape=(None, 4))
    with pytest.raises(AssertionError, match="Not equal to tolerance"):
        testing_utils.layer_test(keras.layers.Dense, **dense, expected_output=np.zeros((3, 3)))
    keras.backend.clear_session()


def test_summaries_are_kept():
    fake = fake_summary_writer.FakeSummaryWriter
    fake.install()
    try:
        with pytest.raises(ValueError, match="already installed"):
            fake.install()
        made = tf.summary.FileWriterCache.get("folder")
    finally:
        fake.uninstall()
    assert isinstance(made, fake)
    tf.summary.FileWriterCache.clear()
    with pytest.raises(ValueError, match="not installed"):
        fake.uninstall()
    summary = tf.Summary(value=[tf.Summary.Value(tag="a", simple_value=2.0)])
    made.add_summary(summary, 1)
    made.add_summary(summary.SerializeToString(), 2)
    case = tf.test.TestCase()
    made.assert_summaries(case, "folder", expected_summaries={1: {"a": 2.0}, 2: {"a": 2.0}})
    for wrong in ({"expected_logdir": "other"}, {"expected_summaries": {3: {}}}):
        with pytest.raises(AssertionError):
            made.assert_summaries(case, **wrong)


def test_a_custom_saveable(tmp_path):
    path = str(tmp_path / "ckpt")
    with tf.Graph().as_default(), tf.Session() as sess:
        table = saver_test_utils.CheckpointedOp("t")
        table.insert("k", 3.0).run()
        tf.train.Saver([table.saveable]).save(sess, path)
        assert sess.run(table.keys()) == b"k"
    with tf.Graph().as_default(), tf.Session() as sess:
        table = saver_test_utils.CheckpointedOp("t")
        tf.train.Saver().restore(sess, path)
        assert sess.run(table.values()) == 3.0
