"""Hooks, monitored sessions, supervisors and evaluation against TensorFlow 1.15."""

from __future__ import annotations

import pytest
from case_goldens import CaseGoldens

GOLDENS = CaseGoldens("session")


@GOLDENS.cases()
def test_case(tf, group, name):
    GOLDENS.check_case(tf, group, name)


@GOLDENS.mistakes()
def test_mistake(tf, group, name):
    GOLDENS.check_mistake(tf, group, name)


def test_server_of_this_process(tf):
    server = tf.train.Server.create_local_server()
    assert server.target.startswith(b"grpc://localhost:")
    assert server.server_def.job_name == "local"
    three = tf.constant(3)
    with tf.train.MonitoredTrainingSession(server.target) as session:
        assert session.run(three) == 3


def test_what_is_not_supported_says_so(tf):
    with pytest.raises(NotImplementedError, match="ProfilerHook is not supported"):
        tf.train.ProfilerHook(save_steps=1)
    with pytest.raises(NotImplementedError, match="several tasks is not supported"):
        tf.train.Server({"w": ["a:1", "b:2"]}, "w", 0)
