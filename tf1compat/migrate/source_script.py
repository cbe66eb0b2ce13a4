"""The graph that a script trains: what it asks its sessions for most often."""

from __future__ import annotations

import collections
import re
from typing import Any

import numpy as np

from tf1compat.core import dtypes
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.migrate.boundary import boundary
from tf1compat.migrate.source_needs import variable_of
from tf1compat.migrate.source_training import is_training
from tf1compat.runtime import fetches as fetches_lib
from tf1compat.runtime import plan as plan_lib

# How many of the fed batches are kept for the test.
_BATCHES = 2


class Seen:
    """One kind of `Session.run`: what is fetched and what is fed.

    Attributes:
      outputs, inputs: tensors by name. Inputs are what is fed, and what an input pipeline gives.
      train: the training operation that it runs; None if there is none.
      gives_numbers: whether there are floats among the outputs.
      batches: the first values of the inputs.
      session: has the variables, also when the script has closed its session.
    """

    def __init__(self, session: Any, elements: list[Any], feeds: list[Tensor]):
        tensors = [item for item in elements if isinstance(item, Tensor)]
        # A tensor may stand for a training operation: that of slim.learning.create_train_op.
        operations = [item for item in elements if isinstance(item, Operation)]
        candidates = dict.fromkeys([*operations, *(t._op for t in tensors)])
        self.train = next((op for op in candidates if is_training(op)), None)
        self.piped = self._from_pipeline(tensors)
        wanted = [t for t in tensors if not _is_text(t) and not variable_of(t)]
        self.outputs = _by_name([t for t in wanted if t not in self.piped])
        fed = [t for t in feeds if not self.piped or _is_used(t, [*elements], self.piped)]
        # Variables that are fed (by SciPy's optimizers) stay variables.
        fed = [t for t in fed if variable_of(t) is None]
        self.inputs = _by_name([*fed, *self.piped])
        self.gives_numbers = any(t.dtype.is_floating for t in self.outputs.values())
        self.fed = fed
        self.batches: list[list[Any]] = []
        self.session = session
        self.runs = 0

    def _from_pipeline(self, tensors: list[Tensor]) -> list[Tensor]:
        """What an input pipeline hands to what is fetched."""
        fetched = [t for t in tensors if not _is_text(t)]
        targets = [*fetched, self.train] if self.train is not None else fetched
        return boundary(targets) if targets else []


def _is_text(tensor: Tensor) -> bool:
    return tensor._dtype.base_dtype is dtypes.string


def _is_used(tensor: Tensor, elements: list[Any], given: list[Tensor]) -> bool:
    """Whether a fed tensor has a part in what is fetched besides what is given."""
    targets = [e for e in elements if not (isinstance(e, Tensor) and _is_text(e))]
    ops = plan_lib.prune(
        {e._op if isinstance(e, Tensor) else e for e in targets if e not in given},
        plan_lib.Feeds({tensor, *given}),
        expand=False,
    )
    return any(tensor in op._inputs for op in ops) or tensor in targets


def _by_name(tensors: list[Tensor]) -> dict[str, Tensor]:
    """Tensors by the last parts of their names, and the scopes that tell them apart."""
    tensors = list(dict.fromkeys(tensors))
    parts = {tensor: _parts(tensor) for tensor in tensors}
    found: dict[str, Tensor] = {}
    for tensor in tensors:
        name = base = re.sub(r"\W", "_", "_".join(_telling(tensor, parts)))
        number = 0
        while name in found:
            number += 1
            name = f"{base}_{number}"
        found[name] = tensor
    return found


def _telling(tensor: Tensor, parts: dict[Tensor, list[str]]) -> list[str]:
    """The last part of a name, and as few scopes as tell it from the others."""
    *scopes, last = parts[tensor]
    alike = [other for other in parts if parts[other][-1] == last and other._op is not tensor._op]
    within = {scope: [t for t in alike if scope in parts[t][:-1]] for scope in scopes}
    if not alike:
        return [last]
    alone = [scope for scope in scopes if not within[scope]]
    if alone:
        return [alone[-1], last]
    told: list[str] = []
    for scope in reversed(scopes):
        left = [t for t in alike if t in within[scope]]
        if len(left) < len(alike):
            told.insert(0, scope)
            alike = left
    return [*(scopes if alike else told), last]


def _parts(tensor: Tensor) -> list[str]:
    """The scopes and the name of a tensor, without what a loop is made of and what is a state."""
    *scopes, name = tensor._op.name.split("/")
    scopes = [scope for scope in scopes if not re.fullmatch(r"while(_\d+)?", scope)]
    if tensor._op._spec.loop == "exit":
        name = "last"
    elif any("ZeroState" in scope for scope in scopes):
        name = "state"
        scopes = [scope for scope in scopes if "ZeroState" not in scope]
    elif len(outputs := tensor._op.op_def.output_arg) == len(tensor._op._outputs) > 1:
        name = outputs[tensor.value_index].name
    return [*scopes, name]


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
            seen = self._note(session, fetches, feed_dict or {})
            if seen is None or not seen.piped:
                return self._run(session, fetches, feed_dict, *args, **kwargs)
            results, given = self._run(session, [fetches, seen.piped], feed_dict, *args, **kwargs)
            seen.batches[-1:] = [[*seen.batches[-1], *given]]
            return results

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
        """What was asked for most often: a training operation before all else, then what gives
        numbers: of an Estimator that is its model, not whether variables are initialized."""
        seen = [s for s in self._seen.values() if s.outputs or s.train is not None]
        return max(seen, key=lambda s: (s.train is not None, s.gives_numbers, s.runs), default=None)

    def _note(self, session: Any, fetches: Any, feed_dict: Any) -> Seen | None:
        """The kind of a run, with the values that it is fed."""
        graph = session.graph
        try:
            elements = fetches_lib.fetch_of(graph, fetches).elements
            feeds = dict(fetches_lib.feed_items(graph, feed_dict))
        except (TypeError, ValueError, KeyError, AttributeError):
            return None  # The session says what is wrong with it.
        key = (graph, tuple(elements), tuple(feeds))
        seen = self._seen.get(key)
        if seen is None:
            seen = self._seen[key] = Seen(session, list(elements), list(feeds))
        seen.session = session
        seen.runs += 1
        if len(seen.batches) < _BATCHES:
            seen.batches.append([np.array(feeds[tensor]) for tensor in seen.fed])
            return seen
        return None


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
