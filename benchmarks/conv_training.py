"""Training steps a second of two convolutional nets: the digits example's and an MNIST-size one."""

from __future__ import annotations

import sys
import time

import numpy as np
from harness import compare, median, parse_args, print_table, ratio, serve, write_json


def digits_net(tf, images):
    net = tf.layers.conv2d(images, 32, 3, padding="same", activation=tf.nn.relu)
    net = tf.layers.conv2d(net, 64, 3, padding="same", activation=tf.nn.relu)
    net = tf.layers.flatten(tf.layers.max_pooling2d(net, 2, 2))
    net = tf.layers.dropout(tf.layers.dense(net, 128, activation=tf.nn.relu), 0.5, training=True)
    return tf.layers.dense(net, 10)


def mnist_net(tf, images):
    net = tf.layers.conv2d(images, 32, 5, padding="same", activation=tf.nn.relu)
    net = tf.layers.max_pooling2d(net, 2, 2)
    net = tf.layers.conv2d(net, 64, 5, padding="same", activation=tf.nn.relu)
    net = tf.layers.flatten(tf.layers.max_pooling2d(net, 2, 2))
    net = tf.layers.dropout(tf.layers.dense(net, 1024, activation=tf.nn.relu), 0.4, training=True)
    return tf.layers.dense(net, 10)


# name: (net, image size, batch size, steps a measurement)
CASES = {"digits CNN": (digits_net, 8, 50, 100), "MNIST CNN": (mnist_net, 28, 64, 10)}


def measurer():
    import tensorflow as tf

    steps = {}

    def build(case):
        net, size, batch, _ = CASES[case]
        rng = np.random.RandomState(0)
        with tf.Graph().as_default() as graph:
            tf.set_random_seed(1)
            x = tf.placeholder(tf.float32, [None, size, size, 1])
            y = tf.placeholder(tf.int32, [None])
            loss = tf.losses.sparse_softmax_cross_entropy(y, net(tf, x))
            train_op = tf.train.AdamOptimizer(1e-3).minimize(loss)
            init = tf.global_variables_initializer()
        sess = tf.Session(graph=graph)
        sess.run(init)
        feeds = []
        for _ in range(4):
            images = rng.rand(batch, size, size, 1).astype(np.float32)
            feeds.append({x: images, y: rng.randint(10, size=batch).astype(np.int32)})
        return lambda i: sess.run([train_op, loss], feeds[i % len(feeds)])[1]

    def measure(case, n):
        if case not in steps:
            steps[case] = build(case)
        start = time.perf_counter()
        losses = [float(steps[case](i)) for i in range(n)]
        seconds = time.perf_counter() - start
        return {"steps_per_s": n / seconds, "first_loss": losses[0], "last_loss": losses[-1]}

    return measure


def main():
    args = parse_args(__doc__, rounds=5)
    if args.worker:
        return serve(measurer())
    cases = {case: steps for case, (_, _, _, steps) in CASES.items()}
    results = compare(("tf1compat", "tf115"), cases, args.rounds, args.oracle)
    rows = []
    for case in CASES:
        first = {b: r["warmup"]["first_loss"] for b, r in results[case].items()}
        if not np.allclose(list(first.values()), first["tf1compat"], rtol=1e-4):
            sys.exit("%s: the first losses differ: %s" % (case, first))
        row = [case, "%.1f" % median(results, case, "tf1compat", "steps_per_s")]
        if args.oracle:
            row.append("%.1f" % median(results, case, "tf115", "steps_per_s"))
            row.append("%.2f" % ratio(results, case, "steps_per_s", "tf1compat", "tf115"))
        rows.append(row)
    header = ["net", "tf1compat steps/s"]
    print_table(header + (["tf115 steps/s", "ratio"] if args.oracle else []), rows)
    write_json(args.json, "conv_training", results)


if __name__ == "__main__":
    main()
