"""Convolutions and pooling of any number of spatial dimensions, dilated ones too
(`tensorflow.python.ops.nn_ops`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.nn import nn_ops
from tf1compat.api.util.deprecation import deprecated_arg_values, renamed
from tf1compat.core import dtypes, ops, raw_ops, tensor_util
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import TensorShape, as_shape, dimension_at_index
from tf1compat.core.typing import Name, TensorLike


def _format_1d(data_format: Any) -> tuple[str, int, int]:
    """A 1-D data format as (that of the 2-D convolution, where its extra dimension goes, channel
    index)."""
    if data_format in (None, "NHWC", "NWC"):
        return "NHWC", 1, 2
    if data_format in ("NCHW", "NCW"):
        return "NCHW", 2, 1
    raise ValueError('data_format must be "NWC" or "NCW".')


@tf_export("nn.conv1d")
@deprecated_arg_values(
    None, "`NCHW` for data_format is deprecated, use `NCW` instead", data_format="NCHW"
)
@deprecated_arg_values(
    None, "`NHWC` for data_format is deprecated, use `NWC` instead", data_format="NHWC"
)
def conv1d(
    value: TensorLike | None = None, filters: Any = None, stride: Any = None, padding: Any = None,
    use_cudnn_on_gpu: Any = None, data_format: str | None = None, name: Name = None,
    input: TensorLike | None = None,
    dilations: Any = None,
) -> Tensor:  # fmt: skip
    """The 1-D convolution, as a 2-D one of height 1.

    Args:
      value, input: [batch, width, channels] ("NWC") or [batch, channels, width] ("NCW").
      filters: [width, in channels, out channels].
      stride: one or three ints.
      padding: "SAME" or "VALID".
      use_cudnn_on_gpu: recorded; XLA decides.
      data_format: "NWC" or "NCW".
      name: the operation's name.
      dilations: one or three ints.

    Returns:
      [batch, new width, filters], or channels second for "NCW".
    """
    value = renamed("input", input, "value", value)
    with ops.name_scope(name, "conv1d", [value, filters]) as name:
        data_format, at, channel = _format_1d(data_format)
        strides = [1, *nn_ops._sequence(stride, 1, channel, "stride")]
        dilations = [1, *nn_ops._sequence(dilations, 1, channel, "dilations")]
        value = array_ops.expand_dims(value, at)
        filters = array_ops.expand_dims(filters, 0)
        # None stands for the default of the op.
        attrs = {} if use_cudnn_on_gpu is None else {"use_cudnn_on_gpu": use_cudnn_on_gpu}
        result = raw_ops.Conv2D(
            value, filters, strides, padding, data_format=data_format, dilations=dilations,
            name=name, **attrs,
        )  # fmt: skip
        return array_ops.squeeze(result, [at])


@tf_export("nn.conv1d_transpose")
def conv1d_transpose(
    input: TensorLike, filters: Any, output_shape: Any, strides: Any, padding: str = "SAME",
    data_format: str | None = "NWC", dilations: Any = None, name: Name = None,
) -> Tensor:  # fmt: skip
    """The transpose of `conv1d`, whose output has shape `output_shape`.

    Args:
      input: [batch, width, channels] ("NWC") or [batch, channels, width] ("NCW").
      filters: [width, out channels of the result, channels of `input`].
      output_shape: an int32 vector [3].
      strides: one or three ints.
      padding: "SAME" or "VALID".
      data_format: "NWC" or "NCW".
      dilations: one or three ints.
      name: the operation's name.

    Returns:
      A tensor of `output_shape`.
    """
    with ops.name_scope(name, "conv1d_transpose", [input, filters, output_shape]) as name:
        if data_format not in (None, "NWC", "NCW"):
            raise ValueError('data_format must be "NWC" or "NCW".')
        data_format, at, channel = _format_1d(data_format)
        strides = [1, *nn_ops._sequence(strides, 1, channel, "stride")]
        dilations = [1, *nn_ops._sequence(dilations, 1, channel, "dilations")]
        input = array_ops.expand_dims(input, at)
        filters = array_ops.expand_dims(filters, 0)
        if not isinstance(output_shape, Tensor):
            output_shape = list(output_shape)
        output_shape = array_ops.concat([output_shape[:at], [1], output_shape[at:]], 0)
        result = raw_ops.Conv2DBackpropInput(
            output_shape, filters, input, strides, padding, data_format=data_format,
            dilations=dilations, name=name,
        )  # fmt: skip
        return array_ops.squeeze(result, at)


class _NonAtrousConvolution:
    """A convolution whose settings are checked once and that is then applied to tensors.

    Args:
      input_shape, filter_shape: TensorShapes; one of the ranks must be known.
      padding: "SAME" or "VALID".
      data_format: e.g. "NHWC"; channels last by default.
      strides: one int for each spatial dimension.
      name: the operation's name.
    """

    def __init__(
        self, input_shape: Any, filter_shape: Any, padding: Any,
        data_format: str | None = None, strides: Any = None, name: Name = None,
    ):  # fmt: skip
        filter_shape = filter_shape.with_rank(input_shape.ndims)
        input_shape = input_shape.with_rank(filter_shape.ndims)
        if input_shape.ndims is None:
            raise ValueError("Rank of convolution must be known")
        if not 3 <= input_shape.ndims <= 5:
            raise ValueError("`input` and `filter` must have rank at least 3 and at most 5")
        count = input_shape.ndims - 2
        if strides is None:
            strides = [1] * count
        elif len(strides) != count:
            raise ValueError(f"len(strides)={len(strides)}, but should be {count}")
        self.padding = padding
        self.name = name
        if count == 1:
            data_format = data_format or "NWC"
            if data_format not in {"NCW", "NWC", "NCHW", "NHWC"}:
                raise ValueError('data_format must be "NWC" or "NCW".')
            self.strides = strides[0]
        else:
            last, first = ("NHWC", "NCHW") if count == 2 else ("NDHWC", "NCDHW")
            data_format = data_format or last
            if data_format not in (last, first):
                have = "" if count == 2 else f" Have: {data_format}"
                raise ValueError(f'data_format must be "{last}" or "{first}".{have}')
            self.strides = [1, 1, *strides] if data_format == first else [1, *strides, 1]
        self.data_format = data_format
        self.conv_op = {1: self._conv1d, 2: nn_ops.conv2d, 3: raw_ops.Conv3D}[count]

    @staticmethod
    def _conv1d(input: TensorLike, filter: TensorLike, strides: Any, **rest: Any) -> Tensor:
        return conv1d(input, filter, strides, **rest)

    def __call__(self, inp: Any, filter: Any) -> Tensor:
        return self.conv_op(
            input=inp, filter=filter, strides=self.strides, padding=self.padding,
            data_format=self.data_format, name=self.name,
        )  # fmt: skip


@tf_export("nn.with_space_to_batch")
def with_space_to_batch(
    input: TensorLike, dilation_rate: Any, padding: str, op: Callable[[Any, int, str], Tensor],
    filter_shape: Any = None, spatial_dims: Any = None, data_format: str | None = None,
) -> Tensor:  # fmt: skip
    """Applies `op` to `input` with the spatial dimensions dilated, by moving blocks of them into
    the batch.

    Args:
      input: a tensor.
      dilation_rate: ints, one for each spatial dimension.
      padding: "SAME" or "VALID".
      op: a function of (input, number of spatial dimensions, padding).
      filter_shape: the shape of the windows, needed for "SAME".
      spatial_dims: the spatial dimensions, ascending.
      data_format: where the channels are.

    Returns:
      What `op` gives, its blocks put back: a tensor of its dtype.
    """
    input = ops.convert_to_tensor(input, name="input")

    def build_op(num_spatial_dims: int, padding: str) -> Callable[[Any, Any], Tensor]:
        return lambda inp, _: op(inp, num_spatial_dims, padding)

    dilated = _WithSpaceToBatch(
        input.get_shape(), dilation_rate, padding, build_op, filter_shape=filter_shape,
        spatial_dims=spatial_dims, data_format=data_format,
    )  # fmt: skip
    return dilated(input, None)


class _WithSpaceToBatch:
    """`with_space_to_batch` as an object that is applied to (input, filter) later."""

    def __init__(
        self, input_shape: TensorShape, dilation_rate: Any, padding: str,
        build_op: Callable[[int, str], Callable[[Any, Any], Tensor]], filter_shape: Any = None,
        spatial_dims: Any = None, data_format: str | None = None,
    ):  # fmt: skip
        rate = ops.convert_to_tensor(dilation_rate, dtypes.int32, name="dilation_rate")
        try:
            rate_shape = rate.get_shape().with_rank(1)
        except ValueError:
            raise ValueError("rate must be rank 1") from None
        if not rate_shape.is_fully_defined():
            raise ValueError("rate must have known shape")
        count = int(rate_shape[0])
        channels_first = data_format is not None and data_format.startswith("NC")
        if spatial_dims is None:
            first = 2 if channels_first else 1
            spatial_dims = range(first, count + first)
        given = list(spatial_dims)
        spatial_dims = sorted({int(x) for x in given})
        if spatial_dims != given or any(x < 1 for x in spatial_dims):
            raise ValueError(
                "spatial_dims must be a montonically increasing sequence of positive integers"
            )
        rank = spatial_dims[-1] if channels_first else spatial_dims[-1] + 1
        try:
            input_shape.with_rank_at_least(rank)
        except ValueError:
            raise ValueError(f"input tensor must have rank {rank} at least") from None
        known_rate = tensor_util.constant_value(rate)
        if known_rate is not None:
            if np.any(known_rate < 1):
                raise ValueError("dilation_rate must be positive")
            if np.all(known_rate == 1):
                self.call = build_op(count, padding)
                return
        self.base_paddings: Any = None
        self.rate_or_known: Any = rate if known_rate is None else known_rate
        if padding == "SAME":
            if filter_shape is None:
                raise ValueError("filter_shape must be specified for SAME padding")
            filter_shape = ops.convert_to_tensor(filter_shape, name="filter_shape")
            known_filter = tensor_util.constant_value(filter_shape)
            if known_filter is not None:
                self.base_paddings = _base_paddings(known_filter, count, self.rate_or_known)
        elif padding == "VALID":
            self.base_paddings = np.zeros([count, 2], np.int32)
        else:
            raise ValueError(f"Invalid padding method {padding!r}")
        self.num_spatial_dims = count
        self.input_shape = input_shape
        self.spatial_dims = spatial_dims
        self.dilation_rate = rate
        self.channels_first = channels_first
        self.op = build_op(count, "VALID")
        self.call = self._dilated

    def _dilated(self, inp: Any, filter: Any) -> Tensor:
        sizes: Any = None
        if self.input_shape.ndims is not None:
            whole = self.input_shape.as_list()
            sizes = [whole[i] for i in self.spatial_dims]
        if sizes is None or None in sizes:
            shape = array_ops.shape(inp)
            sizes = array_ops.stack([shape[i] for i in self.spatial_dims])
        base = self.base_paddings
        if base is None:
            base = _base_paddings(
                array_ops.shape(filter), self.num_spatial_dims, self.rate_or_known
            )
        paddings, crops = array_ops.required_space_to_batch_paddings(
            input_shape=sizes, base_paddings=base, block_shape=self.dilation_rate
        )
        rate = _adjusted(self.dilation_rate, 1, self.spatial_dims)
        paddings = _adjusted(paddings, 0, self.spatial_dims)
        crops = _adjusted(crops, 0, self.spatial_dims)
        converted = array_ops.space_to_batch_nd(input=inp, block_shape=rate, paddings=paddings)
        result = self.op(converted, filter)
        result = array_ops.batch_to_space_nd(input=result, block_shape=rate, crops=crops)
        if self.channels_first and filter is not None:
            shape = result.get_shape().as_list()
            if not shape[1]:
                shape[1] = filter.shape[-1]
                result.set_shape(shape)
        return result

    def __call__(self, inp: Any, filter: Any) -> Tensor:
        return self.call(inp, filter)


def _base_paddings(filter_shape: Any, count: int, rate: Any) -> Tensor:
    """The paddings that "SAME" asks for around a dilated filter."""
    space = filter_shape[:count]
    dilated = space + (space - 1) * (rate - 1)
    extra = dilated - 1
    start = extra // 2
    end = extra - start
    return array_ops.stack([[start[i], end[i]] for i in range(count)])


def _adjusted(orig: Tensor, fill_value: int, spatial_dims: list[int]) -> Any:
    """`orig`, with one row for each spatial dimension, filled up for the dimensions in between."""
    rest: list[Any] = orig.get_shape().as_list()[1:]
    dtype = orig.dtype.as_numpy_dtype
    known = tensor_util.constant_value(orig)
    rows: Any = orig if known is None else known
    parts = []
    before = 0
    i = 0
    while i < len(spatial_dims):
        first, dim = i, spatial_dims[i]
        if dim > 1:
            parts.append(np.full([dim - 1 - before, *rest], fill_value, dtype=dtype))
        while i + 1 < len(spatial_dims) and spatial_dims[i + 1] == spatial_dims[i] + 1:
            i += 1
        parts.append(rows[first : i + 1])
        before = spatial_dims[i]
        i += 1
    return array_ops.concat(parts, 0) if known is None else np.concatenate(parts)


def _strides_and_rate(
    count: int, strides: Any, dilation_rate: Any
) -> tuple[np.ndarray, np.ndarray]:
    def checked(values: Any, name: str, but: str) -> np.ndarray:
        if values is None:
            values = [1] * count
        elif len(values) != count:
            raise ValueError(f"len({name})={len(values)} but should be {count}")
        array = np.array(values, dtype=np.int32)
        if np.any(array < 1):
            raise ValueError(f"all values of {but} must be positive")
        return array

    dilation_rate = checked(dilation_rate, "dilation_rate", "dilation_rate")
    strides = checked(strides, "strides", "strides")
    if np.any(strides > 1) and np.any(dilation_rate > 1):
        raise ValueError("strides > 1 not supported in conjunction with dilation_rate > 1")
    return strides, dilation_rate


@tf_export("nn.convolution")
def convolution(
    input: TensorLike, filter: TensorLike, padding: Any, strides: Any = None,
    dilation_rate: Any = None,
    name: Name = None, data_format: str | None = None, filters: Any = None, dilations: Any = None,
) -> Tensor:  # fmt: skip
    """A convolution over 1, 2 or 3 spatial dimensions.

    Args:
      input: [batch, *space, channels], or [batch, channels, *space].
      filter, filters: [*window, in channels, out channels].
      padding: "SAME" or "VALID".
      strides, dilation_rate, dilations: one int for each spatial dimension; not both above 1.
      name: the operation's name.
      data_format: "NWC", "NCW", "NHWC", "NCHW", "NDHWC" or "NCDHW".

    Returns:
      [batch, new spatial dimensions, filters], or channels second for "NC…".
    """
    filter = renamed("filters", filters, "filter", filter)
    dilation_rate = renamed("dilations", dilations, "dilation_rate", dilation_rate)
    return convolution_internal(
        input, filter, strides=strides, padding=padding, data_format=data_format,
        dilations=dilation_rate, name=name,
    )  # fmt: skip


def convolution_internal(
    input: Any, filters: Any, strides: Any = None, padding: Any = "VALID", data_format: Any = None,
    dilations: Any = None, name: Name = None, call_from_convolution: bool = True,
) -> Tensor:  # fmt: skip
    """As `convolution`."""
    rank = as_shape(input.shape).ndims
    if rank is None:
        rank = as_shape(filters.shape).ndims
    if rank is None:
        raise ValueError("rank of input or filter must be known")
    n = rank - 2
    if not 1 <= n <= 3:
        raise ValueError(f"Input tensor must be of rank 3, 4 or 5 but was {n + 2}.")
    channel = 1 if data_format is not None and data_format.startswith("NC") else n + 1
    strides = nn_ops._sequence(strides, n, channel, "strides")
    dilations = nn_ops._sequence(dilations, n, channel, "dilations")
    with ops.name_scope(name, "convolution", [input, filters]) as name:
        if all(i == 1 for i in dilations):
            plain = {1: conv1d, 2: raw_ops.Conv2D, 3: raw_ops.Conv3D}[n]
            # The ops, unlike functions, take None for their default.
            attrs = {} if data_format is None else {"data_format": data_format}
            return plain(
                input, filters, strides, padding=padding, dilations=dilations, name=name, **attrs
            )
        space = slice(2, None) if channel == 1 else slice(1, -1)
        op = Convolution(
            as_shape(input.shape), as_shape(filters.shape), padding, strides=strides[space],
            dilation_rate=dilations[space], name=name, data_format=data_format,
        )  # fmt: skip
        return op(input, filters)


class Convolution:
    """A convolution, dilated or not, whose settings are checked once and that is then applied to
    tensors.

    Args: see `convolution`.

    Raises:
      ValueError: shapes or settings don't go together.
    """

    def __init__(
        self, input_shape: Any, filter_shape: Any, padding: Any,
        strides: Any = None, dilation_rate: Any = None, name: Name = None,
        data_format: str | None = None,
    ):  # fmt: skip
        rank = filter_shape.ndims if filter_shape.ndims is not None else input_shape.ndims
        if rank is None:
            raise ValueError("rank of input or filter must be known")
        count = rank - 2
        for shape, what in ((input_shape, "input"), (filter_shape, "filter")):
            try:
                shape.with_rank(rank)
            except ValueError:
                raise ValueError(f"{what} tensor must have rank {rank}") from None
        if data_format is None or not data_format.startswith("NC"):
            channels = dimension_at_index(input_shape, count + 1)
            spatial_dims = range(1, count + 1)
        else:
            channels = dimension_at_index(input_shape, 1)
            spatial_dims = range(2, count + 2)
        if not channels.is_compatible_with(filter_shape[count]):
            raise ValueError(
                "number of input channels does not match corresponding dimension of filter, "
                f"{channels} != {filter_shape[count]}"
            )
        self.strides, self.dilation_rate = _strides_and_rate(count, strides, dilation_rate)
        self.input_shape = input_shape
        self.filter_shape = filter_shape
        self.data_format = data_format
        self.padding = padding
        self.name = name
        self.conv_op = _WithSpaceToBatch(
            input_shape, dilation_rate=self.dilation_rate, padding=padding,
            build_op=self._build_op, filter_shape=filter_shape, spatial_dims=spatial_dims,
            data_format=data_format,
        )  # fmt: skip

    def _build_op(self, _: int, padding: Any) -> _NonAtrousConvolution:
        return _NonAtrousConvolution(
            self.input_shape, filter_shape=self.filter_shape, padding=padding,
            data_format=self.data_format, strides=self.strides, name=self.name,
        )  # fmt: skip

    def __call__(self, inp: Any, filter: Any) -> Tensor:
        return self.conv_op(inp, filter)


@tf_export("nn.atrous_conv2d")
def atrous_conv2d(
    value: TensorLike, filters: Any, rate: int, padding: str, name: Name = None
) -> Tensor:
    """The 2-D convolution with filters dilated by `rate`.

    Args:
      value: images [batch, height, width, channels].
      filters: [height, width, in channels, out channels].
      rate: an int of at least 1.
      padding: "SAME" or "VALID".
      name: the operation's name.

    Returns:
      Images of out channels.
    """
    return convolution(
        input=value, filter=filters, padding=padding, dilation_rate=np.broadcast_to(rate, (2,)),
        name=name,
    )  # fmt: skip


@tf_export("nn.pool")
def pool(
    input: TensorLike, window_shape: Any, pooling_type: str, padding: str,
    dilation_rate: Any = None,
    strides: Any = None, name: Name = None, data_format: str | None = None, dilations: Any = None,
) -> Tensor:  # fmt: skip
    """Pooling over 1 to 3 spatial dimensions.

    Args:
      input: [batch, *space, channels], or [batch, channels, *space].
      window_shape: one int for each spatial dimension.
      pooling_type: "MAX" or "AVG".
      padding: "SAME" or "VALID".
      dilation_rate, strides, dilations: one int for each spatial dimension; not both above 1.
      name: the operation's name.
      data_format: "NWC", "NCW", "NHWC", "NCHW", "NDHWC" or "NCDHW".

    Returns:
      [batch, new spatial dimensions, channels], or channels second for "NC…".
    """
    dilation_rate = renamed("dilations", dilations, "dilation_rate", dilation_rate)
    with ops.name_scope(name, f"{pooling_type.lower()}_pool", [input]) as scope:
        input = ops.convert_to_tensor(input, name="input")
        count = len(window_shape)
        if count < 1 or count > 3:
            raise ValueError("It is required that 1 <= num_spatial_dims <= 3.")
        input.get_shape().with_rank(count + 2)
        strides, dilation_rate = _strides_and_rate(count, strides, dilation_rate)
        if padding == "SAME" and np.any(dilation_rate > 1):
            raise ValueError("pooling with SAME padding is not implemented for dilation_rate > 1")
        if np.any(strides > window_shape):
            raise ValueError(
                "strides > window_shape not supported due to inconsistency between CPU and GPU "
                "implementations"
            )
        if pooling_type not in ("MAX", "AVG"):
            raise ValueError(f"{count}-D {pooling_type} pooling is not supported.")
        if count == 3:
            pooled = raw_ops.MaxPool3D if pooling_type == "MAX" else raw_ops.AvgPool3D
        else:
            pooled = nn_ops.max_pool if pooling_type == "MAX" else nn_ops.avg_pool
        if data_format is None or not data_format.startswith("NC"):
            window, steps = [1, *window_shape, 1], [1, *strides, 1]
            spatial_dims = range(1, count + 1)
        else:
            window, steps = [1, 1, *window_shape], [1, 1, *strides]
            spatial_dims = range(2, count + 2)
        if count == 1:
            if data_format not in (None, "NWC", "NCW"):
                raise ValueError('data_format must be either "NWC" or "NCW".')
            data_format = "NCHW" if data_format == "NCW" else "NHWC"
            window, steps = [1, *window], [1, *steps]

        def op(converted: Any, _: int, padding: str) -> Tensor:
            if count == 1:
                converted = array_ops.expand_dims(converted, spatial_dims[0])
            layout = {} if count == 3 and data_format is None else {"data_format": data_format}
            result = pooled(converted, window, steps, padding, name=scope, **layout)
            return array_ops.squeeze(result, [spatial_dims[0]]) if count == 1 else result

        return with_space_to_batch(
            input=input, dilation_rate=dilation_rate, padding=padding, op=op,
            spatial_dims=spatial_dims, filter_shape=window_shape,
        )  # fmt: skip


def _depthwise(
    filter: TensorLike, strides: Any, data_format: Any, name: Name
) -> Callable[[Any, int, str], Tensor]:
    attrs = {} if data_format is None else {"data_format": data_format}
    return lambda inp, _, padding: raw_ops.DepthwiseConv2dNative(
        inp, filter, strides, padding, name=name, **attrs
    )


@tf_export("nn.depthwise_conv2d")
def depthwise_conv2d(
    input: TensorLike, filter: TensorLike, strides: Any, padding: str,
    rate: TensorLike | None = None, name: Name = None,
    data_format: str | None = None, dilations: Any = None,
) -> Tensor:  # fmt: skip
    """A convolution of each channel by its own filters.

    Args:
      input: images, [batch, height, width, channels].
      filter: [height, width, channels, multiplier].
      strides: four ints.
      padding: "SAME" or "VALID".
      rate, dilations: two ints.
      name: the operation's name.
      data_format: "NHWC" or "NCHW".

    Returns:
      [batch, new height, new width, channels * multiplier], or channels second.
    """
    rate = renamed("dilations", dilations, "rate", rate)
    with ops.name_scope(name, "depthwise", [input, filter]) as name:
        input = ops.convert_to_tensor(input, name="tensor_in")
        filter = ops.convert_to_tensor(filter, name="filter_in")
        return with_space_to_batch(
            input=input, filter_shape=array_ops.shape(filter),
            dilation_rate=[1, 1] if rate is None else rate, padding=padding,
            data_format=data_format, op=_depthwise(filter, strides, data_format, name),
        )  # fmt: skip


@tf_export("nn.separable_conv2d")
def separable_conv2d(
    input: TensorLike, depthwise_filter: Any, pointwise_filter: Any, strides: Any, padding: str,
    rate: TensorLike | None = None, name: Name = None, data_format: str | None = None,
    dilations: Any = None,
) -> Tensor:  # fmt: skip
    """`depthwise_conv2d` followed by a convolution with 1x1 filters.

    Args:
      input, depthwise_filter, strides, padding, rate, dilations, data_format: see
        `depthwise_conv2d`.
      pointwise_filter: [1, 1, channels * multiplier, out channels].
      name: the operation's name.

    Returns:
      [batch, new height, new width, filters], or channels second for "NCHW".
    """
    rate = renamed("dilations", dilations, "rate", rate)
    with ops.name_scope(
        name, "separable_conv2d", [input, depthwise_filter, pointwise_filter]
    ) as name:
        input = ops.convert_to_tensor(input, name="tensor_in")
        depthwise_filter = ops.convert_to_tensor(depthwise_filter, name="depthwise_filter")
        pointwise_filter = ops.convert_to_tensor(pointwise_filter, name="pointwise_filter")
        for size in pointwise_filter.get_shape().with_rank(4).dims[:2]:
            size.assert_is_compatible_with(1)
        depthwise = with_space_to_batch(
            input=input, filter_shape=array_ops.shape(depthwise_filter),
            dilation_rate=[1, 1] if rate is None else rate, padding=padding,
            data_format=data_format,
            op=_depthwise(depthwise_filter, strides, data_format, "depthwise"),
        )  # fmt: skip
        return nn_ops.conv2d(
            depthwise, pointwise_filter, [1, 1, 1, 1], padding="VALID", data_format=data_format,
            name=name,
        )  # fmt: skip


@tf_export("nn.depthwise_conv2d_backprop_input", "nn.depthwise_conv2d_native_backprop_input")
def depthwise_conv2d_native_backprop_input(
    input_sizes: Any, filter: TensorLike, out_backprop: TensorLike, strides: Any, padding: str,
    data_format: str = "NHWC", dilations: Any = [1, 1, 1, 1], name: Name = None,  # noqa: B006
) -> Tensor:  # fmt: skip
    """The gradient of `depthwise_conv2d` with respect to its input, of shape `input_sizes`.

    Args:
      input_sizes: an int32 vector [4].
      filter: [height, width, channels, multiplier].
      out_backprop: the gradient of the output.
      strides, padding, data_format, dilations: as in `depthwise_conv2d`.
      name: the operation's name.

    Returns:
      A tensor of shape `input_sizes`.
    """
    return raw_ops.DepthwiseConv2dNativeBackpropInput(
        input_sizes, filter, out_backprop, strides, padding, data_format=data_format,
        dilations=dilations, name=name,
    )  # fmt: skip


@tf_export("nn.depthwise_conv2d_backprop_filter", "nn.depthwise_conv2d_native_backprop_filter")
def depthwise_conv2d_native_backprop_filter(
    input: TensorLike, filter_sizes: Any, out_backprop: TensorLike, strides: Any, padding: str,
    data_format: str = "NHWC", dilations: Any = [1, 1, 1, 1], name: Name = None,  # noqa: B006
) -> Tensor:  # fmt: skip
    """The gradient of `depthwise_conv2d` with respect to its filter, of shape `filter_sizes`.

    Args:
      input: images.
      filter_sizes: an int32 vector [4].
      out_backprop: the gradient of the output.
      strides, padding, data_format, dilations: as in `depthwise_conv2d`.
      name: the operation's name.

    Returns:
      A tensor of shape `filter_sizes`.
    """
    return raw_ops.DepthwiseConv2dNativeBackpropFilter(
        input, filter_sizes, out_backprop, strides, padding, data_format=data_format,
        dilations=dilations, name=name,
    )  # fmt: skip
