"""`tf.contrib.text`: pairs of words for training of embeddings."""
