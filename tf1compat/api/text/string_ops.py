"""`tensorflow.python.ops.string_ops`: string tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.math import math_ops
from tf1compat.api.util.deprecation import deprecated, deprecated_args, renamed
from tf1compat.api.util.dispatch import add_dispatch_support
from tf1compat.core import dtypes, ops, raw_ops, tensor_util
from tf1compat.core.export import tf_export
from tf1compat.core.sparse_tensor import SparseTensor
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import DTypeLike, Name, TensorLike


@tf_export("strings.as_string", "as_string", "dtypes.as_string")
@add_dispatch_support
def as_string(
    input: TensorLike,
    precision: int = -1,
    scientific: bool = False,
    shortest: bool = False,
    width: int = -1,
    fill: str = "",
    name: str | None = None,
) -> Tensor:
    """Numbers and bools as text, as C's printf writes them (as `tf.as_string` in TF 1.15).

    Args:
      input: integers, floats, complex numbers or bools.
      precision: digits after the point; -1 for C's 6.
      scientific: whether to write an exponent.
      shortest: whether to choose the shorter of both forms.
      width: what is shorter is filled up to it; -1 for none.
      fill: what to fill with: "", " ", "0", or a flag of printf ("-", "+", "#").
      name: the operation's name.

    Returns:
      A string tensor of the shape of `input`.

    Raises:
      InvalidArgumentError: at run time, if the settings do not fit the dtype.
    """
    return raw_ops.AsString(
        input,
        precision=precision,
        scientific=scientific,
        shortest=shortest,
        width=width,
        fill=fill,
        name=name,
    )


@tf_export("strings.regex_full_match")
@add_dispatch_support
def regex_full_match(input: TensorLike, pattern: Any, name: str | None = None) -> Tensor:
    """Whether a regular expression matches all of each string.

    Args:
      input: a string tensor.
      pattern: of the RE2 library; a string or a scalar string tensor.
      name: the operation's name.

    Returns:
      A bool tensor of the shape of `input`.
    """
    if isinstance(pattern, bytes | str):
        return raw_ops.StaticRegexFullMatch(input=input, pattern=pattern, name=name)
    return raw_ops.RegexFullMatch(input=input, pattern=pattern, name=name)


@tf_export("strings.regex_replace", "regex_replace")
@add_dispatch_support
def regex_replace(
    input: TensorLike,
    pattern: Any,
    rewrite: Any,
    replace_global: bool = True,
    name: str | None = None,
) -> Tensor:
    r"""Replaces what a regular expression matches.

    Args:
      input: a string tensor.
      pattern: of the RE2 library; a string or a scalar string tensor.
      rewrite: what to put there; `\1` to `\9` are what the groups matched.
      replace_global: whether to replace all matches, or the first of each string.
      name: the operation's name.

    Returns:
      A string tensor of the shape of `input`.
    """
    if isinstance(pattern, bytes | str) and isinstance(rewrite, bytes | str):
        return raw_ops.StaticRegexReplace(
            input=input,
            pattern=pattern,
            rewrite=rewrite,
            replace_global=replace_global,
            name=name,
        )
    return raw_ops.RegexReplace(
        input=input, pattern=pattern, rewrite=rewrite, replace_global=replace_global, name=name
    )


@tf_export("strings.format")
def string_format(
    template: str, inputs: Any, placeholder: str = "{}", summarize: int = 3, name: str | None = None
) -> Tensor:
    """A text with tensors in it (as `tf.strings.format` in TF 1.15).

    Args:
      template: the text.
      inputs: a tensor, or one for each placeholder in the text.
      placeholder: what stands for a tensor.
      summarize: how many elements are shown at each end of each dimension; -1 for all.
      name: the operation's name.

    Returns:
      A scalar string tensor.

    Raises:
      ValueError: there are more or fewer placeholders than tensors.
    """
    if tensor_util.is_tensor(inputs):
        inputs = [inputs]
    if template.count(placeholder) != len(inputs):
        raise ValueError(
            f"{template.count(placeholder)} placeholder(s) in template does not match "
            f"{len(inputs)} tensor(s) provided as input"
        )
    return raw_ops.StringFormat(
        inputs, template=template, placeholder=placeholder, summarize=summarize, name=name
    )


def string_split(
    source: Any, sep: Any = None, skip_empty: bool = True, delimiter: Any = None
) -> SparseTensor:
    """Splits strings at any of some characters; see `tf.string_split`."""
    delimiter = renamed("sep", sep, "delimiter", delimiter)
    delimiter = ops.convert_to_tensor(" " if delimiter is None else delimiter, dtypes.string)
    source = ops.convert_to_tensor(source, dtypes.string)
    found = raw_ops.StringSplit(source, delimiter=delimiter, skip_empty=skip_empty)
    return _as_sparse(*found)


def string_split_v2(source: Any, sep: Any = None, maxsplit: int = -1) -> SparseTensor:
    """Splits strings as Python's `str.split` does; see `tf.strings.split`."""
    sep = ops.convert_to_tensor("" if sep is None else sep, dtypes.string)
    source = ops.convert_to_tensor(source, dtypes.string)
    return _as_sparse(*raw_ops.StringSplitV2(source, sep=sep, maxsplit=maxsplit))


