"""What h5py 3 does otherwise than h5py 2."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from typing import Any

import numpy as np


class Text(str):
    """A text attribute, which h5py 2 gave as bytes: programs decode it."""

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
