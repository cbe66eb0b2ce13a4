"""Where a program's time goes: `python -m tf1compat --profile[=FILE] script.py`.

What is timed is a table of the package's own functions (`_TIMED`), which are wrapped before the
script begins; without the option nothing is, and nothing costs. A function's time is its own: what
the timed functions that it calls take is theirs. The device is waited for after each program, so
that its time is not another's.
"""

from __future__ import annotations

import atexit
import collections
import contextlib
import functools
import importlib
import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any, NamedTuple

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
_BACKGROUND = "(in the background)"
# Of how many spans the trace file tells; the sums have all.
_MOST_SPANS = 300_000
# How many lines a table of the report has, and the least seconds that it tells of.
_LINES, _LEAST = 15, 0.0005


class _Timed(NamedTuple):
    """A function whose time is counted.

    Attributes:
      kind: what the time is spent on.
      module: where the function is.
      name: its name there, "Class.method" for a method.
      label: from its arguments, or from its result and its arguments (`of_result`), what users call
        what it worked on.
      of_result: whether the label is of the result.
      waits: whether the device computes what it returns.
    """

    kind: str
    module: str
    name: str
    label: Callable[..., str] = lambda *args, **kwargs: ""
    of_result: bool = False
    waits: bool = False


def _operation(result: Any) -> str:
    """The name of the operation that a function of `raw_ops` made."""
    first = result[0] if isinstance(result, (list, tuple)) and result else result
    name = getattr(getattr(first, "op", first), "name", "")
    return name if isinstance(name, str) else ""


def _title(program: Any, *args: Any, **kwargs: Any) -> str:
    return program.title


def _region(compiled: Any, *args: Any, **kwargs: Any) -> str:
    return compiled.region.title


def _host_program(program: Any, *args: Any, **kwargs: Any) -> str:
    names = [repr(tensor.name) for tensor in program.fetches[:2]]
    return f"the run of {', '.join(names)}" if names else ""


_TIMED = [
    _Timed("recording", "core.raw_ops", "OpFunction.__call__", _operation, of_result=True),
    _Timed("Session.run itself", "runtime.session", "BaseSession.run"),
    _Timed("planning", "runtime.program", "Program.__init__"),
    _Timed("planning", "runtime.program", "Program._planned", _title),
    _Timed("planning", "runtime.program", "Program._is_for_host", _title),
    _Timed("planning", "runtime.host.program", "HostProgram.__init__"),
    _Timed("tracing", "runtime.compile.executable", "Compiled.trace", _region),
    _Timed("compiling", "runtime.compile.executable", "Compiled.compile", _region),
    _Timed("device", "runtime.compile.executable", "Compiled.call", _region, waits=True),
    _Timed("device", "runtime.compile.executable", "Compiled.call_again", _region, waits=True),
    _Timed("host tier", "runtime.host.program", "HostProgram.run", _host_program),
    _Timed("host steps", "runtime.program", "Program._run_step", lambda p, op, *_: op.name),
    _Timed("copies", "runtime.compile.state", "State.to_device"),
    _Timed("copies", "runtime.fetches", "feed_array", lambda tensor, value: tensor.name),
    _Timed("copies", "runtime.fetches", "result"),
    _Timed("copies", "runtime.program", "to_host"),
]


class _Span:
    """A call of a timed function while it goes on; `within` is what its calls of others took."""

    __slots__ = ("line", "start", "within")

    def __init__(self, line: str):
        self.line = line
        self.within = 0.0
        self.start = time.perf_counter()