def _as_sparse(indices: Tensor, values: Tensor, shape: Tensor) -> SparseTensor:
    indices.set_shape([None, 2])
    values.set_shape([None])
    shape.set_shape([2])
    return SparseTensor(indices, values, shape)


@tf_export("strings.join", "string_join")
@add_dispatch_support
def string_join(inputs: TensorLike, separator: str = "", name: str | None = None) -> Tensor:
    """Joins strings, element by element.

    Args:
      inputs: a list of string tensors, of one shape or scalars.
      separator: what to put between them.
      name: the operation's name.

    Returns:
      A string tensor.
    """
    return raw_ops.StringJoin(inputs, separator=separator, name=name)


def _reduced_dims(x: Tensor, axis: Any) -> Any:
    """The dimensions to reduce, from the last to the first where none are named."""
    if axis is not None:
        return axis
    if x._shape is not None:
        return constant_op.constant(np.arange(len(x._shape) - 1, -1, -1), dtype=dtypes.int32)
    return math_ops.range(array_ops.rank(x) - 1, -1, -1)


@tf_export("compat.v2.strings.reduce_join")
@add_dispatch_support
def reduce_join_v2(
    inputs: TensorLike,
    axis: TensorLike | None = None,
    keepdims: bool = False,
    separator: str = "",
    name: Name = None,
) -> Tensor:
    """As `tf.strings.reduce_join`, without the deprecated arguments.

    Args:
      inputs, axis, keepdims, separator, name: as in `reduce_join`.

    Returns:
      As `reduce_join`.
    """
    with ops.name_scope(None, "ReduceJoin", [inputs, axis]):
        inputs = ops.convert_to_tensor(inputs)
        axis = _reduced_dims(inputs, axis)
        return raw_ops.ReduceJoin(
            inputs=inputs,
            reduction_indices=axis,
            keep_dims=keepdims,
            separator=separator,
            name=name,
        )


@tf_export("strings.reduce_join", "reduce_join")
@deprecated_args(None, "keep_dims is deprecated, use keepdims instead", "keep_dims")
def reduce_join(
    inputs: TensorLike,
    axis: TensorLike | None = None,
    keep_dims: bool | None = None,
    separator: str = "",
    name: str | None = None,
    reduction_indices: TensorLike | None = None,
    keepdims: bool | None = None,
) -> Tensor:
    """Joins strings along dimensions.

    Args:
      inputs: a string tensor.
      axis: the dimensions, the one that runs fastest first; None for all, from the last on.
      keep_dims: deprecated name of `keepdims`.
      separator: what to put between strings.
      name: the operation's name.
      reduction_indices: old name of `axis`.
      keepdims: whether the dimensions stay, with size 1.

    Returns:
      A string tensor.
    """
    keepdims = renamed("keepdims", keepdims, "keep_dims", keep_dims)
    axis = renamed("axis", axis, "reduction_indices", reduction_indices)
    return reduce_join_v2(
        inputs=inputs,
        axis=axis,
        keepdims=False if keep_dims is None and keepdims is None else keepdims,
        separator=separator,
        name=name,
    )


@tf_export("strings.unsorted_segment_join")
def unsorted_segment_join(
    inputs: TensorLike,
    segment_ids: TensorLike,
    num_segments: TensorLike,
    separator: str = "",
    name: str | None = None,
) -> Tensor:
    """Joins the strings of each segment.

    Args:
      inputs: a string tensor.
      segment_ids: int32 or int64: the segment of each slice; its shape starts that of `inputs`.
      num_segments: how many segments there are.
      separator: what to put between strings.
      name: the operation's name.

    Returns:
      A string tensor of shape `[num_segments, …]`.
    """
    return raw_ops.UnsortedSegmentJoin(
        inputs, segment_ids, num_segments, separator=separator, name=name
    )


