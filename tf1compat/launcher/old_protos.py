"""Sources that protoc wrote before 3.20, which the protobuf of today refuses.

They make each descriptor by a call of its own. What they are made from is in them whole: the file
in its wire format, by which today's generated sources let protobuf make everything.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from google.protobuf import descriptor_pool
from google.protobuf.internal import builder

# What the calls for descriptors need, and the other imports do not.
_OF_DESCRIPTORS = frozenset((
    "google.protobuf",
    "google.protobuf.descriptor",
    "google.protobuf.internal",
    "google.protobuf.message",
    "google.protobuf.reflection",
    "google.protobuf.service",
    "google.protobuf.service_reflection",
    "google.protobuf.symbol_database",
))  # fmt: skip
# The name in `builtins` that rewritten code finds `build` by.
BUILD = "__tf1compat_protos__"


def is_old(data: bytes) -> bool:
    """Whether a source is one that protobuf refuses."""
    return b"\nDESCRIPTOR = _descriptor.FileDescriptor(" in data


def rewritten(tree: ast.Module) -> ast.Module:
    """The tree of an old generated source, as one that protobuf takes.

    Args:
      tree: of the source. Its imports of other generated sources stay, as do classes and functions
        (of gRPC services); the descriptors come from the file's wire format.

    Returns:
      Another tree; the same one if it holds no file in its wire format.
    """
    found = next(_files(tree), None)
    if found is None:
        return tree
    place, wire_format = found
    call = ast.Call(
        ast.Name(BUILD, ast.Load()),
        [wire_format, ast.Call(ast.Name("globals", ast.Load()), [], [])],
        [],
    )
    body = [line for line in tree.body[:place] if _stays(line)]
    body.append(ast.copy_location(ast.Expr(call), tree.body[place]))
    body += [line for line in tree.body[place + 1 :] if _stays(line)]
    return ast.fix_missing_locations(ast.Module(body, tree.type_ignores))


def build(wire_format: bytes | str, module: Any) -> None:
    """Fills the namespace of a generated module: `DESCRIPTOR`, messages, enums, extensions.

    Args:
      wire_format: the serialized `FileDescriptorProto`; of protoc 2 as a text, Python 2's bytes.
      module: the namespace, a dictionary.

    Raises:
      TypeError: another file of that name is known, or one that it imports is not.
    """
    if isinstance(wire_format, str):
        wire_format = wire_format.encode("latin1")
    file = descriptor_pool.Default().AddSerializedFile(wire_format)
    module["DESCRIPTOR"] = file
    builder.BuildMessageAndEnumDescriptors(file, module)
    builder.BuildTopDescriptorsAndMessages(file, module["__name__"], module)
    if file.GetOptions().py_generic_services:
        builder.BuildServices(file, module["__name__"], module)


def _files(tree: ast.Module) -> Iterator[tuple[int, ast.expr]]:
    """Where files' descriptors are made, and the expressions of their wire format."""
    for place, line in enumerate(tree.body):
        if isinstance(line, ast.Assign) and isinstance(line.value, ast.Call):
            for keyword in line.value.keywords:
                if keyword.arg == "serialized_pb":
                    yield place, keyword.value


def _stays(line: ast.stmt) -> bool:
    if isinstance(line, ast.ImportFrom):
        return line.module not in _OF_DESCRIPTORS or any(
            name.name.endswith("_pb2") for name in line.names
        )
    if isinstance(line, ast.Assign):  # The function that the wire format goes through.
        return isinstance(line.targets[0], ast.Name) and line.targets[0].id == "_b"
    if isinstance(line, ast.ClassDef):  # protoc 2 wrote messages as classes.
        return all(ast.unparse(base) != "_message.Message" for base in line.bases)
    return isinstance(line, (ast.Import, ast.FunctionDef, ast.Try))
