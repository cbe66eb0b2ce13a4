"""What the columns of each kind do, whichever way they are read.

A class here is mixed into the old and the new columns of its kind. It says how the column finds
its name, what it parses (`_spec`), its value (`_value`), and so on, in terms of an *access*:
`OldAccess` (feature_column.py) calls the underscored methods of other columns with a
`_LazyBuilder`, `NewAccess` (feature_column_v2.py) the others with a `FeatureTransformationCache`.
"""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops, gather_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.feature_column import utils
from tf1compat.api.io import parsing_ops
from tf1compat.api.lookup import lookup_ops
from tf1compat.api.math import math_ops
from tf1compat.api.nn import embedding_ops
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.sparse import sparse_ops
from tf1compat.api.sparse.sparse_cross_ops import sparse_cross_hashed
from tf1compat.api.text import string_ops
from tf1compat.api.training import checkpoint_utils
from tf1compat.api.variables import variables
from tf1compat.core import dtypes, ops
from tf1compat.core.attribute import attribute
from tf1compat.core.sparse_tensor import SparseTensor, convert_to_tensor_or_sparse_tensor
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import Dimension, TensorShape, dimension_value
from tf1compat.core.typing import DTypeLike


def tf_type(value: Any) -> str:
    """The type of a value as TF prints it."""
    return tf_class(type(value))


def tf_class(cls: type) -> str:
    """A class as TF prints it."""
    ours = "tf1compat.api."
    if not cls.__module__.startswith(ours):
        return str(cls)
    place = cls.__module__.removeprefix(ours)
    area, _, rest = place.partition(".")
    if area == "contrib":
        part, _, name = rest.partition(".")
        return f"<class 'tensorflow.contrib.{part}.python.{part}.{name}.{cls.__qualname__}'>"
    return f"<class 'tensorflow.python.{place}.{cls.__qualname__}'>"


class Features:
    """Features by key, and what columns made of them, each made once.

    Args:
      features: {key: a tensor or SparseTensor, or what becomes one}.
    """

    _column_class: Any = None  # Of the columns that can be asked for.

    def __init__(self, features: dict[Any, Any]):
        self._features = features.copy()
        self._feature_tensors: dict[Any, Any] = {}

    def _get(self, key: Any, transform: Any) -> Any:
        if key in self._feature_tensors:
            return self._feature_tensors[key]
        if key in self._features:
            value = self._get_raw_feature_as_tensor(key)
        elif isinstance(key, str):
            raise ValueError(f"Feature {key} is not in features dictionary.")
        elif not isinstance(key, self._column_class):
            name = self._column_class.__name__
            raise TypeError(f'"key" must be either a "str" or "{name}". Provided: {key}')
        else:
            logging.debug("Transforming feature_column %s.", key)
            value = transform(key)
            if value is None:
                raise ValueError(f"Column {key.name} is not supported.")
        self._feature_tensors[key] = value
        return value

    def _get_raw_feature_as_tensor(self, key: Any) -> Any:
        """The feature as it was given, a column of it if it is a vector."""
        tensor = convert_to_tensor_or_sparse_tensor(self._features[key])

        def expand_dims(tensor: Any) -> Any:
            if isinstance(tensor, SparseTensor):
                return sparse_ops.sparse_reshape(tensor, [array_ops.shape(tensor)[0], 1])
            return array_ops.expand_dims(tensor, -1)

        rank = tensor.get_shape().ndims
        message = f"Feature (key: {key}) cannot have rank 0. Given: {tensor}"
        if rank is not None:
            if rank == 0:
                raise ValueError(message)
            return tensor if rank != 1 else expand_dims(tensor)
        check = check_ops.assert_positive(array_ops.rank(tensor), message=message)
        with ops.control_dependencies([check]):
            return control_flow_ops.cond(
                math_ops.equal(1, array_ops.rank(tensor)),
                lambda: expand_dims(tensor),
                lambda: tensor,
            )


