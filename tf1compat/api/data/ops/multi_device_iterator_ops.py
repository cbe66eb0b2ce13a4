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
from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.attribute import attribute
from tf1compat.core.type_spec import TensorSpec


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


class MultiDeviceIterator:
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
        options = Options()
        options.experimental_distribute.num_devices = len(devices)
        dataset = dataset.with_options(options)
        self._dataset = dataset._apply_options()
        self._slack = dataset.options().experimental_slack
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
        """The dataset that a device reads."""
        dataset: Any = _OfPass(generator, self._incarnation_id)
        if self._prefetch_buffer_size > 0:
            if self._slack:
                dataset = dataset_types.PrefetchDataset(
                    dataset, self._prefetch_buffer_size, slack_period=1
                )
            else:
                dataset = dataset.prefetch(self._prefetch_buffer_size)
        options = Options()
        options.experimental_optimization.apply_default_optimizations = False
        options.experimental_optimization.autotune = False
        return dataset.with_options(options)

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
