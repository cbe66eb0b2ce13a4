"""Bodies that `pfor` records for all iterations at once, and jacobians that are made so.

Runs under the real TensorFlow 1.15 (Python 3.7) as well as under this project's Python.
"""

from __future__ import annotations

import numpy as np
from case_runs import Case


def arr(*shape):
    count = int(np.prod(shape))
    return (np.arange(count).reshape(shape) % 7 - 3).astype("float32") / 4


def _case(results):
    flat = results if isinstance(results, (list, tuple)) else [results]
    return Case([x for x in flat if x is not None], steps=1)


def mapped(fn, value=None):
    """A case of `tf.vectorized_map`."""

    def case(tf):
        elems = tf.constant(arr(3, 4) if value is None else value)
        return _case(tf.vectorized_map(lambda row: fn(tf, row), elems))

    return case


def looped(body, *how, **options):
    """A case of `pfor`; `body` gives its function."""

    def case(tf):
        from tensorflow.python.ops.parallel_for import control_flow_ops

        iters = tf.placeholder_with_default(3, []) if how == ("unknown",) else how[0]
        return _case(control_flow_ops.pfor(body(tf), iters, **options))

    return case


def jacobian(of, batch=False, **options):
    """A case of a jacobian; `of` gives a tensor and what it is differentiated by."""

    def case(tf):
        from tensorflow.python.ops.parallel_for import gradients

        find = gradients.batch_jacobian if batch else gradients.jacobian
        return _case(find(*of(tf), **options))

    return case


def _rows(tf):
    x = tf.constant(arr(3, 4))
    return lambda i: tf.gather(x, i)


def _row_of_variable(tf):
    v, r = tf.Variable(arr(3, 4)), tf.Variable(arr(3, 4), use_resource=True)
    return lambda i: [tf.gather(v, i), v[0] + r]


def _same_number_of_turns(tf):
    x = tf.constant(arr(3, 4))

    def body(i):
        def turn(j, total):
            return j + 1, total + tf.gather(x, i)

        return tf.while_loop(lambda j, _: j < 3, turn, [0, tf.zeros([4])])

    return body


def _own_number_of_turns(tf):
    return lambda i: tf.while_loop(lambda j, _: j < i, lambda j, y: (j + 1, y * 2), [0, 1.0])


def _array_of_body(tf):
    x = tf.constant(arr(3, 4))

    def body(i):
        array = tf.TensorArray(tf.float32, 2)
        array = array.write(0, tf.gather(x, i)).write(1, tf.gather(x, i) * 2)
        return [array.stack(), array.size()]

    return body


def _array_of_same_elements(tf):
    def body(i):
        array = tf.TensorArray(tf.float32, 2, clear_after_read=False).unstack(tf.ones([2, 3]))
        return [array.stack(), array.read(1), array.gather([0, 1])]

    return body


def _array_from_outside(tf):
    array = tf.TensorArray(tf.float32, 3, clear_after_read=False).unstack(arr(3, 4))
    return lambda i: [array.read(i), array.gather([i, 0]), array.size()]


def _reductions(tf):
    x = tf.constant(arr(3, 4))

    def body(i, pfor_config):
        row = tf.gather(x, i)
        mean = pfor_config.reduce_mean(row)
        return [row - mean, pfor_config.reduce_sum(row), pfor_config.reduce_concat(row)]

    return body


def _function(tf):
    x = tf.constant(arr(3, 4))
    fn = tf.function(lambda row: row * 2 + x[0])
    return lambda i: fn(tf.gather(x, i))


def _recurrence(tf):
    x = tf.constant(arr(3, 4))
    cell = tf.nn.rnn_cell.BasicRNNCell(2)

    def body(i):
        steps = tf.reshape(tf.gather(x, i), [1, 2, 2])
        return list(tf.nn.dynamic_rnn(cell, steps, dtype=tf.float32))

    return body


def _matrices(tf):
    return tf.constant(arr(2, 3)), tf.constant(arr(3, 2))


def _unknown(tf):
    return tf.placeholder_with_default(arr(2, 3), [None, 3])


def _product(tf):
    x, w = _matrices(tf)
    return tf.tanh(tf.matmul(x, w)), [x, w]


def _softmax(tf):
    x = _unknown(tf)
    return tf.nn.softmax(tf.matmul(x, _matrices(tf)[1])), x


def _per_row(tf):
    x, w = _matrices(tf)
    return tf.tanh(tf.matmul(x, w)), x


