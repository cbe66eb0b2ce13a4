"""Sessions that last: hooks, monitored sessions, supervisors, and what builds on them.

Read by `record_cases.py` under TensorFlow 1.15 and replayed by `tests/api/test_sessions.py`. A case
takes the `tensorflow` module, runs, and returns a `Done`; its graph is compared as it is then.
"""

from __future__ import annotations

import warnings

import numpy as np
from case_runs import collect
from session_runs import Done, lasting, model


def _hook(tf, said):
    """A hook that says what it is called with."""

    class Saying(tf.train.SessionRunHook):
        def begin(self):
            said.append("begin, graph final: %s" % tf.get_default_graph().finalized)

        def after_create_session(self, session, coord):
            said.append("created %s %s" % (type(session).__name__, coord.should_stop()))

        def before_run(self, run_context):
            args = run_context.original_args
            said.append("before %s %s" % (args.fetches is not None, args.feed_dict))
            return tf.train.SessionRunArgs({"step": "global_step:0"})

        def after_run(self, run_context, run_values):
            said.append("after %s %s" % (sorted(run_values.results), run_context.stop_requested))

        def end(self, session):
            said.append("end")

    return Saying()


# ---- monitored sessions ----------


@lasting
def training_session(tf, log, folder):
    train, loss, step = model(tf)
    hooks = [
        tf.train.StopAtStepHook(last_step=5),
        tf.train.LoggingTensorHook({"loss": "loss", "step": step}, every_n_iter=2, at_end=True),
        tf.train.NanTensorHook(loss),
    ]
    values = []
    options = {"save_summaries_steps": 2, "save_checkpoint_steps": 2, "log_step_count_steps": 2}
    with tf.train.MonitoredTrainingSession(
        checkpoint_dir=folder.path, hooks=hooks, **options
    ) as session:
        while not session.should_stop():
            values.append(session.run([train, loss])[1])
    return [tf.get_default_graph().finalized], values


@lasting
def training_goes_on(tf, log, folder):
    train, loss, step = model(tf)
    values = []
    for _ in range(2):
        with tf.train.MonitoredTrainingSession(
            checkpoint_dir=folder.path,
            hooks=[tf.train.StopAtStepHook(num_steps=2)],
            log_step_count_steps=None,
            save_summaries_steps=None,
        ) as session:
            while not session.should_stop():
                session.run(train)
                values.append(session.run(step) if not session.should_stop() else -1)
    return [], values


@lasting
def monitored_session(tf, log, folder):
    train, loss, step = model(tf, summaries=False)
    x = tf.placeholder_with_default(1.0, [], name="x")
    y = tf.multiply(x, 2.0, name="y")
    said = []
    final = tf.train.FinalOpsHook([y, loss], {x: 5.0})
    hooks = [_hook(tf, said), final, tf.train.GlobalStepWaiterHook(0)]
    hooks.append(tf.train.FeedFnHook(lambda: {x: 7.0}))
    values = []
    with tf.train.MonitoredSession(hooks=hooks) as session:
        values.append(session.run(y))
        values.append(session.run({"y": y, "train": train})["y"])
        said.append(session.graph is tf.get_default_graph())

        def step_fn(step_context):
            first = step_context.session.run(y)
            return first, step_context.run_with_hooks(y)

        values += session.run_step_fn(step_fn)
        said.append(session.should_stop())
    said.append(session.should_stop())
    return said, values + final.final_ops_values


@lasting
def stopping(tf, log, folder):
    train, loss, step = model(tf, summaries=False)
    said = []
    with tf.train.SingularMonitoredSession(hooks=[_hook(tf, said)]) as session:
        said.append(type(session.raw_session()).__name__)
        session.run(train)

        def step_fn(step_context):
            step_context.request_stop()

        while not session.should_stop():
            session.run_step_fn(step_fn)
    said.append("after")
    queue = tf.FIFOQueue(3, tf.int32)
    close, item = queue.close(), queue.dequeue()
    fill = queue.enqueue_many([[1, 2]])
    values = []
    with tf.train.MonitoredSession() as session:
        session.run(fill)
        session.run(close)
        while not session.should_stop():
            values.append(session.run(item))
    return said, values


