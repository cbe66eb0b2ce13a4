"""Cases of tf.contrib.timeseries.

Read by `record_cases.py` under TensorFlow 1.15 and replayed by `tests/api/test_timeseries.py`.
"""

from __future__ import annotations

import functools
import os
import tempfile

import numpy as np
from case_runs import Case, collect

_TIMES = np.arange(40)
_VALUES = np.stack([np.sin(_TIMES / 4.0) + 2.0, 0.1 * _TIMES], axis=1)


def _features(tf, batch=2, window=14, values=1, **kwargs):
    """Windows of a series, each a bit later than the one before."""
    starts = 3 * np.arange(batch)[:, None] + np.arange(window)
    found = {"times": starts, "values": _VALUES[starts][..., :values]}
    found.update({key: np.asarray(value)[starts] for key, value in kwargs.items()})
    return {key: tf.constant(value) for key, value in found.items()}


def _extra(tf):
    columns = tf.feature_column
    words = columns.categorical_column_with_vocabulary_list("words", ["a", "b", "c"])
    return {
        "exogenous_feature_columns": [
            columns.numeric_column("numbers", shape=(2,)),
            columns.indicator_column(words),
        ]
    }


def _extra_features():
    letters = np.array(list("abcab" * 8))
    return {"numbers": np.stack([_TIMES, _TIMES**2], 1) / 100.0, "words": letters}


def _head(tf, model, state_manager=None, one_shot=False):
    from tensorflow.contrib.timeseries.python.timeseries import (
        head,
        math_utils,
        state_management,
    )

    tf.set_random_seed(2)
    statistics = math_utils.InputStatisticsFromMiniBatch(model.num_features, model.dtype)
    kind = head.OneShotPredictionHead if one_shot else head.TimeSeriesRegressionHead
    return kind(
        model=model,
        state_manager=state_manager or state_management.FilteringOnlyStateManager(),
        optimizer=tf.train.GradientDescentOptimizer(0.01),
        input_statistics_generator=statistics,
    )


def _trained(tf, model, features, **kwargs):
    tf.train.get_or_create_global_step()
    spec = _head(tf, model, **kwargs).create_estimator_spec(features, tf.estimator.ModeKeys.TRAIN)
    said = [v.name for v in tf.global_variables()]
    return Case([spec.loss], [spec.train_op], said=said, steps=2)


def _evaluated(tf, model, features, **kwargs):
    spec = _head(tf, model, **kwargs).create_estimator_spec(features, tf.estimator.ModeKeys.EVAL)
    metrics = sorted(spec.eval_metric_ops.items())
    said = [(key, str(metric)) for key, metric in metrics]
    updates = [spec.eval_metric_ops[key][1] for key in sorted(spec.eval_metric_ops)]
    return Case([spec.loss, *(p for _, p in sorted(spec.predictions.items()))], updates, said=said)


def _predicted(tf, model, features, **kwargs):
    spec = _head(tf, model, **kwargs).create_estimator_spec(features, tf.estimator.ModeKeys.PREDICT)
    predictions = sorted(spec.predictions.items())
    return Case([p for _, p in predictions], said=predictions, steps=1)


def _ar(tf, **kwargs):
    given = {"periodicities": 6, "input_window_size": 8, "output_window_size": 6, "num_features": 1}
    return tf.contrib.timeseries.ARModel(**{**given, **kwargs})


def train(tf):
    return _trained(tf, _ar(tf), _features(tf))


def train_hidden(tf):
    from tensorflow.contrib.timeseries.python.timeseries import ar_model

    factory = functools.partial(ar_model.FlatPredictionModel, hidden_layer_sizes=[4, 3])
    model = _ar(tf, periodicities=[6, 9], num_features=2, prediction_model_factory=factory,
                num_time_buckets=3, loss=ar_model.ARModel.SQUARED_LOSS)  # fmt: skip
    return _trained(tf, model, _features(tf, values=2))


