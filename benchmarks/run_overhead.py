"""What one `Session.run` costs: a training step so small that nothing else is left to measure.

Scalar linear regression with two scalar feeds and gradient descent, against a hand-written jitted
JAX step (NumPy feeds, donated state) and, with --oracle, against the real TF 1.15.
"""

from __future__ import annotations

import sys
import time

import numpy as np
from harness import compare, median, parse_args, print_table, ratio, serve, write_json

POINTS = [(np.float32(v), np.float32(0.7 * v - 1.5)) for v in np.linspace(-1, 1, 50)]
CASES = {"step": "sess.run(train_op)", "step and loss": "sess.run([train_op, loss])"}


def tensorflow_steps():
    """A function for each case; one call is one training step."""
    import tensorflow as tf

    x = tf.placeholder(tf.float32, [], name="x")
    y = tf.placeholder(tf.float32, [], name="y")
    w = tf.Variable(0.0, name="w")
    b = tf.Variable(0.0, name="b")
    loss = tf.square(x * w + b - y)
    train_op = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
    sess = tf.Session()
    sess.run(tf.global_variables_initializer())
    both = [train_op, loss]
    return {
        "step": lambda px, py: sess.run(train_op, {x: px, y: py}),
        "step and loss": lambda px, py: sess.run(both, {x: px, y: py}),
    }, lambda: sess.run([w, b])


def jax_steps():
    """The same steps as a JAX user writes them."""
    from functools import partial

    import jax

    @partial(jax.jit, donate_argnums=0)
    def update(params, x, y):
        loss, grads = jax.value_and_grad(lambda p: (x * p["w"] + p["b"] - y) ** 2)(params)
        return jax.tree.map(lambda p, g: p - 0.01 * g, params, grads), loss

    state = [jax.device_put({"w": np.float32(0), "b": np.float32(0)})]

    def step(x, y):
        state[0], loss = update(state[0], x, y)
        return loss

    def weights():
        return [np.asarray(state[0]["w"]), np.asarray(state[0]["b"])]

    return {"step": step, "step and loss": lambda x, y: np.asarray(step(x, y))}, weights


def measurer(backend):
    steps, weights = jax_steps() if backend == "jax" else tensorflow_steps()

    def measure(case, n):
        step = steps[case]
        start = time.perf_counter()
        for i in range(n):
            step(*POINTS[i % len(POINTS)])
        w, b = weights()  # also waits for whatever is still running
        return {"us": (time.perf_counter() - start) / n * 1e6, "w": float(w), "b": float(b)}

    return measure


def main():
    args = parse_args(__doc__, rounds=7, steps=2000)
    if args.worker:
        return serve(measurer(args.worker))
    backends = ("jax", "tf1compat", "tf115")
    results = compare(backends, dict.fromkeys(CASES, args.steps), args.rounds, args.oracle)
    rows = []
    for case, code in CASES.items():
        ends = [(r["rounds"][-1]["w"], r["rounds"][-1]["b"]) for r in results[case].values()]
        if not np.allclose(ends, ends[0], atol=1e-4):
            sys.exit("The back ends disagree about the fitted line: %s" % ends)
        for backend in results[case]:
            versus = ["%.2f" % ratio(results, case, "us", backend, b) for b in results[case]]
            rows.append([code, backend, "%.1f" % median(results, case, backend, "us")] + versus)
    header = ["one training step", "back end", "us"]
    print_table(header + ["x %s" % b for b in results["step"]], rows)
    write_json(args.json, "run_overhead", results)


if __name__ == "__main__":
    main()
