"""The views of a profile: operations by names, by what they take, by types, by lines of code."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable
from typing import Any

from tf1compat.api.profiler import tfprof_text as text
from tf1compat.api.profiler.tfprof_stats import MEASURED, Node, Stats
from tf1compat.formats import tfprof_pb2

_TOTALS = (*MEASURED, "definition_count")
# The least that a line shows: option -> number; of these all that is below counts, too.
_LEAST_TOTALS = {
    "min_bytes": "requested_bytes", "min_peak_bytes": "peak_bytes",
    "min_residual_bytes": "residual_bytes", "min_output_bytes": "output_bytes",
    "min_micros": "exec_micros", "min_accelerator_micros": "accelerator_exec_micros",
    "min_cpu_micros": "cpu_exec_micros",
}  # fmt: skip
_LEAST = {"min_params": "parameters", "min_float_ops": "float_ops"}
_GRADIENT = " (gradient)"
Options = dict[str, Any]


class Line:
    """A line of a view.

    Attributes:
      nodes: the operations that it stands for; those that are counted, once it is known.
      is_counted: whether its own numbers are of what is asked for.
      own, total: numbers.
      children: the lines below it; `shown` are those that are left.
    """

    def __init__(self, name: str, types: Iterable[str] = (), nodes: Iterable[Node] = ()):
        self.name = name
        self.nodes = list(nodes)
        self.types = set(types)
        self.children: dict[str, Line] = {}
        self.shown: list[Line] = []
        self.is_counted = False
        self.own: dict[str, int] = dict.fromkeys(MEASURED, 0)
        self.total: dict[str, int] = dict.fromkeys(_TOTALS, 0)
        self.text = ""

    def measure(self, options: Options) -> None:
        """Finds out whether it is counted, and its own numbers."""
        wanted = options["account_type_regexes"]
        chosen = [node for node in self.nodes if _chosen(node.types, wanted)]
        if len(self.nodes) > 1 or not self.is_one:
            self.nodes_counted = chosen
        else:
            self.nodes_counted = self.nodes
        types = self.types or set().union(*(node.types for node in self.nodes))
        self.is_counted = bool(chosen) or _chosen(types, wanted)
        found = [node.numbers(options["step"]) for node in self.nodes_counted]
        self.own = {key: sum(each[key] for each in found) for key in MEASURED}

    is_one = True
    nodes_counted: list[Node]

    def reset(self, with_own: bool = True) -> None:
        """Begins its total anew."""
        self.total = {key: self.own[key] if with_own else 0 for key in MEASURED}
        self.total["definition_count"] = int(with_own)

    def add(self, other: Line) -> None:
        """Adds another one's total to its own."""
        for key in _TOTALS:
            self.total[key] += other.total[key]


def _matches(name: str, regexes: list[str]) -> bool:
    return any(re.fullmatch(regex, name) for regex in regexes)


def _chosen(types: Iterable[str], regexes: list[str]) -> bool:
    return regexes == [".*"] or any(_matches(kind, regexes) for kind in types)


def _all(regexes: list[str]) -> bool:
    return regexes == [".*"]