def _default_ignored(dtype: dtypes.DType) -> Any:
    if dtype == dtypes.string:
        return ""
    return -1 if dtype.is_integer else dtype.as_numpy_dtype()


def to_sparse_input(input_tensor: Any, ignore_value: Any = None) -> SparseTensor:
    """A dense tensor as a sparse one, without the values that stand for none.

    Args:
      input_tensor: a tensor or SparseTensor.
      ignore_value: "" for strings, -1 for integers and 0 for floats by default.
    """
    input_tensor = convert_to_tensor_or_sparse_tensor(input_tensor)
    if isinstance(input_tensor, SparseTensor):
        return input_tensor
    with ops.name_scope(None, "to_sparse_input", (input_tensor, ignore_value)):
        if ignore_value is None:
            ignore_value = _default_ignored(input_tensor.dtype)
        ignored = math_ops.cast(ignore_value, input_tensor.dtype, name="ignore_value")
        indices = gather_ops.where_v2(math_ops.not_equal(input_tensor, ignored), name="indices")
        return SparseTensor(
            indices=indices,
            values=array_ops.gather_nd(input_tensor, indices, name="values"),
            dense_shape=array_ops.shape(input_tensor, out_type=dtypes.int64, name="dense_shape"),
        )


def normalized_columns(feature_columns: Any, column_class: type) -> Any:
    """Columns that are given as one, as an iterator or as a sequence.

    Raises:
      ValueError: there are none, two have one name, or something is no column.
    """
    if isinstance(feature_columns, column_class):
        feature_columns = [feature_columns]
    if hasattr(feature_columns, "__next__"):
        feature_columns = list(feature_columns)
    if isinstance(feature_columns, dict):
        raise ValueError("Expected feature_columns to be iterable, found dict.")
    for column in feature_columns:
        if not isinstance(column, column_class):
            raise ValueError(
                f"Items of feature_columns must be a {column_class.__name__}. Given (type "
                f"{tf_type(column)}): {column}."
            )
    if not feature_columns:
        raise ValueError("feature_columns must not be empty.")
    named: dict[str, Any] = {}
    for column in feature_columns:
        if column.name in named:
            raise ValueError(
                f"Duplicate feature column name found for columns: {column} and "
                f"{named[column.name]}. This usually means that these columns refer to same base "
                "feature. Either one must be discarded or a duplicated but renamed item must be "
                "inserted in features dict."
            )
        named[column.name] = column
    return feature_columns


def verify_static_batch_size_equality(tensors: Any, columns: Any) -> None:
    """Raises ValueError if it is known that batches differ in size."""
    first: tuple[Dimension, Any] | None = None
    for tensor, column in zip(tensors, columns, strict=False):
        size = Dimension(dimension_value(tensor.shape[0]))
        if size.value is None:
            continue
        if first is None:
            first = size, column
        elif not first[0].is_compatible_with(size):
            raise ValueError(
                "Batch size (first dimension) of each feature must be same. Batch size of columns "
                f"({first[1].name}, {column.name}): ({first[0]}, {size})"
            )


def parse_example_spec(feature_columns: Any, column_class: type, spec: Any) -> dict[str, Any]:
    """The features that columns parse, by key.

    Raises:
      ValueError: two columns want different things of one key, or something is no column.
    """
    result: dict[str, Any] = {}
    for column in feature_columns:
        if not isinstance(column, column_class):
            raise ValueError(
                f"All feature_columns must be {column_class.__name__} instances. Given: {column}"
            )
        config = spec(column)
        for key, value in config.items():
            if key in result and value != result[key]:
                raise ValueError(
                    f"feature_columns contain different parse_spec for key {key}. Given {value} "
                    f"and {result[key]}"
                )
        result.update(config)
    return result


def flat(tensor: Tensor, num_elements: int | None) -> Tensor:
    """A dense column's value, [batch, num_elements]."""
    batch_size = array_ops.shape(tensor)[0]
    return array_ops.reshape(tensor, shape=(batch_size, num_elements))


