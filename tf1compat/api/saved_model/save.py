"""`tf.saved_model.save`: an object with its variables, files and functions, in a folder."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.framework import meta_graph, versions
from tf1compat.api.functions import function as def_function
from tf1compat.api.functions.concrete_function import ConcreteFunction
from tf1compat.api.lib.io import file_io
from tf1compat.api.saved_model import (
    builder_impl,
    constants,
    function_serialization,
    nested_structure_coder,
    revived_types,
    signature_constants,
    signature_def_utils_impl,
    signature_serialization,
    tag_constants,
    utils_impl,
)
from tf1compat.api.training.saving import functional_saver
from tf1compat.api.training.tracking import base, graph_view, tracking, util
from tf1compat.api.util import compat
from tf1compat.api.variables import resource_variable_ops
from tf1compat.core import dtypes, ops, protos, tensor_util
from tf1compat.core.export import tf_export
from tf1compat.core.graph import Graph
from tf1compat.formats import saved_model_pb2

# Tensors that a saved function may only capture of an object.
_RESOURCES = (dtypes.resource, dtypes.variant)


class _AugmentedGraphView(graph_view.ObjectGraphView):
    """The objects that one depends on, with signatures and what objects add when they are saved.

    Functions and additions are asked for once: a property may make new ones each time.
    """

    def __init__(self, root: Any):
        in_graph = not ops.executing_eagerly() and not ops.inside_function()
        super().__init__(root, base.IdentityDict() if in_graph else None)
        self._added = base.IdentityDict()
        self._functions = base.IdentityDict()
        # Shared by all objects, which may keep there what they make.
        self._serialization_cache = base.IdentityDict()

    def add_object(self, parent_node: Any, name_in_parent: str, subgraph_root: Any) -> None:
        """Makes an object one that another depends on, in the place of any of that name."""
        self._added.setdefault(parent_node, {})[name_in_parent] = subgraph_root

    def list_dependencies(self, obj: Any) -> Iterator[base.TrackableReference]:
        """What an object depends on.

        Raises:
          ValueError: a name is one that the object uses itself.
        """
        extra = dict(obj._list_extra_dependencies_for_serialization(self._serialization_cache))
        extra.update(self._added.get(obj, {}))
        for name, dependency in super().list_dependencies(obj):
            if name in extra and name != signature_serialization.SIGNATURE_ATTRIBUTE_NAME:
                raise ValueError(
                    f"Error when exporting object {obj} of with identifier="
                    f"{obj._object_identifier}. The object has an attribute named {name}, which is "
                    f"reserved. List of all reserved attributes: {extra.keys()}"
                )
            yield base.TrackableReference(name, extra.pop(name, dependency))
        for name, dependency in extra.items():
            yield base.TrackableReference(name, dependency)

    def list_functions(self, obj: Any) -> dict[str, Any]:
        """The functions of an object, by name."""
        found = self._functions.get(obj)
        if found is None:
            found = obj._list_functions_for_serialization(self._serialization_cache)
            self._functions[obj] = found
        return found


class _CapturedConstant:
    """A tensor that functions capture, and its copy in the graph that is saved."""

    def __init__(self, graph_tensor: ops.Tensor):
        self.graph_tensor = graph_tensor


class _Assets:
    """The files that are saved.

    Attributes:
      definitions: an `AssetFileDef` proto for each.
      initializers: tensor with a path -> the operation that gives it to the saved graph.
      paths: name in the folder -> path.
      numbers: `TrackableAsset` -> the number of its definition.
    """

    def __init__(self) -> None:
        self.definitions: list[Any] = []
        self.initializers = base.IdentityDict()
        self.paths: dict[str, str] = {}
        self.numbers = base.IdentityDict()

    def add(self, asset: tracking.TrackableAsset) -> Any:
        """Adds a file; records the variable that has its path, and returns it."""
        tensor = asset.asset_path
        value = tensor_util.constant_value(tensor)
        path = compat.as_text(value if isinstance(value, bytes) else value.item())
        name = builder_impl.get_asset_filename_to_add(path, self.paths)
        placeholder = array_ops.placeholder(
            shape=tensor.shape, dtype=dtypes.string, name="asset_path_initializer"
        )
        variable = resource_variable_ops.ResourceVariable(placeholder)
        self.paths[name] = path
        definition = protos.AssetFileDef(filename=name)
        definition.tensor_info.name = placeholder.name
        self.numbers[asset] = len(self.definitions)
        self.definitions.append(definition)
        self.initializers[tensor] = variable.initializer
        return variable


class _SaveableView:
    """All objects and functions that are saved, with their numbers; what objects become later
    doesn't count.

    Args:
      checkpoint_view: the objects.

    Attributes:
      nodes: the objects, then the functions, then captured constants.
      concrete_functions: the recorded functions.
      captured_node_ids: captured tensor -> the number of what it belongs to.
    """

    def __init__(self, checkpoint_view: _AugmentedGraphView):
        self.checkpoint_view = checkpoint_view
        found = checkpoint_view.objects_ids_and_slot_variables()
        self.nodes, self._node_ids, self._slot_variables = found
        self.captured_node_ids = base.IdentityDict()
        self.concrete_functions: list[ConcreteFunction] = []
        names: set[bytes] = set()
        for node in list(self.nodes):
            for function in checkpoint_view.list_functions(node).values():
                if function not in self._node_ids:
                    self._node_ids[function] = len(self.nodes)
                    self.nodes.append(function)
                for concrete in _recorded(function):
                    if concrete.name not in names:
                        names.add(concrete.name)
                        self.concrete_functions.append(concrete)

    def fill_object_graph_proto(self, proto: Any) -> None:
        """Writes what depends on what into a `SavedObjectGraph`."""
        for node in self.nodes:
            written = proto.nodes.add()
            written.slot_variables.extend(self._slot_variables.get(node, ()))
            if def_function.is_saved_function(node) or isinstance(node, _CapturedConstant):
                continue
            for name, dependency in self.checkpoint_view.list_dependencies(node):
                written.children.add(node_id=self._node_ids[dependency], local_name=name)
            for name, function in self.checkpoint_view.list_functions(node).items():
                written.children.add(node_id=self._node_ids[function], local_name=name)

    def map_resources(self) -> tuple[base.IdentityDict, base.IdentityDict, _Assets]:
        """Records handles like those of the objects, in the default graph.

        Returns:
          Variable -> its copy; captured tensor -> the one in this graph; the files.

        Raises:
          ValueError: a function can't be saved.
        """
        objects, tensors = base.IdentityDict(), base.IdentityDict()
        assets = _Assets()
        for number, obj in enumerate(self.nodes):
            captured = None
            if isinstance(obj, tracking.CapturableResource):
                with ops.device(obj._resource_device):
                    copy = obj._create_resource()
                captured = obj.resource_handle
            elif resource_variable_ops.is_resource_variable(obj):
                objects[obj] = variable = resource_variable_ops.copy_to_graph_uninitialized(obj)
                captured, copy = obj.handle, variable.handle
            elif isinstance(obj, tracking.TrackableAsset):
                captured, copy = obj.asset_path, assets.add(obj)
            if captured is not None:
                tensors[captured] = copy
                self.captured_node_ids[captured] = number
        for concrete in self.concrete_functions:
            self._copy_constants(concrete, tensors)
        return objects, tensors, assets

    def _copy_constants(self, function: ConcreteFunction, tensors: base.IdentityDict) -> None:
        """Copies the constants that a function captures."""
        if not function.graph.saveable:
            reasons = "\n".join(function.graph.saving_errors)
            raise ValueError(
                f"Unable to save function {function.name} for the following reason(s):\n{reasons}"
            )
        for tensor in function.captured_inputs:
            if tensor.dtype in _RESOURCES or tensor in self.captured_node_ids:
                continue
            value = tensor_util.constant_value(tensor)
            if value is None:
                raise ValueError(
                    f"Attempted to save a function {function.name} which references a symbolic "
                    f"Tensor {tensor} that is not a simple constant. This is not supported."
                )
            copy = constant_op.constant(value)
            self.captured_node_ids[tensor] = len(self.nodes)
            self.nodes.append(_CapturedConstant(copy))
            tensors[tensor] = copy


def _recorded(function: Any) -> list[ConcreteFunction]:
    if isinstance(function, ConcreteFunction):
        return [function]
    return function._list_all_concrete_functions_for_serialization()


# The graph that is saved.


def _call(function: ConcreteFunction, args: list[Any], tensors: base.IdentityDict) -> Any:
    """Records a call in the graph that is saved.

    Raises:
      AssertionError: the function uses an object that is not saved.
    """
    captured = []
    for outer, inner in function.graph.captures:
        if outer not in tensors:
            raise AssertionError(
                f"Tried to export a function which references untracked object {inner}."
                "TensorFlow objects (e.g. tf.Variable) captured by functions must be tracked by "
                "assigning them to an attribute of a tracked object or assigned to an attribute of "
                "the main object directly."
            )
        captured.append(tensors[outer])
    return function._call_flat(args, captured)


def _signature_def(key: str, function: ConcreteFunction, tensors: base.IdentityDict) -> Any:
    """Records a call of a signature with placeholders: a `SignatureDef`.

    Raises:
      ValueError: an argument has no name of its own.
    """
    graph = function.graph
    inputs = {}
    for inner in graph.inputs[: len(graph.inputs) - len(graph.captures)]:
        name = inner.op._attrs["_user_specified_name"].decode()
        if name != inner.op.name:
            raise ValueError(
                f"Got non-flat/non-unique argument names for SavedModel signature '{key}': more "
                f"than one argument to '{compat.as_text(function.name)}' was named '{name}'. "
                "Signatures have one Tensor per named input, so to have predictable names Python "
                "functions used to generate these signatures should avoid *args and Tensors in "
                "nested structures unless unique names are specified for each. Use "
                "tf.TensorSpec(..., name=...) to provide a name for a Tensor input."
            )
        inputs[name] = array_ops.placeholder(
            shape=inner.shape, dtype=inner.dtype, name=f"{key}_{name}"
        )
    outputs = _call(function, list(inputs.values()), tensors)
    return signature_def_utils_impl.build_signature_def(
        {name: utils_impl.build_tensor_info_internal(t) for name, t in inputs.items()},
        {name: utils_impl.build_tensor_info_internal(t) for name, t in outputs.items()},
        method_name=signature_constants.PREDICT_METHOD_NAME,
    )


def _initializing_functions(nodes: list[Any]) -> list[ConcreteFunction]:
    """Functions that fill the resources among objects."""

    def run(resource: Any) -> Any:
        resource._initialize()
        return constant_op.constant(1.0)

    def function_of(resource: Any) -> ConcreteFunction:
        # Its name, "<lambda>", is in the file.
        made = def_function.function(lambda: run(resource), input_signature=[])
        return made.get_concrete_function()

    return [function_of(obj) for obj in nodes if isinstance(obj, tracking.CapturableResource)]


def _record_initialization(
    meta_graph_def: Any,
    functions: list[ConcreteFunction],
    tensors: base.IdentityDict,
    assets: _Assets,
) -> None:
    """Records the operation that is run at the loading."""
    initializers = []
    for function in functions:
        captured = [assets.initializers.get(t) for t in function.graph.external_captures]
        with ops.control_dependencies([op for op in captured if op is not None]):
            initializers.append(_call(function, [], tensors))
    initializers += [op for _, op in assets.initializers.items()]
    with ops.control_dependencies(initializers):
        init_op = control_flow_ops.no_op()
    key = constants.INIT_OP_SIGNATURE_KEY
    # Older loaders look in the collection.
    meta_graph_def.collection_def[constants.MAIN_OP_KEY].node_list.value.append(init_op.name)
    meta_graph_def.signature_def[key].CopyFrom(
        signature_def_utils_impl.op_signature_def(init_op, key)
    )


def _fill_meta_graph_def(
    meta_graph_def: Any, view: _SaveableView, signatures: dict[str, ConcreteFunction]
) -> _Assets:
    """Records the graph that is saved, and writes it into a `MetaGraphDef`; returns the files."""
    initializing = _initializing_functions(view.nodes)
    graph = Graph()
    with graph.as_default():
        objects, tensors, assets = view.map_resources()
        _record_initialization(meta_graph_def, initializing, tensors, assets)
    # Objects tell what a checkpoint holds of them outside of the graph.
    saver = functional_saver.MultiDeviceSaver(
        view.checkpoint_view.frozen_saveable_objects(object_map=objects, to_graph=graph)
    )
    with graph.as_default():
        written = {key: _signature_def(key, signatures[key], tensors) for key in sorted(signatures)}
        for function in view.concrete_functions:
            function.add_to_graph()
        meta_graph_def.saver_def.CopyFrom(saver.to_proto())
    meta_graph_def.graph_def.CopyFrom(graph.as_graph_def(add_shapes=True))
    info = meta_graph_def.meta_info_def
    info.tags.append(tag_constants.SERVING)
    info.tensorflow_version = versions.VERSION
    info.tensorflow_git_version = versions.GIT_VERSION
    info.stripped_default_attrs = True
    info.stripped_op_list.MergeFrom(meta_graph.stripped_op_list_for_graph(meta_graph_def.graph_def))
    meta_graph_def.asset_file_def.extend(assets.definitions)
    for key, signature in written.items():
        meta_graph_def.signature_def[key].CopyFrom(signature)
    meta_graph.strip_graph_default_valued_attrs(meta_graph_def)
    return assets


# The objects.


def _serialize_object_graph(view: _SaveableView, assets: _Assets) -> Any:
    """The `SavedObjectGraph` proto."""
    proto = protos.SavedObjectGraph()
    view.fill_object_graph_proto(proto)
    coder = nested_structure_coder.StructureCoder()
    for function in view.concrete_functions:
        written = function_serialization.serialize_concrete_function(
            function, view.captured_node_ids, coder
        )
        proto.concrete_functions[compat.as_text(function.name)].CopyFrom(written)
    for obj, written in zip(view.nodes, proto.nodes, strict=True):
        _write_object(obj, written, assets)
    return proto


def _write_object(obj: Any, proto: Any, assets: _Assets) -> None:
    """Writes what an object is into a `SavedObject`."""
    if isinstance(obj, tracking.TrackableAsset):
        proto.asset.SetInParent()
        proto.asset.asset_file_def_index = assets.numbers[obj]
    elif resource_variable_ops.is_resource_variable(obj):
        _write_variable(obj, proto.variable)
    elif isinstance(obj, def_function.TracedFunction):
        proto.function.CopyFrom(function_serialization.serialize_function(obj))
    elif isinstance(obj, ConcreteFunction):
        proto.bare_concrete_function.CopyFrom(
            function_serialization.serialize_bare_concrete_function(obj)
        )
    elif isinstance(obj, _CapturedConstant):
        proto.constant.operation = obj.graph_tensor.op.name
    elif isinstance(obj, tracking.CapturableResource):
        proto.resource.device = obj._resource_device
    else:
        written = revived_types.serialize(obj)
        if written is None:
            written = protos.SavedUserObject(
                identifier=obj._object_identifier, metadata=obj._tracking_metadata
            )
            written.version.producer = written.version.min_consumer = 1
        proto.user_object.CopyFrom(written)


def _write_variable(variable: Any, proto: Any) -> None:
    if not variable.name.endswith(":0"):
        raise ValueError(
            "Cowardly refusing to save variable %s because of unexpected suffix which won't be "
            "restored."
        )
    proto.SetInParent()
    proto.name = meta_graph._op_name(variable.name)
    proto.trainable = variable.trainable
    proto.dtype = variable.dtype.as_datatype_enum
    proto.synchronization = variable.synchronization.value
    proto.aggregation = variable.aggregation.value
    proto.shape.CopyFrom(variable.shape.as_proto())


@tf_export("saved_model.save", "saved_model.experimental.save")
def save(obj: Any, export_dir: Any, signatures: Any = None) -> None:
    """Saves an object with its variables, files and functions, as `tf.saved_model.save` in TF 1.15.

    Args:
      obj: what `tf.train.Checkpoint` could hold, e.g. a `tf.Module`.
      export_dir: the folder.
      signatures: what can be called by sessions and servers: a `tf.function` with an input
        signature, a concrete function, or a dict of such; by default the object's only
        `tf.function` that has an input signature.

    Raises:
      AssertionError: in a function, or a function uses an object that `obj` doesn't lead to.
      ValueError: `obj` can't be saved, or one of its functions, or a signature is none.
    """
    if ops.inside_function():
        raise AssertionError(
            "tf.saved_model.save is not supported inside a traced @tf.function. Move the call to "
            "the outer eagerly-executed context."
        )
    if not isinstance(obj, base.Trackable):
        raise ValueError(f"Expected a Trackable object for export, got {obj}.")
    objects = _AugmentedGraphView(obj)
    if signatures is None:
        signatures = signature_serialization.find_function_to_export(objects)
    signatures = signature_serialization.canonicalize_signatures(signatures)
    signature_serialization.validate_saveable_view(objects)
    objects.add_object(
        objects.root,
        signature_serialization.SIGNATURE_ATTRIBUTE_NAME,
        signature_serialization.create_signature_map(signatures),
    )
    # Listing functions may record them, and so make variables.
    _SaveableView(objects)
    view = _SaveableView(objects)
    saved_model = saved_model_pb2.SavedModel()
    saved_model.saved_model_schema_version = constants.SAVED_MODEL_SCHEMA_VERSION
    meta_graph_def = saved_model.meta_graphs.add()
    assets = _fill_meta_graph_def(meta_graph_def, view, signatures)
    utils_impl.get_or_create_variables_dir(export_dir)
    util.TrackableSaver(objects).save(utils_impl.get_variables_path(export_dir))
    builder_impl.copy_assets_to_destination_dir(assets.paths, export_dir)
    meta_graph_def.object_graph_def.CopyFrom(_serialize_object_graph(view, assets))
    path = os.path.join(compat.as_text(export_dir), constants.SAVED_MODEL_FILENAME_PB)
    file_io.atomic_write_string_to_file(path, saved_model.SerializeToString())
