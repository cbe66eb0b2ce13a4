"""Writing a graph to a file."""

from __future__ import annotations

import os
from typing import Any

from tf1compat.api.lib.io import file_io
from tf1compat.core.deferred import Deferred
from tf1compat.core.export import tf_export
from tf1compat.formats.graph_text import graph_text

text_format = Deferred("google.protobuf.text_format")


@tf_export("io.write_graph", "train.write_graph")
def write_graph(graph_or_graph_def: Any, logdir: str, name: str, as_text: bool = True) -> str:
    """Writes a graph as a GraphDef (as `tf.io.write_graph` in TF 1.15).

    Args:
      graph_or_graph_def: a `tf.Graph` or a GraphDef.
      logdir: the directory, made if it is not there.
      name: the file's name.
      as_text: as protobuf's text, else binary.

    Returns:
      The file's path.
    """
    given = graph_or_graph_def
    graph_def = given.as_graph_def() if hasattr(given, "as_graph_def") else given
    if not file_io.file_exists(logdir) and not logdir.startswith("gs:"):
        file_io.recursive_create_dir(logdir)
    path = os.path.join(logdir, name)
    contents = _text(graph_def) if as_text else graph_def.SerializeToString()
    file_io.atomic_write_string_to_file(path, contents)
    return path


def _text(message: Any) -> str:
    """A GraphDef, or another message, as text."""
    if message.DESCRIPTOR.name == "GraphDef":
        return graph_text(message)
    return text_format.MessageToString(message)
