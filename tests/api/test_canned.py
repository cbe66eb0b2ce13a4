"""Canned estimators, heads and input functions against TensorFlow 1.15."""

from __future__ import annotations

import os

import canned_cases
import estimator_run_cases
import pytest
import recording

GOLDEN = recording.read_json(os.path.join(recording.DATA, "canned.json.xz"))

pytestmark = [
    pytest.mark.usefixtures("compiled_quickly"),
    pytest.mark.filterwarnings("ignore:Converting sparse IndexedSlices to a dense"),
]


@pytest.fixture(autouse=True)
def _apart(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TF_CONFIG", raising=False)


def check_graph(expected, found):
    """The graph is TensorFlow's, its static shapes as well."""
    difference = recording.first_graph_difference(expected, found)
    assert difference is None, difference
    assert not recording.shape_differences(expected["shapes"], found["shapes"])


MISTAKES = {**canned_cases.MISTAKES, **estimator_run_cases.MISTAKES}


@pytest.mark.parametrize("name", canned_cases.MODELS)
def test_model(tf, name):
    check(GOLDEN["models"][name], canned_cases.observed(tf, canned_cases.MODELS[name]))


@pytest.mark.parametrize("name", estimator_run_cases.RUNS)
def test_run(tf, name):
    check(GOLDEN["runs"][name], estimator_run_cases.RUNS[name](tf))


def test_words(tf):
    assert estimator_run_cases.words(tf) == GOLDEN["words"]


def test_clusters(tf):
    assert estimator_run_cases.clusters(tf) == GOLDEN["clusters"]


def check(expected, found):
    """The graphs, values and what is said are TensorFlow's."""
    assert sorted(found["graphs"]) == sorted(expected["graphs"])
    for mode, graph in expected["graphs"].items():
        difference = recording.first_graph_difference(graph, found["graphs"][mode])
        assert difference is None, f"{mode}: {difference}"
        check_graph(graph, found["graphs"][mode])
    assert found["said"] == expected["said"]
    values = recording.describe_value(found["values"])
    difference = recording.value_difference(expected["values"], values, 1e-4)
    assert difference is None, difference


@pytest.mark.parametrize("name", canned_cases.INPUTS)
def test_input(tf, name):
    if name.startswith("table"):
        pytest.importorskip("pandas")
    expected = GOLDEN["inputs"][name]
    found = canned_cases.read(tf, name)
    check_graph(expected["graph"], found["graph"])
    values = recording.describe_value(found["values"])
    assert recording.value_difference(expected["values"], values, 0) is None


@pytest.mark.parametrize(
    ("group", "name"),
    [(group, name) for group, cases in MISTAKES.items() for name in cases],
)
def test_mistake(tf, group, name):
    if name in ("table's shuffle", "table's target", "column", "index"):
        pytest.importorskip("pandas")
    expected = GOLDEN["mistakes"][group][name]
    found = recording.raised(tf, MISTAKES[group][name])
    assert found == expected, f"TensorFlow: {expected}\nhere: {found}"
