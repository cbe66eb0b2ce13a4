"""Keras's metrics of ragged tensors, in a graph."""

import tensorflow as tf

metrics, ragged = tf.keras.metrics, tf.ragged.constant
a, b = ragged([[1.0], [2.0, 3.0]]), ragged([[1.5], [2.0, 1.0]])
labels, guesses = ragged([[1.0], [0.0, 1.0]]), ragged([[0.7], [0.6, 0.2]])
weights, others = ragged([[1.0], [0.0, 2.0]]), ragged([[1.0, 2.0], [3.0]])
classes = ragged([[[0, 1]], [[1, 0], [0, 1]]], ragged_rank=1)
scores = ragged([[[0.7, 0.3]], [[0.6, 0.2], [0.1, 0.9]]], ragged_rank=1)
CASES = [
    (metrics.Mean, (a,), {}),
    (metrics.Mean, (a,), {"sample_weight": weights}),
    (metrics.Mean, (a,), {"sample_weight": tf.ones([2])}),
    (metrics.Mean, (tf.ones([2]),), {"sample_weight": weights}),
    (metrics.Sum, (a,), {}),
    (metrics.MeanAbsoluteError, (a, b), {}),
    (metrics.MeanSquaredError, (a, b), {"sample_weight": weights}),
    (metrics.BinaryAccuracy, (a, b), {}),
    (metrics.Accuracy, (a, b), {}),
    (metrics.CategoricalAccuracy, (classes, scores), {}),
    (metrics.Precision, (labels, guesses), {}),
    (metrics.AUC, (labels, guesses), {}),
    (metrics.MeanAbsoluteError, (a, others), {}),
    (metrics.MeanAbsoluteError, (a, tf.ones([2, 2])), {}),
]
for kind, values, options in CASES:
    metric = kind()
    try:
        update = metric.update_state(*values, **options)
    except Exception as error:
        print(kind.__name__, type(error).__name__, str(error)[:200])
        continue
    with tf.Session() as session:
        session.run([variable.initializer for variable in metric.variables])
        try:
            session.run(update)
            print(kind.__name__, "%.5f" % session.run(metric.result()))
        except tf.errors.OpError as error:
            print(kind.__name__, type(error).__name__, error.message.split("\n")[0][:120])
