"""Small packages of tf.contrib against TensorFlow 1.15."""

from __future__ import annotations

import pytest
from case_goldens import CaseGoldens

GOLDENS = CaseGoldens("contrib_small")


@GOLDENS.cases()
def test_case(tf, group, name):
    GOLDENS.check_case(tf, group, name)


@GOLDENS.mistakes()
def test_mistake(tf, group, name):
    GOLDENS.check_mistake(tf, group, name)


def test_memory_stats(tf):
    """TF 1.15 has kernels for GPUs only, and refuses to place them elsewhere."""
    stats = tf.contrib.memory_stats
    found = [stats.BytesInUse(), stats.BytesLimit(), stats.MaxBytesInUse()]
    assert [(x.op.type, x.name, x.dtype, x.shape) for x in found] == [
        (name, name + ":0", tf.int64, []) for name in ("BytesInUse", "BytesLimit", "MaxBytesInUse")
    ]


def test_testing(tf, tmp_path):
    """What looks at summaries says what was written."""
    testing = tf.contrib.testing
    assert testing.latest_event_file(str(tmp_path)) is None
    assert testing.latest_summaries(str(tmp_path)) == []
    with tf.summary.FileWriter(str(tmp_path)) as writer:
        for step, number in ((2, 0.5), (1, 0.25)):
            value = tf.Summary.Value(tag="a", simple_value=number)
            writer.add_summary(tf.Summary(value=[value]), step)
    events = testing.latest_summaries(str(tmp_path))
    assert [event.step for event in events] == [2, 1]
    assert testing.simple_values_from_events(events, ["a", "b"]) == {"a": 0.5}
    summary = testing.to_summary_proto(events[1].summary.SerializeToString())
    testing.assert_summary(["a"], {"a": 0.25}, summary)
    with pytest.raises(ValueError, match="Expected tags"):
        testing.assert_summary(["a", "b"], {}, summary)
    with pytest.raises(AssertionError):
        testing.assert_summary(["a"], {"a": 0.5}, summary)


def test_predictor_of_contrib_estimator(tf, tmp_path):
    """It predicts what the estimator predicts, and each factory refuses the other's estimators."""
    learn, predictor = tf.contrib.learn, tf.contrib.predictor
    column = tf.contrib.layers.real_valued_column("x", dimension=2)
    estimator = learn.LinearRegressor([column], model_dir=str(tmp_path))
    x = [[1.0, 2.0], [3.0, -1.0]]
    estimator.fit(input_fn=lambda: ({"x": tf.constant(x)}, tf.constant([1.0, 2.0])), steps=2)

    def serving():
        fed = tf.placeholder(tf.float32, [None, 2])
        return learn.InputFnOps({"x": fed}, None, {"x": fed})

    predict = predictor.from_contrib_estimator(estimator, serving)
    expected = list(estimator.predict_scores(input_fn=lambda: {"x": tf.constant(x)}))
    assert predict({"x": x})["scores"].tolist() == expected
    with pytest.raises(TypeError, match="call from_contrib_estimator"):
        predictor.from_estimator(estimator, serving)
    core = tf.estimator.Estimator(lambda features: None, str(tmp_path))
    with pytest.raises(TypeError, match="call from_estimator"):
        predictor.from_contrib_estimator(core, serving)
