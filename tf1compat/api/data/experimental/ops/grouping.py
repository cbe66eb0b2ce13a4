"""`tf.data.experimental`: groups of elements with the same key."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.checks import check_ops
from tf1compat.api.data.ops import dataset_ops, dataset_spec, dataset_types
from tf1compat.api.data.ops.structured_function import (
    StructuredFunctionWrapper,
    only_state,
    recorded_with_state,
)
from tf1compat.api.data.util import nest
from tf1compat.api.math import math_ops
from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export
from tf1compat.core.tensor_shape import TensorShape, dimension_value
from tf1compat.core.type_spec import TensorSpec

_KEY = TensorSpec([], dtypes.int64)


@tf_export("data.experimental.Reducer")
class Reducer:
    """A reduction, for `group_by_reducer` (as `tf.data.experimental.Reducer` in TF 1.15).

    Args:
      init_func: gives the initial state for a key.
      reduce_func: gives the next state for a state and an element.
      finalize_func: gives the result for the last state.
    """

    def __init__(self, init_func: Any, reduce_func: Any, finalize_func: Any):
        self._init_func = init_func
        self._reduce_func = reduce_func
        self._finalize_func = finalize_func

    init_func = attribute("_init_func", "What gives the initial state.")
    reduce_func = attribute("_reduce_func", "What gives the next state.")
    finalize_func = attribute("_finalize_func", "What gives the result.")


class _GroupByReducerDataset(dataset_types.UnaryDataset):
    """The results of a reduction, one for each key."""

    def __init__(
        self, input_dataset: dataset_ops.DatasetV2, key_func: Callable[..., Any], reducer: Any
    ):
        self._input_dataset = input_dataset
        name = "tf.data.experimental.group_by_reducer()"
        key = StructuredFunctionWrapper(key_func, name, dataset=input_dataset)
        if not key.output_structure.is_compatible_with(_KEY):
            raise ValueError(
                "`key_func` must return a single tf.int64 tensor. Got "
                f"type={key.output_types} and shape={key.output_shapes}"
            )
        init = StructuredFunctionWrapper(reducer.init_func, name, input_structure=_KEY)
        reduce, state = recorded_with_state(
            reducer.reduce_func,
            name,
            init.output_structure,
            input_dataset.element_spec,
            only_state,
        )
        reduce.function.add_to_graph(ops.get_default_graph())
        self._finalize_func = StructuredFunctionWrapper(
            reducer.finalize_func, name, input_structure=state
        )
        self._wrapped = [key, init, reduce, self._finalize_func]
        functions = [wrapped.function for wrapped in self._wrapped]
        roles = ("key_func", "init_func", "reduce_func", "finalize_func")
        variant = raw_ops.ExperimentalGroupByReducerDataset(
            input_dataset._variant_tensor,
            *[function.captured_inputs for function in functions],
            **dict(zip(roles, functions)),
            **self._flat_structure,
        )
        super().__init__(input_dataset, variant)

    element_spec = attribute("_finalize_func.output_structure")

    def _functions(self) -> list[Any]:
        return self._wrapped


@tf_export("data.experimental.group_by_reducer")
def group_by_reducer(key_func: Callable[..., Any], reducer: Any) -> Callable[[Any], Any]:
    """A transformation that reduces the elements of each key.

    Args:
      key_func: gives the key of an element, an int64 scalar.
      reducer: a `Reducer`.

    Returns:
      A function for `Dataset.apply`.
    """
    return lambda dataset: _GroupByReducerDataset(dataset, key_func, reducer)


class _GroupByWindowDataset(dataset_types.UnaryDataset):
    """The datasets that a function makes of groups of elements with the same key."""

    def __init__(
        self,
        input_dataset: dataset_ops.DatasetV2,
        key_func: Callable[..., Any],
        reduce_func: Callable[..., Any],
        window_size_func: Callable[..., Any],
    ):
        self._input_dataset = input_dataset
        name = "tf.data.experimental.group_by_window()"

        def key_func_wrapper(*args: Any) -> Any:
            return ops.convert_to_tensor(key_func(*args), dtype=dtypes.int64)

        key = StructuredFunctionWrapper(key_func_wrapper, name, dataset=input_dataset)
        if not key.output_structure.is_compatible_with(_KEY):
            raise ValueError("`key_func` must return a single tf.int64 scalar tensor.")
        nested = dataset_spec.DatasetSpec(input_dataset.element_spec)
        reduce = StructuredFunctionWrapper(reduce_func, name, input_structure=(_KEY, nested))
        self._element_spec = dataset_types.element_spec_of(
            reduce, "`reduce_func` must return a `Dataset` object."
        )

        def window_size_func_wrapper(key: Any) -> Any:
            return ops.convert_to_tensor(window_size_func(key), dtype=dtypes.int64)

        size = StructuredFunctionWrapper(window_size_func_wrapper, name, input_structure=_KEY)
        if not size.output_structure.is_compatible_with(_KEY):
            raise ValueError("`window_size_func` must return a single tf.int64 scalar tensor.")
        self._wrapped = [key, reduce, size]
        functions = [wrapped.function for wrapped in self._wrapped]
        variant = raw_ops.GroupByWindowDataset(
            input_dataset._variant_tensor,
            *[function.captured_inputs for function in functions],
            **dict(zip(("key_func", "reduce_func", "window_size_func"), functions)),
            **self._flat_structure,
        )
        super().__init__(input_dataset, variant)

    element_spec = attribute("_element_spec")

    def _functions(self) -> list[Any]:
        return self._wrapped


@tf_export("data.experimental.group_by_window")
def group_by_window(
    key_func: Callable[..., Any],
    reduce_func: Callable[..., Any],
    window_size: Any = None,
    window_size_func: Any = None,
) -> Callable[[Any], Any]:
    """A transformation that makes datasets of groups of elements with the same key.

    Args:
      key_func: gives the key of an element, an int64 scalar.
      reduce_func: gives a dataset for a key and the dataset of a group.
      window_size: how many elements make a group.
      window_size_func: instead of it, gives that for a key.

    Returns:
      A function for `Dataset.apply`.

    Raises:
      ValueError: not just one of these two is given.
    """
    if (window_size is not None and window_size_func) or not (
        window_size is not None or window_size_func
    ):
        raise ValueError("Must pass either window_size or window_size_func.")
    if window_size is not None:

        def constant_window_func(unused_key: Any) -> Any:
            return ops.convert_to_tensor(window_size, dtype=dtypes.int64)

        window_size_func = constant_window_func
    return lambda dataset: _GroupByWindowDataset(dataset, key_func, reduce_func, window_size_func)


@tf_export("data.experimental.bucket_by_sequence_length")
def bucket_by_sequence_length(
    element_length_func: Callable[..., Any],
    bucket_boundaries: Any,
    bucket_batch_sizes: Any,
    padded_shapes: Any = None,
    padding_values: Any = None,
    pad_to_bucket_boundary: bool = False,
    no_padding: bool = False,
    drop_remainder: bool = False,
) -> Callable[[Any], Any]:
    """A transformation that batches elements of about the same length.

    Args:
      element_length_func: gives the length of an element, an int32 scalar.
      bucket_boundaries: the lengths between which elements go together.
      bucket_batch_sizes: how many of each such bucket make a batch: one more.
      padded_shapes, padding_values: see `Dataset.padded_batch`.
      pad_to_bucket_boundary: pad to the longest that the bucket may hold, instead of the longest
        of the batch.
      no_padding: whether not to pad.
      drop_remainder: whether to leave out batches of fewer.

    Returns:
      A function for `Dataset.apply`.

    Raises:
      ValueError: the numbers of boundaries and sizes don't fit.
    """
    with ops.name_scope("bucket_by_seq_length"):
        if len(bucket_batch_sizes) != len(bucket_boundaries) + 1:
            raise ValueError("len(bucket_batch_sizes) must equal len(bucket_boundaries) + 1")
        batch_sizes = constant_op.constant(bucket_batch_sizes, dtype=dtypes.int64)

        def element_to_bucket_id(*args: Any) -> Any:
            length = element_length_func(*args)
            limits = np.iinfo(np.int32)
            least = [limits.min, *bucket_boundaries]
            most = [*bucket_boundaries, limits.max]
            inside = math_ops.logical_and(
                math_ops.less_equal(least, length), math_ops.less(length, most)
            )
            return math_ops.reduce_min(array_ops.where(inside))

        def window_size_fn(bucket_id: Any) -> Any:
            return batch_sizes[bucket_id]

        def make_padded_shapes(shapes: Any, none_filler: Any) -> Any:
            padded = [
                [none_filler if dimension_value(d) is None else d for d in TensorShape(shape)]
                for shape in nest.flatten(shapes)
            ]
            return nest.pack_sequence_as(shapes, padded)

        def batching_fn(bucket_id: Any, grouped_dataset: Any) -> Any:
            size = window_size_fn(bucket_id)
            if no_padding:
                return grouped_dataset.batch(size, drop_remainder=drop_remainder)
            none_filler = None
            if pad_to_bucket_boundary:
                check = check_ops.assert_less(
                    bucket_id,
                    constant_op.constant(len(bucket_batch_sizes) - 1, dtype=dtypes.int64),
                    message="When pad_to_bucket_boundary=True, elements must have length < "
                    "max(bucket_boundaries).",
                )
                with ops.control_dependencies([check]):
                    boundaries = constant_op.constant(bucket_boundaries, dtype=dtypes.int64)
                    none_filler = boundaries[bucket_id] - 1
            shapes = padded_shapes or dataset_ops.get_legacy_output_shapes(grouped_dataset)
            return grouped_dataset.padded_batch(
                size,
                make_padded_shapes(shapes, none_filler),
                padding_values,
                drop_remainder=drop_remainder,
            )

        def transform(dataset: Any) -> Any:
            return dataset.apply(
                group_by_window(element_to_bucket_id, batching_fn, window_size_func=window_size_fn)
            )

        return transform
