"""`tensorflow.python.ops.signal.mfcc_ops`: mel-frequency cepstral coefficients."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.math import math_ops
from tf1compat.api.signal import dct_ops
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name


@tf_export("signal.mfccs_from_log_mel_spectrograms")
def mfccs_from_log_mel_spectrograms(log_mel_spectrograms: Any, name: Name = None) -> Tensor:
    """Mel-frequency cepstral coefficients: cosine transforms of log mel spectra, scaled as in HTK.

    Args:
      log_mel_spectrograms: float32 [..., num_mel_bins].
      name: the name scope, "mfccs_from_log_mel_spectrograms" by default.

    Returns:
      A float32 tensor [..., num_mel_bins].

    Raises:
      ValueError: num_mel_bins is 0.
    """
    with ops.name_scope(name, "mfccs_from_log_mel_spectrograms", [log_mel_spectrograms]):
        spectra = ops.convert_to_tensor(log_mel_spectrograms, dtype=dtypes.float32)
        bins: Any = spectra.shape.as_list()[-1] if spectra.shape.ndims else None
        if bins is not None:
            if bins == 0:
                raise ValueError(f"num_mel_bins must be positive. Got: {spectra!s}")
        else:
            bins = array_ops.shape(spectra)[-1]
        transformed = dct_ops.dct(spectra, type=2)
        return transformed * math_ops.rsqrt(math_ops.cast(bins, dtypes.float32) * 2.0)
