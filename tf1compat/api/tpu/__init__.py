"""tf.tpu: what programs for TPUs use without one."""
