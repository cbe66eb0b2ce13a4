"""What is typed at the debugger's prompt (`tensorflow.python.debug.cli.command_parser`)."""

from __future__ import annotations

import argparse
import ast
import re
import sys
from collections.abc import Callable
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
        first, *others = (end.strip() for end in part.split(":"))
        if len(others) > 2:
            raise ValueError("Invalid tensor-slicing string.")
        ends = (int(end) if end else None for end in (first, *others))
        index.append(slice(*ends) if others else int(first))
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


_NUMBER = re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?")
_ONE_SIDED = re.compile(r"([<>]=?)(.*)", re.DOTALL)
_SIZES = {"k": 1 << 10, "M": 1 << 20, "G": 1 << 30}
_TIMES = {"us": 1, "ms": 1000, "s": 1000000}


class Interval:
    """What is between two numbers.

    Args:
      start, end: the numbers.
      start_included, end_included: whether they belong to it.
    """

    def __init__(self, start: Any, start_included: bool, end: Any, end_included: bool):
        self.start = start
        self.start_included = start_included
        self.end = end
        self.end_included = end_included

    def contains(self, value: Any) -> bool:
        """Whether a number is in it."""
        after = value >= self.start if self.start_included else value > self.start
        return bool(after and (value <= self.end if self.end_included else value < self.end))

    def _parts(self) -> tuple[Any, ...]:
        return self.start, self.start_included, self.end, self.end_included

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Interval) and self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash(self._parts())


def _parse_interval(interval_str: str) -> Interval:
    """The interval in a text, with the texts of its ends; None where it has none.

    Raises:
      ValueError: it is no interval.
    """
    text = interval_str.strip()
    one_sided = _ONE_SIDED.fullmatch(text)
    if one_sided:
        sign, end = one_sided[1], one_sided[2].strip()
        if not _NUMBER.match(end):
            raise ValueError(f"Invalid value string after {sign} in '{text}'")
        included = sign.endswith("=")
        if sign.startswith("<"):
            return Interval(None, False, end, included)
        return Interval(end, included, None, False)
    if text[:1] not in ("[", "(") or text[-1:] not in ("]", ")"):
        raise ValueError(
            f"Invalid interval format: {text}. Valid formats are: [min, max], (min, max), <max, "
            ">min"
        )
    ends = [end.strip() for end in text[1:-1].split(",")]
    if len(ends) != 2:
        raise ValueError(
            f"Incorrect interval format: {text}. Interval should specify two values: [min, max] or "
            "(min, max)."
        )
    for end, which in zip(ends, ("first", "second"), strict=True):
        if not _NUMBER.match(end):
            raise ValueError(f"Invalid {which} item in interval: '{end}'")
    return Interval(ends[0], text[0] == "[", ends[1], text[-1] == "]")


def _read_interval(interval_str: str, read: Callable[[str], int], order: str) -> Interval:
    found = _parse_interval(interval_str)
    found.start = read(found.start) if found.start else 0
    found.end = read(found.end) if found.end else float("inf")
    if found.start > found.end:
        raise ValueError(f"Invalid interval {interval_str}. {order}")
    return found


def parse_memory_interval(interval_str: str) -> Interval:
    """The numbers of bytes in "[10kB, 20kB]", "<100M" or ">=100G".

    Raises:
      ValueError: it is no such text.
    """
    order = "Start of interval must be less than or equal to end of interval."
    return _read_interval(interval_str, parse_readable_size_str, order)


def parse_time_interval(interval_str: str) -> Interval:
    """The microseconds in "[10us, 20us]", "<100s" or ">=100ms".

    Raises:
      ValueError: it is no such text.
    """
    order = "Start must be before end of interval."
    return _read_interval(interval_str, parse_readable_time_str, order)


def parse_readable_size_str(size_str: str) -> int:
    """The number of bytes in "1023", "1.1kB" or "24 M".

    Raises:
      ValueError: it is no such text.
    """
    size = size_str.strip().removesuffix("B")
    if size.isdigit():
        return int(size)
    if size[-1:] not in _SIZES:
        raise ValueError(f'Failed to parsed human-readable byte size str: "{size}"')
    return int(float(size[:-1]) * _SIZES[size[-1]])


def parse_readable_time_str(time_str: str) -> int:
    """The microseconds in "100us", "8ms", "5s" or "100".

    Raises:
      ValueError: it is no such text, or it is less than none.
    """
    time = time_str.strip()
    unit = next((unit for unit in _TIMES if time.endswith(unit)), "")
    value = float(time.removesuffix(unit))
    if value < 0:
        raise ValueError(f"Invalid time {value:g}. Time value must be positive.")
    return int(value * _TIMES.get(unit, 1))


def parse_indices(indices_string: str) -> list[int]:
    """The numbers in "[1, 2]" or "1, 2".

    Raises:
      ValueError: they are none.
    """
    text = re.sub(r"\s+", "", indices_string)
    if text.startswith("[") and text.endswith("]"):
        text = text[1:-1]
    return [int(item) for item in text.split(",")]


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
