"""Rows of Fourier transforms, and of what signal processing makes of them."""

from __future__ import annotations

from op_table.case import COMPLEX, Case, arr, val

REAL = "float32"

BY_VALUE = "shape depends on values"


def _shapeless(function):
    """Without static shapes, so that the run has to look at them."""

    def hidden(tf, *inputs):
        return function(tf, *(tf.placeholder_with_default(x, None) for x in inputs))

    return hidden


def _refused(op_type, label, input, length=None):
    """A row that the run refuses."""
    if length is None:
        function = lambda tf, x: getattr(tf.raw_ops, op_type)(input=x)  # noqa: E731
        return Case(op_type, _shapeless(function), [input], label, raises=True)
    function = lambda tf, x, n: getattr(tf.raw_ops, op_type)(input=x, fft_length=n)  # noqa: E731
    return Case(op_type, _shapeless(function), [input, length], label, raises=True)


def _real(*shape):
    return arr(*shape, dtype="float32")


def _complex(*shape):
    return arr(*shape, dtype="complex64")


CASES = [
    # Fourier transforms.
    Case("FFT", lambda tf, x: tf.fft(x), [arr(2, 4)], "", COMPLEX, second=True),
    Case("IFFT", lambda tf, x: tf.ifft(x), [arr(2, 4)], "", COMPLEX, second=True),
    Case("FFT2D", lambda tf, x: tf.fft2d(x), [arr(2, 3, 4)], "", COMPLEX, second=True),
    Case("IFFT2D", lambda tf, x: tf.ifft2d(x), [arr(2, 3, 4)], "", COMPLEX),
    Case("FFT3D", lambda tf, x: tf.fft3d(x), [arr(2, 3, 2)], "", COMPLEX),
    Case("IFFT3D", lambda tf, x: tf.ifft3d(x), [arr(2, 3, 2)], "", COMPLEX),
    Case("RFFT", lambda tf, x: tf.spectral.rfft(x), [arr(2, 6, dtype="float32")]),
    Case("RFFT", lambda tf, x: tf.spectral.rfft(x, [5]), [arr(2, 6, dtype="float32")], "cut"),
    Case("RFFT", lambda tf, x: tf.spectral.rfft(x, [8]), [arr(2, 6, dtype="float32")], "padded"),
    Case("IRFFT", lambda tf, x: tf.spectral.irfft(x), [arr(2, 4, dtype="complex64")], smooth=False),
    Case(
        "IRFFT",
        lambda tf, x: tf.spectral.irfft(x, [5]),
        [arr(2, 4, dtype="complex64")],
        "odd",
        smooth=False,
    ),
    Case("RFFT2D", lambda tf, x: tf.spectral.rfft2d(x), [arr(3, 4, dtype="float32")]),
    Case(
        "IRFFT2D",
        lambda tf, x: tf.spectral.irfft2d(x),
        [arr(3, 3, dtype="complex64")],
        smooth=False,
    ),
    Case("Dct", lambda tf, x: tf.spectral.dct(x), [arr(2, 4, dtype="float32")]),
    Case(
        "Dct", lambda tf, x: tf.spectral.dct(x, norm="ortho"), [arr(2, 4, dtype="float32")], "ortho"
    ),
    Case("Idct", lambda tf, x: tf.spectral.idct(x), [arr(2, 4, dtype="float32")]),
    Case("Stft", lambda tf, x: tf.signal.stft(x, 4, 2), [arr(10, dtype="float32")]),
    Case("Window", lambda tf: [tf.signal.hann_window(5), tf.signal.hamming_window(4)]),
    Case("Frame", lambda tf, x: tf.signal.frame(x, 3, 2), [arr(8)]),
    Case("FFT", lambda tf, x: tf.fft(x), [arr(2, 0)], "empty", COMPLEX[:1], grad=()),
    Case("FFT", lambda tf, x: tf.fft(x), [arr(7)], "prime", COMPLEX),
    _refused("FFT", "scalar", _complex()),
    _refused("FFT2D", "vector", _complex(3)),
    _refused("IFFT3D", "matrix", _complex(3, 2)),
    Case("RFFT", lambda tf, x: tf.signal.rfft(x, [1]), [_real(3)], "one"),
    Case("RFFT", lambda tf, x: tf.signal.rfft(x), [_real(0, 3)], "empty", grad=()),
    Case(
        "RFFT",
        lambda tf, x, n: tf.signal.rfft(x, n),
        [_real(2, 5), val([5], "int32")],
        "length_fed",
        second=True,
        no_jax=BY_VALUE,
    ),
    Case("RFFT2D", lambda tf, x: tf.signal.rfft2d(x, [4, 5]), [_real(3, 4)], "padded"),
    Case("RFFT3D", lambda tf, x: tf.signal.rfft3d(x), [_real(2, 3, 4)], smooth=False),
    Case("IRFFT3D", lambda tf, x: tf.signal.irfft3d(x), [_complex(2, 3, 3)], smooth=False),
    Case(
        "IRFFT",
        lambda tf, x: tf.signal.irfft(x, [8]),
        [_complex(2, 3)],
        "padded",
        smooth=False,
    ),
    Case(
        "IRFFT2D",
        lambda tf, x: tf.signal.irfft2d(x, [3, 5]),
        [_complex(2, 3, 3)],
        "odd",
        smooth=False,
    ),
    _refused("RFFT", "short", _real(3), val([4], "int32")),
    _refused("RFFT", "negative", _real(3), val([-1], "int32")),
    _refused("RFFT", "two_lengths", _real(3), val([2, 2], "int32")),
    _refused("RFFT2D", "one_length", _real(3, 3), val([2], "int32")),
    _refused("RFFT2D", "short", _real(3, 3), val([4, 3], "int32")),
    _refused("RFFT", "scalar", _real(), val([4], "int32")),
    _refused("IRFFT", "short", _complex(2), val([4], "int32")),
    _refused("IRFFT2D", "short", _complex(3, 2), val([3, 4], "int32")),
    Case("FftShift", lambda tf, x: tf.signal.fftshift(x), [arr(3, 4)]),
    Case("FftShift", lambda tf, x: tf.signal.fftshift(x, 1), [arr(3, 4)], "axis"),
    Case("FftShift", lambda tf, x: tf.signal.fftshift(x, [0, 1]), [arr(3, 5)], "axes"),
    Case("IfftShift", lambda tf, x: tf.signal.ifftshift(x), [arr(3, 4)]),
    Case("IfftShift", lambda tf, x: tf.signal.ifftshift(x, 0), [arr(3, 4)], "axis"),
    *[
        Case(
            "Dct",
            lambda tf, x, type=type, n=n, norm=norm: tf.signal.dct(x, type, n, norm=norm),
            [_real(2, 4)],
            "{}/{}/{}".format(type, n, norm),
        )
        for type, n, norm in [
            (1, None, None),
            (1, 3, None),
            (2, 6, "ortho"),
            (3, None, None),
            (3, 3, "ortho"),
        ]
    ],
    *[
        Case(
            "Dct",
            lambda tf, x, args=args: tf.signal.dct(x, **args),
            [_real(2, 1)],
            label,
            raises=True,
        )
        for label, args in [
            ("type", {"type": 4}),
            ("axis", {"axis": 0}),
            ("norm", {"norm": "forward"}),
            ("n", {"n": 0}),
            ("ortho_1", {"type": 1, "norm": "ortho"}),
            ("short_1", {"type": 1}),
        ]
    ],
    Case("Idct", lambda tf, x: tf.signal.idct(x, 3, norm="ortho"), [_real(4)], "3"),
    Case("Idct", lambda tf, x: tf.signal.idct(x, 1), [_real(4)], "1"),
    Case(
        "Stft",
        lambda tf, x: tf.signal.stft(x, 5, 3, 8, tf.signal.hamming_window, True),
        [_real(2, 11)],
        "padded",
    ),
    Case("Stft", lambda tf, x: tf.signal.stft(x, 4, 4, window_fn=None), [_real(9)], "no_window"),
    Case(
        "InverseStft",
        lambda tf, x: tf.signal.inverse_stft(
            x, 4, 2, window_fn=tf.signal.inverse_stft_window_fn(2)
        ),
        [_complex(2, 5, 3)],
        smooth=False,
    ),
    Case(
        "InverseStft",
        lambda tf, x: tf.signal.inverse_stft(x, 3, 3, 4, None),
        [_complex(5, 3)],
        "cut",
        smooth=False,
    ),
    Case(
        "InverseStft",
        lambda tf, x: tf.signal.inverse_stft(x, 6, 2, 4),
        [_complex(5, 3)],
        "extended",
        smooth=False,
    ),
    Case("OverlapAndAdd", lambda tf, x: tf.signal.overlap_and_add(x, 2), [arr(2, 3, 5)]),
    Case("OverlapAndAdd", lambda tf, x: tf.signal.overlap_and_add(x, 4), [arr(3, 4)], "no_overlap"),
    Case(
        "OverlapAndAdd",
        lambda tf, x: tf.signal.overlap_and_add(x, 1),
        [arr(3)],
        "vector",
        raises=True,
    ),
    Case(
        "OverlapAndAdd",
        lambda tf, x: tf.signal.overlap_and_add(x, 1.0),
        [arr(3, 3)],
        "float",
        raises=True,
    ),
    Case(
        "Frame",
        lambda tf, x: tf.signal.frame(x, 4, 3, pad_end=True, pad_value=7, axis=0),
        [arr(8, 2)],
        "padded",
    ),
    Case(
        "Frame",
        lambda tf, x, n, step: tf.signal.frame(x, n, step),
        [arr(2, 9), val(4, "int32"), val(2, "int32")],
        "lengths_fed",
        ["float32"],
        no_jax=BY_VALUE,
    ),
    Case("Frame", lambda tf, x: tf.signal.frame(x, 4, 3), [arr(2)], "too_short", ["float32"]),
    Case(
        "Window",
        lambda tf, n: [
            tf.signal.hann_window(n, False),
            tf.signal.hamming_window(n, dtype=tf.float64),
        ],
        [val(6, "int32")],
        "length_fed",
    ),
    Case(
        "Window",
        lambda tf: [tf.signal.hann_window(1), tf.signal.hamming_window(6, False)],
        label="known",
    ),
    Case("Window", lambda tf: tf.signal.hann_window(3, dtype=tf.int32), label="int", raises=True),
    Case(
        "Mel",
        lambda tf: tf.signal.linear_to_mel_weight_matrix(4, 9, 16000, 20.0, 7000.0, tf.float64),
        label="float64",
        rtol=1e-6,
    ),
    Case("Mel", lambda tf: tf.signal.linear_to_mel_weight_matrix(5, 17), rtol=1e-4),
    *[
        Case(
            "Mel",
            lambda tf, args=args: tf.signal.linear_to_mel_weight_matrix(**args),
            label=label,
            raises=True,
        )
        for label, args in [
            ("bins", {"num_mel_bins": 0}),
            ("rate", {"sample_rate": 0}),
            ("lower", {"lower_edge_hertz": -1}),
            ("edges", {"lower_edge_hertz": 4000.0}),
            ("nyquist", {"upper_edge_hertz": 4001.0}),
        ]
    ],
    Case("Mfccs", lambda tf, x: tf.signal.mfccs_from_log_mel_spectrograms(x), [_real(2, 5)]),
    Case(
        "Removed",
        lambda tf, x: tf.raw_ops.BatchFFT(input=x),
        [_complex(3)],
        "BatchFFT",
        raises=True,
    ),
]
