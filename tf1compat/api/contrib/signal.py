"""`tf.contrib.signal`: the functions of `tf.signal` that were there first."""

from __future__ import annotations

from tf1compat.api.signal import signal
from tf1compat.core.export import export_constant

_NAMES = (
    "frame",
    "hamming_window",
    "hann_window",
    "inverse_stft",
    "inverse_stft_window_fn",
    "linear_to_mel_weight_matrix",
    "mfccs_from_log_mel_spectrograms",
    "overlap_and_add",
    "stft",
)

for _name in _NAMES:
    export_constant(f"contrib.signal.{_name}", getattr(signal, _name))
