"""What is done with estimators besides: TPU estimators on the host, hooks, predictors, exports.

Run by `record_canned.py` under TensorFlow 1.15, and by tests/api/test_canned.py.
"""

from __future__ import annotations

import logging
import os

import canned_cases
import numpy as np
from case_runs import collect
from estimator_cases import _Log, _Module, tf_of


def _config(tf, folder="model", **kwargs):
    return tf.estimator.RunConfig(os.path.abspath(folder), tf_random_seed=2, **kwargs)


def _data():
    r = np.random.RandomState(0)
    x = r.randn(8, 2).astype("f")
    return x, (x[:, 0] > 0).astype("i")


def _batches(params):
    """Batches of the size that a TPU estimator says."""
    tf = tf_of(params)
    x, y = _data()
    dataset = tf.data.Dataset.from_tensor_slices(({"x": x}, y)).repeat(4)
    return dataset.batch(params["batch_size"], drop_remainder=True)


def _classifier(features, labels, mode, params, config):
    """A small net, as scripts for TPUs have it."""
    tf = tf_of(params)
    assert not params["use_tpu"]
    logits = tf.layers.dense(features["x"], 2, name="output")
    predictions = {"logits": logits, "class": tf.argmax(logits, -1)}
    tpu = tf.contrib.tpu
    if mode == tf.estimator.ModeKeys.PREDICT:
        return tpu.TPUEstimatorSpec(mode, predictions=predictions)
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    loss = tf.reduce_sum(losses) / params["batch_size"]
    if mode == tf.estimator.ModeKeys.EVAL:

        def metric_fn(losses, labels, logits):
            return {
                "accuracy": tf.metrics.accuracy(labels, tf.argmax(logits, -1)),
                "mean": tf.metrics.mean(losses),
            }

        return tpu.TPUEstimatorSpec(
            mode, loss=loss, eval_metrics=(metric_fn, [losses, labels, logits])
        )

    def scaffold_fn():
        return tf.train.Scaffold()

    optimizer = tf.train.AdamOptimizer(0.1)
    train_op = optimizer.minimize(loss, tf.train.get_global_step())
    return tpu.TPUEstimatorSpec(mode, loss=loss, train_op=train_op, scaffold_fn=scaffold_fn)


def _tpu_estimator(tf, **kwargs):
    tpu = tf.contrib.tpu
    config = tpu.RunConfig(
        model_dir=os.path.abspath("model"), tf_random_seed=2, save_checkpoints_steps=4,
        log_step_count_steps=6,
        tpu_config=tpu.TPUConfig(
            iterations_per_loop=2, num_shards=8,
            per_host_input_for_training=tpu.InputPipelineConfig.PER_HOST_V2,
        ),
    )  # fmt: skip
    settings = {
        "model_fn": _classifier, "config": config, "params": {"tf": _Module(tf)},
        "use_tpu": False, "train_batch_size": 4, "eval_batch_size": 8, "predict_batch_size": 2,
        "export_to_tpu": False,
    }  # fmt: skip
    settings.update(kwargs)
    return tpu.TPUEstimator(**settings)


def tpu(tf):
    """A TPU estimator without a TPU."""
    watch = canned_cases.Watch(tf)
    estimator = _tpu_estimator(tf)
    estimator.train(_batches, [watch.keep("train")], max_steps=7)
    values = [watch.losses, estimator.evaluate(_batches, steps=2, hooks=[watch.keep("eval")])]
    values.append(list(estimator.predict(_batches, hooks=[watch.keep("predict")]))[:3])
    names = sorted(estimator.get_variable_names())
    receiver = tf.estimator.export.build_raw_serving_input_receiver_fn(
        {"x": tf.placeholder(tf.float32, [None, 2], name="x")}
    )
    folder = estimator.export_saved_model("exported", receiver)
    predict = tf.contrib.predictor.from_saved_model(folder.decode())
    values.append(predict({"x": _data()[0][:3]}))
    config = estimator.config
    said = [names, canned_cases.tags(tf, "model"), str(config.tpu_config)]
    said += [config.master, config.evaluation_master, config.cluster]
    replaced = config.replace(tpu_config=tf.contrib.tpu.TPUConfig("5m"), save_summary_steps=3)
    said += [str(replaced.tpu_config), replaced.save_summary_steps]
    return {"graphs": watch.graphs, "values": values, "said": said}


