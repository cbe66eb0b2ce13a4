"""What recording a small training loop costs.

    python benchmarks/recording.py [--rows N]

A net of one hidden layer is trained on batches of `--rows` rows of 8 numbers, in blocks of as many
steps as a recording holds before it writes them, with and without the recorder in turns. Printed
are the processor time of a step, and the median of what blocks with it took of the ones before.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from pathlib import Path

import numpy as np

import tf1compat as tf
from tf1compat.migrate import recorder

ROUNDS, STEPS = 100, 500


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rows", type=int, default=64)
    options = parser.parse_args()
    tf.compat.v1.logging.set_verbosity(tf.compat.v1.logging.ERROR)
    x, y = tf.placeholder(tf.float32, [None, 8]), tf.placeholder(tf.float32, [None, 1])
    hidden = tf.layers.dense(x, 8, tf.nn.relu)
    loss = tf.reduce_mean(tf.square(tf.layers.dense(hidden, 1) - y))
    train = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
    random = np.random.RandomState(0)
    batches = [
        [random.rand(options.rows, columns).astype(np.float32) for columns in (8, 1)]
        for _ in range(50)
    ]
    with tf.Session() as session, tempfile.TemporaryDirectory() as folder:
        session.run(tf.global_variables_initializer())

        def block() -> float:
            begin = time.process_time()
            for i in range(STEPS):
                rows, wanted = batches[i % len(batches)]
                session.run([train, loss], {x: rows, y: wanted})
            return time.process_time() - begin

        base = next(c for c in tf.Session.__mro__ if "run" in vars(c))
        recording = recorder.Recorder(Path(folder, "run.tfrec"), tf.make_ndarray)
        for _ in range(10):
            block()
        alone, recorded = [], []
        for _ in range(ROUNDS):
            alone.append(block())
            recording.attach(base)
            recorded.append(block())
            recording.detach()
        recording.close()
    ratios = [with_it / without for with_it, without in zip(recorded, alone, strict=True)]
    for name, times in (("alone", alone), ("recorded", recorded)):
        least, median = (1e6 * each / STEPS for each in (min(times), statistics.median(times)))
        print(f"{name:9} least {least:6.1f} us, median {median:6.1f} us a step")
    print(f"recorded / alone: median {statistics.median(ratios):.3f}")


if __name__ == "__main__":
    main()
