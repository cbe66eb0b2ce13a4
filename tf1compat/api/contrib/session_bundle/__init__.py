"""`tf.contrib.session_bundle`: exports for TensorFlow Serving from before SavedModels."""