def _dnn(tf, folder="model", **kwargs):
    fc = tf.feature_column
    columns = [fc.numeric_column("x", 2)]
    settings = {"config": _config(tf, folder, save_checkpoints_steps=4)}
    settings.update(kwargs)
    return tf.estimator.DNNClassifier([3], columns, **settings)


def _input_fn(tf, epochs=None, batch_size=4):
    x, y = _data()
    return tf.estimator.inputs.numpy_input_fn(
        {"x": x}, y, batch_size=batch_size, num_epochs=epochs, shuffle=False
    )


def extended(tf):
    """Metrics, features and clipping that are added."""

    def metric_fn(features, labels, predictions):
        difference = predictions["logistic"][:, 0] - tf.to_float(labels)
        return {"difference": tf.metrics.mean(difference), "x": tf.metrics.mean(features["x"])}

    contrib = tf.contrib.estimator
    watch = canned_cases.Watch(tf)
    optimizer = contrib.clip_gradients_by_norm(tf.train.GradientDescentOptimizer(0.5), 0.1)
    estimator = tf.estimator.add_metrics(_dnn(tf, optimizer=optimizer), metric_fn)
    estimator = contrib.forward_features(estimator, "x")
    estimator.train(_input_fn(tf), [watch.keep("train")], steps=5)
    values = [watch.losses, estimator.evaluate(_input_fn(tf, 1), hooks=[watch.keep("eval")])]
    predictions = estimator.predict(_input_fn(tf, 1), hooks=[watch.keep("predict")])
    values.append(list(predictions)[:2])
    return {"graphs": watch.graphs, "values": values, "said": [sorted(values[-1][0])]}


def stopped(tf):
    """Training that ends early."""
    experimental = tf.estimator.experimental
    found = []
    for make, threshold in (
        ("stop_if_lower_hook", 1e9),
        ("stop_if_higher_hook", 1e9),
        ("stop_if_no_decrease_hook", 2),
        ("stop_if_no_increase_hook", 2),
    ):
        estimator = _dnn(tf, make)
        for _ in range(3):
            hook = getattr(experimental, make)(
                estimator, "loss", threshold, run_every_secs=None, run_every_steps=1
            )
            estimator.train(_input_fn(tf), [hook], steps=2)
            estimator.evaluate(_input_fn(tf, 1))
        found.append([make, estimator.get_variable_value("global_step")])
    estimator = _dnn(tf, "predicate")
    calls = []
    watch = canned_cases.Watch(tf)
    hook = experimental.make_early_stopping_hook(
        estimator, lambda: calls.append(1) or len(calls) > 2, None, 2
    )
    estimator.train(_input_fn(tf), [hook, watch.keep("train")], steps=20)
    names = sorted(estimator.get_variable_names())
    step = estimator.get_variable_value("global_step")
    estimator = _dnn(tf, "last")
    hook = experimental.make_stop_at_checkpoint_step_hook(estimator, 3)
    estimator.train(_input_fn(tf), [hook])
    found.append([step, estimator.get_variable_value("global_step")])
    return {"graphs": watch.graphs, "values": [x[1] for x in found], "said": names}


def in_memory(tf):
    """Evaluations in the course of training."""
    estimator = _dnn(tf)
    watch = canned_cases.Watch(tf)
    hook = tf.estimator.experimental.InMemoryEvaluatorHook(
        estimator, _input_fn(tf, 1), steps=1, name="now", hooks=[watch.keep("eval")],
        every_n_iter=3,
    )  # fmt: skip
    estimator.train(_input_fn(tf), [hook], steps=7)
    return {"graphs": {}, "values": [], "said": canned_cases.tags(tf, "model/eval_now")}


