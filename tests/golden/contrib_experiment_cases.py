"""tf.contrib.learn: experiments, monitors, exports, recurrent estimators, files by queues.

Read by `record_cases.py` under TensorFlow 1.15 and replayed by
`tests/api/test_contrib_experiment.py`. Files are written in the current folder.
"""

from __future__ import annotations

import functools
import glob
import os
import re

import numpy as np
from case_runs import Case, collect
from session_runs import Done

_RNG = np.random.RandomState(0)
X = _RNG.randn(16, 3).astype(np.float32)
Y = (X.sum(1) > 0).astype(np.int64)
STEPS = _RNG.randn(4, 5, 2).astype(np.float32)


def _input(tf):
    return {"x": tf.constant(X)}, tf.constant(Y)


def _feature_spec(tf):
    return {"x": tf.FixedLenFeature([3], tf.float32)}


def _folder():
    made = "model_%d" % len(glob.glob("model_*"))
    os.mkdir(made)
    return made


def _floats(results):
    return [float(results[key]) for key in sorted(results)]


def _tags(tf, folder):
    found = {
        (event.step, value.tag)
        for path in glob.glob(os.path.join(folder, "events*"))
        for event in tf.train.summary_iterator(path)
        for value in event.summary.value
    }
    return sorted(found)


def _core_model(features, labels, mode):
    import tensorflow as tf

    w = tf.get_variable("w", initializer=[[0.5], [-0.5], [0.1]])
    logits = tf.matmul(features["x"], w)
    if mode == "infer":
        return tf.estimator.EstimatorSpec(mode, predictions={"y": logits})
    loss = tf.losses.sigmoid_cross_entropy(tf.cast(labels[:, None], tf.float32), logits)
    step = tf.train.get_global_step()
    train_op = tf.train.GradientDescentOptimizer(0.5).minimize(loss, step)
    return tf.estimator.EstimatorSpec(mode, {"y": logits}, loss, train_op)


def _experiment(tf, folder, kind, **options):
    learn = tf.contrib.learn
    monitors = learn.monitors
    captured = monitors.CaptureVariable("global_step:0", every_n=4)
    spec = _feature_spec(tf)
    if kind == "core":
        config = tf.estimator.RunConfig(folder, tf_random_seed=3, save_checkpoints_steps=5)
        estimator = tf.estimator.Estimator(_core_model, config=config)
        serving = tf.estimator.export.build_parsing_serving_input_receiver_fn(spec)
    else:
        config = learn.RunConfig(model_dir=folder, tf_random_seed=3, save_checkpoints_steps=5)
        columns = [tf.contrib.layers.real_valued_column("x", dimension=3)]
        estimator = learn.DNNClassifier([4], columns, config=config)
        serving = learn.build_parsing_serving_input_fn(spec)
    experiment = learn.Experiment(
        estimator, lambda: _input(tf), lambda: _input(tf), train_steps=12, eval_steps=1,
        train_monitors=[captured], export_strategies=learn.make_export_strategy(serving),
        check_interval_secs=None, **options
    )  # fmt: skip
    return experiment, captured


def _signatures(tf, folder):
    with tf.Session(graph=tf.Graph()) as session:
        meta = tf.saved_model.loader.load(session, ["serve"], folder)
    return sorted(
        (key, value.method_name, sorted(value.inputs), sorted(value.outputs))
        for key, value in meta.signature_def.items()
    )


def _whole(tf, kind, **options):
    folder = _folder()
    experiment, captured = _experiment(tf, folder, kind, **options)
    results, exports = experiment.train_and_evaluate()
    exported = tf.compat.as_str(exports[0])
    said = [sorted(results), [int(step) for step in captured.values], len(exports)]
    said += [os.path.dirname(exported)[len(folder) :], _signatures(tf, exported)]
    said += [sorted(os.listdir(exported)), _tags(tf, folder + "/eval")]
    return Done(said, _floats(results))


def several_ways(tf):
    learn = tf.contrib.learn
    folder = _folder()
    experiment, captured = _experiment(tf, folder, "learn", eval_delay_secs=0)
    values = _floats(experiment.test())
    experiment.train()
    values += _floats(experiment.evaluate(name="mine"))
    seen = []
    experiment.continuous_eval(
        throttle_delay_secs=0,
        continuous_eval_predicate_fn=lambda result: seen.append(result) or True,
    )
    experiment, _ = _experiment(tf, _folder(), "learn", train_steps_per_iteration=6)
    old = experiment.reset_export_strategies()
    experiment.extend_train_hooks([])
    values += _floats(experiment.continuous_train_and_eval()[0])
    experiment.local_run()
    said = [len(seen), len(old), old[0].name, type(old[0]).__mro__[1].__name__]
    said += [sorted(os.listdir(folder + "/eval_mine")) != [], experiment.train_steps]
    said += [experiment.eval_steps, experiment.eval_metrics, _tags(tf, folder + "/eval_one_pass")]
    made = []

    def make(run_config, hparams):
        made.append((run_config.model_dir == folder, hparams))
        return _experiment(tf, run_config.model_dir, "learn")[0]

    config = learn.RunConfig(model_dir=folder, tf_random_seed=3, save_checkpoints_steps=5)
    said += [sorted(learn.learn_runner.run(make, run_config=config, schedule="test")), made]
    return Done(said, values)


