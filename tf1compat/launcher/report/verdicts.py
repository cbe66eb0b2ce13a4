"""What becomes of the names that a program uses."""

from __future__ import annotations

import enum
import importlib.util
import types
from collections.abc import Iterable
from typing import Any, NamedTuple

from tf1compat import namespace
from tf1compat.launcher import hints, import_hook, legacy_names
from tf1compat.launcher.report.scan import Program, Use
from tf1compat.launcher.stand_in import StandIn
from tf1compat.runtime import option_table

_ROOTS = frozenset(("tensorflow", "tensorflow_core", "tensorflow_estimator"))


class Kind(enum.Enum):
    """What may become of a name; the values are titles."""

    SUPPORTED = "supported"
    MISSING = "not supported yet"
    UNKNOWN = "not in TensorFlow 1.15"
    DIFFERS = "differs"
    RESTORED = "given back by the launcher"
    ABSENT = "not installed here"


class Verdict(NamedTuple):
    """What becomes of one name.

    Attributes:
      kind: see `Kind`.
      name: as users write it, e.g. "tf.nn.relu".
      note: what else there is to say, or "".
      places: (file, line) of the uses.
    """

    kind: Kind
    name: str
    note: str
    places: list[tuple[str, int]]


# What works otherwise than in TF 1.15, and is known by its name: (name, what is to be known).
_DIFFERENCES = {
    "tf.contrib.lite": "a converter needs TensorFlow 2's own",
    "tf.lite": "a converter needs TensorFlow 2's own",
    "tf.device": "the device has to be there, or allow_soft_placement: as in TF 1.15; what runs "
    "where is JAX's decision",
    "tf.contrib.tensorrt": "there is no TensorRT here: XLA compiles",
}
# Messages whose arguments are looked up in the table of options.
_OPTIONS = {
    "tf.ConfigProto": "ConfigProto",
    "tf.GPUOptions": "GPUOptions",
    "tf.GraphOptions": "GraphOptions",
    "tf.OptimizerOptions": "OptimizerOptions",
    "tf.RunOptions": "RunOptions",
}


def judge(program: Program) -> list[Verdict]:
    """What becomes of each name that a program uses, by kind and name."""
    table: dict[tuple[Kind, str, str], list[tuple[str, int]]] = {}

    def add(kind: Kind, name: str, note: str, use: Use) -> None:
        places = table.setdefault((kind, name, note), [])
        if (use.file, use.line) not in places:
            places.append((use.file, use.line))

    for use in program.uses:
        root = use.name.partition(".")[0]
        if root in _ROOTS:
            kind, name, note = _of_tensorflow(use.name)
            add(kind, name, note, use)
            if kind is Kind.SUPPORTED:
                for other, what in _differences(name, use.keywords):
                    add(Kind.DIFFERS, other, what, use)
        elif root not in program.own_modules:
            given = _given_back(use.name)
            if given:
                add(Kind.RESTORED, given, "", use)
            elif not _is_installed(root):
                add(Kind.ABSENT, root, "", use)
    order = list(Kind)
    verdicts = [Verdict(*key, places) for key, places in table.items()]
    return sorted(verdicts, key=lambda verdict: (order.index(verdict.kind), verdict.name))


def _of_tensorflow(written: str) -> tuple[Kind, str, str]:
    """(kind, name, note) of what is written `tensorflow.a.b.c`.

    What comes after something that is no module belongs to an object: nothing is said of it.
    """
    value: Any = namespace.tensorflow()
    parts = written.split(".")
    name = "tensorflow"
    for part in parts[1:]:
        if not isinstance(value, types.ModuleType):
            break
        full = f"{name}.{part}"
        try:
            value = _member(value, full, part)
        except (namespace.UnsupportedNameError, ModuleNotFoundError):
            return Kind.MISSING, _public(full), ""
        except AttributeError:
            short = name.removeprefix("tensorflow").lstrip(".")
            near = hints.near_names(short.removeprefix("compat.v1").lstrip("."), part)
            return Kind.UNKNOWN, _public(full), f"near: {', '.join(near)}" if near else ""
        if isinstance(value, StandIn):
            return Kind.MISSING, _public(full), ""
        name = full
    return Kind.SUPPORTED, _public(name), ""


def _member(module: types.ModuleType, full: str, name: str) -> Any:
    try:
        return getattr(module, name)
    except namespace.UnsupportedNameError:
        raise
    except AttributeError:
        found = import_hook.find_module(full)  # As `import a.b` finds it.
        if found is None:
            raise
        return found


def _public(name: str) -> str:
    if name.startswith(("tensorflow.python", "tensorflow.core", "tensorflow.tools")):
        return name
    return "tf" + name.removeprefix("tensorflow").replace(".compat.v1.", ".")


def _differences(name: str, keywords: Iterable[str]) -> Iterable[tuple[str, str]]:
    for known, what in _DIFFERENCES.items():
        if name == known or name.startswith(known + "."):
            yield name, what
    section = option_table.SECTIONS.get(_OPTIONS.get(name, ""), {})
    for keyword in keywords:
        kind, why = section.get(keyword, ("", ""))
        if kind in (option_table.WARNS, option_table.RAISES):
            effect = "has no effect" if kind == option_table.WARNS else "is refused"
            yield f"{name}({keyword}=…)", f"{effect}: {why}"


def _given_back(name: str) -> str | None:
    """The name, or what it begins with, that today's libraries no longer have."""
    parts = name.split(".")
    for length in range(1, len(parts)):
        module, rest = ".".join(parts[:length]), ".".join(parts[length:])
        for gone in legacy_names.TABLE.get(module, {}):
            if rest == gone or rest.startswith(gone + "."):
                return f"{module}.{gone}"
    for length in range(len(parts), 0, -1):
        module = ".".join(parts[:length])
        if module in legacy_names.MODULES:
            return module
    return None


def _is_installed(root: str) -> bool:
    try:
        return importlib.util.find_spec(root) is not None
    except (ImportError, ValueError):  # A module without a spec is one that is there.
        return True