def train_of_time(tf):
    return _trained(tf, _ar(tf, input_window_size=0), _features(tf, window=6))


def train_of_values(tf):
    return _trained(tf, _ar(tf, periodicities=[]), _features(tf))


def train_extra(tf):
    return _trained(tf, _ar(tf, **_extra(tf)), _features(tf, **_extra_features()))


def train_lstm(tf):
    from tensorflow.contrib.timeseries.python.timeseries import ar_model

    factory = functools.partial(ar_model.LSTMPredictionModel, num_units=4)
    return _trained(tf, _ar(tf, prediction_model_factory=factory), _features(tf))


def _anomalies(tf, **kwargs):
    from tensorflow.contrib.timeseries.python.timeseries import ar_model

    return ar_model.AnomalyMixtureARModel(6, 0.1, 8, 6, 1, **kwargs)


def train_anomalies(tf):
    return _trained(tf, _anomalies(tf), _features(tf))


def train_cauchy(tf):
    return _trained(tf, _anomalies(tf, anomaly_distribution="cauchy"), _features(tf))


def evaluate(tf):
    return _evaluated(tf, _ar(tf), _features(tf, window=22))


def evaluate_squared(tf):
    model = _ar(tf, loss="squared_loss", input_window_size=0)
    return _evaluated(tf, model, _features(tf, window=20))


def evaluate_extra(tf):
    features = _features(tf, window=20, **_extra_features())
    return _evaluated(tf, _ar(tf, **_extra(tf)), features, one_shot=True)


def evaluate_from(tf):
    features = _features(tf, window=14)
    state = (np.full([2, 8], 3), np.ones([2, 8, 1], "f"), np.ones([2, 8, 0], "f"))
    features["start_tuple"] = tuple(tf.constant(x) for x in state)
    return _evaluated(tf, _ar(tf), features)


def _to_predict(tf, steps, size=8, exogenous=0, **kwargs):
    state = (
        np.tile(np.arange(size), (2, 1)),
        np.tile(_VALUES[:size, :1].astype("f"), (2, 1, 1)),
        np.ones([2, size, exogenous], "f"),
    )
    features = _features(tf, window=steps, **kwargs)
    del features["values"]
    return {**features, "start_tuple": tuple(tf.constant(x) for x in state)}


def predict(tf):
    return _predicted(tf, _ar(tf), _to_predict(tf, 14))


def predict_wide(tf):
    return _predicted(tf, _ar(tf, output_window_size=10), _to_predict(tf, 23))


def predict_of_time(tf):
    model = _ar(tf, input_window_size=0, loss="squared_loss")
    return _predicted(tf, model, _to_predict(tf, 14, size=0))


def predict_extra(tf):
    features = _to_predict(tf, 14, exogenous=5, **_extra_features())
    return _predicted(tf, _ar(tf, **_extra(tf)), features)


def _reader(tf, **kwargs):
    return tf.contrib.timeseries.NumpyReader({"times": _TIMES, "values": _VALUES, **kwargs})


def _only_recorded(features):
    return Case([], said=[sorted(features[0].items()), features[1]], steps=0)


def windows(tf):
    tf.set_random_seed(5)
    windows = tf.contrib.timeseries.RandomWindowInputFn(_reader(tf), 5, 3, shuffle_seed=2)
    return _only_recorded(windows())


def windows_sorted(tf):
    windows = tf.contrib.timeseries.RandomWindowInputFn(
        _reader(tf, more=np.ones([40, 2, 3])), 5, 3, 10, discard_out_of_order=False, jitter=False,
        num_threads=None,
    )  # fmt: skip
    return _only_recorded(windows())


def whole(tf):
    return _only_recorded(tf.contrib.timeseries.WholeDatasetInputFn(_reader(tf))())


