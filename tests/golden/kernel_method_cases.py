"""tf.contrib.kernel_methods: random Fourier features and the multiclass hinge loss.

Read by `record_cases.py` under TensorFlow 1.15 and replayed by
`tests/api/test_kernel_methods.py`.
"""

from __future__ import annotations

import numpy as np
from case_runs import Case, collect

X = np.linspace(-1.0, 2.0, 6).astype("f").reshape(2, 3)


def _mapper(tf, *args, **kwargs):
    return tf.contrib.kernel_methods.RandomFourierFeatureMapper(*args, **kwargs)


def _loss(tf, labels, logits, **kwargs):
    return tf.contrib.kernel_methods.sparse_multiclass_hinge_loss(
        tf.convert_to_tensor(labels), tf.convert_to_tensor(logits), **kwargs
    )


def features(tf):
    mapper = _mapper(tf, 3, 4, 2.0, seed=5, name="own")
    found = [mapper.map(tf.constant(X)), _mapper(tf, 3, 2).map(tf.constant(X))]
    drawn = np.random.rand()
    return Case(found, said=[mapper.name, mapper.input_dim, mapper.output_dim, round(drawn, 6)])


def hinge(tf):
    logits = tf.constant(X, tf.float64)
    found = [
        _loss(tf, [0, 2], logits),
        _loss(tf, [[1], [2]], tf.placeholder_with_default(X, [None, 3]), weights=[[0.5], [2.0]]),
        _loss(
            tf,
            [1, 1],
            X,
            weights=[1.0, 0.0],
            scope="own",
            loss_collection="own",
            reduction=tf.losses.Reduction.NONE,
        ),
    ]
    gradient = tf.gradients(found[0], logits)[0]
    return Case(found + [gradient])


CASES = {"kernels": collect(features, hinge)}

MISTAKES = {
    "kernels": {
        "rank": lambda tf: _mapper(tf, 3, 4).map(tf.ones([3])),
        "width": lambda tf: _mapper(tf, 2, 4).map(tf.constant(X)),
        "logits": lambda tf: _loss(tf, [0], [1.0, 2.0]),
        "labels' dtype": lambda tf: _loss(tf, [0.0, 1.0], X),
        "labels' rank": lambda tf: _loss(tf, [[[0]], [[1]]], X),
        "weights' rank": lambda tf: _loss(tf, [0, 1], X, weights=[[[1.0]]]),
        "weights": lambda tf: _loss(tf, [0, 1], X, weights=[1.0, 2.0, 3.0]),
        "reduction": lambda tf: _loss(tf, [0, 1], X, reduction="x"),
    }
}
