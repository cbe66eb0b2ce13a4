"""An iterator that several devices share
(`tensorflow.python.data.ops.multi_device_iterator_ops`).
"""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import constant_op
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.data.ops import dataset_ops, dataset_types, iterator_ops
from tf1compat.api.data.ops.dataset_options import Options
from tf1compat.api.data.util import structure
from tf1compat.api.functions.function import defun_with_attributes
from tf1compat.core import dtypes, errors, ops, raw_ops
from tf1compat.core.attribute import attribute
from tf1compat.core.composite_tensor import CompositeTensor
from tf1compat.core.type_spec import TensorSpec, TypeSpec


def remote_function(
    function: Any, device: Any, types: Any, *, takes_handle: bool = True, attributes: Any = None
) -> Any:
    """A concrete function that has another device call a function, for `GeneratorDataset`.

    Args:
      function: what is called, a Python function of an iterator's handle, or of nothing.
      device: the device's name, a string tensor.
      types: of what the function returns.
      takes_handle: whether it takes a handle.
      attributes: of the function that calls.
    """
    signature = [TensorSpec([], dtypes.string)] if takes_handle else None
    called = _concrete(function, signature)

    def call(*handle: Any) -> Any:
        return raw_ops.RemoteCall(device, [*handle, *called.captured_inputs], Tout=types, f=called)

    def call_with(string_handle: Any) -> Any:
        return call(string_handle)

    caller = call_with if takes_handle else call
    caller.__name__ = f"_remote{function.__name__}"
    return _concrete(caller, signature, attributes)


def _concrete(function: Any, signature: Any, attributes: Any = None) -> Any:
    made = defun_with_attributes(
        function, input_signature=signature, attributes=attributes, autograph=False
    )
    return made.get_concrete_function()


class _PerDeviceGenerator(dataset_types.DatasetSource):
    """The elements for one device, which it asks the device of the iterator for.

    Args:
      shard_num: which device it is.
      resource: the iterator.
      incarnation_id: which pass of the iterator is meant, a tensor.
      source_device: where the iterator is, a tensor.
      element_spec: of an element.
    """

    def __init__(
        self, shard_num: int, resource: Any, incarnation_id: Any, source_device: Any,
        element_spec: Any,
    ):  # fmt: skip
        self._element_spec = element_spec
        types = structure.get_flat_tensor_types(element_spec)
        flat: dict[str, Any] = {
            "output_types": types,
            "output_shapes": structure.get_flat_tensor_shapes(element_spec),
        }
        handle = raw_ops.MultiDeviceIteratorToStringHandle(resource)

        def _init_func() -> Any:
            return handle

        def _next_func(string_handle: Any) -> Any:
            iterator = raw_ops.MultiDeviceIteratorFromStringHandle(string_handle, **flat)
            return raw_ops.MultiDeviceIteratorGetNextFromShard(
                iterator, shard_num, incarnation_id, **flat
            )

        def _finalize_func(unused_string_handle: Any) -> Any:
            return constant_op.constant(0, dtypes.int64)

        self._parts = (
            remote_function(_init_func, source_device, [dtypes.string], takes_handle=False),
            remote_function(
                _next_func,
                source_device,
                types,
                attributes={"experimental_ints_on_device": True},
            ),
            remote_function(_finalize_func, source_device, [dtypes.int64]),
        )
        self._incarnation_id = incarnation_id
        super().__init__(self._recorded_again(incarnation_id))

    def _recorded_again(self, incarnation_id: Any) -> Any:
        """The operation, for a pass of the iterator."""
        init, following, final = self._parts
        captured = [
            incarnation_id if tensor is self._incarnation_id else tensor
            for tensor in following.captured_inputs
        ]
        return raw_ops.GeneratorDataset(
            init.captured_inputs, captured, final.captured_inputs,
            init_func=init, next_func=following, finalize_func=final, **self._flat_structure,
        )  # fmt: skip

    element_spec = attribute("_element_spec")


class _OfPass(dataset_types.DatasetSource):
    """A device's elements of one pass."""

    def __init__(self, generator: _PerDeviceGenerator, incarnation_id: Any):
        self._element_spec = generator.element_spec
        super().__init__(generator._recorded_again(incarnation_id))

    element_spec = attribute("_element_spec")


