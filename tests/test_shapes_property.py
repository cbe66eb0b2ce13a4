"""Shapes by property: broadcasting and slicing as in NumPy, static shapes true of the values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

# Each example compiles a program; the same examples in every run.
RUN = settings(max_examples=40, deadline=None, derandomize=True)
RECORD = settings(max_examples=200, deadline=None, derandomize=True)

dims = st.integers(1, 4)
shapes = st.lists(st.integers(0, 4), max_size=4).map(tuple)
filled_shapes = st.lists(dims, min_size=1, max_size=4).map(tuple)


@st.composite
def broadcast_pairs(draw: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Two shapes that broadcast."""
    full = draw(shapes)

    def part() -> tuple[int, ...]:
        kept = full[draw(st.integers(0, len(full))) :]
        return tuple(1 if draw(st.booleans()) else dim for dim in kept)

    return part(), part()


def known_part(draw: Any, shape: tuple[int, ...]) -> list[int | None] | None:
    """What a graph may be told of a shape: nothing, or some of its dims."""
    if draw(st.integers(0, 4)) == 0:
        return None
    return [dim if draw(st.booleans()) else None for dim in shape]


def numbers(shape: tuple[int, ...]) -> np.ndarray:
    """1, 2, 3, … in a shape."""
    return np.arange(1.0, np.prod(shape, dtype=int) + 1).reshape(shape)


@given(pair=broadcast_pairs())
@RUN
def test_broadcasting_is_that_of_numpy(
    tensorflow: Any, pair: tuple[tuple[int, ...], tuple[int, ...]]
) -> None:
    """Values, and gradients summed back to the operands' shapes."""
    tf = tensorflow
    a, b = numbers(pair[0]), numbers(pair[1]) + 0.5
    with tf.Graph().as_default(), tf.Session() as session:
        x, y = tf.placeholder(tf.float64), tf.placeholder(tf.float64)
        product = x * y
        fetches = [product, tf.gradients(product, [x, y])]
        value, gradients = session.run(fetches, {x: a, y: b})
    np.testing.assert_array_equal(value, a * b)
    for gradient, own, other in zip(gradients, (a, b), (b, a), strict=True):
        assert gradient.shape == own.shape
        np.testing.assert_allclose(gradient * own, _sum_to(own * other, own.shape), rtol=1e-12)


def _sum_to(value: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """The sum over the axes along which `shape` was broadcast."""
    value = value.sum(tuple(range(value.ndim - len(shape))))
    stretched = tuple(i for i, dim in enumerate(shape) if dim == 1 and value.shape[i] != 1)
    return value.sum(stretched, keepdims=True)


@given(st.data())
@RECORD
def test_static_broadcasting_agrees_with_numpy(tensorflow: Any, data: Any) -> None:
    tf = tensorflow
    pair = data.draw(broadcast_pairs())
    with tf.Graph().as_default():
        x, y = (tf.placeholder(tf.float32, known_part(data.draw, shape)) for shape in pair)
        exact = [tf.placeholder(tf.float32, shape) for shape in pair]
        expected = np.broadcast_shapes(*pair)
        assert (exact[0] + exact[1]).shape.as_list() == list(expected)
        assert (x + y).shape.is_compatible_with(expected)
        assert tf.broadcast_static_shape(exact[0].shape, exact[1].shape).as_list() == list(expected)


@given(left=shapes, right=shapes)
@RECORD
def test_what_does_not_broadcast_is_refused(
    tensorflow: Any, left: tuple[int, ...], right: tuple[int, ...]
) -> None:
    tf = tensorflow
    with tf.Graph().as_default():
        x, y = tf.placeholder(tf.float32, left), tf.placeholder(tf.float32, right)
        try:
            expected = list(np.broadcast_shapes(left, right))
        except ValueError:
            expected = None
        try:
            found = (x + y).shape.as_list()
        except ValueError as error:
            assert "Dimensions must be equal" in str(error)
            found = None
        assert found == expected


@st.composite
def indices(draw: Any, shape: tuple[int, ...]) -> tuple[Any, ...]:
    """An index that NumPy takes for an array of `shape`: ints, slices, None, one Ellipsis."""
    count = draw(st.integers(0, len(shape)))
    bound = st.none() | st.integers(-5, 5)
    step = st.sampled_from([None, 1, 2, 3, -1, -2])
    ellipsis_at = draw(st.none() | st.integers(0, count))
    found: list[Any] = []
    axis = 0
    for position in range(count + 1):
        if position == ellipsis_at:
            found.append(Ellipsis)
            axis += len(shape) - count
        if draw(st.integers(0, 4)) == 0:
            found.append(None)
        if position == count:
            break
        if draw(st.booleans()):
            found.append(draw(st.integers(-shape[axis], shape[axis] - 1)))
        else:
            found.append(slice(draw(bound), draw(bound), draw(step)))
        axis += 1
    return tuple(found)


@given(st.data())
@RUN
def test_strided_slices_are_those_of_numpy(tensorflow: Any, data: Any) -> None:
    """Values, gradients, and static shapes from a known and a partly known shape."""
    tf = tensorflow
    shape = data.draw(filled_shapes)
    index = data.draw(indices(shape))
    array = numbers(shape)
    expected = array[index]
    gradient = np.zeros_like(array)
    gradient[index] = expected
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float64, shape)
        part = x[index]
        assert part.shape.as_list() == list(expected.shape)
        vague = tf.placeholder(tf.float64, known_part(data.draw, shape))[index]
        assert vague.shape.is_compatible_with(expected.shape)
        found = session.run([part, tf.gradients(part, x, part)[0]], {x: array})
    np.testing.assert_array_equal(found[0], expected)
    np.testing.assert_array_equal(found[1], gradient)


