"""The input of strategies (`tensorflow.python.distribute.input_lib`).

A dataset is read on the host of a worker; its elements go to the worker's devices in turn.
"""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import constant_op, shape_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.data.experimental.ops import distribute
from tf1compat.api.data.ops import multi_device_iterator_ops
from tf1compat.api.distribute import device_util, input_ops, values
from tf1compat.api.distribute import distribution_strategy_context as modes
from tf1compat.api.distribute.reduce_util import ReduceOp
from tf1compat.api.math import math_ops
from tf1compat.core import dtypes, errors, nest, ops
from tf1compat.core.attribute import attribute
from tf1compat.core.export import find
from tf1compat.core.typing import Name


class InputWorkers:
    """The hosts that read, and the devices that each of them feeds.

    Args:
      device_map: the devices.
      worker_device_pairs: pairs of a host and a tuple of devices; one host by default.
      logical_device: which of a replica's devices is fed.
    """

    def __init__(self, device_map: Any, worker_device_pairs: Any = None, logical_device: int = 0):
        devices = device_map.logical_to_actual_devices(logical_device)
        if worker_device_pairs is None:
            worker_device_pairs = ((device_util.canonicalize("/device:CPU:0"), devices),)
        self.device_map = device_map
        self.logical_device = logical_device
        self.worker_devices = tuple(host for host, _ in worker_device_pairs)
        self._fed = tuple(
            tuple(device_util.canonicalize(d) for d in fed) for _, fed in worker_device_pairs
        )
        flat = tuple(d for fed in self._fed for d in fed)
        assert flat == devices, f"flattened: {flat} logical device {logical_device}: {devices}"

    @property
    def num_workers(self) -> int:
        """How many hosts there are."""
        return len(self.worker_devices)

    def compute_devices_for_worker(self, worker_index: int) -> tuple[str, ...]:
        """The devices that a host feeds."""
        return self._fed[worker_index]

    def __repr__(self) -> str:
        lines = [
            f"  {i} {host}: {fed}"
            for i, (host, fed) in enumerate(zip(self.worker_devices, self._fed, strict=True))
        ]
        text = ",\n".join(lines)
        return f"{type(self).__name__}:{{\n{text}\n  device_map: {self.device_map}}}"


# The iterators of one host.


class _OfDataset:
    """The elements of a dataset for the devices of a host."""

    def __init__(self, dataset: Any, worker: str, devices: tuple[str, ...]):
        self._worker, self._devices = worker, devices
        with ops.device(worker):
            self._iterator = _multi_device_iterator(dataset, devices)

    def get_next(self, device: str) -> Any:
        """The next element for a device."""
        with ops.device(self._worker):
            return self._iterator.get_next(device)

    def get_next_as_list(self) -> list[Any]:
        """The next element for each device."""
        with ops.device(self._worker):
            return self._iterator.get_next()

    def get_next_or_zeros(self) -> tuple[Any, list[Any]]:
        """Whether there are elements; for each device the next one, or an empty one."""
        with ops.device(self._worker):
            found, elements = None, []
            optionals = self._iterator.get_next_as_optional()
            for device, optional in zip(self._devices, optionals, strict=True):
                with ops.device(device):
                    if found is None:
                        found = optional.has_value()
                    elements.append(
                        control_flow_ops.cond(
                            optional.has_value(),
                            optional.get_value,
                            lambda of=optional: _empty(of.value_structure),
                        )
                    )
            return found, elements

    def initialize(self) -> list[Any]:
        """Starts again: at once in eager execution, else by the operations that it returns."""
        if ops.executing_eagerly_outside_functions():
            self._iterator._eager_reset()
            return []
        return [self._iterator.initializer]

    output_classes = property(lambda self: find("data.get_output_classes")(self._iterator))
    output_shapes = property(lambda self: find("data.get_output_shapes")(self._iterator))
    output_types = property(lambda self: find("data.get_output_types")(self._iterator))


class _OfFunction:
    """What a function gives, called for each device."""

    def __init__(self, fn: Any, worker: str, devices: tuple[str, ...]):
        self._fn, self._worker, self._devices = fn, worker, devices

    def get_next(self, device: str) -> Any:
        """An element."""
        with ops.device(self._worker):
            return self._fn()

    def get_next_as_list(self) -> list[Any]:
        """An element for each device."""
        with ops.device(self._worker):
            return [self._fn() for _ in self._devices]

    def get_next_or_zeros(self) -> tuple[Any, list[Any]]:
        """That there are elements; one for each device."""
        elements = self.get_next_as_list()
        with ops.device(self._worker):
            return constant_op.constant(True), elements

    def initialize(self) -> list[Any]:
        """Nothing to do."""
        return []