class View:
    """Makes the lines of one way to look at operations.

    Args:
      stats: what is known.
      options: the options of a profile.
    """

    is_multi = False
    root_types: tuple[str, ...] = ()

    def __init__(self, stats: Stats, options: Options):
        self.stats = stats
        self.options = options
        self.root = Line(text.ROOT, self.root_types)

    def build(self) -> Line:
        """The root, with all below it that is shown."""
        self.arrange()
        options, root = self.options, self.root
        root.reset(with_own=False)
        roots = self.count(list(root.children.values()))
        for line in roots:
            root.add(line)
        if not _all(options["start_name_regexes"]):
            roots = self._starts(roots)
        root.shown = roots
        self.show([root], 1, 0)
        return root

    def arrange(self) -> None:
        """Makes lines of the operations."""
        raise NotImplementedError

    def count(self, lines: list[Line]) -> list[Line]:
        """Sums up what is counted, from below; gives the lines that are left."""
        raise NotImplementedError

    def _starts(self, lines: list[Line]) -> list[Line]:
        found = []
        for line in lines:
            if _matches(line.name, self.options["start_name_regexes"]):
                found.append(line)
            else:
                found += self._starts(line.shown)
        return found

    def show(self, lines: list[Line], depth: int, indent: int) -> list[Line]:
        """Decides which lines are shown, and writes them.

        Args:
          lines: that are left.
          depth: of them, 1 of the root.
          indent: spaces before them.
        """
        options = self.options
        found: list[Line] = []
        for line in lines:
            is_shown = self.is_shown(line, depth)
            below: list[Line] = []
            trimmed = _matches(line.name, options["trim_name_regexes"])
            if not trimmed and depth <= options["max_depth"]:
                below = self.show(line.shown, depth + 1, indent + 2 if is_shown else indent)
            if not is_shown:
                found += below
                continue
            below = self.ordered(below)
            line.shown = below
            if self.of_displayed():
                line.reset()
                for other in below:
                    line.add(other)
            line.text = " " * indent + self.written(line)
            found.append(line)
        return found

    def of_displayed(self) -> bool:
        """Whether totals are of what is displayed."""
        return self.options["account_displayed_op_only"]

    def is_shown(self, line: Line, depth: int) -> bool:
        """Whether a line has enough of everything, and a name that is asked for."""
        options = self.options
        if line.name == text.ROOT:
            return True
        if any(line.total[field] < options[key] for key, field in _LEAST_TOTALS.items()):
            return False
        least = line.total if self.is_multi else line.own
        if any(least[field] < options[key] for key, field in _LEAST.items()):
            return False
        if self.occurrence(line) < options["min_occurrence"] or depth > options["max_depth"]:
            return False
        shown = options["show_name_regexes"]
        if not (_all(shown) or _matches(line.name, shown)):
            return False
        return not _matches(line.name, options["hide_name_regexes"])

    def occurrence(self, line: Line) -> int:
        """How often what a line stands for occurs."""
        return line.own["run_count"]

    def ordered(self, lines: list[Line]) -> list[Line]:
        """Lines in the order that is asked for."""
        key = self.options["order_by"]
        if not key:
            return lines
        if key in text.NUMBERS:
            field = text.NUMBERS[key][0]
            return text.sort(lines, lambda a, b: a.total[field] > b.total[field])
        if key == "occurrence" and self.is_multi:
            return text.sort(lines, lambda a, b: len(a.nodes_counted) > len(b.nodes_counted))
        return text.sort(lines, lambda a, b: a.name < b.name)

    def written(self, line: Line) -> str:
        """The text of a line."""
        parts: list[str] = []
        for key in text.columns(self.options["select"], self.is_multi):
            parts += self.cell(line, key)
        return f"{line.name} ({', '.join(parts)})\n"

    def cell(self, line: Line, key: str) -> list[str]:
        """What a column says of a line, if it says anything."""
        if key in text.NUMBERS:
            field, write, (unit, _) = text.NUMBERS[key]
            own = write(line.own[field]) if line.is_counted else "--"
            return [f"{own}/{write(line.total[field])}{unit}"]
        if key == "device":
            devices = sorted({node.device for node in line.nodes} - {""})
            return ["|".join(devices)] if devices else []
        if key == "op_types":
            types = line.types or set().union(*(node.types for node in line.nodes))
            return ["|".join(sorted(types))]
        return []

    def proto(self, line: Line) -> Any:
        """A line and what is shown below it, as TF's proto."""
        raise NotImplementedError


def _node_proto(line: Line, children: Iterable[Any] = ()) -> Any:
    numbers = {**line.own, **{f"total_{key}": line.total[key] for key in _TOTALS}}
    found = tfprof_pb2.GraphNodeProto(name=line.name, children=children, **numbers)
    for node in line.nodes:
        if node.device:
            found.devices.append(node.device)
        for i, sizes in node.input_shapes.items():
            found.input_shapes[i].SetInParent()
            for size in sizes:
                found.input_shapes[i].dim.add(size=size)
    return found


class _SingleView(View):
    """A line is an operation, or what holds some."""

    def cell(self, line: Line, key: str) -> list[str]:
        if key == "params" and line.nodes and line.nodes[0].shape is not None:
            return ["x".join(map(str, line.nodes[0].shape)), *super().cell(line, key)]
        if key == "occurrence":
            runs, defined = line.total["run_count"], line.total["definition_count"]
            own = (text.number(line.own["run_count"]), "1") if line.is_counted else ("--", "--")
            return [f"{own[0]}/{text.number(runs)}|{own[1]}/{text.number(defined)}"]
        if key == "input_shapes":
            shapes = line.nodes[0].input_shapes if line.nodes else {}
            return ["|".join(_shape_text(i, shapes[i]) for i in sorted(shapes))]
        return super().cell(line, key)

    def proto(self, line: Line) -> Any:
        return _node_proto(line, [self.proto(child) for child in line.shown])


def _shape_text(i: int, sizes: list[int]) -> str:
    return f"{i}:{'x'.join(map(str, sizes)) if sizes else 'unknown'}"


