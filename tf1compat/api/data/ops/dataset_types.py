"""The kinds of datasets: each records the operation that makes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import constant_op
from tf1compat.api.data.ops import iterator_ops
from tf1compat.api.data.ops.dataset_ops import (
    AutotuneAlgorithm,
    DatasetV2,
    get_legacy_output_classes,
    get_legacy_output_shapes,
    get_legacy_output_types,
    get_structure,
)
from tf1compat.api.data.ops.dataset_spec import DatasetSpec
from tf1compat.api.data.ops.structured_function import StructuredFunctionWrapper
from tf1compat.api.data.util import nest, random_seed, structure
from tf1compat.core import dtypes, ops, raw_ops, tf2
from tf1compat.core.attribute import attribute
from tf1compat.core.sparse_tensor import SparseTensor, SparseTensorSpec
from tf1compat.core.tensor_shape import Dimension, dimension_value
from tf1compat.core.type_spec import TensorSpec
from tf1compat.core.typing import TensorLike


class DatasetSource(DatasetV2):
    """A dataset that is made of no other one."""

    def _inputs(self) -> list[Any]:
        return []


class UnaryDataset(DatasetV2):
    """A dataset that is made of another one."""

    def __init__(self, input_dataset: DatasetV2, variant_tensor: Any):
        self._input_dataset = input_dataset
        super().__init__(variant_tensor)

    def _inputs(self) -> list[Any]:
        return [self._input_dataset]


class UnaryUnchangedStructureDataset(UnaryDataset):
    """A dataset whose elements are like those of the one that it is made of."""

    element_spec = attribute("_input_dataset.element_spec")


def _int64(value: Any, name: str) -> Any:
    return ops.convert_to_tensor(value, dtype=dtypes.int64, name=name)


def _bool(value: Any, name: str) -> Any:
    return ops.convert_to_tensor(value, dtype=dtypes.bool, name=name)


def _map_specs(function: Callable[[Any], Any], spec: Any) -> Any:
    return nest.map_structure(function, spec)


# Sources.


class TensorDataset(DatasetSource):
    """A dataset of one element."""

    def __init__(self, element: Any):
        element = structure.normalize_element(element)
        self._structure = structure.type_spec_from_value(element)
        self._tensors = structure.to_tensor_list(self._structure, element)
        shapes = structure.get_flat_tensor_shapes(self._structure)
        super().__init__(raw_ops.TensorDataset(self._tensors, output_shapes=shapes))

    element_spec = attribute("_structure")


class TensorSliceDataset(DatasetSource):
    """A dataset of slices of tensors."""

    def __init__(self, element: Any):
        element = structure.normalize_element(element)
        batched_spec = structure.type_spec_from_value(element)
        self._tensors = structure.to_batched_tensor_list(batched_spec, element)
        self._structure = _map_specs(lambda spec: spec._unbatch(), batched_spec)
        sizes = [Dimension(dimension_value(tensor.get_shape()[0])) for tensor in self._tensors]
        first = sizes[0]
        for other in sizes[1:]:
            first.assert_is_compatible_with(other)
        shapes = structure.get_flat_tensor_shapes(self._structure)
        super().__init__(raw_ops.TensorSliceDataset(self._tensors, output_shapes=shapes))

    element_spec = attribute("_structure")


class SparseTensorSliceDataset(DatasetSource):
    """A dataset of the rows of a sparse tensor."""

    def __init__(self, sparse_tensor: Any):
        if not isinstance(sparse_tensor, SparseTensor):
            raise TypeError(
                f"`sparse_tensor` must be a `tf.SparseTensor` object. Was {sparse_tensor}."
            )
        self._sparse_tensor = sparse_tensor
        indices_shape = sparse_tensor.indices.get_shape()
        shape_shape = sparse_tensor.dense_shape.get_shape()
        rank = (indices_shape.dims[1] - 1).merge_with(shape_shape.dims[0] - 1)
        self._structure = (
            TensorSpec([None, rank], dtypes.int64),
            TensorSpec([None], sparse_tensor.dtype),
            TensorSpec([rank], dtypes.int64),
        )
        super().__init__(
            raw_ops.SparseTensorSliceDataset(
                sparse_tensor.indices, sparse_tensor.values, sparse_tensor.dense_shape
            )
        )

    element_spec = attribute("_structure")


class RangeDataset(DatasetSource):
    """A dataset of numbers."""

    def __init__(self, *args: Any):
        if len(args) == 1:
            limits: tuple[Any, ...] = (0, args[0], 1)
        elif len(args) == 2:
            limits = (*args, 1)
        elif len(args) == 3:
            limits = args
        else:
            raise ValueError(f"Invalid arguments to RangeDataset: {args}")
        names = ("start", "stop", "step")
        self._start, self._stop, self._step = map(_int64, limits, names)
        self._structure = TensorSpec([], dtypes.int64)
        super().__init__(
            raw_ops.RangeDataset(self._start, self._stop, self._step, **self._flat_structure)
        )

    element_spec = attribute("_structure")


class _GeneratorDataset(DatasetSource):
    """A dataset of what a function gives when it is called again and again."""

    def __init__(self, init_args: Any, init_func: Any, next_func: Any, finalize_func: Any):
        name = self._transformation_name()
        init_structure = structure.type_spec_from_value(init_args)
        init = StructuredFunctionWrapper(init_func, name, input_structure=init_structure)
        state = init.output_structure
        self._next_func = StructuredFunctionWrapper(next_func, name, input_structure=state)
        final = StructuredFunctionWrapper(finalize_func, name, input_structure=state)
        variant_tensor = raw_ops.GeneratorDataset(
            structure.to_tensor_list(init_structure, init_args) + init.function.captured_inputs,
            self._next_func.function.captured_inputs,
            final.function.captured_inputs,
            init_func=init.function,
            next_func=self._next_func.function,
            finalize_func=final.function,
            **self._flat_structure,
        )
        super().__init__(variant_tensor)

    element_spec = attribute("_next_func.output_structure")

    def _transformation_name(self) -> str:
        return "Dataset.from_generator()"


# Datasets of several.


class ZipDataset(DatasetV2):
    """A dataset of elements of several datasets."""

    def __init__(self, datasets: Any):
        for dataset in nest.flatten(datasets):
            if not isinstance(dataset, DatasetV2):
                text = (
                    "The argument to `Dataset.zip()` must be a nested structure of `Dataset` "
                    "objects."
                )
                if isinstance(dataset, list):
                    text += (
                        " Nested structures do not support Python lists; please use a tuple "
                        "instead."
                    )
                raise TypeError(text)
        self._datasets = datasets
        specs = [dataset.element_spec for dataset in nest.flatten(datasets)]
        self._structure = nest.pack_sequence_as(datasets, specs)
        variants = [dataset._variant_tensor for dataset in nest.flatten(datasets)]
        super().__init__(raw_ops.ZipDataset(variants, **self._flat_structure))

    def _inputs(self) -> list[Any]:
        return nest.flatten(self._datasets)

    element_spec = attribute("_structure")


class ConcatenateDataset(DatasetV2):
    """One dataset after another."""

    def __init__(self, input_dataset: DatasetV2, dataset_to_concatenate: Any):
        self._input_datasets = [input_dataset, dataset_to_concatenate]
        described = []
        for what, describe in (
            ("types", get_legacy_output_types),
            ("classes", get_legacy_output_classes),
        ):
            first, second = map(describe, self._input_datasets)
            if first != second:
                raise TypeError(
                    f"Two datasets to concatenate have different {what} {first} and {second}"
                )
            described.append(first)
        first, second = map(get_legacy_output_shapes, self._input_datasets)
        shapes = nest.pack_sequence_as(
            first,
            [
                a.most_specific_compatible_shape(b)
                for a, b in zip(nest.flatten(first), nest.flatten(second))
            ],
        )
        self._structure = structure.convert_legacy_structure(described[0], shapes, described[1])
        variants = [dataset._variant_tensor for dataset in self._input_datasets]
        super().__init__(raw_ops.ConcatenateDataset(*variants, **self._flat_structure))

    def _inputs(self) -> list[Any]:
        return self._input_datasets

    element_spec = attribute("_structure")


# Datasets of some elements of another.


def _count(count: Any) -> Any:
    if count is None:
        return constant_op.constant(-1, dtype=dtypes.int64, name="count")
    return _int64(count, "count")


class RepeatDataset(UnaryUnchangedStructureDataset):
    """A dataset several times."""

    def __init__(self, input_dataset: DatasetV2, count: Any):
        self._input_dataset = input_dataset
        self._count = _count(count)
        variant = raw_ops.RepeatDataset(
            input_dataset._variant_tensor, self._count, **self._flat_structure
        )
        super().__init__(input_dataset, variant)


def _keeps_between_iterators() -> bool:
    """Whether what a dataset remembers is a resource of its own: under TF 2's behaviour."""
    return tf2.enabled() and (ops.executing_eagerly() or ops.inside_function())


