"""`tf.contrib.nn`: losses over sampled classes, dropout, softplus."""

from tf1compat.api.nn import nn_convolution, nn_pool
from tf1compat.core.export import export_constant

export_constant("contrib.nn.conv1d_transpose", nn_convolution.conv1d_transpose)
export_constant("contrib.nn.nth_element", nn_pool.nth_element)
