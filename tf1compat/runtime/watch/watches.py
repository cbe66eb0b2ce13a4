"""Which tensors of a run are watched, and by what: `DebugOptions.debug_tensor_watch_opts`."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Any, NamedTuple

from tf1compat.core import dtypes, errors
from tf1compat.core.tensor import Tensor
from tf1compat.runtime.watch.debug_ops import DebugOp, debug_op

_logger = logging.getLogger("tf1compat")

# A node of this name, and output -1, stand for all there are.
_ALL = "*"
_FILE = "file://"


class Watched(NamedTuple):
    """A watched tensor.

    Attributes:
      node, slot: its node in the graph that runs (a fed tensor has one of its own), and its output.
      dtype: its dtype.
      ops: the debug ops.
      urls: where these send what they see.
    """

    node: str
    slot: int
    dtype: dtypes.DType
    ops: list[DebugOp]
    urls: list[str]

    @property
    def name(self) -> str:
        """The tensor's name in the graph that runs."""
        return f"{self.node}:{self.slot}"


def fed_nodes(feeds: Iterable[Tensor]) -> dict[Tensor, str]:
    """The nodes of fed tensors in the graph that runs, by their sorted names as in TF 1.15."""
    ordered = sorted(feeds, key=lambda tensor: tensor.name)
    return {t: f"_arg_{t._op.name}_{t._value_index}_{i}" for i, t in enumerate(ordered)}


def watched(
    options: Any, tensors: Iterable[Tensor], feeds: dict[Tensor, str]
) -> dict[Tensor, Watched]:
    """The watched tensors of a run.

    Args:
      options: a `DebugOptions`.
      tensors: what operations of the run give.
      feeds: what is fed, with its nodes.

    Raises:
      FailedPreconditionError, InvalidArgumentError: a debug op that there is not, or does not fit.
      UnavailableError: a URL of no kind that there is.
      NotImplementedError: a URL that asks for a server.
    """
    by_name: dict[tuple[str, int], Any] = {}
    all_of_them = None
    for watch in options.debug_tensor_watch_opts:
        for url in watch.debug_urls:
            _check_url(url)
        if watch.node_name == _ALL:
            all_of_them = watch
        else:
            by_name[watch.node_name, watch.output_slot] = watch
    found = {}
    for tensor in [*feeds, *(tensor for tensor in tensors if tensor not in feeds)]:
        is_fed = tensor in feeds
        place = (feeds[tensor], 0) if is_fed else (tensor._op.name, tensor._value_index)
        watch = by_name.get(place, all_of_them)
        if watch is not None:
            dtype = tensor._dtype.base_dtype
            ops = _debug_ops(watch, dtype, f"{place[0]}:{place[1]}")
            found[tensor] = Watched(*place, dtype, ops, list(watch.debug_urls))
    return found


def _debug_ops(watch: Any, dtype: dtypes.DType, tensor: str) -> list[DebugOp]:
    found = []
    for index, spec in enumerate(watch.debug_ops):
        try:
            found.append(debug_op(spec, index, dtype, tensor))
        except errors.FailedPreconditionError:
            if not watch.tolerate_debug_op_creation_failures:
                raise
            _logger.info(
                "Tolerating failure to create debug node: tensor name = %s; debug op name = %s",
                tensor,
                spec,
            )
    return found


def _check_url(url: str) -> None:
    if url.startswith("grpc://"):
        raise NotImplementedError(
            f"Watched tensors sent to a server ({url}) are not supported by tf1compat: dump them "
            "to files (tf_debug.DumpingDebugWrapperSession, debug_urls='file:///a/folder')"
        )
    if not url.startswith(_FILE):
        raise errors.UnavailableError(None, None, f"Invalid debug target URL: {url}")


def folder(url: str) -> str:
    """The folder that a URL names."""
    return url.removeprefix(_FILE)