class _Resource:
    """A resource of a dataset; where a function is recorded it goes with this object.

    Args:
      tensors: what stands for it, and what deletes it.
      delete: the operation that does.
    """

    def __init__(self, tensors: Any, delete: Callable[..., Any]):
        self.handle, deleter = tensors
        self._resource_deleter = iterator_ops.resource_deleter(self.handle, delete, deleter)


class CacheDataset(UnaryUnchangedStructureDataset):
    """A dataset that is kept when it was gone through."""

    def __init__(self, input_dataset: DatasetV2, filename: Any):
        self._input_dataset = input_dataset
        self._filename = ops.convert_to_tensor(filename, dtype=dtypes.string, name="filename")
        args = input_dataset._variant_tensor, self._filename
        if _keeps_between_iterators():
            self._cache = _Resource(raw_ops.AnonymousMemoryCache(), raw_ops.DeleteMemoryCache)
            variant = raw_ops.CacheDatasetV2(*args, self._cache.handle, **self._flat_structure)
        else:
            variant = raw_ops.CacheDataset(*args, **self._flat_structure)
        super().__init__(input_dataset, variant)


class ShuffleDataset(UnaryUnchangedStructureDataset):
    """A dataset in random order."""

    def __init__(
        self,
        input_dataset: DatasetV2,
        buffer_size: Any,
        seed: TensorLike | None = None,
        reshuffle_each_iteration: bool | None = None,
    ):
        self._input_dataset = input_dataset
        self._buffer_size = _int64(buffer_size, "buffer_size")
        self._seed, self._seed2 = random_seed.get_seed(seed)
        self._reshuffle_each_iteration = (
            True if reshuffle_each_iteration is None else reshuffle_each_iteration
        )
        args = input_dataset._variant_tensor, self._buffer_size
        if self._reshuffle_each_iteration and _keeps_between_iterators():
            self._seed_generator = _Resource(
                raw_ops.AnonymousRandomSeedGenerator(self._seed, self._seed2),
                raw_ops.DeleteRandomSeedGenerator,
            )
            variant = raw_ops.ShuffleDatasetV2(
                *args, self._seed_generator.handle, **self._flat_structure
            )
        else:
            variant = raw_ops.ShuffleDataset(
                *args,
                seed=self._seed,
                seed2=self._seed2,
                reshuffle_each_iteration=self._reshuffle_each_iteration,
                **self._flat_structure,
            )
        super().__init__(input_dataset, variant)


