"""Eager execution on other tasks: each operation is a part of its own (`parts.Part`), which is sent
to the task once, and run there on the values of its inputs."""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tf1compat.core import dtypes, errors
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.runtime.cluster.channel import Call
from tf1compat.runtime.cluster.parts import Part
from tf1compat.runtime.cluster.peers import Remote, Runner

_SEEDS = ("seed", "seed2")

# The tasks by name, and the session that eager execution has in each.
_tasks: dict[str, _Task] = {}


class _Task:
    """A task, as eager execution sees it.

    Args:
      name: of the task.
      address: "host:port".
    """

    def __init__(self, name: str, address: str):
        self._name, self._address = name, address
        self._peers: list[Remote] = []
        self._peer, found = self._opened()
        self.devices = {
            f"{name}{device.name[device.name.index('/device:') :]}": device.device_type
            for device in found
        }
        self._runners: dict[Any, Runner] = {}
        self._drawing: dict[Any, Remote] = {}

    def _opened(self) -> tuple[Remote, list[Any]]:
        """A session there, and its devices."""
        peer = Remote(self._name, self._address, secrets.token_hex(8), isolated=False)
        devices = peer.open()
        self._peers.append(peer)
        return peer, devices

    def close(self) -> None:
        """Ends all sessions there."""
        while self._peers:
            with contextlib.suppress(errors.OpError):  # It may be away.
                self._peers.pop().close()

    def forget(self) -> None:
        """Makes random operations begin anew."""
        drawing, self._drawing = self._drawing, {}
        for key, peer in drawing.items():
            del self._runners[key]
            self._peers.remove(peer)
            with contextlib.suppress(errors.OpError):
                peer.close()

    def run(
        self, op: Operation, given: Sequence[Tensor], values: Sequence[Any], attrs: dict[str, Any]
    ) -> list[Any]:
        """See `run`."""
        seeds = {seed: attrs[seed] for seed in _SEEDS if seed in attrs}
        key = op, *seeds.values()
        runner = self._runners.get(key)
        if runner is None:
            peer = self._peer
            if op._spec.random or op._spec.calls is not None:
                # In a session generators go by the names of operations, which are all alike here.
                peer, _ = self._opened()
                self._drawing[key] = peer
            part = Part("", 0, {op: None}, dict.fromkeys(given), dict.fromkeys(op._outputs))
            before = {seed: op._attrs[seed] for seed in seeds}
            op._attrs.update(seeds)  # One kernel serves operations of all seeds.
            try:
                runner = self._runners[key] = peer.prepared(part, ())
            finally:
                op._attrs.update(before)
        arrays = [np.asarray(value) for value in values]
        return runner(arrays, Call(None, is_alone=True))


def connect(addresses: Mapping[str, str]) -> None:
    """Begins a session in each of some tasks, as soon as it is up; ends those of the tasks before.

    Args:
      addresses: of the tasks, by name.
    """
    found = {name: _Task(name, address) for name, address in addresses.items()}
    before = list(_tasks.values())
    _tasks.clear()
    _tasks.update(found)
    for task in before:
        task.close()


def forget_generators() -> None:
    """Makes random operations in all tasks begin anew."""
    for task in _tasks.values():
        task.forget()


def devices() -> dict[str, str]:
    """The devices of the tasks: name -> type."""
    return {name: kind for task in _tasks.values() for name, kind in task.devices.items()}


def run(
    device: str,
    op: Operation,
    given: Sequence[Tensor],
    values: Sequence[Any],
    attrs: dict[str, Any],
) -> list[Any]:
    """Runs an operation on a device of another task.

    Args:
      device: its name.
      op: the operation.
      given: its inputs, as they stand in its graph.
      values: theirs.
      attrs: its attrs, seeds among them.

    Returns:
      The values of its outputs.

    Raises:
      NotImplementedError: it has to do with what lives in this process.
      OpError: it failed, or the task is away.
    """
    lives_here = len(given) != len(op._inputs) or op._spec.source
    if lives_here or any(
        tensor._dtype in (dtypes.resource, dtypes.variant) for tensor in op._outputs
    ):
        raise NotImplementedError(
            f"Op type {op.type} on '{device}' is not supported by tf1compat: in eager execution "
            "other tasks compute with tensors; variables, datasets, tables and the like are in "
            "this process"
        )
    return _tasks[device.partition("/device:")[0]].run(op, given, values, attrs)
