"""What TF 1's feature columns must have: their abstract classes (a part of TF's feature_column)."""

from __future__ import annotations

import abc
import collections
from typing import Any

from tf1compat.core.attribute import attribute
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.typing import Collections


class _FeatureColumn(abc.ABC):
    """Something that is made of features.

    A subclass has a unique `name`, says with `_parse_example_spec` which features it parses, and
    makes its value of others in `_transform_feature`.
    """

    @property
    @abc.abstractmethod
    def name(self) -> str:
        """The column's name."""

    def __lt__(self, other: Any) -> bool:
        return str(self) < str(other)

    def __gt__(self, other: Any) -> bool:
        return str(self) > str(other)

    _var_scope_name: str = attribute("name")

    @abc.abstractmethod
    def _transform_feature(self, inputs: Any) -> Any:
        """The column's value; `inputs.get(key)` gives a feature or another column's value."""

    @property
    @abc.abstractmethod
    def _parse_example_spec(self) -> dict[str, Any]:
        """{key: how to parse that feature}."""

    def _reset_config(self) -> None:
        """Nothing, as in TF 1.15."""
        return


class _DenseColumn(_FeatureColumn):
    """A column that is a dense tensor [batch, *shape]."""

    @property
    @abc.abstractmethod
    def _variable_shape(self) -> TensorShape:
        """The shape without the batch."""

    @abc.abstractmethod
    def _get_dense_tensor(
        self,
        inputs: Any,
        weight_collections: Collections | None = None,
        trainable: bool | None = None,
    ) -> Any:
        """The tensor; variables it has join `weight_collections`."""


class _CategoricalColumn(_FeatureColumn):
    """A column of ids below a known number."""

    IdWeightPair = collections.namedtuple("IdWeightPair", ["id_tensor", "weight_tensor"])

    @property
    @abc.abstractmethod
    def _num_buckets(self) -> int:
        """How many ids there are."""

    @abc.abstractmethod
    def _get_sparse_tensors(
        self,
        inputs: Any,
        weight_collections: Collections | None = None,
        trainable: bool | None = None,
    ) -> Any:
        """An `IdWeightPair`: ids, and weights or None."""


class _SequenceDenseColumn(_FeatureColumn):
    """A column that is a sequence of dense tensors."""

    TensorSequenceLengthPair = collections.namedtuple(
        "TensorSequenceLengthPair", ["dense_tensor", "sequence_length"]
    )

    @abc.abstractmethod
    def _get_sequence_dense_tensor(
        self,
        inputs: Any,
        weight_collections: Collections | None = None,
        trainable: bool | None = None,
    ) -> Any:
        """A `TensorSequenceLengthPair`: [batch, time, *shape] and [batch]."""
