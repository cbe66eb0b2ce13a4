"""What several distributions of `tf.contrib.distributions` have in common."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.api.array import array_ops
from tf1compat.api.checks import check_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.distributions import distribution as distribution_lib
from tf1compat.api.distributions import static, util
from tf1compat.api.linalg.linear_operator import LinearOperator
from tf1compat.api.linalg.linear_operator_diag import LinearOperatorDiag
from tf1compat.api.linalg.linear_operator_identity import (
    LinearOperatorIdentity,
    LinearOperatorScaledIdentity,
)
from tf1compat.api.linalg.linear_operator_lower_triangular import LinearOperatorLowerTriangular
from tf1compat.api.math import math_ops
from tf1compat.core import dtypes, ops, tensor_util
from tf1compat.core.tensor_shape import dimension_value
from tf1compat.core.typing import Name, TensorLike

static_value = static.value


def tensor_or_none(x: Any, name: str) -> Any:
    """A tensor of that name; None for None."""
    return None if x is None else ops.convert_to_tensor(x, name=name)


# ---- Scales ----------


def _checked_diagonal(x: Any, diag: Any, assert_positive: bool) -> Any:
    """`x`, whose diagonal is checked when the graph runs."""
    diag = diag(x)
    if assert_positive:
        check = check_ops.assert_positive(diag, message="diagonal part must be positive")
    else:
        zero = array_ops.zeros([], x.dtype)
        check = check_ops.assert_none_equal(diag, zero, message="diagonal part must be non-zero")
    return control_flow_ops.with_dependencies([check], x)


def make_tril_scale(
    loc: TensorLike | None = None,
    scale_tril: Any = None,
    scale_diag: TensorLike | None = None,
    scale_identity_multiplier: TensorLike | None = None,
    shape_hint: Any = None,
    validate_args: bool = False,
    assert_positive: bool = False,
    name: Name = None,
) -> Any:
    """The linear operator that is the sum of a triangle, a diagonal and a multiple of the identity.

    Args:
      loc: float tensor [..., k], what else is known to be of the operator's size.
      scale_tril: float tensor [..., k, k], of which the lower triangle counts; or None.
      scale_diag: float tensor [..., k], or None.
      scale_identity_multiplier: float tensor, or None.
      shape_hint: k, if nothing else says it.
      validate_args: whether the diagonal is checked.
      assert_positive: whether it must be positive, not only different from 0.
      name: scope of the ops.

    Raises:
      ValueError: nothing says how large the operator is.
    """
    with ops.name_scope(
        name, "make_tril_scale", values=[loc, scale_diag, scale_identity_multiplier]
    ):
        loc = tensor_or_none(loc, "loc")
        scale_tril = tensor_or_none(scale_tril, "scale_tril")
        scale_diag = tensor_or_none(scale_diag, "scale_diag")
        multiplier = tensor_or_none(scale_identity_multiplier, "scale_identity_multiplier")
    if scale_tril is None:
        return make_diag_scale(
            loc, scale_diag, multiplier, shape_hint, validate_args, assert_positive, name
        )
    tril = array_ops.matrix_band_part(scale_tril, -1, 0)
    diag = array_ops.matrix_diag_part(tril)
    if scale_diag is not None:
        diag += scale_diag
    if multiplier is not None:
        diag += multiplier[..., None]
    tril = array_ops.matrix_set_diag(tril, diag)
    if validate_args:
        tril = _checked_diagonal(tril, array_ops.matrix_diag_part, assert_positive)
    return LinearOperatorLowerTriangular(
        tril=tril,
        is_non_singular=True,
        is_self_adjoint=False,
        is_positive_definite=assert_positive,
    )


def make_diag_scale(
    loc: Any = None,
    scale_diag: Any = None,
    scale_identity_multiplier: Any = None,
    shape_hint: Any = None,
    validate_args: bool = False,
    assert_positive: bool = False,
    name: Name = None,
) -> Any:
    """The linear operator that is the sum of a diagonal and a multiple of the identity.

    Args, Raises: see `make_tril_scale`.
    """

    def checked(x: TensorLike) -> Any:
        return _checked_diagonal(x, lambda x: x, assert_positive) if validate_args else x

    with ops.name_scope(
        name, "make_diag_scale", values=[loc, scale_diag, scale_identity_multiplier]
    ):
        loc = tensor_or_none(loc, "loc")
        diag = tensor_or_none(scale_diag, "scale_diag")
        multiplier = tensor_or_none(scale_identity_multiplier, "scale_identity_multiplier")
        hints: Any = {"is_self_adjoint": True, "is_positive_definite": assert_positive}
        if diag is not None:
            if multiplier is not None:
                diag += multiplier[..., None]
            return LinearOperatorDiag(diag=checked(diag), is_non_singular=True, **hints)
        if shape_hint is None:
            if loc is None:
                raise ValueError(
                    "Cannot infer `event_shape` unless `loc` or `shape_hint` is specified."
                )
            shape_hint = loc.shape[-1]
        if multiplier is None:
            return LinearOperatorIdentity(
                num_rows=shape_hint,
                dtype=loc.dtype.base_dtype,
                is_self_adjoint=True,
                is_positive_definite=True,
                assert_proper_shapes=validate_args,
            )
        return LinearOperatorScaledIdentity(
            num_rows=shape_hint,
            multiplier=checked(multiplier),
            is_non_singular=True,
            assert_proper_shapes=validate_args,
            **hints,
        )


def is_diagonal_scale(scale: TensorLike) -> bool:
    """Whether a linear operator is diagonal by its class.

    Raises:
      TypeError: it is no linear operator.
    """
    if not isinstance(scale, LinearOperator):
        raise TypeError(
            f"Expected argument 'scale' to be instance of LinearOperator. Found: {scale}"
        )
    kinds = (LinearOperatorIdentity, LinearOperatorScaledIdentity, LinearOperatorDiag)
    return isinstance(scale, kinds)


# ---- Shapes ----------


def shapes_from_loc_and_scale(
    loc: Any, scale: Any, name: str = "shapes_from_loc_and_scale"
) -> tuple[Any, Any]:
    """The batch shape and the event shape of vectors about `loc`, as wide as an operator says.

    Args:
      loc: float tensor [..., k], or None.
      scale: a linear operator [..., k, k].
      name: scope of the ops.

    Raises:
      ValueError: the two are of different sizes.
    """
    with ops.name_scope(name, values=[loc, *scale.graph_parents]):
        size = scale.range_dimension_tensor()
        known_size = tensor_util.constant_value(size)
        event_shape = size[None] if known_size is None else known_size.reshape([1])
        if loc is not None:
            own = dimension_value(loc.get_shape()[-1])
            if own is not None and known_size is not None and own not in (1, known_size):
                raise ValueError(
                    f"Event size of 'scale' ({own}) could not be broadcast up to that of "
                    f"'loc' ({known_size})."
                )
        batch_shape = scale.batch_shape_tensor()
        if loc is None:
            return util.prefer_static_value(batch_shape), event_shape
        own = loc.get_shape().with_rank_at_least(1)[:-1]
        if loc.get_shape().ndims is None or not own.is_fully_defined():
            own = array_ops.shape(loc)[:-1]
        else:
            own = ops.convert_to_tensor(own, name="loc_batch_shape")
        return util.prefer_static_broadcast_shape(batch_shape, own), event_shape


def get_broadcast_shape(*tensors: Any) -> Any:
    """The shape of tensors broadcast against each other: a list if it is known, else a tensor."""
    known = tensors[0].shape
    for tensor in tensors[1:]:
        known = array_ops.broadcast_static_shape(known, tensor.shape)
    if known.is_fully_defined():
        return known.as_list()
    shape = array_ops.shape(tensors[0])
    for tensor in tensors[1:]:
        shape = array_ops.broadcast_dynamic_shape(shape, array_ops.shape(tensor))
    return shape


def move_dimension(x: TensorLike, source_idx: Any, dest_idx: Any) -> Any:
    """A tensor with one dimension at another place; the others keep their order."""
    rank = rank_of(x)
    dtype = dtypes.int32 if isinstance(source_idx, int) else dtypes.as_dtype(source_idx.dtype)
    source = rank + source_idx if source_idx < 0 else source_idx
    target = rank + dest_idx if dest_idx < 0 else dest_idx

    def order(*pieces: Any) -> Any:
        return util.prefer_static_value(array_ops.concat(pieces, axis=0))

    def numbers(begin: TensorLike, end: Any) -> Any:
        return math_ops.range(begin, end, dtype=dtype)

    def to_the_left() -> Any:
        first, middle = numbers(0, target), numbers(target, source)
        return order(first, [source], middle, numbers(source + 1, rank))

    def to_the_right() -> Any:
        first, middle = numbers(0, source), numbers(source + 1, target + 1)
        return order(first, middle, [source], numbers(target + 1, rank))

    def moved() -> Any:
        perm = control_flow_ops.smart_cond(source < target, to_the_right, to_the_left)
        return array_ops.transpose(x, perm=perm)

    return control_flow_ops.smart_cond(math_ops.equal(source, target), lambda: x, moved)


def rank_of(x: TensorLike) -> Any:
    """The rank of a tensor: an int64 if it is known, as NumPy 1 made of its sums, else a tensor."""
    rank = util.prefer_static_rank(x)
    return rank if tensor_util.is_tensor(rank) else np.int64(rank)


# ---- Mixtures ----------


def mixture_stddev(mixture_weight_vector: Any, mean_vector: Any, stddev_vector: Any) -> Any:
    """The standard deviations of mixtures.

    Args:
      mixture_weight_vector: float tensor [n, k], the probabilities of the components.
      mean_vector: float tensor [n, k], their means.
      stddev_vector: float tensor [n, k], their standard deviations.

    Returns:
      A tensor [n].

    Raises:
      ValueError: the shapes differ.
    """
    weights = mixture_weight_vector
    weights.shape.assert_has_rank(2)
    for name, vector in (("means", mean_vector), ("stddevs", stddev_vector)):
        if not vector.shape.is_compatible_with(weights.shape):
            raise ValueError(f"Expecting {name} to have same shape as mixture weights.")
    weights = array_ops.expand_dims(weights, axis=1)
    means = array_ops.expand_dims(mean_vector, axis=2)
    widths = array_ops.expand_dims(stddev_vector, axis=2)

    def averaged(values: Any) -> Any:
        return array_ops.reshape(math_ops.matmul(weights, values), (-1,))

    mean = averaged(means)
    variance = averaged(math_ops.square(widths))
    square = averaged(math_ops.square(means))
    return math_ops.sqrt(variance + square - math_ops.square(mean))


def pad_mixture_dimensions(
    x: TensorLike, mixture_distribution: Any, categorical_distribution: Any, event_ndims: int
) -> Any:
    """Dimensions of 1 in `x`, so that what is by component broadcasts with batches and events."""

    def batch_ndims(distribution: Any) -> Any:
        known = distribution.batch_shape.ndims
        return array_ops.shape(distribution.batch_shape_tensor())[0] if known is None else known

    with ops.name_scope("pad_mix_dims", values=[x]):
        all_ = batch_ndims(mixture_distribution)
        own = batch_ndims(categorical_distribution)
        missing = array_ops.where_v2(categorical_distribution.is_scalar_batch(), all_, all_ - own)
        shape = array_ops.shape(x)
        pieces = [
            shape[:-1],
            array_ops.ones([missing], dtype=dtypes.int32),
            shape[-1:],
            array_ops.ones([event_ndims], dtype=dtypes.int32),
        ]
        return array_ops.reshape(x, shape=array_ops.concat(pieces, axis=0))


def maybe_check_scalar_distribution(
    distribution: Any, expected_base_dtype: Any, validate_args: bool
) -> list[Any]:
    """The checks, for the run, that a distribution is one of scalars and no batch.

    Raises:
      TypeError: it is of another dtype.
      ValueError: it is known not to be of scalars, or, if checks are wanted, gradients do not go
        through its samples.
    """
    if distribution.dtype != expected_base_dtype:
        raise TypeError(
            f'dtype mismatch; distribution.dtype="{distribution.dtype.name}" is not '
            f'"{expected_base_dtype.name}"'
        )
    kind = distribution.reparameterization_type
    if validate_args and kind != distribution_lib.FULLY_REPARAMETERIZED:
        raise ValueError(
            "Base distribution should be reparameterized or be a function of non-trainable "
            f'variables; distribution.reparameterization_type = "{kind}" != '
            '"FULLY_REPARAMETERIZED".'
        )
    checks = []
    with ops.name_scope(name="check_distribution"):
        for name in ("is_scalar_event", "is_scalar_batch"):
            text = f"distribution must be scalar; distribution.{name}=False is not True"
            is_scalar = getattr(distribution, name)()
            known = static_value(is_scalar)
            if known is not None and not known:
                raise ValueError(text)
            if known is None and validate_args:
                text = "distribution must be scalar; distribution.{}=False is not True"
                checks.append(check_ops.assert_equal(is_scalar, True, message=text))
    return checks
