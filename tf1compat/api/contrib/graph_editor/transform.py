"""`tensorflow.contrib.graph_editor.transform`: copying operations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.contrib.graph_editor import reroute, select, subgraph, util
from tf1compat.api.platform import tf_logging as logging
from tf1compat.core import graph_import, ops
from tf1compat.core.operation import Operation

__all__ = [
    "Transformer",
    "TransformerInfo",
    "assign_renamed_collections_handler",
    "copy",
    "copy_op_handler",
    "copy_with_input_replacements",
    "graph_replace",
    "keep_t_if_possible_handler",
    "replace_t_with_placeholder_handler",
    "transform_op_if_inside_handler",
]

# What handlers are told: `info` is a `_TmpInfo`.


def replace_t_with_placeholder_handler(info: Any, t: Any) -> Any:
    """A placeholder instead of a tensor."""
    with info.graph_.as_default():
        return util.make_placeholder_from_tensor(t, scope=info.scope_)


def keep_t_if_possible_handler(info: Any, t: Any) -> Any:
    """The tensor itself; in another graph a placeholder instead."""
    if info.graph is info.graph_:
        return t
    return replace_t_with_placeholder_handler(info, t)


def assign_renamed_collections_handler(info: Any, elem: Any, elem_: Any) -> None:
    """Adds a copy to the collections of the original; those of one's own are renamed as operations
    are."""
    known = util.get_predefined_collection_names()
    for name, collection in info.collections.items():
        if elem in collection:
            new_name = name if name in known else info.new_name(name)
            info.graph_.add_to_collection(new_name, elem_)


def transform_op_if_inside_handler(info: Any, op: Any, keep_if_possible: bool = True) -> Any:
    """The copy of an operation; the operation itself if it is none of the copied; None if that is
    in another graph."""
    if op in info.sgv.ops:
        return info.transformed_ops[op]
    return op if keep_if_possible and info.graph is info.graph_ else None


def copy_op_handler(
    info: Any, op: Any, new_inputs: Any, copy_shape: Any = False, nodedef_fn: Any = None
) -> tuple[Any, Any]:
    """Copies an operation.

    Args:
      info: what is being copied.
      op: the operation.
      new_inputs: the copy's inputs.
      copy_shape: whether the outputs get the static shapes of the original's.
      nodedef_fn: a function that changes the copy's NodeDef.

    Returns:
      The copy, and its outputs.

    Raises:
      TypeError: `new_inputs` is a bool.
    """
    if isinstance(new_inputs, bool):
        raise TypeError("the `new_inputs` argument must be an iterable.")
    definition = op.node_def
    definition.name = info.graph_.unique_name(info.new_name(op.name))
    if nodedef_fn is not None:
        definition = nodedef_fn(definition)
    copied = graph_import.record_node(info.graph_, definition, new_inputs, op._output_dtypes)
    if copy_shape:
        for t, t_ in zip(op.outputs, copied.outputs):
            t_.set_shape(t.get_shape())
    if op._original_op:
        copied._original_op = op._original_op
    return copied, copied.outputs


class TransformerInfo:
    """Which operation and tensor is the copy of which.

    Args:
      info: what was copied.
    """

    def __init__(self, info: Any):
        self._graph = info.graph
        self._scope = info.scope
        self._graph_ = info.graph_
        self._scope_ = info.scope_
        self._transformed_ops = info.transformed_ops
        self._transformed_ts = info.transformed_ts

    def _map_for(self, top: Any) -> dict[Any, Any]:
        if isinstance(top, Operation):
            return self._transformed_ops
        if isinstance(top, ops.Tensor):
            return self._transformed_ts
        raise TypeError(f"Expected a tf.Tensor or a tf.Operation, got a {type(top)}")

    def transformed(self, original: Any, missing_fn: Any = None) -> Any:
        """The copies.

        Args:
          original: operations and tensors, nested.
          missing_fn: gives what stands for one that has no copy; None by default.
        """

        def copied(top: Any) -> Any:
            copies = self._map_for(top)
            if top in copies:
                return copies[top]
            return None if missing_fn is None else missing_fn(top)

        return util.transform_tree(original, copied)

    def original(self, transformed: Any, missing_fn: Any = None) -> Any:
        """The originals; as `transformed`."""

        def source(top: Any) -> Any:
            for original, copied in self._map_for(top).items():
                if copied is top:
                    return original
            return None if missing_fn is None else missing_fn(top)

        return util.transform_tree(transformed, source)

    def __str__(self) -> str:
        lines = ["Transform result info:"]
        if self._graph is self._graph_:
            where = "" if self._scope_ else " IN-PLACE"
            lines.append(f"  Within graph[{id(self._graph)}]{where}")
        else:
            lines.append(f"  graph[{id(self._graph)}] => graph[{id(self._graph_)}]")
        if self._scope:
            lines.append(f"  Relative to source scope: {self._scope}")
        if self._scope_:
            lines.append(f"  Scope destination: {self._scope_}")
        lines.append("Operations mapping:")
        lines += [f"  {op.name} => {op_.name}" for op, op_ in self._transformed_ops.items()]
        return "\n".join(lines) + "\n"


def _copy_of(top: Any, kind: str, copies: dict[Any, Any]) -> Any:
    if top not in copies:
        raise ValueError(f"The {kind} {top.name} should be transformed by now.")
    return copies[top]


class _TmpInfo:
    """What is being copied: from where, to where, and how far it is."""

    def __init__(self, sgv: Any, dst_graph: Any, dst_scope: str, src_scope: str):
        self.sgv = sgv
        self.sgv_inputs_set = frozenset(sgv.inputs)
        self.ops = frozenset(sgv.ops)
        self.control_outputs = util.ControlOutputs(sgv.graph)
        self.graph = sgv.graph
        self.scope = src_scope
        self.graph_ = dst_graph
        self.scope_ = dst_scope
        self.transformed_ops: dict[Any, Any] = {}
        self.transformed_ts: dict[Any, Any] = {}
        self.collections = {
            key: self.graph.get_collection(key) for key in self.graph.get_all_collection_keys()
        }
        self.cyclic_ops: list[Any] = []
        self.transform_original_op_handler = transform_op_if_inside_handler
        self.tmp_cyclic_ts: list[tuple[Any, Any, Any]] = []

    def new_name(self, name: str) -> str:
        """The name of a copy."""
        if not name.startswith(self.scope):
            raise ValueError(f"{name} does not belong to source scope: {self.scope}.")
        return self.scope_ + name[len(self.scope) :]


class Transformer:
    """Copies a view, operation by operation. What it does at each is a function that can be
    replaced: `transform_op_handler`, `transform_control_input_handler`,
    `assign_collections_handler`, `transform_external_input_handler`,
    `transform_external_hidden_input_handler`, `transform_original_op_handler`."""

    def __init__(self) -> None:
        self.transform_op_handler: Callable[..., Any] = copy_op_handler
        self.transform_control_input_handler: Callable[..., Any] = transform_op_if_inside_handler
        self.assign_collections_handler: Callable[..., Any] = assign_renamed_collections_handler
        self.transform_external_input_handler: Callable[..., Any] = (
            replace_t_with_placeholder_handler
        )
        self.transform_external_hidden_input_handler: Callable[..., Any] = (
            keep_t_if_possible_handler
        )
        self.transform_original_op_handler: Callable[..., Any] = transform_op_if_inside_handler

    def __call__(
        self, sgv: Any, dst_graph: Any, dst_scope: str, src_scope: str = "",
        reuse_dst_scope: bool = False,
    ) -> tuple[Any, TransformerInfo]:  # fmt: skip
        """Copies a view.

        Args:
          sgv: the view.
          dst_graph: the graph that the copies are in.
          dst_scope: their name scope.
          src_scope: the name scope that is taken from the originals' names.
          reuse_dst_scope: whether that scope may be there already.

        Returns:
          A view of the copies, and which is the copy of which.

        Raises:
          TypeError: `dst_graph` is no graph.
          ValueError: an original isn't in `src_scope`.
        """
        view = subgraph.make_view(sgv)
        if not isinstance(dst_graph, ops.Graph):
            raise TypeError(f"Expected a tf.Graph, got: {type(dst_graph)}")
        src_scope, dst_scope = map(util.scope_finalize, (src_scope, dst_scope))
        if dst_scope and not reuse_dst_scope:
            dst_scope = util.scope_finalize(dst_graph.unique_name(dst_scope[:-1]))
        info = _TmpInfo(view, dst_graph, dst_scope, src_scope)
        self._copy_ops(info)
        self._finalize_cycles(info)
        self._connect_control_inputs(info)
        return self._view_of_copies(info, view), TransformerInfo(info)

    def _copy_ops(self, info: Any) -> None:
        for op in sorted(info.sgv.ops, key=lambda op: op._id):
            inputs = [self._transformed_t(info, t, op) for t in op.inputs]
            copied, outputs = self.transform_op_handler(info, op, inputs)
            if copied is op:
                raise ValueError("In-place transformation not allowed.")
            info.transformed_ops[op] = copied
            ts = list(zip(op.outputs, outputs))
            info.transformed_ts.update(ts)
            for original, its_copy in [(op, copied), *ts]:
                self.assign_collections_handler(info, original, its_copy)

    def _finalize_cycles(self, info: Any) -> None:
        """Leads the inputs that come from later operations where they belong."""
        for t, placeholder, consumer in info.tmp_cyclic_ts:
            final = _copy_of(t, "tensor", info.transformed_ts)
            copied = _copy_of(consumer, "op", info.transformed_ops)
            copied._update_input(list(copied.inputs).index(placeholder), final)

    def _connect_control_inputs(self, info: Any) -> None:
        for op in info.sgv.ops:
            logging.debug("Connecting control inputs of op: %s", op.name)
            op_ = info.transformed_ops[op]
            if op._original_op:
                self._connect_original_op(info, op._original_op, op_)
            controls = [self.transform_control_input_handler(info, c) for c in op.control_inputs]
            reroute.add_control_inputs(op_, [c for c in controls if c is not None])

    def _connect_original_op(self, info: Any, original_op: Any, op_: Any) -> None:
        found = self.transform_original_op_handler(info, original_op)
        if found is not None:
            op_._original_op = found
            return
        logging.debug("Could not find original op for: %s", op_.name)

    def _view_of_copies(self, info: Any, view: Any) -> Any:
        copies = subgraph.SubGraphView(list(info.transformed_ops.values()))

        def positions(originals: Any, found: Any) -> list[int]:
            ts = [info.transformed_ts[t] for t in originals if t in info.transformed_ts]
            return [list(found).index(t) for t in ts if t in found]

        inputs = positions(view.inputs, copies.inputs)
        return copies.remap(inputs, positions(view.outputs, copies.outputs))

    def _transformed_t(self, info: Any, t: Any, consumer_op: Any) -> Any:
        """What an operation's copy takes instead of tensor `t`."""
        if t in info.transformed_ts:
            return info.transformed_ts[t]
        if t in info.sgv_inputs_set:
            return self.transform_external_input_handler(info, t)
        if t.op not in info.ops:
            return self.transform_external_hidden_input_handler(info, t)
        logging.debug("Cyclic tensor: t.name = %s", t.name)
        if consumer_op.type == "Merge":
            placeholder = self._transformed_t(info, consumer_op.inputs[0], consumer_op)
        elif t.op.type == "Enter":
            placeholder = self._transformed_t(info, t.op.inputs[0], consumer_op)
        else:
            with info.graph_.as_default():
                placeholder = util.make_placeholder_from_tensor(
                    t, scope=info.scope_, prefix="geph_tmp"
                )
            logging.debug("Created temporary placeholder: %s.", placeholder.name)
        info.tmp_cyclic_ts.append((t, placeholder, consumer_op))
        return placeholder


