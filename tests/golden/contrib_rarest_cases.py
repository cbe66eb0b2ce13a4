"""The rarest names of tf.contrib: SavedModelEstimator, nets with layer annotations,
steps of strategies, hyperplane_lsh_probes, the losses of boosted_trees.

Read by `record_cases.py` under TensorFlow 1.15 and replayed by `tests/api/test_contrib_rarest.py`.
"""

from __future__ import annotations

import os
import tempfile

import numpy as np
from case_runs import Case, collect

_X = np.array([[1.0, 2.0], [0.5, -1.0], [-2.0, 0.0]], np.float32)


def _input(tf):
    return {"x": tf.constant(_X)}, tf.constant([[1], [0], [1]])


def _exported(tf, modes=("train", "eval", "infer")):
    """The folder of a SavedModel of a classifier."""
    columns = [tf.feature_column.numeric_column("x", 2)]
    config = tf.estimator.RunConfig(tf_random_seed=3)
    made = tf.estimator.LinearClassifier(
        columns, config=config, model_dir=tempfile.mkdtemp(), optimizer="SGD"
    )
    made.train(lambda: _input(tf), steps=2)

    def supervised():
        features = {"x": tf.placeholder(tf.float32, [None, 2], "x")}
        labels = tf.placeholder(tf.int32, [None, 1], "labels")
        return tf.contrib.estimator.build_raw_supervised_input_receiver_fn(features, labels)()

    parsed = tf.feature_column.make_parse_example_spec(columns)
    serving = tf.estimator.export.build_parsing_serving_input_receiver_fn(parsed)

    receivers = {mode: serving if mode == "infer" else supervised for mode in modes}
    folder = made.experimental_export_all_saved_models(tempfile.mkdtemp(), receivers)
    tf.reset_default_graph()
    return folder


def _examples(tf):
    found = []
    for row in _X:
        value = tf.train.Feature(float_list=tf.train.FloatList(value=row))
        example = tf.train.Example(features=tf.train.Features(feature={"x": value}))
        found.append(example.SerializeToString())
    return found


def _of(tf, folder):
    return tf.contrib.estimator.SavedModelEstimator(folder, tempfile.mkdtemp())


def _numbers(found):
    return sorted((key, round(float(value), 4)) for key, value in found.items())


def _spec(tf, mode):
    made = _of(tf, _exported(tf))
    features, labels = _input(tf)
    if mode == "infer":
        features, labels = {"inputs": tf.constant(_examples(tf))}, None
    spec = made.model_fn(features, labels, mode, made.config)
    said = [
        sorted(spec.predictions or ()), sorted(spec.eval_metric_ops or ()),
        sorted(map(str, tf.get_default_graph().get_all_collection_keys())),
        spec.train_op and spec.train_op.name, spec.loss,
    ]  # fmt: skip
    # What the SavedModel's initializers need is not fetched here.
    return Case([], [], said=said, steps=0)


def train_spec(tf):
    return _spec(tf, "train")


def eval_spec(tf):
    return _spec(tf, "eval")


def predict_spec(tf):
    return _spec(tf, "infer")


def goes_on(tf):
    """Evaluated, trained on, evaluated, exported, loaded again."""
    made = _of(tf, _exported(tf))
    said = [made._available_modes, _numbers(made.evaluate(lambda: _input(tf), steps=1))]
    made.train(lambda: _input(tf), steps=3)
    said += [
        _numbers(made.evaluate(lambda: _input(tf), steps=1)),
        sorted(made.get_variable_names()),
    ]
    examples = _examples(tf)
    first = next(made.predict(lambda: tf.data.Dataset.from_tensors({"inputs": examples})))
    said += [(key, np.round(first[key].astype(float), 4).tolist()) for key in sorted(first)]
    said += [os.path.basename(made.latest_checkpoint()), made.saved_model_dir is not None]
    return Case(said=said, steps=0)


def _annotated(tf, kind, labels, **kwargs):
    from tensorflow.python.feature_column import feature_column as fc

    word = fc._categorical_column_with_vocabulary_list("word", ["a", "b"])
    columns = [fc._numeric_column("x", (2,)), fc._embedding_column(word, 2)]
    made = getattr(tf.contrib.estimator, kind)([3], columns, **kwargs)
    tf.set_random_seed(3)
    tf.train.get_or_create_global_step()
    features = {"x": tf.constant(_X), "word": tf.constant([["a"], ["b"], ["c"]])}
    spec = made.model_fn(features, tf.constant(labels), "train", made.config)
    graph, said = tf.get_default_graph(), [type(made).__name__]
    for key in sorted(map(str, graph.get_all_collection_keys())):
        if key.startswith("layer_annot"):
            found = graph.get_collection(key)
            if not key.endswith("columns"):  # These are pickled, with the classes' modules.
                said += [key, *found]
            else:
                said += [key, len(found)]
    said.append(fc._internal_input_layer.__name__)
    meta = tf.train.export_meta_graph().collection_def
    said += [meta[key].WhichOneof("kind") for key in sorted(meta) if key.startswith("layer_annot")]
    return Case([spec.loss], [spec.train_op], said=said)


