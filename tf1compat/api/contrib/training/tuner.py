"""What tries hyperparameters (`tensorflow.contrib.training.python.training.tuner`)."""

from __future__ import annotations

import abc
from typing import Any


class Tuner(abc.ABC):
    """The interface of what runs experiments with one set of hyperparameters after another."""

    @abc.abstractmethod
    def next_trial(self) -> bool:
        """Goes on to the next set.

        Returns:
          Whether there is one.
        """
        raise NotImplementedError("Calling an abstract method.")

    @abc.abstractmethod
    def run_experiment(self, experiment_fn: Any) -> None:
        """Makes an experiment of this trial and runs it.

        Args:
          experiment_fn: `experiment_fn(run_config, hparams)` gives an `Experiment`.
        """
        raise NotImplementedError("Calling an abstract method.")
