"""Restoring a checkpoint, and what can be asked of it then (parts of
`tensorflow.python.training.tracking.util`)."""

from __future__ import annotations

import collections
import weakref
from collections.abc import Iterator
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.client import pywrap_tensorflow
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.training.saver import Saver
from tf1compat.api.training.saving import functional_saver, saveable_object_util
from tf1compat.api.training.tracking import base
from tf1compat.api.util.deprecation import deprecated
from tf1compat.core import export, ops, raw_ops


def get_session() -> Any:
    """The default session, or Keras's."""
    return ops.get_default_session() or export.required("keras.backend.get_session")()


def _node_names(graph: Any) -> dict[int, str]:
    """The objects of a checkpoint by the way that leads to them."""
    paths: dict[int, tuple[str, ...]] = {0: ("(root)",)}
    queue = collections.deque([0])
    while queue:
        current = queue.popleft()
        for child in graph.nodes[current].children:
            if child.node_id not in paths:
                paths[child.node_id] = (*paths[current], child.local_name)
                queue.append(child.node_id)
    names = {node: ".".join(path) for node, path in paths.items()}
    for node, proto in enumerate(graph.nodes):
        for slot in proto.slot_variables:
            names[slot.slot_variable_node_id] = (
                f"{names[node]}'s state '{slot.slot_name}' for "
                f"{names[slot.original_variable_node_id]}"
            )
    return names


def _warn(coordinator: Any, object_graph: Any, matched: Any, unused: Any) -> None:
    """Says what of a checkpoint was not used, when it is forgotten."""
    if coordinator["expect_partial"]:
        return
    names = _node_names(object_graph)
    lines = [
        f"Unresolved object in checkpoint: {names[node]}"
        for node in range(len(object_graph.nodes))
        if node not in matched
    ]
    lines += [
        f"Unused attribute in object {names[node]}: {attributes}"
        for node, attributes in unused.items()
    ]
    for line in lines:
        logging.warning(line)
    if lines:
        logging.warning(
            "A checkpoint was restored (e.g. tf.train.Checkpoint.restore or "
            "tf.keras.Model.load_weights) but not all checkpointed values were used. See above for "
            "specific issues. Use expect_partial() on the load status object, e.g. "
            "tf.train.Checkpoint.restore(...).expect_partial(), to silence these warnings, or use "
            "assert_consumed() to make the check explicit. See "
            "https://www.tensorflow.org/alpha/guide/checkpoints#loading_mechanics for details."
        )


