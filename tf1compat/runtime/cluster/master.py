"""A session's tasks, and its runs: each part is run by its task, and what it gives is handed on."""

from __future__ import annotations

import contextlib
import functools
import secrets
import threading
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from typing import Any

import numpy as np

from tf1compat.core import errors, local_targets, waiting
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.runtime.cluster import parts as parts_lib
from tf1compat.runtime.cluster import peers as peers_lib
from tf1compat.runtime.cluster import worker as worker_lib
from tf1compat.runtime.cluster.channel import Call, channel
from tf1compat.runtime.cluster.collect import Link
from tf1compat.runtime.cluster.collective_runs import Exchange
from tf1compat.runtime.cluster.parts import Part
from tf1compat.runtime.cluster.peers import Peer, Runner
from tf1compat.runtime.cluster.tasks import COLLECTIVES, Places, seen_through, tasks_of
from tf1compat.runtime.cluster.threads import Threads
from tf1compat.runtime.devices import described_device

TIMEOUT = "Operation timed out."

_PATIENCE = 0.05
# The task of a session that has one.
_ALONE = ""

_threads = Threads("tf1compat cluster")


class Master:
    """The tasks that a session works on.

    Args:
      session: the session.
      server: the server of its target, if that is in this process.
      address: of the target, if it is not.
      config: the session's `ConfigProto`, or None.
    """

    def __init__(self, session: Any, server: Any, address: str, config: Any):
        self._session = session
        self._server = server
        self._address = address
        self._config = config
        self._handle = secrets.token_hex(8)
        self._lock = threading.Lock()
        self._peers: dict[str, Peer] | None = None
        self._devices: list[Any] = []

    @functools.cached_property
    def _target(self) -> tuple[str, Any, Any]:
        """The target's task, its cluster and its `ConfigProto`.

        Raises:
          InvalidArgumentError: the session has a cluster of its own, without its target.
        """
        if self._server is not None:
            found = self._server.task, self._server.cluster, self._server.config
        else:
            found = peers_lib.cluster_at(self._address)
        cluster = given_cluster(self._config)
        if cluster is None:
            return found
        for task, address in tasks_of(cluster).items():
            if address == self._address:
                return task, cluster, found[2]
        raise errors.InvalidArgumentError(
            None,
            None,
            f"The master (current machine) is not included in the provided cluster_def. {cluster}",
        )

    @property
    def task(self) -> str:
        """The task of the session's target."""
        return self._target[0]

    @property
    def target_config(self) -> Any:
        """The `ConfigProto` of the target's server."""
        return self._target[2]

    @property
    def devices(self) -> list[Any]:
        """The devices of all tasks."""
        self.open()
        return self._devices

    def open(self) -> dict[str, Peer]:
        """Begins the session in all tasks; waits for those that are not up yet."""
        if self._peers is not None:
            return self._peers
        task, cluster, defaults = self._target
        isolated, filters = is_isolated(self._config), list(defaults.device_filters)
        if self._config is not None:
            filters += self._config.device_filters
        addresses = tasks_of(cluster)
        if self._server is None:
            addresses[task] = self._address
        seen = seen_through(filters, addresses, task)
        peers = {
            name: self._peer(name, addresses[name], isolated)
            for name in sorted(seen, key=lambda name: (name != task, name))
        }
        with self._lock:
            if self._peers is None:
                self._devices = [
                    _as_of(task, device) for task, peer in peers.items() for device in peer.open()
                ]
                self._peers = peers
        return self._peers

    def _peer(self, task: str, address: str, isolated: bool) -> Peer:
        if self._server is not None and task == self.task:
            return peers_lib.Own(self._session)
        server = local_targets.find(f"grpc://{address}".encode())
        if server is not None and (server.task == task or given_cluster(self._config) is not None):
            return peers_lib.Local(worker_lib.of(server), self._handle, isolated)
        return peers_lib.Remote(task, address, self._handle, isolated)

    def close(self) -> None:
        """Ends the session in all tasks."""
        if "link" in vars(self):
            self.link.close()
        for peer in (self._peers or {}).values():
            with contextlib.suppress(Exception):
                peer.close()

    def program(
        self,
        fetches: Sequence[Tensor],
        targets: Sequence[Operation],
        feeds: Sequence[Tensor],
        done: Collection[Operation] = (),
    ) -> ClusterProgram:
        """The program of a run; see `Program`."""
        peers = self.open()
        places = Places(self.task, peers)
        parts = parts_lib.cut(fetches, targets, feeds, places, done)
        own = self.task if self._server is not None else None
        return ClusterProgram(own, peers | self._exchange, parts, fetches, feeds, done)

    @functools.cached_property
    def _exchange(self) -> dict[str, Peer]:
        return {COLLECTIVES: Exchange(self._session)}

    @functools.cached_property
    def link(self) -> Link:
        """The way to where members of collectives meet: the task that the session names as their
        leader, else the first one."""
        task, cluster, _ = self._target
        addresses = tasks_of(cluster)
        leader = getattr(self._config, "experimental", None)
        leader = leader.collective_group_leader if leader is not None else ""
        if leader not in addresses:
            leader = min(addresses)
        server = self._server
        local = local_targets.find(f"grpc://{addresses[leader]}".encode())
        if server is None or server.task != leader:
            server = local if local is not None and local.task == leader else None
        hub = None if server is None else worker_lib.of(server).hub
        return Link(task, [], hub, addresses[leader])


