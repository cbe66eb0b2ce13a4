"""Rows of summaries: the very bytes of the messages, but for images, whose PNG files are read."""

from __future__ import annotations

import numpy as np

from op_table.case import Case, Spec, arr, val


def text(values) -> Spec:
    return val(np.array(values, dtype=object), "O")


def _case(op, label, fn, *inputs, **kwargs):
    return Case(op, fn, inputs, label, grad=(), no_jax="strings", **kwargs)


def _fails(op, label, fn, *inputs):
    return _case(op, label, fn, *inputs, raises=True)


def _raw(op, **attrs):
    """Records an op by its parameters' names; the first input is a string constant."""

    def record(tf, *inputs):
        names = {
            "ScalarSummary": ("tags", "values"),
            "HistogramSummary": ("tag", "values"),
            "ImageSummary": ("tag", "tensor"),
            "AudioSummaryV2": ("tag", "tensor", "sample_rate"),
            "TensorSummary": ("tensor",),
            "TensorSummaryV2": ("tag", "tensor", "serialized_summary_metadata"),
        }[op]
        return getattr(tf.raw_ops, op)(**dict(zip(names, inputs)), **attrs)

    return record


TAG = text("a/tag")
TAGS = text(["a", "b"])


def _scalars():
    one = _raw("ScalarSummary")
    for dtype in ("float32", "float64", "int32", "int64", "uint8", "float16"):
        yield _case("ScalarSummary", dtype, one, TAG, val(7, dtype))
    yield _case("ScalarSummary", "several", one, TAGS, val([1.5, float("nan")], "float32"))
    yield _case("ScalarSummary", "empty", one, text([]), val([], "float32"))
    yield _case("ScalarSummary", "large", one, TAG, val(2**63 - 1, "int64"))
    yield _fails("ScalarSummary", "shapes", one, TAG, val([1.0, 2.0], "float32"))
    yield _fails("ScalarSummary", "shapes_of_several", one, TAGS, val([[1.0, 2.0]], "float32"))


def _histograms():
    one = _raw("HistogramSummary")
    for dtype in ("float32", "float64", "float16"):
        yield _case("HistogramSummary", dtype, one, TAG, arr(5, 20, dtype=dtype))
    for dtype in ("int32", "uint8", "int64"):
        yield _case("HistogramSummary", dtype, one, TAG, val([0, 1, 1, 3, 200, 17], dtype))
    extremes = [1e-13, -1e-13, 0, 1e30, -1e30, 1e20, 1, 1.1, 1.21, 1e-12, -1, -1.1]
    for label, values in (
        ("empty", []),
        ("scalar", -0.25),
        ("extremes", extremes),
        ("same", [3.0] * 7),
        ("neighbours", [1.0, 1.05, 1.1, 1.2, 1.3]),
    ):
        yield _case("HistogramSummary", label, one, TAG, val(values, "float64"))
    for label, value in (("nan", float("nan")), ("infinity", float("-inf"))):
        yield _fails("HistogramSummary", label, one, TAG, val([1.0, value], "float32"))
    yield _fails("HistogramSummary", "tags", one, TAGS, val([1.0], "float32"))


def _pixels(op, which=0):
    """The tag and the pixels of one of the images."""

    def record(tf, tag, tensor, **attrs):
        summary = tf.raw_ops.ImageSummary(tag=tag, tensor=tensor, **op)

        def parts(data):
            value = tf.Summary.FromString(data).value[which]
            image = value.image
            sizes = [image.height, image.width, image.colorspace]
            tag = np.array(value.tag.encode(), object)
            contents = np.array(image.encoded_image_string, object)
            return tag, contents, np.array(sizes, np.int32)

        found = tf.py_func(parts, [summary], [tf.string, tf.string, tf.int32])
        return found[0], tf.image.decode_png(found[1]), found[2]

    return record


