"""Exports for TensorFlow Serving from before SavedModels
(`tensorflow.contrib.session_bundle.exporter`)."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from google.protobuf.any_pb2 import Any as AnyProto

from tf1compat.api.contrib.session_bundle import constants, gc
from tf1compat.api.platform import gfile, tf_logging
from tf1compat.api.training import training_util
from tf1compat.api.training.saver import Saver
from tf1compat.api.util import compat
from tf1compat.api.util.deprecation import deprecated
from tf1compat.core import dtypes, ops, protos
from tf1compat.core.session_interface import SessionInterface
from tf1compat.formats import manifest_pb2

_deprecated = deprecated("2017-06-30", "No longer supported. Switch to SavedModel immediately.")


@_deprecated
def gfile_copy_callback(files_to_copy: Mapping[Any, Any], export_dir_path: Any) -> None:
    """Copies files into the folder of an export, over what is there.

    Args:
      files_to_copy: path -> name in that folder.
      export_dir_path: the folder, which is made.
    """
    tf_logging.info("Write assets into: %s using gfile_copy.", export_dir_path)
    gfile.MakeDirs(export_dir_path)
    for source, name in files_to_copy.items():
        path = os.path.join(compat.as_bytes(export_dir_path), compat.as_bytes(name))
        tf_logging.info("Copying asset %s to path %s.", source, path)
        if gfile.Exists(path):
            tf_logging.info("Removing file %s.", path)
            gfile.Remove(path)
        gfile.Copy(source, path)


@_deprecated
def regression_signature(input_tensor: Any, output_tensor: Any) -> Any:
    """The signature of a model that gives numbers.

    Args:
      input_tensor: what it takes, serialized `tf.Example`s.
      output_tensor: what it gives.

    Returns:
      A `Signature` message.
    """
    return _signature("regression_signature", input=input_tensor, output=output_tensor)


@_deprecated
def classification_signature(
    input_tensor: Any, classes_tensor: Any = None, scores_tensor: Any = None
) -> Any:
    """The signature of a model that gives classes.

    Args:
      input_tensor: what it takes, serialized `tf.Example`s.
      classes_tensor: the classes, or None.
      scores_tensor: their scores, or None.

    Returns:
      A `Signature` message.
    """
    return _signature(
        "classification_signature",
        input=input_tensor, classes=classes_tensor, scores=scores_tensor,
    )  # fmt: skip


@_deprecated
def generic_signature(name_tensor_map: Mapping[str, Any]) -> Any:
    """The signature of any tensors.

    Args:
      name_tensor_map: name -> tensor.

    Returns:
      A `Signature` message.
    """
    signature = manifest_pb2.Signature()
    for name, tensor in name_tensor_map.items():
        signature.generic_signature.map[name].tensor_name = tensor.name
    return signature


def _signature(kind: str, **tensors: Any) -> Any:
    signature = manifest_pb2.Signature()
    for field, tensor in tensors.items():
        if tensor is not None:
            getattr(getattr(signature, kind), field).tensor_name = tensor.name
    return signature


class Exporter:
    """Writes a model for serving: its graph, signatures, variables and files.

    Args:
      saver: the `Saver` of its variables.
    """

    def __init__(self, saver: Any):
        saver_def = saver.as_saver_def()
        # Which exports are kept is settled by `export`.
        saver_def.ClearField("max_to_keep")
        self._saver = Saver(saver_def=saver_def)
        self._has_init = False
        self._assets_to_copy: dict[bytes, bytes] = {}

    @_deprecated
    def init(
        self,
        graph_def: Any = None,
        init_op: Any = None,
        clear_devices: bool = False,
        default_graph_signature: Any = None,
        named_graph_signatures: Mapping[str, Any] | None = None,
        assets_collection: Iterable[Any] | None = None,
        assets_callback: Callable[[Mapping[Any, Any], Any], Any] = gfile_copy_callback,
    ) -> None:
        """Says what is exported, in collections of the default graph.

        Args:
          graph_def: the graph to be served; by default the default graph.
          init_op: an operation to be run before.
          clear_devices: whether the graph is exported without its operations' devices.
          default_graph_signature: a `Signature` message.
          named_graph_signatures: name -> `Signature` message.
          assets_collection: constant scalar string tensors with the paths of files.
          assets_callback: called with path -> name and the folder where they are to be; or None.

        Raises:
          RuntimeError: it was called before.
          TypeError: `init_op` is no operation.
          ValueError, TypeError: a path is no constant scalar string, or empty.
        """
        assets = []
        for tensor in assets_collection or ():
            path = _path_of(tensor)
            if not path:
                raise ValueError(f"invalid asset filepath tensor {tensor}")
            assets.append((os.path.basename(path), tensor))
            self._assets_to_copy[path] = assets[-1][0]
        if self._has_init:
            raise RuntimeError("init should be called only once")
        self._has_init = True
        if graph_def or clear_devices:
            copy = protos.GraphDef()
            copy.CopyFrom(graph_def or ops.get_default_graph().as_graph_def())
            for node in copy.node if clear_devices else ():
                node.device = ""
            _collect(constants.GRAPH_KEY, copy)
        if init_op:
            if not isinstance(init_op, ops.Operation):
                raise TypeError(f"init_op needs to be an Operation: {init_op}")
            ops.add_to_collection(constants.INIT_OP_KEY, init_op)
        signatures = manifest_pb2.Signatures()
        if default_graph_signature:
            signatures.default_signature.CopyFrom(default_graph_signature)
        for name, signature in (named_graph_signatures or {}).items():
            signatures.named_signatures[name].CopyFrom(signature)
        _collect(constants.SIGNATURES_KEY, signatures)
        for name, tensor in assets:
            asset = manifest_pb2.AssetFile(filename=name)
            asset.tensor_binding.tensor_name = tensor.name
            _collect(constants.ASSETS_KEY, asset)
        self._assets_callback = assets_callback

    @_deprecated
    def export(
        self,
        export_dir_base: str,
        global_step_tensor: Any,
        sess: SessionInterface | None = None,
        exports_to_keep: gc.Filter | None = None,
    ) -> bytes:
        """Writes an export, first under another name.

        Args:
          export_dir_base: the folder of the exports.
          global_step_tensor: the step, or its name; the export's version.
          sess: the session that has the variables.
          exports_to_keep: a filter of `gc`: which exports in the folder are kept; None: all.

        Returns:
          The path of the export.

        Raises:
          RuntimeError: `init` was not called, or there is an export of this version.
        """
        if not self._has_init:
            raise RuntimeError("init must be called first")
        base = export_dir_base.removesuffix("/")
        version = constants.VERSION_FORMAT_SPECIFIER % training_util.global_step(
            sess, global_step_tensor
        )
        path = os.path.join(compat.as_bytes(base), compat.as_bytes(version))
        if gfile.Exists(path):
            raise RuntimeError(
                "Overwriting exports can cause corruption and are not allowed. "
                f"Duplicate export dir: {path}"
            )
        temporary = compat.as_text(path) + "-tmp"
        gfile.MakeDirs(temporary)
        self._saver.save(
            sess,
            os.path.join(temporary, constants.EXPORT_BASE_NAME),
            meta_graph_suffix=constants.EXPORT_SUFFIX_NAME,
        )
        if self._assets_callback and self._assets_to_copy:
            folder = os.path.join(temporary, constants.ASSETS_DIRECTORY).encode()
            gfile.MakeDirs(folder)
            self._assets_callback(self._assets_to_copy, folder)
        gfile.Rename(temporary, path)
        if exports_to_keep:
            _delete_others(base, exports_to_keep)
        return path


def _collect(key: str, message: Any) -> None:
    packed = AnyProto()
    packed.Pack(message)
    # By TF's name: the messages of TensorBoard's package are TF's under another one.
    packed.type_url = packed.type_url.replace("/tensorboard.", "/tensorflow.")
    ops.add_to_collection(key, packed)


def _delete_others(base: str, kept: gc.Filter) -> None:
    def parser(path: gc.Path) -> gc.Path | None:
        # As in TF the folder's name is a part of the pattern.
        match = re.match(rf"^{base}/(\d{{8}})$", path.path)
        return path._replace(export_version=int(match[1])) if match else None

    for path in gc.negation(kept)(gc.get_paths(base, parser=parser)):
        gfile.DeleteRecursively(path.path)


def _path_of(tensor: Any) -> bytes:
    """What a constant says."""
    if not isinstance(tensor, ops.Tensor):
        raise TypeError("tensor is not a Tensor")
    if tensor.op.type != "Const":
        raise TypeError("Only constants tensor are supported")
    if tensor.dtype != dtypes.string:
        raise TypeError("File paths should be string")
    values = tensor.op.get_attr("value").string_val
    if len(values) != 1:
        raise TypeError("Only scalar tensors are supported")
    return values[0]
