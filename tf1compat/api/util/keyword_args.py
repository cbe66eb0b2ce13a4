"""`tensorflow.python.util.keyword_args`: functions that want every argument by its name."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any


def keyword_args_only(func: Callable[..., Any]) -> Callable[..., Any]:
    """Decorator: the function refuses positional arguments with ValueError."""

    @functools.wraps(func)
    def new_func(*args: Any, **kwargs: Any) -> Any:
        if args:
            raise ValueError(f"Must use keyword args to call {func.__name__}.")
        return func(**kwargs)

    return new_func
