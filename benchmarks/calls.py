"""What a call costs where the arithmetic is small: eager operations, runs, functions, recording.

    python benchmarks/calls.py --oracle tf115/bin/python [--only "TEXT;TEXT"] [--rounds 7]

The calls are in `call_programs.py`; `--only` picks those whose names contain one of the texts. A
back end is one process, and the back ends take turns in blocks of `--block` seconds of processor
time, after `--warm-up` seconds that don't count. A figure is the least processor time, of all
threads, of a call. `import tensorflow` is a case by itself, of processes of their own with Python's
bytecode kept.
"""

from __future__ import annotations

import math
import os
import resource
import subprocess
import sys
import time

from harness import (
    QUIET,
    Worker,
    parse_args,
    print_table,
    serve,
    tensorflow,
    write_json,
)

IMPORT = "import tensorflow"
_calls = {}


def measure(case, n, seconds):
    """The processor time of a call: of `n` at least, and of as many as take `seconds` of it."""
    if case not in _calls:
        import numpy as np
        from call_programs import CASES

        tf = tensorflow()
        tf.logging.set_verbosity(tf.logging.ERROR)
        if not tf.executing_eagerly():
            tf.enable_eager_execution()
        _calls.clear()  # one at a time: what a case keeps is let go before the next
        _calls[case] = CASES[case](tf, np)
    call = _calls[case]
    many, done, taken, start = 1, 0, 0.0, time.process_time()
    while done < n or taken < seconds:
        for _ in range(many):
            call()
        done += many
        many = min(2 * many, 64)
        taken = time.process_time() - start
    return {"us": taken / done * 1e6, "done": done}


def imported(python, ours):
    """The processor time of a process that imports tensorflow, in microseconds."""
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    env = dict(os.environ, **dict(QUIET, PYTHONPATH=root if ours else ""))
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    code = "import tf1compat; tf1compat.install(); import tensorflow as tf; tf.Graph"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    code = code if ours else "import tensorflow as tf; tf.Graph"
    subprocess.check_call([python, "-W", "ignore", "-c", code], env=env, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "us": sum(getattr(after, k) - getattr(before, k) for k in ("ru_utime", "ru_stime")) * 1e6
    }


def main():
    args = parse_args(__doc__, rounds=5, only="", block=0.1, warm_up=1.0, cores=0)
    if args.cores:  # The back ends' processes are started by this one.
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-args.cores :])
    if args.worker:
        return serve(measure)
    from call_programs import CASES

    texts = args.only.split(";") if args.only else [""]
    wanted = [name for name in [*CASES, IMPORT] if any(text in name for text in texts)]
    pythons = {"tf1compat": sys.executable}
    pythons.update({"tf115": args.oracle} if args.oracle else {})
    workers = {backend: Worker(backend, python) for backend, python in pythons.items()}

    def once(case, backend, seconds):
        if case == IMPORT:
            return imported(pythons[backend], backend == "tf1compat")
        return workers[backend].ask(case, 1, patience=600, seconds=seconds)

    results, rows, ratios = {}, [], []
    for case in wanted:
        result = results[case] = {}
        for backend in pythons:
            result[backend] = {"warmup": once(case, backend, args.warm_up), "rounds": []}
        for turn in range(args.rounds):
            # Every other round goes backwards: no back end always runs after the same other one.
            for backend in list(pythons)[:: 1 if turn % 2 == 0 else -1]:
                result[backend]["rounds"].append(once(case, backend, args.block))
        least = [min(r["us"] for r in result[b]["rounds"]) for b in pythons]
        ratio = [least[0] / theirs for theirs in least[1:]]
        ratios += ratio
        rows.append([case] + ["%.1f" % us for us in least] + ["%.2f" % r for r in ratio])
        print("  ".join(rows[-1]), file=sys.stderr, flush=True)
    for worker in workers.values():
        worker.close()
    print_table(["us a call", *pythons, "ratio"][: 1 + len(pythons) + len(pythons) // 2], rows)
    if ratios:
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        print(
            "Geometric mean %.2f; above 1: %d of %d"
            % (mean, sum(r > 1 for r in ratios), len(ratios))
        )
    write_json(args.json, "calls", results)


if __name__ == "__main__":
    main()
