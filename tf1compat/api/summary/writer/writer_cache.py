"""One writer a directory (`tensorflow.python.summary.writer.writer_cache`)."""

from __future__ import annotations

import threading
from typing import Any

from tf1compat.api.summary.writer.writer import FileWriter
from tf1compat.core import ops
from tf1compat.core.export import tf_export


@tf_export("summary.FileWriterCache")
class FileWriterCache:
    """The `FileWriter`s that are shared, by directory."""

    _cache: dict[Any, FileWriter] = {}
    _lock = threading.RLock()

    @staticmethod
    def clear() -> None:
        """Closes and forgets all of them."""
        with FileWriterCache._lock:
            for writer in FileWriterCache._cache.values():
                writer.close()
            FileWriterCache._cache = {}

    @staticmethod
    def get(logdir: str) -> FileWriter:
        """The writer of a directory; a new one writes the default graph first."""
        with FileWriterCache._lock:
            if logdir not in FileWriterCache._cache:
                FileWriterCache._cache[logdir] = FileWriter(logdir, graph=ops.get_default_graph())
            return FileWriterCache._cache[logdir]
