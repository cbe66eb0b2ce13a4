"""`tf.data.Dataset`: sequences of elements, and what is made of them."""

from __future__ import annotations

import collections
import functools
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.data.ops import iterator_ops
from tf1compat.api.data.ops.dataset_options import AutotuneAlgorithm as AutotuneAlgorithm
from tf1compat.api.data.ops.dataset_options import Options as Options
from tf1compat.api.data.ops.dataset_structure import (
    _legacy_structure,
    get_legacy_output_classes,
    get_legacy_output_shapes,
    get_legacy_output_types,
)
from tf1compat.api.data.ops.dataset_structure import get_structure as get_structure
from tf1compat.api.data.ops.structured_function import (
    StructuredFunctionWrapper as StructuredFunctionWrapper,
)
from tf1compat.api.data.ops.structured_function import only_state, recorded_with_state
from tf1compat.api.data.util import nest, structure, traverse
from tf1compat.api.functions.defun import Defun
from tf1compat.api.math import math_ops
from tf1compat.api.platform import tf_logging
from tf1compat.api.random import random_seed
from tf1compat.api.text import string_ops
from tf1compat.api.util.deprecation import deprecated
from tf1compat.core import dtypes, export, ops, raw_ops
from tf1compat.core.composite_tensor import CompositeTensor
from tf1compat.core.export import export_constant, tf_export
from tf1compat.core.typing import TensorLike

AUTOTUNE = -1
export_constant("data.experimental.AUTOTUNE", AUTOTUNE)


