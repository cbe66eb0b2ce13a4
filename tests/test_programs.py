"""Whole programs against TensorFlow 1.15: recorded graphs, initial values, loss curves, draws."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path

import pytest
import quick_compilation
import recording

from tf1compat.runtime import tiers
from tf1compat.runtime.compile import cache

GOLDENS = Path(recording.DATA) / "programs"
CASES = recording.program_cases()
RECORDED = {name: recording.read_json(str(GOLDENS / f"{name}.json.gz")) for name, _, _ in CASES}
RTOL = 1e-4
# As users run them, which is on the host at first; and compiled from the first run on: the first
# program of a file by XLA's defaults, its variants (an optimizer each, say) quickly.
TIERS = (tiers.AUTO, tiers.XLA)
FIRST = set({path: name for name, path, _ in reversed(CASES)}.values())


def parametrized(cases: list, in_tiers: Sequence[str]):
    """Parametrises a test over programs, in each of some tiers."""
    programs = [(*case, tier) for case in cases for tier in in_tiers]
    ids = [name if tier == tiers.AUTO else f"{name}-{tier}" for name, *_, tier in programs]
    return pytest.mark.parametrize("program", programs, ids=ids, indirect=True)


def with_recorded(part: str):
    """Parametrises a test over the programs of which TensorFlow recorded such a result."""
    return parametrized([case for case in CASES if RECORDED[case[0]]["run"][part]], TIERS)


every_program = parametrized(CASES, [tiers.AUTO])


class Program:
    """One program built here, beside what TensorFlow 1.15 recorded for it."""

    def __init__(self, tf, name: str, path: str, kwargs: dict, tier: str):
        self.golden = RECORDED[name]
        self._name, self._tier = name, tier
        self._tf = tf
        self._program = recording.build_program(tf, path, kwargs)
        self._graph = tf.get_default_graph()
        self.described = recording.describe_graph(self._graph)

    @functools.cached_property
    def run(self) -> dict:
        """What `recording.run_program` gives for it."""
        with (
            self._graph.as_default(), tiers.tier(self._tier), pytest.MonkeyPatch.context() as patch
        ):  # fmt: skip
            if self._tier == tiers.XLA and self._name not in FIRST:
                patch.setattr(cache, "compiled", quick_compilation.compiled)
            return recording.run_program(self._tf, self._program)


@pytest.fixture(scope="module")
def program(request, tensorflow) -> Program:
    return Program(tensorflow, *request.param)


@every_program
def test_graph(program):
    difference = recording.first_graph_difference(program.golden, program.described)
    assert difference is None, difference


@every_program
def test_static_shapes(program):
    expected, actual = program.golden["shapes"], program.described["shapes"]
    differences = recording.shape_differences(expected, actual)
    assert not differences, "\n".join(differences[:20])


@with_recorded("initial")
def test_initial_values(program):
    expected, actual = program.golden["run"]["initial"], program.run["initial"]
    assert sorted(actual) == sorted(expected)
    for name, value in expected.items():
        difference = recording.value_difference(value, actual[name], 1e-5, name)
        assert difference is None, difference


@with_recorded("losses")
def test_loss_curve(program):
    expected, actual = program.golden["run"]["losses"], program.run["losses"]
    assert len(actual) == len(expected)
    assert recording.close(expected, actual, RTOL), f"TensorFlow: {expected}\nhere: {actual}"


@with_recorded("fetch")
def test_fetches_after_training(program):
    for name, value in program.golden["run"]["fetch"].items():
        actual = program.run["fetch"][name]
        difference = recording.value_difference(value, actual, RTOL, name)
        assert difference is None, difference


@with_recorded("draws")
def test_random_draws(program):
    for step, drawn in enumerate(program.golden["run"]["draws"]):
        for name, value in drawn.items():
            actual = program.run["draws"][step][name]
            difference = recording.value_difference(value, actual, 1e-5, f"{name}, run {step}")
            assert difference is None, difference


def test_every_program_is_recorded():
    recorded = {path.name.removesuffix(".json.gz") for path in GOLDENS.glob("*.json.gz")}
    assert recorded == {name for name, _, _ in CASES}
