"""Summaries in an SQLite database, as `tf.contrib.summary.create_db_writer` has them written."""

from __future__ import annotations

import random
import sqlite3
import threading
import time
from typing import Any

import numpy as np

from tf1compat.core import errors, protos
from tf1compat.core.dtypes import as_dtype
from tf1compat.core.tensor_proto import proto_to_array

# Table -> its columns.
_TABLES = {
    "Ids": "id INTEGER PRIMARY KEY",
    "Descriptions": "id INTEGER PRIMARY KEY, description TEXT",
    "Tensors": "rowid INTEGER PRIMARY KEY, series INTEGER, step INTEGER, dtype INTEGER, "
    "computed_time REAL, shape TEXT, data BLOB",
    "TensorStrings": "rowid INTEGER PRIMARY KEY, tensor_rowid INTEGER NOT NULL, "
    "idx INTEGER NOT NULL, data BLOB",
    "Tags": "rowid INTEGER PRIMARY KEY, run_id INTEGER, tag_id INTEGER NOT NULL, "
    "inserted_time DOUBLE, tag_name TEXT, display_name TEXT, plugin_name TEXT, plugin_data BLOB",
    "Runs": "rowid INTEGER PRIMARY KEY, experiment_id INTEGER, run_id INTEGER NOT NULL, "
    "inserted_time REAL, started_time REAL, finished_time REAL, run_name TEXT",
    "Experiments": "rowid INTEGER PRIMARY KEY, user_id INTEGER, experiment_id INTEGER NOT NULL, "
    "inserted_time REAL, started_time REAL, is_watching INTEGER, experiment_name TEXT",
    "Users": "rowid INTEGER PRIMARY KEY, user_id INTEGER NOT NULL, inserted_time REAL, "
    "user_name TEXT, email TEXT",
    "Graphs": "rowid INTEGER PRIMARY KEY, run_id INTEGER, graph_id INTEGER NOT NULL, "
    "inserted_time REAL, graph_def BLOB",
    "Nodes": "rowid INTEGER PRIMARY KEY, graph_id INTEGER NOT NULL, node_id INTEGER NOT NULL, "
    "node_name TEXT, op TEXT, device TEXT, node_def BLOB",
    "NodeInputs": "rowid INTEGER PRIMARY KEY, graph_id INTEGER NOT NULL, "
    "node_id INTEGER NOT NULL, idx INTEGER NOT NULL, input_node_id INTEGER NOT NULL, "
    "input_node_idx INTEGER, is_control INTEGER",
}
# Unique index -> what it is on.
_INDICES = {
    "TensorSeriesStepIndex": "Tensors (series, step) WHERE series IS NOT NULL AND step IS NOT NULL",
    "TensorStringIndex": "TensorStrings (tensor_rowid, idx)",
    "TagIdIndex": "Tags (tag_id)",
    "TagRunNameIndex": "Tags (run_id, tag_name) WHERE run_id IS NOT NULL AND tag_name IS NOT NULL",
    "RunIdIndex": "Runs (run_id)",
    "RunNameIndex": "Runs (experiment_id, run_name) WHERE run_name IS NOT NULL",
    "ExperimentIdIndex": "Experiments (experiment_id)",
    "ExperimentNameIndex": "Experiments (user_id, experiment_name) "
    "WHERE experiment_name IS NOT NULL",
    "UserIdIndex": "Users (user_id)",
    "UserNameIndex": "Users (user_name) WHERE user_name IS NOT NULL",
    "UserEmailIndex": "Users (email) WHERE email IS NOT NULL",
    "GraphIdIndex": "Graphs (graph_id)",
    "GraphRunIndex": "Graphs (run_id) WHERE run_id IS NOT NULL",
    "NodeIdIndex": "Nodes (graph_id, node_id)",
    "NodeNameIndex": "Nodes (graph_id, node_name) WHERE node_name IS NOT NULL",
    "NodeInputsIndex": "NodeInputs (graph_id, node_id, idx)",
}
_LARGEST_ID = (1 << 23) - 1


