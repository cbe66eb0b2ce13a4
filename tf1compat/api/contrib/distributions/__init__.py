"""`tf.contrib.distributions`: the distributions of `tf.distributions`, and more of the kind."""

from tf1compat.core.export import export_lazy

# It takes tf.contrib.learn, which is large.
export_lazy("contrib.distributions.estimator_head_distribution_regression", f"{__name__}.estimator")
