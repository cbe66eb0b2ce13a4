"""How many elements a second datasets give: records, slices, strings, padded batches.

    python benchmarks/pipelines.py --oracle tf115/bin/python [--rounds N] [--passes N]

Each dataset is gone through whole, by one session, `--passes` times in a process; tf1compat and
TensorFlow 1.15 take turns. Printed are elements a second of the best pass, by the clock and of
processor time, which TF spends in several threads, and what they are of TF's.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

RECORDS, COLUMNS = 20000, 32


def parsed(tf, serialized, parse):
    """The two features of an example, or of several, by `parse`."""
    kinds = {
        "x": tf.FixedLenFeature([COLUMNS], tf.float32),
        "y": tf.FixedLenFeature([], tf.int64),
    }
    found = parse(serialized, kinds)
    return found["x"], found["y"]


def write_records(tf, path, rows):
    """Writes `RECORDS` examples."""
    with tf.python_io.TFRecordWriter(path) as writer:
        for i in range(RECORDS):
            x = tf.train.Feature(float_list=tf.train.FloatList(value=rows[i]))
            y = tf.train.Feature(int64_list=tf.train.Int64List(value=[i % 10]))
            features = tf.train.Features(feature={"x": x, "y": y})
            writer.write(tf.train.Example(features=features).SerializeToString())


def datasets(tf, path, rows):
    """{name: (a function that gives a dataset of batches, how many elements it has)}."""
    import numpy as np

    data = tf.data.Dataset
    numbers = np.arange(len(rows)) % 10
    words = np.array([("word%d other%d third" % (i, i % 7)).encode() for i in range(RECORDS)])

    def one(serialized):
        return parsed(tf, serialized, tf.parse_single_example)

    def many(serialized):
        return parsed(tf, serialized, tf.parse_example)

    def split(line):
        return tf.strings.to_hash_bucket_fast(tf.string_split([line]).values, 1000)

    def records():
        return tf.data.TFRecordDataset(path)

    def slices():
        return data.from_tensor_slices((rows, numbers))

    return {
        "records, parsed, shuffled": (
            lambda: records().map(one).shuffle(1000).batch(64).prefetch(1),
            RECORDS,
        ),
        "records, shuffled, parsed in batches": (
            lambda: records().shuffle(1000).batch(64).map(many).prefetch(1),
            RECORDS,
        ),
        "slices, shuffled": (lambda: slices().shuffle(1000).batch(64), len(rows)),
        "slices, mapped": (
            lambda: slices().map(lambda x, y: (x * 2.0 - 1.0, tf.one_hot(y, 10))).batch(64),
            len(rows),
        ),
        "strings, split, padded": (
            lambda: data.from_tensor_slices(words).map(split).padded_batch(32, [None]),
            RECORDS,
        ),
        "rows of many lengths, padded": (
            lambda: (
                data.range(RECORDS).map(lambda i: tf.fill([i % 17 + 1], i)).padded_batch(32, [None])
            ),
            RECORDS,
        ),
    }


def measure(passes):
    """{name: [elements a second by the clock, and of processor time]} of a process of its own."""
    import numpy as np
    import tensorflow as tf

    rows = np.random.RandomState(0).rand(RECORDS, COLUMNS).astype(np.float32)
    rates = {}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "examples.tfrecord")
        write_records(tf, path, rows)
        for name, (make, count) in datasets(tf, path, rows).items():
            with tf.Graph().as_default(), tf.Session() as session:
                iterator = tf.compat.v1.data.make_initializable_iterator(make())
                batch = iterator.get_next()
                best = [0.0, 0.0]
                for _ in range(passes):
                    session.run(iterator.initializer)
                    clocks = time.time, time.process_time
                    begins = [clock() for clock in clocks]
                    try:
                        while True:
                            session.run(batch)
                    except tf.errors.OutOfRangeError:
                        pass
                    took = [clock() - begin for clock, begin in zip(clocks, begins)]
                    best = [max(rate, count / one) for rate, one in zip(best, took)]
                rates[name] = best
    return rates


def main():
    """What the command line says."""
    if sys.argv[1:2] == ["process"]:
        print(json.dumps(measure(int(sys.argv[2]))))
        return
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--oracle", required=True, help="the Python of TensorFlow 1.15")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--passes", type=int, default=3)
    options = parser.parse_args()
    sides = {"ours": [sys.executable, "-m", "tf1compat"], "TF": [options.oracle]}
    found = {side: [] for side in sides}
    for _ in range(options.rounds):
        for side, python in sides.items():
            command = [*python, os.path.abspath(__file__), "process", str(options.passes)]
            told = subprocess.check_output(command, stderr=subprocess.DEVNULL)
            found[side].append(json.loads(told.splitlines()[-1]))
    for name in found["TF"][0]:
        ours, theirs = (
            [max(one[name][i] for one in found[side]) for i in range(2)] for side in ("ours", "TF")
        )
        print(
            "%-37s" % name,
            *(
                "%s %7.0f (%7.0f), %.2f" % (what, own, other, own / other)
                for what, own, other in zip(("clock", "processor"), ours, theirs)
            ),
        )


if __name__ == "__main__":
    main()
