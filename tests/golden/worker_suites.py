"""Suites on TF's base classes for tests with several workers; see strategy_suites.py.

python worker_suites.py data/worker_suites.json.gz
"""

import json
import os
import re
import subprocess
import sys
import threading

import numpy as np
import tensorflow as tf
from absl.testing import parameterized
from strategy_suites import record
from tensorflow.python.distribute import (
    combinations,
    distribute_coordinator,
    distribute_coordinator_context,
    multi_worker_test_base,
    multi_worker_util,
    strategy_test_lib,
)

base = multi_worker_test_base
BOTH = combinations.combine(mode=["graph", "eager"])


class Ports(tf.test.TestCase):
    def test_ports(self):
        ports = [base.pick_unused_port() for _ in range(5)]
        self.assertLen(set(ports), 5)
        self.assertTrue(base.ASSIGNED_PORTS.issuperset(ports))

    def test_specs(self):
        def jobs(*args, **kwargs):
            spec = base.create_cluster_spec(*args, **kwargs)
            return {job: len(tasks) for job, tasks in spec.items()}

        self.assertEqual(jobs(), {"worker": 1})
        self.assertEqual(jobs(True, 2, 1, True), {"chief": 1, "worker": 2, "ps": 1, "evaluator": 1})
        self.assertEqual(jobs(num_workers=0, num_ps=2, test_obj=self), {"ps": 2})

    def test_environment(self):
        variables = base.MockOsEnv()
        variables["TF_CONFIG"], variables["A"] = "here", "all"
        seen = []

        def look():
            seen.append(
                (variables.get("TF_CONFIG"), variables.get("A"), variables.get("B", "none"))
            )
            variables["TF_CONFIG"] = "there"
            seen.append((variables["TF_CONFIG"], sorted(variables), len(variables)))

        thread = threading.Thread(target=look)
        thread.start()
        thread.join()
        self.assertEqual(seen, [(None, "all", "none"), ("there", ["A", "TF_CONFIG"], 2)])
        self.assertEqual(variables["TF_CONFIG"], "here")
        self.assertIn("A", variables)
        with self.assertRaises(KeyError):
            variables["B"]


class Sessions(base.MultiWorkerTestBase, parameterized.TestCase):
    def test_devices(self):
        self.assertEqual(sorted(self._cluster_spec), ["ps", "worker"])
        with self.session() as session:
            tasks = {device.name.split("/device")[0] for device in session.list_devices()}
        wanted = ["/job:ps/replica:0/task:0"]
        wanted += ["/job:worker/replica:0/task:%d" % i for i in range(2)]
        self.assertEqual(sorted(tasks), wanted)

    def test_cached_session(self):
        with tf.Graph().as_default(), self.cached_session() as one:
            with tf.device("/job:worker/task:1"):
                x = tf.constant(2.0) * 3.0
            with tf.device("/job:ps/task:0"):
                y = x + 1.0
            self.assertEqual(one.run([x, y]), [6.0, 7.0])
            self.assertIs(tf.get_default_session(), one)
        with self.cached_session() as two:
            self.assertIs(one, two)
            self.assertIs(tf.get_default_graph(), one.graph)
        with self.session(target="") as local:
            self.assertLen([d for d in local.list_devices() if d.device_type == "CPU"], 1)

    def test_config(self):
        given = tf.ConfigProto(device_count={"CPU": 2})
        made = self._create_config(given)
        self.assertEqual(made.device_count["CPU"], 2)
        self.assertEqual(made.graph_options.optimizer_options.opt_level, -1)
        self.assertEqual(made.graph_options.rewrite_options.constant_folding, 2)
        self.assertFalse(given.HasField("graph_options"))
        self.assertTrue(self._create_config(None).allow_soft_placement)

    @combinations.generate(BOTH)
    def test_clients(self):
        seen = []

        def client(task_type, task_id, num_gpus, *args, **kwargs):
            seen.append((task_type, task_id, num_gpus, args, kwargs, tf.executing_eagerly()))

        spec = {"worker": ["a", "b"], "chief": ["c"], "ps": ["d"]}
        self._run_between_graph_clients(client, spec, 0, 5, key=6)
        wanted = [("chief", 0), ("worker", 0), ("worker", 1)]
        eager = tf.executing_eagerly()
        self.assertEqual(sorted(seen), [task + (0, (5,), {"key": 6}, eager) for task in wanted])

    def test_client_fails(self):
        def client(task_type, task_id, num_gpus):
            raise ValueError("of %s %d" % (task_type, task_id))

        with self.assertRaisesRegex(ValueError, "of worker 0"):
            self._run_between_graph_clients(client, {"worker": ["a"]}, 0)


