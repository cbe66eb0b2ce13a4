"""`tensorflow.contrib.learn.python.learn.estimators.prediction_key`."""

from __future__ import annotations

from tf1compat.core.export import tf_export


@tf_export("contrib.learn.PredictionKey")
class PredictionKey:
    """The keys of predictions."""

    CLASSES = "classes"
    PROBABILITIES = "probabilities"
    LOGITS = "logits"
    LOGISTIC = "logistic"
    SCORES = "scores"
    TOP_K = "top_k"
    GENERIC = "output"
