"""The functions of `tf.data.experimental`, by subject."""
