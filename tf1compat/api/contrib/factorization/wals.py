"""An estimator of matrix factorization (`tensorflow.contrib.factorization.python.ops.wals`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.factorization import factorization_ops
from tf1compat.api.contrib.learn.estimators import estimator
from tf1compat.api.contrib.learn.estimators.model_fn import ModeKeys, ModelFnOps
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import math_ops
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.summary import summary
from tf1compat.api.training import session_run_hook, training_util
from tf1compat.api.variables import state_ops, variable_scope
from tf1compat.core import dtypes, ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import TensorLike


class _SweepHook(session_run_hook.SessionRunHook):
    """Updates rows until all were seen, then columns, and so on.

    Args:
      is_row_sweep_var: a bool variable, whether it is the rows' turn.
      is_sweep_done_var: a bool variable, whether all were seen.
      init_op: run once before training.
      row_prep_ops: run before the rows' turn, in this order.
      col_prep_ops: run before the columns'.
      row_train_op: updates rows.
      col_train_op: updates columns.
      switch_op: run when the turn changes.
    """

    def __init__(
        self, is_row_sweep_var: Any, is_sweep_done_var: Any, init_op: Any, row_prep_ops: Any,
        col_prep_ops: Any, row_train_op: Any, col_train_op: Any, switch_op: Any,
    ):  # fmt: skip
        self._is_row_sweep_var = is_row_sweep_var
        self._is_sweep_done_var = is_sweep_done_var
        self._init_op = init_op
        self._axes = {
            True: ("row", row_prep_ops, row_train_op),
            False: ("col", col_prep_ops, col_train_op),
        }
        self._switch_op = switch_op
        self._is_initialized = False

    def before_run(self, run_context: Any) -> Any:
        session = run_context.session
        is_done = session.run(self._is_sweep_done_var)
        begins = is_done or not self._is_initialized
        if not self._is_initialized:
            logging.info("SweepHook running init op.")
            session.run(self._init_op)
        if is_done:
            logging.info("SweepHook starting the next sweep.")
            session.run(self._switch_op)
        axis, prep_ops, train_op = self._axes[bool(session.run(self._is_row_sweep_var))]
        if begins:
            logging.info("SweepHook running prep ops for the %s sweep.", axis)
            for prep_op in prep_ops:
                session.run(prep_op)
        self._is_initialized = True
        logging.info("Next fit step starting.")
        return session_run_hook.SessionRunArgs(fetches=[train_op])


class _IncrementGlobalStepHook(session_run_hook.SessionRunHook):
    """Counts the steps."""

    def __init__(self) -> None:
        step, self._count = training_util.get_global_step(), None
        if step is not None:
            self._count = state_ops.assign_add(step, 1, name="global_step_incr").op

    def before_run(self, run_context: Any) -> None:
        if self._count is not None:
            run_context.session.run(self._count)


class _StopAtSweepHook(session_run_hook.SessionRunHook):
    """Stops after so many sweeps.

    Args:
      last_sweep: how many.
    """

    def __init__(self, last_sweep: int):
        self._last_sweep = last_sweep

    def begin(self) -> None:
        name = WALSMatrixFactorization.COMPLETED_SWEEPS
        try:
            self._completed = ops.get_default_graph().get_tensor_by_name(name + ":0")
        except KeyError:
            raise RuntimeError(
                f"{name} counter should be created to use StopAtSweepHook."
            ) from None

    def before_run(self, run_context: Any) -> Any:
        return session_run_hook.SessionRunArgs(self._completed)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        if run_values.results >= self._last_sweep:
            run_context.request_stop()


class _Progress(NamedTuple):
    """What training keeps in variables."""

    is_row_sweep: Any
    is_sweep_done: Any
    completed_sweeps: Any
    loss: Any
    rwse: Any


def _counter(start: TensorLike, name: str) -> Any:
    return variable_scope.variable(
        start, trainable=False, name=name, collections=[ops.GraphKeys.GLOBAL_VARIABLES]
    )


def _axis_ops(
    axis: str, sp_input: Any, size: int, update: Callable[[Any], Any], progress: _Progress
) -> tuple[Any, Any]:
    """What forgets which rows (or columns) were seen, and what updates some."""
    none = array_ops.fill(dims=[size], value=False)
    with ops.colocate_with(none):
        seen = _counter(none, f"processed_{axis}")
    _, update_op, loss, regularization, sum_weights = update(sp_input)
    indices = sp_input.indices[:, 0]
    done: list[Any] = [update_op, state_ops.assign(progress.loss, loss + regularization)]
    done.append(state_ops.assign(progress.rwse, math_ops.sqrt(loss / sum_weights)))
    with ops.control_dependencies(done):
        with ops.colocate_with(seen):
            noted = state_ops.scatter_update(
                seen, indices, array_ops.ones_like(indices, dtype=dtypes.bool),
                name=f"update_processed_{axis}_indices",
            )  # fmt: skip
        with ops.control_dependencies([noted]):
            is_done = math_ops.reduce_all(seen)
            train_op = control_flow_ops.group(
                state_ops.assign(progress.is_sweep_done, is_done),
                state_ops.assign_add(
                    progress.completed_sweeps, math_ops.cast(is_done, dtypes.int32)
                ),
                name=f"{axis}_sweep_train_op",
            )
    return seen.initializer, train_op


def _training_spec(
    model: Any, rows: TensorLike, columns: Any, params: dict[str, Any]
) -> ModelFnOps:
    progress = _Progress(
        _counter(True, "is_row_sweep"), _counter(False, "is_sweep_done"),
        _counter(0, WALSMatrixFactorization.COMPLETED_SWEEPS),
        _counter(0.0, WALSMatrixFactorization.LOSS), _counter(0.0, WALSMatrixFactorization.RWSE),
    )  # fmt: skip
    summary.scalar("loss", progress.loss)
    summary.scalar("root_weighted_squared_error", progress.rwse)
    summary.scalar("completed_sweeps", progress.completed_sweeps)
    forget_rows, row_train_op = _axis_ops(
        "rows", rows, params["num_rows"], model.update_row_factors, progress
    )
    forget_columns, col_train_op = _axis_ops(
        "cols", columns, params["num_cols"],
        lambda x: model.update_col_factors(sp_input=x, transpose_input=True), progress,
    )  # fmt: skip
    other_axis = math_ops.logical_not(progress.is_row_sweep)
    switch_op = control_flow_ops.group(
        state_ops.assign(progress.is_row_sweep, other_axis), forget_rows, forget_columns,
        name="sweep_switch_op",
    )  # fmt: skip
    sweeps = _SweepHook(
        progress.is_row_sweep, progress.is_sweep_done, model.worker_init,
        [model.row_update_prep_gramian_op, model.initialize_row_update_op],
        [model.col_update_prep_gramian_op, model.initialize_col_update_op],
        row_train_op, col_train_op, switch_op,
    )  # fmt: skip
    hooks: list[Any] = [sweeps, _IncrementGlobalStepHook()]
    if params["max_sweeps"] is not None:
        hooks.append(_StopAtSweepHook(params["max_sweeps"]))
    return _model_fn_ops(ModeKeys.TRAIN, {}, progress.loss, hooks)


def _model_fn_ops(mode: Any, predictions: Any, loss: Any, hooks: Any = ()) -> ModelFnOps:
    return ModelFnOps(
        mode=mode, predictions=predictions, loss=loss, eval_metric_ops={},
        train_op=control_flow_ops.no_op(), training_hooks=list(hooks),
    )  # fmt: skip


def _wals_factorization_model_function(
    features: Any, labels: TensorLike | None, mode: Any, params: dict[str, Any]
) -> ModelFnOps:
    assert labels is None
    is_training = mode == ModeKeys.TRAIN
    model = factorization_ops.WALSModel(
        params["num_rows"], params["num_cols"], params["embedding_dimension"],
        unobserved_weight=params["unobserved_weight"],
        regularization=params["regularization_coeff"],
        use_factors_weights_cache=params["use_factors_weights_cache_for_training"] and is_training,
        use_gramian_cache=params["use_gramian_cache_for_training"] and is_training,
        **{
            f"{axis}_{what}": params[f"{axis}_{what}"]
            for axis in ("row", "col")
            for what in ("init", "weights")
        },
        num_row_shards=params["num_row_shards"], num_col_shards=params["num_col_shards"],
    )  # fmt: skip
    rows = features[WALSMatrixFactorization.INPUT_ROWS]
    columns = features[WALSMatrixFactorization.INPUT_COLS]
    if is_training:
        return _training_spec(model, rows, columns, params)
    if mode == ModeKeys.INFER:
        weights = features.get(WALSMatrixFactorization.PROJECTION_WEIGHTS)
        projection = control_flow_ops.cond(
            features[WALSMatrixFactorization.PROJECT_ROW],
            lambda: model.project_row_factors(rows, False, weights),
            lambda: model.project_col_factors(columns, True, weights),
        )
        return _model_fn_ops(mode, {WALSMatrixFactorization.PROJECTION_RESULT: projection}, None)
    if mode == ModeKeys.EVAL:

        def total(update: Callable[..., Any], *args: Any) -> Any:
            _, _, loss, regularization, _ = update(*args)
            return loss + regularization

        loss = control_flow_ops.cond(
            features[WALSMatrixFactorization.PROJECT_ROW],
            lambda: total(model.update_row_factors, rows, False),
            lambda: total(model.update_col_factors, columns, True),
        )
        return _model_fn_ops(mode, {}, loss)
    raise ValueError(f"mode={mode} is not recognized.")


@tf_export("contrib.factorization.WALSMatrixFactorization")
class WALSMatrixFactorization(estimator.Estimator):
    """Matrix factorization by weighted alternating least squares (see `WALSModel`).

    An input function gives a dict and no labels. The dict has "input_rows" and "input_cols",
    SparseTensors of some rows and of some columns, the latter transposed; to evaluate and predict
    "project_row", a bool, which of them is meant; and to predict, if wanted, "projection_weights".

    Args:
      num_rows: how many rows the matrix has.
      num_cols: how many columns.
      embedding_dimension: how many columns the factors have.
      regularization_coeff: weight of the factors' squares; None for none.
      unobserved_weight, row_init, col_init, num_row_shards, num_col_shards, row_weights,
        col_weights: see `WALSModel`.
      use_factors_weights_cache_for_training: whether training copies factors and weights.
      use_gramian_cache_for_training: whether it copies the factors' products with themselves.
      max_sweeps: training stops when all rows, or all columns, were updated so many times.
      model_dir, config: see `Estimator`.

    Raises:
      ValueError: there is more than one worker.
    """

    INPUT_ROWS = "input_rows"
    INPUT_COLS = "input_cols"
    PROJECT_ROW = "project_row"
    PROJECTION_WEIGHTS = "projection_weights"
    PROJECTION_RESULT = "projection"
    # Names of variables.
    COMPLETED_SWEEPS = "completed_sweeps"
    LOSS = "WALS_loss"
    RWSE = "WALS_RWSE"

    def __init__(
        self, num_rows: int, num_cols: int, embedding_dimension: int,
        unobserved_weight: float = 0.1, regularization_coeff: float | None = None,
        row_init: Any = "random", col_init: Any = "random", num_row_shards: int = 1,
        num_col_shards: int = 1, row_weights: Any = 1, col_weights: Any = 1,
        use_factors_weights_cache_for_training: bool = True,
        use_gramian_cache_for_training: bool = True, max_sweeps: int | None = None,
        model_dir: str | None = None, config: Any = None,
    ):  # fmt: skip
        params = {
            "num_rows": num_rows, "num_cols": num_cols,
            "embedding_dimension": embedding_dimension, "unobserved_weight": unobserved_weight,
            "regularization_coeff": regularization_coeff, "row_init": row_init,
            "col_init": col_init, "num_row_shards": num_row_shards,
            "num_col_shards": num_col_shards, "row_weights": row_weights,
            "col_weights": col_weights, "max_sweeps": max_sweeps,
            "use_factors_weights_cache_for_training": use_factors_weights_cache_for_training,
            "use_gramian_cache_for_training": use_gramian_cache_for_training,
        }  # fmt: skip
        self._row_factors_names = [f"row_factors_shard_{i}" for i in range(num_row_shards)]
        self._col_factors_names = [f"col_factors_shard_{i}" for i in range(num_col_shards)]
        super().__init__(
            model_fn=_wals_factorization_model_function, params=params, model_dir=model_dir,
            config=config,
        )  # fmt: skip
        if self._config is not None and self._config.num_worker_replicas > 1:
            raise ValueError("WALSMatrixFactorization must be run on a single worker replica.")

    def get_row_factors(self) -> list[Any]:
        """The rows' factors of the last checkpoint: float32 arrays, one for each shard."""
        return [self.get_variable_value(name) for name in self._row_factors_names]

    def get_col_factors(self) -> list[Any]:
        """The columns' factors of the last checkpoint: float32 arrays, one for each shard."""
        return [self.get_variable_value(name) for name in self._col_factors_names]

    def get_projections(self, input_fn: Callable[..., Any]) -> Iterator[Any]:
        """The factors that rows, or columns, would have.

        Args:
          input_fn: gives them.

        Returns:
          An iterator of float32 [embedding_dimension].
        """
        found: Any = self.predict(input_fn=input_fn)
        return (result[self.PROJECTION_RESULT] for result in found)
