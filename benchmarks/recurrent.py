"""A recurrent language model, a while loop, and how compile time grows with the number of steps.

The language model has two LSTM layers of 128 units (batch 20, 35 steps, 2,000 words) and is trained
by Adam with clipped gradients; "jax" is the same step written by hand with `lax.scan`.
"""

from __future__ import annotations

import sys
import time

import numpy as np
from harness import compare, median, parse_args, print_table, ratio, serve, write_json

LAYERS, UNITS, BATCH, STEPS, WORDS = 2, 128, 20, 35, 2000
CASES = {
    "language model, ms a step": 10,
    "1,000 turns of a scalar while_loop, ms": 20,
    "compile, dynamic_rnn of 50 steps, ms": 1,
    "compile, dynamic_rnn of 500 steps, ms": 1,
}


def batches():
    rng = np.random.RandomState(0)
    text = rng.randint(WORDS, size=(4, BATCH, STEPS + 1)).astype(np.int32)
    return [(words[:, :-1], words[:, 1:]) for words in text]


def language_model(tf):
    words = tf.placeholder(tf.int32, [BATCH, STEPS])
    following = tf.placeholder(tf.int32, [BATCH, STEPS])
    table = tf.get_variable("embedding", [WORDS, UNITS])
    cells = [tf.nn.rnn_cell.BasicLSTMCell(UNITS) for _ in range(LAYERS)]
    outputs, _ = tf.nn.dynamic_rnn(
        tf.nn.rnn_cell.MultiRNNCell(cells),
        tf.nn.embedding_lookup(table, words),
        dtype=tf.float32,
    )
    logits = tf.layers.dense(outputs, WORDS)
    loss = tf.losses.sparse_softmax_cross_entropy(following, logits)
    variables = tf.trainable_variables()
    gradients, _ = tf.clip_by_global_norm(tf.gradients(loss, variables), 5.0)
    train = tf.train.AdamOptimizer(1e-3).apply_gradients(zip(gradients, variables))
    return words, following, train, loss


def tf_cases():
    import tensorflow as tf

    def session(build):
        with tf.Graph().as_default() as graph:
            tf.set_random_seed(1)
            built = build()
            init = tf.global_variables_initializer()
        sess = tf.Session(graph=graph)
        sess.run(init)
        return sess, built

    def model():
        sess, (words, following, train, loss) = session(lambda: language_model(tf))
        feeds = [{words: a, following: b} for a, b in batches()]
        return lambda i: float(sess.run([train, loss], feeds[i % 4])[1])

    def loop():
        def build():
            start = tf.placeholder(tf.float32, [])
            return start, tf.while_loop(
                lambda i, x: i < 1000, lambda i, x: (i + 1, x * 0.999 + 0.1), [0, start]
            )[1]

        sess, (start, end) = session(build)
        return lambda i: float(sess.run(end, {start: np.float32(i)}))

    def first_run(steps):
        def build():
            x = tf.placeholder(tf.float32, [8, steps, 32])
            y, _ = tf.nn.dynamic_rnn(tf.nn.rnn_cell.GRUCell(32), x, dtype=tf.float32)
            return x, tf.gradients(tf.reduce_sum(y), tf.trainable_variables())

        def run(i):
            sess, (x, gradients) = session(build)
            start = time.perf_counter()
            sess.run(gradients, {x: np.ones([8, steps, 32], np.float32)})
            return time.perf_counter() - start

        return run

    return model, loop, lambda: first_run(50), lambda: first_run(500)


