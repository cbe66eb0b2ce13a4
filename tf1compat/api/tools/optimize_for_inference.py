"""`tensorflow.python.tools.optimize_for_inference`: its library from the command line."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Any

from google.protobuf import text_format

from tf1compat.api.framework import graph_io
from tf1compat.api.platform import app, gfile
from tf1compat.api.tools import command_line, optimize_for_inference_lib
from tf1compat.api.tools.command_line import Option
from tf1compat.core import dtypes, protos

# The command line, once it is parsed.
FLAGS: Any = None


def main(unused_args: Any) -> int:
    """Optimizes what `FLAGS` says (as in TF 1.15).

    Args:
      unused_args: the rest of the command line.

    Returns:
      0; -1 if there is no such file, which is printed.
    """
    if not gfile.Exists(FLAGS.input):
        print(f"Input graph file '{FLAGS.input}' does not exist!")
        return -1
    graph_def = protos.GraphDef()
    with gfile.Open(FLAGS.input, "rb") as file:
        data = file.read()
    if FLAGS.frozen_graph:
        graph_def.ParseFromString(data)
    else:
        text_format.Merge(data.decode("utf-8"), graph_def)
    optimized = optimize_for_inference_lib.optimize_for_inference(
        graph_def,
        FLAGS.input_names.split(","),
        FLAGS.output_names.split(","),
        _parse_placeholder_types(FLAGS.placeholder_type_enum),
        FLAGS.toco_compatible,
    )
    if FLAGS.frozen_graph:
        with gfile.GFile(FLAGS.output, "w") as file:
            file.write(optimized.SerializeToString())
    else:
        folder, name = os.path.split(FLAGS.output)
        graph_io.write_graph(optimized, folder, name)
    return 0


def _parse_placeholder_types(values: str) -> int | list[int]:
    enums = [int(value) for value in values.split(",")]
    return enums if len(enums) > 1 else enums[0]


_OPTIONS = (
    Option("input", help="the file of a GraphDef"),
    Option("output", help="the file that is written"),
    Option("input_names", help="the nodes that become placeholders, separated by commas"),
    Option("output_names", help="the nodes that are wanted, separated by commas"),
    Option("frozen_graph", True, "whether the files are binary protos", bool),
    Option(
        "placeholder_type_enum",
        str(dtypes.float32.as_datatype_enum),
        "the placeholders' dtype as a DataType enum, or one for each, separated by commas",
    ),
)


def parse_args() -> tuple[argparse.Namespace, list[str]]:
    """The command line's options, and what else is on it."""
    parser = command_line.parser_of(_OPTIONS)
    # Any text is true, "False" too.
    parser.add_argument(
        "--toco_compatible", type=bool, default=False, help="leave out what only TF can run"
    )
    return parser.parse_known_args()


def run_main() -> None:
    """The command line's entry point."""
    global FLAGS
    FLAGS, rest = parse_args()
    app.run(main, [sys.argv[0], *rest])
