"""The base class of the invertible transformations of TF 1.15's distributions library."""

from __future__ import annotations

import abc
import contextlib
import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.distributions import util
from tf1compat.api.distributions.distribution import first_implemented
from tf1compat.api.distributions.kept import parameter
from tf1compat.api.math import math_ops
from tf1compat.core import dtypes, ops, tensor_util
from tf1compat.core.export import tf_export
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.typing import DTypeLike, ShapeLike, TensorLike


class _Pair:
    """An x and its y, as far as they are known, and the inverse log determinants found there."""

    __slots__ = ("ildj", "x", "y")

    def __init__(self, x: Any, y: Any) -> None:
        self.x, self.y = x, y
        self.ildj: dict[Any, Any] = {}  # by the number of event dimensions


def _hashable(value: TensorLike) -> Any:
    return tuple(map(_hashable, value)) if isinstance(value, (list, tuple)) else value


def _key(tensor: Any, kwargs: dict[str, Any]) -> Any:
    return id(tensor), _hashable(sorted(kwargs.items()))


def _snake_case(name: str) -> str:
    spaced = re.sub("(.)([A-Z][a-z]+)", r"\1_\2", name.lstrip("_"))
    return re.sub("([a-z0-9])([A-Z])", r"\1_\2", spaced).lower()


def _min_event_ndims(forward: Any, inverse: Any) -> tuple[int, int]:
    """Both numbers, of which one may be left out.

    Raises:
      ValueError: both are left out, or one is negative.
      TypeError: one is no int.
    """
    if forward is None and inverse is None:
        raise ValueError(
            "Must specify at least one of `forward_min_event_ndims` and `inverse_min_event_ndims`."
        )
    forward = inverse if forward is None else forward
    inverse = forward if inverse is None else inverse
    named = {"forward_min_event_ndims": forward, "inverse_min_event_ndims": inverse}
    for name, value in named.items():
        if not isinstance(value, int):
            kind = type(value).__name__
            raise TypeError(f"Expected {name} to be of type int, got {kind}")
    for name, value in named.items():
        if value < 0:
            raise ValueError(f"{name} must be a non-negative integer.")
    return forward, inverse


