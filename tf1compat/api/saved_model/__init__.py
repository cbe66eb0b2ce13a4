"""tf.saved_model: programs with their variables, signatures and files, in a folder."""
