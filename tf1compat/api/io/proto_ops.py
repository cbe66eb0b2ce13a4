"""`tf.io.decode_proto` and `tf.io.encode_proto`."""

from __future__ import annotations

from typing import Any

from tf1compat.core import raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name, TensorLike


@tf_export("io.decode_proto", "contrib.proto.decode_proto")
def decode_proto(
    bytes: TensorLike,
    message_type: Any,
    field_names: Any,
    output_types: Any,
    descriptor_source: Any = "local://",
    message_format: Any = "binary",
    sanitize: Any = False,
    name: Name = None,
) -> Any:
    """Fields of serialized messages as tensors (as `tf.io.decode_proto` in TF 1.15).

    Args:
      bytes: string tensor of any shape, a message each.
      message_type: the message's full name.
      field_names: the fields' names, or full names of extensions.
      output_types: a DType each; messages in messages are strings.
      descriptor_source: "local://" for the messages that Python knows, a file with a
        FileDescriptorSet, or "bytes://" and the FileDescriptorSet itself.
      message_format: "binary" or "text".
      sanitize: whether what is not known in messages within messages is left out.
      name: the operation's name.

    Returns:
      (sizes, values): int32 [..., fields], how often each field is there; and for each field a
      tensor [..., the most].
    """
    return raw_ops.DecodeProtoV2(
        bytes=bytes,
        message_type=message_type,
        field_names=field_names,
        output_types=output_types,
        descriptor_source=descriptor_source,
        message_format=message_format,
        sanitize=sanitize,
        name=name,
    )


@tf_export("io.encode_proto", "contrib.proto.encode_proto")
def encode_proto(
    sizes: Any,
    values: Any,
    field_names: Any,
    message_type: Any,
    descriptor_source: Any = "local://",
    name: Name = None,
) -> Any:
    """Serialized messages of tensors of their fields (as `tf.io.encode_proto` in TF 1.15).

    Args:
      sizes: int32 [..., fields], how many values each field has.
      values: for each field a tensor [..., the most].
      field_names, message_type, descriptor_source: as in `decode_proto`.
      name: the operation's name.

    Returns:
      A string tensor [...].
    """
    return raw_ops.EncodeProto(
        sizes=sizes,
        values=values,
        field_names=field_names,
        message_type=message_type,
        descriptor_source=descriptor_source,
        name=name,
    )
