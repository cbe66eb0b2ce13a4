"""Compiling quickly what runs once: compiling takes most of the time of the op table."""

from __future__ import annotations

import functools
import os
from typing import Any

import jax
import pytest
from jax._src import compiler

# A third of the time without these.  What XLA makes with its defaults is tested elsewhere.
_WANTED = {
    "xla_backend_optimization_level": 0,
    "xla_cpu_use_fusion_emitters": False,
    "xla_cpu_parallel_codegen_split_count": 1,
}


@functools.cache
def options() -> dict[str, Any]:
    """The options for `jax.jit` and `Lowered.compile`: those that this jaxlib knows."""
    lowered = jax.jit(lambda x: x).lower(1.0)
    known = {}
    for name, value in _WANTED.items():
        try:
            lowered.compile({name: value})
        except jax.errors.JaxRuntimeError:
            continue
        known[name] = value
    return known


def compiled(traced: Any, devices: Any = ()) -> Any:
    """In place of `runtime.cache.compiled`: compiles quickly, and keeps nothing on disk."""
    return traced.lower().compile(options())


def flags() -> str:
    """What `XLA_FLAGS` is for processes that are to compile quickly."""
    given = (f"--{name}={str(value).lower()}" for name, value in options().items())
    return " ".join([os.environ.get("XLA_FLAGS", ""), *given])


def everywhere(patch: pytest.MonkeyPatch) -> None:
    """Whatever JAX compiles, by `jax.jit` and without, it compiles quickly while `patch` holds."""
    known, usual = options(), compiler.get_compile_options

    def quick(*args: Any, **kwargs: Any) -> Any:
        made = usual(*args, **kwargs)
        made.env_option_overrides = [*known.items(), *made.env_option_overrides]
        return made

    patch.setattr(compiler, "get_compile_options", quick)
