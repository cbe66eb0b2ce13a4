"""Sparse tensors in whole programs: fed, fetched, trained with, kept by a session."""

from __future__ import annotations

import numpy as np
import pytest

from tf1compat.runtime.compile.region import Region

MATRIX = ([[0, 1], [1, 0], [1, 2]], [1.0, 2.0, 3.0], [2, 3])


def test_a_placeholder_is_fed_and_fetched(tf):
    sparse = tf.sparse_placeholder(tf.float32, name="s")
    with tf.Session() as session:
        for feed in (MATRIX, tf.SparseTensorValue(*MATRIX)):
            value = session.run(sparse, {sparse: feed})
            assert isinstance(value, tf.SparseTensorValue)
            np.testing.assert_array_equal(value.indices, MATRIX[0])
            np.testing.assert_array_equal(value.values, MATRIX[1])
            np.testing.assert_array_equal(value.dense_shape, MATRIX[2])


def test_a_fed_sparse_matrix_is_compiled_once(tf, monkeypatch):
    compiled = []
    compile_region = Region._compile

    def counted(self, *args):
        compiled.append(self)
        return compile_region(self, *args)

    monkeypatch.setattr(Region, "_compile", counted)
    sparse = tf.sparse_placeholder(tf.float32)
    weights = tf.Variable(tf.ones([3, 2]))
    product = tf.sparse_tensor_dense_matmul(sparse, weights)
    train = tf.train.GradientDescentOptimizer(0.1).minimize(tf.reduce_sum(product))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        session.run([train, product], {sparse: MATRIX})
        count = len(compiled)
        for _ in range(3):
            session.run([train, product], {sparse: MATRIX})
        assert len(compiled) == count
        # Another shape, another program; both are kept.
        wide = ([[0, 1]], [1.0], [5, 3])
        assert session.run(product, {sparse: wide}).shape == (5, 2)
        assert session.run(product, {sparse: MATRIX}).shape == (2, 2)


def test_training_with_a_sparse_matrix(tf):
    """Gradients of both factors, against the dense product."""
    values = tf.Variable(MATRIX[1])
    dense = tf.Variable(np.arange(6.0).reshape(3, 2).astype(np.float32))
    product = tf.sparse.matmul(tf.SparseTensor(MATRIX[0], values, MATRIX[2]), dense)
    by_values, by_dense = tf.gradients(tf.reduce_sum(tf.square(product)), [values, dense])
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        found = session.run([product, by_values, by_dense])
    a = np.zeros((2, 3), np.float32)
    a[tuple(np.transpose(MATRIX[0]))] = MATRIX[1]
    b = np.arange(6.0).reshape(3, 2)
    np.testing.assert_allclose(found[0], a @ b)
    grad = 2 * (a @ b)
    np.testing.assert_allclose(found[1], (grad @ b.T)[tuple(np.transpose(MATRIX[0]))])
    np.testing.assert_allclose(found[2], a.T @ grad)


def test_sparse_dropout_takes_other_elements_every_run(tf):
    sparse = tf.SparseTensor([[i, i] for i in range(50)], tf.ones([50]), [50, 50])
    kept = tf.sparse_retain(sparse, tf.random_uniform([50], seed=1) < 0.5)
    total = tf.reduce_sum(tf.sparse_tensor_dense_matmul(kept, tf.ones([50, 1])))
    with tf.Session() as session:
        for _ in range(3):
            count, found = session.run([tf.shape(kept.values)[0], total])
            assert count == found


def test_a_handle_is_taken_once(tf):
    from tf1compat.api.sparse import sparse_ops

    handle = sparse_ops._add_sparse_to_tensors_map(tf.SparseTensor(*MATRIX))
    handles = tf.placeholder(tf.int64, [None])
    taken = sparse_ops._take_many_sparse_from_tensors_map(handle.op, handles, rank=3)
    assert taken.shape.ndims == 3
    with tf.Session() as session:
        first, second = session.run(handle), session.run(handle)
        value = session.run(taken, {handles: [second, first]})
        np.testing.assert_array_equal(value.dense_shape, [2, 2, 3])
        with pytest.raises(tf.errors.InvalidArgumentError, match="Unable to find SparseTensor: 0"):
            session.run(taken, {handles: [first]})


def test_serialized_rows_are_batched(tf):
    rows = tf.serialize_many_sparse(tf.SparseTensor(*MATRIX))
    again = tf.deserialize_many_sparse(tf.gather(rows, [1, 0, 1]), tf.float32)
    with tf.Session() as session:
        dense = session.run(tf.sparse.to_dense(again))
    np.testing.assert_array_equal(dense, [[2, 0, 3], [0, 1, 0], [2, 0, 3]])


def test_ctc_loss_falls_while_training(tf):
    """A tiny net learns its labels, and the decoders read them."""
    tf.set_random_seed(1)
    labels = tf.sparse_placeholder(tf.int32)
    inputs = tf.constant(np.random.RandomState(0).randn(8, 2, 4).astype(np.float32))
    logits = tf.reshape(tf.layers.dense(tf.reshape(inputs, [-1, 4]), 4), [8, 2, 4])
    lengths = [8, 6]
    loss = tf.reduce_mean(tf.nn.ctc_loss(labels, logits, lengths))
    train = tf.train.AdamOptimizer(0.3).minimize(loss)
    (greedy,), _ = tf.nn.ctc_greedy_decoder(logits, lengths)
    error = tf.reduce_mean(tf.edit_distance(tf.cast(greedy, tf.int32), labels))
    fed = {labels: ([[0, 0], [0, 1], [1, 0]], [0, 1, 2], [2, 2])}
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        before = session.run(loss, fed)
        for _ in range(30):
            session.run(train, fed)
        after, wrong = session.run([loss, error], fed)
        assert after < before / 2
        assert wrong <= 1


def test_a_second_derivative_of_ctc_loss_is_refused(tf):
    logits = tf.placeholder(tf.float32, [5, 1, 3])
    loss = tf.nn.ctc_loss(tf.SparseTensor([[0, 0]], [1], [1, 1]), logits, [5])
    (grad,) = tf.gradients(loss, logits)
    with pytest.raises(LookupError, match="second  derivative of ctc_loss"):
        tf.gradients(grad, logits)
