"""`tensorflow.python.ops.bitwise_ops`: operations on the bits of integers."""

from __future__ import annotations

from tf1compat.api.math.math_elementwise import binary, unary

bitwise_and = binary("BitwiseAnd", "and of the bits", "bitwise.bitwise_and")
bitwise_or = binary("BitwiseOr", "or of the bits", "bitwise.bitwise_or")
bitwise_xor = binary("BitwiseXor", "exclusive or of the bits", "bitwise.bitwise_xor")
invert = unary("Invert", "inversion of the bits", "bitwise.invert")
left_shift = binary("LeftShift", "shift of the bits of x by y to the left", "bitwise.left_shift")
right_shift = binary(
    "RightShift", "shift of the bits of x by y to the right", "bitwise.right_shift"
)
population_count = unary("PopulationCount", "number of bits that are set")
