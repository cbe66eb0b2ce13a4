"""Tensors of eager execution: they hold their value.

How an operation is run at once is the runtime's business (runtime/eager.py), which installs the
hooks below.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from tf1compat.core import context, conversion, dtypes, export, tape
from tf1compat.core.attribute import attribute
from tf1compat.core.tensor import Tensor, uid, uids
from tf1compat.core.tensor_shape import TensorShape

if TYPE_CHECKING:
    from tf1compat.core.graph import Graph

# Installed by the runtime: `(array) -> array on the device`, what gives the name of a device and
# refuses one that is not there, what setting the global seed does, and what lets operations run on
# the tasks of a `ClusterDef`.
to_device: Callable[[np.ndarray], Any] | None = None
check_device: Callable[[str, bool], str] | None = None
forget_generators: Callable[[], None] | None = None
connect_tasks: Callable[[Any], None]
# Installed by api/eager: how tapes note what ran (op type, attrs, inputs, outputs) or was recorded.
record_executed: Callable[[Any, dict[str, Any], list[Any], list[Any]], None] | None = None
record_operation: Callable[[Any], None] | None = None
# Told of each operation that a Python function of an op records (api/framework/op_callbacks.py).
operation_recorded: Callable[[Any], None] | None = None
# Called after each operation as `(op_type, inputs, attrs, outputs, op_name)`.
callbacks: list[Callable[..., Any]] = []
# The global seed of eager execution (api/random/random_seed.py sets it).
global_seed: int | None = None

# A larger constant is put on the device at once; smaller ones stay NumPy arrays, which shape
# arithmetic folds.
_HOST_ELEMENTS = 1 << 14
_ND = np.ndarray


class SymbolicInput(Exception):
    """An operation was to run at once on a tensor of a graph that takes it (`records_eagerly`)."""

    def __init__(self, graph: Graph):
        super().__init__(graph)
        self.graph = graph


class Handle:
    """What a resource tensor stands for: a variable or another resource, freed when its last tensor
    is.

    Attributes:
      source: the (op type, attrs) that made it.
      op: an operation of that kind.
      given: what it was made of; each can be told from another, and is kept with kernels.
      key: tells it from others.
      value: the variable's value; None while it has none.
    """

    shape = ()
    given: tuple[Any, ...] = ()
    # Installed by the runtime: called with the key of a resource that is gone.
    released: Callable[[Any], None] | None = None
    _shared: weakref.WeakValueDictionary[Any, Handle] = weakref.WeakValueDictionary()

    def __init__(self, source: tuple[str, dict[str, Any]], op: Any):
        self.source = source
        self.op = op
        attrs = source[1]
        name = attrs.get("shared_name") or f"_Anonymous{source[0]}{uid()}".encode()
        self.key = attrs.get("container", b""), name
        self.value: Any = None

    @classmethod
    def of(cls, source: tuple[str, dict[str, Any]], op: Any) -> Handle:
        """A new resource, or the one that has the `shared_name` which the attrs give."""
        attrs = source[1]
        shared = attrs.get("shared_name")
        if not shared:
            return cls(source, op)
        return cls._shared.setdefault((source[0], attrs.get("container"), shared), cls(source, op))

    def __del__(self) -> None:
        # Where Python ends, the class may be gone.
        if self.value is None and Handle is not None and Handle.released is not None:
            Handle.released(self.key)


@export.internal_class("tensorflow.python.framework.ops")
class EagerTensor(Tensor):
    """A tensor with its value (as `tf.Tensor` in eager execution).

    Args:
      value: a NumPy array (objects for strings), an array on the device, or a `Handle`; never
        written to again.
      dtype: its `DType`.
      handle_data: of a variable's handle: the variable's (dtype, shape).
    """

    _is_eager = True
    #: The name of the device, where the value does not say it.
    _place = ""

    def __init__(self, value: Any, dtype: dtypes.DType, handle_data: Any = None):
        self._value = value
        self._dtype = dtype
        self._shape: tuple[int, ...] = (
            value.shape if value.__class__ is _ND else tuple(getattr(value, "shape", ()))
        )  # a variant has none
        self._id = next(uids)
        if handle_data is not None:
            self._handle_data = handle_data

    # The value.

    def _numpy(self) -> Any:
        """The value, not to be written to: an array, or a scalar (bytes for a string)."""
        if self._dtype is dtypes.variant:
            raise ValueError("Tensorflow type 21 not convertible to numpy dtype.")
        if not self._dtype.is_numpy_compatible:
            raise ValueError(
                f"Cannot convert a Tensor of dtype {self._dtype.name} to a NumPy array."
            )
        array = np.asarray(self._value)
        return array if array.ndim else array[()]

    def numpy(self) -> Any:
        """The value as a NumPy array of its own, or as a NumPy scalar (bytes for a string).

        Raises:
          ValueError: NumPy has nothing for the dtype.
        """
        value = self._numpy()
        return value.copy() if isinstance(value, np.ndarray) else value

    @property
    def _known_value(self) -> np.ndarray:  # pyright: ignore[reportIncompatibleVariableOverride]
        return np.asarray(self._numpy())

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        if dtype is None and self._dtype is dtypes.string:
            dtype = object  # NumPy would make fixed-width bytes of a scalar
        return np.array(self._numpy(), dtype)

    def __int__(self) -> int:
        return int(self._single())

    def __float__(self) -> float:
        return float(self._single())

    def __complex__(self) -> complex:
        return complex(self._single())

    def _single(self) -> Any:
        """The only element, whatever the rank: newer NumPy gives that of scalars alone."""
        value = np.asarray(self._numpy())
        if value.size != 1:
            raise TypeError("only size-1 arrays can be converted to Python scalars")
        return value.reshape(())[()]

    def __index__(self) -> int:
        value = self._numpy()
        return value.__index__() if isinstance(value, np.ndarray) else int(value)

    def __bool__(self) -> bool:
        value = np.asarray(self._numpy())
        return bool(value) if value.size else False

    __nonzero__ = __bool__

    def __format__(self, format_spec: str) -> str:
        return self._numpy().__format__(format_spec)

    def __len__(self) -> int:
        if not self._shape:
            raise TypeError("Scalar tensor has no `len()`")
        return self._shape[0]

    def __iter__(self) -> Iterator[Tensor]:
        if not self._shape:
            raise TypeError("Cannot iterate over a scalar tensor.")
        for i in range(self._shape[0]):
            yield self[i]

    def __reduce__(self) -> Any:
        return conversion.convert_to_tensor, (self._numpy(),)

    # A tensor never changes: it is its own copy.

    def __copy__(self) -> EagerTensor:
        return self

    def __deepcopy__(self, memo: Any) -> EagerTensor:
        return self

    def __str__(self) -> str:
        return f"tf.Tensor({text(self)}, shape={self.shape}, dtype={self._dtype.name})"

    def __repr__(self) -> str:
        value = text(self, is_repr=True)
        return (
            f"<tf.Tensor: id={self._id}, shape={self.shape}, dtype={self._dtype.name}, "
            f"numpy={value}>"
        )

    # What it looks like.

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self._shape)

    @property
    def device(self) -> str:
        """The full name of the device that holds the value."""
        if self._place:
            return self._place
        devices = getattr(self._value, "devices", None)
        platform = next(iter(devices())).platform.upper() if devices else "CPU"
        return f"/job:localhost/replica:0/task:0/device:{platform}:0"

    _tensor_shape: TensorShape = attribute("shape")

    def _copy(self, ctx: Any = None, device_name: str | None = None) -> EagerTensor:
        """A tensor of the value on another device, or the same: nothing ever writes to it."""
        return self.gpu() if device_name and "GPU" in device_name.upper() else self

    backing_device: str = attribute("device", "As `device`.")

    def _num_elements(self) -> int:
        return int(np.prod(self._shape))

    def _datatype_enum(self) -> int:
        return self._dtype.as_datatype_enum

    def set_shape(self, shape: Any) -> None:
        """Checks that the tensor has the shape.

        Raises:
          ValueError: it has not.
        """
        if not self.shape.is_compatible_with(shape):
            raise ValueError(
                f"Tensor's shape {self.shape} is not compatible with supplied shape {shape}"
            )

    def get_shape(self) -> TensorShape:
        """As `shape`."""
        return self.shape

    def cpu(self) -> EagerTensor:
        """The tensor on the host."""
        return self._copied(EagerTensor(np.asarray(self._value), self._dtype))

    def _copied(self, copy: EagerTensor) -> EagerTensor:
        """A copy on a device, noted on the tapes."""
        if tape.active():
            tape.record([self], [copy], lambda *grads: grads)
        return copy

    def gpu(self, gpu_index: int = 0) -> EagerTensor:
        """The tensor on the accelerator that JAX uses.

        Raises:
          RuntimeError: there is no such device.
        """
        assert to_device is not None
        copied = EagerTensor(to_device(np.asarray(self._value)), self._dtype)
        if not copied.device.endswith(f"GPU:{gpu_index}"):
            raise RuntimeError(f"GPU:{gpu_index} unknown device.")
        return self._copied(copied)

    # What only recorded tensors have.

    @property
    def op(self) -> NoReturn:
        """Raises AttributeError."""
        raise AttributeError("Tensor.op is meaningless when eager execution is enabled.")

    @property
    def graph(self) -> NoReturn:
        """Raises AttributeError."""
        raise AttributeError("Tensor.graph is meaningless when eager execution is enabled.")

    @property
    def name(self) -> NoReturn:
        """Raises AttributeError."""
        raise AttributeError("Tensor.name is meaningless when eager execution is enabled.")

    @property
    def value_index(self) -> NoReturn:
        """Raises AttributeError."""
        raise AttributeError("Tensor.value_index is meaningless when eager execution is enabled.")

    def consumers(self) -> NoReturn:
        """Raises NotImplementedError."""
        raise NotImplementedError(
            "Tensor.consumers is meaningless when eager execution is enabled."
        )

    def _as_node_def_input(self) -> NoReturn:
        raise NotImplementedError(
            "_as_node_def_input not supported when eager execution is enabled."
        )

    def _as_tf_output(self) -> NoReturn:
        raise NotImplementedError("_as_tf_output not supported when eager execution is enabled.")

    def eval(self, feed_dict: Any = None, session: Any = None) -> NoReturn:
        """Raises NotImplementedError."""
        raise NotImplementedError(
            "eval is not supported when eager execution is enabled, is .numpy() what you're "
            "looking for?"
        )


def text(tensor: Any, is_repr: bool = False) -> str:
    """The value of an eager tensor as TF 1.15 prints it."""
    if not tensor.dtype.is_numpy_compatible:
        return "<unprintable>"
    value = tensor._numpy()
    # NumPy 2 would write np.float32(1.0), and the shape of a shortened array.
    with np.printoptions(legacy="1.25"):  # pyright: ignore[reportArgumentType]
        printed = repr(value) if is_repr else str(value)
    return "\n" + printed if "\n" in printed else printed


def tensor(array: np.ndarray, dtype: dtypes.DType) -> EagerTensor:
    """A tensor with the value of a NumPy array, which is copied.

    Raises:
      RuntimeError: the device of `tf.device` is not there.
    """
    context.eager_began = True
    place = ""
    if context.thread.eager_device and check_device is not None:
        place = check_device(context.thread.eager_device, dtype is dtypes.int32)
    if array.size > _HOST_ELEMENTS and array.dtype != object and to_device is not None:
        found = EagerTensor(to_device(array), dtype)
    else:
        found = EagerTensor(np.array(array), dtype)
    if place:
        found._place = place
    return found
