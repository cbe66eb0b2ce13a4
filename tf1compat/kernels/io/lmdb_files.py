"""Keys and values of LMDB databases."""

from __future__ import annotations

import os
from collections.abc import Iterator

from tf1compat.core import errors
from tf1compat.core.deferred import Deferred
from tf1compat.kernels.text.string import invalid

lmdb = Deferred(
    "lmdb",
    missing=lambda: errors.UnimplementedError(
        None,
        None,
        "LMDB databases are not supported by tf1compat without the package lmdb: pip install "
        "'tf1compat[lmdb]'",
    ),
)


def records(name: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The (key, value)s of a database, in the order of the keys.

    Args:
      name: of its file, or of the folder that has it as "data.mdb".

    Raises:
      InvalidArgumentError: there is none.
      UnimplementedError: the package lmdb is not installed.
    """
    path = os.fsdecode(name)
    try:
        # Read as it is, without a lock: it may lie where nobody may write.
        database = lmdb.open(path, subdir=os.path.isdir(path), readonly=True, lock=False)
    except lmdb.Error as error:
        raise invalid(str(error).removeprefix(f"{path}: ")) from error
    with database, database.begin() as transaction:
        yield from transaction.cursor()
