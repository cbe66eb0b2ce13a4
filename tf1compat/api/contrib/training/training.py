"""Training steps (`tensorflow.contrib.training.python.training.training`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tf1compat.api.checks import numerics
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.math import clip_ops
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.summary import summary
from tf1compat.api.training import monitored_session, training_util
from tf1compat.api.training.optimizer import Optimizer
from tf1compat.api.variables import variables
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import DTypeLike, TensorLike

__all__ = [
    "add_gradients_summaries",
    "clip_gradient_norms",
    "clip_gradient_norms_fn",
    "create_train_op",
    "multiply_gradients",
    "train",
]

GradsAndVars = list[tuple[Any, Any]]
_USE_GLOBAL_STEP = 0


@tf_export("contrib.training.add_gradients_summaries")
def add_gradients_summaries(grads_and_vars: Sequence[Any]) -> list[Tensor]:
    """A histogram and the norm of each gradient.

    Args:
      grads_and_vars: (gradient, variable) pairs.

    Returns:
      The summaries.
    """
    return summarize_gradients(grads_and_vars, "_gradient")


def summarize_gradients(grads_and_vars: Sequence[Any], suffix: str) -> list[Tensor]:
    """The summaries `<variable><suffix>` and `<variable><suffix>_norm` of each gradient."""
    summaries = []
    for gradient, variable in grads_and_vars:
        if gradient is None:
            logging.info("Var %s has no gradient", variable.op.name)
            continue
        values = gradient.values if isinstance(gradient, ops.IndexedSlices) else gradient
        name = variable.op.name + suffix
        summaries.append(summary.histogram(name, values))
        norm = clip_ops.global_norm([values])
        summaries.append(summary.scalar(f"{name}_norm", norm))
    return summaries


@tf_export("contrib.training.clip_gradient_norms")
def clip_gradient_norms(gradients_to_variables: Sequence[Any], max_norm: Any) -> GradsAndVars:
    """Scales every gradient whose norm is greater down to `max_norm`.

    Args:
      gradients_to_variables: (gradient, variable) pairs.
      max_norm: a scalar.

    Returns:
      The pairs.
    """
    clipped = []
    for gradient, variable in gradients_to_variables:
        if isinstance(gradient, ops.IndexedSlices):
            values = clip_ops.clip_by_norm(gradient.values, max_norm)
            gradient = ops.IndexedSlices(values, gradient.indices, gradient.dense_shape)
        elif gradient is not None:
            gradient = clip_ops.clip_by_norm(gradient, max_norm)
        clipped.append((gradient, variable))
    return clipped


@tf_export("contrib.training.clip_gradient_norms_fn")
def clip_gradient_norms_fn(max_norm: Any) -> Callable[[Sequence[Any]], GradsAndVars]:
    """`clip_gradient_norms` with that `max_norm`, as a function of the pairs.

    Args:
      max_norm: the largest norm of a gradient.

    Returns:
      A function of [(gradient, variable)].
    """

    def clip_norms(gradients_to_variables: Sequence[Any]) -> GradsAndVars:
        return clip_gradient_norms(gradients_to_variables, max_norm)

    return clip_norms


@tf_export("contrib.training.multiply_gradients")
def multiply_gradients(grads_and_vars: Any, gradient_multipliers: Any) -> GradsAndVars:
    """Multiplies the gradients of some variables.

    Args:
      grads_and_vars: a list of (gradient, variable) pairs.
      gradient_multipliers: a dict: variable, or its operation's name -> factor.

    Returns:
      The pairs.

    Raises:
      ValueError: one of them is of another type or empty, or a gradient is None.
    """

    def as_tensor(factor: Any, dtype: DTypeLike) -> Tensor:
        return ops.convert_to_tensor(factor, dtype=dtype)

    return multiplied_gradients(grads_and_vars, gradient_multipliers, as_tensor)


def multiplied_gradients(
    grads_and_vars: Any, gradient_multipliers: Any, as_tensor: Callable[[Any, Any], Tensor]
) -> GradsAndVars:
    """`multiply_gradients`, with a function that makes tensors of the factors."""
    if not isinstance(grads_and_vars, list):
        raise ValueError("`grads_and_vars` must be a list.")
    if not gradient_multipliers:
        raise ValueError("`gradient_multipliers` is empty.")
    if not isinstance(gradient_multipliers, dict):
        raise ValueError("`gradient_multipliers` must be a dict.")
    multiplied = []
    for gradient, variable in grads_and_vars:
        key = variable if variable in gradient_multipliers else variable.op.name
        if key in gradient_multipliers:
            if gradient is None:
                raise ValueError("Requested multiple of `None` gradient.")
            factor = gradient_multipliers[key]
            if isinstance(gradient, ops.IndexedSlices):
                values = gradient.values * as_tensor(factor, gradient.dtype)
                gradient = ops.IndexedSlices(values, gradient.indices, gradient.dense_shape)
            else:
                gradient = gradient * as_tensor(factor, gradient.dtype)
        multiplied.append((gradient, variable))
    return multiplied


@tf_export("contrib.training.create_train_op")
def create_train_op(
    total_loss: Any, optimizer: Optimizer, global_step: TensorLike = _USE_GLOBAL_STEP,
    update_ops: Any = None, variables_to_train: Any = None, transform_grads_fn: Any = None,
    summarize_gradients: bool = False, gate_gradients: int = Optimizer.GATE_OP,
    aggregation_method: Any = None, colocate_gradients_with_ops: bool = False,
    check_numerics: bool = True,
) -> Tensor:  # fmt: skip
    """A training step.

    Args:
      total_loss: a scalar.
      optimizer: the optimizer.
      global_step: what to count the step with; by default the global step of the graph, made if
        there is none. None not to count.
      update_ops: what to run before; by default what is in `GraphKeys.UPDATE_OPS`.
      variables_to_train: the variables; by default the trainable ones.
      transform_grads_fn: a function of the (gradient, variable) pairs that gives others.
      summarize_gradients: whether to record summaries of the gradients.
      gate_gradients, aggregation_method, colocate_gradients_with_ops: as for
        `Optimizer.compute_gradients`.
      check_numerics: whether to fail when the loss is not finite.

    Returns:
      The loss, after the step; it joins `GraphKeys.TRAIN_OP`.

    Raises:
      NotImplementedError: what a setting needs is not there yet.
    """
    if global_step is _USE_GLOBAL_STEP:
        global_step = training_util.get_or_create_global_step()
    collected = dict.fromkeys(ops.get_collection(ops.GraphKeys.UPDATE_OPS))
    updates = collected if update_ops is None else dict.fromkeys(update_ops)
    if not collected.keys() <= updates.keys():
        logging.warning(
            "update_ops in create_train_op does not contain all the update_ops in "
            "GraphKeys.UPDATE_OPS"
        )
    if updates:
        with ops.control_dependencies(list(updates)):
            barrier = control_flow_ops.no_op(name="update_barrier")
        total_loss = control_flow_ops.with_dependencies([barrier], total_loss)
    if variables_to_train is None:
        variables_to_train = variables.trainable_variables()
    else:
        for v in variables_to_train:
            assert v.trainable or v in variables.trainable_variables()
    assert variables_to_train
    gradients = optimizer.compute_gradients(
        total_loss, variables_to_train, gate_gradients=gate_gradients,
        aggregation_method=aggregation_method,
        colocate_gradients_with_ops=colocate_gradients_with_ops,
    )  # fmt: skip
    if transform_grads_fn:
        gradients = transform_grads_fn(gradients)
    if summarize_gradients:
        with ops.name_scope("summarize_grads"):
            add_gradients_summaries(gradients)
    update = optimizer.apply_gradients(gradients, global_step=global_step)
    with ops.name_scope("train_op"):
        if check_numerics:
            total_loss = numerics.check_numerics(total_loss, "LossTensor is inf or nan")
        train_op = control_flow_ops.with_dependencies([update], total_loss)
    train_ops = ops.get_collection_ref(ops.GraphKeys.TRAIN_OP)
    if train_op not in train_ops:
        train_ops.append(train_op)
    return train_op


@tf_export("contrib.training.train")
def train(
    train_op: Any, logdir: str | None, master: Any = "", is_chief: bool = True,
    scaffold: Any = None,
    hooks: Any = None, chief_only_hooks: Any = None, save_checkpoint_secs: Any = 600,
    save_summaries_steps: Any = 100, config: Any = None, max_wait_secs: Any = 7200,
    run_metadata: Any = None,
) -> Any:  # fmt: skip
    """Makes training steps until a hook stops, in a `MonitoredTrainingSession`.

    Args:
      train_op: makes a step and gives the loss.
      logdir: where checkpoints and events are written.
      master: the session's target.
      is_chief: whether this worker initialises, saves and summarises.
      scaffold: a `Scaffold`.
      hooks: `SessionRunHook`s.
      chief_only_hooks: further ones of the chief.
      save_checkpoint_secs: how often to save; None for never.
      save_summaries_steps: how often to summarise; None for never.
      config: a `ConfigProto`.
      max_wait_secs: how long a worker waits for the chief.
      run_metadata: a `RunMetadata` to fill in.

    Returns:
      The last loss; None if there was no step.

    Raises:
      ValueError: something is to be written, and there is no `logdir`.
    """
    written = {
        "save_summaries_steps": save_summaries_steps,
        "save_checkpoint_secs": save_checkpoint_secs,
    }
    if logdir is None and is_chief:
        for setting, value in written.items():
            if value:
                raise ValueError(f"logdir cannot be None when {setting} is not None")
    with monitored_session.MonitoredTrainingSession(
        master=master,
        is_chief=is_chief,
        checkpoint_dir=logdir,
        scaffold=scaffold,
        hooks=hooks,
        chief_only_hooks=chief_only_hooks,
        save_checkpoint_secs=save_checkpoint_secs,
        save_summaries_steps=save_summaries_steps,
        config=config,
        max_wait_secs=max_wait_secs,
    ) as session:
        loss = None
        while not session.should_stop():
            loss = session.run(train_op, run_metadata=run_metadata)
    return loss
