"""Iterators: they give the elements of a dataset, one by one."""

from __future__ import annotations

import contextlib
import sys
import warnings
from collections.abc import Callable
from typing import Any

from tf1compat.api.data.ops import optional_ops
from tf1compat.api.data.util import nest, structure
from tf1compat.api.training.saving import saveable_object
from tf1compat.api.training.tracking.base import Trackable
from tf1compat.api.util.decorator_utils import method_of
from tf1compat.api.util.deprecation import deprecated
from tf1compat.core import dtypes, eager, errors, ops, raw_ops
from tf1compat.core.composite_tensor import CompositeTensor
from tf1compat.core.export import tf_export
from tf1compat.core.tensor_shape import TensorShape, as_shape
from tf1compat.core.type_spec import TensorSpec, TypeSpec

GET_NEXT_CALL_WARNING_THRESHOLD = 32
GET_NEXT_CALL_WARNING_MESSAGE = (
    "An unusually high number of `Iterator.get_next()` calls was detected. This often indicates "
    "that `Iterator.get_next()` is being called inside a training loop, which will cause gradual "
    "slowdown and eventual resource exhaustion. If this is the case, restructure your code to call "
    "`next_element = iterator.get_next()` once outside the loop, and use `next_element` as the "
    "input to some computation that is invoked inside the loop."
)
# The collection of the iterators of a graph.
GLOBAL_ITERATORS = "iterators"


def _on_cpu() -> Any:
    """A `with` block on the CPU, if no device is asked for."""
    if ops.executing_eagerly() or ops.get_default_graph()._device_stack:
        return contextlib.nullcontext()
    return ops.device("/cpu:0")


def _legacy_types(spec: Any) -> Any:
    return nest.map_structure(lambda s: s._to_legacy_output_types(), spec)


def _legacy_shapes(spec: Any) -> Any:
    return nest.map_structure(lambda s: s._to_legacy_output_shapes(), spec)


def _legacy_classes(spec: Any) -> Any:
    return nest.map_structure(lambda s: s._to_legacy_output_classes(), spec)


class _LegacyProperties:
    """What elements are, in the words of before `TypeSpec`s."""

    _element_spec: Any

    @property
    @deprecated(None, "Use `tf.compat.v1.data.get_output_classes(iterator)`.")
    @method_of("Iterator")
    def output_classes(self) -> Any:
        """The classes of an element's components."""
        return _legacy_classes(self._element_spec)

    @property
    @deprecated(None, "Use `tf.compat.v1.data.get_output_shapes(iterator)`.")
    @method_of("Iterator")
    def output_shapes(self) -> Any:
        """The shapes of an element's components."""
        return _legacy_shapes(self._element_spec)

    @property
    @deprecated(None, "Use `tf.compat.v1.data.get_output_types(iterator)`.")
    @method_of("Iterator")
    def output_types(self) -> Any:
        """The dtypes of an element's components."""
        return _legacy_types(self._element_spec)

    @property
    def element_spec(self) -> Any:
        """The structure of `TypeSpec`s of an element."""
        return self._element_spec


class IteratorSaveable(saveable_object.SaveableObject):
    """Where an iterator stands, as a part of a checkpoint.

    Args:
      resource: the tensor that stands for the iterator.
      name: of the part.
      state_name: under which the state is written.
    """

    def __init__(self, resource: Any, name: str, state_name: str):
        state = raw_ops.SerializeIterator(resource)
        super().__init__(resource, [saveable_object.SaveSpec(state, "", state_name)], name)

    def restore(self, restored_tensors: Any, restored_shapes: Any) -> Any:
        with ops.colocate_with(self.op):
            return raw_ops.DeserializeIterator(self.op, restored_tensors[0])


def _saveables(iterator: Any) -> dict[str, Any]:
    """What a `tf.train.Checkpoint` saves of an iterator."""

    def saveable(name: str) -> IteratorSaveable:
        return IteratorSaveable(iterator._iterator_resource, name, f"{name}_STATE")

    return {"ITERATOR": saveable}


