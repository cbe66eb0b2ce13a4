"""Hooks, monitored sessions, supervisors and evaluation against TensorFlow 1.15."""

from __future__ import annotations

import json

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
    assert server.target.startswith("grpc://localhost:")
    assert server.server_def.job_name == "local"
    three = tf.constant(3)
    with tf.train.MonitoredTrainingSession(server.target) as session:
        assert session.run(three) == 3


def test_what_is_not_supported_says_so(tf):
    with pytest.raises(NotImplementedError, match="beyond this machine, and nothing is encrypted"):
        tf.train.Server({"w": ["a:1", "b:2"]}, "w", 0)


def test_profiler_hook(tf, tmp_path):
    step = tf.assign_add(tf.train.get_or_create_global_step(), 1)
    hook = tf.train.ProfilerHook(save_steps=2, output_dir=str(tmp_path), show_memory=True)
    with tf.train.MonitoredSession(hooks=[hook]) as sess:
        for _ in range(5):
            sess.run(step)
    traces = sorted(tmp_path.glob("*.json"))
    assert [path.name for path in traces] == ["timeline-2.json", "timeline-4.json"]
    events = json.loads(traces[0].read_text())["traceEvents"]
    assert any("AssignAdd" in event["name"] for event in events)
    tf.summary.FileWriterCache.clear()
    (log,) = tmp_path.glob("events*")
    tags = [e.tagged_run_metadata.tag for e in tf.train.summary_iterator(str(log))]
    assert [tag for tag in tags if tag] == ["step_2", "step_4"]
    with pytest.raises(ValueError, match="every_secs or every_steps should"):
        tf.train.ProfilerHook(output_dir=str(tmp_path))
    with tf.Graph().as_default(), pytest.raises(RuntimeError, match="to use ProfilerHook"):
        tf.train.ProfilerHook(save_steps=1, output_dir=str(tmp_path)).begin()
