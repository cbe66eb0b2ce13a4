"""Which lines recorded what was dumped (`tensorflow.python.debug.lib.source_utils`)."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from tf1compat.api.debug.lib import debug_graphs
from tf1compat.api.debug.lib.debug_dump import DebugDumpDir
from tf1compat.api.debug.lib.profiling import AggregateProfile, ProfileDatum

_LIBRARY = os.path.dirname(os.path.abspath(__file__)).partition(os.sep + "api" + os.sep)[0]
UNCOMPILED_SOURCE_SUFFIXES = ".py"
COMPILED_SOURCE_SUFFIXES = (".pyc", ".pyo")


class SourceFile(NamedTuple):
    """A file whose lines recorded nodes; `num_dumps` counts what was dumped of these."""

    path: str
    is_library: bool
    num_nodes: int
    num_tensors: int
    num_dumps: int
    first_line: int


def _whole(path: str) -> str:
    return os.path.normpath(os.path.abspath(path))


def is_extension_uncompiled_python_source(file_path: str) -> bool:
    """Whether a file's name ends as that of a source; or not at all."""
    # No name at all is a part of the text that TF 1.15 looks into.
    return os.path.splitext(file_path)[1].lower() in UNCOMPILED_SOURCE_SUFFIXES


def is_extension_compiled_python_source(file_path: str) -> bool:
    """Whether a file's name ends as that of a compiled source."""
    return os.path.splitext(file_path)[1].lower() in COMPILED_SOURCE_SUFFIXES


def guess_is_tensorflow_py_library(py_file_path: str) -> bool:
    """Whether a file is one of the library's, tests apart.

    Raises:
      ValueError: it is not Python.
    """
    is_source = is_extension_uncompiled_python_source(py_file_path)
    if not is_source and not is_extension_compiled_python_source(py_file_path):
        raise ValueError(f"Input file path ({py_file_path}) is not a Python source file.")
    path = _whole(py_file_path)
    return path.startswith(_LIBRARY + os.sep) and not path.endswith("_test.py")


def load_source(source_file_path: str) -> tuple[list[str], int]:
    """The lines of a file, and how wide their numbers are."""
    with open(source_file_path, encoding="utf-8") as file:
        lines = file.read().split("\n")
    # Room for one digit less where the last number is a power of ten, as in TF 1.15.
    return lines, len(str(len(lines) - 1)) * (len(lines) > 1) + 3


def annotate_source(
    dump: DebugDumpDir, source_file_path: str, do_dumped_tensors: bool = False,
    file_stack_top: bool = False, min_line: int | None = None, max_line: int | None = None,
) -> dict[int, list[str]]:  # fmt: skip
    """What the lines of a file recorded.

    Args:
      dump: the dump, whose Python graph is known.
      source_file_path: the file.
      do_dumped_tensors: whether to name the dumped tensors instead of the nodes.
      file_stack_top: whether only the innermost line of the file counts.
      min_line, max_line: only lines from the one up to the other.

    Returns:
      Line -> names.

    Raises:
      ValueError: the graph is not known.
    """
    if not dump.python_graph:
        raise ValueError(
            "Cannot perform source annotation due to a lack of set Python graph in the dump object"
        )
    path = _whole(source_file_path)
    found: dict[int, list[str]] = {}
    for op in dump.python_graph.get_operations():
        for file, line, *_ in reversed(dump.node_traceback(op.name)):
            too_early = min_line is not None and line < min_line
            if too_early or (max_line is not None and line >= max_line) or _whole(file) != path:
                continue
            names = [op.name]
            if do_dumped_tensors:
                keys = dump.debug_watch_keys(op.name)
                names = list(dict.fromkeys(key.rpartition(":")[0] for key in keys))
            found.setdefault(line, []).extend(names)
            if file_stack_top:
                break
    return found


def annotate_source_against_profile(
    profile_data: Iterable[ProfileDatum], source_file_path: str,
    node_name_filter: str | None = None, op_type_filter: str | None = None,
    min_line: int | None = None, max_line: int | None = None,
) -> dict[int, AggregateProfile]:  # fmt: skip
    """How long the nodes ran that the lines of a file recorded.

    Args:
      profile_data: the runs of nodes.
      source_file_path: the file.
      node_name_filter, op_type_filter: only nodes and types that match.
      min_line, max_line: only lines from the one up to the other.

    Returns:
      Line -> what all of it took.
    """
    wanted, wanted_types = re.compile(node_name_filter or ""), re.compile(op_type_filter or "")
    path = _whole(source_file_path)
    found: dict[int, AggregateProfile] = {}
    for datum in profile_data:
        line = datum.line_number
        is_early = min_line is not None and line < min_line
        is_late = max_line is not None and line >= max_line
        if is_early or is_late or not datum.file_path or _whole(datum.file_path) != path:
            continue
        name = datum.node_exec_stats.node_name
        if not wanted.match(name) or not wanted_types.match(datum.op_type):
            continue
        if line in found:
            found[line].add(datum)
        else:
            found[line] = AggregateProfile(datum)
    return found


def list_source_files_against_dump(
    dump: DebugDumpDir, path_regex_whitelist: str | None = None,
    node_name_regex_whitelist: str | None = None,
) -> list[SourceFile]:  # fmt: skip
    """The files whose lines recorded the nodes of the program, by their names.

    Args:
      dump: the dump, whose Python graph is known.
      path_regex_whitelist, node_name_regex_whitelist: only files and nodes that match.

    Raises:
      ValueError: the graph is not known.
    """
    if not dump.python_graph:
        raise ValueError(
            "Cannot generate source list due to a lack of set Python graph in the dump object"
        )
    wanted = re.compile(path_regex_whitelist or "")
    wanted_nodes = re.compile(node_name_regex_whitelist or "")
    nodes: dict[str, dict[Any, int]] = {}
    for op in dump.python_graph.get_operations():
        if wanted_nodes.match(op.name):
            for file, line, *_ in dump.node_traceback(op.name):
                lines = nodes.setdefault(_whole(file), {})
                lines[op] = min(line, lines.get(op, line))
    files = []
    for path, lines in sorted(nodes.items()):
        if wanted.match(path) and os.path.isfile(path):
            tensors = [tensor for op in lines for tensor in op.outputs]
            files.append(
                SourceFile(
                    path,
                    guess_is_tensorflow_py_library(path),
                    len(lines),
                    len(tensors),
                    sum(_dumps(dump, tensor.name) for tensor in tensors),
                    min(lines.values()),
                )
            )
    return files


def _dumps(dump: DebugDumpDir, tensor_name: str) -> int:
    """How often a tensor was dumped by its first debug op."""
    keys = dump.debug_watch_keys(debug_graphs.get_node_name(tensor_name))
    key = next((key for key in keys if key.startswith(f"{tensor_name}:")), None)
    return 0 if key is None else len(dump.watch_key_to_data(key))
