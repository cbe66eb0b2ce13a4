"""Meta graphs: a graph with its collections, written to and read from `MetaGraphDef` protos."""

from __future__ import annotations

import numbers
import os
import re
from collections.abc import Callable, Iterable
from typing import Any

from tf1compat.api.framework import graph_io, importer, versions
from tf1compat.api.lib.io import file_io
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.util.compat import as_bytes, as_str
from tf1compat.core import context, ops, protos
from tf1compat.core.deferred import Deferred
from tf1compat.core.graph import Graph
from tf1compat.core.op_def_proto import op_def_proto

message = Deferred("google.protobuf.message")
text_format = Deferred("google.protobuf.text_format")

_UNBOUND_INPUT_PREFIX = "$unbound_inputs_"
_OLD_LISTS = (
    ops.GraphKeys.LOCAL_VARIABLES,
    ops.GraphKeys.MODEL_VARIABLES,
    ops.GraphKeys.METRIC_VARIABLES,
)
# Op types that are in no list of registered ones.
_UNLISTED = ("_Arg", "_Retval", "_ListToArray", "_ArrayToList")
SAVE_AND_RESTORE_OPS = [
    *("SaveV2", "Save", "SaveSlice", "LegacySave", "LegacySaveSlice"),
    *("RestoreV2", "Restore", "RestoreSlice", "LegacyRestore", "LegacyRestoreSlice"),
]


# Nodes.


def _node_def(
    from_node_def: Any, export_scope: str | None, unbound_inputs: list[str], clear_devices: bool
) -> Any:
    """A node with names from `export_scope` on; inputs from outside get names that say so."""
    node = protos.NodeDef()
    node.CopyFrom(from_node_def)
    for i, name in enumerate(node.input):
        if export_scope and not name.lstrip("^").startswith(export_scope):
            node.input[i] = re.sub(r"([\^]|^)(.*)", rf"\1{_UNBOUND_INPUT_PREFIX}\2", name, count=1)
            unbound_inputs.append(node.input[i])
        else:
            node.input[i] = ops.strip_name_scope(name, export_scope)
    node.name = ops.strip_name_scope(from_node_def.name, export_scope)
    if "_class" in node.attr:
        groups = [
            ops.strip_name_scope(as_str(group), export_scope).encode()
            for group in from_node_def.attr["_class"].list.s
            if not export_scope or as_str(group).split("@")[1].startswith(export_scope)
        ]
        node.attr["_class"].CopyFrom(protos.AttrValue())
        node.attr["_class"].list.s.extend(groups)
        if not groups:
            node.attr["_class"].list.SetInParent()
    if node.op in ("Enter", "RefEnter"):
        frame = as_str(node.attr["frame_name"].s)
        if not export_scope or frame.startswith(export_scope):
            node.attr["frame_name"].s = ops.strip_name_scope(frame, export_scope).encode()
    if clear_devices:
        node.device = ""
    return node


def ops_used_by_graph_def(graph_def: Any) -> list[str]:
    """The op types in a GraphDef and in the functions that it calls, themselves not included."""
    functions = {function.signature.name: function for function in graph_def.library.function}
    used: set[str] = set()
    pending = [node.op for node in graph_def.node]
    while pending:
        op_type = pending.pop()
        if op_type not in used:
            used.add(op_type)
            if op_type in functions:
                pending += [node.op for node in functions[op_type].node_def]
    return [op_type for op_type in used if op_type not in functions]


def stripped_op_list_for_graph(graph_def: Any) -> Any:
    """The `OpList` of the op types in a GraphDef.

    Raises:
      ValueError: there is no such op type.
    """
    found = protos.OpList()
    for op_type in sorted(ops_used_by_graph_def(graph_def)):
        definition = op_def_proto(op_type)
        if definition is not None:
            found.op.append(definition)
        elif op_type not in _UNLISTED:
            raise ValueError(f"Op {op_type} is used by the graph, but is not registered")
    return found


def strip_graph_default_valued_attrs(meta_graph_def: Any) -> None:
    """Removes attrs that have their default value, so that older programs can read the graph."""
    graph_def = meta_graph_def.graph_def
    functions = {function.signature.name for function in graph_def.library.function}
    nodes = [*graph_def.node]
    for function in graph_def.library.function:
        nodes += function.node_def
    for node in nodes:
        definition = None if node.op in functions else op_def_proto(node.op)
        for attr in () if definition is None else definition.attr:
            if attr.HasField("default_value") and attr.name in node.attr:
                if node.attr[attr.name] == attr.default_value:
                    del node.attr[attr.name]
    meta_graph_def.meta_info_def.stripped_default_attrs = True


