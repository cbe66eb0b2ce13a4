"""Reading and writing goldens: one compressed JSON file per table, arrays as dtype, shape and
base64 bytes."""

from __future__ import annotations

import base64
import gzip
import json
import pathlib
from typing import Any

import numpy as np

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "golden" / "data" / "ops"


def pack(value: Any) -> Any:
    """A value that JSON can hold, for nestings of arrays, NumPy scalars, bytes, lists and dicts."""
    if isinstance(value, dict):
        return {key: pack(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [pack(item) for item in value]
    if isinstance(value, (np.ndarray, np.generic, bytes)):
        array = np.asarray(value, object if isinstance(value, bytes) else None)
        if array.dtype.kind in "OS":
            texts = [base64.b64encode(item).decode() for item in array.ravel().tolist()]
            return {"@": "bytes", "shape": list(array.shape), "data": texts}
        data = base64.b64encode(np.ascontiguousarray(array).tobytes()).decode()
        return {"@": array.dtype.name, "shape": list(array.shape), "data": data}
    return value


def unpack(value: Any) -> Any:
    """The inverse of `pack`; arrays come back as NumPy arrays."""
    if isinstance(value, list):
        return [unpack(item) for item in value]
    if not isinstance(value, dict):
        return value
    if "@" not in value:
        return {key: unpack(item) for key, item in value.items()}
    shape = tuple(value["shape"])
    if value["@"] == "bytes":
        array = np.empty(len(value["data"]), object)
        array[:] = [base64.b64decode(item) for item in value["data"]]
        return array.reshape(shape)
    return np.frombuffer(base64.b64decode(value["data"]), value["@"]).reshape(shape)


def save(table: str, goldens: "dict[str, Any]") -> None:
    """Writes the goldens of a table, byte for byte the same for the same content."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    lines = [f"{json.dumps(key)}: {json.dumps(pack(row))}" for key, row in goldens.items()]
    text = "{\n" + ",\n".join(lines) + "\n}\n"
    with open(FOLDER / f"{table}.json.gz", "wb") as raw, gzip.GzipFile("", "wb", 9, raw, 0) as file:
        file.write(text.encode())


def load(table: str) -> "dict[str, Any]":
    """The goldens of a table, by row key; empty if none are recorded."""
    path = FOLDER / f"{table}.json.gz"
    if not path.exists():
        return {}
    with gzip.open(path) as file:
        return json.loads(file.read().decode(), object_hook=None)