class ScopeView(_SingleView):
    """Operations by their names, as files in folders."""

    root_types = ("_kTFScopeParent",)

    def arrange(self) -> None:
        lines: dict[str, Line] = {}
        for name, node in self.stats.nodes.items():
            lines[name] = Line(name, nodes=[node])
        for name in list(lines):
            while "/" in name:
                name = name.rpartition("/")[0]
                if name not in lines:
                    lines[name] = Line(name, self.root_types)
        for name in sorted(lines, key=str.encode):
            parent = lines[name.rpartition("/")[0]] if "/" in name else self.root
            parent.children[name] = lines[name]

    def count(self, lines: list[Line]) -> list[Line]:
        found = []
        for line in lines:
            below = self.count(list(line.children.values()))
            line.measure(self.options)
            line.reset()
            if line.is_counted or below:
                line.shown = below
                for child in below:
                    line.add(child)
                found.append(line)
        return found


class GraphView(_SingleView):
    """Operations below what takes them first."""

    root_types = ("_TFGraphParent",)

    def arrange(self) -> None:
        nodes = self.stats.nodes
        lines = {name: Line(name, nodes=[nodes[name]]) for name in sorted(nodes, key=str.encode)}
        taken = {name for node in nodes.values() for name in node.inputs.values()}
        for name, line in lines.items():
            for place in sorted(nodes[name].inputs):
                source = nodes[name].inputs[place]
                if source in lines:
                    line.children[source] = lines[source]
            if name not in taken:
                self.root.children[name] = line
        self._seen: set[str] = set()

    def count(self, lines: list[Line]) -> list[Line]:
        found = []
        for line in lines:
            if line.name in self._seen:
                continue
            self._seen.add(line.name)
            below = self.count(list(line.children.values()))
            line.measure(self.options)
            line.reset()
            if not line.is_counted:
                found += below
                continue
            line.shown = below
            for child in below:
                line.add(child)
            found.append(line)
        return found


class _GroupView(View):
    """A line stands for several operations."""

    is_multi = True

    def occurrence(self, line: Line) -> int:
        return len(line.nodes_counted)

    def graph_nodes(self, line: Line) -> list[Any]:
        """The protos of a line's operations."""
        found = []
        for node in line.nodes_counted:
            one = Line(node.name, nodes=[node])
            one.own = node.numbers(self.options["step"])
            one.reset()
            found.append(_node_proto(one))
        return found

    def proto(self, line: Line) -> Any:
        numbers = {key: line.own[key] for key in MEASURED if key != "run_count"}
        totals = {f"total_{key}": line.total[key] for key in numbers}
        nodes = self.graph_nodes(line) if line.nodes else []
        children = [self.proto(child) for child in line.shown]
        return tfprof_pb2.MultiGraphNodeProto(
            name=line.name, graph_nodes=nodes, children=children, **numbers, **totals
        )


class _Group(Line):
    is_one = False


