"""`tf.data.experimental`: datasets for a device, statistics, and iterators in checkpoints."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import constant_op
from tf1compat.api.data.ops import dataset_ops, dataset_types, iterator_ops
from tf1compat.api.data.ops.dataset_options import Options
from tf1compat.api.data.ops.multi_device_iterator_ops import remote_function
from tf1compat.api.data.ops.structured_function import StructuredFunctionWrapper
from tf1compat.api.data.util import structure
from tf1compat.api.util.deprecation import deprecated
from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.device import DeviceSpec
from tf1compat.core.export import tf_export

_STATS = "tensorflow.python.data.experimental.ops.stats_ops"


class _CopyToDeviceDataset(dataset_types.UnaryUnchangedStructureDataset):
    """The elements of a dataset that another device reads.

    Args:
      input_dataset: the dataset.
      target_device: who asks for the elements.
      source_device: who reads them.
    """

    def __init__(
        self, input_dataset: dataset_ops.DatasetV2, target_device: Any, source_device: Any
    ):
        self._input_dataset = input_dataset
        self._on_gpu = DeviceSpec.from_string(target_device).device_type == "GPU"
        flat, source = input_dataset._flat_structure, ops.convert_to_tensor(source_device)
        wrapped = raw_ops.WrapDatasetVariant(input_dataset._variant_tensor)

        def _init_func() -> Any:
            variant = raw_ops.UnwrapDatasetVariant(wrapped)
            resource = raw_ops.AnonymousIterator(**flat)
            with ops.control_dependencies([raw_ops.MakeIterator(variant, resource)]):
                return raw_ops.IteratorToStringHandle(resource)

        def _next_func(string_handle: Any) -> Any:
            with ops.device(source_device):
                iterator = iterator_ops.Iterator.from_string_handle(
                    string_handle,
                    dataset_ops.get_legacy_output_types(self),
                    dataset_ops.get_legacy_output_shapes(self),
                    dataset_ops.get_legacy_output_classes(self),
                )
            return structure.to_tensor_list(self.element_spec, iterator.get_next())

        def _finalize_func(string_handle: Any) -> Any:
            resource = raw_ops.IteratorFromStringHandleV2(string_handle, **flat)
            gone = raw_ops.DestroyResourceOp(resource, ignore_lookup_error=True)
            with ops.control_dependencies([gone]):
                return constant_op.constant(0, dtypes.int64)

        init = remote_function(_init_func, source, [dtypes.string], takes_handle=False)
        following = remote_function(
            _next_func, source, flat["output_types"],
            attributes={"experimental_ints_on_device": True},
        )  # fmt: skip
        final = remote_function(_finalize_func, source, [dtypes.int64])
        with ops.device(target_device):
            variant = raw_ops.GeneratorDataset(
                init.captured_inputs, following.captured_inputs, final.captured_inputs,
                init_func=init, next_func=following, finalize_func=final, **flat,
            )  # fmt: skip
        super().__init__(input_dataset, variant)

    def make_one_shot_iterator(self) -> Any:
        """As that of other datasets.

        Raises:
          ValueError: the elements are for a GPU.
        """
        if self._on_gpu:
            raise ValueError(
                "Cannot create a one shot iterator when using "
                "`tf.data.experimental.copy_to_device()` on GPU. Please use "
                "`Dataset.make_initializable_iterator()` instead."
            )
        return dataset_ops.make_one_shot_iterator(self)


@tf_export("data.experimental.prefetch_to_device")
def prefetch_to_device(device: Any, buffer_size: Any = None) -> Callable[[Any], Any]:
    """A transformation that gives a device the elements of a dataset, made ahead of time.

    Args:
      device: the name of the device.
      buffer_size: how many elements are made ahead; by default TF decides.

    Returns:
      A function for `Dataset.apply`.
    """
    return lambda dataset: dataset.apply(copy_to_device(device)).prefetch(buffer_size)


@tf_export("data.experimental.copy_to_device")
def copy_to_device(target_device: Any, source_device: Any = "/cpu:0") -> Callable[[Any], Any]:
    """A transformation that gives a device the elements of a dataset that another one reads.

    Args:
      target_device, source_device: the names of the two devices.

    Returns:
      A function for `Dataset.apply`.
    """

    def _apply_fn(dataset: Any) -> Any:
        options = Options()
        options.experimental_optimization.apply_default_optimizations = False
        options.experimental_optimization.autotune = False
        copied = _CopyToDeviceDataset(dataset, target_device, source_device)
        return copied.with_options(options)

    return _apply_fn


class _MapOnGpuDataset(dataset_types._FunctionDataset):
    """What a function gives for each element, on a GPU."""

    def __init__(
        self,
        input_dataset: dataset_ops.DatasetV2,
        map_func: Any,
        use_inter_op_parallelism: bool = True,
    ):
        self._input_dataset = input_dataset
        self._use_inter_op_parallelism = use_inter_op_parallelism
        self._map_func = StructuredFunctionWrapper(
            map_func,
            self._transformation_name(),
            dataset=input_dataset,
            defun_kwargs={"experimental_ints_on_device": True},
        )
        variant = raw_ops.ExperimentalMapDataset(
            *self._arguments(),
            f=self._map_func.function,
            use_inter_op_parallelism=use_inter_op_parallelism,
            **self._flat_structure,
        )
        super().__init__(input_dataset, variant)

    @property
    def element_spec(self) -> Any:
        return self._map_func.output_structure

    def _transformation_name(self) -> str:
        return "map_on_gpu()"


def map_on_gpu(map_func: Callable[..., Any]) -> Callable[[Any], Any]:
    """A transformation that calls a function for each element, on a GPU (as in TF 1.15)."""
    return lambda dataset: _MapOnGpuDataset(dataset, map_func)


@deprecated(None, "Use `tf.data.experimental.StatsOptions`.", module=_STATS)
def set_stats_aggregator(
    stats_aggregator: Any, prefix: Any = "", counter_prefix: Any = ""
) -> Callable[[Any], Any]:
    """A transformation whose statistics an aggregator gathers (as in TF 1.15).

    Args:
      stats_aggregator: a `tf.data.experimental.StatsAggregator`.
      prefix, counter_prefix: what tags begin with.
    """
    return lambda dataset: dataset_types._SetStatsAggregatorDataset(
        dataset, stats_aggregator, prefix, counter_prefix
    )


class _StatsDataset(dataset_types.UnaryUnchangedStructureDataset):
    """A dataset of which statistics are gathered."""

    def __init__(self, input_dataset: dataset_ops.DatasetV2, op_function: Any, tag: Any):
        self._input_dataset = input_dataset
        tag = ops.convert_to_tensor(tag, dtype=dtypes.string)
        variant = op_function(input_dataset._variant_tensor, tag, **self._flat_structure)
        super().__init__(input_dataset, variant)


@tf_export("data.experimental.bytes_produced_stats")
def bytes_produced_stats(tag: Any) -> Callable[[Any], Any]:
    """A transformation that counts bytes: recorded.

    Args:
      tag: the name under which they are aggregated.

    Returns:
      A function for `Dataset.apply`.
    """
    return lambda dataset: _StatsDataset(dataset, raw_ops.BytesProducedStatsDataset, tag)


@tf_export("data.experimental.latency_stats")
def latency_stats(tag: Any) -> Callable[[Any], Any]:
    """A transformation that measures times: recorded.

    Args:
      tag: the name under which they are aggregated.

    Returns:
      A function for `Dataset.apply`.
    """
    return lambda dataset: _StatsDataset(dataset, raw_ops.LatencyStatsDataset, tag)
