"""Writes the source of all example programs, and of ten more, and runs what was written's tests.

    python tests/migrate/write_sources.py FOLDER [NAME ...]

Prints a line for each: what is written of it, and how its test ended. The table of the guide's page
on source is this.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
SETTINGS = json.loads((ROOT / "tests/golden/data/examples.json").read_text())
EXAMPLES = [
    "actor_critic", "digits_cnn", "dqn", "gradient_penalty", "linear_regression",
    "physics_informed", "residual_cnn", "saliency_guided_relu", "straight_through", "to_jax",
    "transformer", "variational_autoencoder", "word2vec",
]  # fmt: skip
PROGRAMS = [
    "resnet", "seq2seq", "dcgan", "dqn", "pinn", "vae", "bert", "word2vec", "unet",
    "policy_gradient",
]  # fmt: skip
_PROGRAM = """
import sys
import numpy as np
import tensorflow as tf
import programs

program = getattr(programs, sys.argv[1])
train, loss, inputs, batch = programs.Maker(tf).trained(program)
random = np.random.RandomState(0)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for _ in range(3):
        session.run([train, loss], dict(zip(inputs, batch(random))))
"""


def run(command: list[str], folder: Path, more: dict[str, str]) -> tuple[int, str]:
    """The exit status of a command, and the last line of what it says."""
    paths = os.pathsep.join([str(ROOT), str(Path(__file__).parent)])
    done = subprocess.run(
        command,
        cwd=folder,
        env=os.environ | {"PYTHONPATH": paths} | more,
        capture_output=True,
        text=True,
    )
    lines = (done.stdout + done.stderr).strip().splitlines()
    return done.returncode, next((s for s in reversed(lines) if "tf1compat" in s), lines[-1])


def write(name: str, script: Path, arguments: list[str], env: dict[str, str], folder: Path) -> None:
    """Writes the source of one program, and runs its test."""
    folder.mkdir(parents=True, exist_ok=True)
    python = [sys.executable, "-W", "ignore", "-m"]
    command = [*python, "tf1compat", "migrate", str(script), "-o", "model.py", *arguments]
    status, last = run(command, folder, env)
    if status == 0:
        status, last = run([*python, "pytest", "-q", "test_model.py"], folder, {})
    text = (folder / "model.py").read_text() if (folder / "model.py").exists() else ""
    kind = "training step" if "def train_step(" in text else "model"
    print(f"{name:26} {kind if status == 0 else '-':14} {last}", flush=True)


def main() -> None:
    target = Path(sys.argv[1]).resolve()
    wanted = sys.argv[2:]
    for name in EXAMPLES:
        settings = SETTINGS.get(f"{name}.py", {"args": [], "env": {}})
        if not wanted or name in wanted:
            script = ROOT / "examples" / f"{name}.py"
            write(name, script, settings["args"], settings["env"], target / name)
    target.mkdir(parents=True, exist_ok=True)
    program = target / "program.py"
    program.write_text(_PROGRAM)
    for name in PROGRAMS:
        if not wanted or f"programs.{name}" in wanted:
            write(f"programs.{name}", program, [name], {}, target / f"program_{name}")


if __name__ == "__main__":
    main()
