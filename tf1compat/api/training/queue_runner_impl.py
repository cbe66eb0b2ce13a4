"""`tf.train.QueueRunner`: threads that fill queues."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from typing import Any

from tf1compat.api.platform import tf_logging
from tf1compat.api.util.deprecation import deprecated
from tf1compat.core import context, errors, ops, own_protos
from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export

_INSTEAD = "To construct input pipelines, use the `tf.data` module."
_QUEUE_RUNNERS = ops.GraphKeys.QUEUE_RUNNERS


@tf_export("train.queue_runner.QueueRunner", "train.QueueRunner")
class QueueRunner:
    """The operations that fill a queue, each run by a thread (as `tf.train.QueueRunner`).

    Args:
      queue: the queue.
      enqueue_ops: the operations.
      close_op: closes the queue; None to record it.
      cancel_op: closes it and cancels what waits; None to record it.
      queue_closed_exception_types: what means that there is nothing left; `OutOfRangeError`.
      queue_runner_def: a QueueRunnerDef in place of all these.
      import_scope: a name scope that its names get.

    Raises:
      ValueError, TypeError: the arguments do not fit together.
      RuntimeError: eager execution is on.
    """

    @deprecated(None, _INSTEAD, module="tensorflow.python.training.queue_runner_impl")
    def __init__(
        self,
        queue: Any = None,
        enqueue_ops: Any = None,
        close_op: Any = None,
        cancel_op: Any = None,
        queue_closed_exception_types: Any = None,
        queue_runner_def: Any = None,
        import_scope: str | None = None,
    ):
        if context.executing_eagerly():
            raise RuntimeError(
                "QueueRunners are not supported when eager execution is enabled. "
                "Instead, please use tf.data to get data into your model."
            )
        if queue_runner_def:
            if queue or enqueue_ops:
                raise ValueError("queue_runner_def and queue are mutually exclusive.")
            self._take_proto(queue_runner_def, import_scope)
        else:
            if not queue or not enqueue_ops:
                raise ValueError("Must provide queue and enqueue_ops.")
            self._queue = queue
            self._enqueue_ops = enqueue_ops
            types = queue_closed_exception_types
            if types is not None and (
                not isinstance(types, tuple)
                or not types
                or not all(issubclass(t, errors.OpError) for t in types)
            ):
                shown = types[0] if isinstance(types, tuple) and len(types) == 1 else types
                raise TypeError(
                    "queue_closed_exception_types, when provided, must be a tuple of tf.error "
                    f"types, but saw: {shown}"
                )
            self._close_op = queue.close() if close_op is None else close_op
            if cancel_op is None:
                cancel_op = queue.close(cancel_pending_enqueues=True)
            self._cancel_op = cancel_op
            self._queue_closed_exception_types = types or (errors.OutOfRangeError,)
        self._lock = threading.Lock()
        # How many threads of each session still run.
        self._runs_per_session: Any = weakref.WeakKeyDictionary()
        self._exceptions_raised: list[Exception] = []

    def _take_proto(self, definition: Any, import_scope: str | None) -> None:
        graph: Any = ops.get_default_graph()

        def element(name: str) -> Any:
            return graph.as_graph_element(ops.prepend_name_scope(name, import_scope))

        self._queue = element(definition.queue_name)
        self._enqueue_ops = [element(name) for name in definition.enqueue_op_name]
        self._close_op = element(definition.close_op_name)
        self._cancel_op = element(definition.cancel_op_name)
        codes = definition.queue_closed_exception_types
        self._queue_closed_exception_types = tuple(
            errors.exception_type_from_error_code(code) for code in codes
        ) or (errors.OutOfRangeError,)

    queue = attribute("_queue", "The queue.")
    enqueue_ops = attribute("_enqueue_ops", "The operations that fill it.")
    close_op = attribute("_close_op", "The operation that closes it.")
    cancel_op = attribute("_cancel_op", "The operation that closes it and cancels what waits.")
    queue_closed_exception_types = attribute(
        "_queue_closed_exception_types", "What means that there is nothing left."
    )
    exceptions_raised: list[Exception] = attribute(
        "_exceptions_raised", "What the threads raised where no coordinator was told."
    )
    name: str = attribute("_queue.name", "The queue's name.")

    def _run(self, sess: Any, enqueue_op: Any, coord: Any = None) -> None:
        """What a thread does."""
        self._fill(
            sess, coord, lambda: sess.make_callable(enqueue_op), self._queue_closed_exception_types
        )

    def _fill(
        self, sess: Any, coord: Any, prepare: Callable[[], Callable[[], Any]], closed: Any
    ) -> None:
        """Enqueues until there is nothing left or somebody asks to stop.

        Args:
          sess: the session.
          coord: a `Coordinator`, or None.
          prepare: gives the function that enqueues.
          closed: the exceptions of it that mean that there is nothing left.
        """
        is_over = False
        try:
            enqueue = prepare()
            while not (coord and coord.should_stop()):
                enqueue()
        except closed:
            is_over = True
        except Exception as error:
            if coord:
                coord.request_stop(error)
                return
            tf_logging.error("Exception in QueueRunner: %s", str(error))
            with self._lock:
                self._exceptions_raised.append(error)
            raise
        finally:
            with self._lock:
                self._runs_per_session[sess] -= 1
                if is_over and self._runs_per_session[sess] == 0:
                    self._try(sess, self._close_op)

    @staticmethod
    def _try(sess: Any, operation: Any) -> None:
        """Runs an operation that may have run before."""
        try:
            sess.run(operation)
        except Exception as error:
            tf_logging.vlog(1, "Ignored exception: %s", str(error))

    def _close_on_stop(self, sess: Any, cancel_op: Any, coord: Any) -> None:
        coord.wait_for_stop()
        self._try(sess, cancel_op)

    def create_threads(
        self, sess: Any, coord: Any = None, daemon: bool = False, start: bool = False
    ) -> list[threading.Thread]:
        """The threads that fill the queue in a session; none if there are some already.

        Args:
          sess: the session.
          coord: a `Coordinator` that is told of errors, and tells when to stop.
          daemon: whether the program may end without them.
          start: whether to start them.
        """
        with self._lock:
            if self._runs_per_session.get(sess, 0) > 0:
                return []
            self._runs_per_session[sess] = len(self._enqueue_ops)
            self._exceptions_raised = []
        threads = [
            threading.Thread(
                target=self._run,
                args=(sess, operation, coord),
                name=f"QueueRunnerThread-{self.name}-{operation.name}",
            )
            for operation in self._enqueue_ops
        ]
        if coord:
            threads.append(
                threading.Thread(
                    target=self._close_on_stop,
                    args=(sess, self._cancel_op, coord),
                    name=f"QueueRunnerThread-{self.name}-close_on_stop",
                )
            )
        for thread in threads:
            if coord:
                coord.register_thread(thread)
            if daemon:
                thread.daemon = True
            if start:
                thread.start()
        return threads

    def to_proto(self, export_scope: str | None = None) -> Any:
        """A QueueRunnerDef; None if the queue is not in `export_scope`."""
        if export_scope is not None and not self.queue.name.startswith(export_scope):
            return None

        def strip(thing: Any) -> str:
            return ops.strip_name_scope(thing.name, export_scope)

        return own_protos.message("QueueRunnerDef")(
            queue_name=strip(self.queue),
            enqueue_op_name=[strip(operation) for operation in self.enqueue_ops],
            close_op_name=strip(self.close_op),
            cancel_op_name=strip(self.cancel_op),
            queue_closed_exception_types=[
                errors.error_code_from_exception_type(t) for t in self._queue_closed_exception_types
            ],
        )

    @staticmethod
    def from_proto(queue_runner_def: Any, import_scope: str | None = None) -> QueueRunner:
        """The queue runner of a QueueRunnerDef."""
        return QueueRunner(queue_runner_def=queue_runner_def, import_scope=import_scope)


@tf_export("train.queue_runner.add_queue_runner", "train.add_queue_runner")
@deprecated(None, _INSTEAD, module="tensorflow.python.training.queue_runner_impl")
def add_queue_runner(qr: QueueRunner, collection: str = "queue_runners") -> None:
    """Adds a queue runner to those that `tf.train.start_queue_runners` starts.

    Args:
      qr: a `QueueRunner`.
      collection: the collection.
    """
    ops.add_to_collection(collection, qr)


@tf_export("train.queue_runner.start_queue_runners", "train.start_queue_runners")
@deprecated(None, _INSTEAD, module="tensorflow.python.training.queue_runner_impl")
def start_queue_runners(
    sess: Any = None,
    coord: Any = None,
    daemon: bool = True,
    start: bool = True,
    collection: str = "queue_runners",
) -> list[threading.Thread]:
    """Starts the threads of all queue runners.

    Args:
      sess: the session; None for the default one.
      coord: a `Coordinator`, or None.
      daemon: whether the program may end without the threads.
      start: whether to start them.
      collection: of the queue runners.

    Returns:
      The threads.

    Raises:
      ValueError: there is no session.
      TypeError: `sess` is none.
      RuntimeError: eager execution is on.
    """
    if context.executing_eagerly():
        raise RuntimeError("Queues are not compatible with eager execution.")
    if sess is None:
        sess = ops.get_default_session()
        if not sess:
            raise ValueError(
                "Cannot start queue runners: No default session is registered. Use `with "
                "sess.as_default()` or pass an explicit session to "
                "tf.start_queue_runners(sess=sess)"
            )
    if not hasattr(sess, "make_callable"):
        if type(sess).__name__ in ("MonitoredSession", "SingularMonitoredSession"):
            return []
        raise TypeError(f"sess must be a `tf.Session` object. Given class: {type(sess)}")
    runners = ops.get_collection(collection)
    if not runners:
        tf_logging.warning(
            "`tf.train.start_queue_runners()` was called when no queue runners were defined. You "
            "can safely remove the call to this deprecated function."
        )
    with sess.graph.as_default():
        return [
            thread
            for runner in runners
            for thread in runner.create_threads(sess, coord=coord, daemon=daemon, start=start)
        ]


ops.register_proto_function(
    _QUEUE_RUNNERS,
    proto_type=lambda: own_protos.message("QueueRunnerDef")(),
    to_proto=QueueRunner.to_proto,
    from_proto=QueueRunner.from_proto,
)
