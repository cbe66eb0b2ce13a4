"""Source of sparse ids, segments, and what a pipeline of feature columns gives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from test_source import passes
from test_source_programs import tf as tf

from tf1compat.migrate import boundary, source_step
from tf1compat.migrate.source import CannotWrite, write_source
from tf1compat.migrate.source_script import Seen, Watch

pytestmark = pytest.mark.usefixtures("optimized_little")

# Sparse ids of a batch: (row, place) of each, and the shape.
PLACES = np.array([[0, 0], [0, 1], [1, 0], [2, 0], [3, 0], [3, 1]])
SHAPE = (4, 2)
BATCHES = [[np.array([3, 1, 3, 2, 1, 0])], [np.array([5, 5, 1, 1, 0, 0])]]
LOOKUPS = {
    "mean": ("mean", False, "segment_mean(\n", "AdamOptimizer"),
    "root": ("sqrtn", False, "segment_sqrt_n(\n", "AdagradOptimizer"),
    "weighted": ("sum", True, "jax.ops.segment_sum(", "GradientDescentOptimizer"),
}


@pytest.mark.parametrize("name", LOOKUPS)
def test_lookups_of_sparse_ids(tf, tmp_path, monkeypatch, name) -> None:
    combiner, weighted, wanted, optimizer = LOOKUPS[name]
    x = tf.placeholder(tf.int64, [None], name="x")
    table = tf.get_variable("table", [6, 4])
    each = tf.SparseTensor(PLACES, np.linspace(1, 2, len(PLACES), dtype="f"), SHAPE)
    ids = tf.SparseTensor(PLACES, x, SHAPE)
    each = each if weighted else None
    rows = tf.nn.embedding_lookup_sparse(table, ids, each, combiner=combiner)
    loss = tf.reduce_sum(tf.square(rows - 0.5))
    train = getattr(tf.train, optimizer)(0.1).minimize(loss)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        arguments = tmp_path / "model.py", {"loss": loss}, {"x": x}, session, BATCHES
        with pytest.raises(NotImplementedError, match="most_segments"):
            write_source(*arguments, train=train)
        write_source(*arguments, train=train, most_segments=4)
    text = (tmp_path / "model.py").read_text()
    assert 'jnp.take(params["table"], x, axis=0)' in text  # Whatever is distinct in it.
    assert wanted in text and "unique" not in text and "arange" not in text
    passes(tmp_path, monkeypatch)


def test_distinct_ids_that_are_used_otherwise(tf, tmp_path) -> None:
    x = tf.placeholder(tf.int32, [None], name="x")
    distinct, _ = tf.unique(x)
    rows = tf.gather(tf.get_variable("table", [6, 4]), distinct)
    result = rows / tf.cast(tf.size(distinct), tf.float32)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        with pytest.raises(CannotWrite, match=r"\(Unique\), of which more is used"):
            write_source(tmp_path / "model.py", {"y": result}, {"x": x}, session, BATCHES)


def columns(tf) -> tuple[Any, Any]:
    """A wide and deep model of texts from a pipeline: what trains it, and the loss."""
    words = {"word": [["a", ""], ["b", "c"], ["", ""]], "place": [["x"], ["y"], ["x"]]}
    words = tf.data.Dataset.from_tensors(words).repeat().make_one_shot_iterator().get_next()
    word = tf.feature_column.categorical_column_with_hash_bucket("word", 6)
    place = tf.feature_column.categorical_column_with_vocabulary_list("place", ["x", "y"])
    deep = tf.feature_column.input_layer(words, [tf.feature_column.embedding_column(word, 4)])
    wide = tf.feature_column.linear_model(words, [word, place])
    loss = tf.reduce_sum(tf.square(tf.layers.dense(deep, 1) + wide - 0.5))
    return tf.train.AdagradOptimizer(0.1).minimize(loss), loss


def test_weights_are_no_part_of_a_pipeline(tf) -> None:
    """Shapes that are data decide what is made of the weights, too."""
    train, loss = columns(tf)
    given = boundary([train, loss])
    assert not any(tensor.dtype.is_floating for tensor in given)


def test_feature_columns_of_a_pipeline(tf, tmp_path, monkeypatch) -> None:
    train, loss = columns(tf)
    with tf.Session() as session:
        session.run([tf.global_variables_initializer(), tf.tables_initializer()])
        seen = Seen(session, [train, loss], [])
        assert {"word_output_values", "place_output_values"} <= set(seen.inputs)
        batches = [session.run(list(seen.inputs.values())) for _ in range(2)]
        arguments = tmp_path / "model.py", {"loss": loss}, seen.inputs, session, batches
        write_source(*arguments, train=train, most_segments=3)
    passes(tmp_path, monkeypatch)


def test_what_is_asked_for_most_often_gives_numbers(tf) -> None:
    x = tf.placeholder(tf.float32, [None])
    ready = tf.is_variable_initialized(tf.get_variable("w", [2]))
    watch = Watch(tf.Session)
    watch.begin()
    try:
        with tf.Session() as session:
            session.run(2.0 * x, {x: [1.0]})
            for _ in range(3):
                session.run(ready)
    finally:
        watch.end()
    seen = watch.most_often()
    assert seen is not None and list(seen.inputs.values()) == [x] and seen.runs == 1


def test_a_weight_that_comes_back_to_nearly_nothing() -> None:
    """It is a difference of what the steps moved it by, rounded as these are."""
    after, far, none = np.array([3e-4], "f"), np.array([5e-3], "f"), np.array([], "f")
    assert source_step.rounding(far, after) > 1e-6 * after.max()
    assert source_step.rounding(after * 0.99, after) < 1e-7 * after.max()
    assert source_step.rounding(none, none) == 0
