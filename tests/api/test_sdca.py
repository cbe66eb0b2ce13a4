"""Stochastic dual coordinate ascent against TensorFlow 1.15."""

from __future__ import annotations

import numpy as np
import pytest
from case_goldens import CaseGoldens

GOLDENS = CaseGoldens("sdca")

pytestmark = pytest.mark.usefixtures("compiled_quickly")


@pytest.fixture(autouse=True)
def _apart(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TF_CONFIG", raising=False)


@GOLDENS.cases()
def test_case(tf, group, name):
    GOLDENS.check_case(tf, group, name)


@GOLDENS.mistakes()
def test_mistake(tf, group, name):
    GOLDENS.check_mistake(tf, group, name)


def test_order_of_the_data(tf):
    """Data in the order of their classes: in that order the last class counted most, and eight
    steps left a loss of 4.5 and more, where TensorFlow has 1.5."""
    rng = np.random.RandomState(3)
    data = rng.randn(40, 2).astype(np.float32)
    data[:20] += 3
    states, weights = np.zeros((40, 4), np.float32), np.zeros((2, 1), np.float32)
    features = np.stack([data[:, 0], np.ones(40, np.float32)], 1)
    fed = tf.compat.v1.placeholder(tf.float32, [40, 4])
    known = tf.compat.v1.placeholder(tf.float32, [2, 1])
    step = tf.raw_ops.SdcaOptimizerV2(
        sparse_example_indices=[], sparse_feature_indices=[], sparse_feature_values=[],
        dense_features=[features], example_weights=np.ones(40, np.float32),
        example_labels=data[:, 1], sparse_indices=[], sparse_weights=[], dense_weights=[known],
        example_state_data=fed, loss_type="squared_loss", l1=0.0, l2=0.1, num_loss_partitions=1,
        num_inner_iterations=1, adaptive=True,
    )  # fmt: skip
    with tf.compat.v1.Session() as session:
        for _ in range(8):
            result = session.run(step, {fed: states, known: weights})
            states = result.out_example_state_data
            weights = weights + result.out_delta_dense_weights[0]
    assert np.mean((features @ weights - data[:, 1:]) ** 2) < 2
