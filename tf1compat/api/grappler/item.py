"""A graph and what is wanted of it, as TF's optimizer sees it (TF's `grappler.item`)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tf1compat.api.framework import importer
from tf1compat.api.tools.graph_transforms_base import (
    Context,
    by_name,
    graph_of,
    needed_nodes,
    node_of,
    sorted_nodes,
)
from tf1compat.core import errors, op_defs, own_protos, protos
from tf1compat.core.attribute import attribute
from tf1compat.core.graph import Graph
from tf1compat.core.graph_keys import GraphKeys
from tf1compat.core.op_registry import group_inputs
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.formats import op_performance_data_pb2


class Analysis:
    """What is known of a metagraph as it was at a time.

    Args:
      metagraph: a `MetaGraphDef`.
      ignore_colocation: whether what its nodes want to be beside is left out.
      ignore_user_placement: whether the devices that they ask for are left out.

    Raises:
      InvalidArgumentError: it doesn't say what is fetched, or a node of it isn't there.
    """

    graph_def: Any = attribute("_graph_def", "The `GraphDef`.")
    fetches: list[str] = attribute("_fetches", "The tensors or operations to fetch.")

    def __init__(self, metagraph: Any, ignore_colocation: bool, ignore_user_placement: bool):
        if "train_op" not in metagraph.collection_def:
            raise _invalid("train_op not specified in the metagraph")
        self._graph_def = protos.GraphDef()
        self._graph_def.CopyFrom(metagraph.graph_def)
        for node in self._graph_def.node:
            node.attr.pop("_output_shapes", None)
            if ignore_colocation:
                node.attr.pop("_class", None)
            if ignore_user_placement:
                node.device = ""
        self._nodes = by_name(self._graph_def)
        self._collections = {
            name: list(collection.node_list.value)
            for name, collection in metagraph.collection_def.items()
        }
        self._fetches = list(self._collections["train_op"])
        for signature in metagraph.signature_def.values():
            self._fetches += [info.name for info in signature.outputs.values()]
        runners = _runners(metagraph)
        self._enqueuing = [name for runner in runners for name in runner.enqueue_op_name]
        self._initializing = _initializers(metagraph)
        wanted = [*self._fetches, *self._enqueuing, *self._initializing]
        if not self._fetches or any(node_of(name) not in self._nodes for name in wanted):
            raise _invalid("Invalid metagraph")
        saver = metagraph.saver_def
        self._others = [saver.save_tensor_name, saver.restore_op_name, saver.filename_tensor_name]
        for runner in runners:
            self._others += [runner.close_op_name, runner.cancel_op_name]
        self._graph: Graph | None = None

    @property
    def graph(self) -> Graph:
        """A `Graph` of it, made when it is first asked for."""
        if self._graph is None:
            self._graph = imported(self._graph_def)
        return self._graph

    @property
    def initializers(self) -> list[Operation]:
        """The operations of the graph that initialize its variables and tables."""
        return [self.graph.get_operation_by_name(node_of(name)) for name in self._initializing]

    @property
    def kept(self) -> set[str]:
        """The names of the nodes that an optimization has to leave: what is fetched, saves,
        restores, initializes or ends a queue, and what collections list."""
        names = [*self._fetches, *self._enqueuing, *self._initializing, *self._others]
        for listed in self._collections.values():
            names += listed
        return {node_of(name) for name in names} & self._nodes.keys()

    def needed(self, names: Iterable[str]) -> list[Any]:
        """The nodes of some names and of all that they need, in the order of the graph."""
        return needed_nodes(self._graph_def, Context((), list(names), {}))

    def important(self) -> list[Any]:
        """The nodes that fetches and queues need."""
        return self.needed([*self._fetches, *self._enqueuing])


class Item:
    """A metagraph with its fetches.

    Args:
      metagraph: a `MetaGraphDef`; the collection "train_op" says what is fetched. It may be
        changed later: what is asked then is answered of the changed one.
      ignore_colocation: whether what is colocated by name may be apart.
      ignore_user_placement: whether the devices that nodes ask for are left out.

    Raises:
      InvalidArgumentError: nothing is fetched, or something that isn't there.
    """

    metagraph: Any = attribute("_metagraph", "The `MetaGraphDef`.")

    def __init__(
        self, metagraph: Any, ignore_colocation: bool = True, ignore_user_placement: bool = False
    ):
        self._metagraph = metagraph
        self._item_graph = protos.MetaGraphDef()
        self._item_graph.CopyFrom(metagraph)
        self._ignore_colocation = ignore_colocation
        self._ignore_user_placement = ignore_user_placement
        self._tf_item: Analysis
        self._BuildTFItem()

    def IdentifyImportantOps(self, sort_topologically: bool = False) -> list[str]:
        """The nodes that the fetches need.

        Args:
          sort_topologically: whether each comes after its inputs; else they are in the order of
            the graph.

        Returns:
          Their names.
        """
        nodes = self.tf_item.important()
        if sort_topologically:
            nodes = sorted_nodes(graph_of(nodes, self.tf_item.graph_def.library), False)
        return [node.name for node in nodes]

    def GetOpProperties(self) -> dict[str, list[Any]]:
        """The dtypes and static shapes of all outputs, and the values of constants.

        Returns:
          The name of a node -> an `OpInfo.TensorProperties` for each output. A dimension that is
          not known is -1; TF numbers those that are equal below that.
        """
        graph_def = protos.GraphDef()
        graph_def.CopyFrom(self.tf_item.graph_def)
        for node in graph_def.node:
            shape = node.attr["shape"].shape if node.op == "Placeholder" else None
            if shape is not None and TensorShape(shape).is_fully_defined():
                shape.Clear()
                shape.unknown_rank = True  # It is fed, and that may be of any shape.
        return {
            op.name: [properties_of(output) for output in op.outputs]
            for op in imported(graph_def).get_operations()
        }

    def GetColocationGroups(self) -> list[tuple[str, ...]]:
        """What has to be on one device: variables of references, and what takes the references.

        Returns:
          A tuple of names for each group of several nodes.
        """
        groups: dict[str, list[str]] = {}
        for op in self.tf_item.graph.get_operations():
            own = groups.setdefault(op.name, [op.name])
            for source in _referenced(op):
                group = groups.setdefault(source.name, [source.name])
                if group is not own:
                    group += own
                    groups |= dict.fromkeys(own, group)
                    own = group
        together = {id(names): tuple(names) for names in groups.values() if len(names) > 1}
        return list(together.values())

    @property
    def tf_item(self) -> Analysis:
        """What is known of the metagraph: the same object until that is changed."""
        if self._item_graph != self._metagraph:
            self._BuildTFItem()
            self._item_graph.CopyFrom(self._metagraph)
        return self._tf_item

    def _BuildTFItem(self) -> None:
        self._tf_item = Analysis(
            self._metagraph, self._ignore_colocation, self._ignore_user_placement
        )


def imported(graph_def: Any) -> Graph:
    """A graph of a `GraphDef`."""
    with Graph().as_default() as graph:
        importer.import_graph_def(graph_def, name="")
    return graph


def properties_of(tensor: Tensor) -> Any:
    """The `OpInfo.TensorProperties` of a tensor."""
    properties = op_performance_data_pb2.OpInfo.TensorProperties(
        dtype=tensor.dtype.as_datatype_enum
    )
    if tensor.shape.rank != 0:
        properties.shape.CopyFrom(tensor.shape.as_proto())
    op = tensor.op
    while op.type == "Identity":
        op = op.inputs[0].op
    if op.type == "Const":
        properties.value.CopyFrom(op.node_def.attr["value"].tensor)
    return properties


def _referenced(op: Operation) -> list[Operation]:
    """The operations whose outputs an operation takes as references."""
    definition = op_defs.get(op.type)
    if definition is None or not any(arg.is_ref for arg in definition.input_args):
        return []
    given = zip(definition.input_args, group_inputs(op, list(op.inputs)), strict=True)
    return [
        source.op
        for arg, value in given
        if arg.is_ref
        for source in (value if arg.is_list else [value])
    ]


def _runners(metagraph: Any) -> list[Any]:
    """The `QueueRunnerDef` of each runner of a queue."""
    runners = metagraph.collection_def.get(GraphKeys.QUEUE_RUNNERS)
    texts = [] if runners is None else runners.bytes_list.value
    return [own_protos.message("QueueRunnerDef").FromString(text) for text in texts]


_VARIABLES = (
    GraphKeys.GLOBAL_VARIABLES, GraphKeys.LOCAL_VARIABLES, GraphKeys.MODEL_VARIABLES,
    GraphKeys.TRAINABLE_VARIABLES, GraphKeys.MOVING_AVERAGE_VARIABLES,
)  # fmt: skip
_INITIALIZERS = ("legacy_init_op", "saved_model_main_op", GraphKeys.TABLE_INITIALIZERS)


def _initializers(metagraph: Any) -> list[str]:
    """What initializes variables and tables."""
    collections = metagraph.collection_def
    names = [
        protos.VariableDef.FromString(text).initializer_name
        for key in _VARIABLES
        if key in collections
        for text in collections[key].bytes_list.value
    ]
    for key in _INITIALIZERS:
        if key in collections:
            names += collections[key].node_list.value
    return [name for name in dict.fromkeys(names) if name]


def _invalid(text: str) -> errors.InvalidArgumentError:
    return errors.InvalidArgumentError(None, None, text)
