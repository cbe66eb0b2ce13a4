"""`tf.keras.utils.plot_model`: pictures of models, by pydot and Graphviz."""

from __future__ import annotations

import importlib
import os
import sys
from typing import Any

from tf1compat.api.keras.engine.network import Network
from tf1compat.api.keras.engine.sequential import Sequential
from tf1compat.api.keras.layers.wrappers import Wrapper
from tf1compat.core import nest
from tf1compat.core.export import tf_export
from tf1compat.core.typing import ShapeLike

_ADVICE = "Failed to import pydot. You must install pydot and graphviz for `pydotprint` to work."


def _find_pydot() -> Any:
    for name in ("pydot_ng", "pydotplus", "pydot"):
        try:
            return importlib.import_module(name)
        except ImportError:
            pass
    return None


pydot: Any = _find_pydot()


def check_pydot() -> bool:
    """Whether pydot is installed, and Graphviz, which it calls."""
    if pydot is None:
        return False
    try:
        pydot.Dot.create(pydot.Dot())
    except OSError:
        return False
    return True


def is_wrapped_model(layer: Any) -> bool:
    """Whether a layer is a wrapper around a model."""
    return isinstance(layer, Wrapper) and _is_model(layer.layer)


def add_edge(dot: Any, src: str, dst: str) -> None:
    """Adds an edge that is not there yet."""
    if not dot.get_edge(src, dst):
        dot.add_edge(pydot.Edge(src, dst))


def _is_model(layer: Any) -> bool:
    return isinstance(layer, Network)


@tf_export("keras.utils.model_to_dot")
def model_to_dot(
    model: Any,
    show_shapes: bool = False,
    show_layer_names: bool = True,
    rankdir: str = "TB",
    expand_nested: bool = False,
    dpi: int = 96,
    subgraph: bool = False,
) -> Any:
    """A model as a graph of pydot's.

    Args:
      model: the model.
      show_shapes: whether nodes show shapes of inputs and outputs.
      show_layer_names: whether they show the layers' names.
      rankdir: "TB" for a picture from top to bottom, "LR" from left to right.
      expand_nested: whether models within the model are clusters of their layers.
      dpi: dots per inch.
      subgraph: whether a cluster is made.

    Returns:
      A `pydot.Dot`, or `pydot.Cluster`; None in a notebook without pydot.

    Raises:
      ImportError: pydot or Graphviz is missing.
    """
    if not check_pydot():
        if "IPython.core.magics.namespace" not in sys.modules:
            raise ImportError(_ADVICE)
        print(_ADVICE)
        return None
    if subgraph:
        dot: Any = pydot.Cluster(style="dashed", graph_name=model.name)
        attributes = {"label": model.name, "labeljust": "l"}
    else:
        dot = pydot.Dot()
        attributes = {"rankdir": rankdir, "concentrate": True, "dpi": dpi}
    for name, value in attributes.items():
        dot.set(name, value)
    if not subgraph:
        dot.set_node_defaults(shape="record")
    if not model._is_graph_network:
        dot.add_node(pydot.Node(str(id(model)), label=model.name))
        return dot
    if isinstance(model, Sequential) and not model.built:
        model.build()
    # Model -> the names of the first and the last node of its cluster.
    ends: dict[Any, tuple[str, str]] = {}
    for layer in model._layers:
        inner = layer.layer if is_wrapped_model(layer) else layer
        if expand_nested and _is_model(inner):
            cluster = model_to_dot(
                inner, show_shapes, show_layer_names, rankdir, expand_nested, subgraph=True
            )
            nodes = cluster.get_nodes()
            ends[inner] = nodes[0].get_name(), nodes[-1].get_name()
            dot.add_subgraph(cluster)
        if not (expand_nested and _is_model(layer)):
            label = _label(layer, show_shapes, show_layer_names, expand_nested)
            dot.add_node(pydot.Node(str(id(layer)), label=label))
    for layer in model._layers:
        for i, node in enumerate(layer._inbound_nodes):
            if f"{layer.name}_ib-{i}" in model._network_nodes:
                for source in nest.flatten(node.inbound_layers):
                    _connect(dot, source, layer, ends)
    return dot


def _label(layer: Any, show_shapes: bool, show_layer_names: bool, expand_nested: bool) -> str:
    """What is written in a layer's node."""
    name, kind = layer.name, type(layer).__name__
    if isinstance(layer, Wrapper) and not (expand_nested and is_wrapped_model(layer)):
        name += f"({layer.layer.name})"
        kind += f"({type(layer.layer).__name__})"
    label = f"{name}: {kind}" if show_layer_names else kind
    if not show_shapes:
        return label
    try:
        outputs = _shape_text(layer.output_shape)
    except AttributeError:
        outputs = "?"
    if hasattr(layer, "input_shape"):
        inputs = _shape_text(layer.input_shape)
    else:
        inputs = ", ".join(map(_shape_text, getattr(layer, "input_shapes", ["?"])))
    return f"{label}\n|{{input:|output:}}|{{{{{inputs}}}|{{{outputs}}}}}"


def _shape_text(shape: ShapeLike) -> str:
    return str(shape).replace("None", "?")


def _connect(dot: Any, source: Any, layer: Any, ends: dict[Any, tuple[str, str]]) -> None:
    """Draws the edges between two layers; a cluster is entered at its first node, left at its
    last."""
    start, end = str(id(source)), str(id(layer))
    within = source.layer if is_wrapped_model(source) else source
    if within in ends:
        add_edge(dot, ends[within][1], ends[layer][0] if layer in ends and source in ends else end)
    elif layer in ends:
        add_edge(dot, start, ends[layer][0])
    else:
        add_edge(dot, start, end)
        if is_wrapped_model(layer) and layer.layer in ends:
            add_edge(dot, end, ends[layer.layer][0])


@tf_export("keras.utils.plot_model")
def plot_model(
    model: Any,
    to_file: str = "model.png",
    show_shapes: bool = False,
    show_layer_names: bool = True,
    rankdir: str = "TB",
    expand_nested: bool = False,
    dpi: int = 96,
) -> Any:
    """Writes a picture of a model.

    Args:
      model, show_shapes, show_layer_names, rankdir, expand_nested, dpi: as in `model_to_dot`.
      to_file: the file; its extension says the format.

    Returns:
      The picture, for notebooks, where IPython is installed; else None.

    Raises:
      ImportError: pydot or Graphviz is missing.
    """
    dot = model_to_dot(model, show_shapes, show_layer_names, rankdir, expand_nested, dpi)
    if dot is None:
        return None
    dot.write(to_file, format=os.path.splitext(to_file)[1][1:] or "png")
    try:
        from IPython import display  # pyright: ignore[reportMissingImports]
    except ImportError:
        return None
    return display.Image(filename=to_file)
