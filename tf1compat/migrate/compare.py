"""Where two runs of a program part: the first node, step and tensor, by how much, and why."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator

from tf1compat.migrate.recording import Node, Recording, Run, Value

# Keras asks for these in the order of a set, which is another one in each run.
_UNORDERED = "VarIsInitializedOp"
_STOPS = ("StopGradient", "PreventGradient")
# Large terms may cancel out in these.
_SUMS = ("Add", "AddV2", "AddN", "BiasAdd", "BiasAddGrad", "Mean", "Sub", "Sum")
# Below this a difference of float32 results may be rounding alone.
_ROUNDING = 1e-5


@dataclasses.dataclass(frozen=True)
class NodeDifference:
    """A node that one of the graphs has otherwise.

    Attributes:
      ran: whether a run of either program needed it.
      follows: whether it differs for the number of nodes before it alone, which is its seed.
    """

    graph: int
    node: str
    line: str
    what: str
    ran: bool
    follows: bool = False

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
      cause: the node that is the likely reason, if it is one.
      reason: the likely reason of `value`, or of what will differ.
      runs: how many runs both programs did.
    """

    nodes: list[NodeDifference]
    value: ValueDifference | None
    largest: tuple[float, str]
    cause: NodeDifference | None
    reason: str
    runs: int

    @property
    def same(self) -> bool:
        """Whether nothing differs that was run."""
        return self.value is None and not any(node.ran for node in self.nodes)

    @property
    def node(self) -> str:
        """The name of the node that is the likely cause; "" if nothing differs."""
        if self.cause is not None:
            return self.cause.node
        return self.value.tensor.split(":")[0] if self.value is not None else ""


def compare(wanted: Recording, found: Recording, rtol: float = 1e-4) -> Comparison:
    """Compares two recordings.

    Args:
      rtol: how much a value may differ, relative to the largest element of its tensor.
    """
    nodes = list(_nodes(wanted, found))
    value, largest = _values(wanted, found, rtol)
    both = min(len(wanted.runs), len(found.runs))
    cause = _cause(wanted, found, nodes, value)
    reason = _reason(wanted, found, cause, value)
    nodes.sort(key=lambda node: not node.ran)
    return Comparison(nodes, value, largest, cause, reason, both)


def _nodes(wanted: Recording, found: Recording) -> Iterator[NodeDifference]:
    """The nodes that differ, in the order of creation in both programs."""
    for graph, (a, b) in enumerate(zip(wanted.graphs, found.graphs)):
        ran = _run_nodes(wanted, graph) | _run_nodes(found, graph)
        first, second = ({name: i for i, name in enumerate(nodes)} for nodes in (a, b))
        for name in _merged(a, b):
            if name not in first or name not in second:
                which = "second" if name in first else "first"
                line = (a.get(name) or b[name]).line
                what = f"missing in the {which} program"
                yield NodeDifference(graph, name, line, what, name in ran)
                continue
            nodes, places = (a[name], b[name]), (first[name], second[name])
            for what in _differences(*nodes):
                follows = what.startswith("attr seed2") and _counts_nodes(nodes, places)
                yield NodeDifference(graph, name, nodes[0].line, what, name in ran, follows)


def _merged(a: Iterable[str], b: Iterable[str]) -> Iterator[str]:
    """All names: those of `a`, each after what comes before it in `b` alone."""
    known, waiting, rest = set(a), [], iter(b)
    extra: dict[str, list[str]] = {}
    for name in rest:
        if name in known:
            extra[name], waiting = waiting, []
        else:
            waiting.append(name)
    for name in a:
        yield from extra.get(name, ())
        yield name
    yield from waiting


def _counts_nodes(nodes: tuple[Node, Node], places: tuple[int, int]) -> bool:
    """Whether both have the seed of an operation without one: how many there were before it."""
    seeds = [node.attrs.get("seed2", "") for node in nodes]
    if not all(seed.lstrip("-").isdigit() for seed in seeds):
        return False
    shifts = [int(seed) - place for seed, place in zip(seeds, places)]
    return shifts[0] == shifts[1]


def _run_nodes(recording: Recording, graph: int) -> set[str]:
    names = {name for run in recording.runs if run.graph == graph for name, _ in run.fetches}
    return recording.ancestors(graph, names)


def _differences(a: Node, b: Node) -> Iterator[str]:
    if a.type != b.type:
        yield f"op type {a.type}, then {b.type}"
        return
    if a.type == _UNORDERED:
        return
    for name in sorted({*a.attrs, *b.attrs}):
        before, after = a.attrs.get(name), b.attrs.get(name)
        if before != after:
            yield f"attr {name} {_shown(before)}, then {_shown(after)}"
    # Shapes come last: they follow from all else.
    for field in ("inputs", "controls", "shapes"):
        before, after = getattr(a, field), getattr(b, field)
        if before != after:
            yield f"{field} {', '.join(before) or 'none'}, then {', '.join(after) or 'none'}"


def _shown(attr: str | None) -> str:
    if not attr:
        return "absent" if attr is None else "empty"
    return attr if attr.isprintable() else repr(attr)


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
        for name, error, what in _tensors(wanted, a, b, rtol):
            if error > rtol:
                return ValueDifference(i, step, name, error, what), largest
            largest = max(largest, (error, name))
    if len(wanted.runs) != len(found.runs):
        i = min(len(wanted.runs), len(found.runs))
        what = f"the first program runs {len(wanted.runs)} times, the second {len(found.runs)}"
        return ValueDifference(i, 0, "", float("inf"), what), largest
    return None, largest


