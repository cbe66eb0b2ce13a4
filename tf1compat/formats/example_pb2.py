"""The messages of TF's example.proto."""

from tf1compat.core.example_protos import messages
from tf1compat.core.export import tf_export

Example = tf_export("train.Example")(messages["Example"])
SequenceExample = tf_export("train.SequenceExample")(messages["SequenceExample"])
