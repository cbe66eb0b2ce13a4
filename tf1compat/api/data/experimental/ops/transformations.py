"""`tf.data.experimental`: transformations of a few lines each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.data.ops import batch_types, dataset_ops, dataset_types
from tf1compat.api.data.ops.structured_function import (
    StructuredFunctionWrapper,
    recorded_with_state,
)
from tf1compat.api.data.util import convert, nest, random_seed, structure
from tf1compat.api.util.deprecation import deprecated
from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.attribute import attribute
from tf1compat.core.export import export_constant, tf_export
from tf1compat.core.sparse_tensor import SparseTensorSpec
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.type_spec import TensorSpec
from tf1compat.core.typing import DTypeLike, TensorLike

_MODULE = "tensorflow.python.data.experimental.ops."
Transformation = Callable[[Any], Any]


# How many elements there are.

INFINITE = -1
UNKNOWN = -2
export_constant("data.experimental.INFINITE_CARDINALITY", INFINITE)
export_constant("data.experimental.UNKNOWN_CARDINALITY", UNKNOWN)


@tf_export("data.experimental.cardinality")
def cardinality(dataset: Any) -> Any:
    """How many elements a dataset has, as an int64 scalar; INFINITE, or UNKNOWN.

    Args:
      dataset: a `Dataset`.

    Returns:
      An int64 scalar.
    """
    return raw_ops.DatasetCardinality(dataset._variant_tensor)


@tf_export("data.experimental.get_single_element")
def get_single_element(dataset: Any) -> Any:
    """The only element of a dataset.

    Args:
      dataset: a `Dataset` of one element.

    Returns:
      The element, a structure of tensors.

    Raises:
      TypeError: it is no dataset.
    """
    if not isinstance(dataset, dataset_ops.DatasetV2):
        raise TypeError("`dataset` must be a `tf.data.Dataset` object.")
    flat = raw_ops.DatasetToSingleElement(dataset._variant_tensor, **dataset._flat_structure)
    return structure.from_compatible_tensor_list(dataset.element_spec, flat)


# Numbers.


@tf_export("compat.v2.data.experimental.Counter")
def CounterV2(start: Any = 0, step: Any = 1, dtype: DTypeLike = dtypes.int64) -> Any:
    """A dataset that counts for ever from `start` on, by `step`.

    Args:
      start: the first number.
      step: what is added each time.
      dtype: the numbers' dtype.

    Returns:
      A `Dataset` of scalars.
    """
    with ops.name_scope("counter"):
        start = ops.convert_to_tensor(start, dtype=dtype, name="start")
        step = ops.convert_to_tensor(step, dtype=dtype, name="step")
        zeros = dataset_ops.Dataset.from_tensors(0).repeat(None)
        return zeros.apply(scan(start, lambda state, _: (state + step, state)))


@tf_export("data.experimental.Counter")
def CounterV1(start: Any = 0, step: Any = 1, dtype: DTypeLike = dtypes.int64) -> Any:
    """A dataset that counts for ever from `start` on, by `step`.

    Args:
      start, step, dtype: as in `CounterV2`.

    Returns:
      As `CounterV2`.
    """
    return dataset_ops.DatasetV1Adapter(CounterV2(start, step, dtype))


Counter = CounterV1


@tf_export("compat.v2.data.experimental.RandomDataset")
class RandomDatasetV2(dataset_types.DatasetSource):
    """A dataset of random numbers of 32 bits, as int64 scalars.

    Args:
      seed: the seed, an int64 scalar; beside the graph's.
    """

    def __init__(self, seed: TensorLike | None = None):
        self._seed, self._seed2 = random_seed.get_seed(seed)
        super().__init__(
            raw_ops.RandomDataset(seed=self._seed, seed2=self._seed2, **self._flat_structure)
        )

    @property
    def element_spec(self) -> Any:
        return TensorSpec([], dtypes.int64)


@tf_export("data.experimental.RandomDataset")
class RandomDatasetV1(dataset_ops.DatasetV1Adapter):
    """A dataset of random numbers of 32 bits, as int64 scalars.

    Args:
      seed: the seed, an int64 scalar; beside the graph's.
    """

    def __init__(self, seed: TensorLike | None = None):
        super().__init__(RandomDatasetV2(seed))


RandomDataset = RandomDatasetV1


class MatchingFilesDataset(dataset_types.DatasetSource):
    """A dataset of the names of files that match patterns (as in TF 1.15).

    Args:
      patterns: strings.
    """

    def __init__(self, patterns: Any):
        self._patterns = ops.convert_to_tensor(patterns, dtype=dtypes.string, name="patterns")
        super().__init__(raw_ops.MatchingFilesDataset(self._patterns))

    @property
    def element_spec(self) -> Any:
        return _STRING


@tf_export("data.experimental.enumerate_dataset")
@deprecated(None, "Use `tf.data.Dataset.enumerate()", module=_MODULE + "enumerate_ops")
def enumerate_dataset(start: Any = 0) -> Transformation:
    """A transformation that puts a number, from `start` on, before each element.

    Args:
      start: the first number, an int64 scalar.

    Returns:
      A function for `Dataset.apply`.
    """
    return lambda dataset: dataset.enumerate(start)


# Some elements, in some order.


class _IgnoreErrorsDataset(dataset_types.UnaryUnchangedStructureDataset):
    """A dataset without the elements that can't be made."""

    def __init__(self, input_dataset: dataset_ops.DatasetV2):
        self._input_dataset = input_dataset
        variant = raw_ops.IgnoreErrorsDataset(input_dataset._variant_tensor, **self._flat_structure)
        super().__init__(input_dataset, variant)


