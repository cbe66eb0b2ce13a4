"""`tf.foldl`, `tf.foldr` and `tf.scan`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api import array_ops, constant_op, tensor_array_ops, while_loop
from tf1compat.api.map_fn import Structure, reads_cached, set_first_dimension
from tf1compat.core import nest, ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor_shape import dimension_value


@tf_export("foldl")
def foldl(
    fn: Callable[..., Any],
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
) -> Any:
    """Folds the parts of `elems` along its first dimension, from the first to the last (as
    `tf.foldl` of TF 1.15).

    Args:
      fn: takes what it returned before and one part of `elems` (structured like it).
      elems: a tensor, or tensors nested at will, with equal first dimensions.
      initializer: what `fn` is given first; the first part of `elems` by default.
      parallel_iterations, back_prop, swap_memory: as in `tf.while_loop`.
      name: the name scope, "foldl" by default.

    Returns:
      What `fn` returned last.

    Raises:
      TypeError: `fn` is not callable.
    """
    if not callable(fn):
        raise TypeError("fn must be callable.")
    with ops.name_scope(name, "foldl", [elems]), reads_cached():
        count, arrays = _unstacked(elems)
        if initializer is None:
            start = nest.map_structure(lambda array: array.read(0), arrays)
            first = constant_op.constant_v1(1)
        else:
            start = initializer
            first = constant_op.constant_v1(0)

        def step(i: Any, a: Any) -> Any:
            a = fn(a, nest.map_structure(lambda array: array.read(i), arrays))
            return [i + 1, a]

        _, result = while_loop.while_loop(
            lambda i, _: i < count,
            step,
            [first, start],
            parallel_iterations=parallel_iterations,
            back_prop=back_prop,
            swap_memory=swap_memory,
            maximum_iterations=count,
        )
        return result


@tf_export("foldr")
def foldr(
    fn: Callable[..., Any],
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
) -> Any:
    """As `foldl`, from the last part of `elems` to the first (as `tf.foldr` of TF 1.15).

    Args:
      fn, elems, parallel_iterations, back_prop, swap_memory: as in `foldl`.
      initializer: what `fn` is given first; the last part of `elems` by default.
      name: the name scope, "foldr" by default.

    Returns:
      What `fn` returned last.

    Raises:
      TypeError: `fn` is not callable.
    """
    if not callable(fn):
        raise TypeError("fn must be callable.")
    with ops.name_scope(name, "foldr", [elems]), reads_cached():
        count, arrays = _unstacked(elems)
        if initializer is None:
            last = count - 1
            start = nest.map_structure(lambda array: array.read(last), arrays)
        else:
            last = count
            start = initializer

        def step(i: Any, a: Any) -> Any:
            i -= 1
            part = nest.map_structure(lambda array: array.read(i), arrays)
            return [i, fn(a, part)]

        _, result = while_loop.while_loop(
            lambda i, _: i > 0,
            step,
            [last, start],
            parallel_iterations=parallel_iterations,
            back_prop=back_prop,
            swap_memory=swap_memory,
            maximum_iterations=count,
        )
        return result


def _unstacked(elems: Any) -> tuple[Any, Any]:
    """(the size of the first dimension: an int if it is known and not 0; arrays of the parts)."""
    # Recorded even though what follows takes the elems as they were given: so does TF.
    flat = [ops.convert_to_tensor(elem, name="elem") for elem in nest.flatten(elems)]
    count = dimension_value(flat[0].shape[0]) or array_ops.shape(flat[0])[0]

    def array(elem: Any) -> Any:
        return tensor_array_ops.TensorArray(
            dtype=elem.dtype, size=count, dynamic_size=False, infer_shape=True
        ).unstack(elem)

    return count, nest.map_structure(array, elems)


@tf_export("scan")
def scan(
    fn: Callable[..., Any],
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    reverse: bool = False,
    name: str | None = None,
) -> Any:
    """As `foldl`, but stacks all that `fn` returned (as `tf.scan` of TF 1.15).

    Args:
      fn: takes what it returned before and one part of `elems` (structured like it).
      elems: a tensor, or tensors nested at will, with equal first dimensions.
      initializer: what `fn` is given first, and how its results are structured; by default the
        first part of `elems`, which then is the first result.
      parallel_iterations, back_prop, swap_memory: as in `tf.while_loop`.
      infer_shape: all results of `fn` have one shape.
      reverse: begin with the last part.
      name: the name scope, "scan" by default.

    Raises:
      TypeError: `fn` is not callable, or returns another structure.
    """
    if not callable(fn):
        raise TypeError("fn must be callable.")
    given = Structure(elems)
    returned = given if initializer is None else Structure(initializer)
    elems_flat = given.flat(elems)
    with ops.name_scope(name, "scan", elems_flat), reads_cached():
        elems_flat = [ops.convert_to_tensor(elem, name="elem") for elem in elems_flat]
        count: Any = dimension_value(elems_flat[0].shape[0])
        if count is None:
            count = array_ops.shape(elems_flat[0])[0]
        arrays = [
            tensor_array_ops.TensorArray(
                dtype=elem.dtype,
                size=count,
                dynamic_size=False,
                element_shape=elem.shape[1:],
                infer_shape=True,
            )
            for elem in elems_flat
        ]
        arrays = [array.unstack(elem) for array, elem in zip(arrays, elems_flat)]
        if initializer is None:
            start = [array.read(count - 1 if reverse else 0) for array in arrays]
            done = 1
        else:
            start = [ops.convert_to_tensor(value) for value in returned.flat(initializer)]
            done = 0
        results = [
            tensor_array_ops.TensorArray(
                dtype=value.dtype,
                size=count,
                element_shape=value.shape if infer_shape else None,
                dynamic_size=False,
                infer_shape=infer_shape,
            )
            for value in start
        ]
        if initializer is None:
            results = [
                array.write(count - 1 if reverse else 0, value)
                for array, value in zip(results, start)
            ]

        def compute(i: Any, a: Any, results: Any) -> Any:
            parts = given.packed([array.read(i) for array in arrays])
            value = fn(returned.packed(a), parts)
            nest.assert_same_structure(elems if initializer is None else initializer, value)
            flat = returned.flat(value)
            results = [array.write(i, part) for array, part in zip(results, flat)]
            return i - 1 if reverse else i + 1, flat, results

        _, _, results = while_loop.while_loop(
            (lambda i, *_: i >= 0) if reverse else (lambda i, *_: i < count),
            compute,
            (count - 1 - done if reverse else done, start, results),
            parallel_iterations=parallel_iterations,
            back_prop=back_prop,
            swap_memory=swap_memory,
            maximum_iterations=count,
        )
        stacked = [array.stack() for array in results]
        set_first_dimension(stacked, elems_flat)
    return returned.packed(stacked)
