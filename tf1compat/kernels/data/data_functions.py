"""Datasets that call functions for each element."""

from __future__ import annotations

import collections
import concurrent.futures
import os
import re
import time
from typing import Any

import numpy as np

from tf1compat.core import errors
from tf1compat.core.op_registry import op
from tf1compat.core.typing import LoweringContext
from tf1compat.kernels.data.data_batches import _Batch
from tf1compat.kernels.data.data_sources import ListDataset
from tf1compat.kernels.data.data_values import (
    Dataset,
    Element,
    Elements,
    Place,
    Stage,
    dataset,
    integer,
    invalid,
)

# A function that takes longer (in seconds) is called in several threads, if it may.
_WORTH_A_THREAD = 1e-3
# Results of more bytes are made one at a time.
_LARGE = 1 << 17
# So many elements are worked on one by one before it is known how long one takes.
_SINGLY = 3


class FunctionDataset(Dataset):
    """A dataset that calls functions.

    Args:
      inputs: the datasets that it is made of.
      function: the function.
    """

    def __init__(self, inputs: tuple[Any, ...], function: Any, *others: Any):
        super().__init__(*inputs)
        self.function = function
        self.functions = (function, *others)
        self.acts = self.acts or any(f.acts for f in self.functions)

    # How many calls there may be at a time.
    parallel = 1

    def called(self, place: Place) -> Calls:
        """The elements of the input with what the function gives for them."""
        state = place.state(self.function)
        return Calls(self.below(place), self.function, state, self.input, self.parallel)


class Calls:
    """Goes through elements and calls a function for each.

    Where nobody can see that elements are made ahead of time, and the function is quick, one
    program works on many elements at a time; a slow one is called in several threads, if it may.
    """

    def __init__(
        self, elements: Elements, function: Any, state: Any, source: Dataset, parallel: int
    ):
        self._elements, self._function, self._state = elements, function, state
        self._many = function.takes_many and not source.acts
        alone = source.acts or function.is_stateful
        self._parallel = 1 if alone else min(parallel, os.cpu_count() or 1)
        self._threads: concurrent.futures.ThreadPoolExecutor | None = None
        self._running: collections.deque[tuple[Element, Any]] = collections.deque()
        # Elements with their results, and where generators stand then; or None.
        self._ready: collections.deque[tuple[Element, Any]] = collections.deque()
        self._error: BaseException | None = None
        self._calls = 0
        self._quickest = float("inf")
        self._bytes = 0  # of the largest result

    def next(self) -> tuple[Element, list[Any]]:
        """The next element, and the function's results for it.

        Raises:
          StopIteration: there is none.
          OpError: it can't be made, or the function failed.
        """
        if self._parallel > 1 and self._calls >= _SINGLY and self._quickest > _WORTH_A_THREAD:
            return self._next_of_threads()
        ready = self._ready
        if not ready:
            if self._error is not None:
                error, self._error = self._error, None
                raise error
            if (
                self._many
                and self._bytes < _LARGE
                and self._calls >= self._function.calls_before_many
            ):
                self._read()
            else:
                return self._call(next(self._elements))
            if not ready:
                return self.next()
        element, found = ready.popleft()
        if found is None:
            return self._call(element)
        results, generators = found
        if generators:
            self._state.update(generators)
        return element, results

    def _next_of_threads(self) -> tuple[Element, list[Any]]:
        if self._threads is None:
            self._threads = concurrent.futures.ThreadPoolExecutor(self._parallel, "tf.data map")
        running = self._running
        while len(running) < self._parallel and self._error is None:
            try:
                element = next(self._elements)
            except (StopIteration, errors.OpError) as error:
                self._error = error
                break
            running.append((element, self._threads.submit(self._function, self._state, element)))
        if running:
            element, results = running.popleft()
            return element, results.result()
        error, self._error = self._error, None
        assert error is not None
        raise error

    def _call(self, element: Element) -> tuple[Element, list[Any]]:
        began = time.perf_counter()
        results = self._function(self._state, element)
        if self._calls:  # The first call compiles.
            self._quickest = min(self._quickest, time.perf_counter() - began)
        self._bytes = max(self._bytes, sum(getattr(x, "nbytes", 0) for x in results))
        self._calls += 1
        return element, results

    def _read(self) -> None:
        """Reads elements ahead, and calls the function for all of them."""
        elements: list[Element] = []
        count = 1
        while len(elements) < count:
            try:
                elements.append(next(self._elements))
            except (StopIteration, errors.OpError) as error:
                self._error = error
                break
            if len(elements) == 1:
                count = self._function.elements_at_a_time(elements[0], self._calls)
        if not elements:
            return
        results = self._function.many(self._state, elements) if len(elements) > 1 else None
        if results is None:
            self._many = self._function.takes_many and count > 1
            results = [None] * len(elements)
        else:
            self._calls += len(elements)
        self._ready.extend(zip(elements, results))