def weighted_dense(flat: Tensor, weight: Any) -> Tensor:
    """A dense column's part of a linear model."""
    return math_ops.matmul(flat, weight, name="weighted_sum")


def flat_ids(sparse_tensors: Any) -> tuple[Any, Any]:
    """Ids, and weights if there are any, as matrices of one row an example."""

    def flat(tensor: Any) -> Any:
        return sparse_ops.sparse_reshape(tensor, [array_ops.shape(tensor)[0], -1])

    ids, weights = sparse_tensors.id_tensor, sparse_tensors.weight_tensor
    return flat(ids), None if weights is None else flat(weights)


def weighted_sparse(ids: tuple[Any, Any], weight: Any, combiner: str) -> Tensor:
    """A categorical column's part of a linear model."""
    return embedding_ops.safe_embedding_lookup_sparse(
        weight, ids[0], sparse_weights=ids[1], combiner=combiner, name="weighted_sum"
    )


class _Sequences:
    """What dense columns made of categorical ones say when sequences are misused."""

    # The functions or layers for other columns and for sequences.
    _layers = ("DenseFeatures", "SequenceFeatures")
    _kind: str  # "embedding_column"
    name: Any
    categorical_column: Any

    def _refuse_sequence(self, access: Any) -> None:
        if isinstance(self.categorical_column, access.sequence_class):
            layer, sequence_layer = self._layers
            raise ValueError(
                f"In {self._kind}: {self.name}. categorical_column must not be of type "
                f"{access.sequence_class.__name__}. Suggested fix A: If you wish to use {layer}, "
                "use a non-sequence categorical_column_with_*. Suggested fix B: If you wish to "
                f"create sequence input, use {sequence_layer} instead of {layer}. Given (type "
                f"{tf_type(self.categorical_column)}): {self.categorical_column}"
            )

    def _demand_sequence(self, access: Any, wanted: str) -> None:
        if not isinstance(self.categorical_column, access.sequence_class):
            raise ValueError(
                f"In {self._kind}: {self.name}. categorical_column must be of type {wanted} to use "
                f"{self._layers[1]}. Suggested fix: Use one of sequence_categorical_column_with_*. "
                f"Given (type {tf_type(self.categorical_column)}): {self.categorical_column}"
            )


class Numeric:
    """Numbers: `key`, `shape`, `default_value`, `dtype`, `normalizer_fn`."""

    key: str
    shape: Any
    dtype: Any
    default_value: Any
    normalizer_fn: Any

    name: str = attribute("key", "The column's name.")

    def _spec(self, access: Any) -> dict[str, Any]:
        feature = parsing_ops.FixedLenFeature(self.shape, self.dtype, self.default_value)
        return {self.key: feature}

    def _value(self, access: Any) -> Tensor:
        tensor = access.get(self.key)
        if isinstance(tensor, SparseTensor):
            raise ValueError(
                "The corresponding Tensor of numerical column must be a Tensor. SparseTensor is "
                f"not supported. key: {self.key}"
            )
        if self.normalizer_fn is not None:
            tensor = self.normalizer_fn(tensor)
        return math_ops.cast(tensor, dtypes.float32)

    def _dense_shape(self, access: Any) -> TensorShape:
        return TensorShape(self.shape)

    def _dense(self, access: Any) -> Tensor:
        return access.get(self)


class SequenceNumeric:
    """Sequences of numbers, with the fields of `Numeric`."""

    key: str
    shape: Any
    dtype: Any
    default_value: Any
    normalizer_fn: Any
    TensorSequenceLengthPair: Any

    name: str = attribute("key", "The column's name.")

    def _spec(self, access: Any) -> dict[str, Any]:
        return {self.key: parsing_ops.VarLenFeature(self.dtype)}

    def _value(self, access: Any) -> Any:
        tensor = access.get(self.key)
        return tensor if self.normalizer_fn is None else self.normalizer_fn(tensor)

    def _dense_shape(self, access: Any) -> TensorShape:
        return TensorShape(self.shape)

    def _sequence(self, access: Any) -> Any:
        sparse = access.get(self)
        dense = sparse_ops.sparse_tensor_to_dense(sparse, default_value=self.default_value)
        shape = TensorShape(self.shape)
        dense_shape = array_ops.concat([array_ops.shape(dense)[:1], [-1], shape], axis=0)
        dense = array_ops.reshape(dense, shape=dense_shape)
        size = shape.num_elements() if sparse.shape.ndims == 2 else 1
        lengths = utils.sequence_length_from_sparse_tensor(sparse, num_elements=size or 0)
        return self.TensorSequenceLengthPair(dense_tensor=dense, sequence_length=lengths)


