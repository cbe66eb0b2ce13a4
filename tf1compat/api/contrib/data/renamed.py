"""`tf.contrib.data`: the names of before `tf.data.experimental`."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.api.contrib.framework import tensor_util
from tf1compat.api.data.experimental.ops import (
    grouping,
    interleave_ops,
    parsing_ops,
    prefetching_ops,
    readers,
    resampling,
    transformations,
)
from tf1compat.api.data.experimental.ops import iterator_ops as saved_iterators
from tf1compat.api.data.ops import dataset_ops, dataset_types, iterator_ops, optional_ops
from tf1compat.api.data.ops import readers as core_readers
from tf1compat.api.data.util import nest, structure
from tf1compat.api.util.deprecation import deprecated, deprecated_args
from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.attribute import attribute
from tf1compat.core.export import export_constant, tf_export
from tf1compat.core.tensor_shape import as_shape
from tf1compat.core.type_spec import TensorSpec

_MODULE = "tensorflow.contrib.data.python.ops."

export_constant("contrib.data.AUTOTUNE", dataset_ops.AUTOTUNE)
export_constant("contrib.data.Optional", optional_ops.Optional)
export_constant("contrib.data.get_next_as_optional", iterator_ops.get_next_as_optional)


def _renamed(function: Any, module: str, arguments: str = "...") -> Any:
    """`tf.contrib.data`'s function of the same name, that says where it is now."""
    name = str(function.__name__).removesuffix("_v1").removesuffix("V1")

    @functools.wraps(getattr(function, "__wrapped__", function))
    def call(*args: Any, **kwargs: Any) -> Any:
        return function(*args, **kwargs)

    call.__name__ = call.__qualname__ = name
    text = f"Use `tf.data.experimental.{name}({arguments})`."
    found = deprecated(None, text, module=_MODULE + module)(call)
    globals()[name] = tf_export(f"contrib.data.{name}")(found)
    return found


_renamed(transformations.dense_to_sparse_batch, "batching")
_renamed(transformations.unbatch, "batching", "")
_renamed(transformations.map_and_batch, "batching")
_renamed(transformations.CounterV1, "counter")
_renamed(transformations.enumerate_dataset, "enumerate_ops")
_renamed(transformations.ignore_errors, "error_ops", "")
_renamed(transformations.get_single_element, "get_single_element")
_renamed(grouping.group_by_reducer, "grouping")
_renamed(grouping.group_by_window, "grouping")
_renamed(interleave_ops.parallel_interleave, "interleave_ops")
_renamed(interleave_ops.sample_from_datasets_v1, "interleave_ops")
_renamed(interleave_ops.choose_from_datasets_v1, "interleave_ops")
_renamed(saved_iterators.make_saveable_from_iterator, "iterator_ops")
_renamed(parsing_ops.parse_example_dataset, "parsing_ops")
_renamed(prefetching_ops.prefetch_to_device, "prefetching_ops")
_renamed(prefetching_ops.copy_to_device, "prefetching_ops")
_renamed(readers.make_batched_features_dataset_v1, "readers")
_renamed(resampling.rejection_resample, "resampling")
_renamed(transformations.scan, "scan_ops")
_renamed(transformations.shuffle_and_repeat, "shuffle_ops")
_renamed(transformations.unique, "unique", "")


@tf_export("contrib.data.bucket_by_sequence_length")
@deprecated(
    None,
    "Use `tf.data.experimental.bucket_by_sequence_length(...)`.",
    module=_MODULE + "grouping",
)
def bucket_by_sequence_length(
    element_length_func: Any,
    bucket_boundaries: Any,
    bucket_batch_sizes: Any,
    padded_shapes: Any = None,
    padding_values: Any = None,
    pad_to_bucket_boundary: bool = False,
    no_padding: bool = False,
) -> Callable[[Any], Any]:
    """As `tf.data.experimental.bucket_by_sequence_length`.

    Args:
      element_length_func, bucket_boundaries, bucket_batch_sizes, padded_shapes, padding_values,
        pad_to_bucket_boundary, no_padding: as in `tf.data.experimental.bucket_by_sequence_length`.

    Returns:
      As `tf.data.experimental.bucket_by_sequence_length`.
    """
    return grouping.bucket_by_sequence_length(
        element_length_func,
        bucket_boundaries,
        bucket_batch_sizes,
        padded_shapes,
        padding_values,
        pad_to_bucket_boundary,
        no_padding,
    )


