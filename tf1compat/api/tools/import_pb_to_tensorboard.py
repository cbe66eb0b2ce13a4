"""`tensorflow.python.tools.import_pb_to_tensorboard`: a graph from a file, for TensorBoard."""

from __future__ import annotations

from typing import Any

from tf1compat.api.framework import importer
from tf1compat.api.platform import gfile
from tf1compat.api.tools import command_line
from tf1compat.api.tools.command_line import Option
from tf1compat.core import protos
from tf1compat.core.export import required
from tf1compat.core.graph import Graph

# The command line, once it is parsed.
FLAGS: Any = None


def import_to_tensorboard(model_dir: str, log_dir: str) -> None:
    """Writes the graph of a file for TensorBoard (as in TF 1.15).

    Args:
      model_dir: the file of a binary `GraphDef`.
      log_dir: the folder that TensorBoard reads.
    """
    with Graph().as_default() as graph:
        with gfile.GFile(model_dir, "rb") as file:
            importer.import_graph_def(protos.GraphDef.FromString(file.read()))
        writer = required("summary.FileWriter")(log_dir)
        writer.add_graph(graph)
        # TF's is written when the program ends.
        writer.flush()
    print(f"Model Imported. Visualize by running: tensorboard --logdir={log_dir}")


def main(unused_args: Any) -> None:
    """Imports what `FLAGS` says.

    Args:
      unused_args: the rest of the command line.
    """
    import_to_tensorboard(FLAGS.model_dir, FLAGS.log_dir)


_OPTIONS = (
    Option("model_dir", help="the file of a GraphDef", more={"required": True}),
    Option("log_dir", help="the folder that TensorBoard reads", more={"required": True}),
)


def run_main() -> None:
    """The command line's entry point."""

    def start(args: Any, flags: Any) -> None:
        global FLAGS
        FLAGS = flags
        main(args)

    command_line.run(_OPTIONS, start)
