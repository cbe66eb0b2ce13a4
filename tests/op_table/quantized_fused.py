"""Quantized convolutions and products in one with what follows them, as Intel's tools write them.

TensorFlow's own package has no kernels for them. These goldens are of Intel's build of it:

    python3.7 -m venv intel && intel/bin/pip install intel-tensorflow==1.15.2 'protobuf<3.21'
    intel/bin/python -W ignore tests/golden/record_ops.py quantized_fused

Its kernels stop on processors that are not Intel's; there `qemu-x86_64 -cpu Haswell` runs them.
The weights are small, as sums of two products of 8 bits are cut off at 16 bits on older processors.
"""

from __future__ import annotations

import numpy as np

from op_table.case import Case, val

_STATE = np.random.RandomState(3)
_PLAIN = {"quint8": "uint8", "qint8": "int8", "qint32": "int32"}
_QUANTIZED = {plain: name for name, plain in _PLAIN.items()}


def _integers(low, high, *shape, dtype="uint8"):
    return val(np.floor(_STATE.uniform(low, high, shape)).astype(dtype), dtype)


IMAGE, SMALL = _integers(0, 256, 2, 5, 4, 3), _integers(0, 16, 1, 4, 4, 2)
FILTER = _integers(-63, 64, 3, 2, 3, 4, dtype="int8")
DEPTHWISE = _integers(-63, 64, 3, 3, 3, 1, dtype="int8")
BIAS = val([1.5, -2.0, 0.25, 30.0], "float32")
WHOLE_BIAS = val([100, -3000, 5, 7000], "int32")
MATRIX, WEIGHTS = _integers(0, 256, 3, 5), _integers(-63, 64, 5, 4, dtype="int8")
ADDED = _integers(0, 256, 2, 3, 2, 4)
SIGNED = _integers(-128, 128, 2, 3, 2, 4, dtype="int8")
WIDE = _integers(-(2**20), 2**20, 1, 3, 2, 4, dtype="int32")
TOTALS = _integers(-5000, 5000, 2, 3, 2, 4, dtype="int32")

INPUT = {"min_input": 0.0, "max_input": 2.5}
ONE = {"min_filter": -1.5, "max_filter": 1.0}
CHANNELS = {"min_filter": [-1.5, -0.5, -1.0, -2.0], "max_filter": [1.0, 0.75, 1.0, 0.5]}
FREEZED = {"min_freezed_output": 0.0, "max_freezed_output": 20.0}
SUMMAND = {"min_summand": -4.0, "max_summand": 10.0}
CONV = {"strides": [1, 2, 2, 1], "padding": "SAME"}
DEEP = {"strides": [1, 1, 1, 1], "padding": "VALID"}
AB = {"min_a": -0.5, "max_a": 2.0, "min_b": -1.5, "max_b": 1.0}
FED = ("input", "a", "summand")
KINDS = ("Toutput", "out_type")


def _case(op, names, numbers, *inputs, label="", **attrs):
    """The op of these inputs, as quantized numbers where they are integers, and of constants.

    Intel's kernels want weights that are constants, and write into a summand that they own.
    """
    specs = dict(zip(names.split(), inputs))
    fed = {name: spec for name, spec in specs.items() if name in FED}

    def record(tf, *given):
        arguments = {name: tf.constant(value, tf.float32) for name, value in numbers.items()}
        for name, spec in specs.items():
            kind = getattr(tf, _QUANTIZED.get(spec.dtype, "float32"))
            if name not in fed:
                value = np.asarray(spec.values)
                arguments[name] = tf.constant(value.astype(kind.as_numpy_dtype), kind)
        for name, x in zip(fed, given):
            x = tf.identity(x) + 0 if name == "summand" else x
            kind = _QUANTIZED.get(x.dtype.name)
            arguments[name] = tf.bitcast(x, getattr(tf, kind)) if kind else x
        kinds = {key: getattr(tf, value) if key in KINDS else value for key, value in attrs.items()}
        found = getattr(tf.raw_ops, op)(**arguments, **kinds)
        plain = [_PLAIN.get(x.dtype.name) for x in found]
        return [tf.bitcast(x, getattr(tf, kind)) if kind else x for x, kind in zip(found, plain)]

    return Case(op, record, list(fed.values()), label, grad=(), no_jax="quantized")


def _conv(name, filters, *inputs, names="input filter", label="", **attrs):
    numbers = dict(INPUT, **filters)
    if "Requantize" in name:
        numbers.update(FREEZED)
    if "Sum" in name and "Requantize" in name:
        numbers.update(SUMMAND)
    return _case("Quantized" + name, names, numbers, *inputs, label=label, **attrs)


