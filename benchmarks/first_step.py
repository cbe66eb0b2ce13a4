"""How soon a program has taken its first training step, and how fast the later ones are.

Nothing is cached and every measurement has a process of its own. The import is apart; "begin" is
what follows it: building the graph, initialising the variables and the first step. A steady step
is the median of up to 300, or of 3 s, after a warm-up as long.
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

STEPS, SECONDS = 300, 3.0


# Each builds a graph and returns `feed(rng)`, new data, and `step(session, fed)`, which trains on
# them and returns the loss. Only the step is timed.


def training_step(train, loss):
    return lambda session, fed: session.run([train, loss], fed)[1]


def mlp(tf):
    x = tf.placeholder(tf.float32, [None, 784])
    y = tf.placeholder(tf.int32, [None])
    net = tf.layers.dense(x, 256, activation=tf.nn.relu)
    net = tf.layers.dense(net, 256, activation=tf.nn.relu)
    loss = tf.losses.sparse_softmax_cross_entropy(y, tf.layers.dense(net, 10))
    train = tf.train.AdamOptimizer(1e-3).minimize(loss)

    def feed(rng):
        return {x: rng.uniform(size=[64, 784]).astype("f"), y: rng.randint(10, size=64)}

    return feed, training_step(train, loss)


def dqn(tf):
    """An action, an update from a replayed batch and, every 100 steps, a new target net."""

    def q_values(name, x):
        with tf.variable_scope(name):
            net = tf.layers.dense(x, 64, activation=tf.nn.relu)
            net = tf.layers.dense(net, 64, activation=tf.nn.relu)
            return tf.layers.dense(net, 3)

    now, after = (tf.placeholder(tf.float32, [None, 4]) for _ in range(2))
    action = tf.placeholder(tf.int32, [None])
    reward, goes_on = (tf.placeholder(tf.float32, [None]) for _ in range(2))
    q = q_values("online", now)
    target = q_values("target", after)
    best = tf.argmax(q, axis=1)
    places = tf.stack([tf.range(tf.shape(action)[0]), action], axis=1)
    aim = tf.stop_gradient(reward + 0.99 * goes_on * tf.reduce_max(target, axis=1))
    loss = tf.losses.huber_loss(aim, tf.gather_nd(q, places))
    online = tf.trainable_variables("online")
    train = tf.train.AdamOptimizer(1e-4).minimize(loss, var_list=online)
    pairs = zip(tf.trainable_variables("target"), online)
    renew = tf.group(*[tf.assign(a, b) for a, b in pairs])
    taken = [0]

    def feed(rng):
        fed = {now: rng.normal(size=[32, 4]), after: rng.normal(size=[32, 4])}
        fed.update({action: rng.randint(3, size=32), reward: rng.normal(size=32)})
        fed[goes_on] = rng.randint(2, size=32)
        return fed

    def step(session, fed):
        if taken[0] % 100 == 0:
            session.run(renew)
        taken[0] += 1
        session.run(best, {now: fed[now][:1]})
        return session.run([train, loss], fed)[1]

    return feed, step


def lstm(tf):
    """A language model of 1,000 words: 32 sentences of 30 words, 128 units."""
    words = tf.placeholder(tf.int32, [32, 30])
    following = tf.placeholder(tf.int32, [32, 30])
    table = tf.get_variable("embedding", [1000, 128])
    outputs, _ = tf.nn.dynamic_rnn(
        tf.nn.rnn_cell.BasicLSTMCell(128),
        tf.nn.embedding_lookup(table, words),
        dtype=tf.float32,
    )
    loss = tf.losses.sparse_softmax_cross_entropy(following, tf.layers.dense(outputs, 1000))
    variables = tf.trainable_variables()
    gradients, _ = tf.clip_by_global_norm(tf.gradients(loss, variables), 5.0)
    train = tf.train.AdamOptimizer(1e-3).apply_gradients(zip(gradients, variables))

    def feed(rng):
        text = rng.randint(1000, size=[32, 31])
        return {words: text[:, :-1], following: text[:, 1:]}

    return feed, training_step(train, loss)


def cnn(tf):
    x = tf.placeholder(tf.float32, [None, 28, 28, 1])
    y = tf.placeholder(tf.int32, [None])
    net = tf.layers.conv2d(x, 32, 5, padding="same", activation=tf.nn.relu)
    net = tf.layers.max_pooling2d(net, 2, 2)
    net = tf.layers.conv2d(net, 64, 5, padding="same", activation=tf.nn.relu)
    net = tf.layers.max_pooling2d(net, 2, 2)
    net = tf.layers.dense(tf.layers.flatten(net), 128, activation=tf.nn.relu)
    loss = tf.losses.sparse_softmax_cross_entropy(y, tf.layers.dense(net, 10))
    train = tf.train.AdamOptimizer(1e-3).minimize(loss)

    def feed(rng):
        return {x: rng.uniform(size=[64, 28, 28, 1]).astype("f"), y: rng.randint(10, size=64)}

    return feed, training_step(train, loss)


CASES = {"MLP": mlp, "DQN": dqn, "LSTM": lstm, "CNN": cnn}


def measure(case, n):
    session, (feed, step), reply = open_session(CASES[case])
    rng = np.random.RandomState(0)
    times, values = [], []

    def take(at_most, seconds):
        end = time.perf_counter() + seconds
        while at_most and (not times or time.perf_counter() < end):
            fed = feed(rng)
            start = time.perf_counter()
            values.append(float(step(session, fed)))
            times.append(time.perf_counter() - start)
            at_most -= 1

    take(1, 0)
    reply["first_s"] = times[0]
    reply["begin_s"] = reply["build_s"] + reply["init_s"] + reply["first_s"]
    take(n, SECONDS)
    warm = len(times)
    take(n, SECONDS)
    return dict(reply, step_ms=statistics.median(times[warm:]) * 1e3, values=values[:20])


def main():
    args = parse_args(__doc__, rounds=3, only="")
    if args.worker:
        return serve(measure)
    names = args.only.split(",") if args.only else list(CASES)
    results, rows, wrong = {}, [], []
    fresh = compare_fresh(dict.fromkeys(names, STEPS), args.rounds, args.oracle, patience=300)
    for case, result in fresh:
        results[case] = result
        failures = [b for b in result if failure(result, b)]
        wrong += ["%s, %s: %s" % (case, b, failure(result, b)) for b in failures]
        if args.oracle and not failures and disagreement(result):
            wrong.append("%s: %s" % (case, disagreement(result)))
        for backend in result:
            if backend in failures:
                rows.append([case, backend, "failed"] + [""] * (len(HEADER) - 3))
                continue
            row = [case, backend]
            for key, form in COLUMNS:
                row.append(form % median(results, case, backend, key))
                if key in ("begin_s", "step_ms"):
                    compared = backend == "tf1compat" and args.oracle and not failures
                    pair = (results, case, key, "tf1compat", "tf115")
                    row.append("%.2f" % ratio(*pair) if compared else "")
            rows.append(row)
    print_table(HEADER, rows)
    write_json(args.json, "first_step", results)
    if wrong:
        sys.exit("\n".join(["Failed, or the back ends do not compute the same:"] + wrong))


HEADER = ["program", "back end", "import s", "build s", "init s", "first step s"]
HEADER += ["begin s", "ratio", "steady ms", "ratio"]
COLUMNS = [
    ("import_s", "%.2f"),
    ("build_s", "%.2f"),
    ("init_s", "%.2f"),
    ("first_s", "%.2f"),
    ("begin_s", "%.2f"),
    ("step_ms", "%.2f"),
]


if __name__ == "__main__":
    main()
