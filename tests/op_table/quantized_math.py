"""Arithmetic on quantized numbers."""

from __future__ import annotations

import numpy as np

from op_table.case import Case, val

NUMBERS = {"quint8": "uint8", "qint32": "int32"}
A, B = val([[1, 2, 3], [250, 5, 6]], "uint8"), val([10, 20, 30], "uint8")
WIDE = val([-1000, 5, 70000, 3], "int32")
IMAGE = val(np.arange(16).reshape(1, 4, 4, 1) * 10, "uint8")
UNEVEN = val((np.arange(16).reshape(1, 4, 4, 1) ** 2 * 7 + 13) % 251, "uint8")
FILTER = val(np.arange(4).reshape(2, 2, 1, 1) + 100, "uint8")
WINDOW = {"ksize": [1, 2, 2, 1], "strides": [1, 2, 2, 1], "padding": "SAME"}


def _plain(tf, values):
    """Integers in place of what they are quantized as."""
    found = []
    for value in values:
        kind = NUMBERS.get(value.dtype.name)
        found.append(tf.bitcast(value, getattr(tf, kind)) if kind else value)
    return found


def _quantized(tf, x):
    return tf.bitcast(x, {"uint8": tf.quint8, "int32": tf.qint32}[x.dtype.name])


def _case(op, names, numbers, *inputs, label="", **attrs):
    """The op of quantized inputs and float32 scalars."""

    def record(tf, *given):
        arguments = dict(zip(names.split(), (_quantized(tf, x) for x in given)))
        arguments.update({name: tf.constant(value) for name, value in numbers.items()})
        kinds = {
            name: getattr(tf, value) if name in ("Toutput", "out_type") else value
            for name, value in attrs.items()
        }
        return _plain(tf, getattr(tf.raw_ops, op)(**dict(arguments, **kinds)))

    return Case(op, record, inputs, label, grad=(), no_jax="quantized")


def _bounds(low, high, *names):
    first, last = names or ("min_input", "max_input")
    return {first: low, last: high}


X = _bounds(-1.0, 2.0)
XY = {"min_x": -1.0, "max_x": 2.0, "min_y": 0.0, "max_y": 6.0}
AB = {"min_a": -1.0, "max_a": 2.0, "min_b": 0.0, "max_b": 6.0}
WIDE_RANGE = {"input_min": -2.0, "input_max": 3.0}
NORM = {
    f"{name}_{end}": value
    for name, ends in {
        "t": (-1.0, 2.0), "m": (0.0, 1.0), "v": (0.0, 4.0), "beta": (0.0, 1.0),
        "gamma": (0.0, 2.0),
    }.items()
    for end, value in zip(("min", "max"), ends)
}  # fmt: skip
VECTORS = [val(v, "uint8") for v in ([10, 20], [100, 200], [10, 20], [100, 200])]
PIXELS = val(np.arange(8).reshape(1, 2, 2, 2) * 30, "uint8")


def _requantize(low, high):
    return dict(WIDE_RANGE, requested_output_min=low, requested_output_max=high)


CASES = [
    _case("QuantizedAdd", "x y", XY, A, B, Toutput="qint32"),
    _case("QuantizedMul", "x y", XY, A, B, Toutput="qint32"),
    _case("QuantizedMatMul", "a b", AB, A, val([[10, 20], [30, 40], [50, 60]], "uint8"),
          Toutput="qint32"),
    _case("QuantizedMatMul", "a b", AB, A, A, label="transposed", Toutput="qint32",
          transpose_b=True),
    _case("QuantizedBiasAdd", "input bias", dict(X, min_bias=0.0, max_bias=6.0), A, B,
          out_type="qint32"),
    _case("QuantizedConv2D", "input filter", dict(X, min_filter=-3.0, max_filter=6.0), IMAGE,
          FILTER, out_type="qint32", strides=[1, 2, 2, 1], padding="SAME"),
    _case("QuantizedConv2D", "input filter", dict(X, min_filter=-3.0, max_filter=6.0), IMAGE,
          FILTER, label="valid", out_type="qint32", strides=[1, 1, 1, 1], padding="VALID"),
    _case("QuantizedMaxPool", "input", X, IMAGE, **WINDOW),
    _case("QuantizedAvgPool", "input", X, IMAGE, **WINDOW),
    _case("QuantizedRelu", "features", _bounds(-1.0, 2.0, "min_features", "max_features"), A),
    _case("QuantizedRelu6", "features", _bounds(-1.0, 9.0, "min_features", "max_features"), A),
    _case("QuantizedReshape", "tensor", _bounds(-1.0, 2.0, "input_min", "input_max"), A,
          shape=[3, -1]),
    _case("QuantizedResizeBilinear", "images", _bounds(-1.0, 2.0, "min", "max"), IMAGE,
          size=[3, 5]),
    _case("QuantizeDownAndShrinkRange", "input", WIDE_RANGE, WIDE, out_type="quint8"),
    _case("RequantizationRange", "input", WIDE_RANGE, WIDE),
    _case("Requantize", "input", _requantize(-1.0, 1.0), WIDE, out_type="quint8"),
    _case("Requantize", "input", _requantize(0.0, 0.0), WIDE, label="point", out_type="quint8"),
    _case("QuantizedInstanceNorm", "x", _bounds(-1.0, 2.0, "x_min", "x_max"), UNEVEN),
    _case("QuantizedInstanceNorm", "x", _bounds(-1.0, 2.0, "x_min", "x_max"), UNEVEN,
          label="given", output_range_given=True, given_y_min=-2.0, given_y_max=2.0),
    *(
        _case("QuantizedBatchNormWithGlobalNormalization", "t m v beta gamma", NORM, PIXELS,
              *VECTORS, label=str(scales), out_type="qint32", variance_epsilon=0.1,
              scale_after_normalization=scales)
        for scales in (True, False)
    ),
]  # fmt: skip
