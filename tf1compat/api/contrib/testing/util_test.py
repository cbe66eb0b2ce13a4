"""Looks at summaries (`tensorflow.contrib.testing.python.framework.util_test`)."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable
from typing import Any

import numpy as np

from tf1compat.api.training import summary_io
from tf1compat.core import protos
from tf1compat.core.export import tf_export


@tf_export("contrib.testing.assert_summary")
def assert_summary(
    expected_tags: Any, expected_simple_values: dict[str, float], summary_proto: Any
) -> None:
    """Raises if a Summary has other tags or, to two places, other numbers.

    Args:
      expected_tags: the tags.
      expected_simple_values: {some of the tags: the number}.
      summary_proto: the Summary.

    Raises:
      ValueError: the tags are others.
      AssertionError: a number is another.
    """
    for value in summary_proto.value:
        if value.tag in expected_simple_values:
            np.testing.assert_almost_equal(
                value.simple_value, expected_simple_values[value.tag], decimal=2, err_msg=value.tag
            )
    expected, found = set(expected_tags), {value.tag for value in summary_proto.value}
    if expected != found:
        raise ValueError(f"Expected tags {expected}, got {found}.")


@tf_export("contrib.testing.to_summary_proto")
def to_summary_proto(summary_str: bytes) -> Any:
    """The Summary of what a summary operation gave.

    Args:
      summary_str: a serialized Summary, bytes.

    Returns:
      A `Summary` proto.
    """
    return protos.load("summary_pb2", "Summary").FromString(summary_str)


@tf_export("contrib.testing.latest_event_file")
def latest_event_file(base_dir: str) -> str | None:
    """The newest event file of a folder, by its name; None if there is none.

    Args:
      base_dir: the folder.

    Returns:
      A path, or None.
    """
    return max(glob.glob(os.path.join(base_dir, "events.*")), default=None)


@tf_export("contrib.testing.latest_events")
def latest_events(base_dir: str) -> Any:
    """The Events of the newest event file.

    Args:
      base_dir: the folder.

    Returns:
      A list of `Event` protos; empty if there is no file.
    """
    path = latest_event_file(base_dir)
    return summary_io.summary_iterator(path) if path else []


@tf_export("contrib.testing.latest_summaries")
def latest_summaries(base_dir: str) -> list[Any]:
    """The Events with summaries of the newest event file.

    Args:
      base_dir: the folder.

    Returns:
      `Event` protos.
    """
    return [event for event in latest_events(base_dir) if event.HasField("summary")]


@tf_export("contrib.testing.simple_values_from_events")
def simple_values_from_events(events: Iterable[Any], tags: Any) -> dict[str, float]:
    """The numbers of some tags at their highest step.

    Args:
      events: Events.
      tags: the tags.

    Returns:
      {tag: the number}, of those that are there.

    Raises:
      ValueError: one of them has something else.
    """
    found: dict[str, tuple[int, float]] = {}
    for event in events:
        for value in event.summary.value if event.HasField("summary") else ():
            if value.tag not in tags:
                continue
            if not value.HasField("simple_value"):
                raise ValueError(f"Summary for {value.tag} is not a simple_value.")
            if value.tag not in found or event.step > found[value.tag][0]:
                found[value.tag] = event.step, value.simple_value
    return {tag: value for tag, (_, value) in found.items()}
