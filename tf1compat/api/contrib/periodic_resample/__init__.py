"""`tf.contrib.periodic_resample`."""

from __future__ import annotations

from typing import Any

from tf1compat.core import raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name, ShapeLike


@tf_export("contrib.periodic_resample.periodic_resample")
def periodic_resample(values: Any, shape: ShapeLike, name: Name = None) -> Any:
    """Deals the elements of one dimension out to the others.

    Args:
      values: a tensor.
      shape: of the result; one dimension, None or -1, is what is left; no other may be smaller
        than that of `values`.
      name: the operation's name.

    Returns:
      A tensor of that shape.
    """
    return raw_ops.PeriodicResample(values=values, shape=shape, name=name)