# Which nodes belong to savers.


def _op_name(tensor_name: str) -> str:
    if not tensor_name:
        raise ValueError("Tensor name cannot be empty or None.")
    return tensor_name.removeprefix("^").split(":")[0]


def _get_scope(node_name: str) -> str:
    if not node_name:
        raise ValueError("Node name cannot be empty or None.")
    return node_name.removeprefix("^").rpartition("/")[0]


def _find_extraneous_saver_nodes(graph_def: Any, saver_def: Any) -> set[str]:
    """The names of the nodes of all savers but the given one."""
    kept: set[str] = set()
    if saver_def is not None:
        for name in (saver_def.save_tensor_name, saver_def.restore_op_name):
            kept.add(_get_scope(_op_name(name)) + "/")
    savers = {node.name for node in graph_def.node if node.op in SAVE_AND_RESTORE_OPS}
    scopes = {scope + "/" for scope in {_get_scope(name) for name in savers} - savers} - kept
    return {node.name for node in graph_def.node if node.name.startswith(tuple(scopes))}


def _should_include_node(
    node_or_name: Any, export_scope: str | None, exclude_nodes: set[str] | None
) -> bool:
    name = node_or_name
    if not isinstance(node_or_name, str):
        if not hasattr(node_or_name, "name"):
            return True  # Neither a node nor a tensor: a number, for example.
        name = node_or_name.name
    if exclude_nodes and (name in exclude_nodes or _is_in(node_or_name, exclude_nodes)):
        return False
    return (
        name.startswith(_UNBOUND_INPUT_PREFIX) or not export_scope or name.startswith(export_scope)
    )


def _is_in(value: Any, names: set[str]) -> bool:
    return isinstance(value, str) and value in names


# Collections.


def _get_kind_name(item: Any) -> str:
    """The field of `CollectionDef` for such an item."""
    if isinstance(item, str | bytes):
        return "bytes_list"
    if isinstance(item, numbers.Integral):
        return "int64_list"
    if isinstance(item, float):
        return "float_list"
    return "any_list" if type(item).__name__ == "Any" else "node_list"


def add_collection_def(
    meta_graph_def: Any,
    key: Any,
    graph: Graph | None = None,
    export_scope: str | None = None,
    exclude_nodes: set[str] | None = None,
    override_contents: Any = None,
) -> None:
    """Puts a collection of a graph into a `MetaGraphDef`; what can't be written is left out.

    Args:
      meta_graph_def: the proto.
      key: the collection's.
      graph: the default graph by default.
      export_scope: only what is in this name scope, names from there on.
      exclude_nodes: names to leave out.
      override_contents: a list to take in place of the collection.

    Raises:
      TypeError: `graph` is none.
    """
    _check_type("graph", graph, Graph, "Graph")
    if not isinstance(key, str | bytes):
        logging.warning(
            "Only collections with string type keys will be serialized. This key has %s", type(key)
        )
        return
    items = override_contents or (graph or ops.get_default_graph()).get_collection(key)
    items = [item for item in items if _should_include_node(item, export_scope, exclude_nodes)]
    if not items:
        return
    try:
        _write_collection(meta_graph_def.collection_def[key], key, items, export_scope)
    except Exception as error:
        logging.warning(
            "Issue encountered when serializing %s.\nType is unsupported, or the types of the "
            "items don't match field type in CollectionDef. Note this is a warning and probably "
            "safe to ignore.\n%s",
            key,
            str(error),
        )
        if key in meta_graph_def.collection_def:
            del meta_graph_def.collection_def[key]


def _write_collection(proto: Any, key: Any, items: list[Any], export_scope: str | None) -> None:
    to_proto = ops.get_to_proto_function(key)
    if to_proto:
        for item in items:
            written = to_proto(item, export_scope=export_scope)
            if written:
                proto.bytes_list.value.append(written.SerializeToString(deterministic=True))
        return
    kind = _get_kind_name(items[0])
    values = getattr(proto, kind).value
    if kind == "node_list":
        for item in items:
            if not export_scope or item.name.startswith(export_scope):
                values.append(ops.strip_name_scope(item.name, export_scope))
    elif kind == "bytes_list":
        values.extend([as_bytes(item) for item in items])
    else:
        values.extend(items)


