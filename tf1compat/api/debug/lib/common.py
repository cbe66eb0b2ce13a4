"""Names of what is fed and fetched (`tensorflow.python.debug.lib.common`)."""

from __future__ import annotations

import collections
import json
from typing import Any

#: How the address of a debug server begins.
GRPC_URL_PREFIX = "grpc://"

RunKey = collections.namedtuple("RunKey", ["feed_names", "fetch_names"])  # noqa: PYI024


def get_graph_element_name(elem: Any) -> str:
    """The name of a tensor or operation; the text of what has none."""
    return elem.name if hasattr(elem, "name") else str(elem)


def get_flattened_names(feeds_or_fetches: Any) -> list[str]:
    """The names in a structure of lists, tuples and dicts."""
    if isinstance(feeds_or_fetches, list | tuple):
        items: Any = feeds_or_fetches
    elif isinstance(feeds_or_fetches, dict):
        items = feeds_or_fetches.values()
    else:
        return [get_graph_element_name(feeds_or_fetches)]
    return [name for item in items for name in get_flattened_names(item)]


def get_run_key(feed_dict: dict[Any, Any], fetches: Any) -> str:
    """What is fed and fetched, as JSON."""
    return json.dumps(RunKey(get_flattened_names(feed_dict), get_flattened_names(fetches)))
