"""`tf.saved_model.load_v2`: an object with its variables, files and functions, from a folder."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from tf1compat.api.array import constant_op
from tf1compat.api.distribute.values import is_distributed_variable
from tf1compat.api.functions.concrete_function import ConcreteFunction
from tf1compat.api.saved_model import (
    function_deserialization,
    load_v1_in_v2,
    loader_impl,
    nested_structure_coder,
    revived_types,
    utils_impl,
)
from tf1compat.api.training.tracking import base, graph_view, tracking, util
from tf1compat.api.variables import resource_variable_ops, variable_base
from tf1compat.core import nest, ops, tensor_util
from tf1compat.core.export import tf_export

Setter = Callable[[Any, str, Any], None]


class Loader:
    """Makes the objects that a SavedModel describes.

    Args:
      object_graph_proto: the `SavedObjectGraph`.
      saved_model_proto: the `SavedModel`.
      export_dir: its folder.
    """

    def __init__(self, object_graph_proto: Any, saved_model_proto: Any, export_dir: Any):
        meta_graph = saved_model_proto.meta_graphs[0]
        self._asset_file_def = meta_graph.asset_file_def
        self._operation_attributes = {n.name: n.attr for n in meta_graph.graph_def.node}
        self._proto = object_graph_proto
        self._export_dir = export_dir
        self._concrete_functions = function_deserialization.load_function_def_library(
            meta_graph.graph_def.library
        )
        self._nodes: list[Any] = []
        self._load_all()
        self._set_up_functions()
        self._restore_checkpoint()
        for node in self._nodes:
            if isinstance(node, tracking.CapturableResource):
                initialized = node._initialize()
                if not ops.executing_eagerly():
                    ops.add_to_collection(ops.GraphKeys.TABLE_INITIALIZERS, initialized)

    def get(self, node_id: int) -> Any:
        """The object of a number."""
        return self._nodes[node_id]

    # Functions.

    def _set_up_functions(self) -> None:
        """Gives functions the structure of their arguments and results, and what they capture.

        What a function captures may be a resource that another function makes, so all have their
        structure first.
        """
        coder = nested_structure_coder.StructureCoder()
        saved = sorted(self._proto.concrete_functions.items())
        for name, proto in saved:
            graph = self._concrete_functions[name].graph
            graph.structured_outputs = coder.decode_proto(proto.output_signature)
            graph.structured_input_signature = coder.decode_proto(
                proto.canonicalized_input_signature
            )
        for name, proto in saved:
            self._capture(self._concrete_functions[name], proto.bound_inputs)

    def _capture(self, function: ConcreteFunction, node_ids: Any) -> None:
        """Makes the last inputs of a function what it captures of objects."""
        if not node_ids:
            return
        copies = {
            place: self._nodes[node_id]
            for place, node_id in enumerate(node_ids)
            if is_distributed_variable(self._nodes[node_id])
        }
        function._captured_copies = copies
        tensors = [
            copies[place].primary.handle if place in copies else self._tensor_of(node_id)
            for place, node_id in enumerate(node_ids)
        ]
        graph = function.graph
        function._captured_inputs = tensors
        graph.variables = [
            self._nodes[node_id]
            for node_id in node_ids
            if self._proto.nodes[node_id].WhichOneof("kind") == "variable"
        ]
        inner = function.inputs[-len(tensors) :]
        for placeholder, tensor in zip(inner, tensors):
            placeholder._handle_data = tensor._handle_data
        graph.reset_captures(zip(tensors, inner))

    def _tensor_of(self, node_id: int) -> ops.Tensor:
        """The tensor of an object that functions capture.

        Raises:
          ValueError: there is none.
        """
        with ops.init_scope():
            obj = self._nodes[node_id]
            if resource_variable_ops.is_resource_variable(obj):
                return obj.handle
            if isinstance(obj, tracking.TrackableAsset):
                return obj.asset_path
            if isinstance(obj, ops.Tensor):
                return obj
            if isinstance(obj, tracking.CapturableResource):
                return obj.resource_handle
        raise ValueError(f"Can't convert node {type(obj)} to tensor")

    # Objects.

    def _load_all(self) -> None:
        """Makes all objects, and gives them those that they depend on."""
        protos = self._proto.nodes
        slots = {slot.slot_variable_node_id for proto in protos for slot in proto.slot_variables}
        made: dict[int, tuple[Any, Setter]] = {
            i: self._recreate(proto) for i, proto in enumerate(protos) if i not in slots
        }
        # An optimizer makes its slots.
        for i, proto in enumerate(protos):
            for slot in proto.slot_variables:
                variable, _ = made[slot.original_variable_node_id]
                optimizer, _ = made[i]
                created = optimizer.add_slot(var=variable, slot_name=slot.slot_name)
                made[slot.slot_variable_node_id] = created, setattr
        self._nodes = [made[i][0] for i in range(len(protos))]
        for i, proto in enumerate(protos):
            obj, setter = made[i]
            for child in proto.children:
                setter(obj, child.local_name, made[child.node_id][0])
                # Python looks for it in the class, of which there is one for each object.
                if child.local_name == "__call__" and not callable(obj):
                    type(obj).__call__ = _call_attribute

    def _restore_checkpoint(self) -> None:
        """Restores the variables; in a graph this is what initializes them."""
        path = utils_impl.get_variables_path(self._export_dir)
        saver = util.TrackableSaver(graph_view.ObjectGraphView(self.get(0)))
        with ops.device("CPU"):
            saver._file_prefix_placeholder = constant_op.constant(path)
        status = saver.restore(path)
        status.assert_existing_objects_matched()
        checkpoint = status._checkpoint
        for number, obj in dict(checkpoint.object_by_proto_id).items():
            restore_ops = base.CheckpointPosition(checkpoint, number).restore_ops()
            if not restore_ops:
                continue
            if not resource_variable_ops.is_resource_variable(obj):
                raise NotImplementedError(
                    f"Missing functionality to restore state of object {obj!r} from the checkpoint."
                )
            obj._initializer_op = restore_ops

    def _recreate(self, proto: Any) -> tuple[Any, Setter]:
        """An object, and what gives it those that it depends on.

        Raises:
          ValueError: it is of a kind that TF 1.15 doesn't have.
        """
        kind = proto.WhichOneof("kind")
        makers: dict[Any, Callable[[Any], tuple[Any, Setter]]] = {
            "user_object": self._recreate_user_object,
            "asset": self._recreate_asset,
            "function": self._recreate_function,
            "bare_concrete_function": self._recreate_bare_concrete_function,
            "variable": self._recreate_variable,
            "constant": self._recreate_constant,
            "resource": self._recreate_resource,
        }
        if kind not in makers:
            raise ValueError(f"Unknown SavedObject type: {kind!r}")
        return makers[kind](getattr(proto, kind))

    def _recreate_user_object(self, proto: Any) -> tuple[Any, Setter]:
        return revived_types.deserialize(proto) or self._recreate_base_user_object(proto)

    def _recreate_base_user_object(self, proto: Any) -> tuple[Any, Setter]:
        class _UserObject(tracking.AutoTrackable):
            pass

        return _UserObject(), setattr

    def _recreate_asset(self, proto: Any) -> tuple[Any, Setter]:
        folder = utils_impl.get_assets_dir(self._export_dir)
        name = self._asset_file_def[proto.asset_file_def_index].filename
        return tracking.TrackableAsset(os.path.join(folder, name)), setattr

    def _recreate_function(self, proto: Any) -> tuple[Any, Setter]:
        made = function_deserialization.recreate_function(proto, self._concrete_functions)
        return made, setattr

    def _recreate_bare_concrete_function(self, proto: Any) -> tuple[Any, Setter]:
        made = function_deserialization.setup_bare_concrete_function(
            proto, self._concrete_functions
        )
        return made, setattr

    def _recreate_variable(self, proto: Any) -> tuple[Any, Setter]:
        synchronization, aggregation, trainable = (
            variable_base.validate_synchronization_aggregation_trainable(
                variable_base.VariableSynchronization(proto.synchronization),
                variable_base.VariableAggregation(proto.aggregation),
                proto.trainable,
                name=proto.name or "<variable loaded from saved model>",
            )
        )

        def create(next_creator: Callable[..., Any], **kwargs: Any) -> Any:
            return resource_variable_ops.UninitializedVariable(**kwargs)

        # Creators of strategies come before this one.
        with ops.get_default_graph()._variable_creator_scope(create, priority=50):
            made = variable_base.Variable(
                shape=proto.shape,
                dtype=proto.dtype,
                name=proto.name or None,
                trainable=trainable,
                synchronization=synchronization,
                aggregation=aggregation,
            )
        return made, setattr

    def _recreate_constant(self, proto: Any) -> tuple[Any, Setter]:
        value = self._operation_attributes[proto.operation]["value"].tensor
        return constant_op.constant(tensor_util.MakeNdarray(value)), setattr

    def _recreate_resource(self, proto: Any) -> tuple[Any, Setter]:
        return _RestoredResource(device=proto.device), setattr


class _RestoredResource(tracking.TrackableResource):
    """A table of a SavedModel; its methods are functions of the SavedModel."""

    def _create_resource(self) -> Any:
        raise RuntimeError

    def _initialize(self) -> Any:
        raise RuntimeError

    def _list_functions_for_serialization(self, serialization_cache: Any) -> dict[str, Any]:
        names = ("_create_resource", "_initialize", "_destroy_resource")
        return {name: getattr(self, name) for name in names if hasattr(self, name)}


def _call_attribute(instance: Any, *args: Any, **kwargs: Any) -> Any:
    return vars(instance)["__call__"](*args, **kwargs)


@tf_export("saved_model.load_v2", "compat.v2.saved_model.load")
def load(export_dir: Any, tags: Any = None) -> Any:
    """Loads a SavedModel as an object, as `tf.compat.v2.saved_model.load` in TF 1.15.

    Args:
      export_dir: the folder.
      tags: the tags of the meta graph, or one; needed if there are several meta graphs.

    Returns:
      An object that has the attributes of the one that was saved, and `signatures`, a dict of
      functions. Of a SavedModel of a session it has `signatures`, `variables`, `graph`, `prune`.

    Raises:
      OSError: there is no SavedModel.
      ValueError: it has no meta graph with these tags.
    """
    return load_internal(export_dir, tags)


def load_internal(export_dir: Any, tags: Any = None, loader_cls: type[Loader] = Loader) -> Any:
    """As `load`, by a loader of another class."""
    if tags is not None and not isinstance(tags, set):
        tags = nest.flatten(tags)
    saved_model = loader_impl.parse_saved_model(export_dir)
    meta_graph = saved_model.meta_graphs[0]
    if len(saved_model.meta_graphs) != 1 or not meta_graph.HasField("object_graph_def"):
        with ops.init_scope():
            return load_v1_in_v2.load(export_dir, tags)
    info = meta_graph.meta_info_def
    if tags is not None and set(tags) != set(info.tags):
        raise ValueError(
            f"The SavedModel at {export_dir} has one MetaGraph with tags {info.tags}, but got an "
            f"incompatible argument tags={tags} to tf.saved_model.load. You may omit it, pass "
            "'None', or pass matching tags."
        )
    with ops.init_scope():
        root = loader_cls(meta_graph.object_graph_def, saved_model, export_dir).get(0)
    root.tensorflow_version = info.tensorflow_version
    root.tensorflow_git_version = info.tensorflow_git_version
    return root
