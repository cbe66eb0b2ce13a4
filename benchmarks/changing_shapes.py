"""60 runs of programs whose shapes, lengths, entries or branches change from run to run.

Nothing is cached and every measurement has a process of its own: what a run that was not seen
before costs is what is measured. The programs are in shape_programs.py. `--only NAME,NAME` picks
some; a back end whose runs take longer than `--timeout` seconds is cut short, as "over N". "cpu" is
the processor time, of all threads, in the runs: it depends less on what else the machine does.
"""

from __future__ import annotations

import math
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
    serve,
    write_json,
)
from shape_programs import PROGRAMS

RUNS = 60
HEADER = [
    "program",
    "back end",
    "build s",
    "init s",
    "first run s",
    "60 runs s",
    "cpu s",
    "median ms",
]


def measure(case, n, timeout):
    session, (fetches, feed), reply = open_session(PROGRAMS[case])
    rng = np.random.RandomState(0)
    feeds = [feed(rng) for _ in range(n)]
    times, values = [], []
    cpu = time.process_time()
    while len(times) < n and sum(times) <= timeout:
        start = time.perf_counter()
        *_, value = session.run(fetches, feeds[len(times)])
        times.append(time.perf_counter() - start)
        values.append(float(value))
    reply["cpu_s"] = time.process_time() - cpu
    reply.update(first_s=times[0], total_s=sum(times), median_ms=statistics.median(times) * 1e3)
    return dict(reply, runs=len(times), times_s=times, values=values)


def main():
    args = parse_args(__doc__, rounds=1, timeout=120.0, only="")
    if args.worker:
        return serve(measure)
    names = args.only.split(",") if args.only else list(PROGRAMS)
    results, rows, wrong, ratios = {}, [], [], {}
    patience = args.timeout + 120  # building and one last run may take that long
    fresh = compare_fresh(
        dict.fromkeys(names, RUNS), args.rounds, args.oracle, patience, timeout=args.timeout
    )
    for case, result in fresh:
        results[case] = result
        print("%d of %d: %s" % (len(results), len(names), case), file=sys.stderr, flush=True)
        for backend in result:
            if failure(result, backend):
                rows.append([case, backend, "failed"])
                wrong.append("%s, %s: %s" % (case, backend, failure(result, backend)))
                continue
            cells = [
                form % median(results, case, backend, key)
                for key, form in [
                    ("build_s", "%.2f"),
                    ("init_s", "%.2f"),
                    ("first_s", "%.3f"),
                    ("total_s", "%.2f"),
                    ("cpu_s", "%.2f"),
                    ("median_ms", "%.2f"),
                ]
            ]
            if finished(result, backend) < RUNS:
                cells[3] = "over %g (%d runs)" % (args.timeout, finished(result, backend))
            rows.append([case, backend] + cells)
        if args.oracle and not any(failure(result, backend) for backend in result):
            ours, theirs = (median(results, case, backend, "total_s") for backend in result)
            if finished(result, "tf115") == RUNS:
                ratios[case] = ours / theirs
                bound = ">" if finished(result, "tf1compat") < RUNS else ""
                rows[-2].append("%s%.1f" % (bound, ratios[case]))
            if disagreement(result):
                wrong.append("%s: %s" % (case, disagreement(result)))
    width = len(HEADER) + bool(args.oracle)
    print_table((HEADER + ["ratio"])[:width], [row + [""] * (width - len(row)) for row in rows])
    if ratios:
        mean = math.exp(statistics.mean(math.log(r) for r in ratios.values()))
        slower = sum(r > 1 for r in ratios.values())
        print("Geometric mean of the ratios of 60 runs: %.2f" % mean)
        print("tf1compat takes longer in %d of %d programs" % (slower, len(ratios)))
    write_json(args.json, "changing_shapes", results)
    if wrong:
        sys.exit("\n".join(["Failed, or the back ends do not compute the same:"] + wrong))


def finished(result, backend):
    """How many runs the back end came to in every round."""
    return min(r["runs"] for r in result[backend]["rounds"])


if __name__ == "__main__":
    main()
