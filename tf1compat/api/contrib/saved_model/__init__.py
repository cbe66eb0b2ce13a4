"""tf.contrib.saved_model: Keras models as SavedModels of sessions."""
