"""`tensorflow.python.framework.test_util` and the rest of `tf.test`, as test suites use them."""

from __future__ import annotations

import os
import sys
import unittest

import numpy as np
import pytest
from absl.testing import parameterized

import tf1compat
from tf1compat.launcher import import_hook

import_hook.install()
tf = tf1compat.tensorflow()
from tensorflow.python.eager import context  # noqa: E402  # pyright: ignore
from tensorflow.python.framework import test_util  # noqa: E402  # pyright: ignore
from tensorflow.python.ops import gradient_checker_v2  # noqa: E402  # pyright: ignore


def _run(*cases):
    """Runs test cases; returns (tests run, errors and failures, reasons of skipped ones)."""
    result = unittest.TestResult()
    for case in cases:
        unittest.defaultTestLoader.loadTestsFromTestCase(case).run(result)
    # `test_session` looks like a test to unittest, and skips itself.
    skipped = [reason for _, reason in result.skipped if reason != "Not a test."]
    failures = [text for _, text in result.errors + result.failures]
    return result.testsRun - len(cases), failures, skipped


def test_tests_in_both_modes():
    modes = []

    @test_util.run_all_in_graph_and_eager_modes
    class Both(tf.test.TestCase):
        def testAdd(self):
            modes.append(context.executing_eagerly())
            self.assertAllEqual(self.evaluate(tf.constant([1, 2]) + 1), [2, 3])
            self.assertAllClose(self.evaluate({"a": tf.constant(2.0)}), {"a": 2.0})

        def testSkipEager(self):
            modes.append("once")

    assert _run(Both)[:2] == (2, [])
    assert modes == [False, True, "once"]


def test_sessions_in_both_modes():
    class Sessions(tf.test.TestCase):
        @test_util.run_in_graph_and_eager_modes(use_gpu=False)
        def testCached(self):
            with self.cached_session() as session:
                self.assertEqual(session.run(tf.constant(2)), 2)

        def testEager(self):
            no_attribute = self.assertRaisesRegex(
                AttributeError, "while eager execution is enabled"
            )
            with context.eager_mode(), self.session() as session, no_attribute:
                session.run(1)
            no_feeds = self.assertRaisesRegex(RuntimeError, "feed_dict is not supported")
            with context.eager_mode(), self.cached_session() as session, no_feeds:
                session.run(1, feed_dict={1: 2})

    assert _run(Sessions)[:2] == (2, [])


def test_decorators_of_methods():
    ran = []

    class Decorated(parameterized.TestCase, tf.test.TestCase):
        @test_util.run_v2_only
        def testV2(self):
            ran.append("v2")

        @test_util.run_v1_only("b/1")
        def testV1(self):
            ran.append("v1")

        @test_util.run_deprecated_v1
        def testDeprecated(self):
            ran.append("deprecated")

        @test_util.deprecated_graph_mode_only
        def testGraph(self):
            ran.append("graph")

        @test_util.disable_control_flow_v2("b/2")
        def testControlFlow(self):
            ran.append("control flow")

        @test_util.skip_if(lambda: True)
        def testSkipped(self):
            ran.append("skipped")

        @test_util.disable_xla("b/3")
        def testXla(self):
            ran.append("xla")

        @test_util.assert_no_new_tensors
        def testNoTensors(self):
            with self.session() as session:
                self.assertEqual(session.run(tf.constant(1) + 2), 3)

        @test_util.build_as_function_and_v1_graph
        def testFunction(self):
            ran.append(type(tf.get_default_graph()).__name__)

    count, failures, skipped = _run(Decorated)
    assert not failures
    assert count == 10
    assert skipped == ["Test is only compatible with v2"]
    expected = ["control flow", "deprecated", "graph", "v1", "xla", "Graph", "FuncGraph"]
    assert sorted(ran) == sorted(expected)


def test_a_leak_is_found():
    class Leak(tf.test.TestCase):
        kept = []

        @test_util.assert_no_new_tensors
        def testTensors(self):
            self.kept.append(tf.constant(1))

        @test_util.assert_no_garbage_created
        def testGarbage(self):
            cycle = []
            cycle.append(cycle)

    count, failures, _ = _run(Leak)
    assert count == len(failures) == 2
    assert "1 Tensors not deallocated after test" in "".join(failures)


@pytest.mark.parametrize("decorator", ["run_in_graph_and_eager_modes", "run_v2_only"])
def test_decorators_of_methods_refuse_classes(decorator):
    with pytest.raises(ValueError, match="only supports test methods"):
        getattr(test_util, decorator)(unittest.TestCase)


