"""The messages of TF's example.proto."""

from tf1compat.core.example_protos import message
from tf1compat.core.export import tf_export

Example = tf_export("train.Example")(message("Example"))
SequenceExample = tf_export("train.SequenceExample")(message("SequenceExample"))