@tf_export("contrib.data.make_csv_dataset")
@deprecated(None, "Use `tf.data.experimental.make_csv_dataset(...)`.", module=_MODULE + "readers")
def make_csv_dataset(
    file_pattern: Any,
    batch_size: Any,
    column_names: Any = None,
    column_defaults: Any = None,
    label_name: str | None = None,
    select_columns: Any = None,
    field_delim: str = ",",
    use_quote_delim: bool = True,
    na_value: str = "",
    header: bool = True,
    num_epochs: int | None = None,
    shuffle: bool = True,
    shuffle_buffer_size: Any = 10000,
    shuffle_seed: Any = None,
    prefetch_buffer_size: Any = None,
    num_parallel_reads: Any = None,
    sloppy: bool = False,
    num_rows_for_inference: Any = 100,
    compression_type: Any = None,
) -> Any:
    """As `tf.data.experimental.make_csv_dataset`.

    Args:
      file_pattern, batch_size, column_names, column_defaults, label_name, select_columns,
        field_delim, use_quote_delim, na_value, header, num_epochs, shuffle, shuffle_buffer_size,
        shuffle_seed, prefetch_buffer_size, num_parallel_reads, sloppy, num_rows_for_inference,
        compression_type: as in `tf.data.experimental.make_csv_dataset`.

    Returns:
      As `tf.data.experimental.make_csv_dataset`.
    """
    return readers.make_csv_dataset(
        file_pattern,
        batch_size,
        column_names,
        column_defaults,
        label_name,
        select_columns,
        field_delim,
        use_quote_delim,
        na_value,
        header,
        num_epochs,
        shuffle,
        shuffle_buffer_size,
        shuffle_seed,
        prefetch_buffer_size,
        num_parallel_reads,
        sloppy,
        num_rows_for_inference,
        compression_type,
    )


@tf_export("contrib.data.batch_and_drop_remainder")
@deprecated(
    None, "Use `tf.data.Dataset.batch(..., drop_remainder=True)`.", module=_MODULE + "batching"
)
def batch_and_drop_remainder(batch_size: Any) -> Callable[[Any], Any]:
    """A transformation that batches, and leaves out a last batch of fewer.

    Args:
      batch_size: how many elements one batch has, an int64 scalar.

    Returns:
      A function for `Dataset.apply`.
    """
    return lambda dataset: dataset.batch(batch_size, drop_remainder=True)


@tf_export("contrib.data.padded_batch_and_drop_remainder")
@deprecated(
    None,
    "Use `tf.data.Dataset.padded_batch(..., drop_remainder=True)`.",
    module=_MODULE + "batching",
)
def padded_batch_and_drop_remainder(
    batch_size: Any, padded_shapes: Any, padding_values: Any = None
) -> Callable[[Any], Any]:
    """A transformation that pads and batches, and leaves out a last batch of fewer.

    Args:
      batch_size, padded_shapes, padding_values: as in `Dataset.padded_batch`.

    Returns:
      A function for `Dataset.apply`.
    """
    return lambda dataset: dataset.padded_batch(
        batch_size,
        padded_shapes=padded_shapes,
        padding_values=padding_values,
        drop_remainder=True,
    )


class _RestructuredDataset(dataset_types.UnaryDataset):
    """A dataset whose elements are taken to be structured as those of another, with other shapes.

    Args:
      dataset: the dataset.
      like: the other one.
      output_shapes: the shapes.
    """

    def __init__(self, dataset: Any, like: Any, output_shapes: Any):
        types = dataset_ops.get_legacy_output_types(like)
        nest.assert_same_structure(types, output_shapes)
        shapes = dataset_ops.get_legacy_output_shapes(dataset)
        flat = zip(nest.flatten(shapes), nest.flatten_up_to(types, output_shapes))
        if not all(own.is_compatible_with(other) for own, other in flat):
            raise ValueError(
                f"Dataset with output shapes {shapes!r} cannot be restructured to have "
                f"incompatible output shapes {output_shapes!r}"
            )
        output_shapes = nest.map_structure_up_to(types, as_shape, output_shapes)
        classes = dataset_ops.get_legacy_output_classes(like)
        self._element_spec = structure.convert_legacy_structure(types, output_shapes, classes)
        super().__init__(dataset, dataset._variant_tensor)

    element_spec = attribute("_element_spec")


@tf_export("contrib.data.assert_element_shape")
def assert_element_shape(expected_shapes: Any) -> Callable[[Any], Any]:
    """A transformation that checks the shapes of elements.

    Args:
      expected_shapes: the structure of their shapes.

    Returns:
      A function of a dataset that gives one, for `Dataset.apply`.
    """

    def _check_shape(*elements: Any) -> Any:
        checked = [
            tensor_util.with_shape(shape, tensor) if shape else tensor
            for shape, tensor in zip(nest.flatten(expected_shapes), nest.flatten(elements))
        ]
        return nest.pack_sequence_as(elements, checked)

    def transform(dataset: Any) -> Any:
        shapes = dataset_ops.get_legacy_output_shapes(dataset)
        merged = [
            own.merge_with(other)
            for own, other in zip(nest.flatten(shapes), nest.flatten_up_to(shapes, expected_shapes))
        ]
        merged = nest.pack_sequence_as(shapes, merged)
        return _RestructuredDataset(dataset.map(_check_shape), dataset, merged)

    return transform