class CheckpointRestoreCoordinator:
    """A restoration: which objects have their values, and what still waits.

    Args:
      object_graph_proto: the objects of the checkpoint.
      save_path: the checkpoint.
      save_path_tensor: the same as a tensor.
      restore_op_cache: a dict: key -> the operation that restores it.
      graph_view: the objects of the program.
    """

    def __init__(
        self, object_graph_proto: Any, save_path: str, save_path_tensor: Any,
        restore_op_cache: dict[str, Any], graph_view: Any,
    ):  # fmt: skip
        self.object_graph_proto = object_graph_proto
        self.restore_uid = ops.uid()
        self.unused_attributes: dict[int, list[str]] = {}
        self.object_by_proto_id: Any = weakref.WeakValueDictionary()
        self.matched_proto_ids: set[int] = set()
        self.all_python_objects = base.IdentityDict()
        self.save_path_tensor = save_path_tensor
        self.save_path_string = save_path
        self.dtype_map = pywrap_tensorflow.NewCheckpointReader(
            save_path
        ).get_variable_to_dtype_map()
        self.restore_ops: list[Any] = []
        self.restore_ops_by_name = restore_op_cache
        self.graph_view = graph_view
        self.new_restore_ops_callback: Any = None
        self.deferred_slot_restorations: dict[int, list[Any]] = {}
        self.slot_restorations: dict[int, list[Any]] = {}
        for i, node in enumerate(object_graph_proto.nodes):
            for slot in node.slot_variables:
                waiting = self.slot_restorations.setdefault(slot.original_variable_node_id, [])
                waiting.append(
                    base.SlotVariableRestoration(i, slot.slot_variable_node_id, slot.slot_name)
                )
        self._settings = {"expect_partial": False}
        self._finalizer = weakref.finalize(
            self,
            _warn,
            self._settings,
            object_graph_proto,
            self.matched_proto_ids,
            self.unused_attributes,
        )

    def set_expect_partial(self) -> None:
        """Nothing is to be said of what isn't used."""
        self._settings["expect_partial"] = True

    def new_restore_ops(self, new_ops: Any) -> None:
        """Takes operations that restore."""
        self.restore_ops.extend(new_ops)
        if self.new_restore_ops_callback:
            self.new_restore_ops_callback(new_ops)

    def restore_saveables(self, tensor_saveables: Any, python_saveables: Any) -> list[Any]:
        """Restores objects: eagerly at once, else by the operations returned."""
        if python_saveables:
            reader = pywrap_tensorflow.NewCheckpointReader(self.save_path_string)
            for saveable in python_saveables:
                saveable.python_restore([reader.get_tensor(s.name) for s in saveable.specs])
        if not tensor_saveables:
            return []
        saveables = saveable_object_util.validate_and_slice_inputs(tensor_saveables)
        saver = functional_saver.MultiDeviceSaver(saveables)
        made = saver.restore(self.save_path_tensor)
        if ops.executing_eagerly():
            return []
        self.restore_ops_by_name.update(made)
        return [made[name] for name in sorted(made)]


class NameBasedRestoreCoordinator:
    """The restoration of a checkpoint that `tf.train.Saver` wrote.

    Args:
      save_path: the checkpoint.
      dtype_map: its dtypes, in eager mode.
    """

    def __init__(self, save_path: str, dtype_map: Any = None):
        self.save_path = save_path
        self.dtype_map = dtype_map
        self.unused_attributes = base.IdentityDict()
        self.restore_uid = ops.uid()

    def globally_named_object_attributes(self, trackable: Any) -> Iterator[Any]:
        """The `SaveableObject`s of an object by their names in a graph."""
        for name, factory in trackable._gather_saveables_for_checkpoint().items():
            saveable: Any = factory
            if callable(factory):
                try:
                    saveable = factory()
                except TypeError:
                    # Its name is that of a place among objects.
                    if not factory("").optional_restore:  # pyright: ignore
                        self.unused_attributes.setdefault(trackable, []).append(name)
                    continue
            by_name = saveable_object_util.op_list_to_dict(
                [saveable], convert_variable_to_tensor=False
            )
            for full_name, op in by_name.items():
                yield from saveable_object_util.saveable_objects_for_op(op, full_name)

    def eager_restore(self, trackable: Any) -> None:
        """Restores an object in eager mode."""
        for saveable in self.globally_named_object_attributes(trackable):
            if any(spec.name not in self.dtype_map for spec in saveable.specs):
                self.unused_attributes.setdefault(trackable, []).append(saveable.name)
                continue
            values = []
            for spec in saveable.specs:
                with ops.device("cpu:0"):
                    (value,) = raw_ops.RestoreV2(
                        self.save_path,
                        [spec.name],
                        [""],
                        [self.dtype_map[spec.name]],
                        name=f"{spec.name}_checkpoint_read",
                    )
                values.append(array_ops.identity(value))
            saveable.restore(restored_tensors=values, restored_shapes=None)


class _LoadStatus:
    """What became of a restoration.

    Args:
      graph_view: the objects of the program.
    """

    def __init__(self, graph_view: Any):
        self._graph_view = graph_view
        self._root = graph_view.root

    def expect_partial(self) -> Any:
        """Nothing is said of what isn't used."""
        return self


