"""`tensorflow.contrib.predictor.predictor`."""

from __future__ import annotations

import abc
from typing import Any

from tf1compat.core.attribute import attribute


class Predictor(abc.ABC):
    """A function from {name: an array} to {name: an array} that a session runs."""

    _graph: Any
    _session: Any
    _feed_tensors: dict[str, Any]
    _fetch_tensors: dict[str, Any]

    graph = attribute("_graph", "The graph.")
    session = attribute("_session", "The session.")
    feed_tensors: dict[str, Any] = attribute("_feed_tensors", "What is fed, by name.")
    fetch_tensors: dict[str, Any] = attribute("_fetch_tensors", "What is fetched, by name.")

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__} with feed tensors {self._feed_tensors} and fetch_tensors "
            f"{self._fetch_tensors}"
        )

    def __call__(self, input_dict: dict[str, Any]) -> dict[str, Any]:
        """Predicts.

        Raises:
          ValueError: there is no such input.
        """
        expected = set(self.feed_tensors)
        unexpected = set(input_dict) - expected
        if unexpected:
            raise ValueError(
                f"Got unexpected keys in input_dict: {unexpected}\nexpected: {expected}"
            )
        feeds = {
            tensor: input_dict[name]
            for name, tensor in self.feed_tensors.items()
            if input_dict.get(name) is not None
        }
        return self._session.run(fetches=self.fetch_tensors, feed_dict=feeds)

    def _take(self, inputs: dict[str, Any], outputs: dict[str, Any]) -> None:
        """Finds tensors by their names in the graph."""
        find = self._graph.get_tensor_by_name
        self._feed_tensors = {key: find(name) for key, name in inputs.items()}
        self._fetch_tensors = {key: find(name) for key, name in outputs.items()}


def names_of(infos: Any) -> dict[str, str]:
    """The names in the inputs or outputs of a signature."""
    return {key: info.name for key, info in infos.items()}
