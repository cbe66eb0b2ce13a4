"""Settings of convolution and pooling layers (`tensorflow.python.keras.utils.conv_utils`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.keras import backend_config


def convert_data_format(data_format: str, ndim: int) -> str:
    """The ops' name of a layer's data format, e.g. "NHWC".

    Raises:
      ValueError: no such data format or rank.
    """
    space = {3: "W", 4: "HW", 5: "DHW"}
    if data_format not in ("channels_last", "channels_first"):
        raise ValueError("Invalid data_format:", data_format)
    if ndim not in space:
        raise ValueError("Input rank not supported:", ndim)
    return f"N{space[ndim]}C" if data_format == "channels_last" else f"NC{space[ndim]}"


def normalize_tuple(value: Any, n: int, name: str) -> tuple[int, ...]:
    """`n` ints from one int or `n` of them.

    Raises:
      ValueError: they are not; the text names the argument.
    """
    if isinstance(value, int):
        return (value,) * n
    text = f"The `{name}` argument must be a tuple of {n} integers. Received: {value}"
    try:
        values = tuple(value)
    except TypeError:
        raise ValueError(text) from None
    if len(values) != n:
        raise ValueError(text)
    for single in values:
        try:
            int(single)
        except (ValueError, TypeError):
            raise ValueError(f"{text} including element {single} of type {type(single)}") from None
    return values


def normalize_data_format(value: Any) -> str:
    """ "channels_first" or "channels_last"; Keras's setting by default.

    Raises:
      ValueError: it is something else.
    """
    if value is None:
        value = backend_config.image_data_format()
    data_format = value.lower()
    if data_format not in {"channels_first", "channels_last"}:
        raise ValueError(
            'The `data_format` argument must be one of "channels_first", "channels_last". '
            f"Received: {value}"
        )
    return data_format


def normalize_padding(value: Any) -> Any:
    """A padding's name in lower case; lists stay.

    Raises:
      ValueError: no such padding.
    """
    if isinstance(value, list | tuple):
        return value
    padding = value.lower()
    if padding not in {"valid", "same", "causal"}:
        raise ValueError(
            'The `padding` argument must be a list/tuple or one of "valid", "same" (or "causal", '
            f"only for `Conv1D). Received: {padding}"
        )
    return padding


def conv_output_length(
    input_length: Any, filter_size: int, padding: str, stride: int, dilation: int = 1
) -> Any:
    """The size of one dimension after a convolution or pooling."""
    if input_length is None:
        return None
    assert padding in {"same", "valid", "full", "causal"}
    extent = filter_size + (filter_size - 1) * (dilation - 1)
    if padding == "valid":
        input_length = input_length - extent + 1
    elif padding == "full":
        input_length = input_length + extent - 1
    return (input_length + stride - 1) // stride


def deconv_output_length(
    input_length: Any, filter_size: int, padding: str, output_padding: Any = None, stride: int = 0,
    dilation: int = 1,
) -> Any:  # fmt: skip
    """The size of one dimension, an int or a tensor, after a transposed convolution."""
    assert padding in {"same", "valid", "full"}
    if input_length is None:
        return None
    extent = filter_size + (filter_size - 1) * (dilation - 1)
    if output_padding is None:
        if padding == "valid":
            return input_length * stride + max(extent - stride, 0)
        if padding == "full":
            return input_length * stride - (stride + extent - 2)
        return input_length * stride
    pad = {"same": extent // 2, "valid": 0, "full": extent - 1}[padding]
    return (input_length - 1) * stride + extent - 2 * pad + output_padding
