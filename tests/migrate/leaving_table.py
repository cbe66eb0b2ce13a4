"""Measures how the examples, and ten more programs, leave TensorFlow 1.

    python tests/migrate/leaving_table.py FOLDER [--only PART,...] [NAME ...]

The parts are `walk` (with the export), `source` and `faults`. What was measured is kept in the
folder, so that parts may be measured one after the other; the tables of all that is there, as
`migration_guide/what_was_tried.md` and `source.md` have them, are printed at the end. All of it
takes about half an hour on 2 cores.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import plant_faults
import write_sources
from planted import FAULTS
from write_sources import ROOT

HERE = Path(__file__).parent
PARTS = ("walk", "source", "faults")
# How many rows its batches have, where a program's segments are as many: a bound by the user.
_SEGMENTS = {"census_estimator": "50"}
# What a program's faults are called, and the node that each is in.
_PROGRAM_FAULTS = {
    "epsilon": "Adam/epsilon",
    "axis": "sums/reduction_indices",
    "override": "halved",
}


def _script(name: str, folder: Path) -> tuple[list[Any], dict[str, str]]:
    """A program with its arguments, and its environment."""
    program = name.removeprefix("programs.")
    if program != name:
        (folder / "program.py").write_text(write_sources.PROGRAM)
        return [folder / "program.py", program, "right", "20"], {}
    settings = write_sources.SETTINGS.get(f"{name}.py", {"args": [], "env": {}})
    return [ROOT / "examples" / f"{name}.py", *settings["args"]], settings["env"]


def walk(name: str, folder: Path) -> dict[str, Any]:
    """How far `to_jax` of the step is from the session, and the exported step from both."""
    script, env = _script(name, folder)
    python = [sys.executable, "-W", "ignore"]
    # Compiled on both sides: NumPy rounds otherwise, which residual_cnn.py amplifies.
    command = [*python, "-m", "tf1compat", str(HERE / "walk_example.py"), "--export", str(folder)]
    if name in _SEGMENTS:
        command += ["--segments", _SEGMENTS[name]]
    command += map(str, script)
    status, said = write_sources.run(command, folder, env | {"TF1COMPAT_TIER": "xla"})
    if status or not re.fullmatch(r"\d+ \S+ \S+", said) or said.startswith("0 "):
        return {"walk": said if status else "no step of a session trains"}
    steps, fetched, variables = said.split()
    found: dict[str, Any] = {"walk": [int(steps), float(fetched), float(variables)]}
    command = [*python, str(HERE / "run_exported.py"), str(folder)]
    status, said = write_sources.run(command, folder, {"PYTHONPATH": ""})
    found["exported"] = said if status else [float(part) for part in said.split()]
    return found


def source(name: str, folder: Path) -> dict[str, Any]:
    """What is written of it, and how its test ends."""
    program = name.removeprefix("programs.")
    if program != name:
        return {"source": list(write_sources.write_program(program, folder))}
    more = ["--most-segments", _SEGMENTS[name]] if name in _SEGMENTS else []
    return {"source": list(write_sources.write_example(program, folder, more))}


def faults(name: str, folder: Path) -> dict[str, Any]:
    """The node that `compare` names for each planted fault, and whether it is the one."""
    program = name.removeprefix("programs.")
    if program == name:
        wanted = [fault.node for fault in FAULTS[name]]
        found = plant_faults.planted(name, FAULTS[name], folder)
    else:
        wanted = list(_PROGRAM_FAULTS.values())
        found = plant_faults.of_program(program, list(_PROGRAM_FAULTS), folder)
    named = [[node, each.node.endswith(node)] for node, each in zip(wanted, found, strict=True)]
    return {"faults": named}


_MEASURES: dict[str, Callable[[str, Path], dict[str, Any]]] = {
    "walk": walk,
    "source": source,
    "faults": faults,
}


def _row(name: str, found: dict[str, Any]) -> str:
    label = f"`{name}.py`" if name in FAULTS else f"`{name.removeprefix('programs.')}`"
    cells = ["?", "?", "?"]  # What was not measured.
    if "walk" in found:
        walked, exported = found["walk"], found.get("exported", "no")
        cells[0] = "no" if isinstance(walked, str) else f"{walked[1]:.0e}, {walked[2]:.0e}"
        cells[1] = "no" if isinstance(exported, str) else f"{exported[1]:.0e}"
    if "source" in found:
        kind, said = found["source"]
        passed = re.search(r"\d+ passed", said)
        cells[2] = passed[0] if kind and passed else "no"
    nodes = [f"`{node}`" if right else f"~~{node}~~" for node, right in found.get("faults", [])]
    cells = [re.sub(r"\b0e\+00", "0", cell) for cell in cells]
    return f"| {label} | {' | '.join(cells)} | {', '.join(nodes)} |"


def _written(name: str, kind: str, said: str) -> str:
    """A row of the table "What passes": how the test ended, or the operation that has no source."""
    label = f"`examples/{name}.py`" if name in FAULTS else f"`{name}` (`tests/migrate/programs.py`)"
    passed = re.search(r"\d+ passed", said)
    if kind and passed:
        return f"| {label} | {kind}: {passed[0]} |"
    stop = re.search(r"of operation '.*' \((\w+)\)(, which[^:]*)?", said)
    return f"| {label} | no: {f'`{stop[1]}`' + (stop[2] or '') if stop else said} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument(
        "--only", default=",".join(PARTS), help="parts to measure; none with --only="
    )
    parser.add_argument("names", nargs="*", help="of examples, and programs.NAME")
    options = parser.parse_intermixed_args()
    everything = [*FAULTS, *(f"programs.{name}" for name in write_sources.PROGRAMS)]
    for name in options.names or everything:
        for part in filter(None, options.only.split(",")):
            folder = options.folder.resolve() / name / part
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            found = _MEASURES[part](name, folder)
            folder.with_suffix(".json").write_text(json.dumps(found))
            print(f"{name:26} {json.dumps(found)}", file=sys.stderr, flush=True)
    rows: dict[str, dict[str, Any]] = {name: {} for name in everything}
    for name in rows:
        for part in sorted((options.folder / name).glob("*.json")):
            rows[name] |= json.loads(part.read_text())
    print("| program | walk: fetched, variables | exported | source's test | faults named |")
    print("|---|---|---|---|---|")
    for name, found in rows.items():
        if found:
            print(_row(name, found))
    print("\n| program | source, and its tests |")
    print("|---|---|")
    for name, found in rows.items():
        if "source" in found:
            print(_written(name, *found["source"]))


if __name__ == "__main__":
    main()
