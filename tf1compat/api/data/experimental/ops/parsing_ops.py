"""`tf.data.experimental.parse_example_dataset`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.data.ops import dataset_ops, dataset_types
from tf1compat.api.data.util import structure
from tf1compat.api.io import parsing_ops
from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.sparse_tensor import SparseTensor
from tf1compat.core.type_spec import TensorSpec


class _ParseExampleDataset(dataset_types.UnaryDataset):
    """The features of batches of serialized examples."""

    def __init__(
        self, input_dataset: dataset_ops.DatasetV2, features: Any, num_parallel_calls: Any
    ):
        self._input_dataset = input_dataset
        if not structure.are_compatible(
            input_dataset.element_spec, TensorSpec([None], dtypes.string)
        ):
            raise TypeError("Input dataset should be a dataset of vectors of strings")
        found = parsing_ops._Parameters(
            parsing_ops._with_open_sequences(features), parsing_ops._ALL
        )
        found.check()
        defaults = found.defaults()
        batch = dataset_ops.get_legacy_output_shapes(input_dataset)
        shapes = [batch.concatenate(shape) for shape in found.shapes()]
        keys = found.dense_keys + found.sparse_keys
        self._element_spec = structure.convert_legacy_structure(
            dict(zip(keys, found.dense_types + found.sparse_types)),
            dict(zip(keys, shapes + [batch.concatenate([None])] * len(found.sparse_keys))),
            dict(zip(keys, [ops.Tensor] * len(shapes) + [SparseTensor] * len(found.sparse_keys))),
        )
        variant = raw_ops.ParseExampleDataset(
            input_dataset._variant_tensor,
            num_parallel_calls,
            defaults,
            found.sparse_keys,
            found.dense_keys,
            found.sparse_types,
            found.shapes(),
            **self._flat_structure,
        )
        super().__init__(input_dataset, variant)

    @property
    def element_spec(self) -> Any:
        return self._element_spec


@tf_export("data.experimental.parse_example_dataset")
def parse_example_dataset(features: Any, num_parallel_calls: Any = 1) -> Callable[[Any], Any]:
    """A transformation from vectors of serialized `tf.train.Example`s to dicts of their features.

    Args:
      features: see `tf.parse_example`.
      num_parallel_calls: how many batches are worked on at a time.

    Returns:
      A function for `Dataset.apply`.

    Raises:
      ValueError: `features` is None.
    """
    if features is None:
        raise ValueError(f"Missing: features was {features}.")

    def transform(dataset: Any) -> Any:
        found: Any = _ParseExampleDataset(dataset, features, num_parallel_calls)
        if any(isinstance(f, parsing_ops.SparseFeature) for f in features.values()):
            found = found.map(
                lambda x: parsing_ops._with_sparse_features(features, x),
                num_parallel_calls=num_parallel_calls,
            )
        return found

    return transform
