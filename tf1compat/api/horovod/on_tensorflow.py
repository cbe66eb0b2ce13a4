"""`horovod.tensorflow`: sums over processes, variables that begin alike, optimizers that average.

As in Horovod 0.19 and later, where the average is a part of the operation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.eager import backprop
from tf1compat.api.horovod import mpi_ops
from tf1compat.api.horovod.basics import (  # noqa: F401  (what Horovod's module has)
    Adasum,
    Average,
    Max,
    Min,
    ProcessSet,
    Product,
    Sum,
    ccl_built,
    chosen_reduction,
    cross_rank,
    cross_size,
    cuda_built,
    ddl_built,
    global_process_set,
    gloo_built,
    gloo_enabled,
    init,
    is_homogeneous,
    is_initialized,
    local_rank,
    local_size,
    mpi_built,
    mpi_enabled,
    mpi_threads_supported,
    nccl_built,
    rank,
    rocm_built,
    shutdown,
    size,
)
from tf1compat.api.horovod.compression import Compression
from tf1compat.api.horovod.mpi_ops import (  # noqa: F401
    allgather,
    broadcast,
    local_rank_op,
    local_size_op,
    rank_op,
    size_op,
)
from tf1compat.api.training import optimizer as optimizer_lib
from tf1compat.api.training import session_run_hook
from tf1compat.api.variables import variables as variables_lib
from tf1compat.core import context, ops
from tf1compat.core.session_interface import SessionInterface


def __getattr__(name: str) -> NoReturn:
    raise AttributeError(f"horovod.tensorflow.{name} is not supported by tf1compat")


def allreduce(
    tensor: Any, average: Any = None, device_dense: str = "", device_sparse: str = "",
    compression: Any = Compression.none, op: Any = None, prescale_factor: float = 1.0,
    postscale_factor: float = 1.0, name: str | None = None,
    process_set: Any = global_process_set, ignore_name_scope: bool = False,
) -> Any:  # fmt: skip
    """A reduction of a tensor over all processes.

    Args:
      tensor: a tensor or variable, of the same shape in all processes; or an `IndexedSlices`, whose
        values and indices are joined.
      average: whether to average; the older form of `op`.
      device_dense, device_sparse: where the operations are.
      compression: one of `Compression`.
      op: `Average` (the default), `Sum`, `Min`, `Max` or `Product`.
      prescale_factor, postscale_factor: what is multiplied before and after.
      name, process_set, ignore_name_scope: see `allgather`.

    Raises:
      ValueError: both `op` and `average` are given.
      NotImplementedError: Adasum; another reduction, or a factor, for an `IndexedSlices`.
    """
    op = chosen_reduction(op, average)
    if not isinstance(tensor, ops.IndexedSlices):
        with ops.device(device_dense):
            sent, known = compression.compress(tensor)
            total = mpi_ops._allreduce(
                sent, name, op, prescale_factor, postscale_factor, ignore_name_scope, process_set
            )
            return compression.decompress(total, known)
    if op not in (Sum, Average):
        raise NotImplementedError("Only Sum and Average ops are supported with tf.IndexedSlices")
    if prescale_factor != 1.0 or postscale_factor != 1.0:
        raise NotImplementedError("Pre/postscale_factor are not supported with tf.IndexedSlices")
    with ops.device(device_sparse):
        values, indices = (
            allgather(part, ignore_name_scope=ignore_name_scope, process_set=process_set)
            for part in (tensor.values, tensor.indices)
        )
        if op == Average:
            values = values / size()
    return ops.IndexedSlices(values, indices, dense_shape=tensor.dense_shape)


def grouped_allreduce(tensors: Sequence[Any], *args: Any, **kwargs: Any) -> list[Any]:
    """`allreduce` of several tensors, which are always reduced together."""
    return [allreduce(tensor, *args, **kwargs) for tensor in tensors]


def grouped_allgather(tensors: Sequence[Any], *args: Any, **kwargs: Any) -> list[Any]:
    """`allgather` of several tensors."""
    return [allgather(tensor, *args, **kwargs) for tensor in tensors]


def broadcast_variables(
    variables: Any, root_rank: int, process_set: Any = global_process_set, inplace: bool = False
) -> Any:
    """Gives variables the values that they have in one process.

    Args:
      variables: the same ones, in the same order, in all processes.
      root_rank: the process.
      process_set: all processes.
      inplace: has no meaning here.

    Returns:
      The operation that does it; None in eager execution.
    """
    assigned = [v.assign(broadcast(v, root_rank, process_set=process_set)) for v in variables]
    return None if context.executing_eagerly() else control_flow_ops.group(*assigned)


def broadcast_global_variables(root_rank: int) -> Any:
    """`broadcast_variables` of all global variables.

    Raises:
      RuntimeError: in eager execution.
    """
    if context.executing_eagerly():
        raise RuntimeError(
            "hvd.broadcast_global_variables() does not support eager execution. Please use "
            "`hvd.broadcast_variables(<model/optimizer variables>)` instead."
        )
    return broadcast_variables(variables_lib.global_variables(), root_rank)


class BroadcastGlobalVariablesHook(session_run_hook.SessionRunHook):
    """Has all processes begin with the variables of one.

    Args:
      root_rank: which one.
      device: where the operations are.
    """

    def __init__(self, root_rank: int, device: str = ""):
        super().__init__()
        self.root_rank = root_rank
        self.bcast_op: Any = None
        self.device = device

    def begin(self) -> None:
        """Records the operations, once in a graph."""
        if self.bcast_op is None or self.bcast_op.graph is not ops.get_default_graph():
            with ops.device(self.device):
                self.bcast_op = broadcast_global_variables(self.root_rank)

    def after_create_session(self, session: SessionInterface, coord: Any) -> None:
        """Runs them."""
        session.run(self.bcast_op)


def gradient_reduction(
    name: str, device_dense: str = "", device_sparse: str = "",
    compression: Any = Compression.none, sparse_as_dense: bool = False, op: int = Average,
    gradient_predivide_factor: float = 1.0,
) -> Callable[[Sequence[Any]], list[Any]]:  # fmt: skip
    """A function that reduces gradients over all processes, and gives them back if there is one.

    Args:
      name: of what it is for.
      device_dense, device_sparse, compression, op: see `allreduce`.
      sparse_as_dense: whether an `IndexedSlices` is made a tensor first.
      gradient_predivide_factor: by what an average is divided before the sum, the rest after it.

    Raises:
      ValueError: there is such a factor, and no average.
    """
    if gradient_predivide_factor != 1.0 and op != Average:
        raise ValueError("gradient_predivide_factor not supported with op != Average")
    chosen_reduction(op, None)

    def reduced(gradients: Sequence[Any]) -> list[Any]:
        if size() == 1:
            return list(gradients)
        factors = {}
        if gradient_predivide_factor != 1.0:
            factors["prescale_factor"] = 1.0 / gradient_predivide_factor
            factors["postscale_factor"] = gradient_predivide_factor
        found = []
        with ops.name_scope(f"{name}_Allreduce"):
            for gradient in gradients:
                if gradient is not None:
                    if sparse_as_dense and isinstance(gradient, ops.IndexedSlices):
                        gradient = ops.convert_to_tensor(gradient)
                    gradient = allreduce(
                        gradient, None, device_dense, device_sparse, compression, op, **factors
                    )
                found.append(gradient)
        return found

    return reduced


def check_passes(backward_passes_per_step: int) -> None:
    """Refuses gradients that are gathered over several steps.

    Raises:
      NotImplementedError: there is more than one.
    """
    if backward_passes_per_step != 1:
        raise NotImplementedError(
            "hvd.DistributedOptimizer with backward_passes_per_step > 1 is not supported by "
            "tf1compat yet"
        )


class _DistributedOptimizer(optimizer_lib.Optimizer):
    """An optimizer whose gradients are those of all processes."""

    def __init__(self, optimizer: Any, name: str, use_locking: bool, reduced: Any):
        super().__init__(use_locking=use_locking, name=name)
        self._optimizer = optimizer
        self._reduced = reduced

    def compute_gradients(self, *args: Any, **kwargs: Any) -> list[tuple[Any, Any]]:
        """See `tf.train.Optimizer.compute_gradients`; the gradients are reduced."""
        pairs = self._optimizer.compute_gradients(*args, **kwargs)
        gradients = self._reduced([gradient for gradient, _ in pairs])
        return list(zip(gradients, [variable for _, variable in pairs], strict=True))

    def apply_gradients(self, *args: Any, **kwargs: Any) -> Any:
        """See `tf.train.Optimizer.apply_gradients`."""
        return self._optimizer.apply_gradients(*args, **kwargs)

    def get_slot(self, *args: Any, **kwargs: Any) -> Any:
        """See `tf.train.Optimizer.get_slot`."""
        return self._optimizer.get_slot(*args, **kwargs)

    def get_slot_names(self, *args: Any, **kwargs: Any) -> Any:
        """See `tf.train.Optimizer.get_slot_names`."""
        return self._optimizer.get_slot_names(*args, **kwargs)

    def variables(self, *args: Any, **kwargs: Any) -> Any:
        """See `tf.train.Optimizer.variables`."""
        return self._optimizer.variables(*args, **kwargs)


def DistributedOptimizer(
    optimizer: Any, name: str | None = None, use_locking: bool = False, device_dense: str = "",
    device_sparse: str = "", compression: Any = Compression.none, sparse_as_dense: bool = False,
    backward_passes_per_step: int = 1, op: int = Average, gradient_predivide_factor: float = 1.0,
    average_aggregated_gradients: bool = False,
) -> Any:  # fmt: skip
    """An optimizer that reduces the gradients of all processes before it applies them.

    Args:
      optimizer: one of `tf.train` or of Keras.
      name: of the new one.
      use_locking: see `tf.train.Optimizer`.
      device_dense, device_sparse, compression, sparse_as_dense, op, gradient_predivide_factor: see
        `gradient_reduction`.
      backward_passes_per_step: 1.
      average_aggregated_gradients: has no meaning with it.

    Raises:
      ValueError, NotImplementedError: see `gradient_reduction` and `check_passes`.
    """
    check_passes(backward_passes_per_step)
    if not isinstance(optimizer, optimizer_lib.Optimizer):
        from tf1compat.api.horovod import on_keras

        return on_keras.DistributedOptimizer(
            optimizer, name, device_dense, device_sparse, compression, sparse_as_dense,
            gradient_predivide_factor, op,
        )  # fmt: skip
    name = name or f"Distributed{type(optimizer).__name__}"
    reduced = gradient_reduction(
        name, device_dense, device_sparse, compression, sparse_as_dense, op,
        gradient_predivide_factor,
    )  # fmt: skip
    return _DistributedOptimizer(optimizer, name, use_locking, reduced)


class _DistributedGradientTape(backprop.GradientTape):
    """A tape whose gradients are those of all processes."""

    _reduced: Callable[[Sequence[Any]], list[Any]]

    def gradient(self, target: Any, sources: Any, *args: Any, **kwargs: Any) -> Any:
        """See `tf.GradientTape.gradient`; the gradients are reduced."""
        found = super().gradient(target, sources, *args, **kwargs)
        if isinstance(found, list | tuple):
            return self._reduced(found)
        return self._reduced([found])[0]


def DistributedGradientTape(
    gradtape: Any, device_dense: str = "", device_sparse: str = "",
    compression: Any = Compression.none, sparse_as_dense: bool = False, op: int = Average,
    gradient_predivide_factor: float = 1.0,
) -> Any:  # fmt: skip
    """A tape that reduces the gradients of all processes.

    Args:
      gradtape: a `tf.GradientTape`, which has recorded.
      device_dense, device_sparse, compression, sparse_as_dense, op, gradient_predivide_factor: see
        `gradient_reduction`.
    """
    made = _DistributedGradientTape.__new__(_DistributedGradientTape)
    vars(made).update(vars(gradtape))
    made._reduced = gradient_reduction(
        "DistributedGradientTape", device_dense, device_sparse, compression, sparse_as_dense, op,
        gradient_predivide_factor,
    )  # fmt: skip
    return made
