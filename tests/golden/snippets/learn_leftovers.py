"""Rare parts of tf.contrib.learn: SDCA's estimators, debug estimators, composable models, exports
of 2016, and settings as scikit-learn has them."""

import hashlib
import os
import tempfile

import numpy as np
import tensorflow as tf
from tensorflow.contrib.learn.python.learn.estimators import _sklearn, composable_model, debug
from tensorflow.contrib.learn.python.learn.utils import export
from tensorflow.contrib.linear_optimizer.python import sdca_estimator
from tensorflow.contrib.session_bundle import manifest_pb2

layers = tf.contrib.layers


def recorded():
    lines = []
    for op in tf.get_default_graph().get_operations():
        lines.append("%s %s %s" % (op.name, op.type, [tensor.name for tensor in op.inputs]))
    digest = hashlib.md5("\n".join(lines).encode()).hexdigest()
    print(len(lines), digest, [v.op.name for v in tf.global_variables()])


def rounded(values):
    return [np.round(np.asarray(value), 4).tolist() for value in values]


def refused(function):
    try:
        function()
    except Exception as error:
        print(type(error).__name__, str(error).split("0x")[0])


def sparse_input():
    features = {
        "id": tf.constant(["1", "2", "3"]),
        "price": tf.constant([[0.6], [0.8], [0.3]]),
        "weight": tf.constant([[1.0], [2.0], [1.0]]),
        "country": tf.SparseTensor([[0, 0], [1, 3], [2, 1]], ["IT", "US", "GB"], [3, 5]),
    }
    return features, tf.constant([[1], [0], [1]])


def columns():
    return [
        layers.real_valued_column("price"),
        layers.sparse_column_with_hash_bucket("country", hash_bucket_size=5),
    ]


def sdca():
    classifier = sdca_estimator.SDCALogisticClassifier("id", columns(), weight_column_name="weight")
    regressor = sdca_estimator.SDCALinearRegressor(
        "id", columns(), l1_regularization=0.1, partitioner=tf.fixed_size_partitioner(2, axis=0)
    )
    for one in (classifier, regressor):
        for mode in ("train", "eval", "infer"):
            with tf.Graph().as_default():
                tf.train.create_global_step()
                features, labels = sparse_input()
                made = one._call_model_fn(features, None if mode == "infer" else labels, mode)
                recorded()
                print(sorted(made.predictions or {}), len(made.training_chief_hooks or []))
    classifier.fit(input_fn=sparse_input, steps=60)
    print(np.round(classifier.evaluate(input_fn=sparse_input, steps=1)["loss"], 4))
    print(list(classifier.predict_classes(input_fn=lambda: sparse_input()[0]))[:3])
    print(sorted(classifier.get_variable_names()))
    for name in ("linear/price/weight", "linear/bias_weight"):
        print(name, rounded(classifier.get_variable_value(name)))
    refused(lambda: sdca_estimator._SDCAEstimator("id", columns(), head=None))
    refused(lambda: sdca_estimator.SDCALinearRegressor("id", []))


def dense_input():
    return {"x": tf.constant([[1.0], [2.0], [4.0]]), "y": tf.constant([[1], [2], [3]])}, (
        tf.constant([[1], [0], [1]])
    )


def debugging():
    classifier, regressor = debug.DebugClassifier(), debug.DebugRegressor(label_dimension=1)
    for one in (classifier, regressor):
        for mode in ("train", "eval", "infer"):
            with tf.Graph().as_default():
                tf.train.create_global_step()
                features, labels = dense_input()
                if one is regressor:
                    labels = tf.cast(labels, tf.float32)
                one._call_model_fn(features, None if mode == "infer" else labels, mode)
                recorded()
    classifier.fit(input_fn=dense_input, max_steps=20)
    features = lambda: dense_input()[0]  # noqa: E731
    print(list(classifier.predict_classes(input_fn=features))[:3])
    print(rounded(list(classifier.predict_proba(input_fn=features))[:1]))
    with tf.Graph().as_default():
        refused(lambda: debug.debug_model_fn({}, None, "train", {"head": None}))


def composed():
    country = layers.sparse_column_with_hash_bucket("country", hash_bucket_size=5)
    all_of = [layers.real_valued_column("price"), country]
    embedded = [layers.real_valued_column("price"), layers.embedding_column(country, 2)]
    models = (
        (composable_model.LinearComposableModel(1, gradient_clip_norm=0.5), all_of),
        (composable_model.LinearComposableModel(2, _joint_weights=True, scope="j"), [country]),
        (composable_model.DNNComposableModel(1, [3, 2], dropout=0.5), embedded),
        (composable_model.DNNComposableModel(1, [2], optimizer="Adam", trainable=True), all_of[:1]),
    )
    for model, its in models:
        with tf.Graph().as_default(), tf.Session() as sess:
            tf.set_random_seed(1)
            features, labels = sparse_input()
            del features["id"], features["weight"]
            logits = model.build_model(layers.transform_features(features, its), its, True)
            loss = tf.reduce_mean(tf.square(logits - tf.cast(labels, tf.float32)))
            step = model.get_train_step(loss)
            recorded()
            print(model.get_scope_name(), logits.shape, [op.name for op in step])
            print([v.op.name for v in model._get_vars()], model._get_optimizer().get_name())
            sess.run(tf.global_variables_initializer())
            folder = tempfile.mkdtemp()
            tf.train.Saver().save(sess, os.path.join(folder, "model"))
        weights = model.get_weights(folder)
        by_name = isinstance(weights, dict)
        print(sorted(weights) if by_name else [np.shape(weight) for weight in weights])
        if "j" not in model.get_scope_name():
            print(rounded(model.get_bias(folder)))
    refused(lambda: composable_model._ComposableModel(1, None, None, 0, "s").build_model(1, 2, 3))
    print(composable_model._ComposableModel(1, None, None, 0, "s").get_train_step(None))


