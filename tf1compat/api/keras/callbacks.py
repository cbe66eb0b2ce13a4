"""`tf.keras.callbacks`: what is called while a model trains
(`tensorflow.python.keras.callbacks`)."""

from __future__ import annotations

import copy
import csv
import json
import os
import re
from collections.abc import Iterable
from typing import Any

import numpy as np

from tf1compat.api.keras import backend
from tf1compat.api.keras.callbacks_base import *  # noqa: F403
from tf1compat.api.keras.callbacks_base import PREDICT, TRAIN, Callback, CallbackList
from tf1compat.api.keras.utils.progbar import Progbar
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.training import checkpoint_management
from tf1compat.core.export import tf_export


def configure_callbacks(
    callbacks: Any, model: Any, do_validation: bool = False, batch_size: Any = None,
    epochs: Any = None, steps_per_epoch: Any = None, samples: Any = None, verbose: int = 1,
    count_mode: str = "steps", mode: str = TRAIN,
) -> CallbackList:  # fmt: skip
    """The callbacks of a run, with those that every training has."""
    if isinstance(callbacks, CallbackList):
        return callbacks
    callbacks = callbacks or []
    if mode == TRAIN:
        model._set_private("history", History())
        callbacks = [BaseLogger(), *callbacks, model.history]
        if verbose:
            callbacks.append(ProgbarLogger(count_mode))
    found = CallbackList(callbacks)
    found.set_model(model._get_callback_model())
    set_callback_parameters(
        found, model, do_validation=do_validation, batch_size=batch_size, epochs=epochs,
        steps_per_epoch=steps_per_epoch, samples=samples, verbose=verbose, mode=mode,
    )  # fmt: skip
    found.model.stop_training = False
    return found


def set_callback_parameters(
    callback_list: Any, model: Any, do_validation: bool = False, batch_size: Any = None,
    epochs: Any = None, steps_per_epoch: Any = None, samples: Any = None, verbose: int = 1,
    mode: str = TRAIN,
) -> None:  # fmt: skip
    """Tells callbacks how the model runs."""
    for callback in callback_list:
        if isinstance(callback, BaseLogger | ProgbarLogger):
            callback.stateful_metrics = model.metrics_names[1:]
    names = []
    if mode != PREDICT and hasattr(model, "metrics_names"):
        names = copy.copy(model.metrics_names)
        if do_validation:
            names += ["val_" + name for name in model.metrics_names]
    callback_list.set_params(
        {
            "batch_size": batch_size,
            "epochs": epochs,
            "steps": steps_per_epoch,
            "samples": samples,
            "verbose": verbose,
            "do_validation": do_validation,
            "metrics": names,
        }
    )


