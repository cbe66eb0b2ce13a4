"""Cases of tf.contrib.estimator's RNNClassifier and RNNEstimator.

Read by `record_cases.py` under TensorFlow 1.15 and replayed by `tests/api/test_rnn_estimator.py`.
"""

from __future__ import annotations

import numpy as np
from case_runs import Case, collect

_INDICES = np.array([[0, 0], [0, 1], [0, 2], [1, 0], [2, 0], [2, 1]])
_NUMBERS = np.array([0.5, -1.0, 2.0, 1.5, -0.5, 1.0], np.float32)


def _features(tf):
    words = np.array(["a", "b", "c", "a", "d", "b"])
    return {
        "numbers": tf.SparseTensor(_INDICES, _NUMBERS, [3, 3]),
        "words": tf.SparseTensor(_INDICES, words, [3, 3]),
        "context": tf.constant([[1.0], [0.0], [-1.0]]),
        "weight": tf.constant([[1.0], [2.0], [0.5]]),
    }


def _columns(tf):
    columns = tf.contrib.feature_column
    words = columns.sequence_categorical_column_with_vocabulary_list("words", ["a", "b", "c"])
    return [
        columns.sequence_numeric_column("numbers"),
        tf.feature_column.embedding_column(words, 2),
    ]


def _made(tf, kind="Classifier", **kwargs):
    config = tf.estimator.RunConfig(tf_random_seed=3)
    made = getattr(tf.contrib.estimator, "RNN" + kind)
    return made(sequence_feature_columns=_columns(tf), config=config, **kwargs)


def _case(tf, mode, labels=None, kind="Classifier", **kwargs):
    tf.set_random_seed(3)
    tf.train.get_or_create_global_step()
    made = _made(tf, kind, **kwargs)
    if labels is not None:
        labels = tf.constant(labels)
    spec = made.model_fn(_features(tf), labels, mode, made.config)
    fetches = [spec.predictions[key] for key in sorted(spec.predictions or ())]
    fetches += [] if spec.loss is None else [spec.loss]
    updates = [] if spec.train_op is None else [spec.train_op]
    updates += [update for _, update in sorted((spec.eval_metric_ops or {}).values(), key=str)]
    said = [type(made).__name__, sorted(spec.eval_metric_ops or ())]
    return Case(fetches, updates, said=said, steps=2)


def train(tf):
    return _case(tf, "train", [[1], [0], [1]], num_units=[4])


def train_stacked(tf):
    context = [tf.feature_column.numeric_column("context")]
    return _case(
        tf, "train", [["x"], ["y"], ["z"]], context_feature_columns=context, num_units=[3, 2],
        cell_type="lstm", n_classes=3, label_vocabulary=["x", "y", "z"], weight_column="weight",
        optimizer=tf.train.GradientDescentOptimizer(0.1),
    )  # fmt: skip


def train_cell(tf):
    def make(mode):
        cell = tf.nn.rnn_cell.GRUCell(3)  # as many as the input has
        return tf.nn.rnn_cell.ResidualWrapper(cell) if mode == "train" else None

    head = tf.contrib.estimator.regression_head(label_dimension=2)
    labels = [[1.0, 2.0], [0.0, 1.0], [2.0, 0.5]]
    return _case(tf, "train", labels, "Estimator", head=head, rnn_cell_fn=make, optimizer="SGD")


def evaluate(tf):
    return _case(tf, "eval", [[1], [0], [1]], num_units=[4], cell_type=tf.nn.rnn_cell.GRUCell)


def predict(tf):
    head = tf.contrib.estimator.poisson_regression_head()
    return _case(tf, "infer", None, "Estimator", head=head, num_units=[3], cell_type="gru")


CASES = {
    "train": collect(train, train_stacked, train_cell),
    "use": collect(evaluate, predict),
}


def _no_dict(tf):
    made = _made(tf, num_units=[2])
    made.model_fn(tf.constant([1.0]), None, "infer", made.config)


MISTAKES = {
    "arguments": {
        "both": lambda tf: _made(tf, num_units=[2], rnn_cell_fn=lambda mode: None),
        "both_types": lambda tf: _made(tf, cell_type="gru", rnn_cell_fn=lambda mode: None),
        "no_sequences": lambda tf: _made(
            tf, "Estimator", head=tf.contrib.estimator.regression_head(), num_units=[2],
            return_sequences=True,
        ),
        "classes": lambda tf: _made(tf, num_units=[2], n_classes=1),
        "features": _no_dict,
    }
}  # fmt: skip
