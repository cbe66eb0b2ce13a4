"""Heads of TF 2's generation under a small model: trained, evaluated, asked.

Run by `record_head_models.py` under TensorFlow 1.15, and by tests/api/test_head_models.py.
"""

from __future__ import annotations

import numpy as np
from canned_cases import WORDS, Watch, _labels, tags


def _features():
    r = np.random.RandomState(0)
    return {"x": r.randn(12, 2).astype("f"), "w": (r.rand(12) + 0.5).astype("f")}


class Model(object):
    """A head to be compared.

    Args:
        labels: the kind of labels it has.
        make: a function of `tf.estimator` that makes it.
        regularized: whether its model has regularization losses.
        by_function: whether a function trains it, instead of a Keras optimizer.
    """

    def __init__(self, labels, make, regularized=False, by_function=False):
        self.labels, self.make = labels, make
        self.regularized, self.by_function = regularized, by_function


def _half_loss(labels, logits, features):
    return 0.5 * (labels - logits) ** 2


MODELS = {
    "binary": Model("binary", lambda e: e.BinaryClassHead()),
    "binary_all": Model(
        "two names",
        lambda e: e.BinaryClassHead(
            "w", thresholds=[0.3, 0.5], label_vocabulary=WORDS[:2], loss_reduction="sum", name="a"
        ),
        regularized=True,
    ),
    "classes": Model("classes", lambda e: e.MultiClassHead(3), regularized=True),
    "class_names": Model(
        "names", lambda e: e.MultiClassHead(3, "w", WORDS, name="b"), by_function=True
    ),
    "numbers": Model("pairs", lambda e: e.RegressionHead(2, "w"), regularized=True),
    "half": Model("numbers", lambda e: e.RegressionHead(loss_fn=_half_loss, name="h")),
    "counts": Model("counts", lambda e: e.PoissonRegressionHead()),
    "odds": Model("binary", lambda e: e.LogisticRegressionHead("w")),
    "sets": Model(
        "sets",
        lambda e: e.MultiLabelHead(
            3, "w", [0.5], WORDS, classes_for_class_based_metrics=["blue"], name="s"
        ),
        regularized=True,
    ),
    "sets_by_number": Model(
        "sets", lambda e: e.MultiLabelHead(3, classes_for_class_based_metrics=[0, 2])
    ),
    "several": Model(
        "several",
        lambda e: e.MultiHead(
            [e.BinaryClassHead(name="a"), e.RegressionHead(name="b")], [1.0, 0.5]
        ),
        regularized=True,
    ),
}  # fmt: skip


def _canned(tf, name, **kwargs):
    fc = tf.feature_column
    kwargs["feature_columns"] = [fc.numeric_column("x", 2)]
    return getattr(tf.compat.v2.estimator, name)(**kwargs)


CANNED = {
    "dnn_numbers": Model(
        "numbers",
        lambda tf, **kwargs: _canned(
            tf, "DNNRegressor", hidden_units=[4], optimizer="Adam", batch_norm=True, dropout=0.5,
            **kwargs
        ),
    ),
    "dnn_classes": Model(
        "classes",
        lambda tf, **kwargs: _canned(
            tf, "DNNClassifier", hidden_units=[3, 2], n_classes=3, **kwargs
        ),
    ),
    "dnn_counts": Model(
        "counts",
        lambda tf, **kwargs: _canned(
            tf, "DNNEstimator", head=tf.estimator.PoissonRegressionHead(), hidden_units=[2],
            optimizer=lambda: tf.keras.optimizers.SGD(0.01), **kwargs
        ),
    ),
    "linear_numbers": Model(
        "numbers",
        lambda tf, **kwargs: _canned(
            tf, "LinearRegressor", weight_column="w", optimizer=None, **kwargs
        ),
    ),
    "linear_names": Model(
        "names",
        lambda tf, **kwargs: _canned(
            tf, "LinearClassifier", n_classes=3, label_vocabulary=WORDS, **kwargs
        ),
    ),
}  # fmt: skip


def _model_fn(tf, model, head):
    def model_fn(features, labels, mode):
        if not model.by_function:
            tf.keras.backend.set_learning_phase(mode == "train")
        dense = tf.keras.layers.Dense(
            head.logits_dimension,
            name="only",
            kernel_initializer=tf.keras.initializers.Constant(0.1),
        )
        logits = dense(features["x"])
        settings = {}
        if model.by_function:
            settings["train_op_fn"] = lambda loss: tf.train.get_global_step().assign_add(1)
            settings["update_ops"] = [tf.no_op()]
        else:
            optimizer = tf.keras.optimizers.SGD(0.1)
            optimizer.iterations = tf.train.get_global_step()
            settings.update(optimizer=optimizer, trainable_variables=dense.trainable_variables)
        if model.regularized:
            settings["regularization_losses"] = [tf.reduce_sum(dense.kernel**2), tf.constant(0.25)]
        return head.create_estimator_spec(features, mode, logits, labels, **settings)

    return model_fn  # fmt: skip


def observed(tf, model):
    """Trains, evaluates and asks a model under a head."""
    head = model.make(tf.estimator)
    config = tf.estimator.RunConfig("model", tf_random_seed=3, save_summary_steps=2)
    estimator = tf.estimator.Estimator(_model_fn(tf, model, head), config=config)
    found = _watched(tf, estimator, model)
    found["said"] += [str(head.name), head.logits_dimension, head.loss_reduction]
    receiver = tf.estimator.export.build_raw_serving_input_receiver_fn(
        {"x": tf.placeholder(tf.float32, [None, 2], name="x")}
    )
    folder = estimator.export_saved_model("exported", receiver)
    with tf.Session(graph=tf.Graph()) as session:
        loaded = tf.saved_model.loader.load(session, ["serve"], folder.decode())
        for key, signature in sorted(loaded.signature_def.items()):
            outputs = sorted([k, v.name] for k, v in signature.outputs.items())
            found["said"].append([key, signature.method_name, outputs])
    return found


def canned(tf, model):
    """Trains, evaluates and asks a canned estimator."""
    config = tf.estimator.RunConfig("model", tf_random_seed=3, save_summary_steps=2)
    estimator = model.make(tf, config=config)
    found = _watched(tf, estimator, model)
    names = sorted(estimator.get_variable_names())
    found["said"].append(names)
    found["values"].append([estimator.get_variable_value(name) for name in names])
    return found


def _watched(tf, estimator, model):
    watch = Watch(tf)
    features, labels = _features(), _labels(model.labels)
    numpy_input_fn = tf.estimator.inputs.numpy_input_fn
    train = numpy_input_fn(features, labels, batch_size=5, num_epochs=None, shuffle=False)
    once = numpy_input_fn(features, labels, batch_size=5, shuffle=False)
    unlabelled = numpy_input_fn(features, batch_size=5, shuffle=False)
    estimator.train(train, [watch.keep("train")], steps=3)
    results = estimator.evaluate(once, hooks=[watch.keep("eval")])
    predictions = list(estimator.predict(unlabelled, hooks=[watch.keep("predict")]))
    predictions = [sorted((str(key), value) for key, value in x.items()) for x in predictions]
    values = [watch.losses, results, predictions[0], predictions[-1]]
    said = [sorted(results), tags(tf, "model"), tags(tf, "model/eval")]
    return {"graphs": watch.graphs, "values": values, "said": said}
