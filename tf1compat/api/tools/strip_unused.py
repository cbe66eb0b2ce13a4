"""`tensorflow.python.tools.strip_unused`: `strip_unused_lib` from the command line."""

from __future__ import annotations

from typing import Any

from tf1compat.api.tools import command_line, strip_unused_lib
from tf1compat.api.tools.command_line import Option
from tf1compat.core import dtypes

# The command line, once it is parsed.
FLAGS: Any = None


def main(unused_args: Any) -> None:
    """Strips what `FLAGS` says (as in TF 1.15).

    Args:
      unused_args: the rest of the command line.
    """
    strip_unused_lib.strip_unused_from_files(
        FLAGS.input_graph,
        FLAGS.input_binary,
        FLAGS.output_graph,
        FLAGS.output_binary,
        FLAGS.input_node_names,
        FLAGS.output_node_names,
        FLAGS.placeholder_type_enum,
    )


_OPTIONS = (
    Option("input_graph", help="the file of a GraphDef"),
    Option("input_binary", False, "whether it is a binary proto", bool),
    Option("output_graph", help="the file that is written"),
    Option("output_binary", True, "whether it is to be a binary proto", bool),
    Option("input_node_names", help="the nodes that become placeholders, separated by commas"),
    Option("output_node_names", help="the nodes that are wanted, separated by commas"),
    Option(
        "placeholder_type_enum",
        dtypes.float32.as_datatype_enum,
        "the placeholders' dtype, as a DataType enum",
        int,
    ),
)


def run_main() -> None:
    """The command line's entry point."""

    def start(args: Any, flags: Any) -> None:
        global FLAGS
        FLAGS = flags
        main(args)

    command_line.run(_OPTIONS, start)
