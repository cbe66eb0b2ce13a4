"""`tensorflow.contrib.saved_model.python.saved_model.reader`: what is in a SavedModel's file."""

from __future__ import annotations

from typing import Any

from tf1compat.api.saved_model import loader_impl


def read_saved_model(saved_model_dir: Any) -> Any:
    """The `SavedModel` proto in a folder.

    Raises:
      IOError: there is none, or it can't be parsed.
    """
    if not loader_impl.maybe_saved_model_directory(saved_model_dir):
        raise OSError(f"SavedModel file does not exist at: {saved_model_dir}")
    return loader_impl.parse_saved_model(saved_model_dir)


def get_saved_model_tag_sets(saved_model_dir: Any) -> list[list[str]]:
    """The tags of each meta graph in a folder.

    Raises:
      IOError: there is none, or it can't be parsed.
    """
    meta_graphs = read_saved_model(saved_model_dir).meta_graphs
    return [list(meta_graph.meta_info_def.tags) for meta_graph in meta_graphs]