# Maps.


class _Map(FunctionDataset):
    maps = True

    def elements(self, place: Place) -> Elements:
        return _Mapped(self.called(place))

    def cardinality(self) -> int:
        return self.input.cardinality()


class _Mapped(Stage):
    def __init__(self, calls: Calls):
        self._calls = calls

    def __next__(self) -> Element:
        return tuple(self._calls.next()[1])


def _bound(ctx: LoweringContext, values: list[Any], first: int, role: str = "f") -> Any:
    """The function of an op, which captures the values of its inputs from `first` on."""
    captured = ctx.op._inputs[first : first + len(values)]
    return ctx.host_function(role, captured, values)


@dataset("MapDataset", "ExperimentalMapDataset")
def map_dataset(input_dataset: Dataset, other_arguments: Any, *, ctx: LoweringContext) -> Dataset:
    """What a function gives for each element."""
    return _Map((input_dataset,), _bound(ctx, other_arguments, 1))


@dataset("ParallelMapDataset", scalars=(2,))
def parallel_map_dataset(
    input_dataset: Dataset, other_arguments: Any, num_parallel_calls: Any, *, ctx: LoweringContext
) -> Dataset:
    """What a function gives for each element."""
    mapped = _Map((input_dataset,), _bound(ctx, other_arguments, 1))
    mapped.parallel = _parallel(num_parallel_calls)
    return mapped


def _parallel(count: Any) -> int:
    """How many calls there may be at a time."""
    calls = integer(count)
    if calls < 1 and calls != -1:
        raise invalid("num_parallel_calls must be greater than zero.")
    return calls if calls > 0 else os.cpu_count() or 1


@dataset("MapAndBatchDataset", "ExperimentalMapAndBatchDataset", scalars=(2, 3, 4))
def map_and_batch_dataset(
    input_dataset: Dataset,
    other_arguments: Any,
    batch_size: Any,
    num_parallel_calls: Any,
    drop_remainder: Any,
    *,
    ctx: LoweringContext,
) -> Dataset:
    """What a function gives for each element, stacked."""
    size = integer(batch_size)
    if size < 1:
        raise invalid("batch_size must be greater than zero.")
    mapped = _Map((input_dataset,), _bound(ctx, other_arguments, 1))
    mapped.parallel = _parallel(num_parallel_calls)
    batch = _Batch(mapped, size, bool(drop_remainder))
    batch.maps = True
    return batch


class _Filter(FunctionDataset):
    def elements(self, place: Place) -> Elements:
        return _Filtered(self.called(place))


class _Filtered(Stage):
    def __init__(self, calls: Calls):
        self._calls = calls

    def __next__(self) -> Element:
        while True:
            element, results = self._calls.next()
            if np.ndim(results[0]):
                text = "Filter predicate `f` must return a scalar bool."
                raise errors.InvalidArgumentError(None, None, text)
            if results[0]:
                return element


@dataset("FilterDataset")
def filter_dataset(
    input_dataset: Dataset, other_arguments: Any, *, ctx: LoweringContext
) -> Dataset:
    """The elements for which a function gives True."""
    return _Filter((input_dataset,), _bound(ctx, other_arguments, 1, "predicate"))


class _TakeWhile(FunctionDataset):
    def elements(self, place: Place) -> Elements:
        return _TakenWhile(self.called(place))


class _TakenWhile(_Filtered):
    def __next__(self) -> Element:
        element, results = self._calls.next()
        if not np.all(results[0]):
            raise StopIteration
        return element


