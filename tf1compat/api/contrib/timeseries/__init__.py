"""`tf.contrib.timeseries`: models of time series, and what reads them."""