class Bucketized:
    """The bucket that each number of a numeric column lies in: `source_column`, `boundaries`."""

    source_column: Any
    boundaries: tuple[float, ...]
    IdWeightPair: Any

    @property
    def name(self) -> str:
        """The column's name."""
        return f"{self.source_column.name}_bucketized"

    def _spec(self, access: Any) -> dict[str, Any]:
        return access.spec(self.source_column)

    def _value(self, access: Any) -> Tensor:
        return math_ops._bucketize(access.get(self.source_column), boundaries=self.boundaries)

    def _dense_shape(self, access: Any) -> TensorShape:
        return TensorShape((*self.source_column.shape, len(self.boundaries) + 1))

    def _dense(self, access: Any) -> Tensor:
        return array_ops.one_hot(
            indices=math_ops.cast(access.get(self), dtypes.int64), depth=len(self.boundaries) + 1,
            on_value=1.0, off_value=0.0,
        )  # fmt: skip

    def _buckets(self, access: Any) -> int:
        return (len(self.boundaries) + 1) * self.source_column.shape[0]

    def _ids(self, access: Any) -> Any:
        buckets = access.get(self)
        batch_size = array_ops.shape(buckets)[0]
        width = self.source_column.shape[0]
        rows = array_ops.expand_dims(math_ops.range(0, batch_size), 1)
        rows = array_ops.reshape(array_ops.tile(rows, [1, width]), (-1,))
        columns = array_ops.tile(math_ops.range(0, width), [batch_size])
        # Each of the numbers has buckets of its own.
        ids = array_ops.reshape(buckets, (-1,)) + (len(self.boundaries) + 1) * columns
        indices = math_ops.cast(array_ops.transpose(array_ops.stack((rows, columns))), dtypes.int64)
        shape = math_ops.cast(array_ops.stack([batch_size, width]), dtypes.int64)
        return self.IdWeightPair(SparseTensor(indices, ids, shape), None)


class Category:
    """Words or ids of a feature."""

    key: str
    dtype: Any
    IdWeightPair: Any

    name: str = attribute("key", "The column's name.")

    def _spec(self, access: Any) -> dict[str, Any]:
        return {self.key: parsing_ops.VarLenFeature(self.dtype)}

    def _value(self, access: Any) -> Any:
        return self._category_ids(to_sparse_input(access.get(self.key)), access)

    def _category_ids(self, tensor: SparseTensor, access: Any) -> Any:
        raise NotImplementedError

    def _ids(self, access: Any) -> Any:
        return self.IdWeightPair(access.get(self), None)

    def _assert_is_of_words(self, tensor: SparseTensor) -> None:
        prefix = f"column_name: {self.key} input_tensor"
        utils.assert_string_or_int(tensor.dtype, prefix=prefix)

    def _assert_dtype_fits(self, tensor: SparseTensor) -> None:
        if self.dtype.is_integer != tensor.dtype.is_integer:
            raise ValueError(
                f"Column dtype and SparseTensors dtype must be compatible. key: {self.key}, column "
                f"dtype: {self.dtype}, tensor dtype: {tensor.dtype}"
            )


