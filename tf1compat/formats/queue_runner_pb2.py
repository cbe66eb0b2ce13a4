"""The messages of TF's queue_runner.proto."""

from tf1compat.core.export import tf_export
from tf1compat.core.own_protos import message

QueueRunnerDef = tf_export("train.QueueRunnerDef")(message("QueueRunnerDef"))
