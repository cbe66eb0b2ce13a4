"""Operations that write and read checkpoints, of version 2 (`SaveV2`, `RestoreV2`, …) and of
version 1 (`Save`, `Restore`, …).
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from tf1compat.api.lib.io.file_io import tf_error
from tf1compat.core import dtypes, errors, shapes
from tf1compat.core.dtypes import DType
from tf1compat.core.op_registry import op
from tf1compat.core.operation import Operation
from tf1compat.core.shapes import Shape, ShapeError
from tf1compat.formats import bundle, checkpoint, saved_slices, tensor_slice
from tf1compat.kernels.text.string import invalid


def _texts(values: Any) -> list[str]:
    return [text.decode() for text in np.ravel(values)]


@contextlib.contextmanager
def file_errors() -> Iterator[None]:
    """Within it an OSError becomes TF's error about its file."""
    try:
        yield
    except OSError as error:
        raise tf_error(error.filename or "", error) from None


def _spec(text: str) -> tuple[Any, tensor_slice.Slice | None]:
    """The shape of the whole and the slice of it; (None, None) for a whole tensor."""
    if not text:
        return None, None
    shape, part, _ = tensor_slice.parse_spec(text)
    return shape, part


def _spec_shape(text: str) -> Shape:
    """The static shape of what is restored."""
    if not text:
        return None
    try:
        return tensor_slice.parse_spec(text)[2]
    except errors.OpError as error:
        refusal = ShapeError(error.message)
        if not isinstance(error, errors.InvalidArgumentError):
            refusal.error_class = type(error)
        raise refusal from None


def _check_same_length(names: Any, specs: Any) -> None:
    shapes.merge(shapes.with_rank(names, 1), shapes.with_rank(specs, 1))


def _check_slice(text: str, part_shape: Any, array: np.ndarray) -> None:
    if part_shape != array.shape:
        raise invalid(
            "Slice in shape_and_slice specification does not match the shape of the tensor to  "
            f"save: {text}, tensor: {shapes.to_string(array.shape)}"
        )


# Version 2.


@op("SaveV2", host=True, effect=True)
class SaveV2:
    def shape(
        prefix: Any, tensor_names: Shape, shape_and_slices: Shape, tensors: Sequence[Shape]
    ) -> None:
        shapes.with_rank(prefix, 0)
        for given in (tensor_names, shape_and_slices):
            (count,) = shapes.with_rank(given, 1)
            shapes.dim_with_value(count, len(tensors))

    def lower(
        prefix: Any,
        tensor_names: np.ndarray,
        shape_and_slices: np.ndarray,
        tensors: Sequence[np.ndarray],
    ) -> None:
        with file_errors(), bundle.Writer(prefix[()].decode()) as writer:
            for name, text, array in zip(_texts(tensor_names), _texts(shape_and_slices), tensors):
                if isinstance(array, bundle.Variant):
                    writer.add(name, array)
                    continue
                array = np.asarray(array)
                if not text:
                    writer.add(name, array)
                    continue
                shape, part, part_shape = tensor_slice.parse_spec(text)
                _check_slice(text, part_shape, array)
                writer.add_slice(name, shape, part, array)
            writer.finish()


@op("RestoreV2", host=True)
class RestoreV2:
    def shape(
        prefix: Any,
        tensor_names: Shape,
        shape_and_slices: Shape,
        *,
        dtypes: Sequence[DType],
        op: Operation,
    ) -> Any:
        shapes.with_rank(prefix, 0)
        _check_same_length(tensor_names, shape_and_slices)
        specs = op.const_input(2)
        if specs is None:
            return [None] * len(dtypes)
        if specs.size != len(dtypes):
            raise ShapeError("The number of shape_and_slice doesn't match tensor outputs.")
        return [_spec_shape(text) for text in _texts(specs)]

    def lower(prefix: Any, tensor_names: Any, shape_and_slices: Any, *, dtypes: Any) -> Any:
        wanted = list(zip(_texts(tensor_names), _texts(shape_and_slices), dtypes))
        with file_errors():
            reader = checkpoint.open_reader(prefix[()].decode())
            if isinstance(reader, saved_slices.Reader):
                name = prefix[()].decode()
                return [_from_slices(reader, name, *one) for one in wanted]
            return [_from_bundle(reader, *one) for one in wanted]


def _from_bundle(reader: bundle.Reader, name: str, text: str, dtype: dtypes.DType) -> np.ndarray:
    found = reader.dtype(name)
    if found != dtype:
        raise invalid(
            f"tensor_name = {name}; expected dtype {dtypes.cpp_name(dtype)} does not equal "
            f"original dtype {dtypes.cpp_name(found)}"
        )
    shape, part = _spec(text)
    if shape is not None and shape != reader.shape(name):
        raise invalid(
            f"tensor_name = {name}; shape in shape_and_slice spec {shapes.to_string(shape)} does "
            f"not match the shape stored in checkpoint: {shapes.to_string(reader.shape(name))}"
        )
    return reader.get(name, part)