@tf_export("strings.length")
@add_dispatch_support
def string_length(input: TensorLike, name: str | None = None, unit: str = "BYTE") -> Tensor:
    """The lengths of strings.

    Args:
      input: a string tensor.
      name: the operation's name.
      unit: "BYTE" or "UTF8_CHAR".

    Returns:
      An int32 tensor of the shape of `input`.
    """
    return raw_ops.StringLength(input, unit=unit, name=name)


@add_dispatch_support
def string_length_v2(input: TensorLike, unit: str = "BYTE", name: str | None = None) -> Tensor:
    """As `string_length`, with `name` last."""
    return raw_ops.StringLength(input, unit=unit, name=name)


@tf_export("substr")
@deprecated(None, "Use `tf.strings.substr` instead of `tf.substr`.")
def substr_deprecated(
    input: TensorLike, pos: Any, len: Any, name: str | None = None, unit: str = "BYTE"
) -> Tensor:
    """As `tf.strings.substr`.

    Args:
      input, pos, len, name, unit: as in `substr`.

    Returns:
      As `substr`.
    """
    return substr(input, pos, len, name=name, unit=unit)


@tf_export("strings.substr")
@add_dispatch_support
def substr(
    input: TensorLike, pos: Any, len: Any, name: str | None = None, unit: str = "BYTE"
) -> Tensor:
    """Parts of strings.

    Args:
      input: a string tensor.
      pos: int32 or int64: where the parts start; from the end if negative.
      len: how long they are, of the type and shape of `pos`.
      name: the operation's name.
      unit: what is counted: "BYTE" or "UTF8_CHAR".

    Returns:
      A string tensor; `input` and `pos` are broadcast.

    Raises:
      InvalidArgumentError: at run time, if a part starts outside of its string.
    """
    return raw_ops.Substr(input, pos, len, unit=unit, name=name)


@add_dispatch_support
def substr_v2(
    input: TensorLike, pos: Any, len: Any, unit: str = "BYTE", name: str | None = None
) -> Tensor:
    """As `substr`, with `name` last."""
    return raw_ops.Substr(input, pos, len, unit=unit, name=name)


@tf_export("strings.strip", "string_strip")
@add_dispatch_support
def string_strip(input: TensorLike, name: str | None = None) -> Tensor:
    """Strings without the white space around them.

    Args:
      input: a string tensor.
      name: the operation's name.

    Returns:
      A string tensor of that shape.
    """
    return raw_ops.StringStrip(input, name=name)


@tf_export("strings.lower")
def string_lower(input: TensorLike, encoding: str = "", name: str | None = None) -> Tensor:
    """Strings in lower case.

    Args:
      input: a string tensor.
      encoding: "utf-8", or "" for ASCII.
      name: the operation's name.

    Returns:
      A string tensor of the same shape.
    """
    return raw_ops.StringLower(input, encoding=encoding, name=name)


@tf_export("strings.upper")
def string_upper(input: TensorLike, encoding: str = "", name: str | None = None) -> Tensor:
    """Strings in upper case.

    Args:
      input: a string tensor.
      encoding: "utf-8", or "" for ASCII.
      name: the operation's name.

    Returns:
      A string tensor of the same shape.
    """
    return raw_ops.StringUpper(input, encoding=encoding, name=name)


@tf_export("io.encode_base64", "encode_base64")
@add_dispatch_support
def encode_base64(input: TensorLike, pad: bool = False, name: str | None = None) -> Tensor:
    """Strings in base 64, in its form for URLs.

    Args:
      input: a string tensor.
      pad: whether to fill up to a multiple of 4 characters with "=".
      name: the operation's name.

    Returns:
      A string tensor of the same shape.
    """
    return raw_ops.EncodeBase64(input, pad=pad, name=name)


@tf_export("io.decode_base64", "decode_base64")
@add_dispatch_support
def decode_base64(input: TensorLike, name: str | None = None) -> Tensor:
    """The inverse of `tf.io.encode_base64`.

    Args:
      input: a string tensor, web-safe base64 with or without padding.
      name: the operation's name.

    Returns:
      A string tensor of that shape.
    """
    return raw_ops.DecodeBase64(input, name=name)


