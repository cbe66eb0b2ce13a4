"""Collectives of runs: what of a run is a collective, and with whom its members meet.

All collectives of a run that need equally many others before them are one set: they are exchanged
at once, by name, so that processes that reach them in another order get the same.
"""

from __future__ import annotations

import atexit
import contextlib
import threading
from collections.abc import Collection, Iterator, Sequence
from typing import Any

import numpy as np

from tf1compat.core import collectives, dtypes, errors
from tf1compat.core.collectives import Member, World
from tf1compat.core.operation import Operation
from tf1compat.runtime.cluster import collect
from tf1compat.runtime.cluster.channel import Call
from tf1compat.runtime.cluster.collect import Link
from tf1compat.runtime.cluster.endpoint import Endpoint
from tf1compat.runtime.cluster.hub import Hub, Offer, put_together
from tf1compat.runtime.cluster.parts import Part
from tf1compat.runtime.cluster.peers import Runner
from tf1compat.runtime.cluster.tasks import member
from tf1compat.runtime.devices import LOCALHOST

_WORLD = "the world"
# How long the first process of a world waits at its end until the others have what they are sent,
# in seconds.
_LEAVING = 5.0


class Exchange:
    """What runs the sets of collectives of a session; a `Peer`.

    Args:
      session: the session.
    """

    def __init__(self, session: Any):
        self._session = session

    def open(self) -> list[Any]:
        return []

    def close(self) -> None:
        pass

    def prepared(self, part: Part, done: Collection[Operation]) -> Runner:
        ops = list(part.ops)
        members = [member(op) for op in ops]
        places = {tensor: index for index, tensor in enumerate(part.given)}
        inputs = [places[op._inputs[0]] if op._inputs else None for op in ops]
        outputs = [ops.index(tensor._op) for tensor in part.results]

        def run(values: Sequence[Any], call: Call) -> list[Any]:
            given = [None if place is None else np.asarray(values[place]) for place in inputs]
            with _said_by(ops):
                found = exchange(self._session, members, given)
            return [found[place] for place in outputs]

        return run


@contextlib.contextmanager
def _said_by(ops: Sequence[Operation]) -> Iterator[None]:
    """Errors of a set are those of its first operation, or of the one that they name."""
    try:
        yield
    except errors.OpError as error:
        if error.op is not None:
            raise
        names = {member(op).name: op for op in reversed(ops)}  # pyright: ignore
        op = next((op for name, op in names.items() if f"'{name}'" in error.message), ops[0])
        text = op._graph.error_text(op, error.message)
        code = error.error_code or errors.UNKNOWN
        raise errors.make_exception(op.node_def, op, text, code) from None


def exchange(session: Any, members: Sequence[Any], values: Sequence[Any]) -> list[Any]:
    """See `core.collectives.exchange`."""
    groups: dict[tuple[str, str, int], list[int]] = {}
    for index, each in enumerate(members):
        groups.setdefault((each.scope, each.group, each.size), []).append(index)
    results: dict[int, Any] = {}
    for (scope, group, size), places in sorted(groups.items()):
        offers = [_offer(session, members[i], values[i]) for i in places]
        found = _collected(session, scope, group, size, offers)
        results |= {i: _copy(found[members[i].name]) for i in places}
    return [results[i] for i in range(len(members))]


def _copy(value: np.ndarray) -> np.ndarray:
    """What one gets is nobody else's."""
    return np.array(value)


def _offer(session: Any, each: Member, value: np.ndarray | None) -> Offer:
    who = each.who
    if each.scope != collectives.WORLD:
        task = getattr(session, "_task", LOCALHOST)
        who = each.who if each.who.startswith("/job") else task + each.who
    root = "" if each.root is None else f"from {each.root}"
    what = (each.kind, each.how, each.before, each.after, root, f"among {each.size}")
    if each.dtype is not None and each.shape is not None:
        if value is not None and value.shape != each.shape:
            raise errors.InvalidArgumentError(
                None,
                None,
                f"Collective '{each.name}' is declared for shape {list(each.shape)}, and was given "
                f"{list(value.shape)}",
            )
        return Offer(each.name, who, what, each.dtype, each.shape, value)
    assert value is not None
    dtype, shape = dtypes.as_dtype(value.dtype).name, value.shape
    if each.root is not None and who != f"rank {each.root}":
        value = None  # It only receives.
    return Offer(each.name, who, what, dtype, shape, value)


def _collected(
    session: Any, scope: str, group: str, size: int, offers: list[Offer]
) -> dict[str, np.ndarray]:
    by_name: dict[str, list[Offer]] = {}
    for offer in offers:
        by_name.setdefault(offer.name, []).append(offer)
    if all(len(found) == size for found in by_name.values()):
        return {name: put_together(found) for name, found in by_name.items()}
    if scope == collectives.WORLD:
        return _world().collect(group, size, offers, session)
    master = getattr(session, "_master", None)
    if scope == collectives.CLUSTER and master is not None:
        return master.link.collect(group, size, offers, session)
    name, found = next((n, f) for n, f in by_name.items() if len(f) != size)
    raise errors.InvalidArgumentError(
        None,
        None,
        f"Collective '{name}' is among {size} members, and {len(found)} of them are in this run: "
        "the others are not run, and the session is on no server of a cluster",
    )


class _Joined:
    """The link of this process to its world."""

    link: Link | None = None
    hub: Hub | None = None
    endpoint: Endpoint | None = None
    lock = threading.Lock()


_joined = _Joined()


def _world() -> Link:
    if _joined.link is None:
        raise errors.FailedPreconditionError(
            None, None, "Horovod has not been initialized; use hvd.init()."
        )
    return _joined.link


def enter(world: World) -> None:
    """Begins to take part in a world; waits until all of it is there.

    Raises:
      UnknownError: the first one's address is taken.
      NotImplementedError: the world is larger than this machine, and nothing is encrypted.
    """
    caller = f"rank {world.rank}"
    with _joined.lock:
        if world.rank == 0:
            _joined.hub = hub = Hub()
            _joined.endpoint = endpoint = Endpoint(
                collect.calls(hub), world.address, [world.address]
            )
            endpoint.start()
            _joined.link = Link(caller, [_WORLD], hub)
        else:
            _joined.link = Link(caller, [_WORLD], address=world.address)
        _joined.link.open()
    atexit.register(collectives.quit)
    what = (collectives.GATHER, "", 1.0, 1.0, "", f"among {world.size}")
    here = Offer("hvd.init", caller, what, "int32", (1,), np.array([world.rank], np.int32))
    _joined.link.collect(_WORLD, world.size, [here], None)


def leave() -> None:
    """Takes part in the world no more."""
    with _joined.lock:
        link, hub, endpoint = _joined.link, _joined.hub, _joined.endpoint
        _joined.link = _joined.hub = _joined.endpoint = None
    if link is not None:
        link.close()
    if hub is not None and endpoint is not None:
        hub.close()
        endpoint.stop(_LEAVING)


collectives.exchange = exchange
collectives.enter = enter
collectives.leave = leave
