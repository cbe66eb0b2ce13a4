"""HDF5 files as arrays, and a question (`tensorflow.python.keras.utils.io_utils`)."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export


@tf_export("keras.utils.HDF5Matrix")
class HDF5Matrix:
    """A dataset of an HDF5 file as an array.

    Args:
      datapath: the file.
      dataset: the name of the dataset in it.
      start, end: which rows.
      normalizer: a function of rows that are read.

    Raises:
      ImportError: h5py is missing.
    """

    refs: dict[str, Any] = {}

    def __init__(
        self, datapath: str, dataset: str, start: int = 0, end: Any = None, normalizer: Any = None
    ):
        from tf1compat.api.keras.saving import hdf5_format

        h5py = hdf5_format.h5py("The use of HDF5Matrix requires HDF5 and h5py installed.")
        if datapath not in self.refs:
            self.refs[datapath] = h5py.File(datapath, "r")
        self.data = self.refs[datapath][dataset]
        self.start = start
        self.end = self.data.shape[0] if end is None else end
        self.normalizer = normalizer

    def __len__(self) -> int:
        return self.end - self.start

    def __getitem__(self, key: Any) -> Any:
        rows: Any
        if isinstance(key, slice):
            first = 0 if key.start is None else key.start
            last = self.shape[0] if key.stop is None else key.stop
            if last + self.start > self.end:
                raise IndexError
            rows = slice(first + self.start, last + self.start)
        elif isinstance(key, int | np.integer):
            if key + self.start >= self.end:
                raise IndexError
            rows = key + self.start
        else:
            if max(key) + self.start >= self.end:
                raise IndexError
            rows = [x + self.start for x in (key.tolist() if hasattr(key, "tolist") else key)]
        values = self.data[rows]
        return values if self.normalizer is None else self.normalizer(values)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape."""
        return (self.end - self.start, *self.data.shape[1:])

    dtype = attribute("data.dtype", "The dtype.")
    ndim: int = attribute("data.ndim", "The rank.")

    @property
    def size(self) -> Any:
        """The number of elements."""
        return np.prod(self.shape)


def ask_to_proceed_with_overwrite(filepath: str) -> bool:
    """Asks whether to overwrite a file."""
    answer = input(f"[WARNING] {filepath} already exists - overwrite? [y/n]").strip().lower()
    while answer not in ("y", "n"):
        answer = input('Enter "y" (overwrite) or "n" (cancel).').strip().lower()
    if answer == "n":
        return False
    print("[TIP] Next time specify overwrite=True!")
    return True
