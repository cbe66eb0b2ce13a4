"""`tf.Tensor`: one output of an operation of the recorded graph."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from tf1compat.core import context, shapes
from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export
from tf1compat.core.identity import Reference
from tf1compat.core.tensor_shape import TensorShape, as_shape

uids = itertools.count()


def uid() -> int:
    """An integer that is unique in this process."""
    return next(uids)


def skip_uids(count: int) -> None:
    """Leaves out integers for the eager tensors that TF makes where there is nothing to make here,
    so that those which follow are numbered, and printed, as in TF."""
    for _ in range(count):
        next(uids)


class TensorBase:
    """Base of what ops accept in place of a dense tensor: Tensor, IndexedSlices, SparseTensor."""


@tf_export("Tensor")
class Tensor(TensorBase):
    """A symbolic handle to one output of an `Operation`; it holds no value.

    Args:
      op: the `Operation` that computes it.
      value_index: which of its outputs.
      dtype: its `DType`.
    """

    __module__ = "tensorflow.python.framework.ops"  # as texts and `str` of the type show it

    OVERLOADABLE_OPERATORS = {
        *(
            f"__{name}__"
            for name in (
                "add radd sub rsub mul rmul div rdiv truediv rtruediv floordiv rfloordiv mod rmod "
                "lt le gt ge ne eq and rand or ror xor rxor getitem pow rpow invert neg abs matmul "
                "rmatmul"
            ).split()
        )
    }
    _USE_EQUALITY: bool = False
    __array_priority__ = 100
    # False until something sets them; kept on the class so that creating a tensor stays cheap.
    _handle_data: Any = None
    _known_value: Any = None
    _unknown_since = -1
    _is_eager = False

    if TYPE_CHECKING:
        # The operators: api/math/math_ops.py and api/array/slicing.py set them.
        def __add__(self, other: Any) -> Tensor: ...
        def __radd__(self, other: Any) -> Tensor: ...
        def __sub__(self, other: Any) -> Tensor: ...
        def __rsub__(self, other: Any) -> Tensor: ...
        def __mul__(self, other: Any) -> Tensor: ...
        def __rmul__(self, other: Any) -> Tensor: ...
        def __truediv__(self, other: Any) -> Tensor: ...
        def __rtruediv__(self, other: Any) -> Tensor: ...
        def __floordiv__(self, other: Any) -> Tensor: ...
        def __rfloordiv__(self, other: Any) -> Tensor: ...
        def __mod__(self, other: Any) -> Tensor: ...
        def __rmod__(self, other: Any) -> Tensor: ...
        def __lt__(self, other: Any) -> Tensor: ...
        def __le__(self, other: Any) -> Tensor: ...
        def __gt__(self, other: Any) -> Tensor: ...
        def __ge__(self, other: Any) -> Tensor: ...
        def __and__(self, other: Any) -> Tensor: ...
        def __rand__(self, other: Any) -> Tensor: ...
        def __or__(self, other: Any) -> Tensor: ...
        def __ror__(self, other: Any) -> Tensor: ...
        def __xor__(self, other: Any) -> Tensor: ...
        def __rxor__(self, other: Any) -> Tensor: ...
        def __pow__(self, other: Any) -> Tensor: ...
        def __rpow__(self, other: Any) -> Tensor: ...
        def __matmul__(self, other: Any) -> Tensor: ...
        def __rmatmul__(self, other: Any) -> Tensor: ...
        def __getitem__(self, other: Any) -> Tensor: ...
        def __invert__(self) -> Tensor: ...
        def __neg__(self) -> Tensor: ...
        def __abs__(self) -> Tensor: ...

    def __init__(self, op: Any, value_index: int, dtype: Any):
        self._op = op
        self._value_index = value_index
        self._dtype = dtype
        self._shape: tuple[int | None, ...] | None = None
        self._consumers: list[Any] = []
        self._id = next(op._graph._tensor_ids)

    op = attribute("_op", "The `Operation` that computes this tensor.")
    dtype = attribute("_dtype", "The `DType` of the elements.")
    graph = attribute("_op._graph", "The `Graph` that contains this tensor.")

    @property
    def name(self) -> str:
        """`<op name>:<output index>`."""
        return f"{self._op._name}:{self._value_index}"

    def _as_tf_output(self) -> Tensor:
        """What functions of TF's C API take for this tensor: here the tensor itself."""
        return self

    device: str = attribute(
        "_op._device", 'The device on which the tensor will be computed, or "".'
    )

    @property
    def shape(self) -> TensorShape:
        """The static `TensorShape`, as far as it is known."""
        return TensorShape.from_tuple(self._shape)

    def get_shape(self) -> TensorShape:
        """As `shape`."""
        return TensorShape.from_tuple(self._shape)

    def set_shape(self, shape: Any) -> None:
        """Merges `shape` into the static shape.

        Raises:
          ValueError: `shape` is not compatible with what is known.
        """
        known = TensorShape.from_tuple(self._shape)
        wanted = as_shape(shape)
        dims = wanted.to_tuple()
        if self._shape is not None and dims is not None and not known.is_compatible_with(wanted):
            if len(self._shape) != len(dims):
                raise ValueError(
                    f"Shapes must be equal rank, but are {len(self._shape)} and {len(dims)}"
                )
            pairs = zip(self._shape, dims, strict=True)
            index, (a, b) = next(
                (i, pair) for i, pair in enumerate(pairs) if None not in pair and pair[0] != pair[1]
            )
            raise ValueError(
                f"Dimension {index} in both shapes must be equal, but are {a} and {b}. "
                f"Shapes are {_text(self._shape)} and {_text(dims)}."
            )
        merged = shapes.merge(self._shape, dims)
        if merged != self._shape:
            self._shape = merged
            self._op._graph._refined += 1

    value_index: int = attribute("_value_index", "Which output of `op` this is.")

    def consumers(self) -> list[Any]:
        """The operations that use this tensor, each once per use."""
        return list(self._consumers)

    def _as_node_def_input(self) -> str:
        name = self._op._name
        return name if self._value_index == 0 else f"{name}:{self._value_index}"

    def _shape_as_list(self) -> list[int | None] | None:
        return None if self._shape is None else list(self._shape)

    def _shape_tuple(self) -> tuple[int | None, ...] | None:
        return self._shape

    def _rank(self) -> int | None:
        return None if self._shape is None else len(self._shape)

    def __str__(self) -> str:
        shape = f", shape={self.shape}" if self._shape is not None else ""
        device = f", device={self._op._device}" if self._op._device else ""
        return f'Tensor("{self.name}"{shape}, dtype={self._dtype.name}{device})'

    def __repr__(self) -> str:
        return f"<tf.Tensor '{self.name}' shape={self.shape} dtype={self._dtype.name}>"

    def __iter__(self) -> Any:
        self._disallow("iterating over `tf.Tensor`")
        return iter(())

    def __len__(self) -> int:
        raise TypeError(
            f"len is not well defined for symbolic Tensors. ({self.name}) Please call `x.shape` "
            "rather than `len(x)` for shape information."
        )

    def __bool__(self) -> bool:
        self._disallow("using a `tf.Tensor` as a Python `bool`")
        return False

    __nonzero__ = __bool__

    def _disallow(self, task: str) -> None:
        from tf1compat.core import errors

        told = context.thread.autograph
        status = told[-1].status.name if told else "UNSPECIFIED"
        if status != "UNSPECIFIED":
            reason = "is disabled in" if status == "DISABLED" else "did not convert"
            raise errors.OperatorNotAllowedInGraphError(
                f"{task} is not allowed: AutoGraph {reason} this function. Try decorating it "
                "directly with @tf.function."
            )
        raise errors.OperatorNotAllowedInGraphError(
            f"{task} is not allowed in Graph execution. Use Eager execution or decorate this "
            "function with @tf.function."
        )

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError(
            f"Cannot convert a symbolic Tensor ({self.name}) to a numpy array."
        )

    def __copy__(self) -> Tensor:
        copied = type(self).__new__(type(self))
        copied.__dict__.update(self.__dict__)
        return copied

    def eval(self, feed_dict: Any = None, session: Any = None) -> Any:
        """The value of this tensor in `session` (default: the current one).

        Raises:
          ValueError: there is no session, or it runs another graph.
        """
        from tf1compat.core.scopes import eval_using_default_session

        return eval_using_default_session(self, feed_dict, self.graph, session)

    def experimental_ref(self) -> Reference:
        """A hashable reference to this tensor."""
        return Reference(self)

    @staticmethod
    def _override_operator(operator: str, func: Any) -> None:
        if operator not in Tensor.OVERLOADABLE_OPERATORS:
            raise ValueError(f"Overriding {operator} is disallowed")
        if operator in Tensor.__dict__:
            raise ValueError(f"operator {operator} cannot be overwritten again on class {Tensor}.")
        setattr(Tensor, operator, func)


