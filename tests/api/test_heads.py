"""The heads of TF 2's generation against TensorFlow 1.15."""

from __future__ import annotations

import pytest
from case_goldens import CaseGoldens

from tf1compat.api.eager import context

GOLDENS = CaseGoldens("head")

_ONE = [[1.0], [2.0]]


@GOLDENS.cases()
def test_case(tf, group, name):
    GOLDENS.check_case(tf, group, name)


@GOLDENS.mistakes()
def test_mistake(tf, group, name):
    GOLDENS.check_mistake(tf, group, name)


@pytest.mark.parametrize(
    ("kind", "labels", "logits", "weights", "text"),
    [
        ("RegressionHead", _ONE, [[1.0, 2.0]] * 2, None, "logits_dimension], got (2, 2)."),
        ("RegressionHead", _ONE, [1.0, 2.0], None, "must have rank at least 2.  Received rank 1"),
        ("RegressionHead", [[1.0]], _ONE, None, "expected_labels_shape: (2, 1). labels_shape: (1,"),
        ("RegressionHead", [[1.0, 2.0]], _ONE, None, "Expected labels dimension=1.  Received 2."),
        ("RegressionHead", _ONE, _ONE, [[1.0]], "logits_shape: (2, 1). weights_shape: (1, 1)."),
        ("BinaryClassHead", [[2], [0]], _ONE, None, "Labels must be <= 2 - 1"),
        ("BinaryClassHead", [[-1], [0]], _ONE, None, "Labels must be >= 0"),
    ],
)
def test_mistakes_in_eager_execution(tf, kind, labels, logits, weights, text):
    with context.eager_mode():
        head = getattr(tf.estimator, kind)(weight_column=weights and "w")
        features = {"w": tf.constant(weights)} if weights else {}
        with pytest.raises(ValueError) as caught:
            head.loss(tf.constant(labels), tf.constant(logits), features)
    assert text in str(caught.value)
