"""Loops whose iterations do not need each other, with their results stacked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import tensor_array_ops
from tf1compat.api.control_flow.while_loop import while_loop
from tf1compat.api.functions import function_tracing
from tf1compat.core import dtypes, nest, ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.type_spec import TensorSpec


def for_loop(
    loop_fn: Callable[[Any], Any],
    loop_fn_dtypes: Any,
    iters: Any,
    parallel_iterations: int | None = None,
) -> Any:
    """Records `loop_fn` in a while loop, and stacks its results (as in TF 1.15).

    Args:
      loop_fn: takes the int32 index and returns a structure of tensors, whose shapes do not hang on
        it.
      loop_fn_dtypes: their dtypes, in the same structure.
      iters: how many iterations there are.
      parallel_iterations: as in `tf.while_loop`.

    Returns:
      The structure, of tensors with a new first dimension; None where `loop_fn` gave None.

    Raises:
      ValueError: `loop_fn` returns another number of tensors.
    """
    flat_dtypes = nest.flatten(loop_fn_dtypes)
    missing: list[bool] = []

    def body(i: Any, *arrays: Any) -> tuple[Any, ...]:
        found = nest.flatten(loop_fn(i))
        if len(found) != len(flat_dtypes):
            raise ValueError(
                f"Number of expected outputs, {len(flat_dtypes)}, does not match the number of "
                f"actual outputs, {len(found)}, from loop_fn"
            )
        missing[:] = [value is None for value in found]
        written = [
            array if value is None else array.write(i, array_ops.expand_dims(value, 0))
            for value, array in zip(found, arrays, strict=True)
        ]
        return (i + 1, *written)

    options: dict[str, Any] = (
        {} if parallel_iterations is None else {"parallel_iterations": parallel_iterations}
    )
    arrays = [tensor_array_ops.TensorArray(dtype.base_dtype, iters) for dtype in flat_dtypes]
    done = while_loop(lambda i, *_: i < iters, body, [0, *arrays], **options)
    stacked = [
        None if absent else array.concat() for array, absent in zip(done[1:], missing, strict=True)
    ]
    return nest.pack_sequence_as(loop_fn_dtypes, stacked) if stacked else None


def pfor(loop_fn: Callable[[Any], Any], iters: Any, parallel_iterations: int | None = None) -> Any:
    """As `for_loop`, with the dtypes found out.

    TF 1.15 records ops on whole batches here; tf1compat records the loop, whose results are the
    same.

    Args:
      loop_fn, iters, parallel_iterations: as in `for_loop`.

    Returns:
      As `for_loop`.
    """
    spec = [TensorSpec([], dtypes.int32)]
    traced = function_tracing.func_graph_from_py_func("loop_body", loop_fn, spec, {})
    with traced.as_default():
        results = nest.map_structure(ops.convert_to_tensor, traced.structured_outputs)
    types = nest.map_structure(lambda x: x.dtype, results)

    def tensors(i: Any) -> Any:
        return nest.map_structure(ops.convert_to_tensor, loop_fn(i))

    stacked = for_loop(tensors, types, iters, parallel_iterations)
    count = TensorShape([iters if isinstance(iters, int) else None])
    for tensor, result in zip(nest.flatten(stacked), nest.flatten(results), strict=True):
        tensor.set_shape(count.concatenate(result.shape))
    return stacked


@tf_export("vectorized_map")
def vectorized_map(fn: Callable[[Any], Any], elems: Any) -> Any:
    """`tf.map_fn` for functions whose calls do not need each other (see `pfor`).

    Args:
      fn: takes a structure of tensors as `elems`, without their first dimension.
      elems: a structure of tensors with the same first dimension.

    Returns:
      A structure of tensors: what `fn` returns, stacked.
    """
    elems = nest.map_structure(ops.convert_to_tensor, elems)
    first = nest.flatten(elems)[0]
    count = first.shape.as_list()[0] if first.shape.ndims else None
    if count is None:
        count = array_ops.shape(first)[0]
    return pfor(lambda i: fn(nest.map_structure(lambda x: array_ops.gather(x, i), elems)), count)
