"""tf.contrib.labeled_tensor: tensors whose axes have names, and whose places may have labels."""