def test_tests_run_with_functional_control_flow_too():
    @test_util.with_control_flow_v2
    class Cond(tf.test.TestCase):
        def test_it(self):
            types.append(tf.cond(tf.constant(True), lambda: 1, lambda: 2).op.type)

        @test_util.disable_control_flow_v2("a reason")
        def test_other(self):
            types.append("other")

    types = []
    for name in sorted(dir(Cond)):
        if name.startswith("test_it") or name.startswith("test_other"):
            Cond(name).debug()
    assert types == ["Merge", "Identity", "other"]
    assert not tf.control_flow_v2_enabled()


def test_combinations():
    found = test_util.generate_combinations_with_testcase_name(a=[1, 2], b=["x"])
    assert [dict(c) for c in found] == [
        {"a": 1, "b": "x", "testcase_name": "_test_a_1_b_x"},
        {"a": 2, "b": "x", "testcase_name": "_test_a_2_b_x"},
    ]


def test_written_text_is_captured():
    class Capture(tf.test.TestCase):
        def runTest(self):
            pass

    with (
        open(os.devnull, "w") as stream,
        Capture().captureWritesToStream(stream) as captured,
    ):
        stream.write("one\n")
        stream.flush()
        os.write(stream.fileno(), b"two")
    assert captured.contents() == "one\ntwo"


def _graph(make):
    with tf.Graph().as_default() as graph:
        make()
    return graph.as_graph_def()


def _sum(b=2.0, op=tf.add, device=None):
    with tf.device(device):
        return op(tf.constant(1.0, name="a"), tf.constant(b, name="b"), name="c")


# What differs -> TensorFlow 1.15's text, the plain graph being the one that is expected.
DIFFERENCES = [
    (
        lambda: _sum(3.0),
        "Node named 'b' has attr 'value' with value: Tensor<type: float shape: [] values: 3> that "
        "does not match expected: Tensor<type: float shape: [] values: 2>",
    ),
    (lambda: [_sum(), tf.no_op(name="z")], "Found unexpected node '{{node z}} = NoOp[]()'"),
    (
        lambda: _sum(op=tf.multiply),
        "Node named 'c' has op 'Mul' that is not expected 'Add'",
    ),
    (
        lambda: _sum(op=lambda a, b, name: tf.add(b, a, name=name)),
        "Node named 'c' has input 0 'b' that doesn't match expected 'a'",
    ),
    (
        lambda: _sum(device="/cpu:0"),
        "Node named 'a' has device '/device:CPU:0' that is not expected ''",
    ),
]


@pytest.mark.parametrize("number", range(len(DIFFERENCES)))
def test_graphs_that_differ(number):
    make, text = DIFFERENCES[number]
    with pytest.raises(AssertionError) as raised:
        tf.test.assert_equal_graph_def(_graph(make), _graph(_sum))
    assert str(raised.value) == text


def test_equal_graphs():
    tf.test.assert_equal_graph_def(_graph(_sum), _graph(_sum))
    with pytest.raises(TypeError, match="Expected tf.GraphDef for expected, got int"):
        tf.test.assert_equal_graph_def(_graph(_sum), 3)
    missing = "Did not find expected node '{{node z}} = NoOp\\[\\]\\(\\)'"
    with pytest.raises(AssertionError, match=missing):
        tf.test.assert_equal_graph_def(_graph(_sum), _graph(lambda: [_sum(), tf.no_op(name="z")]))


def test_ops_in_a_graph():
    with tf.Graph().as_default() as graph:
        _sum()
    assert test_util.assert_ops_in_graph({"c": "Add"}, graph)["c"].name == "c"
    with pytest.raises(ValueError, match="Expected op for node c is different. Mul vs Add"):
        test_util.assert_ops_in_graph({"c": "Mul"}, graph)
    with pytest.raises(ValueError, match="Not all expected ops are present"):
        test_util.assert_ops_in_graph({"d": "Add"}, graph)


def test_stubs():
    stubs = tf.test.StubOutForTesting()
    before = os.getcwd
    stubs.Set(os, "getcwd", lambda: "elsewhere")
    stubs.SmartSet(os.path, "exists", lambda path: "maybe")
    assert os.getcwd() == "elsewhere"
    assert os.path.exists("/") == "maybe"
    stubs.CleanUp()
    assert os.getcwd is before
    assert os.path.exists("/") is True
    with pytest.raises(AttributeError):
        stubs.SmartSet(3, "no_such", 1)


