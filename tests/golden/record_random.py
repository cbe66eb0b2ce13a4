"""Records what the random ops of the real TensorFlow 1.15 draw.

    python3.7 -W ignore tests/golden/record_random.py      (an environment with tensorflow==1.15.5)

Runs the rows of random_cases.py on the CPU with one thread, and the C library's logf and sincosf
over all arguments of a float32 Box-Muller transform; writes data/random.npz.
"""

import ctypes
import hashlib
import os
import pathlib

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import numpy as np
import random_cases
import tensorflow as tf

tf.compat.v1.logging.set_verbosity("ERROR")
OUT = pathlib.Path(__file__).parent / "data" / "random.npz"


def plain(array):
    """bfloat16 as its bits, which .npz can hold."""
    array = np.asarray(array)
    return array.view(np.uint16) if array.dtype == tf.bfloat16.as_numpy_dtype else array


def digest(array):
    return np.array(hashlib.sha256(np.ascontiguousarray(array).tobytes()).hexdigest())


def record(row):
    """What the op draws in RUNS runs of one session: [runs, ...]."""
    with tf.Graph().as_default(), tf.device("/device:CPU:0"):
        # Constants for the shape functions; TF's own kernels see the same.
        inputs = {name: tf.constant(value) for name, value in row.inputs.items()}
        attrs = {name: getattr(tf, value) for name, value in row.attrs.items()}
        if row.seeds:
            attrs.update(zip(("seed", "seed2"), row.seeds))
        drawn = getattr(tf.raw_ops, row.op)(**inputs, **attrs)
        config = tf.compat.v1.ConfigProto(intra_op_parallelism_threads=1)
        with tf.compat.v1.Session(config=config) as session:
            values = np.stack([plain(session.run(drawn)) for _ in range(random_cases.RUNS)])
    return digest(values) if row.digest else values


def libm():
    """Digests of logf, sinf and cosf over all 2**23 floats that a random word can become."""
    library = ctypes.CDLL("libm.so.6")
    library.logf.restype = ctypes.c_float
    unit = (np.arange(1 << 23, dtype=np.uint32) | 0x3F800000).view(np.float32) - np.float32(1)
    angles = (2 * np.pi * unit.astype(np.float64)).astype(np.float32)
    logs, sines, cosines = (np.empty_like(unit) for _ in range(3))
    number, logf, sincosf = ctypes.c_float, library.logf, library.sincosf
    sine, cosine = number(), number()
    sine_at, cosine_at = ctypes.byref(sine), ctypes.byref(cosine)
    for i, (u, angle) in enumerate(zip(unit.tolist(), angles.tolist())):
        logs[i] = logf(number(max(u, float(np.float32(1e-7)))))
        sincosf(number(angle), sine_at, cosine_at)
        sines[i], cosines[i] = sine.value, cosine.value
    return {"logf": digest(logs), "sinf": digest(sines), "cosf": digest(cosines)}


def main():
    goldens = {name: record(row) for name, row in random_cases.rows().items()}
    goldens.update(libm())
    np.savez_compressed(str(OUT), **goldens)
    print("%d entries, %.0f kB" % (len(goldens), OUT.stat().st_size / 1e3))


if __name__ == "__main__":
    main()
