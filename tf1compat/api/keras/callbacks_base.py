"""The part of `tensorflow.python.keras.callbacks` that calls callbacks: their list, and the class
that all extend."""

from __future__ import annotations

import collections
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from tf1compat.api.platform import tf_logging as logging
from tf1compat.core.export import tf_export

TRAIN, TEST, PREDICT = "train", "test", "predict"


def make_logs(model: Any, logs: dict[str, Any], outputs: Any, mode: str, prefix: str = "") -> Any:
    """Adds results to logs."""
    if mode == PREDICT:
        logs["outputs"] = outputs
    elif hasattr(model, "metrics_names"):
        for label, output in zip(model.metrics_names, outputs, strict=False):
            logs[prefix + label] = output
    return logs


class CallbackList:
    """Several callbacks as one."""

    def __init__(self, callbacks: Any = None, queue_length: int = 10):
        self.callbacks = list(callbacks or ())
        self.queue_length = queue_length
        self.params: dict[str, Any] = {}
        self.model: Any = None
        self._reset_batch_timing()

    def _reset_batch_timing(self) -> None:
        self._delta_t_batch = 0.0
        self._t_enter_batch = 0.0
        self._delta_ts: dict[str, Any] = collections.defaultdict(
            lambda: collections.deque([], maxlen=self.queue_length)
        )

    def append(self, callback: Any) -> None:
        """Adds a callback."""
        self.callbacks.append(callback)

    def set_params(self, params: Any) -> None:
        """Tells all how the model runs."""
        self.params = params
        for callback in self.callbacks:
            callback.set_params(params)

    def set_model(self, model: Any) -> None:
        """Tells all which model runs."""
        self.model = model
        for callback in self.callbacks:
            callback.set_model(model)

    def _call_batch_hook(
        self, mode: str, hook: str, batch: int, logs: dict[str, Any] | None = None
    ) -> None:
        if not self.callbacks:
            return
        name = f"on_{mode}_batch_{hook}"
        now = time.time()
        if hook == "begin":
            self._t_enter_batch = now
        else:
            self._delta_t_batch = now - self._t_enter_batch
        logs = logs or {}
        before = time.time()
        for callback in self.callbacks:
            getattr(callback, name)(batch, logs)
        spent = self._delta_ts[name]
        spent.append(time.time() - before)
        # No median of what can't be slow.
        if self._delta_t_batch > 0.0 and max(spent) > 0.1:
            median = np.median(spent)
            if median > 0.95 * self._delta_t_batch and median > 0.1:
                logging.warning(
                    "Method (%s) is slow compared to the batch update (%f). Check your callbacks.",
                    name,
                    median,
                )

    def _call_begin_hook(self, mode: str) -> None:
        getattr(self, f"on_{mode}_begin")()

    def _call_end_hook(self, mode: str) -> None:
        getattr(self, f"on_{mode}_end")()

    def _call(self, name: str, *args: Any) -> None:
        for callback in self.callbacks:
            getattr(callback, name)(*args)

    def on_epoch_begin(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """Calls all."""
        self._call("on_epoch_begin", epoch, logs or {})
        self._reset_batch_timing()

    def on_epoch_end(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """Calls all."""
        self._call("on_epoch_end", epoch, logs or {})

    def on_batch_begin(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Calls all."""
        self._call_batch_hook(TRAIN, "begin", batch, logs)

    def on_batch_end(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Calls all."""
        self._call_batch_hook(TRAIN, "end", batch, logs)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.callbacks)


def _hook(name: str, mode: str, when: str) -> Any:
    """A method of `CallbackList` that calls all."""
    if "batch" in name:

        def call_batch(self: CallbackList, batch: int, logs: dict[str, Any] | None = None) -> None:
            self._call_batch_hook(mode, when, batch, logs)

        return call_batch

    def call(self: CallbackList, logs: dict[str, Any] | None = None) -> None:
        self._call(name, logs)

    return call


for _mode in (TRAIN, TEST, PREDICT):
    for _when in ("begin", "end"):
        for _name in (f"on_{_mode}_{_when}", f"on_{_mode}_batch_{_when}"):
            setattr(CallbackList, _name, _hook(_name, _mode, _when))


@tf_export("keras.callbacks.Callback")
class Callback:
    """Base class of callbacks: methods that are called while a model runs.

    Attributes:
      params: how it runs: "epochs", "batch_size", "verbose" and so on.
      model: the model.
    """

    params: Any

    def __init__(self) -> None:
        self.validation_data: Any = None
        self.model: Any = None
        self._chief_worker_only: Any = None

    def set_params(self, params: Any) -> None:
        """Tells how the model runs."""
        self.params = params

    def set_model(self, model: Any) -> None:
        """Tells which model runs."""
        self.model = model

    def on_batch_begin(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Called before a batch of training."""

    def on_batch_end(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Called after a batch of training."""

    def on_epoch_begin(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """Called before an epoch."""

    def on_epoch_end(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """Called after an epoch."""

    def on_train_batch_begin(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Called before a batch of training."""
        self.on_batch_begin(batch, logs=logs)

    def on_train_batch_end(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Called after a batch of training."""
        self.on_batch_end(batch, logs=logs)

    def on_test_batch_begin(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Called before a batch of evaluation."""

    def on_test_batch_end(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Called after a batch of evaluation."""

    def on_predict_batch_begin(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Called before a batch of prediction."""

    def on_predict_batch_end(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Called after a batch of prediction."""

    def on_train_begin(self, logs: dict[str, Any] | None = None) -> None:
        """Called before training."""

    def on_train_end(self, logs: dict[str, Any] | None = None) -> None:
        """Called after training."""

    def on_test_begin(self, logs: dict[str, Any] | None = None) -> None:
        """Called before evaluation."""

    def on_test_end(self, logs: dict[str, Any] | None = None) -> None:
        """Called after evaluation."""

    def on_predict_begin(self, logs: dict[str, Any] | None = None) -> None:
        """Called before prediction."""

    def on_predict_end(self, logs: dict[str, Any] | None = None) -> None:
        """Called after prediction."""