@tf_export("data.Iterator")
class Iterator(_LegacyProperties, Trackable):
    """Gives the elements of a dataset (as `tf.data.Iterator` in TF 1.15).

    Args:
      iterator_resource: the tensor that stands for it.
      initializer: the operation that initializes it, or None.
      output_types, output_shapes, output_classes: the dtypes, shapes and classes of the components
        of its elements.

    Raises:
      ValueError: one of these is missing.
    """

    def __init__(
        self,
        iterator_resource: Any,
        initializer: Any,
        output_types: Any,
        output_shapes: Any,
        output_classes: Any,
    ):
        self._iterator_resource = iterator_resource
        self._initializer = initializer
        if output_types is None or output_shapes is None or output_classes is None:
            raise ValueError(
                "If `structure` is not specified, all of `output_types`, `output_shapes`, and "
                "`output_classes` must be specified."
            )
        self._element_spec = structure.convert_legacy_structure(
            output_types, output_shapes, output_classes
        )
        self._flat_tensor_shapes = structure.get_flat_tensor_shapes(self._element_spec)
        self._flat_tensor_types = structure.get_flat_tensor_types(self._element_spec)
        self._string_handle = raw_ops.IteratorToStringHandle(iterator_resource)
        self._get_next_call_count = 0
        ops.add_to_collection(GLOBAL_ITERATORS, iterator_resource)

    @staticmethod
    def from_structure(
        output_types: Any,
        output_shapes: Any = None,
        shared_name: str | None = None,
        output_classes: Any = None,
    ) -> Iterator:
        """An iterator that can go through several datasets (see `make_initializer`).

        Args:
          output_types: the dtypes of the components of their elements.
          output_shapes: their shapes; unknown by default.
          shared_name: the name under which sessions share it.
          output_classes: their classes; tensors by default.
        """
        types, shapes, classes = _described(output_types, output_shapes, output_classes)
        spec = structure.convert_legacy_structure(types, shapes, classes)
        with _on_cpu():
            resource = raw_ops.IteratorV2(
                container="",
                shared_name=shared_name or "",
                output_types=structure.get_flat_tensor_types(spec),
                output_shapes=structure.get_flat_tensor_shapes(spec),
            )
        return Iterator(resource, None, types, shapes, classes)

    @staticmethod
    def from_string_handle(
        string_handle: Any,
        output_types: Any,
        output_shapes: Any = None,
        output_classes: Any = None,
    ) -> Iterator:
        """The iterator whose handle a string tensor is: what is fed decides which one it is.

        Args:
          string_handle: the value of an iterator's `string_handle()`.
          output_types: the dtypes of the components of its elements.
          output_shapes: their shapes; unknown by default.
          output_classes: their classes; tensors by default.
        """
        types, shapes, classes = _described(output_types, output_shapes, output_classes)
        spec = structure.convert_legacy_structure(types, shapes, classes)
        string_handle = ops.convert_to_tensor(string_handle, dtype=dtypes.string)
        with _on_cpu():
            resource = raw_ops.IteratorFromStringHandleV2(
                string_handle,
                output_types=structure.get_flat_tensor_types(spec),
                output_shapes=structure.get_flat_tensor_shapes(spec),
            )
        return Iterator(resource, None, types, shapes, classes)

    @property
    def initializer(self) -> Any:
        """The operation that initializes this iterator.

        Raises:
          ValueError: it needs none, or `make_initializer` makes it.
        """
        if self._initializer is None:
            raise ValueError("Iterator does not have an initializer.")
        return self._initializer

    def make_initializer(self, dataset: Any, name: str | None = None) -> Any:
        """An operation that makes this iterator begin to go through a dataset.

        Raises:
          TypeError, ValueError: the dataset's elements are not like those of this iterator.
        """
        with ops.name_scope(name, "make_initializer") as name:
            spec = dataset.element_spec
            types, shapes = _legacy_types(spec), _legacy_shapes(spec)
            classes = _legacy_classes(spec)
            own_types, own_shapes = self.output_types, self.output_shapes
            nest.assert_same_structure(own_types, types)
            nest.assert_same_structure(own_shapes, shapes)
            own_classes = self.output_classes
            for mine, other in zip(nest.flatten(own_classes), nest.flatten(classes)):
                if mine is not other:
                    raise TypeError(
                        f"Expected output classes {own_classes!r} but got dataset with output "
                        f"class {classes!r}."
                    )
            for mine, other in zip(nest.flatten(own_types), nest.flatten(types)):
                if mine != other:
                    raise TypeError(
                        f"Expected output types {own_types!r} but got dataset with output types "
                        f"{types!r}."
                    )
            for mine, other in zip(nest.flatten(own_shapes), nest.flatten(shapes)):
                if not mine.is_compatible_with(other):
                    raise TypeError(
                        f"Expected output shapes compatible with {own_shapes!r} but got dataset "
                        f"with output shapes {shapes!r}."
                    )
        with ops.colocate_with(self._iterator_resource):
            return raw_ops.MakeIterator(dataset._variant_tensor, self._iterator_resource, name=name)

    def get_next(self, name: str | None = None) -> Any:
        """The tensors of the next element: every run gives another one.

        A run fails with `tf.errors.OutOfRangeError` at the end of the dataset.
        """
        self._get_next_call_count += 1
        if self._get_next_call_count > GET_NEXT_CALL_WARNING_THRESHOLD:
            warnings.warn(GET_NEXT_CALL_WARNING_MESSAGE, stacklevel=2)
        flat = raw_ops.IteratorGetNext(
            self._iterator_resource,
            output_types=self._flat_tensor_types,
            output_shapes=self._flat_tensor_shapes,
            name=name,
        )
        return structure.from_tensor_list(self._element_spec, flat)

    def string_handle(self, name: str | None = None) -> Any:
        """A string tensor whose value `from_string_handle` takes."""
        if name is None:
            return self._string_handle
        return raw_ops.IteratorToStringHandle(self._iterator_resource, name=name)

    def _gather_saveables_for_checkpoint(self) -> dict[str, Any]:
        return _saveables(self)