def _multi_device_iterator(dataset: Any, devices: tuple[str, ...]) -> Any:
    return multi_device_iterator_ops.MultiDeviceIterator(dataset, devices)


def _empty(value_structure: Any) -> Any:
    """An element of no rows, of the shapes and types of a structure."""

    def zeros(spec: Any) -> Any:
        dims = [0 if dim is None else dim for dim in spec.shape.as_list()]
        if dims and spec.shape.is_fully_defined():
            dims[0] = 0
        return find("zeros")(dims, spec.dtype)

    return nest.map_structure(zeros, value_structure)


# The iterators of a strategy.


class DistributedIterator:
    """An iterator for all replicas.

    Args:
      input_workers: the hosts and devices.
      iterators: of each host.
      strategy: the strategy.
    """

    def __init__(self, input_workers: InputWorkers, iterators: list[Any], strategy: Any):
        assert isinstance(input_workers, InputWorkers)
        if not input_workers.worker_devices:
            raise ValueError("Should have at least one worker for input iterator.")
        self._input_workers = input_workers
        self._iterators = iterators
        self._strategy = strategy
        may_end_early = getattr(
            strategy.extended, "experimental_enable_get_next_as_optional", False
        )
        self._enable_get_next_as_optional = may_end_early and not all(
            shape.is_fully_defined()
            for iterator in iterators
            if isinstance(iterator, _OfDataset)
            for shape in nest.flatten(iterator.output_shapes)
        )

    def get_next(self, name: Name = None) -> Any:
        """The next element of each replica.

        Args:
          name: has no effect on what is recorded, as in TF.
        """
        workers = self._input_workers
        if not self._enable_get_next_as_optional:
            elements = []
            for host, iterator in zip(workers.worker_devices, self._iterators, strict=True):
                with ops.device(host):
                    elements.extend(iterator.get_next_as_list())
            return values.regroup(workers.device_map, elements)
        return self._get_next_or_end()

    def _get_next_or_end(self) -> Any:
        """The next element of each replica, an empty one where only others have one."""
        workers = self._input_workers
        has_value, elements = _next_or_zeros(self, self._strategy)
        results, late = [], []
        for i, host in enumerate(workers.worker_devices):
            with ops.device(host):
                for j, device in enumerate(workers.compute_devices_for_worker(i)):

                    def end(i: int = i, device: str = device) -> Any:
                        late.append(self._iterators[i].get_next(device))
                        return late[-1]

                    with ops.device(device):
                        results.append(
                            control_flow_ops.cond(has_value, lambda i=i, j=j: elements[i][j], end)
                        )
        flat = nest.flatten(results)
        for tensor, like in zip(flat, nest.flatten(late), strict=False):
            tensor.set_shape(like.get_shape())
        return values.regroup(workers.device_map, nest.pack_sequence_as(results, flat))

    def __next__(self) -> Any:
        try:
            return self.get_next()
        except errors.OutOfRangeError:
            raise StopIteration from None

    next = __next__

    def __iter__(self) -> Any:
        return self

    @property
    def _initializer(self) -> Any:
        inits = [op for iterator in self._iterators for op in iterator.initialize()]
        return control_flow_ops.group(inits)


class DistributedIteratorV1(DistributedIterator):
    """One that has to be started."""

    def initialize(self) -> Any:
        """The operation that starts the iterator."""
        return self._initializer

    initializer = attribute("_initializer", "See `initialize`.")

    output_classes = property(lambda self: self._iterators[0].output_classes)
    output_shapes = property(lambda self: self._iterators[0].output_shapes)
    output_types = property(lambda self: self._iterators[0].output_types)

    def get_iterator(self, worker: str) -> Any:
        """The iterator of a host, or None."""
        hosts = self._input_workers.worker_devices
        return self._iterators[hosts.index(worker)] if worker in hosts else None


