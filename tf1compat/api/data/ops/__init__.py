"""`tf.data.Dataset`, iterators and readers."""

# Its kinds of datasets and it import each other: it comes first.
from tf1compat.api.data.ops import dataset_ops as dataset_ops
