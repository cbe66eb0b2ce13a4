"""Iterators over datasets: resources of a session, on the host."""

from __future__ import annotations

import itertools
import threading
import weakref
from typing import Any

import numpy as np

from tf1compat.core import dtypes, errors, shapes
from tf1compat.core.op_registry import not_differentiable, op, register
from tf1compat.core.shapes import Shape
from tf1compat.core.typing import LoweringContext
from tf1compat.formats import bundle
from tf1compat.kernels.control_flow.optional_value import OptionalValue
from tf1compat.kernels.data.data_functions import named_errors
from tf1compat.kernels.data.data_values import Dataset, Elements, byte_string, invalid
from tf1compat.kernels.variables import resources


class _Iterator:
    """An iterator that may be initialized several times.

    Args:
      key: what its string handle tells.
      attrs: of the operation that owns it.
    """

    shape = ()
    dtype = np.dtype(object)

    def __init__(self, key: Any, attrs: dict[str, Any]):
        self.key = key
        self._attrs = attrs
        self._elements: Any = None
        self._dataset: Any = None
        self._taken = 0

    def check(self, attrs: dict[str, Any]) -> None:
        """Fails where elements are declared otherwise than this iterator's are."""
        counts = [len(each["output_types"]) for each in (attrs, self._attrs)]
        if counts[0] != counts[1]:
            raise invalid(
                f"Number of components does not match: expected {counts[0]} types but got "
                f"{counts[1]}."
            )
        pairs = zip(attrs["output_types"], self._attrs["output_types"])
        for i, (wanted, own) in enumerate(pairs):
            if wanted is not own:
                raise invalid(
                    f"Data type mismatch at component {i}: expected {dtypes.cpp_name(wanted)} but "
                    f"got {dtypes.cpp_name(own)}."
                )
        pairs = zip(attrs["output_shapes"], self._attrs["output_shapes"])
        for i, (wanted, own) in enumerate(pairs):
            if not wanted.is_compatible_with(own):
                texts = [shapes.to_string(shape.to_tuple()) for shape in (wanted, own)]
                raise invalid(
                    f"Incompatible shapes at component {i}: expected {texts[0]} but got {texts[1]}."
                )

    def initialize(self, dataset: Dataset, session: Any) -> None:
        """Begins to go through a dataset."""
        self._elements = dataset.new_iterator(session)
        self._dataset, self._taken = dataset, 0

    def go_through(self, elements: Elements) -> None:
        """Begins to go through what is no dataset, and can't be saved."""
        self._elements = elements

    def position(self) -> tuple[int, str]:
        """How many elements were taken since it was initialized, and of what form of pipeline.

        Raises:
          FailedPreconditionError: it was not initialized, or what it gives depends on more.
        """
        self._check_begun("Save", "saving it")
        stateful = self._dataset.outside_state()
        if stateful:
            raise errors.FailedPreconditionError(None, None, stateful)
        return self._taken, self._dataset.form()

    def move_to(self, position: int, form: str | None, session: Any) -> None:
        """Goes to where it was when so many elements had been taken.

        Args:
          position: how many.
          form: the form of the pipeline then; None: it wasn't noted.

        Raises:
          FailedPreconditionError: it was not initialized.
          NotFoundError: this is a pipeline of another form.
        """
        self._check_begun("Restore", "restoring it")
        own = self._dataset.form()
        if form not in (None, own):
            text = f"The state is one of {form}, but the iterator goes through {own}"
            raise errors.NotFoundError(None, None, text)
        self.initialize(self._dataset, session)
        for _ in range(position):
            next(self._elements, None)
        self._taken = position

    def _check_begun(self, what: str, before: str) -> None:
        if self._elements is None:
            raise errors.FailedPreconditionError(
                None,
                None,
                f"{what}() failed because the iterator has not been initialized. Ensure that you "
                f"have run the initializer operation for this iterator before {before}.",
            )

    def next(self, ctx: LoweringContext) -> Any:
        """The next element; None at the end."""
        self._check_begun("GetNext", "getting the next element")
        with named_errors(ctx):
            return self.take()

    def take(self) -> Any:
        """The next element of one that was initialized; None at the end."""
        element = next(self._elements, None)
        self._taken += element is not None
        return element


