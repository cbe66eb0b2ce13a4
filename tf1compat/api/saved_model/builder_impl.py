"""Writing SavedModels."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from tf1compat.api.lib.io import file_io
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.saved_model import constants, signature_def_utils_impl, utils_impl
from tf1compat.api.training import saver as saver_lib
from tf1compat.api.util.compat import as_bytes, as_str
from tf1compat.api.util.deprecation import deprecated_args
from tf1compat.api.variables import variables
from tf1compat.core import dtypes, ops, protos
from tf1compat.core.export import tf_export
from tf1compat.core.session_interface import SessionInterface
from tf1compat.formats import saved_model_pb2

_ASSET_TYPE = "type.googleapis.com/tensorflow.AssetFileDef"
_main_op_argument = deprecated_args(
    None, "Pass your op to the equivalent parameter main_op instead.", "legacy_init_op"
)


class _SavedModelBuilder:
    """Writes graphs with their variables, signatures and files to a folder, as TF 1.15 does for
    TF 2: operations that run when it is loaded are signatures, files are in the meta graph.

    Args:
      export_dir: the folder, which must be empty or not there.

    Raises:
      AssertionError: it holds something.
    """

    def __init__(self, export_dir: Any):
        self._saved_model: Any = saved_model_pb2.SavedModel()
        self._saved_model.saved_model_schema_version = constants.SAVED_MODEL_SCHEMA_VERSION
        self._export_dir = export_dir
        self._has_saved_variables = False
        if not file_io.file_exists(export_dir):
            file_io.recursive_create_dir(export_dir)
        elif file_io.list_directory(export_dir):
            raise AssertionError(
                "Export directory already exists, and isn't empty. Please choose a different "
                "export directory, or delete all the contents of the specified directory: "
                f"{export_dir}"
            )

    def add_meta_graph(
        self,
        tags: Any,
        signature_def_map: Any = None,
        assets_list: Any = None,
        clear_devices: bool = False,
        init_op: Any = None,
        train_op: Any = None,
        saver: Any = None,
    ) -> None:
        """Adds the default graph; its variables are those that were saved before.

        Args: see `add_meta_graph_and_variables`.

        Raises:
          AssertionError: none were saved, or a signature lacks something.
        """
        self._check_saved()
        signatures = _with_operations(signature_def_map, init_op, train_op)
        self._add(_saver(saver), tags, signatures, clear_devices, True, assets_list)

    def add_meta_graph_and_variables(
        self,
        sess: SessionInterface,
        tags: Any,
        signature_def_map: Any = None,
        assets_list: Any = None,
        clear_devices: bool = False,
        init_op: Any = None,
        train_op: Any = None,
        strip_default_attrs: bool = False,
        saver: Any = None,
    ) -> None:
        """Saves the variables of a session, and adds the default graph.

        Args:
          sess: the session.
          tags: what the meta graph is found by.
          signature_def_map: {name: a `SignatureDef`}, to which those of operations are added.
          assets_list: constants with the paths of files to copy.
          clear_devices: whether nodes lose their devices.
          init_op: an operation to run when it is loaded.
          train_op: an operation that trains.
          strip_default_attrs: whether attrs of default value are left out.
          saver: a `tf.train.Saver`; by default a new one for all variables.

        Raises:
          AssertionError: variables were saved before, or a signature lacks something.
        """
        self._check_not_saved()
        signatures = _with_operations(signature_def_map, init_op, train_op)
        saver = self._save_variables(sess, saver)
        self._add(saver, tags, signatures, clear_devices, strip_default_attrs, assets_list)
        self._has_saved_variables = True

    def save(self, as_text: bool = False) -> bytes:
        """Writes the graphs, as text if wanted; returns the file's path."""
        if not file_io.file_exists(self._export_dir):
            file_io.recursive_create_dir(self._export_dir)
        if as_text:
            name, contents = constants.SAVED_MODEL_FILENAME_PBTXT, str(self._saved_model)
        else:
            name = constants.SAVED_MODEL_FILENAME_PB
            contents = self._saved_model.SerializeToString(deterministic=True)
        path = os.path.join(as_str(self._export_dir), name)
        file_io.atomic_write_string_to_file(path, contents)
        logging.info("SavedModel written to: %s", path)
        return as_bytes(path)

    def _check_saved(self) -> None:
        if not self._has_saved_variables:
            raise AssertionError(
                "Graph state including variables and assets has not been saved yet. Please invoke "
                "`add_meta_graph_and_variables()` first."
            )

    def _check_not_saved(self) -> None:
        if self._has_saved_variables:
            raise AssertionError(
                "Graph state including variables and assets has already been saved. Please invoke "
                "`add_meta_graph()` instead."
            )

    def _save_variables(self, sess: SessionInterface, saver: Any) -> Any:
        utils_impl.get_or_create_variables_dir(self._export_dir)
        path = utils_impl.get_variables_path(self._export_dir)
        saver = _saver(saver)
        saver.save(sess, path, write_meta_graph=False, write_state=False)
        return saver

    def _add(
        self,
        saver: Any,
        tags: Any,
        signatures: dict[str, Any],
        clear_devices: bool,
        strip_default_attrs: bool,
        assets: Any = (),
    ) -> None:
        made = saver.export_meta_graph(
            clear_devices=clear_devices, strip_default_attrs=strip_default_attrs
        )
        if assets != ():
            self._save_assets(assets, lambda file: made.asset_file_def.add().CopyFrom(file))
        made.meta_info_def.tags.extend(tags)
        for key, signature in signatures.items():
            made.signature_def[key].CopyFrom(signature)
        self._saved_model.meta_graphs.add().CopyFrom(made)

    def _save_assets(self, assets: Any, note: Callable[[Any], None]) -> None:
        """Notes files and copies them."""
        paths: dict[str, str] = {}
        for tensor in assets or ():
            path = _path_of(tensor)
            name = get_asset_filename_to_add(path, paths)
            file = protos.AssetFileDef(filename=name)
            file.tensor_info.name = tensor.name
            note(file)
            paths[name] = path
        logging.info("No assets to save." if assets is None else "Assets added to graph.")
        if not paths:
            logging.info("No assets to write.")
            return
        copy_assets_to_destination_dir(paths, self._export_dir)


