"""`tf.contrib.cudnn_rnn`: the cells that compute what cuDNN's nets do."""
