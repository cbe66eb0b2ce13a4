"""Recordings (`recorder.py`), read."""

from __future__ import annotations

import base64
import json
import os
import re
import zlib
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from tf1compat.migrate import recorder

_FUNCTION = re.compile(r"[^\s,\[\]/]+\(\)")
_ADDED = re.compile("_([0-9A-Za-z_]{11}|[0-9]+)$")


class Node(NamedTuple):
    """A node of a recorded graph, or of a function `f` in it: `f()/name`; `f()` is its results."""

    name: str
    type: str
    inputs: list[str]
    controls: list[str]
    attrs: dict[str, str]
    shapes: list[str]
    line: str


class Value(NamedTuple):
    """What was kept of an array.

    Attributes:
      elements: all of them or, of a large one, some that are evenly spaced.
      size: the root of the mean square of a large array; else None.
    """

    dtype: str
    shape: tuple[int, ...]
    elements: list[Any]
    size: float | None

    @classmethod
    def of(cls, kept: Any) -> Value | None:
        """A value as it stands in the file; None if nothing is kept of it."""
        if kept is None or not kept or isinstance(kept[0], list):
            return None
        dtype, shape, elements, *rest = kept
        return cls(dtype, tuple(shape), elements, rest[1] if rest else None)

    def scale(self) -> float:
        """The largest finite element that is known, or the root of the mean square."""
        if self.dtype == "string":
            return 0.0
        known = np.abs(np.asarray(self.elements, np.float64))
        return float(max(np.max(known[np.isfinite(known)], initial=0.0), self.size or 0.0))

    def error(self, other: Value) -> float:
        """The largest difference, relative to the largest element here; infinite where the shapes,
        texts, or what is not finite differ."""
        if self.shape != other.shape:
            return float("inf")
        if "string" in (self.dtype, other.dtype):
            return 0.0 if self.elements == other.elements else float("inf")
        a, b = (np.asarray(value.elements, np.float64) for value in (self, other))
        if not a.size:
            return 0.0
        finite = np.isfinite(a)
        if not np.array_equal(finite, np.isfinite(b)) or not np.array_equal(
            a[~finite], b[~finite], equal_nan=True
        ):
            return float("inf")
        a, b = a[finite], b[finite]
        scale = self.scale()
        error = np.max(np.abs(a - b), initial=0.0)
        if self.size is not None and other.size is not None:
            error = max(error, abs(self.size - other.size))
        return float(error / scale) if scale else float(error)


class Run(NamedTuple):
    """A recorded `Session.run`.

    Attributes:
      feeds: name -> [dtype, shape, checksum].
      fetches: (name, value)s, as they were asked for; the value of an operation is None.
      tensors: name -> value of what was computed on the way, in the first runs of its kind.
    """

    graph: int
    feeds: dict[str, Any]
    fetches: list[tuple[str, Value | None]]
    tensors: dict[str, Value]


class Recording(NamedTuple):
    """What a program ran.

    Attributes:
      about: the header: versions, arguments.
      graphs: for each graph its nodes by name, in the order of creation.
      seeds: the graphs' seeds.
    """

    about: dict[str, Any]
    graphs: list[dict[str, Node]]
    seeds: list[Any]
    runs: list[Run]

    def ancestors(self, graph: int, names: Iterable[str]) -> set[str]:
        """The names of the nodes that tensors or operations are computed from, their own too."""
        nodes = self.graphs[graph]
        stack, found = [name.split(":")[0] for name in names], set()
        while stack:
            name = stack.pop()
            if name not in found and name in nodes:
                found.add(name)
                node = nodes[name]
                stack.extend(source.split(":")[0] for source in (*node.inputs, *node.controls))
                for attr in node.attrs.values():
                    if attr.endswith(("()", "()]")):
                        stack.extend(attr.strip("[]").split(", "))  # Functions, which it calls.
        return found

    def curves(self) -> dict[str, list[tuple[int, float]]]:
        """The fetched numbers by name, as (run, value)s."""
        found: dict[str, list[tuple[int, float]]] = {}
        for i, run in enumerate(self.runs):
            for name, value in run.fetches:
                if value is not None and value.shape == () and value.dtype != "string":
                    curve = found.setdefault(name, [])
                    if not curve or curve[-1][0] != i:  # Hooks fetch what is fetched already.
                        curve.append((i, float(value.elements[0])))
        return found


