"""`tensorflow.python.distribute.strategy_test_lib`: what tests of all strategies have in common.

A test case calls the methods with the strategy that it is about. They begin with `_test_`, so that
no loader takes them for tests.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from tf1compat.api.array import constant_op, shape_ops
from tf1compat.api.data.ops import dataset_ops
from tf1compat.api.distribute import distribution_strategy_context, values
from tf1compat.api.distribute.reduce_util import ReduceOp
from tf1compat.api.eager import backprop, context
from tf1compat.api.framework import test_decorators, test_util
from tf1compat.api.functions import function
from tf1compat.api.gradients import gradients_impl
from tf1compat.api.layers import core
from tf1compat.api.lib.io import file_io, tf_record
from tf1compat.api.random import init_ops
from tf1compat.api.summary import summary_ops_v2
from tf1compat.api.training import optimizer, training_util
from tf1compat.api.variables import variable_base, variable_scope, variables
from tf1compat.core import dtypes, errors, nest, ops, protos
from tf1compat.core.export import find
from tf1compat.core.session_interface import SessionInterface


class _TestException(Exception):
    """Raised in replicas on purpose."""


def _replica() -> Any:
    """The replica that runs."""
    return distribution_strategy_context.get_replica_context()


# What raises it: in a replica, in what merges, and in a replica or a merger that these call.


def _raise_exception_fn(_: Any = None) -> None:
    raise _TestException


def _merge_raises_fn() -> None:
    _replica().merge_call(_raise_exception_fn)


def _call_raises_fn(dist: Any) -> None:
    dist.extended.call_for_each_replica(_raise_exception_fn)


def _merge_call_raises_fn() -> None:
    _replica().merge_call(_call_raises_fn)


def _call_merge_raises_fn(dist: Any) -> None:
    dist.extended.call_for_each_replica(_merge_raises_fn)


def _merge_call_merge_raises_fn() -> None:
    _replica().merge_call(_call_merge_raises_fn)


def _events_from_logdir(test_case: Any, logdir: str) -> list[Any]:
    """The events of the one file in a folder."""
    test_case.assertTrue(file_io.file_exists(logdir))
    (name,) = file_io.list_directory(logdir)
    event = protos.load("event_pb2", "Event")
    records = tf_record.tf_record_iterator(os.path.join(logdir, name))
    return [event.FromString(record) for record in records]


class DistributionTestBase(test_util.TensorFlowTestCase):
    """What holds under any strategy."""

    # Training.

    def _test_minimize_loss_eager(self, d: Any) -> None:
        """Ten steps of descent, operation by operation, come nearer to the least loss."""
        with d.scope():
            model = _LineThroughOne()
            gradients = optimizer.get_filtered_grad_fn(backprop.implicit_grad(model.loss))
            weights = [model.step(d, gradients, 0.2) for _ in range(10)]
        (((first,), _), *_, (_, (last,))) = weights
        self._check_nearer_to_one(first.numpy(), last.numpy())

    def _test_minimize_loss_graph(
        self, d: Any, soft_placement: bool = False, learning_rate: float = 0.2
    ) -> None:
        """The same in a graph: one step is recorded, and run ten times."""
        config = protos.load("config_pb2", "ConfigProto")(allow_soft_placement=soft_placement)
        config.gpu_options.per_process_gpu_memory_fraction = 0.3
        with (
            context.graph_mode(),
            ops.Graph().as_default(),
            self.cached_session(config=config) as session,
            d.scope(),
        ):
            model = _LineThroughOne()
            step = model.step(d, backprop.implicit_grad(model.loss), learning_rate)
            variables.global_variables_initializer().run()
            weights = [session.run(step) for _ in range(10)]
        (((first,), _), *_, (_, (last,))) = weights
        self._check_nearer_to_one(first, last)

    def _check_nearer_to_one(self, first: Any, last: Any) -> None:
        self.assertLess(abs(last - 1), abs(first - 1))

    def _test_global_step_update(self, strategy: Any) -> None:
        """All replicas count the step up, and it is counted once."""
        with strategy.scope():
            step = variable_scope.get_variable(
                "global_step",
                shape=[],
                dtype=dtypes.int64,
                initializer=init_ops.zeros_initializer(),
                trainable=False,
                aggregation=variable_base.VariableAggregation.ONLY_FIRST_REPLICA,
            )
            self.evaluate(variables.global_variables_initializer())
            added, read = strategy.extended.call_for_each_replica(
                lambda: (step.assign_add(1), step.read_value())
            )
            self.evaluate(strategy.group(added))
            seen = self.evaluate(strategy.experimental_local_results(read))
            self.assertEqual({1}, set(seen))

    def _test_trainable_variable(self, strategy: Any) -> None:
        """Variables are trainable, those that are summed when read only if they are told to be."""
        on_read = variable_base.VariableSynchronization.ON_READ
        wanted: list[tuple[dict[str, Any], bool]] = [
            ({}, True),
            ({"synchronization": on_read}, False),
            ({"synchronization": on_read, "trainable": True}, True),
            ({"synchronization": on_read, "trainable": False}, False),
        ]
        for make in (variable_base.VariableV1, variable_base.Variable):
            for how, trainable in wanted:
                with strategy.scope():
                    self.assertEqual(trainable, make(1.0, **how).trainable)

    # Replicas.

    def _test_replica_id(self, d: Any) -> None:
        """Each replica has a number of its own, from zero on."""
        numbers = []

        def note() -> None:
            numbers.append(int(self.evaluate(_replica().replica_id_in_sync_group)))

        with d.scope():
            d.extended.call_for_each_replica(note)
            self.assertCountEqual(range(len(d.extended.worker_devices)), numbers)

    def _test_call_and_merge_exceptions(self, dist: Any) -> None:
        """What replicas and mergers raise comes out as it is."""
        failing = (
            _raise_exception_fn,
            _merge_raises_fn,
            _merge_call_raises_fn,
            _merge_call_merge_raises_fn,
        )
        with dist.scope():
            for fn in failing:
                with self.assertRaises(_TestException):
                    dist.extended.call_for_each_replica(fn)

    def _test_summary_for_replica_zero_only(self, d: Any) -> None:
        """A summary that all replicas write is in the file once, as replica 0 wrote it."""
        logdir = tempfile.mkdtemp()
        with (
            self.cached_session() as session,
            d.scope(),
            summary_ops_v2.always_record_summaries(),
        ):
            # In a graph, what writes a summary takes the step.
            step = training_util.get_or_create_global_step()
            if not context.executing_eagerly():
                step.initializer.run()
            summary_ops_v2.set_step(0)
            writer = summary_ops_v2.create_file_writer(logdir)

            def write() -> Any:
                with writer.as_default():
                    return summary_ops_v2.write("a", _replica().replica_id_in_sync_group)

            written = d.unwrap(d.extended.call_for_each_replica(write))
            if not context.executing_eagerly():
                for fetches in (writer.init(), written, writer.close()):
                    session.run(fetches)
        version, *others = _events_from_logdir(self, logdir)
        self.assertEqual("file_version", version.WhichOneof("what"))
        said = [(v.tag, v.simple_value) for event in others for v in event.summary.value]
        self.assertEqual([("a", 0.0)], said)

    # Input.

    def _input_fn_to_test_input_context(
        self,
        dataset_or_callable_fn: Callable[[], Any],
        expected_num_replicas_in_sync: int,
        expected_num_input_pipelines: int,
        expected_input_pipeline_id: int | None,
    ) -> Callable[[Any], Any]:
        """A function of input that checks its context.

        Args:
          dataset_or_callable_fn: makes what it returns.
          expected_num_replicas_in_sync, expected_num_input_pipelines: what the context must say.
          expected_input_pipeline_id: the number of the pipeline; None where the function is called
            once for each, in their order.
        """
        calls = []

        def input_fn(input_context: Any) -> Any:
            self.assertIsNotNone(input_context)
            number = expected_input_pipeline_id
            if number is None:
                number = len(calls)
                calls.append(input_context)
            self.assertEqual(
                (expected_num_replicas_in_sync, expected_num_input_pipelines, number),
                (
                    input_context.num_replicas_in_sync,
                    input_context.num_input_pipelines,
                    input_context.input_pipeline_id,
                ),
            )
            return dataset_or_callable_fn()

        return input_fn

    def _same_values(self, ignore_order: bool) -> Callable[[Any, Any], None]:
        return self.assertCountEqual if ignore_order else self.assertEqual

    def _test_input_fn_iterable(
        self, strategy: Any, input_fn: Any, expected_values: Any, ignore_order: bool = False
    ) -> None:
        """A dataset of a function gives the replicas these values, however often it is read."""
        dataset = strategy.experimental_distribute_datasets_from_function(input_fn)
        if not context.executing_eagerly():
            iterator = dataset_ops.make_initializable_iterator(dataset)
            devices = strategy.extended.worker_devices
            self._test_input_fn_iterator(
                iterator, devices, expected_values, ignore_order=ignore_order
            )
            return
        check = self._same_values(ignore_order)
        for _ in range(2):
            iterator = iter(dataset)
            for wanted in expected_values:
                local = strategy.experimental_local_results(next(iterator))
                check(wanted, self.evaluate(list(local)))
        with self.assertRaises(StopIteration):
            next(iterator)

    def _test_input_fn_iterator(
        self,
        iterator: Any,
        devices: Sequence[Any],
        expected_values: Any,
        sess: SessionInterface | None = None,
        test_reinitialize: bool = True,
        ignore_order: bool = False,
    ) -> None:
        """An iterator gives the replicas at `devices` these values, then ends, and begins again."""
        evaluate = self.evaluate if sess is None else sess.run
        check = self._same_values(ignore_order)

        def following() -> Any:
            element = iterator.get_next()
            return evaluate([values.select_replica(i, element) for i in range(len(devices))])

        for _ in range(2 if test_reinitialize else 1):
            evaluate(iterator.initialize())
            for wanted in expected_values:
                check(wanted, following())
            with self.assertRaises(errors.OutOfRangeError):
                following()

    def _test_numpy_dataset(self, strategy: Any) -> None:
        """Two epochs of arrays, a step each: the replicas together get all rows in order."""
        points = np.asarray([[1, 2], [6, 12], [2, 4], [5, 10], [3, 6], [4, 8]])
        labels = np.arange(len(points))[::-1]
        with strategy.scope(), self.cached_session() as session:
            extended = strategy.extended
            per_step = strategy.num_replicas_in_sync
            dataset = extended.experimental_make_numpy_dataset((points, labels), session=session)
            dataset = dataset.repeat(2).batch(
                len(points) // (1 if extended._global_batch_size else per_step),
                drop_remainder=extended.experimental_require_static_shapes,
            )
            iterator = strategy.make_dataset_iterator(dataset)
            self.evaluate(iterator.initialize())

            def step() -> list[np.ndarray]:
                parts = strategy.experimental_run(lambda both: both, iterator)
                local = tuple(strategy.experimental_local_results(part) for part in parts)
                return [np.concatenate(part) for part in self.evaluate(local)]

            for _ in range(2):
                for wanted, got in zip((points, labels), step(), strict=True):
                    self.assertAllEqual(wanted, got)
            with self.assertRaises(errors.OutOfRangeError):
                step()


class _LineThroughOne:
    """A weight, which is to become 1."""

    def __init__(self) -> None:
        self._layer = core.Dense(1, use_bias=False)
        self._one = constant_op.constant([[1.0]])

    def loss(self, x: Any) -> Any:
        error = shape_ops.reshape(self._layer(x), []) - constant_op.constant(1.0)
        return error * error

    def step(self, strategy: Any, gradients: Callable[..., Any], rate: float) -> Any:
        """Takes a step; gives the weight before and after it, each in a list."""
        extended = strategy.extended
        before, after = [], []
        for grad, weight in extended.call_for_each_replica(gradients, args=(self._one,)):
            before.append(extended.read_var(weight))
            with ops.control_dependencies(before[-1:]):
                total = extended.reduce_to(ReduceOp.SUM, grad, destinations=weight)
                descend = lambda v, g: v.assign_sub(rate * g)  # noqa: E731
                updated = extended.update(weight, descend, args=(total,), group=False)
                with ops.control_dependencies(updated):
                    after.append(extended.read_var(weight))
        return before, after


def _all_sum(value: Any) -> Any:
    """The sum of what the replicas have."""
    return _replica().all_reduce(ReduceOp.SUM, value)


def _all_mean(value: Any) -> Any:
    """The mean of it."""
    return _replica().all_reduce(ReduceOp.MEAN, value)


class _CommunicationTests(test_util.TensorFlowTestCase):
    """What replicas tell one another: how many there are is a subclass's."""

    def _dataset(self, inputs: Any) -> Any:
        """A dataset that gives each replica its own."""
        raise NotImplementedError

    def _for_each(self, value: Any) -> list[Any]:
        """What is the same in all replicas."""
        raise NotImplementedError

    def _run_on(self, strategy: Any, step: Callable[..., Any], inputs: Any) -> Any:
        """Runs a step once on `inputs`; evaluates what each replica gives."""
        iterator = strategy.make_input_fn_iterator(lambda _: self._dataset(inputs))
        self.evaluate(iterator.initialize())
        given = strategy.experimental_run(step, iterator)
        if isinstance(given, tuple):
            return self.evaluate([strategy.experimental_local_results(part) for part in given])
        return self.evaluate(strategy.experimental_local_results(given))

    def _test_collective_comms(
        self, strategy: Any, comm_fn: Callable[..., Any], inputs: Any, expected: Any
    ) -> None:
        """`comm_fn` makes of a structure of inputs what is expected, in all replicas."""
        for wanted, got in zip(expected, self._run_on(strategy, comm_fn, inputs), strict=True):
            self.assertAllEqual(self._for_each(wanted), got)

    def _test_collective_comms_gradients(
        self, strategy: Any, comm_fn: Callable[..., Any], inputs: Any, expected_grads: Any
    ) -> None:
        """`tf.gradients` go through `comm_fn`: each replica's are of what all make of its value."""
        if context.executing_eagerly():
            self.skipTest("`tf.gradients` is not supported with eager execution.")

        def step(factor: Any) -> Any:
            x = constant_op.constant(42.0)
            return gradients_impl.gradients(comm_fn(x) * factor, [x])[0]

        self.assertAllEqual(expected_grads, self._run_on(strategy, step, inputs))

    def _test_collective_comms_gradient_tape(
        self, strategy: Any, comm_fn: Callable[..., Any], inputs: Any, expected_grads: Any
    ) -> None:
        """So do those of a tape."""

        def step(factor: Any) -> Any:
            x = constant_op.constant(42.0)
            with backprop.GradientTape() as tape:
                tape.watch(x)
                y = comm_fn(x) * factor
            return tape.gradient(y, x)

        self.assertAllEqual(expected_grads, self._run_on(strategy, step, inputs))

    def _check_runs(self, strategy: Any, first: Callable[[], Any], *wanted: Any) -> None:
        """What one run gives is what the next one takes: as it is, in a dict, by name."""

        def evaluated(value: Any) -> Any:
            return self.evaluate(nest.map_structure(strategy.unwrap, value))

        one = strategy.experimental_run_v2(first)
        two = strategy.experimental_run_v2(lambda x: {"a": x * 2, "b": x * x}, args=(one,))
        three = strategy.experimental_run_v2(lambda b, a: a + 2 * b + 2, kwargs=two)
        both = evaluated(two)
        for values_wanted, got in zip(
            wanted, (evaluated(one), both["a"], both["b"], evaluated(three)), strict=True
        ):
            self.assertAllEqual(values_wanted, got)


