"""The examples leave TensorFlow 1: what the table of `migration_guide/what_was_tried.md` says.

Some in the ordinary run, all with `pytest tests/migrate/test_examples_leave.py --migrate-long`.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import forked
import plant_faults
import pytest
import write_sources
from planted import FAULTS

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
STEPS = 20

pytestmark = pytest.mark.usefixtures("optimized_little")


class Walked(NamedTuple):
    """An example.

    Attributes:
      quick: whether it belongs to the ordinary run.
      steps: how many steps there are to compare.
      segments: what `to_jax` is told of its segments.
    """

    quick: bool = False
    steps: int = STEPS
    segments: int | None = None


# Those whose sessions run a step of training that is a function of arrays; all are written as
# source, too.
EXAMPLES = {
    "actor_critic": Walked(quick=True),
    "census_estimator": Walked(segments=50),
    "digits_cnn": Walked(),
    "digits_towers": Walked(),
    "dqn": Walked(quick=True),
    "gradient_penalty": Walked(),
    "iris_experiment": Walked(quick=True),
    "keras_additions": Walked(),
    "keras_augmented_digits": Walked(),
    "linear_regression": Walked(quick=True),
    "physics_informed": Walked(),
    "records_pipeline": Walked(),
    # It amplifies rounding: its recorded settings leave 8 steps.
    "residual_cnn": Walked(steps=8),
    "saliency_guided_relu": Walked(),
    "straight_through": Walked(quick=True),
    "text_tpu_estimator": Walked(),
    "to_jax": Walked(),
    "transformer": Walked(),
    "variational_autoencoder": Walked(),
    "word2vec": Walked(),
}
# Which of an example's faults belong to the ordinary run.
QUICK_FAULTS = {"actor_critic": [2], "dqn": [1], "linear_regression": [0], "straight_through": [2]}


def skip_unless(quick: bool, request: pytest.FixtureRequest) -> None:
    if not quick and not request.config.getoption("--migrate-long"):
        pytest.skip("with --migrate-long")


@pytest.mark.parametrize("name", EXAMPLES)
def test_step_walks_and_is_exported(name, request, tmp_path) -> None:
    """`to_jax` of the step walks the session's curve; what `export` writes goes on with it in a
    process without tf1compat."""
    example = EXAMPLES[name]
    skip_unless(example.quick, request)
    recorded = plant_faults.SETTINGS.get(f"{name}.py", {"args": [], "env": {}})
    script = [ROOT / "examples" / f"{name}.py", *recorded["args"]]
    # Compiled on both sides: NumPy rounds otherwise, which residual_cnn.py amplifies.
    env = recorded["env"] | {"TF1COMPAT_TIER": "xla"}
    bound = ["--segments", str(example.segments)] if example.segments else []
    walk = [HERE / "walk_example.py", "--export", tmp_path, *bound, *script]
    done = forked.launch(*walk, cwd=tmp_path, **env)
    assert done.returncode == 0, done.stderr[-4000:]
    steps, fetched, variables = done.stdout.splitlines()[-1].split()
    assert int(steps) == example.steps
    assert float(fetched) < 1e-5
    assert float(variables) < 1e-4
    alone = subprocess.run(
        [sys.executable, HERE / "run_exported.py", tmp_path],
        env=os.environ | {"PYTHONPATH": ""},
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert alone.returncode == 0, alone.stderr[-4000:]
    steps, worst = alone.stdout.splitlines()[-1].split()
    assert int(steps) == 3
    assert float(worst) < 1e-4


@pytest.mark.parametrize("name", FAULTS)
def test_planted_faults_are_named(name, request, tmp_path) -> None:
    """`compare` names the node of each fault, and the line of the example that made it."""
    quick = QUICK_FAULTS.get(name)
    skip_unless(quick is not None, request)
    every = request.config.getoption("--migrate-long") or quick is None
    faults = FAULTS[name] if every else [FAULTS[name][i] for i in quick]
    for fault, found in zip(faults, plant_faults.planted(name, faults, tmp_path)):
        assert not found.same, fault
        assert found.node.endswith(fault.node), (fault, found.reason)
        assert f"{found.node} ({name}.py:" in found.reason, (fault, found.reason)


@pytest.mark.parametrize("name", EXAMPLES)
def test_source_passes_its_test(name, request, tmp_path) -> None:
    skip_unless(False, request)
    segments = EXAMPLES[name].segments
    more = ["--most-segments", str(segments)] if segments else []
    found = write_sources.write_example(name, tmp_path, more)
    assert found.kind == "training step", found.said