class Profile:
    """What is counted of a process.

    Args:
      path: where the trace file is to be written.
    """

    def __init__(self, path: str):
        self._path = path
        self._begin = time.perf_counter()
        self._local = threading.local()
        self._lock = threading.Lock()
        self._kinds: collections.Counter[str] = collections.Counter()
        self._calls: collections.Counter[str] = collections.Counter()
        self._lines: dict[str, collections.Counter[str]] = {}
        self._scopes: dict[str, collections.Counter[str]] = {}
        self._runs: dict[str, collections.Counter[str]] = {}
        self._events: list[dict[str, Any]] = []
        self._left_out = 0

    def install(self) -> None:
        """Wraps the functions of the table."""
        with self._span("importing"):
            modules = [importlib.import_module(f"tf1compat.{timed.module}") for timed in _TIMED]
        for timed, module in zip(_TIMED, modules, strict=True):
            owner: Any = module
            *path, name = timed.name.split(".")
            for part in path:
                owner = getattr(owner, part)
            setattr(owner, name, self._wrapped(getattr(owner, name), timed))

    def _wrapped(self, function: Callable[..., Any], timed: _Timed) -> Callable[..., Any]:
        @functools.wraps(function)
        def run(*args: Any, **kwargs: Any) -> Any:
            with self._span(timed.kind) as labels:
                result = function(*args, **kwargs)
                if timed.waits:
                    _wait(result)
                labels.append(
                    timed.label(result) if timed.of_result else timed.label(*args, **kwargs)
                )
                return result

        return run

    @contextlib.contextmanager
    def _span(self, kind: str) -> Iterator[list[str]]:
        """Counts the time of a `with` block, which puts its label into the list that it gets."""
        stack = self._local.__dict__.setdefault("stack", [])
        span = _Span(stack[-1].line if stack else _user_line())
        stack.append(span)
        labels: list[str] = []
        try:
            yield labels
        finally:
            end = time.perf_counter()
            stack.pop()
            if stack:
                stack[-1].within += end - span.start
            self._count(kind, span, end, labels[0] if labels else "")

    def _count(self, kind: str, span: _Span, end: float, label: str) -> None:
        own = end - span.start - span.within
        with self._lock:
            self._kinds[kind] += own  # pyright: ignore[reportArgumentType]
            self._calls[kind] += 1
            _add(self._lines, span.line, kind, own)
            if kind in ("recording", "host steps"):
                scope = "/".join(label.split("/")[:-1][:2])
                _add(self._scopes, scope or "(no scope)", kind, own)
            elif label:
                _add(self._runs, label, kind, own)
            if len(self._events) == _MOST_SPANS:
                self._left_out += 1
                return
            event: dict[str, Any] = {"name": label or kind, "cat": kind, "ph": "X"}
            event["ts"] = round((span.start - self._begin) * 1e6, 1)
            event["dur"] = round((end - span.start) * 1e6, 1)
            event.update(pid=os.getpid(), tid=threading.get_ident(), args={"line": span.line})
            self._events.append(event)

    def finish(self) -> None:
        """Writes the trace file, and what it sums up to, to standard error."""
        with self._lock:
            with open(self._path, "w") as file:
                json.dump({"traceEvents": self._events, "displayTimeUnit": "ms"}, file)
            print("\n".join(self.text()), file=sys.stderr)

    def text(self) -> Iterator[str]:
        """The lines of the report."""
        total = time.perf_counter() - self._begin
        counted = sum(self._kinds.values())
        yield f"tf1compat: {total:.2f} s, of which {counted:.2f} s (all threads) are:"
        for kind, seconds in self._kinds.most_common():
            yield f"  {seconds:9.3f} s  {kind} ({self._calls[kind]} calls)"
        parts = ("the script's lines", self._lines), ("scopes", self._scopes), ("runs", self._runs)
        for title, table in parts:
            sums = {key: sum(kinds.values()) for key, kinds in table.items()}
            ranked = sorted((key for key in sums if sums[key] >= _LEAST), key=sums.__getitem__)
            if ranked:
                yield f"by {title}:"
            for key in reversed(ranked[-_LINES:]):
                most = [(kind, s) for kind, s in table[key].most_common() if s >= _LEAST]
                split = ", ".join(f"{kind} {s:.3f}" for kind, s in most)
                yield f"  {sums[key]:9.3f} s  {key}: {split}"
        more = f" (but for the last {self._left_out} spans)" if self._left_out else ""
        yield f"The trace is in {self._path}{more}: see chrome://tracing or https://ui.perfetto.dev"


def start(path: str) -> None:
    """Counts from now on, and reports when the process ends.

    Args:
      path: where the trace file is to be written.
    """
    profile = Profile(path)
    profile.install()
    atexit.register(profile.finish)


def _add(table: dict[str, collections.Counter[str]], key: str, kind: str, seconds: float) -> None:
    counter = table.setdefault(key, collections.Counter())
    counter[kind] += seconds  # pyright: ignore[reportArgumentType]


def _wait(result: Any) -> None:
    import jax

    jax.block_until_ready(result)


@functools.cache
def _is_ours(code: CodeType) -> bool:
    file = code.co_filename
    return file.startswith((_PACKAGE, "<")) or file == contextlib.__file__


def _user_line() -> str:
    """The innermost line outside the package, as `file:line`."""
    frame: Any = sys._getframe(2)
    while frame is not None and _is_ours(frame.f_code):
        frame = frame.f_back
    if frame is None:
        return "(before the script)"
    if frame.f_code.co_filename == threading.__file__:
        return _BACKGROUND
    return f"{os.path.relpath(frame.f_code.co_filename)}:{frame.f_lineno}"
