"""`tensorflow.python.tpu.tpu_optimizer`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.losses import losses_impl as losses
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.tpu import tpu_function
from tf1compat.api.tpu.ops import tpu_ops
from tf1compat.api.training import optimizer
from tf1compat.core import ops
from tf1compat.core.export import find, tf_export
from tf1compat.core.typing import Name, TensorLike


def _group_size(groups: Any, num_shards: int) -> int:
    """How many replicas the sums are of."""
    if not groups:
        return num_shards
    if not isinstance(groups, list) or not all(isinstance(group, list) for group in groups):
        raise ValueError(f"group_assignment must be a list of list. Got {groups}")
    if {replica for group in groups for replica in group} != set(range(num_shards)):
        raise ValueError(
            f"group_assignment must be a permutation of range({num_shards}). Got "
            f"group_assignment={groups}"
        )
    if len({len(group) for group in groups}) != 1:
        raise ValueError(
            "The size of each subgroup in group_assignment must be equal. Got "
            f"group_assignment={groups}"
        )
    return len(groups[0])


@tf_export("tpu.CrossShardOptimizer", "contrib.tpu.CrossShardOptimizer")
class CrossShardOptimizer(optimizer.Optimizer):
    """An optimizer that sums gradients over the replicas of a TPU.

    Args:
      opt: the optimizer.
      reduction: `tf.losses.Reduction.SUM` or `MEAN`.
      name: the optimizer's name.
      group_assignment: which replicas belong together.

    Raises:
      ValueError: the reduction is another one.
      TypeError: `opt` is an optimizer of Keras.
    """

    def __init__(
        self, opt: Any, reduction: Any = losses.Reduction.MEAN,
        name: str = "CrossShardOptimizer", group_assignment: Any = None,
    ):  # fmt: skip
        if reduction not in (losses.Reduction.SUM, losses.Reduction.MEAN):
            raise ValueError(f"Unsupported reduction: {reduction}.")
        if isinstance(opt, find("keras.optimizers.Optimizer")):
            raise TypeError(
                "CrossShardOptimizer does not work with OptimizerV2. If you are using "
                "TPUStrategy, OptimizerV2 will sum gradients across replicas.If you are using "
                "TPUEstimator, you may instead sum your gradients with: grads = "
                "[tf.compat.v1.tpu.cross_replica_sum(g) for g in grads]. If you want to average "
                "your gradients, rescale your loss with: loss /= global_batch_size"
            )
        super().__init__(False, name)
        self._opt = opt
        self._reduction = reduction
        self._group_assignment = group_assignment

    def compute_gradients(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, loss: Any, var_list: Any = None, **kwargs: Any
    ) -> Any:
        """The gradients, as of `opt`.

        Raises:
          ValueError: the groups are wrong.
        """
        shards = tpu_function.get_tpu_context().number_of_shards
        if shards is None:
            logging.warning(
                "CrossShardOptimizer should be used within a tpu_shard_context, but got unset "
                "number_of_shards. Assuming 1."
            )
            shards = 1
        size = _group_size(self._group_assignment, shards)
        if shards > 1 and self._reduction == losses.Reduction.MEAN:
            loss *= 1.0 / size
        return self._opt.compute_gradients(loss, var_list=var_list, **kwargs)

    def apply_gradients(
        self, grads_and_vars: Any, global_step: TensorLike | None = None, name: Name = None
    ) -> Any:
        """Applies the sums of the gradients."""
        summed = []
        for grad, var in grads_and_vars:
            if grad is not None:
                with ops.colocate_with(grad):
                    grad = tpu_ops.cross_replica_sum(grad, self._group_assignment)
            summed.append((grad, var))
        return self._opt.apply_gradients(summed, global_step, name)

    def get_slot(self, *args: Any, **kwargs: Any) -> Any:
        """A slot of `opt`."""
        return self._opt.get_slot(*args, **kwargs)

    def get_slot_names(self, *args: Any, **kwargs: Any) -> Any:
        """The names of the slots of `opt`."""
        return self._opt.get_slot_names(*args, **kwargs)

    def variables(self) -> Any:
        """The variables of `opt`."""
        return self._opt.variables()