def _tensors(recording: Recording, a: Run, b: Run, rtol: float) -> Iterator[tuple[str, float, str]]:
    """(name, error, in words) of what a run was given, and computed, in the order of creation."""
    for name in sorted({*a.feeds, *b.feeds}):
        before, after = a.feeds.get(name), b.feeds.get(name)
        if before != after:
            yield name, float("inf"), f"fed {_fed(before)}, then {_fed(after)}"
    nodes = recording.graphs[a.graph]
    place = {name: i for i, name in enumerate(nodes)}
    computed = [(name, a.tensors[name], b.tensors.get(name)) for name in a.tensors]
    computed.sort(key=lambda item: place.get(item[0].split(":")[0], 0))
    rounding = _Rounding(nodes, a.tensors, rtol)
    for name, value, other in computed:
        if other is not None and not _is_incidental(nodes, name):
            error = rounding.error(name, value, other)
            yield name, error, f"{_elements(value)}, then {_elements(other)}"
    for (name, value), (_, other) in zip(a.fetches, b.fetches):
        if value is not None and other is not None and not _is_incidental(nodes, name):
            yield name, value.error(other), f"{_elements(value)}, then {_elements(other)}"


class _Rounding:
    """Errors of what is computed on the way, less where terms that are far larger cancel out.

    What is left of them is rounding alone, and so is what follows from that by other operations
    than sums. Fetches are not excused.
    """

    def __init__(self, nodes: dict[str, Node], tensors: dict[str, Value], rtol: float) -> None:
        self._nodes = nodes
        self._tensors = tensors
        self._rtol = rtol
        self._cancelled: set[str] = set()

    def error(self, name: str, value: Value, other: Value) -> float:
        """The error of a tensor; they are asked for in the order of creation."""
        error = value.error(other)
        node = self._nodes.get(name.split(":")[0])
        if node is None or not self._rtol < error < float("inf"):
            return error
        if node.type not in _SUMS:
            if self._cancelled.isdisjoint(node.inputs):
                return error
            error = 0.0
        else:
            terms = [self._tensors[each].scale() for each in node.inputs if each in self._tensors]
            scale = value.scale()
            largest = max(terms, default=0.0)
            if largest > scale:  # The error of a tensor of zeros is absolute.
                error *= (scale or 1.0) / largest
        if error <= self._rtol:
            self._cancelled.add(name)
        return error


def _is_incidental(nodes: dict[str, Node], name: str) -> bool:
    """Whether a value says nothing: a summary is text with rounded numbers in it, and the last two
    results of a batch norm's gradient hold nothing."""
    base, _, index = name.partition(":")
    node = nodes.get(base)
    if node is None:
        return False
    hollow = node.type.startswith("FusedBatchNormGrad") and index in ("3", "4")
    return hollow or node.type.endswith("Summary") or node.type == _UNORDERED


def _fed(form: list | None) -> str:
    return "nothing" if form is None else f"{form[0]} {form[1]} with checksum {form[2]}"


def _elements(value: Value) -> str:
    shown = ", ".join(f"{v:.6g}" if isinstance(v, float) else str(v) for v in value.elements[:4])
    more = ", ..." if len(value.elements) > 4 else ""
    return f"{value.dtype} {list(value.shape)} [{shown}{more}]"


def _cause(
    wanted: Recording,
    found: Recording,
    nodes: list[NodeDifference],
    value: ValueDifference | None,
) -> NodeDifference | None:
    """The node that everything else follows from: the first one that differs of those that were
    run until a value did."""
    ran = [node for node in nodes if node.ran]
    if not ran or (value is not None and value.what.startswith("fed")):
        return None
    before = _upstream(wanted, found, ran, None if value is None else value.run + 1)
    if any(node.what.startswith("shapes") for node in before):
        # That may follow from what is run later: a variable's from what its layer is given.
        before = _upstream(wanted, found, ran, None)
    first = next(iter(before), ran[0])
    if first.follows:
        # Nodes are more or fewer before it, though they may be none that are run.
        return next((node for node in nodes if not node.follows), first)
    return first


def _upstream(
    wanted: Recording, found: Recording, nodes: list[NodeDifference], until: int | None
) -> list[NodeDifference]:
    """Those of the nodes that what is fetched in the first runs of either program needs."""
    needed: set[tuple[int, str]] = set()
    for recording in (wanted, found):
        for graph in range(len(recording.graphs)):
            runs = (run for run in recording.runs[:until] if run.graph == graph)
            names = {name for run in runs for name, _ in run.fetches}
            needed.update((graph, name) for name in recording.ancestors(graph, names))
    return [node for node in nodes if (node.graph, node.node) in needed]


def _reason(
    wanted: Recording,
    found: Recording,
    cause: NodeDifference | None,
    value: ValueDifference | None,
) -> str:
    if cause is not None:
        return f"{_kind(wanted, found, cause)}: {cause}"
    if value is None:
        return ""
    if value.what.startswith("fed"):
        return f"input: {value.tensor} is fed other data"
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
        graphs = (recording.graphs[difference.graph] for recording in (wanted, found))
        node = next(graph[difference.node] for graph in graphs if difference.node in graph)
        return "stopped gradient" if node.type in _STOPS else "missing name"
    if what.startswith(("attr seed", "attr random_seed")):
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
