"""`tensorflow.contrib.learn.python.learn.learn_io.numpy_io` and `pandas_io`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.estimator.inputs import numpy_io, pandas_io
from tf1compat.api.util.deprecation import deprecated


@deprecated(None, "Use tf.compat.v1.estimator.inputs.numpy_input_fn.")
def numpy_input_fn(
    x: Any, y: Any = None, batch_size: int = 128, num_epochs: int = 1, shuffle: Any = True,
    queue_capacity: int = 1000, num_threads: int = 1,
) -> Any:  # fmt: skip
    """See `tf.estimator.inputs.numpy_input_fn`; shuffles by default."""
    return numpy_io.numpy_input_fn(
        x, y, batch_size, num_epochs, shuffle, queue_capacity, num_threads
    )


@deprecated(None, "Please use tf.compat.v1.estimator.inputs.pandas_input_fn")
def pandas_input_fn(
    x: Any, y: Any = None, batch_size: int = 128, num_epochs: int = 1, shuffle: Any = True,
    queue_capacity: int = 1000, num_threads: int = 1, target_column: Any = "target",
) -> Any:  # fmt: skip
    """See `tf.estimator.inputs.pandas_input_fn`; shuffles by default."""
    return pandas_io.pandas_input_fn(
        x, y, batch_size, num_epochs, shuffle, queue_capacity, num_threads, target_column
    )
