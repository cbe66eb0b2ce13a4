"""Variables against TensorFlow 1.15: graphs, error texts, and what runs do to them."""

from __future__ import annotations

import goldens
import numpy as np
import pytest
import recording
import variable_cases


@pytest.mark.parametrize("name", goldens.names("variables"))
def test_graph(tf, name):
    goldens.check_graph(tf, "variables", name)


@pytest.mark.parametrize("name", list(variable_cases.MISTAKES))
def test_mistake(tf, name):
    assert recording.raised(tf, variable_cases.MISTAKES[name]) == goldens.GOLDEN["mistakes"][name]


def test_every_case_is_recorded():
    assert set(goldens.GOLDEN["mistakes"]) == set(variable_cases.MISTAKES)
    for group, cases in variable_cases.GRAPHS.items():
        assert set(goldens.GOLDEN["graphs"][group]) == set(cases)


@pytest.fixture(params=[False, True], ids=["ref", "resource"])
def make(tf, request):
    """Makes a variable of either kind."""

    def make(value, **kwargs):
        return tf.Variable(value, use_resource=request.param, **kwargs)

    return make


@pytest.fixture
def sess(tf):
    with tf.Session() as session:
        yield session


def _initialized(tf, sess, *variables):
    sess.run([v.initializer for v in variables])


def test_values_persist_between_runs(tf, make, sess):
    v = make([1.0, 2.0])
    add = v.assign_add([1.0, 1.0])
    _initialized(tf, sess, v)
    np.testing.assert_array_equal(sess.run(add), [2.0, 3.0])
    np.testing.assert_array_equal(sess.run(add), [3.0, 4.0])
    np.testing.assert_array_equal(v.eval(), [3.0, 4.0])
    _initialized(tf, sess, v)
    np.testing.assert_array_equal(sess.run(v), [1.0, 2.0])


def test_sessions_have_their_own_values(tf, make, sess):
    v = make(1.0)
    _initialized(tf, sess, v)
    v.load(5.0, sess)
    with tf.Session(graph=v.graph) as other:
        with pytest.raises(tf.errors.FailedPreconditionError):
            other.run(v.read_value())
        other.run(v.initializer)
        assert other.run(v) == 1.0
    assert sess.run(v) == 5.0


def test_uninitialized_variables_are_reported(tf, make, sess):
    a, b = make(1.0, name="a"), make(2.0, name="b")
    report = tf.report_uninitialized_variables()
    is_initialized = tf.is_variable_initialized(a)
    np.testing.assert_array_equal(sess.run(report), [b"a", b"b"])
    sess.run(b.initializer)
    np.testing.assert_array_equal(sess.run(report), [b"a"])
    assert not sess.run(is_initialized)
    sess.run(a.initializer)
    assert sess.run(report).shape == (0,)
    assert sess.run(is_initialized)


def test_initialized_value_breaks_the_order_of_initializers(tf, make, sess):
    a = make(2.0, name="a")
    b = make(a.initialized_value() * 3.0, name="b")
    sess.run(tf.global_variables_initializer())
    assert sess.run(b) == 6.0
    a.load(10.0)
    sess.run(b.initializer)
    assert sess.run(b) == 30.0


def test_initial_values_may_depend_on_reference_variables(tf, sess):
    a = tf.Variable(2.0, name="a")
    b = tf.Variable(a * 3.0 + a, name="b")
    sess.run(tf.global_variables_initializer())
    assert sess.run(b) == 8.0


def test_computations_before_and_after_a_write(tf, make, sess):
    v = make(1.0)
    before = v * 1.0
    with tf.control_dependencies([before]):
        write = v.assign(5.0, read_value=False)
    with tf.control_dependencies([write]):
        after = v * 1.0
    _initialized(tf, sess, v)
    assert sess.run([before, after]) == [1.0, 5.0]


WRITES = {
    "assign": lambda tf, v: v.assign([5.0, 5.0]),
    "assign_add": lambda tf, v: v.assign_add([4.0, 4.0]),
    "scatter": lambda tf, v: tf.scatter_update(v, [0, 1], [5.0, 5.0]),
    "step": lambda tf, v: tf.raw_ops.ApplyGradientDescent(var=v._ref(), alpha=-4.0, delta=[1.0, 1]),
}


@pytest.mark.parametrize("write", WRITES)
def test_the_value_of_a_reference_variable_is_a_view(tf, sess, write):
    """As in TensorFlow 1.15, where `v/read` shares the variable's buffer."""
    v = tf.Variable([1.0, 1.0])
    view, unordered = v.read_value(), v + 1.0
    written = WRITES[write](tf, v)
    with tf.control_dependencies([written]):
        after = v + 1.0
    _initialized(tf, sess, v)
    np.testing.assert_array_equal(sess.run(after), [6.0, 6.0])
    _initialized(tf, sess, v)
    # A view that is fetched gives the value at the end; what nothing orders sees the beginning.
    fetched = sess.run([view, unordered, written.op])
    np.testing.assert_array_equal(fetched[0], [5.0, 5.0])
    np.testing.assert_array_equal(fetched[1], [2.0, 2.0])