@add_dispatch_support
def string_to_number(
    input: TensorLike, out_type: DTypeLike = dtypes.float32, name: Name = None
) -> Tensor:
    """As `tf.strings.to_number`, without the deprecated arguments."""
    return raw_ops.StringToNumber(input, out_type, name)


@tf_export("strings.to_number", "string_to_number")
def string_to_number_v1(
    string_tensor: Any = None,
    out_type: DTypeLike = dtypes.float32,
    name: str | None = None,
    input: TensorLike | None = None,
) -> Tensor:
    """Strings as numbers.

    Args:
      string_tensor: a string tensor.
      out_type: float32, float64, int32 or int64.
      name: the operation's name.
      input: another name of `string_tensor`.

    Returns:
      A tensor of `out_type` and the shape of the strings.

    Raises:
      InvalidArgumentError: at run time, if a string is no such number.
    """
    string_tensor = renamed("input", input, "string_tensor", string_tensor)
    return raw_ops.StringToNumber(string_tensor, out_type, name)


@add_dispatch_support
def string_to_hash_bucket(input: TensorLike, num_buckets: int, name: str | None = None) -> Tensor:
    """As `tf.strings.to_hash_bucket`, without the deprecated arguments."""
    return raw_ops.StringToHashBucket(input, num_buckets, name)


@tf_export("strings.to_hash_bucket", "string_to_hash_bucket")
def string_to_hash_bucket_v1(
    string_tensor: Any = None,
    num_buckets: TensorLike | None = None,
    name: str | None = None,
    input: TensorLike | None = None,
) -> Tensor:
    """The hash of each string, modulo a number of buckets.

    Args:
      string_tensor: a string tensor.
      num_buckets: how many buckets there are.
      name: the operation's name.
      input: another name of `string_tensor`.

    Returns:
      An int64 tensor of the shape of the strings.
    """
    string_tensor = renamed("input", input, "string_tensor", string_tensor)
    return raw_ops.StringToHashBucket(string_tensor, num_buckets, name)


@tf_export("strings.to_hash_bucket_fast", "string_to_hash_bucket_fast")
@add_dispatch_support
def string_to_hash_bucket_fast(
    input: TensorLike, num_buckets: int, name: str | None = None
) -> Tensor:
    """The FarmHash fingerprint of each string, modulo a number of buckets (int64).

    Args:
      input: a string tensor.
      num_buckets: an int, at least 1.
      name: the operation's name.

    Returns:
      An int64 tensor of that shape.
    """
    return raw_ops.StringToHashBucketFast(input, num_buckets, name=name)


@tf_export("strings.to_hash_bucket_strong", "string_to_hash_bucket_strong")
@add_dispatch_support
def string_to_hash_bucket_strong(
    input: TensorLike, num_buckets: int, key: Any, name: str | None = None
) -> Tensor:
    """The SipHash of each string, modulo a number of buckets (int64).

    Args:
      input: a string tensor.
      num_buckets: how many buckets there are.
      key: two integers.
      name: the operation's name.

    Returns:
      An int64 tensor of the same shape.
    """
    return raw_ops.StringToHashBucketStrong(input, num_buckets, key, name=name)


@tf_export("strings.unicode_script")
@add_dispatch_support
def unicode_script(input: TensorLike, name: str | None = None) -> Tensor:
    """The script of each code point, as the ICU library numbers them; -1 for none.

    Args:
      input: int32 code points.
      name: the operation's name.

    Returns:
      An int32 tensor of the same shape.
    """
    return raw_ops.UnicodeScript(input, name=name)


@tf_export("strings.unicode_transcode")
def unicode_transcode(
    input: TensorLike,
    input_encoding: str,
    output_encoding: str,
    errors: str = "replace",
    replacement_char: int = 65533,
    replace_control_characters: bool = False,
    name: str | None = None,
) -> Tensor:
    """Texts in another encoding.

    Args:
      input: a string tensor.
      input_encoding: e.g. "UTF-8", "UTF-16-BE", "latin-1".
      output_encoding: "UTF-8", "UTF-16-BE" or "UTF-32-BE".
      errors: what to do with bytes that are no character: "replace", "ignore" or "strict".
      replacement_char: the code point that replaces them.
      replace_control_characters: whether it replaces control characters too.
      name: the operation's name.

    Returns:
      A string tensor of the shape of `input`.
    """
    return raw_ops.UnicodeTranscode(
        input,
        input_encoding,
        output_encoding,
        errors=errors,
        replacement_char=replacement_char,
        replace_control_characters=replace_control_characters,
        name=name,
    )
