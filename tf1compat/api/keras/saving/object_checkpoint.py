"""Weights of models in TensorFlow's checkpoints of objects."""

from __future__ import annotations

import collections
import os
from collections.abc import Iterator
from typing import Any

import numpy as np

from tf1compat.api.keras import backend
from tf1compat.api.keras.engine.base_layer import Layer
from tf1compat.api.keras.engine.network import Network
from tf1compat.api.keras.optimizer_v2.optimizer_v2 import OptimizerV2
from tf1compat.api.training import checkpoint_management
from tf1compat.api.training.tracking import util
from tf1compat.api.training.tracking.data_structures import ListWrapper, _DictWrapper
from tf1compat.api.variables import variables as variables_lib
from tf1compat.core import context, protos
from tf1compat.formats import bundle

_OBJECT_GRAPH = "_CHECKPOINTABLE_OBJECT_GRAPH"
_VALUE = "VARIABLE_VALUE"
# Attributes of layers that tell what the layer is made of: the names that it leads to them by are
# others.
_OWN = frozenset({
    "_trainable_weights", "_non_trainable_weights", "_layers", "_metrics", "_updates", "_losses",
    "_inbound_nodes", "_outbound_nodes", "_input_layers", "_output_layers", "inputs", "outputs",
    "optimizer",
})  # fmt: skip


def _is_object(value: Any) -> bool:
    return isinstance(value, Layer | variables_lib.Variable | ListWrapper | _DictWrapper)


def _children(obj: Any) -> Iterator[tuple[str, Any]]:
    """The names of what an object depends on, and what they are."""
    if isinstance(obj, ListWrapper):
        yield from ((str(i), value) for i, value in enumerate(obj) if _is_object(value))
    elif isinstance(obj, _DictWrapper):
        yield from ((str(key), value) for key, value in obj.items() if _is_object(value))
    elif isinstance(obj, OptimizerV2):
        if obj._iterations is not None:
            yield "iter", obj._iterations
        for name, value in sorted(obj._hyper.items()):
            if _is_object(value):
                yield name, value
    elif isinstance(obj, Layer):
        if isinstance(obj, Network):
            yield from _layers(obj)
        yield from _attributes(obj)
        optimizer = getattr(obj, "optimizer", None) if isinstance(obj, Network) else None
        if isinstance(optimizer, OptimizerV2):
            yield "optimizer", optimizer


def _layers(network: Any) -> Iterator[tuple[str, Any]]:
    """The names by which a network that is no subclass leads to its layers."""
    if not network._is_graph_network and not hasattr(network, "add"):
        return
    with_weights = 0
    for i, layer in enumerate(network.layers if hasattr(network, "add") else network._layers):
        if layer.weights:
            yield f"layer_with_weights-{with_weights}", layer
            with_weights += 1
        yield f"layer-{i}", layer


def _attributes(layer: Any) -> Iterator[tuple[str, Any]]:
    found: set[int] = set()
    for name, value in vars(layer).items():
        if name not in _OWN and _is_object(value):
            found.add(id(value))
            yield name, value
    own = [*layer._trainable_weights, *layer._non_trainable_weights]
    for variable in own:
        if id(variable) not in found:
            yield variable.op.name.rpartition("/")[2], variable


def _escaped(name: str) -> str:
    return name.replace(".", "..").replace("/", ".S")


def _paths(model: Any) -> dict[int, tuple[Any, str]]:
    """Each object by its id, with the shortest way to it, in the order they are come to."""
    found = {id(model): (model, "")}
    queue = collections.deque([model])
    while queue:
        obj = queue.popleft()
        prefix = found[id(obj)][1]
        for name, child in _children(obj):
            if id(child) not in found:
                found[id(child)] = (child, f"{prefix}/{_escaped(name)}".lstrip("/"))
                queue.append(child)
    return found


def _slots(optimizer: Any, objects: Any) -> Iterator[tuple[Any, str, Any]]:
    """(variable, name, slot) of each slot of an optimizer."""
    for slot_name in optimizer.get_slot_names():
        for variable in objects:
            if isinstance(variable, variables_lib.Variable):
                try:
                    yield variable, slot_name, optimizer.get_slot(variable, slot_name)
                except KeyError:
                    continue


