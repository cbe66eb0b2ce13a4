"""Profiles of what the runtime does; it says how they are taken."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

# Installed by the runtime: begins a profile (RuntimeError: one is being taken), and ends it: what
# JAX wrote, and the planes of lines of events in it.
start: Callable[[], None]
stop: Callable[[], tuple[bytes, list[Any]]]
# Starts a server that takes profiles, at a port.
serve: Callable[[int], Any]
