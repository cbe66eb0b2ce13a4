"""Rows of elementwise ops with one input."""

from __future__ import annotations

import numpy as np

from op_table.case import DEFAULT, EVERYTHING, FLOATS, INTS, Case, arr, val

# op type, function, low, high: inputs of the smooth rows lie in [low, high).
UNARY = [
    ("Abs", lambda tf, x: tf.abs(x), 0.5, 2.5),
    ("Neg", lambda tf, x: tf.negative(x), -2, 2),
    ("Sign", lambda tf, x: tf.sign(x), -2, 2),
    ("Square", lambda tf, x: tf.square(x), -2, 2),
    ("Sqrt", lambda tf, x: tf.sqrt(x), 0.1, 4),
    ("Rsqrt", lambda tf, x: tf.rsqrt(x), 0.1, 4),
    ("Exp", lambda tf, x: tf.exp(x), -2, 2),
    ("Expm1", lambda tf, x: tf.math.expm1(x), -1, 1),
    ("Log", lambda tf, x: tf.log(x), 0.1, 4),
    ("Log1p", lambda tf, x: tf.math.log1p(x), -0.5, 2),
    ("Tanh", lambda tf, x: tf.tanh(x), -2, 2),
    ("Sigmoid", lambda tf, x: tf.sigmoid(x), -3, 3),
    ("Softplus", lambda tf, x: tf.nn.softplus(x), -3, 3),
    ("Softsign", lambda tf, x: tf.nn.softsign(x), 0.2, 3),
    ("Relu", lambda tf, x: tf.nn.relu(x), -3, 3),
    ("Relu6", lambda tf, x: tf.nn.relu6(x), -3, 9),
    ("Elu", lambda tf, x: tf.nn.elu(x), -3, 3),
    ("Selu", lambda tf, x: tf.nn.selu(x), -3, 3),
    ("LeakyRelu", lambda tf, x: tf.nn.leaky_relu(x), -3, 3),
    ("Sin", lambda tf, x: tf.sin(x), -3, 3),
    ("Cos", lambda tf, x: tf.cos(x), -3, 3),
    ("Tan", lambda tf, x: tf.tan(x), -1.2, 1.2),
    ("Asin", lambda tf, x: tf.asin(x), -0.9, 0.9),
    ("Acos", lambda tf, x: tf.acos(x), -0.9, 0.9),
    ("Atan", lambda tf, x: tf.atan(x), -2, 2),
    ("Sinh", lambda tf, x: tf.sinh(x), -2, 2),
    ("Cosh", lambda tf, x: tf.cosh(x), -2, 2),
    ("Asinh", lambda tf, x: tf.asinh(x), -2, 2),
    ("Acosh", lambda tf, x: tf.acosh(x), 1.2, 4),
    ("Atanh", lambda tf, x: tf.atanh(x), -0.9, 0.9),
    ("Erf", lambda tf, x: tf.erf(x), -2, 2),
    ("Erfc", lambda tf, x: tf.erfc(x), -2, 2),
    ("Lgamma", lambda tf, x: tf.lgamma(x), 0.2, 5),
    ("Digamma", lambda tf, x: tf.digamma(x), 0.2, 5),
    ("Ceil", lambda tf, x: tf.ceil(x), -3, 3),
    ("Floor", lambda tf, x: tf.floor(x), -3, 3),
    ("Round", lambda tf, x: tf.round(x), -3, 3),
    ("Rint", lambda tf, x: tf.rint(x), -3, 3),
    ("Reciprocal", lambda tf, x: tf.reciprocal(x), 0.3, 3),
    ("Inv", lambda tf, x: tf.raw_ops.Inv(x=x), 0.3, 3),
    ("IsNan", lambda tf, x: tf.is_nan(x), -2, 2),
    ("IsInf", lambda tf, x: tf.is_inf(x), -2, 2),
    ("IsFinite", lambda tf, x: tf.is_finite(x), -2, 2),
    ("LogicalNot", lambda tf, x: tf.logical_not(x), 0, 1),
    ("Invert", lambda tf, x: tf.bitwise.invert(x), -100, 100),
    ("PopulationCount", lambda tf, x: tf.raw_ops.PopulationCount(x=x), -100, 100),
    ("Identity", lambda tf, x: tf.identity(x), -2, 2),
    ("StopGradient", lambda tf, x: tf.stop_gradient(x), -2, 2),
    ("PreventGradient", lambda tf, x: tf.raw_ops.PreventGradient(input=x, message="no"), -2, 2),
    ("ZerosLike", lambda tf, x: tf.zeros_like(x, optimize=False), -2, 2),
    ("OnesLike", lambda tf, x: tf.ones_like(x, optimize=False), -2, 2),
    ("Conj", lambda tf, x: tf.math.conj(x), -2, 2),
    ("Real", lambda tf, x: tf.math.real(x), -2, 2),
    ("Imag", lambda tf, x: tf.math.imag(x), -2, 2),
    ("Angle", lambda tf, x: tf.math.angle(x), 0.3, 2),
    ("BesselI0e", lambda tf, x: tf.math.bessel_i0e(x), 0.2, 3),
    ("BesselI1e", lambda tf, x: tf.math.bessel_i1e(x), 0.2, 3),
]

