"""Settings of convolution and pooling layers (`tensorflow.python.keras.utils.conv_utils`)."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

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


def conv_input_length(output_length: Any, filter_size: int, padding: str, stride: int) -> Any:
    """The size of one dimension before a convolution."""
    if output_length is None:
        return None
    assert padding in {"same", "valid", "full"}
    pad = {"same": filter_size // 2, "valid": 0, "full": filter_size - 1}[padding]
    return (output_length - 1) * stride - 2 * pad + filter_size


def convert_kernel(kernel: Any) -> np.ndarray:
    """A kernel, flipped in all spatial dimensions.

    Raises:
      ValueError: it is of no such rank.
    """
    kernel = np.asarray(kernel)
    if not 3 <= kernel.ndim <= 5:
        raise ValueError("Invalid kernel shape:", kernel.shape)
    return np.flip(kernel, tuple(range(kernel.ndim - 2))).copy()


def conv_output_shape(
    input_shape: Any, kernel_shape: Any, strides: Any, padding: str
) -> tuple[int, ...]:
    """The spatial sizes after a convolution."""
    return tuple(
        0 if size == 0 else conv_output_length(size, kernel, padding, stride)
        for size, kernel, stride in zip(input_shape, kernel_shape, strides, strict=True)
    )


def conv_connected_inputs(
    input_shape: Any, kernel_shape: Any, output_position: Any, strides: Any, padding: str
) -> list[range]:
    """The inputs that a place of the output is computed from: a range for each dimension."""
    ranges = []
    for size, kernel, at, stride in zip(
        input_shape, kernel_shape, output_position, strides, strict=True
    ):
        left = int(kernel / 2)
        center = at * stride + (left if padding == "valid" else 0)
        ranges.append(range(max(0, center - left), min(size, center + kernel - left)))
    return ranges


def _as_tuples(input_shape: Any, kernel_shape: Any, strides: Any, padding: str) -> Any:
    if padding not in ("same", "valid"):
        raise NotImplementedError(
            f'Padding type {padding} not supported. Only "valid" and "same" are implemented.'
        )
    rank = len(input_shape)
    if isinstance(kernel_shape, int):
        kernel_shape = (kernel_shape,) * rank
    if isinstance(strides, int):
        strides = (strides,) * rank
    if len(kernel_shape) != rank or len(strides) != rank:
        raise ValueError(
            "Number of strides, input and kernel dimensions must all match. Received: "
            f"{len(strides)}, {rank}, {len(kernel_shape)}."
        )
    return kernel_shape, strides, conv_output_shape(input_shape, kernel_shape, strides, padding)


def conv_kernel_mask(input_shape: Any, kernel_shape: Any, strides: Any, padding: str) -> np.ndarray:
    """Which places of the input (first dimensions) each place of the output (last ones) is
    computed from."""
    kernel_shape, strides, output_shape = _as_tuples(input_shape, kernel_shape, strides, padding)
    mask = np.zeros((*input_shape, *output_shape), bool)
    for at in itertools.product(*map(range, output_shape)):
        inputs = conv_connected_inputs(input_shape, kernel_shape, at, strides, padding)
        for place in itertools.product(*inputs):
            mask[place + at] = True
    return mask


def conv_kernel_idxs(
    input_shape: Any, kernel_shape: Any, strides: Any, padding: str, filters_in: int,
    filters_out: int, data_format: str,
) -> Iterator[tuple[int, int]]:  # fmt: skip
    """The (output, input) pairs, as places in flattened arrays, that a convolution connects."""
    kernel_shape, strides, output_shape = _as_tuples(input_shape, kernel_shape, strides, padding)
    if data_format not in ("channels_first", "channels_last"):
        raise ValueError(
            f'Data format {data_format} not recignized.`data_format` must be "channels_first" or '
            '"channels_last".'
        )
    first = data_format == "channels_first"

    def joined(space: Any, channel: int) -> tuple[int, ...]:
        return (channel, *space) if first else (*space, channel)

    out_dims, in_dims = joined(output_shape, filters_out), joined(input_shape, filters_in)
    for at in itertools.product(*map(range, output_shape)):
        inputs = conv_connected_inputs(input_shape, kernel_shape, at, strides, padding)
        for place in itertools.product(*inputs):
            for channel_in in range(filters_in):
                for channel_out in range(filters_out):
                    yield (
                        int(np.ravel_multi_index(joined(at, channel_out), out_dims)),
                        int(np.ravel_multi_index(joined(place, channel_in), in_dims)),
                    )