def exported():
    x = layers.real_valued_column("x")

    def input_fn():
        return {"x": tf.constant([[1.0], [2.0], [4.0]])}, tf.constant([[1], [0], [1]])

    def numbers():
        features, labels = input_fn()
        return features, tf.cast(labels, tf.float32)

    learn = tf.contrib.learn
    for one, fn in (
        (learn.LinearClassifier([x]), input_fn),
        (learn.DNNRegressor([2], [x]), numbers),
        (learn.DNNLinearCombinedClassifier(linear_feature_columns=[x]), input_fn),
    ):
        one.fit(input_fn=fn, steps=2)
        for key, value in one.get_params().items():
            print(key, sorted(value))
        folder = tempfile.mkdtemp()
        path = one.export(folder, default_batch_size=2)
        print(os.path.basename(path), sorted(os.listdir(path)))
        own = one.export(
            tempfile.mkdtemp(), input_fn=lambda: (dict(fn()[0], raw=tf.constant(["a"])), None),
            use_deprecated_input_fn=False, input_feature_key="raw",
        )  # fmt: skip
        for written in (path, own):
            with tf.Graph().as_default():
                tf.train.import_meta_graph(os.path.join(written, b"export.meta"))
                found = tf.get_collection("serving_signatures")[0]
                message = manifest_pb2.Signatures()
                found.Unpack(message)
                print(str(message).split())
                graph = tf.get_default_graph()
                print([op.name for op in graph.get_operations() if op.type == "Placeholder"])
                print(len(graph.get_operations()))
        if one.__class__ is learn.LinearClassifier:
            features = one._get_feature_ops_from_example(tf.constant(["", ""]))
            print(sorted(features), features["x"])
            refused(lambda: one.set_params(nope=1))
            print(one.set_params(params=3) is one, one)
    refused(
        lambda: tf.contrib.learn.Estimator.export(
            one, folder, input_fn=None, use_deprecated_input_fn=False
        )
    )
    refused(lambda: learn.LinearClassifier([x])._get_feature_ops_from_example(None))
    scores = tf.constant([[0.2, 0.8]])
    words = tf.constant(["a"])
    for function in (
        export.generic_signature_fn, export.classification_signature_fn,
        export.classification_signature_fn_with_prob, export.regression_signature_fn,
        export.logistic_regression_signature_fn,
    ):  # fmt: skip
        print(str(function(words, None, scores)).split())
        if function is not export.regression_signature_fn:
            known = {"classes": scores, "probabilities": scores}
            print(str(function(words, None, known)[0]).split())
        refused(lambda: function(None, None, scores))


def arrays():
    a, b = np.arange(8), np.arange(16).reshape(8, 2)
    for part in _sklearn._train_test_split(a, b, test_size=0.25, random_state=3):
        print(part.tolist())
    print([part.tolist() for part in _sklearn._train_test_split(a, random_state=1)])
    print(_sklearn._accuracy_score(np.array([1, 2]), np.array([1, 3])))
    print(_sklearn._mean_squared_error(np.array([[1.0], [2.0]]), np.array([1.0, 4.0])))
    print(_sklearn._pprint({"a": 1, "b": "c"}), _sklearn.log_loss)

    class Inner(_sklearn._BaseEstimator):
        def __init__(self):
            self.size, self._hidden = 3, 4

    class Outer(_sklearn._BaseEstimator):
        def __init__(self):
            self.inner, self.rate = Inner(), 0.1

    outer = Outer()
    print(sorted(outer.get_params()), sorted(outer.get_params(deep=False)))
    print(outer.set_params(inner__size=7, rate=1).inner)
    refused(lambda: outer.set_params(other__size=7))
    refused(lambda: outer.set_params(other=7))


for part in (sdca, debugging, composed, exported, arrays):
    print(part.__name__)
    part()

# A head of several labels that would get sets of them, but has one logit.
head = tf.contrib.learn.multi_label_head(3)
head._logits_dimension = 1
labels = tf.SparseTensor([[0, 0]], tf.constant([2], tf.int64), [1, 1])
refused(lambda: head.create_model_fn_ops({}, "train", labels, tf.no_op, logits=[[0.0]]))