@tf_export("keras.callbacks.BaseLogger")
class BaseLogger(Callback):
    """Averages the results of batches over an epoch.

    Args:
      stateful_metrics: names of what is not averaged.
    """

    def __init__(self, stateful_metrics: Any = None):
        super().__init__()
        self.stateful_metrics: Any = set(stateful_metrics or ())
        self.seen = 0
        self.totals: dict[str, Any] = {}

    def on_epoch_begin(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """Begins anew."""
        self.seen = 0
        self.totals = {}

    def on_batch_end(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Adds results."""
        logs = logs or {}
        size = logs.get("size", 0)
        self.seen += size * logs.get("num_steps", 1)
        for key, value in logs.items():
            if key in self.stateful_metrics:
                self.totals[key] = value
                continue
            # NumPy 1 makes a scalar times an integer a float64, and leaves an array what it is.
            value = value if np.ndim(value) else np.float64(value)
            self.totals[key] = self.totals.get(key, 0.0) + value * size

    def on_epoch_end(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """Puts the averages into the logs."""
        if logs is None:
            return
        for key in self.params["metrics"]:
            if key in self.totals:
                total = self.totals[key]
                logs[key] = total if key in self.stateful_metrics else total / self.seen


@tf_export("keras.callbacks.TerminateOnNaN")
class TerminateOnNaN(Callback):
    """Ends training when the loss is NaN or infinite."""

    def on_batch_end(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Looks at the loss."""
        loss = (logs or {}).get("loss")
        if loss is not None and (np.isnan(loss) or np.isinf(loss)):
            print(f"Batch {batch}: Invalid loss, terminating training")
            self.model.stop_training = True


@tf_export("keras.callbacks.ProgbarLogger")
class ProgbarLogger(Callback):
    """Prints how far training is.

    Args:
      count_mode: "samples" or "steps".
      stateful_metrics: names of what is not averaged.
    """

    def __init__(self, count_mode: str = "samples", stateful_metrics: Any = None):
        super().__init__()
        if count_mode not in ("samples", "steps"):
            raise ValueError(f"Unknown `count_mode`: {count_mode}")
        self.use_steps = count_mode == "steps"
        self.stateful_metrics: Any = set(stateful_metrics or ())
        self.seen = 0
        self.log_values: list[Any] = []

    def on_train_begin(self, logs: dict[str, Any] | None = None) -> None:
        """Learns how the model runs."""
        self.verbose = self.params["verbose"]
        self.epochs = self.params["epochs"]

    def on_epoch_begin(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """Begins a bar."""
        self.seen = 0
        self.target = self.params["steps" if self.use_steps else "samples"]
        if self.verbose and self.epochs > 1:
            print(f"Epoch {epoch + 1}/{self.epochs}")
        self.progbar = Progbar(
            target=self.target, verbose=self.verbose, stateful_metrics=self.stateful_metrics,
            unit_name="step" if self.use_steps else "sample",
        )  # fmt: skip

    def on_batch_begin(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Forgets the last batch."""
        self.log_values = []

    def _add_values(self, logs: dict[str, Any]) -> None:
        for key in self.params["metrics"]:
            if key in logs:
                self.log_values.append((key, logs[key]))

    def on_batch_end(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Moves the bar."""
        logs = logs or {}
        steps = logs.get("num_steps", 1)
        self.seen += steps if self.use_steps else logs.get("size", 0) * steps
        self._add_values(logs)
        # The last batch waits for validation.
        if self.verbose and (self.target is None or self.seen < self.target):
            self.progbar.update(self.seen, self.log_values)

    def on_epoch_end(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """Ends the bar."""
        self._add_values(logs or {})
        if self.verbose:
            self.progbar.update(self.seen, self.log_values)


@tf_export("keras.callbacks.History")
class History(Callback):
    """Keeps the results of epochs.

    Attributes:
      epoch: the epochs.
      history: name -> values.
    """

    epoch: list[int]
    history: dict[str, list[Any]]

    def on_train_begin(self, logs: dict[str, Any] | None = None) -> None:
        """Begins anew."""
        self.epoch = []
        self.history = {}

    def on_epoch_end(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """Keeps the results."""
        self.epoch.append(epoch)
        for key, value in (logs or {}).items():
            self.history.setdefault(key, []).append(value)


def _monitored(logs: dict[str, Any], monitor: str, what: str) -> Any:
    """The result that something depends on; None, with a warning, if it is not there."""
    value = logs.get(monitor)
    if value is None:
        logging.warning(
            f"{what} conditioned on metric `%s` which is not available. Available metrics are: %s",
            monitor,
            ",".join(logs),
        )
    return value


def _checked_mode(mode: str, what: str) -> str:
    if mode not in ("auto", "min", "max"):
        logging.warning(f"{what} mode %s is unknown, fallback to auto mode.", mode)
        return "auto"
    return mode


@tf_export("keras.callbacks.ModelCheckpoint")
class ModelCheckpoint(Callback):
    """Saves the model after epochs.

    Args:
      filepath: where to; "{epoch}" and names of logs are filled in.
      monitor: the result that says which is best.
      verbose: 1 to say so.
      save_best_only: whether to save only when it is better than before.
      save_weights_only: whether to save only the weights.
      mode: "min", "max", or "auto" to tell from the name.
      save_freq: "epoch", or after how many samples.
      **kwargs: `period`, every how many epochs; `load_weights_on_restart`.
    """

    def __init__(
        self, filepath: str, monitor: str = "val_loss", verbose: int = 0,
        save_best_only: bool = False, save_weights_only: bool = False, mode: str = "auto",
        save_freq: Any = "epoch", **kwargs: Any,
    ):  # fmt: skip
        super().__init__()
        self.monitor = monitor
        self.verbose = verbose
        self.filepath = filepath
        self.save_best_only = save_best_only
        self.save_weights_only = save_weights_only
        self.save_freq = save_freq
        self.epochs_since_last_save = 0
        self._samples_seen_since_last_saving = 0
        self._current_epoch = 0
        self.load_weights_on_restart = kwargs.get("load_weights_on_restart", False)
        if "load_weights_on_restart" in kwargs:
            logging.warning(
                "`load_weights_on_restart` argument is deprecated. Please use "
                "`model.load_weights()` for loading weights before the start of `model.fit()`."
            )
        self.period = kwargs.get("period", 1)
        if "period" in kwargs:
            logging.warning(
                "`period` argument is deprecated. Please use `save_freq` to specify the frequency "
                "in number of samples seen."
            )
        mode = _checked_mode(mode, "ModelCheckpoint")
        large = "acc" in monitor or monitor.startswith("fmeasure")
        if mode == "max" or (mode == "auto" and large):
            self.monitor_op, self.best = np.greater, -np.inf
        else:
            self.monitor_op, self.best = np.less, np.inf
        if save_freq != "epoch" and not isinstance(save_freq, int):
            raise ValueError(f"Unrecognized save_freq: {save_freq}")
        self._chief_worker_only = False

    def set_model(self, model: Any) -> None:
        """Tells which model runs; of a subclass only the weights can be saved."""
        self.model = model
        if not model._is_graph_network and type(model).__name__ != "Sequential":
            self.save_weights_only = True

    def on_train_begin(self, logs: dict[str, Any] | None = None) -> None:
        """Loads the newest weights, if it is to."""
        if not self.load_weights_on_restart:
            return
        path = self._get_most_recently_modified_file_matching_pattern(self.filepath)
        if path is not None and (os.path.exists(path) or os.path.exists(path + ".index")):
            try:
                self.model.load_weights(path)
            except (OSError, ValueError) as error:
                raise ValueError(f"Error loading file from {path}. Reason: {error}") from error

    def on_batch_end(self, batch: int, logs: dict[str, Any] | None = None) -> None:
        """Saves after so many samples."""
        logs = logs or {}
        if not isinstance(self.save_freq, int):
            return
        self._samples_seen_since_last_saving += logs.get("size", 1)
        if self._samples_seen_since_last_saving >= self.save_freq:
            self._save_model(epoch=self._current_epoch, logs=logs)
            self._samples_seen_since_last_saving = 0

    def on_epoch_begin(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """Learns the epoch."""
        self._current_epoch = epoch

    def on_epoch_end(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """Saves."""
        self.epochs_since_last_save += 1
        if self.save_freq == "epoch":
            self._save_model(epoch=epoch, logs=logs)

    def _save_model(self, epoch: int, logs: Any) -> None:
        logs = logs or {}
        if not isinstance(self.save_freq, int) and self.epochs_since_last_save < self.period:
            return
        self.epochs_since_last_save = 0
        path = self._get_file_path(epoch, logs)
        if self.save_best_only:
            current = logs.get(self.monitor)
            if current is None:
                logging.warning(
                    "Can save best model only with %s available, skipping.", self.monitor
                )
                return
            if not self.monitor_op(current, self.best):
                if self.verbose > 0:
                    print(
                        f"\nEpoch {epoch + 1:05d}: {self.monitor} did not improve "
                        f"from {self.best:0.5f}"
                    )
                return
            if self.verbose > 0:
                print(
                    f"\nEpoch {epoch + 1:05d}: {self.monitor} improved from {self.best:0.5f} to "
                    f"{current:0.5f}, saving model to {path}"
                )
            self.best = current
        elif self.verbose > 0:
            print(f"\nEpoch {epoch + 1:05d}: saving model to {path}")
        if self.save_weights_only:
            self.model.save_weights(path, overwrite=True)
        else:
            self.model.save(path, overwrite=True)

    def _get_file_path(self, epoch: int, logs: Any) -> str:
        """Where the model of an epoch is saved; a subclass may say another place."""
        return self.filepath.format(epoch=epoch + 1, **logs)

    def _get_most_recently_modified_file_matching_pattern(self, pattern: str) -> Any:
        folder, name = os.path.split(pattern)
        expression = "^" + re.sub(r"{.*}", r".*", name) + "$"
        latest = checkpoint_management.latest_checkpoint(folder)
        if latest is not None and re.match(expression, os.path.basename(latest)):
            return latest
        if not os.path.isdir(folder):
            return None
        found = [
            os.path.join(folder, file) for file in os.listdir(folder) if re.match(expression, file)
        ]
        if not found:
            return None
        newest = max(map(os.path.getmtime, found))
        last = [path for path in found if os.path.getmtime(path) == newest]
        return last[0] if len(last) == 1 else max(found)


@tf_export("keras.callbacks.EarlyStopping")
class EarlyStopping(Callback):
    """Ends training when a result gets no better.

    Args:
      monitor: the result.
      min_delta: by how much it must get better.
      patience: for how many epochs it may not.
      verbose: 1 to say so.
      mode: "min", "max", or "auto" to tell from the name.
      baseline: what it must be better than at first.
      restore_best_weights: whether to end with the weights of the best epoch.
    """

    best: Any

    def __init__(
        self, monitor: str = "val_loss", min_delta: Any = 0, patience: int = 0, verbose: int = 0,
        mode: str = "auto", baseline: Any = None, restore_best_weights: bool = False,
    ):  # fmt: skip
        super().__init__()
        self.monitor = monitor
        self.patience = patience
        self.verbose = verbose
        self.baseline = baseline
        self.min_delta = abs(min_delta)
        self.wait = 0
        self.stopped_epoch = 0
        self.restore_best_weights = restore_best_weights
        self.best_weights: Any = None
        mode = _checked_mode(mode, "EarlyStopping")
        if mode == "max" or (mode == "auto" and "acc" in monitor):
            self.monitor_op = np.greater
        else:
            self.monitor_op = np.less
            self.min_delta *= -1

    def on_train_begin(self, logs: dict[str, Any] | None = None) -> None:
        """Begins anew."""
        self.wait = 0
        self.stopped_epoch = 0
        if self.baseline is not None:
            self.best = self.baseline
        else:
            self.best = np.inf if self.monitor_op == np.less else -np.inf

    def on_epoch_end(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """Looks at the result."""
        current = self.get_monitor_value(logs)
        if current is None:
            return
        if self.monitor_op(current - self.min_delta, self.best):
            self.best = current
            self.wait = 0
            if self.restore_best_weights:
                self.best_weights = self.model.get_weights()
            return
        self.wait += 1
        if self.wait >= self.patience:
            self.stopped_epoch = epoch
            self.model.stop_training = True
            if self.restore_best_weights:
                if self.verbose > 0:
                    print("Restoring model weights from the end of the best epoch.")
                self.model.set_weights(self.best_weights)

    def on_train_end(self, logs: dict[str, Any] | None = None) -> None:
        """Says when it ended."""
        if self.stopped_epoch > 0 and self.verbose > 0:
            print(f"Epoch {self.stopped_epoch + 1:05d}: early stopping")

    def get_monitor_value(self, logs: Any) -> Any:
        """The result; None, with a warning, if it is not there."""
        return _monitored(logs or {}, self.monitor, "Early stopping")


@tf_export("keras.callbacks.RemoteMonitor")
class RemoteMonitor(Callback):
    """Sends results to a server.

    Args:
      root: its URL.
      path: the path there.
      field: the form's field that the JSON comes in.
      headers: of the request.
      send_as_json: whether JSON is the body of the request.
    """

    def __init__(
        self, root: str = "http://localhost:9000", path: str = "/publish/epoch/end/",
        field: str = "data", headers: Any = None, send_as_json: bool = False,
    ):  # fmt: skip
        super().__init__()
        self.root = root
        self.path = path
        self.field = field
        self.headers = headers
        self.send_as_json = send_as_json

    def on_epoch_end(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """Sends the results."""
        try:
            import requests  # pyright: ignore[reportMissingImports, reportMissingModuleSource]
        except ImportError:
            raise ImportError("RemoteMonitor requires the `requests` library.") from None
        send = {"epoch": epoch, **(logs or {})}
        try:
            if self.send_as_json:
                requests.post(self.root + self.path, json=send, headers=self.headers)
            else:
                data = {self.field: json.dumps(send)}
                requests.post(self.root + self.path, data, headers=self.headers)
        except requests.exceptions.RequestException:
            logging.warning(f"Warning: could not reach RemoteMonitor root server at {self.root}")


@tf_export("keras.callbacks.LearningRateScheduler")
class LearningRateScheduler(Callback):
    """Sets the learning rate before each epoch.

    Args:
      schedule: a function of the epoch, or of it and the rate.
      verbose: 1 to say so.
    """

    def __init__(self, schedule: Any, verbose: int = 0):
        super().__init__()
        self.schedule = schedule
        self.verbose = verbose

    def on_epoch_begin(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """Sets the rate."""
        optimizer = self.model.optimizer
        if not hasattr(optimizer, "lr"):
            raise ValueError('Optimizer must have a "lr" attribute.')
        try:
            rate = float(backend.get_value(optimizer.lr))
            rate = self.schedule(epoch, rate)
        except TypeError:  # It takes only the epoch.
            rate = self.schedule(epoch)
        floats: Any = float | np.float32 | np.float64
        if not isinstance(rate, floats):
            raise ValueError('The output of the "schedule" function should be float.')
        backend.set_value(optimizer.lr, rate)
        if self.verbose > 0:
            print(
                f"\nEpoch {epoch + 1:05d}: "
                f"LearningRateScheduler reducing learning rate to {rate!s}."
            )

    def on_epoch_end(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """Logs the rate."""
        logs = logs if logs is not None else {}
        logs["lr"] = backend.get_value(self.model.optimizer.lr)


@tf_export("keras.callbacks.ReduceLROnPlateau")
class ReduceLROnPlateau(Callback):
    """Lowers the learning rate when a result gets no better.

    Args:
      monitor: the result.
      factor: by what the rate is multiplied; below 1.
      patience: for how many epochs it may not get better.
      verbose: 1 to say so.
      mode: "min", "max", or "auto" to tell from the name.
      min_delta: by how much it must get better.
      cooldown: for how many epochs not to look after lowering.
      min_lr: the least rate.
      **kwargs: `epsilon`, the old name of `min_delta`.
    """

    def __init__(
        self, monitor: str = "val_loss", factor: float = 0.1, patience: int = 10, verbose: int = 0,
        mode: str = "auto", min_delta: Any = 1e-4, cooldown: int = 0, min_lr: Any = 0,
        **kwargs: Any,
    ):  # fmt: skip
        super().__init__()
        if factor >= 1.0:
            raise ValueError("ReduceLROnPlateau does not support a factor >= 1.0.")
        if "epsilon" in kwargs:
            min_delta = kwargs.pop("epsilon")
            logging.warning(
                "`epsilon` argument is deprecated and will be removed, use `min_delta` instead."
            )
        self.monitor = monitor
        self.factor = factor
        self.min_lr = min_lr
        self.min_delta = min_delta
        self.patience = patience
        self.verbose = verbose
        self.cooldown = cooldown
        self.mode = mode
        self._reset()

    def _reset(self) -> None:
        self.mode = _checked_mode(self.mode, "Learning Rate Plateau Reducing")
        if self.mode == "min" or (self.mode == "auto" and "acc" not in self.monitor):
            self.monitor_op = lambda a, b: np.less(a, b - self.min_delta)
            self.best = np.inf
        else:
            self.monitor_op = lambda a, b: np.greater(a, b + self.min_delta)
            self.best = -np.inf
        self.cooldown_counter = 0
        self.wait = 0

    def on_train_begin(self, logs: dict[str, Any] | None = None) -> None:
        """Begins anew."""
        self._reset()

    def on_epoch_end(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """Looks at the result."""
        logs = logs if logs is not None else {}
        logs["lr"] = backend.get_value(self.model.optimizer.lr)
        current = _monitored(logs, self.monitor, "Reduce LR on plateau")
        if current is None:
            return
        if self.in_cooldown():
            self.cooldown_counter -= 1
            self.wait = 0
        if self.monitor_op(current, self.best):
            self.best = current
            self.wait = 0
        elif not self.in_cooldown():
            self.wait += 1
            if self.wait >= self.patience:
                self._reduce(epoch)

    def _reduce(self, epoch: int) -> None:
        rate = self.model.optimizer.lr
        old = float(backend.get_value(rate))
        if old <= self.min_lr:
            return
        new = max(old * self.factor, self.min_lr)
        backend.set_value(rate, new)
        if self.verbose > 0:
            print(f"\nEpoch {epoch + 1:05d}: ReduceLROnPlateau reducing learning rate to {new}.")
        self.cooldown_counter = self.cooldown
        self.wait = 0

    def in_cooldown(self) -> bool:
        """Whether it is not to look yet."""
        return self.cooldown_counter > 0


@tf_export("keras.callbacks.CSVLogger")
class CSVLogger(Callback):
    """Writes the results of epochs to a file.

    Args:
      filename: the file.
      separator: between values.
      append: whether to add to a file that is there.
    """

    def __init__(self, filename: str, separator: str = ",", append: bool = False):
        super().__init__()
        self.sep = separator
        self.filename = filename
        self.append = append
        self.writer: Any = None
        self.keys: Any = None
        self.append_header = True

    def on_train_begin(self, logs: dict[str, Any] | None = None) -> None:
        """Opens the file."""
        if self.append and os.path.exists(self.filename):
            with open(self.filename) as file:
                self.append_header = not file.readline()
        mode = "a" if self.append else "w"
        self.csv_file = open(self.filename, mode, newline="\n")  # noqa: SIM115

    def on_epoch_end(self, epoch: int, logs: dict[str, Any] | None = None) -> None:
        """Writes a row."""
        logs = logs or {}
        if self.keys is None:
            self.keys = sorted(logs)
        if self.model.stop_training:
            # The last epoch may lack validation.
            logs = {key: logs.get(key, "NA") for key in self.keys}
        if not self.writer:
            dialect = type("Dialect", (csv.excel,), {"delimiter": self.sep})
            self.writer = csv.DictWriter(
                self.csv_file, fieldnames=["epoch", *self.keys], dialect=dialect
            )
            if self.append_header:
                self.writer.writeheader()

        def text(value: Any) -> Any:
            scalar = isinstance(value, np.ndarray) and value.ndim == 0
            if isinstance(value, str) or not isinstance(value, Iterable) or scalar:
                return value
            return f'"[{", ".join(map(str, value))}]"'

        self.writer.writerow({"epoch": epoch, **{key: text(logs[key]) for key in self.keys}})
        self.csv_file.flush()

    def on_train_end(self, logs: dict[str, Any] | None = None) -> None:
        """Closes the file."""
        self.csv_file.close()
        self.writer = None


@tf_export("keras.callbacks.LambdaCallback")
class LambdaCallback(Callback):
    """Calls functions: of (epoch, logs), (batch, logs) or (logs).

    Args:
      on_epoch_begin, on_epoch_end, on_batch_begin, on_batch_end, on_train_begin, on_train_end: the
        functions.
      **kwargs: other attributes.
    """

    def __init__(
        self, on_epoch_begin: Any = None, on_epoch_end: Any = None, on_batch_begin: Any = None,
        on_batch_end: Any = None, on_train_begin: Any = None, on_train_end: Any = None,
        **kwargs: Any,
    ):  # fmt: skip
        super().__init__()
        self.__dict__.update(kwargs)
        given = {
            "on_epoch_begin": on_epoch_begin, "on_epoch_end": on_epoch_end,
            "on_batch_begin": on_batch_begin, "on_batch_end": on_batch_end,
            "on_train_begin": on_train_begin, "on_train_end": on_train_end,
        }  # fmt: skip
        for name, function in given.items():
            if function is not None:
                setattr(self, name, function)