NO_FINITE_DIFFERENCE = {"StopGradient", "PreventGradient"}
# Twice differentiable in TF 1.15.
SECOND = {
    "Neg", "Square", "Sqrt", "Rsqrt", "Exp", "Expm1", "Log", "Log1p", "Tanh", "Sigmoid",
    "Softplus", "Relu", "Relu6", "Elu", "Selu", "LeakyRelu", "Sin", "Cos", "Tan", "Asin", "Acos",
    "Atan", "Sinh", "Cosh", "Asinh", "Acosh", "Atanh", "Erf", "Erfc", "Lgamma", "Abs", "Sign",
    "Reciprocal", "Inv",
}  # fmt: skip

NAN, INF = float("nan"), float("inf")

# op type, points where the derivative is a convention, or the value delicate.
KINKS = {
    "Abs": [0.0, -0.0, 1.0, -1.0],
    "Sign": [0.0, -0.0],
    "Sqrt": [0.0, 1.0],
    "Softsign": [0.0, -1.0, 1.0],
    "Relu": [0.0, -0.0, 1e-3],
    "Relu6": [0.0, 6.0, -1.0, 7.0],
    "Elu": [0.0, -1e-3, 1e-3, 1.0],
    "Selu": [0.0, -1e-3, 1e-3, 1.0],
    "LeakyRelu": [0.0, -0.0],
    "Log1p": [0.0, 1e-7, -1e-7],
    "Expm1": [0.0, 1e-7, -1e-7],
    "Tanh": [0.0, 10.0, -10.0, 30.0],
    "Sigmoid": [0.0, 20.0, -20.0, 80.0],
    "Softplus": [0.0, 20.0, -20.0, 50.0, -50.0],
    "Asin": [1.0, -1.0, 0.0],
    "Acos": [1.0, -1.0, 0.0],
    "Acosh": [1.0, 2.0],
    "Atanh": [1.0, -1.0, 0.0],
    "Erf": [0.0, 5.0, -5.0],
    "Erfc": [0.0, 5.0, -5.0],
    "Ceil": [0.0, 1.0, -1.0, 0.5, -0.5],
    "Floor": [0.0, 1.0, -1.0, 0.5, -0.5],
    "Round": [0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 0.0],
    "Rint": [0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 0.0],
    "Reciprocal": [0.0, 1.0],
    "Inv": [0.0, 1.0],
    "Log": [0.0, 1.0, -1.0],
    "Rsqrt": [0.0, 1.0, -1.0],
    "Lgamma": [1.0, 2.0, 0.5, -0.5, -1.5],
    "Digamma": [1.0, 2.0, 0.5, -0.5, -1.5],
    "IsNan": [NAN, INF, -INF, 0.0],
    "IsInf": [NAN, INF, -INF, 0.0],
    "IsFinite": [NAN, INF, -INF, 0.0],
    "Square": [INF, -INF, NAN],
    "Neg": [INF, -INF, NAN],
}


def _rows():
    for op, fn, low, high in UNARY:
        second = op in SECOND
        smooth = op not in NO_FINITE_DIFFERENCE
        yield Case(
            op, fn, [arr(2, 3, low=low, high=high)], dtypes=EVERYTHING, second=second, smooth=smooth
        )
        dtypes = {"LogicalNot": ("bool",), "Invert": ("int32",), "PopulationCount": ("int32",)}.get(
            op
        )
        dtypes = dtypes or (
            ("complex64",) if op in ("Conj", "Real", "Imag", "Angle") else ("float32",)
        )
        yield Case(op, fn, [arr(low=low, high=high)], "scalar", dtypes)
        yield Case(op, fn, [arr(0, 3, low=low, high=high)], "empty", dtypes)
    by_name = {op: fn for op, fn, _, _ in UNARY}
    for op, points in KINKS.items():
        yield Case(op, by_name[op], [val(points)], "points", FLOATS, smooth=False)