def read(path: str | os.PathLike[str]) -> Recording:
    """Reads a recording; one that a program could not finish is read as far as it goes.

    Raises:
      ValueError: it is none, or of another version.
    """
    with open(path, "rb") as file:
        data = file.read()
    try:
        lines = zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(data).split(b"\n")[:-1]
        about, *records = map(json.loads, lines)
        version = about["recorder"]
    except (zlib.error, ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{path} is no recording: {error}") from None
    if version != recorder.FORMAT:
        raise ValueError(f"{path} is a recording of version {version}, not {recorder.FORMAT}")
    graphs: list[dict[str, Node]] = []
    seeds: list[Any] = []
    runs: list[Run] = []
    kinds: list[dict[str, Any]] = []
    for record in records:
        if "runs" in record:
            parts = [
                _runs(kinds[number], record["runs"].count(part), *columns)
                for part, (number, *columns) in enumerate(record["parts"])
            ]
            runs.extend(next(parts[part]) for part in record["runs"])
            continue
        if "kind" in record:
            kinds.append(record)
            continue
        if record["graph"] == len(graphs):
            graphs.append({})
            seeds.append(None)
        seeds[record["graph"]] = record["seed"]
        nodes = (Node(**node) for node in record["nodes"])
        graphs[record["graph"]].update((node.name, node) for node in nodes)
    return Recording(about, [_with_plain_functions(nodes) for nodes in graphs], seeds, runs)


def _with_plain_functions(nodes: dict[str, Node]) -> dict[str, Node]:
    """The nodes, with functions named by what they are called and the order in which they were
    made; TensorFlow adds a checksum of all that is in them, or how many there were before."""
    plain: dict[str, str] = {}
    counts: dict[str, int] = {}
    for name in nodes:
        if name.endswith("()"):
            base = _ADDED.sub("", name[:-2])
            counts[base] = counts.get(base, 0) + 1
            plain[name] = f"{base}_{counts[base]}()" if counts[base] > 1 else f"{base}()"

    def renamed(text: str) -> str:
        return _FUNCTION.sub(lambda found: plain.get(found[0], found[0]), text) if text else text

    if not plain:
        return nodes
    found = {}
    for node in nodes.values():
        inputs, controls = ([renamed(each) for each in names] for names in node[2:4])
        attrs = {name: renamed(text) for name, text in node.attrs.items()}
        name = renamed(node.name)
        found[name] = node._replace(name=name, inputs=inputs, controls=controls, attrs=attrs)
    return found


def _runs(
    kind: dict[str, Any], count: int, fed: list[Any], fetched: list[Any], on_the_way: dict[str, Any]
) -> Iterator[Run]:
    """The runs of a part of a block, from its columns (`recorder._block`)."""
    forms = [_column(column, count, np.dtype("<u4")) for column in fed]
    values = [[Value.of(kept) for kept in _column(column, count)] for column in fetched]
    for i in range(count):
        tensors = {name: Value.of(kept) for name, kept in on_the_way.get(str(i), ())}
        yield Run(
            kind["graph"],
            {name: column[i] for name, column in zip(kind["feeds"], forms)},
            [(name, column[i]) for name, column in zip(kind["fetches"], values)],
            {name: value for name, value in tensors.items() if value is not None},
        )


def _column(column: Any, count: int, sums: np.dtype | None = None) -> list[Any]:
    """A form or summary for each run.

    Args:
      sums: the dtype of checksums; None where a column has elements.
    """
    if column is None:
        return [None] * count
    if isinstance(column, list):
        return column
    name, shape = column["dtype"], column["shape"]
    stored = sums or np.dtype(name).newbyteorder("<")
    numbers = np.frombuffer(base64.b64decode(column["data"]), stored).tolist()
    return [[name, shape, number if sums else [number]] for number in numbers]
