"""The messages of TF's contrib/boosted_trees/proto/quantiles.proto: summaries of numbers."""

from __future__ import annotations

import functools
from typing import Any

from tf1compat.formats import message_tables

_MESSAGES = {
    "QuantileConfig": "eps:1:double num_quantiles:2:int64",
    "QuantileEntry": "value:1:float weight:2:float min_rank:3:float max_rank:4:float",
    "QuantileSummaryState": "entries:1:+QuantileEntry",
    "QuantileStreamState": "summaries:1:+QuantileSummaryState",
}


@functools.cache
def _classes() -> dict[str, Any]:
    return message_tables.messages("boosted_quantiles", "boosted_trees", _MESSAGES, {})


def __getattr__(name: str) -> Any:
    """A message class."""
    if name in _MESSAGES:
        return _classes()[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
