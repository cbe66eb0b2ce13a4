"""`tf.contrib.summary`: what `summary_ops_v2` exports."""

from tf1compat.api.summary import summary_ops_v2 as _
