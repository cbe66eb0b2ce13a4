"""`tensorflow.contrib.graph_editor.subgraph`: a view of some operations of a graph."""

from __future__ import annotations

import copy
from typing import Any

from tf1compat.api.contrib.graph_editor import select, util
from tf1compat.core import ops as tf_ops
from tf1compat.core.attribute import attribute
from tf1compat.core.graph import Graph

__all__ = ["SubGraphView", "make_view", "make_view_from_scope"]


def _indices(given: Any, ts: list[Any], repetition: bool) -> list[int]:
    """Positions in a list, given as such or as tensors."""
    found = [i if isinstance(i, int) else ts.index(i) for i in given]
    for i in found:
        if not 0 <= i < len(ts):
            raise ValueError(f"Out of [0, {len(ts)}[ range: {i}")
    if not repetition and len(set(found)) != len(found):
        raise ValueError(f"Found repetition in mapping: {found}")
    return found


class SubGraphView:
    """Some operations of a graph, with the tensors that lead into them and out of them in an order
    of one's own.

    Args:
      inside_ops: the operations.
      passthrough_ts: tensors that lead through without an operation.
    """

    def __init__(self, inside_ops: Any = (), passthrough_ts: Any = ()):
        inside_ops = util.make_list_of_op(inside_ops)
        passthrough_ts = util.make_list_of_t(passthrough_ts)
        self._graph: Any = None
        self._ops: list[Any] = []
        self._passthrough_ts: list[Any] = []
        self._input_ts: list[Any] = []
        self._output_ts: list[Any] = []
        if inside_ops or passthrough_ts:
            self._graph = util.get_unique_graph(inside_ops + passthrough_ts)
            self._ops = inside_ops
            inputs, outputs, insides = select.compute_boundary_ts(inside_ops)
            known = frozenset(inputs + outputs + insides)
            self._passthrough_ts = [t for t in passthrough_ts if t not in known]
            self._input_ts = inputs + self._passthrough_ts
            self._output_ts = outputs + self._passthrough_ts

    def __copy__(self) -> SubGraphView:
        result = type(self).__new__(type(self))
        for key, value in self.__dict__.items():
            setattr(result, key, value if key == "_graph" else list(value))
        return result

    def _assign_from(self, other: Any) -> None:
        """Becomes another view."""
        if not isinstance(other, SubGraphView):
            raise TypeError(f"Expected SubGraphView, got: {type(other)}")
        self.__dict__.update(other.copy().__dict__)

    def copy(self) -> SubGraphView:
        """The same view again."""
        return copy.copy(self)

    # Views with other inputs and outputs.

    def remap_default(
        self, remove_input_map: bool = True, remove_output_map: bool = True
    ) -> SubGraphView:
        """The view with inputs and outputs as they were at first."""
        result = self.copy()
        inputs, outputs, _ = select.compute_boundary_ts(self._ops)
        if remove_input_map:
            result._input_ts = inputs + self._passthrough_ts
        if remove_output_map:
            result._output_ts = outputs + self._passthrough_ts
        return result

    def remap_inputs(self, new_input_indices: Any) -> SubGraphView:
        """The view with some of its inputs.

        Args:
          new_input_indices: their positions, or the tensors; each at most once.

        Raises:
          ValueError: there is no such input, or it comes twice.
        """
        return self.remap(new_input_indices)

    def remap_outputs(self, new_output_indices: Any) -> SubGraphView:
        """The view with some of its outputs, perhaps several times; see `remap_inputs`."""
        return self.remap(None, new_output_indices)

    def remap(self, new_input_indices: Any = None, new_output_indices: Any = None) -> SubGraphView:
        """The view with some of its inputs and outputs; see `remap_inputs`."""
        result = self.copy()
        if new_input_indices is not None:
            kept = _indices(new_input_indices, self._input_ts, repetition=False)
            result._input_ts = [self._input_ts[i] for i in kept]
        if new_output_indices is not None:
            kept = _indices(new_output_indices, self._output_ts, repetition=True)
            result._output_ts = [self._output_ts[i] for i in kept]
        return result

    def remap_outputs_make_unique(self) -> SubGraphView:
        """The view with each of its outputs once."""
        result = self.copy()
        result._output_ts = list(dict.fromkeys(self._output_ts))
        return result

    def remap_outputs_to_consumers(self) -> SubGraphView:
        """The view with each of its outputs as often as it is taken."""
        result = self.copy()
        result._output_ts = [
            t for t in dict.fromkeys(self._output_ts) for _ in range(len(t.consumers()))
        ]
        return result

    def remove_unused_ops(self, control_inputs: bool = True) -> SubGraphView:
        """The view without operations that have nothing to do with its inputs and outputs."""
        result = self.copy()
        used = select.get_walks_union_ops(
            self.connected_inputs,
            self.connected_outputs,
            within_ops=self._ops,
            control_inputs=control_inputs,
        )
        result._ops = [op for op in self._ops if op in used]
        return result

    # What it is made of.

    graph = attribute("_graph", "The graph; None of an empty view.")
    ops: list[Any] = attribute("_ops", "The operations.")

    @property
    def inputs(self) -> Any:
        """The tensors that lead in."""
        return util.ListView(self._input_ts)

    @property
    def connected_inputs(self) -> list[Any]:
        """The inputs but those that lead through."""
        return self._without_passthroughs(self._input_ts)

    @property
    def outputs(self) -> Any:
        """The tensors that lead out."""
        return util.ListView(self._output_ts)

    @property
    def connected_outputs(self) -> list[Any]:
        """The outputs but those that lead through."""
        return self._without_passthroughs(self._output_ts)

    def _without_passthroughs(self, ts: list[Any]) -> list[Any]:
        return [t for t in ts if t not in self._passthrough_ts]

    @property
    def passthroughs(self) -> Any:
        """The tensors that lead through."""
        return util.ListView(self._passthrough_ts)

    def __bool__(self) -> bool:
        return self._graph is not None

    def op(self, op_id: int) -> Any:
        """The operation at a position."""
        return self._ops[op_id]

    def find_op_by_name(self, op_name: str) -> Any:
        """The operation of a name.

        Raises:
          ValueError: there is none.
        """
        for op in self._ops:
            if op.name == op_name:
                return op
        raise ValueError(f"{op_name} not in subgraph.")

    def is_passthrough(self, t: Any) -> bool:
        """Whether a tensor leads through."""
        return t in self._passthrough_ts

    def input_index(self, t: Any) -> int:
        """The position of an input."""
        if t not in self._input_ts:
            # As in TF, whose text names the view by an attribute that it hasn't.
            raise AttributeError("'SubGraphView' object has no attribute 'name'")
        return self._input_ts.index(t)

    def output_index(self, t: Any) -> int:
        """The position of an output."""
        if t not in self._output_ts:
            raise AttributeError("'SubGraphView' object has no attribute 'name'")
        return self._output_ts.index(t)

    def consumers(self) -> list[Any]:
        """The operations outside that take the outputs."""
        inside = frozenset(self._ops)
        found: list[Any] = []
        for output in self._output_ts:
            util.concatenate_unique(found, [op for op in output.consumers() if op not in inside])
        return found

    def __enter__(self) -> SubGraphView:
        return self

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        pass

    def __str__(self) -> str:
        if not self:
            return "SubGraphView: empty"
        lines = [f"SubGraphView (graphid={id(self.graph)}):"]
        for title, tops in (
            ("ops", self._ops),
            ("inputs", self._input_ts),
            ("outputs", self._output_ts),
        ):
            lines.append(f"** {title}[{len(tops)}]:" if tops else f"** {title}: empty")
            lines += [f"  {top.name}{' *' * (top in self._passthrough_ts)}" for top in tops]
        return "\n".join(lines) + "\n"


def _checked(view: Any, graph: Graph | None) -> SubGraphView:
    """A view, which must be of a graph if one is given."""
    if graph is None or not view.graph:
        return view
    if not isinstance(graph, tf_ops.Graph):
        raise TypeError(f"Expected a tf.Graph, got: {type(graph)}")
    if view.graph is not graph:
        raise ValueError("Graph mismatch.")
    return view


def make_view(*args: Any, **kwargs: Any) -> SubGraphView:
    """A view of picked operations and tensors; a view given as the only argument is returned.

    Args: see `select_ops_and_ts`.

    Raises:
      TypeError, ValueError: arguments that don't fit.
    """
    graph = kwargs.get("graph")
    if len(args) == 1 and isinstance(args[0], SubGraphView):
        return _checked(args[0], graph)
    return _checked(SubGraphView(*select.select_ops_and_ts(*args, **kwargs)), graph)


def make_view_from_scope(scope: str, graph: Graph) -> SubGraphView:
    """A view of the operations of a name scope."""
    return SubGraphView(select.get_name_scope_ops(graph, scope))