def _next_or_zeros(iterator: DistributedIterator, strategy: Any) -> tuple[Any, list[Any]]:
    """Whether any host has elements; for each host those of its devices."""
    found, hosts, elements = [], [], []
    workers = iterator._input_workers
    for host, own in zip(workers.worker_devices, iterator._iterators, strict=True):
        with ops.device(host):
            has_value, element = own.get_next_or_zeros()
            with ops.device("/cpu:0"):
                found.append(math_ops.cast(has_value, dtypes.int32))
                hosts.append(found[-1].device)
            elements.append(element)
    anywhere: Any = found[0]
    if getattr(strategy.extended, "_support_per_replica_values", True):
        places = values.WorkerDeviceMap(hosts, num_replicas_per_worker=len(hosts))
        anywhere = strategy.reduce(ReduceOp.SUM, values.PerReplica(places, found), axis=None)
    return shape_ops.reshape(math_ops.cast(anywhere, dtypes.bool), []), elements


# Datasets.


class _Input:
    """What `for` and `tf.function` go through."""

    _strategy: Any
    _input_workers: InputWorkers
    element_spec: Any = None

    def _iterators(self) -> list[Any]:
        raise NotImplementedError("must be implemented in descendants")

    def __iter__(self) -> DistributedIterator:
        if not (ops.executing_eagerly() or ops.get_default_graph().building_function):
            raise RuntimeError(
                "__iter__() is only supported inside of tf.function or when eager execution is "
                "enabled."
            )
        return self._made(DistributedIterator)

    def _autograph_for_loop(self, extra_test: Any, body: Any, init_state: tuple[Any, ...]) -> Any:
        """How AutoGraph goes through it."""
        if extra_test is not None:
            raise NotImplementedError(
                "break and return statements are not yet supported in for ... in distributed "
                "input loops."
            )
        if init_state:
            return self.reduce(init_state, lambda state, element: body(element, *state))

        def turn(state: Any, element: Any) -> Any:
            body(element)
            return state

        self.reduce((constant_op.constant(0),), turn)
        return ()

    def reduce(self, initial_state: Any, reduce_fn: Any) -> Any:
        """Combines the elements, one for all replicas after the other.

        Args:
          initial_state: what it begins with, a structure of tensors.
          reduce_fn: a function of the state and an element that returns the next state.

        Returns:
          The last state.

        Raises:
          ValueError: several workers have the elements.
        """
        iterator = iter(self)

        def turn(has_data: Any, data: Any, state: Any) -> tuple[Any, ...]:
            if self._input_workers.num_workers != 1:
                raise ValueError(
                    "Dataset iteration within a tf.function is not supported for multiple workers."
                )
            element = values.regroup(self._input_workers.device_map, data[0])
            state = reduce_fn(state, element)
            return (*_next_or_zeros(iterator, self._strategy), state)

        start = [*_next_or_zeros(iterator, self._strategy), initial_state]
        return control_flow_ops.while_loop(
            lambda has_data, data, state: has_data, turn, start, parallel_iterations=1
        )[2]

    def _made(self, kind: Any) -> Any:
        iterator = kind(self._input_workers, self._iterators(), self._strategy)
        if self.element_spec is not None:
            iterator.element_spec = self.element_spec
        return iterator

    def _make_one_shot_iterator(self) -> DistributedIteratorV1:
        if not ops.executing_eagerly():
            raise ValueError(
                "Cannot create a one shot iterator. Please use `make_initializable_iterator()` "
                "instead."
            )
        return self._made(DistributedIteratorV1)

    def _make_initializable_iterator(self, shared_name: Any = None) -> DistributedIteratorV1:
        if ops.executing_eagerly():
            raise ValueError(
                "Cannot create initializable iterator in Eager mode. Please use `iter()` instead."
            )
        return self._made(DistributedIteratorV1)


