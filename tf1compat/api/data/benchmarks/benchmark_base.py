"""The base of benchmarks of datasets (`tensorflow.python.data.benchmarks.benchmark_base`)."""

from __future__ import annotations

import statistics
import time
from typing import Any

from tf1compat.api.data.ops import dataset_ops
from tf1compat.api.data.ops.dataset_options import Options
from tf1compat.api.data.util import nest
from tf1compat.api.platform import test
from tf1compat.core.export import required


class DatasetBenchmarkBase(test.Benchmark):
    """Times how long datasets take for an element."""

    def run_benchmark(
        self, dataset: Any, num_elements: int, iters: int = 1, warmup: bool = True
    ) -> float:
        """Goes through a dataset some times.

        Args:
          dataset: the dataset.
          num_elements: how many elements to go through each time.
          iters: how many times.
          warmup: whether to go through it once more before.

        Returns:
          The median of the seconds that an element takes.
        """
        options = Options()
        options.experimental_optimization.apply_default_optimizations = False
        # All but the last one are passed over within one run.
        dataset = dataset.with_options(options).skip(num_elements - 1)
        iterator = dataset_ops.make_initializable_iterator(dataset)
        last = nest.flatten(iterator.get_next())[0].op
        times = []
        for _ in range(iters):
            with required("Session")() as session:
                for _ in range(1 + warmup):
                    session.run(iterator.initializer)
                    start = time.perf_counter()
                    session.run(last)
                    taken = time.perf_counter() - start
            times.append(taken)
        return statistics.median(times) / num_elements

    def run_and_report_benchmark(
        self,
        dataset: Any,
        num_elements: int,
        name: str,
        iters: int = 5,
        extras: dict[str, Any] | None = None,
        warmup: bool = True,
    ) -> None:
        """As `run_benchmark`; what it found is reported.

        Args:
          dataset, num_elements, iters, warmup: as there.
          name: the benchmark's name.
          extras: what is reported besides; the number of elements is added.
        """
        wall_time = self.run_benchmark(dataset, num_elements, iters, warmup)
        extras = {} if extras is None else extras
        extras["num_elements"] = num_elements
        self.report_benchmark(wall_time=wall_time, iters=iters, name=name, extras=extras)