class _Filled(Case):
    """A case whose queues are filled."""

    def run(self, tf):
        found = []
        with tf.Session() as session:
            session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
            coordinator = tf.train.Coordinator()
            threads = tf.train.start_queue_runners(session, coordinator)
            for _ in range(self.steps):
                found += zip(self.fetches, session.run(self.fetches))
            coordinator.request_stop()
            coordinator.join(threads, stop_grace_period_secs=5, ignore_live_threads=True)
        return found


_CSV = "".join(f"{t},{x},{y},word\n" for t, (x, y) in zip(_TIMES, _VALUES))


def _files(name, *contents):
    folder = tempfile.mkdtemp()
    paths = [f"{i}{name}" for i in range(len(contents))]
    for path, content in zip(paths, contents):
        with open(os.path.join(folder, path), "wb") as file:
            file.write(content)
    # The names go into graphs, so that they are the same each time.
    os.chdir(folder)
    return paths


def _csv(tf, files=2, header=""):
    return tf.contrib.timeseries.CSVReader(
        _files(".csv", *[(header + _CSV).encode()] * files),
        column_names=("times", "values", "values", "words"),
        column_dtypes=(tf.int64, tf.float64, tf.float64, tf.string),
        skip_header_lines=1 if header else None,
    )


def csv_whole(tf):
    features, _ = tf.contrib.timeseries.WholeDatasetInputFn(_csv(tf, header="a\n"))()
    return _Filled([x for _, x in sorted(features.items())], said=[features], steps=2)


def csv_some(tf):
    reader = tf.contrib.timeseries.CSVReader(_files(".csv", b"1,2.5\n2,3\n"))
    return _Filled([reader.read()["values"][:2]], said=[reader.read()])


def csv_windows(tf):
    return _only_recorded(tf.contrib.timeseries.RandomWindowInputFn(_csv(tf), 4, 2)())


def examples(tf):
    from tensorflow.contrib.timeseries.python.timeseries import input_pipeline

    path = os.path.join(tempfile.mkdtemp(), "records")
    with tf.python_io.TFRecordWriter(path) as writer:
        for t in range(5):
            example = tf.train.Example()
            example.features.feature["times"].int64_list.value.append(t)
            example.features.feature["values"].float_list.value.extend([t / 2.0, 1.0])
            writer.write(example.SerializeToString())
    os.chdir(os.path.dirname(path))
    features = {
        "times": tf.FixedLenFeature([], tf.int64),
        "values": tf.FixedLenFeature([2], tf.float32),
    }
    found = input_pipeline.TFExampleReader("records", features).read_full()
    return _Filled([x for _, x in sorted(found.items())], said=[found], steps=2)


