"""`tensorflow.python.ops.parsing_ops`: bytes and text as tensors."""

from __future__ import annotations

import collections
import re
from typing import Any

from tf1compat.api.array import array_ops, constant_op, slicing
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import math_ops
from tf1compat.api.platform import tf_logging
from tf1compat.api.util.deprecation import deprecated_args, renamed
from tf1compat.api.util.dispatch import add_dispatch_support
from tf1compat.core import dtypes, export, ops, raw_ops, tensor_shape
from tf1compat.core.export import tf_export
from tf1compat.core.sparse_tensor import SparseTensor
from tf1compat.core.typing import DTypeLike, ShapeLike, TensorLike

# What a feature of an example is like.


@tf_export("io.VarLenFeature", "VarLenFeature")
class VarLenFeature(collections.namedtuple("VarLenFeature", ["dtype"])):
    """A feature with any number of values: a SparseTensor of `dtype`."""


@tf_export("io.SparseFeature", "SparseFeature")
class SparseFeature(
    collections.namedtuple(
        "SparseFeature", ["index_key", "value_key", "dtype", "size", "already_sorted"]
    )
):
    """A SparseTensor whose indices and values are two features of an example.

    Attributes:
      index_key: the feature of indices, or one for each dimension.
      value_key: the feature of values.
      dtype: of the values.
      size: of the dimension, or of each.
      already_sorted: whether the values are in the order of their indices.
    """

    def __new__(
        cls, index_key: Any, value_key: Any, dtype: Any, size: Any, already_sorted: bool = False
    ) -> SparseFeature:
        return super().__new__(cls, index_key, value_key, dtype, size, already_sorted)


@tf_export("io.FixedLenFeature", "FixedLenFeature")
class FixedLenFeature(
    collections.namedtuple("FixedLenFeature", ["shape", "dtype", "default_value"])
):
    """A feature of a known shape: a tensor.

    Attributes:
      shape: the shape.
      dtype: the dtype.
      default_value: what an example has that lacks the feature; None if it must not.
    """

    def __new__(cls, shape: ShapeLike, dtype: Any, default_value: Any = None) -> FixedLenFeature:
        return super().__new__(cls, shape, dtype, default_value)


@tf_export("io.FixedLenSequenceFeature", "FixedLenSequenceFeature")
class FixedLenSequenceFeature(
    collections.namedtuple(
        "FixedLenSequenceFeature", ["shape", "dtype", "allow_missing", "default_value"]
    )
):
    """A feature with any number of elements of a known shape: a tensor, padded at its end.

    Attributes:
      shape: of one element.
      dtype: the dtype.
      allow_missing: whether examples may lack it.
      default_value: what it is padded with; None for zeros or empty strings.
    """

    def __new__(
        cls, shape: ShapeLike, dtype: Any, allow_missing: bool = False, default_value: Any = None
    ) -> FixedLenSequenceFeature:
        return super().__new__(cls, shape, dtype, allow_missing, default_value)


