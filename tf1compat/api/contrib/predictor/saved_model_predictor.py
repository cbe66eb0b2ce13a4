"""`tensorflow.contrib.predictor.saved_model_predictor`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.contrib.predictor import predictor
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.saved_model import loader_impl, signature_constants
from tf1compat.core import ops
from tf1compat.core.export import find
from tf1compat.core.graph import Graph

DEFAULT_TAGS = "serve"


def get_meta_graph_def(saved_model_dir: Any, tags: str) -> Any:
    """The MetaGraphDef of a SavedModel that has exactly these tags, given with commas.

    Raises:
      ValueError: there is none.
    """
    wanted = {tag.strip() for tag in tags.split(",")}
    for meta_graph in loader_impl.parse_saved_model(saved_model_dir).meta_graphs:
        if set(meta_graph.meta_info_def.tags) == wanted:
            return meta_graph
    raise ValueError(f"Could not find MetaGraphDef with tags {tags}")


def _get_signature_def(signature_def_key: Any, export_dir: Any, tags: str) -> Any:
    key = signature_def_key or signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY
    signatures = get_meta_graph_def(export_dir, tags).signature_def
    if key in signatures:
        return signatures[key]
    alternative = f"default_input_alternative:{key}"
    if alternative not in signatures:
        raise ValueError(
            f'Got signature_def_key "{key}". Available signatures are {list(signatures)}. '
            f"Original error:\n{key!r}"
        )
    logging.warning('Could not find signature def "%s". Using "%s" instead', key, alternative)
    return signatures[alternative]


class SavedModelPredictor(predictor.Predictor):
    """A SavedModel as a function; see `from_saved_model`."""

    def __init__(
        self, export_dir: Any, signature_def_key: Any = None, signature_def: Any = None,
        input_names: Any = None, output_names: Any = None, tags: Any = None,
        graph: Graph | None = None,
        config: Any = None,
    ):  # fmt: skip
        if (input_names is None) != (output_names is None):
            raise ValueError(
                "input_names and output_names must both be specified or both be unspecified."
            )
        if sum(x is not None for x in (signature_def_key, signature_def, input_names)) > 1:
            raise ValueError(
                "You must specify at most one of signature_def_key OR signature_def OR("
                "input_names AND output_names)."
            )
        tags = tags or DEFAULT_TAGS
        self._graph = graph or ops.Graph()
        with self._graph.as_default():
            self._session = find("Session")(config=config)
            loader_impl.load(self._session, tags.split(","), export_dir)
        if input_names is None:
            if signature_def is None:
                signature_def = _get_signature_def(signature_def_key, export_dir, tags)
            input_names = predictor.names_of(signature_def.inputs)
            output_names = predictor.names_of(signature_def.outputs)
        self._take(input_names, output_names)