@tf_export("compat.v2.data.Dataset")
class DatasetV2(CompositeTensor):
    """A sequence of elements (as `tf.data.Dataset` in TF 2).

    Args:
      variant_tensor: the tensor that stands for it.
    """

    def __init__(self, variant_tensor: ops.Tensor):
        self._variant_tensor_attr = variant_tensor
        self._graph_attr = ops.get_default_graph()

    @property
    def _variant_tensor(self) -> Any:
        return self._variant_tensor_attr

    @_variant_tensor.setter
    def _variant_tensor(self, _: Any) -> None:
        raise ValueError("The _variant_tensor property is read-only")

    @property
    def _graph(self) -> Any:
        return self._graph_attr

    @_graph.setter
    def _graph(self, _: Any) -> None:
        raise ValueError("The _graph property is read-only")

    def _inputs(self) -> list[Any]:
        """The datasets that it is made of."""
        raise NotImplementedError("Dataset._inputs")

    def _functions(self) -> list[StructuredFunctionWrapper]:
        """The functions that it calls."""
        return []

    @property
    def element_spec(self) -> Any:
        """The structure of `TypeSpec`s of an element."""
        raise NotImplementedError("Dataset.element_spec")

    def _has_captured_ref(self) -> bool:
        """Whether a function takes in what depends on a variable of the old kind."""
        if ops.executing_eagerly():
            return False

        def depends_on_ref(tensor: Any) -> bool:
            return tensor.dtype._is_ref_dtype or any(map(depends_on_ref, tensor.op.inputs))

        captured = (t for fn in self._functions() for t in fn.function.captured_inputs)
        return any(map(depends_on_ref, captured)) or any(
            dataset._has_captured_ref() for dataset in self._inputs()
        )

    def options(self) -> Any:
        """The `tf.data.Options` of this dataset and of those that it is made of."""
        options = Options()
        for dataset in self._inputs():
            inputs = dataset.options()
            if inputs is not None:
                options = options.merge(inputs)
        return options

    def _apply_options(self) -> Any:
        """This dataset with the steps that its options ask for."""
        dataset: Any = self
        options = self.options()
        threading = options.experimental_threading
        if threading is not None:
            if threading.max_intra_op_parallelism is not None:
                dataset = kinds._MaxIntraOpParallelismDataset(
                    dataset, threading.max_intra_op_parallelism
                )
            if threading.private_threadpool_size is not None:
                dataset = kinds._PrivateThreadPoolDataset(
                    dataset, threading.private_threadpool_size
                )
        optimizations = options._static_optimizations()
        if optimizations:
            if self._has_captured_ref():
                warnings.warn(
                    "tf.data static optimizations are not compatible with tf.Variable. The "
                    "following optimizations will be disabled: "
                    f"{', '.join(optimizations)}. To enable optimizations, use resource variables "
                    "instead by calling `tf.enable_resource_variables()` at the start of the "
                    "program.",
                    stacklevel=4,
                )
            else:
                configs = options._static_optimization_configs()
                dataset = kinds._OptimizeDataset(dataset, optimizations, configs)
        autotune, algorithm, cpu_budget = True, AutotuneAlgorithm.HILL_CLIMB, 0
        optimization = options.experimental_optimization
        if optimization is not None:
            autotune = optimization.autotune is not False
            if optimization.autotune_algorithm is not None:
                algorithm = optimization.autotune_algorithm
            if optimization.autotune_cpu_budget is not None:
                cpu_budget = optimization.autotune_cpu_budget
        if autotune:
            dataset = kinds._ModelDataset(dataset, algorithm, cpu_budget)
        stats = options.experimental_stats
        if stats and stats.aggregator:
            dataset = kinds._SetStatsAggregatorDataset(
                dataset, stats.aggregator, stats.prefix, stats.counter_prefix
            )
        return dataset

    def __iter__(self) -> Any:
        if ops.executing_eagerly() or ops.get_default_graph().building_function:
            return iterator_ops.IteratorV2(self)
        raise RuntimeError(
            "__iter__() is only supported inside of tf.function or when eager execution is enabled."
        )

    def __repr__(self) -> str:
        shapes = str(nest.map_structure(str, get_legacy_output_shapes(self))).replace("'", "")
        types = str(nest.map_structure(repr, get_legacy_output_types(self))).replace("'", "")
        return f"<{type(self).__name__} shapes: {shapes}, types: {types}>"

    @property
    def _flat_shapes(self) -> list[Any]:
        return structure.get_flat_tensor_shapes(self.element_spec)

    @property
    def _flat_types(self) -> list[Any]:
        return structure.get_flat_tensor_types(self.element_spec)

    @property
    def _flat_structure(self) -> dict[str, Any]:
        return {"output_shapes": self._flat_shapes, "output_types": self._flat_types}

    @property
    def _type_spec(self) -> Any:
        return dataset_spec.DatasetSpec(self.element_spec)

    # Sources.

    @staticmethod
    def from_tensors(tensors: Any) -> Any:
        """A dataset of one element, `tensors`.

        Args:
          tensors: a structure of tensors, or of what converts to them.
        """
        return kinds.TensorDataset(tensors)

    @staticmethod
    def from_tensor_slices(tensors: Any) -> Any:
        """A dataset of the slices of tensors along their first dimension.

        Args:
          tensors: a structure of tensors of shapes [n, …].

        Raises:
          ValueError: the first dimensions differ.
        """
        return kinds.TensorSliceDataset(tensors)

    @staticmethod
    def from_generator(
        generator: Callable[..., Any],
        output_types: Any,
        output_shapes: Any = None,
        args: Any = None,
    ) -> Any:
        """A dataset of what a Python generator yields.

        Args:
          generator: a function that returns an iterable; called anew for every epoch.
          output_types: the dtypes of the components of its elements.
          output_shapes: their shapes; unknown by default.
          args: tensors, whose values the generator gets.

        Raises:
          TypeError: `generator` is not callable.
        """
        from tf1compat.api.data.ops import from_generator

        return from_generator.make(generator, output_types, output_shapes, args)

    @staticmethod
    def range(*args: Any) -> Any:
        """A dataset of int64 scalars.

        Args:
          *args: `stop`, or `start` and `stop`, or `start`, `stop` and `step`.

        Raises:
          ValueError: there are more or fewer.
        """
        return kinds.RangeDataset(*args)

    @staticmethod
    def zip(datasets: Any) -> Any:
        """A dataset whose elements consist of an element of each of several datasets.

        Args:
          datasets: a structure of datasets; it ends with the shortest of them.

        Raises:
          TypeError: they are no datasets.
        """
        return kinds.ZipDataset(datasets)

    @staticmethod
    def list_files(
        file_pattern: Any, shuffle: bool | None = None, seed: TensorLike | None = None
    ) -> Any:
        """A dataset of the names of files, in random order by default.

        Args:
          file_pattern: a pattern, or several.
          shuffle: whether the order is random.
          seed: the seed of the order.
        """
        with ops.name_scope("list_files"):
            pattern = ops.convert_to_tensor(file_pattern, dtype=dtypes.string, name="file_pattern")
            found = raw_ops.MatchingFiles(pattern)
            condition = math_ops.greater(array_ops.shape(found)[0], 0, name="match_not_empty")
            joined = string_ops.reduce_join(pattern, separator=", ")
            message = math_ops.add("No files matched pattern: ", joined, name="message")
            check = control_flow_ops.Assert(
                condition, [message], summarize=1, name="assert_not_empty"
            )
            with ops.control_dependencies([check]):
                found = array_ops.identity(found)
            dataset = DatasetV1.from_tensor_slices(found)
            if shuffle is None or shuffle:
                count = array_ops.shape(found, out_type=dtypes.int64)[0]
                dataset = dataset.shuffle(math_ops.maximum(count, 1), seed=seed)
            return dataset

    # Transformations.

    def concatenate(self, dataset: Any) -> Any:
        """This dataset, and then `dataset`.

        Raises:
          TypeError: their elements have other classes or dtypes.
        """
        return kinds.ConcatenateDataset(self, dataset)

    def prefetch(self, buffer_size: Any) -> Any:
        """This dataset, up to `buffer_size` elements of which are made ahead of time."""
        return kinds.PrefetchDataset(self, buffer_size)

    def repeat(self, count: Any = None) -> Any:
        """This dataset, `count` times; for ever if that is None or -1."""
        return kinds.RepeatDataset(self, count)

    def enumerate(self, start: Any = 0) -> Any:
        """This dataset with a number, from `start` on, before each element."""
        return DatasetV1.zip((DatasetV1.range(start, np.iinfo(np.int64).max), self))

    def shuffle(
        self,
        buffer_size: Any,
        seed: TensorLike | None = None,
        reshuffle_each_iteration: bool | None = None,
    ) -> Any:
        """This dataset in random order: TF 1.15's very order, if there is a seed.

        Args:
          buffer_size: from among how many elements the next one is drawn.
          seed: the seed.
          reshuffle_each_iteration: whether each epoch has another order (by default it has).
        """
        return kinds.ShuffleDataset(self, buffer_size, seed, reshuffle_each_iteration)

    def cache(self, filename: Any = "") -> Any:
        """This dataset, kept when it was gone through once: in memory, or in files.

        Args:
          filename: what the names of the files begin with; in memory if empty.
        """
        return kinds.CacheDataset(self, filename)

    def take(self, count: Any) -> Any:
        """The first `count` elements; all if it is -1."""
        return kinds.TakeDataset(self, count)

    def skip(self, count: Any) -> Any:
        """All but the first `count` elements; none if it is -1."""
        return kinds.SkipDataset(self, count)

    def shard(self, num_shards: Any, index: Any) -> Any:
        """Every `num_shards`-th element, from number `index` on."""
        return kinds.ShardDataset(self, num_shards, index)

    def batch(self, batch_size: Any, drop_remainder: bool = False) -> Any:
        """Consecutive elements, stacked.

        Args:
          batch_size: how many make one.
          drop_remainder: whether to leave out a last batch of fewer.
        """
        return batch_types.BatchDataset(self, batch_size, drop_remainder)

    def padded_batch(
        self,
        batch_size: Any,
        padded_shapes: Any,
        padding_values: Any = None,
        drop_remainder: bool = False,
    ) -> Any:
        """Consecutive elements, padded to one shape and stacked.

        Args:
          batch_size: how many make one.
          padded_shapes: the shapes that components are padded to; None or -1 stands for the
            largest of the batch.
          padding_values: scalars to pad with; zeros and empty strings by default.
          drop_remainder: whether to leave out a last batch of fewer.
        """
        return batch_types.PaddedBatchDataset(
            self, batch_size, padded_shapes, padding_values, drop_remainder
        )

    def map(self, map_func: Callable[..., Any], num_parallel_calls: Any = None) -> Any:
        """What a function gives for each element.

        Args:
          map_func: takes an element (several arguments, if it is a tuple) and returns another.
          num_parallel_calls: how many elements are worked on at a time.
        """
        return _mapped(self, map_func, num_parallel_calls, preserve_cardinality=True)

    def flat_map(self, map_func: Callable[..., Any]) -> Any:
        """The elements of the datasets that a function gives for each element."""
        return kinds.FlatMapDataset(self, map_func)

    def interleave(
        self,
        map_func: Callable[..., Any],
        cycle_length: Any = AUTOTUNE,
        block_length: Any = 1,
        num_parallel_calls: Any = None,
    ) -> Any:
        """The elements of the datasets that a function gives, taken from several in turn.

        Args:
          map_func: gives a dataset for an element.
          cycle_length: from how many datasets elements are taken in turn.
          block_length: how many are taken from each.
          num_parallel_calls: how many datasets are read at a time.
        """
        if num_parallel_calls is None:
            return kinds.InterleaveDataset(self, map_func, cycle_length, block_length)
        return kinds.ParallelInterleaveDataset(
            self, map_func, cycle_length, block_length, num_parallel_calls
        )

    def filter(self, predicate: Callable[..., Any]) -> Any:
        """The elements for which a function gives True."""
        return kinds.FilterDataset(self, predicate)

    def apply(self, transformation_func: Callable[[Any], Any]) -> Any:
        """What a function makes of this dataset.

        Raises:
          TypeError: it returns no dataset.
        """
        dataset = transformation_func(self)
        if not isinstance(dataset, DatasetV2):
            raise TypeError(f"`transformation_func` must return a Dataset. Got {dataset}.")
        dataset._input_datasets = [self]  # pyright: ignore[reportAttributeAccessIssue]
        return dataset

    def window(
        self, size: Any, shift: Any = None, stride: Any = 1, drop_remainder: bool = False
    ) -> Any:
        """A dataset of datasets of `size` elements each.

        Args:
          size: how many elements a window has.
          shift: by how many elements the next one begins later; `size` by default.
          stride: how far apart the elements of a window are.
          drop_remainder: whether to leave out windows of fewer.
        """
        shift = size if shift is None else shift
        return batch_types.WindowDataset(self, size, shift, stride, drop_remainder)

    def reduce(self, initial_state: Any, reduce_func: Callable[..., Any]) -> Any:
        """The last state that a function gives, which is called with a state and an element.

        Args:
          initial_state: a structure of tensors.
          reduce_func: gives the next state.

        Raises:
          TypeError: the state changes its dtypes or classes.
        """
        with ops.name_scope("initial_state"):
            initial_state = structure.normalize_element(initial_state)
        wrapped, state = recorded_with_state(
            reduce_func,
            "reduce()",
            structure.type_spec_from_value(initial_state),
            self.element_spec,
            only_state,
        )
        function = wrapped.function
        function.add_to_graph(ops.get_default_graph())
        flat = raw_ops.ReduceDataset(
            self._variant_tensor,
            structure.to_tensor_list(state, initial_state),
            function.captured_inputs,
            f=function,
            output_shapes=structure.get_flat_tensor_shapes(state),
            output_types=structure.get_flat_tensor_types(state),
        )
        return structure.from_compatible_tensor_list(state, flat)

    def unbatch(self) -> Any:
        """The slices of the elements along their first dimension."""

        def normalize(*args: Any) -> Any:
            (element,) = args if len(args) == 1 else (args,)
            return structure.to_batched_tensor_list(self.element_spec, element)

        normalized = self.map(normalize)
        return kinds._UnbatchDataset(kinds._RestructuredDataset(normalized, self.element_spec))

    def with_options(self, options: Any) -> Any:
        """This dataset with `tf.data.Options`.

        Raises:
          ValueError: one of them is set to another value already.
        """
        return kinds._OptionsDataset(self, options)


