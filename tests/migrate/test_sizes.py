"""`to_jax` of what has sizes that hang on values: distinct ids, segments, masks."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import quick_compilation
from jax.experimental import checkify

from tf1compat import migrate

# Sparse ids of a batch: (row, place) of each, and the shape. Each row has one, and some repeat.
PLACES = np.array([[0, 0], [0, 1], [1, 0], [2, 0], [3, 0], [3, 1]])
IDS = [[3, 1, 3, 2, 1, 0], [4, 4, 4, 4, 4, 4], [0, 1, 2, 3, 4, 5], [5, 5, 1, 1, 0, 0]]
SHAPE = (4, 2)
OPTIMIZERS = {
    "sgd": lambda tf: tf.train.GradientDescentOptimizer(0.1),
    "momentum": lambda tf: tf.train.MomentumOptimizer(0.1, 0.9),
    "adam": lambda tf: tf.train.AdamOptimizer(0.1),
    "adagrad": lambda tf: tf.train.AdagradOptimizer(0.1),
    "ftrl": lambda tf: tf.train.FtrlOptimizer(0.1),
}


def walks(tf, train: Any, loss: Any, x: Any, **bounds: Any) -> None:
    """Takes some steps with ids of which more or fewer are distinct, all compiled once."""
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        fn, params = migrate.to_jax([train, loss], x, **bounds)
        step = jax.jit(fn, compiler_options=quick_compilation.options())
        for ids in IDS:
            _, wanted = session.run([train, loss], {x: ids})
            params, (_, found) = step(params, np.array(ids, np.int64))
            np.testing.assert_allclose(found, wanted, rtol=2e-6)
        _, kept = migrate.to_jax([train, loss], x, **bounds)
        for name, value in kept.items():
            np.testing.assert_allclose(params[name], value, rtol=1e-5, atol=1e-6, err_msg=name)


def table(tf) -> Any:
    return tf.get_variable("table", initializer=np.linspace(-1, 1, 24, dtype="f").reshape(6, 4))


@pytest.mark.parametrize(
    ("optimizer", "weights"), [*((name, False) for name in OPTIMIZERS), ("adam", True)]
)
def test_lookups_of_sparse_ids_walk_the_session_s_curve(
    tf, compiled_quickly, optimizer, weights
) -> None:
    x = tf.placeholder(tf.int64, [None])
    ids = tf.SparseTensor(PLACES, x, SHAPE)
    each = tf.SparseTensor(PLACES, np.linspace(1, 2, len(PLACES), dtype="f"), SHAPE)
    rows = tf.nn.embedding_lookup_sparse(table(tf), ids, each if weights else None, combiner="mean")
    loss = tf.reduce_sum(tf.square(rows - 0.5))
    walks(tf, OPTIMIZERS[optimizer](tf).minimize(loss), loss, x, most_segments=SHAPE[0])


def test_lookups_of_distinct_ids_need_no_bound(tf, compiled_quickly) -> None:
    x = tf.placeholder(tf.int64, [None])
    distinct, place = tf.unique(x)
    rows = tf.gather(tf.nn.embedding_lookup(table(tf), distinct), place)
    loss = tf.reduce_sum(tf.square(rows - 0.5) * tf.range(1.0, 5.0))
    walks(tf, tf.train.AdamOptimizer(0.1).minimize(loss), loss, x)


SEGMENTS = {
    "sum": lambda tf, data, ids: tf.segment_sum(data, ids),
    "mean": lambda tf, data, ids: tf.segment_mean(data, ids),
    "prod": lambda tf, data, ids: tf.segment_prod(data, ids),
    "min": lambda tf, data, ids: tf.segment_min(data, ids),
    "max": lambda tf, data, ids: tf.segment_max(data, ids),
    "rows": lambda tf, data, ids: tf.sparse_segment_mean(data, [4, 0, 1, 2, 0], ids),
    "roots": lambda tf, data, ids: tf.sparse_segment_sqrt_n(data, [4, 0, 1, 2, 0], ids),
}


def segments(tf, how: str, dtype: Any) -> tuple[Any, list[Any]]:
    data = tf.placeholder(dtype, [None, 2])
    ids = tf.placeholder(tf.int32, [None])
    return SEGMENTS[how](tf, data, ids), [data, ids]


@pytest.mark.parametrize(
    ("how", "dtype"), [*((how, np.float32) for how in SEGMENTS), ("mean", np.int32)]
)
def test_segments_have_the_rows_that_the_caller_says(tf, how, dtype) -> None:
    result, inputs = segments(tf, how, dtype)
    slope = [] if how == "prod" or dtype == np.int32 else tf.gradients(result, inputs[0])
    data = np.array([[1, -7], [2, -8], [3, 3], [5, 5], [-5, 2]], dtype)
    given = [data, np.array([0, 0, 2, 2, 3], np.int32)]
    with tf.Session() as session:
        wanted = session.run([result, *slope], dict(zip(inputs, given)))
    exact, params = migrate.to_jax([result, *slope], inputs)  # Known ids say how many there are.
    for one, other in zip(exact(params, *given), wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-6)
    fn, _ = migrate.to_jax([result, *slope], inputs, most_segments=6)
    found = jax.jit(fn)(params, *given)
    np.testing.assert_allclose(found[0][:4], wanted[0], rtol=1e-6)
    np.testing.assert_array_equal(found[0][4:], np.full((2, 2), how == "prod"))
    if slope:
        np.testing.assert_allclose(found[1], wanted[1], rtol=1e-6)


def test_segments_without_a_bound_name_it(tf) -> None:
    result, inputs = segments(tf, "sum", np.float32)
    given = jnp.ones([3, 2]), jnp.array([0, 1, 4])
    fn, params = migrate.to_jax(result, inputs)
    with pytest.raises(NotImplementedError, match="has to be given `most_segments`") as raised:
        jax.jit(fn)(params, *given)
    assert "(SegmentSum)" in str(raised.value) and f"(defined at {__file__}:" in str(raised.value)
    fn, _ = migrate.to_jax(result, inputs, most_segments=4, checks="checkify")
    error, _ = jax.jit(checkify.checkify(fn))(params, *given)
    assert "segment ids must be < num_segments" in error.get()
    error, _ = jax.jit(checkify.checkify(fn))(params, given[0], jnp.array([0, 1, 3]))
    assert error.get() is None


AT_ONCE = {
    "mask": lambda tf, x: tf.reduce_mean(tf.square(tf.boolean_mask(x, x > 0))),
    "places": lambda tf, x: tf.where(x > 0),
    "distinct": lambda tf, x: list(tf.unique(tf.cast(x, tf.int32))),
    "parts": lambda tf, x: tf.dynamic_partition(x, tf.cast(x > 0, tf.int32), 2),
}


@pytest.mark.parametrize("name", AT_ONCE)
def test_what_is_not_compiled_has_the_sizes_of_its_values(tf, name) -> None:
    x = tf.placeholder(tf.float32, [None])
    fetches = AT_ONCE[name](tf, x)
    value = np.array([1.5, -1.0, 2.0, 2.0], np.float32)
    with tf.Session() as session:
        wanted = session.run(fetches, {x: value})
    fn, params = migrate.to_jax(fetches, x)
    found = fn(params, value)
    for one, other in zip(jax.tree.leaves(found), jax.tree.leaves(wanted), strict=True):
        np.testing.assert_array_equal(one, other)


def test_sizes_that_are_data_belong_to_the_pipeline(tf) -> None:
    words = tf.data.Dataset.from_tensors([["a", ""], ["b", "c"], ["", ""]]).repeat()
    words = words.make_one_shot_iterator().get_next()
    column = tf.feature_column.categorical_column_with_hash_bucket("word", 6)
    column = tf.feature_column.embedding_column(column, 4, initializer=tf.ones_initializer())
    rows = tf.feature_column.input_layer({"word": words}, [column])
    loss = tf.reduce_sum(tf.square(rows - 0.5))
    train = tf.train.AdagradOptimizer(0.1).minimize(loss)
    inputs = migrate.boundary([train, loss])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        fn, params = migrate.to_jax([train, loss], inputs, most_segments=3)
        for _ in range(2):
            (_, wanted), values = session.run([[train, loss], inputs])
            params, (_, found) = jax.jit(fn)(params, *values)
            np.testing.assert_allclose(found, wanted, rtol=1e-6)