def stopping(tf):
    learn = tf.contrib.learn
    folder = _folder()
    columns = [tf.contrib.layers.real_valued_column("x", dimension=3)]
    config = learn.RunConfig(model_dir=folder, tf_random_seed=3, save_checkpoints_steps=2)
    estimator = learn.LinearClassifier(columns, config=config)
    monitors = learn.monitors
    validation = monitors.ValidationMonitor(
        input_fn=lambda: _input(tf), eval_steps=1, every_n_steps=2, early_stopping_rounds=3,
        early_stopping_metric="accuracy", early_stopping_metric_minimize=False,
        check_interval_secs=None,
    )  # fmt: skip
    stop = monitors.StopAtStep(num_steps=30)
    estimator.fit(input_fn=lambda: _input(tf), monitors=[validation, stop])
    said = [validation.early_stopped, validation.best_step, sorted(validation.best_metrics)]
    return Done(said, [float(validation.best_value)])


def dumped(tf):
    tf.add(tf.constant(1.0), 2.0, name="sum")
    dumps = [tf.contrib.learn.monitors.GraphDump() for _ in range(2)]
    for dump, value in zip(dumps, (3.0, 4.0)):
        dump.begin()
        wanted = dump.step_begin(0)
        dump.step_end(0, {"sum": value, "array": np.ones(2), wanted[0]: value})
        dump.end()
    return Done([wanted, dumps[0].compare(dumps[1], 0), dumps[0].compare(dumps[0], 0)])


def _record_file(tf, name="records.tfrecord"):
    with tf.python_io.TFRecordWriter(name) as writer:
        for i in range(6):
            ints = tf.train.Feature(int64_list=tf.train.Int64List(value=[i] * (i % 3)))
            number = tf.train.Feature(float_list=tf.train.FloatList(value=[i / 2]))
            feature = tf.train.Features(feature={"a": ints, "b": number})
            writer.write(tf.train.Example(features=feature).SerializeToString())
    return name


def files(tf):
    learn = tf.contrib.learn
    path = _record_file(tf)
    features = {"a": tf.VarLenFeature(tf.int64), "b": tf.FixedLenFeature([], tf.float32)}
    reader = tf.TFRecordReader
    said = [learn.read_batch_examples(path, 2, reader, seed=1)]
    said += learn.read_keyed_batch_examples(
        [path], 3, reader, randomize_input=False, num_epochs=1, num_threads=2, read_batch_size=4,
        name="keyed",
    )  # fmt: skip
    said += learn.read_keyed_batch_examples(
        path, 2, reader, parse_fn=lambda x: {"length": tf.strings.length(x)}, seed=2
    )
    said += learn.read_keyed_batch_features(path, 2, features, reader, num_epochs=2)
    with tf.variable_scope("shared"):
        said += learn.read_keyed_batch_features_shared_queue(
            path, 2, features, reader, num_epochs=1, randomize_input=False
        )
    said.append(learn.read_batch_features(path, 2, features, reader, name="features"))
    said.append(learn.read_batch_record_features(path, 2, features))
    said += [[runner.name for runner in tf.get_collection("queue_runners")]]
    said.append(tf.get_collection("summaries"))
    said = [sorted(x.items(), key=str) if isinstance(x, dict) else x for x in said]
    return Case(said=[re.sub(r" object at 0x\w+", "", str(x)) for x in said], steps=0)


def actions(tf):
    learn = tf.contrib.learn
    folder = _folder()
    graphs = [tf.Graph(), tf.Graph()]
    values = []
    for graph in graphs:
        with graph.as_default():
            step = tf.train.create_global_step()
            w = tf.get_variable("w", initializer=[1.0, 2.0])
            loss = tf.reduce_sum(w * w)
            if graph is graphs[0]:
                # After the update, as TF reads the variable before or after it.
                train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, step)
                with tf.control_dependencies([train]):
                    later = tf.reduce_sum(w.read_value())
                values.append(learn.train(graph, folder, train, later, steps=5))
            else:
                results, at = learn.evaluate(
                    graph, folder + "/eval", folder, {"loss": loss}, max_steps=2
                )
                values += [results["loss"], at]
    with tf.Graph().as_default():
        fed = tf.placeholder(tf.float32, [])
        v = tf.Variable(2.0)
        outputs = {"y": fed * v}
        values += [each["y"] for each in learn.run_n(outputs, {fed: 3.0}, n=2)]
        values += [each["y"] for each in learn.run_feeds(outputs, [{fed: 1.0}, {fed: 4.0}])]
        values.append(learn.infer(None, outputs, {fed: 5.0})["y"])
    return Done([_tags(tf, folder + "/eval")], [float(value) for value in values])


