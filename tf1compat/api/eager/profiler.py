"""Profiles for TensorBoard (`tensorflow.python.eager.profiler`), which JAX's profiler takes.

A profile is TF 1.15's message, `tensorflow.profiler.Trace`; beside it is kept what JAX wrote, which
is what the profile page of today's TensorBoard reads.
"""

from __future__ import annotations

import datetime
import os
import threading
from typing import Any

from tf1compat.api.platform import gfile
from tf1compat.api.summary.writer.event_file_writer import EventsWriter
from tf1compat.core import profiling
from tf1compat.formats import trace_events_pb2

_EMPTY = ".profile-empty"
_lock = threading.Lock()
_is_running = False


class ProfilerAlreadyRunningError(Exception):
    """A profile is being taken already."""


class ProfilerNotRunningError(Exception):
    """No profile is being taken."""


class _Profile(bytes):
    """A serialized `Trace`.

    Attributes:
      xspace: the same in JAX's form, `tensorflow.profiler.XSpace`.
    """

    xspace: bytes


def start() -> None:
    """Starts to profile.

    Raises:
      ProfilerAlreadyRunningError: if a profile is being taken, by JAX's own functions too.
    """
    global _is_running
    with _lock:
        try:
            profiling.start()
        except RuntimeError as error:
            raise ProfilerAlreadyRunningError("Another profiler is running.") from error
        _is_running = True


def stop() -> bytes:
    """Ends the profile.

    Returns:
      A serialized `tensorflow.profiler.Trace`, for `save`.

    Raises:
      ProfilerNotRunningError: if none is being taken.
    """
    global _is_running
    with _lock:
        if not _is_running:
            raise ProfilerNotRunningError("Cannot stop profiling. No profiler is running.")
        _is_running = False
        xspace, planes = profiling.stop()
    profile = _Profile(_trace(planes).SerializeToString())
    profile.xspace = xspace
    return profile


def _trace(planes: list[Any]) -> Any:
    """JAX's planes of lines as TF's devices of resources."""
    trace = trace_events_pb2.Trace()
    of_devices = [plane for plane in planes if plane.name.startswith(("/host:CPU", "/device:"))]
    for device_id, plane in enumerate(of_devices):
        device = trace.devices[device_id]
        device.name, device.device_id = plane.name, device_id
        for resource_id, line in enumerate(plane.lines):
            resource = device.resources[resource_id]
            resource.name, resource.resource_id = line.name, resource_id
            for event in line.events:
                added = trace.trace_events.add(
                    device_id=device_id,
                    resource_id=resource_id,
                    name=event.name,
                    timestamp_ps=round(event.start_ns * 1000),
                    duration_ps=round(event.duration_ns * 1000),
                )
                for key, value in event.stats:
                    added.args[key] = str(value)
    return trace


def maybe_create_event_file(logdir: str) -> None:
    """Writes the empty event file that tells TensorBoard of profiles, if there is none.

    Args:
      logdir: the folder, which exists.
    """
    if not any(name.endswith(_EMPTY) for name in gfile.ListDirectory(logdir)):
        writer = EventsWriter(os.path.join(logdir, "events"))
        writer.init_with_suffix(_EMPTY)
        writer.close()


def save(logdir: str, result: bytes) -> None:
    """Writes a profile where TensorBoard finds it.

    Args:
      logdir: TensorBoard's folder.
      result: what `stop` returned.
    """
    now = datetime.datetime.now().strftime("%Y-%m-%d_%H-%M-%S")
    folder = os.path.join(logdir, "plugins", "profile", now)
    gfile.MakeDirs(folder)
    maybe_create_event_file(logdir)
    files = {"local.trace": result}
    if isinstance(result, _Profile):
        files["local.xplane.pb"] = result.xspace
    for name, content in files.items():
        with gfile.Open(os.path.join(folder, name), "wb") as file:
            file.write(content)


def start_profiler_server(port: int) -> None:
    """Starts a server, for as long as the process lives, which takes profiles for TensorBoard.

    Args:
      port: where it listens.
    """
    profiling.serve(port)


class Profiler:
    """A context of which a profile is written.

    Args:
      logdir: TensorBoard's folder.
    """

    def __init__(self, logdir: str):
        self._logdir = logdir

    def __enter__(self) -> None:
        start()

    def __exit__(self, *exc_info: object) -> None:
        save(self._logdir, stop())
