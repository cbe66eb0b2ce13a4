"""`tf.contrib.grid_rnn`: cells that are recurrent along several dimensions."""
