"""What a resource's handle looks like outside of a run: TF's ResourceHandleProto."""

from __future__ import annotations

import numpy as np

from tf1compat.core import protos
from tf1compat.core.tensor import Tensor
from tf1compat.runtime import plan as plan_lib

_DTYPE = np.dtype([("resource", np.ubyte)])  # NumPy's dtype of `tf.resource`.
_DEVICE = "/job:localhost/replica:0/task:0/device:CPU:0"


def serialized_handle(name: str, device: str) -> bytes:
    """The handle of the resource `name` of a device, as bytes of the proto."""
    handle = protos.load("resource_handle_pb2", "ResourceHandleProto")(
        device=device, container="localhost", name=name, hash_code=hash(name) & (1 << 63) - 1
    )
    return handle.SerializeToString()


def fetched_handle(tensor: Tensor) -> np.ndarray:
    """What fetching a handle gives: its bytes, as an array of `tf.resource`'s dtype."""
    op = (plan_lib.source_of(tensor) if plan_lib.is_reference(tensor) else tensor)._op
    name = op._attrs.get("shared_name") or op._name.encode()
    return np.frombuffer(serialized_handle(name.decode(), _DEVICE), dtype=_DTYPE)