def _mapped(
    dataset: Any,
    map_func: Callable[..., Any],
    num_parallel_calls: Any,
    preserve_cardinality: bool,
    **kwargs: Any,
) -> Any:
    if num_parallel_calls is None:
        return kinds.MapDataset(
            dataset, map_func, preserve_cardinality=preserve_cardinality, **kwargs
        )
    return kinds.ParallelMapDataset(
        dataset, map_func, num_parallel_calls, preserve_cardinality=preserve_cardinality, **kwargs
    )


_ITERATE = (
    "Use `for ... in dataset:` to iterate over a dataset. If using `tf.estimator`, return the "
    "`Dataset` object directly from your input function. As a last resort, you can use "
    "`tf.compat.v1.data.%s(dataset)`."
)


@tf_export("data.Dataset")
class DatasetV1(DatasetV2):
    """A sequence of elements (as `tf.data.Dataset` in TF 1.15); made by its static methods."""

    def __init__(self) -> None:
        try:
            variant_tensor = self._as_variant_tensor()
        except AttributeError as error:
            if "_as_variant_tensor" in str(error):
                raise AttributeError(
                    "Please use _variant_tensor instead of _as_variant_tensor() to obtain the "
                    "variant associated with a dataset"
                ) from None
            raise AttributeError(
                f"{error}: A likely cause of this error is that the super call for this dataset is "
                "not the last line of the __init__ method. The base class causes the "
                "_as_variant_tensor call in its constructor and if that uses attributes defined in "
                "the __init__ method, those attrs need to be defined before the super call."
            ) from error
        super().__init__(variant_tensor)

    def _as_variant_tensor(self) -> Any:
        raise NotImplementedError("Dataset._as_variant_tensor")

    @deprecated(None, _ITERATE % "make_one_shot_iterator")
    def make_one_shot_iterator(self) -> Any:
        """An iterator that needs no initializer, and goes through the dataset once.

        Raises:
          ValueError: the dataset takes in variables, tables or placeholders.
        """
        return self._make_one_shot_iterator()

    def _make_one_shot_iterator(self) -> Any:
        if ops.executing_eagerly():
            return iterator_ops.IteratorV2(self)
        _ensure_same_dataset_graph(self)
        variants = traverse.obtain_all_variant_tensor_ops(self)
        graph_level_seed, op_level_seed = random_seed.get_seed(None)

        @Defun(capture_by_value=True, whitelisted_stateful_ops=variants)
        def _make_dataset() -> Any:
            """Factory function for a dataset."""
            if graph_level_seed is not None:
                assert op_level_seed is not None
                seed = (graph_level_seed + 87654321 * op_level_seed) % (2**63 - 1)
                random_seed.set_random_seed(seed)
            return self._apply_options()._variant_tensor

        try:
            _make_dataset.add_to_graph(ops.get_default_graph())
        except ValueError as error:
            if "Cannot capture a stateful node" in str(error):
                raise ValueError(
                    "Failed to create a one-shot iterator for a dataset. "
                    "`Dataset.make_one_shot_iterator()` does not support datasets that capture "
                    "stateful objects, such as a `Variable` or `LookupTable`. In these cases, use "
                    f"`Dataset.make_initializable_iterator()`. (Original error: {error})"
                ) from None
            raise
        resource = raw_ops.OneShotIterator(dataset_factory=_make_dataset, **self._flat_structure)
        return iterator_ops.Iterator(resource, None, *_legacy_structure(self))

    @deprecated(None, _ITERATE % "make_initializable_iterator")
    def make_initializable_iterator(self, shared_name: str | None = None) -> Any:
        """An iterator whose `initializer` has to run before it is used.

        Args:
          shared_name: the name under which sessions share it.

        Raises:
          RuntimeError: in eager execution.
        """
        return self._make_initializable_iterator(shared_name)

    def _make_initializable_iterator(self, shared_name: str | None = None) -> Any:
        if ops.executing_eagerly():
            raise RuntimeError(
                "dataset.make_initializable_iterator is not supported when eager execution is "
                "enabled."
            )
        _ensure_same_dataset_graph(self)
        dataset = self._apply_options()
        resource = raw_ops.IteratorV2(
            container="", shared_name=shared_name or "", **self._flat_structure
        )
        with ops.colocate_with(resource):
            initializer = raw_ops.MakeIterator(dataset._variant_tensor, resource)
        return iterator_ops.Iterator(resource, initializer, *_legacy_structure(dataset))

    @property
    @deprecated(None, "Use `tf.compat.v1.data.get_output_classes(dataset)`.")
    def output_classes(self) -> Any:
        """The classes of an element's components."""
        return get_legacy_output_classes(self)

    @property
    @deprecated(None, "Use `tf.compat.v1.data.get_output_shapes(dataset)`.")
    def output_shapes(self) -> Any:
        """The shapes of an element's components."""
        return get_legacy_output_shapes(self)

    @property
    @deprecated(None, "Use `tf.compat.v1.data.get_output_types(dataset)`.")
    def output_types(self) -> Any:
        """The dtypes of an element's components."""
        return get_legacy_output_types(self)

    @property
    def element_spec(self) -> Any:
        """The structure of `TypeSpec`s of an element."""
        # A user's subclass may define the three properties of old only.
        return structure.convert_legacy_structure(
            self.output_types, self.output_shapes, self.output_classes
        )

    @staticmethod
    @deprecated(None, "Use `tf.data.Dataset.from_tensor_slices()`.")
    def from_sparse_tensor_slices(sparse_tensor: Any) -> Any:
        """A dataset of (indices, values, dense shape) of the rows of a sparse tensor.

        Raises:
          TypeError: it is none.
        """
        return DatasetV1Adapter(kinds.SparseTensorSliceDataset(sparse_tensor))

    @functools.wraps(DatasetV2.map)
    def map(self, map_func: Callable[..., Any], num_parallel_calls: Any = None) -> Any:
        return DatasetV1Adapter(
            _mapped(self, map_func, num_parallel_calls, preserve_cardinality=False)
        )

    @deprecated(None, "Use `tf.data.Dataset.map()")
    def map_with_legacy_function(
        self, map_func: Callable[..., Any], num_parallel_calls: Any = None
    ) -> Any:
        """As `map`, with a function recorded as a `Defun`."""
        return DatasetV1Adapter(
            _mapped(
                self,
                map_func,
                num_parallel_calls,
                preserve_cardinality=False,
                use_legacy_function=True,
            )
        )

    @deprecated(None, "Use `tf.data.Dataset.filter()")
    def filter_with_legacy_function(self, predicate: Callable[..., Any]) -> Any:
        """As `filter`, with a function recorded as a `Defun`."""
        return kinds.FilterDataset(self, predicate, use_legacy_function=True)


