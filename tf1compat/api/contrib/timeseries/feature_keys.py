"""Names of the features of time series
(`tensorflow.contrib.timeseries.python.timeseries.feature_keys`)."""

from __future__ import annotations

from tf1compat.api.saved_model import signature_constants
from tf1compat.core.export import tf_export


class State:
    """Under which the state of a model is passed: as a structure, or as tensors by number."""

    STATE_TUPLE = "start_tuple"
    STATE_PREFIX = "model_state"


class Times:
    """Under which times are passed: increasing ints."""

    TIMES = "times"


class Values:
    """Under which values are passed: one or more floats for each time."""

    VALUES = "values"


@tf_export("contrib.timeseries.TrainEvalFeatures")
class TrainEvalFeatures(Times, Values):
    """Names of features in training and evaluation."""


class PredictionFeatures(Times, State):
    """Names of features in prediction."""


class FilteringFeatures(Times, Values, State):
    """Names of features in filtering."""


class PredictionResults(Times):
    """Names of what prediction gives."""


@tf_export("contrib.timeseries.FilteringResults")
class FilteringResults(Times, State):
    """Names of what evaluation gives."""


class SavedModelLabels:
    """Names of signatures in SavedModels."""

    PREDICT = signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY
    FILTER = "filter"
    COLD_START_FILTER = "cold_start_filter"
