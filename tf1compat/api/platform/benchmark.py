"""`tf.test.Benchmark`: methods named `benchmark…` that `tf.test.main` runs on `--benchmarks=…`."""

from __future__ import annotations

import inspect
import re
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

from tf1compat.api.client import timeline
from tf1compat.api.platform import app
from tf1compat.api.platform import tf_logging as logging
from tf1compat.core import export, ops
from tf1compat.core.export import tf_export
from tf1compat.core.session_interface import SessionInterface

# All benchmark classes that are not abstract.
GLOBAL_BENCHMARK_REGISTRY: set[type] = set()


class Benchmark:
    """Base of benchmarks: its concrete subclasses register themselves."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if not cls.is_abstract():
            GLOBAL_BENCHMARK_REGISTRY.add(cls)

    @classmethod
    def is_abstract(cls) -> bool:
        """Whether this is a base class only."""
        return len(cls.mro()) <= 2

    def _get_name(self, overwrite_name: str | None = None) -> str:
        """The class and the method of the benchmark that runs."""
        for frame in reversed(inspect.stack()):
            if isinstance(frame[0].f_locals.get("self"), Benchmark):
                benchmark = frame[0].f_locals["self"]
                return f"{type(benchmark).__name__}.{overwrite_name or frame[3]}"
        raise ValueError("Unable to determine calling Benchmark class.")

    def report_benchmark(
        self,
        iters: int | None = None,
        cpu_time: float | None = None,
        wall_time: float | None = None,
        throughput: float | None = None,
        extras: Any = None,
        name: str | None = None,
        metrics: Any = None,
    ) -> None:
        """Prints what a benchmark found.

        Args:
          iters: how many runs.
          cpu_time, wall_time: seconds.
          throughput: megabytes a second.
          extras: a dict from names to numbers or texts.
          name: in place of the method's name.
          metrics: a list of dicts with `name`, `value`, and perhaps `min_value` and `max_value`.

        Raises:
          TypeError: `extras` or `metrics` is of another form.
        """
        name = self._get_name(overwrite_name=name)
        numbers = [-1 if x is None else x for x in (iters, wall_time, cpu_time, throughput)]
        logging.info(
            "Benchmark [%s] iters: %d, wall_time: %g, cpu_time: %g,throughput: %g, extras: %s, "
            "metrics: %s",
            name,
            *numbers,
            extras or None,
            metrics or None,
        )
        given = {
            "iters": iters,
            "cpu_time": cpu_time,
            "wall_time": wall_time,
            "throughput": throughput,
        }
        print(_entries_text(name, given, extras, metrics))


def _entries_text(name: str, given: dict[str, Any], extras: Any, metrics: Any) -> str:
    """TF's BenchmarkEntries message as text."""
    if extras is not None and not isinstance(extras, dict):
        raise TypeError("extras must be a dict")
    if metrics is not None and not isinstance(metrics, list):
        raise TypeError("metrics must be a list")
    lines = [f'name: "{name}"']
    lines += [f"{key}: {value}" for key, value in given.items() if value]  # as protos print
    for key, value in sorted((extras or {}).items()):
        is_number = isinstance(value, (int, float))
        text = f"double_value: {float(value)}" if is_number else f'string_value: "{value}"'
        lines += ["extras {", f'  key: "{key}"', "  value {", f"    {text}", "  }", "}"]
    for metric in metrics or ():
        for field in ("name", "value"):
            if field not in metric:
                raise TypeError(f"metric must has a '{field}' field")
        lines += ["metrics {", f'  name: "{metric["name"]}"', f"  value: {metric['value']}"]
        for field in ("min_value", "max_value"):
            if field in metric:
                lines += [f"  {field} {{", f"    value: {metric[field]}", "  }"]
        lines.append("}")
    return "entry {\n" + "".join(f"  {line}\n" for line in lines) + "}\n"


