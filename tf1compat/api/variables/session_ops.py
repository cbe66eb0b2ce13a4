"""`tensorflow.python.ops.session_ops`: tensors that stay in a session from one run to the next."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.core import device, dtypes, export, ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import DTypeLike, Name

# Where a session keeps them, among its resources.
STORE = "session tensors"


def encode_resource_handle(resource_handle: Any) -> np.ndarray:
    """A `ResourceHandleProto` as NumPy's values of TF's type for resources.

    Args:
      resource_handle: the proto.

    Returns:
      Its bytes.
    """
    return np.asarray(bytearray(resource_handle.SerializeToString()), dtype=dtypes.np_resource)


@export.internal_class("tensorflow.python.ops.session_ops")
class TensorHandle:
    """What a session gives for `tf.get_session_handle`: a tensor that it keeps.

    Args:
      handle: its name in the session.
      dtype: its dtype.
      session: the session.
    """

    is_given_out = True  # by a run that fetches it

    def __init__(self, handle: Any, dtype: DTypeLike, session: Any):
        self._handle: str = handle.decode() if isinstance(handle, bytes) else str(handle)
        self._dtype = dtype
        self._session = session
        self._auto_gc_enabled = True

    def __del__(self):
        if self._auto_gc_enabled:
            self._session.resources.get(STORE, {}).pop(self._handle, None)

    def __str__(self) -> str:
        return self._handle

    @property
    def handle(self) -> str:
        """The tensor's name in the session."""
        return self._handle

    def _check(self) -> None:
        if not self._auto_gc_enabled:
            raise TypeError(f"Persistent tensor {self._handle} may have already been deleted.")

    def eval(self) -> Any:
        """The tensor's value.

        Raises:
          TypeError: it may have been deleted.
        """
        self._check()
        name, _, place = self._handle.partition(";")
        key = f"{name};{place.rpartition(';')[2]}"
        graph = self._session.graph
        readers = graph.__dict__.setdefault("_handle_readers", {})
        if key not in readers:
            with graph.as_default():
                readers[key] = get_session_tensor(self._handle, self._dtype)
        holder, reader = readers[key]
        return self._session.run(reader, {holder: self._handle})

    def delete(self) -> None:
        """Removes the tensor from the session."""
        self._check()
        self._auto_gc_enabled = False
        graph = self._session.graph
        deleters = graph.__dict__.setdefault("_handle_deleters", {})
        if 0 not in deleters:
            with graph.as_default():
                deleters[0] = delete_session_tensor(self._handle)
        holder, deleter = deleters[0]
        self._session.run(deleter, {holder: self._handle})

    def get_raw_handle(self) -> str:
        """The tensor's name; the session keeps the tensor until it is deleted by name."""
        self._auto_gc_enabled = False
        return self._handle

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        """What is fed: its name for text, else its value."""
        if dtype is not None and np.dtype(dtype) == object:
            return np.array(self._handle, object)
        return np.asarray(self.eval(), dtype)


@tf_export("get_session_handle")
def get_session_handle(data: Any, name: Name = None) -> Tensor:
    """A tensor whose value the session keeps; fetched, it gives a `TensorHandle` (as in TF 1.15).

    Args:
      data: the tensor.
      name: the operation's name.

    Returns:
      A scalar string tensor.

    Raises:
      TypeError: `data` is no tensor.
    """
    if not isinstance(data, Tensor):
        raise TypeError("`data` must be of type Tensor.")
    with ops.colocate_with(data):
        return raw_ops.GetSessionHandle(data, name=name)


def _device_of(handle: Any) -> str:
    text = handle.decode() if isinstance(handle, bytes) else str(handle)
    return device.canonical_name(text.rpartition(";")[2])


@tf_export("get_session_tensor")
def get_session_tensor(handle: Any, dtype: DTypeLike, name: Name = None) -> tuple[Tensor, Tensor]:
    """A tensor that the session keeps (as in TF 1.15).

    Args:
      handle: its name, or that of another one on the same device.
      dtype: its dtype.
      name: the operation's name.

    Returns:
      A placeholder for the name, and the tensor.
    """
    with ops.device(_device_of(handle)):
        holder = array_ops.placeholder(dtypes.string)
        return holder, raw_ops.GetSessionTensor(holder, dtype, name=name)


@tf_export("delete_session_tensor")
def delete_session_tensor(handle: Any, name: Name = None) -> tuple[Tensor, Any]:
    """Removes a tensor that the session keeps (as in TF 1.15).

    Args:
      handle: its name, or that of another one on the same device.
      name: the operation's name.

    Returns:
      A placeholder for the name, and the operation.
    """
    with ops.device(_device_of(handle)):
        holder = array_ops.placeholder(dtypes.string)
        return holder, raw_ops.DeleteSessionTensor(holder, name=name)