class OneDeviceDistributionTestBase(_CommunicationTests):
    """What holds under a strategy with one replica."""

    def _dataset(self, inputs: Any) -> Any:
        return dataset_ops.Dataset.from_tensors(inputs)

    def _for_each(self, value: Any) -> list[Any]:
        return [value]

    def _test_run(self, strategy: Any) -> None:
        """Values go from run to run."""
        self._check_runs(strategy, lambda: constant_op.constant(4.0), [4.0], [8.0], [16.0], [42.0])

    def _test_all_reduce_sum(self, strategy: Any) -> None:
        """A sum over one replica."""
        self._test_unchanged(strategy, _all_sum)

    def _test_all_reduce_mean(self, strategy: Any) -> None:
        """A mean over one replica."""
        self._test_unchanged(strategy, _all_mean)

    def _test_unchanged(self, strategy: Any, reduce: Callable[..., Any]) -> None:
        alone = (4.0, [42.0, 43.0])
        self._test_collective_comms(strategy, reduce, inputs=alone, expected=alone)

    def _test_all_reduce_sum_gradients(self, strategy: Any) -> None:
        """The gradient of a sum."""
        self._test_collective_comms_gradients(strategy, _all_sum, [4.0], [4.0])

    def _test_all_reduce_mean_gradients(self, strategy: Any) -> None:
        """The gradient of a mean."""
        self._test_collective_comms_gradients(strategy, _all_mean, [5.0], [5.0])

    def _test_all_reduce_sum_gradient_tape(self, strategy: Any) -> None:
        """A tape's gradient of a sum."""
        self._test_collective_comms_gradient_tape(strategy, _all_sum, [4.0], [4.0])

    def _test_all_reduce_mean_gradient_tape(self, strategy: Any) -> None:
        """A tape's gradient of a mean."""
        self._test_collective_comms_gradient_tape(strategy, _all_mean, [5.0], [5.0])

    def _test_device_and_input_device_are_colocated(self, strategy: Any) -> None:
        """A strategy at another worker reads its input there."""
        with self._session_at_second_worker() as session:
            iterator = self._counting(strategy)
            self._run_both(session, iterator, strategy.experimental_run(_successor, iterator))

    def _test_device_and_input_device_are_colocated_with_function(self, strategy: Any) -> None:
        """So does one in a `tf.function`, which has to be made at the worker."""
        with self._session_at_second_worker() as session:
            iterator = self._counting(strategy)
            run = function.function()(strategy.experimental_run)
            with ops.device("/job:worker/replica:0/task:1/device:CPU:0"):
                step = run(_successor, iterator)
            self._run_both(session, iterator, step)

    @contextlib.contextmanager
    def _session_at_second_worker(self) -> Iterator[SessionInterface]:
        if context.executing_eagerly():
            self.skipTest("cross-device tests are not supported with eager execution.")
        workers, _ = test_decorators.create_local_cluster(2, 0)
        # The session sees what is recorded later too.
        with find("Session")(target=workers[1].target) as session:
            yield session

    def _counting(self, strategy: Any) -> Any:
        return strategy.make_input_fn_iterator(lambda _: dataset_ops.Dataset.range(5))

    def _run_both(self, session: SessionInterface, iterator: Any, step: Any) -> None:
        session.run(iterator.initialize())
        session.run(step)


