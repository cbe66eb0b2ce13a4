"""`tf.contrib.batching`."""

from tf1compat.api.functions.batch_ops import batch_function
from tf1compat.core.export import export_constant

export_constant("contrib.batching.batch_function", batch_function)