def collected(tf):
    from tensorflow.contrib.learn.python.learn.utils import gc

    paths = [gc.Path("p%d" % i, i) for i in (3, 1, 10, 7, 8)]
    keep = [gc.largest_export_versions(2), gc.one_of_every_n_export_versions(4)]
    keep += [gc.mod_export_version(2), gc.union(*keep), gc.negation(keep[0])]
    return Done([each(paths) for each in keep])


def logistic(tf):
    def model(features, labels, mode):
        del mode
        w = tf.get_variable("w", initializer=[0.5, -0.5, 0.25])
        y = tf.sigmoid(tf.tensordot(features["x"], w, 1))
        loss = tf.losses.log_loss(labels, y)
        return y, loss, tf.train.GradientDescentOptimizer(0.1).minimize(loss)

    tf.train.create_global_step()
    estimator = tf.contrib.learn.LogisticRegressor(model, [0.3, 0.5])
    features, labels = _input(tf)
    found = estimator._call_model_fn(features, labels, "eval")
    metrics = [found.eval_metric_ops[key] for key in sorted(found.eval_metric_ops)]
    said = [sorted(found.eval_metric_ops), found.output_alternatives]
    return Case([update for _, update in metrics], [value for value, _ in metrics], None, said)


RNNS = {
    "regression": {"problem_type": 2, "prediction_type": 1, "num_units": 3},
    "regressions": {
        "problem_type": 2, "prediction_type": 2, "num_units": [3, 2], "cell_type": "gru"
    },
    "class": {
        "problem_type": 1, "prediction_type": 1, "num_units": 2, "num_classes": 3,
        "cell_type": "lstm", "predict_probabilities": True, "optimizer": "Momentum",
        "momentum": 0.9,
    },
    "classes": {
        "problem_type": 1, "prediction_type": 2, "num_units": [2, 3], "num_classes": 2,
        "optimizer": "Adam", "predict_probabilities": True,
        "dropout_keep_probabilities": [0.9, 0.8, 0.7],
    },
}  # fmt: skip


def _recurrent(name, mode, tf):
    tf.set_random_seed(2)
    tf.train.create_global_step()
    options = dict(RNNS[name])
    layers = tf.contrib.layers
    columns = [layers.real_valued_column("steps", dimension=2)]
    features = {"steps": tf.constant(STEPS)}
    if name != "regressions":
        features["sequence_length"] = tf.constant([5, 2, 3, 4])
        features["context"] = tf.constant(X[:4])
        options["context_feature_columns"] = [layers.real_valued_column("context", dimension=3)]
    estimator = tf.contrib.learn.DynamicRnnEstimator(sequence_feature_columns=columns, **options)
    many = options["prediction_type"] == 2
    shape = [4, 5] if many else [4, 1]
    labels = _RNG_LABELS[: np.prod(shape)].reshape(shape)
    labels = labels.astype(np.float32) if options["problem_type"] == 2 else labels
    labels = None if mode == "infer" else tf.constant(labels)
    found = estimator._call_model_fn(features, labels, mode)
    said = [sorted(found.predictions), found.output_alternatives, sorted(found.eval_metric_ops)]
    if mode == "train":
        # TF draws for the steps of a sequence in any order.
        steps = 0 if "dropout_keep_probabilities" in options else 3
        return Case([found.loss], [found.train_op], said=said, steps=steps)
    values = [found.predictions[key] for key in sorted(found.predictions)]
    return Case(values, [] if mode == "infer" else [found.loss], said=said, steps=1)


_RNG_LABELS = np.random.RandomState(1).randint(0, 2, 20)

CASES = {
    "experiments": {
        "learn": lambda tf: _whole(tf, "learn"),
        "core": lambda tf: _whole(tf, "core"),
        "never": lambda tf: _whole(tf, "learn", min_eval_frequency=0),
        "checkpoints": lambda tf: _whole(tf, "learn", checkpoint_and_export=True),
    },
    "parts": collect(several_ways, stopping, dumped, files, actions, collected, logistic),
    "recurrent": {
        f"{name}_{mode}": functools.partial(_recurrent, name, mode)
        for name in RNNS
        for mode in ("train", "eval", "infer")
    },
}


def _learn(call):
    return lambda tf: call(tf.contrib.learn, tf)


