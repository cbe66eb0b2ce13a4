"""Names below tensorflow.python of ops, layers and training: see `name_runs`."""

from __future__ import annotations

from name_runs import module

module(
    "ops.linalg.linear_operator_test_util",
    """
    sorted(name for name in dir(Square) if name.startswith(("test_to", "test_matmul__sha")))
    passed(Square, 4)
    passed(Narrow, 4)
    failed(Wrong)
    run(tf.abs(m.random_normal([2], dtype=tf.complex64, seed=1)))
    run(m.random_sign_uniform([3], minval=1.0, maxval=2.0, seed=1))
    run(m.random_positive_definite_matrix([2, 2], tf.float32, force_well_conditioned=True))
    run(m.random_normal_correlated_columns([2, 3], seed=1))
    call(m.random_normal_correlated_columns, [2])
    [[op.name, op.type] for op in tf.get_default_graph().get_operations()]
    """,
    """
import unittest
tf.set_random_seed(7)

class Square(m.SquareLinearOperatorDerivedClassTest):
    @staticmethod
    def dtypes_to_test():
        return [tf.float64]
    @staticmethod
    def operator_shapes_infos():
        return [m.OperatorShapesInfo((1, 3, 3))]
    def operator_and_matrix(self, info, dtype, use_placeholder, ensure_self_adjoint_and_pd=False):
        matrix = m.random_positive_definite_matrix(list(info.shape), dtype, True)
        fed = tf.placeholder_with_default(matrix, shape=None) if use_placeholder else matrix
        known = True if ensure_self_adjoint_and_pd else None
        operator = tf.linalg.LinearOperatorFullMatrix(
            fed, is_square=True, is_self_adjoint=known, is_positive_definite=known)
        return operator, matrix

class Narrow(m.NonSquareLinearOperatorDerivedClassTest):
    @staticmethod
    def dtypes_to_test():
        return [tf.float64]
    def operator_and_matrix(self, info, dtype, use_placeholder, ensure_self_adjoint_and_pd=False):
        matrix = m.random_normal(info.shape, dtype=dtype)
        fed = tf.placeholder_with_default(matrix, shape=None) if use_placeholder else matrix
        return tf.linalg.LinearOperatorFullMatrix(fed, is_square=False), matrix

class Wrong(Square):
    def operator_and_matrix(self, info, dtype, use_placeholder, ensure_self_adjoint_and_pd=False):
        operator, matrix = super(Wrong, self).operator_and_matrix(
            info, dtype, use_placeholder, ensure_self_adjoint_and_pd)
        return operator, matrix + 1.0

for cls in (Square, Narrow, Wrong):
    if cls is not Wrong:
        m.add_tests(cls)

def result(cls, prefix):
    names = sorted(name for name in dir(cls) if name.startswith(prefix))
    found = unittest.TestResult()
    unittest.TestSuite(cls(name) for name in names).run(found)
    return found

def passed(cls, count):
    found = result(cls, "test_")
    return [found.testsRun, len(found.failures), len(found.errors)]

def failed(cls):
    return [len(result(cls, "test_" + name).failures) for name in ("to_dense", "det_", "solve__")]

def run(value):
    with tf.Session() as s:
        return s.run(value)
""",
)

module(
    "ops.parallel_for.test_util",
    """
    result(lambda case: case._test_loop_fn(lambda i: tf.cast(i, tf.float32) * 2.0, 3))
    result(lambda case: case.run_and_assert_equal([tf.constant(1.0)], [tf.constant(2.0)]))
    """,
    """
def result(function):
    class Case(m.PForTestCase):
        def runTest(self):
            with self.cached_session():
                function(self)
    import unittest
    found = unittest.TestResult()
    Case().run(found)
    return [len(found.failures), len(found.errors)]
""",
)

module(
    "ops.image_ops_impl",
    """
    call(m._AssertAtLeast3DImage, tf.zeros([2, 2]))
    m._AssertAtLeast3DImage(tf.zeros([2, 2, 3])).name
    call(m._AssertGrayscaleImage, tf.zeros([2, 2, 3]))
    [m._ImageDimensions(tf.zeros([2, 3, 4]), 3), len(m._ImageDimensions(unknown, 3))]
    [m._is_tensor(unknown), m._is_tensor(np.zeros(1))]
    run(m._fspecial_gauss(3, 1.5))
    [run(x) for x in m._ssim_per_channel(image, image * 0.9, filter_size=3)]
    call(m._verify_compatible_image_shapes, image, image[:, :2])[0]
    m._is_png(b"x")
    [[op.name, op.type] for op in tf.get_default_graph().get_operations()]
    """,
    """
unknown = tf.placeholder(tf.float32, [None, None, None])
image = tf.constant(np.linspace(0.0, 1.0, 48, dtype=np.float32).reshape([1, 4, 4, 3]))

def run(value):
    with tf.Session() as s:
        return s.run(value)
""",
)

module(
    "ops.variables",
    """
    m._try_guard_against_uninitialized_dependencies("name", v + 1.0)
    m._find_initialized_value_for_variable(v.op)
    m._has_cycle((v + 1.0).op, {})
    """,
    """
v = tf.Variable(1.0, name="v")
""",
)

module(
    "training.input",
    """
    m._as_tensor_list_list([[1, 2], [3, 4]])
    call(m._as_tensor_list_list, [])
    m._as_tensor_list({"b": 1, "a": 2})
    m._as_original_type({"b": 1, "a": 2}, [3, 4])
    m._as_original_type([1], 3)
    """,
)

module(
    "training.tracking.data_structures",
    """
    names(m.List([tf.keras.layers.Dense(1, name="d")]))
    call(m.Mapping, a=1)
    call(m.List, ["a"])
    call(m.List([]).append, 3)
    call(m.Mapping().__setitem__, 3, tf.keras.layers.Dense(1))
    [repr(m.Mapping(a=[1])), repr(m.List([[]]))]
    """,
    """
def names(layers):
    return [layer.name for layer in layers.layers]
""",
)

module(
    "layers.utils",
    """
    m.object_list_uid([]) == ""
    """,
    """
a = tf.placeholder(tf.float32)
b = a * 2.0
""",
)