def _text(shape: tuple[int | None, ...]) -> str:
    return "[" + ",".join("?" if dim is None else str(dim) for dim in shape) + "]"


@tf_export("enable_tensor_equality")
def enable_tensor_equality() -> None:
    """`==` of tensors compares elements, and tensors can't be hashed, in eager mode."""
    Tensor._USE_EQUALITY = True
    Tensor.__hash__ = _hash  # type: ignore[method-assign]


@tf_export("disable_tensor_equality")
def disable_tensor_equality() -> None:
    """`==` of tensors compares identity: TF1's behaviour and the default."""
    Tensor._USE_EQUALITY = False
    # Plain identity, without a Python call: sessions hash tensors on every run.
    Tensor.__hash__ = object.__hash__  # type: ignore[method-assign]


def _hash(tensor: Tensor) -> int:
    # Recorded tensors stay hashable: plans and gradients keep them in sets.
    if tensor._is_eager and context.eager_by_default():
        raise TypeError(
            "Tensor is unhashable if Tensor equality is enabled. Instead, use "
            "tensor.experimental_ref() as the key."
        )
    return id(tensor)


_DENSE_TENSOR_LIKE: tuple[type, ...] = (Tensor,)


def is_dense_tensor_like(value: Any) -> bool:
    """Whether `value` has the `name` and `dtype` of a dense tensor and converts to one."""
    return isinstance(value, _DENSE_TENSOR_LIKE)


def register_dense_tensor_like_type(tensor_type: type) -> None:
    """Declares that instances of `tensor_type` stand for a dense tensor."""
    global _DENSE_TENSOR_LIKE
    for name in ("name", "dtype"):
        if not isinstance(getattr(tensor_type, name, None), property):
            raise TypeError(f"Type {tensor_type.__name__} does not define a `{name}` property")
    _DENSE_TENSOR_LIKE = (*_DENSE_TENSOR_LIKE, tensor_type)