@tf_export("saved_model.Builder", "saved_model.builder.SavedModelBuilder")
class SavedModelBuilder(_SavedModelBuilder):
    """Writes graphs with their variables, signatures and files to a folder, as in TF 1.15.

    Args:
      export_dir: the folder, which must be empty or not there.

    Raises:
      AssertionError: it holds something.
    """

    @_main_op_argument
    def add_meta_graph(  # pyright: ignore[reportIncompatibleMethodOverride]
        self,
        tags: Any,
        signature_def_map: Any = None,
        assets_collection: Any = None,
        legacy_init_op: Any = None,
        clear_devices: bool = False,
        main_op: Any = None,
        strip_default_attrs: bool = False,
        saver: Any = None,
    ) -> None:
        """Adds the default graph; its variables are those that were saved before.

        Args: see `add_meta_graph_and_variables`.

        Raises:
          AssertionError: none were saved, or a signature lacks something.
        """
        self._check_saved()
        signatures = signature_def_map or {}
        _check_signatures(signatures)
        self._add_collections(assets_collection, main_op or legacy_init_op)
        self._add(_saver(saver), tags, signatures, clear_devices, strip_default_attrs)

    @_main_op_argument
    def add_meta_graph_and_variables(  # pyright: ignore[reportIncompatibleMethodOverride]
        self,
        sess: SessionInterface,
        tags: Any,
        signature_def_map: Any = None,
        assets_collection: Any = None,
        legacy_init_op: Any = None,
        clear_devices: bool = False,
        main_op: Any = None,
        strip_default_attrs: bool = False,
        saver: Any = None,
    ) -> None:
        """Saves the variables of a session, and adds the default graph.

        Args:
          sess: the session.
          tags: what the meta graph is found by.
          signature_def_map: {name: a `SignatureDef`}.
          assets_collection: constants with the paths of files to copy.
          legacy_init_op: deprecated for `main_op`.
          clear_devices: whether nodes lose their devices.
          main_op: an operation to run when it is loaded.
          strip_default_attrs: whether attrs of default value are left out.
          saver: a `tf.train.Saver`; by default a new one for all variables.

        Raises:
          AssertionError: variables were saved before, or a signature lacks something.
          TypeError: `main_op` is no operation, or an asset no constant string.
          ValueError: the graph has such an operation.
        """
        self._check_not_saved()
        signatures = signature_def_map or {}
        _check_signatures(signatures)
        self._add_collections(assets_collection, main_op or legacy_init_op)
        saver = self._save_variables(sess, saver)
        self._add(saver, tags, signatures, clear_devices, strip_default_attrs)
        self._has_saved_variables = True

    def _add_collections(self, assets: Any, main_op: Any) -> None:
        self._save_assets(assets, _add_to_collection)
        if main_op is None:
            return
        if not isinstance(main_op, ops.Operation):
            raise TypeError(f"main_op needs to be an Operation: {main_op!r}")
        for key in (constants.MAIN_OP_KEY, constants.LEGACY_INIT_OP_KEY):
            if ops.get_collection(key):
                raise ValueError(
                    f"Graph already contains one or more main ops under the collection {key}."
                )
        ops.add_to_collection(constants.MAIN_OP_KEY, main_op)