class _Parameters:
    """Features as the parsing operations take them."""

    def __init__(self, features: Any, allowed: tuple[type, ...]):
        self.sparse_keys: list[str] = []
        self.sparse_types: list[Any] = []
        self.dense_keys: list[str] = []
        self.dense_types: list[Any] = []
        self.dense_shapes: list[Any] = []
        self.dense_defaults: dict[str, Any] = {}
        for key in sorted(features or ()):
            self._add(key, features[key], allowed)

    def _add(self, key: str, feature: Any, allowed: tuple[type, ...]) -> None:
        kind = next((k for k in _ADDERS if isinstance(feature, k)), None)
        if kind is None:
            raise ValueError(f"Invalid feature {key}:{feature}.")
        if kind not in allowed:
            raise ValueError(f"Unsupported {kind.__name__} {feature}.")
        _ADDERS[kind](self, key, feature)

    def _add_var_len(self, key: str, feature: VarLenFeature) -> None:
        _check_dtype(key, feature)
        self.sparse_keys.append(key)
        self.sparse_types.append(feature.dtype)

    def _add_sparse(self, key: str, feature: SparseFeature) -> None:
        for part in ("index_key", "value_key"):
            if not getattr(feature, part):
                raise ValueError(f"Missing {part} for SparseFeature {feature}.")
        _check_dtype(key, feature)
        index_keys = feature.index_key
        if isinstance(index_keys, str):
            index_keys = [index_keys]
        elif len(index_keys) > 1:
            tf_logging.warning(
                "SparseFeature is a complicated feature config and should only be used after "
                "careful consideration of VarLenFeature."
            )
        for index_key in sorted(index_keys):
            self._add_part(index_key, dtypes.int64, "int64")
        self._add_part(feature.value_key, feature.dtype, feature.dtype)

    def _add_part(self, key: str, dtype: DTypeLike, shown: Any) -> None:
        if key not in self.sparse_keys:
            self.sparse_keys.append(key)
            self.sparse_types.append(dtype)
            return
        found = self.sparse_types[self.sparse_keys.index(key)]
        if found != dtype:
            raise ValueError(f"Conflicting type {found} vs {shown} for feature {key}.")

    def _add_dense(self, key: str, feature: Any) -> None:
        self.dense_keys.append(key)
        self.dense_shapes.append(feature.shape)
        self.dense_types.append(feature.dtype)
        if feature.default_value is not None:
            self.dense_defaults[key] = feature.default_value

    def _add_fixed_len(self, key: str, feature: FixedLenFeature) -> None:
        _check_dtype(key, feature)
        _check_has_shape(key, feature)
        shape = tensor_shape.as_shape(feature.shape)
        if feature.shape and shape.ndims and shape.as_list()[0] is None:
            raise ValueError(
                f"First dimension of shape for feature {key} unknown. "
                "Consider using FixedLenSequenceFeature."
            )
        if not shape.is_fully_defined():
            raise ValueError(
                f"All dimensions of shape for feature {key} need to be known but received "
                f"{feature.shape}."
            )
        self._add_dense(key, feature)

    def _add_fixed_len_sequence(self, key: str, feature: FixedLenSequenceFeature) -> None:
        _check_dtype(key, feature)
        _check_has_shape(key, feature)
        if feature.allow_missing:
            self.dense_defaults[key] = None
        self._add_dense(key, feature)

    def check(self, what: str = "", extra: str = "") -> None:
        """Fails where a key is both dense and sparse, and where there is none."""
        if not self.dense_keys and not self.sparse_keys:
            raise ValueError("Must provide at least one sparse key or dense key")
        if not set(self.dense_keys).isdisjoint(self.sparse_keys):
            both = set(self.dense_keys).intersection(self.sparse_keys)
            raise ValueError(f"Dense and sparse keys must not intersect; intersection: {both}")

    def defaults(self) -> list[Any]:
        """Records the default values of dense features."""
        return [
            self._default(key, dtype, tensor_shape.as_shape(shape))
            for key, dtype, shape in zip(self.dense_keys, self.dense_types, self.dense_shapes)
        ]

    def _default(self, key: str, dtype: Any, shape: Any) -> Any:
        value = self.dense_defaults.get(key)
        if shape.ndims is not None and shape.ndims > 0 and shape.dims[0].value is None:
            if value is None:
                return ops.convert_to_tensor("" if dtype == dtypes.string else 0, dtype=dtype)
            value = ops.convert_to_tensor(value, dtype=dtype, name=f"padding_{_plain(key)}")
            return array_ops.reshape(value, [])
        if value is None:
            return constant_op.constant([], dtype=dtype)
        if isinstance(value, ops.Tensor):
            return value
        value = ops.convert_to_tensor(value, dtype=dtype, name=f"key_{_plain(key)}")
        return array_ops.reshape(value, shape)

    def shapes(self) -> list[Any]:
        """The shapes of dense features."""
        return [tensor_shape.as_shape(shape) for shape in self.dense_shapes]


_ADDERS: dict[type, Any] = {
    VarLenFeature: _Parameters._add_var_len,
    SparseFeature: _Parameters._add_sparse,
    FixedLenFeature: _Parameters._add_fixed_len,
    FixedLenSequenceFeature: _Parameters._add_fixed_len_sequence,
}
_ALL = tuple(_ADDERS)


def _check_dtype(key: str, feature: Any) -> None:
    if not feature.dtype:
        raise ValueError(f"Missing type for feature {key}.")


def _check_has_shape(key: str, feature: Any) -> None:
    if feature.shape is None:
        raise ValueError(f"Missing shape for feature {key}.")


def _plain(key: str) -> str:
    """A key as a part of a name."""
    return re.sub(r"[^A-Za-z0-9_.\-/]", "_", key)


