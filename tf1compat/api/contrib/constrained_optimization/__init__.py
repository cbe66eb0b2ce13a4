"""`tf.contrib.constrained_optimization`: minimizing under constraints that may not have gradients
(Cotter, Jiang and Sridharan, 2018, https://arxiv.org/abs/1804.06500)."""