def _axis(draw: Any, shape: tuple[int, ...]) -> int:
    return draw(st.integers(-len(shape), len(shape) - 1))


def _reduce(tf: Any, draw: Any, x: Any, shape: tuple[int, ...]) -> Any:
    axes = draw(st.none() | st.lists(st.integers(0, len(shape) - 1), unique=True))
    return tf.reduce_sum(x, axes, keepdims=draw(st.booleans()))


def _argmax(tf: Any, draw: Any, x: Any, shape: tuple[int, ...]) -> Any:
    return tf.argmax(x, _axis(draw, shape))


def _transpose(tf: Any, draw: Any, x: Any, shape: tuple[int, ...]) -> Any:
    return tf.transpose(x, draw(st.none() | st.permutations(range(len(shape)))))


def _expand(tf: Any, draw: Any, x: Any, shape: tuple[int, ...]) -> Any:
    return tf.expand_dims(x, draw(st.integers(-len(shape) - 1, len(shape))))


def _squeeze(tf: Any, draw: Any, x: Any, shape: tuple[int, ...]) -> Any:
    ones = [axis for axis, dim in enumerate(shape) if dim == 1]
    return tf.squeeze(x, draw(st.just(ones) | st.none()))


def _reshape(tf: Any, draw: Any, x: Any, shape: tuple[int, ...]) -> Any:
    target = draw(st.permutations(shape))
    unknown = draw(st.none() | st.integers(0, len(target) - 1))
    return tf.reshape(x, [-1 if i == unknown else dim for i, dim in enumerate(target)])


def _reshape_to_shape(tf: Any, draw: Any, x: Any, shape: tuple[int, ...]) -> Any:
    return tf.reshape(x, tf.concat([tf.shape(x)[:1], [-1]], 0))


def _concat(tf: Any, draw: Any, x: Any, shape: tuple[int, ...]) -> Any:
    return tf.concat([x] * draw(st.integers(1, 3)), _axis(draw, shape))


def _stack(tf: Any, draw: Any, x: Any, shape: tuple[int, ...]) -> Any:
    axis = draw(st.integers(-len(shape) - 1, len(shape)))
    return tf.stack([x] * draw(st.integers(1, 3)), axis)


def _tile(tf: Any, draw: Any, x: Any, shape: tuple[int, ...]) -> Any:
    return tf.tile(x, [draw(st.integers(1, 3)) for _ in shape])


