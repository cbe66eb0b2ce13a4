"""Training steps a second of the examples, as they print them.

    python benchmarks/examples.py --oracle tf115/bin/python [--only word2vec,dqn]

An example is run as it is, with fewer steps; its first two steps, which compile, don't count.
"""

from __future__ import annotations

import contextlib
import io
import os
import runpy
import sys

from harness import compare, median, parse_args, print_table, ratio, serve, write_json

EXAMPLES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "examples")
# Name -> steps in a measurement.
CASES = {
    "actor_critic": 300,
    "dqn": 300,
    "gradient_penalty": 100,
    "physics_informed": 100,
    "residual_cnn": 60,
    "transformer": 60,
    "variational_autoencoder": 300,
    "word2vec": 500,
}


def measure(case, n):
    import tensorflow as tf

    tf.reset_default_graph()
    os.environ.update(STEPS=str(n), LBFGS_STEPS="1")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        runpy.run_path(os.path.join(EXAMPLES, case + ".py"), run_name="__main__")
    *_, last = printed.getvalue().splitlines()
    rate, unit = last.split()
    assert unit == "steps/s", last
    return {"steps_per_s": float(rate)}


def main():
    args = parse_args(__doc__, rounds=3, only="")
    if args.worker:
        return serve(measure)
    names = args.only.split(",") if args.only else list(CASES)
    cases = {name: CASES[name] for name in names}
    results = compare(("tf1compat", "tf115"), cases, args.rounds, args.oracle)
    rows = []
    for case in cases:
        row = [case, "%.1f" % median(results, case, "tf1compat", "steps_per_s")]
        if args.oracle:
            row.append("%.1f" % median(results, case, "tf115", "steps_per_s"))
            row.append("%.2f" % ratio(results, case, "steps_per_s", "tf1compat", "tf115"))
        rows.append(row)
    header = ["example", "tf1compat steps/s"]
    print_table(header + (["tf115 steps/s", "ratio"] if args.oracle else []), rows)
    write_json(args.json, "examples", results)


if __name__ == "__main__":
    sys.exit(main())
