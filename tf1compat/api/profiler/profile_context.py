"""Profiles of the steps of a training loop (`tensorflow.python.profiler.profile_context`)."""

from __future__ import annotations

import contextlib
import os
import random
import sys
import threading
from collections.abc import Iterator
from typing import Any

from tf1compat.api.lib.io import file_io
from tf1compat.api.platform.gfile import GFile
from tf1compat.api.profiler import model_analyzer
from tf1compat.core import errors, nest, ops
from tf1compat.core.export import required, tf_export

WARMUP_STEPS = 10
MAX_TRACED_STEPS = 100
_SEED, _ODDS = 111, (10, 2)
_VIEWS = {
    "graph": "profile_graph", "scope": "profile_name_scope", "op": "profile_operations",
    "code": "profile_python",
}  # fmt: skip


@tf_export("contrib.tfprof.ProfileContext")
class ProfileContext:
    """Traces some of the runs of all sessions while it is entered, and writes what they took.

    Args:
      profile_dir: the folder of the profiles, files "profile_STEP" that TF's tool `tfprof` reads.
      trace_steps: the numbers of the runs that are traced; some from the eleventh on by default.
      dump_steps: the numbers of the runs after which a profile is written; 100 by default.
      enabled: if false, nothing is done.
      debug: whether to say on standard error what is done, and to write each `RunMetadata`.

    Raises:
      ValueError: there is no folder, or more than 100 runs are to be traced.
    """

    def __init__(
        self, profile_dir: str, trace_steps: Any = None, dump_steps: Any = None,
        enabled: bool = True, debug: bool = False,
    ):  # fmt: skip
        self._enabled = enabled
        if not enabled:
            return
        if not profile_dir:
            raise ValueError("Must have a directory for profile.\n")
        if trace_steps is not None and len(trace_steps) > MAX_TRACED_STEPS:
            raise ValueError("Only support tracing up to 100 steps.\n")
        self._debug = debug
        self._profiler_dir = profile_dir
        self._auto_tracing = trace_steps is None
        self._trace_steps = set(trace_steps or ())
        self._dump_steps = {MAX_TRACED_STEPS} if dump_steps is None else set(dump_steps)
        self._slow_path_steps = self._dump_steps | self._trace_steps
        self._rng = random.Random(_SEED)
        self._fetched: set[str] = set()
        self._trace_next_step = self._dump_next_step = False
        self._step = self._traced_steps = 0
        self._auto_profiles: list[tuple[str, Any, list[int]]] = []
        self._profiler: Any = None
        self._views: dict[str, dict[int, Any]] = {}
        self._lock = threading.Lock()

    def get_profiles(self, cmd: str) -> dict[int, Any]:
        """What `add_auto_profiling` asked for: {step: proto}.

        Args:
          cmd: which view.

        Raises:
          ValueError: there was no such view.
        """
        if cmd not in self._views:
            raise ValueError(f"No autoprofiler for command: {cmd}, was run")
        return self._views[cmd]

    def add_auto_profiling(self, cmd: str, options: Any, profile_steps: Any) -> None:
        """Makes a view after some runs.

        Args:
          cmd: "scope", "graph", "op" or "code".
          options: those of a `ProfileOptionBuilder`.
          profile_steps: the numbers of the runs.
        """
        if self._enabled:
            self._auto_profiles.append((cmd, options, list(profile_steps)))
            self._slow_path_steps |= set(profile_steps)
            self._trace_steps |= set(profile_steps)

    @property
    def profiler(self) -> Any:
        """The `Profiler` that the runs are added to; None where nothing is done."""
        if not self._enabled:
            return None
        if self._profiler is None:
            self._profiler = model_analyzer.Profiler(ops.get_default_graph())
        return self._profiler

    def trace_next_step(self) -> None:
        """Traces the next run."""
        if self._enabled:
            self._trace_next_step = True
            self._slow_path_steps.add(self._step)

    def dump_next_step(self) -> None:
        """Writes a profile after the next run."""
        if self._enabled:
            self._dump_next_step = True
            self._slow_path_steps.add(self._step)

    def _is_fast_path(self, step: int) -> bool:
        looking = self._auto_tracing and self._traced_steps <= MAX_TRACED_STEPS
        return step not in self._slow_path_steps and not (looking and step > WARMUP_STEPS)

    def _should_trace(self, step: int, fetches: Any) -> bool:
        if self._traced_steps > MAX_TRACED_STEPS:
            return False
        wanted = step in self._trace_steps or self._trace_next_step
        if not wanted and self._auto_tracing and step > WARMUP_STEPS:
            names = sorted({getattr(x, "name", str(x)) for x in nest.flatten(fetches)})
            name = "-".join(names)
            self._say(f"trace fetches: {name}")
            if name not in self._fetched:
                self._fetched.add(name)
                wanted = True
            elif self.profiler._coverage < 0.5 and step < MAX_TRACED_STEPS:
                wanted = self._rng.randint(0, _ODDS[0]) < _ODDS[1]
        self._traced_steps += wanted
        return wanted

    def _say(self, text: str) -> None:
        if self._debug:
            sys.stderr.write(f"debug: {text}\n")

    @contextlib.contextmanager
    def _new_step(self) -> Iterator[tuple[int, bool]]:
        # Only one of several threads is traced.
        acquired = self._lock.acquire(blocking=False)
        try:
            yield self._step, acquired
            self._step += 1
            self._trace_next_step = self._dump_next_step = False
        finally:
            if acquired:
                self._lock.release()

    def _file(self, name: str) -> str:
        if not file_io.file_exists(self._profiler_dir):
            file_io.recursive_create_dir(self._profiler_dir)
        return os.path.join(self._profiler_dir, name)

    def _run(
        self, session: Any, run: Any, fetches: Any, feeds: Any, options: Any, metadata: Any
    ) -> Any:
        """A run of a session, traced and written where that is asked for."""
        with self._new_step() as (step, acquired):
            if not acquired or self._is_fast_path(step):
                return run(session, fetches, feeds, options, metadata)
            if self._should_trace(step, fetches):
                found = self._traced(step, session, run, fetches, feeds, options, metadata)
            else:
                found = run(session, fetches, feeds, options, metadata)
            if step in self._dump_steps or self._dump_next_step:
                self._say(f"dumping file at step: {step}")
                self.profiler._write_profile(self._file(f"profile_{step}"))
            for cmd, chosen, steps in self._auto_profiles:
                if step in steps:
                    self._say(f"profiling {cmd} step: {step}")
                    views = self._views.setdefault(cmd, {})
                    if cmd not in _VIEWS:
                        raise ValueError(f"Unknown cmd: {cmd}\n")
                    views[step] = getattr(self.profiler, _VIEWS[cmd])(chosen)
            return found

    def _traced(
        self, step: int, session: Any, run: Any, fetches: Any, feeds: Any, options: Any,
        metadata: Any,
    ) -> Any:  # fmt: skip
        self._say(f"tracing step: {step}")
        metadata = metadata or required("RunMetadata")()
        options = options or required("RunOptions")()
        level = options.trace_level
        options.trace_level = options.FULL_TRACE
        found = run(session, fetches, feeds, options, metadata)
        if self._debug:
            with GFile(self._file(f"run_meta_{step}"), "w") as file:
                file.write(str(metadata))
        self.profiler._graph = session.graph
        self.profiler.add_step(step, metadata)
        options.trace_level = level
        return found

    def __enter__(self) -> ProfileContext:
        if not self._enabled:
            return self
        base = _base_session()
        if getattr(base, "_profiler_run_internal", None):
            raise errors.InternalError(None, None, "Already in context or context not cleaned.")
        old, context = base.run, self

        def run(
            self: Any, fetches: Any, feed_dict: Any = None, options: Any = None,
            run_metadata: Any = None,
        ) -> Any:  # fmt: skip
            return context._run(self, old, fetches, feed_dict, options, run_metadata)

        base._profiler_run_internal, base.run, base.profile_context = old, run, self
        return self

    def __exit__(self, *error: object) -> None:
        if self._enabled:
            base = _base_session()
            base.run = base._profiler_run_internal
            base._profiler_run_internal = base.profile_context = None


def _base_session() -> Any:
    (base,) = (cls for cls in required("Session").__mro__ if cls.__name__ == "BaseSession")
    return base
