"""Jacobians: the gradients of each element of a tensor."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.gradients import gradients_impl
from tf1compat.api.parallel_for import control_flow_ops
from tf1compat.core import nest, ops


def jacobian(
    output: Any, inputs: Any, use_pfor: bool = True, parallel_iterations: int | None = None
) -> Any:
    """The jacobian of a tensor with respect to others (as in TF 1.15).

    Args:
      output: a tensor of shape [y1, …].
      inputs: a structure of tensors of shapes [x1, …].
      use_pfor: see `control_flow_ops.pfor`.
      parallel_iterations: as in `tf.while_loop`.

    Returns:
      The structure, with tensors of shapes [y1, …, x1, …], or None where nothing depends on it.
    """
    flat_inputs = nest.flatten(inputs)
    static_shape = output.shape
    output_shape = array_ops.shape(output)
    output = array_ops.reshape(output, [-1])

    def rows(i: Any) -> Any:
        return gradients_impl.gradients(array_ops.gather(output, i), flat_inputs)

    size = output.shape.as_list()[0]
    found = _for_each(
        rows,
        [output.dtype] * len(flat_inputs),
        array_ops.shape(output)[0] if size is None else size,
        use_pfor,
        parallel_iterations,
    )
    for i, part in enumerate(found):
        if isinstance(part, ops.Tensor):
            shape = array_ops.concat([output_shape, array_ops.shape(part)[1:]], axis=0)
            part = array_ops.reshape(part, shape)
            part.set_shape(static_shape.concatenate(flat_inputs[i].shape))
            found[i] = part
    return nest.pack_sequence_as(inputs, found)


def batch_jacobian(
    output: Any, inp: Any, use_pfor: bool = True, parallel_iterations: int | None = None
) -> Any:
    """The jacobians of `output[i]` with respect to `inp[i]` (as in TF 1.15).

    Args:
      output: a tensor of shape [batch, y1, …], whose rows hang on the same rows of `inp` alone.
      inp: a tensor of shape [batch, x1, …].
      use_pfor, parallel_iterations: as in `jacobian`.

    Returns:
      A tensor of shape [batch, y1, …, x1, …]; None if `output` does not depend on `inp`.

    Raises:
      ValueError: the first dimensions differ.
    """
    if not output.shape[0].is_compatible_with(inp.shape[0]):
        raise ValueError(
            f"Need first dimension of output shape ({output.shape}) and inp shape ({inp.shape}) "
            "to match."
        )
    output_shape, batch_size, row_size = _sizes(output)
    inp_shape = array_ops.shape(inp)
    with ops.control_dependencies([check_ops.assert_equal(batch_size, inp_shape[0])]):
        output = array_ops.reshape(output, [batch_size, row_size])

    def columns(i: Any) -> Any:
        return gradients_impl.gradients(array_ops.gather(output, i, axis=1), inp)[0]

    found = _for_each(columns, output.dtype, row_size, use_pfor, parallel_iterations)
    if found is None:
        return None
    found = array_ops.transpose(array_ops.reshape(found, [row_size, batch_size, -1]), [1, 0, 2])
    return array_ops.reshape(found, array_ops.concat([output_shape, inp_shape[1:]], axis=0))


def _sizes(output: Any) -> tuple[Any, Any, Any]:
    """The shape of a tensor, how many rows it has and the size of one: as numbers, or recorded."""
    shape = output.shape
    if shape.is_fully_defined():
        count = int(shape[0])
        return shape, count, shape.num_elements() // count
    shape = array_ops.shape(output)
    count = shape[0]
    return shape, count, array_ops.size(output) // count


def _for_each(
    loop_fn: Any, dtypes: Any, iters: Any, use_pfor: bool, parallel_iterations: int | None
) -> Any:
    if use_pfor:
        return control_flow_ops.pfor(loop_fn, iters, parallel_iterations=parallel_iterations)
    return control_flow_ops.for_loop(loop_fn, dtypes, iters, parallel_iterations)