def jax_model():
    import jax
    import jax.numpy as jnp

    rng = np.random.RandomState(0)

    def glorot(*shape):
        limit = np.sqrt(6 / sum(shape))
        return jnp.asarray(rng.uniform(-limit, limit, shape), jnp.float32)

    params = {
        "embedding": glorot(WORDS, UNITS),
        "cells": [(glorot(2 * UNITS, 4 * UNITS), jnp.zeros(4 * UNITS)) for _ in range(LAYERS)],
        "kernel": glorot(UNITS, WORDS),
        "bias": jnp.zeros(WORDS),
    }

    def cell(weights, state, x):
        kernel, bias = weights
        c, h = state
        i, j, f, o = jnp.split(jnp.concatenate([x, h], 1) @ kernel + bias, 4, axis=1)
        c = c * jax.nn.sigmoid(f + 1.0) + jax.nn.sigmoid(i) * jnp.tanh(j)
        h = jnp.tanh(c) * jax.nn.sigmoid(o)
        return (c, h), h

    def loss_of(params, words, following):
        def step(states, x):
            new = []
            for weights, state in zip(params["cells"], states):
                state, x = cell(weights, state, x)
                new.append(state)
            return new, x

        zero = jnp.zeros((BATCH, UNITS))
        xs = jnp.swapaxes(params["embedding"][words], 0, 1)
        _, outputs = jax.lax.scan(step, [(zero, zero)] * LAYERS, xs)
        logits = jnp.swapaxes(outputs, 0, 1) @ params["kernel"] + params["bias"]
        picked = jnp.take_along_axis(logits, following[..., None], axis=-1)[..., 0]
        return jnp.mean(jax.scipy.special.logsumexp(logits, axis=-1) - picked)

    def train(state, words, following):
        params, first, second, count = state
        loss, gradients = jax.value_and_grad(loss_of)(params, words, following)
        norm = jnp.sqrt(sum(jnp.sum(g * g) for g in jax.tree.leaves(gradients)))
        gradients = jax.tree.map(lambda g: g * (5.0 / jnp.maximum(norm, 5.0)), gradients)
        count += 1
        first = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, first, gradients)
        second = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g * g, second, gradients)
        rate = 1e-3 * jnp.sqrt(1 - 0.999**count) / (1 - 0.9**count)
        params = jax.tree.map(
            lambda p, m, v: p - rate * m / (jnp.sqrt(v) + 1e-8), params, first, second
        )
        return (params, first, second, count), loss

    compiled = jax.jit(train, donate_argnums=0)
    zeros = jax.tree.map(jnp.zeros_like, params)
    state = [(params, zeros, jax.tree.map(jnp.zeros_like, params), jnp.float32(0))]
    feeds = batches()

    def step(i):
        state[0], loss = compiled(state[0], *feeds[i % 4])
        return float(loss)

    return step


def measurer(backend):
    makers = [jax_model] if backend == "jax" else tf_cases()
    made = {}

    def measure(case, n):
        place = list(CASES).index(case)
        if place >= len(makers):
            return {"ms": float("nan"), "first": float("nan")}
        if case not in made:
            made[case] = makers[place]()
        step = made[case]
        if case.startswith("compile"):
            return {"ms": step(0) * 1e3, "first": 0.0}
        start = time.perf_counter()
        values = [step(i) for i in range(n)]
        return {"ms": (time.perf_counter() - start) / n * 1e3, "first": values[0]}

    return measure


def main():
    args = parse_args(__doc__, rounds=5)
    if args.worker:
        return serve(measurer(args.worker))
    results = compare(("tf1compat", "tf115", "jax"), CASES, args.rounds, args.oracle)
    rows = []
    for case in CASES:
        row = [case, "%.2f" % median(results, case, "tf1compat", "ms")]
        for base in ("jax", "tf115"):
            if base == "tf115" and not args.oracle:
                continue
            if base == "jax" and case != next(iter(CASES)):
                row += ["", ""]
                continue
            row.append("%.2f" % median(results, case, base, "ms"))
            row.append("%.2f" % ratio(results, case, "ms", "tf1compat", base))
        rows.append(row)
    header = ["what", "tf1compat", "jax", "ratio"]
    print_table(header + (["tf115", "ratio"] if args.oracle else []), rows)
    write_json(args.json, "recurrent", results)


if __name__ == "__main__":
    sys.exit(main())
