"""tf.contrib.summary and tf.compat.v2.summary: graphs, and what is in the event files.

Read by `record_cases.py` under TensorFlow 1.15 and replayed by `tests/api/test_contrib_summary.py`.
"""

from __future__ import annotations

import glob
import os

import numpy as np
from case_runs import collect
from session_runs import describe_event, lasting


def _within(function):
    """A case in a folder of its own as the current one, whose events are added to what it said,
    sorted: TF runs what is independent in any order."""

    @lasting
    def case(tf, log, folder):
        before = os.getcwd()
        os.chdir(folder.path)
        try:
            said = function(tf)
            del log.lines[:]
        finally:
            os.chdir(before)
        return said + _events(tf, folder), []

    case.__name__ = function.__name__
    return case


def _events(tf, folder):
    found = []
    for path in sorted(glob.glob(os.path.join(folder.path, "logs", "*"))):
        events = tf.train.summary_iterator(path)
        found += [path.rpartition(".")[2]]
        found += sorted("%d %s" % (event.step, describe_event(tf, event)) for event in events)
    return found


def _run_all(tf, ops, steps=2):
    step = tf.train.get_or_create_global_step()
    following = tf.assign_add(step, 1)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        yield session
        for _ in range(steps):
            for op in ops:
                session.run(op)
            session.run(following)


@_within
def every_step(tf):
    s = tf.contrib.summary
    writer = s.create_file_writer("logs", flush_millis=1000, name="one")
    x = tf.constant([3.0, -1.0], name="x")
    with writer.as_default(), s.record_summaries_every_n_global_steps(2):
        s.scalar("loss", x[0])
        with tf.name_scope("in"):
            s.scalar("a b", x[1], family="fam", step=7)
        with s.always_record_summaries():
            s.histogram("h", x)
            s.image("i", tf.reshape(x, [2, 1, 1, 1]), max_images=1)
            s.audio("a", tf.reshape(x, [1, 2]), 8000, 1, step=tf.constant(5, tf.int64))
            s.generic("g", x, metadata=tf.SummaryMetadata(display_name="shown"))
            s.generic("t", tf.constant(["text"]))
        with s.never_record_summaries():
            said = [s.scalar("never", 1.0), s.should_record_summaries()]
        one = tf.Summary(value=[tf.Summary.Value(tag="q", simple_value=2.0)])
        ops = s.all_summary_ops() + [
            s.import_event(tf.Event(step=3, summary=one).SerializeToString()),
            s.flush(),
        ]  # fmt: skip
        for session in _run_all(tf, ops):
            s.initialize(graph=tf.get_default_graph(), session=session)
    said += [s.summary_writer_initializer_op(), ops, s.eval_dir("a"), s.eval_dir("a", "b")]
    return said


@_within
def no_writer(tf):
    s = tf.contrib.summary
    said = [s.scalar("a", 1.0), s.flush(), s.graph(tf.constant("a")), s.should_record_summaries()]
    noop = s.create_file_writer(None)
    with noop.as_default() as nothing:
        said += [nothing, noop.init(), noop.flush(), noop.close()]
    writer = s.create_db_writer("file.sqlite", "e", "r", "u")
    return said + [writer.init().type, s.all_summary_ops()]


@_within
def v2(tf):
    # A constant has the process's number in it: the graph is told without its attributes.
    with tf.Graph().as_default() as graph:
        said = _v2(tf)
    nodes = [[op.name, op.type, op.device] for op in graph.get_operations()]
    inputs = [[x.name for x in [*op.inputs, *op.control_inputs]] for op in graph.get_operations()]
    return said + list(zip(nodes, inputs))