def annotated_classifier(tf):
    return _annotated(tf, "DNNClassifierWithLayerAnnotations", [[1], [0], [2]], n_classes=3)


def annotated_regressor(tf):
    return _annotated(
        tf, "DNNRegressorWithLayerAnnotations", [[1.0], [0.0], [2.0]], optimizer="SGD"
    )


def _misused(mode, features, labels=None, modes=("train", "eval", "infer"), before=None):
    def run(tf):
        made = _of(tf, _exported(tf, modes))
        if before is not None:
            before(tf)
        given = {key: tf.constant(value) for key, value in features.items()}
        made.model_fn(given, None if labels is None else tf.constant(labels), mode, made.config)

    return run


class _Steps(Case):
    """What a Monitor makes of a step."""

    def __init__(self, make, steps=3, said=()):
        super().__init__(said=said)
        self._make, self._count = make, steps

    def run(self, tf):
        with tf.Session() as session:
            monitor = tf.contrib.distribute.Monitor(self._make(), session)
            monitor.run_steps(self._count)
            monitor.run_steps(1)
            return [(v, session.run(v)) for v in tf.global_variables()]


def _loss_step(tf, strategy, count):
    def loss(context, x):
        w = tf.get_variable("w", initializer=[1.0, -1.0], use_resource=True)
        return tf.reduce_mean(tf.square(w * x - 1.0))

    return tf.contrib.distribute.StandardSingleLossStep(
        lambda: tf.data.Dataset.from_tensor_slices([[1.0, 2.0], [0.5, 3.0]]).repeat(4),
        loss, tf.train.GradientDescentOptimizer(0.1), strategy, iterations_per_step=count,
    )  # fmt: skip


def _stepped(tf, strategy, count):
    step = _loss_step(tf, strategy, count)
    said = [step.distribution is strategy, tf.contrib.distribute.Step(strategy).initialize()]
    return _Steps(lambda: step, said=said)


def one_device_step(tf):
    return _stepped(tf, tf.contrib.distribute.OneDeviceStrategy("/cpu:0"), 1)


def one_device_steps(tf):
    return _stepped(tf, tf.contrib.distribute.OneDeviceStrategy("/cpu:0"), 2)


def configs(tf):
    config = tf.contrib.distribute.DistributeConfig(remote_cluster={"worker": ["a:1"]})
    strategy = tf.contrib.distribute.OneDeviceStrategy("/cpu:0")
    run = tf.estimator.RunConfig(
        experimental_distribute=tf.contrib.distribute.DistributeConfig(strategy)
    )
    said = [run.train_distribute is strategy, run.eval_distribute, run.is_chief, run.task_type]
    return Case(said=[config, config._replace(eval_distribute=1), *said], steps=0)


def _both(**kwargs):
    def run(tf):
        options = {key: tf.distribute.OneDeviceStrategy("/cpu:0") for key in kwargs}
        config = tf.contrib.distribute.DistributeConfig(**options)
        tf.estimator.RunConfig(experimental_distribute=config, **options)

    return run


def _server(text):
    def run(tf):
        before = os.environ.get("TF_CONFIG")
        os.environ["TF_CONFIG"] = text
        try:
            tf.contrib.distribute.run_standard_tensorflow_server()
        finally:
            del os.environ["TF_CONFIG"]
            if before is not None:
                os.environ["TF_CONFIG"] = before

    return run


def _eager_free(tf):
    tf.contrib.distribute.Monitor(tf.contrib.distribute.Step(None))


def _probed(tables, planes, probes):
    def probe(tf):
        from tensorflow.contrib.nearest_neighbor.python.ops import nearest_neighbor_ops

        products = np.random.RandomState(0).randn(7, tables * planes)
        given = tf.placeholder_with_default(products, [None, None])
        found = nearest_neighbor_ops.hyperplane_lsh_probes(given, tables, planes, probes, "p")
        return Case(found, said=[found], steps=1)

    return probe


def _unprobed(products, *numbers):
    def probe(tf):
        from tensorflow.contrib.nearest_neighbor.python.ops import nearest_neighbor_ops

        found = nearest_neighbor_ops.hyperplane_lsh_probes(tf.constant(products), *numbers)
        tf.Session().run(found)

    return probe


