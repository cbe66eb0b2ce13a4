"""`tf.contrib.fused_conv`: a convolution with what usually follows it, as one operation."""