class OpView(_GroupView):
    """Operations by their types, each within the one before it."""

    def arrange(self) -> None:
        groups: dict[str, list[Node]] = {}
        for name in sorted(self.stats.nodes, key=str.encode):
            node = self.stats.nodes[name]
            groups.setdefault(node.op_type, []).append(node)
        for kind in sorted(groups, key=str.encode):
            self.root.children[kind] = _Group(kind, nodes=groups[kind])

    def build(self) -> Line:
        self.arrange()
        options, root = self.options, self.root
        groups = list(root.children.values())
        for group in groups:
            group.measure(options)
            group.reset()
        counted = [group for group in self.ordered(groups) if group.is_counted]
        self._sum_up(counted)
        root.reset(with_own=False)
        if counted:
            root.add(counted[0])
        start = next(
            (
                i
                for i, group in enumerate(counted)
                if _all(options["start_name_regexes"])
                or _matches(group.name, options["start_name_regexes"])
            ),
            len(counted),
        )
        shown: list[Line] = []
        for depth, group in enumerate(counted[start:]):
            trimmed = _matches(group.name, options["trim_name_regexes"])
            if trimmed or depth > options["max_depth"]:
                break
            if self.is_shown(group, depth):
                shown.append(group)
        if options["account_displayed_op_only"]:
            for group in shown:
                group.reset()
            self._sum_up(shown)
            root.reset(with_own=False)
            if shown:
                root.add(shown[0])
        for group in shown:
            group.text = self.written(group)
        root.text = ""
        for parent, child in zip([root, *shown], shown, strict=False):
            parent.shown = [child]
        if shown:
            shown[-1].shown = []
        return root

    @staticmethod
    def _sum_up(groups: list[Line]) -> None:
        for group, following in zip(groups[-2::-1], groups[:0:-1], strict=True):
            group.add(following)

    def written(self, line: Line) -> str:
        parts: list[str] = []
        for key in text.columns(self.options["select"], True):
            parts += self.cell(line, key)
        found = f"{line.name:<25}{', '.join(parts)}\n"
        if "input_shapes" in self.options["select"]:
            found = f"{found}\n{self._shapes(line)}\n\n"
        return found

    def cell(self, line: Line, key: str) -> list[str]:
        if key in text.NUMBERS:
            field, write, (_, unit) = text.NUMBERS[key]
            whole, own = self.root.total[field], line.own[field]
            # As in TF, what takes no memory has no share in that of what follows.
            total = line.total[field] if own or write is not text.memory else 0
            shares = [100 * value / whole if whole else 0.0 for value in (total, own)]
            shown = f"{write(own)}{unit} ({shares[0]:.2f}%, {shares[1]:.2f}%)"
            return [shown.rjust(30)]
        if key == "device":
            return ["|".join(sorted({node.device for node in line.nodes_counted}))]
        if key == "op_types":
            types: set[str] = set().union(*(node.types for node in line.nodes_counted))
            return ["|".join(sorted(types))]
        if key == "occurrence":
            return [f"{line.own['run_count']}|{len(line.nodes_counted)}".rjust(10)]
        return []

    def _shapes(self, line: Line) -> str:
        kinds: dict[str, list[dict[str, int]]] = {}
        for node in line.nodes_counted:
            shapes = node.input_shapes
            kind = ",\t".join(_shape_text(i, shapes[i]) for i in sorted(shapes))
            kinds.setdefault(kind, []).append(node.numbers(self.options["step"]))
        runs = {kind: sum(each["run_count"] for each in found) for kind, found in kinds.items()}
        order = text.sort(sorted(kinds, key=str.encode), lambda a, b: runs[a] > runs[b])
        return "\n".join(
            f"input_type: {kind}\t(run*{runs[kind]}|defined*{len(kinds[kind])})\texec_time: "
            f"{text.time(sum(each['exec_micros'] for each in kinds[kind]))}"
            for kind in order
        )


class CodeView(_GroupView):
    """Operations by the lines that made them, as those were called."""

    def of_displayed(self) -> bool:
        return False

    def arrange(self) -> None:
        if self.options["account_displayed_op_only"]:
            sys.stderr.write("Note: code view ignores account_displayed_op_only\n")
        nodes = self.stats.nodes
        lost = 0
        for name in sorted(nodes, key=str.encode):
            node = nodes[name]
            forward = _forward_name(name)
            if forward is None:
                self._place(node, node.traces, "")
            elif forward in nodes:
                self._place(node, nodes[forward].traces, _GRADIENT)
            else:
                lost += 1
        if lost:
            sys.stderr.write(f"{lost} gradient nodes not accounted\n")

    def _place(self, node: Node, traces: list[tuple[str, int, str]], suffix: str) -> None:
        line = self.root
        for file, number, function in traces:
            function = function if len(function) < 20 else f"{function[:17]}..."
            base = file.replace("\\", "/").rpartition("/")[2]
            name = f"{base}:{number}:{function}{suffix}"
            line = line.children.setdefault(name, _Group(name))
        if traces:
            line.nodes.append(node)

    def count(self, lines: list[Line]) -> list[Line]:
        found = []
        for line in lines:
            below = self.count(list(line.children.values()))
            line.measure(self.options)
            line.reset()
            if line.is_counted or below:
                line.shown = below
                for child in below:
                    line.add(child)
                found.append(line)
        return found

    def cell(self, line: Line, key: str) -> list[str]:
        if key in ("occurrence", "input_shapes"):
            return [f"{key} N/A in code view"]
        return super().cell(line, key)


def _forward_name(name: str) -> str | None:
    """The operation that another one is the gradient of, by its name."""
    _, prefix, rest = name.partition("gradients/")
    forward, suffix, _ = rest.partition("_grad/")
    return forward if prefix and suffix and forward else None


VIEWS: dict[str, Callable[[Stats, Options], View]] = {
    "scope": ScopeView, "graph": GraphView, "op": OpView, "code": CodeView,
}  # fmt: skip


def lines(root: Line) -> list[str]:
    """The texts of a line and of those below it, without the last line's end."""

    def gather(line: Line) -> str:
        return line.text + "".join(gather(child) for child in line.shown)

    return gather(root).removesuffix("\n").split("\n")