def _successor(x: Any) -> Any:
    return x + 1


class TwoDeviceDistributionTestBase(_CommunicationTests):
    """What holds under a strategy with two replicas."""

    def _dataset(self, inputs: Any) -> Any:
        return dataset_ops.Dataset.from_tensor_slices(inputs)

    def _for_each(self, value: Any) -> list[Any]:
        return [value, value]

    def _test_run(self, strategy: Any) -> None:
        """Values go from run to run, each to its replica."""

        def number() -> Any:
            return _replica().replica_id_in_sync_group + 1

        self._check_runs(strategy, number, [1, 2], [2, 4], [1, 4], [6, 14])

    def _test_all_reduce_sum(self, strategy: Any) -> None:
        """A sum over both replicas."""
        self._test_reduced(strategy, _all_sum, (4.0, [42.0, 43.0]))

    def _test_all_reduce_mean(self, strategy: Any) -> None:
        """A mean over both replicas."""
        self._test_reduced(strategy, _all_mean, (2.0, [21.0, 21.5]))

    def _test_reduced(self, strategy: Any, reduce: Callable[..., Any], expected: Any) -> None:
        apart = ([1.0, 3.0], [[39.0, 2.0], [3.0, 41.0]])
        self._test_collective_comms(strategy, reduce, inputs=apart, expected=expected)

    def _test_all_reduce_sum_gradients(self, strategy: Any) -> None:
        """The gradient of a sum."""
        self._test_collective_comms_gradients(strategy, _all_sum, [1.0, 3.0], [4.0, 4.0])

    def _test_all_reduce_mean_gradients(self, strategy: Any) -> None:
        """The gradient of a mean."""
        self._test_collective_comms_gradients(strategy, _all_mean, [1.0, 3.0], [2.0, 2.0])

    def _test_all_reduce_sum_gradient_tape(self, strategy: Any) -> None:
        """A tape's gradient of a sum."""
        self._test_collective_comms_gradient_tape(strategy, _all_sum, [1.0, 3.0], [4.0, 4.0])

    def _test_all_reduce_mean_gradient_tape(self, strategy: Any) -> None:
        """A tape's gradient of a mean."""
        self._test_collective_comms_gradient_tape(strategy, _all_mean, [1.0, 3.0], [2.0, 2.0])
