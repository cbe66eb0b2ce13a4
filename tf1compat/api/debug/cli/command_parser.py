"""What is typed at the debugger's prompt (`tensorflow.python.debug.cli.command_parser`)."""

from __future__ import annotations

import argparse
import ast
import re
import sys
from typing import Any

# A word, in which what stands in quotes or brackets may hold spaces.
_WORD = re.compile(r"""(?:"[^"]*"|'[^']*'|\[[^\]]*\]|\S)+""")
_SLICES = re.compile(r"\[(\d|,|\s|:)+\]")


def parse_command(command: str) -> list[str]:
    """The words of a command; of a word in quotes, what is in them."""
    words = _WORD.findall(command)
    return [
        word[1:-1] if len(word) > 1 and word[0] == word[-1] and word[0] in "\"'" else word
        for word in words
    ]


def extract_output_file_path(args: list[str]) -> tuple[list[str], str | None]:
    """Takes "> file" from the end of a command.

    Args:
      args: the words.

    Returns:
      The words before it, and the file; None if there is none.

    Raises:
      SyntaxError: ">" is last.
    """
    if not args:
        return args, None
    *before, last = args
    if last.endswith(">"):
        raise SyntaxError("Redirect file path is empty")
    if before and before[-1].endswith(">"):
        rest = before[-1][:-1]
        return [*before[:-1], *([rest] if rest else [])], last
    head, sign, path = last.partition(">")
    is_comparison = head.endswith("=") or ">" in path
    # Of "-m >100k" the interval is an option's value.
    is_value = not head and before and before[-1].startswith("-")
    if not sign or is_comparison or is_value:
        return args, None
    return [*before, *([head] if head else [])], path


def parse_tensor_name_with_slicing(in_str: str) -> tuple[str, str]:
    """The name and the slices in "ns/a:0[1, :]"; "" if there are none."""
    if in_str.count("[") == 1 and in_str.endswith("]"):
        name, bracket, slices = in_str.partition("[")
        return name, bracket + slices
    return in_str, ""


def validate_slicing_string(slicing_string: str) -> bool:
    """Whether a text is one of slices, "[1, :]"."""
    return _SLICES.fullmatch(slicing_string) is not None


def evaluate_tensor_slice(tensor: Any, tensor_slicing: str) -> Any:
    """The part of an array that a text of slices names.

    Raises:
      ValueError: it is no such text.
    """
    if not validate_slicing_string(tensor_slicing):
        raise ValueError("Invalid tensor-slicing string.")
    index: list[Any] = []
    for part in tensor_slicing[1:-1].split(","):
        ends = [int(end) if end.strip() else None for end in part.split(":")]
        if len(ends) > 3 or ends == [None]:
            raise ValueError("Invalid tensor-slicing string.")
        index.append(ends[0] if len(ends) == 1 else slice(*ends))
    return tensor[tuple(index)]


def parse_ranges(range_string: str) -> list[Any]:
    """The ranges in "[-1, 1]" or "[[-inf, -1], [1, inf]]".

    Raises:
      ValueError: they are not pairs of numbers.
    """
    text = range_string.strip()
    if not text:
        return []
    ranges = ast.literal_eval(text.replace("inf", repr(sys.float_info.max)))
    if isinstance(ranges, list) and not isinstance(ranges[0], list):
        ranges = [ranges]
    for item in ranges:
        if len(item) != 2:
            raise ValueError("Incorrect number of elements in range")
        for end, which in zip(item, ("1st", "2nd"), strict=True):
            if not isinstance(end, int | float):
                raise ValueError(f"Incorrect type in the {which} element of range: {type(item[0])}")
    return ranges


def parser(description: str, *arguments: tuple[Any, ...]) -> argparse.ArgumentParser:
    """A parser of a command's words.

    Args:
      description: what the command does.
      arguments: of each argument its names, and a dict of what else `add_argument` takes.
    """
    made = argparse.ArgumentParser(description=description, usage=argparse.SUPPRESS)
    # As Python called them in TF 1.15's time.
    made._optionals.title = "optional arguments"
    for *names, settings in arguments:
        made.add_argument(*names, **settings)
    return made


def text(help_text: str) -> dict[str, Any]:
    """The settings of an argument that is a text, "" by default."""
    return {"type": str, "default": "", "help": help_text}


def switch(help_text: str) -> dict[str, Any]:
    """The settings of an argument that is there or not."""
    return {"action": "store_true", "help": help_text}


def number(help_text: str, default: int) -> dict[str, Any]:
    """The settings of an argument that is an integer."""
    return {"type": int, "default": default, "help": help_text}


def get_print_tensor_argparser(description: str) -> argparse.ArgumentParser:
    """The parser of a command that prints tensors."""
    return parser(
        description,
        (
            "tensor_name",
            {
                "type": str,
                "help": "Name of the tensor, followed by any slicing indices, e.g., "
                "hidden1/Wx_plus_b/MatMul:0, hidden1/Wx_plus_b/MatMul:0[1, :]",
            },
        ),
        (
            "-n", "--number",
            number(
                "0-based dump number for the specified tensor. Required for tensor with multiple "
                "dumps.", -1,
            ),
        ),
        (
            "-r", "--ranges",
            text(
                "Numerical ranges to highlight tensor elements in. Examples: -r 0,1e-8, "
                '-r [-0.1,0.1], -r "[[-inf, -0.1], [0.1, inf]]"'
            ),
        ),
        (
            "-a", "--all",
            {
                "dest": "print_all",
                **switch("Print the tensor in its entirety, i.e., do not use ellipses."),
            },
        ),
        (
            "-s", "--numeric_summary",
            switch(
                "Include summary for non-empty tensors of numeric (int*, float*, complex*) and "
                "Boolean types."
            ),
        ),
        (
            "-w", "--write_path",
            text("Path of the numpy file to write the tensor data to, using numpy.save()."),
        ),
    )  # fmt: skip
