"""`tf.test`: the test case that TF1 code bases derive theirs from."""

import os
import subprocess
import sys
import textwrap
import unittest

import numpy as np
import pytest
from tensorboard.compat.proto import node_def_pb2

import tf1compat

tf = tf1compat.tensorflow()


class _Case(tf.test.TestCase):
    def runTest(self):
        pass


@pytest.fixture
def case():
    case = _Case()
    case.setUp()
    yield case
    case.tearDown()


def test_every_test_starts_alike(case):
    first = np.random.rand()
    graph = tf.get_default_graph()
    assert graph.seed == 87654321
    case.setUp()
    assert tf.get_default_graph() is not graph
    assert np.random.rand() == first


def test_sessions(case):
    with case.cached_session() as session:
        assert tf.get_default_session() is session
        assert tf.constant(3, name="c").op.device == "/device:CPU:0"
        assert case.evaluate([tf.constant(1), tf.constant(2)]) == [1, 2]
    with case.cached_session() as again:
        assert again is session
    different = pytest.raises(ValueError, match="The graph used .* is different than the one")
    with different, case.cached_session(graph=tf.Graph()):
        pass
    with case.session(graph=tf.Graph(), use_gpu=True) as other:
        assert other is not session
        assert tf.constant(3).op.device == ""
    with case.test_session() as again:
        assert again is session


def test_comparisons(case):
    case.assertAllClose({"a": [1.0, (2.0,)]}, {"a": [1.0 + 1e-7, (2.0,)]})
    case.assertAllClose(tf.constant([1.0, 2.0]), [1.0, 2.0])
    case.assertAllClose([[1.0], [2.0, 3.0]], [[1.0], [2.0, 3.0]])
    case.assertAllEqual([np.nan, 1.0], np.array([np.nan, 1.0]))
    case.assertAllCloseAccordingToType(np.float16(1), np.float16(1.0005))
    case.assertAllInRange([1, 2], 1, 3, open_upper_bound=True)
    case.assertShapeEqual(np.zeros((2, 3)), tf.zeros([2, 3]))
    case.assertItemsEqual([1, 2], [2, 1])
    case.assertProtoEquals("name: 'a'", node_def_pb2.NodeDef(name="a"))


@pytest.mark.parametrize(
    ("method", "arguments", "message"),
    [
        ("assertAllClose", ([1.0, 2.0], [1.0, 2.1]), r"not close where = \(array\(\[1\]\),\)"),
        ("assertAllClose", ([1.0], [[1.0]]), r"Shape mismatch: expected \(1,\), got \(1, 1\)"),
        ("assertAllClose", ({"a": 1}, {"b": 1}), "mismatched keys: a has keys"),
        ("assertAllEqual", ([1, 2], [1, 3]), r"not equal lhs = \[2\]"),
        ("assertNotAllClose", ([1.0], [1.0]), "close at all elements"),
        ("assertNotAllEqual", ([1.0], [1.0]), "equal at all elements"),
        ("assertNear", (1.0, 2.0, 0.5), r"1\.000000 != 2\.000000 \+/- 0\.500000"),
        ("assertAllInRange", ([1, 3], 1, 3, False, True), r"1 of the 2 .* range \[1, 3\)"),
        ("assertAllInSet", ([1, 4], [1, 2]), r"1 unique element\(s\) are not in the set"),
        ("assertAllGreater", ([1, 2], 1), "not greater than 1"),
        ("assertDTypeEqual", (np.zeros(1, np.float32), np.float64), "float32"),
        ("assertStartsWith", ("abc", "b"), "'abc' does not start with 'b'"),
        ("assertProtoEquals", ("name: 'b'", node_def_pb2.NodeDef(name="a")), "name"),
    ],
)
def test_failed_comparisons(case, method, arguments, message):
    with pytest.raises(AssertionError, match=message):
        getattr(case, method)(*arguments)


def test_dict_and_non_dict_cannot_be_compared(case):
    with pytest.raises(ValueError, match=r"Can't compare dict to non-dict, a\[x\] vs b\[x\]"):
        case.assertAllClose({"x": {}}, {"x": 1})


def test_op_errors(case):
    error = tf.errors.InvalidArgumentError(None, None, "negative input")
    with case.assertRaisesOpError("negative"):
        raise error
    with case.assertRaisesWithPredicateMatch(ValueError, lambda e: "x" in str(e)):
        raise ValueError("x")
    for raised in (error, ValueError("positive")):
        fails = pytest.raises(AssertionError, match="Exception of type")
        with fails, case.assertRaisesOpError("positive"):
            raise raised
    fails = pytest.raises(AssertionError, match="OpError not raised")
    with fails, case.assertRaisesOpError("positive"):
        pass


def test_checked_threads(case):
    thread = case.checkedThread(lambda: 1 / 0)
    thread.start()
    with pytest.raises(AssertionError, match="Error in checkedThread: division by zero"):
        thread.join()


def test_devices():
    from tf1compat.runtime import device_lib

    first = device_lib.list_local_devices()[0]
    assert (first.name, first.device_type) == ("/device:CPU:0", "CPU")
    assert tf.test.is_gpu_available() == (tf.test.gpu_device_name() == "/device:GPU:0")
    assert tf.test.is_built_with_gpu_support() == tf.test.is_gpu_available()
    assert tf.test.mock is unittest.mock


def test_main(tmp_path):
    script = tmp_path / "some_test.py"
    script.write_text(
        textwrap.dedent("""
            import tensorflow as tf
            tf.flags.DEFINE_integer("expected", 1, "")

            class SomeTest(tf.test.TestCase):
                def test_value(self):
                    self.assertEqual(tf.flags.FLAGS.expected, 1)

            if __name__ == "__main__":
                tf.test.main()
        """)
    )
    root = os.path.dirname(os.path.dirname(tf1compat.__file__))
    for flags, status, text in (([], 0, "OK"), (["--expected=2"], 1, "failures=1")):
        result = subprocess.run(
            [sys.executable, "-m", "tf1compat", str(script), *flags],
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONPATH": root},
        )
        assert result.returncode == status
        assert text in result.stderr
