"""Steps of stochastic dual coordinate ascent, for one example: of several, TensorFlow's order hangs
on a clock."""

from __future__ import annotations

import numpy as np

from op_table.case import Case, val

LOSSES = ("logistic_loss", "squared_loss", "hinge_loss", "smooth_hinge_loss", "poisson_loss")
HOST = "on the host"


def _steps(loss, op="SdcaOptimizer", label=None, places=(5, 7), **attrs):
    def record(tf, values, dense, weight, labels, dual):
        state = tf.reshape(tf.concat([dual, tf.zeros([3])], 0), [1, 4])
        labels = labels if label is None else tf.constant([label])
        return getattr(tf.raw_ops, op)(
            sparse_example_indices=[np.array([0, 0])], sparse_feature_indices=[np.array(places)],
            sparse_feature_values=[values], dense_features=[dense], example_weights=weight,
            example_labels=labels, sparse_indices=[np.array([7, 5, 9])],
            sparse_weights=[tf.constant([0.1, 0.2, 0.3])], dense_weights=[tf.constant([0.4, -0.5])],
            example_state_data=state, loss_type=loss, l1=0.1, l2=1.5, num_loss_partitions=2,
            num_inner_iterations=2, **attrs
        )  # fmt: skip

    return record


def _example(weight, label, dual):
    return [val(x, "float32") for x in ([0.5, 2.0], [[1.0, 2.0]], [weight], [label], [dual])]


def _shrunk(tf, x, y):
    update = tf.raw_ops.SdcaShrinkL1(weights=[x, y], l1=0.1, l2=1.0)
    with tf.control_dependencies([update]):
        return [tf.identity(x.read_value()), tf.identity(y.read_value())]


def _case(op, fn, inputs, label="", **kwargs):
    return Case(op, fn, inputs, label, grad=(), no_jax=HOST, **kwargs)


EXAMPLES = {"first": (1.0, 1.0, 0.0), "zero": (2.0, 0.0, 0.3), "later": (0.5, 1.0, 0.7)}
CASES = [
    *(
        _case("SdcaOptimizer", _steps(loss), _example(*numbers), f"{loss}_{name}")
        for loss in LOSSES
        for name, numbers in EXAMPLES.items()
    ),
    _case("SdcaOptimizerV2", _steps("squared_loss", "SdcaOptimizerV2", adaptive=True),
          _example(1.0, 1.0, 0.0)),
    _case("SdcaOptimizer", _steps("hinge_loss", label=0.5), _example(1.0, 0.0, 0.0), "label",
          raises=True),
    _case("SdcaOptimizer", _steps("poisson_loss", label=-1.0), _example(1.0, 0.0, 0.0), "negative",
          raises=True),
    _case("SdcaShrinkL1", _shrunk, [], variables=[val([1.0, -0.3, 0.05], "float32"),
          val([[-0.1, 0.2]], "float32")]),
]  # fmt: skip
