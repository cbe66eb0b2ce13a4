"""`tf.data.Dataset.from_generator`."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from tf1compat.api.data.ops import dataset_ops, dataset_types
from tf1compat.api.data.util import nest
from tf1compat.api.functions import script_ops
from tf1compat.core import dtypes, ops
from tf1compat.core.tensor_shape import TensorShape, as_shape


class _Generators:
    """The generators under way, by number."""

    def __init__(self, generator: Callable[..., Any]):
        self._generator = generator
        self._lock = threading.Lock()
        self._next = 0
        self._args: dict[int, Any] = {}
        self._running: dict[int, Any] = {}

    def begin(self, *args: Any) -> np.ndarray:
        """Notes the arguments of another generator, and returns its number."""
        with self._lock:
            number = self._next
            self._next += 1
        self._args[number] = args
        return np.array(number, np.int64)

    def iterator(self, number: Any) -> Any:
        """The generator of a number; it is called when it is first asked for."""
        number = int(number)
        if number not in self._running:
            self._running[number] = iter(self._generator(*self._args.pop(number)))
        return self._running[number]

    def end(self, number: Any) -> None:
        """Forgets a generator."""
        del self._running[int(number)]


def make(generator: Any, output_types: Any, output_shapes: Any, args: Any) -> Any:
    """See `Dataset.from_generator`."""
    if not callable(generator):
        raise TypeError("`generator` must be callable.")
    if output_shapes is None:
        output_shapes = nest.map_structure(lambda _: TensorShape(None), output_types)
    else:
        output_shapes = nest.map_structure_up_to(output_types, as_shape, output_shapes)
    if args is None:
        args = ()
    else:
        args = tuple(ops.convert_n_to_tensor(args, name="args"))
    types = [dtypes.as_dtype(dtype) for dtype in nest.flatten(output_types)]
    shapes = nest.flatten(output_shapes)
    generators = _Generators(generator)

    def get_iterator_id_fn(unused_dummy: Any) -> Any:
        return script_ops.numpy_function(generators.begin, args, dtypes.int64)

    def generator_next_fn(iterator_id_t: Any) -> Any:
        simple = not nest.is_sequence(output_types) or (
            type(output_types) is tuple and not any(map(nest.is_sequence, output_types))
        )

        def generator_py_func(iterator_id: Any) -> Any:
            values = next(generators.iterator(iterator_id))
            return _arrays(values, output_types, types, shapes, simple)

        flat = script_ops.numpy_function(generator_py_func, [iterator_id_t], types)
        for tensor, shape in zip(flat, shapes):
            tensor.set_shape(shape)
        return nest.pack_sequence_as(output_types, flat)

    def finalize_fn(iterator_id_t: Any) -> Any:
        def finalize_py_func(iterator_id: Any) -> Any:
            generators.end(iterator_id)
            return np.array(0, np.int64)

        return script_ops.numpy_function(finalize_py_func, [iterator_id_t], dtypes.int64)

    def flat_map_fn(dummy_arg: Any) -> Any:
        return dataset_types._GeneratorDataset(
            dummy_arg, get_iterator_id_fn, generator_next_fn, finalize_fn
        )

    return dataset_ops.DatasetV1.from_tensors(0).flat_map(flat_map_fn)


def _arrays(
    values: Any, output_types: Any, types: Any, shapes: Any, simple: bool
) -> list[np.ndarray]:
    """What a generator yielded, as arrays.

    Args:
      values: what it yielded.
      output_types, types, shapes: what it should yield: in its structure, and the leaves.
      simple: whether that is a leaf, or a tuple of leaves.

    Raises:
      TypeError, ValueError: it has another structure, or other dtypes or shapes, than declared.
    """
    try:
        if simple and len(types) == 1 and type(output_types) is not tuple:
            flat = [values]
        elif simple and type(values) is tuple and len(values) == len(types):
            flat = list(values)
        else:
            flat = nest.flatten_up_to(output_types, values)
    except (TypeError, ValueError):
        raise TypeError(
            "`generator` yielded an element that did not match the expected structure. The "
            f"expected structure was {output_types}, but the yielded element was {values}."
        ) from None
    arrays = []
    for value, dtype in zip(flat, types):
        try:
            arrays.append(_array(value, dtype))
        except (TypeError, ValueError):
            raise TypeError(
                "`generator` yielded an element that could not be converted to the expected type. "
                f"The expected type was {dtype.name}, but the yielded element was {value}."
            ) from None
    for array, dtype, shape in zip(arrays, types, shapes):
        if array.dtype != dtype.as_numpy_dtype:
            raise TypeError(
                f"`generator` yielded an element of type {array.dtype} where an element of type "
                f"{dtype.as_numpy_dtype} was expected."
            )
        if shape.ndims is not None and not shape.is_compatible_with(array.shape):
            raise ValueError(
                f"`generator` yielded an element of shape {array.shape} where an element of shape "
                f"{shape} was expected."
            )
    return arrays


def _array(value: Any, dtype: Any) -> np.ndarray:
    array = np.asarray(value, dtype=dtype.as_numpy_dtype, order="C")
    if dtype is dtypes.string and array.dtype == object:
        flat = [item.encode() if isinstance(item, str) else item for item in array.ravel()]
        found = np.empty(len(flat), object)
        found[:] = flat
        return found.reshape(array.shape)
    return array
