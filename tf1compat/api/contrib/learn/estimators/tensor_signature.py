"""What is known of a model's inputs
(`tensorflow.contrib.learn.python.learn.estimators.tensor_signature`)."""

from __future__ import annotations

import collections
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.io import parsing_ops
from tf1compat.api.math import math_ops
from tf1compat.core import dtypes
from tf1compat.core.sparse_tensor import SparseTensor


class TensorSignature(collections.namedtuple("TensorSignature", ["dtype", "shape", "is_sparse"])):
    """The dtype and static shape of a tensor.

    Args:
      tensor: a tensor or SparseTensor.
    """

    def __new__(cls, tensor: Any):
        if isinstance(tensor, SparseTensor):
            return super().__new__(cls, tensor.values.dtype, None, True)
        return super().__new__(cls, tensor.dtype, tensor.get_shape(), False)

    def is_compatible_with(self, other: Any) -> bool:
        """Whether such a tensor can be one of another signature; batches may differ in size."""
        if self.is_sparse != other.is_sparse or not self.dtype.is_compatible_with(other.dtype):
            return False
        if self.is_sparse or self.shape.dims is None or other.shape.dims is None:
            return True
        return self.shape.ndims == other.shape.ndims and self.shape[1:].is_compatible_with(
            other.shape[1:]
        )

    def get_placeholder(self) -> Any:
        """A placeholder for batches of any size."""
        if self.is_sparse:
            return array_ops.sparse_placeholder(dtype=self.dtype)
        return array_ops.placeholder(dtype=self.dtype, shape=[None, *self.shape[1:]])

    def get_feature_spec(self) -> Any:
        """How a feature of `Example`s is parsed to be such a tensor, of a dtype that they have."""
        wider = {dtypes.int32: dtypes.int64, dtypes.float64: dtypes.float32}
        dtype = wider.get(self.dtype, self.dtype)
        if self.is_sparse:
            return parsing_ops.VarLenFeature(dtype=dtype)
        return parsing_ops.FixedLenFeature(shape=self.shape[1:], dtype=dtype)


def tensors_compatible(tensors: Any, signatures: Any) -> bool:
    """Whether tensors, one or a dict, have signatures."""
    if tensors is None or signatures is None:
        return tensors is signatures
    if not isinstance(tensors, dict) or not isinstance(signatures, dict):
        if isinstance(tensors, dict) or isinstance(signatures, dict):
            return False
        return TensorSignature(tensors).is_compatible_with(signatures)
    return all(
        key in tensors and TensorSignature(tensors[key]).is_compatible_with(signature)
        for key, signature in signatures.items()
    )


def create_signatures(tensors: Any) -> Any:
    """The signatures of tensors, one or a dict."""
    if isinstance(tensors, dict):
        return {key: TensorSignature(tensor) for key, tensor in tensors.items()}
    return None if tensors is None else TensorSignature(tensors)


def create_placeholders_from_signatures(signatures: Any) -> Any:
    """Placeholders of signatures, one or a dict."""
    if isinstance(signatures, dict):
        return {key: signature.get_placeholder() for key, signature in signatures.items()}
    return None if signatures is None else signatures.get_placeholder()


def create_example_parser_from_signatures(
    signatures: Any, examples_batch: Any, single_feature_name: str = "feature"
) -> Any:
    """Parses `Example`s to tensors that have signatures.

    Args:
      signatures: one, or {name: a signature}.
      examples_batch: serialized `Example`s, string [batch].
      single_feature_name: the name of the feature, if there is one signature.

    Returns:
      A tensor, or {name: a tensor}.
    """
    several = signatures if isinstance(signatures, dict) else {single_feature_name: signatures}
    specs = {key: signature.get_feature_spec() for key, signature in several.items()}
    features = parsing_ops.parse_example(examples_batch, specs)
    for key in features:
        if not several[key].dtype.is_compatible_with(features[key].dtype):
            features[key] = math_ops.cast(features[key], several[key].dtype)
    return features if isinstance(signatures, dict) else features[single_feature_name]
