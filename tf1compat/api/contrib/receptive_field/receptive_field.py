"""The receptive field of a convolutional net: its size, and where it lies for each feature."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from tf1compat.api.contrib.receptive_field import graph_compute_order, parse_layer_parameters
from tf1compat.core import ops
from tf1compat.core.export import tf_export

_DIRECTIONS = ("horizontal", "vertical")


class ReceptiveField:
    """A receptive field.

    Args:
      size, stride, padding: how large it is, how far that of the next feature is, and how much lies
        outside the image; each across and down.
    """

    def __init__(self, size: Any, stride: Any, padding: Any):
        self.size, self.stride, self.padding = map(np.asarray, (size, stride, padding))

    def _axes(self, coordinates: Any, axis: Any, what: str) -> tuple[Any, list[int]]:
        axes = list(range(self.size.size) if axis is None else axis)
        coordinates = np.asarray(coordinates)
        if coordinates.shape[-1] != len(axes):
            raise ValueError(
                f"Dimensionality of the {what} ({coordinates.shape[-1]}) does not match "
                f"dimensionality of `axis` ({len(axes)})"
            )
        return coordinates, axes

    def compute_input_center_coordinates(self, y: Any, axis: Any = None) -> Any:
        """Where in the image the field of a feature has its center.

        Args:
          y: coordinates of features, [..., directions].
          axis: which directions they are; by default across and down.

        Returns:
          An array like `y`.

        Raises:
          ValueError: there are other directions.
        """
        y, axes = self._axes(y, axis, "feature coordinates `y`")
        return y * self.stride[axes] - self.padding[axes] + (self.size[axes] - 1) / 2

    def compute_feature_coordinates(self, x: Any, axis: Any = None) -> Any:
        """Which features have their fields' centers at places of the image: the other way round.

        Raises:
          ValueError: there are other directions.
        """
        x, axes = self._axes(x, axis, "input center coordinates `x`")
        return (x + self.padding[axes] + (1 - self.size[axes]) / 2) / self.stride[axes]

    def __iter__(self) -> Iterator[Any]:
        return iter(np.concatenate([self.size, self.stride, self.padding]))


class _Field(NamedTuple):
    """A receptive field in one direction; the padding may be unknown."""

    size: Any = 1
    stride: Any = 1
    padding: Any = 0

    def before(self, kernel: Any, stride: Any, padding: Any) -> _Field:
        """At the input of a layer, when this one is at its output."""
        known = padding is not None and self.padding is not None
        return _Field(
            stride * self.size + kernel - stride,
            stride * self.stride,
            stride * self.padding + padding if known else None,
        )

    @property
    def shift(self) -> Any:
        """Where its center lies."""
        return (self.size - 1) / 2 - self.padding


def _name(node: Any) -> str:
    return node.op.name if isinstance(node, ops.Tensor) else node


@tf_export("contrib.receptive_field.compute_receptive_field_from_graph_def")
def compute_receptive_field_from_graph_def(
    graph_def: Any, input_node: Any, output_node: Any, stop_propagation: Any = None,
    input_resolution: Any = None,
) -> ReceptiveField:  # fmt: skip
    """The receptive field of the features that a node gives.

    Args:
      graph_def: a `Graph` or a GraphDef.
      input_node, output_node: the images and the features: tensors, or names of nodes.
      stop_propagation: beginnings of names of nodes that are not gone through.
      input_resolution: (height, width) of the images; None if it is unknown.

    Returns:
      A `ReceptiveField`: its size, stride and padding, each with a number for rows and one for
      columns.

    Raises:
      ValueError: the net is not aligned, so that there is no one field; a node is not found, or
        nothing is known of it.
    """
    if isinstance(graph_def, ops.Graph):
        graph_def = graph_def.as_graph_def()
    source, target = _name(input_node), _name(output_node)
    stops = tuple(stop_propagation or ())
    infos, nodes = graph_compute_order.get_compute_order(graph_def, source, input_resolution)
    fields = {target: (_Field(), _Field())}
    is_aligned = True  # As far as it can be told: not once a padding is unknown.
    is_found = False
    for info in sorted(infos.values(), key=lambda info: -info.order):
        node = info.node
        if node.name == source:
            break
        is_found = is_found or node.name == target
        if not is_found or node.name not in fields:
            continue
        params = parse_layer_parameters.get_layer_params(node, nodes, info.input_size)
        kernels, strides, paddings = params[0:2], params[2:4], params[4:6]
        if None in paddings:
            is_aligned = False
        before = [
            field.before(*layer)
            for field, *layer in zip(fields[node.name], kernels, strides, paddings)
        ]
        if not is_aligned:
            before = [field._replace(padding=None) for field in before]
        for name in node.input:
            if name.startswith(stops) or name.startswith("^"):
                continue
            nodes[name]  # Names what is not there.
            if name not in fields:
                fields[name] = (before[0], before[1])
                continue
            if is_aligned:
                _check_aligned(fields[name], before)
            across, down = (
                new if known.size < new.size else known for known, new in zip(fields[name], before)
            )
            fields[name] = across, down
    if not is_found:
        raise ValueError("Output node was not found")
    if source not in fields:
        raise ValueError("Input node was not found")
    sizes, all_strides, all_paddings = zip(*fields[source])
    return ReceptiveField(sizes, all_strides, all_paddings)


def _check_aligned(known: Any, found: Any) -> None:
    """Refuses two ways to a node whose strides or centers differ."""
    for what in ("stride", "shift"):
        for direction, one, other in zip(_DIRECTIONS, known, found):
            if getattr(one, what) != getattr(other, what):
                name = "effective stride" if what == "stride" else "center shift"
                raise ValueError(
                    f"Graph is not aligned since {name} from different paths is different in "
                    f"{direction} direction"
                )