def _read_collections(graph: Graph, meta_graph_def: Any, scope: str, keys: Iterable[str]) -> None:
    """Puts collections into a graph; variables that are in several are the same object."""
    version = meta_graph_def.meta_info_def.tensorflow_version
    # Before 1.9, only the collection said whether a variable is trainable.
    says_trainable = not version or _version(version) >= (1, 9)
    known: dict[bytes, Any] = {}
    for key in keys:
        collection = meta_graph_def.collection_def[key]
        kind = collection.WhichOneof("kind")
        if kind is None:
            logging.error("Cannot identify data type for collection %s. Skipping.", key)
            continue
        from_proto = ops.get_from_proto_function(key)
        values = getattr(collection, kind).value
        if from_proto and kind == "bytes_list":
            make: Any = ops.get_collection_proto_type(key)
            is_variable = key in ops.GraphKeys._VARIABLE_COLLECTIONS
            for value in values:
                found = known.get(value) if is_variable else None
                if found is None:
                    proto = make()
                    proto.ParseFromString(value)
                    if is_variable and not says_trainable:
                        proto.trainable = key == ops.GraphKeys.TRAINABLE_VARIABLES
                    found = from_proto(proto, import_scope=scope)
                    if is_variable:
                        known[value] = found
                graph.add_to_collection(key, found)
            continue
        if key in _OLD_LISTS:
            logging.warning(
                "The saved meta_graph is possibly from an older release:\n'%s' collection should "
                "be of type 'byte_list', but instead is of type '%s'.",
                key,
                kind,
            )
        for value in values:
            if kind == "node_list":
                value = graph.as_graph_element(ops.prepend_name_scope(value, scope))
            elif kind == "int64_list":
                value = int(value)
            elif isinstance(value, str | bytes):
                value = _prepended(value, scope)
            graph.add_to_collection(key, value)


def _prepended(value: Any, scope: str) -> Any:
    # Without a scope, TF 1.15 gives bytes as they are.
    return ops.prepend_name_scope(as_str(value), scope) if scope else value


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", text)[:2])


# Whole meta graphs.


def _check_type(name: str, value: Any, kind: Any, kind_name: str) -> None:
    if value and not isinstance(value, kind):
        raise TypeError(f"{name} must be of type {kind_name}, not %s", type(value))


def create_meta_graph_def(
    meta_info_def: Any = None,
    graph_def: Any = None,
    saver_def: Any = None,
    collection_list: Any = None,
    graph: Graph | None = None,
    export_scope: str | None = None,
    exclude_nodes: set[str] | None = None,
    clear_extraneous_savers: bool = False,
    strip_default_attrs: bool = False,
) -> Any:
    """A `MetaGraphDef`, as in TF 1.15.

    Args:
      meta_info_def: a `MetaInfoDef` to take over.
      graph_def: a `GraphDef` in place of the graph's.
      saver_def: the `SaverDef` to put in.
      collection_list: the keys of the collections; all by default.
      graph: the default graph by default.
      export_scope: only what is in this name scope, names from there on.
      exclude_nodes: names to leave out.
      clear_extraneous_savers: whether operations of other savers are left out.
      strip_default_attrs: whether attrs of default value are left out.

    Raises:
      TypeError: an argument is of a wrong type.
    """
    _check_type("graph", graph, Graph, "Graph")
    _check_type("meta_info_def", meta_info_def, protos.MetaGraphDef.MetaInfoDef, "MetaInfoDef")
    _check_type("graph_def", graph_def, protos.GraphDef, "GraphDef")
    _check_type("saver_def", saver_def, protos.SaverDef, "SaverDef")
    graph = graph or ops.get_default_graph()
    made = protos.MetaGraphDef()
    info = meta_info_def or protos.MetaGraphDef.MetaInfoDef()
    info.tensorflow_version = versions.VERSION
    info.tensorflow_git_version = versions.GIT_VERSION
    made.meta_info_def.MergeFrom(info)
    made.graph_def.MergeFrom(graph_def or graph.as_graph_def(add_shapes=True))
    if not made.meta_info_def.stripped_op_list.op:
        made.meta_info_def.stripped_op_list.MergeFrom(stripped_op_list_for_graph(made.graph_def))
    if strip_default_attrs:
        strip_graph_default_valued_attrs(made)
    if saver_def:
        made.saver_def.MergeFrom(saver_def)
    keys = graph.get_all_collection_keys() if collection_list is None else collection_list
    for key in keys:
        contents = None
        if clear_extraneous_savers and key == ops.GraphKeys.SAVERS:
            contents = [ops.get_from_proto_function(key)(saver_def)]
        add_collection_def(
            made,
            key,
            graph=graph,
            export_scope=export_scope,
            exclude_nodes=exclude_nodes,
            override_contents=contents,
        )
    return made


