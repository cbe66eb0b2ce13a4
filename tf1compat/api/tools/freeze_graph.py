"""`tensorflow.python.tools.freeze_graph`: a graph whose variables have become constants."""

from __future__ import annotations

import re
from typing import Any

from tf1compat.api.client import pywrap_tensorflow
from tf1compat.api.framework import graph_util_impl, importer
from tf1compat.api.platform import gfile
from tf1compat.api.saved_model import loader_impl
from tf1compat.api.tools import command_line, saved_model_utils
from tf1compat.api.tools.command_line import Option
from tf1compat.api.tools.strip_unused_lib import read_proto
from tf1compat.api.training import checkpoint_management
from tf1compat.api.training import saver as saver_lib
from tf1compat.core import protos
from tf1compat.core.export import required
from tf1compat.core.session_interface import SessionInterface


def freeze_graph_with_def_protos(
    input_graph_def: Any,
    input_saver_def: Any,
    input_checkpoint: str,
    output_node_names: str,
    restore_op_name: Any,
    filename_tensor_name: Any,
    output_graph: str,
    clear_devices: bool,
    initializer_nodes: str,
    variable_names_whitelist: str = "",
    variable_names_blacklist: str = "",
    input_meta_graph_def: Any = None,
    input_saved_model_dir: str | None = None,
    saved_model_tags: list[str] | None = None,
    checkpoint_version: int = 2,
) -> Any:
    """Makes the variables of a graph constants, with values from a checkpoint (as in TF 1.15).

    Args:
      input_graph_def: the `GraphDef`.
      input_saver_def: a `SaverDef` to restore with; None: the names in the checkpoint say what.
      input_checkpoint: the checkpoint's prefix.
      output_node_names: the nodes that are wanted, separated by commas.
      restore_op_name, filename_tensor_name: not used, as in TF 1.15.
      output_graph: where the frozen graph is written; nowhere if empty.
      clear_devices: whether nodes lose their devices.
      initializer_nodes: what is run after restoring, separated by commas.
      variable_names_whitelist: the variables that are frozen; all if empty.
      variable_names_blacklist: those that are not.
      input_meta_graph_def: a `MetaGraphDef` in place of the graph.
      input_saved_model_dir: a SavedModel in place of both.
      saved_model_tags: the tags of its graph.
      checkpoint_version: the `SaverDef` version.

    Returns:
      The frozen `GraphDef`.

    Raises:
      ValueError: no checkpoint, no output, or no variables.
    """
    if not input_saved_model_dir and not checkpoint_management.checkpoint_exists(input_checkpoint):
        raise ValueError(f"Input checkpoint '{input_checkpoint}' doesn't exist!")
    if not output_node_names:
        raise ValueError("You need to supply the name of a node to --output_node_names.")
    graph_def = input_meta_graph_def.graph_def if input_meta_graph_def else input_graph_def
    if clear_devices and graph_def:
        for node in graph_def.node:
            node.device = ""
    if input_graph_def:
        importer.import_graph_def(input_graph_def, name="")
    with required("Session")() as session:
        if input_saver_def:
            saver: Any = saver_lib.Saver(
                saver_def=input_saver_def, write_version=checkpoint_version
            )
            saver.restore(session, input_checkpoint)
        elif input_meta_graph_def:
            saver = saver_lib.import_meta_graph(input_meta_graph_def, clear_devices=True)
            saver.restore(session, input_checkpoint)
            _run(session, initializer_nodes)
        elif input_saved_model_dir:
            loader_impl.load(session, saved_model_tags or [], input_saved_model_dir)
        else:
            _restore_by_name(session, input_checkpoint, checkpoint_version)
            _run(session, initializer_nodes)
        frozen = graph_util_impl.convert_variables_to_constants(
            session,
            graph_def,
            _names(output_node_names),
            variable_names_whitelist=_names(variable_names_whitelist) or None,
            variable_names_blacklist=_names(variable_names_blacklist) or None,
        )
    if output_graph:
        with gfile.GFile(output_graph, "wb") as file:
            file.write(frozen.SerializeToString())
    return frozen