def _view_and_graph(sgv: Any, dst_graph: Any) -> tuple[Any, Any]:
    view = subgraph.make_view(sgv)
    dst_graph = view.graph if dst_graph is None else dst_graph
    if not isinstance(dst_graph, ops.Graph):
        raise TypeError(f"Expected a tf.Graph, got: {type(dst_graph)}")
    return view, dst_graph


def copy(
    sgv: Any, dst_graph: Any = None, dst_scope: str = "", src_scope: str = "",
    reuse_dst_scope: bool = False,
) -> tuple[Any, TransformerInfo]:  # fmt: skip
    """Copies a view. Args, Returns and Raises: see `Transformer`; the graph is the view's by
    default."""
    view, dst_graph = _view_and_graph(sgv, dst_graph)
    return Transformer()(view, dst_graph, dst_scope, src_scope, reuse_dst_scope=reuse_dst_scope)


def copy_with_input_replacements(
    sgv: Any, replacement_ts: Any, dst_graph: Any = None, dst_scope: str = "",
    src_scope: str = "", reuse_dst_scope: bool = False,
) -> tuple[Any, TransformerInfo]:  # fmt: skip
    """Copies a view with other inputs.

    Args: see `copy`, and
      replacement_ts: a dict: input -> the tensor in its place.
    """
    view, dst_graph = _view_and_graph(sgv, dst_graph)

    def replaced(info: Any, t: Any) -> Any:
        return replacement_ts[t] if t in replacement_ts else keep_t_if_possible_handler(info, t)

    copier = Transformer()
    copier.transform_external_input_handler = replaced
    return copier(view, dst_graph, dst_scope, src_scope, reuse_dst_scope=reuse_dst_scope)