class Hashed(Category):
    """Hashes of words: `key`, `hash_bucket_size`, `dtype`."""

    hash_bucket_size: int

    def _category_ids(self, tensor: SparseTensor, access: Any) -> SparseTensor:
        self._assert_is_of_words(tensor)
        self._assert_dtype_fits(tensor)
        words = tensor.values
        if self.dtype != dtypes.string:
            words = string_ops.as_string(words)
        ids = string_ops.string_to_hash_bucket_fast(words, self.hash_bucket_size, name="lookup")
        return SparseTensor(tensor.indices, ids, tensor.dense_shape)

    def _buckets(self, access: Any) -> int:
        return self.hash_bucket_size


class _Vocabulary(Category):
    num_oov_buckets: int
    default_value: int

    def _category_ids(self, tensor: SparseTensor, access: Any) -> Any:
        self._assert_dtype_fits(tensor)
        self._assert_is_of_words(tensor)
        key_dtype = self.dtype
        if tensor.dtype.is_integer:
            key_dtype = dtypes.int64
            tensor = math_ops.cast(tensor, dtypes.int64)
        name = f"{self.key}_lookup"
        table = self._table(key_dtype, name)
        access.keep(self, name, table)
        return table.lookup(tensor)

    def _table(self, key_dtype: DTypeLike, name: str) -> Any:
        raise NotImplementedError


class VocabularyFile(_Vocabulary):
    """Places of words in a file: `key`, `vocabulary_file`, `vocabulary_size`, `num_oov_buckets`,
    `dtype`, `default_value`."""

    vocabulary_file: str
    vocabulary_size: int

    def _table(self, key_dtype: DTypeLike, name: str) -> Any:
        return lookup_ops.index_table_from_file(
            vocabulary_file=self.vocabulary_file, num_oov_buckets=self.num_oov_buckets,
            vocab_size=self.vocabulary_size, default_value=self.default_value,
            key_dtype=key_dtype, name=name,
        )  # fmt: skip

    def _buckets(self, access: Any) -> int:
        return self.vocabulary_size + self.num_oov_buckets


class VocabularyList(_Vocabulary):
    """Places of words in a list: `key`, `vocabulary_list`, `dtype`, `default_value`,
    `num_oov_buckets`."""

    vocabulary_list: tuple[Any, ...]

    def _table(self, key_dtype: DTypeLike, name: str) -> Any:
        return lookup_ops.index_table_from_tensor(
            vocabulary_list=tuple(self.vocabulary_list), default_value=self.default_value,
            num_oov_buckets=self.num_oov_buckets, dtype=key_dtype, name=name,
        )  # fmt: skip

    def _buckets(self, access: Any) -> int:
        return len(self.vocabulary_list) + self.num_oov_buckets


class Identity(Category):
    """Ids as they are: `key`, how many there are, `default_value`."""

    default_value: Any
    dtype = dtypes.int64
    _where: Any  # `where` of the column's time.

    def _category_ids(self, tensor: SparseTensor, access: Any) -> SparseTensor:
        if not tensor.dtype.is_integer:
            raise ValueError(f"Invalid input, not integer. key: {self.key} dtype: {tensor.dtype}")
        values = math_ops.cast(tensor.values, dtypes.int64, name="values")
        buckets = math_ops.cast(self._buckets(access), dtypes.int64, name="num_buckets")
        zero = math_ops.cast(0, dtypes.int64, name="zero")
        if self.default_value is None:
            is_less = check_ops.assert_less(
                values, buckets, data=(values, buckets),
                message=f'Bucket index for categorical column "{self.name}" exceeds number of '
                "buckets",
                name="assert_less_than_num_buckets",
            )  # fmt: skip
            is_greater = check_ops.assert_greater_equal(
                values, zero, data=(values,),
                message=f'Negative bucket index for categorical column "{self.name}"',
                name="assert_greater_or_equal_0",
            )  # fmt: skip
            with ops.control_dependencies((is_less, is_greater)):
                values = array_ops.identity(values)
        else:
            outside = math_ops.logical_or(values < zero, values >= buckets, name="out_of_range")
            defaults = array_ops.fill(
                dims=array_ops.shape(values),
                value=math_ops.cast(self.default_value, dtypes.int64),
                name="default_values",
            )
            values = self._where(outside, defaults, values)
        return SparseTensor(tensor.indices, values, tensor.dense_shape)

    def _buckets(self, access: Any) -> int:
        raise NotImplementedError


