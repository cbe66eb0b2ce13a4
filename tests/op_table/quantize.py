"""Rows of quantizing."""

from __future__ import annotations

from op_table.case import Case, arr, val

F32 = ["float32"]
X = val([-1.5, -1.0, -0.3, 0.0, 0.05, 0.1, 0.5, 1.0, 1.5, 2.4, 3.0])
ROUNDS = "its gradient passes straight through"
QUANTIZED = ("quint8", "qint8", "quint16", "qint16", "qint32")
MODES = ("MIN_COMBINED", "MIN_FIRST", "SCALED")


def _quantize(dtype, mode, low=-1.0, high=2.0, round_mode="HALF_AWAY_FROM_ZERO"):
    def fn(tf, x):
        found = tf.quantize(x, low, high, getattr(tf, dtype), mode, round_mode)
        return [
            tf.bitcast(found.output, "int32" if dtype == "qint32" else dtype.replace("q", "")),
            found.output_min,
            found.output_max,
        ]

    return fn


def _dequantize(dtype, mode):
    plain = dtype.replace("q", "")

    def fn(tf, x):
        return tf.dequantize(tf.bitcast(x, getattr(tf, dtype)), -1.0, 2.0, mode)

    values = {
        "uint8": [0, 1, 127, 128, 255],
        "int8": [-128, -127, 0, 1, 127],
        "uint16": [0, 5, 65535],
        "int16": [-32768, 0, 5, 32767],
        "int32": [-(2**31), -5, 0, 1],
    }[plain]
    return fn, [val(values, plain)]


def _there_and_back(label, x=X, low=-1.0, high=2.0, raises=False, **kwargs):
    return Case(
        "QuantizeAndDequantizeV2",
        lambda tf, x: tf.quantization.quantize_and_dequantize(x, low, high, **kwargs),
        [x],
        label,
        F32,
        smooth=False,
        raises=raises,
    )


def _concat(tf, a, b, **kwargs):
    parts = [tf.quantize(a, -1.0, 2.0, tf.quint8), tf.quantize(b, -3.0, 1.0, tf.quint8)]
    found = tf.quantized_concat(
        0, [p.output for p in parts], [p.output_min for p in parts], [p.output_max for p in parts]
    )
    return [tf.bitcast(found.output, tf.uint8), found.output_min, found.output_max]


CASES = [
    *(
        Case("QuantizeV2", _quantize(dtype, mode), [X], f"{dtype}/{mode}", F32, grad=())
        for dtype in QUANTIZED
        for mode in MODES
    ),
    Case("QuantizeV2", _quantize("quint8", "MIN_FIRST", 1.0, 3.0), [X], "positive", F32, grad=()),
    Case("QuantizeV2", _quantize("qint8", "SCALED", 0.0, 0.0), [X], "empty_range", F32, grad=()),
    Case(
        "QuantizeV2",
        _quantize("qint8", "SCALED", round_mode="HALF_TO_EVEN"),
        [X],
        "even",
        F32,
        grad=(),
    ),
    Case(
        "QuantizeV2",
        _quantize("qint8", "MIN_FIRST", round_mode="HALF_TO_EVEN"),
        [X],
        "even_first",
        F32,
        raises=True,
    ),
    Case("QuantizeV2", _quantize("qint8", "SCALED", 2.0, 1.0), [X], "range", F32, raises=True),
    Case(
        "QuantizeV2",
        lambda tf, x: tf.quantize_v2(x, 0.0, 1.0, tf.quint8),
        [arr(2, 2)],
        "fetched",
        F32,
        grad=(),
    ),
    *(
        Case("Dequantize", *_dequantize(dtype, mode), label=f"{dtype}/{mode}", grad=())
        for dtype in QUANTIZED
        for mode in MODES
    ),
    Case("QuantizedConcat", _concat, [arr(2, 2), arr(1, 2)], "", F32, grad=()),
    _there_and_back("range_found"),
    _there_and_back("given", range_given=True),
    _there_and_back("unsigned", signed_input=False, range_given=True, low=-3.0, num_bits=4),
    _there_and_back("half_up", round_mode="HALF_UP", num_bits=4),
    _there_and_back("even", num_bits=4),
    _there_and_back("narrow", narrow_range=True, num_bits=4, range_given=True),
    _there_and_back("zeros", val([0.0, 0.0])),
    _there_and_back("negative", val([-3.0, -1.0])),
    _there_and_back("empty", arr(0)),
    _there_and_back("range", low=3.0, range_given=True, raises=True),
    _there_and_back("bits", num_bits=64, raises=True),
    Case(
        "QuantizeAndDequantizeV3",
        lambda tf, x: tf.raw_ops.QuantizeAndDequantizeV3(
            input=x, input_min=-1.0, input_max=2.0, num_bits=4
        ),
        [X],
        "",
        F32,
        smooth=False,
    ),
    *(
        Case(
            "FakeQuantWithMinMaxVars",
            lambda tf, x, low, high, kwargs=kwargs: tf.fake_quant_with_min_max_vars(
                x, low, high, **kwargs
            ),
            [X, val(low), val(high)],
            label,
            F32,
            smooth=False,
        )
        for label, low, high, kwargs in (
            ("range", -1.0, 2.0, {}),
            ("narrow", -1.0, 2.0, {"num_bits": 4, "narrow_range": True}),
            ("positive", 1.0, 2.0, {}),
            ("negative", -2.0, -1.0, {}),
            ("zero", 0.0, 0.0, {}),
        )
    ),
    Case(
        "FakeQuantWithMinMaxVars",
        lambda tf, x: tf.fake_quant_with_min_max_vars(x, -1.0, 2.0, num_bits=17),
        [X],
        "bits",
        F32,
        raises=True,
    ),
    *(
        Case(
            f"FakeQuantWithMinMax{kind}",
            fake,
            [val([k * 6 / 255 for k in range(-20, 20)])],
            "half_steps",
            F32,
            smooth=False,
        )
        for kind, fake in (
            ("Args", lambda tf, x: tf.fake_quant_with_min_max_args(x, -6.0, 6.0)),
            ("Vars", lambda tf, x: tf.fake_quant_with_min_max_vars(x, -6.0, 6.0)),
        )
    ),
    Case(
        "FakeQuantWithMinMaxArgs",
        lambda tf, x: tf.fake_quant_with_min_max_args(x, 0.1, 2.0, narrow_range=True),
        [X],
        "narrow",
        F32,
        smooth=False,
    ),
    Case(
        "FakeQuantWithMinMaxArgs",
        lambda tf, x: tf.fake_quant_with_min_max_args(x, 3.0, 2.0),
        [X],
        "range",
        F32,
        raises=True,
    ),
    Case(
        "FakeQuantWithMinMaxVarsPerChannel",
        lambda tf, x, low, high: tf.fake_quant_with_min_max_vars_per_channel(x, low, high),
        [val([[-3.0, 0.2, 0.0], [5.0, 1.1, 1.0]]), val([-1.0, 0.0, 0.0]), val([2.0, 1.0, 0.0])],
        "zero_channel",
        F32,
        smooth=False,
    ),
    Case(
        "FakeQuantWithMinMaxVarsPerChannel",
        lambda tf, x, low, high: tf.fake_quant_with_min_max_vars_per_channel(x, low, high),
        [arr(2, 2), arr(1), arr(2)],
        "shape",
        F32,
        raises=True,
    ),
]
