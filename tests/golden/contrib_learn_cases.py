"""tf.contrib.learn: heads, canned estimators, arrays as input.

Read by `record_cases.py` under TensorFlow 1.15 and replayed by `tests/api/test_contrib_learn.py`.
"""

from __future__ import annotations

import functools

import numpy as np
from case_runs import Case
from session_runs import Folder, lasting

_RNG = np.random.RandomState(0)
X = _RNG.randn(12, 3).astype(np.float32)
THREE = _RNG.randint(0, 3, 12)
TWO = (X[:, 0] > 0).astype(np.int64)
NUMBERS = X[:, 1] * 2 + 1


def _column(tf, dimension=3):
    return [tf.contrib.layers.real_valued_column("", dimension=dimension)]


def _columns(tf):
    layers = tf.contrib.layers
    words = layers.sparse_column_with_hash_bucket("word", 7)
    return [layers.real_valued_column("x", dimension=3)], [
        words,
        layers.embedding_column(words, 2, initializer=tf.ones_initializer()),
    ]


def _word_features(tf):
    words = tf.string_split(tf.placeholder_with_default(["a b", "c", "", "a d"] * 3, [12]), " ")
    return {"x": tf.constant(X), "word": words, "weight": tf.constant(np.arange(12.0) / 6)}


def _built(tf, estimator, labels, mode, features=None):
    """What a model function records, and runs of it."""
    tf.set_random_seed(4)
    tf.train.create_global_step()
    features = tf.constant(X) if features is None else features
    model = estimator._call_model_fn(features, labels, mode)
    said = [sorted(map(str, model.predictions or [])), model.output_alternatives]
    said += [sorted(model.eval_metric_ops), tf.get_collection("summaries")]
    values = [v for v in (model.predictions or {}).values() if v.dtype != tf.string]
    if mode == "infer":
        return Case(values, said=said, steps=1)
    if mode == "eval":
        metrics = [model.eval_metric_ops[key] for key in sorted(model.eval_metric_ops)]
        return Case([update for _, update in metrics], [value for value, _ in metrics], None, said)
    # Of two updates of the bias in a run, TF makes either first.
    is_centered = any("centered_bias" in v.name for v in tf.global_variables())
    return Case([model.loss], [model.train_op], said=said, steps=0 if is_centered else 4)


ESTIMATORS = {
    "dnn_3": (
        lambda learn, columns: learn.DNNClassifier([5, 3], columns, n_classes=3),
        THREE,
    ),
    "dnn_2": (
        lambda learn, columns: learn.DNNClassifier(
            [4], columns, enable_centered_bias=True, activation_fn="tanh", gradient_clip_norm=0.5
        ),
        TWO,
    ),
    "dnn_numbers": (lambda learn, columns: learn.DNNRegressor([5], columns), NUMBERS),
    "linear_2": (lambda learn, columns: learn.LinearClassifier(columns), TWO),
    "linear_3": (
        lambda learn, columns: learn.LinearClassifier(
            columns, n_classes=3, gradient_clip_norm=0.1, optimizer="Adam", _joint_weight=False
        ),
        THREE,
    ),
    "linear_numbers": (
        lambda learn, columns: learn.LinearRegressor(columns, enable_centered_bias=True),
        NUMBERS,
    ),
    "both_3": (
        lambda learn, columns: learn.DNNLinearCombinedClassifier(
            n_classes=3, linear_feature_columns=columns, dnn_feature_columns=columns,
            dnn_hidden_units=[4], fix_global_step_increment_bug=True,
        ),
        THREE,
    ),
    "both_numbers": (
        lambda learn, columns: learn.DNNLinearCombinedRegressor(
            linear_feature_columns=columns, dnn_feature_columns=columns, dnn_hidden_units=[4],
            dnn_dropout=0.5,
        ),
        NUMBERS,
    ),
}  # fmt: skip


def _estimator_case(name, mode, tf):
    make, labels = ESTIMATORS[name]
    labels = None if mode == "infer" else tf.constant(labels)
    return _built(tf, make(tf.contrib.learn, _column(tf)), labels, mode)