class Descent(base.MultiWorkerTestBase, strategy_test_lib.DistributionTestBase):
    """Both bases at once, as TF's own tests of strategies have them."""

    def _strategy(self, make, task_type, task_id):
        strategy = make()
        strategy.configure(cluster_spec=self._cluster_spec, task_type=task_type, task_id=task_id)
        return strategy

    def _train(self, task_type, task_id, num_gpus, make):
        strategy = self._strategy(make, task_type, task_id)
        with tf.Graph().as_default(), self.cached_session() as session, strategy.scope():
            step = tf.train.get_or_create_global_step()
            w = tf.get_variable("w", initializer=[5.0])

            def loss():
                return tf.reduce_sum(tf.square(w - 1.0))

            def minimize():
                return tf.train.GradientDescentOptimizer(0.1).minimize(loss, step)

            train = strategy.group(strategy.extended.call_for_each_replica(minimize))
            if strategy.extended.experimental_should_init:
                session.run(tf.global_variables_initializer())
                self._ready.set()
            self.assertTrue(self._ready.wait(60))
            before = abs(session.run(w)[0] - 1.0)
            for _ in range(10):
                session.run(train)
            self.assertLess(abs(session.run(w)[0] - 1.0), before)

    def _check(self, make):
        self._ready = threading.Event()
        self._run_between_graph_clients(self._train, self._cluster_spec, 0, make)

    def test_parameter_servers(self):
        self._check(tf.contrib.distribute.ParameterServerStrategy)

    def test_minimize_loss_graph(self):
        make = tf.contrib.distribute.ParameterServerStrategy
        strategy = self._strategy(make, "worker", 1)
        self._test_minimize_loss_graph(strategy)
        self._test_call_and_merge_exceptions(strategy)

    def test_global_step_update(self):
        with tf.Graph().as_default(), self.cached_session():
            make = tf.contrib.distribute.ParameterServerStrategy
            self._test_global_step_update(self._strategy(make, "worker", 0))

    def test_input(self):
        with tf.Graph().as_default(), self.cached_session():
            make = tf.contrib.distribute.ParameterServerStrategy
            strategy = self._strategy(make, "worker", 1)

            def dataset():
                return tf.data.Dataset.range(3)

            input_fn = self._input_fn_to_test_input_context(dataset, 1, 2, 1)
            self._test_input_fn_iterable(strategy, input_fn, [[0], [1], [2]])
            iterator = strategy.make_input_fn_iterator(input_fn)
            with self.session() as session:
                devices = strategy.extended.worker_devices
                self._test_input_fn_iterator(iterator, devices, [[0], [1], [2]], session)