def program_of_collectives(
    session: Any,
    fetches: Sequence[Tensor],
    targets: Sequence[Operation],
    feeds: Sequence[Tensor],
) -> ClusterProgram:
    """The program of a run of a session that has one task, with collectives in it."""
    peers: dict[str, Peer] = {_ALONE: peers_lib.Own(session), COLLECTIVES: Exchange(session)}
    parts = parts_lib.cut(fetches, targets, feeds, Places(_ALONE, [_ALONE]))
    return ClusterProgram(_ALONE, peers, parts, fetches, feeds)


class ClusterProgram:
    """A run that several tasks do; used as a `Program` is.

    Args:
      own: the task that the session itself is in, if it is in one.
      peers: all its tasks, by name.
      parts: what each of them does.
      fetches, feeds: of the run.
      done: operations that ran before and must not run again.
    """

    def __init__(
        self,
        own: str | None,
        peers: dict[str, Peer],
        parts: Sequence[Part],
        fetches: Sequence[Tensor],
        feeds: Sequence[Tensor],
        done: Collection[Operation] = (),
    ):
        self._own = own
        self._done = done
        self._parts = [part for part in parts if not part.is_idle]
        self._before = {part: _working(part.after) for part in self._parts}
        pairs = zip(self._parts, self._parts[1:], strict=False)
        self._is_chain = all(first in self._before[second] for first, second in pairs)
        self._fetches = fetches
        self._feeds = feeds
        self._peers = peers
        self.ops = list(dict.fromkeys(op for part in parts for op in part.ops))
        self._runners: dict[Part, Runner] | None = None
        self._lock = threading.Lock()

    def release(self) -> None:
        """See `Program.release`."""
        self._runners = None

    def _prepared(self) -> dict[Part, Runner]:
        with self._lock:
            if self._runners is None:
                runners = {}
                for part in self._parts:
                    others = {op for op in self.ops if op not in part.ops}
                    with _said_by(part.task):
                        runners[part] = self._peers[part.task].prepared(
                            part, others.union(self._done)
                        )
                self._runners = runners
            return self._runners

    def run(
        self, base: Any, feeds: Sequence[Any], lock: Any, session: Any = None, trace: Any = None
    ) -> list[Any]:
        """Runs the parts, and returns the fetched values; see `Program.run`.

        Raises:
          OpError: a part failed. What others wrote before stays, as in TF.
        """
        runners = self._runners or self._prepared()
        values = dict(zip(self._feeds, feeds, strict=True))
        try:
            if self._is_chain:
                for part in self._parts:
                    call = _call(trace, is_alone=True)
                    self._take(values, part, self._run_part(part, runners[part], values, call))
            else:
                _Running(self, runners, values, session, trace).finish()
        except errors.DeadlineExceededError as error:
            if error.op is None:
                raise errors.DeadlineExceededError(None, None, TIMEOUT) from None
            raise
        return [_writeable(values[tensor]) for tensor in self._fetches]

    def _run_part(
        self, part: Part, runner: Runner, values: dict[Tensor, Any], call: Call
    ) -> list[Any]:
        given = [values[tensor] for tensor in part.given]
        with _said_by(part.task):
            if call.trace is None or part.task == self._own:  # Its program notes more than this.
                return runner(given, call)
            task = self._own if part.task == COLLECTIVES else part.task
            with call.trace.timed([*part.ops], task=task):
                return runner(given, call)

    @staticmethod
    def _take(values: dict[Tensor, Any], part: Part, results: Sequence[Any]) -> None:
        values.update(zip(part.results, results, strict=True))