class CheckpointLoadStatus(_LoadStatus):
    """What became of the restoration of a checkpoint of objects.

    Args:
      checkpoint: the restoration.
      feed_dict: what is fed to the operations that restore.
      graph_view: the objects of the program.
    """

    def __init__(self, checkpoint: Any, feed_dict: Any, graph_view: Any):
        super().__init__(graph_view)
        self._checkpoint = checkpoint
        self._feed_dict = feed_dict

    def assert_consumed(self) -> Any:
        """Everything of the checkpoint was used, and all objects of the program have values.

        Raises:
          AssertionError: it isn't so.
        """
        checkpoint = self._checkpoint
        names = _node_names(checkpoint.object_graph_proto)
        self.assert_existing_objects_matched()
        for node_id, node in enumerate(checkpoint.object_graph_proto.nodes):
            if checkpoint.object_by_proto_id.get(node_id) is None:
                raise AssertionError(f"Unresolved object in checkpoint {names[node_id]}: {node}")
        if checkpoint.slot_restorations:
            raise AssertionError(f"Unresolved slot restorations: {checkpoint.slot_restorations}")
        if checkpoint.unused_attributes:
            lines = [
                f"{names[node_id]} ({checkpoint.object_by_proto_id[node_id]}): {attributes}"
                for node_id, attributes in checkpoint.unused_attributes.items()
            ]
            raise AssertionError(
                "Unused attributes in these objects (the attributes exist in the checkpoint but "
                "were not restored):\n" + "\n".join(lines)
            )
        return self

    def _unmatched(self, but_empty: bool) -> list[Any]:
        """The objects of the program that no object of the checkpoint stands for."""
        objects = self._checkpoint.all_python_objects
        for obj in self._graph_view.list_objects():
            if but_empty and _is_empty_structure(obj):
                continue
            objects.setdefault(obj, None)
        matched = {id(obj) for obj in self._checkpoint.object_by_proto_id.values()}
        return [obj for obj, _ in objects.items() if id(obj) not in matched]

    def assert_existing_objects_matched(self) -> Any:
        """All objects of the program have values.

        Raises:
          AssertionError: it isn't so.
        """
        checkpoint = self._checkpoint
        for node_id, node in enumerate(checkpoint.object_graph_proto.nodes):
            trackable = checkpoint.object_by_proto_id.get(node_id)
            if trackable is not None and trackable._update_uid < checkpoint.restore_uid:
                raise AssertionError(f"Object not assigned a value from checkpoint: {node}")
        unmatched = self._unmatched(but_empty=True)
        if unmatched:
            raise AssertionError(
                "Some Python objects were not bound to checkpointed values, likely due to changes "
                f"in the Python program: {unmatched}"
            )
        return self

    def assert_nontrivial_match(self) -> Any:
        """Something besides the outermost object was restored.

        Raises:
          AssertionError: it isn't so.
        """
        unmatched = self._unmatched(but_empty=False)
        if len(self._checkpoint.object_by_proto_id) <= 1:
            if unmatched:
                raise AssertionError(
                    "Nothing except the root object matched a checkpointed value. Typically this "
                    "means that the checkpoint does not match the Python program. The following "
                    f"objects have no matching checkpointed value: {unmatched}"
                )
            raise AssertionError(
                f"Nothing to load. No dependencies have been added to {self._graph_view.root} yet."
            )
        return self

    def run_restore_ops(self, session: Any = None) -> None:
        """Runs what restores."""
        if not ops.executing_eagerly():
            (session or get_session()).run(self._checkpoint.restore_ops, feed_dict=self._feed_dict)

    def initialize_or_restore(self, session: Any = None) -> None:
        """Runs what restores, and the initializers of variables that have no values."""
        if ops.executing_eagerly():
            return
        session = session or get_session()
        restored = {id(obj) for obj in self._checkpoint.object_by_proto_id.values()}
        initializers = [
            obj.initializer
            for obj in self._graph_view.list_objects()
            if hasattr(obj, "initializer")
            and id(obj) not in restored
            and obj._update_uid < self._checkpoint.restore_uid
        ]
        self.run_restore_ops(session=session)
        session.run(initializers)

    def expect_partial(self) -> Any:
        self._checkpoint.set_expect_partial()
        return self


