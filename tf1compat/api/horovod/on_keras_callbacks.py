"""`horovod.keras.callbacks`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import constant_op
from tf1compat.api.horovod import on_tensorflow as hvd
from tf1compat.api.keras import backend
from tf1compat.api.keras.callbacks import Callback
from tf1compat.core import context, ops


class BroadcastGlobalVariablesCallback(Callback):
    """Has all processes go on with the variables of one after the first batch, by which all of them
    are made.

    Args:
      root_rank: which one.
      device: where the operations are.
    """

    def __init__(self, root_rank: int, device: str = ""):
        super().__init__()
        self.root_rank = root_rank
        self.device = device
        self.broadcast_done = False

    def on_batch_end(self, batch: Any, logs: Any = None) -> None:
        if self.broadcast_done:
            return
        with ops.device(self.device):
            if context.executing_eagerly():
                variables = [*self.model.variables, *self.model.optimizer.weights]
                hvd.broadcast_variables(variables, self.root_rank)
            else:
                backend.get_session().run(hvd.broadcast_global_variables(self.root_rank))
        self.broadcast_done = True


class MetricAverageCallback(Callback):
    """Averages metrics over all processes at the end of an epoch, for the callbacks after it.

    Args:
      device: where the operations are.
    """

    def __init__(self, device: str = ""):
        super().__init__()
        self.device = device
        self._averages: dict[str, tuple[Any, Any]] = {}

    def on_epoch_end(self, epoch: Any, logs: Any = None) -> None:
        for metric, value in sorted((logs or {}).items()):
            logs[metric] = self._average(metric, value)

    def _average(self, metric: str, value: Any) -> Any:
        if context.executing_eagerly():
            given = constant_op.constant(value, name=metric)
            return hvd.allreduce(given, device_dense=self.device).numpy()
        if metric in self._averages:
            backend.set_value(self._averages[metric][0], value)
        else:
            with backend.name_scope("MetricAverageCallback"):
                variable = backend.variable(value, name=metric)
                backend.get_session().run(variable.initializer)
                average = hvd.allreduce(variable, device_dense=self.device)
            self._averages[metric] = variable, average
        return backend.get_session().run(self._averages[metric][1])


class LearningRateScheduleCallback(Callback):
    """Multiplies the learning rate in some epochs.

    Args:
      initial_lr: what is multiplied.
      multiplier: a function of the epoch, or a number, of which each epoch is one more factor.
      start_epoch, end_epoch: the first epoch, and the one after the last.
      staircase: whether the rate changes at the first batch of an epoch; else at each batch, and
        the function's argument is no whole number.
      momentum_correction: whether the momentum of a batch is corrected for its new rate.
      steps_per_epoch: how many batches there are; needed where that is not known.

    Raises:
      ValueError: there is no `initial_lr`.
    """

    def __init__(
        self, initial_lr: Any, multiplier: Any, start_epoch: int = 0, end_epoch: Any = None,
        staircase: bool = True, momentum_correction: bool = True, steps_per_epoch: Any = None,
    ):  # fmt: skip
        super().__init__()
        if initial_lr is None:
            raise ValueError("Parameter `initial_lr` is required")
        self.initial_lr = initial_lr
        self.start_epoch = start_epoch
        self.end_epoch = end_epoch
        self.staircase = staircase
        self.momentum_correction = momentum_correction
        self.steps_per_epoch: Any = steps_per_epoch
        self.current_epoch = 0
        self.multiplier: Callable[[Any], Any] = multiplier
        if not callable(multiplier):
            self.multiplier = lambda epoch: multiplier ** (epoch - start_epoch)
        self._momentum: Any = None

    def on_train_begin(self, logs: Any = None) -> None:
        if self.staircase or self.steps_per_epoch:
            return
        params = self.params
        steps, samples, size = (params.get(key) for key in ("steps", "samples", "batch_size"))
        self.steps_per_epoch = steps or (samples // size if samples and size else None)
        if not self.steps_per_epoch:
            raise ValueError(
                "Could not autodetect the number of steps per epoch. Please specify the "
                f"steps_per_epoch parameter to the {type(self).__name__}() or upgrade to the "
                "latest version of Keras."
            )

    def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
        self.current_epoch = epoch

    def on_batch_begin(self, batch: int, logs: Any = None) -> None:
        epoch, end = self.current_epoch, self.end_epoch
        if epoch < self.start_epoch or (end is not None and epoch >= end):
            return
        if not self.staircase:
            self._adjust(epoch + float(batch) / self.steps_per_epoch)
        elif batch == 0:
            self._adjust(epoch)

    def _adjust(self, epoch: Any) -> None:
        optimizer = self.model.optimizer
        before, rate = backend.get_value(optimizer.lr), self.initial_lr * self.multiplier(epoch)
        backend.set_value(optimizer.lr, rate)
        if self.momentum_correction and hasattr(optimizer, "momentum"):
            self._momentum = backend.get_value(optimizer.momentum)
            backend.set_value(optimizer.momentum, self._momentum * rate / before)

    def on_batch_end(self, batch: int, logs: Any = None) -> None:
        if self._momentum is not None:
            backend.set_value(self.model.optimizer.momentum, self._momentum)
            self._momentum = None

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        if logs is not None:
            logs["lr"] = backend.get_value(self.model.optimizer.lr)


class LearningRateWarmupCallback(LearningRateScheduleCallback):
    """Lets the learning rate grow, batch by batch, from that of one process to that of all (Goyal
    et al. 2017, arXiv:1706.02677).

    Args:
      initial_lr: the rate for all processes.
      warmup_epochs: in how many epochs it is reached.
      momentum_correction, steps_per_epoch: see `LearningRateScheduleCallback`.
      verbose: whether the first process says when it is.
    """

    def __init__(
        self, initial_lr: Any, warmup_epochs: int = 5, momentum_correction: bool = True,
        steps_per_epoch: Any = None, verbose: int = 0,
    ):  # fmt: skip
        super().__init__(
            initial_lr, self._share, 0, warmup_epochs, False, momentum_correction, steps_per_epoch
        )
        self.warmup_epochs = warmup_epochs
        self.verbose = verbose

    def _share(self, epoch: Any) -> Any:
        done = (epoch + 1.0 / self.steps_per_epoch) / self.warmup_epochs
        return (done * (hvd.size() - 1) + 1) / hvd.size()

    def on_epoch_end(self, epoch: int, logs: Any = None) -> None:
        super().on_epoch_end(epoch, logs)
        if epoch == self.warmup_epochs - 1 and self.verbose > 0 and hvd.rank() == 0:
            rate = backend.get_value(self.model.optimizer.lr)
            print(f"\nEpoch {epoch + 1}: finished gradual learning rate warmup to {rate:g}.")
