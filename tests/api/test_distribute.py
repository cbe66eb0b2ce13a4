"""`tf.distribute` with one replica against TensorFlow 1.15."""

from __future__ import annotations

import json
import os

import distribute_cases
import pytest
import recording

_GOLDEN = recording.read_json(os.path.join(recording.DATA, "distribute_cases.json.gz"))


@pytest.mark.parametrize("kind", distribute_cases.STRATEGIES)
@pytest.mark.parametrize("name", distribute_cases.CASES)
def test_says_and_records_what_tensorflow_does(tf, name, kind):
    with tf.Graph().as_default():
        said = distribute_cases.CASES[name](tf, distribute_cases.STRATEGIES[kind](tf))
    assert json.loads(json.dumps(said)) == _GOLDEN[f"{name}-{kind}"]


def test_names_and_devices(tf):
    said = distribute_cases.of_no_strategy(tf)
    assert json.loads(json.dumps(said)) == _GOLDEN["of_no_strategy"]


@pytest.mark.parametrize(
    "make",
    [
        lambda tf: tf.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"]),
        lambda tf: tf.distribute.MirroredStrategy(["/job:worker/task:0"]),
        lambda tf: tf.contrib.distribute.MirroredStrategy(num_gpus=2),
    ],
)
def test_more_than_one_device_is_refused_by_name(tf, make):
    with pytest.raises(NotImplementedError, match=r"tf\.distribute\.MirroredStrategy of"):
        make(tf)


def test_what_has_no_strategies_yet_says_so(tf):
    strategy = tf.distribute.OneDeviceStrategy("/cpu:0")
    with tf.Graph().as_default(), strategy.scope():
        model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
        with pytest.raises(NotImplementedError, match="OneDeviceStrategyV1"):
            model.compile("sgd", "mse")
    with pytest.raises(NotImplementedError, match="Distribution strategies"):
        tf.estimator.RunConfig(train_distribute=strategy)


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
