"""Where two runs of a program part: the first node, step and tensor, by how much, and why."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from tf1compat.migrate.recording import Node, Recording, Run, Value

# Keras asks for these in the order of a set, which is another one in each run.
_UNORDERED = "VarIsInitializedOp"
# Below this a difference of float32 results may be rounding alone.
_ROUNDING = 1e-5


@dataclasses.dataclass(frozen=True)
class NodeDifference:
    """A node that one of the graphs has otherwise.

    Attributes:
      ran: whether a run of either program needed it.
    """

    graph: int
    node: str
    line: str
    what: str
    ran: bool

    def __str__(self) -> str:
        place = f" ({self.line})" if self.line else ""
        return f"{self.node}{place}: {self.what}{'' if self.ran else ' [never run]'}"


@dataclasses.dataclass(frozen=True)
class ValueDifference:
    """The first value that differs.

    Attributes:
      run: the number of the `Session.run`.
      step: how often the same had been fetched before.
      tensor: its name; "" where what is run differs.
      error: the largest difference, relative to the largest element.
      what: the values, in words.
    """

    run: int
    step: int
    tensor: str
    error: float
    what: str


@dataclasses.dataclass(frozen=True)
class Comparison:
    """What was found.

    Attributes:
      nodes: the nodes that differ, in the order of creation, those that were run first.
      value: the first value that differs by more than the tolerance.
      largest: the largest error of a value that does not, and that tensor.
      reason: the likely reason of `value`, or of what will differ.
      runs: how many runs both programs did.
    """

    nodes: list[NodeDifference]
    value: ValueDifference | None
    largest: tuple[float, str]
    reason: str
    runs: int

    @property
    def same(self) -> bool:
        """Whether nothing differs that was run."""
        return self.value is None and not any(node.ran for node in self.nodes)

    @property
    def node(self) -> str:
        """The name of the first node that differs; "" if none does."""
        if self.nodes and self.nodes[0].ran:
            return self.nodes[0].node
        return self.value.tensor.split(":")[0] if self.value is not None else ""


def compare(wanted: Recording, found: Recording, rtol: float = 1e-4) -> Comparison:
    """Compares two recordings.

    Args:
      rtol: how much a value may differ, relative to the largest element of its tensor.
    """
    nodes = sorted(_nodes(wanted, found), key=lambda node: not node.ran)
    value, largest = _values(wanted, found, rtol)
    both = min(len(wanted.runs), len(found.runs))
    reason = _reason(wanted, found, nodes, value)
    return Comparison(nodes, value, largest, reason, both)


def _nodes(wanted: Recording, found: Recording) -> Iterator[NodeDifference]:
    for graph, (a, b) in enumerate(zip(wanted.graphs, found.graphs)):
        ran = _run_nodes(wanted, graph) | _run_nodes(found, graph)
        for name, node in a.items():
            other = b.get(name)
            if other is None:
                what = "missing in the second program"
                yield NodeDifference(graph, name, node.line, what, name in ran)
            else:
                for what in _differences(node, other):
                    yield NodeDifference(graph, name, node.line, what, name in ran)
        for name, node in b.items():
            if name not in a:
                what = "missing in the first program"
                yield NodeDifference(graph, name, node.line, what, name in ran)


def _run_nodes(recording: Recording, graph: int) -> set[str]:
    names = {name for run in recording.runs if run.graph == graph for name, _ in run.fetches}
    return recording.ancestors(graph, names)


def _differences(a: Node, b: Node) -> Iterator[str]:
    if a.type != b.type:
        yield f"op type {a.type}, then {b.type}"
        return
    if a.type == _UNORDERED:
        return
    for field in ("inputs", "controls", "shapes"):
        before, after = getattr(a, field), getattr(b, field)
        if before != after:
            yield f"{field} {', '.join(before) or 'none'}, then {', '.join(after) or 'none'}"
    for name in sorted({*a.attrs, *b.attrs}):
        before, after = a.attrs.get(name), b.attrs.get(name)
        if before != after:
            yield f"attr {name} {_shown(before)}, then {_shown(after)}"


def _shown(attr: str | None) -> str:
    return "absent" if attr is None else attr or "empty"


def _values(
    wanted: Recording, found: Recording, rtol: float
) -> tuple[ValueDifference | None, tuple[float, str]]:
    largest = (0.0, "")
    counts: dict[tuple[str, ...], int] = {}
    for i, (a, b) in enumerate(zip(wanted.runs, found.runs)):
        names, others = ([name for name, _ in run.fetches] for run in (a, b))
        kind = tuple(names)
        step = counts.get(kind, 0)
        counts[kind] = step + 1
        if names != others or a.graph != b.graph:
            what = f"the first program fetches {', '.join(names)}, the second {', '.join(others)}"
            return ValueDifference(i, step, "", float("inf"), what), largest
        for name, error, what in _tensors(wanted, a, b):
            if error > rtol:
                return ValueDifference(i, step, name, error, what), largest
            largest = max(largest, (error, name))
    if len(wanted.runs) != len(found.runs):
        i = min(len(wanted.runs), len(found.runs))
        what = f"the first program runs {len(wanted.runs)} times, the second {len(found.runs)}"
        return ValueDifference(i, 0, "", float("inf"), what), largest
    return None, largest


def _tensors(recording: Recording, a: Run, b: Run) -> Iterator[tuple[str, float, str]]:
    """(name, error, in words) of what a run was given, and computed, in the order of creation."""
    for name in sorted({*a.feeds, *b.feeds}):
        before, after = a.feeds.get(name), b.feeds.get(name)
        if before != after:
            yield name, float("inf"), f"fed {_fed(before)}, then {_fed(after)}"
    nodes = recording.graphs[a.graph]
    place = {name: i for i, name in enumerate(nodes)}
    computed = [(name, a.tensors[name], b.tensors.get(name)) for name in a.tensors]
    computed.sort(key=lambda item: place.get(item[0].split(":")[0], 0))
    fetched = zip(a.fetches, b.fetches)
    for name, value, other in [*computed, *((n, v, w) for (n, v), (_, w) in fetched)]:
        if value is not None and other is not None and not _is_incidental(nodes, name):
            yield name, value.error(other), f"{_elements(value)}, then {_elements(other)}"


def _is_incidental(nodes: dict[str, Node], name: str) -> bool:
    """Whether a fetch's bytes say nothing: a summary is text with rounded numbers in it."""
    node = nodes.get(name.split(":")[0])
    return node is not None and (node.type.endswith("Summary") or node.type == _UNORDERED)


