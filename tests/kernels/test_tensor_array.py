"""TensorArrays at run time: what TF 1.15 computes with them, and the errors that it raises."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from tf1compat.migrate import to_jax
from tf1compat.runtime import tiers


def run(tf, fetches, feeds=None):
    with tf.Session() as session:
        return session.run(fetches, {**dict(tf.get_collection("unknown")), **(feeds or {})})


def array(tf, size=3, **arguments):
    return tf.TensorArray(tf.float32, size, **arguments)


def unknown(tf, value):
    """A tensor whose value and size only the run knows."""
    dtype = tf.convert_to_tensor(value).dtype
    tensor = tf.placeholder(dtype, [None] * np.ndim(value))
    tf.add_to_collection("unknown", (tensor, value))
    return tensor


def test_unwritten_elements_are_zeros(tf):
    assert run(tf, array(tf).write(0, 1.0).stack()).tolist() == [1, 0, 0]
    assert run(tf, array(tf, element_shape=[2]).read(1)).tolist() == [0, 0]


@pytest.mark.parametrize("tier", [tiers.HOST, tiers.XLA])
def test_a_flow_is_the_number_0_to_a_session(tf, tier):
    made = array(tf)
    written = made.write(0, 1.0)
    looped = tf.while_loop(lambda i, _: i < 3, lambda i, t: (i + 1, t.write(i, 2.0)), [1, written])
    flows = [made.flow, written.flow, looped[1].flow]
    with tiers.tier(tier):
        *numbers, values = run(tf, [*flows, looped[1].stack()])
    assert numbers == [0.0] * 3
    assert {type(number) for number in numbers} == {np.float32}
    assert values.tolist() == [1, 2, 2]


@pytest.mark.parametrize("known", [True, False])
def test_scatter_and_gather(tf, known):
    indices, wanted = [2, 0], [0, 1, 2]
    if not known:
        indices, wanted = unknown(tf, indices), unknown(tf, wanted)
    written = array(tf, 4).scatter(indices, [[1.0, 2.0], [3.0, 4.0]])
    assert run(tf, written.gather(wanted)).tolist() == [[3, 4], [0, 0], [1, 2]]


def test_concat_and_split(tf):
    parts = array(tf, 2).split([1.0, 2.0, 3.0, 4.0], [2, 2])
    assert run(tf, parts.stack()).tolist() == [[1, 2], [3, 4]]
    assert run(tf, parts.concat()).tolist() == [1, 2, 3, 4]


def test_empty_arrays_have_the_shape_of_their_elements(tf):
    assert run(tf, array(tf, 0, element_shape=[2]).stack()).shape == (0, 2)
    assert run(tf, array(tf, 0, element_shape=[2, 3]).concat()).shape == (0, 3)
    assert run(tf, tf.map_fn(lambda row: row * row, tf.zeros([0, 2]))).shape == (0, 2)


def test_an_array_grows_for_indices_that_are_known(tf):
    grown = array(tf, 0, dynamic_size=True).write(2, 1.0).write(1, 2.0)
    size, values = run(tf, [grown.size(), grown.stack()])
    assert size == 3
    assert values.tolist() == [0, 2, 1]


def test_a_written_array_is_left_alone(tf):
    before = array(tf, 2, clear_after_read=False).write(0, 1.0)
    after = before.write(1, 2.0)
    assert run(tf, [before.stack(), after.stack()])[1].tolist() == [1, 2]


# Loops.


def test_a_loop_writes_and_reads(tf):
    start = array(tf, 6, clear_after_read=False).write(0, 1.0).write(1, 1.0)

    def body(i, numbers):
        return i + 1, numbers.write(i, numbers.read(i - 1) + numbers.read(i - 2))

    _, numbers = tf.while_loop(lambda i, _: i < 6, body, [2, start])
    assert run(tf, numbers.stack()).tolist() == [1, 1, 2, 3, 5, 8]


def test_the_first_write_in_a_loop_tells_the_shape(tf):
    def body(i, rows):
        return i + 1, rows.write(i, tf.cast(i, tf.float32) * tf.ones([2]))

    _, rows = tf.while_loop(lambda i, _: i < 4, body, [0, array(tf, 4)])
    assert run(tf, rows.stack()).tolist() == [[0, 0], [1, 1], [2, 2], [3, 3]]


def test_map_fn(tf):
    x = tf.placeholder(tf.float32, [None, None])
    y = tf.map_fn(lambda row: tf.reduce_sum(row) * row, x)
    assert run(tf, y, {x: [[1, 2], [3, 4], [5, 6]]}).tolist() == [[3, 6], [21, 28], [55, 66]]


def test_map_fn_of_several_and_of_another_dtype(tf):
    a, b = tf.constant([1, 2, 3]), tf.constant([1.0, 5.0, 2.0])
    longs, positive = run(
        tf,
        tf.map_fn(
            lambda pair: (tf.cast(pair[0], tf.int64) * 2, pair[1] > 1),
            (a, b),
            dtype=(tf.int64, tf.bool),
        ),
    )
    assert longs.dtype == np.int64
    assert longs.tolist() == [2, 4, 6]
    assert positive.tolist() == [False, True, True]


def test_nested_map_fn(tf):
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    squares = tf.map_fn(lambda row: tf.map_fn(lambda t: t * t, row), x)
    assert run(tf, squares).tolist() == [[1, 4], [9, 16]]


def test_scan_and_folds(tf):
    x = tf.constant([1.0, 2.0, 3.0])

    def step(a, t):
        return a * 2 + t

    assert run(tf, tf.scan(step, x)).tolist() == [1, 4, 11]
    assert run(tf, tf.scan(step, x, initializer=5.0, reverse=True)).tolist() == [57, 28, 13]
    assert run(tf, tf.foldl(step, x)) == 11
    assert run(tf, tf.foldr(step, x, initializer=1.0)) == 25


def test_hessians(tf):
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    (found,) = run(tf, tf.hessians(tf.reduce_sum(x**3) * x[0, 1], x))
    expected = np.zeros((4, 4))
    expected[np.diag_indices(4)] = 2 * 6 * np.array([1, 2, 3, 4])
    slopes = 3 * np.array([1, 2, 3, 4.0]) ** 2
    expected[1] += slopes
    expected[:, 1] += slopes
    np.testing.assert_allclose(found.reshape(4, 4), expected, rtol=1e-6)


# Gradients.


def test_gradient_of_reads(tf):
    x = tf.constant([1.0, 2.0, 3.0])
    parts = array(tf).unstack(x)
    y = parts.read(0) * 2 + parts.read(2) ** 2
    assert run(tf, tf.gradients(y, x)[0]).tolist() == [2, 0, 6]


def test_gradients_of_all_uses_add_up(tf):
    x = tf.constant(3.0)
    parts = array(tf, clear_after_read=False).write(0, x).write(1, x * x).write(2, 1.0)
    y = parts.stack() * [1.0, 2.0, 3.0] + parts.read(1)
    assert run(tf, tf.gradients(y, x)) == [31]


def test_gradient_reaches_writes_nobody_read(tf):
    x = tf.constant(3.0)
    parts = array(tf).write(0, x).write(1, x * x).write(2, x)
    assert run(tf, tf.gradients(parts.read(1) * 1.0, x)) == [6]


def test_gradient_of_concat_and_split(tf):
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    joined = array(tf, 2).unstack(x).concat()
    assert run(tf, tf.gradients(joined**2, x)[0]).tolist() == [[2, 4], [6, 8]]
    x = tf.constant([1.0, 2.0, 3.0, 4.0])
    parts = array(tf, 2).split(x, [2, 2]).stack()
    assert run(tf, tf.gradients(parts**2, x)[0]).tolist() == [2, 4, 6, 8]


def test_two_calls_of_gradients_do_not_mix(tf):
    x = tf.constant([1.0, 2.0])
    parts = array(tf, 2, clear_after_read=False).unstack(x)
    first = tf.gradients(parts.read(0) * 3, x)[0]
    second = tf.gradients(parts.read(0) * 5, x)[0]
    assert [g.tolist() for g in run(tf, [first, second])] == [[3, 0], [5, 0]]


def test_an_exported_function_is_differentiated_alike(tf):
    x = tf.placeholder(tf.float32, [3])
    parts = array(tf, clear_after_read=False).unstack(x)
    y = tf.reduce_sum(parts.read(1) ** 2 * parts.stack())
    value = np.array([1, 2, 3], np.float32)
    function, params = to_jax(y, [x])
    found = jax.grad(lambda v: function(params, v))(value)
    assert found.tolist() == run(tf, tf.gradients(y, x)[0], {x: value}).tolist() == [4, 28, 4]


# Errors, in TF's words; the array's number is the process's.

ERRORS = {
    "Tried to write to index 3 but array is not resizeable and size is: 3": (
        lambda tf: array(tf).write(3, 1.0).read(0)
    ),
    "Tried to write to index -1 but array is not resizeable and size is: 3": (
        lambda tf: array(tf).write(unknown(tf, -1), 1.0).read(0)
    ),
    "Could not write to TensorArray index 0 because it has already been written to.": (
        lambda tf: array(tf).write(0, 1.0).write(unknown(tf, 0), 2.0).read(0)
    ),
    "Could not write to TensorArray index 1 because the value shape is [3] which is incompatible "
    "with the TensorArray's inferred element shape: [1] (consider setting infer_shape=False).": (
        lambda tf: array(tf, 2).split([1.0, 2.0, 3.0, 4.0], unknown(tf, [1, 3])).read(1)
    ),
    "Could not write to TensorArray index 0 because the value shape is [3] which is incompatible "
    "with the TensorArray's inferred element shape: [2] (consider setting infer_shape=False).": (
        lambda tf: array(tf, element_shape=[2]).write(0, unknown(tf, [1.0, 2.0, 3.0])).read(1)
    ),
    "Could not read from TensorArray index 1.  Furthermore, the element shape is not fully "
    "defined: <unknown>.": lambda tf: array(tf).read(1),
    "Tried to read from index 5 but array size is: 3": (
        lambda tf: array(tf).write(0, 1.0).read(unknown(tf, 5))
    ),
    "Tried to read from index 3 but array size is: 3": (
        lambda tf: array(tf).unstack([1.0, 2.0, 3.0]).gather([0, 3])
    ),
    "Expected len(indices) == values.shape[0], but saw: 2 vs. 3": (
        lambda tf: array(tf).scatter([0, 1], unknown(tf, [1.0, 2.0, 3.0])).read(0)
    ),
    "Max scatter index must be < array size (5 vs. 3)": (
        lambda tf: array(tf).scatter(unknown(tf, [0, 5]), [1.0, 2.0]).read(0)
    ),
    "Concat saw a scalar shape at index 0 but requires at least vectors.  Did you mean to call "
    "pack?": lambda tf: array(tf, 2).write(0, 1.0).write(1, 2.0).concat(),
    "Expected sum of lengths to be equal to values.shape[0], but sum of lengths is 2 and value's "
    "shape is: [4]": lambda tf: array(tf, 2).split([1.0, 2.0, 3.0, 4.0], [1, 1]).read(0),
    "TensorArray's size is not equal to the size of lengths (3 vs. 2), and the TensorArray is not "
    "marked as dynamically resizeable": (
        lambda tf: array(tf).split([1.0, 2.0, 3.0, 4.0], [2, 2]).read(0)
    ),
    "Size should be >= 0.": lambda tf: array(tf, -4).size(),
    "TensorArray dtype is float but Op requested dtype int32.": lambda tf: (
        tf.raw_ops.TensorArrayReadV3(handle=array(tf).handle, index=0, flow_in=0.0, dtype=tf.int32)
    ),
    "TensorArray dtype is float but Op is trying to write dtype int32.": lambda tf: (
        tf.raw_ops.TensorArraySizeV3(
            handle=(a := array(tf)).handle,
            flow_in=tf.raw_ops.TensorArrayWriteV3(
                handle=a.handle, index=0, value=3, flow_in=a.flow
            ),
        )
    ),
}


@pytest.mark.parametrize("text", ERRORS)
def test_error(tf, text):
    with pytest.raises(tf.errors.InvalidArgumentError) as raised:
        run(tf, ERRORS[text](tf))
    assert text in str(raised.value)


def test_errors_quote_the_name_of_the_array(tf):
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"^TensorArray rows_\d+: Tried"):
        run(tf, array(tf, tensor_array_name="rows").write(9, 1.0).read(0))


def test_an_empty_array_of_unknown_elements(tf):
    with pytest.raises(tf.errors.UnimplementedError) as raised:
        run(tf, array(tf, 0).stack())
    assert str(raised.value).startswith(
        "TensorArray has size zero, but element shape <unknown> is not fully defined. Currently "
        "only static shapes are supported when packing zero-size TensorArrays."
    )


def test_error_in_a_loop(tf):
    _, rows = tf.while_loop(
        lambda i, _: i < 6, lambda i, rows: (i + 1, rows.write(i, 1.0)), [0, array(tf, 4)]
    )
    with pytest.raises(tf.errors.InvalidArgumentError, match="Tried to write to index 4 but"):
        run(tf, rows.stack())


# What is not supported says so.


@pytest.mark.parametrize("size", [0, 2])
def test_growing_in_a_loop(tf, size):
    n = tf.placeholder(tf.int32, [])
    start = array(tf, size, dynamic_size=True)
    _, rows = tf.while_loop(
        lambda i, _: i < n, lambda i, rows: (i + 1, rows.write(i, 1.0)), [0, start]
    )
    assert run(tf, rows.stack(), {n: 3}).tolist() == [1, 1, 1]
    assert run(tf, rows.size(), {n: 100}) == 100


def test_a_dynamic_size_that_suffices(tf):
    start = array(tf, 3, dynamic_size=True)
    _, rows = tf.while_loop(
        lambda i, _: i < 3, lambda i, rows: (i + 1, rows.write(i, 1.0)), [0, start]
    )
    assert run(tf, rows.stack()).tolist() == [1, 1, 1]


def test_elements_of_different_shapes(tf):
    rows = array(tf, infer_shape=False).write(0, 1.0).write(1, [1.0, 2.0])
    assert [value.tolist() for value in run(tf, [rows.read(0), rows.read(1)])] == [1, [1, 2]]
    index = tf.placeholder(tf.int32, [])
    computed = rows.read(index * tf.reduce_min(tf.ones([3], tf.int32)))
    assert [run(tf, computed, {index: i}).tolist() for i in (0, 1)] == [1, [1, 2]]
    function, params = to_jax(computed, [index])
    with pytest.raises(NotImplementedError, match="has to run on the host"):
        function(params, jnp.asarray(0))


def test_fetching_a_flow_or_a_handle(tf):
    rows = array(tf)
    assert run(tf, rows.flow) == 0  # as in TensorFlow
    found = run(tf, rows.handle)  # the bytes of a message, as in TensorFlow
    assert found.dtype.names == ("resource",) and b"TensorArray" in found.tobytes()


def test_a_flow_of_another_array(tf):
    size = tf.TensorArray(tf.float32, handle=array(tf).handle, flow=array(tf).flow).size()
    assert run(tf, size) == 3  # as in TensorFlow
    with tiers.tier(tiers.XLA), pytest.raises(NotImplementedError, match="that is not its own"):
        run(tf, size)


def test_a_flow_as_an_element(tf):
    flow = tf.TensorArray(tf.float32, 1).write(0, 1.0).flow
    value = tf.TensorArray(tf.float32, 1).write(0, flow).read(0)
    with tiers.tier(tiers.HOST):
        assert run(tf, value) == 0
    with tiers.tier(tiers.XLA), pytest.raises(NotImplementedError, match="writes the flow of"):
        run(tf, value)
