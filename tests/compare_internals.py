"""Compares what TF 1.15's internal modules define with what is found there under tf1compat.

    python tests/compare_internals.py [--list] [MODULE…]

prints totals, and with --list each difference, of all recorded modules or of those named (and
those below them).  `golden/record_internal_signatures.py` made the record.
"""

from __future__ import annotations

import collections
import importlib
import inspect
import json
import lzma
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent), str(HERE / "golden")]

from record_internal_signatures import signature  # noqa: E402

_RECORD = HERE / "golden" / "data" / "internal_signatures.json.xz"


class Difference(NamedTuple):
    """One thing that TF 1.15 has and that isn't there, or is otherwise.

    kind: "name", "class", "constant" or "member" (which are missing), "signature" or "module".
    """

    kind: str
    name: str
    theirs: str
    ours: str = ""


def record() -> dict[str, dict[str, Any]]:
    """{module: {name: signature, "value" or {member of a class: …}}} of TF 1.15."""
    return json.loads(lzma.decompress(_RECORD.read_bytes()))


def differences(modules: dict[str, dict[str, Any]]) -> Iterator[Difference]:
    for module_name, names in modules.items():
        try:
            module = importlib.import_module(module_name)
        except ImportError as error:
            yield Difference("module", module_name, str(len(names)), str(error))
            continue
        for name, theirs in names.items():
            yield from _compare(module, f"{module_name}.{name}", theirs)


def _compare(module: Any, name: str, theirs: Any) -> Iterator[Difference]:
    try:
        ours = getattr(module, name.rpartition(".")[2])
    except (AttributeError, NotImplementedError, ImportError, LookupError):
        kind = "class" if isinstance(theirs, dict) else "constant" if theirs == "value" else "name"
        yield Difference(kind, name, json.dumps(theirs))
        return
    if isinstance(theirs, dict):
        for member, what in theirs.items():
            if member and isinstance(ours, type):
                yield from _compare_member(ours, member, f"{name}.{member}", what)
    elif theirs != "value":
        yield from _compare_signatures(name, theirs, ours)


def _compare_member(cls: type, member: str, name: str, theirs: str) -> Iterator[Difference]:
    try:
        ours = inspect.getattr_static(cls, member)
    except AttributeError:
        # What an instance gets in its constructor can't be seen here.
        if not _is_set(cls, member):
            yield Difference("member", name, theirs)
        return
    if theirs.startswith("("):
        yield from _compare_signatures(name, theirs, getattr(ours, "__func__", ours))


def _is_set(cls: type, member: str) -> bool:
    """Whether the source of a class or its bases assigns `self.member`."""
    for base in cls.__mro__:
        try:  # By its code: `__module__` names TF's.
            source = inspect.getsource(base)
        except (OSError, TypeError):
            continue
        if re.search(rf"\bself\.{member}\b[^=\n]*=[^=]", source):
            return True
    return False


def _compare_signatures(name: str, theirs: str, value: Any) -> Iterator[Difference]:
    ours = signature(value) if callable(value) else "(?)"
    if ours != theirs and "(?)" not in (ours, theirs):
        yield Difference("signature", name, theirs, ours)


def main(arguments: list[str]) -> None:
    from tf1compat.launcher import import_hook

    import_hook.install()
    listing = "--list" in arguments
    wanted = [argument for argument in arguments if argument != "--list"]
    modules = {
        module: names
        for module, names in record().items()
        if not wanted or any(f"{module}.".startswith(f"{one}.") for one in wanted)
    }
    counts: dict[tuple[str, str], int] = collections.Counter()
    for found in differences(modules):
        area = found.name.split(".")[1]
        is_private = re.search(r"\._[a-zA-Z]", found.name.removeprefix("tensorflow.")) is not None
        counts[area, f"{'private' if is_private else 'public'} {found.kind}"] += 1
        if listing:
            print("\t".join(found))
    for (area, kind), count in sorted(counts.items()):
        print(f"tensorflow.{area}: {kind} missing or different: {count}")
    everything = [what for names in modules.values() for what in names.values()]
    members = sum(len(what) - 1 for what in everything if isinstance(what, dict))
    print(f"of {len(modules)} modules, {len(everything)} names, {members} members of classes")


if __name__ == "__main__":
    main(sys.argv[1:])