def _of_words(name, tf):
    learn = tf.contrib.learn
    dense, sparse = _columns(tf)
    estimators = {
        "dnn": lambda: learn.DNNClassifier(
            [3], dense + sparse[1:], n_classes=3, weight_column_name="weight",
            embedding_lr_multipliers={sparse[1]: 0.5},
        ),
        "linear": lambda: learn.LinearClassifier(
            dense + sparse[:1], weight_column_name="weight", _joint_weight=False
        ),
        "joint": lambda: learn.LinearClassifier(sparse[:1], _joint_weight=True),
        "both": lambda: learn.DNNLinearCombinedEstimator(
            learn.multi_head(
                [
                    learn.multi_class_head(3, head_name="m", label_name="m"),
                    learn.regression_head(head_name="n", label_name="n"),
                ],
                loss_weights=[1.0, 0.5],
            ),
            linear_feature_columns=sparse[:1], dnn_feature_columns=dense, dnn_hidden_units=[3],
            dnn_activation_fn=tf.nn.elu, fix_global_step_increment_bug=True,
        ),
    }  # fmt: skip
    labels = {
        "dnn": lambda: tf.constant(THREE[:, None]),
        "linear": lambda: tf.constant(TWO[:, None]),
        "joint": lambda: tf.constant(TWO),
        "both": lambda: {"m": tf.constant(THREE), "n": tf.constant(NUMBERS)},
    }[name]()
    return _built(tf, estimators[name](), labels, "train", _word_features(tf))


HEADS = {
    "poisson": (lambda learn: learn.poisson_regression_head(label_dimension=2), X[:, :2] ** 2),
    "svm": (lambda learn: learn.binary_svm_head(head_name="h"), TWO),
    "multi_label": (
        lambda learn: learn.multi_label_head(2, metric_class_ids=[1], weight_column_name="w"),
        (X[:, :2] > 0).astype(np.int64),
    ),
    "multi_class": (
        lambda learn: learn.multi_class_head(
            3, metric_class_ids=[0, 2], head_name="named", weight_column_name="w"
        ),
        THREE[:, None],
    ),
    "thresholds": (lambda learn: learn.multi_class_head(2, thresholds=[0.2, 0.7]), TWO),
}


def _head_case(name, mode, tf):
    make, labels = HEADS[name]
    head = make(tf.contrib.learn)
    features = {"w": tf.constant(np.arange(12.0)), "x": tf.constant(X)}
    labels = None if mode == "infer" else tf.constant(labels)
    tf.set_random_seed(1)
    step = tf.train.create_global_step()
    model = head.create_model_fn_ops(
        features, mode, labels, logits_input=features["x"],
        train_op_fn=lambda loss: tf.train.GradientDescentOptimizer(0.1).minimize(loss, step),
    )  # fmt: skip
    said = [head.logits_dimension, model.output_alternatives, sorted(model.eval_metric_ops)]
    if mode == "infer":
        return Case(list(model.predictions.values()), said=said, steps=1)
    updates = [model.train_op] if mode == "train" else []
    metrics = [model.eval_metric_ops[key] for key in sorted(model.eval_metric_ops)]
    reads = [] if mode == "train" else [update for _, update in metrics]
    return Case([model.loss] + reads, updates, None, said)


