"""`tf.data`: parts of datasets for workers and replicas (`experimental.ops.distribute`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.data.ops import dataset_ops, dataset_types
from tf1compat.api.data.util import nest, structure
from tf1compat.core import raw_ops
from tf1compat.core.tensor_shape import TensorShape


class _AutoShardDataset(dataset_types.UnaryUnchangedStructureDataset):
    """The part of a dataset that a worker reads."""

    def __init__(self, input_dataset: dataset_ops.DatasetV2, num_workers: int, index: int):
        self._input_dataset = input_dataset
        variant = raw_ops.AutoShardDataset(
            input_dataset._variant_tensor, num_workers, index, **self._flat_structure
        )
        super().__init__(input_dataset, variant)


def _AutoShardDatasetV1(input_dataset: Any, num_workers: int, index: int) -> Any:
    """The part of a dataset that a worker reads."""
    return dataset_ops.DatasetV1Adapter(_AutoShardDataset(input_dataset, num_workers, index))


class _RebatchDataset(dataset_types.UnaryDataset):
    """Each batch of a dataset in a part for each replica.

    Args:
      input_dataset: the dataset.
      num_replicas: how many replicas there are.
      use_fallback: of no consequence, as in TF 1.15.

    Raises:
      ValueError: its elements are no batches.
    """

    def __init__(
        self, input_dataset: dataset_ops.DatasetV2, num_replicas: int, use_fallback: bool = True
    ):
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
