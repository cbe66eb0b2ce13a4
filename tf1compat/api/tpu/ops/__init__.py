"""Operations of `tf.tpu`."""