_LOGITS = np.array([[2.0], [-0.5], [0.01], [-0.02], [0.0]], np.float32)
_BITS = np.array([[1.0], [0.0], [0.0], [1.0], [1.0]], np.float32)
_WEIGHTS = np.array([[1.0], [0.5], [2.0], [1.0], [3.0]], np.float32)


def _loss(which, labels=_BITS, weights=_WEIGHTS, predictions=_LOGITS, **kwargs):
    def case(tf):
        from tensorflow.contrib.boosted_trees.python.utils import losses

        made = getattr(losses, which)
        weighs = None if weights is None else tf.constant(weights)
        predicted = tf.constant(predictions)
        found, update = made(tf.constant(labels), weighs, predicted, **kwargs)
        slopes = tf.gradients(found, predicted)
        return Case([found, *slopes], [update], said=[update.name], steps=1)

    return case


_CLASSES = np.array([2, 0, 1, 1, 0])
_SEVERAL = np.array([[0.5, -1.0, 2.0], [3.0, 0.0, 0.0], [90.0, -90.0, 0.0]], np.float32)


CASES = {
    "nearest neighbor": {
        "few": _probed(3, 4, 2),
        "each": _probed(3, 4, 3),
        "more": _probed(2, 5, 21),
        "all": _probed(1, 4, 16),
        "wide": _probed(2, 30, 9),
    },
    "losses": {
        "hinge": _loss("per_example_squared_hinge_loss"),
        "logistic": _loss("per_example_logistic_loss", _BITS.astype(int)),
        "quantile": _loss("per_example_quantile_regression_loss", _BITS * 9.0, quantile=0.3),
        "quantile, even": _loss("per_example_quantile_regression_loss", weights=None, quantile=0.9),
        "classes": _loss(
            "per_example_maxent_loss", _CLASSES[:3], _WEIGHTS[:3], _SEVERAL, num_classes=3
        ),
        "classes, even": _loss(
            "per_example_maxent_loss", _CLASSES[:3, None], None, _SEVERAL, num_classes=3, eps=0.1
        ),
        "squared": _loss("per_example_squared_loss"),
        "exp": _loss("per_example_exp_loss"),
        "exp, named": _loss("per_example_exp_loss", name="n", eps=0.3),
        "full exp": _loss("per_example_full_exp_loss", name="n"),
    },
    "saved model estimator": collect(train_spec, eval_spec, predict_spec, goes_on),
    "annotations": collect(annotated_classifier, annotated_regressor),
    "distribute": collect(one_device_step, one_device_steps, configs),
}
_LABELS = [[1], [0], [1]]
_PRODUCTS = np.ones([5, 8], np.float32)
MISTAKES = {
    "nearest neighbor": {
        "rank": _unprobed(_PRODUCTS[0], 2, 4, 5),
        "size": _unprobed(_PRODUCTS, 3, 4, 5),
        "probes": _unprobed(_PRODUCTS, 2, 4, 0),
        "tables": _unprobed(_PRODUCTS, 0, 4, 2),
        "planes": _unprobed(_PRODUCTS, 2, 0, 2),
        "wide": _unprobed(_PRODUCTS, 2, 40, 2),
        "too many": _unprobed(_PRODUCTS, 2, 4, 40),
        "dtype": _unprobed([[1]], 1, 1, 1),
    },
    "losses": {
        "shapes": _loss("per_example_exp_loss", _BITS[:2]),
        "shapes of full": _loss("per_example_full_exp_loss", _BITS[:2]),
    },
    "saved model estimator": {
        "mode": _misused("train", {"x": _X}, _LABELS, modes=["infer"]),
        "no labels": _misused("eval", {"x": _X}),
        "dtype and shape": _misused("eval", {"x": [[1], [2]]}, _LABELS),
        "labels": _misused("eval", {"x": _X}, [[1.0], [2.0], [3.0]]),
        "step": _misused(
            "eval", {"x": _X}, _LABELS, before=lambda tf: tf.train.create_global_step()
        ),
    },
    "distribute": {
        "no session": _eager_free,
        "trained twice": _both(train_distribute=True),
        "evaluated twice": _both(eval_distribute=True),
        "no step": lambda tf: tf.contrib.distribute.Step(None)(),
        "no cluster": _server("{}"),
        "no task": _server('{"cluster": {"worker": ["localhost:1"]}}'),
        "no type": _server('{"cluster": {"worker": ["localhost:1"]}, "task": {"index": 0}}'),
        "no worker": _server('{"cluster": {"ps": ["localhost:1"]}, "task": {"type": "ps"}}'),
    },
}