class _OneShot(_Iterator):
    """An iterator that is initialized when it is first used."""

    def __init__(self, key: Any, ctx: LoweringContext, source: Any):
        super().__init__(key, source._attrs)
        self._source = source
        self._lock = threading.Lock()
        self._error: errors.OpError | None = None

    def next(self, ctx: LoweringContext) -> Any:
        with self._lock:
            if self._error is not None:
                raise self._error
            if self._elements is None:
                self._begin(ctx)
        return super().next(ctx)

    def _begin(self, ctx: LoweringContext) -> None:
        source = self._source
        factory = ctx.host_function("dataset_factory", [], [], source)
        try:
            (dataset,) = factory(factory.new_state(), [])
        except errors.OpError as error:
            kind: Any = type(error)
            text = error.message.partition("}} ")[2]
            text = f"{text}\n\t [[{source.name}]]"
            self._error = kind(error.node_def, error.op, text)
            raise kind(error.node_def, error.op, f"[_Derived_]{text}") from None
        self.initialize(dataset, ctx.session)


def _handle_shape() -> Shape:
    return ()


for _name in ("Iterator", "IteratorV2", "OneShotIterator"):
    register(_name, shape=_handle_shape, source=True, host=True)


def _find(ctx: LoweringContext, handle: Any) -> _Iterator:
    """The iterator behind a handle."""
    if isinstance(handle, _Iterator):
        return handle

    def make(source: Any) -> _Iterator:
        if source.type == "OneShotIterator":
            return _OneShot(handle.key, ctx, source)
        return _Iterator(handle.key, source._attrs)

    return resources.find(ctx, handle, make)


@op("MakeIterator", host=True, reads=(1,), effect=True)
class MakeIterator:
    def shape(dataset: Any, iterator: Shape) -> None:
        pass

    def lower(dataset: Any, iterator: Any, *, ctx: LoweringContext) -> None:
        _find(ctx, iterator).initialize(dataset, ctx.session)


def _element_shapes(iterator: Any, *, op: Any) -> Any:
    return [shape.to_tuple() for shape in op._attrs["output_shapes"]]


@op("IteratorGetNext", "IteratorGetNextSync", host=True, reads=(0,), effect=True)
class IteratorGetNext:
    shape = staticmethod(_element_shapes)

    def lower(iterator: Any, *, ctx: LoweringContext) -> Any:
        element = _find(ctx, iterator).next(ctx)
        if element is None:
            raise errors.OutOfRangeError(None, None, "End of sequence")
        return list(element)


@op("IteratorToStringHandle", host=True, reads=(0,), effect=True)
class IteratorToStringHandle:
    def shape(resource_handle: Any) -> Shape:
        return ()

    def lower(resource_handle: Any, *, ctx: LoweringContext) -> Any:
        container, name = _find(ctx, resource_handle).key
        found = np.empty((), object)
        found[()] = b"iterator\n%s\n%s" % (container, name)
        return found


@op("IteratorFromStringHandle", "IteratorFromStringHandleV2", host=True, effect=True)
class IteratorFromStringHandle:
    def shape(string_handle: Any) -> Shape:
        return ()

    def lower(string_handle: Any, *, ctx: LoweringContext) -> Any:
        parts = byte_string(string_handle).split(b"\n", 2)
        if len(parts) < 3 or parts[0] != b"iterator":
            raise invalid("Could not parse string_handle as a valid ResourceHandle")
        key = (parts[1], parts[2])
        found = (
            ctx.session.resources.get(key)
            or resources.shared(ctx.session).get(key)
            or _anonymous.get(key)
        )
        if not isinstance(found, _Iterator):
            raise errors.NotFoundError(
                None,
                None,
                f"Resource localhost/{parts[2].decode()}/"
                "N10tensorflow4data16IteratorResourceE does not exist.",
            )
        found.check(ctx.op._attrs)
        return found


@op("IteratorGetNextAsOptional", host=True, reads=(0,), effect=True)
class IteratorGetNextAsOptional:
    def shape(iterator: Any) -> Shape:
        return ()

    def lower(iterator: Any, *, ctx: LoweringContext) -> Any:
        element = _find(ctx, iterator).next(ctx)
        return OptionalValue(()) if element is None else OptionalValue.of(element)