def _with_open_sequences(features: Any) -> Any:
    """Features where sequences have a first dimension of unknown size."""
    if not features:
        return features
    found = dict(features)
    for key, feature in features.items():
        if isinstance(feature, FixedLenSequenceFeature):
            if not feature.allow_missing:
                raise ValueError(
                    "Unsupported: FixedLenSequenceFeature requires allow_missing to be True."
                )
            shape = [None, *feature.shape]
            found[key] = FixedLenSequenceFeature(
                shape, feature.dtype, feature.allow_missing, feature.default_value
            )
    return found


def _with_sparse_features(features: Any, parsed: dict[str, Any]) -> dict[str, Any]:
    """The features, each SparseFeature put together."""
    parsed = dict(parsed)
    for key in sorted(features):
        feature = features[key]
        if isinstance(feature, SparseFeature):
            sparse_merge = export.find("sparse.merge") if export.has("sparse.merge") else None
            if sparse_merge is None:
                raise NotImplementedError("tf.SparseFeature is not supported by tf1compat yet")
            keys = feature.index_key
            ids = parsed[keys] if isinstance(keys, str) else [parsed[k] for k in keys]
            parsed[key] = sparse_merge(
                ids,
                parsed[feature.value_key],
                vocab_size=feature.size,
                already_sorted=feature.already_sorted,
            )
    for key in set(parsed) - set(features):
        del parsed[key]
    return parsed


def _sparse_tensors(indices: Any, values: Any, shapes: Any) -> list[SparseTensor]:
    return [SparseTensor(*parts) for parts in zip(indices, values, shapes, strict=True)]


@tf_export("io.parse_example", "parse_example")
def parse_example(
    serialized: Any, features: Any, name: str | None = None, example_names: Any = None
) -> dict[str, Any]:
    """The features of serialized `tf.train.Example`s (as `tf.parse_example` in TF 1.15).

    Args:
      serialized: a vector of strings.
      features: a dict from keys to `FixedLenFeature`, `VarLenFeature`, `SparseFeature` or
        `FixedLenSequenceFeature`.
      name: a name scope.
      example_names: a vector of strings: what errors call the examples.

    Returns:
      A dict from keys to tensors and SparseTensors.

    Raises:
      ValueError: a feature makes no sense.
    """
    if not features:
        raise ValueError(f"Missing: features was {features}.")
    features = _with_open_sequences(features)
    parameters = _Parameters(features, _ALL)
    return _with_sparse_features(
        features, _parse_example(serialized, example_names, parameters, name)
    )


def _parse_example(
    serialized: Any, names: Any, parameters: _Parameters, name: str | None
) -> dict[str, Any]:
    with ops.name_scope(name, "ParseExample", [serialized, names]):
        parameters.check()
        found = raw_ops.ParseExample(
            serialized=serialized,
            names=[] if names is None else names,
            dense_defaults=parameters.defaults(),
            sparse_keys=parameters.sparse_keys,
            sparse_types=parameters.sparse_types,
            dense_keys=parameters.dense_keys,
            dense_shapes=parameters.shapes(),
            name=name,
        )
        tensors = [*_sparse_tensors(*found[:3]), *found[3]]
        return dict(zip(parameters.sparse_keys + parameters.dense_keys, tensors, strict=True))


@tf_export("io.parse_single_example", "parse_single_example")
def parse_single_example(
    serialized: Any, features: Any, name: str | None = None, example_names: Any = None
) -> dict[str, Any]:
    """The features of one serialized `tf.train.Example` (as `tf.parse_single_example`).

    Args:
      serialized: a scalar string tensor.
      features: a dict from keys to `FixedLenFeature`, `VarLenFeature`, `SparseFeature` or
        `FixedLenSequenceFeature`.
      name: a name scope.
      example_names: a scalar string tensor: what errors call the example.

    Returns:
      A dict from keys to tensors and SparseTensors.

    Raises:
      ValueError: a feature makes no sense.
    """
    if not features:
        raise ValueError("Missing features.")
    features = _with_open_sequences(features)
    parameters = _Parameters(features, _ALL)
    if example_names is None:
        parsed = _parse_single_example(serialized, parameters, name)
    else:
        parsed = _parse_example_of_one(serialized, example_names, parameters, name)
    return _with_sparse_features(features, parsed)


def parse_single_example_v2(serialized: Any, features: Any, name: str | None = None) -> Any:
    """As `parse_single_example`.

    Args:
      serialized, features, name: as there.

    Raises:
      ValueError: as there.
    """
    if not features:
        raise ValueError(f"Missing: features was {features}.")
    return parse_single_example(serialized, features, name)


