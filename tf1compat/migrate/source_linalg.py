"""How operations on matrices, and on blocks and windows of arrays, are written in JAX."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tf1compat.migrate.source_call import Call, Several, Written
from tf1compat.migrate.source_text import ATOM, Expr, grouped


def _adjoint(call: Call) -> str:
    """The first input, or its conjugate transpose if the attr `adjoint` says so."""
    matrix = call.args[0]
    if not call.attr("adjoint"):
        return matrix.text
    conjugate = ".conj()" if call.op._inputs[0].dtype.is_complex else ""
    return f"{grouped(matrix, ATOM)}{conjugate}.mT"


def _diagonal_matrix(call: Call) -> Expr:
    x = call.inside(0)
    if call.rank(0) == 1:
        return Expr(f"jnp.diag({x})")
    return Expr(f'jnp.vectorize(jnp.diag, signature="(n)->(n,n)")({x})')


def _with_diagonal(call: Call) -> Expr:
    rows, columns = (call.op._inputs[0]._shape or (None, None))[-2:]
    if rows is None or rows != columns:
        call.refuse("of a matrix that is not known to be square")
    x, diagonal = call.args
    on_it = f"jnp.eye({rows}, dtype=bool)"
    return Expr(f"jnp.where({on_it}, {grouped(diagonal, ATOM)}[..., None], {x.text})")


def _triangular_solve(call: Call) -> Expr:
    flags = ["left_side=True"]
    flags += ["lower=True"] if call.attr("lower") else []
    flags += ["transpose_a=True", "conjugate_a=True"] if call.attr("adjoint") else []
    return Expr(
        f"lax.linalg.triangular_solve({call.inside(0)}, {call.inside(1)}, {', '.join(flags)})"
    )


def _eigenvalues(call: Call) -> Written:
    x = call.inside(0)
    if call.attr("compute_v"):
        return Several(f"jnp.linalg.eigh({x})", 2)
    return [Expr(f"jnp.linalg.eigvalsh({x})"), Expr("jnp.zeros([0])")]


def _singular_values(call: Call) -> list[Expr]:
    if call.attr("compute_uv"):
        call.refuse("with its vectors, whose signs nothing decides")
    none = Expr("jnp.zeros([0])")
    return [Expr(f"jnp.linalg.svd({call.inside(0)}, compute_uv=False)"), none, none]


def _of(name: str) -> Callable[[Call], Expr]:
    return lambda call: Expr(f"{name}({call.inside(0)})")


def _scattered(call: Call) -> Expr:
    indices, rows = call.args[:2]
    return Expr(f"scatter_nd({indices.text}, {rows.text}, {call.shape(2)})")


def _blocks(name: str) -> Callable[[Call], Expr]:
    def write(call: Call) -> Expr:
        block = tuple(call.value(1))
        ends = tuple(map(tuple, call.value(2)))
        return Expr(f"{name}({call.inside(0)}, {block}, {ends})")

    return write


def _local_response(call: Call) -> Expr:
    numbers = (str(np.float32(call.attr(name))) for name in ("bias", "alpha", "beta"))
    numbers = ", ".join([str(call.attr("depth_radius")), *numbers])
    return Expr(f"local_response_norm({call.inside(0)}, {numbers})")


def _conv3d(call: Call) -> Expr:
    if call.attr("data_format") != b"NDHWC":
        call.refuse("whose channels are not last")
    strides, dilations = tuple(call.attr("strides")[1:4]), tuple(call.attr("dilations")[1:4])
    dilated = f", rhs_dilation={dilations}" if set(dilations) != {1} else ""
    return Expr(
        f"lax.conv_general_dilated({call.inside(0)}, {call.inside(1)}, {strides}, "
        f'"{call.attr("padding").decode()}"{dilated}, '
        'dimension_numbers=("NDHWC", "DHWIO", "NDHWC"))'
    )


def _bucketize(call: Call) -> Expr:
    boundaries = [float(str(np.float32(b))) for b in call.attr("boundaries")]
    return Expr(f'jnp.searchsorted(jnp.array({boundaries}), {call.inside(0)}, side="right")')


def _sparse_product(call: Call) -> Expr:
    rows = (call.op._outputs[0]._shape or (None,))[0]
    if rows is None:
        call.refuse("of so many rows as only the run tells")
    at = call.inside(0)
    if call.attr("adjoint_a"):
        at = f"{grouped(call.args[0], ATOM)}[:, ::-1]"
    if any(call.attr(f"adjoint_{x}") and call.op._inputs[1].dtype.is_complex for x in "ab"):
        call.refuse("of conjugates")
    matrix = f"{grouped(call.args[3], ATOM)}.T" if call.attr("adjoint_b") else call.inside(3)
    return Expr(f"sparse_matmul({at}, {call.inside(1)}, {matrix}, {rows})")


def _sparse_to_dense(call: Call) -> Expr:
    kind = call.op._outputs[0]._dtype.name
    places = call.inside(0)
    if call.rank(0) == 2:
        places = f"tuple({grouped(call.args[0], ATOM)}.T)"
    everywhere = f"jnp.full({call.shape(1)}, {call.inside(3)}, jnp.{kind})"
    return Expr(f"{everywhere}.at[{places}].set({call.inside(2)})")


LINALG: dict[str, Callable[[Call], Written]] = {
    "Diag": _diagonal_matrix,
    "MatrixDiag": _diagonal_matrix,
    "DiagPart": _of("jnp.diagonal"),
    "MatrixDiagPart": lambda call: Expr(f"jnp.diagonal({call.inside(0)}, axis1=-2, axis2=-1)"),
    "MatrixSetDiag": _with_diagonal,
    "Cholesky": _of("jnp.linalg.cholesky"),
    "MatrixDeterminant": _of("jnp.linalg.det"),
    "LogMatrixDeterminant": lambda call: Several(f"jnp.linalg.slogdet({call.inside(0)})", 2),
    "MatrixInverse": lambda call: Expr(f"jnp.linalg.inv({_adjoint(call)})"),
    "MatrixSolve": lambda call: Expr(f"jnp.linalg.solve({_adjoint(call)}, {call.inside(1)})"),
    "MatrixTriangularSolve": _triangular_solve,
    "SelfAdjointEigV2": _eigenvalues,
    "Svd": _singular_values,
    "Cross": lambda call: Expr(f"jnp.cross({call.inside(0)}, {call.inside(1)})"),
    "ScatterNd": _scattered,
    "SpaceToBatchND": _blocks("space_to_batch"),
    "BatchToSpaceND": _blocks("batch_to_space"),
    "LRN": _local_response,
    "Conv3D": _conv3d,
    "Bucketize": _bucketize,
    "SparseTensorDenseMatMul": _sparse_product,
    "SparseToDense": _sparse_to_dense,
}