class TakeDataset(UnaryUnchangedStructureDataset):
    """The first elements of a dataset."""

    def __init__(self, input_dataset: DatasetV2, count: Any):
        self._input_dataset = input_dataset
        self._count = _int64(count, "count")
        variant = raw_ops.TakeDataset(
            input_dataset._variant_tensor, self._count, **self._flat_structure
        )
        super().__init__(input_dataset, variant)


class SkipDataset(UnaryUnchangedStructureDataset):
    """All but the first elements of a dataset."""

    def __init__(self, input_dataset: DatasetV2, count: Any):
        self._input_dataset = input_dataset
        self._count = _int64(count, "count")
        variant = raw_ops.SkipDataset(
            input_dataset._variant_tensor, self._count, **self._flat_structure
        )
        super().__init__(input_dataset, variant)


class ShardDataset(UnaryUnchangedStructureDataset):
    """Every n-th element of a dataset."""

    def __init__(self, input_dataset: DatasetV2, num_shards: Any, index: Any):
        self._input_dataset = input_dataset
        self._num_shards = _int64(num_shards, "num_shards")
        self._index = _int64(index, "index")
        variant = raw_ops.ShardDataset(
            input_dataset._variant_tensor, self._num_shards, self._index, **self._flat_structure
        )
        super().__init__(input_dataset, variant)