def test_gradients_against_differences():
    with tf.Graph().as_default(), tf.Session():
        x = tf.constant(np.linspace(-1, 1, 6).reshape(2, 3), name="x")
        y = tf.tanh(tf.matmul(x, x, transpose_b=True))
        assert tf.test.compute_gradient_error(x, [2, 3], y, [2, 2]) < 1e-5
        theoretical, numeric = tf.test.compute_gradient(
            x, [2, 3], y, [2, 2], x_init_value=np.ones([2, 3])
        )
        assert theoretical.shape == numeric.shape == (6, 4)
        np.testing.assert_allclose(theoretical, numeric, atol=1e-5)
        w = tf.constant([1.0, 2.0], tf.float64)
        pairs = tf.test.compute_gradient(
            [x, w], [[2, 3], [2]], tf.gather(x, [1, 1, 0]) * w[0], [3, 3]
        )
        assert [pair[0].shape for pair in pairs] == [(6, 9), (2, 9)]
        for pair in pairs:
            np.testing.assert_allclose(*pair, atol=1e-5)
        c = tf.constant([1 + 2j, 3j], tf.complex128)
        assert tf.test.compute_gradient_error(c, [2], c * c, [2]) < 1e-5


@pytest.mark.parametrize("eager", [False, True])
def test_gradients_of_functions(eager):
    mode = context.eager_mode() if eager else context.graph_mode()
    with tf.Graph().as_default(), tf.Session(), mode:
        arguments = [np.array([1.0, 2.0]), np.array([3.0, 4.0])]
        found = gradient_checker_v2.compute_gradient(lambda x, y: x * tf.sin(y), arguments)
        assert gradient_checker_v2.max_error(*found) < 1e-5
    with pytest.raises(ValueError, match="`x` must be a list of Tensors"):
        gradient_checker_v2.compute_gradient(tf.sin, 3)


def test_benchmarks(capsys, monkeypatch):
    class Some(tf.test.Benchmark):
        def benchmarkSum(self):
            config = tf.test.benchmark_config()
            with tf.Graph().as_default(), tf.Session(config=config) as session:
                found = self.run_op_benchmark(
                    session, tf.constant(1) + 1, min_iters=3, extras={"size": 1}, mbs=2
                )
            assert found["iters"] == 3
            assert found["throughput"] == 2 / found["wall_time"]

    from tensorflow.python.platform import benchmark  # pyright: ignore

    assert Some in benchmark.GLOBAL_BENCHMARK_REGISTRY
    benchmark._run_benchmarks("Some.*Sum")
    text = capsys.readouterr().out
    assert 'name: "Some.benchmarkSum"' in text
    assert "double_value: 1.0" in text
    benchmark.GLOBAL_BENCHMARK_REGISTRY.discard(Some)
    monkeypatch.setattr(sys, "argv", ["x"])
    ran = []
    benchmark.benchmarks_main(lambda: ran.append(1))
    assert ran == [1]


def test_orders_of_dimensions():
    shape = [2, 3, 5, 8]
    assert test_util.NHWCToNCHW(shape) == [2, 8, 3, 5]
    assert test_util.NCHWToNHWC(test_util.NHWCToNCHW(shape)) == shape
    assert test_util.NHWCToNCHW_VECT_C(shape) == [2, 2, 3, 5, 4]
    assert test_util.NCHW_VECT_CToNHWC([2, 2, 3, 5, 4]) == shape
    values = np.arange(2 * 3 * 5 * 8).reshape(shape)
    with tf.Graph().as_default(), tf.Session() as session:
        there = test_util.NHWCToNCHW_VECT_C(tf.constant(values))
        back = test_util.NCHW_VECT_CToNHWC(there)
        assert there.shape.as_list() == [2, 2, 3, 5, 4]
        np.testing.assert_array_equal(session.run(back), values)
        first = test_util.NCHWToNHWC(test_util.NHWCToNCHW(tf.constant(values)))
        np.testing.assert_array_equal(session.run(first), values)


def test_near_arrays_of_one_element():
    class Near(tf.test.TestCase):
        def testNear(self):
            self.assertNear(np.array([1.0], "f"), 1.1, 0.2)

    assert _run(Near)[:2] == (1, [])


def _failure(call):
    """The text of an AssertionError, without what differs between versions of NumPy."""
    with pytest.raises(AssertionError) as caught:
        call()
    return str(caught.value)


class _Case(tf.test.TestCase):
    def runTest(self):
        """Nothing."""


@pytest.fixture
def case():
    made = _Case()
    made.setUp()
    return made


