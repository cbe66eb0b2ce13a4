"""Targets of sessions that are this process: those of the servers started in it."""

from __future__ import annotations

_targets: set[bytes] = set()


def add(target: bytes) -> None:
    """Lets sessions on `target` run here."""
    _targets.add(target)


def has(target: bytes) -> bool:
    """Whether sessions on `target` run here."""
    return target in _targets
