"""What can be trained (`tensorflow.contrib.learn.python.learn.trainable`)."""

from __future__ import annotations

import abc
from collections.abc import Callable
from typing import Any

from tf1compat.core.export import tf_export


@tf_export("contrib.learn.Trainable")
class Trainable(metaclass=abc.ABCMeta):
    """What has `fit`."""

    @abc.abstractmethod
    def fit(
        self, x: Any = None, y: Any = None, input_fn: Callable[..., Any] | None = None,
        steps: Any = None,
        batch_size: Any = None, monitors: Any = None, max_steps: Any = None,
    ) -> Any:  # fmt: skip
        """Trains; see `Estimator.fit`."""
        raise NotImplementedError