def _v2(tf):
    v = tf.compat.v2.summary
    x = tf.placeholder_with_default([1.0, 2.0, 2.5], [None])
    writer = v.create_file_writer("logs", filename_suffix=".end", name="w")
    with writer.as_default():
        said = [v.scalar("s", 2, step=1, description="about")]
        v.experimental.set_step(tf.train.get_or_create_global_step())
        with tf.name_scope("outer"), v.record_if(tf.placeholder_with_default(True, [])):
            v.histogram("h h", x, buckets=3)
        v.histogram("one", x[:1])
        v.histogram("none", x[:0])
        v.audio("au", tf.reshape(x, [1, 3, 1]), 8000)
        v.text("t", tf.constant(["some", "text"]), step=4)
        v.write("any", tf.constant(3), metadata=b"")
        with v.record_if(False):
            v.scalar("not", 1.0)
        proto = tf.Summary(value=[tf.Summary.Value(tag="raw", simple_value=1)])
        v.experimental.write_raw_pb(proto.SerializeToString(), step=9)
        with v.experimental.summary_scope("a b", values=[x]) as names:
            said.append(names)
        ops = tf.summary.all_v2_summary_ops() + [writer.flush()]
        for session in _run_all(tf, ops):
            session.run(writer.init())
    v.experimental.set_step(None)
    said += [v.scalar("nowhere", 1.0), v.experimental.get_step(), ops]
    return said


@_within
def host_call(tf):
    """A TPUEstimator's summaries, without a TPU."""
    tpu = tf.contrib.tpu

    def host(step, loss):
        writer = tf.contrib.summary.create_file_writer("logs", max_queue=1000)
        with writer.as_default(), tf.contrib.summary.always_record_summaries():
            tf.contrib.summary.scalar("host_loss", loss[0], step=step[0])
            return tf.contrib.summary.all_summary_ops()

    def model(features, labels, mode, params):
        w = tf.get_variable("w", initializer=0.0)
        loss = tf.square(w - tf.reduce_mean(features))
        step = tf.train.get_global_step()
        train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, global_step=step)
        # The loss is read after the update or before it.
        call = (host, [tf.reshape(step, [1]) * 0, tf.reshape(loss, [1]) * 0])
        return tpu.TPUEstimatorSpec(mode, loss=loss, train_op=train, host_call=call)

    estimator = tpu.TPUEstimator(
        model, "model", tpu.RunConfig(log_step_count_steps=None),
        train_batch_size=2, use_tpu=False,
    )  # fmt: skip
    estimator.train(lambda params: (tf.ones([params["batch_size"]]), None), max_steps=3)
    return []


CASES = {"contrib": collect(every_step, no_writer, host_call), "v2": collect(v2)}


def _written(make):
    @_within
    def mistake(tf):
        writer = tf.contrib.summary.create_file_writer("logs", name="w")
        with writer.as_default(), tf.contrib.summary.always_record_summaries():
            tf.contrib.summary.scalar("first", 1.0, step=0)
            op = make(tf)
        with tf.Session() as session:
            session.run(writer.init())
            session.run(op)
        return []

    return mistake


@_within
def _not_initialized(tf):
    writer = tf.contrib.summary.create_file_writer("logs", name="w")
    with writer.as_default(), tf.Session() as session:
        session.run(tf.contrib.summary.flush())
    return []


@_within
def _no_session(tf):
    with tf.contrib.summary.create_file_writer("logs").as_default():
        tf.contrib.summary.initialize()
    return []


@_within
def _no_step(tf):
    with tf.compat.v2.summary.create_file_writer("logs").as_default():
        tf.compat.v2.summary.scalar("a", 1.0)
    return []


MISTAKES = {
    "build": {
        "no_writer": lambda tf: tf.contrib.summary.initialize(),
        "no_session": _no_session,
        "no_step": _no_step,
        "graph": lambda tf: tf.contrib.summary.graph(tf.get_default_graph()),
        "logdir": lambda tf: tf.compat.v2.summary.create_file_writer(None),
        "encoding": lambda tf: tf.compat.v2.summary.audio("a", [[[0.0]]], 1, 0, encoding="mp3"),
        "experiment": lambda tf: tf.contrib.summary.create_db_writer("f", "\x01"),
        "user": lambda tf: tf.contrib.summary.create_db_writer("f", user_name="-"),
        "scalar_bool": _written(lambda tf: tf.contrib.summary.scalar("a", True, step=0)),
    },
    "run": {
        "not_initialized": _not_initialized,
        "histogram": _written(lambda tf: tf.contrib.summary.histogram("h", np.nan, step=0)),
        "image": _written(lambda tf: tf.contrib.summary.image("i", tf.zeros([2, 2]), step=0)),
        "graph": _written(lambda tf: tf.contrib.summary.graph(tf.constant("zz"), step=0)),
        "event": _written(lambda tf: tf.contrib.summary.import_event(tf.constant("zz"))),
    },
}