# Where an iterator stands.


# TF writes the state of each step of a pipeline; here it is how many elements were taken of which
# form of pipeline, and they are gone through again. What tells the two apart is what the metadata
# says.
_STATE, _TAKEN = "tensorflow::Iterator", "@@tf1compat:taken"


@op("SerializeIterator", host=True, reads=(0,), effect=True)
class SerializeIterator:
    def shape(resource_handle: Any) -> Shape:
        return ()

    def lower(resource_handle: Any, *, ctx: LoweringContext) -> Any:
        taken, form = _find(ctx, resource_handle).position()
        parts = np.array(taken, np.int64), np.array(form.encode(), object)
        return bundle.Variant(_STATE, _TAKEN, parts)


@op("DeserializeIterator", host=True, reads=(0,), effect=True)
class DeserializeIterator:
    def shape(resource_handle: Any, serialized: Shape) -> None:
        pass

    def lower(resource_handle: Any, serialized: Any, *, ctx: LoweringContext) -> None:
        if not isinstance(serialized, bundle.Variant) or serialized.type_name != _STATE:
            raise invalid("The variant holds no state of an iterator")
        if serialized.metadata != _TAKEN:
            raise errors.UnimplementedError(
                None,
                None,
                "TensorFlow wrote this state of an iterator, step by step of its pipeline; "
                "tf1compat continues iterators that it saved itself",
            )
        taken, *form = serialized.tensors
        noted = byte_string(form[0]).decode() if form else None
        _find(ctx, resource_handle).move_to(int(taken), noted, ctx.session)


@op("IteratorGetDevice", "ExperimentalIteratorGetDevice", host=True, reads=(0,), effect=True)
class IteratorGetDevice:
    def shape(resource: Any) -> Shape:
        return ()

    def lower(resource: Any) -> Any:
        return np.array(b"/job:localhost/replica:0/task:0/device:CPU:0", object)


# Iterators whose handle is all there is of them.


_numbers = itertools.count()
# Those that go with their last handle, by what their string handles tell.
_anonymous: weakref.WeakValueDictionary[Any, _Iterator] = weakref.WeakValueDictionary()


def _new_anonymous(ctx: LoweringContext) -> _Iterator:
    key = (b"localhost", b"_AnonymousIterator%d" % next(_numbers))
    return _Iterator(key, ctx.op._attrs)


@op("AnonymousIterator", host=True, effect=True)
class AnonymousIterator:
    def shape() -> Shape:
        return ()

    def lower(*, ctx: LoweringContext) -> Any:
        found = _new_anonymous(ctx)
        resources.shared(ctx.session)[found.key] = found
        return found


@op("AnonymousIteratorV2", host=True, effect=True)
class AnonymousIteratorV2:
    def shape() -> Any:
        return [(), ()]

    def lower(*, ctx: LoweringContext) -> Any:
        found = _new_anonymous(ctx)
        _anonymous[found.key] = found
        return [found, found]


@op("DeleteIterator", host=True, reads=(0,), effect=True)
class DeleteIterator:
    def shape(handle: Any, deleter: Shape) -> None:
        pass

    def lower(handle: Any, deleter: Any, *, ctx: LoweringContext) -> None:
        key = _find(ctx, handle).key
        resources.shared(ctx.session).pop(key, None)
        _anonymous.pop(key, None)


# What is asked of a dataset as a whole.


@op("DatasetCardinality", "ExperimentalDatasetCardinality", host=True)
class DatasetCardinality:
    def shape(input_dataset: Any) -> Shape:
        return ()

    def lower(input_dataset: Any) -> Any:
        return np.array(input_dataset.cardinality(), np.int64)


@op("DatasetToSingleElement", host=True, effect=True)
class DatasetToSingleElement:
    shape = staticmethod(_element_shapes)

    def lower(dataset: Any, *, ctx: LoweringContext) -> Any:
        with named_errors(ctx):
            elements = dataset.new_iterator(ctx.session)
            found = next(elements, None)
            if found is None:
                raise invalid("Dataset was empty.")
            if next(elements, None) is not None:
                raise invalid("Dataset had more than one element.")
        return list(found)


not_differentiable("ReduceDataset")