@lasting
def nan_loss(tf, log, folder):
    x = tf.get_variable("x", [], initializer=tf.constant_initializer(1.0))
    bad = tf.log(x - 2.0, name="bad")
    said = []
    with tf.train.MonitoredSession(hooks=[tf.train.NanTensorHook(bad, False)]) as session:
        session.run(x)
        said.append(session.should_stop())
    try:
        with tf.train.MonitoredSession(hooks=[tf.train.NanTensorHook(bad)]) as session:
            session.run(x)
    except tf.train.NanLossDuringTrainingError as error:
        said.append(str(error))
    return said, []


@lasting
def listeners(tf, log, folder):
    train, loss, step = model(tf, summaries=False)
    said = []

    class Listener(tf.train.CheckpointSaverListener):
        def begin(self):
            said.append("begin")

        def before_save(self, session, global_step_value):
            said.append("before %d" % global_step_value)

        def after_save(self, session, global_step_value):
            said.append("after %d" % global_step_value)
            return global_step_value >= 4

        def end(self, session, global_step_value):
            said.append("end %d" % global_step_value)

        def __str__(self):
            return "Listener"

    saver = tf.train.Saver(max_to_keep=1)
    hook = tf.train.CheckpointSaverHook(
        folder.path, save_steps=2, saver=saver, checkpoint_basename="m", listeners=[Listener()]
    )
    with tf.train.MonitoredSession(hooks=[hook]) as session:
        while not session.should_stop():
            session.run(train)
    return said, []


@lasting
def saving_hooks(tf, log, folder):
    train, loss, step = model(tf)
    writer = tf.summary.FileWriter(folder.path)
    summaries = tf.get_collection(tf.GraphKeys.SUMMARIES)
    hooks = [
        tf.train.SummarySaverHook(save_steps=1, summary_writer=writer, summary_op=summaries),
        tf.train.StepCounterHook(every_n_steps=2, summary_writer=writer),
        tf.train.LoggingTensorHook(
            ["loss"], every_n_iter=3, formatter=lambda x: "%.3f" % x["loss"]
        ),
        tf.train.LoggingTensorHook([loss], at_end=True),
    ]
    with tf.train.MonitoredSession(hooks=hooks) as session:
        for _ in range(6):
            session.run(train)
    writer.close()
    return [], []


# ---- scaffolds and session managers ----------


@lasting
def scaffold(tf, log, folder):
    weights = tf.get_variable("w", [2])
    local = tf.get_variable("n", [], collections=[tf.GraphKeys.LOCAL_VARIABLES])
    start = tf.placeholder(tf.float32, [2], name="start")
    said = []

    def init_fn(scaffold, session):
        said.append("init_fn %s" % type(scaffold).__name__)
        session.run(local.initializer)

    first = tf.train.Scaffold(
        init_op=weights.assign(start).op, init_feed_dict={start: [3.0, 4.0]}, init_fn=init_fn
    )
    second = tf.train.Scaffold(copy_from_scaffold=first, local_init_op=local.assign(2.0).op)
    with tf.train.SingularMonitoredSession(scaffold=second) as session:
        values = session.run([weights, local])
    names = ["init_op", "ready_op", "ready_for_local_init_op", "local_init_op"]
    said += [getattr(second, name).name for name in names]
    said += [second.summary_op, type(second.saver).__name__, second.init_feed_dict == {start: 0}]
    return said, values


@lasting
def session_manager(tf, log, folder):
    weights = tf.get_variable("w", [2], initializer=tf.ones_initializer())
    manager = tf.train.SessionManager(
        ready_op=tf.report_uninitialized_variables(),
        local_init_op=tf.local_variables_initializer(),
        recovery_wait_secs=0.01,
    )
    saver = tf.train.Saver()
    init = tf.global_variables_initializer()
    said, values = [], []
    session, recovered = manager.recover_session("", saver, folder.path)
    said.append(recovered)
    session = manager.prepare_session("", init_op=init, saver=saver, checkpoint_dir=folder.path)
    values.append(session.run(weights))
    weights.load([5.0, 6.0], session)
    path = saver.save(session, folder.path + "/model", global_step=3)
    session, recovered = manager.recover_session("", saver, folder.path)
    said.append(recovered)
    values.append(session.run(weights))
    session = manager.prepare_session("", saver=saver, checkpoint_filename_with_path=path)
    values.append(session.run(weights))
    for attempt in (
        lambda: manager.prepare_session("", init_fn=lambda session: None),
        lambda: manager.prepare_session("", init_op=tf.no_op(name="nothing")),
        lambda: manager.wait_for_session("", max_wait_secs=0),
        lambda: tf.train.SessionManager().prepare_session(""),
    ):
        try:
            attempt()
        except (RuntimeError, tf.errors.DeadlineExceededError) as error:
            said.append("%s %s" % (type(error).__name__, getattr(error, "message", error)))
    return said, values


