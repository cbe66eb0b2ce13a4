"""The graph that a script trains: what it asks its sessions for most often."""

from __future__ import annotations

import collections
import re
from typing import Any

import numpy as np

from tf1compat.core import dtypes
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.migrate.source_needs import variable_of
from tf1compat.migrate.source_training import is_training
from tf1compat.runtime import fetches as fetches_lib

# How many of the fed batches are kept for the test.
_BATCHES = 2


class Seen:
    """One kind of `Session.run`: what is fetched and what is fed.

    Attributes:
      outputs, inputs: tensors by name.
      train: the training operation that it runs; None if there is none.
      batches: the first values of the inputs.
      session: has the variables, also when the script has closed its session.
    """

    def __init__(self, session: Any, elements: list[Any], feeds: list[Tensor]):
        tensors = [item for item in elements if isinstance(item, Tensor)]
        wanted = [
            t for t in tensors if t._dtype.base_dtype is not dtypes.string and not variable_of(t)
        ]
        training = [item for item in elements if isinstance(item, Operation) and is_training(item)]
        self.train = training[0] if training else None
        self.outputs = _by_name(wanted)
        self.inputs = _by_name(feeds)
        self.batches: list[list[Any]] = []
        self.session = session
        self.runs = 0


def _by_name(tensors: list[Tensor]) -> dict[str, Tensor]:
    found: dict[str, Tensor] = {}
    for tensor in tensors:
        name = base = re.sub(r"\W", "_", tensor._op.name)
        while name in found and found[name] is not tensor:
            name = f"{base}_{len(found)}"
        found[name] = tensor
    return found


class Watch:
    """Counts what the sessions of a class are asked for, from `begin` to `end`."""

    def __init__(self, session_class: Any):
        self._class = session_class
        self._run, self._close = session_class.run, session_class.close
        self._seen: dict[Any, Seen] = {}

    def begin(self) -> None:
        """Begins to watch."""

        def run(
            session: Any, fetches: Any, feed_dict: Any = None, *args: Any, **kwargs: Any
        ) -> Any:
            self._note(session, fetches, feed_dict or {})
            return self._run(session, fetches, feed_dict, *args, **kwargs)

        def close(session: Any) -> None:
            kept = _Kept(session)
            for seen in self._seen.values():
                if seen.session is session:
                    seen.session = kept
            self._close(session)

        self._class.run, self._class.close = run, close

    def end(self) -> None:
        """Ends it."""
        self._class.run, self._class.close = self._run, self._close

    def most_often(self) -> Seen | None:
        """What was asked for most often: a training operation before all else."""
        seen = [s for s in self._seen.values() if s.outputs or s.train is not None]
        return max(seen, key=lambda s: (s.train is not None, s.runs), default=None)

    def _note(self, session: Any, fetches: Any, feed_dict: Any) -> None:
        graph = session.graph
        try:
            elements = fetches_lib.fetch_of(graph, fetches).elements
            feeds = {
                graph.as_graph_element(k, allow_operation=False): v for k, v in feed_dict.items()
            }
        except (TypeError, ValueError, KeyError, AttributeError):
            return  # The session says what is wrong with it.
        key = (graph, tuple(elements), tuple(feeds))
        seen = self._seen.get(key)
        if seen is None:
            seen = self._seen[key] = Seen(session, list(elements), list(feeds))
        seen.session = session
        seen.runs += 1
        if len(seen.batches) < _BATCHES:
            seen.batches.append([np.array(value) for value in feeds.values()])


class _Kept:
    """What a session knew when it was closed."""

    def __init__(self, session: Any):
        self.graph = session.graph
        kept: dict[Any, Any] = collections.OrderedDict()
        for key, value in dict(session._variables).items():
            kept[key] = (
                np.array(value)
                if isinstance(value, np.ndarray) or hasattr(value, "dtype")
                else value
            )
        self._variables = kept
