"""`tensorflow.python.tools.saved_model_utils`: the protos of a SavedModel."""

from __future__ import annotations

from typing import Any

from tf1compat.api.saved_model import loader_impl


def read_saved_model(saved_model_dir: str) -> Any:
    """The `SavedModel` proto of a folder.

    Raises:
      IOError: there is none, or it can't be parsed.
    """
    if not loader_impl.maybe_saved_model_directory(saved_model_dir):
        raise OSError(f"SavedModel file does not exist at: {saved_model_dir}")
    return loader_impl.parse_saved_model(saved_model_dir)


def get_saved_model_tag_sets(saved_model_dir: str) -> list[list[str]]:
    """The tags of each graph of a SavedModel."""
    graphs = read_saved_model(saved_model_dir).meta_graphs
    return [list(graph.meta_info_def.tags) for graph in graphs]


def get_meta_graph_def(saved_model_dir: str, tag_set: str) -> Any:
    """The `MetaGraphDef` with exactly these tags, which are separated by commas.

    Raises:
      RuntimeError: there is none.
    """
    wanted = set(tag_set.split(","))
    for graph in read_saved_model(saved_model_dir).meta_graphs:
        if set(graph.meta_info_def.tags) == wanted:
            return graph
    raise RuntimeError(
        f"MetaGraphDef associated with tag-set {tag_set} could not be found in SavedModel"
    )
