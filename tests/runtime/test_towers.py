"""Towers that several devices run: four of JAX's devices on the CPU, in a process of their own
(`towers_cases.py`)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

_SCRIPT = Path(__file__).parent / "towers_cases.py"
# One process runs all cases.
pytestmark = pytest.mark.xdist_group("towers")


@pytest.fixture(scope="module")
def found():
    env = {k: v for k, v in os.environ.items() if k != "TF1COMPAT_TIER"}
    path = os.pathsep.join([str(_SCRIPT.parents[2]), *filter(None, [env.get("PYTHONPATH")])])
    env |= {"PYTHONPATH": path, "TF1COMPAT_CACHE_DIR": "off"}
    run = subprocess.run([sys.executable, _SCRIPT], env=env, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout.splitlines()[-1])


def check_alike(case, tolerance=1e-6):
    """Whether several devices found what one does."""
    assert "error" not in case, case["error"]
    assert len(case["grouped"]) == len(case["ungrouped"])
    for one, other in zip(case["grouped"], case["ungrouped"], strict=True):
        if isinstance(one, str):
            assert one == other
        else:
            np.testing.assert_allclose(one, other, rtol=tolerance, atol=tolerance)


def rows(case):
    """How many operations of a tower the largest programs' steps have."""
    return [sum(steps) for steps, _ in case["programs"]]


def test_a_convolutional_net_trains_as_without(found):
    case = found["a_convolutional_net"]
    check_alike(case)
    steps, collectives = case["programs"][-1]
    # Forward and backward are one step; what is averaged is one sum, the rest one exchange.
    assert len(steps) == 1
    assert steps[0] > 60
    assert collectives == ["all-gather", "all-reduce"]


def test_conditionals_that_feeds_decide_are_in_the_towers(found):
    case = found["normalized_by_batches"]
    check_alike(case)
    (trained, collectives), (tested, _) = case["programs"]
    # Between them are the moving averages: in training the first tower updates them.
    assert len(trained) == 3
    assert len(tested) == 2
    assert sum(trained) > 180
    assert collectives == ["all-gather", "all-reduce"]


def test_a_mirrored_strategy_trains_as_without(found):
    case = found["mirrored"]
    check_alike(case)
    assert max(rows(case)) > 40
    assert "all-reduce" in case["programs"][-1][1]


def test_replicas_are_towers(found):
    case = found["replicas"]
    check_alike(case)
    steps, collectives = case["programs"][-1]
    # All gradients are one sum; the losses, and what their checks quote, one exchange.
    assert sum(steps) > 40
    assert collectives == ["all-gather", "all-reduce"]


@pytest.mark.parametrize(
    ("name", "steps"),
    [
        ("alike", 1),
        ("one_constant_differs", 2),  # what differs is in the way
        ("a_mean_of_joined_parts", 1),
    ],
)
def test_the_sum_of_towers_is_one_collective(found, name, steps):
    case = found[name]
    check_alike(case)
    assert len(case["programs"][0][0]) == steps
    assert case["programs"][0][1].count("all-reduce") == 1


def test_what_is_joined_for_more_than_a_mean_is_gathered(found):
    case = found["parts_joined_for_more_than_a_mean"]
    check_alike(case)
    assert "all-gather" in case["programs"][0][1]


def test_an_operation_with_another_attribute_stays_outside(found):
    case = found["one_attribute_differs"]
    check_alike(case)
    assert max(rows(case)) < max(rows(found["alike"]))


def test_towers_of_other_shapes_are_none(found):
    check_alike(found["shapes_differ"])
    assert found["shapes_differ"]["programs"] == []


def test_shapes_that_only_the_feeds_tell(found):
    case = found["fed_shapes_differ"]
    check_alike(case)
    assert len(case["programs"]) == 1  # that of the sizes that are alike


def test_devices_get_their_parts_of_inputs(found):
    case = found["parts_of_inputs"]
    check_alike(case)
    ungrouped, grouped = case["shared"]
    assert ungrouped == []
    first = ["rows:0", "columns:0", "host_read:0", "labels:0", *(f"own{i}:0" for i in range(4))]
    second = [name for name in first if name != "rows:0"]  # of which a part is fetched
    assert sorted(grouped) == sorted([*first, *second, "seen:0"])


def test_a_failing_tower_fails_as_without(found):
    case = found["a_failing_tower"]
    check_alike(case)
    text, name, *_ = case["grouped"]
    assert text.startswith("Received a label value of 7")
    assert name.startswith("tower_2/")
    assert case["programs"]


def test_programs_of_several_devices_are_kept(found):
    case = found["kept_on_disk"]
    assert "error" not in case, case["error"]
    first, second = case["losses"]
    assert first == second
    half = len(case["loads"]) // 2
    assert half > 0
    assert case["loads"] == [False] * half + [True] * half


@pytest.mark.parametrize("seed", [0, 3, 7, 9, 10])
def test_random_towers_give_what_they_give_without(found, seed):
    case = found[f"random_{seed}"]
    check_alike(case, 2e-6)
    # Seed 3 has a tower of another size.
    assert bool(case["programs"]) == (seed != 3)
