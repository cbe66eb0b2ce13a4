"""Rows of fractional pools, of transposed convolutions, and of gradients of gradients of nets."""

from __future__ import annotations

from op_table.case import Case, arr, spaced

F32 = ["float32"]
IMAGE = spaced(1, 7, 9, 2, step=0.1)


def _fractional():
    for op, name in (("FractionalMaxPool", "max"), ("FractionalAvgPool", "avg")):
        for pseudo in (False, True):
            for overlapping in (False, True):
                label = f"{'pseudo' if pseudo else 'random'}{'_overlap' if overlapping else ''}"
                yield Case(
                    op,
                    lambda tf, x, n=name, p=pseudo, o=overlapping: getattr(
                        tf.nn, f"fractional_{n}_pool"
                    )(x, [1.0, 1.44, 1.73, 1.0], p, o, True, 3, 5),
                    [IMAGE],
                    label,
                    ["float32", "float64"] if pseudo else F32,
                    smooth=False,
                    no_jax="random",
                )
        yield Case(
            op,
            lambda tf, x, n=name: getattr(tf.compat.v2.nn, f"fractional_{n}_pool")(
                x, [1.0, 1.5, 1.5, 1.0], seed=4
            ),
            [spaced(1, 6, 8, 1, dtype="int32")],
            "int32",
            no_jax="random",
        )
        for label, ratio, seed in (
            ("ratio", [1.0, 1.5, 1.5], 0),
            ("seed", [1.0, 1.5, 1.5, 1.0], 3),
        ):
            yield Case(
                op,
                lambda tf, x, n=name, r=ratio, s=seed: getattr(tf.nn, f"fractional_{n}_pool")(
                    x, r, seed=s
                ),
                [IMAGE],
                f"bad_{label}",
                F32,
                raises=True,
            )


def _transposed():
    filters = arr(3, 2, 2, 3)
    image = arr(1, 3, 4, 3)
    for rate, padding, size in (
        (1, "SAME", [1, 3, 4, 2]),
        (2, "SAME", [1, 3, 4, 2]),
        (2, "VALID", [1, 7, 6, 2]),
        (3, "SAME", [1, 3, 4, 2]),
    ):
        yield Case(
            "AtrousTranspose",
            lambda tf, x, w, s=size, r=rate, p=padding: tf.nn.atrous_conv2d_transpose(
                x, w, s, r, p
            ),
            [image, filters],
            f"{padding}_{rate}",
            F32,
        )
    for label, size, rate, padding in (
        ("rate", [1, 3, 4, 2], 0, "SAME"),
        ("padding", [1, 3, 4, 2], 2, "HALF"),
        ("channels", [1, 3, 4, 5], 2, "SAME"),
        ("shape", [1, 3, 4], 2, "SAME"),
    ):
        yield Case(
            "AtrousTranspose",
            lambda tf, x, w, s=size, r=rate, p=padding: tf.nn.atrous_conv2d_transpose(
                x, w, s, r, p
            ),
            [image, filters],
            f"bad_{label}",
            F32,
            raises=True,
        )
    yield Case(
        "ConvTranspose",
        lambda tf, x, w: tf.nn.conv_transpose(x, w, [1, 6, 4, 2], [2, 1]),
        [image, filters],
        "2d",
        F32,
    )
    yield Case(
        "ConvTranspose",
        lambda tf, x, w: tf.nn.conv_transpose(x, w, [2, 6, 2], 2, name="mine"),
        [arr(2, 3, 3), arr(3, 2, 3)],
        "1d",
        F32,
    )
    yield Case(
        "ConvTranspose",
        lambda tf, x, w: tf.nn.conv_transpose(x, w, tf.constant([1, 2, 4, 2, 2]), [1, 2, 1]),
        [arr(1, 2, 2, 2, 3), arr(2, 3, 1, 2, 3)],
        "3d",
        F32,
    )
    yield Case(
        "ConvTranspose",
        lambda tf, x, w: tf.nn.conv_transpose(x, w, [1, 6], 2),
        [image, filters],
        "bad_rank",
        F32,
        raises=True,
    )


def _norm_gradients():
    """Second gradients of FusedBatchNorm: of FusedBatchNormGrad, that is."""
    inputs = [arr(2, 2, 3, 2), arr(2, low=0.5), arr(2)]
    stats = [arr(2), arr(2, low=0.5)]

    def record(training, version):
        def normalized(tf, x, scale, offset, *stats):
            given = list(stats) or [tf.constant([], tf.float32)] * 2
            return getattr(tf.raw_ops, f"FusedBatchNorm{version}")(
                x=x, scale=scale, offset=offset, mean=given[0], variance=given[1],
                is_training=training,
            )[0]  # fmt: skip

        return normalized

    for version in ("", "V2", "V3"):
        for training in (True, False):
            yield Case(
                f"FusedBatchNorm{version}",
                record(training, version),
                inputs if training else inputs + stats,
                f"second_{training}",
                F32,
                grad=(0, 1, 2),
                second=True,
            )
    yield Case(
        "FusedBatchNormV3",
        record(True, "V3"),
        [arr(2, 2, 3, 2, dtype="float16"), arr(2, low=0.5), arr(2)],
        "second_half",
        F32,
        grad=(0, 1, 2),
        second=True,
    )


CASES = [*_fractional(), *_transposed(), *_norm_gradients()]
