"""Writers of summaries (a part of TF's summary_ops_v2)."""

from __future__ import annotations

import contextlib
import functools
import getpass
import os
import re
import time
from collections.abc import Callable, Iterator
from typing import Any

from tf1compat.api.array import constant_op
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.eager import context as eager_context
from tf1compat.api.platform import tf_logging
from tf1compat.api.util.deprecation import deprecated
from tf1compat.core import context, dtypes, ops, raw_ops
from tf1compat.core.eager import EagerTensor
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name

_INITIALIZERS = "_SUMMARY_WRITER_V2"
_NAME_RULES = {
    "experiment_name": re.compile(r"^[^\x00-\x1F<>]{0,256}$"),
    "run_name": re.compile(r"^[^\x00-\x1F<>]{0,512}$"),
    "user_name": re.compile(r"^[a-z]([-a-z0-9]{0,29}[a-z0-9])?$", re.I),
}

_current = eager_context.context()


@tf_export("contrib.summary.SummaryWriter", "compat.v2.summary.SummaryWriter")
class SummaryWriter:
    """What all writers of summaries can do."""

    def set_as_default(self) -> None:
        """Makes it this thread's writer."""
        raise NotImplementedError()

    def as_default(self) -> Any:
        """Context manager: within it, it is this thread's writer."""
        raise NotImplementedError()

    def init(self) -> Any:
        """Makes what it writes to."""
        raise NotImplementedError()

    def flush(self) -> Any:
        """Writes what is queued."""
        raise NotImplementedError()

    def close(self) -> Any:
        """Writes what is queued, and writes no more."""
        raise NotImplementedError()


class ResourceSummaryWriter(SummaryWriter):
    """A writer that is a resource of the session.

    Args:
      shared_name: of the resource.
      init_op_fn: handle -> the operation that makes the writer.
      name: of the operation that gives the handle.
      v2: whether it is made once and closed once, as TF 2's.
    """

    def __init__(
        self,
        shared_name: Any,
        init_op_fn: Callable[[Any], Any],
        name: Name = None,
        v2: bool = False,
    ):
        self._resource = raw_ops.SummaryWriter(shared_name=shared_name or "", name=name)
        self._init_op_fn = init_op_fn
        self._init_op = init_op_fn(self._resource)
        self._v2 = v2
        self._closed = False
        if not context.executing_eagerly():
            ops.add_to_collection(_INITIALIZERS, self._init_op)

    def _is_closed(self) -> bool:
        return self._v2 and self._closed and context.executing_eagerly()

    def _check_open(self) -> None:
        if self._is_closed():
            raise RuntimeError("SummaryWriter is already closed")

    def set_as_default(self) -> None:
        self._check_open()
        _current.summary_writer = self

    @contextlib.contextmanager
    def as_default(self) -> Iterator[ResourceSummaryWriter]:
        self._check_open()
        before = _current.summary_writer
        _current.summary_writer = self
        try:
            yield self
            self.flush()
        finally:
            _current.summary_writer = before

    def init(self) -> Any:
        self._check_open()
        return self._init_op if self._v2 else self._init_op_fn(self._resource)

    def flush(self) -> Any:
        return None if self._is_closed() else flush(writer=self)

    def close(self) -> Any:
        if self._is_closed():
            return None
        try:
            with ops.control_dependencies([self.flush()]), ops.device("cpu:0"):
                return raw_ops.CloseSummaryWriter(writer=self._resource)
        finally:
            self._closed = context.executing_eagerly()


class NoopSummaryWriter(SummaryWriter):
    """A writer that writes nothing."""

    def set_as_default(self) -> None:
        pass

    @contextlib.contextmanager
    def as_default(self) -> Iterator[None]:
        yield

    def init(self) -> None:
        pass

    def flush(self) -> None:
        pass

    def close(self) -> None:
        pass


@tf_export("compat.v2.summary.create_noop_writer")
def create_noop_writer() -> NoopSummaryWriter:
    """A writer that writes nothing."""
    return NoopSummaryWriter()


def _constants(max_queue: Any, flush_millis: Any, filename_suffix: Any) -> tuple[Any, Any, Any]:
    """A file writer's arguments, with constants for those that are None."""
    defaults = (max_queue, 10), (flush_millis, 2 * 60 * 1000), (filename_suffix, ".v2")
    a, b, c = (constant_op.constant_v1(x) if given is None else given for given, x in defaults)
    return a, b, c


@tf_export("contrib.summary.create_file_writer")
def create_file_writer(
    logdir: str | None,
    max_queue: Any = None,
    flush_millis: Any = None,
    filename_suffix: Any = None,
    name: Name = None,
) -> SummaryWriter:
    """A writer to an event file.

    Args:
      logdir: the file's directory; None for a writer that writes nothing.
      max_queue: when more events wait, they are written; 10 by default.
      flush_millis: they are written, too, when that time has passed; two minutes by default.
      filename_suffix: the end of the file's name; ".v2" by default.
      name: by which the writer is shared; "logdir:" and the directory by default.

    Returns:
      A `SummaryWriter`.
    """
    if logdir is None:
        return NoopSummaryWriter()
    logdir = str(logdir)
    with ops.device("cpu:0"):
        max_queue, flush_millis, suffix = _constants(max_queue, flush_millis, filename_suffix)
        init_op_fn = functools.partial(
            raw_ops.CreateSummaryFileWriter, logdir=logdir, max_queue=max_queue,
            flush_millis=flush_millis, filename_suffix=suffix,
        )  # fmt: skip
        return ResourceSummaryWriter("logdir:" + logdir if name is None else name, init_op_fn)


