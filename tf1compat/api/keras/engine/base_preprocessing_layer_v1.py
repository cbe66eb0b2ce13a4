"""Layers that look at all data first, in TF 1's graphs
(`tensorflow.python.keras.engine.base_preprocessing_layer_v1`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.data.experimental.ops import transformations
from tf1compat.api.data.ops import dataset_ops
from tf1compat.api.keras import backend
from tf1compat.api.keras.engine import base_preprocessing_layer
from tf1compat.api.variables import state_ops


class CombinerPreprocessingLayer(base_preprocessing_layer.CombinerPreprocessingLayer):
    """One that reads data and sets its state in Keras's session.

    Args:
      combiner: the `Combiner`.
      **kwargs: what `Layer` takes.
    """

    def _restore_updates(self) -> dict[str, Any]:
        return backend.get_session().run(dict(self.state_variables))

    def _dataset_is_infinite(self, dataset: Any) -> Any:
        size = backend.get_session().run(transformations.cardinality(dataset))
        return size == transformations.INFINITE

    def _get_dataset_iterator(self, dataset: Any) -> Callable[[], Any]:
        session = backend.get_session()
        batch = dataset_ops.make_one_shot_iterator(dataset).get_next()
        return lambda: session.run(batch)

    def _set_state_variables(self, updates: dict[str, Any]) -> None:
        self._check_built()
        variables = self.state_variables
        backend.get_session().run(
            [state_ops.assign(variables[name], value) for name, value in updates.items()]
        )