@tf_export("data.experimental.ignore_errors")
def ignore_errors() -> Transformation:
    """A transformation that leaves out the elements that can't be made.

    Returns:
      A function for `Dataset.apply`.
    """
    return _IgnoreErrorsDataset


class _UniqueDataset(dataset_types.UnaryUnchangedStructureDataset):
    """A dataset without repeated elements."""

    def __init__(self, input_dataset: dataset_ops.DatasetV2):
        self._input_dataset = input_dataset
        types = dataset_ops.get_legacy_output_types(input_dataset)
        if types not in (dtypes.int32, dtypes.int64, dtypes.string):
            raise TypeError(
                "`tf.data.experimental.unique()` only supports inputs with a single `tf.int32`, "
                "`tf.int64`, or `tf.string` component."
            )
        variant = raw_ops.UniqueDataset(input_dataset._variant_tensor, **self._flat_structure)
        super().__init__(input_dataset, variant)


@tf_export("data.experimental.unique")
def unique() -> Transformation:
    """A transformation that leaves out elements that there were before.

    Returns:
      A function for `Dataset.apply`.
    """
    return _UniqueDataset


class _TakeWhileDataset(dataset_types.UnaryUnchangedStructureDataset):
    """The first elements of a dataset."""

    def __init__(self, input_dataset: dataset_ops.DatasetV2, predicate: Callable[..., Any]):
        self._input_dataset = input_dataset
        wrapped = StructuredFunctionWrapper(
            predicate, "tf.data.experimental.take_while()", dataset=input_dataset
        )
        if not wrapped.output_structure.is_compatible_with(TensorSpec([], dtypes.bool)):
            raise ValueError("`predicate` must return a scalar boolean tensor.")
        self._predicate = wrapped
        variant = raw_ops.TakeWhileDataset(
            input_dataset._variant_tensor,
            other_arguments=wrapped.function.captured_inputs,
            predicate=wrapped.function,
            **self._flat_structure,
        )
        super().__init__(input_dataset, variant)

    def _functions(self) -> list[Any]:
        return [self._predicate]


