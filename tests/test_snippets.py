"""What short scripts print, run by the launcher, against what TensorFlow 1.15 printed."""

from __future__ import annotations

import difflib
import subprocess
import sys
from pathlib import Path

import pytest
import recording

PATHS = [Path(path) for path in recording.snippet_paths()]
GOLDENS = recording.read_json(str(Path(recording.DATA) / "snippets.json"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Runs every snippet; returns the folder of what they printed."""
    folder = tmp_path_factory.mktemp("snippets")
    worker = Path(recording.HERE) / "run_snippets.py"
    subprocess.run(
        [sys.executable, "-W", "ignore", worker, folder, *PATHS],
        check=True,
        timeout=1800,
        cwd=Path(recording.HERE).parents[1],
        env=_environment(),
    )
    return folder


def _environment() -> dict[str, str]:
    import os

    root = str(Path(recording.HERE).parents[1])
    path = os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH")]))
    return os.environ | {"PYTHONPATH": path, "PYTHONIOENCODING": "utf-8"}


@pytest.mark.parametrize("name", [path.stem for path in PATHS])
def test_prints_the_same(folder, name):
    printed = (folder / f"{name}.out").read_text(encoding="utf-8")
    actual = recording.normalise_text(printed).split("\n")
    expected = GOLDENS[name]
    if actual != expected:
        lines = difflib.unified_diff(expected, actual, "TensorFlow", "here", lineterm="", n=1)
        errors = (folder / f"{name}.err").read_text(encoding="utf-8", errors="replace")
        pytest.fail("\n".join([*lines, "", errors[-2000:]]), pytrace=False)


@pytest.mark.parametrize("name", ["flows_of_before", "unread_operations"])
def test_prints_the_same_in_xla(name):
    """What XLA's programs do in another way than the host's."""
    path = next(path for path in PATHS if path.stem == name)
    command = [sys.executable, "-W", "ignore", "-m", "tf1compat", str(path)]
    environment = {**_environment(), "TF1COMPAT_TIER": "xla"}
    run = subprocess.run(command, check=True, capture_output=True, env=environment, timeout=300)
    assert recording.normalise_text(run.stdout.decode()).split("\n") == GOLDENS[name]


def test_every_snippet_is_recorded():
    assert set(GOLDENS) == {path.stem for path in PATHS}
