"""Loops whose iterations do not need each other, with their results stacked."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops, shape_ops
from tf1compat.api.control_flow import control_flow_ops, tensor_array_ops
from tf1compat.api.control_flow.while_loop import while_loop
from tf1compat.api.functions import function
from tf1compat.api.math import math_ops
from tf1compat.api.parallel_for import (  # noqa: F401
    pfor_array,
    pfor_flow,
    pfor_math,
    pfor_nn,
    pfor_while,
)
from tf1compat.api.parallel_for.pfor import PFor, PForConfig
from tf1compat.api.platform import tf_logging
from tf1compat.api.util import tf_inspect
from tf1compat.core import context, dtypes, nest, ops, tf_decorator
from tf1compat.core.export import tf_export
from tf1compat.core.indexed_slices import IndexedSlices
from tf1compat.core.sparse_tensor import SparseTensor
from tf1compat.core.tensor_util import constant_value

PFOR_CONFIG_ARG = "pfor_config"


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
            array if value is None else array.write(i, shape_ops.expand_dims(value, 0))
            for value, array in zip(found, arrays, strict=True)
        ]
        return (i + 1, *written)

    options: dict[str, Any] = (
        {} if parallel_iterations is None else {"parallel_iterations": parallel_iterations}
    )
    arrays = [tensor_array_ops.TensorArray(dtype.base_dtype, iters) for dtype in flat_dtypes]
    done = while_loop(lambda i, *_: i < iters, body, [0, *arrays], **options)
    stacked = [
        None if absent else array.concat() for array, absent in zip(done[1:], missing, strict=False)
    ]
    return nest.pack_sequence_as(loop_fn_dtypes, stacked) if stacked else None


def _is_under_xla_context() -> bool:
    graph = ops.get_default_graph()
    while graph is not None:
        around = graph._get_control_flow_context()
        while around is not None:
            if around.IsXLAContext():
                return True
            around = around.outer_context
        graph = getattr(graph, "outer_graph", None)
    return False


def pfor(loop_fn: Callable[..., Any], iters: Any, parallel_iterations: int | None = None) -> Any:
    """What running `loop_fn` for each index and stacking the results gives, recorded without a
    loop: each operation is one for all iterations (as in TF 1.15).

    Args:
      loop_fn: takes the int32 index, and a `PForConfig` if it has a parameter `pfor_config`;
        returns a structure of tensors and of operations without outputs. No iteration may need
        another one.
      iters: how many iterations there are.
      parallel_iterations: how many are at most taken together; the others are in a loop.

    Returns:
      The structure, of tensors with a new first dimension.

    Raises:
      ValueError: `parallel_iterations` is less than 2, or an operation can't be converted.
    """

    def record() -> Any:
        return _pfor(loop_fn, iters, parallel_iterations)

    if context.executing_eagerly() or _is_under_xla_context():
        return function.defun(record)()
    return record()


def _takes_config(loop_fn: Any) -> bool:
    """Whether a body has a parameter for the `PForConfig`."""
    if tf_inspect.isfunction(loop_fn):
        return PFOR_CONFIG_ARG in tf_inspect.getargspec(loop_fn).args
    if isinstance(loop_fn, functools.partial):
        known = tf_inspect.getargspec(loop_fn.func).args
        return PFOR_CONFIG_ARG in known and PFOR_CONFIG_ARG not in loop_fn.keywords
    called = tf_decorator.unwrap(loop_fn)[1]
    if not callable(called):
        raise ValueError("loop_fn object did not have a __call__ method")
    return PFOR_CONFIG_ARG in tf_inspect.getargspec(type(called).__call__).args


def _as_result(value: Any) -> Any:
    if value is None or isinstance(value, ops.Operation | ops.Tensor | SparseTensor):
        return value
    if isinstance(value, IndexedSlices):
        tf_logging.warn(
            f"Converting {value} to a dense representation may make it slow. Alternatively, output "
            "the indices and values of the IndexedSlices separately, and handle the vectorized "
            "outputs directly."
        )
    return ops.convert_to_tensor(value)


def _pfor(loop_fn: Any, iters: Any, parallel_iterations: Any = None, config: Any = None) -> Any:
    with_config = _takes_config(loop_fn)
    graph = ops.get_default_graph()
    before = set(graph.get_operations())
    with ops.name_scope("loop_body"):
        index = array_ops.placeholder(dtypes.int32, shape=[])
        if with_config and config is None:
            config = PForConfig()
            config._set_iters(iters)
        assert with_config or config is None
        results = loop_fn(index, pfor_config=config) if with_config else loop_fn(index)
    flat = [_as_result(value) for value in nest.flatten(results)]
    body = [op for op in graph.get_operations() if op not in before]
    iters = ops.convert_to_tensor(iters)
    if parallel_iterations is not None:
        if parallel_iterations < 1:
            raise ValueError("parallel_iterations must be None or a positive integer")
        if parallel_iterations == 1:
            raise ValueError("Found parallel_iterations == 1. Use for_loop instead.")
        known = constant_value(iters)
        if known is not None and known < parallel_iterations:
            parallel_iterations = None
    if parallel_iterations is None:
        with ops.name_scope("pfor"):
            converter = PFor(index, iters, body, pfor_config=config)
            found = [converter.convert(value) for value in flat]
        return nest.pack_sequence_as(results, found)
    if config is not None and config._has_reductions():
        raise ValueError(
            "Setting parallel_iterations currently unsupported if reductions across iterations are "
            "performed."
        )
    found = _in_chunks(loop_fn, iters, parallel_iterations, config, index, body, flat, with_config)
    return nest.pack_sequence_as(results, nest.flatten(found))


def _in_chunks(
    loop_fn: Any,
    iters: Any,
    size: int,
    config: Any,
    index: Any,
    body: list[Any],
    flat: list[Any],
    with_config: bool,
) -> Any:
    """Iterations `size` at a time in a loop, after those that are left over."""
    chunks = iters // size
    left_over = iters % size
    with ops.name_scope("pfor_untiled"):
        converter = PFor(index, left_over, body, pfor_config=config)
        first = [converter.convert(value) for value in flat]
    with ops.name_scope("pfor_tiled"):
        types = [ops.convert_to_tensor(value).dtype for value in flat]

        def chunk(j: Any) -> Any:
            offset = j * size + left_over

            def plain(i: Any) -> Any:
                return nest.flatten(loop_fn(i + offset))

            def configured(i: Any, pfor_config: Any = None) -> Any:
                return nest.flatten(loop_fn(i + offset, pfor_config=pfor_config))

            return _pfor(configured if with_config else plain, size, config=config)

        tiled = for_loop(chunk, types, chunks, parallel_iterations=1)
        tiled = [_without_chunks(value) for value in tiled]
    with ops.name_scope("pfor"):
        known = constant_value(iters)
        if known is not None and not known % size:
            return tiled
        return control_flow_ops.cond(
            math_ops.equal(left_over, 0),
            lambda: tiled,
            lambda: [array_ops.concat([x, y], axis=0) for x, y in zip(first, tiled, strict=True)],
        )


def _without_chunks(x: Any) -> Any:
    shape = shape_ops.shape(x)
    joined = array_ops.concat([[shape[0] * shape[1]], shape[2:]], axis=0)
    return shape_ops.reshape(x, joined)


@tf_export("vectorized_map")
def vectorized_map(fn: Callable[[Any], Any], elems: Any) -> Any:
    """`tf.map_fn` for functions whose calls do not need each other (see `pfor`).

    Args:
      fn: takes a structure of tensors as `elems`, without their first dimension.
      elems: a structure of tensors with the same first dimension.

    Returns:
      A structure of tensors: what `fn` returns, stacked.
    """
    from tf1compat.api.array import gather_ops

    def one(i: Any) -> Any:
        return fn(nest.map_structure(lambda x: gather_ops.gather(x, i), elems))

    count = shape_ops.shape(nest.flatten(elems)[0])[0]
    return pfor(one, count)