class Threads(base.IndependentWorkerTestBase, parameterized.TestCase):
    @combinations.generate(BOTH)
    def test_tasks(self):
        seen = []
        spec = base.create_cluster_spec(num_workers=2, num_ps=1)

        def task(*args, **kwargs):
            task = (base.get_task_type(), base.get_task_index())
            self.assertEqual(base.get_tf_config_task(), {"type": task[0], "index": task[1]})
            self.assertEqual(base.get_tf_config_cluster_spec(), spec)
            seen.append(task + (base.is_chief(), args, kwargs, tf.executing_eagerly()))

        threads = self.run_multiple_tasks_in_threads(task, spec, 3, key=4)
        self.assertEqual({job: len(of) for job, of in threads.items()}, {"worker": 2, "ps": 1})
        self.join_independent_workers(threads["worker"] + threads["ps"])
        rest = ((3,), {"key": 4}, tf.executing_eagerly())
        wanted = [("ps", 0, False), ("worker", 0, True), ("worker", 1, False)]
        self.assertEqual(sorted(seen), [task + rest for task in wanted])
        self.assertNotIn("TF_CONFIG", os.environ)

    def test_config_of_a_thread(self):
        seen = []
        config = {"cluster": {"chief": ["a:1"]}, "task": {"type": "x", "index": 7}}
        task = lambda: seen.append(json.loads(os.environ["TF_CONFIG"]))  # noqa: E731
        threads = [
            self._run_task_in_thread(task, {"worker": ["b"]}, None, None),
            self._run_task_in_thread(task, {"worker": ["b"]}, "worker", 0, tf_config=config),
        ]
        self.join_independent_workers(threads)
        self.assertCountEqual(seen, [{"cluster": {"worker": ["b"]}}, config])

    def test_a_task_fails(self):
        def task():
            raise ValueError("on purpose")

        thread = self._run_task_in_thread(task, {"worker": ["a"]}, "worker", 0)
        with self.assertRaisesRegex(ValueError, "on purpose"):
            self.join_independent_workers([thread])

    def test_servers(self):
        spec = base.create_cluster_spec(num_workers=2)
        self._barrier = distribute_coordinator._Barrier(2)
        seen = {}

        def worker(strategy):
            context = distribute_coordinator_context.get_current_worker_context()
            with tf.Session(context.master_target, config=context.session_config) as session:
                seen[context.task_id] = [
                    context.task_type, context.is_chief, context.num_workers,
                    context.distributed_mode, context.has_barrier, context.should_checkpoint,
                    context.master_target == "grpc://" + spec["worker"][context.task_id],
                    multi_worker_util.has_worker_context(), multi_worker_util.is_chief(),
                    multi_worker_util.should_save_checkpoint(),
                    session.run(tf.constant(1) + 1), strategy.extended.worker_devices,
                ]  # fmt: skip

        def task():
            strategy = tf.contrib.distribute.CollectiveAllReduceStrategy()
            distribute_coordinator.run_distribute_coordinator(
                worker, strategy, mode=distribute_coordinator.CoordinatorMode.INDEPENDENT_WORKER
            )
            self.assertFalse(multi_worker_util.has_worker_context())

        with tf.test.mock.patch.object(
            distribute_coordinator, "_run_std_server", self._make_mock_run_std_server()
        ):
            threads = self.run_multiple_tasks_in_threads(task, spec)
            self.join_independent_workers(threads["worker"])
        for number in range(2):
            first = number == 0
            device = "/job:worker/replica:0/task:%d/device:CPU:0" % number
            self.assertEqual(
                seen[number],
                ["worker", first, 2, True, False, first, True, True, first, first, 2, (device,)],
            )


