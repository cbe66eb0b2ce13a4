"""`tensorflow_estimator.python.estimator.export.export_output`."""

from __future__ import annotations

from tf1compat.api.saved_model.model_utils import export_output as outputs
from tf1compat.core.export import tf_export

ExportOutput = tf_export("estimator.export.ExportOutput")(outputs.ExportOutput)
ClassificationOutput = tf_export("estimator.export.ClassificationOutput")(
    outputs.ClassificationOutput
)
RegressionOutput = tf_export("estimator.export.RegressionOutput")(outputs.RegressionOutput)
PredictOutput = tf_export("estimator.export.PredictOutput")(outputs.PredictOutput)
EvalOutput = outputs.EvalOutput
TrainOutput = outputs.TrainOutput
_SupervisedOutput = outputs._SupervisedOutput
