"""`tensorflow.python.ops.signal.signal`: all of `tf.signal`."""

from __future__ import annotations

from tf1compat.api.signal.dct_ops import dct, idct
from tf1compat.api.signal.fft_ops import (
    fft,
    fft2d,
    fft3d,
    fftshift,
    ifft,
    ifft2d,
    ifft3d,
    ifftshift,
    irfft,
    irfft2d,
    irfft3d,
    rfft,
    rfft2d,
    rfft3d,
)
from tf1compat.api.signal.mel_ops import linear_to_mel_weight_matrix
from tf1compat.api.signal.mfcc_ops import mfccs_from_log_mel_spectrograms
from tf1compat.api.signal.reconstruction_ops import overlap_and_add
from tf1compat.api.signal.shape_ops import frame
from tf1compat.api.signal.spectral_ops import inverse_stft, inverse_stft_window_fn, stft
from tf1compat.api.signal.window_ops import hamming_window, hann_window

__all__ = [
    "dct",
    "fft",
    "fft2d",
    "fft3d",
    "fftshift",
    "frame",
    "hamming_window",
    "hann_window",
    "idct",
    "ifft",
    "ifft2d",
    "ifft3d",
    "ifftshift",
    "inverse_stft",
    "inverse_stft_window_fn",
    "irfft",
    "irfft2d",
    "irfft3d",
    "linear_to_mel_weight_matrix",
    "mfccs_from_log_mel_spectrograms",
    "overlap_and_add",
    "rfft",
    "rfft2d",
    "rfft3d",
    "stft",
]
