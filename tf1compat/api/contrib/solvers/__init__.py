"""`tf.contrib.solvers`: Krylov methods for operators that are known by what they give."""
