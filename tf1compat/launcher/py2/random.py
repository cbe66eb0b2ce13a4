"""Python 2's `random`: the same generator, from which integers were drawn in another way.

The functions of the module and those of Python 3's draw from one generator.
"""

# pyright: reportWildcardImportFromLibrary=false, reportAssignmentType=false

from __future__ import annotations

import math
import random as _today  # `random` is the function.
from collections.abc import Callable, Mapping, Set
from random import *  # noqa: F403
from typing import Any

__all__ = _today.__all__
_HASHED = 2**64
_FLOATS_END = 2**53  # A random float tells no more integers apart than these.


def _seed(a: Any) -> Any:
    """What seeds Python 3's generator as `a` does Python 2's."""
    if a is None or isinstance(a, (int, str, bytes)):
        return a
    if isinstance(a, float) and not a.is_integer() and math.isfinite(a):
        return _hash_of_float(a) % _HASHED
    return hash(a) % _HASHED


def _hash_of_float(value: float) -> int:
    """Python 2's: 31 bits of the fraction, the 31 after them, and the exponent in bits above."""
    fraction, exponent = math.frexp(value)
    fraction *= 2**31
    first = int(fraction)
    return first + int((fraction - first) * 2**31) + (exponent << 15)


class Random(_today.Random):
    """A generator that draws as Python 2's did."""

    def seed(self, a: Any = None, version: int = 1) -> None:
        """Begins anew."""
        super().seed(_seed(a), version)

    def _below(self, n: int) -> int:
        if n < _FLOATS_END:
            return int(self.random() * n)
        bits = int(1.00001 + math.log(n - 1, 2.0))
        while (drawn := self.getrandbits(bits)) >= n:
            pass
        return drawn

    def randrange(self, start: Any, stop: Any = None, step: Any = 1) -> int:
        """One of `range(start, stop, step)`."""
        first, by = _integer(start, "arg 1"), _integer(step, "step")
        if stop is None:
            first, last, by = 0, first, 1
        else:
            last = _integer(stop, "stop")
        count = (last - first + by - (1 if by > 0 else -1)) // by
        if count <= 0:
            ends = "" if stop is None or by != 1 else f" ({first},{last}, {last - first})"
            raise ValueError(f"empty range for randrange(){ends}")
        return first + by * self._below(count)

    def randint(self, a: Any, b: Any) -> int:
        """An integer from `a` to `b`, both included."""
        return self.randrange(a, b + 1)

    def choice(self, seq: Any) -> Any:
        """An element of a sequence."""
        return seq[int(self.random() * len(seq))]

    def shuffle(self, x: Any, random: Callable[[], float] | None = None) -> None:
        """Puts a list in random order."""
        random = random or self.random
        for last in range(len(x) - 1, 0, -1):
            other = int(random() * (last + 1))
            x[last], x[other] = x[other], x[last]

    def sample(self, population: Any, k: int) -> list[Any]:
        """`k` different elements."""
        n = len(population)
        if not 0 <= k <= n:
            raise ValueError("sample larger than population")
        if isinstance(population, (Set, Mapping)):
            population = tuple(population)
        # From here on a copy of the population takes less memory than a set of what was drawn.
        copied = n <= 21 + (4 ** math.ceil(math.log(k * 3, 4)) if k > 5 else 0)
        if copied:
            pool, drawn = list(population), []
            for rest in range(n, n - k, -1):
                j = int(self.random() * rest)
                drawn.append(pool[j])
                pool[j] = pool[rest - 1]
            return drawn
        indices: dict[int, None] = {}
        while len(indices) < k:
            indices[int(self.random() * n)] = None
        return [population[j] for j in indices]


def _integer(value: Any, what: str) -> int:
    if int(value) != value:
        raise ValueError(f"non-integer {what} for randrange()")
    return int(value)


class _Shared(Random):
    """Draws from the generator of Python 3's module."""

    def random(self) -> float:
        return _today.random()

    def getrandbits(self, k: int) -> int:
        return _today.getrandbits(k)


_shared = _Shared()


def seed(a: Any = None) -> None:
    """Begins the generator of the module anew."""
    _today.seed(_seed(a), version=1)


randrange, randint, choice = _shared.randrange, _shared.randint, _shared.choice
shuffle, sample = _shared.shuffle, _shared.sample
_inst = _shared
