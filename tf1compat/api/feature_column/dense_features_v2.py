"""`DenseFeatures` of TF 2 (`tensorflow.python.feature_column.dense_features_v2`)."""

from __future__ import annotations

from typing import Any

from tf1compat.api.feature_column import feature_layers
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name


@tf_export("compat.v2.keras.layers.DenseFeatures")
class DenseFeatures(feature_layers.DenseFeatures):
    """The layer that puts dense columns side by side; variable scopes know nothing of it.

    Args:
      feature_columns: dense columns.
      trainable, name, **kwargs: see `tf.keras.layers.Layer`.
    """

    def __init__(
        self, feature_columns: Any, trainable: bool = True, name: Name = None, **kwargs: Any
    ):
        super().__init__(feature_columns, trainable=trainable, name=name, **kwargs)
        self._state_manager = feature_layers._StateManagerImplV2(self, self.trainable)

    def build(self, _: Any) -> None:
        """Makes the columns' variables."""
        for column in self._feature_columns:
            with ops.name_scope(column.name):
                column.create_state(self._state_manager)
        self.built = True
