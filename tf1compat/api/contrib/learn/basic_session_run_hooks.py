"""`tensorflow.contrib.learn.python.learn.basic_session_run_hooks`: hooks under their old names."""

from tf1compat.api.util.deprecation import deprecated_alias
from tf1compat.core.export import find

for _name in (
    "LoggingTensorHook",
    "StopAtStepHook",
    "CheckpointSaverHook",
    "StepCounterHook",
    "NanLossDuringTrainingError",
    "NanTensorHook",
    "SummarySaverHook",
):
    globals()[_name] = deprecated_alias(
        f"tf.contrib.learn.basic_session_run_hooks.{_name}",
        f"tf.train.{_name}",
        find(f"train.{_name}"),
    )