def test_scalars_differ(case):
    assert "not equal lhs = 2\nnot equal rhs = 3" in _failure(lambda: case.assertAllEqual(2, 3))
    text = _failure(lambda: case.assertAllClose(2.0, 3.0))
    assert "not close lhs = 2.0\nnot close rhs = 3.0\nnot close dif = 1.0\n" in text
    assert "where" not in text


def test_ragged_values_are_compared(case):
    ragged = tf.ragged.constant([[1.0], [2.0, 3.0]])
    case.assertAllEqual(ragged, [[1.0], [2.0, 3.0]])
    case.assertAllClose(case.evaluate(ragged), ragged)
    text = _failure(lambda: case.assertAllEqual(ragged, [[1.0], [2.0, 4.0]]))
    assert text.startswith("Lists differ: [[1.0], [2.0, 3.0]] != [[1.0], [2.0, 4.0]]")
    assert "not close" in _failure(lambda: case.assertAllClose(ragged, [[1.0], [2.0, 3.1]]))
    with context.eager_mode():
        eager = tf.ragged.constant([[1], [2, 3]])
        assert case.evaluate(eager).to_list() == [[1], [2, 3]]


def test_lists_of_tensors_are_compared():
    class Lists(tf.test.TestCase):
        def testLists(self):
            one, two = tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])
            scalar = tf.constant(3.0)
            with self.session():
                self.assertAllClose([one, two], (one + 0.0, two * 1.0))
                self.assertAllClose([scalar, [one]], [3.0, [one]])
                self.assertNotAllClose([one, two], [two, one])
                self.assertNotAllEqual([one, two], [[1.0, 2.0], [3.0, 4.0]])
                with self.assertRaisesRegex(AssertionError, "Shape mismatch: .* got .2, 2. with"):
                    self.assertAllClose([one, two], [[1.0, 2.0], [3.0, 4.0]])
                with self.assertRaisesRegex(AssertionError, "instead it has type: object"):
                    self.assertAllInRange([one], 0, 9)

    assert _run(Lists)[:2] == (1, [])


def test_other_texts_of_failures(case):
    node = tf.NodeDef(name="x")
    text = _failure(lambda: case.assertProtoEquals(3, node))
    assert text.startswith("Can't compare protos of type <class 'int'> and <class ")
    thread = case.checkedThread(lambda: None)
    assert _failure(thread.check_termination) == "A checked thread was not joined."
    with (
        pytest.raises(AssertionError, match="AssertionError.*: ValueError not raised"),
        case.assertRaisesWithPredicateMatch(ValueError, "text"),
    ):
        pass


def test_messages_differ_by_the_rounding_of_their_floats(case):
    case.assertProtoEquals("f: 0.10000001", tf.AttrValue(f=0.1))
    case.assertProtoEquals("sum: 1.2345678901", tf.HistogramProto(sum=1.2345678902))
    with pytest.raises(AssertionError, match="f: 0.1001"):
        case.assertProtoEquals("f: 0.1001", tf.AttrValue(f=0.1))
    text = _failure(lambda: case._AssertProtoEquals(tf.AttrValue(i=3), tf.AttrValue(i=4), "hm"))
    assert text == "hm:\n- i: 3\n?    ^\n+ i: 4\n?    ^\n"


def test_what_subclasses_call_by_its_inner_name(case):
    ragged = tf.ragged.constant_value([[1.0], [2.0, 3.0]])
    case._assertRaggedEqual(ragged, [[1.0], [2.0, 3.0]], "m")
    with pytest.raises(AssertionError):
        case._assertRaggedEqual(ragged, [[1.0], [2.0, 4.0]], "m")
    case._assertRaggedClose(ragged, [[1.0], [2.0, 3.0 + 1e-9]], 1e-6, 1e-6)
    with pytest.raises(AssertionError):
        case._assertRaggedClose(ragged, [[1.0], [2.0, 4.0]], 1e-6, 1e-6)
    case._assertArrayLikeAllClose([1.0], [1.0 + 1e-9])
    assert _failure(lambda: case._assertArrayLikeAllClose([1.0], [2.0]))
    assert case._NDArrayNear(np.ones(2), np.ones(2), 0.1)
    assert not case._NDArrayNear(np.ones(2), np.zeros(2), 0.1)
    with context.eager_mode():
        found = case._eval_helper([tf.constant(1), {"a": lambda: tf.constant(2)}])
    assert found == [1, {"a": 2}]
    assert case._eval_helper(None) is None


def test_devices():
    for chosen in (True, False):
        with test_util.device(use_gpu=chosen):
            assert tf.constant(1).device == "/device:CPU:0"