# ---- supervisors ----------


@lasting
def supervisor(tf, log, folder):
    train, loss, step = model(tf)
    saver = tf.train.Saver()
    sv = tf.train.Supervisor(logdir=folder.path, saver=saver, save_model_secs=0, global_step=step)
    said = [sv.is_chief, sv.init_op.name, sv.ready_op.name, sv.save_path]
    said += [sv.summary_op.name, sv.global_step.name, sv.ready_for_local_init_op]
    said += [sv.save_summaries_secs, sv.save_model_secs, tf.get_default_graph().finalized]
    values = []
    with sv.managed_session(start_standard_services=False) as session:
        while not sv.should_stop():
            values.append(session.run([loss, train])[0])
            if len(values) == 3:
                sv.summary_computed(session, session.run(sv.summary_op))
                sv.saver.save(session, sv.save_path, global_step=sv.global_step)
                sv.request_stop()
    return said, values


@lasting
def train_loop(tf, log, folder):
    counter = tf.Variable(0, name="counter")
    more = counter.assign_add(1)
    sv = tf.train.Supervisor(logdir=None, summary_op=None)
    values = []

    def step(session, limit):
        values.append(session.run(more))
        if values[-1] == limit:
            sv.request_stop()

    tf.train.basic_train_loop(sv, step, args=[4])
    return [sv.saver is not None, sv.summary_writer, sv.save_path], values


@lasting
def slim_train(tf, log, folder):
    slim = tf.contrib.slim
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    ones = {"weights_initializer": tf.ones_initializer()}
    y = slim.fully_connected(x, 1, activation_fn=None, scope="fc", **ones)
    loss = tf.losses.mean_squared_error([[1.0], [2.0]], y)
    train_op = slim.learning.create_train_op(
        loss, tf.train.GradientDescentOptimizer(0.01), summarize_gradients=True
    )
    with warnings.catch_warnings():
        # It closes the event file twice.
        warnings.simplefilter("ignore")
        slim.learning.train(
            train_op,
            folder.path,
            number_of_steps=3,
            log_every_n_steps=2,
            save_summaries_secs=0,
            save_interval_secs=0,
        )
    return [], []


# ---- evaluation ----------


def _trained(tf, folder):
    """Writes a checkpoint of a model in a graph of its own."""
    with tf.Graph().as_default():
        tf.get_variable("w", [2], initializer=tf.constant_initializer(3.0))
        step = tf.train.get_or_create_global_step()
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            session.run(step.assign(7))
            return tf.train.Saver().save(session, folder.path + "/model", global_step=7)


@lasting
def evaluate_once(tf, log, folder):
    path = _trained(tf, folder)
    weights = tf.get_variable("w", [2])
    value, update = tf.metrics.mean(weights)
    tf.summary.scalar("mean", value)
    hooks = [
        tf.contrib.training.StopAfterNEvalsHook(3),
        tf.contrib.training.SummaryAtEndHook(folder.path),
    ]
    found = tf.contrib.training.evaluate_once(
        path, eval_ops=update, final_ops={"mean": value}, hooks=hooks
    )
    return [], [found["mean"]]


@lasting
def evaluate_repeatedly(tf, log, folder):
    _trained(tf, folder)
    weights = tf.get_variable("w", [2])
    value, update = tf.metrics.mean(weights)
    hooks = [tf.contrib.training.StopAfterNEvalsHook(2)]
    found = tf.contrib.training.evaluate_repeatedly(
        folder.path, eval_ops=[update], final_ops=value, hooks=hooks, eval_interval_secs=0,
        max_number_of_evaluations=1,
    )  # fmt: skip
    missing = tf.contrib.training.wait_for_new_checkpoint(folder.path + "/none", timeout=0)
    none = list(tf.contrib.training.checkpoints_iterator(folder.path + "/none", timeout=0))
    return [missing, none], [found]


@lasting
def slim_evaluation(tf, log, folder):
    path = _trained(tf, folder)
    weights = tf.get_variable("w", [2])
    step = tf.train.get_or_create_global_step()
    value, update = tf.metrics.mean(weights)
    tf.summary.scalar("mean", value)
    found = tf.contrib.slim.evaluation.evaluate_once(
        "", path, folder.path, num_evals=2, eval_op=update, final_op=[value, step],
        variables_to_restore=[weights, step],
    )  # fmt: skip
    return [], found