def _described(output_types: Any, output_shapes: Any, output_classes: Any) -> tuple[Any, Any, Any]:
    """Dtypes, shapes and classes of elements, where those not given are filled in."""
    types = nest.map_structure(dtypes.as_dtype, output_types)
    if output_shapes is None:
        shapes = nest.map_structure(lambda _: TensorShape(None), types)
    else:
        shapes = nest.map_structure_up_to(types, as_shape, output_shapes)
    if output_classes is None:
        output_classes = nest.map_structure(lambda _: ops.Tensor, types)
    nest.assert_same_structure(types, shapes)
    return types, shapes, output_classes


class _Deleter:
    """Records, when it goes itself, that a resource does."""

    def __init__(self, handle: Any, delete: Callable[..., Any], deleter: Any):
        self._handle, self._delete, self._deleter = handle, delete, deleter

    def __del__(self, is_finalizing: Callable[[], bool] = sys.is_finalizing) -> None:
        if is_finalizing() or ops.executing_eagerly():
            return
        # A graph that is not recorded any more needs no such operation.
        if self._handle.graph is ops.get_default_graph():
            self._delete(self._handle, self._deleter)


def resource_deleter(handle: Any, delete: Callable[..., Any], deleter: Any) -> _Deleter | None:
    """What the owner of a resource keeps, so that a function says when the resource goes.

    Args:
      handle: the tensor that stands for the resource.
      delete: the operation that deletes it.
      deleter: what the operation gets beside the handle.

    Returns:
      None in eager execution: there a resource goes with its last handle.
    """
    is_eager = isinstance(handle, eager.EagerTensor)
    return None if is_eager else _Deleter(handle, delete, deleter)