def read_meta_graph_file(filename: str) -> Any:
    """The `MetaGraphDef` in a file, binary or text.

    Raises:
      IOError: there is no such file, or it can't be parsed.
    """
    found = protos.MetaGraphDef()
    if not file_io.file_exists(filename):
        raise OSError(f"File {filename} does not exist.")
    contents = file_io.FileIO(filename, "rb").read()
    try:
        found.ParseFromString(contents)
        return found
    except message.DecodeError:
        found.Clear()
    try:
        text_format.Merge(contents.decode("utf-8"), found)
    except text_format.ParseError as error:
        raise OSError(f"Cannot parse file {filename}: {error}.") from None
    return found


def import_scoped_meta_graph(
    meta_graph_or_file: Any,
    clear_devices: bool = False,
    graph: Graph | None = None,
    import_scope: str | None = None,
    input_map: dict[str, Any] | None = None,
    unbound_inputs_col_name: str | None = "unbound_inputs",
    restore_collections_predicate: Callable[[str], bool] = lambda key: True,
) -> dict[str, Any]:
    """Records the nodes and collections of a meta graph, as in TF 1.15.

    Args:
      meta_graph_or_file: a `MetaGraphDef`, or the name of its file.
      clear_devices: whether nodes lose their devices.
      graph: where to; the default graph by default.
      import_scope: name scope to put before the names.
      input_map: {name of a tensor in the meta graph: tensor to take in its place}.
      unbound_inputs_col_name: the collection of the names that must be in `input_map`.
      restore_collections_predicate: says of a key whether that collection is taken over.

    Returns:
      {name in the meta graph: variable}.

    Raises:
      ValueError: in eager mode, or if inputs are not bound.
    """
    return import_scoped_meta_graph_with_return_elements(
        meta_graph_or_file,
        clear_devices,
        graph,
        import_scope,
        input_map,
        unbound_inputs_col_name,
        restore_collections_predicate,
    )[0]


def import_scoped_meta_graph_with_return_elements(
    meta_graph_or_file: Any,
    clear_devices: bool = False,
    graph: Graph | None = None,
    import_scope: str | None = None,
    input_map: dict[str, Any] | None = None,
    unbound_inputs_col_name: str | None = "unbound_inputs",
    restore_collections_predicate: Callable[[str], bool] = lambda key: True,
    return_elements: Any = None,
) -> tuple[dict[str, Any], Any]:
    """As `import_scoped_meta_graph`; returns what `return_elements` names, too."""
    if context.executing_eagerly():
        raise ValueError(
            "Exporting/importing meta graphs is not supported when eager execution is enabled."
        )
    definition = meta_graph_or_file
    if not isinstance(definition, protos.MetaGraphDef):
        definition = read_meta_graph_file(definition)
    _check_bound(definition, unbound_inputs_col_name, input_map)
    graph = graph or ops.get_default_graph()
    with graph.as_default():
        op_list = None
        if definition.meta_info_def.HasField("stripped_op_list"):
            op_list = definition.meta_info_def.stripped_op_list
        if clear_devices:
            for node in definition.graph_def.node:
                node.device = ""
        scope = graph.unique_name(import_scope or "", mark_as_used=False)
        returned = importer.import_graph_def(
            definition.graph_def,
            name=import_scope or scope,
            input_map=input_map,
            producer_op_list=op_list,
            return_elements=return_elements,
        )
        # Trainable variables first: older meta graphs say nowhere else which these are.
        trainable = ops.GraphKeys.TRAINABLE_VARIABLES
        keys = sorted(definition.collection_def, key=lambda key: (key != trainable, key))
        keys = [key for key in keys if key != unbound_inputs_col_name]
        _read_collections(graph, definition, scope, filter(restore_collections_predicate, keys))
        found = graph.get_collection(ops.GraphKeys.GLOBAL_VARIABLES, scope=scope)
        return {ops.strip_name_scope(v.name, scope): v for v in found}, returned


