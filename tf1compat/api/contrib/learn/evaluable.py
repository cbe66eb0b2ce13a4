"""What can be evaluated (`tensorflow.contrib.learn.python.learn.evaluable`)."""

from __future__ import annotations

import abc
from collections.abc import Callable
from typing import Any

from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name


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
        self, x: Any = None, y: Any = None, input_fn: Callable[..., Any] | None = None,
        feed_fn: Callable[..., Any] | None = None,
        batch_size: Any = None, steps: Any = None, metrics: Any = None, name: Name = None,
        checkpoint_path: str | None = None, hooks: Any = None,
    ) -> Any:  # fmt: skip
        """Evaluates; see `Estimator.evaluate`."""
        raise NotImplementedError