def test_a_fed_variable_gives_what_was_fed(tf, sess):
    v = tf.Variable([1.0])
    fetches = [v.value(), tf.identity(v), v + 1.0]
    _initialized(tf, sess, v)
    assert [float(x[0]) for x in sess.run(fetches, {v: [3.0]})] == [3.0, 3.0, 4.0]
    assert [float(x[0]) for x in sess.run(fetches)] == [1.0, 1.0, 2.0]


def test_slices_can_be_assigned(tf, make, sess):
    v = make(np.arange(12, dtype=np.float32).reshape(3, 4))
    _initialized(tf, sess, v)
    expected = np.arange(12, dtype=np.float32).reshape(3, 4)
    for index, value in (
        (np.s_[1], [9.0, 8.0, 7.0, 6.0]),
        (np.s_[:, 2], [1.0, 2.0, 3.0]),
        (np.s_[::2, 1:3], [[5.0, 5.0], [6.0, 6.0]]),
        (np.s_[..., ::-1], np.ones((3, 4), np.float32) * [1, 2, 3, 4]),
        (np.s_[-1, -2:], [0.5, 0.25]),
        (np.s_[0, 0], 42.0),
    ):
        sess.run(v[index].assign(np.asarray(value, np.float32)))
        expected[index] = value
        np.testing.assert_array_equal(sess.run(v), expected)


def test_slices_at_computed_positions_can_be_assigned(tf, make, sess):
    v = make(np.zeros((3, 4), np.float32))
    _initialized(tf, sess, v)
    row = tf.placeholder(tf.int32, [])
    assign = v[row, 1:3].assign([7.0, 8.0])
    sess.run(assign, {row: 2})
    np.testing.assert_array_equal(sess.run(v)[2], [0.0, 7.0, 8.0, 0.0])
    sess.run(v[:row].assign(tf.ones([2, 4])), {row: 2})
    np.testing.assert_array_equal(sess.run(v)[:, 0], [1.0, 1.0, 0.0])
    sess.run(v[:, tf.newaxis, -1].assign([[5.0], [6.0], [7.0]]))
    np.testing.assert_array_equal(sess.run(v)[:, 3], [5.0, 6.0, 7.0])
    with pytest.raises(tf.errors.InvalidArgumentError, match="slice index 3 of dimension 0 out of"):
        sess.run(assign, {row: 3})


def test_the_shape_of_an_assigned_slice_must_fit(tf, make, sess):
    v = make(np.zeros((3, 2), np.float32))
    _initialized(tf, sess, v)
    value = tf.placeholder_with_default(np.zeros(3, np.float32), None)
    text = r"sliced l-value shape \[2\] does not match r-value shape \[3\]"
    with pytest.raises(tf.errors.UnimplementedError, match=text):
        sess.run(v[1].assign(value))


SCATTERS = {
    "update": lambda a, b: b,
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "min": np.minimum,
    "max": np.maximum,
}


@pytest.mark.parametrize("update", SCATTERS)
@pytest.mark.parametrize("scalar", [False, True], ids=["rows", "scalar"])
def test_scatter_applies_repeated_indices_in_order(tf, make, sess, update, scalar):
    start = np.arange(1, 9, dtype=np.float32).reshape(4, 2)
    indices = np.array([[3, 0], [3, 1]], np.int64)
    rng = np.random.RandomState(0)
    updates = np.float32(2.5) if scalar else rng.rand(2, 2, 2).astype(np.float32) + 0.5
    v = make(start)
    scattered = getattr(tf, f"scatter_{update}")(v, indices, updates)
    _initialized(tf, sess, v)
    expected = start.copy()
    for position in np.ndindex(2, 2):
        row = indices[position]
        value = updates if scalar else updates[position]
        expected[row] = SCATTERS[update](expected[row], value)
    np.testing.assert_allclose(sess.run(scattered), expected, rtol=1e-6)
    np.testing.assert_allclose(sess.run(v), expected, rtol=1e-6)


def test_scatter_divides_integers_towards_zero(tf, make, sess):
    v = make(np.array([7, -7], np.int32))
    _initialized(tf, sess, v)
    scattered = tf.scatter_div(v, [0, 0, 1], np.array([2, 2, 2], np.int32))
    np.testing.assert_array_equal(sess.run(scattered), [1, -3])


