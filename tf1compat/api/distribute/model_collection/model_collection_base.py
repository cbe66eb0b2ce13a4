"""`tensorflow.python.distribute.model_collection.model_collection_base`."""

from __future__ import annotations

from typing import Any


class ModelAndInput:
    """A model, and data for it."""

    def get_model(self, **kwargs: Any) -> tuple[Any, str]:
        """(the model, compiled; the name of its output layer).

        Args:
          **kwargs: what a subclass compiles it with.
        """
        raise NotImplementedError("must be implemented in descendants")

    def get_data(self) -> tuple[Any, Any, Any]:
        """(points to train on, their labels, points to predict)."""
        raise NotImplementedError("must be implemented in descendants")

    def get_batch_size(self) -> int:
        """How many points a step of training takes."""
        raise NotImplementedError("must be implemented in descendants")
