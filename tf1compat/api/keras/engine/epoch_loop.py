"""The loop of epochs, in training, evaluation and prediction alike."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tf1compat.api.keras import callbacks as cbks
from tf1compat.api.keras.engine import training_utils
from tf1compat.api.keras.utils import generic_utils


class EpochLoop:
    """What training on arrays and on generators have in common: hooks, logs and results.

    Args:
      model: the model.
      callbacks: its callbacks.
      progbar: the display of its progress.
      mode: "train", "test" or "predict".
      use_steps, num_samples, steps: see the aggregators.
    """

    def __init__(
        self, model: Any, callbacks: Any, progbar: Any, mode: str, use_steps: bool,
        num_samples: Any = None, steps: Any = None,
    ):  # fmt: skip
        self.model = model
        self.callbacks = callbacks
        self.progbar = progbar
        self.mode = mode
        kind = (
            training_utils.OutputsAggregator
            if mode == cbks.PREDICT
            else training_utils.MetricsAggregator
        )
        self.aggregator = kind(use_steps, num_samples=num_samples, steps=steps)
        self.results: Any = None
        self._told = [callbacks, progbar] if mode == cbks.TRAIN else [progbar]
        self._epoch_logs: dict[str, Any] = {}
        self._batch_logs: dict[str, Any] = {}

    def epochs(self, first: int, end: int) -> Iterator[int]:
        """The epochs, begun, until training is to stop."""
        self.callbacks.model.stop_training = False
        self.callbacks._call_begin_hook(self.mode)
        self.progbar.on_train_begin()
        for epoch in range(first, end):
            if self.callbacks.model.stop_training:
                break
            self.model.reset_metrics()
            self._epoch_logs = {}
            for one in self._told:
                one.on_epoch_begin(epoch, self._epoch_logs)
            yield epoch
        self.callbacks._call_end_hook(self.mode)

    def begin_batch(self, index: int, size: int) -> None:
        """Announces a batch."""
        self._batch_logs = {"batch": index, "size": size}
        self.callbacks._call_batch_hook(self.mode, "begin", index, self._batch_logs)
        self.progbar.on_batch_begin(index, self._batch_logs)

    def found_size(self, size: int) -> None:
        """The batch that was announced has another size."""
        self._batch_logs["size"] = size

    def end_batch(self, index: int, outs: Any, *rows: Any) -> bool:
        """Reports the results of a batch, and of which rows; whether to stop."""
        outs = outs if isinstance(outs, list) else [outs]
        if index == 0:
            self.aggregator.create(outs)
        self.aggregator.aggregate(outs, *rows)
        logs = cbks.make_logs(self.model, self._batch_logs, outs, self.mode)
        self.callbacks._call_batch_hook(self.mode, "end", index, logs)
        self.progbar.on_batch_end(index, logs)
        return self.callbacks.model.stop_training

    def end_epoch(self, epoch: int, validate: Any, validation_freq: Any) -> None:
        """Reports the results of an epoch, with those of `validate(epoch)` if it is time."""
        self.aggregator.finalize()
        found = self.aggregator.results
        logs = cbks.make_logs(self.model, self._epoch_logs, found, self.mode)
        self.results = found[0] if len(found) == 1 else found
        stops = self.callbacks.model.stop_training
        if validate and training_utils.should_run_validation(validation_freq, epoch) and not stops:
            found = generic_utils.to_list(validate(epoch))
            logs = cbks.make_logs(self.model, logs, found, self.mode, prefix="val_")
        for one in self._told:
            one.on_epoch_end(epoch, logs)
