"""`AssertNextDataset`: what comes after it in a pipeline, as TF's iterators name their steps once
the pipeline is rewritten."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.core import dtypes
from tf1compat.core.typing import LoweringContext
from tf1compat.kernels.data.data_values import (
    Dataset,
    Elements,
    Place,
    Same,
    byte_string,
    dataset,
    invalid,
)

# Rewrite -> steps that follow one another, and what they become.
_REWRITES: dict[str, tuple[list[str], list[str]]] = {
    "noop_elimination": (["Noop"], []),
    "map_fusion": (["Map", "Map"], ["Map"]),
    "filter_fusion": (["Filter", "Filter"], ["Filter"]),
    "shuffle_and_repeat_fusion": (["Shuffle", "Repeat"], ["ShuffleAndRepeat"]),
    "map_and_batch_fusion": (["Map", "BatchV2"], ["MapAndBatch"]),
    "parallel_map_and_batch_fusion": (["ParallelMap", "BatchV2"], ["MapAndBatch"]),
    "map_parallelization": (["Map"], ["ParallelMap"]),
}
# Steps that do nothing with this count.
_NOOPS = {"Take": -1, "Skip": 0, "Repeat": 1, "Prefetch": 0}


def _count(operation: Any) -> int | None:
    value = operation.const_input(1)
    return None if value is None else int(value)


def _limited(kind: str, none: str = "Finite") -> Callable[[Any], str]:
    return lambda operation: (none if _count(operation) == -1 else "Finite") + kind


def _cached(operation: Any) -> str:
    name = operation.const_input(1)
    in_memory = name is not None and not byte_string(name)
    return "MemoryCacheImpl" if in_memory else "FileCacheImpl"


# Steps whose iterators TF calls by what they do.
_BY_COUNT: dict[str, Callable[[Any], str]] = {
    "Take": _limited("Take"),
    "Skip": _limited("Skip"),
    "Repeat": _limited("Repeat", "Forever"),
    "Cache": _cached,
}


def _steps_after(operation: Any) -> list[tuple[str, Any, int]]:
    """The datasets that an operation's is part of: (kind, operation, which input it is)."""
    found = []
    while True:
        # A call's copy of a tensor shares the list of those that use the tensor itself.
        consumers = operation._outputs[0]._consumers
        users = [
            user
            for user in consumers
            if user._outputs and user._outputs[0]._dtype is dtypes.variant
        ]
        if not users:
            return found
        operation = users[0]
        uses = (tensor._consumers is consumers for tensor in operation._inputs)
        index = next(i for i, is_used in enumerate(uses) if is_used)
        kind = operation.type.removeprefix("Experimental").replace("Dataset", "")
        found.append((kind, operation, index))


def _names_after(operation: Any) -> list[str]:
    steps = _steps_after(operation)
    rewrites = [
        name.decode()
        for kind, step, _ in steps
        if kind == "Optimize"
        for name in (step.const_input(1) if step.const_input(1) is not None else ())
    ]
    if "map_and_batch_fusion" in rewrites:
        rewrites.append("parallel_map_and_batch_fusion")
    steps = [step for step in steps if step[0] != "Optimize"]
    if "noop_elimination" in rewrites:
        steps = [
            ("Noop" if kind in _NOOPS and _count(step) == _NOOPS[kind] else kind, step, index)
            for kind, step, index in steps
        ]
    for name, (before, after) in _REWRITES.items():
        at = 0
        while name in rewrites and at + len(before) <= len(steps):
            here = steps[at : at + len(before)]
            if [kind for kind, *_ in here] == before:
                steps[at : at + len(before)] = [(kind, *here[0][1:]) for kind in after]
                if len(after) < len(before):  # What came of it may be rewritten again.
                    continue
            at += 1
    return [
        f"{kind}[{index}]"
        if kind in ("Zip", "Concatenate")
        else _BY_COUNT[kind](step)
        if kind in _BY_COUNT
        else kind
        for kind, step, index in steps
    ]


class _Asserted(Same):
    def __init__(self, input_dataset: Dataset, expected: list[str], operation: Any):
        super().__init__(input_dataset)
        self._expected, self._operation = expected, operation

    def elements(self, place: Place) -> Elements:
        found = _names_after(self._operation)
        if len(found) < len(self._expected):
            raise invalid(
                f"Asserted next {len(self._expected)} transformations but encountered only "
                f"{len(found)}."
            )
        for offset, (name, met) in enumerate(zip(self._expected, found)):
            if name != met:
                raise invalid(
                    f"Asserted {name} transformation at offset {offset} but encountered {met} "
                    "transformation instead."
                )
        return self.below(place)


@dataset("AssertNextDataset", "ExperimentalAssertNextDataset")
def assert_next_dataset(
    input_dataset: Dataset, transformations: Any, *, ctx: LoweringContext
) -> Dataset:
    """A dataset that checks which steps come after it."""
    return _Asserted(input_dataset, [bytes(name).decode() for name in transformations], ctx.op)
