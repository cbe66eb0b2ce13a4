"""Collectives among processes: messages to the one where they meet, and the way to it."""

from __future__ import annotations

import dataclasses
import itertools
import math
import secrets
import threading
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from tf1compat.core import dtypes, errors, waiting
from tf1compat.core.collectives import GATHER
from tf1compat.runtime.cluster import channel as channels
from tf1compat.runtime.cluster import wire
from tf1compat.runtime.cluster.endpoint import Answer
from tf1compat.runtime.cluster.hub import Hub, Offer
from tf1compat.runtime.cluster.worker_step import Step

# As many bytes are sent at once: much larger messages take gRPC more than in proportion.
_LARGEST = 1 << 22


def calls(hub: Hub) -> dict[str, Answer]:
    """What an endpoint answers so that members of collectives meet there."""

    def collect(header: dict[str, Any], arrays: list[Any], context: Any) -> bytes:
        caller, group, size, offers = _collect_of(header, arrays)
        step = Step()
        step.end_with(context)
        results = hub.meet(caller, group, size, offers, step)
        return wire.pack({}, [results[name] for name in sorted(results)])

    def stay(header: dict[str, Any], arrays: list[Any], context: Any) -> bytes:
        try:
            caller, incarnation = str(header["caller"]), str(header["incarnation"])
            groups = [str(group) for group in header["groups"]]
        except (KeyError, TypeError) as error:
            raise _malformed(error) from None
        over = threading.Event()
        if context.add_callback(over.set):
            hub.come(caller, incarnation, groups, over.set)
            over.wait()
            hub.go(caller, incarnation)
        return wire.pack({})

    def greet(header: dict[str, Any], arrays: list[Any], context: Any) -> bytes:
        return wire.pack({})

    return {"Collect": collect, "Stay": stay, "Greet": greet}


def _malformed(error: Exception) -> errors.OpError:
    return errors.InvalidArgumentError(None, None, f"Malformed message: {error!r}")


def _collect_of(
    header: dict[str, Any], arrays: Sequence[np.ndarray]
) -> tuple[str, str, int, list[Offer]]:
    """The process, the group, its size, and what the process brings."""
    try:
        given = iter(arrays)
        offers = []
        for name, who, what, dtype, shape, is_given in header["offers"]:
            value = next(given) if is_given else None
            offer = Offer(str(name), str(who), tuple(what), str(dtype), tuple(shape), value)
            is_of_value = value is None or (offer.shape, offer.dtype) == (
                value.shape,
                dtypes.as_dtype(value.dtype).name,
            )
            if not is_of_value:
                raise ValueError("a value is not what it is said to be")
            hash(offer.compared)
            offers.append(offer)
        if not offers:
            raise ValueError("there is nothing to collect")
        return str(header["caller"]), str(header["group"]), int(header["size"]), offers
    except (KeyError, TypeError, ValueError, StopIteration) as error:
        raise _malformed(error) from None


def _turns(offers: Sequence[Offer]) -> Iterator[list[Offer]]:
    """Some offers in the order of their names, large ones in pieces, so many at a time as are sent
    at once; those of one name together."""
    by_name: dict[str, list[Offer]] = {}
    for offer in sorted(offers, key=lambda offer: offer.name):
        for piece in _pieces(offer):
            by_name.setdefault(piece.name, []).append(piece)
    turn: list[Offer] = []
    for pieces in by_name.values():
        if turn and sum(map(_size, turn)) + sum(map(_size, pieces)) > _LARGEST:
            yield turn
            turn = []
        turn.extend(pieces)
    yield turn


def _size(offer: Offer) -> int:
    """How many bytes the value has."""
    return math.prod(offer.shape) * np.dtype(dtypes.as_dtype(offer.dtype).as_numpy_dtype).itemsize


def _pieces(offer: Offer) -> Iterator[Offer]:
    """An offer in pieces that may be reduced or sent one by one: what is joined has one."""
    count = -(-_size(offer) // _LARGEST)
    if count < 2 or offer.kind == GATHER:
        yield offer
        return
    what = (*offer.what, f"in pieces of {list(offer.shape)}")
    flat = None if offer.value is None else offer.value.reshape(-1)
    edges = [math.prod(offer.shape) * number // count for number in range(count + 1)]
    for begin, end in itertools.pairwise(edges):
        value = None if flat is None else flat[begin:end]
        name = f"{offer.name}' from '{begin}" if begin else offer.name
        yield dataclasses.replace(offer, name=name, what=what, shape=(end - begin,), value=value)


class Link:
    """A process's way to where the members of its groups meet.

    Args:
      caller: the process.
      groups: those that it belongs to from the beginning.
      hub: where they meet, if that is in this process.
      address: of it, if it is not.
    """

    def __init__(
        self, caller: str, groups: Sequence[str], hub: Hub | None = None, address: str = ""
    ):
        self._caller = caller
        self._groups = list(groups)
        self._hub = hub
        self._address = address
        self._incarnation = secrets.token_hex(8)
        self._stays: Any = None
        self._lock = threading.Lock()
        if hub is not None:
            hub.come(caller, self._incarnation, self._groups, lambda: None)

    def open(self) -> None:
        """Waits until the other side is up, and stays with it."""
        if self._hub is None:
            channel = channels.channel(self._address)
            channel.wait_for("Greet", {}, self._address, "Still waiting for the process at ")
            with self._lock:
                if self._stays is None:
                    header = {"caller": self._caller, "groups": self._groups}
                    header["incarnation"] = self._incarnation
                    self._stays = channel.begin("Stay", header)

    def close(self) -> None:
        """Goes away."""
        if self._hub is not None:
            self._hub.go(self._caller, self._incarnation)
        elif self._stays is not None:
            self._stays.cancel()

    def collect(
        self, group: str, size: int, offers: Sequence[Offer], session: Any
    ) -> dict[str, np.ndarray]:
        """See `Hub.meet`.

        Raises:
          UnavailableError: where they meet, there is nobody any more.
        """
        pieces: dict[str, np.ndarray] = {}
        for turn in _turns(offers):
            pieces |= self._collected(group, size, turn, session)
        found = {}
        for offer in offers:
            names = [piece.name for piece in _pieces(offer)]
            if len(names) == 1:
                found[offer.name] = pieces[offer.name]
            elif offer.name not in found:
                whole = np.concatenate([pieces[name] for name in names])
                found[offer.name] = whole.reshape(offer.shape)
        return found

    def _collected(
        self, group: str, size: int, offers: Sequence[Offer], session: Any
    ) -> dict[str, np.ndarray]:
        if self._hub is not None:
            return self._hub.meet(self._caller, group, size, offers, session)
        if self._stays is None:
            self.open()
        if self._stays is not None and self._stays.done():
            text = (
                f"The process at {self._address}, where members of collectives meet, has gone away"
            )
            raise errors.UnavailableError(None, None, text)
        header = {
            "caller": self._caller,
            "group": group,
            "size": size,
            "offers": [
                [o.name, o.who, list(o.what), o.dtype, list(o.shape), o.value is not None]
                for o in offers
            ],
        }
        arrays = [offer.value for offer in offers if offer.value is not None]
        left = waiting.left()
        call = channels.Call(None if left == float("inf") else left, is_alone=True)
        found = channels.channel(self._address).call("Collect", header, arrays, call)
        names = sorted({offer.name for offer in offers})
        return dict(zip(names, found, strict=True))
