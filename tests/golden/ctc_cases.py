"""`tf.nn.ctc_loss_v2` of dense labels: what it records, its losses and gradients.

Runs under the real TensorFlow 1.15 (Python 3.7) as well as under this project's Python.
"""

from __future__ import annotations

import numpy as np
from case_runs import Case

LABELS = [[1, 2, 2], [3, 1, 0]]


def _logits(shape=(5, 2, 4)):
    return (np.arange(np.prod(shape)).reshape(shape) % 7 - 3).astype("float32") / 4


def loss(labels=LABELS, shape=(5, 2, 4), unique=False, known=True, **options):
    """A case of the loss and its gradient."""

    def case(tf):
        values = _logits(shape)
        if known:
            logits, dense = tf.constant(values), tf.constant(labels)
        else:
            logits = tf.placeholder_with_default(values, [None, None, 4])
            dense = tf.placeholder_with_default(labels, [None, None])
        if unique:
            options["unique"] = tf.nn.ctc_unique_labels(dense)
        losses = tf.nn.ctc_loss_v2(dense, logits, [3, 2], [5, 4], **options)
        return Case([losses, tf.gradients(losses, logits)[0]], steps=1)

    return case


CASES = {
    "dense": {
        "first class is blank": loss(name="loss"),
        "last class is blank": loss([[1, 2, 2], [0, 1, 0]], blank_index=-1),
        "other class is blank": loss([[1, 3, 3], [0, 1, 0]], blank_index=2),
        "batch first": loss(shape=(2, 5, 4), logits_time_major=False),
        "unique": loss(unique=True),
        "unknown shapes": loss(known=False),
    },
}
MISTAKES = {
    "dense": {
        "no length": lambda tf: tf.nn.ctc_loss_v2(LABELS, _logits(), None, [5, 4]),
        "no shape": lambda tf: tf.nn.ctc_loss_v2(LABELS, tf.placeholder("float32"), [3], [5]),
    },
}