def _parse_single_example(
    serialized: Any, parameters: _Parameters, name: str | None
) -> dict[str, Any]:
    with ops.name_scope(name, "ParseSingleExample", [serialized]):
        serialized = ops.convert_to_tensor(serialized, name="serialized")
        parameters.check()
        found = raw_ops.ParseSingleExample(
            serialized=serialized,
            dense_defaults=parameters.defaults(),
            num_sparse=len(parameters.sparse_keys),
            sparse_keys=parameters.sparse_keys,
            sparse_types=parameters.sparse_types,
            dense_keys=parameters.dense_keys,
            dense_shapes=parameters.shapes(),
            name=name,
        )
        tensors = [*_sparse_tensors(*found[:3]), *found[3]]
        return dict(zip(parameters.sparse_keys + parameters.dense_keys, tensors, strict=True))


def _as_scalar(tensor: Any, what: str, title: str) -> Any:
    """The tensor, with a check where its rank is unknown."""
    if tensor.get_shape().ndims is None:
        is_scalar = math_ops.equal(array_ops.rank(tensor), 0)
        check = control_flow_ops.Assert(
            is_scalar, [f"Input {what} must be a scalar"], name=f"{title}IsScalar"
        )
        return control_flow_ops.with_dependencies([check], tensor, name=f"{title}Dependencies")
    if tensor.get_shape().ndims != 0:
        raise ValueError(f"Input {what} must be a scalar")
    return tensor


def _parse_example_of_one(
    serialized: Any, names: Any, parameters: _Parameters, name: str | None
) -> dict[str, Any]:
    with ops.name_scope(name, "ParseSingleExample", [serialized, names]):
        serialized = _as_scalar(ops.convert_to_tensor(serialized), "serialized", "Serialized")
        serialized = array_ops.expand_dims(serialized, 0)
        names = _as_scalar(ops.convert_to_tensor(names), "names", "Names")
        names = array_ops.expand_dims(names, 0)
        found = _parse_example(serialized, names, parameters, name)
        for key in parameters.dense_keys:
            found[key] = array_ops.squeeze(found[key], [0], name=f"Squeeze_{_plain(key)}")
        for key in parameters.sparse_keys:
            plain = _plain(key)
            sparse = found[key]
            indices = slicing.slice(sparse.indices, [0, 1], [-1, -1], name=f"Slice_Indices_{plain}")
            shape = slicing.slice(sparse.dense_shape, [1], [-1], name=f"Squeeze_Shape_{plain}")
            found[key] = SparseTensor(indices, sparse.values, shape)
        return found