@tf_export("contrib.distributions.bijectors.Bijector")
class Bijector(metaclass=abc.ABCMeta):
    """A differentiable function y = g(x) with its inverse and the determinant of its Jacobian.

    A class derived from this one defines the private forms of the methods that it supports:
    `_forward(x)`, `_inverse(y)`, and `_inverse_log_det_jacobian(y)` or
    `_forward_log_det_jacobian(x)`, of which one is made of the other. What was computed for a
    tensor is kept: the inverse of the very tensor that `forward` returned is its argument.
    """

    @abc.abstractmethod
    def __init__(
        self,
        graph_parents: list[Any] | None = None,
        is_constant_jacobian: bool = False,
        validate_args: bool = False,
        dtype: DTypeLike | None = None,
        forward_min_event_ndims: int | None = None,
        inverse_min_event_ndims: int | None = None,
        name: str | None = None,
    ) -> None:
        """What every bijector keeps.

        Args:
          graph_parents: the tensors that the bijector is made of.
          is_constant_jacobian: whether the Jacobian is the same everywhere.
          validate_args: whether parameters and values are checked, at the price of speed.
          dtype: of the tensors; None for any.
          forward_min_event_ndims: how many dimensions one x has.
          inverse_min_event_ndims: how many one y has; by default as many.
          name: scope of the ops; by default made of the name of the class.

        Raises:
          ValueError: neither number is given, one is negative, or a graph parent is no tensor.
          TypeError: one is no int.
        """
        self._graph_parents = graph_parents or []
        self._forward_min_event_ndims, self._inverse_min_event_ndims = _min_event_ndims(
            forward_min_event_ndims, inverse_min_event_ndims
        )
        self._is_constant_jacobian = is_constant_jacobian
        self._validate_args = validate_args
        self._dtype = dtype
        self._name = name or _snake_case(type(self).__name__)
        self._constant_ildj_map: dict[Any, Any] = {}
        self._from_x: dict[Any, _Pair] = {}
        self._from_y: dict[Any, _Pair] = {}
        for i, parent in enumerate(self._graph_parents):
            if parent is None or not tensor_util.is_tensor(parent):
                raise ValueError(f"Graph parent item {i} is not a Tensor; {parent}.")

    graph_parents = parameter("graph_parents", "The tensors that the bijector is made of.")
    forward_min_event_ndims = parameter("forward_min_event_ndims", "How many dimensions one x has.")
    inverse_min_event_ndims = parameter("inverse_min_event_ndims", "How many dimensions one y has.")
    is_constant_jacobian = parameter(
        "is_constant_jacobian", "Whether the Jacobian is the same everywhere."
    )

    @property
    def _is_injective(self) -> bool:
        """Whether every y comes of one x; else `inverse` gives a tuple of them."""
        return True

    validate_args = parameter("validate_args", "Whether parameters and values are checked.")
    dtype = parameter("dtype", "The `DType` of the tensors; None for any.")
    name = parameter("name", "The scope of the ops.")

    # ---- Shapes ----------

    def _forward_event_shape_tensor(self, input_shape: Any) -> Any:
        return input_shape

    def forward_event_shape_tensor(
        self, input_shape: Any, name: str = "forward_event_shape_tensor"
    ) -> Any:
        """The shape of one y for that of one x, an int32 vector."""
        with self._name_scope(name, [input_shape]):
            shape = ops.convert_to_tensor(input_shape, dtype=dtypes.int32, name="input_shape")
            return self._forward_event_shape_tensor(shape)

    def _forward_event_shape(self, input_shape: Any) -> Any:
        return input_shape

    def forward_event_shape(self, input_shape: Any) -> TensorShape:
        """The static shape of one y for that of one x."""
        return self._forward_event_shape(TensorShape(input_shape))

    def _inverse_event_shape_tensor(self, output_shape: ShapeLike) -> Any:
        return output_shape

    def inverse_event_shape_tensor(
        self, output_shape: ShapeLike, name: str = "inverse_event_shape_tensor"
    ) -> Any:
        """The shape of one x for that of one y, an int32 vector."""
        with self._name_scope(name, [output_shape]):
            shape = ops.convert_to_tensor(output_shape, dtype=dtypes.int32, name="output_shape")
            return self._inverse_event_shape_tensor(shape)

    def _inverse_event_shape(self, output_shape: ShapeLike) -> Any:
        return TensorShape(output_shape)

    def inverse_event_shape(self, output_shape: ShapeLike) -> TensorShape:
        """The static shape of one x for that of one y."""
        return self._inverse_event_shape(output_shape)

    # ---- Values ----------

    def _forward(self, x: TensorLike) -> Any:
        raise NotImplementedError("forward not implemented.")

    def _call_forward(self, x: TensorLike, name: str, **kwargs: Any) -> Any:
        with self._name_scope(name, [x]):
            x = self._as_tensor(x, "x")
            if not self._is_injective:
                return self._forward(x, **kwargs)
            pair = self._pair(x=x, kwargs=kwargs)
            if pair.y is None:
                pair.y = self._forward(x, **kwargs)
                self._remember(pair, kwargs)
            return pair.y

    def forward(self, x: TensorLike, name: str = "forward") -> Any:
        """y = g(x).

        Args:
          x: a tensor.
          name: scope of the ops.

        Raises:
          TypeError: `x` is not of the bijector's dtype.
          NotImplementedError: there is no `_forward`.
        """
        return self._call_forward(x, name)

    def _inverse(self, y: TensorLike) -> Any:
        raise NotImplementedError("inverse not implemented")

    def _call_inverse(self, y: TensorLike, name: str, **kwargs: Any) -> Any:
        with self._name_scope(name, [y]):
            y = self._as_tensor(y, "y")
            if not self._is_injective:
                return self._inverse(y, **kwargs)
            pair = self._pair(y=y, kwargs=kwargs)
            if pair.x is None:
                pair.x = self._inverse(y, **kwargs)
                self._remember(pair, kwargs)
            return pair.x

    def inverse(self, y: TensorLike, name: str = "inverse") -> Any:
        """The x of which y = g(x); a tuple of all of them if g is not injective.

        Args:
          y: a tensor.
          name: scope of the ops.

        Raises:
          TypeError: `y` is not of the bijector's dtype.
          NotImplementedError: there is no `_inverse`.
        """
        return self._call_inverse(y, name)

    # ---- Determinants ----------

    def _inverse_log_det_jacobian(self, y: TensorLike) -> Any:
        raise NotImplementedError("inverse_log_det_jacobian not implemented.")

    def _call_inverse_log_det_jacobian(
        self, y: TensorLike, event_ndims: TensorLike, name: str, **kwargs: Any
    ) -> Any:
        with self._name_scope(name, [y]):
            if event_ndims in self._constant_ildj_map:
                return self._constant_ildj_map[event_ndims]
            y = self._as_tensor(y, "y")
            least = self.inverse_min_event_ndims
            with ops.control_dependencies(self._check_valid_event_ndims(least, event_ndims)):
                if not self._is_injective:
                    return self._ildj_of_all(y, event_ndims, kwargs)
                pair = self._pair(y=y, kwargs=kwargs)
                if event_ndims not in pair.ildj:
                    own = lambda: self._ildj_of_y(y, event_ndims, kwargs)  # noqa: E731
                    other = lambda: self._ildj_of_x(pair, event_ndims, kwargs)  # noqa: E731
                    self._keep_ildj(pair, event_ndims, first_implemented(own, other), kwargs)
                return pair.ildj[event_ndims]

    def inverse_log_det_jacobian(
        self, y: TensorLike, event_ndims: TensorLike, name: str = "inverse_log_det_jacobian"
    ) -> Any:
        """log |det dx/dy| at y; a tuple, for each x of it, if g is not injective.

        Args:
          y: a tensor.
          event_ndims: how many of its last dimensions are one event; they are summed over.
          name: scope of the ops.

        Raises:
          TypeError: `y` is not of the bijector's dtype.
          ValueError: `event_ndims` is too small, or no int scalar.
          NotImplementedError: the class defines no method that this follows from.
        """
        return self._call_inverse_log_det_jacobian(y, event_ndims, name)

    def _forward_log_det_jacobian(self, x: TensorLike) -> Any:
        raise NotImplementedError("forward_log_det_jacobian not implemented.")

    def _call_forward_log_det_jacobian(
        self, x: TensorLike, event_ndims: TensorLike, name: str, **kwargs: Any
    ) -> Any:
        if not self._is_injective:
            raise NotImplementedError(
                "forward_log_det_jacobian cannot be implemented for non-injective transforms."
            )
        with self._name_scope(name, [x]):
            least = self.forward_min_event_ndims
            with ops.control_dependencies(self._check_valid_event_ndims(least, event_ndims)):
                if event_ndims in self._constant_ildj_map:
                    return -1.0 * self._constant_ildj_map[event_ndims]
                x = self._as_tensor(x, "x")
                pair = self._pair(x=x, kwargs=kwargs)
                if event_ndims not in pair.ildj:
                    own = lambda: self._ildj_of_x(pair, event_ndims, kwargs)  # noqa: E731
                    other = lambda: self._ildj_of_image(pair, event_ndims, kwargs)  # noqa: E731
                    self._keep_ildj(pair, event_ndims, first_implemented(own, other), kwargs)
                return -pair.ildj[event_ndims]

    def forward_log_det_jacobian(
        self, x: TensorLike, event_ndims: TensorLike, name: str = "forward_log_det_jacobian"
    ) -> Any:
        """log |det dy/dx| at x.

        Args:
          x: a tensor.
          event_ndims: how many of its last dimensions are one event; they are summed over.
          name: scope of the ops.

        Raises:
          TypeError: `x` is not of the bijector's dtype.
          ValueError: `event_ndims` is too small, or no int scalar.
          NotImplementedError: the class defines no method that this follows from, or g is not
            injective.
        """
        return self._call_forward_log_det_jacobian(x, event_ndims, name)

    def _ildj_of_y(self, y: TensorLike, event_ndims: TensorLike, kwargs: dict[str, Any]) -> Any:
        ildj = self._inverse_log_det_jacobian(y, **kwargs)
        return self._reduce_jacobian_det_over_event(
            y, ildj, self.inverse_min_event_ndims, event_ndims
        )

    def _ildj_of_x(self, pair: _Pair, event_ndims: TensorLike, kwargs: dict[str, Any]) -> Any:
        x = self._inverse(pair.y, **kwargs) if pair.x is None else pair.x
        ildj = -self._forward_log_det_jacobian(x, **kwargs)
        pair.x = x
        return self._reduce_jacobian_det_over_event(
            x, ildj, self.forward_min_event_ndims, event_ndims
        )

    def _ildj_of_image(self, pair: _Pair, event_ndims: TensorLike, kwargs: dict[str, Any]) -> Any:
        y = self._forward(pair.x, **kwargs) if pair.y is None else pair.y
        ildj = self._ildj_of_y(y, event_ndims, kwargs)
        pair.y = y
        return ildj

    def _ildj_of_all(self, y: TensorLike, event_ndims: TensorLike, kwargs: dict[str, Any]) -> Any:
        def reduced(at: Any, ildj: Any, least: int) -> Any:
            return self._reduce_jacobian_det_over_event(at, ildj, least, event_ndims)

        def own() -> Any:
            ildjs = self._inverse_log_det_jacobian(y, **kwargs)
            return tuple(reduced(y, ildj, self.inverse_min_event_ndims) for ildj in ildjs)

        def other() -> Any:
            x = self._inverse(y, **kwargs)
            fldjs = self._forward_log_det_jacobian(x, **kwargs)
            return tuple(reduced(x, -fldj, self.forward_min_event_ndims) for fldj in fldjs)

        return first_implemented(own, other)

    def _keep_ildj(
        self, pair: _Pair, event_ndims: TensorLike, ildj: Any, kwargs: dict[str, Any]
    ) -> None:
        pair.ildj[event_ndims] = ildj
        self._remember(pair, kwargs)
        if self.is_constant_jacobian:
            self._constant_ildj_map[event_ndims] = ildj

    def _reduce_jacobian_det_over_event(
        self, y: Any, ildj: Any, min_event_ndims: int, event_ndims: Any
    ) -> Any:
        """Sums over the dimensions of an event that `ildj` has for its own."""
        rank = array_ops.rank(y)
        shape = array_ops.shape(y)[rank - event_ndims : rank - min_event_ndims]
        # An `ildj` may be of fewer elements than it stands for.
        full = array_ops.ones(shape, ildj.dtype) * ildj
        axes = self._get_event_reduce_dims(min_event_ndims, event_ndims)
        reduced = math_ops.reduce_sum(full, axis=axes)
        count = self._maybe_get_static_event_ndims(event_ndims)
        if count is not None and y.shape.ndims is not None and ildj.shape.ndims is not None:
            own = y.shape[y.shape.ndims - count : y.shape.ndims - min_event_ndims]
            both: Any = array_ops.broadcast_static_shape(ildj.shape, own)
            reduced.set_shape(both[: both.ndims - (count - min_event_ndims)])
        return reduced

    def _get_event_reduce_dims(self, min_event_ndims: int, event_ndims: Any) -> Any:
        count = self._maybe_get_static_event_ndims(event_ndims)
        if count is None:
            return math_ops.range(-(event_ndims - min_event_ndims), 0)
        return [-i for i in range(1, count - min_event_ndims + 1)]

    def _check_valid_event_ndims(self, min_event_ndims: int, event_ndims: TensorLike) -> list[Any]:
        """The checks of `event_ndims` that wait for the run; the others are made at once."""
        event_ndims = ops.convert_to_tensor(event_ndims, name="event_ndims")
        known, shape = tensor_util.constant_value(event_ndims), event_ndims.shape
        if not event_ndims.dtype.is_integer:
            raise ValueError(f"Expected integer dtype, got dtype {event_ndims.dtype}")
        if known is not None:
            if shape.ndims != 0:
                raise ValueError(f"Expected scalar event_ndims, got shape {shape}")
            if min_event_ndims > known:
                raise ValueError(
                    f"event_ndims ({known}) must be larger than min_event_ndims ({min_event_ndims})"
                )
        checks = []
        if known is None and self.validate_args:
            checks.append(check_ops.assert_greater_equal(event_ndims, min_event_ndims))
        if shape.is_fully_defined():
            if shape.ndims != 0:
                raise ValueError(f"Expected scalar shape, got ndims {shape.ndims}")
        elif self.validate_args:
            checks.append(check_ops.assert_rank(event_ndims, 0, message="Expected scalar."))
        return checks

    def _maybe_get_static_event_ndims(self, event_ndims: TensorLike) -> int | None:
        """The number, if it is known while recording."""
        known = util.maybe_get_static_value(event_ndims)
        if isinstance(known, (np.generic, np.ndarray)):
            if known.dtype not in (np.int32, np.int64):
                raise ValueError(f"Expected integer dtype, got dtype {known.dtype}")
            if known.ndim:
                raise ValueError(f"Expected a scalar integer, got {known}")
            return int(known)
        return known

    # ---- What is common to all ----------

    @contextlib.contextmanager
    def _name_scope(self, name: str | None = None, values: Any = None) -> Iterator[str]:
        with ops.name_scope(self.name):  # noqa: SIM117
            with ops.name_scope(name, values=(values or []) + self.graph_parents) as scope:
                yield scope

    def _as_tensor(self, x: TensorLike, name: str) -> Any:
        x = ops.convert_to_tensor(x, name=name)
        self._maybe_assert_dtype(x)
        return x

    def _maybe_assert_dtype(self, x: Any) -> None:
        if self.dtype is not None and self.dtype.base_dtype != x.dtype.base_dtype:
            raise TypeError(f"Input had dtype {self.dtype} but expected {x.dtype}.")

    def _pair(
        self, kwargs: dict[str, Any], x: TensorLike | None = None, y: TensorLike | None = None
    ) -> _Pair:
        """What is known of an x or a y."""
        known, tensor = (self._from_y, y) if x is None else (self._from_x, x)
        return known.get(_key(tensor, kwargs)) or _Pair(x, y)

    def _remember(self, pair: _Pair, kwargs: dict[str, Any]) -> None:
        for known, tensor in ((self._from_x, pair.x), (self._from_y, pair.y)):
            if tensor is not None:
                known[_key(tensor, kwargs)] = pair


@contextlib.contextmanager
def init_scope(name: str, values: list[Any] | None = None) -> Iterator[None]:
    """The scope of what a bijector records when it is made: its name, then "init"."""
    with ops.name_scope(name), ops.name_scope("init", values=values):
        yield