@tf_export("contrib.data.reduce_dataset")
@deprecated(None, "Use `tf.data.Dataset.reduce(...)`.", module=_MODULE + "get_single_element")
def reduce_dataset(dataset: Any, reducer: Any) -> Any:
    """The result of a reduction (a `Reducer`) of a dataset, before its `finalize_func`.

    Args:
      dataset: a `Dataset`.
      reducer: a `tf.data.experimental.Reducer`.

    Returns:
      The last state, a structure of tensors.

    Raises:
      TypeError: `dataset` is none.
    """
    if not isinstance(dataset, dataset_ops.Dataset):
        raise TypeError("`dataset` must be a `tf.data.Dataset` object.")
    return dataset.reduce(reducer.init_func(np.int64(0)), reducer.reduce_func)


@tf_export("contrib.data.sloppy_interleave")
@deprecated(
    None,
    "Use `tf.contrib.data.parallel_interleave(..., sloppy=True)`.",
    module=_MODULE + "interleave_ops",
)
def sloppy_interleave(
    map_func: Callable[..., Any], cycle_length: Any, block_length: Any = 1
) -> Callable[[Any], Any]:
    """As `parallel_interleave` with `sloppy=True`.

    Args:
      map_func, cycle_length, block_length: as in `parallel_interleave`.

    Returns:
      A function for `Dataset.apply`.
    """
    return interleave_ops.parallel_interleave(map_func, cycle_length, block_length, sloppy=True)


@tf_export("contrib.data.read_batch_features")
@deprecated(
    None,
    "Use `tf.data.experimental.make_batched_features_dataset(...)`",
    module=_MODULE + "readers",
)
def read_batch_features(
    file_pattern: Any,
    batch_size: Any,
    features: Any,
    reader: Any = core_readers.TFRecordDataset,
    reader_args: Any = None,
    randomize_input: bool = True,
    num_epochs: int | None = None,
    capacity: Any = 10000,
) -> Any:
    """The features of batches of examples in files, as tensors.

    Args:
      file_pattern, batch_size, features, reader, reader_args, num_epochs: see
        `tf.data.experimental.make_batched_features_dataset`.
      randomize_input: whether the order is random.
      capacity: from among how many examples the next one is drawn.

    Returns:
      {feature: a tensor or SparseTensor [batch_size, ...]}, the next batch of a one-shot iterator.
    """
    dataset = readers.make_batched_features_dataset(
        file_pattern,
        batch_size,
        features,
        reader=reader,
        reader_args=reader_args,
        shuffle=randomize_input,
        num_epochs=num_epochs,
        shuffle_buffer_size=capacity,
    )
    return dataset_ops.make_one_shot_iterator(dataset).get_next()


class _SlideDataset(dataset_types.UnaryDataset):
    """Batches of consecutive elements."""

    def __init__(self, input_dataset: Any, size: Any, shift: Any, stride: Any):
        self._input_dataset = input_dataset
        size = dataset_types._int64(size, "window_stride")  # As TF names it.
        stride = dataset_types._int64(stride, "window_stride")
        shift = dataset_types._int64(shift, "window_shift")
        self._element_spec = nest.map_structure(
            lambda spec: spec._batch(None), dataset_ops.get_structure(input_dataset)
        )
        variant = raw_ops.SlidingWindowDataset(
            input_dataset._variant_tensor,
            window_size=size,
            window_shift=shift,
            window_stride=stride,
            **self._flat_structure,
        )
        super().__init__(input_dataset, variant)

    element_spec = attribute("_element_spec")


