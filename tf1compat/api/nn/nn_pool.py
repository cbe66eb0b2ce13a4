"""Pooling of sequences, images and volumes, and grey-scale dilation (a part of TF's nn_ops)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.math import math_ops
from tf1compat.api.nn.nn_ops import _sequence
from tf1compat.api.random import random_seed
from tf1compat.api.util.deprecation import deprecated, renamed
from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name, TensorLike


def _pool(
    record: Callable[..., Tensor], input: TensorLike, ksize: Any, strides: Any, padding: str,
    data_format: str | None, default: str, channel: int, name: Name,
) -> Tensor:  # fmt: skip
    data_format = default if data_format is None else data_format
    channel = 1 if data_format.startswith("NC") else channel
    n = len(default) - 2
    return record(
        input, _sequence(ksize, n, channel, "ksize"), _sequence(strides, n, channel, "strides"),
        padding, data_format=data_format, name=name,
    )  # fmt: skip


def _pool1d(
    record: Callable[..., Tensor], input: TensorLike, ksize: Any, strides: Any, padding: str,
    data_format: str | None, name: Name,
) -> Tensor:  # fmt: skip
    """Pools a sequence as an image of one row."""
    data_format = "NWC" if data_format is None else data_format
    channel = 1 if data_format.startswith("NC") else 2
    ksize = [1, *_sequence(ksize, 1, channel, "ksize")]
    strides = [1, *_sequence(strides, 1, channel, "strides")]
    row = 1 if data_format == "NWC" else 2
    image_format = "NHWC" if data_format == "NWC" else "NCHW"
    image = array_ops.expand_dims_v2(input, row)
    result = record(image, ksize, strides, padding, data_format=image_format, name=name)
    return array_ops.squeeze(result, row)


@tf_export("nn.max_pool1d")
def max_pool1d(
    input: TensorLike,
    ksize: Any,
    strides: Any,
    padding: str,
    data_format: str = "NWC",
    name: Name = None,
) -> Tensor:
    """The maxima over windows of sequences.

    Args:
      input: [batch, width, channels], or channels second for "NCW".
      ksize: the size of a window, one or three ints.
      strides: one or three ints.
      padding: "SAME" or "VALID".
      data_format: "NWC" or "NCW".
      name: the operation's name.

    Returns:
      [batch, new width, channels], or channels second.
    """
    with ops.name_scope(name, "MaxPool1d", [input]) as name:
        return _pool1d(raw_ops.MaxPool, input, ksize, strides, padding, data_format, name)


@tf_export("nn.max_pool2d")
def max_pool2d(
    input: TensorLike,
    ksize: Any,
    strides: Any,
    padding: str,
    data_format: str = "NHWC",
    name: Name = None,
) -> Tensor:
    """The maxima over windows of images.

    Args:
      input: [batch, height, width, channels], or channels second for "NCHW".
      ksize: the size of a window, one, two or four ints.
      strides: one, two or four ints.
      padding: "SAME" or "VALID".
      data_format: "NHWC", "NCHW" or "NCHW_VECT_C".
      name: the operation's name.

    Returns:
      [batch, new height, new width, channels], or channels second.
    """
    with ops.name_scope(name, "MaxPool2d", [input]) as name:
        return _pool(raw_ops.MaxPool, input, ksize, strides, padding, data_format, "NHWC", 3, name)


@tf_export("nn.max_pool3d")
def max_pool3d(
    input: TensorLike,
    ksize: Any,
    strides: Any,
    padding: str,
    data_format: str = "NDHWC",
    name: Name = None,
) -> Tensor:
    """The maxima over windows of volumes.

    Args:
      input: [batch, depth, height, width, channels], or channels second for "NCDHW".
      ksize: the size of a window, one, three or five ints.
      strides: one, three or five ints.
      padding: "SAME" or "VALID".
      data_format: "NDHWC" or "NCDHW".
      name: the operation's name.

    Returns:
      A tensor of that layout.
    """
    with ops.name_scope(name, "MaxPool3D", [input]) as name:
        return _pool(
            raw_ops.MaxPool3D, input, ksize, strides, padding, data_format, "NDHWC", 4, name
        )


@tf_export("nn.avg_pool1d")
def avg_pool1d(
    input: TensorLike,
    ksize: Any,
    strides: Any,
    padding: str,
    data_format: str = "NWC",
    name: Name = None,
) -> Tensor:
    """The means over windows of sequences.

    Args:
      input, ksize, strides, padding, data_format, name: as in `max_pool1d`.

    Returns:
      As `max_pool1d`.
    """
    with ops.name_scope(name, "AvgPool1D", [input]) as name:
        return _pool1d(raw_ops.AvgPool, input, ksize, strides, padding, data_format, name)


def avg_pool2d(
    input: TensorLike,
    ksize: Any,
    strides: Any,
    padding: str,
    data_format: str = "NHWC",
    name: Name = None,
) -> Tensor:
    """The means over windows of images."""
    with ops.name_scope(name, "AvgPool2D", [input]) as name:
        return _pool(raw_ops.AvgPool, input, ksize, strides, padding, data_format, "NHWC", 3, name)


@tf_export("nn.avg_pool3d")
def avg_pool3d(
    input: TensorLike,
    ksize: Any,
    strides: Any,
    padding: str,
    data_format: str = "NDHWC",
    name: Name = None,
) -> Tensor:
    """The means over windows of volumes.

    Args:
      input, ksize, strides, padding, data_format, name: as in `max_pool3d`.

    Returns:
      As `max_pool3d`.
    """
    with ops.name_scope(name, "AvgPool3D", [input]) as name:
        # TF 1.15 takes the channels to be in place 3 here: it only matters whether they are in 1.
        return _pool(
            raw_ops.AvgPool3D, input, ksize, strides, padding, data_format, "NDHWC", 3, name
        )


def _any_rank(
    records: dict[int, Callable[..., Tensor]], input: Any, ksize: Any, strides: Any, padding: str,
    data_format: Any, name: Any,
) -> Tensor:  # fmt: skip
    if input.shape is not None:
        n = len(input.shape) - 2
    elif data_format is not None:
        n = len(data_format) - 2
    else:
        raise ValueError("The input must have a rank or a data format must be given.")
    if not 1 <= n <= 3:
        raise ValueError(f"Input tensor must be of rank 3, 4 or 5 but was {n + 2}.")
    channel = 1 if data_format is not None and data_format.startswith("NC") else n + 1
    ksize = _sequence(ksize, n, channel, "ksize")
    strides = _sequence(strides, n, channel, "strides")
    return records[n](input, ksize, strides, padding, data_format=data_format, name=name)


@tf_export("nn.max_pool_v2")
def max_pool_v2(
    input: TensorLike,
    ksize: Any,
    strides: Any,
    padding: str,
    data_format: str | None = None,
    name: Name = None,
) -> Tensor:
    """The maxima over windows of sequences, images or volumes.

    Args:
      input: [batch, spatial dimensions, channels], or channels second for "NC…".
      ksize: the size of a window, one int, one for each spatial dimension, or one for each
        dimension.
      strides: as `ksize`.
      padding: "SAME" or "VALID".
      data_format: "NWC", "NHWC", "NDHWC" or with channels second.
      name: the operation's name.

    Returns:
      A tensor of that layout.

    Raises:
      ValueError: the input is none of these, or of unknown rank.
    """
    records = {1: max_pool1d, 2: raw_ops.MaxPool, 3: raw_ops.MaxPool3D}
    return _any_rank(records, input, ksize, strides, padding, data_format, name)


@tf_export("nn.avg_pool_v2")
def avg_pool_v2(
    input: TensorLike,
    ksize: Any,
    strides: Any,
    padding: str,
    data_format: str | None = None,
    name: Name = None,
) -> Tensor:
    """The means over windows of sequences, images or volumes.

    Args:
      input, ksize, strides, padding, data_format, name: as in `max_pool_v2`.

    Returns:
      As `max_pool_v2`.

    Raises:
      ValueError: the input is none of these, or of unknown rank.
    """
    records = {1: avg_pool1d, 2: raw_ops.AvgPool, 3: raw_ops.AvgPool3D}
    return _any_rank(records, input, ksize, strides, padding, data_format, name)


@tf_export("nn.max_pool_with_argmax")
def max_pool_with_argmax_v1(
    input: TensorLike, ksize: Any, strides: Any, padding: str, data_format: str = "NHWC",
    Targmax: Any = None, name: Name = None, output_dtype: Any = None,
    include_batch_in_index: bool = False,
) -> Any:  # fmt: skip
    """The maxima over windows of images, and where they are.

    Args:
      input: [batch, rows, columns, channels].
      ksize, strides: one for each of these dimensions.
      padding: "SAME" or "VALID".
      data_format: "NHWC".
      Targmax: the old name of `output_dtype`.
      name: the operation's name.
      output_dtype: int32 or int64 (the default).
      include_batch_in_index: whether indices count from the first image on, not from each.

    Returns:
      (output, argmax): the maxima and their indices in flattened images.

    Raises:
      ValueError: another data format.
    """
    if data_format != "NHWC":
        raise ValueError("Data formats other than 'NHWC' are not yet supported")
    index_type = renamed("output_dtype", output_dtype, "Targmax", Targmax)
    return raw_ops.MaxPoolWithArgmax(
        input, ksize, strides, padding,
        Targmax=dtypes.int64 if index_type is None else index_type,
        include_batch_in_index=include_batch_in_index, name=name,
    )  # fmt: skip


@tf_export("compat.v2.nn.max_pool_with_argmax")
def max_pool_with_argmax_v2(
    input: TensorLike, ksize: Any, strides: Any, padding: str, data_format: str = "NHWC",
    output_dtype: Any = dtypes.int64, include_batch_in_index: bool = False, name: Name = None,
) -> Any:  # fmt: skip
    """As `max_pool_with_argmax_v1`; sizes may be given for rows and columns alone.

    Args:
      input, ksize, strides, padding, data_format, include_batch_in_index, name: as in
        `max_pool_with_argmax_v1`.
      output_dtype: int32 or int64, of the places.

    Returns:
      As `max_pool_with_argmax_v1`.
    """
    ksize = _sequence(ksize, 2, 3, "ksize")
    strides = _sequence(strides, 2, 3, "strides")
    return max_pool_with_argmax_v1(
        input, ksize, strides, padding, data_format, output_dtype, name,
        include_batch_in_index=include_batch_in_index,
    )  # fmt: skip


# Fractional pooling.

_MODULE = "tensorflow.python.ops.nn_ops"


def _seeds(seed: int) -> dict[str, Any]:
    """The attrs for a seed: 0 draws other windows in each run."""
    if seed == 0:
        return {"deterministic": False, "seed": 0, "seed2": 0}
    seed1, seed2 = random_seed.get_seed(seed)
    return {"deterministic": True, "seed": seed1, "seed2": seed2}


@tf_export("nn.fractional_max_pool")
@deprecated(
    None,
    "`seed2` and `deterministic` args are deprecated.  Use fractional_max_pool_v2.",
    module=_MODULE,
)
def fractional_max_pool(
    value: TensorLike, pooling_ratio: Any, pseudo_random: bool = False, overlapping: bool = False,
    deterministic: bool = False, seed: int = 0, seed2: int = 0, name: Name = None,
) -> Any:  # fmt: skip
    """The maxima over windows of random sizes.

    Args:
      value: images [batch, rows, columns, channels].
      pooling_ratio: how much smaller the result is: four floats, of which the first and last are 1.
      pseudo_random: whether the windows follow from one random number.
      overlapping: whether windows share their borders.
      deterministic: whether all runs have the same windows.
      seed, seed2: of the generator; 0 unless deterministic.
      name: the operation's name.

    Returns:
      (output, row_pooling_sequence, col_pooling_sequence): the maxima, and where windows begin.
    """
    return raw_ops.FractionalMaxPool(
        value, pooling_ratio, pseudo_random, overlapping, deterministic, seed, seed2, name
    )


@tf_export("compat.v2.nn.fractional_max_pool")
def fractional_max_pool_v2(
    value: TensorLike, pooling_ratio: Any, pseudo_random: bool = False, overlapping: bool = False,
    seed: int = 0, name: Name = None,
) -> Any:  # fmt: skip
    """As `fractional_max_pool`; a seed other than 0 makes it deterministic.

    Args:
      value, pooling_ratio, pseudo_random, overlapping, seed, name: as in `fractional_max_pool`.

    Returns:
      As `fractional_max_pool`.
    """
    pooling_ratio = _sequence(pooling_ratio, 2, 3, "pooling_ratio")
    return raw_ops.FractionalMaxPool(
        value, pooling_ratio, pseudo_random, overlapping, name=name, **_seeds(seed)
    )


@tf_export("nn.fractional_avg_pool")
@deprecated(
    None,
    "`seed2` and `deterministic` args are deprecated.  Use fractional_avg_pool_v2.",
    module=_MODULE,
)
def fractional_avg_pool(
    value: TensorLike, pooling_ratio: Any, pseudo_random: bool = False, overlapping: bool = False,
    deterministic: bool = False, seed: int = 0, seed2: int = 0, name: Name = None,
) -> Any:  # fmt: skip
    """The means over windows of random sizes; arguments and results as in
    `fractional_max_pool`.

    Args:
      value, pooling_ratio, pseudo_random, overlapping, deterministic, seed, seed2, name: as in
        `fractional_max_pool`.

    Returns:
      As `fractional_max_pool`.
    """
    return raw_ops.FractionalAvgPool(
        value, pooling_ratio, pseudo_random, overlapping, deterministic, seed, seed2, name=name
    )


@tf_export("compat.v2.nn.fractional_avg_pool")
def fractional_avg_pool_v2(
    value: TensorLike, pooling_ratio: Any, pseudo_random: bool = False, overlapping: bool = False,
    seed: int = 0, name: Name = None,
) -> Any:  # fmt: skip
    """As `fractional_avg_pool`; a seed other than 0 makes it deterministic.

    Args:
      value, pooling_ratio, pseudo_random, overlapping, seed, name: as in `fractional_max_pool`.

    Returns:
      As `fractional_max_pool`.
    """
    return raw_ops.FractionalAvgPool(
        value, pooling_ratio, pseudo_random, overlapping, name=name, **_seeds(seed)
    )


# Dilation.


@tf_export("nn.dilation2d")
def dilation2d_v1(
    input: TensorLike, filter: TensorLike | None = None, strides: Any = None, rates: Any = None,
    padding: Any = None,
    name: Name = None, filters: Any = None, dilations: Any = None,
) -> Tensor:  # fmt: skip
    """The maxima over windows of images, of what they hold plus the filter.

    Args:
      input: [batch, rows, columns, depth].
      filter: [rows, columns, depth]; its new name is `filters`.
      strides, rates: one for each dimension of the input; the new name of `rates` is `dilations`.
      padding: "SAME" or "VALID".
      name: the operation's name.
      filters, dilations: see `filter` and `rates`.

    Returns:
      [batch, new height, new width, channels].
    """
    filter = renamed("filters", filters, "filter", filter)
    rates = renamed("dilations", dilations, "rates", rates)
    return raw_ops.Dilation2D(input, filter, strides, rates, padding, name=name)


@tf_export("compat.v2.nn.dilation2d")
def dilation2d_v2(
    input: TensorLike, filters: Any, strides: Any, padding: Any, data_format: str, dilations: Any,
    name: Name = None,
) -> Tensor:  # fmt: skip
    """As `dilation2d_v1`.

    Args:
      input, strides, padding, name: as in `dilation2d_v1`.
      filters: [height, width, channels].
      data_format: "NHWC".
      dilations: as `rates` in `dilation2d_v1`.

    Returns:
      As `dilation2d_v1`.
    """
    if data_format != "NHWC":
        raise ValueError("Data formats other than NHWC are not yet supported")
    return raw_ops.Dilation2D(input, filters, strides, dilations, padding, name=name)


@tf_export("nn.erosion2d")
def erosion2d(
    value: TensorLike, kernel: Any, strides: Any, rates: Any, padding: Any, name: Name = None
) -> Tensor:
    """The minima over windows of images, of what they hold minus the kernel.

    Args:
      value: [batch, height, width, channels] of real numbers.
      kernel: [height, width, channels] of the same dtype.
      strides, rates: four ints, of which the first and last are 1.
      padding: "SAME" or "VALID".
      name: the operation's name.

    Returns:
      [batch, new height, new width, channels].
    """
    with ops.name_scope(name, "erosion2d", [value, kernel]) as name:
        return math_ops.negative(
            raw_ops.Dilation2D(
                math_ops.negative(value), array_ops.reverse_v2(kernel, [0, 1]), strides, rates,
                padding, name=name,
            )
        )  # fmt: skip


@tf_export("compat.v2.nn.erosion2d")
def erosion2d_v2(
    value: TensorLike, filters: Any, strides: Any, padding: Any, data_format: str, dilations: Any,
    name: Name = None,
) -> Tensor:  # fmt: skip
    """As `erosion2d`.

    Args:
      value, strides, padding, name: as in `erosion2d`.
      filters: as `kernel` in `erosion2d`.
      data_format: "NHWC".
      dilations: as `rates` in `erosion2d`.

    Returns:
      As `erosion2d`.
    """
    if data_format != "NHWC":
        raise ValueError("Data formats other than NHWC are not yet supported")
    return erosion2d(value, filters, strides, dilations, padding, name)


# Other kernels.


def nth_element(input: TensorLike, n: Any, reverse: bool = False, name: Name = None) -> Tensor:
    """The n-th smallest (or largest) element of each row."""
    return raw_ops.NthElement(input, n, reverse=reverse, name=name)
