"""`tensorflow.python.ops.signal.util_ops`."""

from __future__ import annotations

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import math_ops
from tf1compat.core import ops, tensor_util
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name, TensorLike


def gcd(a: TensorLike, b: TensorLike, name: Name = None) -> Tensor:
    """The greatest common divisor of two integer scalars; a constant if both are known."""
    with ops.name_scope(name, "gcd", [a, b]):
        a, b = ops.convert_to_tensor(a), ops.convert_to_tensor(b)
        a.shape.assert_has_rank(0)
        b.shape.assert_has_rank(0)
        if not a.dtype.is_integer:
            raise ValueError(f"a must be an integer type. Got: {a.dtype}")
        if not b.dtype.is_integer:
            raise ValueError(f"b must be an integer type. Got: {b.dtype}")
        known_a, known_b = tensor_util.constant_value(a), tensor_util.constant_value(b)
        if known_a is not None and known_b is not None:
            # By Euclid's steps with Python's remainder, so that its sign is TF's.
            first, second = int(known_a), int(known_b)
            while second:
                first, second = second, first % second
            return ops.convert_to_tensor(first)
        return control_flow_ops.while_loop(
            lambda _, b: math_ops.greater(b, array_ops.zeros_like(b)),
            lambda a, b: [b, math_ops.mod(a, b)],
            [a, b],
            back_prop=False,
        )[0]
