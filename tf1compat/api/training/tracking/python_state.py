"""`tf.train.experimental.PythonState` (`tensorflow.python.training.tracking.python_state`)."""

from __future__ import annotations

import abc
import functools
from typing import Any

from tf1compat.api.training.tracking import base
from tf1compat.core.export import tf_export


@tf_export("train.experimental.PythonState", "contrib.checkpoint.PythonStateWrapper")
class PythonState(base.Trackable, metaclass=abc.ABCMeta):
    """An object whose state is in Python; a subclass makes a string of it."""

    @abc.abstractmethod
    def serialize(self) -> Any:
        """The state as a string."""

    @abc.abstractmethod
    def deserialize(self, string_value: Any) -> None:
        """Takes the state from a string."""

    def _gather_saveables_for_checkpoint(self) -> dict[str, Any]:
        saveable = functools.partial(
            base.PythonStringStateSaveable,
            state_callback=self.serialize,
            restore_callback=self.deserialize,
        )
        return {"py_state": saveable}