class PrefetchDataset(UnaryUnchangedStructureDataset):
    """A dataset whose elements are made ahead of time."""

    def __init__(self, input_dataset: DatasetV2, buffer_size: Any, slack_period: int | None = None):
        self._input_dataset = input_dataset
        self._buffer_size = _int64(-1 if buffer_size is None else buffer_size, "buffer_size")
        variant = raw_ops.PrefetchDataset(
            input_dataset._variant_tensor,
            self._buffer_size,
            slack_period=slack_period,
            **self._flat_structure,
        )
        super().__init__(input_dataset, variant)


# Functions of elements.


class _FunctionDataset(UnaryDataset):
    """A dataset of what a function makes of the elements of another."""

    _map_func: StructuredFunctionWrapper

    def _functions(self) -> list[StructuredFunctionWrapper]:
        return [self._map_func]

    def _arguments(self) -> tuple[Any, Any]:
        return self._input_dataset._variant_tensor, self._map_func.function.captured_inputs


class MapDataset(_FunctionDataset):
    """What a function gives for each element of a dataset."""

    def __init__(
        self,
        input_dataset: DatasetV2,
        map_func: Callable[..., Any],
        use_inter_op_parallelism: bool = True,
        preserve_cardinality: bool = False,
        use_legacy_function: bool = False,
    ):
        self._input_dataset = input_dataset
        self._map_func = StructuredFunctionWrapper(
            map_func,
            "Dataset.map()",
            dataset=input_dataset,
            use_legacy_function=use_legacy_function,
        )
        variant = raw_ops.MapDataset(
            *self._arguments(),
            f=self._map_func.function,
            use_inter_op_parallelism=use_inter_op_parallelism,
            preserve_cardinality=preserve_cardinality,
            **self._flat_structure,
        )
        super().__init__(input_dataset, variant)

    element_spec = attribute("_map_func.output_structure")


class ParallelMapDataset(_FunctionDataset):
    """As `MapDataset`, with several calls at a time."""

    def __init__(
        self,
        input_dataset: DatasetV2,
        map_func: Callable[..., Any],
        num_parallel_calls: Any,
        use_inter_op_parallelism: bool = True,
        preserve_cardinality: bool = False,
        use_legacy_function: bool = False,
    ):
        self._input_dataset = input_dataset
        self._map_func = StructuredFunctionWrapper(
            map_func,
            "Dataset.map()",
            dataset=input_dataset,
            use_legacy_function=use_legacy_function,
        )
        self._num_parallel_calls = ops.convert_to_tensor(
            num_parallel_calls, dtype=dtypes.int32, name="num_parallel_calls"
        )
        variant = raw_ops.ParallelMapDataset(
            *self._arguments(),
            f=self._map_func.function,
            num_parallel_calls=self._num_parallel_calls,
            use_inter_op_parallelism=use_inter_op_parallelism,
            preserve_cardinality=preserve_cardinality,
            **self._flat_structure,
        )
        super().__init__(input_dataset, variant)

    element_spec = attribute("_map_func.output_structure")


def element_spec_of(function: StructuredFunctionWrapper, text: str) -> Any:
    """The structure of the elements of the datasets that a function returns.

    Args:
      function: the function.
      text: what is said if it returns no dataset; "{}" stands for what it returns.

    Raises:
      TypeError: it returns no dataset.
    """
    found = function.output_structure
    if not isinstance(found, DatasetSpec):
        module = _MODULES.get(type(found))
        name = type(found).__name__
        raise TypeError(text.format(f"<class '{module}.{name}'>" if module else type(found)))
    return found._element_spec