@lasting
def contrib_train(tf, log, folder):
    weights = tf.get_variable("w", [2], initializer=tf.ones_initializer(), use_resource=True)
    train_op = tf.contrib.training.create_train_op(
        tf.reduce_sum(weights * weights), tf.train.GradientDescentOptimizer(0.1)
    )
    last = tf.contrib.training.train(
        train_op,
        folder.path,
        hooks=[tf.train.StopAtStepHook(last_step=3)],
        save_checkpoint_secs=None,
    )
    return [], [last]


# ---- clusters ----------


def clusters(tf):
    ClusterSpec = tf.train.ClusterSpec
    spec = ClusterSpec({"worker": ["a:1", "b:2"], "ps": {1: "c:3", 4: "d:4"}, "none": {}})
    said = [spec, sorted(spec.jobs), spec.num_tasks("ps"), spec.task_indices("ps")]
    said += [spec.task_address("ps", 4), spec.job_tasks("ps")]
    said += [sorted(spec.as_dict().items()), bool(spec), bool(ClusterSpec({}))]
    said += [spec == ClusterSpec(spec), spec != ClusterSpec({}), ClusterSpec(spec.as_cluster_def())]
    server_def = tf.train.ServerDef(job_name="worker", task_index=1, protocol="grpc")
    server_def.cluster.CopyFrom(spec.as_cluster_def())
    jobs = [(job.name, sorted(job.tasks.items())) for job in server_def.cluster.job]
    return Done([*said, jobs, server_def.job_name, server_def.task_index, server_def.protocol])


def replicas(tf):
    cluster = {"ps": ["a:1", "b:2"], "worker": ["c:3"]}
    with tf.device(tf.train.replica_device_setter(cluster=cluster)):
        first = tf.get_variable("first", [2])
        with tf.device("/gpu:0"):
            second = tf.Variable([1.0, 2.0], name="second")
            tf.add(first, second, name="sum")
        tf.get_variable("third", [2], use_resource=True)
    setter = tf.train.replica_device_setter(2, worker_device="/job:w/task:3", merge_devices=False)
    with tf.device(setter):
        tf.Variable(1.0, name="fourth")
        with tf.device("/job:other"):
            tf.Variable(1.0, name="fifth")
    load = tf.contrib.training.GreedyLoadBalancingStrategy(2, tf.contrib.training.byte_size_load_fn)
    with tf.device(tf.train.replica_device_setter(2, ps_strategy=load)):
        for i in range(4):
            tf.get_variable("v%d" % i, [4 - i])
    none = tf.train.replica_device_setter(), tf.train.replica_device_setter(cluster={"w": ["a:1"]})
    return Done(none)


def timers(tf):
    timer = tf.train.SecondOrStepTimer(every_steps=3)
    said = []
    for step in (0, 1, 3, 4, 7, 7):
        acts = timer.should_trigger_for_step(step)
        said.append((step, acts, timer.last_triggered_step()))
        if acts:
            said.append(timer.update_last_triggered_step(step)[1])
    timer.reset()
    said.append(timer.last_triggered_step())
    slow = tf.train.SecondOrStepTimer(every_secs=1000)
    said.append(slow.should_trigger_for_step(1))
    slow.update_last_triggered_step(1)
    said.append(slow.should_trigger_for_step(2))
    return Done(said, [np.int32(1)])


CASES = {
    "session": collect(
        training_session, training_goes_on, monitored_session, stopping, nan_loss, listeners,
        saving_hooks, scaffold, session_manager,
    ),
    "supervisor": collect(supervisor, train_loop, slim_train),
    "evaluation": collect(evaluate_once, evaluate_repeatedly, slim_evaluation, contrib_train),
    "cluster": collect(clusters, replicas, timers),
}  # fmt: skip


def _two_feeds(tf):
    x = tf.placeholder(tf.float32, [], name="x")
    hook = tf.train.FeedFnHook(lambda: {x: 1.0})
    with tf.train.MonitoredSession(hooks=[hook]) as session:
        session.run(x, {x: 2.0})


def _two_hooks(tf):
    x = tf.placeholder(tf.float32, [], name="x")
    hooks = [tf.train.FeedFnHook(lambda: {x: 1.0}), tf.train.FeedFnHook(lambda: {x: 1.0})]
    with tf.train.MonitoredSession(hooks=hooks) as session:
        session.run(x)


