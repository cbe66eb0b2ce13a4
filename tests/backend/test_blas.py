"""Products by BLAS: of any size, and how many threads BLAS may take afterwards."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from tf1compat.backend.on_numpy import blas


@pytest.mark.parametrize(
    "shapes",
    [
        ((3, 4), (4, 5)),
        ((80, 90), (90, 100)),
        ((2, 70, 80), (80, 90)),
        ((301, 400), (400, 200)),  # in parts
        ((20, 1000), (1000, 1001)),
    ],
)
def test_products(shapes):
    rng = np.random.RandomState(0)
    x, y = (rng.normal(size=shape) for shape in shapes)
    out = np.empty(np.matmul(x, y).shape)
    np.testing.assert_allclose(blas.matmul(x, y), np.matmul(x, y), 1e-12, 1e-12)
    assert blas.matmul(x, y, out=out) is out


def test_only_the_last_to_leave_gives_the_threads_back():
    threads = blas._one_thread
    if threads._set is None:
        pytest.skip("NumPy's BLAS says nothing of threads")
    before = threads._get()
    entered, leave = threading.Event(), threading.Event()

    def other():
        with threads:
            entered.set()
            leave.wait()

    thread = threading.Thread(target=other)
    thread.start()
    entered.wait()
    with threads:
        assert threads._get() == 1
    assert threads._get() == 1
    leave.set()
    thread.join()
    assert threads._get() == before
