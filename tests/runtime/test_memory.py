"""What does not fit into memory is refused with TF's error, and nothing has happened.

The texts are those of TensorFlow 1.15 on a CPU.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys

import jax
import numpy as np
import pytest

from tf1compat.core import errors
from tf1compat.runtime import allocator, memory, tiers
from tf1compat.runtime.compile import cache

N = 1 << 20


def fed(tf, value):
    """A tensor of which no shape is known while recording."""
    value = np.asarray(value)
    return tf.placeholder_with_default(value, [None] * value.ndim)


def _product(tf):
    x = fed(tf, np.ones([N, 1], np.float32))
    return tf.matmul(x, x, transpose_b=True, name="y")


def _in_a_branch(tf):
    x = fed(tf, np.float32(1))
    return tf.cond(x > 0, lambda: tf.broadcast_to(x, [N, N], name="y"), lambda: tf.ones([1, 1]))


def _called(tf):
    return tf.function(lambda x: tf.broadcast_to(x, [N, N], name="y"))(fed(tf, np.float32(1)))


# Case -> what is fetched, the shape and the type in the text, and the node.
CASES = {
    "zeros": (lambda tf: tf.zeros([N, N], name="y"), [N, N], "float", "y"),
    "fill": (lambda tf: tf.fill(fed(tf, [N, N]), 1, name="y"), [N, N], "int32", "y"),
    "double": (lambda tf: tf.fill([N, N], fed(tf, 1.0), name="y"), [N, N], "double", "y"),
    "broadcast": (
        lambda tf: tf.broadcast_to(fed(tf, np.float32(1)), [N, N], name="y") * 2,
        [N, N], "float", "y",
    ),
    "tile": (lambda tf: tf.tile(fed(tf, [[True]]), [N, N], name="y"), [N, N], "bool", "y"),
    "matmul": (_product, [N, N], "float", "y"),
    "random": (
        lambda tf: tf.random_normal([N, N], name="y"),
        [N, N], "float", "y/RandomStandardNormal",
    ),
    "one_hot": (
        lambda tf: tf.one_hot(fed(tf, np.zeros(N, np.int32)), N, name="y"),
        [N, N], "float", "y",
    ),
    "range": (lambda tf: tf.range(fed(tf, np.int64(1 << 42)), name="y"), [1 << 42], "int64", "y"),
    "variable": (
        lambda tf: tf.get_variable("v", [N, N]).initializer,
        [N, N], "float", "v/Initializer/random_uniform/RandomUniform",
    ),
    "uncountable": (
        lambda tf: tf.zeros([1 << 31, 1 << 31], name="y"),
        [1 << 31, 1 << 31], "float", "y",
    ),
    "branch": (_in_a_branch, [N, N], "float", "cond/y"),
    "function": (_called, [N, N], "float", "y"),
}  # fmt: skip


def text_of(shape, kind, node):
    return (
        f"OOM when allocating tensor with shape[{','.join(map(str, shape))}] and type {kind} on "
        f"/job:localhost/replica:0/task:0/device:CPU:0 by allocator cpu\n\t [[node {node} (",
        ") ]]\nHint: If you want to see a list of allocated tensors when OOM happens, add "
        "report_tensor_allocations_upon_oom to RunOptions for current allocation info.\n",
    )


# What NumPy fails at: it makes views of the others.
ON_HOST = ("matmul", "double", "tile", "one_hot")


@pytest.mark.usefixtures("compiled_quickly")
@pytest.mark.parametrize(
    ("case", "tier"),
    [*((case, tiers.XLA) for case in CASES), *((case, tiers.HOST) for case in ON_HOST)],
)
def test_too_large(tf, case, tier):
    build, *rest = CASES[case]
    fetch = build(tf)
    with tiers.tier(tier), tf.Session() as sess:
        for _ in range(2):
            with pytest.raises(tf.errors.ResourceExhaustedError) as caught:
                sess.run(fetch)
            start, end = text_of(*rest)
            if tier == tiers.XLA:
                assert caught.value.message.startswith(start)
            else:  # NumPy may fail at something on the way, of another shape.
                assert caught.value.message.startswith("OOM when allocating tensor with shape[")
                assert start.partition("\n")[2] in caught.value.message
            assert caught.value.message.endswith(end)
            assert caught.value.op.name == rest[-1]


@pytest.fixture
def small_machine(monkeypatch, xla):
    monkeypatch.setattr(memory, "limit", lambda device: 1 << 20)


def test_variables_stay_as_they_were(tf, small_machine):
    v, x = tf.Variable([1.0, 2.0]), tf.placeholder(tf.float32, [None])
    with tf.control_dependencies([v.assign_add([1.0, 1.0])]):
        outer = tf.multiply(x[:, None], x, name="outer")
    with tf.Session() as sess:
        sess.run(v.initializer)
        assert sess.run(outer, {x: np.ones(100)}).shape == (100, 100)
        with pytest.raises(tf.errors.ResourceExhaustedError, match=r"shape\[1000,1000\]"):
            sess.run(outer, {x: np.ones(1000)})
        assert list(sess.run(v)) == [2, 3]
        assert sess.run(outer, {x: np.ones(100)}).shape == (100, 100)


def test_what_takes_no_memory_runs(tf, small_machine):
    """TF would make the product; XLA sums it at once."""
    x = tf.placeholder(tf.float32, [None])
    total = tf.reduce_sum(x[:, None] * x)
    with tf.Session() as sess:
        assert sess.run(total, {x: np.ones(1000)}) == 1e6


class _Failing:
    """An executable that finds no memory when it runs."""

    def __init__(self, text):
        self._text = text

    def memory_analysis(self):
        return None

    def __call__(self, *args):
        raise jax.errors.JaxRuntimeError(self._text)


@pytest.mark.parametrize(
    ("text", "error", "match"),
    [
        ("RESOURCE_EXHAUSTED: Out of memory", errors.ResourceExhaustedError, r"shape\[2,3\]"),
        ("INTERNAL: Something else", jax.errors.JaxRuntimeError, "Something else"),
    ],
)
def test_failures_of_xla(tf, xla, monkeypatch, text, error, match):
    monkeypatch.setattr(cache, "compiled", lambda traced: _Failing(text))
    v = tf.Variable(1.0)
    y = tf.ones([2, 3]) * v
    with tf.Session() as sess:
        sess._variables[(b"", b"Variable"), 0] = np.float32(1)
        for _ in range(2):
            with pytest.raises(error, match=match):
                sess.run(y)


class _NoMemory(MemoryError):
    shape, dtype = (4, 5), np.dtype(np.float64)


def test_failures_of_numpy(tf):
    op = tf.no_op("n")
    error = memory.of_numpy(op, _NoMemory())
    assert error.message.startswith(text_of([4, 5], "double", "n")[0])
    assert isinstance(memory.of_numpy(op, MemoryError()), tf.errors.ResourceExhaustedError)


def test_the_limit_is_the_machine_s():
    limit = memory.limit(jax.devices("cpu")[0])
    assert limit > 1 << 28


# Prints how many pages a run is given as a rule, and those that its largest array takes. Memory is
# trimmed after 1, 3, 7 … seconds, and before most of the first runs of a program with temporaries
# as large as these, so the later runs tell. (Smaller ones glibc keeps by itself.)
_RUNS = """
import resource, statistics
import numpy as np
import tf1compat as tf

