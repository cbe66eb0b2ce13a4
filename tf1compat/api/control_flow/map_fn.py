"""`tf.map_fn`, and what it shares with `tf.foldl`, `tf.foldr` and `tf.scan`."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.control_flow import tensor_array_ops, while_loop
from tf1compat.api.variables import variable_scope
from tf1compat.core import nest, ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor_shape import Dimension, TensorShape, dimension_value


@contextlib.contextmanager
def reads_cached() -> Iterator[None]:
    """Variables made in the `with` block are read once, and not in each iteration."""
    scope = variable_scope.get_variable_scope()
    if scope.caching_device is not None:
        yield
        return
    scope.set_caching_device(lambda op: op.device)
    try:
        yield
    finally:
        scope.set_caching_device(None)


class Structure:
    """How `example` is nested; a single value is not nested.

    Args:
      example: a value, or values nested at will.
    """

    def __init__(self, example: Any):
        self._example = example
        self._nested = nest.is_sequence(example)

    def flat(self, value: Any) -> list[Any]:
        """The leaves of a value that is nested like the example."""
        return nest.flatten(value) if self._nested else [value]

    def packed(self, leaves: Sequence[Any]) -> Any:
        """The leaves, nested like the example."""
        return nest.pack_sequence_as(self._example, leaves) if self._nested else leaves[0]


def set_first_dimension(results: Sequence[ops.Tensor], elems: Sequence[ops.Tensor]) -> None:
    """Sets the first dimension of results that have one part for each part of `elems`.

    Raises:
      ValueError: the first dimensions of `elems` differ.
    """
    sizes = [Dimension(dimension_value(e.get_shape().with_rank_at_least(1)[0])) for e in elems]
    for size in sizes[1:]:
        sizes[0].merge_with(size)
    for result in results:
        result.set_shape(TensorShape(sizes[0]).concatenate(result.get_shape()[1:]))


@tf_export("map_fn")
def map_fn(
    fn: Callable[..., Any],
    elems: Any,
    dtype: Any = None,
    parallel_iterations: int | None = None,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    name: str | None = None,
) -> Any:
    """Stacks what `fn` returns for the parts of `elems` along its first dimension (as `tf.map_fn`
    of TF 1.15).

    Args:
      fn: takes one part of `elems` (structured like it) and returns tensors structured as `dtype`.
      elems: a tensor, or tensors nested at will, with equal first dimensions.
      dtype: what `fn` returns, if that is not as `elems`.
      parallel_iterations, back_prop, swap_memory: as in `tf.while_loop`.
      infer_shape: all results of `fn` have one shape.
      name: the name scope, "map" by default.

    Returns:
      The structure of `dtype`, each tensor with a first dimension of the number of parts.

    Raises:
      TypeError: `fn` is not callable, or returns another structure.
      ValueError: `elems` are scalars.
    """
    if not callable(fn):
        raise TypeError("fn must be callable.")
    _refuse_sparse(elems)
    given = Structure(elems)
    elems_flat = given.flat(elems)
    with ops.name_scope(name, "map", elems_flat), reads_cached():
        elems_flat = [ops.convert_to_tensor(elem, name="elem") for elem in elems_flat]
        returned = given if dtype is None else Structure(dtype)
        dtype = dtype or given.packed([elem.dtype for elem in elems_flat])
        count = _count(elems_flat)
        arrays = [
            tensor_array_ops.TensorArray(
                dtype=elem.dtype, size=count, dynamic_size=False, infer_shape=True
            )
            for elem in elems_flat
        ]
        arrays = [array.unstack(elem) for array, elem in zip(arrays, elems_flat)]
        start = constant_op.constant_v1(0)
        results = [
            tensor_array_ops.TensorArray(
                dtype=each, size=count, dynamic_size=False, infer_shape=infer_shape
            )
            for each in returned.flat(dtype)
        ]

        def compute(i: Any, results: Any) -> Any:
            value = fn(given.packed([array.read(i) for array in arrays]))
            nest.assert_same_structure(dtype or elems, value)
            flat = returned.flat(value)
            results = [array.write(i, part) for array, part in zip(results, flat)]
            return i + 1, results

        _, results = while_loop.while_loop(
            lambda i, _: i < count,
            compute,
            (start, results),
            parallel_iterations=parallel_iterations or 10,
            back_prop=back_prop,
            swap_memory=swap_memory,
            maximum_iterations=count,
        )
        stacked = [array.stack() for array in results]
        set_first_dimension(stacked, elems_flat)
    return returned.packed(stacked)


def _refuse_sparse(elems: Any) -> None:
    if type(elems).__name__ == "SparseTensor":
        raise TypeError(
            "To perform a map on the values of a sparse tensor use either "
            " SparseTensor(input.indices, fn(input.values), input.dense_shape) or "
            " SparseTensor(input.indices, map_fn(fn, input.values), input.dense_shape)"
        )


def _count(elems: Sequence[ops.Tensor]) -> Any:
    """The first dimension of the first of `elems`: an int if it is known (and not 0)."""
    shape = elems[0].shape
    if shape.ndims is not None and shape.ndims < 1:
        if len(elems) == 1:
            raise ValueError("elems must be a 1+ dimensional Tensor, not a scalar")
        raise ValueError("elements in elems must be 1+ dimensional Tensors, not scalars")
    return dimension_value(shape[0]) or array_ops.shape(elems[0])[0]