CASES = [
    *_rows(),
    Case(
        "Abs",
        lambda tf, x: tf.abs(x),
        [val([3 + 4j, 0j, -1j])],
        "complex_zero",
        ["complex64", "complex128"],
    ),
    Case(
        "Sign",
        lambda tf, x: tf.sign(x),
        [val([3 + 4j, 0j, -1j])],
        "complex_zero",
        ["complex64", "complex128"],
    ),
    Case("Abs", lambda tf, x: abs(x), [val([-128, 127, 0])], "lowest", ["int8"]),
    Case("Neg", lambda tf, x: -x, [val([-128, 127, 0])], "lowest", ["int8"]),
    Case("LogicalNot", lambda tf, x: ~x, [val([True, False])], "operator", ["bool"]),
    Case(
        "LeakyRelu",
        lambda tf, x: tf.nn.leaky_relu(x, alpha=0.01),
        [arr(4)],
        "alpha",
        FLOATS,
        second=True,
    ),
    Case(
        "LeakyRelu",
        lambda tf, x: tf.nn.leaky_relu(x),
        [arr(4, low=-8, high=8)],
        "integer",
        ["int32"],
    ),
    Case(
        "Softplus",
        lambda tf, x: tf.log_sigmoid(x),
        [arr(5, low=-4, high=4)],
        "log_sigmoid",
        FLOATS,
        second=True,
    ),
    Case("Identity", lambda tf, x: tf.nn.swish(x), [arr(5, low=-4, high=4)], "swish", DEFAULT),
    Case("Relu", lambda tf, x: tf.nn.crelu(x, axis=-1), [arr(2, 3)], "crelu", DEFAULT, second=True),
    Case("ComplexAbs", lambda tf, x: tf.abs(x), [arr(2, 3)], "", ["complex64", "complex128"]),
    Case("Log", lambda tf, x: tf.log(x), [arr(4)], "plane", ["complex64", "complex128"]),
    Case("Sqrt", lambda tf, x: tf.sqrt(x), [arr(4)], "plane", ["complex64", "complex128"]),
    Case("Rsqrt", lambda tf, x: tf.rsqrt(x), [arr(4)], "plane", ["complex64", "complex128"]),
    Case("Abs", lambda tf, x: tf.abs(x), [arr(4)], "plane", ["complex64", "complex128"]),
    Case("Angle", lambda tf, x: tf.math.angle(x), [arr(4)], "plane", ["complex64", "complex128"]),
    Case("Round", lambda tf, x: tf.round(x), [arr(4, low=-9, high=9)], "integer", ["int32"]),
    # Rows about conversion of what is not a tensor.
    Case("Square", lambda tf: tf.square(3), label="python_int"),
    Case("Square", lambda tf: tf.square([1.5, 2]), label="python_list"),
    Case("Square", lambda tf: tf.square(np.float64(1.5)), label="numpy_scalar"),
    Case("Sqrt", lambda tf: tf.sqrt(4), label="python_int", raises=True),
    Case("Exp", lambda tf: tf.exp("a"), label="python_text", raises=True),
    Case("Tanh", lambda tf: tf.tanh(np.array([1, 2])), label="numpy_ints", raises=True),
    Case("Neg", lambda tf: tf.negative([True]), label="python_bool", raises=True),
    # Casts between all kinds.
    Case("Cast", lambda tf, x: tf.cast(x, "bool"), [val([0, 1, 2, 0])], "to_bool", EVERYTHING),
    Case("Cast", lambda tf, x: tf.cast(x, tf.float16), [arr(2, 3)], "to_float16", EVERYTHING),
    Case(
        "Cast",
        lambda tf, x: tf.cast(x, tf.float32),
        [arr(2, 3)],
        "to_float32",
        EVERYTHING,
        second=True,
    ),
    Case("Cast", lambda tf, x: tf.cast(x, tf.float64), [arr(2, 3)], "to_float64", EVERYTHING),
    Case("Cast", lambda tf, x: tf.cast(x, tf.int32), [arr(2, 3)], "to_int32", EVERYTHING),
    Case("Cast", lambda tf, x: tf.cast(x, tf.int64), [arr(2, 3)], "to_int64", EVERYTHING),
    Case("Cast", lambda tf, x: tf.cast(x, tf.int8), [arr(2, 3)], "to_int8", EVERYTHING),
    Case(
        "Cast",
        lambda tf, x: tf.cast(x, tf.uint8),
        [arr(2, 3, low=0, high=9)],
        "to_uint8",
        EVERYTHING,
    ),
    Case(
        "Cast", lambda tf, x: tf.cast(x, tf.uint16), [arr(2, 3, low=0, high=9)], "to_uint16", INTS
    ),
    Case("Cast", lambda tf, x: tf.cast(x, tf.complex64), [arr(2, 3)], "to_complex64", EVERYTHING),
    Case("Cast", lambda tf, x: tf.cast(x, tf.complex128), [arr(2, 3)], "to_complex128", EVERYTHING),
    Case(
        "Cast",
        lambda tf, x: tf.cast(x, tf.uint8),
        [val([300, 256, 255, 128], "int32")],
        "wrap_uint8",
    ),
    Case(
        "Cast",
        lambda tf, x: tf.cast(x, tf.int8),
        [val([300, 200, -129, 128], "int64")],
        "wrap_int8",
    ),
    Case(
        "Cast",
        lambda tf, x: tf.cast(x, tf.int32),
        [val([2.7, -2.7, 0.5, -0.5])],
        "truncates",
        FLOATS,
    ),
    Case(
        "Cast",
        lambda tf, x: tf.cast(tf.cast(x, tf.bfloat16), tf.float32),
        [arr(6)],
        "bfloat16",
        ["float32"],
        smooth=False,
    ),
    Case("Cast", lambda tf, x: tf.to_float(x), [arr(3)], "to_float", ["int32"]),
    Case("Cast", lambda tf, x: tf.to_double(x), [arr(3)], "to_double", ["float32"]),
    Case("Cast", lambda tf, x: tf.to_int32(x), [arr(3)], "to_int32_name", ["float32"]),
    Case("Cast", lambda tf, x: tf.to_int64(x), [arr(3)], "to_int64_name", ["float32"]),
    Case(
        "Cast",
        lambda tf, x: tf.saturate_cast(x, tf.int8),
        [val([300.0, -300.0, 5.5])],
        "saturate",
        ["float32"],
    ),
    Case(
        "Cast",
        lambda tf, x: tf.saturate_cast(x, tf.uint8),
        [val([300, -300, 5])],
        "saturate",
        ["int32"],
    ),
    Case("Cast", lambda tf, x: tf.cast(x, tf.float32), [arr(3)], "same_dtype", ["float32"]),
    Case(
        "Bitcast",
        lambda tf, x: tf.bitcast(x, tf.int32),
        [arr(2, 3)],
        "to_int32",
        ["float32"],
        grad=(),
    ),
    Case(
        "Bitcast",
        lambda tf, x: tf.bitcast(x, tf.uint8),
        [arr(2, 3)],
        "to_uint8",
        ["float32", "int16"],
        grad=(),
    ),
    Case(
        "Bitcast",
        lambda tf, x: tf.bitcast(x, tf.float32),
        [val([[0, 0, 128, 63]], "uint8")],
        "to_float32",
    ),
    Case(
        "Bitcast",
        lambda tf, x: tf.bitcast(x, tf.float64),
        [arr(3, 2)],
        "to_float64",
        ["float32"],
        grad=(),
    ),
    Case("Bitcast", lambda tf, x: tf.bitcast(x, tf.float64), [arr(3, 3)], "bad_shape", raises=True),
    Case("CheckNumerics", lambda tf, x: tf.check_numerics(x, "bad"), [arr(2, 3)], "fine", FLOATS),
    Case("ClipByValue", lambda tf, x: tf.clip_by_value(x, -1, 1), [arr(3, 4)], "", FLOATS),
    Case(
        "ClipByValue",
        lambda tf, x: tf.clip_by_value(x, -1, 1),
        [arr(5, low=-4, high=4)],
        "integer",
        INTS,
    ),
    Case(
        "ClipByValue",
        lambda tf, x: tf.clip_by_value(x, -1.0, 1.0),
        [val([-1.0, 1.0, 0.0, -2.0, 2.0])],
        "edges",
        smooth=False,
    ),
    Case(
        "ClipByValue",
        lambda tf, x, a, b: tf.clip_by_value(x, a, b),
        [arr(2, 3, low=-2, high=2), val(-1.05), val([0.9, 1.05, 0.1])],
        "broadcast",
    ),
    Case(
        "ClipByValue",
        lambda tf, x, a, b: tf.raw_ops.ClipByValue(t=x, clip_value_min=a, clip_value_max=b),
        [val([-1.0, 1.0, 0.0, -2.0, 2.0]), val(-1.0), val(1.0)],
        "raw",
        smooth=False,
    ),
    Case("ClipByNorm", lambda tf, x: tf.clip_by_norm(x, 1.5), [arr(2, 3)]),
    Case("ClipByNorm", lambda tf, x: tf.clip_by_norm(x, 1.5, axes=[1]), [arr(2, 3)], "axes"),
    Case(
        "ClipByNorm", lambda tf, x: tf.clip_by_norm(x, 1.5), [val([0.0, 0.0])], "zero", smooth=False
    ),
    Case("ClipByAverageNorm", lambda tf, x: tf.clip_by_average_norm(x, 0.3), [arr(2, 3)]),
    Case(
        "GlobalNorm",
        lambda tf, x, y: tf.global_norm([x, None, y]),
        [arr(2, 3), arr(4)],
    ),
    Case(
        "ClipByGlobalNorm",
        lambda tf, x, y: tf.clip_by_global_norm([x, None, y], 1.0),
        [arr(2, 3), arr(4)],
    ),
]
