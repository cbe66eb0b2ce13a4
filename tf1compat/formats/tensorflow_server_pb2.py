"""The messages of TF's tensorflow_server.proto."""

from tf1compat.core.export import tf_export
from tf1compat.core.own_protos import server_def

ServerDef = tf_export("train.ServerDef")(server_def())
