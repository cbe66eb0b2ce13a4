"""Loading SavedModels into sessions."""

from __future__ import annotations

import os
from typing import Any

from tf1compat.api.lib.io import file_io
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.saved_model import constants, signature_def_utils_impl, utils_impl
from tf1compat.api.training import saver as saver_lib
from tf1compat.api.util.compat import as_text
from tf1compat.api.util.deprecation import deprecated
from tf1compat.api.variables import variables
from tf1compat.core import ops, protos
from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export
from tf1compat.core.graph import Graph
from tf1compat.core.session_interface import SessionInterface
from tf1compat.formats import saved_model_pb2


def parse_saved_model(export_dir: Any) -> Any:
    """The `SavedModel` proto in a folder.

    Raises:
      IOError: there is none, or it can't be parsed.
    """
    from google.protobuf import message, text_format

    found = saved_model_pb2.SavedModel()
    folder = as_text(export_dir)
    binary = os.path.join(folder, constants.SAVED_MODEL_FILENAME_PB)
    text = os.path.join(folder, constants.SAVED_MODEL_FILENAME_PBTXT)
    path = binary if file_io.file_exists(binary) else text
    if not file_io.file_exists(path):
        raise OSError(
            f"SavedModel file does not exist at: {export_dir}/"
            f"{{{constants.SAVED_MODEL_FILENAME_PBTXT}|{constants.SAVED_MODEL_FILENAME_PB}}}"
        )
    contents = file_io.FileIO(path, "rb").read()
    try:
        if path == binary:
            found.ParseFromString(contents)
        else:
            text_format.Merge(contents.decode("utf-8"), found)
    except (message.DecodeError, text_format.ParseError) as error:
        raise OSError(f"Cannot parse file {path.encode()}: {error}.") from None
    return found


_parse_saved_model = parse_saved_model


def get_asset_tensors(
    export_dir: Any, meta_graph_def_to_load: Any, import_scope: str | None = None
) -> dict[str, str]:
    """{name of the tensor with a file's path: the path in the folder}."""
    files = list(meta_graph_def_to_load.asset_file_def)
    collections = meta_graph_def_to_load.collection_def
    if not files and constants.ASSETS_KEY in collections:
        packed = collections[constants.ASSETS_KEY].any_list.value
        files = [protos.AssetFileDef.FromString(item.value) for item in packed]
    folder = utils_impl.get_assets_dir(export_dir)
    scope = f"{import_scope}/" if import_scope else ""
    return {scope + file.tensor_info.name: os.path.join(folder, file.filename) for file in files}


def _from_collection(meta_graph_def: Any, key: str) -> Any:
    """The only operation in a collection; None if there is no such collection.

    Raises:
      RuntimeError: there are several.
    """
    if key not in meta_graph_def.collection_def:
        return None
    names = meta_graph_def.collection_def[key].node_list.value
    if len(names) != 1:
        raise RuntimeError(f"Expected exactly one SavedModel init op. Found: {names}")
    return ops.get_collection(key)[0]


def _from_signature(meta_graph_def: Any, key: str, import_scope: str | None) -> Any:
    if key not in meta_graph_def.signature_def:
        return None
    signature = meta_graph_def.signature_def[key]
    return signature_def_utils_impl.load_op_from_signature_def(signature, key, import_scope)


def get_init_op(meta_graph_def: Any, import_scope: str | None = None) -> Any:
    """The operation that is run at the loading, or None."""
    found = _from_signature(meta_graph_def, constants.INIT_OP_SIGNATURE_KEY, import_scope)
    for key in (constants.MAIN_OP_KEY, constants.LEGACY_INIT_OP_KEY):
        found = found or _from_collection(meta_graph_def, key)
    return found


def get_train_op(meta_graph_def: Any, import_scope: str | None = None) -> Any:
    """The training operation, or None."""
    found = _from_signature(meta_graph_def, constants.TRAIN_OP_SIGNATURE_KEY, import_scope)
    return _from_collection(meta_graph_def, constants.TRAIN_OP_KEY) if found is None else found


@tf_export(
    "saved_model.contains_saved_model",
    "saved_model.maybe_saved_model_directory",
    "saved_model.loader.maybe_saved_model_directory",
)
def maybe_saved_model_directory(export_dir: Any) -> bool:
    """Whether there is a SavedModel in a folder."""
    names = (constants.SAVED_MODEL_FILENAME_PBTXT, constants.SAVED_MODEL_FILENAME_PB)
    return any(file_io.file_exists(os.path.join(export_dir, name)) for name in names)


