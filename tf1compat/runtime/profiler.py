"""Profiles by JAX's profiler, for `tensorflow.python.eager.profiler`."""

from __future__ import annotations

import glob
import os
import tempfile
from typing import Any

import jax

from tf1compat.core import profiling

_folder: tempfile.TemporaryDirectory[str] | None = None
# Whether a profile is being taken, for those who are to annotate what they do.
is_running = False

annotated = jax.profiler.TraceAnnotation


def _start() -> None:
    global _folder, is_running
    options = jax.profiler.ProfileOptions()
    # TF's profile has no calls of Python functions, which take longer than what they call.
    options.python_tracer_level = 0
    folder = tempfile.TemporaryDirectory()
    try:
        jax.profiler.start_trace(folder.name, profiler_options=options)
    except RuntimeError:
        folder.cleanup()
        raise
    _folder, is_running = folder, True


def _stop() -> tuple[bytes, list[Any]]:
    global _folder, is_running
    folder, _folder, is_running = _folder, None, False
    assert folder is not None
    with folder:
        jax.profiler.stop_trace()
        (path,) = glob.glob(os.path.join(folder.name, "plugins", "profile", "*", "*.xplane.pb"))
        with open(path, "rb") as file:
            xspace = file.read()
    return xspace, list(jax.profiler.ProfileData.from_serialized_xspace(xspace).planes)


profiling.start, profiling.stop = _start, _stop
profiling.serve = jax.profiler.start_server
