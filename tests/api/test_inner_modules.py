"""Further modules below `tensorflow.python` against TensorFlow 1.15."""

from __future__ import annotations

import json
import os

import inner_autograph_cases  # noqa: F401 - its cases are among inner_module_cases.CASES
import inner_module_cases
import pytest
import recording

from tf1compat.core import context
from tf1compat.launcher import import_hook

import_hook.install()
_GOLDEN = recording.read_json(os.path.join(recording.DATA, "inner_modules.json"))


@pytest.mark.parametrize("name", inner_module_cases.CASES)
def test_says_what_tensorflow_says(tf, name):
    with context.mode(name in inner_module_cases.EAGER):
        said = inner_module_cases.CASES[name](tf)
    assert json.loads(json.dumps(said)) == _GOLDEN[name]


def test_benchmarks_of_datasets(tf):
    from tensorflow.python.data.benchmarks import benchmark_base

    class Benchmark(benchmark_base.DatasetBenchmarkBase):
        def report_benchmark(self, **reported):
            self.reported = reported

    benchmark = Benchmark()
    dataset = tf.data.Dataset.range(10)
    assert benchmark.run_benchmark(dataset, 5, iters=2) > 0
    benchmark.run_and_report_benchmark(dataset, 5, "name", iters=1, extras={"a": 1})
    assert benchmark.reported.pop("wall_time") > 0
    extras = {"a": 1, "num_elements": 5}
    assert benchmark.reported == {"iters": 1, "name": "name", "extras": extras}
