"""Mixed precision against TensorFlow 1.15."""

from __future__ import annotations

import logging

import numpy as np
import pytest
from case_goldens import CaseGoldens

from tf1compat.core import mixed_precision_global_state
from tf1compat.runtime import options

GOLDENS = CaseGoldens("mixed_precision")

_NO_EFFECT = "RewriterConfig.auto_mixed_precision has no effect"
pytestmark = pytest.mark.filterwarnings(f"ignore:{_NO_EFFECT}")


@pytest.fixture(autouse=True)
def _apart(tf, monkeypatch):
    """No test finds what another one has turned on or was warned of."""
    monkeypatch.setattr(options, "_warned", set())
    monkeypatch.setattr(mixed_precision_global_state, "non_mixed_precision_session_created", False)
    yield
    if mixed_precision_global_state.mixed_precision_graph_rewrite_is_enabled:
        tf.train.experimental.disable_mixed_precision_graph_rewrite()


@GOLDENS.cases()
def test_case(tf, group, name):
    GOLDENS.check_case(tf, group, name)


@GOLDENS.mistakes()
def test_mistake(tf, group, name):
    GOLDENS.check_mistake(tf, group, name)


def test_sessions_have_the_option(tf):
    enable = tf.train.experimental.enable_mixed_precision_graph_rewrite
    with pytest.warns(UserWarning, match=_NO_EFFECT):
        enable(tf.train.GradientDescentOptimizer(0.1))
    with pytest.raises(ValueError, match="has already been enabled"):
        tf.keras.mixed_precision.experimental.set_policy("infer")
    assert tf.config.optimizer.get_experimental_options()["auto_mixed_precision"]
    off = tf.ConfigProto()
    off.graph_options.rewrite_options.auto_mixed_precision = 2
    for config, value in ((None, 1), (tf.ConfigProto(), 1), (off, 2)):
        with tf.Session(config=config) as session:
            options = session._config.graph_options.rewrite_options
            assert options.auto_mixed_precision == value


def test_sessions_before_it_are_told_of(tf, caplog):
    tf.Session().close()
    caplog.set_level(logging.WARNING)
    tf.train.experimental.enable_mixed_precision_graph_rewrite(tf.keras.optimizers.SGD())
    assert "You already have existing Sessions that do not use mixed precision" in caplog.text


def test_keras_trains_with_it(tf):
    mixed = tf.keras.mixed_precision.experimental
    tf.keras.backend.clear_session()
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
    scale = tf.train.experimental.DynamicLossScale(2.0, increment_period=1)
    model.compile(mixed.LossScaleOptimizer(tf.keras.optimizers.SGD(0.01), scale), "mse")
    for _ in range(2):
        model.train_on_batch(np.array([[1.0, 2.0]]), np.array([[1.0]]))
    assert tf.keras.backend.get_value(scale._current_loss_scale) == 8.0
    weights = model.get_weights()
    model.train_on_batch(np.array([[np.inf, 2.0]]), np.array([[1.0]]))
    assert (model.get_weights()[0] == weights[0]).all()
    assert tf.keras.backend.get_value(scale._current_loss_scale) == 4.0
