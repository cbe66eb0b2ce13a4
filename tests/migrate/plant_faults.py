"""Plants the faults of `planted.py` in the examples, and shows what `compare` says of each.

    PYTHONPATH=tests python tests/migrate/plant_faults.py FOLDER [EXAMPLE ...]

The recordings are kept in the folder. Prints a line for each fault: whether the node is the one
that the fault is in, and the reason.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from pathlib import Path

import forked
import write_sources
from planted import FAULTS, Fault

from tf1compat.migrate.compare import Comparison, compare
from tf1compat.migrate.recording import Recording, read

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SETTINGS = json.loads((ROOT / "tests/golden/data/examples.json").read_text())
# Steps, epochs or trees: enough that a step follows one that differs.
FEW = "3"


def recorded(name: str, text: str, folder: Path) -> Recording:
    """What a text of an example runs, in few steps."""
    folder.mkdir(parents=True)
    shutil.copytree(ROOT / "examples" / "data", folder / "data")
    script = folder / f"{name}.py"
    script.write_text(text)
    settings = SETTINGS.get(f"{name}.py", {"args": [], "env": {"STEPS": FEW}})
    args = [re.sub(r"\d+$", FEW, arg) for arg in settings["args"]]
    return _recording([script, *args], dict.fromkeys(settings["env"], FEW), folder)


def _recording(script: list[str | Path], more: dict[str, str], folder: Path) -> Recording:
    env = {"PYTHONPATH": os.pathsep.join([str(ROOT), str(HERE)])} | more
    done = forked.launch("record", "-o", "run.tfrec", *script, cwd=folder, **env)
    if done.returncode:
        raise RuntimeError(f"{script[0]}: {done.stderr[-4000:]}")
    return read(folder / "run.tfrec")


def of_program(name: str, faults: list[str], folder: Path) -> list[Comparison]:
    """What is said of faults of one of the programs of `programs.py`."""
    recordings = []
    for fault in ["right", *faults]:
        own = folder / fault
        own.mkdir(parents=True)
        script = own / "program.py"
        script.write_text(write_sources.PROGRAM)
        recordings.append(_recording([script, name, fault, FEW], {}, own))
    return [compare(recordings[0], wrong) for wrong in recordings[1:]]


def planted(name: str, faults: list[Fault], folder: Path) -> list[Comparison]:
    """What is said of faults of an example."""
    text = (ROOT / "examples" / f"{name}.py").read_text()
    wanted = recorded(name, text, folder / "right")
    found = []
    for i, fault in enumerate(faults):
        if fault.old not in text:
            raise ValueError(f"{name}.py has no {fault.old}")
        wrong = recorded(name, text.replace(fault.old, fault.new, 1), folder / f"wrong_{i}")
        found.append(compare(wanted, wrong))
    return found


def main() -> None:
    target = Path(sys.argv[1]).resolve()
    for name in sys.argv[2:] or FAULTS:
        for fault, found in zip(FAULTS[name], planted(name, FAULTS[name], target / name)):
            mark = "named" if found.node.endswith(fault.node) else "MISSED"
            print(f"{name:24} {mark:6} {fault.node:24} {found.reason}", flush=True)


if __name__ == "__main__":
    main()