class _OfDevices:
    """What gives each of several devices the elements of an iterator of its own."""

    _devices: list[Any]
    _device_iterators: list[Any]

    def get_next(self, device: str | None = None) -> Any:
        """The next element of a device, or a list of those of all."""
        if device is not None:
            return self._device_iterators[self._devices.index(device)].get_next()
        found = []
        for device, iterator in zip(self._devices, self._device_iterators, strict=True):
            with ops.device(device):
                found.append(iterator.get_next())
        return found

    def get_next_as_optional(self) -> list[Any]:
        """As `get_next`, optionals."""
        found = []
        for device, iterator in zip(self._devices, self._device_iterators, strict=True):
            with ops.device(device):
                found.append(iterator_ops.get_next_as_optional(iterator))
        return found


def _prepared(dataset: Any, devices: Any) -> Any:
    """A dataset that is to be dealt out, with its options applied; and whether it has slack."""
    options = Options()
    options.experimental_distribute.num_devices = len(devices)
    dataset = dataset.with_options(options)
    return dataset._apply_options(), dataset.options().experimental_slack


def _of_device(
    generator: _PerDeviceGenerator, incarnation_id: Any, buffer_size: int, slack: Any
) -> Any:
    """The dataset that a device reads.

    Args:
      generator: asks for its elements.
      incarnation_id: of the pass that is meant.
      buffer_size: how many elements are fetched ahead.
      slack: whether the dataset has `experimental_slack`.
    """
    dataset: Any = _OfPass(generator, incarnation_id)
    if buffer_size > 0 and slack:
        dataset = dataset_types.PrefetchDataset(dataset, buffer_size, slack_period=1)
    elif buffer_size > 0:
        dataset = dataset.prefetch(buffer_size)
    options = Options()
    options.experimental_optimization.apply_default_optimizations = False
    options.experimental_optimization.autotune = False
    return dataset.with_options(options)


class MultiDeviceIterator(_OfDevices):
    """Gives the elements of a dataset to devices in turn.

    Args:
      dataset: the dataset.
      devices: the devices' names.
      max_buffer_size: how many elements TF keeps for a device.
      prefetch_buffer_size: how many each device fetches ahead.
      source_device: where the dataset is read.
    """

    def __init__(
        self, dataset: Any, devices: Any, max_buffer_size: int = 1, prefetch_buffer_size: int = 1,
        source_device: str = "/cpu:0",
    ):  # fmt: skip
        self._dataset, self._slack = _prepared(dataset, devices)
        self._devices = list(devices)
        source = ops.convert_to_tensor(source_device)
        self._max_buffer_size = max(max_buffer_size, prefetch_buffer_size)
        self._prefetch_buffer_size = prefetch_buffer_size
        eager = ops.executing_eagerly()
        with ops.device(source_device):
            self._resource = raw_ops.MultiDeviceIterator(
                devices=self._devices, container="",
                shared_name=f"multi_device_iterator_{ops.uid()}" if eager else "",
                **self._dataset._flat_structure,
            )  # fmt: skip
            self._incarnation_id = self._begun()
        self._generators = []
        for number, device in enumerate(self._devices):
            with ops.device(device):
                self._generators.append(
                    _PerDeviceGenerator(
                        number,
                        self._resource,
                        self._incarnation_id,
                        source,
                        self._dataset.element_spec,
                    )
                )
        make = (
            dataset_ops.make_one_shot_iterator if eager else dataset_ops.make_initializable_iterator
        )
        self._device_iterators = []
        for device, generator in zip(self._devices, self._generators, strict=True):
            with ops.device(device):
                self._device_iterators.append(make(self._of_device(generator)))
        if not eager:
            self._initializer = control_flow_ops.group(
                *[iterator.initializer for iterator in self._device_iterators]
            )

    def _begun(self) -> Any:
        return raw_ops.MultiDeviceIteratorInit(
            self._dataset._variant_tensor, self._resource, max_buffer_size=self._max_buffer_size
        )

    def _of_device(self, generator: _PerDeviceGenerator) -> Any:
        return _of_device(generator, self._incarnation_id, self._prefetch_buffer_size, self._slack)

    @property
    def initializer(self) -> Any:
        """The operation that starts the iterator."""
        return control_flow_ops.no_op() if ops.executing_eagerly() else self._initializer

    def _eager_reset(self) -> None:
        """Starts again.

        Raises:
          ValueError: nothing runs eagerly.
        """
        if not ops.executing_eagerly_outside_functions():
            raise ValueError("Eager reset is only supported in eager mode.")
        self._incarnation_id = self._begun()
        for device, generator, iterator in zip(
            self._devices, self._generators, self._device_iterators, strict=True
        ):
            with ops.device(device):
                dataset = self._of_device(generator)
                raw_ops.MakeIterator(dataset._variant_tensor, iterator._iterator_resource)

    element_spec = attribute("_dataset.element_spec", "The structure of an element.")


