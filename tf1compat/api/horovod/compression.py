"""How gradients are sent: `horovod.tensorflow.compression`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.math import math_cast
from tf1compat.core import dtypes


class Compressor:
    """Makes tensors smaller, and as they were again."""

    @staticmethod
    def compress(tensor: Any) -> tuple[Any, Any]:
        """The tensor as it is sent, and what `decompress` needs to know of it."""
        raise NotImplementedError

    @staticmethod
    def decompress(tensor: Any, ctx: Any) -> Any:
        """A tensor that was received, as it was."""
        raise NotImplementedError


class NoneCompressor(Compressor):
    """Sends tensors as they are."""

    @staticmethod
    def compress(tensor: Any) -> tuple[Any, Any]:
        return tensor, None

    @staticmethod
    def decompress(tensor: Any, ctx: Any) -> Any:
        return tensor


class FP16Compressor(Compressor):
    """Sends floating-point numbers with 16 bits."""

    @staticmethod
    def compress(tensor: Any) -> tuple[Any, Any]:
        dtype = tensor.dtype
        return math_cast.cast(tensor, dtypes.float16) if dtype.is_floating else tensor, dtype

    @staticmethod
    def decompress(tensor: Any, ctx: Any) -> Any:
        return math_cast.cast(tensor, ctx) if ctx.is_floating else tensor


class Compression:
    """The ways there are."""

    none = NoneCompressor
    fp16 = FP16Compressor
