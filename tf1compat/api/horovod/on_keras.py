"""`horovod.keras` and `horovod.tensorflow.keras`: optimizers, values, and models from files."""

from __future__ import annotations

from typing import Any, NoReturn

from tf1compat.api.array import constant_op
from tf1compat.api.horovod import on_keras_callbacks as callbacks  # noqa: F401
from tf1compat.api.horovod import on_tensorflow as hvd
from tf1compat.api.horovod.on_tensorflow import (  # noqa: F401  (what Horovod's module has)
    Average,
    Compression,
    Sum,
    ccl_built,
    cuda_built,
    ddl_built,
    gloo_built,
    gloo_enabled,
    init,
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
from tf1compat.api.keras import backend, models
from tf1compat.core import context


def __getattr__(name: str) -> NoReturn:
    raise AttributeError(f"horovod.keras.{name} is not supported by tf1compat")


def DistributedOptimizer(
    optimizer: Any, name: str | None = None, device_dense: str = "", device_sparse: str = "",
    compression: Any = Compression.none, sparse_as_dense: bool = False,
    gradient_predivide_factor: float = 1.0, op: int = Average, backward_passes_per_step: int = 1,
    average_aggregated_gradients: bool = False,
) -> Any:  # fmt: skip
    """A Keras optimizer of the same class that reduces the gradients of all processes.

    Args:
      optimizer: one of Keras.
      name: of what reduces.
      device_dense, device_sparse, compression, sparse_as_dense, gradient_predivide_factor, op: see
        `horovod.tensorflow.DistributedOptimizer`.
      backward_passes_per_step: 1.
      average_aggregated_gradients: has no meaning with it.

    Raises:
      ValueError, NotImplementedError: see `horovod.tensorflow.DistributedOptimizer`.
    """
    hvd.check_passes(backward_passes_per_step)
    base = type(optimizer)
    reduced = hvd.gradient_reduction(
        name or f"Distributed{base.__name__}", device_dense, device_sparse, compression,
        sparse_as_dense, op, gradient_predivide_factor,
    )  # fmt: skip
    return _extended(base, reduced).from_config(optimizer.get_config())


def _extended(base: type, reduced: Any) -> Any:
    """A class of optimizers that reduce their gradients, of the name of the one that it extends:
    models are saved with that."""

    class Distributed(base):
        _are_reduced = False

        def get_gradients(self, loss: Any, params: Any) -> list[Any]:
            self._are_reduced = True
            return reduced(super().get_gradients(loss, params))

        def _compute_gradients(self, *args: Any, **kwargs: Any) -> list[tuple[Any, Any]]:
            self._are_reduced = True
            pairs = super()._compute_gradients(*args, **kwargs)
            return _with_gradients(reduced([gradient for gradient, _ in pairs]), pairs)

        def apply_gradients(self, grads_and_vars: Any, *args: Any, **kwargs: Any) -> Any:
            pairs = list(grads_and_vars)
            if not self._are_reduced:  # In eager execution a model's step asks for no others.
                pairs = _with_gradients(reduced([gradient for gradient, _ in pairs]), pairs)
            return super().apply_gradients(pairs, *args, **kwargs)

    Distributed.__name__, Distributed.__qualname__ = base.__name__, base.__qualname__
    Distributed.__module__ = base.__module__
    return Distributed


def _with_gradients(gradients: Any, pairs: Any) -> list[tuple[Any, Any]]:
    return [(gradient, v) for gradient, (_, v) in zip(gradients, pairs, strict=True)]


def _evaluated(value: Any) -> Any:
    return value if context.executing_eagerly() else backend.get_session().run(value)


def broadcast_global_variables(root_rank: int) -> Any:
    """Gives all global variables the values that they have in one process."""
    return _evaluated(hvd.broadcast_global_variables(root_rank))


def allreduce(
    value: Any, name: str | None = None, average: Any = None, prescale_factor: float = 1.0,
    postscale_factor: float = 1.0, op: Any = None, compression: Any = Compression.none,
) -> Any:  # fmt: skip
    """The reduction of an array over all processes; see `horovod.tensorflow.allreduce`."""
    return _evaluated(
        hvd.allreduce(
            constant_op.constant(value, name=name or "Const"), average=average, op=op,
            prescale_factor=prescale_factor, postscale_factor=postscale_factor,
            compression=compression,
        )
    )  # fmt: skip


def allgather(value: Any, name: str | None = None) -> Any:
    """The arrays of all processes, joined; see `horovod.tensorflow.allgather`."""
    return _evaluated(hvd.allgather(constant_op.constant(value, name=name or "Const")))


def broadcast(value: Any, root_rank: int, name: str | None = None) -> Any:
    """The array of one process; see `horovod.tensorflow.broadcast`."""
    return _evaluated(hvd.broadcast(constant_op.constant(value, name=name or "Const"), root_rank))


def load_model(
    filepath: Any, custom_optimizers: Any = None, custom_objects: dict[str, Any] | None = None,
    compression: Any = Compression.none,
) -> Any:  # fmt: skip
    """A model from a file, with a distributed optimizer of the kind that it was saved with.

    Args:
      filepath: see `tf.keras.models.load_model`.
      custom_optimizers: classes of optimizers besides Keras's own.
      custom_objects: see `tf.keras.models.load_model`.
      compression: see `DistributedOptimizer`.
    """
    objects = {base.__name__: base for base in custom_optimizers or ()}
    model = models.load_model(filepath, custom_objects=objects | (custom_objects or {}))
    optimizer = getattr(model, "optimizer", None)
    if optimizer is not None:  # It keeps its state.
        base = type(optimizer)
        reduced = hvd.gradient_reduction(f"Distributed{base.__name__}", compression=compression)
        optimizer.__class__ = _extended(base, reduced)
    return model
