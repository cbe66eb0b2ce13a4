"""Rows of sound."""

from __future__ import annotations

from op_table.case import Case, arr, ints, val

_WAV = (
    b"RIFF4\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x02\x00@\x1f\x00\x00\x00}\x00\x00\x04\x00"
    b"\x10\x00data\x10\x00\x00\x00\x00\x00\xff\x7f\x00@\x00\x80\x00\xe0\xff\x7f\x01\x00\x00\x80"
)


def _decode(label, contents=_WAV, raises=False, **attrs):
    return Case(
        "DecodeWav",
        lambda tf, x: tf.audio.decode_wav(x, **attrs),
        [val(contents, "object")],
        label,
        grad=(),
        raises=raises,
        no_jax="strings stay on the host",
    )


def _spectrogram(label, samples, raises=False, **attrs):
    return Case(
        "AudioSpectrogram",
        lambda tf, x: tf.raw_ops.AudioSpectrogram(input=x, **attrs),
        [samples],
        label,
        ["float32"],
        grad=(),
        raises=raises,
    )


def _mfcc(label, raises=False, rate=16000, **attrs):
    return Case(
        "Mfcc",
        lambda tf, x: tf.raw_ops.Mfcc(spectrogram=x, sample_rate=rate, **attrs),
        [arr(1, 3, 33, low=0.0, high=9.0)],
        label,
        ["float32"],
        grad=(),
        raises=raises,
    )


CASES = [
    _decode("whole"),
    _decode("padded", desired_channels=1, desired_samples=6),
    _decode("repeated", desired_channels=3, desired_samples=2),
    _decode("empty", b"", True),
    _decode("short", _WAV[:50], True),
    _decode("no file", b"abcd" * 12, True),
    _decode("no sound", _WAV[:36], True),
    _decode("floats", _WAV[:20] + b"\x03" + _WAV[21:], True),
    _decode("bytes", _WAV[:34] + b"\x08" + _WAV[35:], True),
    Case(
        "EncodeWav",
        lambda tf, x, rate: tf.audio.encode_wav(x, rate),
        [val([[0.0, 1.0], [0.5, -1.0], [-0.25, 2.0], [1e-4, -3.0], [-1e-4, 2e-5]]), val(8000, "int32")],
        "",
        ["float32"],
        grad=(),
        no_jax="strings stay on the host",
    ),
    Case(
        "EncodeWav",
        lambda tf, x, rate: tf.audio.encode_wav(x, rate),
        [arr(3), ints()],
        "vector",
        ["float32"],
        raises=True,
    ),
    _spectrogram("mono", arr(40, 1), window_size=12, stride=5, magnitude_squared=True),
    _spectrogram("power of two", arr(32, 1), window_size=8, stride=8),
    _spectrogram("stereo", arr(16, 2), window_size=8, stride=8),
    _spectrogram("short", arr(5, 1), window_size=8, stride=2),
    _spectrogram("left over", arr(40, 2), True, window_size=12, stride=5),
    _spectrogram("vector", arr(5), True, window_size=2, stride=2),
    _spectrogram("window", arr(5, 1), True, window_size=1, stride=2),
    _mfcc(""),
    _mfcc("bands", rate=8000, filterbank_channel_count=6, dct_coefficient_count=6,
          lower_frequency_limit=300.0, upper_frequency_limit=3000.0),
    _mfcc("rate", True, rate=-1),
    _mfcc("count", True, dct_coefficient_count=50),
    _mfcc("limits", True, upper_frequency_limit=10.0),
]  # fmt: skip