@dataset("TakeWhileDataset", "ExperimentalTakeWhileDataset")
def take_while_dataset(
    input_dataset: Dataset, other_arguments: Any, *, ctx: LoweringContext
) -> Dataset:
    """The elements before the first one for which a function gives False."""
    return _TakeWhile((input_dataset,), _bound(ctx, other_arguments, 1, "predicate"))


# Datasets that a function gives.


class _FlatMap(FunctionDataset):
    def elements(self, place: Place) -> Elements:
        return _FlatMapped(self.called(place), place.below("f"))


class _FlatMapped(Stage):
    def __init__(self, calls: Calls, place: Place):
        self._calls, self._place = calls, place
        self._current: Elements | None = None

    def __next__(self) -> Element:
        while True:
            current = self._current
            if current is None:
                self._current = current = self._calls.next()[1][0].elements(self._place)
            element = next(current, None)
            if element is not None:
                return element
            self._current = None


@dataset("FlatMapDataset")
def flat_map_dataset(
    input_dataset: Dataset, other_arguments: Any, *, ctx: LoweringContext
) -> Dataset:
    """The elements of the datasets that a function gives."""
    return _FlatMap((input_dataset,), _bound(ctx, other_arguments, 1))


class _Interleave(FunctionDataset):
    """Elements of several datasets in turn.

    Args:
      staged: whether a dataset that has ended is replaced at once by the next one.
    """

    def __init__(
        self, inputs: tuple[Any, ...], function: Any, cycle: int, block: int, staged: bool = False
    ):
        super().__init__(inputs, function)
        self.cycle = (os.cpu_count() or 1) if cycle < 0 else cycle
        self.block, self.staged = block, staged

    def elements(self, place: Place) -> Elements:
        kind = _InterleavedStaged if self.staged else _Interleaved
        return kind(self, self.called(place), place.below("f"))


class _Interleaved(Stage):
    def __init__(self, interleave: _Interleave, calls: Calls, place: Place):
        self._calls, self._place = calls, place
        self._block = interleave.block
        self._current: list[Elements | None] = [None] * interleave.cycle
        self._at = self._taken = self._open = 0
        self._began = self._ended = False

    def _advance(self) -> None:
        self._taken = 0
        self._at = (self._at + 1) % len(self._current)

    def _another(self) -> Elements | None:
        """The elements of the next dataset; None if there is none."""
        if self._ended:
            return None
        try:
            return self._calls.next()[1][0].elements(self._place)
        except StopIteration:
            self._ended = True
            return None

    def __next__(self) -> Element:
        while not self._ended or self._open:
            current = self._current[self._at]
            if current is not None:
                element = next(current, None)
                if element is not None:
                    self._taken += 1
                    if self._taken == self._block:
                        self._advance()
                    return element
                self._current[self._at] = None
                self._open -= 1
                self._advance()
            elif not self._ended:
                self._current[self._at] = another = self._another()
                self._open += another is not None
            else:
                self._advance()
        raise StopIteration


class _InterleavedStaged(_Interleaved):
    """As `_Interleaved`; a dataset that has ended is replaced at once."""

    def __next__(self) -> Element:
        current, missed = self._current, 0
        if not self._began:
            self._began = True
            current[:] = [self._another() for _ in current]
        while missed < len(current):
            elements = current[self._at]
            element = None if elements is None else next(elements, None)
            if element is not None:
                self._taken += 1
                if self._taken == self._block:
                    self._advance()
                return element
            another = None if elements is None else self._another()
            current[self._at] = another
            self._at = (self._at + 1) % len(current)
            missed += 1
            if another is not None:
                self._taken = missed = 0
        raise StopIteration


@dataset("InterleaveDataset", scalars=(2, 3))
def interleave_dataset(
    input_dataset: Dataset,
    other_arguments: Any,
    cycle_length: Any,
    block_length: Any,
    *,
    ctx: LoweringContext,
) -> Dataset:
    """Elements of several datasets in turn."""
    function = _bound(ctx, other_arguments, 1)
    cycle, block = integer(cycle_length), integer(block_length)
    if cycle < 1 and cycle != -1:
        raise invalid("cycle_length must be greater than zero.")
    if block < 1:
        raise invalid("block_length must be greater than zero.")
    return _Interleave((input_dataset,), function, cycle, block)


