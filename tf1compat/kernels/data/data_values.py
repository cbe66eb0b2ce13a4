"""What a variant tensor of a dataset holds: how to go through the dataset.

An element is a tuple of its components: NumPy arrays, or other datasets. An iterator is a Python
iterator; after an error it may be asked for the next element.
"""

from __future__ import annotations

import functools
import inspect
import threading
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from tf1compat.core import errors, shapes
from tf1compat.core.op_registry import register
from tf1compat.core.shapes import Shape

Element = tuple[Any, ...]
Elements = Iterator[Element]

INFINITE, UNKNOWN = -1, -2


# Stateful operations that give, or do, nothing that going on elsewhere would change.
_HARMLESS = frozenset(
    {"Assert", "LookupTableFindV2", "LookupTableSizeV2", "Print", "PrintV2", "Timestamp"}
)


class Run:
    """One way through a dataset, from its initialization on, over all its epochs.

    Args:
      session: what host steps see as their session.
    """

    def __init__(self, session: Any = None):
        self.session = session
        # Which pairs of steps are one thing, as TF's rewrites make them.
        self.fused: set[bytes] = set()
        # Notes a value of the pipeline's statistics under a tag, if somebody gathers them.
        self.note: Callable[[str, float], None] | None = None
        self.states: dict[Any, Any] = {}
        self.objects: weakref.WeakKeyDictionary[Any, dict[Any, Any]] = weakref.WeakKeyDictionary()


class Place:
    """Where a dataset stands in a pipeline.

    What a dataset remembers it remembers there: TF makes a copy of a dataset that is used twice,
    and a function that gives datasets goes on where it was.
    """

    __slots__ = ("path", "run")

    def __init__(self, run: Run, path: tuple[Any, ...] = ()):
        self.run = run
        self.path = path

    def below(self, part: Any) -> Place:
        """The place of an input, or of the dataset that a function gives."""
        return Place(self.run, (*self.path, part))

    def state(self, function: Any, role: str = "f") -> Any:
        """The generators of a function that the dataset calls."""
        states, key = self.run.states, (self.path, role)
        if key not in states:
            states[key] = function.new_state()
        return states[key]

    def own(self, value: Any, make: Callable[[], Any]) -> Any:
        """What a dataset remembers from one epoch to the next."""
        found = self.run.objects.setdefault(value, {})
        if self.path not in found:
            found[self.path] = make()
        return found[self.path]


class Dataset:
    """A dataset.

    Attributes:
      inputs: the datasets that it is made of.
      functions: what it calls.
      acts: whether it matters when its elements are made: it must not be read ahead.
      maps: whether it is what a function gives for each element of another.
    """

    maps = False
    functions: tuple[Any, ...] = ()
    shape = ()
    dtype = np.dtype(object)

    def __init__(self, *inputs: Any):
        self.inputs = inputs
        self.acts = any(dataset.acts for dataset in inputs)

    @property
    def input(self) -> Any:
        """The dataset that it is made of."""
        return self.inputs[0]

    def elements(self, place: Place) -> Elements:
        """A new iterator over its elements."""
        raise NotImplementedError(type(self).__name__)

    def cardinality(self) -> int:
        """How many elements it has; INFINITE, or UNKNOWN."""
        return UNKNOWN

    def outside_state(self) -> str | None:
        """Why an iterator over it cannot be saved, as in TF; None."""
        for function in self.functions:
            for name in function.host.stateful_types:
                if name not in _HARMLESS and not name.endswith(("Dataset", "DatasetV2")):
                    return f"{name} is stateful."
        return next(filter(None, (dataset.outside_state() for dataset in self.inputs)), None)

    def form(self) -> str:
        """The kinds of steps that it is made of: where an iterator stands is told in these."""
        inputs = ", ".join(dataset.form() for dataset in self.inputs)
        return type(self).__name__.strip("_") + (f"({inputs})" if inputs else "")

    def below(self, place: Place, index: int = 0) -> Elements:
        """A new iterator over the elements of an input."""
        return self.inputs[index].elements(place.below(index))

    def new_iterator(self, session: Any = None) -> Elements:
        """An iterator that threads may share."""
        return Shared(self.elements(Place(Run(session))))


