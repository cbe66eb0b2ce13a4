"""What can be evaluated (`tensorflow.contrib.learn.python.learn.evaluable`)."""

from __future__ import annotations

import abc
from typing import Any

from tf1compat.core.export import tf_export


@tf_export("contrib.learn.Evaluable")
class Evaluable(metaclass=abc.ABCMeta):
    """What has checkpoints and `evaluate`."""

    @property
    @abc.abstractmethod
    def model_dir(self) -> Any:
        """The folder of the checkpoints."""
        raise NotImplementedError

    @abc.abstractmethod
    def evaluate(
        self, x: Any = None, y: Any = None, input_fn: Any = None, feed_fn: Any = None,
        batch_size: Any = None, steps: Any = None, metrics: Any = None, name: Any = None,
        checkpoint_path: Any = None, hooks: Any = None,
    ) -> Any:  # fmt: skip
        """Evaluates; see `Estimator.evaluate`."""
        raise NotImplementedError
