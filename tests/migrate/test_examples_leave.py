"""The examples leave TensorFlow 1: what the table of `migration_guide/what_was_tried.md` says.

Some in the ordinary run, all with `pytest tests/migrate/test_examples_leave.py --migrate-long`.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from tf1compat.migrate.compare import compare
from tf1compat.migrate.recording import read

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
SETTINGS = json.loads((ROOT / "tests/golden/data/examples.json").read_text())
STEPS = 20


class Example(NamedTuple):
    """An example.

    Attributes:
      old, new: a fault that is planted: another epsilon, a swapped axis, a dropped override or,
        where there is none of these, another rate.
      node: the end of the name of the node that the fault is in.
      quick: whether it belongs to the ordinary run.
      steps: how many steps there are to compare.
    """

    old: str
    new: str
    node: str
    quick: bool = False
    steps: int = STEPS


ADAM = "AdamOptimizer(FLAGS.learning_rate"
# Those whose sessions run a step of training that is a function of arrays.
EXAMPLES = {
    "actor_critic": Example("epsilon=1e-5", "epsilon=1e-3", "RMSProp/epsilon", True),
    "digits_cnn": Example(ADAM, ADAM + ", epsilon=1e-4", "Adam/epsilon"),
    "digits_towers": Example(ADAM, ADAM + ", epsilon=1e-4", "Adam/epsilon"),
    "dqn": Example(
        "tf.reduce_mean(advantage, axis=1", "tf.reduce_mean(advantage, axis=0",
        "Mean/reduction_indices", True,
    ),
    "gradient_penalty": Example("beta2=0.9)", "beta2=0.9, epsilon=1e-4)", "Adam/epsilon"),
    "iris_experiment": Example(
        "(hparams.learning_rate", "(hparams.learning_rate, epsilon=1e-4", "train/epsilon", True
    ),
    "linear_regression": Example(
        "Optimizer(learning_rate", "Optimizer(2 * learning_rate", "learning_rate", True
    ),
    "physics_informed": Example("Optimizer(2e-3", "Optimizer(2e-3, epsilon=1e-4", "Adam/epsilon"),
    # It amplifies rounding: its recorded settings leave 8 steps.
    "residual_cnn": Example("rate, 0.9", "rate, 0.8", "Momentum/momentum", steps=8),
    "saliency_guided_relu": Example('{"Relu": "GuidedRelu"}', "{}", "Relu"),
    "straight_through": Example('{"Sign": "StraightThrough"}', "{}", "Sign", True),
    "text_tpu_estimator": Example(
        "AdamOptimizer(rate", "AdamOptimizer(rate, epsilon=1e-4", "Adam/epsilon"
    ),
    "to_jax": Example("AdamOptimizer(0.02", "AdamOptimizer(0.02, epsilon=1e-4", "Adam/epsilon"),
    "transformer": Example("variance + epsilon", "variance + 2 * epsilon", "add/y"),
    "variational_autoencoder": Example(
        "(cross_entropy, axis=1", "(cross_entropy, axis=0", "Sum/reduction_indices"
    ),
    "word2vec": Example("Optimizer(1.0)", "Optimizer(0.9)", "learning_rate"),
}  # fmt: skip


@pytest.fixture
def settings(request):
    """(name, the example), if it belongs to this run."""
    name = request.param
    if not EXAMPLES[name].quick and not request.config.getoption("--migrate-long"):
        pytest.skip("with --migrate-long")
    return name, EXAMPLES[name]


every_example = pytest.mark.parametrize("settings", EXAMPLES, indirect=True)


def run(arguments: list, env: dict[str, str], folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, *map(str, arguments)],
        env=os.environ | {"PYTHONPATH": str(ROOT)} | env,
        cwd=folder,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    return done.stdout


@every_example
def test_step_walks_and_is_exported(settings, tmp_path) -> None:
    """`to_jax` of the step walks the session's curve; what `export` writes goes on with it in a
    process without tf1compat."""
    name, example = settings
    recorded = SETTINGS.get(f"{name}.py", {"args": [], "env": {}})
    script = [ROOT / "examples" / f"{name}.py", *recorded["args"]]
    # Compiled on both sides: NumPy rounds otherwise, which residual_cnn.py amplifies.
    env = recorded["env"] | {"TF1COMPAT_TIER": "xla"}
    walk = ["-m", "tf1compat", HERE / "walk_example.py", "--export", tmp_path, *script]
    steps, fetched, variables = run(walk, env, tmp_path).splitlines()[-1].split()
    assert int(steps) == example.steps
    assert float(fetched) < 1e-5
    assert float(variables) < 1e-4
    alone = run([HERE / "run_exported.py", tmp_path], {"PYTHONPATH": ""}, tmp_path)
    steps, worst = alone.splitlines()[-1].split()
    assert int(steps) == 3
    assert float(worst) < 1e-4


def few(setting: str) -> str:
    """A setting with five in the place of how many steps there are to be."""
    return re.sub(r"\d+$", "5", setting)


@every_example
def test_a_planted_fault_is_named(settings, tmp_path) -> None:
    name, example = settings
    recorded = SETTINGS.get(f"{name}.py", {"args": [], "env": {}})
    text = (ROOT / "examples" / f"{name}.py").read_text()
    assert example.old in text
    shutil.copytree(ROOT / "examples" / "data", tmp_path / "data")
    recordings = []
    for kind, content in (("right", text), ("wrong", text.replace(example.old, example.new, 1))):
        script = tmp_path / f"{name}.py"
        script.write_text(content)
        path = tmp_path / f"{kind}.tfrec"
        record = ["-m", "tf1compat", "record", "-o", path, script, *map(few, recorded["args"])]
        run(record, {name: few(value) for name, value in recorded["env"].items()}, tmp_path)
        recordings.append(read(path))
    found = compare(*recordings)
    assert not found.same
    assert found.node.endswith(example.node)
    assert f"{example.node} ({name}.py:" in found.reason