@tf_export("data.experimental.take_while")
def take_while(predicate: Callable[..., Any]) -> Transformation:
    """A transformation that ends before the first element for which `predicate` gives False.

    Args:
      predicate: a function of an element that gives a bool scalar.

    Returns:
      A function for `Dataset.apply`.
    """
    return lambda dataset: _TakeWhileDataset(dataset, predicate)


class _ShuffleAndRepeatDataset(dataset_types.UnaryUnchangedStructureDataset):
    """A dataset several times, in random order."""

    def __init__(
        self,
        input_dataset: dataset_ops.DatasetV2,
        buffer_size: Any,
        count: Any = None,
        seed: TensorLike | None = None,
    ):
        self._input_dataset = input_dataset
        self._buffer_size = dataset_types._int64(buffer_size, "buffer_size")
        self._count = dataset_types._count(count)
        self._seed, self._seed2 = random_seed.get_seed(seed)
        variant = raw_ops.ShuffleAndRepeatDataset(
            input_dataset._variant_tensor,
            buffer_size=self._buffer_size,
            count=self._count,
            seed=self._seed,
            seed2=self._seed2,
            **self._flat_structure,
        )
        super().__init__(input_dataset, variant)


@tf_export("data.experimental.shuffle_and_repeat")
@deprecated(
    None,
    "Use `tf.data.Dataset.shuffle(buffer_size, seed)` followed by "
    "`tf.data.Dataset.repeat(count)`. Static tf.data optimizations will take care of using the "
    "fused implementation.",
    module=_MODULE + "shuffle_ops",
)
def shuffle_and_repeat(
    buffer_size: Any, count: Any = None, seed: TensorLike | None = None
) -> Transformation:
    """A transformation that shuffles and repeats.

    Args:
      buffer_size: from among how many elements the next one is drawn.
      count: how often; for ever if None or -1.
      seed: the seed of the order.

    Returns:
      A function for `Dataset.apply`.
    """
    return lambda dataset: _ShuffleAndRepeatDataset(dataset, buffer_size, count, seed)


class _SleepDataset(dataset_types.UnaryUnchangedStructureDataset):
    """A dataset that waits before each element."""

    def __init__(self, input_dataset: dataset_ops.DatasetV2, sleep_microseconds: Any):
        self._input_dataset = input_dataset
        self._sleep_microseconds = sleep_microseconds
        variant = raw_ops.SleepDataset(
            input_dataset._variant_tensor, sleep_microseconds, **self._flat_structure
        )
        super().__init__(input_dataset, variant)


def sleep(sleep_microseconds: Any) -> Transformation:
    """A transformation that waits so long before each element."""
    return lambda dataset: _SleepDataset(dataset, sleep_microseconds)


# Functions with a state.


class _ScanDataset(dataset_types.UnaryDataset):
    """What a function of a state and an element gives besides the next state."""

    def __init__(
        self,
        input_dataset: dataset_ops.DatasetV2,
        initial_state: Any,
        scan_func: Callable[..., Any],
    ):
        self._input_dataset = input_dataset
        initial_state = structure.normalize_element(initial_state)

        def new_state(wrapped: Any) -> tuple[Any, Any, Any]:
            types = wrapped.output_types
            if not (isinstance(types, tuple | list) and len(types) == 2):
                raise TypeError(
                    "The scan function must return a pair comprising the new state and the output "
                    "value."
                )
            return wrapped.output_classes[0], types[0], wrapped.output_shapes[0]

        self._scan_func, state = recorded_with_state(
            scan_func,
            "tf.data.experimental.scan()",
            structure.type_spec_from_value(initial_state),
            input_dataset.element_spec,
            new_state,
        )
        found = self._scan_func
        self._element_spec = structure.convert_legacy_structure(
            found.output_types[1], found.output_shapes[1], found.output_classes[1]
        )
        function = found.function
        function.add_to_graph(ops.get_default_graph())
        variant = raw_ops.ScanDataset(
            input_dataset._variant_tensor,
            structure.to_tensor_list(state, initial_state),
            function.captured_inputs,
            f=function,
            preserve_cardinality=True,
            **self._flat_structure,
        )
        super().__init__(input_dataset, variant)

    def _functions(self) -> list[Any]:
        return [self._scan_func]

    element_spec = attribute("_element_spec")


