"""`tensorflow.contrib.framework.python.framework.experimental`."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.util import decorator_utils, deprecation


def experimental(func: Callable[..., Any]) -> Callable[..., Any]:
    """Decorator: each call of the function logs that it may change.

    Raises:
      ValueError: it decorates what is no function.
    """
    decorator_utils.validate_callable(func, "experimental")

    @functools.wraps(func)
    def call(*args: Any, **kwargs: Any) -> Any:
        logging.warning(
            "%s (from %s) is experimental and may change or be removed at any time, and without "
            "warning.",
            func.__qualname__,
            deprecation._tf_module(func.__module__),
        )
        return func(*args, **kwargs)

    del call.__wrapped__  # Its signature is (*args, **kwargs), as in TF.
    return call