def _per_row_unknown(tf):
    x = _unknown(tf)
    return tf.nn.relu(tf.matmul(x, _matrices(tf)[1])), x


def _convolution(tf):
    x, w = tf.constant(arr(1, 3, 3, 2)), tf.constant(arr(2, 2, 2, 2))
    return tf.nn.conv2d(x, w, 1, "VALID"), [x, w]


def _pools(tf):
    x = tf.constant(arr(1, 4, 4, 1))
    both = tf.nn.max_pool(x, 2, 2, "VALID") + tf.nn.avg_pool(x, 2, 2, "VALID")
    return both, x


def _normalization(tf):
    x, one = tf.constant(arr(1, 3, 3, 2)), tf.ones([2])
    return tf.nn.fused_batch_norm(x, one, one)[0][:, 0, :1], [x, one]


def _loop(tf):
    x = _matrices(tf)[0]
    return tf.while_loop(lambda i, _: i < 2, lambda i, v: (i + 1, v * x), [0, x])[1], x


def _recurrent(tf):
    x = _matrices(tf)[0]
    cell = tf.nn.rnn_cell.BasicRNNCell(2, name="cell")
    cell.build([1, 3])
    steps = tf.reshape(x, [1, 2, 3])
    weights = tf.constant(arr(5, 2))
    cell._kernel = weights
    return tf.nn.dynamic_rnn(cell, steps, dtype=tf.float32)[1], x


def _second(tf):
    x = _matrices(tf)[0]
    return tf.gradients(tf.reduce_sum(x**3), x)[0], x


def _activations(tf):
    x = _matrices(tf)[0]
    y = tf.nn.elu(x) + tf.nn.selu(x) + tf.nn.softplus(x) + tf.where(x > 0, x, -x)
    return y + tf.sqrt(tf.abs(x) + 1), x


