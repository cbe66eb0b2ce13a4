"""The messages of TF's example.proto."""

from tf1compat.core.export import tf_export
from tf1compat.core.own_protos import message

Example = tf_export("train.Example")(message("Example"))
SequenceExample = tf_export("train.SequenceExample")(message("SequenceExample"))