class _Running:
    """One run in which parts run at the same time.

    This thread runs those of the session's own task.
    """

    def __init__(
        self,
        program: ClusterProgram,
        runners: dict[Part, Runner],
        values: dict[Tensor, Any],
        session: Any,
        trace: Any,
    ):
        self._trace = trace
        self._program = program
        self._runners = runners
        self._values = values
        self._session = session
        self._waiting = dict.fromkeys(program._parts)
        self._done: set[Part] = set()
        self._calls: dict[Future[Any], tuple[Part, Call]] = {}

    def finish(self) -> None:
        """Runs all parts; where one fails the others are cancelled."""
        try:
            while self._waiting or self._calls:
                self._turn()
        except BaseException:
            for _, call in self._calls.values():
                call.cancel()
            wait(self._calls)
            raise

    def _turn(self) -> None:
        """Begins what can be begun, and takes what one part gives."""
        program = self._program
        ready = [part for part in self._waiting if self._done.issuperset(program._before[part])]
        here = next((part for part in ready if part.task == program._own), None)
        for part in ready:
            if part.task != program._own:
                call = _call(self._trace)
                future = _threads.submit(
                    program._run_part, part, self._runners[part], dict(self._values), call
                )
                self._calls[future] = part, call
                del self._waiting[part]
        if here is not None:
            del self._waiting[here]
            self._end(
                here, program._run_part(here, self._runners[here], self._values, _call(self._trace))
            )
            return
        ended, _ = wait(self._calls, min(_PATIENCE, waiting.left()), FIRST_COMPLETED)
        if getattr(self._session, "_closed", False):
            raise errors.CancelledError(None, None, "Session was closed.")
        for future in ended:
            part, _ = self._calls.pop(future)
            self._end(part, future.result())

    def _end(self, part: Part, results: Sequence[Any]) -> None:
        self._program._take(self._values, part, results)
        self._done.add(part)


def _as_of(task: str, device: Any) -> Any:
    """A device, by the name that the session's cluster gives to its task."""
    name = task + device.name[device.name.index("/device:") :]
    return described_device(name, device.device_type, device.memory_limit_bytes, device.incarnation)


def _call(trace: Any, is_alone: bool = False) -> Call:
    left = waiting.left()
    return Call(None if left == float("inf") else left, is_alone, trace)


def _working(parts: Collection[Part]) -> set[Part]:
    """The parts that have to come before, directly or behind idle ones."""
    found: set[Part] = set()
    stack = list(parts)
    while stack:
        part = stack.pop()
        if part.is_idle:
            stack.extend(part.after)
        else:
            found.add(part)
    return found


def _writeable(value: Any) -> Any:
    if isinstance(value, np.ndarray) and not value.flags.writeable:
        return np.array(value)
    return value


@contextlib.contextmanager
def _said_by(task: str) -> Iterator[None]:
    """Errors of operations say which task they come from, as TF's master hands them on."""
    try:
        yield
    except errors.OpError as error:
        if error.op is None or task in (_ALONE, COLLECTIVES):
            raise
        text = f"From {task}:\n{error.message}"
        code = error.error_code or errors.UNKNOWN
        raise errors.make_exception(error.node_def, error.op, text, code) from None


def reset(server: Any, address: str, containers: Collection[str]) -> None:
    """Drops what is in containers of a whole cluster, and ends the sessions there.

    Args:
      server: that of the target, if it is in this process.
      address: of the target.
      containers: their names; none means the default one.
    """
    if server is None:
        task, cluster, _ = peers_lib.cluster_at(address)
        addresses = tasks_of(cluster) | {task: address}
    else:
        addresses = tasks_of(server.cluster)
    for task, each in addresses.items():
        local = local_targets.find(f"grpc://{each}".encode())
        if server is not None and task == server.task:
            local = server
        if local is not None and local.task == task:
            worker_lib.of(local).reset(containers)
        else:
            header = {"containers": list(containers)}
            channel(each).wait_for("Reset", header, task)


def given_cluster(config: Any) -> Any:
    """The `ClusterDef` that a session has for itself, or None."""
    return config.cluster_def if config is not None and config.cluster_def.job else None


def is_isolated(config: Any) -> bool:
    """Whether a session has variables of its own; so has one with a cluster of its own."""
    return config is not None and (
        config.isolate_session_state or given_cluster(config) is not None
    )


def is_of_tasks(cluster: Any) -> bool:
    """Whether a cluster has several tasks."""
    return cluster is not None and len(tasks_of(cluster)) > 1
