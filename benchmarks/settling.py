"""60 batches of as many sizes, then 1,000 of one size: does a program that changes settle down?

A net (784-256-256-10, Adam) is trained. The time of the 60 shows what a new shape costs; the median
of the last 100 what a step costs once it has been seen often. "settled after" is the first run, of
the 1,000, from which the median of 50 in a row is within a quarter of that.
"""

from __future__ import annotations

import statistics
import sys
import time

import numpy as np
from harness import (
    compare_fresh,
    disagreement,
    failure,
    median,
    open_session,
    parse_args,
    print_table,
    ratio,
    serve,
    write_json,
)

CASE, SIZES, SAME, SIZE = "MLP", 60, 1000, 64
COLUMNS = [
    ("changing_s", "first 60, s", "%.2f"),
    ("same_s", "1,000 alike, s", "%.2f"),
    ("last_ms", "last 100, ms", "%.3f"),
]


def net(tf):
    x = tf.placeholder(tf.float32, [None, 784])
    y = tf.placeholder(tf.int32, [None])
    hidden = tf.layers.dense(x, 256, activation=tf.nn.relu)
    hidden = tf.layers.dense(hidden, 256, activation=tf.nn.relu)
    loss = tf.losses.sparse_softmax_cross_entropy(y, tf.layers.dense(hidden, 10))
    return x, y, tf.train.AdamOptimizer(1e-4).minimize(loss), loss


def measure(case, n):
    session, (x, y, train, loss), reply = open_session(net)
    rng = np.random.RandomState(0)
    images = rng.uniform(size=[256, 784]).astype(np.float32)
    digits = rng.randint(10, size=256).astype(np.int32)
    sizes = [size for size in rng.permutation(np.arange(1, 257)) if size != SIZE][:SIZES]
    times, values = [], []
    for size in sizes + [SIZE] * n:
        feed = {x: images[:size], y: digits[:size]}
        start = time.perf_counter()
        values.append(float(session.run([train, loss], feed)[1]))
        times.append(time.perf_counter() - start)
    changing, same = times[:SIZES], times[SIZES:]
    last = statistics.median(same[-100:])
    medians = (statistics.median(same[i : i + 50]) for i in range(n - 49))
    settled = next((i for i, each in enumerate(medians) if each <= 1.25 * last), n)
    reply.update(changing_s=sum(changing), same_s=sum(same), last_ms=last * 1e3)
    return dict(reply, settled=settled, times_s=times, values=values[:SIZES])


def main():
    args = parse_args(__doc__, rounds=3)
    if args.worker:
        return serve(measure)
    ((_, result),) = compare_fresh({CASE: SAME}, args.rounds, args.oracle, patience=600)
    results = {CASE: result}
    rows = []
    for backend in result:
        if failure(result, backend):
            sys.exit("%s failed: %s" % (backend, failure(result, backend)))
        row = [backend]
        for key, _, form in COLUMNS:
            row.append(form % median(results, CASE, backend, key))
            row.append("%.2f" % ratio(results, CASE, key, backend, "tf115") if args.oracle else "")
        rows.append(row + ["%d" % median(results, CASE, backend, "settled")])
    header = ["back end"]
    for _, name, _ in COLUMNS:
        header += [name, "ratio"]
    print_table(header + ["settled after"], rows)
    write_json(args.json, "settling", results)
    if args.oracle and disagreement(result):
        sys.exit("The back ends do not compute the same: %s" % disagreement(result))


if __name__ == "__main__":
    main()
