"""Where chains of operations end that hand on one of their inputs."""

from __future__ import annotations

import weakref
from collections.abc import Callable

from tf1compat.core.tensor import Tensor


class Chains:
    """The ends of such chains. However long they are and however often asked for, each link is
    walked once.

    Args:
      follow: gives what a tensor is handed on from; None if it ends its chain.
    """

    def __init__(self, follow: Callable[[Tensor], Tensor | None]):
        self._follow = follow
        # By tensor: how often its graph was changed until then, and the end, which it keeps alive.
        self._ends: weakref.WeakKeyDictionary[Tensor, tuple[int, weakref.ref[Tensor]]] = (
            weakref.WeakKeyDictionary()
        )

    def end(self, tensor: Tensor) -> Tensor:
        """The first tensor of the chain that leads to `tensor`; itself if it is no part of one."""
        changes = tensor._op._graph._mutations
        passed: list[Tensor] = []
        while (before := self._follow(tensor)) is not None:
            known = self._ends.get(tensor)
            if known is not None and known[0] == changes and (end := known[1]()) is not None:
                tensor = end
                break
            passed.append(tensor)
            tensor = before
        if len(passed) > 1:  # One link is as quick to walk as to look up.
            found = changes, weakref.ref(tensor)
            for link in passed:
                self._ends[link] = found
        return tensor