# Where TF has the classes that its text names.
_MODULES: dict[type, str] = {
    TensorSpec: "tensorflow.python.framework.tensor_spec",
    SparseTensorSpec: "tensorflow.python.framework.sparse_tensor",
}


_NO_DATASET = "`map_func` must return a `Dataset` object. Got {}"


class FlatMapDataset(_FunctionDataset):
    """The elements of the datasets that a function gives."""

    def __init__(self, input_dataset: DatasetV2, map_func: Callable[..., Any]):
        self._input_dataset = input_dataset
        self._map_func = StructuredFunctionWrapper(
            map_func, "Dataset.flat_map()", dataset=input_dataset
        )
        self._structure = element_spec_of(self._map_func, _NO_DATASET)
        variant = raw_ops.FlatMapDataset(
            *self._arguments(), f=self._map_func.function, **self._flat_structure
        )
        super().__init__(input_dataset, variant)

    element_spec = attribute("_structure")


class InterleaveDataset(_FunctionDataset):
    """The elements of the datasets that a function gives, from several in turn."""

    def __init__(
        self,
        input_dataset: DatasetV2,
        map_func: Callable[..., Any],
        cycle_length: Any,
        block_length: Any,
    ):
        self._record(input_dataset, map_func, cycle_length, block_length)
        variant = raw_ops.InterleaveDataset(
            *self._arguments(),
            self._cycle_length,
            self._block_length,
            f=self._map_func.function,
            **self._flat_structure,
        )
        super().__init__(input_dataset, variant)

    def _record(
        self, input_dataset: Any, map_func: Callable[..., Any], cycle_length: Any, block_length: Any
    ):
        self._input_dataset = input_dataset
        self._map_func = StructuredFunctionWrapper(
            map_func, "Dataset.interleave()", dataset=input_dataset
        )
        self._structure = element_spec_of(self._map_func, _NO_DATASET)
        self._cycle_length = _int64(cycle_length, "cycle_length")
        self._block_length = _int64(block_length, "block_length")

    element_spec = attribute("_structure")


class ParallelInterleaveDataset(InterleaveDataset):
    """As `InterleaveDataset`, with several datasets read at a time."""

    def __init__(
        self,
        input_dataset: DatasetV2,
        map_func: Callable[..., Any],
        cycle_length: Any,
        block_length: Any,
        num_parallel_calls: Any,
    ):
        self._record(input_dataset, map_func, cycle_length, block_length)
        self._num_parallel_calls = _int64(num_parallel_calls, "num_parallel_calls")
        variant = raw_ops.ParallelInterleaveDatasetV2(
            *self._arguments(),
            self._cycle_length,
            self._block_length,
            self._num_parallel_calls,
            f=self._map_func.function,
            **self._flat_structure,
        )
        UnaryDataset.__init__(self, input_dataset, variant)


class FilterDataset(UnaryUnchangedStructureDataset):
    """The elements for which a function gives True."""

    def __init__(
        self,
        input_dataset: DatasetV2,
        predicate: Callable[..., Any],
        use_legacy_function: bool = False,
    ):
        self._input_dataset = input_dataset
        wrapped = StructuredFunctionWrapper(
            predicate,
            "Dataset.filter()",
            dataset=input_dataset,
            use_legacy_function=use_legacy_function,
        )
        if not wrapped.output_structure.is_compatible_with(TensorSpec([], dtypes.bool)):
            raise ValueError(
                "`predicate` return type must be convertible to a scalar boolean tensor. Was "
                f"{wrapped.output_structure}."
            )
        self._predicate = wrapped
        variant = raw_ops.FilterDataset(
            input_dataset._variant_tensor,
            other_arguments=wrapped.function.captured_inputs,
            predicate=wrapped.function,
            **self._flat_structure,
        )
        super().__init__(input_dataset, variant)

    def _functions(self) -> list[StructuredFunctionWrapper]:
        return [self._predicate]


# What options ask for, and other views of a dataset.


