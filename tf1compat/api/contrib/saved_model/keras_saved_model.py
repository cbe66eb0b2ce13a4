"""`tf.contrib.saved_model`'s names of what `tf.keras.experimental` has."""

from __future__ import annotations

from tf1compat.api.keras.saving import saved_model_experimental

save_keras_model = saved_model_experimental.export_saved_model
load_keras_model = saved_model_experimental.load_from_saved_model
