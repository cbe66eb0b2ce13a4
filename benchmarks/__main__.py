"""Every program under tf1compat, hand-written JAX, TF 1.15 and TF 2's compat.v1, side by side.

    python benchmarks [--oracle PYTHON] [--tf2 PYTHON] [--only NAME,NAME] [--results FILE]

The programs are in `programs/` and, as a JAX user writes them, in `by_hand/`. Each runs in one
process a back end. What is measured: recording the graph ("build"); from there to the first loss,
initialisation included ("first step"), with nothing cached and once more with what the process
before it has cached; after a warm-up the least time a step and the least processor time, of all
threads, over blocks in which the back ends take turns; and the most memory the process ever had.
On a machine that others use processor time is what to look at, with `--cores 1`: threads that wait
for each other while they have no core burn time, which says nothing of the program. `--steady 1`
measures the step alone, without the processes that begin with nothing cached.
"""

from __future__ import annotations

import contextlib
import datetime
import os
import platform
import resource
import shutil
import sys
import tempfile
import time

from harness import Worker, WorkerFailed, open_session, parse_args, serve, tensorflow, write_json

QUANTITIES = [
    ("cpu_ms", "Steady step, processor time of all threads, ms", "%.3f"),
    ("wall_ms", "Steady step, ms", "%.3f"),
    ("build_s", "Building the graph, s", "%.3f"),
    ("cold_s", "First step and initialisation, nothing cached, s", "%.2f"),
    ("first_s", "First step and initialisation, compiled programs cached on disk, s", "%.2f"),
    ("memory_mb", "Peak memory of the process, MB", "%.0f"),
]
NAMES = {"jax": "JAX by hand", "tf115": "TF 1.15", "tf2": "TF 2"}
# Keras looks for the graph in which its model is.
_entered = contextlib.ExitStack()
LAUNCHED = os.path.abspath(__file__)


def recorded(name):
    """`step(*batch)` of a TF program, and the times that its building took."""
    from programs import PROGRAMS

    program = PROGRAMS[name]
    session, built, times = open_session(program.record)
    tf = tensorflow()
    _entered.enter_context(session.graph.as_default())
    step = program.stepper(tf, session, built)
    sizes = [v.shape.num_elements() for v in tf.trainable_variables()]
    return step, times["build_s"], times["init_s"], sum(sizes)


def written_by_hand(name):
    import by_hand

    start = time.perf_counter()
    step = by_hand.STEPS[name]()
    return step, time.perf_counter() - start, 0.0, getattr(step, "parameters", 0)


class Running:
    """A worker's program: answers what `Worker.ask` sends."""

    def __init__(self, backend):
        self._backend = backend
        self._step = self._batches = None

    def measure(self, case, n, seconds):
        """Up to `n` steps in up to `seconds`; at first also the program is built."""
        if self._step is None:
            return self._begin(case)
        done, start, cpu = 0, time.perf_counter(), time.process_time()
        while done < n and time.perf_counter() - start < seconds:
            self._step(*self._batches[done % len(self._batches)])
            done += 1
        cpu = time.process_time() - cpu
        wall = time.perf_counter() - start
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        figures = {"wall_ms": wall / done * 1e3, "cpu_ms": cpu / done * 1e3}
        return dict(figures, steps=done, memory_mb=memory)

    def _begin(self, case):
        import numpy as np
        from programs import PROGRAMS

        make = written_by_hand if self._backend == "jax" else recorded
        rng = np.random.RandomState(0)
        self._batches = [PROGRAMS[case].batch(rng) for _ in range(16)]
        step, build, init, parameters = make(case)
        start = time.perf_counter()
        loss = step(*self._batches[0])
        first = init + time.perf_counter() - start
        self._step = step
        return {"build_s": build, "first_s": first, "loss": loss, "parameters": parameters}


def measured(case, pythons, args):
    """`{back end: {quantity: figure}}` of a program; a failure is `{"failed": why}`."""
    results, workers = {backend: {} for backend in pythons}, {}
    most = {"n": args.warm_up_steps, "seconds": args.warm_up}
    cache = tempfile.mkdtemp()
    cached = dict.fromkeys(("TF1COMPAT_CACHE_DIR", "JAX_COMPILATION_CACHE_DIR"), cache)
    cached["JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS"] = "0"
    cached["JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES"] = "0"

    def attempt(backend, what):
        if "failed" in results[backend]:
            return
        try:
            what(backend)
        except WorkerFailed as failure:
            results[backend] = {"failed": failure.reason}
            print(failure, file=sys.stderr, flush=True)

    def start(backend):
        worker = Worker(backend, pythons[backend], script=LAUNCHED, env=cached)
        begun = worker.ask(case, 1, args.patience, seconds=0)
        worker.ask(case, patience=args.patience, **most)
        return worker, begun

    def first_time(backend):
        worker, begun = start(backend)
        worker.close()
        results[backend]["cold_s"] = begun["first_s"]

    def second_time(backend):
        workers[backend], begun = start(backend)
        results[backend].update(begun)
        if args.steady:
            del results[backend]["first_s"]
        else:
            results[backend].setdefault("cold_s", begun["first_s"])

    def block(backend):
        got = workers[backend].ask(case, 10**9, args.patience, seconds=args.block)
        result = results[backend]
        for key in ("cpu_ms", "wall_ms"):
            result[key] = min(got[key], result.get(key, got[key]))
        result["memory_mb"] = got["memory_mb"]

    for backend in pythons:
        # The others cache nothing.
        if backend in ("tf1compat", "jax") and not args.steady:
            attempt(backend, first_time)
    for backend in pythons:
        attempt(backend, second_time)
    for turn in range(args.rounds):
        # Every other round goes backwards: no back end always runs after the same other one.
        for backend in list(pythons)[:: 1 if turn % 2 == 0 else -1]:
            attempt(backend, block)
    for worker in workers.values():
        worker.close()
    shutil.rmtree(cache, ignore_errors=True)
    return results


