"""tf.contrib.cluster_resolver: the names of tf.distribute.cluster_resolver."""

from tf1compat.core.export import load_lazy

load_lazy("distribute")  # Its names are registered there.