@op("MergeV2Checkpoints", host=True, effect=True)
class MergeV2Checkpoints:
    def shape(checkpoint_prefixes: Any, destination_prefix: Shape) -> None:
        shapes.with_rank(checkpoint_prefixes, 1)
        shapes.with_rank(destination_prefix, 0)

    def lower(checkpoint_prefixes: Any, destination_prefix: Any, *, delete_old_dirs: bool) -> None:
        with file_errors():
            destination = destination_prefix[()].decode()
            bundle.merge(_texts(checkpoint_prefixes), destination, delete_old_dirs)


@op("ShardedFilename", host=True)
class ShardedFilename:
    def shape(basename: Any, shard: Shape, num_shards: Shape) -> Shape:
        for given in (basename, shard, num_shards):
            shapes.with_rank(given, 0)
        return ()

    def lower(basename: Any, shard: np.ndarray, num_shards: np.ndarray) -> Any:
        text = basename[()] + b"-%05d-of-%05d" % (int(shard), int(num_shards))
        return np.array(text, object)


@op("ShardedFilespec", host=True)
class ShardedFilespec:
    def shape(basename: Any, num_shards: Shape) -> Shape:
        for given in (basename, num_shards):
            shapes.with_rank(given, 0)
        return ()

    def lower(basename: Any, num_shards: np.ndarray) -> Any:
        return np.array(basename[()] + b"-?????-of-%05d" % int(num_shards), object)


# Version 1.


def _save(filename: Any, names: Any, specs: list[str], data: Any) -> None:
    with file_errors():
        writer = saved_slices.Writer(filename[()].decode())
        for name, text, array in zip(_texts(names), specs, data):
            array = np.asarray(array)
            shape, part = array.shape, tensor_slice.full(array.ndim)
            if text:
                shape, part, part_shape = tensor_slice.parse_spec(text)
                _check_slice(text, part_shape, array)
            writer.add(name, shape, part, array)
        writer.finish()


@op("Save", host=True, effect=True)
class Save:
    def shape(filename: Any, tensor_names: Shape, data: Sequence[Shape]) -> None:
        shapes.with_rank(filename, 0)
        (count,) = shapes.with_rank(tensor_names, 1)
        shapes.dim_with_value(count, len(data))

    def lower(filename: Any, tensor_names: np.ndarray, data: Sequence[np.ndarray]) -> None:
        _save(filename, tensor_names, [""] * len(data), data)


@op("SaveSlices", host=True, effect=True)
class SaveSlices:
    def shape(
        filename: Any, tensor_names: Shape, shapes_and_slices: Shape, data: Sequence[Shape]
    ) -> None:
        shapes.with_rank(filename, 0)
        for given in (tensor_names, shapes_and_slices):
            (count,) = shapes.with_rank(given, 1)
            shapes.dim_with_value(count, len(data))

    def lower(
        filename: Any,
        tensor_names: np.ndarray,
        shapes_and_slices: np.ndarray,
        data: Sequence[np.ndarray],
    ) -> None:
        _save(filename, tensor_names, _texts(shapes_and_slices), data)


def _from_slices(
    reader: saved_slices.Reader, pattern: str, name: str, text: str, dtype: dtypes.DType
) -> np.ndarray:
    if not reader.has(name):
        raise errors.NotFoundError(
            None, None, f'Tensor name "{name}" not found in checkpoint files {pattern}'
        )
    found = reader.dtype(name)
    if found != dtype:
        raise invalid(
            f"Expected to restore a tensor of type {dtypes.cpp_name(dtype)}, got a tensor of type "
            f"{dtypes.cpp_name(found)} instead: tensor_name = {name}"
        )
    shape, part = _spec(text)
    if shape is not None and shape != reader.shape(name):
        raise invalid(
            "Shape in shape_and_slice spec does not match the shape in the save file: "
            f"{shapes.to_string(shape)}, save file shape: {shapes.to_string(reader.shape(name))}"
        )
    return reader.get(name, part)


def _restore(file_pattern: Any, tensor_name: Any, text: str, dtype: dtypes.DType) -> np.ndarray:
    pattern = file_pattern[()].decode()
    with file_errors():
        reader = checkpoint.open_slices(pattern)
        return _from_slices(reader, pattern, tensor_name[()].decode(), text, dtype)


@op("Restore", host=True)
class Restore:
    def shape(file_pattern: Any, tensor_name: Shape) -> Shape:
        shapes.with_rank(file_pattern, 0)
        shapes.with_rank(tensor_name, 0)
        return None

    def lower(file_pattern: Any, tensor_name: np.ndarray, *, dt: DType) -> Any:
        return _restore(file_pattern, tensor_name, "", dt)


@op("RestoreSlice", host=True)
class RestoreSlice:
    def shape(file_pattern: Any, tensor_name: Any, shape_and_slice: Any, *, op: Any) -> Shape:
        for given in (file_pattern, tensor_name, shape_and_slice):
            shapes.with_rank(given, 0)
        spec = op.const_input(2)
        return None if spec is None else _spec_shape(spec[()].decode())

    def lower(file_pattern: Any, tensor_name: Any, shape_and_slice: Any, *, dt: Any) -> Any:
        return _restore(file_pattern, tensor_name, shape_and_slice[()].decode(), dt)
