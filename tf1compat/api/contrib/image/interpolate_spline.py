"""Polyharmonic splines through points."""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.linalg import linalg_ops
from tf1compat.api.math import math_ops
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor_shape import dimension_value
from tf1compat.core.typing import TensorLike

EPSILON = 1e-10  # instead of smaller squared distances, whose roots have no derivative


def _phi(r: Any, order: int) -> Any:
    """The radial basis function, of squared distances."""
    with ops.name_scope("phi"):
        if order in (2, 4):
            power = r if order == 2 else math_ops.square(r)
            return 0.5 * power * math_ops.log(math_ops.maximum(r, EPSILON))
        r = math_ops.maximum(r, EPSILON)
        if order == 1:
            return math_ops.sqrt(r)
        if order % 2:
            return math_ops.pow(r, 0.5 * order)
        return 0.5 * math_ops.pow(r, 0.5 * order) * math_ops.log(r)


def _squared_distances(x: TensorLike) -> Any:
    """Those of points from each other: [batch, n, n]."""
    products = math_ops.matmul(x, x, adjoint_b=True)
    squares = array_ops.expand_dims(array_ops.matrix_diag_part(products), 2)
    return squares - 2 * products + array_ops.transpose(squares, [0, 2, 1])


def _squared_distances_between(x: TensorLike, y: TensorLike) -> Any:
    of_x = math_ops.reduce_sum(math_ops.square(x), 2)
    of_y = math_ops.reduce_sum(math_ops.square(y), 2)
    of_x = array_ops.expand_dims(of_x, 2)
    of_y = array_ops.expand_dims(of_y, 1)
    return of_x - 2 * math_ops.matmul(x, y, adjoint_b=True) + of_y


def _weights(points: Any, values: Any, order: int, regularization: Any) -> tuple[Any, Any]:
    """The weights of the basis functions, and those of the coordinates and of 1."""
    batch, n, _ = array_ops.unstack(array_ops.shape(points), num=3)
    sizes = {}
    for key, what, tensor in (("d", "input points", points), ("k", "output values", values)):
        sizes[key] = dimension_value(tensor.shape[-1])
        if sizes[key] is None:
            raise ValueError(
                f"The dimensionality of the {what} ({key}) must be statically-inferrable."
            )
    with ops.name_scope("construct_linear_system"):
        a = _phi(_squared_distances(points), order)
        if regularization > 0:
            identity = array_ops.expand_dims(linalg_ops.eye(n, dtype=points.dtype), 0)
            a += regularization * identity
        ones = array_ops.ones_like(points[..., :1], dtype=points.dtype)
        b = array_ops.concat([points, ones], 2)
        left = array_ops.concat([a, array_ops.transpose(b, [0, 2, 1])], 1)
        columns = sizes["d"] + 1
        zeros = array_ops.zeros([batch, columns, columns], points.dtype)
        right = array_ops.concat([b, zeros], 1)
        system = array_ops.concat([left, right], 2)
        zeros = array_ops.zeros([batch, columns, sizes["k"]], points.dtype)
        wanted = array_ops.concat([values, zeros], 1)
    with ops.name_scope("solve_linear_system"):
        solution = linalg_ops.matrix_solve(system, wanted)
        return solution[:, :n, :], solution[:, n:, :]


@tf_export("contrib.image.interpolate_spline")
def interpolate_spline(
    train_points: Any,
    train_values: Any,
    query_points: Any,
    order: int,
    regularization_weight: Any = 0.0,
    name: str = "interpolate_spline",
) -> Any:
    """The values at points of the spline that has given values at others.

    Args:
      train_points: float tensor [batch, n, d].
      train_values: float tensor [batch, n, k].
      query_points: float tensor [batch, m, d].
      order: of the spline: 1, 2 for a thin plate, 3, …
      regularization_weight: float, how far it may be from the values.
      name: scope of the ops.

    Returns:
      A tensor [batch, m, k].

    Raises:
      ValueError: d or k is not known.
    """
    with ops.name_scope(name):
        points = ops.convert_to_tensor(train_points)
        values = ops.convert_to_tensor(train_values)
        queries = ops.convert_to_tensor(query_points)
        with ops.name_scope("solve"):
            w, v = _weights(points, values, order, regularization_weight)
        with ops.name_scope("predict"):
            basis = _phi(_squared_distances_between(queries, points), order)
            radial = math_ops.matmul(basis, w)
            ones = array_ops.ones_like(queries[..., :1], points.dtype)
            linear = math_ops.matmul(array_ops.concat([queries, ones], 2), v)
            return radial + linear
