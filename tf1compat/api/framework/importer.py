"""`tensorflow.python.framework.importer`: `tf.import_graph_def`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tf1compat.api.util.deprecation import deprecated_args
from tf1compat.core import op_registry, ops, protos
from tf1compat.core.attr_value import to_attr_value
from tf1compat.core.export import tf_export
from tf1compat.core.graph import PRODUCER
from tf1compat.core.graph_import import Importer, Key, import_functions, parse_tensor_name
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor

__all__ = ["import_graph_def", "import_graph_def_for_function"]


@tf_export("graph_util.import_graph_def", "import_graph_def")
@deprecated_args(
    None,
    "Please file an issue at https://github.com/tensorflow/tensorflow/issues if you depend on this "
    "feature.",
    "op_dict",
)
def import_graph_def(
    graph_def: Any,
    input_map: dict[str, Any] | None = None,
    return_elements: Iterable[str] | None = None,
    name: str | None = None,
    op_dict: Any = None,
    producer_op_list: Any = None,
) -> list[Operation | Tensor] | None:
    """Records the nodes of a GraphDef in the default graph, as `tf.import_graph_def` in TF 1.15.

    Args:
      graph_def: a `GraphDef` proto; defaults of attrs that it lacks are filled in, there too.
      input_map: {name of a tensor of the GraphDef, or "^node": tensor to take in its place}.
      return_elements: names of operations ("a") and tensors ("a:0") to return.
      name: put before the names, as a name scope; "import" by default.
      op_dict: deprecated, not used.
      producer_op_list: an `OpList` of the producer's op types: attrs that TF 1.15 doesn't know are
        dropped if they have their default there.

    Returns:
      What `return_elements` asks for; None if it is None.

    Raises:
      TypeError: an argument is of a wrong type.
      ValueError: the GraphDef is not well-formed, or a name is not in it. The graph is as it was.
      NotFoundError: TF 1.15 has no such op type.
    """
    return _import(graph_def, input_map, return_elements, name, producer_op_list)


def import_graph_def_for_function(graph_def: Any, name: str | None = None) -> None:
    """As `import_graph_def`; nodes may be colocated with ones that are not there."""
    _import(graph_def, name=name, check_colocation=False)


def _import(
    graph_def: Any,
    input_map: dict[str, Any] | None = None,
    return_elements: Iterable[str] | None = None,
    name: str | None = None,
    producer_op_list: Any = None,
    check_colocation: bool = True,
) -> list[Operation | Tensor] | None:
    graph_def = _checked(graph_def)
    if input_map is None:
        input_map = {}
    elif not isinstance(input_map, dict) or not all(isinstance(k, str | bytes) for k in input_map):
        raise TypeError("input_map must be a dictionary mapping strings to Tensor objects.")
    if return_elements is not None:
        return_elements = list(return_elements)
        if not all(isinstance(element, str | bytes) for element in return_elements):
            raise TypeError("return_elements must be a list of strings.")
        return_elements = [_text(element) for element in return_elements]
    if producer_op_list is not None:
        _drop_defaults(graph_def, producer_op_list)
    graph = ops.get_default_graph()
    with ops.name_scope(name, "import", input_map.values()) as scope:
        if not all(isinstance(value, Tensor) for value in input_map.values()):
            if name == "":
                raise ValueError(
                    "tf.import_graph_def() requires a non-empty `name` if `input_map` contains "
                    "non-Tensor values. Try calling tf.convert_to_tensor() on `input_map` values "
                    "before calling tf.import_graph_def()."
                )
            with ops.name_scope("_inputs"):
                input_map = {key: ops.convert_to_tensor(v) for key, v in input_map.items()}
    tensors: dict[Key, Tensor] = {}
    controls: dict[str, Operation] = {}
    for key, value in input_map.items():
        key = _text(key)
        if key.startswith("^"):
            controls[key[1:]] = value.op
        else:
            tensors[parse_tensor_name(key)] = value
    wanted = [
        (element, parse_tensor_name(element) if ":" in element else None)
        for element in return_elements or ()
    ]
    _check_version(graph_def.versions)
    import_functions(graph, graph_def.library)
    prefix = (scope or "").removesuffix("/")
    producer = graph_def.versions.producer
    importer = Importer(graph, prefix, tensors, controls, check_colocation, producer)
    with importer.undone_on_error():
        graph._producer = min(graph._producer, producer)
        importer.add(graph_def.node)
        returned = [_element(importer, element, key) for element, key in wanted]
        unused = importer.unused()
        if unused:
            raise ValueError(
                f"Attempted to map inputs that were not found in graph_def: [{', '.join(unused)}]"
            )
    return None if return_elements is None else returned


def _text(name: str | bytes) -> str:
    return name.decode() if isinstance(name, bytes) else name


def _checked(graph_def: Any) -> Any:
    """The GraphDef, with the defaults of attrs filled in."""
    if not isinstance(graph_def, protos.GraphDef):
        try:
            # A message of the same name from other modules.
            text = graph_def.SerializeToString()
            if type(graph_def).__name__ != "GraphDef":
                raise TypeError
        except (AttributeError, TypeError):
            raise TypeError("graph_def must be a GraphDef proto.") from None
        return protos.GraphDef.FromString(text)
    return with_defaults(graph_def)


def with_defaults(graph_def: Any) -> Any:
    """A `GraphDef`, changed in place: attrs that its nodes lack have their defaults."""
    for node in graph_def.node:
        op_def = op_registry.spec(node.op).op_def
        if op_def is not None:
            for attr in op_def.attrs.values():
                if attr.has_default and node.attr[attr.name].WhichOneof("value") is None:
                    node.attr[attr.name].CopyFrom(to_attr_value(attr.default, attr.type))
    return graph_def


def _drop_defaults(graph_def: Any, producer_op_list: Any) -> None:
    producer = {op.name: {attr.name: attr for attr in op.attr} for op in producer_op_list.op}
    for node in graph_def.node:
        op_def = op_registry.spec(node.op).op_def
        if op_def is None or node.op not in producer:
            continue
        for key in list(node.attr):
            attr = producer[node.op].get(key)
            if key not in op_def.attrs and attr is not None and attr.HasField("default_value"):
                if node.attr[key] == attr.default_value:
                    del node.attr[key]


def _check_version(versions: Any) -> None:
    if versions.min_consumer > PRODUCER:
        raise ValueError(
            f"GraphDef min consumer version {versions.min_consumer} above current version "
            f"{PRODUCER} for TensorFlow 1.15.5.  Please upgrade TensorFlow."
        )
    if PRODUCER in versions.bad_consumers:
        raise ValueError(
            f"GraphDef disallows consumer version {PRODUCER}.  Please upgrade TensorFlow: this "
            "version is likely buggy."
        )


def _element(importer: Importer, element: str, key: Key | None) -> Operation | Tensor:
    op = importer.operations.get(element if key is None else key[0])
    if key is None:
        if op is None:
            raise ValueError(f"Requested return node '{element}' not found in graph def")
        return op
    if op is not None and key[1] >= len(op._outputs):
        raise ValueError(
            f"Invalid return output {key[1]} of node '{key[0]}', which has {len(op._outputs)} "
            "output(s)"
        )
    tensor = importer.output(key)
    if tensor is None:
        raise ValueError(f"Requested return tensor '{key[0]}:{key[1]}' not found in graph def")
    return tensor
