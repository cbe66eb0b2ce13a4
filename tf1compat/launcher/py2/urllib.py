"""Python 2's `urllib` and `urllib2`, in one."""

# pyright: reportWildcardImportFromLibrary=false, reportAssignmentType=false

from __future__ import annotations

import urllib
from typing import Any
from urllib import error, parse, request, response
from urllib.error import *  # noqa: F403
from urllib.parse import *  # noqa: F403
from urllib.request import *  # noqa: F403

__path__ = urllib.__path__


def __getattr__(name: str) -> Any:
    for module in (parse, request, error, response):
        for spelling in (name, f"_{name}"):  # `splittype` became private.
            if not name.startswith("_") and hasattr(module, spelling):
                return getattr(module, spelling)
    raise AttributeError(f"module 'urllib' has no attribute '{name}'")
