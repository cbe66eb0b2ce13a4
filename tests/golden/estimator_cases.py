"""A small estimator that is trained, evaluated, asked and exported.

Run by `record_estimator.py` under TensorFlow 1.15, and by tests/api/test_estimator.py.
"""

from __future__ import annotations

import logging
import os
import re

import numpy as np
import recording
from case_runs import collect


def _input_fn(mode, params):
    """Features and labels; no end in training, two batches otherwise."""
    x = np.arange(8, dtype="f").reshape(4, 2) / 8
    # TensorFlow would evaluate a constant while it records, to find static shapes.
    x = tf_of(params).placeholder_with_default(x, [None, 2])
    epochs = None if mode == "train" else 2
    x = tf_of(params).train.limit_epochs(x, num_epochs=epochs)
    words = tf_of(params).as_string(tf_of(params).cast(8.0 * x[:, :1], tf_of(params).int32))
    return {"x": x, "word": words}, [1.0, 0.0, 2.0, 1.0]


class _Module(object):
    """TensorFlow as a parameter: parameters are copied, modules can't be."""

    def __init__(self, tf):
        self.tf = tf

    def __deepcopy__(self, memo):
        return self

    def __repr__(self):
        return "tf"


def tf_of(params):
    """The `tensorflow` module in an estimator's parameters."""
    return params["tf"].tf


def _model_fn(features, labels, mode, params, config):
    tf = tf_of(params)
    fc = tf.feature_column
    word = fc.categorical_column_with_hash_bucket("word", 5)
    columns = [fc.numeric_column("x", 2), fc.embedding_column(word, 2)]
    y = tf.layers.dense(fc.input_layer(features, columns), params["units"])[:, 0]
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tf.estimator.EstimatorSpec(mode, predictions={"y": y, "s": tf.nn.sigmoid(y)})
    loss = tf.losses.mean_squared_error(labels, y)
    train = tf.train.AdamOptimizer(0.1).minimize(loss, tf.train.get_global_step())
    error = tf.metrics.mean_absolute_error(labels, y)
    return tf.estimator.EstimatorSpec(
        mode, predictions=y, loss=loss, train_op=train, eval_metric_ops={"error": error}
    )


class _Log(logging.Handler):
    """The lines that TensorFlow logs."""

    def __init__(self):
        super(_Log, self).__init__()
        self.lines = []

    def emit(self, record):
        text = record.getMessage()
        # The last one hangs, in TensorFlow, on which of two threads is quicker; that a folder named
        # by the second is there already, on how quick the exports are.
        skipped = ("From ", "Entity", "\n", "Saver not created", "Directory ", "It seems that")
        if not text.startswith(skipped):
            self.lines.append(_anonymous(text))


def _anonymous(text):
    """Text without times, folders and what is an object's address."""
    text = recording.normalise_text(text)
    text = re.sub(r"\d{4}-\d\d-\d\dT?-?\d\d:\d\d:\d\dZ?", "<time>", text)
    text = re.sub(r"(temp-b')?\b1\d{9}\b'?", "<stamp>", text)
    text = re.sub(r"<\S* object at <address>>", "<object>", text)
    return re.sub(
        r"(global_step/sec|loss|error|step)( ?[:=] )[-\d.]+( \([\d.]+ sec\))?", r"\1\2<n>", text
    )


def trained(tf):
    """Trains, evaluates, predicts and exports.

    Returns:
        A dict of `graphs`, `values`, `files` and `log`.
    """
    handler, logger = _Log(), logging.getLogger("tensorflow")
    before = tf.logging.get_verbosity()
    tf.logging.set_verbosity(tf.logging.INFO)
    logger.addHandler(handler)
    try:
        found = _trained(tf)
    finally:
        logger.removeHandler(handler)
        tf.logging.set_verbosity(before)
    found["log"] = [line for line in handler.lines if "tf_config" not in line]
    return found


