"""Iterators of datasets under their first name (`tensorflow.contrib.eager.python.datasets`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.data.ops import iterator_ops
from tf1compat.core import ops
from tf1compat.core.export import tf_export


@tf_export("contrib.eager.Iterator")
class Iterator(iterator_ops.IteratorV2):
    """Gives the elements of a dataset, in eager execution.

    Args:
      dataset: the dataset.

    Raises:
      TypeError: it is none.
      RuntimeError: operations are recorded.
    """

    def __init__(self, dataset: Any):
        if not ops.executing_eagerly():
            raise RuntimeError(
                f"{type(self)} objects can only be used when eager execution is enabled, use "
                "tf.data.Dataset.make_initializable_iterator or "
                "tf.data.Dataset.make_one_shot_iterator for graph construction"
            )
        if not hasattr(dataset, "_apply_options"):
            raise TypeError(f"`dataset` must be a tf.data.Dataset, but got {type(dataset)}")
        super().__init__(dataset)