def _images():
    noise = arr(2, 3, 4, 3)
    for dtype in ("float32", "float64", "float16"):
        yield _case("ImageSummary", dtype, _pixels({}), TAG, arr(2, 3, 4, 3, dtype=dtype))
        positive = arr(1, 3, 4, 1, low=0.0, high=3.0, dtype=dtype)
        yield _case("ImageSummary", "positive_" + dtype, _pixels({}), TAG, positive)
    bytes_ = Spec((2, 3, 4, 4), 0, 256, "uint8")
    yield _case("ImageSummary", "uint8", _pixels({}, 1), TAG, bytes_)
    one = _pixels({"max_images": 1})
    yield _case("ImageSummary", "one", one, TAG, noise)
    strange = [[[[-1.0], [0.5]], [[2.0], [float("nan")]], [[float("inf")], [0.0]]]]
    yield _case("ImageSummary", "strange", one, TAG, val(strange, "float32"))
    colours = [[[[0.1, 0.2, float("nan")], [0.5, 0.25, 1.5]]]]
    yield _case("ImageSummary", "strange_colours", one, TAG, val(colours, "float32"))
    yield _case("ImageSummary", "zeros", one, TAG, val(np.zeros([1, 2, 2, 1]), "float32"))
    yield _case("ImageSummary", "tiny", one, TAG, val(np.full([1, 2, 2, 1], 1e-7), "float32"))
    for label, shape in (("depth", [1, 1, 1, 2]), ("rank", [1, 1, 1]), ("nothing", [1, 0, 1, 1])):
        yield _fails(
            "ImageSummary", label, _raw("ImageSummary"), TAG, val(np.zeros(shape), "float32")
        )
    yield _fails(
        "ImageSummary", "tags", _raw("ImageSummary"), TAGS, val(np.zeros([1, 1, 1, 1]), "float32")
    )


def _sounds():
    one = _raw("AudioSummaryV2")
    rate = val(8000.7, "float32")
    yield _case("AudioSummaryV2", "", one, TAG, arr(2, 5, dtype="float32"), rate)
    yield _case("AudioSummaryV2", "channels", one, TAG, arr(4, 3, 2, dtype="float32"), rate)
    edges = [[0.1, -0.1, 1.5, -1.5, 1, -1, 1.5 / 32768, 2.5 / 32768, -1.5 / 32768, float("nan")]]
    single = _raw("AudioSummaryV2", max_outputs=1)
    yield _case("AudioSummaryV2", "edges", single, TAG, val(edges, "float32"), rate)
    for label, slow in (("half", 2.5), ("slow", 0.2)):
        yield _case(
            "AudioSummaryV2", label, single, TAG, val(edges, "float32"), val(slow, "float32")
        )
    zeros = val(0.0, "float32")
    yield _case("AudioSummaryV2", "none", one, TAG, val(np.zeros([0, 3]), "float32"), rate)
    yield _fails("AudioSummaryV2", "rate", one, TAG, arr(2, 5, dtype="float32"), zeros)
    yield _fails("AudioSummaryV2", "rank", one, TAG, val([1.0], "float32"), rate)


def _tensors():
    v2 = _raw("TensorSummaryV2")
    metadata = text(b"\n\x06\n\x04text")
    for dtype in ("float32", "int64", "bool", "complex64", "float16"):
        yield _case("TensorSummaryV2", dtype, v2, TAG, val([[1, 0]], dtype), metadata)
    yield _case("TensorSummaryV2", "strings", v2, TAG, TAGS, metadata)
    yield _case("TensorSummaryV2", "plain", v2, TAG, val(1.5, "float32"), text(b""))
    yield _case("TensorSummaryV2", "empty", v2, TAG, val(np.zeros([0, 2]), "int32"), text(b""))
    yield _case("TensorSummaryV2", "bad_metadata", v2, TAG, val(1, "int32"), text(b"\xff\xff"))
    yield _fails("TensorSummaryV2", "tags", v2, TAGS, val(1, "int32"), metadata)
    described = _raw("TensorSummary", description="{}", labels=["l"], display_name="d", name="n")
    yield _case("TensorSummary", "", described, val([1.0, 2.0], "float32"))
    yield _case("TensorSummary", "strings", _raw("TensorSummary", name="n2"), TAGS)


A = b"\n\x08\n\x01a\x15\x00\x00\x80?"
B = b"\n\x08\n\x01b\x15\x00\x00\x00@"


def _merged():
    def merge(tf, *inputs):
        return tf.raw_ops.MergeSummary(inputs=list(inputs))

    yield _case("MergeSummary", "", merge, text(A), text(B))
    yield _case("MergeSummary", "vector", merge, text([A, B]), text(b""))
    yield _case("MergeSummary", "empty", merge, text([]))
    yield _fails("MergeSummary", "same", merge, text(A), text(B + A))
    yield _fails("MergeSummary", "broken", merge, text(b"\xff\xff"))


CASES = [*_scalars(), *_histograms(), *_images(), *_sounds(), *_tensors(), *_merged()]
