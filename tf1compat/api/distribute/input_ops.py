"""Datasets for the workers of a strategy (`tensorflow.python.distribute.input_ops`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.data.ops import dataset_ops, dataset_types
from tf1compat.api.data.ops.dataset_spec import _VariantDataset
from tf1compat.api.data.util import nest, structure, traverse
from tf1compat.core import ops, raw_ops
from tf1compat.core.tensor_shape import TensorShape


class AutoShardDataset(dataset_types.UnaryUnchangedStructureDataset):
    """The part of a dataset that a worker reads."""

    def __init__(self, input_dataset: Any, num_workers: int, index: int):
        self._input_dataset = input_dataset
        variant = raw_ops.AutoShardDataset(
            input_dataset._variant_tensor, num_workers, index, **self._flat_structure
        )
        super().__init__(input_dataset, variant)


def auto_shard_dataset(dataset: Any, num_shards: int, index: int) -> Any:
    """The part of a dataset that a worker reads, unless its options say that it reads all."""
    if not dataset.options().experimental_distribute.auto_shard:
        return dataset
    return dataset_ops.DatasetV1Adapter(AutoShardDataset(dataset, num_shards, index))


class RebatchDataset(dataset_types.UnaryDataset):
    """Each batch of a dataset in a part for each replica.

    Args:
      input_dataset: the dataset.
      num_replicas: how many replicas there are.

    Raises:
      ValueError: its elements are no batches.
    """

    def __init__(self, input_dataset: Any, num_replicas: int):
        self._input_dataset = input_dataset

        def part(shape: Any) -> TensorShape:
            if shape.ndims is not None and shape.ndims < 1:
                raise ValueError(
                    "Input shape should have at least one dimension. Perhaps your input dataset is "
                    "not batched?"
                )
            size, *rest = shape.as_list()
            if size is not None:
                size = None if size % num_replicas else size // num_replicas
            return TensorShape([size, *rest])

        self._element_spec = structure.convert_legacy_structure(
            dataset_ops.get_legacy_output_types(input_dataset),
            nest.map_structure(part, dataset_ops.get_legacy_output_shapes(input_dataset)),
            dataset_ops.get_legacy_output_classes(input_dataset),
        )
        variant = raw_ops.RebatchDataset(
            input_dataset._variant_tensor, num_replicas, **self._flat_structure
        )
        super().__init__(input_dataset, variant)

    @property
    def element_spec(self) -> Any:
        return self._element_spec


def clone_dataset(dataset: Any) -> Any:
    """A copy of the operations that make a dataset, where operations are placed now."""
    variants = traverse.obtain_all_variant_tensor_ops(dataset)
    copies: dict[Any, Any] = {}

    def copy(op: Any) -> Any:
        for tensor in op.inputs:
            if tensor.op in variants:
                copy(tensor.op)
        inputs = [
            copies[t.op].outputs[0] if t.op in copies else t.op.outputs[t.value_index]
            for t in op.inputs
        ]
        copies[op] = ops.get_default_graph().create_op(
            op.type, inputs, [out.dtype for out in op.outputs], name=op.name,
            attrs=op.node_def.attr, op_def=op.op_def,
        )  # fmt: skip
        return copies[op]

    variant = copy(dataset._variant_tensor.op).outputs[0]
    return _VariantDataset(variant, dataset.element_spec)