class _Life(Case):
    """What an Estimator gives from training to its SavedModel."""

    def __init__(self, estimator, window, one_shot=False, **extra):
        super().__init__()
        self._estimator, self._window, self._one_shot = estimator, window, one_shot
        self._extra = extra
        # Made here too, so that the graph of a case is not empty.
        self.said = [type(estimator).__name__, repr(estimator._model.get_start_state())]

    def run(self, tf):
        ts, estimator = tf.contrib.timeseries, self._estimator
        count = self._window

        def reader(count):
            data = {"times": _TIMES[:count], "values": _VALUES[:count, 0]}
            data.update({key: value[:count] for key, value in self._extra.items()})
            return ts.NumpyReader(data)

        estimator.train(ts.WholeDatasetInputFn(reader(count)), steps=1)
        evaluated = estimator.evaluate(ts.WholeDatasetInputFn(reader(count + 7)), steps=1)
        found = sorted(evaluated.items())
        extra = {key: value[None, -5:] for key, value in self._extra.items()}
        if not self._one_shot:
            found = [pair for pair in found if pair[0] != "start_tuple"]
            found += enumerate(evaluated["start_tuple"])
            follow = ts.predict_continuation_input_fn(evaluated, 5, exogenous_features=extra)
            (predicted,) = estimator.predict(follow)
            found += sorted(predicted.items())
        found += [(n, estimator.get_variable_value(n)) for n in estimator.get_variable_names()]
        receiver = estimator.build_raw_serving_input_receiver_fn()
        if self._one_shot:
            receiver = estimator.build_one_shot_parsing_serving_input_receiver_fn(count, 4)
        path = estimator.export_saved_model(tempfile.mkdtemp(), receiver)
        with tf.Graph().as_default(), tf.Session() as session:
            signatures = tf.saved_model.load(session, ["serve"], path)
            run = self._serve_once if self._one_shot else self._serve
            found += sorted(run(tf, signatures, session, extra).items())
        return found

    def _serve(self, tf, signatures, session, extra):
        utils = tf.contrib.timeseries.saved_model_utils
        count = self._window

        def some(start, end):
            data = {"times": _TIMES[start:end], "values": _VALUES[start:end, :1]}
            data.update({key: value[start:end] for key, value in self._extra.items()})
            return data

        state = utils.cold_start_filter(signatures, session, some(0, count))
        state = utils.filter_continuation(state, signatures, session, some(count, 2 * count))
        steps = {"steps": 5, "exogenous_features": extra}
        return {**state, **utils.predict_continuation(state, signatures, session, **steps)}

    def _serve_once(self, tf, signatures, session, extra):
        count = self._window
        example = tf.train.Example()
        example.features.feature["times"].int64_list.value.extend(_TIMES[: count + 4])
        example.features.feature["values"].float_list.value.extend(_VALUES[:count, 0])
        signature = signatures.signature_def["serving_default"]
        outputs = {key: info.name for key, info in signature.outputs.items()}
        feeds = {signature.inputs["examples"].name: [example.SerializeToString()]}
        return session.run(outputs, feeds)


def _config(tf):
    return {
        "model_dir": tempfile.mkdtemp(),
        "config": tf.estimator.RunConfig(tf_random_seed=3, log_step_count_steps=None),
    }


def estimator(tf):
    made = tf.contrib.timeseries.ARRegressor(6, 8, 6, 1, hidden_layer_sizes=[3], **_config(tf))
    return _Life(made, 14)


def estimator_extra(tf):
    columns = [tf.feature_column.numeric_column("numbers", shape=(2,))]
    made = tf.contrib.timeseries.ARRegressor(
        6, 4, 6, 1, columns, 4, "squared_loss", optimizer=tf.train.AdamOptimizer(0.1), **_config(tf)
    )
    return _Life(made, 10, numbers=_extra_features()["numbers"])


def estimator_anomalies(tf):
    made = tf.contrib.timeseries.ARRegressor(
        6, 8, 6, 1, anomaly_prior_probability=0.2, anomaly_distribution="gaussian", **_config(tf)
    )
    return _Life(made, 14)


def estimator_lstm(tf):
    from tensorflow.contrib.timeseries.python.timeseries import estimators

    # Adam would square a gradient that is a small difference of float32 numbers.
    optimizer = tf.train.GradientDescentOptimizer(0.1)
    made = estimators.LSTMAutoRegressor(6, 8, 6, num_units=4, optimizer=optimizer, **_config(tf))
    return _Life(made, 14, one_shot=True)


CASES = {
    "train": collect(
        train, train_hidden, train_of_time, train_of_values, train_extra, train_lstm,
        train_anomalies, train_cauchy,
    ),
    "evaluate": collect(evaluate, evaluate_squared, evaluate_extra, evaluate_from),
    "predict": collect(predict, predict_wide, predict_of_time, predict_extra),
    "read": collect(
        windows, windows_sorted, whole, csv_whole, csv_some, csv_windows, examples,
    ),
    "estimator": collect(estimator, estimator_extra, estimator_anomalies, estimator_lstm),
}  # fmt: skip


def _reads(**data):
    return lambda tf: tf.contrib.timeseries.NumpyReader(data)