@lasting
def arrays(tf, log, folder):
    """`fit`, `evaluate` and `predict` of arrays, and SKCompat."""
    learn = tf.contrib.learn
    columns = learn.infer_real_valued_columns_from_input(X)
    config = learn.RunConfig(tf_random_seed=3)
    said = [columns]
    with Folder() as own:
        estimator = learn.DNNClassifier([4], columns, own.path, n_classes=3, config=config)
        estimator.fit(x=X, y=THREE, steps=6, batch_size=5)
        values = [v for _, v in sorted(estimator.evaluate(x=X, y=THREE, steps=1).items())]
        values += list(estimator.predict_proba(x=X[:3]))
        values += [list(estimator.predict(x=X[:4]))]
        values.append(estimator.get_variable_value("dnn/logits/biases"))
        compat = learn.SKCompat(estimator)
        compat.fit(iter(X), iter(THREE), batch_size=4, steps=2)
        values.append(sorted(compat.score(X, THREE, batch_size=5).items())[0][1])
        values.append(compat.predict(X)["classes"])
    with Folder() as own:
        keyed = learn.LinearClassifier(
            columns, own.path, n_classes=3, label_keys=["p", "q", "r"], config=config
        )
        names = np.array(["p", "q", "r"])[THREE]
        keyed.fit(input_fn=lambda: (tf.constant(X), tf.constant(names)), steps=3)
        keyed.fit(input_fn=lambda: (tf.constant(X), tf.constant(names)), max_steps=3)
        said.append(list(keyed.predict_classes(input_fn=lambda: tf.constant(X))))
        values += list(keyed.predict_proba(input_fn=lambda: tf.constant(X[:2])))
    del log.lines[:]
    return [str(x) for x in said], values


CASES = {
    "estimators": {
        f"{name}_{mode}": functools.partial(_estimator_case, name, mode)
        for name in ESTIMATORS
        for mode in ("train", "eval", "infer")
    },
    "words": {n: functools.partial(_of_words, n) for n in ("dnn", "linear", "joint", "both")},
    "heads": {
        f"{name}_{mode}": functools.partial(_head_case, name, mode)
        for name in HEADS
        for mode in ("train", "eval", "infer")
    },
    "arrays": {"arrays": arrays},
}


def _head(call):
    def mistake(tf):
        learn = tf.contrib.learn
        head = call(learn)
        logits = tf.zeros([12, 2])
        head.create_model_fn_ops({"x": tf.constant(X)}, "train", tf.constant(TWO), logits=logits)

    return mistake


MISTAKES = {
    "heads": {
        "classes": _head(lambda learn: learn.multi_class_head(1)),
        "class_ids": _head(lambda learn: learn.multi_class_head(3, metric_class_ids=[3])),
        "ids_of_two": _head(lambda learn: learn.multi_class_head(2, metric_class_ids=[1])),
        "keys_of_two": _head(lambda learn: learn.multi_class_head(2, label_keys=["a", "b"])),
        "keys": _head(lambda learn: learn.multi_class_head(3, label_keys=["a", "b"])),
        "loss_fn": _head(lambda learn: learn.multi_class_head(3, loss_fn=lambda labels: 1)),
        "dimension": _head(lambda learn: learn.regression_head(label_dimension=0)),
        "logits": _head(lambda learn: learn.multi_class_head(3)),
        "weights": _head(lambda learn: learn.multi_label_head(2, weight_column_name="w")),
        "names": _head(lambda learn: learn.multi_head([learn.regression_head()])),
        "loss_weights": _head(lambda learn: learn.multi_head([], [1.0])),
    },
    "estimators": {
        "no_columns": lambda tf: tf.contrib.learn.DNNLinearCombinedClassifier(),
        "nothing": lambda tf: tf.contrib.learn.LinearClassifier(_column(tf)).fit(steps=1),
        "tensors": lambda tf: tf.contrib.learn.LinearClassifier(_column(tf)).fit(
            x=tf.constant(X), steps=1
        ),
        "both": lambda tf: tf.contrib.learn.LinearClassifier(_column(tf)).fit(
            x=X, input_fn=lambda: None, steps=1
        ),
        "batch_size": lambda tf: tf.contrib.learn.LinearClassifier(_column(tf)).fit(
            x=X, y=TWO, batch_size=0, steps=1
        ),
        "not_fitted": lambda tf: tf.contrib.learn.LinearClassifier(_column(tf), "/nowhere").predict(
            x=X
        ),
        "activation": lambda tf: tf.contrib.learn.DNNClassifier(
            [1], _column(tf), activation_fn="elu"
        )._call_model_fn(tf.constant(X), tf.constant(TWO), "eval"),
    },
}
