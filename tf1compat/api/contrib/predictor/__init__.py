"""tf.contrib.predictor: exported models as functions of dicts."""
