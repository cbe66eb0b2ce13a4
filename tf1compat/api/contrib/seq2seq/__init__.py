"""`tf.contrib.seq2seq`: decoders of recurrent nets, attention, beam search and their loss."""