def _trained(tf):
    graphs, values = {}, []
    estimators = tf.estimator

    def keeping(name):
        class Keep(tf.train.SessionRunHook):
            def after_create_session(self, session, coord):
                graphs[name] = recording.describe_graph(session.graph)

        return Keep()

    config = estimators.RunConfig(
        "model", tf_random_seed=1, save_checkpoints_steps=3, save_summary_steps=2,
        log_step_count_steps=4,
    )  # fmt: skip
    params = {"units": 1, "tf": _Module(tf)}
    estimator = estimators.Estimator(_model_fn, config=config, params=params)
    assert estimator.train(_input_fn, [keeping("train")], steps=5) is estimator
    values.append(sorted(estimator.get_variable_names()))
    values.append(estimator.get_variable_value("dense/kernel"))
    values.append(estimator.evaluate(_input_fn, hooks=[keeping("eval")], name="all"))
    predictions = estimator.predict(_input_fn, hooks=[keeping("predict")])
    values += [next(predictions) for _ in range(5)]
    predictions.close()
    batches = estimator.predict(_input_fn, ["s"], yield_single_examples=False)
    values += list(batches)

    def placeholders():
        return {
            "x": tf.placeholder(tf.float32, [None, 2], name="x"),
            "word": tf.placeholder(tf.string, [None, 1], name="word"),
        }

    receiver = estimators.export.build_raw_serving_input_receiver_fn(placeholders())
    folder = estimator.export_saved_model("exported", receiver)
    with tf.Session(graph=tf.Graph()) as session:
        loaded = tf.saved_model.loader.load(session, ["serve"], folder.decode())
        graphs["export"] = recording.describe_graph(session.graph)
        signature = loaded.signature_def["serving_default"]
        feeds = {signature.inputs["x"].name: [[1.0, 2.0]], signature.inputs["word"].name: [["a"]]}
        values.append(session.run(signature.outputs["y"].name, feeds))
        signatures = sorted(loaded.signature_def)
    train_spec = estimators.TrainSpec(_input_fn, max_steps=9)
    exporters = [
        estimators.FinalExporter("final", receiver),
        estimators.LatestExporter("l", receiver),
    ]
    eval_spec = estimators.EvalSpec(_input_fn, steps=1, throttle_secs=0, exporters=exporters)
    results, exported = estimators.train_and_evaluate(estimator, train_spec, eval_spec)
    values += [results, estimator.train(_input_fn, max_steps=9) is estimator]
    warm = estimators.Estimator(_model_fn, "warm", params=params, warm_start_from="model")
    values.append(warm.evaluate(_input_fn, steps=1))
    files = sorted(name for name in os.listdir("model") if "tfevents" not in name)
    files += [sorted(os.listdir(folder)), [os.path.dirname(path) for path in exported], signatures]
    return {"graphs": graphs, "values": values, "files": [_anonymous(str(x)) for x in files]}


def _spec(mode="train", **kwargs):
    """A mistake in an EstimatorSpec."""

    def case(tf):
        given = {"loss": tf.constant(1.0), "train_op": tf.no_op(name="train")}
        given.update(kwargs)
        given = {key: value(tf) if callable(value) else value for key, value in given.items()}
        return tf.estimator.EstimatorSpec(mode, **given)

    return case


def _other_graph(tf):
    with tf.Graph().as_default():
        return tf.constant(1.0, name="other")


def _model(features):
    return features


def _estimator(tf, **kwargs):
    return tf.estimator.Estimator(_model, "model", **kwargs)


def _subclassed(tf):
    class Mine(tf.estimator.Estimator):
        def train(self):
            return None

    Mine(_model, "model")


def _with_tf_config(text, function):
    def case(tf):
        os.environ["TF_CONFIG"] = text
        try:
            return function(tf)
        finally:
            del os.environ["TF_CONFIG"]

    return case


_CLUSTER = '{{"cluster": {{{}}}, "task": {{{}}}}}'


def _cluster(jobs, task):
    return _with_tf_config(_CLUSTER.format(jobs, task), lambda tf: tf.estimator.RunConfig())


