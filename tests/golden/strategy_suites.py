"""Suites written on TF's base classes for tests of strategies, and what comes of each test.

Runs under the real TensorFlow 1.15 (Python 3.7 with portpicker), too:

    python strategy_suites.py data/strategy_suites.json.gz
"""

import inspect
import sys
import unittest

import recording
import tensorflow as tf
from absl.testing import parameterized
from tensorflow.python.distribute import (
    combinations,
    strategy_combinations,
    strategy_test_lib,
)

_named = combinations.NamedDistribution
_cpus = ["/cpu:0", "/cpu:1"]
ONE = [
    _named("OneDevice", lambda: tf.distribute.OneDeviceStrategy("/cpu:0")),
    _named("Mirrored1", lambda: tf.distribute.MirroredStrategy(["/cpu:0"])),
    _named("ParameterServer", lambda: tf.distribute.experimental.ParameterServerStrategy()),
    _named("Workers", lambda: tf.distribute.experimental.MultiWorkerMirroredStrategy()),
]
TWO = [
    _named("Mirrored2", lambda: tf.distribute.MirroredStrategy(["/cpu:1", "/cpu:2"])),
    _named(
        "Hierarchical2",
        lambda: tf.distribute.MirroredStrategy(
            _cpus, tf.distribute.HierarchicalCopyAllReduce(num_packs=1)
        ),
    ),
    _named("Central2", lambda: tf.distribute.experimental.CentralStorageStrategy(_cpus, "/cpu:0")),
]
BOTH = ["graph", "eager"]


def suite(base, strategies, **arguments):
    """A test case with a test for each of a base class's methods, for all strategies and modes."""

    def method(name):
        def run(self, distribution):
            getattr(self, name)(distribution, **arguments.get(name, {}))

        run.__name__ = "test" + name[len("_test") :]
        return combinations.generate(combinations.combine(distribution=strategies, mode=BOTH))(run)

    found = {}
    for name, function in inspect.getmembers(base, inspect.isfunction):
        parameters = list(inspect.signature(function).parameters.values())[1:]
        needed = [p.name for p in parameters if p.default is p.empty]
        if name.startswith("_test_") and needed in (["strategy"], ["d"], ["dist"]):
            found["test" + name[len("_test") :]] = method(name)
    return found


def of_any_strategy(strategies):
    lib = strategy_test_lib

    class Any(lib.DistributionTestBase, parameterized.TestCase):
        locals().update(suite(lib.DistributionTestBase, strategies))

        @combinations.generate(combinations.combine(distribution=strategies, mode=BOTH))
        def test_datasets_from_functions(self, distribution):
            count = distribution.num_replicas_in_sync

            def dataset():
                return tf.data.Dataset.range(4 * count)

            input_fn = self._input_fn_to_test_input_context(dataset, count, 1, 0)
            wanted = [[i * count + k for k in range(count)] for i in range(4)]
            self._test_input_fn_iterable(distribution, input_fn, wanted)

        @combinations.generate(combinations.combine(distribution=strategies, mode=BOTH))
        def test_iterators_of_functions(self, distribution):
            count = distribution.num_replicas_in_sync

            def dataset():
                return tf.data.Dataset.range(4 * count)

            input_fn = self._input_fn_to_test_input_context(dataset, count, 1, None)
            wanted = [[i * count + k for k in range(count)] for i in range(4)]
            iterator = distribution.make_input_fn_iterator(input_fn)
            devices = distribution.extended.worker_devices
            self._test_input_fn_iterator(iterator, devices, wanted, ignore_order=True)

    return Any


class OneReplica(of_any_strategy(ONE)):
    pass


class TwoReplicas(of_any_strategy(TWO)):
    pass


class OneDevice(strategy_test_lib.OneDeviceDistributionTestBase, parameterized.TestCase):
    locals().update(suite(strategy_test_lib.OneDeviceDistributionTestBase, ONE))


class TwoDevices(strategy_test_lib.TwoDeviceDistributionTestBase, parameterized.TestCase):
    locals().update(suite(strategy_test_lib.TwoDeviceDistributionTestBase, TWO))


CLASSES = [OneReplica, TwoReplicas, OneDevice, TwoDevices]


def _name(test):
    return test.id().split(".")[-1]


def outcomes(case, kept=lambda name: True):
    """What comes of each test of a case: "ok", why it was skipped, or what it raised."""
    tests = unittest.defaultTestLoader.loadTestsFromTestCase(case)
    tests = [test for test in tests if _name(test) != "test_session" and kept(_name(test))]
    found = {_name(test): "ok" for test in tests}
    result = unittest.TestResult()
    unittest.TestSuite(tests).run(result)
    found.update((_name(test), reason) for test, reason in result.skipped)
    found.update((_name(test), "raises: " + text) for test, text in result.errors + result.failures)
    return found


def record(cases):
    """Writes what comes of all tests of cases; what fails under TF is nobody's measure."""
    said = {}
    for case in cases:
        found = outcomes(case)
        said[case.__name__] = {
            name: outcome
            for name, outcome in found.items()
            if "--all" in sys.argv or not outcome.startswith("raises")
        }
        recording.write_json(sys.argv[1], said)


if __name__ == "__main__":
    strategy_combinations.set_virtual_cpus_to_at_least(3)
    record(CLASSES)
