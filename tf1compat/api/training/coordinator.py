"""`tf.train.Coordinator`: threads that stop together."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NoReturn

from tf1compat.api.platform import tf_logging
from tf1compat.api.util.compat import as_str_any
from tf1compat.core import errors
from tf1compat.core.export import tf_export


def _reraise(info: Any) -> NoReturn:
    kind, error, traceback = info
    if error is None:
        error = kind()
    raise error.with_traceback(traceback) if error.__traceback__ is not traceback else error


@tf_export("train.Coordinator")
class Coordinator:
    """Lets threads stop together (as `tf.train.Coordinator` in TF 1.15).

    Args:
      clean_stop_exception_types: exceptions that mean a proper end; `OutOfRangeError` by default.
    """

    def __init__(self, clean_stop_exception_types: Any = None):
        if clean_stop_exception_types is None:
            clean_stop_exception_types = (errors.OutOfRangeError,)
        self._clean_stop_exception_types = tuple(clean_stop_exception_types)
        self._lock = threading.Lock()
        self._stop_event = threading.Event()
        self._exc_info_to_raise: Any = None
        self._joined = False
        self._registered_threads: set[threading.Thread] = set()

    def _unless_clean(self, ex: Any) -> Any:
        error = ex[1] if isinstance(ex, tuple) else ex
        return None if isinstance(error, self._clean_stop_exception_types) else ex

    def request_stop(self, ex: Any = None) -> None:
        """Asks the threads to stop.

        Args:
          ex: why: an exception that is being handled or what `sys.exc_info()` gives; `join` raises
            it. None for no error.

        Raises:
          TypeError: an exception that is not being handled, as in TF 1.15.
        """
        with self._lock:
            ex = self._unless_clean(ex)
            if self._joined and ex is not None:
                _reraise(ex if isinstance(ex, tuple) else sys.exc_info())
            if self._stop_event.is_set():
                return
            if ex and self._exc_info_to_raise is None:
                info = self._exc_info_to_raise = self._reported(ex)
                if len(info) != 3 or not info[0] or not info[1]:
                    # TF has a text for this, whose formatting fails.
                    raise TypeError("not all arguments converted during string formatting")
            self._stop_event.set()

    @staticmethod
    def _reported(ex: Any) -> Any:
        """Logs an error; returns it as `sys.exc_info()` does."""
        if isinstance(ex, tuple):
            tf_logging.info("Error reported to Coordinator: %s", as_str_any(ex[1]), exc_info=ex)
            info = ex
        else:
            tf_logging.info("Error reported to Coordinator: %s, %s", type(ex), as_str_any(ex))
            info = sys.exc_info()
        return info

    def clear_stop(self) -> None:
        """Forgets that the threads were to stop."""
        with self._lock:
            self._joined = False
            self._exc_info_to_raise = None
            self._stop_event.clear()

    def should_stop(self) -> bool:
        """Whether the threads are to stop."""
        return self._stop_event.is_set()

    @contextlib.contextmanager
    def stop_on_exception(self) -> Iterator[None]:
        """Within it an exception asks the threads to stop, and is swallowed."""
        try:
            yield
        except BaseException:
            self.request_stop(ex=sys.exc_info())

    def wait_for_stop(self, timeout: float | None = None) -> bool:
        """Waits until the threads are to stop, `timeout` seconds at most; returns whether."""
        return self._stop_event.wait(timeout)

    def register_thread(self, thread: threading.Thread) -> None:
        """Lets `join` wait for a thread."""
        with self._lock:
            self._registered_threads.add(thread)

    def join(
        self,
        threads: Iterable[threading.Thread] | None = None,
        stop_grace_period_secs: float = 120,
        ignore_live_threads: bool = False,
    ) -> None:
        """Waits for the threads to end.

        Args:
          threads: those to wait for besides the registered ones.
          stop_grace_period_secs: how long they may go on after they were asked to stop.
          ignore_live_threads: whether it is no error if some do not stop.

        Raises:
          RuntimeError: some did not stop.
          Exception: what `request_stop` was given.
        """
        with self._lock:
            waited = list(self._registered_threads.union(threads or ()))
        while any(thread.is_alive() for thread in waited) and not self.wait_for_stop(1.0):
            pass
        pause = 0.001
        while any(thread.is_alive() for thread in waited) and stop_grace_period_secs >= 0.0:
            time.sleep(pause)
            stop_grace_period_secs -= pause
            pause = max(min(2 * pause, stop_grace_period_secs), 0.001)
        stragglers = " ".join(thread.name for thread in waited if thread.is_alive())
        with self._lock:
            self._joined = True
            self._registered_threads = set()
            if self._exc_info_to_raise:
                _reraise(self._exc_info_to_raise)
            if stragglers and not ignore_live_threads:
                raise RuntimeError(f"Coordinator stopped with threads still running: {stragglers}")
            if stragglers:
                tf_logging.info("Coordinator stopped with threads still running: %s", stragglers)

    @property
    def joined(self) -> bool:
        """Whether `join` is over."""
        return self._joined

    def raise_requested_exception(self) -> None:
        """Raises what `request_stop` was given, if anything."""
        with self._lock:
            if self._exc_info_to_raise:
                _reraise(self._exc_info_to_raise)


@tf_export("train.LooperThread")
class LooperThread(threading.Thread):
    """A thread that does something again and again until it is to stop.

    Args:
      coord: a `Coordinator`.
      timer_interval_secs: how often; None for without a pause.
      target, args, kwargs: a function and its arguments; None where `run_loop` is overridden.

    Raises:
      ValueError: `coord` is no Coordinator, or there are arguments and no function.
    """

    def __init__(
        self,
        coord: Coordinator,
        timer_interval_secs: float | None,
        target: Callable[..., Any] | None = None,
        args: Any = None,
        kwargs: Any = None,
    ):
        if not isinstance(coord, Coordinator):
            raise ValueError(f"'coord' argument must be a Coordinator: {coord}")
        super().__init__(daemon=True)
        self._coord = coord
        self._timer_interval_secs = timer_interval_secs
        self._target = target
        if target:
            self._args = args or ()
            self._kwargs = kwargs or {}
        elif args or kwargs:
            raise ValueError("'args' and 'kwargs' argument require that you also pass 'target'")
        self._coord.register_thread(self)

    @staticmethod
    def loop(
        coord: Coordinator,
        timer_interval_secs: float | None,
        target: Callable[..., Any],
        args: Any = None,
        kwargs: Any = None,
    ) -> LooperThread:
        """Starts such a thread."""
        looper = LooperThread(coord, timer_interval_secs, target=target, args=args, kwargs=kwargs)
        looper.start()
        return looper

    def run(self) -> None:
        """What the thread does."""
        with self._coord.stop_on_exception():
            self.start_loop()
            for _ in self._turns():
                self.run_loop()
            self.stop_loop()

    def _turns(self) -> Iterator[None]:
        """Yields when it is time for the next turn, until somebody asks to stop."""
        if self._timer_interval_secs is None:
            while not self._coord.should_stop():
                yield
            return
        due = time.time()
        while not self._coord.wait_for_stop(due - time.time()):
            due += self._timer_interval_secs
            yield

    def start_loop(self) -> None:
        """Called when the thread starts."""

    def stop_loop(self) -> None:
        """Called when the thread stops."""

    def run_loop(self) -> None:
        """Called again and again."""
        if self._target:
            self._target(*self._args, **self._kwargs)
