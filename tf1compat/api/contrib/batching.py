"""`tf.contrib.batching`, and the older decorator of its `python.ops.batch_ops`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tf1compat.api.functions.batch_ops import batch_function, check_tensors
from tf1compat.core import ops, raw_ops
from tf1compat.core.export import export_constant
from tf1compat.core.tensor import Tensor

export_constant("contrib.batching.batch_function", batch_function)

_MINUTE = 60_000_000


def batch_function_v1(
    num_batch_threads: int,
    max_batch_size: int,
    batch_timeout_micros: int,
    allowed_batch_sizes: Sequence[int] | None = None,
    grad_timeout_micros: int = _MINUTE,
    unbatch_timeout_micros: int = _MINUTE,
    max_enqueued_batches: int = 10,
) -> Callable[..., Any]:
    """Decorator: what the function does is recorded between a Batch and an Unbatch, so that it has
    gradients (here each run is a batch of its own).

    Args:
      num_batch_threads, max_batch_size, batch_timeout_micros, allowed_batch_sizes,
        grad_timeout_micros, unbatch_timeout_micros, max_enqueued_batches: recorded.

    Returns:
      The decorator, of functions that treat each row of tensors by itself and give a tensor or a
      list of them.
    """

    def decorate(fn: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any) -> Any:
            with ops.name_scope("batch") as name:
                check_tensors(args)
                *rows, index, number = raw_ops.Batch(
                    in_tensors=list(args),
                    num_batch_threads=num_batch_threads,
                    max_batch_size=max_batch_size,
                    batch_timeout_micros=batch_timeout_micros,
                    max_enqueued_batches=max_enqueued_batches,
                    allowed_batch_sizes=allowed_batch_sizes or [],
                    grad_timeout_micros=grad_timeout_micros,
                    shared_name=name,
                )
                outputs = fn(*rows[0])
                single = isinstance(outputs, Tensor)
                with ops.name_scope("unbatch") as place:
                    results = [
                        raw_ops.Unbatch(
                            output,
                            index,
                            number,
                            timeout_micros=unbatch_timeout_micros,
                            shared_name=f"{place}/{output.name}",
                        )
                        for output in ([outputs] if single else outputs)
                    ]
                return results[0] if single else results

        return call

    return decorate