class DistributedDataset(_Input):
    """A dataset for all replicas.

    Args:
      dataset: the dataset.
      input_workers: the hosts and devices.
      strategy: the strategy.
      split_batch_by: into how many parts each batch is divided, if it is.
      input_context: which part of the input a worker of several reads, if they share it.

    Raises:
      ValueError: batches are to be divided, and there are none.
    """

    def __init__(
        self, dataset: Any, input_workers: InputWorkers, strategy: Any,
        split_batch_by: int | None = None, input_context: Any = None,
    ):  # fmt: skip
        if split_batch_by:
            dataset = distribute._RebatchDataset(dataset, split_batch_by)
            dataset = dataset.prefetch(split_batch_by)
        self._strategy, self._input_workers = strategy, input_workers
        dataset = _stateless(dataset)
        self.element_spec = dataset.element_spec
        self._cloned_datasets: list[Any] = []
        if input_context:
            assert input_workers.num_workers == 1
            count, number = input_context.num_input_pipelines, input_context.input_pipeline_id
            self._cloned_datasets.append(input_ops.auto_shard_dataset(dataset, count, number))
            return
        for number, host in enumerate(input_workers.worker_devices):
            with ops.device(host):
                own = dataset
                if not ops.executing_eagerly():
                    own = input_ops.clone_dataset(dataset).with_options(dataset.options())
                self._cloned_datasets.append(
                    input_ops.auto_shard_dataset(own, input_workers.num_workers, number)
                )

    def _iterators(self) -> list[Any]:
        return _iterators_of_datasets(self._cloned_datasets, self._input_workers)


class DistributedDatasetsFromFunction(_Input):
    """The datasets that a function makes for each host.

    Args:
      dataset_fn: the function of an `InputContext`.
      input_workers: the hosts and devices.
      input_contexts: what each host tells the function.
      strategy: the strategy.
    """

    def __init__(
        self, dataset_fn: Any, input_workers: InputWorkers, input_contexts: Any, strategy: Any
    ):
        _check_contexts(input_workers, input_contexts)
        self._dataset_fn, self._input_contexts = dataset_fn, input_contexts
        self._strategy, self._input_workers = strategy, input_workers

    def _iterators(self) -> list[Any]:
        made = []
        for number, host in enumerate(self._input_workers.worker_devices):
            with ops.device(host):
                dataset = _stateless(self._dataset_fn(self._input_contexts[number]))
                devices = self._input_workers.compute_devices_for_worker(number)
                made.append(_OfDataset(dataset, host, devices))
        return made


def _stateless(dataset: Any) -> Any:
    options = find("data.Options")()
    options.experimental_distribute._make_stateless = True
    return dataset.with_options(options)


def _iterators_of_datasets(datasets: list[Any], input_workers: InputWorkers) -> list[Any]:
    made = []
    for number, host in enumerate(input_workers.worker_devices):
        with ops.device(host):
            devices = input_workers.compute_devices_for_worker(number)
            made.append(_OfDataset(datasets[number], host, devices))
    return made


def _check_contexts(input_workers: InputWorkers, input_contexts: Any) -> None:
    if input_workers.num_workers != len(input_contexts):
        raise ValueError(
            f"Number of input workers ({input_workers.num_workers}) is not same as number of "
            f"input_contexts ({len(input_contexts)})"
        )


class DistributedDatasetV1(DistributedDataset):
    """A dataset for all replicas, that makes iterators to be initialized."""

    def make_one_shot_iterator(self) -> DistributedIteratorV1:
        """An iterator, in eager execution.

        Raises:
          ValueError: ops are recorded.
        """
        return self._make_one_shot_iterator()

    def make_initializable_iterator(self) -> DistributedIteratorV1:
        """An iterator to be started by its `initializer`.

        Raises:
          ValueError: in eager execution.
        """
        return self._make_initializable_iterator()


class DistributedDatasetsFromFunctionV1(DistributedDatasetsFromFunction):
    """As TF 1.15's, of which only `tf.data.make_initializable_iterator` makes iterators."""


get_distributed_dataset = DistributedDatasetV1
get_distributed_datasets_from_function = DistributedDatasetsFromFunctionV1


class InputFunctionIterator(DistributedIteratorV1):
    """An iterator over what a function gives for each host.

    Args:
      input_fn: a function of an `InputContext` that returns a dataset or a function.
      input_workers: the hosts and devices.
      input_contexts: what each host tells the function.
      strategy: the strategy.

    Raises:
      ValueError: it returns neither.
    """

    def __init__(
        self, input_fn: Any, input_workers: InputWorkers, input_contexts: Any, strategy: Any
    ):
        _check_contexts(input_workers, input_contexts)
        iterators = []
        for number, context in enumerate(input_contexts):
            host = input_workers.worker_devices[number]
            devices = input_workers.compute_devices_for_worker(number)
            with ops.device(host):
                made = input_fn(context)
                if isinstance(made, find("data.Dataset").__mro__[1]):
                    iterators.append(_OfDataset(made, host, devices))
                elif callable(made):
                    iterators.append(_OfFunction(made, host, devices))
                else:
                    raise ValueError("input_fn must return a tf.data.Dataset or a callable.")
        super().__init__(input_workers, iterators, strategy)