def parsed(tf):
    """Examples as input, and what is exported for them."""
    fc = tf.feature_column
    columns = [
        fc.numeric_column("x", 2),
        fc.indicator_column(fc.categorical_column_with_hash_bucket("word", 3)),
    ]
    spec = tf.estimator.classifier_parse_example_spec(columns, "y", weight_column="w")
    specs = [spec, tf.estimator.regressor_parse_example_spec(columns, "y", label_dimension=2)]

    def example(i):
        feature = tf.train.Feature
        features = {
            "x": feature(float_list=tf.train.FloatList(value=[i, -i])),
            "word": feature(bytes_list=tf.train.BytesList(value=[b"ab"[i % 2 : i % 2 + 1]])),
            "y": feature(int64_list=tf.train.Int64List(value=[i % 2])),
            "w": feature(float_list=tf.train.FloatList(value=[1.5])),
        }
        # One after the other, as the order of a map is not the same everywhere.
        protos = [tf.train.Features(feature={name: features[name]}) for name in sorted(features)]
        return b"".join(tf.train.Example(features=x).SerializeToString() for x in protos)

    def input_fn():
        examples = tf.data.Dataset.from_tensor_slices([example(i) for i in range(6)])
        features = tf.parse_example(examples.repeat().batch(3).make_one_shot_iterator().get_next(),
                                    spec)  # fmt: skip
        return features, features.pop("y")

    estimator = tf.estimator.DNNClassifier([2], columns, config=_config(tf), weight_column="w")
    watch = canned_cases.Watch(tf)
    estimator.train(input_fn, [watch.keep("train")], steps=4)
    receiver = tf.estimator.export.build_parsing_serving_input_receiver_fn(
        fc.make_parse_example_spec(columns)
    )
    folder = estimator.export_savedmodel("exported", receiver).decode()
    predictor = tf.contrib.predictor
    values = [watch.losses]
    for predict in (
        predictor.from_saved_model(folder),
        predictor.from_saved_model(folder, "regression"),
        predictor.from_saved_model(folder, "predict", tags="serve"),
        predictor.from_estimator(estimator, receiver),
        predictor.from_estimator(estimator, receiver, "predict"),
    ):
        (name,) = predict.feed_tensors
        values.append(predict({name: [example(3), example(4)]}))
    said = [sorted(str(x) for x in spec.items()) for spec in specs]
    return {"graphs": watch.graphs, "values": values, "said": said}


def warm_started(tf):
    """A model that starts from another, and the best export."""
    _dnn(tf).train(_input_fn(tf), steps=3)
    settings = tf.estimator.WarmStartSettings("model", vars_to_warm_start=".*hiddenlayer.*")
    estimator = _dnn(tf, "warm", warm_start_from=settings)
    watch = canned_cases.Watch(tf)
    receiver = tf.estimator.export.build_raw_serving_input_receiver_fn(
        {"x": tf.placeholder(tf.float32, [None, 2], name="x")}
    )
    train = tf.estimator.TrainSpec(_input_fn(tf), 8, [watch.keep("train")])
    best = tf.estimator.BestExporter(serving_input_receiver_fn=receiver)
    evaluate = tf.estimator.EvalSpec(_input_fn(tf, 1), None, exporters=best, throttle_secs=0)
    results, _ = tf.estimator.train_and_evaluate(estimator, train, evaluate)
    exports = len(os.listdir("warm/export/best_exporter"))
    said = [exports, canned_cases.tags(tf, "warm/eval")]
    return {"graphs": watch.graphs, "values": [watch.losses, results], "said": said}


def logged(tf):
    """What a TPU estimator says while it trains."""
    handler, logger = _Log(), logging.getLogger("tensorflow")
    before = tf.logging.get_verbosity()
    estimator = _tpu_estimator(tf)
    tf.logging.set_verbosity(tf.logging.INFO)
    logger.addHandler(handler)
    try:
        estimator.train(_batches, steps=1)
    finally:
        logger.removeHandler(handler)
        tf.logging.set_verbosity(before)
    lines = [line for line in handler.lines if "checkpoints" not in line]
    return {"graphs": {}, "values": [], "said": lines}


