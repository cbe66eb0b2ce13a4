"""The base class of TF 1.15's distributions."""

from __future__ import annotations

import abc
import contextlib
import inspect
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.distributions import kullback_leibler, util
from tf1compat.api.distributions.kept import parameter
from tf1compat.api.distributions.moved import moved
from tf1compat.api.math import math_ops
from tf1compat.core import dtypes, ops, tensor_shape, tensor_util
from tf1compat.core.export import export_constant, tf_export
from tf1compat.core.typing import DTypeLike, TensorLike

_PUBLIC_METHODS = (
    "batch_shape",
    "batch_shape_tensor",
    "cdf",
    "covariance",
    "cross_entropy",
    "entropy",
    "event_shape",
    "event_shape_tensor",
    "kl_divergence",
    "log_cdf",
    "log_prob",
    "log_survival_function",
    "mean",
    "mode",
    "prob",
    "sample",
    "stddev",
    "survival_function",
    "variance",
)


class _BaseDistribution(metaclass=abc.ABCMeta):  # noqa: B024
    """What makes the metaclass know `Distribution` from the classes derived from it."""


class _DistributionMeta(abc.ABCMeta):
    """Gives a public method the documentation of the private one that a class defines for it."""

    def __new__(mcs, classname: str, baseclasses: tuple[type, ...], attrs: dict[str, Any]) -> type:
        if not baseclasses:
            raise TypeError(
                "Expected non-empty baseclass. Does Distribution not subclass _BaseDistribution?"
            )
        base = next(b for b in baseclasses if b is _BaseDistribution or issubclass(b, Distribution))
        if base is not _BaseDistribution:
            for method in _PUBLIC_METHODS:
                note = inspect.getdoc(attrs.get(f"_{method}"))
                inherited = getattr(base, method)
                if method in attrs or not note or not isinstance(inherited, types.FunctionType):
                    continue
                attrs[method] = _with_note(
                    inherited, f"Additional documentation from `{classname}`:\n\n{note}"
                )
        return super().__new__(mcs, classname, baseclasses, attrs)


def _with_note(function: types.FunctionType, note: str) -> types.FunctionType:
    copy = types.FunctionType(
        function.__code__,
        function.__globals__,
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )
    copy.__annotations__ = function.__annotations__
    copy.__doc__ = f"{function.__doc__ or ''}\n\n{note}"
    return copy


@tf_export("distributions.ReparameterizationType")
class ReparameterizationType:
    """Whether gradients go through the samples of a distribution to its parameters.

    Args:
      rep_type: the name, by which it prints.
    """

    @moved("distribution")
    def __init__(self, rep_type: str) -> None:
        self._rep_type = rep_type

    def __repr__(self) -> str:
        return f"<Reparameteriation Type: {self._rep_type}>"

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = None  # type: ignore[assignment]


def _reparameterization(rep_type: str) -> ReparameterizationType:
    instance = object.__new__(ReparameterizationType)
    instance._rep_type = rep_type
    export_constant(f"distributions.{rep_type}", instance)
    return instance


FULLY_REPARAMETERIZED = _reparameterization("FULLY_REPARAMETERIZED")
NOT_REPARAMETERIZED = _reparameterization("NOT_REPARAMETERIZED")


def first_implemented(own: Callable[[], Any], other: Callable[[], Any]) -> Any:
    """What `own` gives, or else `other`; if neither is implemented, `own`'s error."""
    try:
        return own()
    except NotImplementedError as error:
        try:
            return other()
        except NotImplementedError:
            raise error from None


def _convert_to_tensor(
    value: TensorLike, name: str | None = None, preferred_dtype: Any = None
) -> Any:
    """The tensor of a value; eagerly one of floats keeps them where integers are preferred."""
    if ops.executing_eagerly() and preferred_dtype is not None:
        if preferred_dtype.is_integer or preferred_dtype.is_bool:
            tensor = ops.convert_to_tensor(value, name=name)
            if tensor.dtype.is_floating:
                return tensor
    return ops.convert_to_tensor(value, name=name, preferred_dtype=preferred_dtype)


