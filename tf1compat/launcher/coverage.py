"""Which of TF 1.15's public names and op types tf1compat has: `python -m tf1compat coverage`."""

from __future__ import annotations

import collections
import textwrap

from tf1compat import namespace
from tf1compat.core import api_names, export, op_defs, op_registry
from tf1compat.launcher import without_kernel


def names() -> dict[str, tuple[list[str], list[str]]]:
    """Module ("tf", "tf.nn", "tf.contrib.layers", …) -> (names that there are, names missing)."""
    namespace.tensorflow()
    export.load_all_lazy()
    present = export.exported()
    table: dict[str, tuple[list[str], list[str]]] = collections.defaultdict(lambda: ([], []))
    for name, kind in api_names.public().items():
        if kind != "module" and not name.startswith("compat.v"):
            prefix, _, last = name.rpartition(".")
            table[f"tf.{prefix}" if prefix else "tf"][name not in present].append(last)
    return dict(sorted(table.items()))


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
    if left:
        _print_list("missing: ", list(left))


def _print_list(title: str, names: list[str]) -> None:
    text = title + " ".join(sorted(names))
    print(textwrap.fill(text, 100, initial_indent="    ", subsequent_indent="        "))