@tf_export("data.experimental.scan")
def scan(initial_state: Any, scan_func: Callable[..., Any]) -> Transformation:
    """A transformation that carries a state from element to element.

    Args:
      initial_state: a structure of tensors.
      scan_func: takes a state and an element, and returns the next state and an element.

    Returns:
      A function for `Dataset.apply`.
    """
    return lambda dataset: _ScanDataset(dataset, initial_state, scan_func)


# Batches.


class _DenseToSparseBatchDataset(dataset_types.UnaryDataset):
    """Elements of different shapes as sparse tensors."""

    def __init__(self, input_dataset: dataset_ops.DatasetV2, batch_size: Any, row_shape: Any):
        types = dataset_ops.get_legacy_output_types(input_dataset)
        if not isinstance(types, dtypes.DType):
            raise TypeError(
                "DenseToSparseDataset requires an input whose elements have a single component, "
                f"whereas the input has {types!r}."
            )
        self._input_dataset = input_dataset
        shape = TensorShape([None]).concatenate(row_shape)
        self._element_spec = SparseTensorSpec(shape, types)
        variant = raw_ops.DenseToSparseBatchDataset(
            input_dataset._variant_tensor,
            batch_size,
            row_shape=convert.partial_shape_to_tensor(row_shape),
            **self._flat_structure,
        )
        super().__init__(input_dataset, variant)

    element_spec = attribute("_element_spec")


@tf_export("data.experimental.dense_to_sparse_batch")
def dense_to_sparse_batch(batch_size: Any, row_shape: Any) -> Transformation:
    """A transformation that makes sparse tensors of elements of different shapes.

    Args:
      batch_size: how many elements make one.
      row_shape: a shape in which each of them fits.

    Returns:
      A function for `Dataset.apply`.
    """
    return lambda dataset: _DenseToSparseBatchDataset(dataset, batch_size, row_shape)


class _MapAndBatchDataset(dataset_types._FunctionDataset):
    """What a function gives for each element, stacked."""

    def __init__(
        self,
        input_dataset: dataset_ops.DatasetV2,
        map_func: Callable[..., Any],
        batch_size: Any,
        num_parallel_calls: Any,
        drop_remainder: Any,
        use_legacy_function: bool = False,
    ):
        self._input_dataset = input_dataset
        self._map_func = StructuredFunctionWrapper(
            map_func,
            "tf.data.experimental.map_and_batch()",
            dataset=input_dataset,
            use_legacy_function=use_legacy_function,
        )
        size = dataset_types._int64(batch_size, "batch_size")
        calls = dataset_types._int64(num_parallel_calls, "num_parallel_calls")
        drop = dataset_types._bool(drop_remainder, "drop_remainder")
        self._element_spec = batch_types.batched_spec(self._map_func.output_structure, size, drop)
        variant = raw_ops.MapAndBatchDataset(
            *self._arguments(),
            f=self._map_func.function,
            batch_size=size,
            num_parallel_calls=calls,
            drop_remainder=drop,
            preserve_cardinality=True,
            **self._flat_structure,
        )
        super().__init__(input_dataset, variant)

    element_spec = attribute("_element_spec")


def _parallel_calls(batch_size: Any, num_parallel_batches: Any, num_parallel_calls: Any) -> Any:
    if num_parallel_batches is None:
        return batch_size if num_parallel_calls is None else num_parallel_calls
    if num_parallel_calls is not None:
        raise ValueError(
            "The `num_parallel_batches` and `num_parallel_calls` arguments are mutually exclusive."
        )
    return batch_size * num_parallel_batches