def _is_empty_structure(obj: Any) -> bool:
    """Whether an object is a list or dict with nothing to be restored in it."""
    return isinstance(obj, list | dict) and not obj._checkpoint_dependencies  # pyright: ignore


class InitializationOnlyStatus(_LoadStatus):
    """What became of no checkpoint: everything is initialized.

    Args:
      graph_view: the objects of the program.
      restore_uid: the number of the restoration.
    """

    def __init__(self, graph_view: Any, restore_uid: int):
        super().__init__(graph_view)
        self._restore_uid = restore_uid

    def assert_consumed(self) -> Any:
        """Fails."""
        raise AssertionError("No checkpoint specified (save_path=None); nothing is being restored.")

    assert_existing_objects_matched = assert_consumed
    assert_nontrivial_match = assert_consumed

    def run_restore_ops(self, session: Any = None) -> None:
        """Fails."""
        raise AssertionError(
            "No checkpoint specified, so no restore ops are available (save_path=None to "
            "Saver.restore)."
        )

    def initialize_or_restore(self, session: Any = None) -> None:
        """Runs the initializers."""
        if ops.executing_eagerly():
            return
        initializers = [
            obj.initializer
            for obj in self._graph_view.list_objects()
            if getattr(obj, "initializer", None) is not None and obj._update_uid < self._restore_uid
        ]
        (session or get_session()).run(initializers)


class NameBasedSaverStatus(_LoadStatus):
    """What became of the restoration of a checkpoint of names.

    Args:
      checkpoint: the restoration.
      graph_view: the objects of the program.
    """

    @deprecated(
        None,
        "Restoring a name-based tf.train.Saver checkpoint using the object-based restore API. This "
        "mode uses global names to match variables, and so is somewhat fragile. It also adds new "
        "restore ops to the graph each time it is called when graph building. Prefer re-encoding "
        "training checkpoints in the object-based format: run save() on the object-based saver "
        "(the same one this message is coming from) and use that checkpoint in the future.",
        module="tensorflow.python.training.tracking.util",
    )
    def __init__(self, checkpoint: Any, graph_view: Any):
        super().__init__(graph_view)
        self._checkpoint = checkpoint

    def assert_consumed(self) -> Any:
        """All objects have values.

        Raises:
          AssertionError: it isn't so.
        """
        unused = [f"\n    {obj}: {a}" for obj, a in self._checkpoint.unused_attributes.items()]
        if unused:
            raise AssertionError(
                f"Some objects had attributes which were not restored:{''.join(unused)}"
            )
        for obj in self._graph_view.list_objects():
            if obj._update_uid < self._checkpoint.restore_uid:
                raise AssertionError(f"Object not restored: {obj}")
        return self

    def assert_existing_objects_matched(self) -> Any:
        """As `assert_consumed`."""
        return self.assert_consumed()

    def assert_nontrivial_match(self) -> Any:
        """As `assert_consumed`."""
        return self.assert_consumed()

    def run_restore_ops(self, session: Any = None) -> None:
        """Restores by a `tf.train.Saver`."""
        if ops.executing_eagerly():
            return
        found: list[Any] = []
        with ops.device("/cpu:0"):
            for obj in self._graph_view.list_objects():
                if obj._update_uid < self._checkpoint.restore_uid:
                    obj._update_uid = self._checkpoint.restore_uid
                    found += self._checkpoint.globally_named_object_attributes(obj)
            Saver(found).restore(
                sess=session or get_session(), save_path=self._checkpoint.save_path
            )

    def initialize_or_restore(self, session: Any = None) -> None:
        """As `run_restore_ops`."""
        self.run_restore_ops(session=session)
