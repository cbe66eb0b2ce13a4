"""tf.contrib.memory_stats: how much of a device's memory is used."""
