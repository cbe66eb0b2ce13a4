"""`to_jax` of the training step of every example walks the session's way for 20 steps."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SETTINGS = json.loads((ROOT / "tests/golden/data/examples.json").read_text())
# Those that train by `Session.run` of a training operation of their own.
EXAMPLES = [
    "actor_critic", "digits_cnn", "dqn", "gradient_penalty", "linear_regression",
    "physics_informed", "residual_cnn", "straight_through", "transformer",
    "variational_autoencoder", "word2vec",
]  # fmt: skip


@pytest.mark.parametrize("name", EXAMPLES)
def test_to_jax_walks_as_the_session(name):
    settings = SETTINGS.get(f"{name}.py", {"args": [], "env": {}})
    script = [str(ROOT / "examples" / f"{name}.py"), *settings["args"]]
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "tf1compat",
            str(Path(__file__).with_name("walk_example.py")),
            *script,
        ],
        # Compiled on both sides: NumPy rounds otherwise, which residual_cnn.py amplifies.
        env=os.environ | {"PYTHONPATH": str(ROOT), "TF1COMPAT_TIER": "xla"} | settings["env"],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    compared, worst = done.stdout.splitlines()[-1].split()
    # What the recorded settings of residual_cnn.py leave are 8.
    assert int(compared) == (8 if name == "residual_cnn" else 20)
    assert float(worst) < 1e-5
