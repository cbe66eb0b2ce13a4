"""`tensorflow.python.ops.ragged.ragged_string_ops`: functions whose results may be ragged."""

from __future__ import annotations

from typing import Any, NoReturn

from tf1compat.api import array_ops, string_ops
from tf1compat.api.deprecation import deprecated_args, renamed
from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.sparse_tensor import SparseTensor
from tf1compat.core.tensor import Tensor


def _ragged(function: str) -> NoReturn:
    raise NotImplementedError(
        f"tf.RaggedTensor, which {function} needs for this input, is not supported by tf1compat yet"
    )


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
) -> SparseTensor:
    """Splits strings at any of some characters (as `tf.string_split` in TF 1.15).

    Args:
      source: a vector of strings.
      sep: the characters; a space by default, and "" splits into single bytes.
      skip_empty: whether to leave out empty parts.
      delimiter: deprecated name of `sep`.
      result_type: "SparseTensor" or "RaggedTensor".
      name: a name scope.

    Returns:
      A SparseTensor of strings, a row for each of `source`.

    Raises:
      ValueError: there is no such `result_type`.
    """
    with ops.name_scope(name, "StringSplit", [source]):
        found = string_ops.string_split(source, sep=sep, skip_empty=skip_empty, delimiter=delimiter)
        if result_type == "SparseTensor":
            return found
        if result_type == "RaggedTensor":
            _ragged("tf.string_split")
        raise ValueError("result_type must be 'RaggedTensor' or 'SparseTensor'.")


@tf_export("strings.split")
def strings_split_v1(
    input: Any = None,
    sep: Any = None,
    maxsplit: int = -1,
    result_type: str = "SparseTensor",
    source: Any = None,
    name: str | None = None,
) -> SparseTensor:
    """Splits strings as Python's `str.split` does (as `tf.strings.split` in TF 1.15).

    Args:
      input: a vector of strings.
      sep: what to split at; None or "" for white space.
      maxsplit: how often to split each string at most; -1 for no limit.
      result_type: "SparseTensor" or "RaggedTensor".
      source: another name of `input`.
      name: a name scope.

    Returns:
      A SparseTensor of strings, a row for each of `input`.
    """
    input = renamed("input", input, "source", source)
    with ops.name_scope(name, "StringSplit", [input]):
        input = ops.convert_to_tensor(input, dtypes.string, name="input")
        if result_type == "SparseTensor" and input.shape.rank == 1:
            return string_ops.string_split_v2(input, sep=sep, maxsplit=maxsplit)
        if result_type not in ("SparseTensor", "RaggedTensor"):
            raise ValueError("result_type must be 'RaggedTensor' or 'SparseTensor'.")
        _ragged("tf.strings.split")


@tf_export("strings.unicode_encode")
def unicode_encode(
    input: Any,
    output_encoding: str,
    errors: str = "replace",
    replacement_char: int = 65533,
    name: str | None = None,
) -> Tensor:
    """Texts made of code points (as `tf.strings.unicode_encode` in TF 1.15).

    Args:
      input: a vector of int32 code points.
      output_encoding: "UTF-8", "UTF-16-BE" or "UTF-32-BE".
      errors: what to do with numbers that are no code point: "replace", "ignore" or "strict".
      replacement_char: the code point that replaces them.
      name: a name scope.

    Returns:
      A scalar string tensor.

    Raises:
      ValueError: the rank of `input` is unknown, or 0.
    """
    with ops.name_scope(name, "UnicodeEncode", [input]):
        input = ops.convert_to_tensor(input)
        if input.shape.ndims is None:
            raise ValueError("Rank of input_tensor must be statically known.")
        if input.shape.ndims == 0:
            raise ValueError("input_tensor's rank must be at least 1.")
        if input.shape.ndims > 1:
            _ragged("tf.strings.unicode_encode")
        splits = array_ops.stack([0, array_ops.shape(input, out_type=dtypes.int32)[0]])
        # TF makes a ragged tensor of one row in between, and calls itself with it.
        with ops.name_scope(None, "RaggedFromRowSplits"):
            pass
        with ops.name_scope(None, "UnicodeEncode"):
            found = raw_ops.UnicodeEncode(
                input_values=input,
                input_splits=splits,
                output_encoding=output_encoding,
                errors=errors,
                replacement_char=replacement_char,
            )
        return array_ops.reshape(found, [])


def _decoded(op: Any, input: Any, function: str, **attrs: Any) -> Any:
    input = ops.convert_to_tensor(input, name="input")
    if input.shape.ndims is None:
        raise ValueError("Rank of `input` must be statically known.")
    if input.shape.ndims > 0:
        _ragged(function)
    return op(input=array_ops.reshape(input, [-1]), **attrs)


@tf_export("strings.unicode_decode")
def unicode_decode(
    input: Any,
    input_encoding: str,
    errors: str = "replace",
    replacement_char: int = 0xFFFD,
    replace_control_characters: bool = False,
    name: str | None = None,
) -> Tensor:
    """The code points of a text (as `tf.strings.unicode_decode` in TF 1.15).

    Args:
      input: a scalar string tensor.
      input_encoding: e.g. "UTF-8", "UTF-16-BE", "latin-1".
      errors: what to do with bytes that are no character: "replace", "ignore" or "strict".
      replacement_char: the code point that replaces them.
      replace_control_characters: whether it replaces control characters too.
      name: a name scope.

    Returns:
      A vector of int32.
    """
    with ops.name_scope(name, "UnicodeDecode", [input]):
        return _decoded(
            raw_ops.UnicodeDecode,
            input,
            "tf.strings.unicode_decode",
            input_encoding=input_encoding,
            errors=errors,
            replacement_char=replacement_char,
            replace_control_characters=replace_control_characters,
        ).char_values


@tf_export("strings.unicode_decode_with_offsets")
def unicode_decode_with_offsets(
    input: Any,
    input_encoding: str,
    errors: str = "replace",
    replacement_char: int = 0xFFFD,
    replace_control_characters: bool = False,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """As `tf.strings.unicode_decode`, with the places of the characters.

    Args:
      input: a scalar string tensor.
      input_encoding, errors, replacement_char, replace_control_characters: as there.
      name: a name scope.

    Returns:
      A vector of int32 code points, and one of int64: where the bytes of each start.
    """
    with ops.name_scope(name, "UnicodeDecodeWithOffsets", [input]):
        found = _decoded(
            raw_ops.UnicodeDecodeWithOffsets,
            input,
            "tf.strings.unicode_decode_with_offsets",
            input_encoding=input_encoding,
            errors=errors,
            replacement_char=replacement_char,
            replace_control_characters=replace_control_characters,
        )
        return found.char_values, found.char_to_byte_starts
