"""`tf.contrib.legacy_seq2seq`: nets of copies of a cell from sequence to sequence."""
