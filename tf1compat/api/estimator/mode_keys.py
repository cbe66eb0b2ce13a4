"""`tensorflow_estimator.python.estimator.mode_keys`."""

from __future__ import annotations

from tf1compat.api.saved_model.model_utils.mode_keys import EstimatorModeKeys
from tf1compat.core.export import tf_export

ModeKeys = tf_export("estimator.ModeKeys")(EstimatorModeKeys)