def complaints(results):
    """What went wrong: failures, and back ends that do not do the same thing."""
    for case, result in results.items():
        for backend, figures in result.items():
            if "failed" in figures:
                yield "%s, %s: %s" % (case, NAMES.get(backend, backend), figures["failed"])
        done = {backend: r for backend, r in result.items() if "failed" not in r}
        counts = {backend: r["parameters"] for backend, r in done.items()}
        if len(set(counts.values()) - {0}) > 1:
            yield "%s: as many parameters: %s" % (case, counts)
        if "tf1compat" in done and "tf115" in done:
            ours, theirs = (done[b]["loss"] for b in ("tf1compat", "tf115"))
            if not abs(ours - theirs) <= 1e-3 * abs(theirs) + 1e-6:
                yield "%s: the first loss is %.6g, TF 1.15's %.6g" % (case, ours, theirs)


def table(results, backends, quantity, form):
    """The lines of a table in Markdown: a program a line, tf1compat's ratio beside each other."""
    yield "| program | tf1compat |" + "".join(" %s | ratio |" % NAMES[b] for b in backends[1:])
    yield "|---|---:|" + "---:|---:|" * (len(backends) - 1)
    for case, result in results.items():
        ours = result["tf1compat"].get(quantity)
        cells = [form % ours if ours is not None else "failed"]
        for backend in backends[1:]:
            theirs = result[backend].get(quantity)
            cells.append("failed" if theirs is None else form % theirs)
            cells.append("%.2f" % (ours / theirs) if ours and theirs else "")
        yield "| %s | %s |" % (case, " | ".join(cells))


def report(results, backends, args):
    """The lines of the results file."""
    now = datetime.datetime.now(datetime.timezone.utc)
    yield "# Results\n"
    yield "Written by `python benchmarks --results FILE`. Ratios are tf1compat's figure to the one"
    yield "on their left.\n"
    machine = "%s, %s cores, Python %s" % (processor(), os.cpu_count(), platform.python_version())
    if args.cores:
        machine += ", %d of them used" % args.cores
    yield "%s UTC; %s; load %.1f over the last 5 minutes." % (
        now.strftime("%Y-%m-%d %H:%M"),
        machine,
        os.getloadavg()[1],
    )
    yield "%d blocks of %g s after a warm-up of up to %g s; least times." % (
        args.rounds,
        args.block,
        args.warm_up,
    )
    for quantity, title, form in QUANTITIES:
        if not any(quantity in figures for r in results.values() for figures in r.values()):
            continue
        yield "\n## %s\n" % title
        yield from table(results, backends, quantity, form)
    wrong = list(complaints(results))
    if wrong:
        yield "\n## Failed, or not the same\n"
        yield from ("- " + line for line in wrong)


def processor():
    try:
        with open("/proc/cpuinfo") as f:
            names = [line.split(":")[1].strip() for line in f if line.startswith("model name")]
        return names[0]
    except (OSError, IndexError):
        return platform.machine()


def main():
    args = parse_args(
        __doc__,
        rounds=5,
        tf2="",
        only="",
        results="",
        block=0.5,
        warm_up=5.0,
        warm_up_steps=1000,
        patience=600.0,
        cores=0,
        steady=0,
    )
    if args.cores:  # The back ends' processes are started by this one.
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-args.cores :])
    if args.worker:
        return serve(Running(args.worker).measure)
    from programs import PROGRAMS

    wanted = args.only.split(";") if args.only else list(PROGRAMS)
    unknown = [name for name in wanted if name not in PROGRAMS]
    if unknown:
        sys.exit("There is no program %s, there are %s" % (unknown, "; ".join(PROGRAMS)))
    pythons = {"tf1compat": sys.executable, "jax": sys.executable}
    pythons.update({"tf115": args.oracle} if args.oracle else {})
    pythons.update({"tf2": args.tf2} if args.tf2 else {})
    results = {}
    for case in wanted:
        results[case] = measured(case, pythons, args)
        ours, *others = (results[case][b].get("cpu_ms", float("nan")) for b in pythons)
        against = ["%s %.3f" % (b, ms) for b, ms in zip(list(pythons)[1:], others)]
        print("%s: %.3f ms of processor time, %s" % (case, ours, ", ".join(against)), flush=True)
        if args.results:
            with open(args.results, "w") as f:
                f.write("\n".join(report(results, list(pythons), args)) + "\n")
    if not args.results:
        print("\n".join(report(results, list(pythons), args)))
    write_json(args.json, "programs", results)
    if list(complaints(results)):
        sys.exit(1)


if __name__ == "__main__":
    main()
