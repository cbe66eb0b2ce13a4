"""Patterns of operations and what feeds them."""

from __future__ import annotations

import abc
import itertools
from collections.abc import Iterator
from typing import Any

from tf1compat.core.graph import Graph
from tf1compat.core.typing import Name


class Pattern(abc.ABC):
    """What an operation may be."""

    @abc.abstractmethod
    def match(self, op: Any, tensor: Any) -> MatchResult | None:
        """What matches, if the operation does.

        Args:
          op: an operation.
          tensor: the output of it that the pattern was come to by, or None.
        """


class MatchResult:
    """Which operation and which tensor each pattern has matched."""

    def __init__(self) -> None:
        self._found: dict[Pattern, tuple[Any, Any]] = {}
        self._named: dict[str, Pattern] = {}

    def add(self, pattern: Any, op: Any, tensor: Any) -> None:
        """Keeps what a pattern matched.

        Raises:
          ValueError: another pattern has its name.
        """
        self._found[pattern] = (op, tensor)
        if pattern.name is not None:
            if pattern.name in self._named:
                raise ValueError(f"Name {pattern.name} is already bound to another pattern")
            self._named[pattern.name] = pattern

    def _of(self, pattern_or_name: Any) -> tuple[Any, Any]:
        if isinstance(pattern_or_name, str):
            pattern_or_name = self._named.get(pattern_or_name)
        elif not isinstance(pattern_or_name, Pattern):
            kind = type(pattern_or_name)
            raise ValueError(f"pattern_or_name has type {kind}. Expect Pattern or str.")
        return self._found.get(pattern_or_name, (None, None))

    def get_op(self, pattern_or_name: Any) -> Any:
        """The operation that a pattern, or the one of that name, matched; None for none."""
        return self._of(pattern_or_name)[0]

    def get_tensor(self, pattern_or_name: Any) -> Any:
        """The tensor of it that the pattern was come to by; None for none."""
        return self._of(pattern_or_name)[1]

    def merge_from(self, other_match_result: MatchResult) -> None:
        """Takes over what another result has."""
        self._found.update(other_match_result._found)
        self._named.update(other_match_result._named)


class OpTypePattern(Pattern):
    """Operations of some types, whose inputs match patterns."""

    def __init__(
        self, op_type: str, name: Name = None, inputs: Any = None, ordered_inputs: bool = True
    ) -> None:
        """A pattern.

        Args:
          op_type: the types, with "|" between them; "*" for any.
          name: of the pattern, or None.
          inputs: a pattern, or types, for each input; none if the inputs don't matter.
          ordered_inputs: whether they are in this order.

        Raises:
          ValueError: there are more than eight inputs.
        """
        inputs = inputs or []
        if len(inputs) > 8:
            raise ValueError("Only < 8 inputs are allowed when ordered_inputs is False.")
        self._types = None if op_type == "*" else op_type.split("|")
        self.name = name
        patterns = [x if isinstance(x, Pattern) else OpTypePattern(x) for x in inputs]
        self._inputs = patterns
        self._ordered = ordered_inputs

    def match(self, op: Any, tensor: Any) -> MatchResult | None:
        """See `Pattern`."""
        if self._types is not None and op.type not in self._types:
            return None
        if self._inputs and len(op.inputs) != len(self._inputs):
            return None
        orders = [self._inputs] if self._ordered else itertools.permutations(self._inputs)
        for patterns in orders:
            found = MatchResult()
            found.add(self, op, tensor)
            if self._inputs_match(found, op, patterns):
                return found
        return None

    @staticmethod
    def _inputs_match(found: MatchResult, op: Any, patterns: Any) -> bool:
        for tensor, pattern in zip(op.inputs, patterns, strict=False):
            own = pattern.match(tensor.op, tensor)
            if own is None:
                return False
            found.merge_from(own)
        return True


class OneofPattern(Pattern):
    """The first of several patterns that matches."""

    def __init__(self, sub_patterns: Any) -> None:
        self._patterns = sub_patterns

    def match(self, op: Any, tensor: Any) -> MatchResult | None:
        """See `Pattern`."""
        for pattern in self._patterns:
            found = pattern.match(op, tensor)
            if found is not None:
                return found
        return None


class GraphMatcher:
    """Finds the operations that match a pattern."""

    def __init__(self, pattern: Pattern) -> None:
        self._pattern = pattern

    def match_op(self, op: Any) -> MatchResult | None:
        """What matches, if the operation does."""
        return self._pattern.match(op, None)

    def match_ops(self, ops: Any) -> Iterator[MatchResult]:
        """What matches, for each of the operations that does."""
        for op in ops:
            found = self.match_op(op)
            if found is not None:
                yield found

    def match_graph(self, graph: Graph) -> Iterator[MatchResult]:
        """What matches, for each operation of a graph that does."""
        return self.match_ops(graph.get_operations())
