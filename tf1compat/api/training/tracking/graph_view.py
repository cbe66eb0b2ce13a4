"""`tensorflow.python.training.tracking.graph_view`: the objects that one leads to, as a checkpoint
keeps them."""

from __future__ import annotations

import collections
import contextlib
import weakref
from typing import Any

from tf1compat.api.training.saving import saveable_object, saveable_object_util
from tf1compat.api.training.tracking import base, tracking
from tf1compat.core import dtypes, ops, protos

_OPTIMIZER_SLOTS_NAME = ".OPTIMIZER_SLOT"
_OBJECT_ATTRIBUTES_NAME = ".ATTRIBUTES"


def _escape_local_name(name: str) -> str:
    """A name that has no slash."""
    return name.replace(".", "..").replace("/", ".S")


class ObjectGraphView:
    """The objects that one depends on.

    Args:
      root: the object, or a weak reference to it.
      saveables_cache: an `IdentityDict` that keeps `SaveableObject`s; None for none.
    """

    def __init__(self, root: Any, saveables_cache: Any = None):
        self._root_ref = root
        self._saveables_cache = saveables_cache

    @property
    def root(self) -> Any:
        """The object."""
        if not isinstance(self._root_ref, weakref.ref):
            return self._root_ref
        root = self._root_ref()
        assert root is not None
        return root

    @property
    def saveables_cache(self) -> Any:
        """The `SaveableObject`s kept."""
        return self._saveables_cache

    def list_dependencies(self, obj: Any) -> Any:
        """What an object depends on."""
        obj._maybe_initialize_trackable()
        return obj._checkpoint_dependencies

    def _breadth_first_traversal(self) -> tuple[list[Any], base.IdentityDict]:
        """All objects, those near first, and the names that lead to each."""
        found: list[Any] = []
        queue = collections.deque([self.root])
        paths = base.IdentityDict()
        paths[self.root] = ()
        while queue:
            current = queue.popleft()
            if isinstance(current, tracking.NotTrackable):
                raise NotImplementedError(
                    f"The object {current} does not support object-based saving. File a feature "
                    "request if this limitation bothers you. In the meantime, you can remove the "
                    "dependency on this object and save everything else."
                )
            found.append(current)
            for name, dependency in self.list_dependencies(current):
                if dependency not in paths:
                    paths[dependency] = (*paths[current], name)
                    queue.append(dependency)
        return found, paths

    def _numbered(self) -> tuple[list[Any], base.IdentityDict, base.IdentityDict, Any]:
        """All objects and slots, their numbers and names, and the protos of the slots."""
        objects, paths = self._breadth_first_traversal()
        names, numbers = base.IdentityDict(), base.IdentityDict()
        for obj, path in paths.items():
            names[obj] = "/".join(map(_escape_local_name, path))
        for i, obj in enumerate(objects):
            numbers[obj] = i
        slots = base.IdentityDict()
        non_slots = list(objects)
        for obj in non_slots:
            if hasattr(obj, "_create_or_restore_slot_variable"):
                self._number_slots(obj, non_slots, objects, numbers, names, slots)
        return objects, numbers, names, slots

    def _number_slots(
        self, optimizer: Any, non_slots: list[Any], objects: list[Any], numbers: Any, names: Any,
        slots: Any,
    ) -> None:  # fmt: skip
        """Adds the slots of an optimizer."""
        proto = protos.TrackableObjectGraph.TrackableObject.SlotVariableReference
        for slot_name in optimizer.get_slot_names():
            for variable_id, variable in enumerate(non_slots):
                try:
                    slot = optimizer.get_slot(variable, slot_name)
                except (AttributeError, KeyError):
                    continue
                if slot is None:
                    continue
                if slot._checkpoint_dependencies:
                    raise NotImplementedError(
                        "Currently only variables with no dependencies can be saved as slot "
                        "variables. File a feature request if this limitation bothers you."
                    )
                if slot in numbers:
                    raise NotImplementedError(
                        "A slot variable was re-used as a dependency of a Trackable object. This "
                        "is not currently allowed. File a feature request if this limitation "
                        "bothers you."
                    )
                names[slot] = (
                    f"{names[variable]}/{_OPTIMIZER_SLOTS_NAME}/{names[optimizer]}/"
                    f"{_escape_local_name(slot_name)}"
                )
                numbers[slot] = len(objects)
                objects.append(slot)
                slots.setdefault(optimizer, []).append(
                    proto(
                        slot_name=slot_name,
                        original_variable_node_id=variable_id,
                        slot_variable_node_id=numbers[slot],
                    )
                )

    def objects_ids_and_slot_variables(self) -> tuple[list[Any], base.IdentityDict, Any]:
        """All objects and slots, their numbers, and the protos of each optimizer's slots."""
        objects, numbers, _, slots = self._numbered()
        return objects, numbers, slots

    def serialize_object_graph(self, object_map: Any = None) -> tuple[list[Any], Any, Any]:
        """What a checkpoint holds.

        Args:
          object_map: an `IdentityDict` of objects that are saved in the place of others.

        Returns:
          The `SaveableObject`s, the proto of the objects, and what is fed when they are saved.
        """
        objects, numbers, names, slots = self._numbered()
        graph = protos.TrackableObjectGraph()
        for obj in objects:
            node = graph.nodes.add()
            node.slot_variables.extend(slots.get(obj, ()))
            for child in self.list_dependencies(obj):
                node.children.add(node_id=numbers[child.ref], local_name=child.name)
        feeds = None if self._saveables_cache is None else {}
        saveables: list[Any] = []
        for obj, node in zip(objects, graph.nodes, strict=True):
            name = names[obj]
            if object_map is not None:
                obj = object_map.get(obj, obj)
            self._add_attributes(obj, node, name, saveables, feeds)
        return saveables, graph, feeds

    def _add_attributes(
        self, obj: Any, node: Any, object_name: str, found: list[Any], feeds: Any
    ) -> None:
        """Adds what a checkpoint holds of an object itself."""
        cached = None
        if self._saveables_cache is not None:
            cached = self._saveables_cache.setdefault(obj, {})
        for name, factory in obj._gather_saveables_for_checkpoint().items():
            key = f"{object_name}/{_OBJECT_ATTRIBUTES_NAME}/{_escape_local_name(name)}"
            attribute = node.attributes.add(name=name, checkpoint_key=key)
            saveables = None if cached is None else cached.get(name)
            if saveables and any(key not in saveable.name for saveable in saveables):
                saveables = None
            if saveables is None:
                saveables = _made(factory, key)
                if cached is not None:
                    cached[name] = saveables
            for saveable in saveables:
                if hasattr(saveable, "full_name"):
                    attribute.full_name = saveable.full_name
                if isinstance(saveable, base.PythonStateSaveable):
                    if feeds is None:
                        saveable = saveable.freeze()
                    else:
                        feeds.update(saveable.feed_dict_additions())
                found.append(saveable)
            optional = [saveable.optional_restore for saveable in saveables]
            if optional and all(optional):
                # The field `optional_restore` of TF 1.15, which newer protos don't have.
                attribute.MergeFromString(b"\x20\x01")

    def frozen_saveable_objects(self, object_map: Any = None, to_graph: Any = None) -> list[Any]:
        """The `SaveableObject`s, with the proto of the objects as it is now.

        Args:
          object_map: see `serialize_object_graph`.
          to_graph: the graph that they are recorded in; the default one by default.
        """
        with contextlib.nullcontext() if to_graph is None else to_graph.as_default():
            saveables, graph, _ = self.serialize_object_graph(object_map)
            with ops.device("/cpu:0"):
                text = ops.convert_to_tensor(
                    graph.SerializeToString(), dtype=dtypes.string, name="Const"
                )
        return [*saveables, base.NoRestoreSaveable(text, base.OBJECT_GRAPH_PROTO_KEY)]

    def list_objects(self) -> list[Any]:
        """All objects, and the slots."""
        return self._numbered()[0]


def _made(factory: Any, key: str) -> tuple[Any, ...]:
    """The `SaveableObject`s of an attribute."""
    made = factory(name=key) if callable(factory) else factory
    if isinstance(made, saveable_object.SaveableObject):
        return (made,)
    (full_name,) = saveable_object_util.op_list_to_dict(
        [made], convert_variable_to_tensor=False
    ).keys()
    saveables = tuple(saveable_object_util.saveable_objects_for_op(made, key))
    for saveable in saveables:
        saveable.full_name = full_name
    return saveables
