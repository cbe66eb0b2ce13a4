"""`tensorflow.contrib.learn.python.learn.estimators.constants`."""

from __future__ import annotations

from tf1compat.core.export import tf_export

COLLECTION_DEF_KEY_FOR_INPUT_FEATURE_KEYS = "input_feature_keys"


@tf_export("contrib.learn.ProblemType")
class ProblemType:
    """What a model's outputs mean."""

    UNSPECIFIED = 0
    CLASSIFICATION = 1
    LINEAR_REGRESSION = 2
    LOGISTIC_REGRESSION = 3