Dataset = DatasetV1


def _adapted(method: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(method)
    def call(*args: Any, **kwargs: Any) -> Any:
        return DatasetV1Adapter(method(*args, **kwargs))

    return call


for _name in ("from_tensors", "from_tensor_slices", "from_generator", "range", "zip", "list_files"):
    setattr(DatasetV1, _name, staticmethod(_adapted(getattr(DatasetV2, _name))))
for _name in (
    "concatenate prefetch repeat shuffle cache take skip shard batch padded_batch flat_map "
    "interleave filter apply window with_options"
).split():
    setattr(DatasetV1, _name, _adapted(getattr(DatasetV2, _name)))


@export.internal_class("tensorflow.python.data.ops.dataset_ops")
class DatasetV1Adapter(DatasetV1):
    """A dataset of TF 2's kind as one of TF 1's."""

    def __init__(self, dataset: Any):
        self._dataset = dataset
        super().__init__()

    def _as_variant_tensor(self) -> Any:
        return self._dataset._variant_tensor

    def _has_captured_ref(self) -> bool:
        return self._dataset._has_captured_ref()

    def _inputs(self) -> list[Any]:
        return self._dataset._inputs()

    def _functions(self) -> list[Any]:
        return self._dataset._functions()

    def options(self) -> Any:
        """The `tf.data.Options` of the dataset."""
        return self._dataset.options()

    @property
    def element_spec(self) -> Any:
        """The structure of `TypeSpec`s of an element."""
        return self._dataset.element_spec

    def __iter__(self) -> Any:
        return iter(self._dataset)


def _ensure_same_dataset_graph(dataset: Any) -> None:
    """Warns of datasets of other graphs than the default one."""
    current = ops.get_default_graph()
    queue, visited = collections.deque([dataset]), []
    while queue:
        found = queue.popleft()
        visited.append(found)
        if found._graph is not current:
            tf_logging.warning(
                f"The graph ({current}) of the iterator is different from the graph "
                f"({found._graph}) the dataset: {found._variant_tensor} was created in. If you are "
                "using the Estimator API, make sure that no part of the dataset returned by the "
                "`input_fn` function is defined outside the `input_fn` function. Please ensure "
                "that all datasets in the pipeline are created in the same graph as the iterator. "
                "NOTE: This warning will become an error in future versions of TensorFlow."
            )
        queue.extend(d for d in found._inputs() if not any(d is v for v in visited))


@tf_export("data.make_one_shot_iterator")
def make_one_shot_iterator(dataset: Any) -> Any:
    """`dataset.make_one_shot_iterator()`.

    Args:
      dataset: a `Dataset`.

    Returns:
      An `Iterator`.
    """
    return _v1(dataset)._make_one_shot_iterator()


@tf_export("data.make_initializable_iterator")
def make_initializable_iterator(dataset: Any, shared_name: str | None = None) -> Any:
    """`dataset.make_initializable_iterator()`.

    Args:
      dataset: a `Dataset`.
      shared_name: the name under which sessions of a server share it.

    Returns:
      An `Iterator`.
    """
    return _v1(dataset)._make_initializable_iterator(shared_name)


def _v1(dataset: Any) -> Any:
    return dataset if hasattr(dataset, "_make_one_shot_iterator") else DatasetV1Adapter(dataset)


# The kinds of datasets derive from the classes above, whose methods make them.
from tf1compat.api.data.ops import dataset_types as kinds  # noqa: E402, I001
from tf1compat.api.data.ops import batch_types, dataset_spec  # noqa: E402
