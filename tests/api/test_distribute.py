"""`tf.distribute` with one replica and with several against TensorFlow 1.15."""

from __future__ import annotations

import json
import os
import threading

import distribute_cases
import pytest
import recording

from tf1compat.api.eager import context

_GOLDEN = recording.read_json(os.path.join(recording.DATA, "distribute_cases.json.gz"))


@pytest.mark.parametrize("kind", distribute_cases.STRATEGIES)
@pytest.mark.parametrize("name", distribute_cases.CASES)
def test_says_and_records_what_tensorflow_does(tf, name, kind):
    with tf.Graph().as_default():
        said = distribute_cases.CASES[name](tf, distribute_cases.STRATEGIES[kind](tf))
    _check_same(json.loads(json.dumps(said)), _GOLDEN[f"{name}-{kind}"])


def _check_same(found, wanted):
    """Numbers may differ by rounding: steps of training add it up."""
    if isinstance(wanted, list):
        assert len(found) == len(wanted)
        for one, other in zip(found, wanted, strict=True):
            _check_same(one, other)
    elif isinstance(wanted, float):
        assert found == pytest.approx(wanted, rel=1e-5)
    else:
        assert found == wanted


def test_names_and_devices(tf):
    said = distribute_cases.of_no_strategy(tf)
    assert json.loads(json.dumps(said)) == _GOLDEN["of_no_strategy"]


def test_a_worker_of_parameter_servers(tf):
    said = distribute_cases.of_parameter_servers(tf)
    assert json.loads(json.dumps(said)) == _GOLDEN["of_parameter_servers"]


def test_all_reduces_over_the_devices_of_a_graph(tf):
    said = json.loads(json.dumps(distribute_cases.of_all_reduces(tf)))
    different = [name for name, value in _GOLDEN["of_all_reduces"].items() if said[name] != value]
    assert not different
    assert len(said) == len(_GOLDEN["of_all_reduces"])


def test_other_processes_are_refused_by_name(tf):
    with pytest.raises(NotImplementedError, match=r"tf\.distribute\.MirroredStrategy of"):
        tf.distribute.MirroredStrategy(["/job:worker/task:0"])


def test_what_has_no_strategies_yet_says_so(tf):
    strategy = tf.distribute.OneDeviceStrategy("/cpu:0")
    batch_each = tf.contrib.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"])
    with context.eager_mode(), batch_each.scope():
        model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
        with pytest.raises(NotImplementedError, match="MirroredStrategy in eager execution"):
            model.compile("sgd", "mse")
    config = tf.contrib.distribute.DistributeConfig(strategy, remote_cluster={"worker": ["a:1"]})
    with pytest.raises(NotImplementedError, match="remote_cluster"):
        tf.estimator.RunConfig(experimental_distribute=config)


def test_what_fails_in_a_replica_is_raised_and_leaves_no_scope(tf):
    strategy = tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"])
    before = threading.active_count()

    def fail():
        number = tf.distribute.get_replica_context().replica_id_in_sync_group
        tf.distribute.get_replica_context().merge_call(lambda strategy: None)
        if tf.contrib.util.constant_value(number) == 1:
            raise KeyError("of the second")

    def call_once_only():
        number = tf.distribute.get_replica_context().replica_id_in_sync_group
        if tf.contrib.util.constant_value(number) == 0:
            tf.distribute.get_replica_context().merge_call(lambda strategy: None)

    with tf.Graph().as_default():
        with strategy.scope(), tf.name_scope("around"):
            with pytest.raises(KeyError, match="of the second"):
                strategy.experimental_run_v2(fail)
            with pytest.raises(RuntimeError, match="different number of"):
                strategy.experimental_run_v2(call_once_only)
            assert tf.constant(1.0).op.name == "around/Const"
            assert tf.distribute.in_cross_replica_context()
        assert not tf.distribute.has_strategy()
        assert tf.constant(1.0).device == ""
    assert threading.active_count() == before


def test_an_estimator_trains_and_evaluates_by_a_strategy(tf, tmp_path):
    """The losses are TF 1.15's for the same seed, dropout included."""
    tf.logging.set_verbosity("ERROR")

    def model_fn(features, labels, mode):
        x = tf.layers.dense(features, 3, tf.nn.relu)
        x = tf.layers.dropout(x, 0.3, training=mode == "train")
        y = tf.squeeze(tf.layers.dense(x, 1), -1)
        loss = tf.losses.mean_squared_error(labels, y)
        train = tf.train.AdamOptimizer(0.01).minimize(loss, tf.train.get_global_step())
        metrics = {
            "mae": tf.metrics.mean_absolute_error(labels, y),
            "accuracy": tf.metrics.accuracy(labels, tf.round(y)),
        }
        return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train, eval_metric_ops=metrics)

    def input_fn():
        def example(i):
            x = tf.cast(tf.stack([i, i * i]), tf.float32) / 16
            return x, tf.cast(i, tf.float32)

        return tf.data.Dataset.range(16).map(example).repeat().batch(4)

    losses = []

    class Losses(tf.train.SessionRunHook):
        def before_run(self, run_context):
            return tf.train.SessionRunArgs(tf.get_collection("losses")[-1])

        def after_run(self, run_context, run_values):
            losses.append(run_values.results)

    strategy = tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"])
    config = tf.estimator.RunConfig(
        train_distribute=strategy, eval_distribute=strategy, tf_random_seed=4,
        session_config=tf.ConfigProto(device_count={"CPU": 2}),
    )  # fmt: skip
    estimator = tf.estimator.Estimator(model_fn, str(tmp_path), config)
    estimator.train(input_fn, hooks=[Losses()], steps=5)
    assert losses == pytest.approx([17.57804, 137.07593, 17.35870, 135.59079, 17.11705], rel=1e-4)
    wanted = {"accuracy": 0.0625, "loss": 75.75125, "mae": 7.4127555, "global_step": 5}
    assert estimator.evaluate(input_fn, steps=2) == pytest.approx(wanted, rel=1e-4)


def test_summaries_of_the_first_replica_only(tf):
    from tensorflow.python.distribute import summary_op_util

    skipped = []
    assert summary_op_util.skip_summary() == 0
    with tf.distribute.MirroredStrategy(["/cpu:0"]).scope():
        assert summary_op_util.skip_summary() is False
        tf.distribute.get_strategy().experimental_run_v2(
            lambda: skipped.append(summary_op_util.skip_summary())
        )
    assert skipped == [0]
