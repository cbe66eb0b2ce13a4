"""What NetworkX dropped in its releases 2.4 to 3."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator
from typing import Any

import networkx  # pyright: ignore[reportMissingImports]
import numpy as np


def from_numpy_matrix(A: Any, **options: Any) -> Any:
    """`networkx.from_numpy_matrix`: from_numpy_array takes no `np.matrix`."""
    return networkx.from_numpy_array(np.asarray(A), **options)


def to_numpy_matrix(G: Any, *arguments: Any, **options: Any) -> Any:
    """`networkx.to_numpy_matrix`."""
    return np.asmatrix(networkx.to_numpy_array(G, *arguments, **options))


def to_scipy_sparse_matrix(G: Any, *arguments: Any, **options: Any) -> Any:
    """`networkx.to_scipy_sparse_matrix`, whose `*` is the product of matrices."""
    from scipy import sparse

    array = networkx.to_scipy_sparse_array(G, *arguments, **options)
    return getattr(sparse, f"{array.format}_matrix")(array)


def _subgraphs(components: Callable[[Any], Any]) -> Callable[..., Iterator[Any]]:
    def subgraphs(G: Any, copy: bool = True) -> Iterator[Any]:
        for nodes in components(G):
            subgraph = G.subgraph(nodes)
            yield subgraph.copy() if copy else subgraph

    return subgraphs


biconnected_component_subgraphs = _subgraphs(networkx.biconnected_components)
connected_component_subgraphs = _subgraphs(networkx.connected_components)
strongly_connected_component_subgraphs = _subgraphs(networkx.strongly_connected_components)
weakly_connected_component_subgraphs = _subgraphs(networkx.weakly_connected_components)


def read_gpickle(path: Any) -> Any:
    """`networkx.read_gpickle`: a graph that was pickled, from a path or an open file."""
    if hasattr(path, "read"):
        return pickle.load(path)
    with open(path, "rb") as file:
        return pickle.load(file)


def write_gpickle(G: Any, path: Any, protocol: int = pickle.HIGHEST_PROTOCOL) -> None:
    """`networkx.write_gpickle`."""
    if hasattr(path, "write"):
        pickle.dump(G, path, protocol)
        return
    with open(path, "wb") as file:
        pickle.dump(G, file, protocol)


@property
def node(graph: Any) -> Any:
    """`Graph.node`."""
    return graph.nodes


def _iterator(name: str) -> Callable[..., Iterator[Any]]:
    def iterate(graph: Any, *args: Any, **kwargs: Any) -> Iterator[Any]:
        return iter(getattr(graph, name)(*args, **kwargs))

    iterate.__doc__ = f"`Graph.{name}_iter`."
    return iterate


degree_iter = _iterator("degree")
edges_iter = _iterator("edges")
in_degree_iter = _iterator("in_degree")
in_edges_iter = _iterator("in_edges")
nodes_iter = _iterator("nodes")
out_degree_iter = _iterator("out_degree")
out_edges_iter = _iterator("out_edges")


def info(G: Any, n: Any = None) -> str:
    """`networkx.info`: a summary of a graph, or of its node n."""
    if n is not None:
        return "\n".join(
            [f"Node {n} has the following properties:", f"Degree: {G.degree(n)}"]
            + ["Neighbors: " + " ".join(str(neighbor) for neighbor in G.neighbors(n))]
        )
    nodes, edges = G.number_of_nodes(), G.number_of_edges()
    lines = [f"Name: {G.name}", f"Type: {type(G).__name__}"]
    lines += [f"Number of nodes: {nodes}", f"Number of edges: {edges}"]
    if nodes and G.is_directed():
        lines += [f"Average in degree: {edges / nodes:8.4f}"]
        lines += [f"Average out degree: {edges / nodes:8.4f}"]
    elif nodes:
        lines += [f"Average degree: {2 * edges / nodes:8.4f}"]
    return "\n".join(lines)