@tf_export("test.benchmark_config")
def benchmark_config() -> Any:
    """A ConfigProto for benchmarks: dependencies are not optimized.

    Returns:
      A `tf.ConfigProto`.
    """
    config = export.find("ConfigProto")()
    config.graph_options.rewrite_options.dependency_optimization = 2  # OFF
    return config


@tf_export("test.Benchmark")
class TensorFlowBenchmark(Benchmark):
    """Base of benchmarks of graphs."""

    def __init__(self) -> None:
        super().__init__()

    @classmethod
    def is_abstract(cls) -> bool:
        """Whether this is a base class only."""
        return len(cls.mro()) <= 3

    def run_op_benchmark(
        self,
        sess: SessionInterface,
        op_or_tensor: Any,
        feed_dict: dict[Any, Any] | None = None,
        burn_iters: int = 2,
        min_iters: int = 10,
        store_trace: bool = False,
        store_memory_usage: bool = True,
        name: str | None = None,
        extras: Any = None,
        mbs: float = 0,
    ) -> dict[str, Any]:
        """Times runs of an op, and reports the median.

        Args:
          sess: the session.
          op_or_tensor: what is run.
          feed_dict: what is fed.
          burn_iters: how many runs come first.
          min_iters: how many are timed.
          store_trace: whether the trace of one more run is returned, as Chrome reads it.
          store_memory_usage: whether the most bytes that one more run holds are reported.
          name: in place of the method's name.
          extras: what else to report.
          mbs: the megabytes of a run, for the throughput.

        Returns:
          What was reported, as a dict.
        """
        for _ in range(burn_iters):
            sess.run(op_or_tensor, feed_dict=feed_dict)
        times = []
        for _ in range(min_iters):
            start = time.time()
            sess.run(op_or_tensor, feed_dict=feed_dict)
            times.append(time.time() - start)
        median = statistics.median(times) if times else -1
        found = dict(extras or {})
        trace = None
        if store_trace or store_memory_usage:
            metadata, options = export.find("RunMetadata")(), export.find("RunOptions")()
            options.trace_level = options.FULL_TRACE
            sess.run(op_or_tensor, feed_dict=feed_dict, options=options, run_metadata=metadata)
            events = timeline.Timeline(metadata.step_stats)
            if store_trace:
                trace = events.generate_chrome_trace_format()
            if store_memory_usage:
                maxima = events.analyze_step_stats(show_memory=True).allocator_maximums
                for allocator, most in maxima.items():
                    found[f"allocator_maximum_num_bytes_{allocator}"] = most.num_bytes
        values = {
            "iters": min_iters,
            "wall_time": median,
            "extras": found,
            "name": name,
            "throughput": mbs / median,
        }
        self.report_benchmark(**values)
        if trace is not None:  # too long to be printed
            found["full_trace_chrome_format"] = trace
        return values

    def evaluate(self, tensors: Any) -> Any:
        """The values of tensors, in the default session."""
        session = ops.get_default_session() or self.cached_session()  # type: ignore[attr-defined]
        return session.run(tensors)


def _run_benchmarks(regex: str) -> None:
    """Runs the benchmarks whose full name (module.Class.method) has a pattern in it, or "all"."""
    for benchmark in list(GLOBAL_BENCHMARK_REGISTRY):
        instance = None
        for attribute in dir(benchmark):
            method = getattr(benchmark, attribute)
            if not attribute.startswith("benchmark") or not callable(method):
                continue
            name = f"{benchmark.__module__}.{benchmark.__name__}.{attribute}"
            if regex == "all" or re.search(regex, name):
                instance = instance or benchmark()
                getattr(instance, attribute)()


def benchmarks_main(true_main: Callable[[], Any], argv: list[str] | None = None) -> None:
    """Runs benchmarks if there is a `--benchmarks=` argument, else `true_main`."""
    argv = sys.argv if argv is None else argv
    found = [x for x in argv if x.startswith(("--benchmarks=", "-benchmarks="))]
    if not found:
        true_main()
        return
    argv.remove(found[0])
    regex = found[0].split("=")[1]
    app.run(lambda _: _run_benchmarks(regex), argv=argv)
