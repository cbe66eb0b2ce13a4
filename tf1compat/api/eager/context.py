"""`tensorflow.python.eager.context`: graphs and eager execution, and where eager code stands."""

from __future__ import annotations

import contextlib
import threading
import uuid
from collections.abc import Iterator
from typing import Any

from tf1compat.api.random import random_seed
from tf1compat.core import context as core_context
from tf1compat.core import export, scopes
from tf1compat.core.context import executing_eagerly, mode
from tf1compat.core.device import DeviceSpec, canonical_name
from tf1compat.core.scopes import device as device

GRAPH_MODE = 0
EAGER_MODE = 1
default_execution_mode = GRAPH_MODE
DEVICE_PLACEMENT_EXPLICIT = 0
DEVICE_PLACEMENT_WARN = 1
DEVICE_PLACEMENT_SILENT = 2
DEVICE_PLACEMENT_SILENT_FOR_INT32 = 3
SYNC = 0
ASYNC = 1

in_eager_mode = executing_eagerly


def eager_mode() -> mode:
    """Context manager: ops run at once."""
    return mode(True)


def graph_mode() -> mode:
    """Context manager: ops are recorded."""
    return mode(False)


class _Summaries(threading.local):
    """Where this thread's summaries go to, and whether they are recorded (`summary_ops_v2`)."""

    def __init__(self) -> None:
        self.writer: Any = None
        self.recording: Any = None
        self.recording_distribution_strategy: Any = True
        self.step: Any = None


_summaries = _Summaries()


def _of_summaries(name: str) -> property:
    return property(
        lambda self: getattr(_summaries, name),
        lambda self, value: setattr(_summaries, name, value),
    )


class Context:
    """What is current in this thread's eager execution."""

    summary_writer = _of_summaries("writer")
    summary_recording = _of_summaries("recording")
    summary_recording_distribution_strategy = _of_summaries("recording_distribution_strategy")
    summary_step = _of_summaries("step")

    execution_mode = SYNC
    device_policy = DEVICE_PLACEMENT_SILENT

    def ensure_initialized(self) -> None:
        """Does nothing: there is nothing to start."""

    def executing_eagerly(self) -> bool:
        """Whether ops created now run at once."""
        return executing_eagerly()

    @property
    def device_name(self) -> str:
        """Where ops are to run; "" if that was not said."""
        name = core_context.thread.eager_device
        return f"/job:localhost/replica:0/task:0{canonical_name(name)}" if name else ""

    @property
    def device_spec(self) -> Any:
        """The same as a `tf.DeviceSpec`."""
        return DeviceSpec.from_string(self.device_name)

    @property
    def scope_name(self) -> str:
        """The name scope, with a slash at its end."""
        return core_context.thread.eager_scope

    def devices(self) -> list[str]:
        """The names of the devices."""
        listed = export.find("config.experimental.list_logical_devices")()
        return [logical.name for logical in listed]

    def num_gpus(self) -> int:
        """How many of them are GPUs."""
        return len(export.find("config.experimental.list_logical_devices")("GPU"))


_context = Context()


def context() -> Context:
    """The one `Context`."""
    return _context


context_safe = context


def ensure_initialized() -> None:
    """Does nothing: there is nothing to start."""


def num_gpus() -> int:
    """How many GPUs there are."""
    return _context.num_gpus()


def list_devices() -> list[str]:
    """The names of the devices."""
    return _context.devices()


def scope_name() -> str:
    """The name scope of eager code, with a slash at its end."""
    return _context.scope_name


def namescope(name: str) -> Any:
    """Context manager: eager code stands in the name scope `name`."""
    return scopes.name_scope_v2(name)


def shared_name(name: str | None = None) -> str | None:
    """The name by which something is shared: in eager execution one that nobody has by default."""
    return str(uuid.uuid4()) if name is None and executing_eagerly() else name


def set_global_seed(seed: int) -> None:
    """Sets the seed of eager execution."""
    random_seed._eager.set(seed)


def global_seed() -> int | None:
    """The seed of eager execution."""
    return random_seed._eager.seed


def internal_operation_seed() -> int:
    """The next seed for an op without one."""
    return random_seed._eager.next_op_seed()


def is_async() -> bool:
    """False: eager ops have run when their call returns."""
    return False


def async_wait() -> None:
    """Does nothing: see `is_async`."""


def async_clear_error() -> None:
    """Does nothing: see `is_async`."""


@contextlib.contextmanager
def execution_mode(mode: int) -> Iterator[None]:
    """Context manager: within it ops may run asynchronously, which they don't here."""
    if mode not in (SYNC, ASYNC, None):
        raise ValueError(f"Execution mode should be either SYNC/ASYNC. Got {mode}")
    yield


@contextlib.contextmanager
def device_policy(policy: int) -> Iterator[None]:
    """Context manager: what may be copied between devices, which is anything here."""
    yield
