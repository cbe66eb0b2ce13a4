"""Matrix factorization by weighted alternating least squares
(`tensorflow.contrib.factorization.python.ops.factorization_ops`)."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.checks import check_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.linalg import linalg_ops
from tf1compat.api.math import math_ops
from tf1compat.api.nn import embedding_ops
from tf1compat.api.queues import data_flow_ops
from tf1compat.api.random import random_ops
from tf1compat.api.sparse import sparse_ops
from tf1compat.api.variables import state_ops, variable_scope, variables
from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export
from tf1compat.core.sparse_tensor import SparseTensor
from tf1compat.core.typing import Name, TensorLike


class _Copy(NamedTuple):
    """A worker's copy of variables, or the variables themselves.

    Attributes:
      value: the copy: a variable or a list of them.
      fill: takes it.
      drop: lets go of what it holds.
    """

    value: Any = None
    fill: Any = None
    drop: Any = None


class _Side(NamedTuple):
    """One of the two factors.

    Attributes:
      size: how many rows it has.
      factors: its variables.
      copy: of these.
      weights: a copy of the weights of its rows.
      gramian: a copy of the product of the factor with itself.
    """

    size: int
    factors: list[Any]
    copy: Any
    weights: Any
    gramian: Any


@tf_export("contrib.factorization.WALSModel")
class WALSModel:
    """A matrix as a product U V', by weighted alternating least squares.

    It makes small the sum over all entries of `W * (A - U V')**2`, and `regularization` times the
    squares of U and V, where W is `unobserved_weight`, and where A has an entry, that plus
    `row_weights[i] * col_weights[j]`. To be run are `initialize_op` and `worker_init` once; before
    all rows are gone through `row_update_prep_gramian_op` and `initialize_row_update_op`; then
    `update_row_factors(rows)` for one batch of rows after the other. So with the columns.

    Args:
      input_rows: how many rows A has.
      input_cols: how many columns.
      n_components: how many columns U and V have.
      unobserved_weight: the weight of entries that A has not.
      regularization: of U and V; None for none.
      row_init: the first U, [input_rows, n_components], in a list if it is in shards; or "random".
      col_init: the first V.
      num_row_shards: how many variables hold U.
      num_col_shards: how many variables hold V.
      row_weights: a number, a list of numbers or, for shards, of such lists; None, in both, for
        no more than `unobserved_weight`.
      col_weights: as `row_weights`.
      use_factors_weights_cache: whether workers copy factors and weights.
      use_gramian_cache: whether workers copy the factors' products with themselves.
      use_scoped_vars: whether the variables have scopes of their own.

    Raises:
      ValueError: the weights are none of these.
    """

    def __init__(
        self, input_rows: int, input_cols: int, n_components: int, unobserved_weight: float = 0.1,
        regularization: float | None = None, row_init: Any = "random", col_init: Any = "random",
        num_row_shards: int = 1, num_col_shards: int = 1, row_weights: Any = 1,
        col_weights: Any = 1, use_factors_weights_cache: bool = True,
        use_gramian_cache: bool = True, use_scoped_vars: bool = False,
    ):  # fmt: skip
        self._input_rows = input_rows
        self._input_cols = input_cols
        self._num_row_shards = num_row_shards
        self._num_col_shards = num_col_shards
        self._n_components = n_components
        self._unobserved_weight = unobserved_weight
        self._regularization = regularization
        self._regularization_matrix = None
        if regularization is not None:
            self._regularization_matrix = regularization * linalg_ops.eye(n_components)
        assert (row_weights is None) == (col_weights is None)
        self._use_factors_weights_cache = use_factors_weights_cache
        self._use_gramian_cache = use_gramian_cache

        def made(name: str, create: Callable[..., Any], *args: Any) -> Any:
            if not use_scoped_vars:
                return create(*args, name)
            with ops.name_scope(name):
                return create(*args, name)

        weights, factors, width = self._create_weights, self._create_factors, n_components
        self._row_weights = made("row_weights", weights, row_weights, input_rows, num_row_shards)
        self._col_weights = made("col_weights", weights, col_weights, input_cols, num_col_shards)
        self._row_factors = made(
            "row_factors", factors, input_rows, width, num_row_shards, row_init
        )
        self._col_factors = made(
            "col_factors", factors, input_cols, width, num_col_shards, col_init
        )
        self._row_gramian = self._create_gramian(width, "row_gramian")
        self._col_gramian = self._create_gramian(width, "col_gramian")
        with ops.name_scope("row_prepare_gramian"):
            self._row_update_prep_gramian = self._prepare_gramian(
                self._col_factors, self._col_gramian
            )
        with ops.name_scope("col_prepare_gramian"):
            self._col_update_prep_gramian = self._prepare_gramian(
                self._row_factors, self._row_gramian
            )
        with ops.name_scope("transient_vars"):
            self._create_transient_vars()

    row_factors: list[Any] = attribute("_row_factors", "The variables of U.")
    col_factors: list[Any] = attribute("_col_factors", "The variables of V.")
    row_weights = attribute("_row_weights", "The variables of the rows' weights, or None.")
    col_weights = attribute("_col_weights", "The variables of the columns' weights, or None.")

    @property
    def initialize_op(self) -> ops.Operation:
        """Initializes the variables but those of `worker_init`. New at each access, as in TF."""
        found = [*self._row_factors, *self._col_factors, self._row_gramian, self._col_gramian]
        if self._row_weights is not None:
            found += [*self._row_weights, *self._col_weights]
        return variables.variables_initializer(found)

    worker_init: ops.Operation = attribute(
        "_worker_init", "Takes a worker's copies of the weights."
    )
    row_update_prep_gramian_op: ops.Operation = attribute(
        "_row_update_prep_gramian", "Computes V'V; for the chief, before rows are updated."
    )
    col_update_prep_gramian_op: ops.Operation = attribute(
        "_col_update_prep_gramian", "Computes U'U; for the chief, before columns are updated."
    )
    initialize_row_update_op: ops.Operation = attribute(
        "_row_updates_init", "Takes a worker's copies of what updates of rows need."
    )
    initialize_col_update_op: ops.Operation = attribute(
        "_col_updates_init", "Takes a worker's copies of what updates of columns need."
    )

    @classmethod
    def _shard_sizes(cls, dims: int, num_shards: int) -> list[int]:
        size, larger = divmod(dims, num_shards)
        return [size + (i < larger) for i in range(num_shards)]

    @classmethod
    def _create_factors(
        cls, rows: int, cols: int, num_shards: int, init: Any, name: str
    ) -> list[Any]:
        if callable(init):
            init = init()
        is_random = isinstance(init, str) and init == "random"
        if isinstance(init, list):
            assert len(init) == num_shards
        elif not is_random and num_shards == 1:
            init = [init]

        def start(i: int, size: int) -> Any:
            return random_ops.random_normal([size, cols]) if is_random else init[i]

        return cls._shards(rows, num_shards, start, name)

    @classmethod
    def _create_weights(cls, wt_init: Any, num_wts: int, num_shards: int, name: str) -> Any:
        if wt_init is None:
            return None
        is_number = isinstance(wt_init, numbers.Real)
        if isinstance(wt_init, Iterable):
            if num_shards == 1 and len(wt_init) == num_wts:  # pyright: ignore[reportArgumentType]
                wt_init = [wt_init]
            assert len(wt_init) == num_shards  # pyright: ignore[reportArgumentType]
        elif not is_number or wt_init < 0:
            raise ValueError(
                "Invalid weight initialization argument. Must be one of these: None, a real "
                "non-negative real number, or a list of lists of non-negative real numbers (or "
                "equivalent iterables) corresponding to sharded factors."
            )

        given: Any = wt_init

        def start(i: int, size: int) -> Any:
            return given * array_ops.ones([size]) if is_number else given[i]

        return cls._shards(num_wts, num_shards, start, name)

    @classmethod
    def _shards(
        cls, rows: int, count: int, start: Callable[[int, int], Any], name: str
    ) -> list[Any]:
        """Variables of some rows each."""
        return [
            variable_scope.variable(
                lambda i=i, size=size: start(i, size), dtype=dtypes.float32,
                name=f"{name}_shard_{i}",
            )
            for i, size in enumerate(cls._shard_sizes(rows, count))
        ]  # fmt: skip

    @staticmethod
    def _create_gramian(n_components: int, name: str) -> Any:
        zeros = array_ops.zeros([n_components, n_components])
        return variable_scope.variable(zeros, dtype=dtypes.float32, name=name)

    def _prepare_gramian(self, factors: list[Any], gramian: Any) -> ops.Operation:
        partial = []
        for factor in factors:
            with ops.colocate_with(factor):
                partial.append(math_ops.matmul(factor, factor, transpose_a=True))
        with ops.colocate_with(gramian):
            return state_ops.assign(gramian, math_ops.add_n(partial)).op

    def _cached_copy(self, var: Any, name: str, pass_through: bool = False) -> _Copy:
        if var is None:
            return _Copy()
        if pass_through:
            return _Copy(var, control_flow_ops.no_op(), control_flow_ops.no_op())

        def transient(name: str) -> Any:
            return variable_scope.variable(
                1.0, trainable=False, collections=[ops.GraphKeys.LOCAL_VARIABLES],
                validate_shape=False, name=name,
            )  # fmt: skip

        def drop(copy: Any) -> Any:
            return state_ops.assign(copy, 1.0, validate_shape=False)

        if not isinstance(var, list):
            copy = transient(name)
            with ops.colocate_with(copy):
                return _Copy(copy, state_ops.assign(copy, var, validate_shape=False), drop(copy))
        copies = [transient(f"{name}_shard_{i}") for i in range(len(var))]
        filled, drops = None, []
        for copy, shard in zip(copies, var):
            # One after the other, so that less is in memory at once.
            before = [] if filled is None else [filled]
            with ops.colocate_with(copy):
                with ops.control_dependencies(before):
                    filled = state_ops.assign(copy, shard, validate_shape=False)
                drops.append(drop(copy))
        return _Copy(copies, filled, control_flow_ops.group(*drops))

    def _create_transient_vars(self) -> None:
        def copied(kind: str, is_cached: bool) -> tuple[_Copy, _Copy]:
            found = []
            for axis in ("row", "col"):
                short = {"weights": "wt"}.get(kind, kind)
                var = getattr(self, f"_{axis}_{kind}")
                found.append(self._cached_copy(var, f"{axis}_{short}_cache", not is_cached))
            return found[0], found[1]

        of_factors = copied("factors", self._use_factors_weights_cache)
        of_weights = copied("weights", self._use_factors_weights_cache)
        of_gramian = copied("gramian", self._use_gramian_cache)

        def begin(own: int) -> ops.Operation:
            other = 1 - own
            return control_flow_ops.group(
                of_factors[other].fill, of_factors[own].drop,
                of_gramian[other].fill, of_gramian[own].drop,
            )  # fmt: skip

        self._row_updates_init, self._col_updates_init = begin(0), begin(1)
        if self._row_weights is None:
            self._worker_init = control_flow_ops.no_op(name="worker_init")
        else:
            fills = [copy.fill for copy in of_weights]
            self._worker_init = control_flow_ops.group(*fills, name="worker_init")
        sizes = self._input_rows, self._input_cols
        factors = self._row_factors, self._col_factors
        self._sides = [
            _Side(sizes[i], factors[i], *(c[i].value for c in (of_factors, of_weights, of_gramian)))
            for i in (0, 1)
        ]

    @staticmethod
    def _get_sharding_func(size: int, num_shards: int) -> Callable[[Any], tuple[Any, Any]]:
        """A function of ids that gives the shard that each lies in, and its row there."""

        def shard_of(ids: Any) -> tuple[Any, Any]:
            if num_shards == 1:
                return None, ids
            small, larger = divmod(size, num_shards)
            large = small + 1
            shards = math_ops.maximum(ids // large, (ids - larger) // small)
            rows = array_ops.where_v2(shards < larger, ids % large, (ids - larger) % small)
            return shards, rows

        return shard_of

    @classmethod
    def scatter_update(
        cls,
        factor: list[Any],
        indices: TensorLike,
        values: Any,
        sharding_func: Any,
        name: Name = None,
    ) -> ops.Operation:
        """Sets rows of a factor.

        Args:
          factor: its variables.
          indices: int64 [rows].
          values: float32 [rows, components].
          sharding_func: a function of indices that gives the shards and the rows there.
          name: the operation's name.
        """
        if len(factor) == 1:
            with ops.colocate_with(factor[0]):
                return state_ops.scatter_update(factor[0], indices, values, name=name).op
        shards, rows = sharding_func(indices)
        shards, count = math_ops.cast(shards, dtypes.int32), len(factor)
        of_rows = data_flow_ops.dynamic_partition(rows, shards, count)
        of_values = data_flow_ops.dynamic_partition(values, shards, count)
        updates = [
            state_ops.scatter_update(*one) for one in zip(factor, of_rows, of_values, strict=True)
        ]
        return control_flow_ops.group(*updates, name=name)

    def update_row_factors(self, sp_input: Any = None, transpose_input: bool = False) -> Any:
        """Solves for rows of U.

        Args:
          sp_input: a SparseTensor, some rows of A, indexed as in A.
          transpose_input: whether it is of A'.

        Returns:
          new_values: the new rows of U, in the order in which they first appear in `sp_input`.
          update_op: sets them.
          unregularized_loss: the loss of these rows, times the number of all rows by that of these.
          regularization: that of these rows, times the same, and that of V.
          sum_weights: the sum of W over these rows, times the same.
        """
        return self._process_input_helper(True, sp_input, transpose_input)

    def update_col_factors(self, sp_input: Any = None, transpose_input: bool = False) -> Any:
        """Solves for rows of V: as `update_row_factors`, with columns of A for its rows."""
        return self._process_input_helper(False, sp_input, transpose_input)

    def project_row_factors(
        self, sp_input: Any = None, transpose_input: bool = False, projection_weights: Any = None
    ) -> Any:
        """The rows of U that rows would have, which need not be A's.

        Args:
          sp_input: a SparseTensor of some rows.
          transpose_input: whether they are its columns.
          projection_weights: their weights, a scalar or [rows]; 1 if None.

        Returns:
          float32 [rows, components].
        """
        weights = 1 if projection_weights is None else projection_weights
        return self._process_input_helper(True, sp_input, transpose_input, weights)[0]

    def project_col_factors(
        self, sp_input: Any = None, transpose_input: bool = False, projection_weights: Any = None
    ) -> Any:
        """The rows of V that columns would have: as `project_row_factors`."""
        weights = 1 if projection_weights is None else projection_weights
        return self._process_input_helper(False, sp_input, transpose_input, weights)[0]

    def _process_input_helper(
        self, update_row_factors: bool, sp_input: Any = None, transpose_input: bool = False,
        row_weights: Any = None,
    ) -> tuple[Any, ...]:  # fmt: skip
        assert isinstance(sp_input, SparseTensor)
        own, other = self._sides if update_row_factors else self._sides[::-1]
        shards = self._num_row_shards if update_row_factors else self._num_col_shards
        is_transposed = bool(transpose_input) == update_row_factors

        # The kernels take rows from 0 on; so those that there are get new numbers.
        rows, columns = array_ops.split(value=sp_input.indices, num_or_size_splits=2, axis=1)
        row_ids, row_places = array_ops.unique(rows[:, 0])
        column_ids, column_places = array_ops.unique(columns[:, 0])
        places = [
            array_ops.expand_dims(math_ops.cast(x, dtypes.int64), 1)
            for x in (column_places, row_places)
        ][::-1]
        own_ids, other_ids = (column_ids, row_ids) if is_transposed else (row_ids, column_ids)
        other_count = math_ops.cast(array_ops.shape(other_ids)[0], dtypes.int64)
        count = math_ops.cast(array_ops.shape(own_ids)[0], dtypes.int64)
        right = _rows_of(other.copy, other_ids)
        indices = array_ops.concat(places, 1)
        sizes = [[other_count], [count]] if is_transposed else [[count], [other_count]]
        entries = SparseTensor(indices, sp_input.values, array_ops.concat(sizes, 0))

        lhs = self._unobserved_weight * other.gramian
        if self._regularization_matrix is not None:
            lhs += self._regularization_matrix
        own_weights = other_weights = None
        if self._row_weights is None:
            product = sparse_ops.sparse_tensor_dense_matmul(entries, right, adjoint_a=is_transposed)
            rhs = array_ops.transpose(self._unobserved_weight * product)
            new = array_ops.transpose(linalg_ops.matrix_solve(lhs, rhs))
        else:
            if row_weights is None:
                own_weights = _rows_of(own.weights, own_ids)
            else:
                own_weights = _given_weights(row_weights, own_ids)
            other_weights = _rows_of(other.weights, other_ids)
            partial, rhs = raw_ops.WALSComputePartialLhsAndRhs(
                right, other_weights, self._unobserved_weight, own_weights, entries.indices,
                entries.values, [], count, is_transposed, name="wals_compute_partial_lhs_rhs",
            )  # fmt: skip
            lhs = array_ops.expand_dims(lhs, 0) + partial
            rhs = array_ops.expand_dims(rhs, -1)
            new = array_ops.squeeze(linalg_ops.matrix_solve(lhs, rhs), [2])

        update_op = self.scatter_update(
            own.factors, own_ids, new, self._get_sharding_func(own.size, shards),
            name="row_update" if update_row_factors else "col_update",
        )  # fmt: skip
        if is_transposed:
            entries = sparse_ops.sparse_transpose(entries)
        weights = None if own_weights is None else (own_weights, other_weights)
        return new, update_op, *self._losses(entries, new, right, count, own.size, other, weights)

    def _losses(
        self, entries: Any, left: Any, right: Any, count: Any, size: int, other: _Side,
        weights: tuple[Any, Any] | None,
    ) -> tuple[Any, Any, Any]:  # fmt: skip
        """(unregularized loss, regularization, sum of weights), as `update_row_factors` has them.

        Args:
          entries: a SparseTensor of the rows.
          left, right: their part of U, and the rows of V that they need.
          count: how many rows, of `size`.
          other: V.
          weights: of the rows, and of the columns.
        """
        found = raw_ops.MaskedMatmul(
            left, right, entries.indices, transpose_a=False, transpose_b=True
        )
        approximation: Any = SparseTensor(entries.indices, found, entries.dense_shape)
        squares = math_ops.square(approximation)
        away = math_ops.square(sparse_ops.sparse_add(entries, approximation * (-1)))
        if weights is None:
            row_weights = constant_op.constant(0.0)
            column_weights = constant_op.constant(0.0)
        else:
            row_weights = array_ops.expand_dims(weights[0], 1)
            column_weights = array_ops.expand_dims(weights[1], 0)

        gramian = math_ops.matmul(left, left, transpose_a=True)
        scale = size / math_ops.cast(count, dtypes.float32)
        total = sparse_ops.sparse_reduce_sum
        of_all = total(away) - total(squares)
        of_all += math_ops.trace(math_ops.matmul(gramian, other.gramian))
        loss = self._unobserved_weight * of_all
        loss = (loss + total(row_weights * (away * column_weights))) * scale
        if self._regularization is None:
            regularization = constant_op.constant(0.0)
        else:
            own_part = math_ops.trace(gramian) * scale
            regularization = self._regularization * (own_part + math_ops.trace(other.gramian))

        area = math_ops.cast(size * other.size, dtypes.float32)
        sum_weights = self._unobserved_weight * area
        if weights is not None:
            ones = array_ops.ones(array_ops.shape(entries.values))
            ones = SparseTensor(entries.indices, ones, entries.dense_shape)
            sum_weights += total(row_weights * (ones * column_weights)) * scale
        return loss, regularization, sum_weights


def _rows_of(factors: Any, ids: TensorLike) -> Any:
    return embedding_ops.embedding_lookup(factors, ids, partition_strategy="div")


def _given_weights(weights: TensorLike, ids: TensorLike) -> Any:
    """Weights for each of some ids, from a scalar or a vector."""
    count = array_ops.shape(ids)[0]
    check = check_ops.assert_less_equal(array_ops.rank(weights), 1)
    with ops.control_dependencies([check]):
        return control_flow_ops.cond(
            math_ops.equal(array_ops.rank(weights), 0),
            lambda: array_ops.ones([count]) * weights,
            lambda: math_ops.cast(weights, dtypes.float32),
        )
