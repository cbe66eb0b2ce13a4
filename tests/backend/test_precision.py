"""How exactly products are computed."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

CODE = """
import jax, numpy as np
from tf1compat.kernels.math import matmul
x = np.ones([2, 2], np.float32)
print(jax.jit(lambda x: matmul._dot(x, x)).lower(x).as_text())
"""


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, "HIGHEST"),
        ({"NVIDIA_TF32_OVERRIDE": "1"}, "HIGH"),
        ({"NVIDIA_TF32_OVERRIDE": "1", "TF1COMPAT_TF32": "0"}, "HIGHEST"),
    ],
)
def test_tf32(settings: dict[str, str], expected: str) -> None:
    plain = {k: v for k, v in os.environ.items() if "TF32" not in k}
    made = subprocess.run(
        [sys.executable, "-c", CODE],
        env={**plain, **settings},
        capture_output=True,
        text=True,
        timeout=200,
        check=True,
    )
    assert f"precision = [{expected}, {expected}]" in made.stdout
