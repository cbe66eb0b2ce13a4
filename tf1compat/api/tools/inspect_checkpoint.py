"""`tensorflow.python.tools.inspect_checkpoint`: prints what is in a checkpoint."""

from __future__ import annotations

import re
import sys
from typing import Any

import numpy as np
from absl import flags

from tf1compat.api.client import pywrap_tensorflow
from tf1compat.api.tools import command_line
from tf1compat.api.tools.command_line import Option

# The command line, once it is parsed.
FLAGS: Any = None


def _count_total_params(reader: Any, count_exclude_pattern: str = "") -> int:
    shapes = reader.get_variable_to_shape_map()
    if count_exclude_pattern:
        left = {n: s for n, s in shapes.items() if not re.search(count_exclude_pattern, n)}
        excluded = sum(int(np.prod(shapes[name])) for name in shapes.keys() - left.keys())
        print(
            f"# Excluding {len(shapes) - len(left)} tensors ({excluded} params) that match "
            f"{count_exclude_pattern} when counting."
        )
        shapes = left
    return sum(int(np.prod(shape)) for shape in shapes.values())


def print_tensors_in_checkpoint_file(
    file_name: str,
    tensor_name: str | None,
    all_tensors: bool,
    all_tensor_names: bool = False,
    count_exclude_pattern: str = "",
) -> None:
    """Prints a checkpoint's tensors, and how many numbers it holds (as in TF 1.15).

    Args:
      file_name: the checkpoint's prefix.
      tensor_name: the tensor whose value is printed; if empty, names and shapes are.
      all_tensors: prints every tensor's value.
      all_tensor_names: prints every tensor's name.
      count_exclude_pattern: a regular expression; tensors that match are not counted.
    """
    try:
        reader = pywrap_tensorflow.NewCheckpointReader(file_name)
        if all_tensors or all_tensor_names:
            for key in sorted(reader.get_variable_to_shape_map()):
                print("tensor_name: ", key)
                if all_tensors:
                    print(reader.get_tensor(key))
        elif not tensor_name:
            print(reader.debug_string().decode("utf-8"))
        else:
            print("tensor_name: ", tensor_name)
            print(reader.get_tensor(tensor_name))
        count = _count_total_params(reader, count_exclude_pattern)
        print(f"# Total number of params: {count}")
    except Exception as error:
        # A tool that reports: what goes wrong is printed too, as TF does.
        print(str(error))
        if "corrupted compressed block contents" in str(error):
            print("It's likely that your checkpoint file has been compressed with SNAPPY.")
        if "Data loss" in str(error) and any(
            part in file_name for part in (".index", ".meta", ".data")
        ):
            print(
                "\nIt's likely that this is a V2 checkpoint and you need to provide the filename\n"
                "*prefix*.  Try removing the '.' and extension.  Try:\n"
                f"inspect checkpoint --file_name = {file_name.rpartition('.')[0]}"
            )


def parse_numpy_printoption(kv_str: str) -> None:
    """Sets one of NumPy's print options from text such as "precision=3".

    Raises:
      ArgumentTypeError: it is no such text, or no number.
    """
    import argparse

    parts = kv_str.split("=", 1)
    if len(parts) != 2 or not parts[0]:
        raise argparse.ArgumentTypeError(f"'{kv_str}' is not in the form k=v.")
    key, text = parts
    options = np.get_printoptions()
    if key not in options:
        raise argparse.ArgumentTypeError(f"'{key}' is not a valid printoption.")
    kind = type(options[key])
    if kind is type(None):
        raise argparse.ArgumentTypeError(f"Setting '{key}' from the command line is not supported.")
    try:
        value = flags.BooleanParser().parse(text) if kind is bool else kind(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(error.args[0]) from None
    np.set_printoptions(**{key: value})  # pyright: ignore[reportArgumentType]


def main(unused_argv: Any) -> None:
    """Prints what `FLAGS` asks for (as in TF 1.15).

    Args:
      unused_argv: the rest of the command line.

    Raises:
      SystemExit: no file is named.
    """
    if not FLAGS.file_name:
        print(
            "Usage: inspect_checkpoint --file_name=checkpoint_file_name "
            "[--tensor_name=tensor_to_print] [--all_tensors] [--all_tensor_names] [--printoptions]"
        )
        sys.exit(1)
    print_tensors_in_checkpoint_file(
        FLAGS.file_name,
        FLAGS.tensor_name,
        FLAGS.all_tensors,
        FLAGS.all_tensor_names,
        count_exclude_pattern=FLAGS.count_exclude_pattern,
    )


_OPTIONS = (
    Option("file_name", help="the checkpoint's prefix"),
    Option("tensor_name", help="the tensor whose value is printed"),
    Option("count_exclude_pattern", help="tensors that match it are not counted"),
    Option("all_tensors", False, "print every tensor's value", bool),
    Option("all_tensor_names", False, "print every tensor's name", bool),
    Option(
        "printoptions",
        None,
        "options of NumPy's printing, as k=v",
        parse_numpy_printoption,
        {"nargs": "*"},
    ),
)


def run_main() -> None:
    """The command line's entry point."""

    def start(argv: Any, flags: Any) -> None:
        global FLAGS
        FLAGS = flags
        main(argv)

    command_line.run(_OPTIONS, start)
