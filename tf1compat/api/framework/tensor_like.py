"""`tensorflow.python.framework.tensor_like`: the base class that client code tests for."""

from tf1compat.core.tensor import TensorBase

_TensorLike = TensorBase
