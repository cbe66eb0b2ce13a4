"""`tensorflow.python.data.experimental.ops.map_defun`: a function of many slices at once."""

from __future__ import annotations

from typing import Any

from tf1compat.core import ops, raw_ops
from tf1compat.core.tensor_shape import TensorShape


def map_defun(
    fn: Any,
    elems: list[Any],
    output_dtypes: list[Any],
    output_shapes: list[Any],
    max_intra_op_parallelism: int = 1,
) -> Any:
    """What a function gives for each slice of tensors along their first dimension (as in TF 1.15).

    Args:
      fn: a `tf.function` with an input signature.
      elems: tensors of shapes [n, …].
      output_dtypes, output_shapes: of the function's results.
      max_intra_op_parallelism: how many threads one call may use.

    Returns:
      A list of tensors of shapes [n, …].

    Raises:
      ValueError: `elems`, `output_dtypes` or `output_shapes` is no list.
    """
    if not isinstance(elems, list):
        raise ValueError("`elems` must be a list of tensors.")
    if not isinstance(output_dtypes, list):
        raise ValueError("`output_dtypes` must be a list of `tf.DType` objects.")
    if not isinstance(output_shapes, list):
        raise ValueError("`output_shapes` must be a list of `tf.TensorShape` objects.")
    function = fn.get_concrete_function()
    return raw_ops.MapDefun(
        [ops.convert_to_tensor(value) for value in elems],
        function.captured_inputs,
        output_types=output_dtypes,
        output_shapes=[TensorShape(shape) for shape in output_shapes],
        f=function,
        max_intra_op_parallelism=max_intra_op_parallelism,
    )
