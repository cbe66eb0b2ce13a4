"""Which of TF 1.15's public names and op types tf1compat has: `python -m tf1compat coverage`."""

from __future__ import annotations

import collections
import textwrap

from tf1compat import namespace
from tf1compat.core import api_names, export, op_defs, op_registry


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


def main(arguments: list[str]) -> int:
    """Prints the tables: `[--summary] [NAME…]`, where a name is a module or "ops"."""
    summary = "--summary" in arguments
    wanted = [argument for argument in arguments if argument != "--summary"]
    rows = {**names(), "ops": op_types()}
    unknown = [name for name in wanted if name not in rows]
    if unknown:
        print(f"TF 1.15 has no module {', '.join(unknown)}")
        return 2
    for name in wanted or rows:
        _print_row(name, *rows[name], summary)
    if not wanted:
        modules = {name: row for name, row in rows.items() if name != "ops"}
        for title, contrib in (("tf without contrib", False), ("tf.contrib", True)):
            chosen = [
                row for name, row in modules.items() if name.startswith("tf.contrib") == contrib
            ]
            count = sum(len(row[0]) for row in chosen)
            print(f"{title}: {count} of {count + sum(len(row[1]) for row in chosen)} names")
    return 0


def _print_row(name: str, present: list[str], missing: list[str], summary: bool) -> None:
    print(f"{name}: {len(present)} of {len(present) + len(missing)}")
    if missing and not summary:
        text = "missing: " + " ".join(sorted(missing))
        print(textwrap.fill(text, 100, initial_indent="    ", subsequent_indent="        "))