class MultiDeviceIteratorSpec(TypeSpec):
    """Describes a `MultiDeviceIteratorV2`.

    Args:
      devices: the devices' names.
      source_device: where the dataset is read.
      element_spec: of an element.
    """

    def __init__(self, devices: Any, source_device: str, element_spec: Any):
        self._devices, self._source_device = devices, source_device
        self._element_spec = element_spec

    @property
    def value_type(self) -> type:
        return MultiDeviceIteratorV2

    def _serialize(self) -> tuple[Any, ...]:
        return (tuple(self._devices), self._source_device, self._element_spec)

    @property
    def _component_specs(self) -> Any:
        own = [TensorSpec([], dtypes.resource), TensorSpec([], dtypes.variant)]
        return own + [iterator_ops.IteratorSpec(self._element_spec) for _ in self._devices]

    def _to_components(self, value: Any) -> Any:
        return [value._multi_device_iterator_resource, value._deleter, *value._device_iterators]

    def _from_components(self, components: Any) -> Any:
        return MultiDeviceIteratorV2(
            devices=self._devices, source_device=self._source_device, components=components,
            element_spec=self._element_spec,
        )  # fmt: skip

    @staticmethod
    def from_value(value: Any) -> MultiDeviceIteratorSpec:
        """The spec of an iterator."""
        return MultiDeviceIteratorSpec(value._devices, value._source_device, value.element_spec)


class MultiDeviceIteratorV2(_OfDevices, CompositeTensor):
    """As `MultiDeviceIterator`, in eager execution or within a `tf.function`, to which it can be
    passed.

    Args:
      dataset: the dataset.
      devices: the devices' names.
      max_buffer_size: how many elements TF keeps for a device.
      prefetch_buffer_size: how many each device fetches ahead.
      source_device: where the dataset is read.
      components: in place of the dataset, the iterator's resource, what deletes it, and the
        iterators of the devices.
      element_spec: with these, the structure of an element.

    Raises:
      RuntimeError: a graph is recorded that is no function's.
      ValueError: there are no devices; neither a dataset nor components are given, or both.
    """

    def __init__(
        self, dataset: Any = None, devices: Any = None, max_buffer_size: int = 1,
        prefetch_buffer_size: int = 1, source_device: str = "/cpu:0", components: Any = None,
        element_spec: Any = None,
    ):  # fmt: skip
        if not (ops.executing_eagerly() or ops.get_default_graph().building_function):
            raise RuntimeError(
                "MultiDeviceIteratorV2 is only supported inside of tf.function or when eager "
                "execution is enabled."
            )
        if devices is None:
            raise ValueError("`devices` must be provided")
        parts = (components, element_spec)
        if (None in parts) if dataset is None else parts != (None, None):
            raise ValueError("Either `dataset` or both `components` and ")  # where TF's text ends
        self._devices, self._source_device = devices, source_device
        if dataset is None:
            self._element_spec = element_spec
            self._multi_device_iterator_resource, self._deleter, *iterators = components
            self._device_iterators = iterators
            return
        dataset, slack = _prepared(dataset, devices)
        self._element_spec = dataset.element_spec
        source = ops.convert_to_tensor(source_device)
        with ops.device(source_device):
            resource, self._deleter = raw_ops.AnonymousMultiDeviceIterator(
                devices=devices, **dataset._flat_structure
            )
            incarnation_id = raw_ops.MultiDeviceIteratorInit(
                dataset._variant_tensor, resource,
                max_buffer_size=max(max_buffer_size, prefetch_buffer_size),
            )  # fmt: skip
        self._multi_device_iterator_resource = resource
        generators = []
        for number, device in enumerate(devices):
            with ops.device(device):
                generators.append(
                    _PerDeviceGenerator(
                        number, resource, incarnation_id, source, self._element_spec
                    )
                )
        self._device_iterators = []
        for device, generator in zip(devices, generators, strict=True):
            with ops.device(device):
                own = _of_device(generator, incarnation_id, prefetch_buffer_size, slack)
                self._device_iterators.append(iter(own))

    element_spec = attribute("_element_spec", "The structure of an element.")

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> Any:
        try:
            return self.get_next()
        except errors.OutOfRangeError:
            raise StopIteration from None

    next = __next__

    @property
    def _type_spec(self) -> MultiDeviceIteratorSpec:
        return MultiDeviceIteratorSpec(self._devices, self._source_device, self._element_spec)
