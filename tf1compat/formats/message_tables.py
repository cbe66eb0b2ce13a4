"""Message classes made of tables: a line for each message of a file of TF's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tf1compat.core import protos

_SCALARS = {
    "double": 1, "float": 2, "int64": 3, "uint64": 4, "int32": 5, "bool": 8, "string": 9,
    "bytes": 12, "uint32": 13,
}  # fmt: skip


def messages(
    file: str, package: str, table: Mapping[str, str], enums: Mapping[str, Mapping[str, int]],
    depends: tuple[str, ...] = (),
) -> dict[str, Any]:  # fmt: skip
    """The message classes of a file, in the syntax of proto3.

    Args:
      file: its name.
      package: the name before its messages' names.
      table: message -> its fields, each as "name:number:type", separated by spaces. A message
        within another is called by both names ("Leaf.Part") and comes after it. A type is a
        scalar's, a message's or an enum's; with "+" before it the field is repeated, "{}" after it
        says a map from int64, "{string}" one from that scalar; "@name" at the end of a field puts
        it in that oneof.
      enums: enum -> value -> number; also "Message.Enum".
      depends: the names of the files whose messages it uses; they are called by full names, enums
        with "#" before them.

    Returns:
      The classes of the messages that are in no other one, by name.
    """
    from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

    described = descriptor_pb2.FileDescriptorProto(
        name=f"tf1compat/{file}.proto", package=package, syntax="proto3", dependency=depends
    )
    made: dict[str, Any] = {}

    def kind(field: Any, name: str) -> None:
        if name in _SCALARS:
            field.type = _SCALARS[name]
            return
        is_enum = name in enums or name.startswith("#")
        field.type = field.TYPE_ENUM if is_enum else field.TYPE_MESSAGE
        own = name in table or name in enums
        field.type_name = f".{package}.{name}" if own else f".{name.removeprefix('#')}"

    for name, fields in table.items():
        outer, _, own = name.rpartition(".")
        message = (made[outer].nested_type if outer else described.message_type).add(name=own)
        made[name] = message
        oneofs: list[str] = []
        for text in fields.split():
            text, _, oneof = text.partition("@")
            field_name, number, type_name = text.split(":")
            field = message.field.add(name=field_name, number=int(number), label=1)
            if type_name.endswith("}"):
                type_name, _, key = type_name[:-1].partition("{")
                entry_name = "".join(part.capitalize() for part in field_name.split("_")) + "Entry"
                entry = message.nested_type.add(name=entry_name)
                entry.options.map_entry = True
                entry.field.add(name="key", number=1, label=1, type=_SCALARS[key or "int64"])
                kind(entry.field.add(name="value", number=2, label=1), type_name)
                field.label, field.type = field.LABEL_REPEATED, field.TYPE_MESSAGE
                field.type_name = f".{package}.{name}.{entry_name}"
                continue
            if type_name.startswith("+"):
                field.label = field.LABEL_REPEATED
            kind(field, type_name.removeprefix("+"))
            if oneof:
                if oneof not in oneofs:
                    oneofs.append(oneof)
                    message.oneof_decl.add(name=oneof)
                field.oneof_index = oneofs.index(oneof)
    for name, values in enums.items():
        outer, _, own = name.rpartition(".")
        enum = (made[outer] if outer else described).enum_type.add(name=own)
        for value, number in values.items():
            enum.value.add(name=value, number=number)
    pool = descriptor_pool.Default()
    pool.Add(described)
    found = {}
    for message in described.message_type:
        descriptor = pool.FindMessageTypeByName(f"{package}.{message.name}")
        found[message.name] = message_factory.GetMessageClass(descriptor)
        protos.print_in_order(found[message.name])
    return found