@tf_export("contrib.data.sliding_window_batch")
@deprecated_args(
    None,
    "stride is deprecated, use window_shift instead",
    "stride",
    module=_MODULE + "sliding",
)
@deprecated(
    None,
    "Use `tf.data.Dataset.window(size=window_size, shift=window_shift, "
    "stride=window_stride).flat_map(lambda x: x.batch(window_size))` instead.",
    module=_MODULE + "sliding",
)
def sliding_window_batch(
    window_size: Any, stride: Any = None, window_shift: Any = None, window_stride: Any = 1
) -> Callable[[Any], Any]:
    """A transformation that makes batches of consecutive elements.

    Args:
      window_size: how many elements make one.
      stride: the older name of `window_shift`.
      window_shift: by how many elements the next one begins later; 1 by default.
      window_stride: how far apart the elements of a batch are.

    Returns:
      A function of a dataset that gives one, for `Dataset.apply`; elements are [window_size, ...].

    Raises:
      ValueError: both `stride` and `window_shift` are given.
    """
    if stride is not None and window_shift is not None:
        raise ValueError("Cannot specify both `stride` and `window_shift`")
    shift = window_shift if stride is None else stride
    shift = 1 if shift is None else shift
    return lambda dataset: _SlideDataset(dataset, window_size, shift, window_stride)


def _moved(name: str) -> Any:
    module = {"Reducer": "grouping", "CheckpointInputPipelineHook": "iterator_ops"}.get(name)
    module = module or {"RandomDataset": "random_ops", "TFRecordWriter": "writers"}.get(name)
    return deprecated(
        None, f"Use `tf.data.experimental.{name}(...)`.", module=_MODULE + (module or "readers")
    )


@tf_export("contrib.data.Reducer")
class Reducer(grouping.Reducer):
    """As `tf.data.experimental.Reducer`.

    Args:
      init_func, reduce_func, finalize_func: as in `tf.data.experimental.Reducer`.
    """

    @_moved("Reducer")
    def __init__(self, init_func: Any, reduce_func: Any, finalize_func: Any):
        super().__init__(init_func, reduce_func, finalize_func)


@tf_export("contrib.data.CheckpointInputPipelineHook")
class CheckpointInputPipelineHook(saved_iterators.CheckpointInputPipelineHook):
    """As `tf.data.experimental.CheckpointInputPipelineHook`.

    Args:
      estimator: as in `tf.data.experimental.CheckpointInputPipelineHook`.
    """

    @_moved("CheckpointInputPipelineHook")
    def __init__(self, estimator: Any):
        super().__init__(estimator)


@tf_export("contrib.data.RandomDataset")
class RandomDataset(transformations.RandomDataset):
    """As `tf.data.experimental.RandomDataset`.

    Args:
      seed: as in `tf.data.experimental.RandomDataset`.
    """

    @_moved("RandomDataset")
    def __init__(self, seed: Any = None):
        super().__init__(seed)


@tf_export("contrib.data.CsvDataset")
class CsvDataset(readers.CsvDataset):
    """As `tf.data.experimental.CsvDataset`.

    Args:
      filenames, record_defaults, compression_type, buffer_size, header, field_delim,
        use_quote_delim, na_value, select_cols: as in `tf.data.experimental.CsvDataset`.
    """

    @_moved("CsvDataset")
    def __init__(
        self,
        filenames: Any,
        record_defaults: Any,
        compression_type: Any = None,
        buffer_size: Any = None,
        header: Any = False,
        field_delim: Any = ",",
        use_quote_delim: Any = True,
        na_value: Any = "",
        select_cols: Any = None,
    ):
        super().__init__(
            filenames,
            record_defaults,
            compression_type,
            buffer_size,
            header,
            field_delim,
            use_quote_delim,
            na_value,
            select_cols,
        )


@tf_export("contrib.data.SqlDataset")
class SqlDataset(readers.SqlDataset):
    """As `tf.data.experimental.SqlDataset`.

    Args:
      driver_name, data_source_name, query, output_types: as in `tf.data.experimental.SqlDataset`.
    """

    @_moved("SqlDataset")
    def __init__(self, driver_name: Any, data_source_name: Any, query: Any, output_types: Any):
        super().__init__(driver_name, data_source_name, query, output_types)


@tf_export("contrib.data.LMDBDataset")
class LMDBDataset(dataset_types.DatasetSource):
    """A dataset of the (key, value)s of LMDB databases, as in TF 1.15.

    Args:
      filenames: string, of any shape: the databases, read one after the other.
    """

    def __init__(self, filenames: Any):
        names = ops.convert_to_tensor(filenames, dtype=dtypes.string, name="filenames")
        super().__init__(raw_ops.LMDBDataset(names, **self._flat_structure))

    @property
    def element_spec(self) -> Any:
        return TensorSpec([], dtypes.string), TensorSpec([], dtypes.string)


@tf_export("contrib.data.TFRecordWriter")
class TFRecordWriter(transformations.TFRecordWriter):
    """As `tf.data.experimental.TFRecordWriter`.

    Args:
      filename, compression_type: as in `tf.data.experimental.TFRecordWriter`.
    """

    @_moved("TFRecordWriter")
    def __init__(self, filename: Any, compression_type: Any = None):
        super().__init__(filename, compression_type)
