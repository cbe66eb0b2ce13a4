"""Rows of losses."""

from __future__ import annotations

from op_table.case import FLOATS, Case, arr, val

F32 = ["float32"]
PROBABILITIES = val([[0.2, 0.5, 0.3], [0.0, 1.0, 0.0]])


def _softmax(**keywords):
    return lambda tf, x, y: tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=x, **keywords)


def _softmax_v2(**keywords):
    return lambda tf, x, y: tf.nn.softmax_cross_entropy_with_logits_v2(
        labels=y, logits=x, **keywords
    )


def _sparse(tf, x, y):
    return tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=x)


def _sigmoid(tf, x, y):
    return tf.nn.sigmoid_cross_entropy_with_logits(labels=y, logits=x)


def _loss(name, **keywords):
    return lambda tf, y, x: getattr(tf.losses, name)(y, x, **keywords)


CASES = [
    Case(
        "SoftmaxCrossEntropyWithLogits",
        _softmax(),
        [arr(2, 3), PROBABILITIES],
        "",
        FLOATS,
        grad=(0,),
        second=True,
    ),
    Case(
        "SoftmaxCrossEntropyWithLogits",
        _softmax(),
        [arr(2, 3), PROBABILITIES],
        "labels_too",
        smooth=False,
    ),
    Case(
        "SoftmaxCrossEntropyWithLogits",
        _softmax(dim=0),
        [arr(3, 2), arr(3, 2, low=0)],
        "dim",
        grad=(0,),
        smooth=False,  # TensorFlow takes labels that add up to one for granted.
    ),
    Case(
        "SoftmaxCrossEntropyWithLogits",
        _softmax_v2(),
        [arr(2, 3), PROBABILITIES],
        "v2",
        FLOATS,
        second=True,
    ),
    Case(
        "SoftmaxCrossEntropyWithLogits",
        _softmax_v2(axis=1),
        [arr(2, 3, 2), arr(2, 3, 2, low=0)],
        "v2_axis",
        smooth=False,  # TensorFlow takes labels that add up to one for granted.
    ),
    Case(
        "SoftmaxCrossEntropyWithLogits",
        _softmax_v2(),
        [arr(2, 2, 3), arr(2, 2, 3, low=0)],
        "v2_rank3",
        smooth=False,  # TensorFlow takes labels that add up to one for granted.
    ),
    Case(
        "SoftmaxCrossEntropyWithLogits",
        _softmax_v2(),
        [val([[1e4, 0.0], [0.0, 0.0]]), val([[0.0, 1.0], [0.5, 0.5]])],
        "large",
        smooth=False,
    ),
    Case(
        "SoftmaxCrossEntropyWithLogits",
        _softmax_v2(),
        [arr(2, 3), arr(2, 2)],
        "mismatch",
        raises=True,
    ),
    Case(
        "SoftmaxCrossEntropyWithLogits",
        lambda tf, x, y: tf.nn.softmax_cross_entropy_with_logits(x, y),
        [arr(2, 3), PROBABILITIES],
        "positional",
        raises=True,
    ),
    Case(
        "SoftmaxCrossEntropyWithLogits",
        lambda tf, x, y: tf.raw_ops.SoftmaxCrossEntropyWithLogits(features=x, labels=y),
        [arr(2, 3), PROBABILITIES],
        "both_outputs",
        F32,
        grad=(0,),
        smooth=False,
    ),
    Case(
        "SparseSoftmaxCrossEntropyWithLogits",
        _sparse,
        [arr(2, 3), val([2, 0], "int32")],
        "",
        FLOATS,
        second=True,
    ),
    Case(
        "SparseSoftmaxCrossEntropyWithLogits",
        _sparse,
        [arr(2, 2, 3), val([[2, 0], [1, 1]], "int64")],
        "rank3",
    ),
    Case("SparseSoftmaxCrossEntropyWithLogits", _sparse, [arr(3), val(1, "int32")], "vector", F32),
    Case(
        "SparseSoftmaxCrossEntropyWithLogits",
        _sparse,
        [arr(2, 3), val([3, 0], "int32")],
        "out_of_range",
        raises=True,
    ),
    Case(
        "SparseSoftmaxCrossEntropyWithLogits",
        _sparse,
        [arr(2, 3), val([-1, 0], "int32")],
        "negative",
        raises=True,
    ),
    Case(
        "SparseSoftmaxCrossEntropyWithLogits",
        _sparse,
        [arr(2, 3), val([1, 0, 1], "int32")],
        "mismatch",
        raises=True,
    ),
    Case(
        "SigmoidCrossEntropy",
        _sigmoid,
        [arr(2, 3), arr(2, 3, low=0, high=1)],
        "",
        FLOATS,
        second=True,
    ),
    Case(
        "SigmoidCrossEntropy",
        _sigmoid,
        [val([0.0, 100.0, -100.0]), val([1.0, 0.0, 1.0])],
        "points",
        smooth=False,
    ),
    Case("SigmoidCrossEntropy", _sigmoid, [arr(2, 3), arr(2)], "mismatch", raises=True),
    Case(
        "SigmoidCrossEntropy",
        lambda tf, x, y: tf.nn.weighted_cross_entropy_with_logits(
            labels=y, logits=x, pos_weight=2.0
        ),
        [arr(2, 3), arr(2, 3, low=0, high=1)],
        "weighted",
        smooth=False,
    ),
    Case(
        "LogPoissonLoss",
        lambda tf, x, y: tf.nn.log_poisson_loss(y, x),
        [arr(2, 3), arr(2, 3, low=0.5)],
    ),
    Case(
        "LogPoissonLoss",
        lambda tf, x, y: tf.nn.log_poisson_loss(y, x, compute_full_loss=True),
        [arr(2, 3), arr(2, 3, low=1.5, high=4)],
        "full",
    ),
    Case("MeanSquaredError", _loss("mean_squared_error"), [arr(2, 3), arr(2, 3)]),
    Case(
        "MeanSquaredError",
        _loss("mean_squared_error", weights=0.5),
        [arr(2, 3), arr(2, 3)],
        "weight",
        F32,
    ),
    Case(
        "MeanSquaredError",
        _loss("mean_squared_error", weights=[[1.0], [0.0]], reduction="weighted_sum"),
        [arr(2, 3), arr(2, 3)],
        "weights_sum",
        F32,
    ),
    Case(
        "MeanSquaredError",
        _loss("mean_squared_error", reduction="none"),
        [arr(2, 3), arr(2, 3)],
        "none",
        F32,
    ),
    Case(
        "MeanSquaredError",
        _loss("mean_squared_error", reduction="weighted_mean"),
        [arr(2, 3), arr(2, 3)],
        "mean",
        F32,
    ),
    Case(
        "MeanSquaredError",
        _loss("mean_squared_error"),
        [arr(2, 3), arr(2, 2)],
        "mismatch",
        F32,
        raises=True,
    ),
    Case(
        "MeanSquaredError",
        _loss("mean_squared_error", reduction="most"),
        [arr(2, 3), arr(2, 3)],
        "bad_reduction",
        F32,
        raises=True,
    ),
    Case("AbsoluteDifference", _loss("absolute_difference"), [arr(2, 3), arr(2, 3)], "", F32),
    Case("HuberLoss", _loss("huber_loss", delta=0.7), [arr(2, 3), arr(2, 3)], "", F32),
    Case("HingeLoss", _loss("hinge_loss"), [val([[0.0, 1.0], [1.0, 1.0]]), arr(2, 2)], "", F32),
    Case(
        "LogLoss",
        _loss("log_loss"),
        [arr(2, 3, low=0, high=1), arr(2, 3, low=0.1, high=0.9)],
        "",
        F32,
    ),
    Case("CosineDistance", _loss("cosine_distance", axis=1), [arr(2, 3), arr(2, 3)], "", F32),
    Case(
        "MeanPairwiseSquaredError",
        _loss("mean_pairwise_squared_error"),
        [arr(2, 3), arr(2, 3)],
        "",
        F32,
    ),
    Case(
        "SoftmaxCrossEntropyLoss",
        _loss("softmax_cross_entropy", label_smoothing=0.1),
        [PROBABILITIES, arr(2, 3)],
        "",
        F32,
        grad=(1,),
    ),
    Case(
        "SigmoidCrossEntropyLoss",
        _loss("sigmoid_cross_entropy", label_smoothing=0.1),
        [PROBABILITIES, arr(2, 3)],
        "",
        F32,
        grad=(1,),
    ),
    Case(
        "SparseSoftmaxCrossEntropyLoss",
        _loss("sparse_softmax_cross_entropy"),
        [val([2, 0], "int32"), arr(2, 3)],
        "",
        F32,
    ),
    Case(
        "ComputeWeightedLoss",
        lambda tf, x: tf.losses.compute_weighted_loss(x, [0.0, 1.0]),
        [arr(2)],
        "",
        F32,
    ),
    Case(
        "L2Regularizer",
        lambda tf, x: tf.contrib.layers.l2_regularizer(0.1)(x),
        [arr(2, 3)],
        "",
        F32,
    ),
]