def _cycle_and_block(cycle_length: Any, block_length: Any) -> tuple[int, int]:
    """What a parallel interleave is told, looked at."""
    cycle, block = integer(cycle_length), integer(block_length)
    if cycle < 1 and cycle != -1:
        raise invalid("`cycle_length` must be > 0")
    if block < 1:
        raise invalid("`block_length` must be > 0")
    return cycle, block


@dataset("ParallelInterleaveDatasetV2", scalars=(2, 3, 4))
def parallel_interleave_dataset_v2(
    input_dataset: Dataset,
    other_arguments: Any,
    cycle_length: Any,
    block_length: Any,
    num_parallel_calls: Any,
    *,
    ctx: LoweringContext,
) -> Dataset:
    """Elements of several datasets in turn."""
    function = _bound(ctx, other_arguments, 1)
    cycle, block = _cycle_and_block(cycle_length, block_length)
    _parallel(num_parallel_calls)
    found = _Interleave((input_dataset,), function, cycle, block)
    if integer(num_parallel_calls) > found.cycle:
        raise invalid("num_parallel_calls must less than or equal to cycle_length.")
    return found


@dataset(
    "ParallelInterleaveDataset", "ExperimentalParallelInterleaveDataset", scalars=(2, 3, 4, 5, 6)
)
def parallel_interleave_dataset(
    input_dataset: Dataset,
    other_arguments: Any,
    cycle_length: Any,
    block_length: Any,
    sloppy: Any,
    buffer_output_elements: Any,
    prefetch_input_elements: Any,
    *,
    ctx: LoweringContext,
) -> Dataset:
    """Elements of several datasets in turn."""
    function = _bound(ctx, other_arguments, 1)
    cycle, block = _cycle_and_block(cycle_length, block_length)
    if cycle < 1:
        raise invalid("`cycle_length` must be > 0")
    if integer(buffer_output_elements) < 1:
        raise invalid("`buffer_output_elements` must be > 0")
    if integer(prefetch_input_elements) < 0:
        raise invalid("`prefetch_input_elements` must be >= 0")
    return _Interleave((input_dataset,), function, cycle, block, staged=True)


# A function that is called again and again.


class _Generator(Dataset):
    def __init__(self, init: Any, args: list[Any], following: Any, final: Any):
        super().__init__()
        self.acts = True
        self.init, self.args, self.following, self.final = init, args, following, final
        self.functions = (init, following, final)

    def elements(self, place: Place) -> Elements:
        return _Generated(self, place)


class _Generated(Stage):
    def __init__(self, generator: _Generator, place: Place):
        self._generator, self._place = generator, place
        self._state: list[Any] | None = None
        self._ended = False

    def __next__(self) -> Element:
        generator, place = self._generator, self._place
        if self._ended:
            raise StopIteration
        if self._state is None:
            self._state = generator.init(place.state(generator.init, "init"), generator.args)
        try:
            return tuple(generator.following(place.state(generator.following, "next"), self._state))
        except errors.OutOfRangeError:
            self._finish()
            raise StopIteration from None
        except errors.OpError as error:
            raise _unprefixed(error) from None

    def _finish(self) -> None:
        self._ended = True
        state, self._state = self._state, None
        if state is not None:
            final = self._generator.final
            final(self._place.state(final, "final"), state)

    def __del__(self) -> None:
        try:
            self._finish()
        except Exception:  # The interpreter may be on its way out.
            pass


def _unprefixed(error: errors.OpError) -> errors.OpError:
    """An error without the name of the function: generators do without it in TF."""
    text = error.message
    if text.startswith("{{function_node "):
        text = text.partition("}} ")[2]
    kind: Any = type(error)
    found = kind(error.node_def, error.op, text)
    found._is_named = True
    return found


