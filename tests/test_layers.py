"""Checks the import arrows of ARCHITECTURE.md, read from the sources."""

import ast
import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

PACKAGE = Path(__file__).parents[1] / "tf1compat"

# A stage may import itself and these.
ARROWS = {
    "core": set(),
    "api": {"core", "formats"},
    "backend": set(),
    "kernels": {"backend", "api", "core", "formats"},
    "runtime": {"core"},
    "formats": {"core"},
    "migrate": {"runtime", "kernels", "api", "core", "formats"},
    "testing": {"migrate", "runtime", "kernels", "api", "core", "formats"},
}
# In the runtime a room may import itself and these; the files beside the rooms import them all.
ROOMS = {
    "plan": {"calls", "decisions"},
    "trace": {"calls", "decisions", "plan", "memory", "functions"},
    "compile": {"calls", "decisions", "plan", "trace", "memory", "allocator", "progress"},
}
# Runs under the real TensorFlow too, by itself: it imports nothing of the package.
STANDALONE = {"migrate/recorder.py"}
# Only what runs a program may know JAX; kernels take what they compute with from the backend.
JAX_STAGES = {"backend", "runtime", "migrate", "testing"}


def sources(stage: str) -> list[Path]:
    return sorted((PACKAGE / stage).rglob("*.py"))


def imported_modules(source: str, package: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    """(line, absolute module name) of every import, those inside functions included.

    `from a import b` gives both "a" and "a.b", since b may be a module. `import_module("a")` counts
    as an import of "a".

    Args:
      source: the text of a module.
      package: the package that it lies in, which relative imports start from.
    """
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) + 1 - node.level] if node.level else ()
            module = ".".join((*base, *([node.module] if node.module else [])))
            yield node.lineno, module
            for alias in node.names:
                yield node.lineno, f"{module}.{alias.name}"
        elif isinstance(node, ast.Call) and node.args:
            name = getattr(node.func, "attr", getattr(node.func, "id", None))
            target = node.args[0]
            if name in ("import_module", "__import__") and isinstance(target, ast.Constant):
                yield node.lineno, str(target.value)