class DatabaseWriter:
    """Writes the summaries of a run to a database.

    Args:
      uri: a file's name, or "file:…".
      experiment, run, user: names; what has an empty one is not noted.

    Raises:
      InvalidArgumentError: it can't be opened.
    """

    def __init__(self, uri: str, experiment: str, run: str, user: str):
        self._names = {"experiment": experiment, "run": run, "user": user}
        self._run_id: int | None = None
        self._began = False
        self._tags: dict[str, int] = {}
        self._random = random.SystemRandom()
        self._lock = threading.RLock()
        try:
            self._database = sqlite3.connect(
                uri, uri=uri.startswith("file:"), check_same_thread=False
            )
            for name, columns in _TABLES.items():
                self._database.execute(f"CREATE TABLE IF NOT EXISTS {name} ({columns})")
            for name, columns in _INDICES.items():
                self._database.execute(f"CREATE UNIQUE INDEX IF NOT EXISTS {name} ON {columns}")
            self._database.commit()
        except sqlite3.Error as error:
            raise errors.InvalidArgumentError(None, None, f"{error}: {uri}") from error

    def flush(self) -> None:
        """Has all that was written so far kept."""
        with self._lock:
            self._database.commit()

    def close(self) -> None:
        """Ends the run."""
        with self._lock:
            if self._run_id is not None:
                self._database.execute(
                    "UPDATE Runs SET finished_time = ? WHERE run_id = ?",
                    (time.time(), self._run_id),
                )
            self._database.commit()
            self._database.close()

    def add_scalar(self, step: int, tag: str, value: np.ndarray) -> None:
        """Writes a number as it is."""
        self._add_tensor(step, time.time(), tag, value, "scalars")

    def add(self, event: Any) -> None:
        """Writes an Event's summary, or its graph."""
        if event.HasField("graph_def"):
            self._add_graph(event)
        for value in event.summary.value:
            kind, found = _tensor_of(value)
            if found is not None:
                self._add_tensor(
                    event.step, event.wall_time, value.tag, found, kind, value.metadata
                )

    def _insert(self, table: str, **row: Any) -> int:
        columns, places = ", ".join(row), ", ".join("?" * len(row))
        made = self._database.execute(
            f"INSERT OR REPLACE INTO {table} ({columns}) VALUES ({places})", tuple(row.values())
        )
        return made.lastrowid or 0

    def _new_id(self) -> int:
        while True:
            number = self._random.randint(1, _LARGEST_ID)
            if not self._database.execute("SELECT 1 FROM Ids WHERE id = ?", (number,)).fetchone():
                self._insert("Ids", id=number)
                return number

    def _begin(self, now: float) -> None:
        """Notes user, experiment and run, when the first value comes."""
        if self._began:
            return
        self._began = True
        inserted = time.time()
        user = experiment = None
        if self._names["user"]:
            found = self._database.execute(
                "SELECT user_id FROM Users WHERE user_name = ?", (self._names["user"],)
            ).fetchone()
            user = found[0] if found else self._new_id()
            if not found:
                self._insert(
                    "Users", user_id=user, inserted_time=inserted, user_name=self._names["user"]
                )
        if self._names["experiment"]:
            found = self._database.execute(
                "SELECT experiment_id FROM Experiments WHERE user_id IS ? AND experiment_name = ?",
                (user, self._names["experiment"]),
            ).fetchone()
            experiment = found[0] if found else self._new_id()
            if not found:
                self._insert(
                    "Experiments", user_id=user, experiment_id=experiment, inserted_time=inserted,
                    started_time=now, is_watching=0, experiment_name=self._names["experiment"],
                )  # fmt: skip
        if self._names["run"]:
            self._run_id = self._new_id()
            self._insert(
                "Runs", experiment_id=experiment, run_id=self._run_id, inserted_time=inserted,
                started_time=now, run_name=self._names["run"],
            )  # fmt: skip

    def _tag(self, tag: str, kind: str, metadata: Any) -> int:
        if tag not in self._tags:
            number = self._tags[tag] = self._new_id()
            plugin = metadata.plugin_data if metadata is not None else None
            self._insert(
                "Tags", run_id=self._run_id, tag_id=number, inserted_time=time.time(),
                tag_name=tag, display_name=metadata.display_name if metadata else "",
                plugin_name=plugin.plugin_name if plugin and plugin.plugin_name else kind,
                plugin_data=plugin.content if plugin else b"",
            )  # fmt: skip
            self._insert(
                "Descriptions", id=number,
                description=metadata.summary_description if metadata else "",
            )  # fmt: skip
        return self._tags[tag]

    def _add_tensor(
        self, step: int, now: float, tag: str, value: np.ndarray, kind: str, metadata: Any = None
    ) -> None:
        with self._lock:
            self._begin(now)
            strings = value.dtype == object
            place = self._insert(
                "Tensors", series=self._tag(tag, kind, metadata), step=step,
                dtype=as_dtype(value.dtype).as_datatype_enum, computed_time=now,
                shape=",".join(map(str, value.shape)), data=None if strings else value.tobytes(),
            )  # fmt: skip
            for i, text in enumerate(value.ravel().tolist() if strings else ()):
                self._insert("TensorStrings", tensor_rowid=place, idx=i, data=text)

    def _add_graph(self, event: Any) -> None:
        graph = protos.load("graph_pb2", "GraphDef").FromString(event.graph_def)
        with self._lock:
            self._begin(event.wall_time)
            number = self._new_id()
            places = {node.name: i for i, node in enumerate(graph.node)}
            for i, node in enumerate(graph.node):
                for idx, name in enumerate(node.input):
                    source, _, output = name.removeprefix("^").partition(":")
                    self._insert(
                        "NodeInputs", graph_id=number, node_id=i, idx=idx,
                        input_node_id=places[source],
                        input_node_idx=int(output or 0),
                        is_control=int(name.startswith("^")),
                    )  # fmt: skip
                row = {"node_name": node.name, "op": node.op, "device": node.device}
                for field in ("name", "op", "device", "input"):
                    node.ClearField(field)
                self._insert(
                    "Nodes", graph_id=number, node_id=i, node_def=node.SerializeToString(), **row
                )
            graph.ClearField("node")
            self._insert(
                "Graphs", run_id=self._run_id, graph_id=number, inserted_time=time.time(),
                graph_def=graph.SerializeToString(),
            )  # fmt: skip


def _strings(*values: bytes | str) -> np.ndarray:
    found = np.empty(len(values), object)
    found[:] = [value if isinstance(value, bytes) else value.encode() for value in values]
    return found


def _tensor_of(value: Any) -> tuple[str, np.ndarray | None]:
    """The plugin that shows a Summary's value, and the value as a tensor."""
    kind = value.WhichOneof("value")
    if kind == "simple_value":
        return "scalars", np.array(value.simple_value, np.float32)
    if kind == "tensor":
        return "", proto_to_array(value.tensor)
    if kind == "histo":
        right = np.array(value.histo.bucket_limit)
        left = np.concatenate([[np.finfo(np.float64).tiny], right[:-1]])
        return "histograms", np.stack([left, right, np.array(value.histo.bucket)], 1)
    if kind == "image":
        image = value.image
        return "images", _strings(str(image.width), str(image.height), image.encoded_image_string)
    if kind == "audio":
        return "audio", _strings(value.audio.encoded_audio_string, b"").reshape(1, 2)
    return "", None
