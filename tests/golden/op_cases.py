"""Op types that the table can't say: they are only imported, or live on between runs.

Read by `record_cases.py` under TensorFlow 1.15 and replayed by `tests/kernels/test_op_cases.py`.
"""

from __future__ import annotations

import numpy as np
from case_runs import Case, collect

# ---- op types that TF only takes from old GraphDefs ----------


def _imported(tf, op, inputs, gradients=0, **attrs):
    """The outputs of one node of a GraphDef of TF's first version, and perhaps gradients."""
    graph_def = tf.GraphDef()
    graph_def.versions.producer = 1
    with tf.Graph().as_default() as graph:
        placeholders = [tf.constant(value, name="x%d" % i) for i, value in enumerate(inputs)]
        graph_def.node.extend(graph.as_graph_def().node)
    node = graph_def.node.add(name="old", op=op, input=[t.op.name for t in placeholders])
    if placeholders:
        kind = node.attr["T"] if op not in ("AudioSummary", "RandomPoisson") else None
        if kind is not None:
            kind.type = placeholders[0].dtype.as_datatype_enum
    for name, value in attrs.items():
        node.attr[name].CopyFrom(value)
    tf.import_graph_def(graph_def, name="")
    op = tf.get_default_graph().get_operation_by_name("old")
    found = list(op.outputs)
    if gradients:
        found += tf.gradients(found[0], list(op.inputs)[:gradients])
    return Case(found, steps=1)


def _attr(tf, **fields):
    return tf.AttrValue(**fields)


def _ints(tf, values):
    return tf.AttrValue(list=tf.AttrValue.ListValue(i=values))


_X = np.arange(12, dtype=np.float32).reshape(3, 4)
_IMAGE = np.arange(32, dtype=np.float32).reshape(1, 4, 4, 2)
_CUBE = np.arange(8, dtype=np.float32).reshape(1, 2, 2, 2, 1)


def band_part(tf):
    return _imported(tf, "BatchMatrixBandPart", [_X, np.int64(1), np.int64(0)])


def diag(tf):
    return _imported(tf, "BatchMatrixDiag", [_X])


def diag_part(tf):
    return _imported(tf, "BatchMatrixDiagPart", [_X])


def set_diag(tf):
    return _imported(tf, "BatchMatrixSetDiag", [_X, np.ones(3, np.float32)])


def contrast(tf):
    numbers = [np.float32(2), np.float32(0), np.float32(20)]
    return _imported(tf, "AdjustContrast", [_IMAGE] + numbers)


def _normalized(tf, scales, gradients):
    numbers = [[0.5, 1.0], [1.0, 2.0], [0.0, 1.0], [2.0, 3.0]]
    return _imported(
        tf,
        "BatchNormWithGlobalNormalization",
        [_IMAGE] + [np.array(x, np.float32) for x in numbers],
        gradients=gradients,
        variance_epsilon=_attr(tf, f=0.5),
        scale_after_normalization=_attr(tf, b=scales),
    )


def batch_norm(tf):
    return _normalized(tf, True, 5)


def batch_norm_unscaled(tf):
    return _normalized(tf, False, 5)


def _conv3d(tf, op):
    inputs = [_CUBE, np.ones([1, 2, 1, 1, 1], np.float32), _CUBE * 2]
    padding = _attr(tf, s=b"SAME")
    return _imported(tf, op, inputs, strides=_ints(tf, [1, 1, 1, 1, 1]), padding=padding)


def conv3d_input(tf):
    return _conv3d(tf, "Conv3DBackpropInput")


def conv3d_filter(tf):
    return _conv3d(tf, "Conv3DBackpropFilter")


def quantized(tf):
    settings = {
        "signed_input": _attr(tf, b=True), "num_bits": _attr(tf, i=4),
        "range_given": _attr(tf, b=True), "input_min": _attr(tf, f=-3.0),
        "input_max": _attr(tf, f=5.0),
    }  # fmt: skip
    return _imported(tf, "QuantizeAndDequantize", [_X], gradients=1, **settings)


def poisson(tf):
    settings = {"seed": _attr(tf, i=3), "seed2": _attr(tf, i=4)}
    settings["S"] = settings["dtype"] = None
    settings["S"] = _attr(tf, type=tf.int32.as_datatype_enum)
    settings["dtype"] = _attr(tf, type=tf.float32.as_datatype_enum)
    rates = np.array([0.5, 20.0], np.float32)
    return _imported(tf, "RandomPoisson", [np.array([3], np.int32), rates], **settings)


def audio(tf):
    samples = np.array([[0.0, 0.5, 0.25], [-1.0, 1.0, 0.125]], np.float32)
    rate = _attr(tf, f=10.0)
    return _imported(tf, "AudioSummary", [np.array("a"), samples], sample_rate=rate)


def placeholder(tf):
    from tensorflow.core.framework import tensor_shape_pb2

    shape = tensor_shape_pb2.TensorShapeProto()
    shape.dim.add(size=2)
    case = _imported(tf, "PlaceholderV2", [], dtype=_attr(tf, type=1), shape=_attr(tf, shape=shape))
    case.feeds = lambda step: {case.fetches[0]: [1.0, 2.0]}
    return case


REMOVED = collect(
    band_part, diag, diag_part, set_diag, contrast, batch_norm, batch_norm_unscaled,
    conv3d_input, conv3d_filter, quantized, poisson, audio, placeholder,
)  # fmt: skip

CASES = {"removed": REMOVED}
MISTAKES = {}