def pages():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt

x = tf.placeholder(tf.float32, [3000, 3000])
y = tf.reduce_sum(tf.reverse(tf.cumsum(tf.sin(x)), [0])[5:] * 2)
with tf.Session() as sess:
    feeds = {x: np.ones([3000, 3000], np.float32)}
    given = [pages()]
    for _ in range(120):
        sess.run(y, feeds)
        given.append(pages())
usual = statistics.median_low([b - a for a, b in zip(given, given[1:])][-60:])
print(usual, 3000 * 3000 * 4 // resource.getpagesize())
"""


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="not glibc")
def test_temporaries_are_kept_from_run_to_run():
    environment = {k: v for k, v in os.environ.items() if not k.startswith("MALLOC_")}
    environment["TF1COMPAT_TIER"] = tiers.XLA
    given, largest = subprocess.run(
        [sys.executable, "-c", _RUNS], env=environment, check=True, capture_output=True, text=True
    ).stdout.split()
    assert int(given) < int(largest) / 2


def test_freed_pages_are_given_back_before_the_first_runs(tf, xla, monkeypatch):
    """Of a program with large temporaries; later on ever more rarely."""
    given_back = []
    monkeypatch.setattr(allocator, "_trim", lambda pad: given_back.append(run) or 1)
    x = tf.placeholder(tf.float32, [8])
    y = tf.reduce_sum(x * x)
    for least, wanted in ((1, []), (0, [0, 1, 2, 3, 4, 5, 6, 7, 9, 11, 14, 17])):
        monkeypatch.setattr(allocator, "_LARGE", least << 30)
        given_back.clear()
        with tf.Session() as sess:
            for run in range(20):  # noqa: B007 (what `_trim` notes)
                sess.run(y, {x: np.ones(8)})
        assert given_back == wanted
