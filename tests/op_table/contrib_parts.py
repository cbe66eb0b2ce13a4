"""Op types of small libraries of contrib: images, periodic resampling; and what is left over."""

from __future__ import annotations

from op_table.case import Case, arr, bools, loaded, spaced, val

IMAGES = "contrib.image.ops.gen_image_ops"
COLORS = "contrib.image.ops.gen_distort_image_ops"
RESAMPLE = "contrib.periodic_resample.python.ops.gen_periodic_resample_op"
HOST = "on the host"


def _named(op, library, names, **attrs):
    """The op of inputs with these names."""
    return lambda tf, *inputs: loaded(tf, op, library)(**dict(zip(names.split(), inputs)), **attrs)


def _case(op, label, fn, *inputs, **kwargs):
    kwargs.setdefault("grad", ())
    return Case(op, fn, inputs, label, **kwargs)


def _match(top_k=-1):
    return _named("BipartiteMatch", IMAGES, "distance_mat num_valid_rows", top_k=top_k)


def _transform(interpolation):
    return _named(
        "ImageProjectiveTransform", IMAGES, "images transforms", interpolation=interpolation
    )


def _resample(*shape):
    return _named("PeriodicResample", RESAMPLE, "values", shape=shape)


def _slice_update(**masks):
    return lambda tf, x, value: tf.raw_ops.TensorStridedSliceUpdate(
        input=x, begin=[1, 0], end=[3, 2], strides=[1, 1], value=value, **masks
    )


YIQ = _named("AdjustHsvInYiq", COLORS, "images delta_h scale_s scale_v")


def _components(tf, images):
    # Which numbers components have TensorFlow leaves open; this makes consecutive ones of them.
    return tf.contrib.image.connected_components(images)


DISTANCES = spaced(4, 3, dtype="float32")
PLAIN = [1.0, 0.3, 0.2, 0.1, 0.9, -0.4, 0.01, 0.0]
WORDS = [b"", b"a", b"hello", b"x" * 16, b"abcdefghijklmnopq", bytes(range(40, 90)),
         b"abcdefg" * 19, b"abcdefg" * 30]  # fmt: skip

CASES = [
    *(_case("BipartiteMatch", str(k), _match(k), DISTANCES, val([-1.0], "float32"), no_jax=HOST)
      for k in (-1, 1, 2)),
    _case("BipartiteMatch", "rows", _match(), DISTANCES, val(2.0, "float32"), no_jax=HOST),
    _case("BipartiteMatch", "many", _match(), DISTANCES, val(9.0, "float32"), raises=True),
    _case("BipartiteMatch", "valid", _match(), DISTANCES, val([1.0, 2.0], "float32"), raises=True),
    _case("ImageConnectedComponents", "", _components, val([[[1, 1, 0], [0, 1, 2], [2, 2, 2]],
          [[3, 3, 3], [3, 0, 3], [0, 3, 3]]]), dtypes=("uint8", "int32"), no_jax=HOST),
    _case("ImageConnectedComponents", "bool", _components, bools(2, 6, 7), no_jax=HOST),
    _case("ImageConnectedComponents", "random", _components, arr(1, 9, 9, low=0, high=3),
          dtypes=("int64",), no_jax=HOST),
    *(_case("AdjustHsvInYiq", str(i), YIQ, arr(2, 3, 4, 3, low=0.0, high=1.0),
            *(val(x, "float32") for x in numbers), dtypes=("float32",))
      for i, numbers in enumerate(((0.0, 1.0, 1.0), (0.7, 0.5, 1.5), (-2.0, 2.0, 0.3)))),
    *(_case("ImageProjectiveTransform", kind, _transform(kind), arr(2, 5, 6, 2),
            val([PLAIN], "float32")) for kind in ("NEAREST", "BILINEAR")),
    _case("PeriodicResample", "rows", _resample(6, None), arr(3, 4), grad=None),
    _case("PeriodicResample", "columns", _resample(2, 4, 6, None), arr(2, 2, 3, 4), grad=None),
    _case("PeriodicResample", "dropped", _resample(None, 8), arr(3, 4)),
    _case("PeriodicResample", "none", _resample(6, 6), arr(3, 4), raises=True),
    _case("PeriodicResample", "two", _resample(None, None), arr(3, 4), raises=True),
    _case("PeriodicResample", "small", _resample(2, None), arr(3, 4), raises=True),
    _case("PeriodicResample", "rank", _resample(6), arr(3, 4), raises=True),
    _case("SdcaFprint", "", lambda tf, x: tf.raw_ops.SdcaFprint(input=x), val(WORDS, "S"),
          no_jax=HOST),
    _case("TensorStridedSliceUpdate", "", _slice_update(), arr(4, 3), arr(2, 2)),
    _case("TensorStridedSliceUpdate", "masks", _slice_update(end_mask=1), arr(4, 3), arr(3, 2)),
]  # fmt: skip
