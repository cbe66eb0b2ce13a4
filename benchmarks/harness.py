"""Interleaved measurements of the same program on several back ends, each in a process of its own.

A benchmark script is both ends: started by hand it is the *parent*; started with `--worker NAME`
it serves measurements over its stdin and stdout. The parent asks every worker in turn, round after
round, so that a slow minute of the machine slows all of them. Worker code also runs under Python
3.7 (the real TF 1.15), so this file keeps to its syntax.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile

BACKENDS = ("tf1compat", "tf115", "jax")


def parse_args(description, **defaults):
    """The arguments every benchmark has: --oracle, --json, --rounds, and --worker (internal)."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--oracle", metavar="PYTHON", help="a Python that has the real TF 1.15")
    parser.add_argument("--json", metavar="FILE", help="write all measurements to FILE")
    parser.add_argument("--rounds", type=int, default=defaults.pop("rounds", 5))
    parser.add_argument("--worker", choices=BACKENDS, help=argparse.SUPPRESS)
    for name, value in defaults.items():
        parser.add_argument("--" + name.replace("_", "-"), type=type(value), default=value)
    return parser.parse_args()


def serve(measure):
    """Answers each line `{"case": …, "n": …}` on stdin with the dict `measure(case, n)`."""
    replies = sys.stdout
    sys.stdout = sys.stderr  # a library that prints must not break the protocol
    for line in sys.stdin:
        print(json.dumps(measure(**json.loads(line))), file=replies, flush=True)


class Worker:
    """A back end in its own process."""

    def __init__(self, backend, python):
        script = os.path.abspath(sys.argv[0])
        launcher = ["-m", "tf1compat"] if backend == "tf1compat" else []
        self.backend = backend
        self._log = tempfile.TemporaryFile("w+")  # noqa: SIM115 (closed in close)
        root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        path = root if backend == "tf1compat" else ""
        self._process = subprocess.Popen(
            [python, "-W", "ignore"] + launcher + [script, "--worker", backend],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            universal_newlines=True,
            env=dict(os.environ, PYTHONPATH=path, TF_CPP_MIN_LOG_LEVEL="2"),
        )

    def ask(self, case, n):
        """One measurement: the dict that the worker's `measure(case, n)` returns."""
        try:
            self._process.stdin.write(json.dumps({"case": case, "n": n}) + "\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            self._process.wait()
            self._log.seek(0)
            sys.exit("The %s worker failed:\n%s" % (self.backend, self._log.read()[-4000:]))
        return json.loads(line)

    def close(self):
        """Ends the process: its stdin closes, its loop ends."""
        self._process.stdin.close()
        self._process.wait()
        self._log.close()


def compare(backends, cases, rounds, oracle=None):
    """Measures every case on every back end, interleaved, after one unrecorded warm-up each.

    Args:
      backends: names out of BACKENDS; "tf115" takes part only with `oracle`.
      cases: a dict from a case's name to its `n` (steps or repetitions a measurement).
      rounds: how many times each is measured.
      oracle: the path of a Python that has TF 1.15, or None.

    Returns:
      `{case: {backend: {"warmup": {...}, "rounds": [{...}, …]}}}`.
    """
    backends = [name for name in backends if name != "tf115" or oracle]
    workers = [Worker(name, oracle if name == "tf115" else sys.executable) for name in backends]
    results = {}
    for case, n in cases.items():
        results[case] = {w.backend: {"warmup": w.ask(case, n), "rounds": []} for w in workers}
        for turn in range(rounds):
            # Every other round goes backwards: no back end always runs after the same other one.
            for worker in workers if turn % 2 == 0 else reversed(workers):
                results[case][worker.backend]["rounds"].append(worker.ask(case, n))
    for worker in workers:
        worker.close()
    return results


def median(results, case, backend, key):
    """The median of `key` over the rounds."""
    return statistics.median(r[key] for r in results[case][backend]["rounds"])


def ratio(results, case, key, backend, base):
    """The median over rounds of backend's `key` divided by base's in the same round."""
    pairs = zip(results[case][backend]["rounds"], results[case][base]["rounds"])
    return statistics.median(a[key] / b[key] for a, b in pairs)


def print_table(header, rows):
    """Prints aligned columns, the first to the left and the others to the right."""
    rows = [[str(cell) for cell in row] for row in [header] + rows]
    widths = [max(len(row[i]) for row in rows) for i in range(len(header))]
    for row in rows:
        cells = [row[0].ljust(widths[0])] + [c.rjust(w) for c, w in zip(row[1:], widths[1:])]
        print("  ".join(cells).rstrip())


def write_json(path, benchmark, results):
    """Writes all measurements, with the machine they were taken on."""
    if not path:
        return
    machine = {"cpus": os.cpu_count(), "machine": platform.machine()}
    machine["python"] = platform.python_version()
    document = {"benchmark": benchmark, "machine": machine, "results": results}
    with open(path, "w") as f:
        json.dump(document, f, indent=1)
        f.write("\n")
