"""Keras models as SavedModels (`tensorflow.python.keras.saving.saved_model`)."""
