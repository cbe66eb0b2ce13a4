"""Op types of those libraries of tf.contrib that TF loads only when a module of theirs is."""

from tf1compat.core import op_registry

op_registry.load_library("contrib_op_defs.json")