class Coordinator(base.MultiWorkerTestBase):
    """A client whose cluster's servers run already."""

    def _run(self, worker_fn, strategy, **kwargs):
        return distribute_coordinator.run_distribute_coordinator(
            worker_fn, strategy, cluster_spec=self._cluster_spec, **kwargs
        )

    def test_between_graphs(self):
        seen = []
        lock = threading.Lock()

        def worker(strategy):
            context = distribute_coordinator_context.get_current_worker_context()
            context.wait_for_other_workers()
            with tf.Graph().as_default(), strategy.scope():
                w = tf.get_variable("w", initializer=1.0)
                add = w.assign_add(1.0, use_locking=True)
                with context.session_creator().create_session() as session:
                    context.wait_for_other_workers()
                    session.run(add)
                    context.wait_for_other_workers()
                    with lock:
                        seen.append((context.task_type, context.task_id, float(session.run(w))))
            return 5

        strategy = tf.contrib.distribute.ParameterServerStrategy()
        self.assertIsNone(self._run(worker, strategy))
        self.assertEqual(sorted(seen), [("worker", 0, 3.0), ("worker", 1, 3.0)])

    def test_one_graph(self):
        def worker(strategy):
            context = distribute_coordinator_context.get_current_worker_context()
            self.assertEqual((context.task_type, context.task_id), (None, None))
            self.assertEqual(context.master_target, self._default_target)
            with self.assertRaisesRegex(ValueError, "You cannot run distribute coordinator in a"):
                self._run(worker, strategy)
            return "given"

        strategy = tf.distribute.OneDeviceStrategy("/cpu:0")
        self.assertEqual(self._run(worker, strategy), "given")

    def test_who_writes(self):
        folder = self.get_temp_dir()

        class Hook(tf.train.SessionRunHook):
            def begin(self):
                began.append(distribute_coordinator_context.get_current_worker_context().task_id)

        def worker(strategy):
            context = distribute_coordinator_context.get_current_worker_context()
            with tf.Graph().as_default(), strategy.scope():
                tf.summary.scalar("x", tf.constant(1.0))
                add = tf.assign_add(tf.train.get_or_create_global_step(), 1)
                with tf.train.MonitoredTrainingSession(
                    checkpoint_dir=os.path.join(folder, type(strategy).__name__),
                    save_checkpoint_secs=600, log_step_count_steps=2, save_summaries_steps=1,
                    chief_only_hooks=[Hook()],
                ) as session:  # fmt: skip
                    context.wait_for_other_workers()
                    session.run(add)
                    context.wait_for_other_workers()

        for make in (
            tf.contrib.distribute.CollectiveAllReduceStrategy,
            tf.contrib.distribute.ParameterServerStrategy,
        ):
            began = []
            strategy = make()
            self._run(worker, strategy)
            self.assertEqual(began, [0])
            written = {}
            for place, _, names in os.walk(os.path.join(folder, type(strategy).__name__)):
                kinds = {re.sub(r"[-.].*", "", name) for name in names}
                written[os.path.relpath(place, folder)] = sorted(kinds)
            kinds = ["checkpoint", "events", "graph", "model"]
            wanted = {type(strategy).__name__: kinds}
            if make is tf.contrib.distribute.CollectiveAllReduceStrategy:
                wanted["CollectiveAllReduceStrategy/tmp_worker_1"] = kinds
            self.assertEqual(written, wanted)

    def test_a_worker_fails(self):
        def worker(strategy):
            raise ValueError("on purpose")

        with self.assertRaisesRegex(ValueError, "on purpose"):
            self._run(worker, tf.contrib.distribute.ParameterServerStrategy())

    def test_no_such_mode_or_task(self):
        strategy = tf.distribute.OneDeviceStrategy("/cpu:0")
        with self.assertRaisesRegex(ValueError, "Unexpected coordinator mode: 'x'"):
            self._run(None, strategy, mode="x")
        with self.assertRaisesRegex(ValueError, "`cluster_spec' should be dict or a"):
            distribute_coordinator.run_distribute_coordinator(None, strategy, cluster_spec=[1])

    def test_local(self):
        seen = []

        def worker(strategy):
            context = distribute_coordinator_context.get_current_worker_context()
            seen.append((context.master_target, context.is_chief, context.distributed_mode))
            folder = self.get_temp_dir()
            with tf.Graph().as_default():
                step = tf.train.get_or_create_global_step()
                x = tf.get_variable("x", initializer=np.float32(3))
                add = tf.group(x.assign_add(1.0), step.assign_add(1))
                with tf.train.MonitoredTrainingSession(
                    checkpoint_dir=folder, save_checkpoint_steps=2, log_step_count_steps=None
                ) as session:
                    for _ in range(4):
                        session.run(add)
                    seen.append(float(session.run(x)))
            seen.append(tf.train.load_variable(folder, "global_step"))

        def evaluator(strategy):
            seen.append(type(strategy).__name__)

        distribute_coordinator.run_distribute_coordinator(
            worker,
            tf.distribute.OneDeviceStrategy("/cpu:0"),
            evaluator,
            tf.distribute.MirroredStrategy(["/cpu:0"]),
        )
        self.assertEqual(seen, [("", True, False), 7.0, 4, "MirroredStrategyV1"])


class Processes(base.MultiWorkerMultiProcessTest):
    def _run(self, code):
        command = [sys.executable, "-c", "import json, os, sys\n" + code]
        return self.run_multiple_tasks_in_processes(command, {"worker": ["a", "b"], "ps": ["c"]})

    def test_tasks(self):
        code = "print(json.loads(os.environ['TF_CONFIG'])['task']['index'])"
        processes = self._run(code)
        outputs = {job: [p.communicate()[0] for p in of] for job, of in processes.items()}
        self.assertEqual(outputs, {"worker": [b"0\n", b"1\n"], "ps": [b"0\n"]})
        self.join_independent_workers(processes)

    def test_stderr(self):
        processes = self._run(
            "sys.stderr.write(json.loads(os.environ['TF_CONFIG'])['task']['type'])"
        )
        read, write = os.pipe()
        with os.fdopen(write, "w") as written, tf.test.mock.patch.object(sys, "stdout", written):
            self.stream_stderr(processes, print_only_first=True)
        with os.fdopen(read) as lines:
            self.assertCountEqual(lines, ["worker0 b'worker'\n", "ps0 b'ps'\n"])
        self.join_independent_workers(processes["worker"] + processes["ps"])

    def test_a_process_fails(self):
        with self.assertRaises(AssertionError):
            self.join_independent_workers(self._run("sys.exit(3)"))
        self.assertIs(subprocess.PIPE, -1)


CLASSES = [Ports, Sessions, Descent, Threads, Coordinator, Processes]


if __name__ == "__main__":
    record(CLASSES)
