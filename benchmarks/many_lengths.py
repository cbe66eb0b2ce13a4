"""Epochs of batches of many shapes: processor time of each epoch.

Nothing is cached, and every measurement has a process of its own. The programs are in
epoch_programs.py; `--only NAME,NAME` picks some. An epoch has the same shapes as the one before it,
in another order. The ratio is that of the epochs' times to TF 1.15's.
"""

from __future__ import annotations

import sys
import time

import numpy as np
from epoch_programs import PROGRAMS
from harness import (
    compare_fresh,
    disagreement,
    failure,
    open_session,
    parse_args,
    print_table,
    serve,
    write_json,
)


def measure(case, n, epochs):
    """`epochs` epochs; `n` is not used."""
    session, (fetches, batches), reply = open_session(PROGRAMS[case])
    rng = np.random.RandomState(0)
    times, values = [], []
    for _ in range(epochs):
        fed = list(batches(rng))
        start = time.process_time()
        for feed in fed:
            *_, value = session.run(fetches, feed)
            values.append(float(value))
        times.append(time.process_time() - start)
    return dict(reply, epochs_s=times, values=values)


def main():
    args = parse_args(__doc__, rounds=1, epochs=8, only="")
    if args.worker:
        return serve(measure)
    names = args.only.split(",") if args.only else list(PROGRAMS)
    results, rows, wrong = {}, [], []
    for case, result in compare_fresh(
        dict.fromkeys(names, 1), args.rounds, args.oracle, 600, epochs=args.epochs
    ):
        results[case] = result
        least = {}
        for backend in result:
            if failure(result, backend):
                wrong.append("%s, %s: %s" % (case, backend, failure(result, backend)))
                continue
            rounds = [r["epochs_s"] for r in result[backend]["rounds"]]
            least[backend] = [min(epoch) for epoch in zip(*rounds)]
            cells = ["%.2f" % epoch for epoch in least[backend]]
            rows.append([case, backend] + cells + ["%.2f" % sum(least[backend])])
        if len(least) == 2:
            ours, theirs = least.values()
            ratios = ["%.2f" % (a / b) for a, b in zip(ours, theirs)]
            rows.append([case, "ratio"] + ratios + ["%.2f" % (sum(ours) / sum(theirs))])
            if disagreement(result):
                wrong.append("%s: %s" % (case, disagreement(result)))
        print("%d of %d: %s" % (len(results), len(names), case), file=sys.stderr, flush=True)
    header = ["program", ""] + [str(i + 1) for i in range(args.epochs)] + ["all"]
    print_table(header, rows)
    write_json(args.json, "many_lengths", results)
    if wrong:
        sys.exit("\n".join(["Failed, or the back ends do not compute the same:"] + wrong))


if __name__ == "__main__":
    main()