def wrong_imports(stage: str, source: str, package: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    """The imports in this module that its stage may not make."""
    allowed = ARROWS[stage] | {stage}
    for line, module in imported_modules(source, package):
        root, *rest = module.split(".")
        if root == PACKAGE.name:
            wrong = rest and rest[0] not in allowed
        else:
            wrong = root == "tensorflow" or (root in ("jax", "jaxlib") and stage not in JAX_STAGES)
        if wrong:
            yield line, module


@pytest.mark.parametrize("stage", ARROWS)
def test_imports_follow_the_arrows(stage: str) -> None:
    wrong = []
    for path in sources(stage):
        if path.relative_to(PACKAGE).as_posix() in STANDALONE:
            continue
        relative = path.relative_to(PACKAGE.parent)
        for line, module in wrong_imports(stage, path.read_text(), relative.parent.parts):
            wrong.append(f"{relative}:{line} imports {module}")
    assert sources(stage), f"no sources in {stage}"
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("room", ROOMS)
def test_rooms_of_the_runtime_import_downwards(room: str) -> None:
    allowed = tuple(f"tf1compat.runtime.{name}" for name in (room, *ROOMS[room]))
    wrong = [
        f"{path.relative_to(PACKAGE)}:{line} imports {module}"
        for path in sources(f"runtime/{room}")
        for line, module in imported_modules(path.read_text(), ("tf1compat", "runtime", room))
        if module.startswith("tf1compat.runtime.") and not module.startswith(allowed)
    ]
    assert sources(f"runtime/{room}"), f"no sources in {room}"
    assert not wrong, "\n".join(wrong)


def test_every_stage_is_checked() -> None:
    stages = {p.name for p in PACKAGE.iterdir() if p.is_dir() and list(p.glob("*.py"))}
    assert stages - {"launcher"} == set(ARROWS)


def test_architecture_names_every_folder() -> None:
    text = (PACKAGE.parent / "ARCHITECTURE.md").read_text()
    text += (PACKAGE / "runtime/README.md").read_text()
    stages = [path for path in PACKAGE.iterdir() if list(path.glob("*.py"))]
    rooms = [room for stage in stages for room in stage.iterdir() if list(room.glob("*.py"))]
    names = {path.name for path in [*stages, *rooms]}
    assert len(names) > 60
    assert [name for name in sorted(names) if not re.search(rf"[`/ ]{name}[`/]", text)] == []


def folders_entered(call: Callable[[], Any]) -> tuple[Any, set[str]]:
    """What a call gives, and the folders of `api` and `kernels` whose functions it enters."""
    entered = set()

    def note(frame: Any, event: str, _: Any) -> None:
        path = Path(frame.f_code.co_filename)
        if event == "call" and path.is_relative_to(PACKAGE):
            stage, *rest = path.relative_to(PACKAGE).parts
            if stage in ("api", "kernels") and frame.f_code.co_name != "<module>":
                entered.add(f"{stage}/{rest[0]}")

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        return call(), entered
    finally:
        sys.setprofile(before)


def test_conv2d_is_one_folder_a_stage(tf: Any) -> None:
    images, kernel = tf.placeholder(tf.float32, [1, 8, 8, 3]), tf.placeholder(tf.float32)
    recorded, entered = folders_entered(lambda: tf.nn.conv2d(images, kernel, 1, "SAME"))
    # `util`: which of `filter` and `filters` is given.
    assert entered == {"api/nn", "api/util", "kernels/nn"}
    feeds = {images: np.ones([1, 8, 8, 3]), kernel: np.ones([3, 3, 3, 2])}
    with tf.Session() as session:
        session.run(recorded, feeds)  # Makes the program, of modules that load now.
        result, entered = folders_entered(lambda: session.run(recorded, feeds))
    assert result.shape == (1, 8, 8, 2)
    assert entered == {"kernels/nn"}


def test_runtime_names_no_op_type() -> None:
    op_types = set(json.loads((PACKAGE / "core/data/op_defs.json").read_text()))
    named = []
    for path in sources("runtime"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Constant) and node.value in op_types:
                named.append(f"{path.relative_to(PACKAGE.parent)}:{node.lineno} {node.value!r}")
    assert not named, "\n".join(named)


def parts_that_import_too_early(sources: dict[str, str]) -> Iterator[str]:
    """Modules that another one takes whole (`from part import *`) and that import that one before
    they have defined everything: it would lack their names if they are imported first.

    Args:
      sources: source by module name.
    """
    trees = {name: ast.parse(source) for name, source in sources.items()}
    for name, tree in trees.items():
        for node in tree.body:
            if not isinstance(node, ast.ImportFrom) or node.names[0].name != "*":
                continue
            body = trees[node.module].body if node.module in trees else []
            for i, early in enumerate(body):
                if not isinstance(early, ast.ImportFrom):
                    continue
                module = early.module or ""
                imported = {module} | {f"{module}.{alias.name}" for alias in early.names}
                follows = body[i + 1 :]
                if name in imported and not all(
                    isinstance(later, ast.ImportFrom) for later in follows
                ):
                    yield node.module or ""


def test_parts_import_what_takes_them_last() -> None:
    texts = {
        ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts): path.read_text()
        for path in (PACKAGE / "api").rglob("*.py")
    }
    parts = {part for text in texts.values() for part in re.findall(r"from (\S+) import \*", text)}
    assert len(parts) > 10
    # Of all modules, those that take others whole, and these.
    concerned = {name: t for name, t in texts.items() if name in parts or "import *" in t}
    assert not list(parts_that_import_too_early(concerned))
    whole = "from a.part import *\n"
    early, late = "from a import whole\nx = 1\n", "x = 1\nfrom a import whole\n"
    assert list(parts_that_import_too_early({"a.whole": whole, "a.part": early})) == ["a.part"]
    assert not list(parts_that_import_too_early({"a.whole": whole, "a.part": late}))


def test_wrong_imports_are_found() -> None:
    source = (
        "import jax.numpy as jnp\n"
        "def f():\n"
        "    from ..runtime import session\n"
        "    from . import shapes\n"
        "    from tf1compat import kernels\n"
        "    importlib.import_module('tf1compat.api.nn')\n"
        "import jaxtyping, tensorflow\n"
    )
    lines = [line for line, _ in wrong_imports("core", source, ("tf1compat", "core"))]
    assert sorted(set(lines)) == [1, 3, 5, 6, 7]
