"""`tf.contrib.distributions.VectorDiffeomixture`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.contrib.distributions import distribution_util
from tf1compat.api.contrib.distributions.bijectors.affine import AffineLinearOperator
from tf1compat.api.contrib.distributions.bijectors.vectors import SoftmaxCentered
from tf1compat.api.contrib.distributions.poisson_lognormal import batch_ndims_of, midpoints
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.distributions import categorical, normal, util
from tf1compat.api.distributions import distribution as base
from tf1compat.api.distributions.moved import moved
from tf1compat.api.distributions.scalar import parameter
from tf1compat.api.distributions.static import concat_vectors
from tf1compat.api.linalg.linear_operator_addition import add_operators
from tf1compat.api.linalg.linear_operator_diag import LinearOperatorDiag
from tf1compat.api.linalg.linear_operator_full_matrix import LinearOperatorFullMatrix
from tf1compat.api.linalg.linear_operator_identity import (
    LinearOperatorIdentity,
    LinearOperatorScaledIdentity,
)
from tf1compat.api.linalg.linear_operator_lower_triangular import LinearOperatorLowerTriangular
from tf1compat.api.math import math_ops
from tf1compat.api.nn import nn_ops
from tf1compat.core import dtypes, ops, tensor_util
from tf1compat.core.export import tf_export
from tf1compat.core.tensor_shape import TensorShape, dimension_value
from tf1compat.core.typing import Name, TensorLike

_LIBRARY = "tf.contrib.distributions"
_MODULE = "vector_diffeomixture"


def _refuse_other_than_two(values: Any) -> None:
    if len(values) != 2:
        raise NotImplementedError(
            f"Currently only bimixtures are supported; len(scale)={len(values)} is not 2."
        )


def _plus(x: Any, y: Any) -> Any:
    """The sum of what there is of two."""
    return y if x is None else x if y is None else x + y


# ---- Points of the mixing weights ----------


def _parameters_of_normal(
    loc: TensorLike, scale: TensorLike, validate_args: bool
) -> tuple[Any, Any]:
    loc = ops.convert_to_tensor(loc, name="normal_loc")
    scale = ops.convert_to_tensor(scale, dtype=loc.dtype.base_dtype, name="normal_scale")
    return loc, maybe_check_quadrature_param(scale, "normal_scale", validate_args)


@tf_export("contrib.distributions.quadrature_scheme_softmaxnormal_gauss_hermite")
@moved(_MODULE, _LIBRARY)
def quadrature_scheme_softmaxnormal_gauss_hermite(
    normal_loc: Any,
    normal_scale: Any,
    quadrature_size: int,
    validate_args: bool = False,
    name: Name = None,
) -> tuple[Any, Any]:
    """The points and weights of Gauss and Hermite for the softmax of a normal distribution.

    Args:
      normal_loc: float tensor [..., 1], the means.
      normal_scale: float tensor [..., 1], the standard deviations.
      quadrature_size: how many points.
      validate_args: whether shapes are checked when the graph runs.
      name: scope of the ops.

    Returns:
      The points [..., 2, quadrature_size] and the probabilities [quadrature_size].

    Raises:
      ValueError: a parameter is a scalar.
      NotImplementedError: the last dimension is not 1.
    """
    default = "quadrature_scheme_softmaxnormal_gauss_hermite"
    with ops.name_scope(name, default, [normal_loc, normal_scale]):
        loc, scale = _parameters_of_normal(normal_loc, normal_scale, validate_args)
        dtype = loc.dtype.base_dtype
        grid, probs = util.gauss_hermite(quadrature_size, dtype)
        probs = ops.convert_to_tensor(probs, name="probs", dtype=dtype)
        points = loc[..., None] + np.sqrt(2.0) * scale[..., None] * grid
        return softmax(-util.pad(points, axis=-2, front=True), axis=-2), probs


@tf_export("contrib.distributions.quadrature_scheme_softmaxnormal_quantiles")
@moved(_MODULE, _LIBRARY)
def quadrature_scheme_softmaxnormal_quantiles(
    normal_loc: Any,
    normal_scale: Any,
    quadrature_size: int,
    validate_args: bool = False,
    name: Name = None,
) -> tuple[Any, Any]:
    """Points between the quantiles of the softmax of a normal distribution, of equal weights.

    Raises: see `quadrature_scheme_softmaxnormal_gauss_hermite`.

    Args:
      normal_loc, normal_scale, quadrature_size, validate_args, name: as in
        `quadrature_scheme_softmaxnormal_gauss_hermite`.

    Returns:
      As `quadrature_scheme_softmaxnormal_gauss_hermite`.
    """
    with ops.name_scope(name, "softmax_normal_grid_and_probs", [normal_loc, normal_scale]):
        loc, scale = _parameters_of_normal(normal_loc, normal_scale, validate_args)
        dist = normal.Normal(loc=loc, scale=scale)
        ndims = batch_ndims_of(dist)

        def shape(points: int) -> TensorShape:
            batch = dist.batch_shape.with_rank_at_least(1)
            components = dimension_value(batch[-1])
            components = None if components is None else components + 1
            return batch[:-1].concatenate([components, points])

        quantiles = midpoints(dist, ndims, quadrature_size, lambda x: SoftmaxCentered().forward(x))
        quantiles.set_shape(shape(quadrature_size + 1))
        grid = (quantiles[..., :-1] + quantiles[..., 1:]) / 2.0
        grid.set_shape(shape(quadrature_size))
        probability = 1.0 / math_ops.cast(quadrature_size, dist.dtype)
        return grid, array_ops.fill(dims=[quadrature_size], value=probability)


def maybe_check_quadrature_param(param: Any, name: str, validate_args: bool) -> Any:
    """A parameter, known or checked to be of vectors of one element.

    Raises:
      ValueError: it is a scalar.
      NotImplementedError: its last dimension is not 1.
    """
    with ops.name_scope(name=f"check_{name}", values=[param]):
        checks = []
        text = f"Mixing params must be a (batch of) vector; {name}.rank{{}} is not at least one."
        if param.shape.ndims == 0:
            raise ValueError(text.format("=0"))
        if param.shape.ndims is None and validate_args:
            check = check_ops.assert_rank_at_least(param, 1, message=text.format(""))
            checks.append(check)
        if param.shape.with_rank_at_least(1)[-1] is not None:
            size = dimension_value(param.shape[-1])
            if size != 1:
                raise NotImplementedError(
                    f"Currently only bimixtures are supported; {name}.shape[-1]={size} is not 1."
                )
        return control_flow_ops.with_dependencies(checks, param) if checks else param


def softmax(x: TensorLike, axis: TensorLike, name: Name = None) -> Any:
    """The softmax along a dimension that may be counted from the end."""
    with ops.name_scope(name, "softmax", [x, axis]):
        x = ops.convert_to_tensor(x, name="x")
        rank = array_ops.rank(x, name="ndims") if x.shape.ndims is None else x.shape.ndims
        axis = ops.convert_to_tensor(axis, dtype=dtypes.int32, name="axis")
        known = tensor_util.constant_value(axis)
        if known is None:
            axis = array_ops.where_v2(axis < 0, rank + axis, axis)
        else:
            axis = int(rank + known if known < 0 else known)
    return nn_ops.softmax(x, axis=axis)


# ---- What lies between two ends ----------


def _points(grid: Any) -> int:
    count = dimension_value(grid.shape.with_rank_at_least(1)[-1])
    if count is None:
        raise ValueError("Num quadrature grid points must be known prior to graph execution.")
    return count


def interpolate_loc(grid: Any, loc: Any) -> list[Any]:
    """The shift at each point, where the ends may be None.

    Raises:
      NotImplementedError: there are not two ends.
      ValueError: the number of points is not known.
    """
    _refuse_other_than_two(loc)
    count = _points(grid)
    with ops.name_scope("interpolate_loc", values=[grid, loc]):
        if loc[0] is None and loc[1] is None:
            return [None] * count
        weights = grid[..., None, :, :]
        first, second = (None if end is None else end[..., None] for end in loc)
        if first is None:
            x = weights[..., 1, :] * second
        elif second is None:
            x = weights[..., 0, :] * first
        else:
            delta = first - second
            x = weights[..., 0, :] * delta + second
        return [x[..., i] for i in range(count)]


def interpolate_scale(grid: Any, scale: Any) -> list[Any]:
    """The linear operator at each point.

    Raises:
      NotImplementedError: there are not two ends, or one is of a class without a rule.
      ValueError: the number of points is not known.
    """
    _refuse_other_than_two(scale)
    count = _points(grid)
    with ops.name_scope("interpolate_scale", values=[grid]):
        return [
            add_operators([linop_scale(grid[..., k, q], s) for k, s in enumerate(scale)])[0]
            for q in range(count)
        ]


def linop_scale(w: Any, op: Any) -> Any:
    """A linear operator times a weight.

    Raises:
      NotImplementedError: there is no rule for the operator's class.
    """
    with ops.name_scope("linop_scale", values=[w]):
        hints = {
            "is_non_singular": op.is_non_singular,
            "is_self_adjoint": op.is_self_adjoint,
            "is_positive_definite": op.is_positive_definite,
        }
        if isinstance(op, (LinearOperatorIdentity, LinearOperatorScaledIdentity)):
            scaled = isinstance(op, LinearOperatorScaledIdentity)
            multiplier = w * op.multiplier if scaled else w
            rows = op.range_dimension_tensor()
            return LinearOperatorScaledIdentity(num_rows=rows, multiplier=multiplier, **hints)
        if isinstance(op, LinearOperatorDiag):
            return LinearOperatorDiag(diag=w[..., None] * op.diag_part(), **hints)
        if isinstance(op, LinearOperatorLowerTriangular):
            tril = w[..., None, None] * op.to_dense()
            return LinearOperatorLowerTriangular(tril=tril, **hints)
        raise NotImplementedError(f"Unsupported Linop type ({type(op).__name__})")


def determine_batch_event_shapes(grid: Any, endpoint_affine: Any) -> tuple[Any, Any, Any, Any]:
    """The batch shape, static and as a tensor, and the event shape likewise."""
    with ops.name_scope(name="determine_batch_event_shapes"):
        batch = grid.shape[:-2], array_ops.shape(grid)[:-2]
        event: Any = None

        def broadcast(shapes: Any, static: Any, dynamic: Callable[[], Any]) -> Any:
            if shapes is None:
                return static, dynamic()
            known = array_ops.broadcast_static_shape(shapes[0], static)
            return known, array_ops.broadcast_dynamic_shape(shapes[1], dynamic())

        for affine in endpoint_affine:
            shift, scale = affine.shift, affine.scale
            if shift is not None:
                batch = broadcast(batch, shift.shape[:-1], lambda x=shift: array_ops.shape(x)[:-1])
                event = broadcast(event, shift.shape[-1:], lambda x=shift: array_ops.shape(x)[-1:])
            if scale is not None:
                batch = broadcast(batch, scale.batch_shape, scale.batch_shape_tensor)
                event = broadcast(
                    event,
                    TensorShape([scale.range_dimension]),
                    lambda x=scale: x.range_dimension_tensor()[None],
                )
        return (*batch, *event)  # type: ignore[return-value]


# ---- The distribution ----------


@tf_export("contrib.distributions.VectorDiffeomixture")
class VectorDiffeomixture(base.Distribution):
    """Vectors scale @ x + loc, where scale and loc lie between two ends, by a random weight.

    The weight is the softmax of a normal draw; its distribution is replaced by points.
    """

    mixture_distribution = parameter("mixture_distribution", "Chooses a point.")
    distribution = parameter("distribution", "The distribution of the elements of x.")
    grid = parameter("grid", "The weights at the points.")
    endpoint_affine = parameter("endpoint_affine", "The two ends, bijectors.")
    interpolated_affine = parameter("interpolated_affine", "The bijectors at the points.")

    @moved(_MODULE, _LIBRARY)
    def __init__(
        self,
        mix_loc: Any,
        temperature: Any,
        distribution: Any,
        loc: Any = None,
        scale: Any = None,
        quadrature_size: int = 8,
        quadrature_fn: Any = quadrature_scheme_softmaxnormal_quantiles,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: Any = "VectorDiffeomixture",
    ) -> None:
        """A batch of distributions of vectors.

        Args:
          mix_loc: float tensor [..., 1], the mean of the normal draw times the temperature.
          temperature: float tensor [..., 1], the inverse of its standard deviation.
          distribution: of scalars and no batch, that of the elements of x.
          loc: a list of two float tensors [..., k], or None for 0.
          scale: a list of two linear operators [..., k, k].
          quadrature_size: how many points.
          quadrature_fn: (loc, scale, size, validate_args) -> points and probabilities.
          validate_args: whether parameters are checked.
          allow_nan_stats: see `Distribution`.
          name: scope of the ops.

        Raises:
          ValueError: there are fewer than two scales, not as many shifts, or the scales are not
            said to be positive definite where that is checked.
          TypeError: the scales are of different dtypes.
          NotImplementedError: there are more than two scales.
        """
        parameters = dict(locals())
        with ops.name_scope(name, values=[mix_loc, temperature]) as name:
            if not scale or len(scale) < 2:
                raise ValueError(
                    "Must specify list (or list-like object) of scale LinearOperators, one for "
                    "each component with num_component >= 2."
                )
            loc = [None] * len(scale) if loc is None else loc
            if len(loc) != len(scale):
                raise ValueError(
                    "loc/scale must be same-length lists (or same-length list-like objects)."
                )
            dtype = scale[0].dtype.base_dtype
            loc = [
                None if x is None else ops.convert_to_tensor(x, dtype=dtype, name=f"loc{k}")
                for k, x in enumerate(loc)
            ]
            _refuse_bad_scales(scale, dtype, validate_args)
            self._endpoint_affine = _affines("endpoint", loc, scale, validate_args)
            _refuse_other_than_two(scale)
            mix_loc = ops.convert_to_tensor(mix_loc, dtype=dtype, name="mix_loc")
            temperature = ops.convert_to_tensor(temperature, dtype=dtype, name="temperature")
            mean = mix_loc / temperature
            grid, probs = quadrature_fn(mean, 1.0 / temperature, quadrature_size, validate_args)
            self._mixture_distribution = categorical.Categorical(
                logits=math_ops.log(probs),
                validate_args=validate_args,
                allow_nan_stats=allow_nan_stats,
            )
            checks = distribution_util.maybe_check_scalar_distribution(
                distribution, dtype, validate_args
            )
            if checks:
                grid = control_flow_ops.with_dependencies(checks, grid)
            self._grid, self._distribution = grid, distribution
            shifts = interpolate_loc(grid, loc)
            scales = interpolate_scale(grid, scale)
            self._interpolated_affine = _affines("interpolated", shifts, scales, validate_args)
            self._shapes = determine_batch_event_shapes(grid, self._endpoint_affine)
            parents = [x for x in loc if x is not None]
            parents += [x for operator in scale for x in operator.graph_parents]
            super().__init__(
                dtype,
                base.FULLY_REPARAMETERIZED,
                validate_args,
                allow_nan_stats,
                parameters,
                distribution._graph_parents + parents,
                name,
            )

    def _batch_shape(self) -> Any:
        return self._shapes[0]

    def _batch_shape_tensor(self) -> Any:
        return self._shapes[1]

    def _event_shape(self) -> Any:
        return self._shapes[2]

    def _event_shape_tensor(self) -> Any:
        return self._shapes[3]

    def _sample_n(self, n: TensorLike, seed: int | None = None) -> Any:
        shape = concat_vectors([n], self.batch_shape_tensor(), self.event_shape_tensor())
        x = self.distribution.sample(sample_shape=shape, seed=seed)
        first, second = (affine.forward(x) for affine in self.endpoint_affine)
        size = self.batch_shape.num_elements()
        if size is None:
            size = math_ops.reduce_prod(self.batch_shape_tensor())
        own = self.mixture_distribution.batch_shape.num_elements()
        if own is None:
            own = math_ops.reduce_prod(self.mixture_distribution.batch_shape_tensor())
        nothing = np.array([], np.int32)
        rest = util.pick_vector(self.is_scalar_batch(), nothing, [size // own])
        points = self.mixture_distribution.sample(
            concat_vectors([n], rest), seed=util.gen_new_seed(seed, _MODULE)
        )
        rest = util.pick_vector(self.is_scalar_batch(), nothing, np.array([-1], np.int32))
        points = array_ops.reshape(points, shape=concat_vectors([n], rest))
        stride = self.grid.shape.with_rank_at_least(2)[-2:].num_elements()
        if stride is None:
            stride = math_ops.reduce_prod(array_ops.shape(self.grid)[-2:])
        offset = math_ops.range(start=0, limit=size * stride, delta=stride, dtype=points.dtype)
        weights = array_ops.reshape(self.grid, shape=[-1])
        weight = array_ops.gather(weights, points + offset)
        if self.batch_shape.is_fully_defined():
            shape = [-1, *self.batch_shape.as_list(), 1]
        else:
            shape = array_ops.concat(([-1], self.batch_shape_tensor(), [1]), axis=0)
        weight = array_ops.reshape(weight, shape=shape)
        return weight * (first - second) + second

    def _log_prob(self, x: TensorLike) -> Any:
        affines = self.interpolated_affine
        y = array_ops.stack([affine.inverse(x) for affine in affines], axis=-1)
        log_prob = math_ops.reduce_sum(self.distribution.log_prob(y), axis=-2)
        fldj = [
            affine.forward_log_det_jacobian(
                x, event_ndims=array_ops.rank(self.event_shape_tensor())
            )
            for affine in affines
        ]
        logs = self.mixture_distribution.logits - array_ops.stack(fldj, axis=-1) + log_prob
        return math_ops.reduce_logsumexp(logs, axis=-1)

    # ---- Statistics ----------

    def _mean(self) -> Any:
        probs, mean = self._probs_beside_events(), self._mean_of_x()
        total = None
        for k, affine in enumerate(self.interpolated_affine):
            weight = probs[..., k]
            total = _plus(total, weight * affine.forward(mean))
        return total

    def _covariance(self) -> Any:
        within = self._within_points(diag_only=False)
        return _plus(within, self._between_points(diag_only=False))

    def _variance(self) -> Any:
        within = self._within_points(diag_only=True)
        return _plus(within, self._between_points(diag_only=True))

    def _within_points(self, diag_only: bool) -> Any:
        """The mean of the covariances, or of their diagonals, at the points."""
        probs = self.mixture_distribution.probs
        multiple = diag = full = None
        for k, affine in enumerate(self.interpolated_affine):
            s = affine.scale
            if s is None or isinstance(s, LinearOperatorIdentity):
                multiple = _plus(multiple, probs[..., k, None])
            elif isinstance(s, LinearOperatorScaledIdentity):
                p = probs[..., k, None]
                multiple = _plus(multiple, p * math_ops.square(s.multiplier))
            elif isinstance(s, LinearOperatorDiag):
                p = probs[..., k, None]
                diag = _plus(diag, p * math_ops.square(s.diag_part()))
            else:
                p = probs[..., k, None, None]
                x = p * s.matmul(s.to_dense(), adjoint_arg=True)
                full = _plus(full, array_ops.matrix_diag_part(x) if diag_only else x)
        v = self.distribution.variance()
        if multiple is not None:
            multiple *= v
        if diag is not None:
            diag *= v[..., None]
        if full is not None:
            full *= v[..., None]
        if diag_only:
            both = _plus(diag, full)
            if both is None and multiple is not None:
                ones = array_ops.ones(self.event_shape_tensor(), dtype=self.dtype)
                return multiple[..., None] * ones
            return _plus(both, multiple)
        positive = all(affine.scale.is_positive_definite for affine in self.endpoint_affine)
        hint: Any = {"is_positive_definite": positive or None}
        terms = []
        if diag is not None:
            terms.append(LinearOperatorDiag(diag=diag, **hint))
        if full is not None:
            terms.append(LinearOperatorFullMatrix(matrix=full, **hint))
        if multiple is not None:
            rows = self.event_shape_tensor()[0]
            terms.append(LinearOperatorScaledIdentity(num_rows=rows, multiplier=multiple, **hint))
        return add_operators(terms)[0].to_dense() if terms else None

    def _between_points(self, diag_only: bool) -> Any:
        """The covariance, or its diagonal, of the means at the points."""
        probs = self._probs_beside_events()
        if not diag_only:
            probs = probs[..., None, :]
        mean_of_x = self._mean_of_x()
        mean = self._mean()
        total = None
        for k, affine in enumerate(self.interpolated_affine):
            y = affine.forward(mean_of_x)
            weight = probs[..., k]
            z = y - mean
            square = math_ops.square(z) if diag_only else z[..., :, None] * z[..., None, :]
            total = _plus(total, weight * square)
        return total

    def _mean_of_x(self) -> Any:
        shape = concat_vectors(self.batch_shape_tensor(), self.event_shape_tensor())
        mean = self.distribution.mean()
        ones = array_ops.ones_like(shape, dtype=dtypes.int32)
        mean = array_ops.tile(array_ops.reshape(mean, shape=ones), multiples=shape)
        mean.set_shape(self.batch_shape.concatenate(self.event_shape))
        return mean

    def _probs_beside_events(self) -> Any:
        probs = self.mixture_distribution.probs
        count = dimension_value(probs.shape.with_rank_at_least(1)[-1])
        count = array_ops.shape(probs)[-1] if count is None else count
        rank = self.event_shape.ndims
        rank = array_ops.shape(self.event_shape_tensor())[0] if rank is None else rank
        batch = self.mixture_distribution.batch_shape_tensor()
        ones = array_ops.ones([rank], dtype=dtypes.int32)
        return array_ops.reshape(probs, array_ops.concat([batch, ones, [count]], axis=0))


@moved(_MODULE, _LIBRARY)
def vec_osquare(x: Any) -> Any:
    """The products of a vector's items with each other.

    Args:
      x: numeric tensor [..., n].

    Returns:
      A tensor [..., n, n] of the same type.
    """
    return x[..., :, None] * x[..., None, :]


def _affines(which: str, shifts: Any, scales: Any, validate_args: bool) -> list[Any]:
    return [
        AffineLinearOperator(shift, scale, validate_args, name=f"{which}_affine_{k}")
        for k, (shift, scale) in enumerate(zip(shifts, scales, strict=True))
    ]


def _refuse_bad_scales(scale: Any, dtype: Any, validate_args: bool) -> None:
    for k, operator in enumerate(scale):
        positive = operator.is_positive_definite
        if validate_args and not positive:
            raise ValueError(f"scale[{k}].is_positive_definite = {positive} != True")
        own = operator.dtype.base_dtype
        if own != dtype:
            raise TypeError(f'dtype mismatch; scale[{k}].base_dtype="{own.name}" != "{dtype.name}"')
