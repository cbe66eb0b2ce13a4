"""What there is of `tf.contrib.recurrent` (`tensorflow.contrib.recurrent.python.recurrent_api`)."""

from __future__ import annotations

from tf1compat.api.contrib.recurrent.functional_rnn import (
    bidirectional_functional_rnn,
    functional_rnn,
)
from tf1compat.api.contrib.recurrent.recurrent import Recurrent

__all__ = ["Recurrent", "bidirectional_functional_rnn", "functional_rnn"]
