"""Tensors as `TensorInfo` protos, and the folders of a SavedModel."""

from __future__ import annotations

import os
from typing import Any

from tf1compat.api.lib.io import file_io
from tf1compat.api.saved_model import constants
from tf1compat.api.util.compat import as_text
from tf1compat.api.util.deprecation import deprecated
from tf1compat.core import context, dtypes, nest, ops, protos
from tf1compat.core.export import tf_export
from tf1compat.core.graph import Graph
from tf1compat.core.sparse_tensor import SparseTensor
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.typing import TensorLike


def _v1_only(*names: str) -> Any:
    paths = " or ".join(f"tf.compat.v1.saved_model.{name}" for name in names)
    text = f"This function will only be available through the v1 compatibility library as {paths}."
    return deprecated(None, text)


@tf_export("saved_model.build_tensor_info", "saved_model.utils.build_tensor_info")
@_v1_only("utils.build_tensor_info", "build_tensor_info")
def build_tensor_info(tensor: TensorLike) -> Any:
    """A `TensorInfo` proto of a tensor, or of what is made of several, as in TF 1.15.

    Args:
      tensor: a tensor, SparseTensor or other composite.

    Returns:
      A `TensorInfo` proto.

    Raises:
      RuntimeError: in eager mode.
    """
    if context.executing_eagerly():
        raise RuntimeError("build_tensor_info is not supported in Eager mode.")
    return build_tensor_info_internal(tensor)


def build_tensor_info_internal(tensor: Any) -> Any:
    """As `build_tensor_info`."""
    if hasattr(tensor, "_type_spec") and not isinstance(tensor, SparseTensor):
        return _build_composite_tensor_info(tensor)
    info = protos.TensorInfo(
        dtype=dtypes.as_dtype(tensor.dtype).as_datatype_enum,
        tensor_shape=tensor.get_shape().as_proto(),
    )
    if isinstance(tensor, SparseTensor):
        info.coo_sparse.values_tensor_name = tensor.values.name
        info.coo_sparse.indices_tensor_name = tensor.indices.name
        info.coo_sparse.dense_shape_tensor_name = tensor.dense_shape.name
    else:
        info.name = tensor.name
    return info


def _structure_coder() -> Any:
    # Loaded when it is needed: it knows ragged tensors and datasets, which few programs use.
    from tf1compat.api.saved_model import nested_structure_coder

    return nested_structure_coder.StructureCoder()


def _build_composite_tensor_info(value: Any) -> Any:
    """The type of what is made of several tensors, and a `TensorInfo` of each of these."""
    info = protos.TensorInfo()
    encoded = _structure_coder().encode_structure(value._type_spec)
    info.composite_tensor.type_spec.CopyFrom(encoded.type_spec_value)
    for component in nest.flatten(value, expand_composites=True):
        info.composite_tensor.components.add().CopyFrom(build_tensor_info_internal(component))
    return info


def build_tensor_info_from_op(op: Any) -> Any:
    """A `TensorInfo` proto with the name of an operation."""
    return protos.TensorInfo(dtype=0, tensor_shape=TensorShape(None).as_proto(), name=op.name)


@tf_export(
    "saved_model.get_tensor_from_tensor_info", "saved_model.utils.get_tensor_from_tensor_info"
)
@_v1_only("utils.get_tensor_from_tensor_info", "get_tensor_from_tensor_info")
def get_tensor_from_tensor_info(
    tensor_info: Any, graph: Graph | None = None, import_scope: str | None = None
) -> Any:
    """The tensor that a `TensorInfo` names.

    Args:
      tensor_info: the proto.
      graph: where it is; the default graph by default.
      import_scope: name scope to put before the name.

    Returns:
      A tensor, SparseTensor or another composite.

    Raises:
      KeyError: there is no such tensor.
      ValueError: the proto names none.
    """
    graph = graph or ops.get_default_graph()

    def tensor(name: str) -> Any:
        return graph.get_tensor_by_name(ops.prepend_name_scope(name, import_scope))

    encoding = tensor_info.WhichOneof("encoding")
    if encoding == "name":
        return tensor(tensor_info.name)
    if encoding == "coo_sparse":
        sparse = tensor_info.coo_sparse
        return SparseTensor(
            tensor(sparse.indices_tensor_name),
            tensor(sparse.values_tensor_name),
            tensor(sparse.dense_shape_tensor_name),
        )
    if encoding == "composite_tensor":
        composite = tensor_info.composite_tensor
        encoded = protos.StructuredValue(type_spec_value=composite.type_spec)
        spec = _structure_coder().decode_proto(encoded)
        components = [tensor(info.name) for info in composite.components]
        return nest.pack_sequence_as(spec, components, expand_composites=True)
    raise ValueError(f"Invalid TensorInfo.encoding: {encoding}")


def get_element_from_tensor_info(
    tensor_info: Any, graph: Graph | None = None, import_scope: str | None = None
) -> Any:
    """The tensor or operation that a `TensorInfo` names."""
    graph = graph or ops.get_default_graph()
    return graph.as_graph_element(ops.prepend_name_scope(tensor_info.name, import_scope))


def get_or_create_variables_dir(export_dir: Any) -> str:
    """The folder of the checkpoint, made if it is not there."""
    return _made(get_variables_dir(export_dir))


def get_variables_dir(export_dir: Any) -> str:
    """The folder of the checkpoint."""
    return os.path.join(as_text(export_dir), constants.VARIABLES_DIRECTORY)


def get_variables_path(export_dir: Any) -> str:
    """The checkpoint."""
    return os.path.join(get_variables_dir(export_dir), constants.VARIABLES_FILENAME)


def get_or_create_assets_dir(export_dir: Any) -> str:
    """The folder of the files that the program needs, made if it is not there."""
    return _made(get_assets_dir(export_dir))


def get_assets_dir(export_dir: Any) -> str:
    """The folder of the files that the program needs."""
    return os.path.join(as_text(export_dir), constants.ASSETS_DIRECTORY)


def _made(folder: str) -> str:
    if not file_io.file_exists(folder):
        file_io.recursive_create_dir(folder)
    return folder
