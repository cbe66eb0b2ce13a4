"""Which tensors a run watches (`tensorflow.python.debug.lib.debug_utils`)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from tf1compat.core import ops


def _as_list(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else list(value or ())


def add_debug_tensor_watch(
    run_options: Any, node_name: str, output_slot: int = 0, debug_ops: Any = "DebugIdentity",
    debug_urls: Any = None, tolerate_debug_op_creation_failures: bool = False,
    global_step: int = -1,
) -> None:  # fmt: skip
    """Adds one tensor to those that a run watches.

    Args:
      run_options: a `tf.RunOptions`, which is changed.
      node_name, output_slot: the tensor.
      debug_ops: the type or types of debug ops.
      debug_urls: where they send what they see, e.g. "file:///tmp/dump": one or several.
      tolerate_debug_op_creation_failures: whether debug ops that don't fit are left out.
      global_step: the step's number.
    """
    options = run_options.debug_options
    options.global_step = global_step
    options.debug_tensor_watch_opts.add(
        node_name=node_name,
        output_slot=output_slot,
        debug_ops=_as_list(debug_ops),
        debug_urls=_as_list(debug_urls),
        tolerate_debug_op_creation_failures=tolerate_debug_op_creation_failures,
    )


def _watch(
    run_options: Any, graph: ops.Graph, wanted: Callable[..., bool], **settings: Any
) -> None:
    for op in graph.get_operations():
        for slot, output in enumerate(op.outputs):
            if wanted(op.name, op.type, output.dtype.name):
                add_debug_tensor_watch(run_options, op.name, slot, **settings)


def _matches(*patterns: str | None) -> Callable[..., list[bool]]:
    """What says of texts whether each begins as its pattern, where there is one, says."""
    compiled = [re.compile(pattern) if pattern else None for pattern in patterns]
    return lambda *texts: [
        pattern.match(text) is not None for pattern, text in zip(compiled, texts) if pattern
    ]


def watch_graph(
    run_options: Any, graph: ops.Graph, debug_ops: Any = "DebugIdentity", debug_urls: Any = None,
    node_name_regex_whitelist: str | None = None, op_type_regex_whitelist: str | None = None,
    tensor_dtype_regex_whitelist: str | None = None,
    tolerate_debug_op_creation_failures: bool = False, global_step: int = -1,
    reset_disk_byte_usage: bool = False,
) -> None:  # fmt: skip
    """Adds a graph's tensors to those that a run watches.

    Args:
      run_options, debug_ops, debug_urls, tolerate_debug_op_creation_failures, global_step: see
        `add_debug_tensor_watch`.
      graph: the graph.
      node_name_regex_whitelist, op_type_regex_whitelist, tensor_dtype_regex_whitelist: only those
        that match all of these.
      reset_disk_byte_usage: whether to count the bytes on disk anew.

    Raises:
      ValueError: there are no debug ops or no URLs.
    """
    for name, value in (("debug_ops", debug_ops), ("debug_urls", debug_urls)):
        if not value:
            raise ValueError(f"{name} must not be empty or None.")
    whitelists = (node_name_regex_whitelist, op_type_regex_whitelist, tensor_dtype_regex_whitelist)
    matches = _matches(*whitelists)
    settings = {
        "debug_ops": debug_ops,
        "debug_urls": debug_urls,
        "tolerate_debug_op_creation_failures": tolerate_debug_op_creation_failures,
        "global_step": global_step,
    }
    _watch(run_options, graph, lambda *texts: all(matches(*texts)), **settings)
    if not any(whitelists):
        # What TF's own graph passes put in, too.
        add_debug_tensor_watch(run_options, "*", -1, **settings)
    run_options.debug_options.reset_disk_byte_usage = reset_disk_byte_usage


def watch_graph_with_blacklists(
    run_options: Any, graph: ops.Graph, debug_ops: Any = "DebugIdentity", debug_urls: Any = None,
    node_name_regex_blacklist: str | None = None, op_type_regex_blacklist: str | None = None,
    tensor_dtype_regex_blacklist: str | None = None,
    tolerate_debug_op_creation_failures: bool = False, global_step: int = -1,
    reset_disk_byte_usage: bool = False,
) -> None:  # fmt: skip
    """Adds a graph's tensors but those that match any of three patterns; see `watch_graph`."""
    matches = _matches(
        node_name_regex_blacklist, op_type_regex_blacklist, tensor_dtype_regex_blacklist
    )
    _watch(
        run_options,
        graph,
        lambda *texts: not any(matches(*texts)),
        debug_ops=debug_ops,
        debug_urls=debug_urls,
        tolerate_debug_op_creation_failures=tolerate_debug_op_creation_failures,
        global_step=global_step,
    )
    run_options.debug_options.reset_disk_byte_usage = reset_disk_byte_usage