class IteratorV2(_LegacyProperties, Trackable, CompositeTensor):
    """Gives the elements of a dataset, in eager execution or within a `tf.function`.

    Args:
      dataset: the dataset.
      components: in its place, the tensors of an iterator: its resource, and what deletes it.
      element_spec: with these, the structure of an element.

    Raises:
      ValueError: neither was given, or both.
    """

    def __init__(self, dataset: Any = None, components: Any = None, element_spec: Any = None):
        if dataset is None and (components is None or element_spec is None):
            raise ValueError(
                "Either `dataset` or both `components` and `element_spec` need to be provided."
            )
        if dataset is not None and (components is not None or element_spec is not None):
            raise ValueError(
                "When `dataset` is provided, `element_spec` and `components` must not be specified."
            )
        if dataset is not None:
            with _on_cpu():
                dataset = dataset._apply_options()
            element_spec = dataset.element_spec
        self._element_spec = element_spec
        self._flat_output_types = structure.get_flat_tensor_types(element_spec)
        self._flat_output_shapes = structure.get_flat_tensor_shapes(element_spec)
        if components is not None:
            self._iterator_resource, self._deleter = components
        else:
            self._create_iterator(dataset)

    def _create_iterator(self, dataset: Any) -> None:
        variant = dataset._variant_tensor
        with _on_cpu(), ops.colocate_with(variant):
            self._iterator_resource, self._deleter = raw_ops.AnonymousIteratorV2(
                output_types=self._flat_output_types, output_shapes=self._flat_output_shapes
            )
            raw_ops.MakeIterator(variant, self._iterator_resource)
        self._resource_deleter = resource_deleter(
            self._iterator_resource, raw_ops.DeleteIterator, self._deleter
        )

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> Any:
        return self.next()

    def _next_internal(self) -> Any:
        if not ops.executing_eagerly():
            flat = raw_ops.IteratorGetNext(
                self._iterator_resource,
                output_types=self._flat_output_types,
                output_shapes=self._flat_output_shapes,
            )
            return structure.from_compatible_tensor_list(self._element_spec, flat)
        try:
            element = self._iterator_resource._value.take()
        except errors.OpError as error:
            kind: Any = type(error)
            raise kind(None, None, f"{error.message} [Op:IteratorGetNextSync]") from None
        if element is None:
            raise errors.OutOfRangeError(None, None, "End of sequence [Op:IteratorGetNextSync]")
        types = self._flat_output_types
        flat = [eager.EagerTensor(x, dtype) for x, dtype in zip(element, types, strict=True)]
        return structure.from_compatible_tensor_list(self._element_spec, flat)

    def next(self) -> Any:
        """The next element.

        Raises:
          StopIteration: there is none.
        """
        try:
            return self._next_internal()
        except errors.OutOfRangeError:
            raise StopIteration from None

    def get_next(self, name: str | None = None) -> Any:
        """The next element.

        Raises:
          OutOfRangeError: there is none.
        """
        return self._next_internal()

    def _gather_saveables_for_checkpoint(self) -> dict[str, Any]:
        return _saveables(self)

    @property
    def _type_spec(self) -> Any:
        return IteratorSpec(self._element_spec)


class IteratorSpec(TypeSpec):
    """Describes an iterator over elements of a structure."""

    def __init__(self, element_spec: Any):
        self._element_spec = element_spec

    @property
    def value_type(self) -> type:
        return IteratorV2

    def _serialize(self) -> tuple[Any, ...]:
        return (self._element_spec,)

    @property
    def _component_specs(self) -> Any:
        return TensorSpec([], dtypes.resource), TensorSpec([], dtypes.variant)

    def _to_components(self, value: Any) -> Any:
        return value._iterator_resource, value._deleter

    def _from_components(self, components: Any) -> Any:
        return IteratorV2(components=components, element_spec=self._element_spec)

    @staticmethod
    def from_value(value: Any) -> Any:
        """The spec of an iterator."""
        return IteratorSpec(value.element_spec)


@tf_export("data.experimental.get_next_as_optional")
def get_next_as_optional(iterator: Any) -> Any:
    """The next element of an iterator as an `Optional`, without a value at the end.

    Args:
      iterator: a `tf.data.Iterator`.

    Returns:
      An `Optional`.
    """
    variant = raw_ops.IteratorGetNextAsOptional(
        iterator._iterator_resource,
        output_types=structure.get_flat_tensor_types(iterator.element_spec),
        output_shapes=structure.get_flat_tensor_shapes(iterator.element_spec),
    )
    return optional_ops._OptionalImpl(variant, iterator.element_spec)
