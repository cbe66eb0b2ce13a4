"""Files that a TensorBoard plugin finds beside the events
(`tensorflow.python.summary.plugin_asset`)."""

from __future__ import annotations

import abc
from typing import Any

from tf1compat.core import ops
from tf1compat.core.graph import Graph

_PREFIX = "__tensorboard_plugin_asset__"


class PluginAsset(abc.ABC):
    """What a plugin wants to be written beside the events."""

    plugin_name: Any = None

    @abc.abstractmethod
    def assets(self) -> dict[str, Any]:
        """File name -> contents."""
        raise NotImplementedError()


def get_plugin_asset(plugin_asset_cls: Any, graph: Graph | None = None) -> Any:
    """The asset of a class in a graph, made if there is none yet.

    Raises:
      ValueError: the class has no name, or another class has the same.
    """
    graph = graph or ops.get_default_graph()
    if not plugin_asset_cls.plugin_name:
        raise ValueError(f"Class {plugin_asset_cls.__name__} has no plugin_name")
    name = _PREFIX + plugin_asset_cls.plugin_name
    found = graph.get_collection(name)
    if not found:
        asset = plugin_asset_cls()
        graph.add_to_collection(name, asset)
        graph.add_to_collection(_PREFIX, plugin_asset_cls.plugin_name)
        return asset
    asset = _only(name, found)
    if not isinstance(asset, plugin_asset_cls):
        raise ValueError(
            f"Plugin name collision between classes {plugin_asset_cls.__name__} and "
            f"{asset.__class__.__name__}"
        )
    return asset


def get_all_plugin_assets(graph: Graph | None = None) -> list[Any]:
    """All assets of a graph."""
    graph = graph or ops.get_default_graph()
    names = graph.get_collection(_PREFIX)
    return [_only(_PREFIX + name, graph.get_collection(_PREFIX + name)) for name in names]


def _only(name: str, found: list[Any]) -> Any:
    if len(found) != 1:
        raise ValueError(f"Collection for {name} had {len(found)} items, expected 1")
    return found[0]
