"""`tf.contrib.metrics.auc_using_histogram`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops, constant_op, gather_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import histogram_ops, math_ops
from tf1compat.api.metrics import confusion_matrix
from tf1compat.api.nn import nn_ops
from tf1compat.api.random import init_ops
from tf1compat.api.variables import variable_scope
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import TensorLike


@tf_export("contrib.metrics.auc_using_histogram")
def auc_using_histogram(
    boolean_labels: Any,
    scores: TensorLike,
    score_range: Any,
    nbins: int = 100,
    collections: Any = None,
    check_shape: bool = True,
    name: str | None = None,
) -> tuple[Tensor, Any]:
    """The area under the ROC curve, from histograms of the scores of true and of false labels.

    Args:
      boolean_labels: a bool vector.
      scores: a numeric vector of its size.
      score_range: [low, high]: the range of the histograms.
      nbins: their number of bins.
      collections: of the two variables; LOCAL_VARIABLES by default.
      check_shape: whether each run checks that labels and scores are vectors.
      name: the variable scope.

    Returns:
      (value, update_op): a float32 scalar and an operation.
    """
    if collections is None:
        collections = [ops.GraphKeys.LOCAL_VARIABLES]
    values = [boolean_labels, scores, score_range]
    with variable_scope.variable_scope(name, "auc_using_histogram", values):
        scores, boolean_labels = confusion_matrix.remove_squeezable_dimensions(
            scores, boolean_labels
        )
        score_range = ops.convert_to_tensor(score_range, name="score_range")
        boolean_labels, scores = _checked(boolean_labels, scores, check_shape)
        of_true, of_false = _histograms(boolean_labels, scores, score_range, nbins)
        of_true, of_false, update_op = _accumulated(of_true, of_false, nbins, collections)
        return _area(of_true, of_false, nbins), update_op


def _checked(labels: TensorLike, scores: TensorLike, check_shape: bool) -> tuple[Tensor, Tensor]:
    with ops.name_scope("_check_labels_and_scores", values=[labels, scores]):
        labels = ops.convert_to_tensor(labels, name="boolean_labels")
        scores = ops.convert_to_tensor(scores, name="scores")
        if labels.dtype != dtypes.bool:
            raise ValueError(
                "Argument boolean_labels should have dtype bool.  Found: %s", labels.dtype
            )
        if check_shape:
            for what, tensor in (("boolean_labels", labels), ("scores", scores)):
                control_flow_ops.Assert(
                    math_ops.equal(1, array_ops.rank(tensor)),
                    [
                        f"Argument {what} should have rank 1.  Found: ",
                        tensor.name,
                        array_ops.shape(tensor),
                    ],
                )
        return labels, scores


def _histograms(labels: Tensor, scores: Tensor, score_range: Tensor, nbins: int) -> Any:
    def histogram(mask: Tensor, name: str) -> Tensor:
        return histogram_ops.histogram_fixed_width(
            gather_ops.boolean_mask(scores, mask),
            score_range,
            nbins=nbins,
            dtype=dtypes.int64,
            name=name,
        )

    with variable_scope.variable_scope(None, "make_auc_histograms", [labels, scores, nbins]):
        of_true = histogram(labels, "hist_true")
        return of_true, histogram(math_ops.logical_not(labels), "hist_false")


def _accumulated(of_true: Tensor, of_false: Tensor, nbins: int, collections: Any) -> Any:
    def get(name: str) -> Any:
        return variable_scope.get_variable(
            name,
            shape=[nbins],
            dtype=of_true.dtype,
            initializer=init_ops.zeros_initializer(),
            collections=collections,
            trainable=False,
        )

    with variable_scope.variable_scope(None, "hist_accumulate", [of_true, of_false]):
        sum_of_true, sum_of_false = get("hist_true_acc"), get("hist_false_acc")
        update_op = control_flow_ops.group(
            sum_of_true.assign_add(of_true),
            sum_of_false.assign_add(of_false),
            name="update_op",
        )
        return sum_of_true, sum_of_false, update_op


def _area(of_true: Any, of_false: Any, nbins: int) -> Tensor:
    """The area by trapezoids, from the highest scores down."""
    both = (of_true, of_false)
    shares = [math_ops.truediv(counts, math_ops.reduce_sum(counts)) for counts in both]
    steps = [
        array_ops.reverse_v2(share, [0], name=name)
        for share, name in zip(shares, ("delta_y_t", "delta_x_t"))
    ]
    dy, dx = (math_ops.cast(step, dtypes.float32) for step in steps)
    y = _running_sum(dy, nbins)
    first = dx[0] * y[0] / 2.0
    others = dx[1:] * (y[1:] + y[: nbins - 1]) / 2.0
    return math_ops.add(first, math_ops.reduce_sum(others), name="auc")


def _convolved(vector: Tensor, kernel: Tensor) -> Tensor:
    with ops.name_scope("strict_conv1d", values=[vector, kernel]):
        image = array_ops.reshape(vector, (1, -1, 1, 1))
        filters = array_ops.reshape(kernel, (-1, 1, 1, 1))
        found = nn_ops.conv2d(image, filters, [1, 1, 1, 1], "SAME")
        return array_ops.reshape(found, [-1])


def _running_sum(vector: Tensor, size: int) -> Tensor:
    """The running sum, by a convolution with ones (as TF 1.15 does it)."""
    with ops.name_scope("strict_1d_cumsum", values=[vector]):
        if size == 0:
            return constant_op.constant([])
        padded = array_ops.pad(vector, [[size - 1, 0]])
        return _convolved(padded, array_ops.ones_like(padded))[:size]