class Weighted:
    """Ids with weights: `categorical_column`, `weight_feature_key`, `dtype`."""

    categorical_column: Any
    weight_feature_key: str
    dtype: Any
    IdWeightPair: Any

    @property
    def name(self) -> str:
        """The column's name."""
        return f"{self.categorical_column.name}_weighted_by_{self.weight_feature_key}"

    def _spec(self, access: Any) -> dict[str, Any]:
        config = access.spec(self.categorical_column)
        key = self.weight_feature_key
        if key in config:
            raise ValueError(f"Parse config {config[key]} already exists for {key}.")
        config[key] = parsing_ops.VarLenFeature(self.dtype)
        return config

    def _buckets(self, access: Any) -> int:
        return access.buckets(self.categorical_column)

    def _value(self, access: Any) -> tuple[Any, Any]:
        weights = access.get(self.weight_feature_key)
        if weights is None:
            raise ValueError(f"Missing weights {self.weight_feature_key}.")
        weights = convert_to_tensor_or_sparse_tensor(weights)
        if self.dtype != weights.dtype.base_dtype:
            raise ValueError(f"Bad dtype, expected {self.dtype}, but got {weights.dtype}.")
        if not isinstance(weights, SparseTensor):
            # A dense 0 is no weight.
            weights = to_sparse_input(weights, ignore_value=0.0)
        if not weights.dtype.is_floating:
            weights = math_ops.cast(weights, dtypes.float32)
        return access.get(self.categorical_column), weights

    def _ids(self, access: Any) -> Any:
        return self.IdWeightPair(*access.get(self))


class Crossed:
    """Hashes of combinations: `keys`, `hash_bucket_size`, `hash_key`."""

    keys: tuple[Any, ...]
    hash_bucket_size: int
    hash_key: Any
    IdWeightPair: Any

    @property
    def name(self) -> str:
        """The column's name."""
        return "_X_".join(
            sorted(key if isinstance(key, str) else key.name for key in leaf_level_keys(self))
        )

    def _spec(self, access: Any) -> dict[str, Any]:
        config: dict[str, Any] = {}
        for key in self.keys:
            if isinstance(key, str):
                config[key] = parsing_ops.VarLenFeature(dtypes.string)
            else:
                config.update(access.spec(key))
        return config

    def _value(self, access: Any) -> SparseTensor:
        tensors = []
        for key in leaf_level_keys(self):
            if isinstance(key, str):
                tensors.append(access.get(key))
                continue
            if not isinstance(key, access.categorical_classes):
                raise ValueError(f"Unsupported column type. Given: {key}")
            pair = access.ids(key)
            if pair.weight_tensor is not None:
                raise ValueError(
                    "crossed_column does not support weight_tensor, but the given column populates "
                    f"weight_tensor. Given column: {key.name}"
                )
            tensors.append(pair.id_tensor)
        return sparse_cross_hashed(
            inputs=tensors, num_buckets=self.hash_bucket_size, hash_key=self.hash_key
        )

    def _buckets(self, access: Any) -> int:
        return self.hash_bucket_size

    def _ids(self, access: Any) -> Any:
        return self.IdWeightPair(access.get(self), None)


def leaf_level_keys(cross: Crossed) -> list[Any]:
    """What a crossed column crosses, other crossed columns taken apart."""
    leaves: list[Any] = []
    for key in cross.keys:
        leaves.extend(leaf_level_keys(key) if isinstance(key, type(cross)) else [key])
    return leaves


