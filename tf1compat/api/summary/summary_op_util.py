"""Names and collections of summaries (`tensorflow.python.ops.summary_op_util`)."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Sequence
from typing import Any

from tf1compat.api.platform import tf_logging
from tf1compat.core import ops

_NOT_IN_TAGS = re.compile(r"[^-/\w\.]")


def collect(val: Any, collections: Sequence[Any] | None, default_collections: Any) -> None:
    """Adds a summary to collections, or to the default ones if they are None."""
    for key in default_collections if collections is None else collections:
        ops.add_to_collection(key, val)


def clean_tag(name: Any) -> Any:
    """A name with what no operation's name may have replaced, which is logged."""
    if name is None:
        return None
    cleaned = _NOT_IN_TAGS.sub("_", name).lstrip("/")
    if cleaned != name:
        tf_logging.info(f"Summary name {name} is illegal; using {cleaned} instead.")
    return cleaned


@contextlib.contextmanager
def summary_scope(
    name: Any, family: Any = None, default_name: Any = None, values: Any = None
) -> Iterator[tuple[str, str]]:
    """The scope that a summary is recorded in.

    Args:
      name: the summary's name.
      family: goes before the tag, and into the name.
      default_name: in place of a name that is None.
      values: what the summary is made of.

    Yields:
      The tag and the name of the operation.
    """
    name, family = clean_tag(name), clean_tag(family)
    base = name if family is None else f"{family}/{name}"
    with ops.name_scope(base, default_name, values) as scope:
        tag = scope.rstrip("/")
        yield (tag if family is None else f"{family}/{tag}"), scope