@tf_export("compat.v2.summary.create_file_writer")
def create_file_writer_v2(
    logdir: Any,
    max_queue: Any = None,
    flush_millis: Any = None,
    filename_suffix: Any = None,
    name: Name = None,
) -> SummaryWriter:
    """A writer to an event file of its own; see `create_file_writer`.

    Args:
      logdir, max_queue, flush_millis, filename_suffix, name: as in `create_file_writer`.

    Returns:
      As `create_file_writer`.

    Raises:
      ValueError: `logdir` is None, or an argument is a tensor of a graph, in eager execution.
    """
    if logdir is None:
        raise ValueError("logdir cannot be None")
    given = {
        "logdir": logdir,
        "max_queue": max_queue,
        "flush_millis": flush_millis,
        "filename_suffix": filename_suffix,
    }
    in_function = ops.inside_function()
    with (
        ops.name_scope(name, "create_file_writer") as scope,
        ops.device("cpu:0"),
        ops.init_scope(),
    ):
        eager = context.executing_eagerly()
        if eager:
            _check_eager(given, in_function)
        logdir = ops.convert_to_tensor(logdir, dtype=dtypes.string)
        max_queue, flush_millis, suffix = _constants(max_queue, flush_millis, filename_suffix)
        # No two writers write to one file.
        suffix = constant_op.constant_v1(f".{os.getpid()}.{ops.uid()}") + suffix
        shared = eager_context.shared_name() if eager else ops.name_from_scope_name(scope)
        init_op_fn = functools.partial(
            raw_ops.CreateSummaryFileWriter, logdir=logdir, max_queue=max_queue,
            flush_millis=flush_millis, filename_suffix=suffix,
        )  # fmt: skip
        return ResourceSummaryWriter(shared, init_op_fn, name=name, v2=True)


def _check_eager(given: dict[str, Any], in_function: bool) -> None:
    for name, value in given.items():
        if isinstance(value, ops.Tensor) and not isinstance(value, EagerTensor):
            text = f'Invalid graph Tensor argument "{name}={value}" to '
            if not in_function:
                raise ValueError(text + "eagerly executed create_file_writer().")
            raise ValueError(
                text + "create_file_writer() inside an @tf.function. The create call will be "
                "lifted into the outer eager execution context, so it cannot consume graph tensors "
                "defined inside the function body."
            )


@tf_export("contrib.summary.create_summary_file_writer")
@deprecated(None, "Renamed to create_file_writer().")
def create_summary_file_writer(*args: Any, **kwargs: Any) -> SummaryWriter:
    """As `create_file_writer`.

    Args:
      *args, **kwargs: as in `create_file_writer`.

    Returns:
      A `SummaryWriter`.
    """
    tf_logging.warning(
        "Deprecation Warning: create_summary_file_writer was renamed to create_file_writer"
    )
    return create_file_writer(*args, **kwargs)


@tf_export("contrib.summary.create_db_writer")
def create_db_writer(
    db_uri: Any,
    experiment_name: Any = None,
    run_name: Any = None,
    user_name: Any = None,
    name: Name = None,
) -> SummaryWriter:
    """A writer to an SQLite database, with the tables that TF 1.15 makes.

    Args:
      db_uri: such as "file:/tmp/foo.sqlite".
      experiment_name, run_name: today and now by default.
      user_name: the user's name by default.
      name: by which the writer is shared.

    Returns:
      A `SummaryWriter`.

    Raises:
      ValueError: a name that may not be.
    """
    with ops.device("cpu:0"):
        now = time.localtime(time.time())
        names = {
            "experiment_name": experiment_name or time.strftime("%Y-%m-%d", now),
            "run_name": run_name or time.strftime("%H:%M:%S", now),
            "user_name": user_name or getpass.getuser(),
        }
        given = {"experiment_name": experiment_name, "run_name": run_name, "user_name": user_name}
        names |= {key: value for key, value in given.items() if value is not None}
        tensors = {key: _checked_name(key, value) for key, value in names.items()}
        init_op_fn = functools.partial(raw_ops.CreateSummaryDbWriter, db_uri=db_uri, **tensors)
        return ResourceSummaryWriter(name, init_op_fn)


def _checked_name(kind: str, value: Any) -> ops.Tensor:
    rule = _NAME_RULES[kind]
    if isinstance(value, str) and not rule.search(value):
        raise ValueError(f"{kind} ({value}) must match {rule.pattern}")
    return ops.convert_to_tensor(value, dtypes.string)


@tf_export("compat.v2.summary.flush", "contrib.summary.flush")
def flush(writer: Any = None, name: Name = None) -> Any:
    """Writes what a writer has queued.

    Args:
      writer: a `SummaryWriter` or its handle; this thread's by default.
      name: the operation's name.

    Returns:
      The operation; it does nothing if there is no writer.
    """
    writer = _current.summary_writer if writer is None else writer
    if writer is None:
        return control_flow_ops.no_op()
    handle = writer._resource if isinstance(writer, ResourceSummaryWriter) else writer
    with ops.device("cpu:0"):
        return raw_ops.FlushSummaryWriter(writer=handle, name=name)
