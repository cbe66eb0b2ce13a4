"""`tensorflow.python.ops.spectral_ops_test_util`: kernels that tests of Fourier transforms take."""

from __future__ import annotations

from typing import Any

from tf1compat.core import ops


def _use_eigen_kernels() -> bool:
    return False  # As in TF: on CPUs they are taken anyway.


def fft_kernel_label_map() -> Any:
    """A context that chooses the kernels; the usual ones."""
    return ops.get_default_graph()._kernel_label_map({})
