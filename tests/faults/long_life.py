"""What a process keeps after many steps, graphs, sessions and shapes.

    python long_life.py KIND COUNT [TIER]

(the TIER "tf" is the real TensorFlow 1.15, with Python 3.7) prints, as JSON, the resident memory
after a quarter of the work and at its end, in MB, and the number of threads.
"""

from __future__ import annotations

import gc
import json
import resource
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np


def _resident() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20


def _model(tf: Any, width: int = 8) -> tuple[Any, Any, Any]:
    x = tf.placeholder(tf.float32, [None, width])
    w = tf.Variable(tf.random_normal([width, 4], seed=1))
    loss = tf.reduce_mean(tf.square(tf.matmul(x, w)))
    return x, loss, tf.train.AdamOptimizer(0.01).minimize(loss)


def steps(tf: Any) -> Any:
    x, loss, train = _model(tf)
    session = tf.Session()
    session.run(tf.global_variables_initializer())
    value = np.ones([16, 8], np.float32)
    return lambda i: session.run([loss, train], {x: value})


def sessions(tf: Any) -> Any:
    def one(i: int) -> None:
        with tf.Graph().as_default(), tf.Session() as session:
            x, loss, train = _model(tf)
            session.run(tf.global_variables_initializer())
            session.run([loss, train], {x: np.ones([2, 8], np.float32)})

    return one


def resets(tf: Any) -> Any:
    def one(i: int) -> None:
        tf.reset_default_graph()
        x, loss, train = _model(tf)
        session = tf.Session()  # not closed, as in many a notebook
        session.run(tf.global_variables_initializer())
        session.run([loss, train], {x: np.ones([2, 8], np.float32)})

    return one


def shapes(tf: Any) -> Any:
    x, loss, train = _model(tf)
    session = tf.Session()
    session.run(tf.global_variables_initializer())
    return lambda i: session.run([loss, train], {x: np.ones([i + 1, 8], np.float32)})


def failures(tf: Any) -> Any:
    x = tf.placeholder(tf.int32, [])
    value = tf.gather(tf.zeros([5]), x)
    session = tf.Session()

    def one(i: int) -> None:
        try:
            session.run(value, {x: 7})
        except tf.errors.InvalidArgumentError:
            return
        raise AssertionError("an index out of range was taken")

    return one


def run(kind: str, count: int, tier: str) -> dict[str, Any]:
    """Does it `count` times; see the module."""
    if tier == "tf":
        import tensorflow as tf
    else:
        from tf1compat import namespace, set_tier

        tf = namespace.tensorflow()
        set_tier(tier)
    one = globals()[kind](tf)
    marks = {}
    for i in range(count):
        one(i)
        if i + 1 in (count // 4, count):
            gc.collect()
            marks[i + 1] = _resident()
    quarter, end = marks[count // 4], marks[count]
    return {"quarter": quarter, "end": end, "threads": threading.active_count()}


if __name__ == "__main__":
    print(json.dumps(run(sys.argv[1], int(sys.argv[2]), (sys.argv[3:] or ["auto"])[0])))