@tf_export("data.experimental.map_and_batch_with_legacy_function")
@deprecated(None, "Use `tf.data.experimental.map_and_batch()", module=_MODULE + "batching")
def map_and_batch_with_legacy_function(
    map_func: Callable[..., Any],
    batch_size: Any,
    num_parallel_batches: Any = None,
    drop_remainder: Any = False,
    num_parallel_calls: Any = None,
) -> Transformation:
    """As `map_and_batch`, with a function recorded as a `Defun`.

    Args:
      map_func, batch_size, num_parallel_batches, drop_remainder, num_parallel_calls: as in
        `map_and_batch`.

    Returns:
      As `map_and_batch`.
    """
    calls = _parallel_calls(batch_size, num_parallel_batches, num_parallel_calls)
    return lambda dataset: _MapAndBatchDataset(
        dataset, map_func, batch_size, calls, drop_remainder, use_legacy_function=True
    )


@tf_export("data.experimental.map_and_batch")
@deprecated(
    None,
    "Use `tf.data.Dataset.map(map_func, num_parallel_calls)` followed by "
    "`tf.data.Dataset.batch(batch_size, drop_remainder)`. Static tf.data optimizations will take "
    "care of using the fused implementation.",
    module=_MODULE + "batching",
)
def map_and_batch(
    map_func: Callable[..., Any],
    batch_size: Any,
    num_parallel_batches: Any = None,
    drop_remainder: Any = False,
    num_parallel_calls: Any = None,
) -> Transformation:
    """A transformation that calls a function for each element and stacks what it gives.

    Args:
      map_func: the function.
      batch_size: how many elements make a batch.
      num_parallel_batches: how many batches are worked on at a time.
      drop_remainder: whether to leave out a last batch of fewer.
      num_parallel_calls: instead of `num_parallel_batches`, how many elements are.

    Returns:
      A function for `Dataset.apply`.

    Raises:
      ValueError: both are given.
    """
    calls = _parallel_calls(batch_size, num_parallel_batches, num_parallel_calls)
    return lambda dataset: _MapAndBatchDataset(dataset, map_func, batch_size, calls, drop_remainder)


@tf_export("data.experimental.unbatch")
@deprecated(None, "Use `tf.data.Dataset.unbatch()`.", module=_MODULE + "batching")
def unbatch() -> Transformation:
    """A transformation that gives the slices of the elements.

    Returns:
      A function for `Dataset.apply`.
    """
    return lambda dataset: dataset.unbatch()


# Writing.


@tf_export("data.experimental.TFRecordWriter")
class TFRecordWriter:
    """Writes the elements of a dataset to a TFRecord file.

    Args:
      filename: of the file.
      compression_type: "GZIP", "ZLIB", "" or None.
    """

    def __init__(self, filename: Any, compression_type: Any = None):
        self._filename = ops.convert_to_tensor(filename, dtypes.string, name="filename")
        self._compression_type = convert.optional_param_to_tensor(
            "compression_type", compression_type, argument_default="", argument_dtype=dtypes.string
        )

    def write(self, dataset: Any) -> Any:
        """An operation that writes the elements of a dataset, string scalars.

        Raises:
          TypeError: it is no dataset, or one of other elements.
        """
        if not isinstance(dataset, dataset_ops.DatasetV2):
            raise TypeError("`dataset` must be a `tf.data.Dataset` object.")
        found = dataset_ops.get_structure(dataset)
        if not (nest.is_sequence(found) is False and found.is_compatible_with(_STRING)):
            raise TypeError(
                "`dataset` must produce scalar `DT_STRING` tensors whereas it produces shape "
                f"{dataset_ops.get_legacy_output_shapes(dataset)} and types "
                f"{dataset_ops.get_legacy_output_types(dataset)}"
            )
        return raw_ops.DatasetToTFRecord(
            dataset._variant_tensor, self._filename, self._compression_type
        )


_STRING = TensorSpec([], dtypes.string)