def _names(*names, **kwargs):
    return lambda tf: tf.contrib.timeseries.CSVReader("x", names, **kwargs)


def _regressor(**kwargs):
    return lambda tf: tf.contrib.timeseries.ARRegressor(6, 8, 6, 1, **kwargs)


def _spec(mode="train", labels=None, one_shot=False, **features):
    def build(tf):
        given = {key: tf.constant(value) for key, value in features.items()}
        tf.train.get_or_create_global_step()
        _head(tf, _ar(tf), one_shot=one_shot).create_estimator_spec(given, mode, labels)

    return build


def _follows(before=((1, 2),), **kwargs):
    evaluation = {"times": np.array(before), "start_tuple": ()}
    return lambda tf: tf.contrib.timeseries.predict_continuation_input_fn(evaluation, **kwargs)


_W = np.zeros([2, 14])
_V = np.zeros([2, 14, 1])


def _state_in_training(tf):
    features = {**_features(tf), "start_tuple": ()}
    _trained(tf, _ar(tf), features)


def _state_not_taken(tf):
    from tensorflow.contrib.timeseries.python.timeseries import state_management

    manager = state_management.PassthroughStateManager()
    _trained(tf, _ar(tf), {**_features(tf), "start_tuple": ()}, state_manager=manager)


MISTAKES = {
    "read": {
        "no_values": _reads(times=[1]),
        "lengths": _reads(times=[1, 2], values=[1.0]),
        "scalar": _reads(times=1, values=[[1.0]]),
        "vector": _reads(times=[1], values=np.ones([1, 1, 1])),
        "times": _reads(times=np.ones([1, 1, 1]), values=np.ones([1, 1, 1, 1])),
        "batch": _reads(times=np.ones([2, 1]), values=np.ones([2, 1, 1])),
        "short": lambda tf: tf.contrib.timeseries.RandomWindowInputFn(_reader(tf), 50, 1),
        "no_times_column": _names("values"),
        "no_values_column": _names("times"),
        "two_times": _names("times", "values", "times"),
        "dtypes": _names("times", "values", column_dtypes=(1,)),
    },
    "continue": {
        "both": _follows(steps=1, times=[3]),
        "none": _follows(),
        "batch": _follows(times=[[3], [4]]),
        "before": _follows(times=[2]),
    },
    "model": {
        "distribution": _regressor(anomaly_distribution="cauchy"),
        "no_distribution": _regressor(anomaly_prior_probability=0.1),
        "loss": _regressor(anomaly_prior_probability=0.1, loss="squared_loss"),
        "nothing": lambda tf: _ar(tf, input_window_size=0, periodicities=None),
        "not_initialized": lambda tf: _ar(tf).define_loss({}, "train"),
        "generate": lambda tf: super(
            tf.contrib.timeseries.ARModel, _ar(tf)
        ).generate(1, 1),
        "state_in_training": _state_in_training,
        "state_not_taken": _state_not_taken,
    },
    "head": {
        "labels": _spec(labels=1, times=_W, values=_V),
        "mode": _spec("else", times=_W, values=_V),
        "no_times": _spec(values=_V),
        "no_values": _spec(times=_W),
        "times": _spec("eval", times=_W[0], values=_V),
        "values": _spec("eval", times=_W, values=_V[..., 0]),
        "extra_rank": _spec(times=_W, values=_V, extra=_W[0]),
        "extra_shape": _spec(times=_W, values=_V, extra=_W[:, :2]),
        "window": _spec(times=_W[:, :9], values=_V[:, :9]),
        "short": _spec("eval", times=_W[:, :9], values=_V[:, :9]),
        "predict_no_times": _spec("infer", values=_V),
        "predict_no_state": _spec("infer", times=_W),
        "one_shot_no_values": _spec("infer", one_shot=True, times=_W),
        "one_shot_no_state": _spec("infer", one_shot=True, times=_W, values=_V),
    },
}  # fmt: skip
