"""A suite as TF1 projects have: every assertion, session helpers, decorators, parameters."""

from __future__ import print_function

import collections
import os
import sys

import numpy as np
import tensorflow as tf
from absl.testing import parameterized
from tensorflow.python.framework import errors, test_util
from tensorflow.python.platform import test


class NetTest(test.TestCase, parameterized.TestCase):
    def setUp(self):
        super(NetTest, self).setUp()
        np.random.seed(3)
        self.x = np.random.rand(4, 3).astype(np.float32)

    def testSession(self):
        with self.test_session() as sess:
            a = tf.constant([1.0, 2.0])
            b = a * 2
            self.assertAllEqual(b.eval(), [2.0, 4.0])
            self.assertIs(sess, tf.get_default_session())
            self.assertAllClose(sess.run(b), np.array([2, 4.0]))

    def testCached(self):
        with self.cached_session() as sess1:
            v = tf.Variable(3.0)
            v.initializer.run()
        with self.cached_session() as sess2:
            self.assertEqual(3.0, self.evaluate(v))
            self.assertIs(sess1, sess2)

    def testSessionGraph(self):
        with self.session(graph=tf.Graph()) as sess:
            c = tf.constant(5)
            self.assertEqual(5, sess.run(c))
        with self.session(use_gpu=True, force_gpu=False):
            self.assertEqual(7, tf.constant(7).eval())

    def testCloseness(self):
        self.assertNear(1.0, 1.001, 0.01)
        self.assertNear(1.0, 1.001, 0.01, "msg")
        self.assertArrayNear([1.0, 2.0], [1.001, 2.0], 0.01)
        self.assertNDArrayNear(np.ones(3), np.ones(3) + 1e-4, 1e-3)
        self.assertAllClose(
            {"a": [1.0, 2.0], "b": (1.0,)}, {"a": np.array([1.0, 2.0]), "b": (1.0 + 1e-8,)}
        )
        self.assertAllCloseAccordingToType(np.float16(1.0), np.float16(1.001))
        self.assertNotAllClose([1.0, 2.0], [1.0, 2.5])
        self.assertNotAllEqual([1, 2], [1, 3])
        self.assertAllGreater([1, 2], 0)
        self.assertAllLess([1, 2], 3)
        self.assertAllGreaterEqual([1, 2], 1)
        self.assertAllLessEqual([1, 2], 2)
        self.assertAllInRange([1.0, 2.0], 1.0, 2.0)
        self.assertAllInRange([1.0, 1.5], 1.0, 2.0, open_upper_bound=True)
        self.assertAllInSet([1, 2, 1], {1, 2, 3})
        self.assertShapeEqual(np.zeros([2, 3]), tf.zeros([2, 3]))
        self.assertStartsWith("abcdef", "abc")
        self.assertDTypeEqual(np.float32(1), np.float32)
        self.assertEmpty([])
        self.assertNotEmpty([1])
        self.assertLen([1, 2], 2)
        self.assertBetween(2, 1, 3)
        self.assertSequenceAlmostEqual([1.0, 2.0], [1.0, 2.0000000001])
        self.assertSameElements([1, 2, 2], [2, 1])
        self.assertContainsSubset([1], [1, 2])

    def failing(self, method, *args, **kwargs):
        try:
            getattr(self, method)(*args, **kwargs)
        except AssertionError as e:
            print(method, "->", str(e).strip())
        else:
            print(method, "passed?!")

    def testFailures(self):
        self.failing("assertAllClose", {"a": 1.0}, {"b": 1.0})
        self.failing("assertAllClose", [1.0], [1.0, 2.0])
        self.failing("assertAllEqual", [1, 2, 3], [1, 2])
        self.failing("assertNear", 1.0, 2.0, 0.1, "too far")
        self.failing("assertArrayNear", [1.0], [2.0], 0.1)
        self.failing("assertNotAllClose", [1.0], [1.0])
        self.failing("assertNotAllEqual", [1], [1])
        self.failing("assertAllGreater", [[1, 2], [0, 5]], 1)
        self.failing("assertAllLess", [1, 2], 2)
        self.failing("assertAllInRange", [1.0, 3.0, np.nan], 1.0, 2.0)
        self.failing("assertAllInSet", [1, 4], {1, 2})
        self.failing("assertStartsWith", "abc", "b")
        self.failing("assertProtoEquals", "node { name: 'a' }", tf.GraphDef())

    def testProtos(self):
        with tf.Graph().as_default() as g:
            tf.constant(1, name="c")
            gd = g.as_graph_def()
        self.assertProtoEquals("name: 'c' op: 'Const'", tf.NodeDef(name="c", op="Const"))
        self.assertProtoEqualsVersion(
            "node { name: 'x' }",
            tf.GraphDef(node=[tf.NodeDef(name="x")], versions=gd.versions),
            producer=gd.versions.producer,
            min_consumer=gd.versions.min_consumer,
        )
        test_util.assert_equal_graph_def(gd, gd)

    def testRaises(self):
        with self.assertRaisesOpError("division by zero"):
            with self.session():
                tf.div(tf.constant(1), tf.constant(0) + tf.constant(0)).eval()
        with self.session():
            x = tf.placeholder(tf.float32)
            with self.assertRaisesRegexp(errors.InvalidArgumentError, "must feed"):
                (x + 1).eval()
            with self.assertRaisesWithPredicateMatch(ValueError, "Dimensions must be"):
                tf.matmul(tf.ones([2, 3]), tf.ones([2, 3]))
            with self.assertRaisesWithPredicateMatch(
                errors.OpError, lambda e: "Nan" in str(e) or "NaN" in str(e)
            ):
                tf.check_numerics(tf.log(tf.constant(-1.0)), "bad").eval()
            with self.assertRaisesIncompatibleShapesError():
                pass_ = tf.placeholder(tf.float32)
                (tf.ones([2]) + pass_).eval({pass_: np.ones(3)})

    @parameterized.parameters((1, 2, 3), (2, 3, 5))
    def testAdd(self, a, b, c):
        self.assertEqual(c, self.evaluate(tf.add(a, b)) if False else a + b)

    @parameterized.named_parameters(("small", 2), ("Large", 5))
    def testSizes(self, n):
        with self.cached_session():
            self.assertAllEqual(tf.range(n).eval(), np.arange(n))
        print(self.id().split(".")[-1], n)

    @parameterized.named_parameters(
        {"testcase_name": "_a", "dtype": tf.float32}, {"testcase_name": "_b", "dtype": tf.float64}
    )
    def testDtype(self, dtype):
        with self.cached_session():
            self.assertEqual(tf.ones([1], dtype).eval().dtype, dtype.as_numpy_dtype)

    @test_util.run_deprecated_v1
    def testGradients(self):
        with self.cached_session():
            x = tf.constant(self.x)
            y = tf.reduce_sum(tf.tanh(tf.matmul(x, x, transpose_b=True)))
            err = tf.test.compute_gradient_error(x, [4, 3], y, [], x_init_value=self.x)
            self.assertLess(err, 1e-2)
            jac_t, jac_n = tf.test.compute_gradient(x, [4, 3], y, [], x_init_value=self.x)
            self.assertAllClose(jac_t, jac_n, rtol=1e-2, atol=1e-2)
            print(jac_t.shape)

    @test_util.run_in_graph_and_eager_modes
    def testBoth(self):
        a = tf.constant([1.0, 2.0])
        self.assertAllEqual(self.evaluate(a + a), [2.0, 4.0])
        print("eager" if tf.executing_eagerly() else "graph")

    @test_util.run_v1_only("b/1")
    def testV1(self):
        self.assertFalse(tf.executing_eagerly())

    @test_util.disable_xla("b/2")
    def testNoXla(self):
        pass

    @test_util.run_in_graph_and_eager_modes(assert_no_eager_garbage=False)
    def testVariable(self):
        v = tf.get_variable("v", initializer=2.0, use_resource=True)
        self.evaluate(tf.global_variables_initializer() if not tf.executing_eagerly() else [])
        self.assertEqual(2.0, self.evaluate(v))

    def testTemp(self):
        d = self.get_temp_dir()
        self.assertTrue(os.path.isdir(d))
        self.assertEqual(d, self.get_temp_dir())
        self.assertTrue(d.startswith(tf.test.get_temp_dir()))
        print(os.path.relpath(d, tf.test.get_temp_dir()).split("/")[-1].split("_")[0] != "")

    def testThreads(self):
        out = []
        t = self.checkedThread(target=lambda: out.append(1))
        t.start()
        t.join()
        self.assertEqual([1], out)

        def boom():
            raise ValueError("in a thread")

        t = self.checkedThread(boom)
        t.start()
        with self.assertRaises(AssertionError) as e:
            t.join()
        print(str(e.exception).split("\n")[0])

    def testCapture(self):
        with self.captureWritesToStream(sys.stderr) as printed:
            with self.cached_session():
                tf.print("shown", 3, output_stream=sys.stderr).run()
        print(repr(printed.contents()))

    def testSeeds(self):
        with self.session():
            print(tf.random_uniform([2]).eval().tolist())

    def testMock(self):
        with tf.test.mock.patch.object(tf, "zeros", return_value=3):
            self.assertEqual(3, tf.zeros([2]))

    def testMisc(self):
        print(
            tf.test.is_built_with_cuda(),
            tf.test.gpu_device_name() == "",
            tf.test.is_gpu_available(),
        )
        print(
            tf.test.test_src_dir_path("x").endswith("x"),
            test_util.IsMklEnabled(),
            test_util.gpu_device_name() == "",
        )
        self.assertTrue(test_util.is_gpu_available() is False)
        with test_util.device(use_gpu=False):
            print(tf.constant(1.0).device)
        with test_util.force_cpu():
            print(tf.constant(1.0).device)
        self.assertDeviceEqual("/cpu:0", "/device:CPU:0")
        print(test_util.NHWCToNCHW([1, 2, 3, 4]), test_util.NCHWToNHWC([1, 2, 3, 4]))
        Point = collections.namedtuple("Point", "x y")
        self.assertAllClose(Point(1.0, 2.0), Point(1.0, 2.0))
        self.assertRegexpMatches("abc", "b")
        self.assertItemsEqual([1, 2], [2, 1]) if hasattr(self, "assertItemsEqual") else None
        self.assertCountEqual([1, 2], [2, 1])


class SubTest(tf.test.TestCase):
    @classmethod
    def setUpClass(cls):
        super(SubTest, cls).setUpClass()
        cls.shared = 3

    def test_shared(self):
        self.assertEqual(3, self.shared)

    def test_skip(self):
        self.skipTest("not today")

    def test_fails(self):
        self.assertNear(1.0, 2.0, 0.5)


if __name__ == "__main__":
    import unittest

    loader = unittest.TestLoader()
    suite = loader.loadTestsFromModule(sys.modules["__main__"])
    result = unittest.TestResult()
    suite.run(result)
    print(result.testsRun)
    for kind in ("errors", "failures", "skipped"):
        for case, text in sorted(getattr(result, kind), key=lambda p: p[0].id()):
            print(kind, case.id(), str(text).strip().split("\n")[-1][:300])
