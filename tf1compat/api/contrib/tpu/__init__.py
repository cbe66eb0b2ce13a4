"""tf.contrib.tpu: the names of tf.tpu and tf.estimator.tpu."""

from tf1compat.core.export import load_lazy

load_lazy("estimator")  # The names are registered where those of tf.estimator.tpu and tf.tpu are.
load_lazy("tpu")