@tf_export("distributions.Distribution")
class Distribution(_BaseDistribution, metaclass=_DistributionMeta):
    """A distribution, or a batch of distributions, over tensors of one shape.

    A draw has the shape `sample_shape + batch_shape + event_shape`. A class derived from this one
    defines the private form of each method that it supports (`_log_prob(value)` for
    `log_prob(value, name="log_prob")`); where one of a pair is missing it is made of the other
    (`prob` is the exponential of `log_prob`), as in TF 1.15.
    """

    @moved("distribution")
    def __init__(
        self,
        dtype: DTypeLike,
        reparameterization_type: ReparameterizationType,
        validate_args: bool,
        allow_nan_stats: bool,
        parameters: dict[str, Any] | None = None,
        graph_parents: list[Any] | None = None,
        name: str | None = None,
    ) -> None:
        """What every distribution keeps.

        Args:
          dtype: of the samples.
          reparameterization_type: `FULLY_REPARAMETERIZED` or `NOT_REPARAMETERIZED`.
          validate_args: whether parameters and values are checked, at the price of speed.
          allow_nan_stats: whether a statistic that is undefined is NaN; else the run fails.
          parameters: the arguments of the constructor of the derived class.
          graph_parents: the tensors that the distribution is made of.
          name: scope of its ops; by default the name of the class.

        Raises:
          ValueError: a graph parent is not a tensor.
        """
        parents = [] if graph_parents is None else graph_parents
        for i, parent in enumerate(parents):
            if parent is None or not tensor_util.is_tensor(parent):
                raise ValueError(f"Graph parent item {i} is not a Tensor; {parent}.")
        if not (name and name.endswith("/")):
            with ops.name_scope(name or type(self).__name__) as name:
                pass
        self._dtype = dtype
        self._reparameterization_type = reparameterization_type
        self._allow_nan_stats = allow_nan_stats
        self._validate_args = validate_args
        self._parameters = parameters or {}
        self._graph_parents = parents
        self._name = name

    @property
    def _parameters(self) -> dict[str, Any]:
        return self._parameter_dict

    @_parameters.setter
    def _parameters(self, value: dict[str, Any]) -> None:
        value.pop("self", None)  # it would be a cycle that keeps the distribution alive
        self._parameter_dict = value

    # ---- What it is made of ----------

    @classmethod
    def param_shapes(cls, sample_shape: TensorLike, name: str = "DistributionParamShapes") -> Any:
        """The shapes that the parameters must have for draws of a shape: tensors by name."""
        with ops.name_scope(name, values=[sample_shape]):
            return cls._param_shapes(sample_shape)

    @classmethod
    def param_static_shapes(cls, sample_shape: TensorLike) -> dict[str, tensor_shape.TensorShape]:
        """`param_shapes` of a shape that is known, as `TensorShape`s.

        Raises:
          ValueError: the shape is not fully known.
        """
        if isinstance(sample_shape, tensor_shape.TensorShape):
            if not sample_shape.is_fully_defined():
                raise ValueError("TensorShape sample_shape must be fully defined")
            sample_shape = sample_shape.as_list()
        shapes = {}
        for name, shape in cls.param_shapes(sample_shape).items():
            known = tensor_util.constant_value(shape)
            if known is None:
                raise ValueError("sample_shape must be a fully-defined TensorShape or list/tuple")
            shapes[name] = tensor_shape.TensorShape(known)
        return shapes

    @staticmethod
    def _param_shapes(sample_shape: TensorLike) -> Any:
        raise NotImplementedError("_param_shapes not implemented")

    name = parameter("name", "Name prepended to all ops created by this `Distribution`.")
    dtype = parameter("dtype", "The `DType` of the samples.")

    @property
    def parameters(self) -> dict[str, Any]:
        """The arguments with which this distribution was made, by name."""
        return {
            name: value
            for name, value in self._parameters.items()
            if name != "self" and not name.startswith("__")
        }

    reparameterization_type = parameter(
        "reparameterization_type",
        "Whether gradients go through samples: one of the two constants of `tf.distributions`.",
    )
    allow_nan_stats = parameter(
        "allow_nan_stats", "Whether undefined statistics are NaN rather than an error of the run."
    )
    validate_args = parameter("validate_args", "Whether parameters and values are checked.")

    def copy(self, **override_parameters_kwargs: Any) -> Any:
        """A distribution of this class with some of the constructor's arguments changed."""
        return type(self)(**{**self.parameters, **override_parameters_kwargs})

    # ---- Shapes ----------

    def _missing(self, method: str) -> NotImplementedError:
        return NotImplementedError(f"{method} is not implemented: {type(self).__name__}")

    def _batch_shape_tensor(self) -> Any:
        raise self._missing("batch_shape_tensor")

    def batch_shape_tensor(self, name: str = "batch_shape_tensor") -> Any:
        """The shape of the batch of distributions, an int32 vector."""
        with self._name_scope(name):
            return self._shape_value(self.batch_shape, "batch_shape", self._batch_shape_tensor)

    def _batch_shape(self) -> Any:
        return tensor_shape.TensorShape(None)

    @property
    def batch_shape(self) -> tensor_shape.TensorShape:
        """The static shape of the batch of distributions."""
        return tensor_shape.as_shape(self._batch_shape())

    def _event_shape_tensor(self) -> Any:
        raise self._missing("event_shape_tensor")

    def event_shape_tensor(self, name: str = "event_shape_tensor") -> Any:
        """The shape of one draw of one distribution, an int32 vector."""
        with self._name_scope(name):
            return self._shape_value(self.event_shape, "event_shape", self._event_shape_tensor)

    def _event_shape(self) -> Any:
        return tensor_shape.TensorShape(None)

    @property
    def event_shape(self) -> tensor_shape.TensorShape:
        """The static shape of one draw of one distribution."""
        return tensor_shape.as_shape(self._event_shape())

    def is_scalar_event(self, name: str = "is_scalar_event") -> Any:
        """Whether a draw is a scalar: a bool tensor."""
        with self._name_scope(name):
            scalar = self._is_scalar_helper(self.event_shape, self.event_shape_tensor)
            return ops.convert_to_tensor(scalar, name="is_scalar_event")

    def is_scalar_batch(self, name: str = "is_scalar_batch") -> Any:
        """Whether this is one distribution and no batch: a bool tensor."""
        with self._name_scope(name):
            scalar = self._is_scalar_helper(self.batch_shape, self.batch_shape_tensor)
            return ops.convert_to_tensor(scalar, name="is_scalar_batch")

    def _is_scalar_helper(
        self, static_shape: tensor_shape.TensorShape, dynamic_shape_fn: Callable[[], Any]
    ) -> Any:
        if static_shape.ndims is not None:
            return static_shape.ndims == 0
        shape = dynamic_shape_fn()
        static = shape.get_shape()
        if static.ndims is not None and static.as_list()[0] is not None:
            return static.as_list() == [0]
        return math_ops.equal(array_ops.shape(shape)[0], 0)

    @staticmethod
    def _shape_value(
        static: tensor_shape.TensorShape, name: str, otherwise: Callable[[], Any]
    ) -> Any:
        if static.is_fully_defined():
            return ops.convert_to_tensor(static.as_list(), dtype=dtypes.int32, name=name)
        return otherwise()

    # ---- Samples ----------

    def _sample_n(self, n: TensorLike, seed: int | None = None) -> Any:
        raise self._missing("sample_n")

    def _call_sample_n(self, sample_shape: TensorLike, seed: Any, name: str, **kwargs: Any) -> Any:
        return self._draws(sample_shape, name, lambda n: self._sample_n(n, seed, **kwargs))

    def _draws(
        self,
        sample_shape: TensorLike,
        name: str,
        draw: Callable[[Any], Any],
        then: Callable[[Any], Any] = lambda x: x,
    ) -> Any:
        """What `draw` makes of the number of draws, in their shape, and `then` of that."""
        with self._name_scope(name, values=[sample_shape]):
            given = ops.convert_to_tensor(sample_shape, dtype=dtypes.int32, name="sample_shape")
            shape, n = self._expand_sample_shape_to_vector(given, "sample_shape")
            x = draw(n)
            x = array_ops.reshape(x, array_ops.concat([shape, array_ops.shape(x)[1:]], 0))
            return self._set_sample_static_shape(then(x), shape)

    def sample(
        self, sample_shape: TensorLike = (), seed: int | None = None, name: str = "sample"
    ) -> Any:
        """Draws from the distributions.

        Args:
          sample_shape: how many draws, a shape.
          seed: of the op that draws.
          name: scope of the ops.

        Returns:
          A tensor of the shape `sample_shape + batch_shape + event_shape`.
        """
        return self._call_sample_n(sample_shape, seed, name)

    def _expand_sample_shape_to_vector(self, x: Any, name: str) -> tuple[Any, Any]:
        """The shape as a vector, and the product of its elements."""
        known = tensor_util.constant_value(x)
        as_numpy = x.dtype.as_numpy_dtype
        count = math_ops.reduce_prod(x) if known is None else np.prod(known, dtype=as_numpy)
        rank = x.get_shape().ndims
        if rank is None:
            is_scalar = math_ops.equal(array_ops.rank(x), 0)
            shape = util.pick_vector(is_scalar, np.array([1], np.int32), array_ops.shape(x))
            x = array_ops.reshape(x, shape)
        elif rank == 0 and known is not None:
            x = ops.convert_to_tensor(np.array([known], as_numpy), name=name)
        elif rank == 0:
            x = array_ops.reshape(x, [1])
        elif rank != 1:
            raise ValueError("Input is neither scalar nor vector.")
        return x, count

    def _set_sample_static_shape(self, x: Any, sample_shape: Any) -> Any:
        """Tells a sample what follows for its static shape from what is known of its parts."""
        sample = tensor_shape.TensorShape(tensor_util.constant_value(sample_shape))
        batch, event = self.batch_shape, self.event_shape
        parts: dict[str, Any] = {"sample": sample.ndims, "batch": batch.ndims, "event": event.ndims}
        rank = x.get_shape().ndims
        if rank is None and None not in parts.values():
            rank = sum(parts.values())
            x.set_shape([None] * rank)
        if rank is None:
            return x
        unknown = [name for name, count in parts.items() if count is None]
        if len(unknown) == 1:
            parts[unknown[0]] = rank - sum(parts[name] for name in parts if name != unknown[0])
        if sample.ndims is not None:
            x.set_shape(sample.concatenate([None] * (rank - sample.ndims)))
        if event.ndims is not None:
            x.set_shape(tensor_shape.TensorShape([None] * (rank - event.ndims)).concatenate(event))
        if batch.ndims is not None and len(unknown) < 2:
            before = tensor_shape.TensorShape([None] * parts["sample"])
            x.set_shape(before.concatenate(batch).concatenate([None] * parts["event"]))
        return x

    # ---- Functions of a value ----------

    @contextlib.contextmanager
    def _name_scope(self, name: str | None = None, values: Any = None) -> Iterator[str]:
        with ops.name_scope(self.name):
            tensors = ([] if values is None else values) + self._graph_parents
            with ops.name_scope(name, values=tensors) as scope:
                yield scope

    @contextlib.contextmanager
    def _value_scope(self, value: TensorLike, name: str) -> Iterator[Any]:
        with self._name_scope(name, values=[value]):
            yield _convert_to_tensor(value, name="value", preferred_dtype=self.dtype)

    def _log_prob(self, value: TensorLike) -> Any:
        raise self._missing("log_prob")

    def _call_log_prob(self, value: TensorLike, name: str, **kwargs: Any) -> Any:
        with self._value_scope(value, name) as x:
            return first_implemented(
                lambda: self._log_prob(x, **kwargs), lambda: math_ops.log(self._prob(x, **kwargs))
            )

    def log_prob(self, value: TensorLike, name: str = "log_prob") -> Any:
        """The logarithm of the density or mass at a value.

        Args:
          value: a tensor that broadcasts with `batch_shape + event_shape`.
          name: scope of the ops.

        Returns:
          A tensor of the shape `sample_shape(value) + batch_shape`.
        """
        return self._call_log_prob(value, name)

    def _prob(self, value: TensorLike) -> Any:
        raise self._missing("prob")

    def _call_prob(self, value: TensorLike, name: str, **kwargs: Any) -> Any:
        with self._value_scope(value, name) as x:
            return first_implemented(
                lambda: self._prob(x, **kwargs), lambda: math_ops.exp(self._log_prob(x, **kwargs))
            )

    def prob(self, value: TensorLike, name: str = "prob") -> Any:
        """The density or mass at a value; see `log_prob`."""
        return self._call_prob(value, name)

    def _log_cdf(self, value: TensorLike) -> Any:
        raise self._missing("log_cdf")

    def _call_log_cdf(self, value: TensorLike, name: str, **kwargs: Any) -> Any:
        with self._value_scope(value, name) as x:
            return first_implemented(
                lambda: self._log_cdf(x, **kwargs), lambda: math_ops.log(self._cdf(x, **kwargs))
            )

    def log_cdf(self, value: TensorLike, name: str = "log_cdf") -> Any:
        """The logarithm of the probability of a draw of at most `value`."""
        return self._call_log_cdf(value, name)

    def _cdf(self, value: TensorLike) -> Any:
        raise self._missing("cdf")

    def _call_cdf(self, value: TensorLike, name: str, **kwargs: Any) -> Any:
        with self._value_scope(value, name) as x:
            return first_implemented(
                lambda: self._cdf(x, **kwargs), lambda: math_ops.exp(self._log_cdf(x, **kwargs))
            )

    def cdf(self, value: TensorLike, name: str = "cdf") -> Any:
        """The probability of a draw of at most `value`."""
        return self._call_cdf(value, name)

    def _log_survival_function(self, value: TensorLike) -> Any:
        raise self._missing("log_survival_function")

    def _call_log_survival_function(self, value: TensorLike, name: str, **kwargs: Any) -> Any:
        with self._value_scope(value, name) as x:
            return first_implemented(
                lambda: self._log_survival_function(x, **kwargs),
                lambda: math_ops.log1p(-self.cdf(x, **kwargs)),
            )

    def log_survival_function(self, value: TensorLike, name: str = "log_survival_function") -> Any:
        """The logarithm of the probability of a draw greater than `value`."""
        return self._call_log_survival_function(value, name)

    def _survival_function(self, value: TensorLike) -> Any:
        raise self._missing("survival_function")

    def _call_survival_function(self, value: TensorLike, name: str, **kwargs: Any) -> Any:
        with self._value_scope(value, name) as x:
            return first_implemented(
                lambda: self._survival_function(x, **kwargs), lambda: 1.0 - self.cdf(x, **kwargs)
            )

    def survival_function(self, value: TensorLike, name: str = "survival_function") -> Any:
        """The probability of a draw greater than `value`."""
        return self._call_survival_function(value, name)

    def _quantile(self, value: TensorLike) -> Any:
        raise self._missing("quantile")

    def _call_quantile(self, value: TensorLike, name: str, **kwargs: Any) -> Any:
        with self._value_scope(value, name) as x:
            return self._quantile(x, **kwargs)

    def quantile(self, value: TensorLike, name: str = "quantile") -> Any:
        """The inverse of `cdf`."""
        return self._call_quantile(value, name)

    # ---- Statistics ----------

    def _entropy(self) -> Any:
        raise self._missing("entropy")

    def entropy(self, name: str = "entropy") -> Any:
        """Shannon's entropy in nats, of the batch shape."""
        with self._name_scope(name):
            return self._entropy()

    def _mean(self) -> Any:
        raise self._missing("mean")

    def mean(self, name: str = "mean") -> Any:
        """The mean, of the shape `batch_shape + event_shape`."""
        with self._name_scope(name):
            return self._mean()

    def _variance(self) -> Any:
        raise self._missing("variance")

    def variance(self, name: str = "variance") -> Any:
        """The variance of each element, of the shape `batch_shape + event_shape`."""
        with self._name_scope(name):
            return first_implemented(self._variance, lambda: math_ops.square(self._stddev()))

    def _stddev(self) -> Any:
        raise self._missing("stddev")

    def stddev(self, name: str = "stddev") -> Any:
        """The standard deviation of each element, of the shape `batch_shape + event_shape`."""
        with self._name_scope(name):
            return first_implemented(self._stddev, lambda: math_ops.sqrt(self._variance()))

    def _covariance(self) -> Any:
        raise self._missing("covariance")

    def covariance(self, name: str = "covariance") -> Any:
        """The covariance of the elements of an event: a batch of matrices."""
        with self._name_scope(name):
            return self._covariance()

    def _mode(self) -> Any:
        raise self._missing("mode")

    def mode(self, name: str = "mode") -> Any:
        """The most probable value, of the shape `batch_shape + event_shape`."""
        with self._name_scope(name):
            return self._mode()

    def _cross_entropy(self, other: Any) -> Any:
        return kullback_leibler.cross_entropy(self, other, allow_nan_stats=self.allow_nan_stats)

    def cross_entropy(self, other: Any, name: str = "cross_entropy") -> Any:
        """The cross entropy H[self, other] in nats, of the batch shape."""
        with self._name_scope(name):
            return self._cross_entropy(other)

    def _kl_divergence(self, other: Any) -> Any:
        return kullback_leibler.kl_divergence(self, other, allow_nan_stats=self.allow_nan_stats)

    def kl_divergence(self, other: Any, name: str = "kl_divergence") -> Any:
        """KL(self || other) in nats, of the batch shape."""
        with self._name_scope(name):
            return self._kl_divergence(other)

    def __str__(self) -> str:
        shapes = (("batch_shape", self.batch_shape), ("event_shape", self.event_shape))
        known = "".join(f", {name}={shape}" for name, shape in shapes if shape.ndims is not None)
        return (
            f'tfp.distributions.{type(self).__name__}("{self.name}"{known}, '
            f"dtype={self.dtype.name})"
        )

    def __repr__(self) -> str:
        return (
            f"<tfp.distributions.{type(self).__name__} '{self.name}' "
            f"batch_shape={self.batch_shape} event_shape={self.event_shape} "
            f"dtype={self.dtype.name}>"
        )