@tf_export("saved_model.load", "saved_model.loader.load")
@deprecated(
    None,
    "This function will only be available through the v1 compatibility library as "
    "tf.compat.v1.saved_model.loader.load or tf.compat.v1.saved_model.load. There will be a new "
    "function for importing SavedModels in Tensorflow 2.0.",
)
def load(
    sess: SessionInterface,
    tags: Any,
    export_dir: Any,
    import_scope: str | None = None,
    **saver_kwargs: Any,
) -> Any:
    """Loads a SavedModel into a session, as `tf.saved_model.load` in TF 1.15.

    Args:
      sess: the session.
      tags: the tags of the meta graph.
      export_dir: the folder.
      import_scope: name scope to put before the names.
      **saver_kwargs: more arguments of `tf.train.import_meta_graph`.

    Returns:
      The `MetaGraphDef`.

    Raises:
      RuntimeError: there is no meta graph with these tags.
    """
    return SavedModelLoader(export_dir).load(sess, tags, import_scope, **saver_kwargs)


class SavedModelLoader:
    """Loads a SavedModel, at once or step by step.

    Args:
      export_dir: the folder.
    """

    def __init__(self, export_dir: Any):
        self._export_dir = export_dir
        self._variables_path = utils_impl.get_variables_path(export_dir)
        self._saved_model = parse_saved_model(export_dir)

    export_dir = attribute("_export_dir", "The folder.")
    variables_path: str = attribute("_variables_path", "The checkpoint.")
    saved_model = attribute("_saved_model", "The `SavedModel` proto.")

    def get_meta_graph_def_from_tags(self, tags: Any) -> Any:
        """The meta graph with these tags.

        Raises:
          RuntimeError: there is none.
        """
        available = []
        for meta_graph_def in self._saved_model.meta_graphs:
            available.append(set(meta_graph_def.meta_info_def.tags))
            if available[-1] == set(tags):
                return meta_graph_def
        raise RuntimeError(
            f"MetaGraphDef associated with tags {str(tags).strip('[]')} could not be found in "
            "SavedModel. To inspect available tag-sets in the SavedModel, please use the "
            f"SavedModel CLI: `saved_model_cli`\navailable_tags: {available}"
        )

    def load_graph(
        self, graph: Graph, tags: Any, import_scope: str | None = None, **saver_kwargs: Any
    ) -> Any:
        """Records the nodes in a graph; returns the saver and what `return_elements` names."""
        meta_graph_def = self.get_meta_graph_def_from_tags(tags)
        with graph.as_default():
            return saver_lib._import_meta_graph_with_return_elements(
                meta_graph_def, import_scope=import_scope, **saver_kwargs
            )

    def restore_variables(
        self, sess: SessionInterface, saver: Any, import_scope: str | None = None
    ) -> None:
        """Restores the variables.

        Raises:
          ValueError: there are some, but no saver.
        """
        with sess.graph.as_default():
            if saver is None and not variables._all_saveable_objects(scope=import_scope):
                logging.info(
                    "The specified SavedModel has no variables; no checkpoints were restored."
                )
            elif isinstance(saver, saver_lib.Saver):
                saver.restore(sess, self._variables_path)
            else:
                raise ValueError(
                    "No tf.train.Saver object was passed to the function "
                    "SavedModelLoader.restore_variables. Since there are variables in the graph, a "
                    "saver is required."
                )

    def run_init_ops(
        self, sess: SessionInterface, tags: Any, import_scope: str | None = None
    ) -> None:
        """Runs what the SavedModel wants to be run at the loading."""
        meta_graph_def = self.get_meta_graph_def_from_tags(tags)
        with sess.graph.as_default():
            feeds = get_asset_tensors(self._export_dir, meta_graph_def, import_scope)
            operation = get_init_op(meta_graph_def, import_scope)
            if operation is not None:
                sess.run(fetches=[operation], feed_dict=feeds)

    def load(
        self,
        sess: SessionInterface,
        tags: Any,
        import_scope: str | None = None,
        **saver_kwargs: Any,
    ) -> Any:
        """Does all of it; returns the `MetaGraphDef`."""
        with sess.graph.as_default():
            saver, _ = self.load_graph(sess.graph, tags, import_scope, **saver_kwargs)
            self.restore_variables(sess, saver, import_scope)
            self.run_init_ops(sess, tags, import_scope)
        return self.get_meta_graph_def_from_tags(tags)
