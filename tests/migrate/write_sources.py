"""Writes the source of all examples whose steps a session runs, and of ten more programs, and runs
the tests that are written with it.

    python tests/migrate/write_sources.py FOLDER [NAME ...]

Prints a line for each: what is written of it, and how its test ended.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from planted import FAULTS

ROOT = Path(__file__).parents[2]
SETTINGS = json.loads((ROOT / "tests/golden/data/examples.json").read_text())
PROGRAMS = [
    "resnet", "seq2seq", "dcgan", "dqn", "pinn", "vae", "bert", "word2vec", "unet",
    "policy_gradient",
]  # fmt: skip
# One of the programs as a script: its name, a fault or "right", and how many steps.
PROGRAM = """
import sys
import numpy as np
import tensorflow as tf
import programs

program = getattr(programs, sys.argv[1])
fault = None if sys.argv[2] == "right" else sys.argv[2]
train, loss, inputs, batch = programs.Maker(tf, fault).trained(program)
random = np.random.RandomState(0)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for _ in range(int(sys.argv[3])):
        session.run([train, loss], dict(zip(inputs, batch(random))))
"""


def run(command: list[str], folder: Path, more: dict[str, str]) -> tuple[int, str]:
    """The exit status of a command, and the last line of what it says, or why it failed."""
    paths = os.pathsep.join([str(ROOT), str(Path(__file__).parent)])
    done = subprocess.run(
        command,
        cwd=folder,
        env=os.environ | {"PYTHONPATH": paths} | more,
        capture_output=True,
        text=True,
    )
    lines = (done.stdout if done.returncode == 0 else done.stderr or done.stdout).splitlines()
    said = [line for line in lines if line.startswith("tf1compat migrate: ")] or lines or [""]
    return done.returncode, said[-1]


class Written(NamedTuple):
    """What became of a program.

    Attributes:
      kind: "training step", "model", or "" if nothing was written.
      said: how its test ended, or why nothing was written.
    """

    kind: str
    said: str


def write(script: Path, arguments: list[str], env: dict[str, str], folder: Path) -> Written:
    """Writes the source of one program, and runs its test."""
    folder.mkdir(parents=True, exist_ok=True)
    python = [sys.executable, "-W", "ignore", "-m"]
    command = [*python, "tf1compat", "migrate", str(script), "-o", "model.py", *arguments]
    status, said = run(command, folder, env)
    if status:
        return Written("", said)
    status, said = run([*python, "pytest", "-q", "test_model.py"], folder, {})
    trains = "def train_step(" in (folder / "model.py").read_text()
    return Written(("training step" if trains else "model") if status == 0 else "", said)


def write_example(name: str, folder: Path, more: Sequence[str] = ()) -> Written:
    """Writes the source of an example, trained as its recorded output was; `more` are options."""
    settings = SETTINGS.get(f"{name}.py", {"args": [], "env": {"STEPS": "20"}})
    script = ROOT / "examples" / f"{name}.py"
    return write(script, [*more, *settings["args"]], settings["env"], folder)


def write_program(name: str, folder: Path) -> Written:
    """Writes the source of one of the ten programs."""
    folder.mkdir(parents=True, exist_ok=True)
    script = folder / "program.py"
    script.write_text(PROGRAM)
    return write(script, [name, "right", "3"], {}, folder)


def main() -> None:
    target = Path(sys.argv[1]).resolve()
    wanted = sys.argv[2:]
    examples = dict.fromkeys(FAULTS, write_example)
    programs = {f"programs.{name}": write_program for name in PROGRAMS}
    for name, writes in {**examples, **programs}.items():
        if not wanted or name in wanted:
            found = writes(name.removeprefix("programs."), target / name)
            print(f"{name:26} {found.kind or '-':14} {found.said}", flush=True)


if __name__ == "__main__":
    main()
