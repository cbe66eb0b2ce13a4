"""What goes between processes: arrays as raw bytes behind a header, errors as status codes.

A message is the header's length, the header (JSON), and the bytes of its arrays. Nothing in it is
code, and nothing is unpickled.
"""

from __future__ import annotations

import json
import math
import os
import secrets
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tf1compat.core import dtypes, errors

_LENGTH = struct.Struct("<I")
_SIZE = np.dtype("<u4")

TOKEN = "TF1COMPAT_CLUSTER_TOKEN"
TOKEN_FILE = "TF1COMPAT_CLUSTER_TOKEN_FILE"


def pack(header: dict[str, Any], arrays: Sequence[Any] = ()) -> bytes:
    """A message of a header and arrays."""
    described, contents = [], []
    for value in arrays:
        array = np.asarray(value)
        content: Any
        if array.dtype.hasobject:
            name, content = "string", _pack_strings(array)
        else:
            name = dtypes.as_dtype(array.dtype).name
            content = np.ascontiguousarray(array).reshape(-1).view(np.uint8).data
        described.append([name, list(array.shape), len(content)])
        contents.append(content)
    encoded = json.dumps({**header, "arrays": described}).encode()
    return b"".join([_LENGTH.pack(len(encoded)), encoded, *contents])


def _pack_strings(array: np.ndarray) -> bytes:
    items = [item.encode() if isinstance(item, str) else bytes(item) for item in array.flat]
    sizes = np.array([len(item) for item in items], _SIZE)
    return b"".join([sizes.tobytes(), *items])


def unpack(message: bytes) -> tuple[dict[str, Any], list[np.ndarray]]:
    """The header and the arrays of a message; the arrays can't be written to.

    Raises:
      InvalidArgumentError: it is no such message.
    """
    try:
        (length,) = _LENGTH.unpack_from(message)
        start = _LENGTH.size + length
        header = json.loads(message[_LENGTH.size : start])
        arrays = []
        for name, shape, size in header.pop("arrays"):
            if size < 0 or any(dim < 0 for dim in shape) or start + size > len(message):
                raise ValueError("its arrays do not fit into it")
            arrays.append(_array(name, shape, memoryview(message)[start : start + size]))
            start += size
        if start != len(message):
            raise ValueError("there is more than its arrays")
    except (ValueError, TypeError, KeyError, AttributeError, struct.error) as error:
        raise errors.InvalidArgumentError(None, None, f"Malformed message: {error}") from None
    return header, arrays


def _array(name: str, shape: list[int], content: memoryview) -> np.ndarray:
    count = math.prod(shape)
    if name != "string":
        return np.frombuffer(content, dtypes.as_dtype(name).as_numpy_dtype).reshape(shape)
    if count * _SIZE.itemsize > len(content):
        raise ValueError("a string array is too short")
    sizes = np.frombuffer(content, _SIZE, count)
    ends = count * _SIZE.itemsize + np.cumsum(sizes, dtype=np.int64)
    if count and ends[-1] != len(content):
        raise ValueError("its strings do not fit into it")
    items = np.empty(count, object)
    items[:] = [bytes(content[end - size : end]) for size, end in zip(sizes, ends, strict=True)]
    return items.reshape(shape)


def token() -> str:
    """The secret of the tasks of a user's clusters, without which a task refuses all calls.

    It is the environment variable TF1COMPAT_CLUSTER_TOKEN, else it is in a file
    (TF1COMPAT_CLUSTER_TOKEN_FILE, else one in the user's configuration folder, made when it is
    first asked for).

    Raises:
      PermissionError: others may read or write the file.
    """
    found = os.environ.get(TOKEN)
    if found:
        return found
    path = Path(os.environ.get(TOKEN_FILE) or _default_file())
    if not path.exists():
        _make(path)
    state = path.stat()
    if os.name == "posix" and (state.st_mode & 0o077 or state.st_uid != os.getuid()):
        raise PermissionError(
            f"{path} is a secret: it must be the user's own, and of mode 0600. It may be deleted; "
            f"{TOKEN} may be set instead"
        )
    return path.read_text().strip()


def _default_file() -> Path:
    base = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(base) / "tf1compat" / "cluster_token"


def _make(path: Path) -> None:
    """Makes the file, whole or not at all: several tasks may begin at once."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w") as file:
            file.write(secrets.token_hex(32))
        try:
            os.link(fresh, path)
        except FileExistsError:
            pass  # Another one was first.
    finally:
        fresh.unlink()
