"""Runs every Python block of the migration guide, and of the README, as it stands.

Each block is a program of its own: a fresh namespace and an empty default graph. Those that import
a library of the extra `guide` run where it is installed.
"""

import importlib.util
import json
import re
from pathlib import Path

import forked
import pytest

ROOT = Path(__file__).parents[1]
PAGES = sorted((ROOT / "migration_guide").glob("*.md"))
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.DOTALL | re.MULTILINE)

GUIDE = re.compile(r"^(?:import|from) (flax|grain|orbax)\b", re.MULTILINE)

pytestmark = pytest.mark.usefixtures("optimized_little")


DRIVER = """
import json
import sys

import tensorflow as tf

with open(sys.argv[1]) as f:
    blocks = json.load(f)
for name, code in blocks:
    tf.reset_default_graph()
    exec(compile(code, name, "exec"), {"__name__": "__main__"})
    print("ran", name)
"""


def blocks(page: Path) -> list[tuple[str, str]]:
    """(name with line, code) of every Python block, padded so that tracebacks show its lines."""
    text = page.read_text()
    found = []
    for match in BLOCK.finditer(text):
        line = text.count("\n", 0, match.start(1))
        found.append((f"{page.name}:{line + 1}", "\n" * line + match[1]))
    return found


def is_there(library: str) -> bool:
    return importlib.util.find_spec(library) is not None


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_blocks_run(page: Path, tmp_path: Path) -> None:
    found = blocks(page)
    assert found, f"{page.name} has no Python block"
    found = [(name, code) for name, code in found if all(map(is_there, GUIDE.findall(code)))]
    (tmp_path / "driver.py").write_text(DRIVER)
    (tmp_path / "blocks.json").write_text(json.dumps(found))
    done = forked.launch("driver.py", "blocks.json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr[-4000:]
    assert done.stdout.splitlines()[-len(found) :] == [f"ran {name}" for name, _ in found]


@pytest.mark.parametrize("page", [ROOT / "README.md", *PAGES], ids=lambda page: page.stem)
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text()
    anchors = {
        re.sub(r"[^\w\- ]", "", title).strip().lower().replace(" ", "-")
        for title in re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    }
    prose = re.sub(r"^```.*?^```$|`[^`\n]*`", "", text, flags=re.DOTALL | re.MULTILINE)
    for link in re.findall(r"\]\(([^)\s]+)\)", prose):
        target, _, anchor = link.partition("#")
        if "://" in link:
            continue
        assert not target or (page.parent / target).exists(), link
        assert target or anchor in anchors, link