@pytest.mark.parametrize("update", ["update", "add", "sub"])
def test_scatter_nd(tf, make, sess, update):
    start = np.arange(12, dtype=np.float32).reshape(3, 4)
    v = make(start)
    elements = getattr(tf, f"scatter_nd_{update}")(v, [[0, 1], [2, 3], [0, 1]], [5.0, 6.0, 7.0])
    with tf.control_dependencies([elements.op]):
        rows = getattr(v, f"scatter_nd_{update}")([[1]], [[1.0, 2.0, 3.0, 4.0]])
    _initialized(tf, sess, v)
    expected = start.copy()
    for index, value in (((0, 1), 5.0), ((2, 3), 6.0), ((0, 1), 7.0), (1, [1.0, 2.0, 3.0, 4.0])):
        expected[index] = SCATTERS[update](expected[index], value)
    np.testing.assert_array_equal(sess.run(rows), expected)


@pytest.mark.parametrize(
    "indices, text",
    [
        ([0, 5], r"indices\[1\] = 5 is not in \[0, 3\)"),
        ([[0, -1]], r"indices\[0,1\] = -1 is not in \[0, 3\)"),
        (5, r"indices = 5 is not in \[0, 3\)"),
    ],
)
def test_scatter_indices_out_of_range(tf, make, sess, indices, text):
    v = make(np.ones((3, 2), np.float32))
    _initialized(tf, sess, v)
    scattered = tf.scatter_add(v, indices, 1.0)
    with pytest.raises(tf.errors.InvalidArgumentError, match=text):
        sess.run(scattered)
    np.testing.assert_array_equal(sess.run(v), np.ones((3, 2)))


def test_scatter_nd_indices_out_of_range(tf, make, sess):
    v = make(np.ones((3, 2), np.float32))
    _initialized(tf, sess, v)
    scattered = tf.scatter_nd_update(v, [[0, 0], [1, 9]], [1.0, 2.0])
    text = r"indices\[1\] = \[1, 9\] does not index into shape \[3,2\]"
    with pytest.raises(tf.errors.InvalidArgumentError, match=text):
        sess.run(scattered)


def test_count_up_to(tf, make, sess):
    v = make(0)
    count = tf.count_up_to(v, 2)
    _initialized(tf, sess, v)
    assert [sess.run(count), sess.run(count)] == [0, 1]
    with pytest.raises(tf.errors.OutOfRangeError, match="Reached limit of 2"):
        sess.run(count)
    assert sess.run(v) == 2


def test_assign_of_another_shape_fails_at_run_time(tf, sess):
    v = tf.Variable(np.ones((3, 2), np.float32))
    value = tf.placeholder_with_default(np.zeros((2, 2), np.float32), None)
    _initialized(tf, sess, v)
    text = r"Assign requires shapes of both tensors to match. lhs shape= \[3,2\] rhs shape= \[2,2\]"
    with pytest.raises(tf.errors.InvalidArgumentError, match=text):
        sess.run(tf.assign(v, value))
    with pytest.raises(tf.errors.InvalidArgumentError, match="must be the same size"):
        sess.run(tf.assign_add(v, value))
    assert sess.run(tf.assign(v, value, validate_shape=False)).shape == (2, 2)


def test_resource_variables_are_gathered_from(tf, sess):
    v = tf.Variable(np.arange(6, dtype=np.float32).reshape(3, 2), use_resource=True)
    rows, elements = v.sparse_read([[2, 0]]), v.gather_nd([[1, 1], [0, 0]])
    gradient = tf.gradients(tf.reduce_sum(rows * rows), v)[0]
    _initialized(tf, sess, v)
    np.testing.assert_array_equal(sess.run(rows), [[[4.0, 5.0], [0.0, 1.0]]])
    np.testing.assert_array_equal(sess.run(elements), [3.0, 0.0])
    found = sess.run(gradient)
    np.testing.assert_array_equal(found.indices, [2, 0])
    np.testing.assert_array_equal(found.values, [[8.0, 10.0], [0.0, 2.0]])
    np.testing.assert_array_equal(found.dense_shape, [3, 2])
    with pytest.raises(
        tf.errors.InvalidArgumentError, match=r"indices\[0\] = 9 is not in \[0, 3\)"
    ):
        sess.run(v.sparse_read([9]))


def test_strings_are_variables_too(tf, sess):
    v = tf.Variable("a")
    changed = v.assign("b")
    _initialized(tf, sess, v)
    assert sess.run(v) == b"a"
    assert sess.run(changed) == b"b"
    assert sess.run(v) == b"b"


def test_protos_carry_partitions(tf):
    v = tf.get_variable("v", [4, 2], partitioner=tf.fixed_size_partitioner(2))
    protos = [part.to_proto() for part in v]
    again = [tf.Variable.from_proto(proto) for proto in protos]
    assert [x._get_save_slice_info().spec for x in again] == ["4 2 0,2:0,2", "4 2 2,2:0,2"]
    assert [x.to_proto() for x in again] == protos
