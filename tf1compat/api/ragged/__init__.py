"""`tf.ragged` and `tensorflow.python.ops.ragged`: tensors whose rows differ in length.

Importing any part of it teaches the functions of `tf` to take ragged tensors.
"""

from tf1compat.api.ragged import ragged_dispatch, ragged_operators
