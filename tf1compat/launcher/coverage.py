"""Which of TF 1.15's public names and op types tf1compat has: `python -m tf1compat coverage`."""

from __future__ import annotations

import collections
import dis
import functools
import inspect
import textwrap
import types
from typing import Any

from tf1compat import namespace
from tf1compat.core import api_names, export, op_defs, op_registry
from tf1compat.launcher import import_hook, without_kernel

# What ends a code's run otherwise than by an exception.
_RETURNS = {"RETURN_VALUE", "RETURN_CONST", "RETURN_GENERATOR", "YIELD_VALUE"}
# What TF's modules of these packages have besides what is theirs.
_NOT_THEIRS = {"tf_export", "string_types", "file_system_library", "types", "DESCRIPTOR"}


def only_refuses(value: Any) -> bool:
    """Whether all that calling a function or class can do is say that it is not supported.

    A refusal is a code from which nothing returns, and whose text names tf1compat. What TF itself
    always refuses (`tf.logging.flush`) is none; neither is what refuses some arguments.
    """
    if isinstance(value, type):
        # `object.__init__` and the like have no code, and refuse nothing.
        return any(only_refuses(getattr(value, name)) for name in ("__new__", "__init__"))
    if not isinstance(value, types.FunctionType):
        return False
    code = getattr(inspect.unwrap(value), "__code__", None)
    if code is None or any(step.opname in _RETURNS for step in dis.get_instructions(code)):
        return False
    return any("supported by tf1compat" in text for text in _texts(code))


def _texts(code: types.CodeType) -> list[str]:
    """The texts in a code, but for its docstring."""
    used = [step.argval for step in dis.get_instructions(code) if step.opname == "LOAD_CONST"]
    return [text for text in used if isinstance(text, str)]


def names() -> dict[str, tuple[list[str], list[str]]]:
    """Module ("tf", "tf.nn", "tf.contrib.layers", …) -> (names that there are, names missing).

    A name is missing too if what it stands for only says that it is not supported.
    """
    namespace.tensorflow()
    export.load_all_lazy()
    present = export.exported()
    table: dict[str, tuple[list[str], list[str]]] = collections.defaultdict(lambda: ([], []))
    for name, kind in api_names.public().items():
        if kind != "module" and not name.startswith("compat.v"):
            prefix, _, last = name.rpartition(".")
            missing = name not in present or only_refuses(present[name])
            table[f"tf.{prefix}" if prefix else "tf"][missing].append(last)
    for module, own in _more_contrib().items():
        for name in own:
            table[f"tf.{module.removeprefix('tensorflow.')}"][not _has(module, name)].append(name)
    return dict(sorted(table.items()))


@functools.cache
def _more_contrib() -> dict[str, list[str]]:
    """The modules of those packages of contrib that have no public names: what is their own."""
    public = {
        name.split(".")[1]
        for name, kind in api_names.public().items()
        if name.startswith("contrib.") and kind != "module"
    }
    found = {}
    for module, table in api_names.modules().items():
        parts = module.split(".")
        # Packages gather what their modules have; the rest is generated, or a base of tests.
        if (
            len(parts) < 3
            or parts[1] != "contrib"
            or parts[2] in public
            or module in api_names.packages()
            or parts[-1].endswith(("_pb2", "_test_base"))
            or parts[-1].startswith(("gen_", "create_def_file"))
        ):
            continue
        own = {name for name in table.get("", "").split() if not name.startswith("_")}
        if own - _NOT_THEIRS:
            found[module] = sorted(own - _NOT_THEIRS)
    return found


def _has(module: str, name: str) -> bool:
    try:
        value = getattr(import_hook.find_module(module), name)
    except (ImportError, AttributeError):
        return False
    return not only_refuses(value)


def op_types() -> tuple[list[str], list[str]]:
    """The op types of TF 1.15 that have a kernel, and those that haven't."""
    namespace.tensorflow()
    export.load_all_lazy()
    registered = op_registry.registered()
    table: tuple[list[str], list[str]] = ([], [])
    for name in op_defs.names():
        table[name not in registered].append(name)
    return table


# What other projects stand for: their names are counted apart.
_APART = ("contrib", "data", "distribute", "estimator", "keras", "lite", "tpu")


def totals() -> list[str]:
    """What there is in all, a line each; the README quotes them."""
    counts = {"tf": [0, 0], "tf.contrib": [0, 0], "others": [0, 0]}
    for module, (present, missing) in names().items():
        part = module.split(".")[1] if "." in module else ""
        title = "tf.contrib" if part == "contrib" else "others" if part in _APART else "tf"
        counts[title][0] += len(present)
        counts[title][1] += len(present) + len(missing)
    present, missing = op_types()
    counts["ops"] = [len(present), len(present) + len(missing)]
    titles = {
        "tf": "public names of tf (the modules below are counted apart)",
        "tf.contrib": "public names of tf.contrib",
        "others": f"public names of {', '.join(f'tf.{name}' for name in _APART[1:])}",
        "ops": "op types",
    }
    return [
        f"{titles[key]}: {have} of {all_} ({100 * have / all_:.0f} %)"
        for key, (have, all_) in counts.items()
    ]


def main(arguments: list[str]) -> int:
    """Prints the tables: `[--summary] [NAME…]`, where a name is a module or "ops"."""
    summary = "--summary" in arguments
    wanted = [argument for argument in arguments if argument != "--summary"]
    rows = {**names(), "ops": op_types()}
    # A module that only contains others stands for them.
    found = {name: [row for row in rows if f"{row}.".startswith(f"{name}.")] for name in wanted}
    unknown = [name for name in wanted if not found[name]]
    if unknown:
        print(f"TF 1.15 has no module {', '.join(unknown)}")
        return 2
    chosen = [row for name in wanted for row in ([name] if name in rows else found[name])] or list(
        rows
    )
    for name in chosen:
        _print_row(name, *rows[name], summary)
    if not wanted:
        print("\nIn all:")
        for line in totals():
            print(f"    {line}")
    return 0


def _print_row(name: str, present: list[str], missing: list[str], summary: bool) -> None:
    print(f"{name}: {len(present)} of {len(present) + len(missing)}")
    if not missing or summary:
        return
    left = set(missing)
    for reason, names in (without_kernel.reasons(missing) if name == "ops" else {}).items():
        _print_list(f"not run ({reason}): ", names)
        left.difference_update(names)
    instead = collections.defaultdict(list)
    for one in () if name == "ops" else missing:
        instead[namespace.in_place_of(f"{name}.{one}")].append(one)
    for text, names in instead.items():
        if text is not None:
            _print_list("not here: ", names)
            _print_list("    instead: ", [text])
            left.difference_update(names)
    if left:
        _print_list("missing: ", list(left))


def _print_list(title: str, names: list[str]) -> None:
    text = title + " ".join(sorted(names))
    print(textwrap.fill(text, 100, initial_indent="    ", subsequent_indent="        "))
