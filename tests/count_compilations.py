"""Runs an example and writes how many programs XLA compiled: count_compilations.py OUT EXAMPLE
[ARG…]

What a program is called on disk must not hang on where objects lie in memory: here tensors and
operations hash to random numbers, so that whatever takes its order from a set shows.
"""

import random
import runpy
import sys
from pathlib import Path
from typing import Any

import jax

from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor
from tf1compat.runtime import tiers


def hash_at_random(patch: Any = setattr) -> None:
    """Has tensors and operations hash to random numbers from now on.

    Args:
      patch: sets an attribute of a class.
    """
    draw = random.Random()

    def number(self: Any) -> int:
        return self.__dict__.setdefault("_number", draw.getrandbits(40))

    patch(Tensor, "__hash__", number)
    patch(Operation, "__hash__", number)


def count(patch: Any = setattr) -> list[Any]:
    """A list that grows with every program that XLA compiles for a session, from now on."""
    tiers.in_background(bool).result()  # What was to be compiled before is.
    found: list[Any] = []
    compile_program = jax.stages.Lowered.compile

    def counted(self: Any, *args: Any, **kwargs: Any) -> Any:
        found.append(self)
        return compile_program(self, *args, **kwargs)

    patch(jax.stages.Lowered, "compile", counted)
    return found


def main() -> None:
    """See the module's docstring."""
    out, example = sys.argv[1:3]
    sys.argv = sys.argv[2:]
    hash_at_random()
    found = count()
    try:
        runpy.run_path(example, run_name="__main__")
    finally:
        Path(out).write_text(str(len(found)))


if __name__ == "__main__":
    main()
