"""`tf.user_ops`: TF's example of an operation that users add."""

from __future__ import annotations

from tf1compat.core import ops, raw_ops
from tf1compat.core.export import tf_export


@tf_export("user_ops.my_fact")
def my_fact() -> ops.Tensor:
    """A fact about factorials: a string scalar.

    Returns:
      A string scalar.
    """
    return raw_ops.Fact()