def _run(**options):
    def mistake(tf):
        learn = tf.contrib.learn
        if "run_config" in options:
            options["run_config"] = learn.RunConfig(model_dir=options["run_config"])
        learn.learn_runner.run(**options)

    return mistake


def _of(learn, **options):
    estimator = learn.Estimator(lambda features, labels: None)
    return learn.Experiment(estimator, None, None, **options)


MISTAKES = {
    "experiments": {
        "estimator": _learn(lambda learn, tf: learn.Experiment(3, None, None)),
        "listeners": _learn(lambda learn, tf: _of(learn, saving_listeners=[1])),
        "strategies": _learn(lambda learn, tf: _of(learn, export_strategies=[1])),
        "iteration": _learn(lambda learn, tf: _of(learn, train_steps_per_iteration=1.5)),
        "predicate": _learn(
            lambda learn, tf: _of(learn).continuous_eval(0, 0, continuous_eval_predicate_fn=3)
        ),
        "core_metrics": _learn(
            lambda learn, tf: learn.Experiment(
                tf.estimator.Estimator(_core_model), None, None, eval_metrics={}
            )
        ),
        "server": _learn(lambda learn, tf: _of(learn).run_std_server()),
    },
    "runner": {
        "both": _run(experiment_fn=None, output_dir="a", run_config="b"),
        "none": _run(experiment_fn=None),
        "empty": _run(experiment_fn=print, output_dir=""),
        "call": _run(experiment_fn=3, output_dir="a"),
        "made": _run(experiment_fn=lambda output_dir: 3, output_dir="a"),
        "hparams": _run(experiment_fn=lambda output_dir: 3, output_dir="a", hparams=1),
        "folder": _run(experiment_fn=print, run_config=None),
        "wrong_hparams": _run(experiment_fn=print, run_config="a", hparams=1),
    },
    "monitors": {
        "stop": _learn(lambda learn, tf: learn.monitors.StopAtStep()),
        "stop_both": _learn(lambda learn, tf: learn.monitors.StopAtStep(1, 2)),
        "saver": _learn(lambda learn, tf: learn.monitors.CheckpointSaver("a")),
        "validation": _learn(lambda learn, tf: learn.monitors.ValidationMonitor()),
        "end": _learn(lambda learn, tf: learn.monitors.BaseMonitor().end()),
        "step": _learn(lambda learn, tf: learn.monitors.BaseMonitor().step_begin(-1)),
        "step_end": _learn(lambda learn, tf: learn.monitors.BaseMonitor().step_end(1, {})),
        "epoch": _learn(lambda learn, tf: learn.monitors.BaseMonitor().epoch_begin(-1)),
        "epoch_end": _learn(lambda learn, tf: learn.monitors.BaseMonitor().epoch_end(1)),
        "missing": _learn(lambda learn, tf: learn.monitors.BaseMonitor().set_estimator(None)),
        "nan": _learn(
            lambda learn, tf: learn.monitors.NanLoss("x").every_n_step_end(1, {"x": np.nan})
        ),
    },
    "files": {
        "none": _learn(lambda learn, tf: learn.read_batch_examples("no", 1, tf.TFRecordReader)),
        "empty": _learn(lambda learn, tf: learn.read_batch_examples([], 1, tf.TFRecordReader)),
        "batch": _learn(
            lambda learn, tf: learn.read_batch_examples(_record_file(tf), 0, tf.TFRecordReader)
        ),
        "capacity": _learn(
            lambda learn, tf: learn.read_batch_examples(
                _record_file(tf), 1, tf.TFRecordReader, queue_capacity=0
            )
        ),
        "epochs": _learn(
            lambda learn, tf: learn.read_batch_examples(
                _record_file(tf), 1, tf.TFRecordReader, num_epochs=0
            )
        ),
    },
    "actions": {
        "folder": _learn(lambda learn, tf: learn.train(tf.Graph(), "", None, None)),
        "train_op": _learn(lambda learn, tf: learn.train(tf.Graph(), "a", None, None)),
        "steps": _learn(lambda learn, tf: learn.train(tf.Graph(), "a", 1, 1, steps=1, max_steps=1)),
        "step": _learn(lambda learn, tf: learn.train(tf.Graph(), "a", 1, 1)),
        "nothing": _learn(lambda learn, tf: learn.run_feeds({}, [])),
    },
    "recurrent": {
        "prediction": _learn(lambda learn, tf: learn.DynamicRnnEstimator(1, 3, [])),
        "problem": _learn(lambda learn, tf: learn.DynamicRnnEstimator(0, 1, [])),
        "classes": _learn(lambda learn, tf: learn.DynamicRnnEstimator(1, 1, [])),
        "probabilities": _learn(
            lambda learn, tf: learn.DynamicRnnEstimator(2, 1, [], predict_probabilities=True)
        ),
    },
}
