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
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time

BACKENDS = ("tf1compat", "jax", "tf115", "tf2")

# TF 2 has TF 1's layers in the old Keras alone (the package tf_keras).
QUIET = {"TF_CPP_MIN_LOG_LEVEL": "2", "TF_USE_LEGACY_KERAS": "1"}


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
    """Answers each line `{"case": …, "n": …}` on stdin with the dict `measure(case, n)`.

    Whatever else is in the line, `measure` gets as a keyword argument.
    """
    replies = sys.stdout
    sys.stdout = sys.stderr  # a library that prints must not break the protocol
    for line in sys.stdin:
        print(json.dumps(measure(**json.loads(line))), file=replies, flush=True)


def tensorflow():
    """The module that has TF 1's names: `tensorflow` itself, or TF 2's compat.v1."""
    import tensorflow as tf

    if tf.__version__.startswith("1."):
        return tf
    import tensorflow.compat.v1 as tf

    tf.disable_v2_behavior()
    return tf


def open_session(program):
    """Builds `program(tf)` in a graph of its own, and a session in which everything is initialised.

    Returns:
      The session, what the program returned, and the beginning of a measurement: `imported` (the
      time of day), `build_s` and `init_s`.
    """
    tf = tensorflow()
    times = {"imported": time.time()}
    tf.logging.set_verbosity(tf.logging.ERROR)
    start = time.perf_counter()
    with tf.Graph().as_default() as graph:
        tf.set_random_seed(1)
        built = program(tf)
        init = tf.group(tf.global_variables_initializer(), tf.tables_initializer())
    times["build_s"] = time.perf_counter() - start
    start = time.perf_counter()
    session = tf.Session(graph=graph)
    session.run(init)
    times["init_s"] = time.perf_counter() - start
    return session, built, times


class WorkerFailed(SystemExit):
    """A worker ended without an answer. Where nobody catches it, the benchmark ends with the text.

    Attributes:
      reason: a few words for a table.
    """

    def __init__(self, backend, reason, log):
        super().__init__("The %s worker failed (%s):\n%s" % (backend, reason, log[-4000:]))
        self.reason = reason


class Worker:
    """A back end in its own process."""

    def __init__(self, backend, python, script=None, env=None):
        script = script or os.path.abspath(sys.argv[0])
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
            env=dict(os.environ, **dict(QUIET, PYTHONPATH=path, **(env or {}))),
        )

    def ask(self, case, n, patience=None, **more):
        """One measurement: the dict that the worker's `measure(case, n, **more)` returns.

        Raises:
          WorkerFailed: if it ends without an answer, or has none after `patience` seconds and is
            made to end.
        """
        late = threading.Event()

        def end():
            late.set()
            self._process.kill()

        timer = threading.Timer(patience, end) if patience else None
        if timer:
            timer.start()
        try:
            self._process.stdin.write(json.dumps(dict(more, case=case, n=n)) + "\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if timer:
            timer.cancel()
        if not line:
            self._process.wait()
            self._log.seek(0)
            log = self._log.read().rstrip()
            raised = re.findall(r"^[\w.]+: \S.*", log, re.M)
            reason = raised[-1] if raised else "exit status %d" % self._process.returncode
            if late.is_set():
                reason = "no answer in %g s" % patience
            raise WorkerFailed(self.backend, reason, log)
        return json.loads(line)

    def close(self):
        """Ends the process: its loop ends with its stdin; by force if not (TF 1.15, at times)."""
        self._process.stdin.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
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


def compare_fresh(cases, rounds, oracle=None, patience=None, **more):
    """Measures tf1compat and TF 1.15 in a new process for every measurement, with nothing cached.

    Args:
      cases: a dict from a case's name to its `n`.
      rounds: how many times each is measured; the back ends take turns.
      oracle: the path of a Python that has TF 1.15, or None.
      patience: seconds after which a process that has not answered is ended.
      **more: what else the workers' `measure` is given.

    Yields:
      For each case its name and `{backend: {"rounds": [{...}, …]}}`. Each measurement also has
      `import_s`, from the start of the process to `import tensorflow`; one that came to nothing
      is `{"failed": why}` alone, and that back end is not asked again.
    """
    os.environ["TF1COMPAT_CACHE_DIR"] = "off"
    # Bytecode is what installing a package makes, whatever this checkout has.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    for folder in ("tf1compat", "benchmarks"):
        subprocess.check_call(
            [sys.executable, "-m", "compileall", "-q", os.path.join(root, folder)]
        )
    pythons = {"tf1compat": sys.executable}
    if oracle:
        pythons["tf115"] = oracle

    def once(backend, case, n):
        started = time.time()
        worker = Worker(backend, pythons[backend])
        try:
            reply = worker.ask(case, n, patience, **more)
        except WorkerFailed as failure:
            print(failure, file=sys.stderr, flush=True)
            return {"failed": failure.reason}
        finally:
            worker.close()
        reply["import_s"] = reply.pop("imported") - started
        return reply

    for case, n in cases.items():
        result = {backend: {"rounds": []} for backend in pythons}
        for turn in range(rounds):
            for backend in list(pythons)[:: 1 if turn % 2 == 0 else -1]:
                done = result[backend]["rounds"]
                if not done or "failed" not in done[-1]:
                    done.append(once(backend, case, n))
        yield case, result


def failure(result, backend):
    """Why the back end has no (complete) result for a case of `compare_fresh`, or None."""
    return result[backend]["rounds"][-1].get("failed")


def disagreement(result):
    """What the back ends' `values` of a case of `compare_fresh` differ in, or None: in words."""
    ours, theirs = (r["rounds"][-1].get("values", []) for r in result.values())
    for run, (a, b) in enumerate(zip(ours, theirs)):
        if not abs(a - b) <= 1e-3 * abs(b) + 1e-6:  # also if one is NaN
            return "run %d gives %.6g and %.6g" % (run, a, b)
    return None


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