def learnt(tf):
    """An estimator of tf.contrib.learn."""
    learn = tf.contrib.learn

    def model_fn(features, labels, mode, params):
        logits = tf.contrib.layers.fully_connected(features["x"], 2, activation_fn=None)
        classes = tf.argmax(logits, 1)
        loss, train_op = None, None
        if mode != learn.ModeKeys.INFER:
            loss = tf.losses.sparse_softmax_cross_entropy(labels, logits)
        if mode == learn.ModeKeys.TRAIN:
            train_op = tf.contrib.layers.optimize_loss(
                loss, tf.train.get_global_step(), params["rate"], "SGD"
            )
        return learn.ModelFnOps(mode, {"class": classes, "logits": logits}, loss, train_op)

    config = learn.RunConfig(tf_random_seed=1, save_summary_steps=2, model_dir="model")
    estimator = learn.Estimator(model_fn, config=config, params={"rate": 0.5})
    watch = canned_cases.Watch(tf)
    assert estimator.fit(input_fn=_input_fn(tf), steps=4, monitors=[watch.keep("train")])
    metrics = {
        "accuracy": learn.MetricSpec(tf.metrics.accuracy, "class"),
        "mean": learn.MetricSpec(tf.metrics.mean, prediction_key="logits"),
    }
    results = estimator.evaluate(
        input_fn=_input_fn(tf, 1), metrics=metrics, hooks=[watch.keep("eval")], name="a"
    )
    values = [watch.losses, results]
    graphs = []

    def observed():
        features = _input_fn(tf, 1)()
        graphs.append(tf.get_default_graph())
        return features

    values.append(list(estimator.predict(input_fn=observed, outputs=["class"])))
    watch.graphs["predict"] = canned_cases.described(graphs[0])
    values.append(estimator.get_variable_value("fully_connected/weights"))
    estimator.fit(input_fn=_input_fn(tf), max_steps=6)
    said = [sorted(estimator.get_variable_names()), str(metrics["accuracy"])]
    said += [canned_cases.tags(tf, "model"), canned_cases.tags(tf, "model/eval_a")]
    return {"graphs": watch.graphs, "values": values, "said": said}


RUNS = collect(learnt, tpu, extended, stopped, in_memory, parsed, warm_started, logged)


def _spec(tf, **kwargs):
    return tf.contrib.tpu.TPUEstimatorSpec("eval", loss=tf.constant(1.0), **kwargs)


def _learnt(tf, folder="model"):
    return tf.contrib.learn.Estimator(lambda features, labels: 1, folder)


def words(tf):
    """Texts and categories as numbers, and points on curves."""
    learn = tf.contrib.learn
    texts = ["a b c HTTPServer d e", "b b a don't camelCase"]
    processor = learn.preprocessing.VocabularyProcessor(4)
    found = [[row.tolist() for row in processor.fit_transform(texts)]]
    found.append(list(processor.reverse([[1, 2], [3, 0]])))
    processor.save("words")
    restored = learn.preprocessing.VocabularyProcessor.restore("words")
    found.append([row.tolist() for row in restored.transform(["c z", "don't"])])
    trimmed = learn.preprocessing.VocabularyProcessor(3, min_frequency=1)
    found.append([row.tolist() for row in trimmed.fit_transform(texts)])
    vocabulary = learn.preprocessing.CategoricalVocabulary(support_reverse=False)
    for word in "d a b a c c c b e e f f f f".split():
        vocabulary.add(word)
    vocabulary.trim(1, 4)
    counts = [sorted(x.items()) for x in (vocabulary._mapping, vocabulary._freq)]
    found.append([[list(pair) for pair in pairs] for pairs in counts])
    for share in (False, True):
        processor = learn.preprocessing.CategoricalProcessor(share=share)
        rows = [["1", "2", float("nan")], ["3", float("nan"), "1"]]
        found.append([row.tolist() for row in processor.fit_transform(rows)])
    processor = learn.preprocessing.ByteProcessor(5)
    rows = list(processor.fit_transform([b"hello!", b"ab", b"\xff"]))
    found.append([[row.tolist() for row in rows], list(processor.reverse(rows))])
    for name, settings in (
        ("circles", {"noise": 0.1}), ("circles", {"n_classes": 3}), ("spirals", {}),
        ("spirals", {"mode": "fermat"}), ("spirals", {"mode": "bernoulli", "exp_scale": 0.2}),
    ):  # fmt: skip
        data = learn.datasets.make_dataset(name, 11, **settings)
        found.append([data.data.round(6).tolist(), data.target.tolist(), str(data.target.dtype)])
    iris, boston = learn.datasets.load_iris(), learn.datasets.load_dataset("boston")
    for table in (iris, boston):
        found.append([list(table.data.shape), table.data.sum(0).round(3).tolist()])
        found.append([table.target[::50].tolist(), str(table.target.dtype)])
    return found