_IMAGES, _SQUARES = arr(2, 1, 4, 4, 2), arr(3, 2, 2)
CASES = {
    "map": {
        "arithmetic": mapped(lambda tf, r: [r * 2 + 1, r / 3.0, tf.maximum(r, 0.0), r**2.0]),
        "wrapped": mapped(lambda tf, r: [tf.abs(r), tf.round(r), tf.sigmoid(r), tf.tanh(r)]),
        "other ranks": mapped(lambda tf, r: r + tf.constant([[1.0], [2.0]])),
        "outer product": mapped(lambda tf, r: tf.tensordot(r, r, 0)),
        "rows times": mapped(lambda tf, r: tf.matmul(tf.reshape(r, [2, 2]), tf.ones([2, 3]))),
        "times columns": mapped(lambda tf, r: tf.matmul(tf.ones([3, 2]), tf.reshape(r, [2, 2]))),
        "times transposed": mapped(
            lambda tf, r: tf.matmul(tf.ones([3, 2]), tf.reshape(r, [2, 2]), transpose_b=True)
        ),
        "batches": mapped(lambda tf, r: tf.matmul(r, r), arr(3, 2, 2, 2)),
        "reductions": mapped(
            lambda tf, r: [
                tf.reduce_sum(r),
                tf.reduce_mean(r, 0, keepdims=True),
                tf.reduce_any(r > 0),
                tf.cumsum(r),
            ]
        ),
        "parts": mapped(
            lambda tf, r: [
                tf.gather(r, [0, 1]),
                r[1:3],
                r[..., None],
                r[-1],
                tf.slice(r, [1], [2]),
                *tf.unstack(r),
                *tf.split(r, 2),
            ]
        ),
        "shapes": mapped(
            lambda tf, r: [
                tf.reshape(r, [2, -1]),
                tf.tile(r, [2]),
                tf.expand_dims(r, -1),
                tf.shape(r),
                tf.squeeze(tf.reshape(r, [1, 4]), 0),
                tf.broadcast_to(r, [2, 4]),
                tf.size(r),
                tf.rank(r),
                tf.transpose(tf.reshape(r, [2, 2])),
            ]
        ),
        "joined": mapped(
            lambda tf, r: [
                tf.concat([r, r], 0),
                tf.stack([r, r], 1),
                tf.pad(r, [[1, 2]]),
                tf.add_n([r, r]),
                tf.zeros_like(r),
                tf.one_hot(tf.cast(r, tf.int32), 3),
            ]
        ),
        "select": mapped(lambda tf, r: [tf.where(r > 0, r, -r), tf.where_v2(r > 0, r, 1.0)]),
        "losses": mapped(
            lambda tf, r: [
                tf.nn.log_softmax(r),
                tf.losses.mean_squared_error(r, r * 0.5),
                tf.nn.softmax_cross_entropy_with_logits_v2(labels=r, logits=r),
            ]
        ),
        "convolution": mapped(
            lambda tf, r: tf.nn.bias_add(tf.nn.conv2d(r, arr(2, 2, 2, 2), 1, "SAME"), [1.0, 2.0]),
            _IMAGES,
        ),
        "pools": mapped(
            lambda tf, r: [tf.nn.max_pool(r, 2, 2, "SAME"), tf.nn.avg_pool(r, 2, 2, "VALID")],
            _IMAGES,
        ),
        "matrices": mapped(
            lambda tf, r: [
                tf.cholesky(r + tf.eye(2) * 9),
                tf.matrix_triangular_solve(r + tf.eye(2) * 9, tf.ones([2, 1])),
            ],
            _SQUARES,
        ),
        "determinants": mapped(
            lambda tf, r: list(tf.linalg.slogdet(r)), _SQUARES[:, None] + np.eye(2, dtype="f")
        ),
        "diagonals": mapped(
            lambda tf, r: [
                tf.linalg.band_part(tf.linalg.diag(r), 1, 0),
                tf.linalg.diag_part(tf.linalg.diag(r)),
            ]
        ),
        "rows of rows": mapped(lambda tf, r: tf.gather(r, tf.cast(r[:2] * 0, tf.int32))),
        "columns": mapped(lambda tf, r: tf.gather(arr(3, 4), tf.cast(r[:2] * 0, tf.int32), axis=1)),
        "segments": mapped(lambda tf, r: tf.unsorted_segment_sum(r, [0, 1, 0, 1], 2)),
        "random": mapped(lambda tf, r: [tf.random.uniform([2], seed=1) + r[0], tf.identity(r)]),
        "gamma": mapped(lambda tf, r: tf.random.gamma([2], tf.abs(r) + 1, seed=1)),
        "constant": mapped(lambda tf, r: [tf.constant(3), r]),
        "sum of products": mapped(lambda tf, r: tf.einsum("i,ij->j", r, tf.ones([4, 2]))),
    },
    "pfor": {
        "all rows": looped(_rows, 3),
        "some rows": looped(_rows, 2),
        "unknown count": looped(_rows, "unknown"),
        "in chunks": looped(_rows, 3, parallel_iterations=2),
        "in equal chunks": looped(lambda tf: lambda i: i * 2, 4, parallel_iterations=2),
        "fewer than a chunk": looped(lambda tf: lambda i: i * 2, 4, parallel_iterations=9),
        "variables": looped(_row_of_variable, 3),
        "as many turns": looped(_same_number_of_turns, 3),
        "own turns": looped(_own_number_of_turns, 4),
        "own array": looped(_array_of_body, 3),
        "same elements": looped(_array_of_same_elements, 3),
        "array outside": looped(_array_from_outside, 3),
        "config": looped(_reductions, 3),
    },
    "jacobian": {
        "product": jacobian(_product),
        "product in a loop": jacobian(_product, use_pfor=False),
        "in chunks": jacobian(_per_row, parallel_iterations=3),
        "softmax": jacobian(_softmax),
        "rows": jacobian(_per_row, batch=True),
        "rows of unknown number": jacobian(_per_row_unknown, batch=True),
        "rows in a loop": jacobian(_per_row, batch=True, use_pfor=False),
        "convolution": jacobian(_convolution),
        "pools": jacobian(_pools),
        "normalization": jacobian(_normalization),
        "loop": jacobian(_loop),
        "second": jacobian(_second),
        "activations": jacobian(_activations),
    },
}


def _refused(body, *how, **options):
    return lambda tf: looped(body, *how, **options)(tf)


MISTAKES = {
    "pfor": {
        "no converter": mapped(lambda tf, r: tf.math.top_k(r, 2)[0]),
        "conditional": mapped(lambda tf, r: tf.cond(r[0] > 0, lambda: r, lambda: -r)),
        "stacked shape": _refused(lambda tf: lambda i: tf.reshape(tf.ones([2]), [i]), 3),
        "one at a time": _refused(lambda tf: lambda i: i, 4, parallel_iterations=1),
        "none at a time": _refused(lambda tf: lambda i: i, 4, parallel_iterations=0),
        "reductions in chunks": _refused(_reductions, 4, parallel_iterations=2),
        "no function": _refused(lambda tf: 3, 3),
        "other batch": lambda tf: jacobian(lambda tf: _matrices(tf), batch=True)(tf),
    },
}