@dataset("GeneratorDataset", one_device=True)
def generator_dataset(
    init_func_other_args: Any,
    next_func_other_args: Any,
    finalize_func_other_args: Any,
    *,
    ctx: LoweringContext,
) -> Dataset:
    """What a function gives when it is called again and again."""
    first, second = len(init_func_other_args), len(next_func_other_args)
    init_function = ctx.op._graph._get_function(ctx.op._attrs["init_func"])
    count = _own_arguments(init_function, first)
    init = ctx.host_function("init_func", ctx.op._inputs[count:first], init_func_other_args[count:])
    following = _bound(ctx, next_func_other_args, first, "next_func")
    final = _bound(ctx, finalize_func_other_args, first + second, "finalize_func")
    return _Generator(init, init_func_other_args[:count], following, final)


def _own_arguments(function: Any, given: int) -> int:
    """How many of the given tensors are arguments; the others are captured."""
    if function is None:
        return given
    return given - len(getattr(function.graph, "internal_captures", ()))


# Functions with a state.


class _Scan(FunctionDataset):
    def __init__(self, inputs: tuple[Any, ...], function: Any, state: list[Any]):
        super().__init__(inputs, function)
        self.initial = state

    def elements(self, place: Place) -> Elements:
        return _Scanned(self, self.below(place), place.state(self.function))

    def cardinality(self) -> int:
        return self.input.cardinality()


class _Scanned(Stage):
    def __init__(self, scan: _Scan, elements: Elements, generators: Any):
        self._function, self._generators = scan.function, generators
        self._elements = elements
        self._state = list(scan.initial)

    def __next__(self) -> Element:
        element = next(self._elements)
        results = self._function(self._generators, [*self._state, *element])
        count = len(self._state)
        self._state = results[:count]
        return tuple(results[count:])


@dataset("ScanDataset", "ExperimentalScanDataset")
def scan_dataset(
    input_dataset: Dataset, initial_state: Any, other_arguments: Any, *, ctx: LoweringContext
) -> Dataset:
    """What a function of a state and each element gives besides the next state."""
    function = _bound(ctx, other_arguments, 1 + len(initial_state))
    return _Scan((input_dataset,), function, initial_state)


def _no_shapes(*inputs: Any, op: Any) -> Any:
    return [shape.to_tuple() for shape in op._attrs["output_shapes"]]


@op("ReduceDataset", host=True, effect=True)
class ReduceDataset:
    shape = staticmethod(_no_shapes)

    def lower(
        input_dataset: Any, initial_state: Any, other_arguments: Any, *, ctx: LoweringContext
    ) -> Any:
        function = _bound(ctx, other_arguments, 1 + len(initial_state))
        generators, state = function.new_state(), initial_state
        with named_errors(ctx):
            for element in input_dataset.new_iterator(ctx.session):
                state = function(generators, [*state, *element])
                if len(state) != len(initial_state):
                    raise invalid(
                        "The number of components of the initial state and the reduce function "
                        f"output does not match. (initial_state={len(initial_state)}, "
                        f"output={len(state)})."
                    )
        return list(state)


class named_errors:
    """A `with` block in which errors of functions get the name of the operation that ran them."""

    def __init__(self, ctx: LoweringContext):
        self._op = ctx.op

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: Any, traceback: Any) -> None:
        if isinstance(error, errors.OpError) and getattr(error, "_is_named", False):
            if getattr(self._op._graph, "operation", None) is self._op:  # It runs eagerly.
                text = self._op._graph.error_text(self._op, error.message)
                raise kind(error.node_def, error.op, text) from None
            # As in TF the name of a function is left out where it looks like that of a node.
            message = re.sub(r"\{\{function_node [A-Za-z0-9_.\-/]+\}\}", "", error.message)
            text = f"{message}\n\t [[{self._op.name}]]"
            raise kind(error.node_def, error.op, text) from None


# Groups.


class _GroupByWindow(FunctionDataset):
    def __init__(self, inputs: tuple[Any, ...], key: Any, reduce: Any, size: Any):
        super().__init__(inputs, key, reduce, size)
        self.reduce, self.size = reduce, size

    def elements(self, place: Place) -> Elements:
        return _Grouped(self, self.called(place), place)


