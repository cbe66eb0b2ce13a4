"""tf.estimator.tpu: estimators that were written for TPUs."""