def _check_bound(definition: Any, key: str | None, input_map: dict[str, Any] | None) -> None:
    if not key or key not in definition.collection_def:
        return
    collection = definition.collection_def[key]
    values = getattr(collection, collection.WhichOneof("kind")).value
    names = [as_str(value) for value in values]
    if names and (not input_map or sorted(names) != sorted(input_map)):
        missing = [name for name in names if not input_map or name not in input_map]
        raise ValueError(
            f"Graph contains unbound inputs: {','.join(missing)}. Must provide these inputs "
            "through input_map."
        )


def export_scoped_meta_graph(
    filename: str | None = None,
    graph_def: Any = None,
    graph: Graph | None = None,
    export_scope: str | None = None,
    as_text: bool = False,
    unbound_inputs_col_name: str | None = "unbound_inputs",
    clear_devices: bool = False,
    saver_def: Any = None,
    clear_extraneous_savers: bool = False,
    strip_default_attrs: bool = False,
    save_debug_info: bool = False,
    **kwargs: Any,
) -> tuple[Any, dict[str, Any]]:
    """A graph, or a name scope of it, as a `MetaGraphDef`, as in TF 1.15.

    Args:
      filename: the file to write it to, if given.
      graph_def: a `GraphDef` in place of the graph's.
      graph: the default graph by default.
      export_scope: only what is in this name scope, names from there on.
      as_text: whether the file is text.
      unbound_inputs_col_name: the collection that gets the names of inputs from outside the scope.
      clear_devices: whether nodes lose their devices.
      saver_def: the `SaverDef` to put in.
      clear_extraneous_savers: whether operations of other savers are left out.
      strip_default_attrs: whether attrs of default value are left out.
      save_debug_info: whether to write where operations come from; not supported.
      **kwargs: more arguments of `create_meta_graph_def`.

    Returns:
      The `MetaGraphDef`, and {name in it: variable}.

    Raises:
      ValueError: in eager mode, where no graph is given.
    """
    if context.executing_eagerly() and (graph_def is None or graph is None):
        raise ValueError(
            "Exporting/importing meta graphs is not supported when Eager Execution is enabled."
        )
    if save_debug_info:
        raise NotImplementedError("save_debug_info is not supported by tf1compat yet")
    graph = graph or ops.get_default_graph()
    exclude_nodes = None
    if export_scope or clear_extraneous_savers or clear_devices:
        # TF 1.15 takes a given GraphDef as it is, and adds shapes to the graph's own.
        whole = graph_def or graph.as_graph_def(add_shapes=True)
        if clear_extraneous_savers:
            exclude_nodes = _find_extraneous_saver_nodes(whole, saver_def)
        unbound: list[str] = []
        graph_def = protos.GraphDef(versions=whole.versions)
        if whole.HasField("library"):
            graph_def.library.CopyFrom(whole.library)
        for node in whole.node:
            if _should_include_node(node.name, export_scope, exclude_nodes):
                graph_def.node.append(_node_def(node, export_scope, unbound, clear_devices))
        if unbound_inputs_col_name:
            graph.clear_collection(unbound_inputs_col_name)
            for name in unbound:
                graph.add_to_collection(unbound_inputs_col_name, name)
    variables = graph.get_collection(ops.GraphKeys.GLOBAL_VARIABLES, scope=export_scope)
    var_list = {
        ops.strip_name_scope(v.name, export_scope): v
        for v in variables
        if _should_include_node(v, export_scope, exclude_nodes)
    }
    made = create_meta_graph_def(
        graph_def=graph_def,
        graph=graph,
        export_scope=export_scope,
        exclude_nodes=exclude_nodes,
        clear_extraneous_savers=clear_extraneous_savers,
        saver_def=saver_def,
        strip_default_attrs=strip_default_attrs,
        **kwargs,
    )
    if filename:
        folder, name = os.path.split(filename)
        graph_io.write_graph(made, folder, name, as_text=as_text)
    return made, var_list


def copy_scoped_meta_graph(
    from_scope: str, to_scope: str, from_graph: Any = None, to_graph: Any = None
) -> dict[str, Any]:
    """Copies what is in a name scope to another one, perhaps of another graph.

    Returns:
      {name in the scope: the new variable}.

    Raises:
      ValueError: the scopes are the same.
    """
    from_graph = from_graph or ops.get_default_graph()
    to_graph = to_graph or ops.get_default_graph()
    if from_graph is to_graph and from_scope == to_scope:
        raise ValueError(
            "'from_scope' and 'to_scope' need to be different when performing copy in the same "
            "graph."
        )
    made, _ = export_scoped_meta_graph(export_scope=from_scope, graph=from_graph)
    return import_scoped_meta_graph(made, graph=to_graph, import_scope=to_scope)