class _Grouped(Stage):
    def __init__(self, grouping: _GroupByWindow, calls: Calls, place: Place):
        self._grouping, self._calls, self._place = grouping, calls, place
        self._groups: dict[int, list[Element]] = {}
        self._sizes: dict[int, int] = {}
        self._current: Elements | None = None
        self._ended = False

    def __next__(self) -> Element:
        while True:
            if self._current is not None:
                element = next(self._current, None)
                if element is not None:
                    return element
                self._current = None
            if self._ended and not self._groups:
                raise StopIteration
            self._group()

    def _group(self) -> None:
        """Reads elements until a group is complete."""
        while not self._ended:
            try:
                element, results = self._calls.next()
            except StopIteration:
                self._ended = True
                break
            key = integer(results[0])
            group = self._groups.setdefault(key, [])
            if key not in self._sizes:
                self._sizes[key] = self._size(results[0])
            group.append(element)
            if len(group) == self._sizes[key]:
                return self._flush(key)
        if self._groups:
            self._flush(min(self._groups))

    def _size(self, key: Any) -> int:
        function = self._grouping.size
        size = integer(function(self._place.state(function, "size"), [key])[0])
        if size < 1:
            raise invalid(f"Window size must be greater than zero, but got {size}.")
        return size

    def _flush(self, key: int) -> None:
        group = self._groups.pop(key)
        self._sizes.pop(key, None)
        function = self._grouping.reduce
        args = [np.array(key, np.int64), ListDataset(group)]
        (result,) = function(self._place.state(function, "reduce"), args)
        self._current = result.elements(self._place.below("reduce"))


@dataset("GroupByWindowDataset", "ExperimentalGroupByWindowDataset")
def group_by_window_dataset(
    input_dataset: Dataset,
    key_func_other_arguments: Any,
    reduce_func_other_arguments: Any,
    window_size_func_other_arguments: Any,
    *,
    ctx: LoweringContext,
) -> Dataset:
    """What a function makes of groups of elements with the same key."""
    counts = len(key_func_other_arguments), len(reduce_func_other_arguments)
    key = _bound(ctx, key_func_other_arguments, 1, "key_func")
    reduce = _bound(ctx, reduce_func_other_arguments, 1 + counts[0], "reduce_func")
    size = _bound(ctx, window_size_func_other_arguments, 1 + sum(counts), "window_size_func")
    return _GroupByWindow((input_dataset,), key, reduce, size)


class _GroupByReducer(FunctionDataset):
    def __init__(self, inputs: tuple[Any, ...], key: Any, init: Any, reduce: Any, final: Any):
        super().__init__(inputs, key, init, reduce, final)
        self.parts = init, reduce, final

    def elements(self, place: Place) -> Elements:
        return _Reduced(self, self.called(place), place)


class _Reduced(Stage):
    def __init__(self, reducer: _GroupByReducer, calls: Calls, place: Place):
        self._functions = [
            (function, place.state(function, role))
            for function, role in zip(reducer.parts, ("init", "reduce", "final"))
        ]
        self._calls = calls
        self._states: dict[int, list[Any]] = {}
        self._keys: list[int] | None = None

    def __next__(self) -> Element:
        (init, init_state), (reduce, reduce_state), (final, final_state) = self._functions
        while self._keys is None:
            try:
                element, results = self._calls.next()
            except StopIteration:
                self._keys = sorted(self._states, reverse=True)
                break
            key = integer(results[0])
            if key not in self._states:
                self._states[key] = init(init_state, [results[0]])
            self._states[key] = reduce(reduce_state, [*self._states[key], *element])
        if not self._keys:
            raise StopIteration
        return tuple(final(final_state, self._states[self._keys.pop()]))


@dataset("GroupByReducerDataset", "ExperimentalGroupByReducerDataset")
def group_by_reducer_dataset(
    input_dataset: Dataset,
    key_func_other_arguments: Any,
    init_func_other_arguments: Any,
    reduce_func_other_arguments: Any,
    finalize_func_other_arguments: Any,
    *,
    ctx: LoweringContext,
) -> Dataset:
    """The last states of a function that is called for the elements of each key."""
    captured = (
        key_func_other_arguments,
        init_func_other_arguments,
        reduce_func_other_arguments,
        finalize_func_other_arguments,
    )
    first, functions = 1, []
    for role, values in zip(("key_func", "init_func", "reduce_func", "finalize_func"), captured):
        functions.append(_bound(ctx, values, first, role))
        first += len(values)
    return _GroupByReducer((input_dataset,), *functions)