class Indicator(_Sequences):
    """How often each id occurs: `categorical_column`."""

    _kind = "indicator_column"
    TensorSequenceLengthPair: Any
    _variable_shape: Any

    @property
    def name(self) -> str:
        """The column's name."""
        return f"{self.categorical_column.name}_indicator"

    def _spec(self, access: Any) -> dict[str, Any]:
        return access.spec(self.categorical_column)

    def _dense_shape(self, access: Any) -> TensorShape:
        return TensorShape([1, access.buckets(self.categorical_column)])

    def _value(self, access: Any) -> Tensor:
        ids, weights = access.ids(self.categorical_column)
        if weights is not None:
            size = int(self._variable_shape[-1])
            merged = sparse_ops.sparse_merge(sp_ids=ids, sp_values=weights, vocab_size=size)
            # Drops what lies beyond: sparse_merge takes any id.
            merged = sparse_ops.sparse_slice(merged, [0, 0], merged.dense_shape)
            return array_ops.scatter_nd(merged.indices, merged.values, merged.dense_shape)
        dense = sparse_ops.sparse_tensor_to_dense(ids, default_value=-1)
        one_hot = array_ops.one_hot(
            dense, depth=self._variable_shape[-1], on_value=1.0, off_value=0.0
        )
        return math_ops.reduce_sum(one_hot, axis=[-2])

    def _dense(self, access: Any) -> Tensor:
        self._refuse_sequence(access)
        return access.get(self)

    def _sequence(self, access: Any) -> Any:
        self._demand_sequence(access, access.sequence_class.__name__)
        dense = access.get(self)
        ids = access.ids(self.categorical_column).id_tensor
        return self.TensorSequenceLengthPair(
            dense_tensor=dense, sequence_length=utils.sequence_length_from_sparse_tensor(ids)
        )


class Embedding(_Sequences):
    """A vector for each id, summed: `categorical_column`, `combiner`, `max_norm`, …"""

    _kind = "embedding_column"
    combiner: str
    max_norm: Any
    TensorSequenceLengthPair: Any

    @property
    def name(self) -> str:
        """The column's name."""
        return f"{self.categorical_column.name}_embedding"

    def _spec(self, access: Any) -> dict[str, Any]:
        return access.spec(self.categorical_column)

    def _value(self, access: Any) -> Any:
        return access.get(self.categorical_column)

    def _embeddings(self, ids: Any, table: Any) -> Tensor:
        """The sums, of ids and the table."""
        return embedding_ops.safe_embedding_lookup_sparse(
            embedding_weights=table, sparse_ids=ids.id_tensor, sparse_weights=ids.weight_tensor,
            combiner=self.combiner, name=f"{self.name}_weights", max_norm=self.max_norm,
        )  # fmt: skip

    def _with_length(self, dense: Tensor, ids: Any) -> Any:
        lengths = utils.sequence_length_from_sparse_tensor(ids.id_tensor)
        return self.TensorSequenceLengthPair(dense_tensor=dense, sequence_length=lengths)


def start_from_checkpoint(table: Any, checkpoint: Any, tensor_name: Any) -> None:
    """Makes an embedding's table start from what a checkpoint holds, if there is one."""
    if checkpoint is None:
        return
    if isinstance(table, variables.PartitionedVariable):
        table = table._get_variable_list()
    checkpoint_utils.init_from_checkpoint(checkpoint, {tensor_name: table})


class Sequence:
    """A categorical column read as a sequence: `categorical_column`."""

    categorical_column: Any
    IdWeightPair: Any

    name: str = attribute("categorical_column.name", "The column's name.")

    def _spec(self, access: Any) -> dict[str, Any]:
        return access.spec(self.categorical_column)

    def _value(self, access: Any) -> Any:
        return access.transform(self.categorical_column)

    def _buckets(self, access: Any) -> int:
        return access.buckets(self.categorical_column)

    def _ids(self, access: Any) -> Any:
        ids, weights = access.ids(self.categorical_column)
        shape = array_ops.shape(ids)
        # Whatever a step holds is one list.
        steps = [shape[0], shape[1], math_ops.reduce_prod(shape[2:])]
        ids = sparse_ops.sparse_reshape(ids, steps)
        if weights is not None:
            weights = sparse_ops.sparse_reshape(weights, steps)
        return self.IdWeightPair(ids, weights)