def _fed(form: list | None) -> str:
    return "nothing" if form is None else f"{form[0]} {form[1]} with checksum {form[2]}"


def _elements(value: Value) -> str:
    shown = ", ".join(f"{v:.6g}" if isinstance(v, float) else str(v) for v in value.elements[:4])
    more = ", ..." if len(value.elements) > 4 else ""
    return f"{value.dtype} {list(value.shape)} [{shown}{more}]"


def _reason(
    wanted: Recording,
    found: Recording,
    nodes: list[NodeDifference],
    value: ValueDifference | None,
) -> str:
    ran = [node for node in nodes if node.ran]
    if value is None and not ran:
        return ""
    if value is not None and value.what.startswith("fed"):
        return f"input: {value.tensor} is fed other data"
    if ran:
        # What was run until there; its first nodes decide.
        until = len(wanted.runs) if value is None else value.run + 1
        upstream = set()
        for run in wanted.runs[:until]:
            upstream |= wanted.ancestors(run.graph, [name for name, _ in run.fetches])
        first = next((node for node in ran if node.node in upstream), ran[0])
        return f"{_kind(wanted, found, first)}: {first}"
    assert value is not None
    if not value.tensor:
        return "course: the programs do not run the same"
    node = wanted.graphs[wanted.runs[value.run].graph].get(value.tensor.split(":")[0])
    if node is not None and "seed2" in node.attrs:
        return f"seed: {node.name} draws other numbers" + (
            ", as it has no seed" if {node.attrs.get("seed"), node.attrs["seed2"]} == {"0"} else ""
        )
    if value.error == float("inf"):
        return f"shape: {value.tensor} has another shape, or is not finite"
    errors = _errors_before(wanted, found, value)
    if errors and max(errors[:3]) < _ROUNDING and errors[-1] > 0.02 * value.error:
        start = f"rounding growth: the error of {value.tensor} grows from {errors[0]:.1e}"
        return f"{start} over {len(errors)} steps"
    return f"kernel: the same node computes something else: {value.tensor}" + (
        f" ({node.type}, {node.line})" if node is not None else ""
    )


def _kind(wanted: Recording, found: Recording, difference: NodeDifference) -> str:
    what = difference.what
    if what.startswith("missing"):
        return "missing name"
    if "attr seed" in what:
        return "seed"
    if "_gradient_op_type" in what:
        return "gradient override"
    if what.startswith("shapes"):
        return "shape"
    if what.startswith("attr value"):
        return "constant"
    return "graph"


def _errors_before(wanted: Recording, found: Recording, value: ValueDifference) -> list[float]:
    errors = []
    for a, b in zip(wanted.runs[: value.run], found.runs[: value.run]):
        before, after = dict(a.fetches).get(value.tensor), dict(b.fetches).get(value.tensor)
        if before is not None and after is not None:
            errors.append(before.error(after))
    return errors