def _pad(tf: Any, draw: Any, x: Any, shape: tuple[int, ...]) -> Any:
    widths = st.tuples(st.integers(0, 2), st.integers(0, 2))
    return tf.pad(x, [draw(widths) for _ in shape])


def _gather(tf: Any, draw: Any, x: Any, shape: tuple[int, ...]) -> Any:
    index_shape = draw(st.lists(dims, max_size=2))
    return tf.gather(x, np.zeros(index_shape, np.int32), axis=_axis(draw, shape))


def _one_hot(tf: Any, draw: Any, x: Any, shape: tuple[int, ...]) -> Any:
    axis = draw(st.integers(-1, len(shape)))
    return tf.one_hot(tf.cast(x, tf.int32), draw(st.integers(1, 3)), axis=axis)


def _matmul(tf: Any, draw: Any, x: Any, shape: tuple[int, ...]) -> Any:
    if len(shape) < 2:
        x = tf.expand_dims(x, 0)
    return tf.matmul(x, x, transpose_b=True)


def _convolve(tf: Any, draw: Any, x: Any, shape: tuple[int, ...]) -> Any:
    image = tf.reshape(x, [-1, 4, 5, 1]) if np.prod(shape) % 20 == 0 else tf.zeros([1, 4, 5, 1])
    strides = [1, draw(st.integers(1, 3)), draw(st.integers(1, 3)), 1]
    filters = np.ones([draw(st.integers(1, 4)), draw(st.integers(1, 4)), 1, 2], np.float32)
    padding = draw(st.sampled_from(["SAME", "VALID"]))
    if draw(st.booleans()):
        return tf.nn.conv2d(image, filters, strides=strides, padding=padding)
    size = [1, filters.shape[0], filters.shape[1], 1]
    return tf.nn.max_pool(image, size, strides, padding)


def _where(tf: Any, draw: Any, x: Any, shape: tuple[int, ...]) -> Any:
    return tf.where(x > 2)


def _masked(tf: Any, draw: Any, x: Any, shape: tuple[int, ...]) -> Any:
    return tf.boolean_mask(x, x > 2)


OPS: list[Callable[[Any, Any, Any, tuple[int, ...]], Any]] = [
    _reduce,
    _argmax,
    _transpose,
    _expand,
    _squeeze,
    _reshape,
    _reshape_to_shape,
    _concat,
    _stack,
    _tile,
    _pad,
    _gather,
    _one_hot,
    _matmul,
    _convolve,
    _where,
    _masked,
]


@given(st.data())
@settings(RUN, max_examples=100)
def test_static_shapes_are_true_of_the_values(tensorflow: Any, data: Any) -> None:
    """What is inferred while recording never contradicts what comes out."""
    tf = tensorflow
    shape = data.draw(filled_shapes)
    function = data.draw(st.sampled_from(OPS))
    with tf.Graph().as_default(), tf.Session() as session:
        told = known_part(data.draw, shape)
        # These can't be recorded without a rank.
        if function in (_masked, _squeeze, _matmul) and told is None:
            told = [None] * len(shape)
        x = tf.placeholder(tf.float32, told)
        y = function(tf, data.draw, x, shape)
        value = session.run(y, {x: numbers(shape).astype(np.float32)})
        assert y.shape.is_compatible_with(value.shape), (y.shape, value.shape)
        assert value.dtype == y.dtype.as_numpy_dtype


@given(st.data())
@RECORD
def test_knowing_more_never_contradicts(tensorflow: Any, data: Any) -> None:
    """The shape inferred from a part of the knowledge is compatible with that from all of it."""
    tf = tensorflow
    shape = data.draw(filled_shapes)
    function = data.draw(st.sampled_from(OPS))
    choices: list[Any] = []

    def remember(strategy: Any) -> Any:
        choices.append(data.draw(strategy))
        return choices[-1]

    with tf.Graph().as_default():
        all_known = function(tf, remember, tf.placeholder(tf.float32, shape), shape)
        told = [dim if data.draw(st.booleans()) else None for dim in shape]
        again = iter(choices)
        x = tf.placeholder(tf.float32, told)
        part_known = function(tf, lambda strategy: next(again), x, shape)
        assert part_known.shape.is_compatible_with(all_known.shape)
