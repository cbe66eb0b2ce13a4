"""`tensorflow_estimator.python.estimator.head.head_utils`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.estimator.head.binary_class_head import BinaryClassHead
from tf1compat.api.estimator.head.multi_class_head import MultiClassHead


def binary_or_multi_class_head(
    n_classes: int, weight_column: Any, label_vocabulary: Any, loss_reduction: Any
) -> BinaryClassHead | MultiClassHead:
    """The head of a classifier with that many classes."""
    settings = {
        "weight_column": weight_column, "label_vocabulary": label_vocabulary,
        "loss_reduction": loss_reduction,
    }  # fmt: skip
    if n_classes == 2:
        return BinaryClassHead(**settings)
    return MultiClassHead(n_classes, **settings)
