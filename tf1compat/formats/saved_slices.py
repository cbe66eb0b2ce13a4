"""Checkpoints of TF's version 1: each file is a table of slices of tensors.

Under the empty key a `SavedTensorSlices` lists the tensors and their slices; under the key of each
slice another one holds its values.
"""

from __future__ import annotations

import math
import os
import uuid
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from tf1compat.core import dtypes, errors, protos, tensor_proto
from tf1compat.core.file_names import local
from tf1compat.core.own_protos import message
from tf1compat.formats import table, tensor_slice, writing
from tf1compat.formats.bundle import assemble


class Writer:
    """Collects tensors and writes them to a file.

    Args:
      path: the file.
    """

    def __init__(self, path: str):
        self._path = local(path)
        self._tensors: dict[str, Any] = {}
        self._data: dict[bytes, bytes] = {}

    def add(
        self, name: str, shape: Sequence[int], part: tensor_slice.Slice, array: np.ndarray
    ) -> None:
        """Adds a slice of a tensor.

        Raises:
          InternalError: it is there already.
        """
        key = tensor_slice.key(name, part)
        proto = tensor_slice.to_proto(part)
        if key in self._data:
            text = f"{tensor_slice.to_text(part)} for tensor {name}"
            raise errors.InternalError(None, None, f"Overlapping slices: existing slice {text}")
        whole = protos.TensorShapeProto()
        for dim in shape:
            whole.dim.add(size=dim)
        number = dtypes.as_dtype(array.dtype).as_datatype_enum
        meta = message("SavedSliceMeta")(name=name, shape=whole.SerializeToString(), type=number)
        self._tensors.setdefault(name, meta).slice.append(proto)
        saved = message("SavedTensorSlices")()
        saved.data.name = name
        saved.data.slice.CopyFrom(proto)
        saved.data.data = _values(array).SerializeToString()
        self._data[key] = saved.SerializeToString()

    def finish(self) -> None:
        """Writes the file; nobody sees it half written."""
        meta = message("SavedTensorSlices")()
        meta.meta.tensor.extend(self._tensors.values())
        meta.meta.versions = protos.VersionDef(producer=1).SerializeToString()
        rows = [(b"", meta.SerializeToString()), *sorted(self._data.items())]
        temporary = f"{self._path}.tempstate{uuid.uuid4().int & (1 << 64) - 1}"
        try:
            with writing.create(temporary) as file:
                file.write(table.write(rows))
            os.replace(temporary, self._path)
        finally:
            if os.path.exists(temporary):
                os.remove(temporary)


def _values(array: np.ndarray) -> Any:
    """A `TensorProto` that lists all values, as TF reads them here; it says no type and shape."""
    dtype = dtypes.as_dtype(array.dtype)
    proto = protos.TensorProto()
    field, kind = tensor_proto.FIELDS[dtype]
    values = array.ravel()
    if dtype is not dtypes.string:
        values = np.ascontiguousarray(values).view(kind)
    getattr(proto, field).extend(values.tolist())
    return proto


class Reader:
    """Reads the files that match a pattern.

    Args:
      paths: the files.

    Raises:
      DataLossError: a file is none of this kind.
    """

    def __init__(self, paths: Sequence[str]):
        self._slices: dict[str, dict[tensor_slice.Slice, bytes]] = {}
        self._metas: dict[str, Any] = {}
        for path in paths:
            with open(path, "rb") as file:
                data = file.read()
            try:
                rows = dict(table.read(data))
            except errors.DataLossError as error:
                raise errors.DataLossError(
                    None,
                    None,
                    f"Unable to open table file {path}: Data loss: {error.message}: perhaps your "
                    "file is in a different file format and you need to use a different restore "
                    "operator?",
                ) from None
            if b"" not in rows:
                raise errors.InternalError(
                    None, None, f"Failed to find the saved tensor slices at the beginning of {path}"
                )
            for meta in message("SavedTensorSlices").FromString(rows[b""]).meta.tensor:
                self._metas.setdefault(meta.name, meta)
                slices = self._slices.setdefault(meta.name, {})
                for proto in meta.slice:
                    one = tensor_slice.from_proto(proto)
                    slices.setdefault(one, rows.get(tensor_slice.key(meta.name, one), b""))

    def names(self) -> list[str]:
        """The names of the tensors."""
        return list(self._metas)

    def has(self, name: str) -> bool:
        """Whether there is such a tensor."""
        return name in self._metas

    def summary(self) -> Iterator[tuple[bytes, dtypes.DType, tuple[int, ...], bytes]]:
        """(name, type, shape, how many slices there are) of each tensor."""
        for name, slices in self._slices.items():
            more = f", {len(slices)} slices".encode() if len(slices) > 1 else b""
            yield name.encode(), self.dtype(name), self.shape(name), more

    def dtype(self, name: str) -> dtypes.DType:
        """The type of a tensor."""
        return dtypes.as_dtype(self._metas[name].type)

    def shape(self, name: str) -> tuple[int, ...]:
        """The shape of a tensor."""
        proto = protos.TensorShapeProto.FromString(self._metas[name].shape)
        return tuple(dim.size for dim in proto.dim)

    def is_sliced(self, name: str) -> bool:
        """Whether the tensor is not there in one piece."""
        return any(not tensor_slice.is_full(s, self.shape(name)) for s in self._slices[name])

    def get(self, name: str, part: tensor_slice.Slice | None = None) -> np.ndarray:
        """A tensor, or a slice of it.

        Raises:
          NotFoundError: its slices are not all there.
        """
        shape = self.shape(name)
        slices = self._slices[name]
        wanted = tensor_slice.full(len(shape)) if part is None else part
        return assemble(
            name,
            shape,
            self.dtype(name),
            wanted,
            slices,
            lambda one: self._read(name, slices[one], tensor_slice.shape_of(one, shape)),
        )

    def _read(self, name: str, data: bytes, shape: tuple[int, ...]) -> np.ndarray:
        saved = message("SavedTensorSlices").FromString(data).data
        proto = protos.TensorProto.FromString(saved.data)
        dtype = self.dtype(name)
        field, kind = tensor_proto.FIELDS[dtype]
        values = getattr(proto, field)
        if dtype is dtypes.string:
            found = np.empty(len(values), object)
            found[:] = list(values)
        else:
            found = np.array(values, kind).view(dtype.as_numpy_dtype)
        if found.size != math.prod(shape):
            raise errors.DataLossError(None, None, "a slice has not as many values as its shape")
        return found.reshape(shape)
