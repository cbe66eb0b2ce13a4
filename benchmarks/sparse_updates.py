"""Training steps that touch a few rows of large tables, in both tiers.

word2vec is the example's model: two tables of 128 columns, NCE with 64 samples, batches of 256. The
others train a table of 32 columns on batches of 64 ids, others in each step. TF's Adam moves every
row whatever the ids are; the other optimizers, and so their times, do not hang on the height.
"""

from __future__ import annotations

import math
import sys
import time

import numpy as np
from harness import compare, median, parse_args, print_table, ratio, serve, write_json

HEIGHTS = {"word2vec": (5000, 50000), "else": (2000, 20000, 200000)}
OPTIMIZERS = ("GradientDescent", "Adagrad", "Adam")


def word2vec(tf, height):
    inputs, labels = tf.placeholder(tf.int32, [256]), tf.placeholder(tf.int32, [256, 1])
    embeddings = tf.Variable(tf.random_uniform([height, 128], -1.0, 1.0))
    embedded = tf.nn.embedding_lookup(embeddings, inputs)
    weights = tf.Variable(tf.truncated_normal([height, 128], stddev=1.0 / math.sqrt(128)))
    biases = tf.Variable(tf.zeros([height]))
    loss = tf.reduce_mean(tf.nn.nce_loss(weights, biases, labels, embedded, 64, height))
    train = tf.train.GradientDescentOptimizer(1.0).minimize(loss)

    def feed(rng):
        return {inputs: rng.randint(height, size=256), labels: rng.randint(height, size=[256, 1])}

    return [train, loss], feed


def embedding(tf, height, optimizer):
    ids = tf.placeholder(tf.int64, [64])
    table = tf.get_variable("table", [height, 32])
    loss = tf.reduce_sum(tf.square(tf.nn.embedding_lookup(table, ids) - 1.0))
    train = getattr(tf.train, optimizer + "Optimizer")(0.01).minimize(loss)
    return [train, loss], lambda rng: {ids: rng.randint(height, size=64)}


def cases():
    programs = [("word2vec", height) for height in HEIGHTS["word2vec"]]
    programs += [(name, height) for name in OPTIMIZERS for height in HEIGHTS["else"]]
    return {
        "%s, %d rows, %s" % (name, height, tier): 30
        for name, height in programs
        for tier in ("host", "xla")
    }


def measurements():
    import tensorflow as tf

    running = {}

    def start(name, height):
        tf.reset_default_graph()
        tf.set_random_seed(1)
        fetches, feed = word2vec(tf, height) if name == "word2vec" else embedding(tf, height, name)
        session = tf.Session()
        session.run(tf.global_variables_initializer())
        rng = np.random.RandomState(0)
        return lambda: float(session.run(fetches, feed(rng))[1])

    def measure(case, n):
        if case not in running:
            name, rows, tier = case.split(", ")
            if "tf1compat" in sys.modules:
                sys.modules["tf1compat"].set_tier(tier)
            running.clear()
            step = running[case] = start(name, int(rows.split()[0]))
            return {"ms": 0.0, "losses": [step() for _ in range(n)]}
        step = running[case]
        begin = time.perf_counter()
        losses = [step() for _ in range(n)]
        return {"ms": 1e3 * (time.perf_counter() - begin) / n, "losses": losses}

    return measure


def main():
    args = parse_args(__doc__, rounds=5)
    if args.worker:
        return serve(measurements())
    results = compare(("tf1compat", "tf115"), cases(), args.rounds, args.oracle)
    rows = []
    for case, result in results.items():
        row = [case, "%.2f" % median(results, case, "tf1compat", "ms")]
        if args.oracle:
            ours, theirs = (result[b]["warmup"]["losses"] for b in ("tf1compat", "tf115"))
            np.testing.assert_allclose(ours, theirs, rtol=1e-3, err_msg=case)
            row.append("%.2f" % median(results, case, "tf115", "ms"))
            row.append("%.2f" % ratio(results, case, "ms", "tf1compat", "tf115"))
        rows.append(row)
    header = ["a step, ms", "tf1compat"] + (["tf115", "ratio"] if args.oracle else [])
    print_table(header, rows)
    write_json(args.json, "sparse_updates", results)


if __name__ == "__main__":
    sys.exit(main())
