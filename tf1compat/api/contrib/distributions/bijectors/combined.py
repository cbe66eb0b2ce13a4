"""Bijectors made of others or of functions, and the base of those with conditions."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.distributions import util
from tf1compat.api.distributions.bijector_impl import Bijector
from tf1compat.api.distributions.moved import moved
from tf1compat.api.math import math_ops
from tf1compat.core import ops
from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name, ShapeLike, TensorLike

_LIBRARY = "tf.contrib.distributions"


@tf_export("contrib.distributions.bijectors.ConditionalBijector")
class ConditionalBijector(Bijector):
    """A bijector whose methods take more named arguments and hand them to their private forms."""

    _conditions = util.AppendDocstring(
        kwargs_dict={"**condition_kwargs": "Named arguments of the private form."}
    )

    @_conditions
    def forward(self, x: TensorLike, name: str = "forward", **condition_kwargs: Any) -> Any:
        """y = g(x)."""
        return self._call_forward(x, name, **condition_kwargs)

    @_conditions
    def inverse(self, y: TensorLike, name: str = "inverse", **condition_kwargs: Any) -> Any:
        """The x of which y = g(x)."""
        return self._call_inverse(y, name, **condition_kwargs)

    @_conditions
    def inverse_log_det_jacobian(
        self,
        y: TensorLike,
        event_ndims: TensorLike,
        name: str = "inverse_log_det_jacobian",
        **condition_kwargs: Any,
    ) -> Any:
        """log |det dx/dy| at y."""
        return self._call_inverse_log_det_jacobian(y, event_ndims, name, **condition_kwargs)

    @_conditions
    def forward_log_det_jacobian(
        self,
        x: TensorLike,
        event_ndims: TensorLike,
        name: str = "forward_log_det_jacobian",
        **condition_kwargs: Any,
    ) -> Any:
        """log |det dy/dx| at x."""
        return self._call_forward_log_det_jacobian(x, event_ndims, name, **condition_kwargs)


@tf_export("contrib.distributions.bijectors.Inline")
class Inline(Bijector):
    """A bijector of given functions."""

    @moved("bijectors.inline", _LIBRARY)
    def __init__(
        self,
        forward_fn: Any = None,
        inverse_fn: Any = None,
        inverse_log_det_jacobian_fn: Any = None,
        forward_log_det_jacobian_fn: Any = None,
        forward_event_shape_fn: Any = None,
        forward_event_shape_tensor_fn: Any = None,
        inverse_event_shape_fn: Any = None,
        inverse_event_shape_tensor_fn: Any = None,
        is_constant_jacobian: bool = False,
        validate_args: bool = False,
        forward_min_event_ndims: Any = None,
        inverse_min_event_ndims: Any = None,
        name: str = "inline",
    ) -> None:
        """A bijector of given functions.

        Args:
          forward_fn: of `forward`.
          inverse_fn: of `inverse`.
          inverse_log_det_jacobian_fn: of `inverse_log_det_jacobian`.
          forward_log_det_jacobian_fn: of `forward_log_det_jacobian`.
          forward_event_shape_fn: of `forward_event_shape`; by default the shape stays.
          forward_event_shape_tensor_fn: of `forward_event_shape_tensor`.
          inverse_event_shape_fn: of `inverse_event_shape`.
          inverse_event_shape_tensor_fn: of `inverse_event_shape_tensor`.
          is_constant_jacobian: whether the Jacobian is the same everywhere.
          validate_args: see `Bijector`.
          forward_min_event_ndims: how many dimensions one x has.
          inverse_min_event_ndims: how many dimensions one y has.
          name: scope of the ops.
        """
        super().__init__(
            forward_min_event_ndims=forward_min_event_ndims,
            inverse_min_event_ndims=inverse_min_event_ndims,
            is_constant_jacobian=is_constant_jacobian,
            validate_args=validate_args,
            name=name,
        )
        self._functions: dict[str, Any] = {
            "forward_fn": forward_fn,
            "inverse_fn": inverse_fn,
            "inverse_log_det_jacobian_fn": inverse_log_det_jacobian_fn,
            "forward_log_det_jacobian_fn": forward_log_det_jacobian_fn,
        }
        self._shape_functions: dict[str, Callable[[Any], Any]] = {
            key: function
            for key, function in (
                ("forward", forward_event_shape_fn),
                ("forward_tensor", forward_event_shape_tensor_fn),
                ("inverse", inverse_event_shape_fn),
                ("inverse_tensor", inverse_event_shape_tensor_fn),
            )
            if function is not None
        }

    def _shape_by(self, key: str, shape: ShapeLike) -> Any:
        return self._shape_functions.get(key, lambda shape: shape)(shape)

    def _forward_event_shape(self, input_shape: Any) -> Any:
        return self._shape_by("forward", input_shape)

    def _forward_event_shape_tensor(self, input_shape: Any) -> Any:
        return self._shape_by("forward_tensor", input_shape)

    def _inverse_event_shape(self, output_shape: ShapeLike) -> Any:
        return self._shape_by("inverse", output_shape)

    def _inverse_event_shape_tensor(self, output_shape: ShapeLike) -> Any:
        return self._shape_by("inverse_tensor", output_shape)

    def _by(self, key: str, value: TensorLike, kwargs: dict[str, Any]) -> Any:
        function = self._functions[key]
        if not callable(function):
            raise NotImplementedError(f"{key} is not a callable function.")
        return function(value, **kwargs)

    def _forward(self, x: TensorLike, **kwargs: Any) -> Any:
        return self._by("forward_fn", x, kwargs)

    def _inverse(self, y: TensorLike, **kwargs: Any) -> Any:
        return self._by("inverse_fn", y, kwargs)

    def _inverse_log_det_jacobian(self, y: TensorLike, **kwargs: Any) -> Any:
        return self._by("inverse_log_det_jacobian_fn", y, kwargs)

    def _forward_log_det_jacobian(self, x: TensorLike, **kwargs: Any) -> Any:
        return self._by("forward_log_det_jacobian_fn", x, kwargs)


@tf_export("contrib.distributions.bijectors.Invert")
class Invert(Bijector):
    """The inverse of a bijector."""

    @moved("bijectors.invert", _LIBRARY)
    def __init__(self, bijector: Any, validate_args: bool = False, name: Name = None) -> None:
        """The inverse of a bijector.

        Args:
          bijector: whose `forward` is this one's `inverse`.
          validate_args: see `Bijector`.
          name: scope of the ops; by default "invert_" and the name of the bijector.

        Raises:
          NotImplementedError: the bijector is not injective.
        """
        if not bijector._is_injective:
            raise NotImplementedError("Invert is not implemented for non-injective bijectors.")
        self._bijector = bijector
        super().__init__(
            bijector.graph_parents,
            bijector.is_constant_jacobian,
            validate_args,
            bijector.dtype,
            forward_min_event_ndims=bijector.inverse_min_event_ndims,
            inverse_min_event_ndims=bijector.forward_min_event_ndims,
            name=name or f"invert_{bijector.name}",
        )

    bijector = attribute("_bijector", "The bijector that is inverted.")

    def _forward_event_shape(self, input_shape: Any) -> Any:
        return self.bijector._inverse_event_shape(input_shape)

    def _forward_event_shape_tensor(self, input_shape: Any) -> Any:
        return self.bijector._inverse_event_shape_tensor(input_shape)

    def _inverse_event_shape(self, output_shape: ShapeLike) -> Any:
        return self.bijector._forward_event_shape(output_shape)

    def _inverse_event_shape_tensor(self, output_shape: ShapeLike) -> Any:
        return self.bijector._forward_event_shape_tensor(output_shape)

    def _forward(self, x: TensorLike, **kwargs: Any) -> Any:
        return self.bijector._inverse(x, **kwargs)

    def _inverse(self, y: TensorLike, **kwargs: Any) -> Any:
        return self.bijector._forward(y, **kwargs)

    def _inverse_log_det_jacobian(self, y: TensorLike, **kwargs: Any) -> Any:
        return self.bijector._forward_log_det_jacobian(y, **kwargs)

    def _forward_log_det_jacobian(self, x: TensorLike, **kwargs: Any) -> Any:
        return self.bijector._inverse_log_det_jacobian(x, **kwargs)


@tf_export("contrib.distributions.bijectors.Chain")
class Chain(Bijector):
    """Bijectors one after the other: `Chain([f, g])` is f(g(x))."""

    @moved("bijectors.chain", _LIBRARY)
    def __init__(
        self, bijectors: Any = None, validate_args: bool = False, name: Name = None
    ) -> None:
        """Bijectors one after the other.

        Args:
          bijectors: a sequence of them, of which the last is applied first; by default none.
          validate_args: see `Bijector`.
          name: scope of the ops; by default "chain_of_" and their names.

        Raises:
          NotImplementedError: one is not injective.
          ValueError: they are of different dtypes.
        """
        bijectors = () if bijectors is None else bijectors
        self._bijectors = bijectors
        for part in bijectors:
            if not part._is_injective:
                raise NotImplementedError(
                    f"Invert is not implemented for non-injective bijector ({part.name})"
                )
        names = ["chain", *(part.name for part in bijectors)]
        super().__init__(
            list(itertools.chain.from_iterable(part.graph_parents for part in bijectors)),
            all(part.is_constant_jacobian for part in bijectors),
            validate_args,
            _common_dtype(part.dtype for part in bijectors),
            *_chained_ndims(bijectors),
            name=name or ("_of_".join(names) if bijectors else "identity"),
        )

    bijectors = attribute("_bijectors", "The bijectors, of which the last is applied first.")

    def _event_shape_by(self, method: str, shape: ShapeLike, parts: Iterable[Any]) -> Any:
        for part in parts:
            function = getattr(part, method, None)
            if function is None:
                raise ValueError(f"unable to call {method} on bijector {part.name} ({function})")
            shape = function(shape)
        return shape

    def _forward_event_shape(self, input_shape: Any) -> Any:
        parts = reversed(self.bijectors)
        return self._event_shape_by("forward_event_shape", input_shape, parts)

    def _forward_event_shape_tensor(self, input_shape: Any) -> Any:
        parts = reversed(self.bijectors)
        return self._event_shape_by("forward_event_shape_tensor", input_shape, parts)

    def _inverse_event_shape(self, output_shape: ShapeLike) -> Any:
        return self._event_shape_by("inverse_event_shape", output_shape, self.bijectors)

    def _inverse_event_shape_tensor(self, output_shape: ShapeLike) -> Any:
        return self._event_shape_by("inverse_event_shape_tensor", output_shape, self.bijectors)

    def _forward(self, x: TensorLike, **kwargs: Any) -> Any:
        for part in reversed(self.bijectors):
            x = part.forward(x, **kwargs.get(part.name, {}))
        return x

    def _inverse(self, y: TensorLike, **kwargs: Any) -> Any:
        for part in self.bijectors:
            y = part.inverse(y, **kwargs.get(part.name, {}))
        return y

    def _inverse_log_det_jacobian(self, y: TensorLike, **kwargs: Any) -> Any:
        y = ops.convert_to_tensor(y, name="y")
        return self._summed("inverse", self.bijectors, y, self.inverse_min_event_ndims, kwargs)

    def _forward_log_det_jacobian(self, x: TensorLike, **kwargs: Any) -> Any:
        x = ops.convert_to_tensor(x, name="x")
        parts = reversed(self.bijectors)
        return self._summed("forward", parts, x, self.forward_min_event_ndims, kwargs)

    def _summed(
        self, way: str, parts: Iterable[Any], value: Any, least: int, kwargs: dict[str, Any]
    ) -> Any:
        """The sum of the log determinants, as `value` goes through the parts."""
        total = math_ops.cast(0.0, dtype=value.dtype.base_dtype)
        if not self.bijectors:
            return total
        count: Any = self._maybe_get_static_event_ndims(least)
        if value.shape.is_fully_defined() and isinstance(count, int):
            shape = value.shape[value.shape.ndims - count :]
        else:
            shape = array_ops.shape(value)[array_ops.rank(value) - count :]
        for part in parts:
            own = kwargs.get(part.name, {})
            log_det = getattr(part, f"{way}_log_det_jacobian")
            total += log_det(value, event_ndims=count, **own)
            if value.shape.is_fully_defined() and isinstance(count, int):
                shape = getattr(part, f"{way}_event_shape")(shape)
                count = self._maybe_get_static_event_ndims(shape.ndims)
            else:
                shape = getattr(part, f"{way}_event_shape_tensor")(shape)
                size = array_ops.size(shape)
                known = self._maybe_get_static_event_ndims(size)
                count = size if known is None else known
            value = getattr(part, way)(value, **own)
        return total


def _common_dtype(dtypes: Iterable[Any]) -> Any:
    found = list(set(dtypes))
    known = [dtype for dtype in found if dtype is not None]
    if len(found) > 2:
        raise ValueError(f"incompatible dtypes: {found}")
    return known[0] if known else None


def _chained_ndims(bijectors: Any) -> tuple[int, int]:
    """How many dimensions one x and one y of the chain have."""
    pairs = [(part.forward_min_event_ndims, part.inverse_min_event_ndims) for part in bijectors]
    return _least_ndims(pairs[::-1]), _least_ndims([(b, a) for a, b in pairs])


def _least_ndims(steps: list[tuple[int, int]]) -> int:
    """How many dimensions must go in, where each step needs some and yields some."""
    total = have = 0
    for needed, yielded in steps:
        total += max(needed - have, 0)
        have = max(needed, have) - (needed - yielded)
    return total
