"""`tensorflow.python.ops.ragged.ragged_string_ops`: functions of strings with ragged results."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.ragged import ragged_array_ops, ragged_math_ops
from tf1compat.api.ragged.ragged_tensor import (
    RaggedTensor,
    convert_to_tensor_or_ragged_tensor,
    is_ragged,
)
from tf1compat.api.text import string_ops
from tf1compat.api.util.deprecation import deprecated_args, renamed
from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.sparse_tensor import SparseTensor
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name, TensorLike

_RESULT_TYPES = "result_type must be 'RaggedTensor' or 'SparseTensor'."


def _of_sparse(sparse: SparseTensor) -> RaggedTensor:
    """The rows of a sparse matrix without gaps."""
    return _of_parts(sparse.indices, sparse.values, sparse.dense_shape)


def _of_parts(indices: Tensor, values: Tensor, shape: Tensor) -> RaggedTensor:
    return RaggedTensor.from_value_rowids(
        values=values, value_rowids=indices[:, 0], nrows=shape[0], validate=False
    )


# Splitting.


@tf_export("strings.bytes_split")
def string_bytes_split(input: Any, name: Name = None) -> Any:
    """The bytes of each string (as `tf.strings.bytes_split` in TF 1.15).

    Args:
      input: a string tensor or ragged tensor.
      name: a name scope.

    Returns:
      A ragged tensor with one dimension more; a vector for a scalar.

    Raises:
      ValueError: the rank of `input` is unknown.
    """
    with ops.name_scope(name, "StringsByteSplit", [input]):
        input = convert_to_tensor_or_ragged_tensor(input, name="input")
        if isinstance(input, RaggedTensor):
            return input.with_flat_values(string_bytes_split(input.flat_values))
        rank = input.shape.ndims
        if rank is None:
            raise ValueError("input must have a statically-known rank.")
        if rank == 0:
            return string_bytes_split(array_ops.stack([input]))[0]
        if rank == 1:
            return _of_parts(*raw_ops.StringSplit(input, delimiter="", skip_empty=False))
        return string_bytes_split(RaggedTensor.from_tensor(input))


@tf_export("compat.v2.strings.split")
def string_split_v2(input: Any, sep: Any = None, maxsplit: int = -1, name: Name = None) -> Any:
    """Splits strings as Python's `str.split` does; as ragged rows.

    Args:
      input: a string tensor or ragged tensor.
      sep: what to split at; None or "" for white space.
      maxsplit: how often to split each string at most; -1 for no limit.
      name: a name scope.

    Returns:
      A ragged tensor with one dimension more; a vector for a scalar.
    """
    with ops.name_scope(name, "StringSplit", [input]):
        input = convert_to_tensor_or_ragged_tensor(input, dtype=dtypes.string, name="input")
        if isinstance(input, RaggedTensor):
            return input.with_flat_values(string_split_v2(input.flat_values, sep, maxsplit))
        rank = input.shape.ndims
        if rank == 0:
            return string_split_v2(array_ops.stack([input]), sep, maxsplit)[0]
        if rank == 1 or rank is None:
            return _of_sparse(string_ops.string_split_v2(input, sep=sep, maxsplit=maxsplit))
        return string_split_v2(RaggedTensor.from_tensor(input), sep, maxsplit)


@tf_export("string_split")
@deprecated_args(
    None,
    "delimiter is deprecated, please use sep instead.",
    "delimiter",
    module="tensorflow.python.ops.ragged.ragged_string_ops",
)
def string_split(
    source: Any,
    sep: Any = None,
    skip_empty: bool = True,
    delimiter: Any = None,
    result_type: str = "SparseTensor",
    name: str | None = None,
) -> Any:
    """Splits strings at any of some characters (as `tf.string_split` in TF 1.15).

    Args:
      source: a vector of strings.
      sep: the characters; a space by default, and "" splits into single bytes.
      skip_empty: whether to leave out empty parts.
      delimiter: deprecated name of `sep`.
      result_type: "SparseTensor" or "RaggedTensor".
      name: a name scope.

    Returns:
      A tensor of that kind, a row for each of `source`.

    Raises:
      ValueError: there is no such `result_type`.
    """
    with ops.name_scope(name, "StringSplit", [source]):
        found = string_ops.string_split(source, sep=sep, skip_empty=skip_empty, delimiter=delimiter)
        if result_type == "SparseTensor":
            return found
        if result_type == "RaggedTensor":
            return _of_sparse(found)
        raise ValueError(_RESULT_TYPES)


@tf_export("strings.split")
def strings_split_v1(
    input: Any = None,
    sep: Any = None,
    maxsplit: int = -1,
    result_type: str = "SparseTensor",
    source: Any = None,
    name: str | None = None,
) -> Any:
    """Splits strings as Python's `str.split` does (as `tf.strings.split` in TF 1.15).

    Args:
      input: a string tensor or ragged tensor.
      sep: what to split at; None or "" for white space.
      maxsplit: how often to split each string at most; -1 for no limit.
      result_type: "SparseTensor" or "RaggedTensor".
      source: another name of `input`.
      name: a name scope.

    Returns:
      A tensor of that kind, with one dimension more than `input`.

    Raises:
      ValueError: there is no such `result_type`.
    """
    input = renamed("input", input, "source", source)
    with ops.name_scope(name, "StringSplit", [input]):
        input = convert_to_tensor_or_ragged_tensor(input, dtype=dtypes.string, name="input")
        sparse = result_type == "SparseTensor"
        if sparse and input.shape.rank == 1:
            return string_ops.string_split_v2(input, sep=sep, maxsplit=maxsplit)
        found = string_split_v2(input, sep=sep, maxsplit=maxsplit)
        if not sparse and result_type != "RaggedTensor":
            raise ValueError(_RESULT_TYPES)
        return found.to_sparse() if sparse else found


# Unicode.


@tf_export("strings.unicode_encode")
def unicode_encode(
    input: Any,
    output_encoding: str,
    errors: str = "replace",
    replacement_char: int = 65533,
    name: str | None = None,
) -> Any:
    """Texts made of code points (as `tf.strings.unicode_encode` in TF 1.15).

    Args:
      input: int32 code points, a tensor or ragged tensor [..., code points].
      output_encoding: "UTF-8", "UTF-16-BE" or "UTF-32-BE".
      errors: what to do with numbers that are no code point: "replace", "ignore" or "strict".
      replacement_char: the code point that replaces them.
      name: a name scope.

    Returns:
      A string tensor or ragged tensor without the last dimension.

    Raises:
      ValueError: the rank of `input` is unknown, or 0.
    """
    how = (output_encoding, errors, replacement_char)
    with ops.name_scope(name, "UnicodeEncode", [input]):
        value = convert_to_tensor_or_ragged_tensor(input)
        rank = value.shape.ndims
        if rank is None:
            raise ValueError("Rank of input_tensor must be statically known.")
        if is_ragged(value):
            if value.flat_values.shape.ndims > 1:
                return value.with_flat_values(unicode_encode(value.flat_values, *how))
            if value.ragged_rank > 1:
                return value.with_values(unicode_encode(value.values, *how))
            return raw_ops.UnicodeEncode(
                input_values=value.values,
                input_splits=value.row_splits,
                output_encoding=output_encoding,
                errors=errors,
                replacement_char=replacement_char,
            )
        if rank == 2:
            return unicode_encode(RaggedTensor.from_tensor(value), *how)
        if rank > 2:
            width = array_ops.shape(value)[-1]
            rows = array_ops.reshape(value, array_ops.stack([-1, width]))
            return array_ops.reshape(unicode_encode(rows, *how), value.shape[:-1])
        if rank == 0:
            raise ValueError("input_tensor's rank must be at least 1.")
        splits = array_ops.stack([0, array_ops.shape(value, out_type=dtypes.int32)[0]])
        row = RaggedTensor.from_row_splits(value, splits, validate=False)
        return array_ops.reshape(unicode_encode(row, *how), [])


@tf_export("strings.unicode_decode")
def unicode_decode(
    input: TensorLike,
    input_encoding: str,
    errors: str = "replace",
    replacement_char: int = 0xFFFD,
    replace_control_characters: bool = False,
    name: str | None = None,
) -> Any:
    """The code points of texts (as `tf.strings.unicode_decode` in TF 1.15).

    Args:
      input: a string tensor or ragged tensor.
      input_encoding: e.g. "UTF-8", "UTF-16-BE", "latin-1".
      errors: what to do with bytes that are no character: "replace", "ignore" or "strict".
      replacement_char: the code point that replaces them.
      replace_control_characters: whether it replaces control characters too.
      name: a name scope.

    Returns:
      A ragged tensor of int32 with one dimension more; a vector for a scalar.

    Raises:
      ValueError: the rank of `input` is unknown.
    """
    with ops.name_scope(name, "UnicodeDecode", [input]):
        return _decoded(
            input, input_encoding, errors, replacement_char, replace_control_characters
        )[0]


@tf_export("strings.unicode_decode_with_offsets")
def unicode_decode_with_offsets(
    input: TensorLike,
    input_encoding: str,
    errors: str = "replace",
    replacement_char: int = 0xFFFD,
    replace_control_characters: bool = False,
    name: str | None = None,
) -> tuple[Any, Any]:
    """As `tf.strings.unicode_decode`, with the places of the characters.

    Args:
      input: a string tensor or ragged tensor.
      input_encoding, errors, replacement_char, replace_control_characters: as there.
      name: a name scope.

    Returns:
      The int32 code points, and (int64) where the bytes of each start.
    """
    with ops.name_scope(name, "UnicodeDecodeWithOffsets", [input]):
        return _decoded(
            input, input_encoding, errors, replacement_char, replace_control_characters, True
        )


@tf_export("strings.unicode_split")
def unicode_split(
    input: TensorLike,
    input_encoding: str,
    errors: str = "replace",
    replacement_char: int = 0xFFFD,
    name: str | None = None,
) -> Any:
    """The characters of texts, each as a string (as `tf.strings.unicode_split` in TF 1.15).

    Args:
      input: a string tensor or ragged tensor.
      input_encoding: "UTF-8", "UTF-16-BE" or "UTF-32-BE".
      errors: what to do with bytes that are no character: "replace", "ignore" or "strict".
      replacement_char: the code point that replaces them.
      name: a name scope.

    Returns:
      A ragged tensor of strings with one dimension more; a vector for a scalar.
    """
    with ops.name_scope(name, "UnicodeSplit", [input]):
        found, _ = _decoded(input, input_encoding, errors, replacement_char)
        return _characters(found, input_encoding, errors, replacement_char)


@tf_export("strings.unicode_split_with_offsets")
def unicode_split_with_offsets(
    input: TensorLike,
    input_encoding: str,
    errors: str = "replace",
    replacement_char: int = 0xFFFD,
    name: str | None = None,
) -> tuple[Any, Any]:
    """As `tf.strings.unicode_split`, with the places of the characters.

    Args:
      input: a string tensor or ragged tensor.
      input_encoding, errors, replacement_char: as there.
      name: a name scope.

    Returns:
      The characters, and (int64) where the bytes of each start.
    """
    with ops.name_scope(name, "UnicodeSplitWithOffsets", [input]):
        found, offsets = _decoded(input, input_encoding, errors, replacement_char, offsets=True)
        return _characters(found, input_encoding, errors, replacement_char), offsets


def _characters(code_points: Any, encoding: str, errors: str, replacement_char: int) -> Any:
    single = ragged_array_ops.expand_dims(code_points, -1)
    return unicode_encode(
        single, output_encoding=encoding, errors=errors, replacement_char=replacement_char
    )


def _decoded(
    input: TensorLike,
    input_encoding: str,
    errors: str,
    replacement_char: int,
    replace_control_characters: bool = False,
    offsets: bool = False,
) -> tuple[Any, Any]:
    """The code points, and where their bytes start (None unless `offsets`)."""
    value = convert_to_tensor_or_ragged_tensor(input, name="input")
    rank = value.shape.ndims
    if rank is None:
        raise ValueError("Rank of `input` must be statically known.")
    if rank > 1 and not is_ragged(value):
        value = RaggedTensor.from_tensor(value, ragged_rank=rank - 1)
    elif rank > 1 and value.ragged_rank < rank - 1:
        inner = RaggedTensor.from_tensor(
            value.flat_values, ragged_rank=rank - value.ragged_rank + 1
        )
        value = value.with_flat_values(inner)
    flat = array_ops.reshape(value.flat_values if is_ragged(value) else value, [-1])
    record = raw_ops.UnicodeDecodeWithOffsets if offsets else raw_ops.UnicodeDecode
    found = record(
        input=flat,
        input_encoding=input_encoding,
        errors=errors,
        replacement_char=replacement_char,
        replace_control_characters=replace_control_characters,
    )

    def rows(flat_result: Tensor) -> Any:
        if rank == 0:
            return flat_result
        result = RaggedTensor.from_row_splits(flat_result, found.row_splits, validate=False)
        return value.with_flat_values(result) if rank > 1 else result

    return rows(found.char_values), rows(found.char_to_byte_starts) if offsets else None


# Joining.


def reduce_join(
    inputs: TensorLike,
    axis: TensorLike | None = None,
    keepdims: bool | None = None,
    separator: str = "",
    name: Name = None,
) -> Any:
    """As `tf.strings.reduce_join`, where `inputs` may be ragged."""
    return ragged_math_ops.ragged_reduce_aggregate(
        string_ops.reduce_join,
        string_ops.unsorted_segment_join,
        inputs,
        axis,
        keepdims,
        separator,
        name or "RaggedSegmentJoin",
    )


@tf_export("strings.ngrams")
def ngrams(
    data: Any,
    ngram_width: Any,
    separator: str = " ",
    pad_values: Any = None,
    padding_width: int | None = None,
    preserve_short_sequences: bool = False,
    name: str | None = None,
) -> Any:
    """Runs of neighbouring strings, joined (as `tf.strings.ngrams` in TF 1.15).

    Args:
      data: a string tensor or ragged tensor [..., strings].
      ngram_width: how many strings a run has; several widths give the runs of each.
      separator: what stands between the strings of a run.
      pad_values: what each row is filled up with at both ends: one string, or (left, right); None
        for nothing.
      padding_width: how many at most; one less than the width by default.
      preserve_short_sequences: whether a row without any run gives one run of all its strings.
      name: a name scope.

    Returns:
      A ragged tensor of strings; a tensor for a tensor.

    Raises:
      TypeError, ValueError: the arguments do not fit.
    """
    with ops.name_scope(name, "StringNGrams", [data]):
        left_pad, right_pad = _paddings(pad_values)
        if padding_width is not None and padding_width < 1:
            raise ValueError("padding_width must be greater than 0.")
        if padding_width is not None and pad_values is None:
            raise ValueError("pad_values must be provided if padding_width is set.")
        more = (separator, pad_values, padding_width, preserve_short_sequences, name)
        data = convert_to_tensor_or_ragged_tensor(data, name="data", dtype=dtypes.string)
        dense_shape = None
        if isinstance(data, Tensor):
            dense_shape = array_ops.concat([array_ops.shape(data)[:-1], [-1]], axis=0)
            rank = data.shape.ndims
            if rank is None:
                raise ValueError("Rank of data must be known.")
            if rank == 0:
                raise ValueError("Data must have rank>0")
            if rank == 1:
                row = RaggedTensor.from_row_starts(data, [0], validate=False)
                return ngrams(row, ngram_width, *more)[0]
            data = RaggedTensor.from_tensor(data, ragged_rank=rank - 1)
        if data.ragged_rank > 1:
            output = data.with_values(ngrams(data.values, ngram_width, *more))
        else:
            widths = ngram_width if isinstance(ngram_width, list | tuple) else [ngram_width]
            if any(width < 1 for width in widths):
                raise ValueError(f"All ngram_widths must be greater than 0. Got {ngram_width}")
            if pad_values is None:
                padding_width = 0
            elif padding_width is None:
                padding_width = -1
            values, splits = raw_ops.StringNGrams(
                data=data.flat_values,
                data_splits=data.row_splits,
                separator=separator,
                ngram_widths=widths,
                left_pad=left_pad,
                right_pad=right_pad,
                pad_width=padding_width,
                preserve_short_sequences=preserve_short_sequences,
            )
            output = RaggedTensor.from_row_splits(values, splits, validate=False)
        if dense_shape is None:
            return output
        return array_ops.reshape(output.flat_values, dense_shape)


def _paddings(pad_values: Any) -> tuple[Any, Any]:
    """What fills up the left and the right ends."""
    if pad_values is None:
        return "", ""
    pair = pad_values if isinstance(pad_values, list | tuple) else (pad_values, pad_values)
    if not (isinstance(pair[0], bytes | str) and isinstance(pair[1], bytes | str)):
        raise TypeError("pad_values must be a string, tuple of strings, or None.")
    return pair[0], pair[1]