def _add_to_collection(file: Any) -> None:
    from google.protobuf.any_pb2 import Any as AnyProto

    packed = AnyProto(type_url=_ASSET_TYPE, value=file.SerializeToString())
    ops.add_to_collection(constants.ASSETS_KEY, packed)


def _with_operations(signatures: Any, init_op: Any, train_op: Any) -> dict[str, Any]:
    """Signatures with those of operations, which are put among them."""
    signatures = signatures or {}
    _check_signatures(signatures)
    for key, op in (
        (constants.INIT_OP_SIGNATURE_KEY, init_op),
        (constants.TRAIN_OP_SIGNATURE_KEY, train_op),
    ):
        if op is not None:
            signatures[key] = signature_def_utils_impl.op_signature_def(op, key)
    return signatures


def _saver(saver: Any) -> Any:
    if saver:
        return saver
    return saver_lib.Saver(variables._all_saveable_objects(), sharded=True, allow_empty=True)


def _check_signatures(signatures: dict[str, Any]) -> None:
    """Refuses signatures that lack something, and those of reserved names."""
    for signature in signatures.values():
        for infos in (signature.inputs, signature.outputs):
            for key in infos:
                _check_tensor_info(infos[key])
    for key, what in (
        (constants.INIT_OP_SIGNATURE_KEY, "initialization"),
        (constants.TRAIN_OP_SIGNATURE_KEY, "the train op"),
    ):
        if key in signatures:
            raise KeyError(
                f'SignatureDef map key "{key}" is reserved for {what}. Please use a different key.'
            )


def _check_tensor_info(info: Any) -> None:
    encoding = info.WhichOneof("encoding")
    if encoding is None:
        raise AssertionError(
            "All TensorInfo protos used in the SignatureDefs must have one of the 'encoding' "
            f"fields (e.g., name or coo_sparse) set: {info}"
        )
    if encoding == "composite_tensor":
        for component in info.composite_tensor.components:
            _check_tensor_info(component)
    elif not info.dtype:
        raise AssertionError(
            f"All TensorInfo protos used in the SignatureDefs must have the dtype field set: {info}"
        )


def _path_of(tensor: Any) -> str:
    """The path that a constant holds."""
    if not isinstance(tensor, ops.Tensor):
        raise TypeError("Asset path tensor must be a Tensor.")
    if tensor.op.type != "Const":
        raise TypeError("Asset path tensor must be of type constant.")
    if tensor.dtype != dtypes.string:
        raise TypeError("Asset path tensor must be of dtype string.")
    values = tensor.op.get_attr("value").string_val
    if len(values) != 1:
        raise TypeError("Asset path tensor must be a scalar.")
    if not values[0]:
        raise ValueError(f"Invalid asset filepath tensor {tensor}")
    return as_str(values[0])


def get_asset_filename_to_add(asset_filepath: str, asset_filename_map: dict[str, str]) -> str:
    """The name of a file in the folder: its own, with a number if another file has it."""
    name = os.path.basename(asset_filepath)
    other = asset_filename_map.get(name)
    if other is None or other == asset_filepath or file_io.filecmp(asset_filepath, other):
        return name
    count, unique = 1, name
    while unique in asset_filename_map:
        unique = f"{name}_{count}"
        count += 1
    return unique


def copy_assets_to_destination_dir(
    asset_filename_map: dict[str, str], destination_dir: Any
) -> None:
    """Copies files to the folder, unless they are there."""
    folder = utils_impl.get_or_create_assets_dir(destination_dir)
    for name, source in asset_filename_map.items():
        path = os.path.join(folder, name)
        if not file_io.file_exists(path):
            file_io.copy(source, path)
    logging.info("Assets written to: %s", folder)