def _resolvers(tf):
    return tf.contrib.cluster_resolver


def _forwarded(keys, **kwargs):
    def case(tf):
        made = tf.contrib.estimator.forward_features(_dnn(tf), keys, **kwargs)
        made.train(_input_fn(tf), steps=1)

    return case


MISTAKES = {
    "tpu": {
        "config": lambda tf: _tpu_estimator(tf, config=tf.estimator.RunConfig()),
        "reserved": lambda tf: _tpu_estimator(tf, params={"batch_size": 3}),
        "no size": lambda tf: _tpu_estimator(tf, use_tpu=True, train_batch_size=None),
        "size": lambda tf: _tpu_estimator(tf, use_tpu=True, train_batch_size=-1),
        "size's type": lambda tf: _tpu_estimator(tf, use_tpu=True, eval_batch_size=1.5),
        "version": lambda tf: _tpu_estimator(tf, export_saved_model_api_version=3),
        "params": lambda tf: _tpu_estimator(tf, model_fn=lambda features: 1, params=None).train(
            lambda params: {"x": tf.ones([1, 2])}, steps=1
        ),
        "input's params": lambda tf: _tpu_estimator(tf).train(canned_cases.WORDS.copy, steps=1),
        "neither": lambda tf: _tpu_estimator(tf, export_to_cpu=False).export_saved_model(
            "x", _batches, checkpoint_path="y"
        ),
        "iterations": lambda tf: tf.contrib.tpu.TPUConfig("x"),
        "shards": lambda tf: tf.contrib.tpu.TPUConfig(num_shards=0),
        "cores": lambda tf: tf.contrib.tpu.TPUConfig(num_cores_per_replica=3),
        "dims": lambda tf: tf.contrib.tpu.TPUConfig(input_partition_dims=[1, 2, 3]),
        "dims' mode": lambda tf: tf.contrib.tpu.TPUConfig(input_partition_dims=[1]),
        "eval": lambda tf: tf.contrib.tpu.TPUConfig(eval_training_input_configuration=3),
        "metrics": lambda tf: _spec(tf, eval_metrics=3),
        "metrics' length": lambda tf: _spec(tf, eval_metrics=(3,)),
        "metrics' function": lambda tf: _spec(tf, eval_metrics=(3, [])),
        "metrics' tensors": lambda tf: _spec(tf, eval_metrics=(len, 3)),
        "metrics' arguments": lambda tf: _spec(tf, eval_metrics=(lambda x: x, [1, 2])),
        "hook": lambda tf: _spec(tf, training_hooks=[3]),
        "reduction": lambda tf: tf.tpu.CrossShardOptimizer(3, reduction="none"),
    },
    "learn": {
        "no input": lambda tf: _learnt(tf).fit(),
        "both steps": lambda tf: _learnt(tf).fit(input_fn=len, steps=1, max_steps=1),
        "both inputs": lambda tf: _learnt(tf).fit(x=[1], input_fn=len),
        "batch": lambda tf: _learnt(tf).fit(input_fn=len, batch_size=1),
        "metrics": lambda tf: _learnt(tf).evaluate(input_fn=len, metrics=[1]),
        "not fitted": lambda tf: list(_learnt(tf, "none").predict(input_fn=len)),
        "params": lambda tf: tf.contrib.learn.Estimator(len, "model", params={"a": 1}),
        "mode": lambda tf: tf.contrib.learn.ModelFnOps("x"),
        "no train_op": lambda tf: tf.contrib.learn.ModelFnOps("train", 1.0, 1.0),
        "no loss": lambda tf: tf.contrib.learn.ModelFnOps("eval", 1.0),
        "no predictions": lambda tf: tf.contrib.learn.ModelFnOps("infer"),
        "loss": lambda tf: tf.contrib.learn.ModelFnOps("eval", 1.0, tf.ones([2])),
        "hook": lambda tf: tf.contrib.learn.ModelFnOps("infer", 1.0, training_hooks=[3]),
        "a metric": lambda tf: tf.contrib.learn.MetricSpec(tf.metrics.mean, "a").create_metric_ops(
            {}, 1.0, 2.0
        ),
        "a metric's key": lambda tf: tf.contrib.learn.MetricSpec(
            tf.metrics.mean, "a"
        ).create_metric_ops({}, 1.0, {"b": 2.0}),
        "data": lambda tf: tf.contrib.learn.datasets.load_dataset("x"),
        "made data": lambda tf: tf.contrib.learn.datasets.make_dataset("x"),
        "spiral": lambda tf: tf.contrib.learn.datasets.make_dataset("spirals", mode="x"),
    },
    "hooks": {
        "estimator": lambda tf: tf.estimator.experimental.make_early_stopping_hook(3, len),
        "both": lambda tf: tf.estimator.experimental.make_early_stopping_hook(_dnn(tf), len, 1, 1),
        "function": lambda tf: tf.estimator.experimental.make_early_stopping_hook(_dnn(tf), 3),
        "every": lambda tf: tf.estimator.experimental.InMemoryEvaluatorHook(
            _dnn(tf), len, every_n_iter=0
        ),
        "steps": lambda tf: tf.estimator.experimental.InMemoryEvaluatorHook(_dnn(tf), len, steps=0),
        "keys": _forwarded(3),
        "a key": _forwarded([3]),
        "no such key": _forwarded("y"),
        "prediction": lambda tf: tf.contrib.estimator.forward_features(
            tf.contrib.estimator.forward_features(_dnn(tf)), "x"
        ).train(_input_fn(tf), steps=1),
        "not sparse": _forwarded("x", sparse_default_values={"x": 1}),
        "label": lambda tf: tf.estimator.classifier_parse_example_spec(
            [tf.feature_column.numeric_column("x")], "x"
        ),
        "weight": lambda tf: tf.estimator.regressor_parse_example_spec(
            [tf.feature_column.numeric_column("x")], "y", weight_column="x"
        ),
        "weight's type": lambda tf: tf.estimator.regressor_parse_example_spec(
            [], "y", weight_column=3
        ),
        "names": lambda tf: tf.contrib.predictor.from_saved_model("x", input_names={}),
        "two ways": lambda tf: tf.contrib.predictor.from_saved_model("x", "a", "b"),
        "spec": lambda tf: _resolvers(tf).SimpleClusterResolver({}),
        "master": lambda tf: _resolvers(tf).SimpleClusterResolver(tf.train.ClusterSpec({}), 3),
        "no resolvers": lambda tf: _resolvers(tf).UnionClusterResolver(),
        "resolver": lambda tf: _resolvers(tf).UnionClusterResolver(3),
        "unknown": lambda tf: _resolvers(tf).UnionClusterResolver(x=3),
    },
}


def clusters(tf):
    """What resolvers say."""
    spec = tf.train.ClusterSpec({"ps": ["a:1"], "worker": ["b:1", "c:1"]})
    other = tf.train.ClusterSpec({"worker": {3: "d:1"}})
    r = _resolvers(tf)
    simple = r.SimpleClusterResolver(spec, "x:1", "worker", 1, rpc_layer="grpc")
    union = r.UnionClusterResolver(simple, r.SimpleClusterResolver(other))
    os.environ["TF_CONFIG"] = (
        '{"cluster": {"ps": ["a:1"], "worker": ["b:1"]}, "task": {"type": "ps", "index": 0}}'
    )
    told = r.TFConfigClusterResolver(rpc_layer="grpc")
    found = []
    try:
        for resolver in (simple, union, told):
            found.append(
                [
                    str(sorted(resolver.cluster_spec().as_dict().items())), resolver.master(),
                    resolver.master("worker", 0), resolver.task_type, resolver.task_id,
                    resolver.rpc_layer, resolver.environment,
                ]
            )  # fmt: skip
    finally:
        del os.environ["TF_CONFIG"]
    found.append(r.TFConfigClusterResolver().master())
    return found
