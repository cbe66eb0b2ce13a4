"""What h5py 3 does otherwise than h5py 2."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from typing import Any

import numpy as np


class Text(str):
    """A text that programs may decode: attributes were bytes in h5py 2, and datasets are now."""

    def decode(self, encoding: str = "utf-8", errors: str = "strict") -> str:
        """The text."""
        del encoding, errors
        return str(self)


def decodable(getitem: Callable[..., Any]) -> Callable[..., Any]:
    """`AttributeManager.__getitem__`, whose texts have `decode`."""

    @functools.wraps(getitem)
    def get(self: Any, name: Any) -> Any:
        value = getitem(self, name)
        if type(value) is str:
            return Text(value)
        if isinstance(value, np.ndarray) and value.dtype == object:
            texts = [Text(x) if type(x) is str else x for x in value.ravel()]
            value.ravel()[:] = texts
        return value

    return get


_ROWS = (np.ndarray, np.void)


def reading_texts(read: Callable[..., Any]) -> Callable[..., Any]:
    """`Dataset.__getitem__` or `__array__`, which gave texts of any length as such."""

    @functools.wraps(read)
    def get(self: Any, args: Any = None, new_dtype: Any = None, **kwargs: Any) -> Any:
        given = (args,) if new_dtype is None else (args, new_dtype)
        return _with_texts(
            read(self, *given, **kwargs), self.dtype if new_dtype is None else new_dtype
        )

    return get


def _with_texts(value: Any, dtype: np.dtype) -> Any:
    """What was read of a dataset, with texts in place of their bytes."""
    if dtype.names is not None:
        names = getattr(value, "dtype", dtype).names if isinstance(value, _ROWS) else None
        for name in names or ():
            value[name] = _with_texts(value[name], dtype[name])
        return value
    metadata = dtype.metadata or {}
    if metadata.get("vlen") is not str:
        return value
    if isinstance(value, bytes):
        return Text(value.decode("utf-8", "surrogateescape"))
    if isinstance(value, np.ndarray) and value.dtype == object:
        for index in np.ndindex(value.shape):
            value[index] = _with_texts(value[index], dtype)
    return value


def viewing_texts(read: Callable[..., Any]) -> Callable[..., Any]:
    """`AsStrView.__getitem__` (of h5py 3), to which one text alone is bytes."""

    @functools.wraps(read)
    def get(self: Any, args: Any) -> Any:
        try:
            return read(self, args)
        except AttributeError:
            value = self._dset[args]
            if not isinstance(value, Text):
                raise
        return str(value)

    return get


def opening_to_write(init: Callable[..., None]) -> Callable[..., None]:
    """`File.__init__`, which without a mode opened a file to write, made a new one, or, where it
    might not, opened it to read."""

    @functools.wraps(init)
    def __init__(self: Any, name: Any, mode: str | None = None, *args: Any, **kwargs: Any) -> None:
        if mode is None and isinstance(name, (str, bytes, os.PathLike)):
            if not os.path.exists(name):
                mode = "w-"
            else:
                mode = "r+" if os.access(name, os.W_OK) else "r"
        init(self, name, mode or "r", *args, **kwargs)

    return __init__


def bytes_of_one_length(create: Callable[..., None]) -> Callable[..., None]:
    """`AttributeManager.create`, which kept a list of bytes as bytes of the longest one's length;
    h5py 3 makes texts of them."""

    @functools.wraps(create)
    def keep(self: Any, name: Any, data: Any, *args: Any, **kwargs: Any) -> None:
        if isinstance(data, (list, tuple)) and data and all(type(x) is bytes for x in data):
            data = np.asarray(data)
        create(self, name, data, *args, **kwargs)

    return keep


@property
def fid(file: Any) -> Any:
    """`File.fid`."""
    return file.id


@property
def value(dataset: Any) -> Any:
    """`Dataset.value`."""
    return dataset[()]
