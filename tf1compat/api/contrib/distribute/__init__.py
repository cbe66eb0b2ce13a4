"""tf.contrib.distribute: the names of tf.distribute."""

from tf1compat.core.export import load_lazy

load_lazy("distribute")  # Its names are registered there.