class Same(Dataset):
    """A dataset as it is: the node asks for something that is of no consequence here."""

    def elements(self, place: Place) -> Elements:
        return self.below(place)

    def cardinality(self) -> int:
        return self.input.cardinality()


class Stage:
    """Base of iterators; `__next__` is the subclass's."""

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> Element:
        raise NotImplementedError


class Shared(Stage):
    """An iterator that gives each element to one thread only."""

    def __init__(self, elements: Elements):
        self._elements = elements
        self._lock = threading.Lock()

    def __next__(self) -> Element:
        with self._lock:
            return next(self._elements)


def numbers(seed: int, seed2: int) -> Iterator[int]:
    """The numbers of 32 bits that TF's Philox 4x32-10 draws for a pair of seeds, one by one."""
    if not seed and not seed2:
        seed, seed2 = (int(v) for v in np.random.SeedSequence().generate_state(2, np.uint64))
    low, high = np.uint64(0xFFFFFFFF), np.uint64(32)
    seeds = np.array([seed & (1 << 64) - 1, seed2 & (1 << 64) - 1], np.uint64)
    weyl = np.array([0x9E3779B9, 0xBB67AE85], np.uint64)
    first, size = 0, 4
    while True:
        counts = np.arange(first, first + size, dtype=np.uint64)
        a, b = counts & low, counts >> high
        c = np.full(size, seeds[1] & low)
        d = np.full(size, seeds[1] >> high)
        key = np.array([seeds[0] & low, seeds[0] >> high])
        for _ in range(10):
            x, y = a * np.uint64(0xD2511F53), c * np.uint64(0xCD9E8D57)
            a, b, c, d = (y >> high) ^ b ^ key[0], y & low, (x >> high) ^ d ^ key[1], x & low
            key = (key + weyl) & low
        yield from np.stack([a, b, c, d], axis=1).ravel().tolist()
        first, size = first + size, min(size * 4, 1024)


def frozen(array: Any) -> Any:
    """An array that nobody writes to: its parts are handed out as elements."""
    if isinstance(array, np.ndarray):
        array = array.view()
        array.flags.writeable = False
    return array


def strings(values: list[Any]) -> np.ndarray:
    """A vector of byte strings."""
    array = np.empty(len(values), object)
    array[:] = values
    return array


def text(value: Any) -> np.ndarray:
    """A scalar byte string."""
    array = np.empty((), object)
    array[()] = value
    return array


def dataset(
    *names: str, scalars: tuple[int, ...] = (), check: Any = None, **facts: Any
) -> Callable[[Any], Any]:  # fmt: skip
    """Registers a function as what makes the dataset that op types stand for.

    Args:
      *names: the op types.
      scalars: the inputs that have to be scalars.
      check: refuses other shapes of the inputs.
      **facts: more facts, as those of `op`.
    """

    def shape(*inputs: Any, op: Any) -> Shape:
        for index in scalars:
            shapes.with_rank(inputs[index], 0)
        if check is not None:
            check(*inputs)
        return ()

    def decorate(lower: Any) -> Any:
        rule = _of_scalars(lower, scalars) if scalars and inspect.isfunction(lower) else lower
        for name in names:
            register(name, shape=shape, lower=rule, host=True, **facts)
        return lower

    return decorate


def _of_scalars(lower: Any, places: tuple[int, ...]) -> Any:
    """A rule that refuses other inputs than scalars at some places."""

    @functools.wraps(lower)
    def checked(*inputs: Any, **attrs: Any) -> Any:
        for place in places:
            if np.ndim(inputs[place]):
                raise invalid(f"{lower.__code__.co_varnames[place]} must be a scalar")
        return lower(*inputs, **attrs)

    return checked


def integer(value: Any) -> int:
    """A scalar integer input."""
    return int(np.asarray(value)[()])


def byte_string(value: Any) -> bytes:
    """A scalar string input."""
    return bytes(np.asarray(value, object)[()])


def invalid(message: str) -> errors.InvalidArgumentError:
    """An InvalidArgumentError with a text."""
    return errors.InvalidArgumentError(None, None, message)


def shape_text(shape: Any) -> str:
    """A shape as TF's texts show it: [2,3]."""
    return "[" + ",".join(str(size) for size in shape) + "]"