def _run_after_stop(tf):
    tf.train.create_global_step()
    with tf.train.MonitoredSession(hooks=[tf.train.StopAtStepHook(last_step=0)]) as session:
        session.run(tf.train.get_global_step())
        session.run(tf.train.get_global_step())


def _step_fn(tf):
    with tf.train.MonitoredSession() as session:
        session.run_step_fn(lambda context: 1)


def _closed(tf):
    session = tf.train.MonitoredSession()
    session.close()
    session.close()


def _two_ready(tf):
    tf.add_to_collection(tf.GraphKeys.READY_OP, tf.constant(1))
    tf.add_to_collection(tf.GraphKeys.READY_OP, tf.constant(1))
    tf.train.Scaffold().finalize()


def _many_outputs(tf):
    tf.unstack(tf.constant([1, 2]), name="parts")
    tf.train.LoggingTensorHook(["parts"], every_n_iter=1).begin()


def _needs_step(name, *args, **kwargs):
    def mistake(tf):
        getattr(tf.train, name)(*args, **kwargs).begin()

    return mistake


def _refused(name, *args, **kwargs):
    def mistake(tf):
        getattr(tf.train, name)(*args, **kwargs)

    return mistake


def _spec(method, *args):
    return lambda tf: getattr(tf.train.ClusterSpec({"w": ["a:1"]}), method)(*args)


def _slim(**kwargs):
    def mistake(tf):
        arguments = dict({"train_op": tf.constant(1), "logdir": None}, **kwargs)
        tf.contrib.slim.learning.train(**arguments)

    return mistake


MISTAKES = {
    "hooks": {
        "two_feeds": _two_feeds,
        "two_hooks": _two_hooks,
        "stop_nothing": _refused("StopAtStepHook"),
        "stop_both": _refused("StopAtStepHook", 1, 2),
        "stop_step": _needs_step("StopAtStepHook", 1),
        "waiter_step": _needs_step("GlobalStepWaiterHook", 1),
        "counter_step": _needs_step("StepCounterHook"),
        "counter_both": _refused("StepCounterHook", 1, 2),
        "logging_nothing": _refused("LoggingTensorHook", ["x"]),
        "logging_zero": _refused("LoggingTensorHook", ["x"], every_n_iter=0),
        "logging_outputs": _many_outputs,
        "timer_nothing": _refused("SecondOrStepTimer"),
        "timer_both": _refused("SecondOrStepTimer", 1, 2),
        "summary_nothing": _refused("SummarySaverHook", 1),
        "summary_step": _needs_step("SummarySaverHook", 1, summary_op="x"),
        "saver_both": _refused("CheckpointSaverHook", "x", saver=1, scaffold=1),
    },
    "sessions": {
        "run_after_stop": _run_after_stop,
        "step_fn": _step_fn,
        "closed": _closed,
        "two_ready": _two_ready,
        "scaffold": _refused("Scaffold", copy_from_scaffold=1),
        "ready_for_local": _refused("SessionManager", ready_for_local_init_op=1),
        "nothing_to_log": lambda tf: tf.contrib.training.SummaryAtEndHook(),
        "train_logdir": lambda tf: tf.contrib.training.train(tf.no_op(), None),
        "slim_nothing": _slim(train_op=None),
        "slim_summary": _slim(summary_op=None),
        "slim_saver": _slim(saver=1),
        "slim_trace": _slim(trace_every_n_steps=1),
        "slim_steps": _slim(number_of_steps=0),
    },
    "clusters": {
        "type": _refused("ClusterSpec", 1),
        "tasks": _refused("ClusterSpec", {"a": 1}),
        "job_name": _refused("ClusterSpec", {1: ["a"]}),
        "address": _refused("ClusterSpec", {"a": [1]}),
        "job": _spec("num_tasks", "x"),
        "indices": _spec("task_indices", "x"),
        "task": _spec("task_address", "w", 7),
        "task_job": _spec("task_address", "x", 7),
        "tasks_job": _spec("job_tasks", "x"),
        "server_type": _refused("Server", 1),
        "server_job": _refused("Server", {"a": ["x:1"], "b": ["x:2"]}),
        "server_task": _refused("Server", {"a": ["x:1", "x:2"]}),
        "strategy": _refused("replica_device_setter", 1, ps_strategy=1),
    },
}