class _OptionsDataset(UnaryUnchangedStructureDataset):
    """A dataset with options."""

    def __init__(self, input_dataset: DatasetV2, options: Any):
        own = input_dataset.options()
        self._options = own.merge(options) if own else options
        super().__init__(input_dataset, input_dataset._variant_tensor)

    def options(self) -> Any:
        return self._options


class _ModelDataset(UnaryUnchangedStructureDataset):
    """A dataset whose degrees of parallelism TF finds out."""

    def __init__(self, input_dataset: DatasetV2, algorithm: Any, cpu_budget: int):
        self._input_dataset = input_dataset
        chosen = {} if algorithm == AutotuneAlgorithm.HILL_CLIMB else {"algorithm": algorithm}
        variant = raw_ops.ModelDataset(
            input_dataset._variant_tensor, cpu_budget=cpu_budget, **chosen, **self._flat_structure
        )
        super().__init__(input_dataset, variant)


class _OptimizeDataset(UnaryUnchangedStructureDataset):
    """A dataset whose pipeline TF rewrites."""

    def __init__(
        self, input_dataset: DatasetV2, optimizations: Any, optimization_configs: Any = None
    ):
        self._input_dataset = input_dataset
        self._optimizations = ops.convert_to_tensor(
            optimizations or [], dtype=dtypes.string, name="optimizations"
        )
        variant = raw_ops.OptimizeDataset(
            input_dataset._variant_tensor,
            self._optimizations,
            optimization_configs=optimization_configs or [],
            **self._flat_structure,
        )
        super().__init__(input_dataset, variant)


class _SetStatsAggregatorDataset(UnaryUnchangedStructureDataset):
    """A dataset of which statistics are gathered."""

    def __init__(self, input_dataset: DatasetV2, aggregator: Any, prefix: str, counter_prefix: str):
        self._input_dataset = input_dataset
        variant = raw_ops.SetStatsAggregatorDataset(
            input_dataset._variant_tensor,
            aggregator._resource,
            prefix,
            counter_prefix,
            **self._flat_structure,
        )
        super().__init__(input_dataset, variant)


class _MaxIntraOpParallelismDataset(UnaryUnchangedStructureDataset):
    """A dataset whose operations have so many threads at most."""

    def __init__(self, input_dataset: DatasetV2, max_intra_op_parallelism: Any):
        self._input_dataset = input_dataset
        count = _int64(max_intra_op_parallelism, "max_intra_op_parallelism")
        variant = raw_ops.MaxIntraOpParallelismDataset(
            input_dataset._variant_tensor, count, **self._flat_structure
        )
        super().__init__(input_dataset, variant)


class _PrivateThreadPoolDataset(UnaryUnchangedStructureDataset):
    """A dataset that has threads of its own."""

    def __init__(self, input_dataset: DatasetV2, num_threads: int):
        self._input_dataset = input_dataset
        count = _int64(num_threads, "num_threads")
        variant = raw_ops.PrivateThreadPoolDataset(
            input_dataset._variant_tensor, count, **self._flat_structure
        )
        super().__init__(input_dataset, variant)


class _RestructuredDataset(UnaryDataset):
    """A dataset whose elements are taken to have another structure."""

    def __init__(self, dataset: Any, structure: Any):
        self._structure = structure
        super().__init__(dataset, dataset._variant_tensor)

    element_spec = attribute("_structure")


class _UnbatchDataset(UnaryDataset):
    """The slices of the elements of a dataset."""

    def __init__(self, input_dataset: DatasetV2):
        self._input_dataset = input_dataset
        shapes = input_dataset._flat_shapes
        if any(shape.ndims == 0 for shape in shapes):
            raise ValueError("Cannot unbatch an input with scalar components.")
        known = Dimension(None)
        for shape in shapes:
            try:
                known = known.merge_with(shape[0])
            except ValueError:
                raise ValueError(
                    "Cannot unbatch an input whose components have different batch sizes."
                ) from None
        self._structure = _map_specs(lambda spec: spec._unbatch(), get_structure(input_dataset))
        variant = raw_ops.UnbatchDataset(input_dataset._variant_tensor, **self._flat_structure)
        super().__init__(input_dataset, variant)

    element_spec = attribute("_structure")