def freeze_graph(
    input_graph: str,
    input_saver: str,
    input_binary: bool,
    input_checkpoint: str,
    output_node_names: str,
    restore_op_name: Any,
    filename_tensor_name: Any,
    output_graph: str,
    clear_devices: bool,
    initializer_nodes: str,
    variable_names_whitelist: str = "",
    variable_names_blacklist: str = "",
    input_meta_graph: Any = None,
    input_saved_model_dir: str | None = None,
    saved_model_tags: str = "serve",
    checkpoint_version: int = 2,
) -> Any:
    """`freeze_graph_with_def_protos` of files: a graph, a saver, a meta graph or a SavedModel.

    Args:
      input_binary: whether the files are binary protos rather than text.
      Otherwise as there, with paths in place of protos and tags separated by commas.

    Returns:
      The frozen `GraphDef`.

    Raises:
      IOError: a file does not exist.
      ValueError: as there.
    """
    graph_def = meta_graph_def = saver_def = None
    if input_saved_model_dir:
        graph_def = saved_model_utils.get_meta_graph_def(
            input_saved_model_dir, saved_model_tags
        ).graph_def
    elif input_graph:
        graph_def = _read(protos.GraphDef(), "graph", input_graph, input_binary)
    if input_meta_graph:
        meta_graph_def = _read(protos.MetaGraphDef(), "meta graph", input_meta_graph, input_binary)
        print(f"Loaded meta graph file '{input_meta_graph}")
    if input_saver:
        saver_def = _read(protos.SaverDef(), "saver", input_saver, input_binary)
    return freeze_graph_with_def_protos(
        graph_def,
        saver_def,
        input_checkpoint,
        output_node_names,
        restore_op_name,
        filename_tensor_name,
        output_graph,
        clear_devices,
        initializer_nodes,
        variable_names_whitelist,
        variable_names_blacklist,
        meta_graph_def,
        input_saved_model_dir,
        _names(saved_model_tags),
        checkpoint_version=checkpoint_version,
    )


def _names(text: str) -> list[str]:
    return text.replace(" ", "").split(",") if text else []


def _run(session: SessionInterface, initializer_nodes: str) -> None:
    if initializer_nodes:
        session.run(_names(initializer_nodes))


def _read(proto: Any, kind: str, path: str, binary: bool) -> Any:
    if not gfile.Exists(path):
        raise OSError(f"Input {kind} file '{path}' does not exist!")
    return read_proto(proto, path, binary)


def _restore_by_name(session: SessionInterface, checkpoint: str, version: int) -> None:
    """Restores the tensors of the graph that are named as something in the checkpoint."""
    graph = session.graph
    parts = [
        tensor.op.name
        for op in graph.get_operations()
        for tensor in op.values()
        if re.search(r"/part_\d+/", tensor.name)
    ]
    found = {}
    partitioned = False
    for key in pywrap_tensorflow.NewCheckpointReader(checkpoint).get_variable_to_shape_map():
        try:
            found[key] = graph.get_tensor_by_name(f"{key}:0")
        except KeyError:
            continue
        partitioned |= any(key in name for name in parts)
    try:
        saver = saver_lib.Saver(var_list=found, write_version=version)
    except TypeError:
        if partitioned:
            raise ValueError(
                "Models containing partition variables cannot be converted from checkpoint files. "
                "Please pass in a SavedModel using the flag --input_saved_model_dir."
            ) from None
        types = [op.type for op in graph.get_operations()]
        if any(t.startswith("Variable") or t.endswith("VariableOp") for t in types):
            raise
        raise ValueError(
            "No variables were found in this model. It is likely the model was frozen previously. "
            "You cannot freeze a graph twice."
        ) from None
    saver.restore(session, checkpoint)


def main(unused_args: Any, flags: Any) -> None:
    """Freezes what a command line says (as in TF 1.15).

    Args:
      unused_args: the rest of the command line.
      flags: an object with the options as attributes, as `freeze_graph` takes them.

    Raises:
      ValueError: the version of checkpoints is neither 1 nor 2; or as `freeze_graph`.
    """
    if flags.checkpoint_version not in (1, 2):
        raise ValueError(
            f"Invalid checkpoint version (must be '1' or '2'): {flags.checkpoint_version:d}"
        )
    freeze_graph(
        flags.input_graph,
        flags.input_saver,
        flags.input_binary,
        flags.input_checkpoint,
        flags.output_node_names,
        flags.restore_op_name,
        flags.filename_tensor_name,
        flags.output_graph,
        flags.clear_devices,
        flags.initializer_nodes,
        flags.variable_names_whitelist,
        flags.variable_names_blacklist,
        flags.input_meta_graph,
        flags.input_saved_model_dir,
        flags.saved_model_tags,
        flags.checkpoint_version,
    )


_OPTIONS = (
    Option("input_graph", help="the file of a GraphDef"),
    Option("input_saver", help="the file of a SaverDef"),
    Option("input_checkpoint", help="the prefix of a checkpoint"),
    Option("checkpoint_version", 2, "1 or 2", int),
    Option("output_graph", help="the file that is written"),
    Option("input_binary", False, "whether the files are binary protos", bool),
    Option("output_node_names", help="the nodes that are wanted, separated by commas"),
    Option("restore_op_name", "save/restore_all", "not used"),
    Option("filename_tensor_name", "save/Const:0", "not used"),
    Option("clear_devices", True, "whether nodes lose their devices", bool),
    Option("initializer_nodes", help="what is run first, separated by commas"),
    Option("variable_names_whitelist", help="the variables that are frozen, separated by commas"),
    Option("variable_names_blacklist", help="those that are not"),
    Option("input_meta_graph", help="the file of a MetaGraphDef"),
    Option("input_saved_model_dir", help="the folder of a SavedModel"),
    Option("saved_model_tags", "serve", "the tags of its graph, separated by commas"),
)


def run_main() -> None:
    """The command line's entry point."""
    command_line.run(_OPTIONS, main)
