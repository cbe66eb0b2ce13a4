"""tf.contrib.input_pipeline: a list that workers share."""
