"""`tensorflow.python.ops.batch_ops`: functions of what several runs at once ask for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tf1compat.api.functions import function
from tf1compat.core import ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.type_spec import TensorSpec


def check_tensors(args: Sequence[Any]) -> None:
    """Refuses what is no tensor among the arguments of a function for batches."""
    for arg in args:
        if not isinstance(arg, Tensor):
            raise ValueError(
                "All arguments to functions decorated with `batch_function`  are supposed to be "
                f"Tensors; found {arg!r}"
            )


@tf_export("nondifferentiable_batch_function")
def batch_function(
    num_batch_threads: int,
    max_batch_size: int,
    batch_timeout_micros: int,
    allowed_batch_sizes: Any = None,
    max_enqueued_batches: int = 10,
    autograph: bool = True,
) -> Callable[..., Any]:
    """Decorator: the function's calls in several runs at once become one call for all rows (as in
    TF 1.15; here each run has a call of its own).

    Args:
      num_batch_threads, max_batch_size, batch_timeout_micros, allowed_batch_sizes,
        max_enqueued_batches: recorded.
      autograph: whether Python's control flow is converted.

    Returns:
      The decorator, of functions that treat each row of tensors by itself.
    """

    def decorate(fn: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any) -> Any:
            @function.defun(autograph=autograph)
            def computation(*inner: Any) -> Any:
                return fn(*inner)

            specs = [
                TensorSpec(dtype=x.dtype, shape=x.shape, name=str(i)) for i, x in enumerate(args)
            ]
            concrete = computation.get_concrete_function(*specs)
            with ops.name_scope("batch") as name:
                check_tensors(args)
                return raw_ops.BatchFunction(
                    num_batch_threads=num_batch_threads,
                    max_batch_size=max_batch_size,
                    batch_timeout_micros=batch_timeout_micros,
                    allowed_batch_sizes=allowed_batch_sizes or [],
                    max_enqueued_batches=max_enqueued_batches,
                    shared_name=name,
                    f=concrete,
                    in_tensors=list(args),
                    captured_tensors=concrete.captured_inputs,
                    Tout=[output.dtype for output in concrete.outputs],
                )

        return call

    return decorate