def save(model: Any, path: str, session: Any) -> None:
    """Saves a model's weights, and its optimizer's.

    Args:
      model: the model.
      path: the prefix of the checkpoint.
      session: the session that the variables are in.
    """
    if context.executing_eagerly():
        util.saver_with_op_caching(model).save(path)
        _note_latest(path)
        return
    paths = _paths(model)
    objects = [obj for obj, _ in paths.values()]
    number = {id(obj): i for i, obj in enumerate(objects)}
    graph = protos.TrackableObjectGraph()
    for obj in objects:
        node = graph.nodes.add()
        for name, child in _children(obj):
            node.children.add(node_id=number[id(child)], local_name=name)
    variables: list[tuple[str, Any]] = []

    def put(node: Any, variable: Any, way: str) -> None:
        key = f"{way}/.ATTRIBUTES/{_VALUE}"
        node.attributes.add(name=_VALUE, full_name=variable.op.name, checkpoint_key=key)
        variables.append((key, variable))

    for i, obj in enumerate(objects):
        if isinstance(obj, variables_lib.Variable):
            put(graph.nodes[i], obj, paths[id(obj)][1])
    for i, obj in enumerate(objects):
        if isinstance(obj, OptimizerV2):
            for variable, slot_name, slot in _slots(obj, objects):
                graph.nodes[i].slot_variables.add(
                    original_variable_node_id=number[id(variable)],
                    slot_name=slot_name,
                    slot_variable_node_id=len(graph.nodes),
                )
                way = f"{paths[id(variable)][1]}/.OPTIMIZER_SLOT/{paths[id(obj)][1]}"
                put(graph.nodes.add(), slot, f"{way}/{_escaped(slot_name)}")
    values = session.run([variable for _, variable in variables])
    with bundle.Writer(path) as writer:
        writer.add(_OBJECT_GRAPH, np.array(graph.SerializeToString(), object))
        for (key, _), value in zip(variables, values, strict=True):
            writer.add(key, np.asarray(value))
        writer.finish()
    _note_latest(path)


def _note_latest(path: str) -> None:
    checkpoint_management.update_checkpoint_state_internal(
        save_dir=os.path.dirname(path), model_checkpoint_path=path, save_relative_paths=True,
        all_model_checkpoint_paths=[path],
    )  # fmt: skip


def is_checkpoint(path: str) -> bool:
    """Whether there is a checkpoint of that prefix."""
    return os.path.exists(bundle.index_name(path))


class LoadStatus:
    """What was loaded from a checkpoint.

    Args:
      unused: keys that no variable was loaded from.
      unmatched: variables that there is nothing for.
    """

    def __init__(self, unused: list[str], unmatched: list[Any]):
        self._unused = unused
        self._unmatched = unmatched

    def assert_existing_objects_matched(self) -> LoadStatus:
        """Raises AssertionError if there was nothing for a variable."""
        if self._unmatched:
            raise AssertionError(f"No checkpoint value for: {self._unmatched}")
        return self

    def assert_consumed(self) -> LoadStatus:
        """Raises AssertionError if something was not used, too."""
        if self._unused:
            raise AssertionError(f"Unresolved keys in checkpoint: {self._unused}")
        return self.assert_existing_objects_matched()

    assert_nontrivial_match = assert_existing_objects_matched

    def expect_partial(self) -> LoadStatus:
        """Has no effect: no warnings are logged."""
        return self

    def initialize_or_restore(self, session: Any = None) -> None:
        """Has no effect: values are loaded at once."""

    def run_restore_ops(self, session: Any = None) -> None:
        """Has no effect: values are loaded at once."""


def restore(model: Any, path: str, session: Any) -> Any:
    """Loads what `save` saved into the variables that are reached by the same names.

    Args:
      model: the model.
      path: the prefix of the checkpoint.
      session: the session that the variables are in.

    Raises:
      NotImplementedError: the model has no variables yet, or the checkpoint is not of objects.
    """
    if context.executing_eagerly():
        return util.saver_with_op_caching(model).restore(path)
    reader = bundle.Reader(path)
    if not reader.has(_OBJECT_GRAPH):
        raise NotImplementedError(
            f"{path} is no checkpoint of objects: load it with tf.train.Saver."
        )
    if not model.weights:
        raise NotImplementedError(
            "tf1compat loads checkpoints into models that have their variables: build the model "
            "(or call it on data) first."
        )
    graph = protos.TrackableObjectGraph.FromString(reader.get(_OBJECT_GRAPH).item())
    matched: dict[int, Any] = {0: model}
    queue = collections.deque([0])
    while queue:
        i = queue.popleft()
        named = dict(_children(matched[i]))
        for child in graph.nodes[i].children:
            if child.node_id not in matched and child.local_name in named:
                matched[child.node_id] = named[child.local_name]
                queue.append(child.node_id)
    for i, obj in list(matched.items()):
        if isinstance(obj, OptimizerV2):
            for slot in graph.nodes[i].slot_variables:
                variable = matched.get(slot.original_variable_node_id)
                try:
                    matched[slot.slot_variable_node_id] = obj.get_slot(variable, slot.slot_name)
                except (KeyError, AttributeError):
                    continue
    values: list[tuple[Any, Any]] = []
    unused: list[str] = []
    for i, node in enumerate(graph.nodes):
        for attribute in node.attributes:
            if isinstance(matched.get(i), variables_lib.Variable) and attribute.name == _VALUE:
                values.append((matched[i], reader.get(attribute.checkpoint_key)))
            else:
                unused.append(attribute.checkpoint_key)
    backend.batch_set_value(values)
    loaded = {id(variable) for variable, _ in values}
    return LoadStatus(unused, [v for v in model.weights if id(v) not in loaded])
