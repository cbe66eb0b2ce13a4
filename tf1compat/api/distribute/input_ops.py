"""Datasets for the workers of a strategy (`tensorflow.python.distribute.input_ops`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.data.experimental.ops import distribute
from tf1compat.api.data.ops.dataset_spec import _VariantDataset
from tf1compat.api.data.util import traverse
from tf1compat.core import ops


def auto_shard_dataset(dataset: Any, num_shards: int, index: int) -> Any:
    """The part of a dataset that a worker reads, unless its options say that it reads all."""
    if not dataset.options().experimental_distribute.auto_shard:
        return dataset
    return distribute._AutoShardDatasetV1(dataset, num_shards, index)


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
