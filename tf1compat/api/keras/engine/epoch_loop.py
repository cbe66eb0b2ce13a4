"""The loop of epochs, in training, evaluation and prediction alike."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from tf1compat.api.keras import callbacks as cbks
from tf1compat.api.keras.engine import training_aggregators, training_utils
from tf1compat.api.keras.utils import generic_utils
from tf1compat.api.platform import tf_logging as logging


class EpochLoop:
    """What training on arrays and on generators have in common: hooks, logs and results.

    Args:
      model: the model.
      callbacks: its callbacks.
      progbar: the display of its progress.
      mode: "train", "test" or "predict".
      use_steps, num_samples, steps: see the aggregators.
      newer: whether it is as TF 1.15's newer loop for eager execution: the ends of an epoch and of
        the run are reported after an error too, and no epoch may be empty.
    """

    def __init__(
        self, model: Any, callbacks: Any, progbar: Any, mode: str, use_steps: bool,
        num_samples: Any = None, steps: Any = None, newer: bool = False,
    ):  # fmt: skip
        self.model = model
        self.callbacks = callbacks
        self.progbar = progbar
        self.mode = mode
        kind = (
            training_aggregators.OutputsAggregator
            if mode == cbks.PREDICT
            else training_utils.MetricsAggregator
        )
        self.aggregator = kind(use_steps, num_samples=num_samples, steps=steps)
        self.results: Any = None
        self._told = [callbacks, progbar] if mode == cbks.TRAIN else [progbar]
        self._newer = newer
        self._open_epoch: int | None = None
        self._epoch_logs: dict[str, Any] = {}
        self._batch_logs: dict[str, Any] = {}

    @contextlib.contextmanager
    def epochs(self, first: int, end: int) -> Iterator[Iterator[int]]:
        """Gives the epochs, begun, until training is to stop."""
        self.callbacks.model.stop_training = False
        self.callbacks._call_begin_hook(self.mode)
        self.progbar.on_train_begin()
        try:
            yield self._epochs(first, end)
        except BaseException:
            if self._newer:
                self._end_after_error()
            raise
        self.callbacks._call_end_hook(self.mode)

    def _epochs(self, first: int, end: int) -> Iterator[int]:
        for epoch in range(first, end):
            if self.callbacks.model.stop_training:
                break
            self.model.reset_metrics()
            self._epoch_logs = {}
            if self._newer:
                self.aggregator.results = []
            for one in self._told:
                one.on_epoch_begin(epoch, self._epoch_logs)
            self._open_epoch = epoch
            yield epoch

    def _end_after_error(self) -> None:
        try:
            if self._open_epoch is not None:
                found = self.aggregator
                means = isinstance(found, training_utils.MetricsAggregator)
                if means and found.results and not self._epoch_logs:
                    found.num_samples = found.weight
                    self._finalize()
                self._report_epoch()
        finally:
            self.callbacks._call_end_hook(self.mode)

    def _finalize(self) -> Any:
        self.aggregator.finalize()
        found = self.aggregator.results
        cbks.make_logs(self.model, self._epoch_logs, found, self.mode)
        return found

    def _report_epoch(self) -> None:
        epoch, self._open_epoch = self._open_epoch, None
        for one in self._told:
            one.on_epoch_end(epoch, self._epoch_logs)

    def begin_batch(self, index: int, size: int) -> None:
        """Announces a batch."""
        self._batch_logs = {"batch": index, "size": size}
        self.callbacks._call_batch_hook(self.mode, "begin", index, self._batch_logs)
        self.progbar.on_batch_begin(index, self._batch_logs)

    def found_size(self, size: int) -> None:
        """The batch that was announced has another size."""
        self._batch_logs["size"] = size

    def found_steps(self, steps: int) -> None:
        """An epoch ended, and so the number of its steps is known."""
        self.aggregator.steps = steps
        if self._newer or self.mode == cbks.TRAIN:
            self.progbar.params["steps"] = self.progbar.progbar.target = steps

    def ran_out(self, is_dataset: bool, steps_name: str, steps: Any, epochs: int) -> None:
        """There is no batch where there should be one: says so, and ends training.

        Args:
          is_dataset: whether the data are a dataset, or arrays of which that is said, too.
          steps_name: how the caller named the steps.
          steps, epochs: how many there should have been.
        """
        self.callbacks.model.stop_training = True
        if self._newer:
            source, steps_name, what = "input", "steps_per_epoch", "dataset or generator"
        elif is_dataset:
            source = what = "dataset"
        else:
            source, what = "dataset iterator", "iterator"
        use = "touse" if source == "dataset iterator" else "to use"  # as TF writes it
        logging.warning(
            f"Your {source} ran out of data; interrupting training. Make sure that your {what} can "
            f"generate at least `{steps_name} * epochs` batches (in this case, {steps * epochs} "
            f"batches). You may need {use} the repeat() function when building your dataset."
        )

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
        found = self._finalize()
        self.results = found[0] if len(found) == 1 else found
        stops = self.callbacks.model.stop_training
        if validate and training_utils.should_run_validation(validation_freq, epoch) and not stops:
            found = generic_utils.to_list(validate(epoch))
            cbks.make_logs(self.model, self._epoch_logs, found, self.mode, prefix="val_")
        self._report_epoch()