class _SequenceParameters:
    """The features of a sequence example as the parsing operations take them."""

    def __init__(self, context_features: Any, sequence_features: Any):
        if not (context_features or sequence_features):
            raise ValueError("Missing features.")
        self.context = _Parameters(context_features, (VarLenFeature, FixedLenFeature))
        self.lists = _Parameters(sequence_features, (VarLenFeature, FixedLenSequenceFeature))

    def check(self) -> None:
        """Fails where the features do not fit together."""
        for name, part in (("context", self.context), ("feature_list", self.lists)):
            if not set(part.dense_keys).isdisjoint(part.sparse_keys):
                both = set(part.dense_keys).intersection(part.sparse_keys)
                raise ValueError(
                    f"{name}_dense and {name}_sparse keys must not intersect; intersection: {both}"
                )
        for key, value in self.lists.dense_defaults.items():
            if value is not None:
                raise ValueError(f"Value feature_list_dense_defaults[{key}] must be None")

    def defaults(self, reshaped: bool) -> list[Any]:
        """Records the default values of the context's dense features."""
        context, found = self.context, []
        parts = zip(context.dense_keys, context.dense_types, context.dense_shapes)
        for key, dtype, shape in parts:
            value = context.dense_defaults.get(key)
            if value is None:
                value = constant_op.constant([], dtype=dtype)
            elif not isinstance(value, ops.Tensor):
                value = ops.convert_to_tensor(value, dtype=dtype, name=f"key_{_plain(key)}")
                value = array_ops.reshape(value, shape) if reshaped else value
            found.append(value)
        return found

    def arguments(self) -> dict[str, Any]:
        """What both operations take."""
        return {
            "context_sparse_keys": self.context.sparse_keys,
            "context_sparse_types": self.context.sparse_types,
            "context_dense_keys": self.context.dense_keys,
            "context_dense_shapes": self.context.shapes(),
            "feature_list_sparse_keys": self.lists.sparse_keys,
            "feature_list_sparse_types": self.lists.sparse_types,
            "feature_list_dense_keys": self.lists.dense_keys,
            "feature_list_dense_types": self.lists.dense_types,
            "feature_list_dense_shapes": self.lists.shapes(),
            "feature_list_dense_missing_assumed_empty": list(self.lists.dense_defaults),
        }

    def results(self, found: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """The context's features and the sequences."""
        keys = self.context.sparse_keys + self.context.dense_keys
        context = dict(zip(keys, [*_sparse_tensors(*found[:3]), *found[3]], strict=True))
        keys = self.lists.sparse_keys + self.lists.dense_keys
        lists = dict(zip(keys, [*_sparse_tensors(*found[4:7]), *found[7]], strict=True))
        return context, lists


@tf_export("io.parse_sequence_example")
def parse_sequence_example(
    serialized: Any,
    context_features: Any = None,
    sequence_features: Any = None,
    example_names: Any = None,
    name: str | None = None,
) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """The features of serialized `tf.train.SequenceExample`s.

    Args:
      serialized: a vector of strings.
      context_features: a dict from keys to `FixedLenFeature` or `VarLenFeature`.
      sequence_features: a dict from keys to `FixedLenSequenceFeature` or `VarLenFeature`.
      example_names: a vector of strings: what errors call the examples.
      name: a name scope.

    Returns:
      Three dicts: the context's features, the sequences, the lengths of dense sequences.

    Raises:
      ValueError: a feature makes no sense.
    """
    parameters = _SequenceParameters(context_features, sequence_features)
    with ops.name_scope(name, "ParseSequenceExample", [serialized]):
        parameters.check()
        found = raw_ops.ParseSequenceExample(
            serialized=serialized,
            debug_name=[] if example_names is None else example_names,
            Ncontext_sparse=len(parameters.context.sparse_keys),
            Ncontext_dense=len(parameters.context.dense_keys),
            Nfeature_list_sparse=len(parameters.lists.sparse_keys),
            Nfeature_list_dense=len(parameters.lists.dense_keys),
            context_dense_defaults=parameters.defaults(reshaped=False),
            name=name,
            **parameters.arguments(),
        )
        context, lists = parameters.results(found)
        lengths = dict(zip(parameters.lists.dense_keys, found[8], strict=True))
        return context, lists, lengths


@tf_export("io.parse_single_sequence_example", "parse_single_sequence_example")
def parse_single_sequence_example(
    serialized: Any,
    context_features: Any = None,
    sequence_features: Any = None,
    example_name: Any = None,
    name: str | None = None,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The features of one serialized `tf.train.SequenceExample`.

    Args:
      serialized: a scalar string tensor.
      context_features: a dict from keys to `FixedLenFeature` or `VarLenFeature`.
      sequence_features: a dict from keys to `FixedLenSequenceFeature` or `VarLenFeature`.
      example_name: a scalar string tensor: what errors call the example.
      name: a name scope.

    Returns:
      Two dicts: the context's features and the sequences.

    Raises:
      ValueError: a feature makes no sense.
    """
    parameters = _SequenceParameters(context_features, sequence_features)
    with ops.name_scope(name, "ParseSingleSequenceExample", [serialized]):
        parameters.check()
        found = raw_ops.ParseSingleSequenceExample(
            serialized=serialized,
            debug_name="" if example_name is None else example_name,
            context_dense_defaults=parameters.defaults(reshaped=True),
            name=name,
            **parameters.arguments(),
        )
        return parameters.results(found)


# Other formats.


@tf_export("decode_raw", "io.decode_raw")
@deprecated_args(None, "bytes is deprecated, use input_bytes instead", "bytes")
def decode_raw_v1(
    input_bytes: TensorLike | None = None,
    out_type: DTypeLike | None = None,
    little_endian: bool = True,
    name: str | None = None,
    bytes: TensorLike | None = None,
) -> ops.Tensor:
    """The bytes of strings as numbers.

    Args:
      input_bytes: a string tensor; all strings have one length.
      out_type: the dtype of the numbers.
      little_endian: the order of their bytes.
      name: the operation's name.
      bytes: deprecated name of `input_bytes`.

    Returns:
      A tensor with one dimension more than the strings.

    Raises:
      ValueError: `out_type` is missing.
    """
    input_bytes = renamed("input_bytes", input_bytes, "bytes", bytes)
    if out_type is None:
        raise ValueError("decode_raw_v1() missing 1 positional argument: 'out_type'")
    return raw_ops.DecodeRaw(input_bytes, out_type, little_endian=little_endian, name=name)


@tf_export("compat.v2.io.decode_raw")
def decode_raw(
    input_bytes: TensorLike,
    out_type: DTypeLike,
    little_endian: bool = True,
    fixed_length: Any = None,
    name: str | None = None,
) -> ops.Tensor:
    """The bytes of strings as numbers.

    Args:
      input_bytes: a string tensor; all strings have one length, unless `fixed_length` is given.
      out_type: the dtype of the numbers.
      little_endian: the order of their bytes.
      fixed_length: how many bytes of each string count: more are dropped, fewer made up by zeros.
      name: the operation's name.

    Returns:
      A tensor with one dimension more than the strings.
    """
    if fixed_length is None:
        return raw_ops.DecodeRaw(input_bytes, out_type, little_endian=little_endian, name=name)
    return raw_ops.DecodePaddedRaw(
        input_bytes, fixed_length, out_type, little_endian=little_endian, name=name
    )


@tf_export("io.decode_csv", "decode_csv")
def decode_csv(
    records: Any,
    record_defaults: Any,
    field_delim: str = ",",
    use_quote_delim: bool = True,
    name: str | None = None,
    na_value: str = "",
    select_cols: Any = None,
) -> list[ops.Tensor]:
    """The columns of CSV lines (as `tf.decode_csv` in TF 1.15).

    Args:
      records: a string tensor of lines.
      record_defaults: a tensor for each column: its dtype is the column's, its value that of
        empty fields; an empty one where there must be none.
      field_delim: what is between fields.
      use_quote_delim: whether quotes are special.
      name: the operation's name.
      na_value: a field that counts as empty.
      select_cols: the numbers of the columns to give, in order; None for all.

    Returns:
      A tensor for each column, of the shape of `records`.

    Raises:
      ValueError: `select_cols` makes no sense.
    """
    if select_cols is not None:
        if any(a >= b for a, b in zip(select_cols, select_cols[1:])):
            raise ValueError("select_cols is not strictly increasing.")
        if select_cols[0] < 0:
            raise ValueError("select_cols contains negative values.")
        if len(select_cols) != len(record_defaults):
            raise ValueError("Length of select_cols and record_defaults do not match.")
    return raw_ops.DecodeCSV(
        records=records,
        record_defaults=record_defaults,
        field_delim=field_delim,
        use_quote_delim=use_quote_delim,
        na_value=na_value,
        name=name,
        select_cols=select_cols,
    )


@tf_export("io.decode_json_example", "decode_json_example")
def decode_json_example(json_examples: Any, name: str | None = None) -> ops.Tensor:
    """`tf.train.Example`s in JSON, serialized as binary ones.

    Args:
      json_examples: a string tensor.
      name: the operation's name.

    Returns:
      A string tensor of the same shape.
    """
    return raw_ops.DecodeJSONExample(json_examples, name=name)


@tf_export("io.decode_compressed", "decode_compressed")
@add_dispatch_support
def decode_compressed(
    bytes: TensorLike, compression_type: str = "", name: str | None = None
) -> Any:
    """Strings that are compressed, as they were before.

    Args:
      bytes: a string tensor.
      compression_type: "", "ZLIB" or "GZIP".
      name: the operation's name.

    Returns:
      A string tensor of the same shape.
    """
    return raw_ops.DecodeCompressed(bytes, compression_type=compression_type, name=name)


@tf_export("io.parse_tensor", "parse_tensor")
def parse_tensor(serialized: Any, out_type: DTypeLike, name: str | None = None) -> ops.Tensor:
    """A serialized TensorProto as a tensor.

    Args:
      serialized: a scalar string tensor.
      out_type: the tensor's dtype.
      name: the operation's name.

    Returns:
      A tensor of dtype `out_type`.
    """
    return raw_ops.ParseTensor(serialized, out_type, name=name)


@tf_export("io.serialize_tensor", "serialize_tensor")
def serialize_tensor(tensor: TensorLike, name: str | None = None) -> ops.Tensor:
    """A tensor as a serialized TensorProto, a scalar string tensor.

    Args:
      tensor: a tensor of any shape and dtype.
      name: the operation's name.

    Returns:
      A string scalar.
    """
    return raw_ops.SerializeTensor(tensor, name=name)