class DatasetIterator(DistributedIteratorV1):
    """An iterator of a dataset; see `DistributedDataset`."""

    def __init__(
        self, dataset: Any, input_workers: InputWorkers, strategy: Any,
        split_batch_by: int | None = None, input_context: Any = None,
    ):  # fmt: skip
        distributed = DistributedDataset(
            dataset, input_workers, strategy, split_batch_by, input_context
        )
        super().__init__(input_workers, distributed._iterators(), strategy)
        self.element_spec = distributed.element_spec


# Several steps in one run.


class MultiStepContext:
    """What the function that `run_steps` calls can say."""

    def __init__(self) -> None:
        self._last_step_outputs: Any = {}
        self._last_step_outputs_reduce_ops: dict[str, Any] = {}
        self._non_tensor_outputs: dict[str, Any] = {}

    last_step_outputs = attribute("_last_step_outputs", "What the last step gave, by name.")

    def _set_last_step_outputs(self, outputs: Any) -> None:
        if not isinstance(outputs, dict):
            raise ValueError("Need a dictionary to set last_step_outputs.")
        self._last_step_outputs = outputs

    def set_last_step_output(self, name: str, output: Any, reduce_op: Any = None) -> None:
        """Gives a name to something that the last step gives.

        Args:
          name: the name.
          output: a tensor; in a replica, one of each.
          reduce_op: how they become one; None outside of replicas: they are kept.
        """

        def keep(strategy: Any, value: Any) -> None:
            self._last_step_outputs_reduce_ops[name] = reduce_op
            if reduce_op is not None:
                value = strategy.reduce(reduce_op, value, axis=None)
            self._last_step_outputs[name] = value

        if modes.in_cross_replica_context():
            keep(modes.get_strategy(), output)
            return
        assert reduce_op is not None
        _merge_call(keep, output)

    non_tensor_outputs: dict[str, Any] = attribute(
        "_non_tensor_outputs", "What is no tensor, by name."
    )

    def set_non_tensor_output(self, name: str, output: Any) -> None:
        """Gives a name to something that is no tensor."""

        def keep(strategy: Any, value: Any) -> None:
            self._non_tensor_outputs[name] = strategy.experimental_local_results(value)

        if modes.in_cross_replica_context():
            self._non_tensor_outputs[name] = output
        else:
            _merge_call(keep, output)


def _merge_call(fn: Any, output: Any) -> None:
    replica = modes.get_replica_context()
    assert replica is not None
    replica.merge_call(fn, args=(output,))


def run_steps(
    extended: Any, fn: Any, iterator: Any, iterations: Any, initial_loop_values: Any
) -> MultiStepContext:
    """Calls a function in a recorded loop.

    Args:
      extended: the strategy's.
      fn: a function of the context and of an element.
      iterator: gives the elements.
      iterations: how often.
      initial_loop_values: of what the function names by `set_last_step_output`.
    """
    context = MultiStepContext()
    initial = nest.flatten({} if initial_loop_values is None else initial_loop_values)

    def body(i: Any, *_: Any) -> list[Any]:
        done = fn(context, iterator.get_next())
        outputs = context.last_step_outputs
        for name, output in outputs.items():
            outputs[name] = extended._local_results(output)
        flat = nest.flatten(outputs)
        with ops.control_dependencies([done]):
            return [i + 1, *flat]

    graph = ops.get_default_graph()
    extended._outer_control_flow_context = graph._get_control_flow_context()
    results = control_flow_ops.while_loop(
        lambda i, *_: i < iterations, body, [constant_op.constant(0), *initial], name="",
        parallel_iterations=1, back_prop=False, swap_memory=False, return_same_structure=True,
    )  # fmt: skip
    del extended._outer_control_flow_context
    context.run_op = control_flow_ops.group(results)  # type: ignore[attr-defined]
    outputs = nest.pack_sequence_as(context.last_step_outputs, results[1:])
    for name, reduce_op in context._last_step_outputs_reduce_ops.items():
        if reduce_op is None:
            outputs[name] = values.regroup(extended._input_workers.device_map, outputs[name])
        else:
            (outputs[name],) = outputs[name]
    context._set_last_step_outputs(outputs)
    return context
