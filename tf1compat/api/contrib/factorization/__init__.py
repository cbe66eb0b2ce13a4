"""tf.contrib.factorization: clustering and matrix factorization."""