def cluster(tf):
    """What RunConfig makes of TF_CONFIG."""
    found = []
    for task in ("chief", "worker", "ps", "evaluator"):
        jobs = '"chief": ["a:1"], "worker": ["b:1", "b:2"], "ps": ["c:1"]'
        text = _CLUSTER.format(jobs, '"type": "{}", "index": 0'.format(task))
        config = _with_tf_config(text, lambda tf: tf.estimator.RunConfig(save_summary_steps=3))(tf)
        names = (
            "task_type task_id is_chief master num_ps_replicas num_worker_replicas "
            "global_id_in_cluster evaluation_master model_dir save_checkpoints_secs"
        )
        found.append([str(getattr(config, name)) for name in names.split()])
        found.append(str(config.session_config))
    config = tf.estimator.RunConfig().replace(save_checkpoints_steps=3, model_dir="x")
    found.append([config.save_checkpoints_steps, config.save_checkpoints_secs, config.model_dir])
    return found


MISTAKES = {
    "spec": {
        "no train_op": _spec(train_op=None),
        "no loss": _spec(loss=None),
        "no predictions": _spec("infer"),
        "loss's shape": _spec(loss=lambda tf: tf.ones([2])),
        "loss's graph": _spec(loss=_other_graph),
        "train_op's graph": _spec(train_op=_other_graph),
        "train_op's type": _spec(train_op=3),
        "loss's type": _spec(loss=3),
        "prediction's type": _spec(predictions={"x": 3}),
        "prediction's graph": _spec(predictions=lambda tf: {"x": _other_graph(tf)}),
        "hooks": _spec(training_hooks=[3]),
        "scaffold": _spec(scaffold=3),
        "metrics": _spec(eval_metric_ops=[3]),
        "a metric": _spec(eval_metric_ops={"x": 3}),
        "a metric's graph": _spec(eval_metric_ops=lambda tf: {"x": (_other_graph(tf),) * 2}),
        "exports": _spec("infer", predictions=lambda tf: tf.ones([2]), export_outputs=[3]),
        "an export": _spec("infer", predictions=lambda tf: tf.ones([2]), export_outputs={"x": 3}),
        "several exports": _spec(
            "infer",
            predictions=lambda tf: tf.ones([2]),
            export_outputs=lambda tf: {
                key: tf.estimator.export.PredictOutput(tf.ones([2])) for key in "ab"
            },
        ),
        "mode": lambda tf: _spec()(tf)._replace(mode="eval"),
    },
    "estimator": {
        "no model": lambda tf: tf.estimator.Estimator(None, "model"),
        "no features": lambda tf: tf.estimator.Estimator(lambda x: x, "model"),
        "params": lambda tf: _estimator(tf, params={"a": 1}),
        "config": lambda tf: _estimator(tf, config=3),
        "other folder": lambda tf: _estimator(tf, config=tf.estimator.RunConfig("other")),
        "warm start": lambda tf: _estimator(tf, warm_start_from=3),
        "no warm start": lambda tf: tf.estimator.WarmStartSettings(""),
        "overridden": _subclassed,
        "steps": lambda tf: _estimator(tf).train(_model, steps=0),
        "both steps": lambda tf: _estimator(tf).train(_model, steps=1, max_steps=1),
        "max_steps": lambda tf: _estimator(tf).train(_model, max_steps=-1),
        "hook": lambda tf: _estimator(tf).train(_model, hooks=[3]),
        "listener": lambda tf: _estimator(tf).train(_model, saving_listeners=[3]),
        "evaluation's steps": lambda tf: _estimator(tf).evaluate(_model, steps=0),
        "no checkpoint": lambda tf: _estimator(tf).get_variable_names(),
        "no receiver": lambda tf: _estimator(tf).export_saved_model("x", None),
        "nothing to export": lambda tf: _estimator(tf).export_saved_model("x", _model),
        "no spec": lambda tf: _estimator(tf).train(lambda: {}),
        "labels": lambda tf: _estimator(tf).train(lambda: ({}, [1])),
        "three parts": lambda tf: _estimator(tf).train(lambda: (1, 2, 3)),
    },
    "config": {
        "folder": lambda tf: tf.estimator.RunConfig(""),
        "both": lambda tf: tf.estimator.RunConfig(
            save_checkpoints_secs=1, save_checkpoints_steps=1
        ),
        "seed": lambda tf: tf.estimator.RunConfig(tf_random_seed=1.5),
        "steps": lambda tf: tf.estimator.RunConfig(save_summary_steps=-1),
        "session": lambda tf: tf.estimator.RunConfig(session_config=3),
        "device": lambda tf: tf.estimator.RunConfig(device_fn=lambda x: x),
        "protocol": lambda tf: tf.estimator.RunConfig(protocol="x"),
        "replaced": lambda tf: tf.estimator.RunConfig().replace(master="x"),
        "no chief": _cluster('"worker": ["a:1"]', '"type": "worker", "index": 0'),
        "two chiefs": _cluster('"chief": ["a:1", "b:1"]', '"type": "chief", "index": 0'),
        "no type": _cluster('"chief": ["a:1"]', '"index": 0'),
        "no index": _cluster('"chief": ["a:1"]', '"type": "chief"'),
        "negative": _cluster('"chief": ["a:1"]', '"type": "chief", "index": -1'),
        "no such task": _cluster('"chief": ["a:1"]', '"type": "chief", "index": 1'),
        "no such type": _cluster('"chief": ["a:1"]', '"type": "ps", "index": 0'),
        "alone": _with_tf_config('{"task": {"index": 1}}', lambda tf: tf.estimator.RunConfig()),
        "master": _cluster('"master": ["a:1"], "chief": ["a:1"]', '"type": "chief", "index": 0'),
    },
    "training": {
        "input": lambda tf: tf.estimator.TrainSpec(3),
        "max_steps": lambda tf: tf.estimator.TrainSpec(_model, 0),
        "hooks": lambda tf: tf.estimator.TrainSpec(_model, 1, [3]),
        "steps": lambda tf: tf.estimator.EvalSpec(_model, 0),
        "name": lambda tf: tf.estimator.EvalSpec(_model, name=3),
        "exporters": lambda tf: tf.estimator.EvalSpec(_model, exporters=3),
        "an exporter": lambda tf: tf.estimator.EvalSpec(_model, exporters=[3]),
        "delay": lambda tf: tf.estimator.EvalSpec(_model, start_delay_secs=-1),
        "throttle": lambda tf: tf.estimator.EvalSpec(_model, throttle_secs=-1),
        "spec": lambda tf: tf.estimator.train_and_evaluate(3, 3, 3),
        "estimator": lambda tf: tf.estimator.train_and_evaluate(
            3, tf.estimator.TrainSpec(_model), tf.estimator.EvalSpec(_model)
        ),
        "kept": lambda tf: tf.estimator.LatestExporter("x", _model, exports_to_keep=0),
        "comparison": lambda tf: tf.estimator.BestExporter(compare_fn=_model),
    },
    "export": {
        "scores": lambda tf: tf.estimator.export.ClassificationOutput(scores=3),
        "classes": lambda tf: tf.estimator.export.ClassificationOutput(classes=tf.ones([1])),
        "neither": lambda tf: tf.estimator.export.ClassificationOutput(),
        "value": lambda tf: tf.estimator.export.RegressionOutput(3),
        "output": lambda tf: tf.estimator.export.PredictOutput({"x": 3}),
        "key": lambda tf: tf.estimator.export.PredictOutput({3: tf.ones([1])}),
        "features": lambda tf: tf.estimator.export.ServingInputReceiver(None, None),
        "a feature": lambda tf: tf.estimator.export.ServingInputReceiver({"x": 3}, None),
        "a feature's key": lambda tf: tf.estimator.export.ServingInputReceiver(
            {1.5: tf.ones([1])}, None
        ),
        "receiver": lambda tf: tf.estimator.export.ServingInputReceiver(tf.ones([1]), {3: 3}),
        "overlap": lambda tf: tf.estimator.experimental.build_raw_supervised_input_receiver_fn(
            {"x": 1}, {"x": 1}
        ),
    },
}
RUNS = collect(trained, cluster)