def _add_control_flow_ops(found: list[Any], control_ios: Any) -> None:
    """Adds all operations of the loops that some are in."""
    contexts = dict.fromkeys(op._control_flow_context for op in found)
    loops: list[Any] = []
    for context in contexts:
        if context and context.IsWhileContext():
            loops += select.get_walks_intersection_ops(
                [t.op for t in context.loop_enters],
                [t.op for t in context.loop_exits],
                control_ios=control_ios,
            )
    util.concatenate_unique(found, loops)


def graph_replace(
    target_ts: Any, replacement_ts: Any, dst_scope: str = "", src_scope: str = "",
    reuse_dst_scope: bool = False,
) -> Any:  # fmt: skip
    """Tensors as they would be computed of other ones.

    Args:
      target_ts: the tensors, nested.
      replacement_ts: a dict: tensor that they depend on -> the one in its place.
      dst_scope, src_scope, reuse_dst_scope: see `Transformer`.

    Returns:
      The copies of the targets, nested alike.

    Raises:
      ValueError: the targets don't depend on those.
    """
    targets = util.flatten_tree(target_ts)
    graph = util.get_unique_graph(targets, check_types=ops.Tensor)
    control_ios = util.ControlOutputs(graph)
    between = select.get_walks_intersection_ops(
        list(replacement_ts), targets, control_ios=control_ios
    )
    if not between:
        raise ValueError("Targets and replacements are not connected!")
    _add_control_flow_ops(between, control_ios)
    _, info = copy_with_input_replacements(
        between, replacement_ts, None, dst_scope, src_scope, reuse_dst_scope
    )
    return info.transformed(target_ts, lambda original: original)