WITH_BIAS, WITH_SUM = "input filter bias", "input filter bias summand"
CASES = [
    *(
        _conv("Conv2D" + name, filters, IMAGE, FILTER, label=label, **CONV)
        for name in ("AndRelu", "AndReluAndRequantize", "AndRequantize", "PerChannel")
        for label, filters in (("one", ONE), ("channels", CHANNELS))
    ),
    *(
        _conv("Conv2DWithBias" + name, filters, IMAGE, FILTER, BIAS, label=label, names=WITH_BIAS,
              **CONV)
        for name in ("", "AndRelu", "AndReluAndRequantize", "AndRequantize")
        for label, filters in (("one", ONE), ("channels", CHANNELS))
    ),
    *(
        _conv("Conv2DWithBias" + name, ONE, IMAGE, FILTER, WHOLE_BIAS, label="whole",
              names=WITH_BIAS, **CONV)
        for name in ("AndReluAndRequantize", "AndRequantize")
    ),
    _conv("Conv2DWithBiasAndRelu", ONE, IMAGE, FILTER, BIAS, names=WITH_BIAS, label="list",
          padding_list=[0, 0, 1, 1, 1, 1, 0, 0], **DEEP),
    *(
        _conv("DepthwiseConv2D" + name, ONE, IMAGE, DEPTHWISE, label="one", **DEEP)
        for name in ("",)
    ),
    *(
        _conv("DepthwiseConv2D" + name, ONE, IMAGE, DEPTHWISE, val([1.5, -2.0, 0.25], "float32"),
              names=WITH_BIAS, label="one", **DEEP)
        for name in ("WithBias", "WithBiasAndRelu", "WithBiasAndReluAndRequantize")
    ),
    _conv("Conv2DWithBiasSumAndReluAndRequantize", ONE, IMAGE, FILTER, BIAS, ADDED,
          names=WITH_SUM, **CONV),
    _conv("Conv2DWithBiasSumAndReluAndRequantize", ONE, IMAGE, FILTER, BIAS, SIGNED,
          names=WITH_SUM, label="signed", **CONV),
    _conv("Conv2DWithBiasSignedSumAndReluAndRequantize", CHANNELS, IMAGE, FILTER, BIAS, SIGNED,
          names=WITH_SUM, **CONV),
    _conv("Conv2DWithBiasSumAndRelu", ONE, IMAGE, FILTER, BIAS,
          val(np.arange(48.0).reshape(2, 3, 2, 4) - 20, "float32"), names=WITH_SUM, **CONV),
    *(
        _case("QuantizedMatMulWithBias" + name, "a b bias",
              dict(AB, **(FREEZED if "Requantize" in name else {})), MATRIX, WEIGHTS, bias,
              label=f"{mode}_{label}", input_quant_mode=mode)
        for name in ("", "AndRelu", "AndReluAndRequantize")
        for mode in ("MIN_FIRST", "SCALED")
        for label, bias in (("bias", BIAS), ("whole", WHOLE_BIAS))
        if name != "AndRelu" or label == "bias"
    ),
    _case("RequantizationRangePerChannel", "input",
          {"input_min": [-2.0, -3.0, -1.0, -5.0], "input_max": [2.0, 3.5, 1.0, 4.0]}, WIDE,
          clip_value_max=1e30),
    _case("RequantizationRangePerChannel", "input",
          {"input_min": [-2000.0, -3.0, -1.0, -5.0], "input_max": [2000.0, 3.5, 1.0, 4.0]}, WIDE,
          label="clipped", clip_value_max=0.75),
    _case("RequantizationRangePerChannel", "input",
          {"input_min": [-2.0, -3.0, -1.0, -5.0], "input_max": [2.0, 3.5, 1.0, 4.0]},
          _integers(0, 2**20, 1, 3, 2, 4, dtype="int32"), label="positive", clip_value_max=1e30),
    *(
        _case("RequantizePerChannel", "input",
              {"input_min": [-2.0, -3.0, -1.0, -5.0], "input_max": [2.0, 3.5, 1.0, 4.0],
               "requested_output_min": low, "requested_output_max": 0.002}, WIDE,
              label=f"{kind}_{low}", out_type=kind)
        for kind, low in (("quint8", 0.0), ("qint8", -0.001), ("quint8", -0.004))
    ),
]  # fmt: skip
