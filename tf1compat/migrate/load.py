"""A graph with its weights from a file, without the script that made it."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Collection
from typing import Any

from google.protobuf import message, text_format

from tf1compat import kernels  # noqa: F401 - registers what op types mean
from tf1compat.api.framework import importer
from tf1compat.api.saved_model import loader_impl
from tf1compat.api.training import checkpoint_management, saver
from tf1compat.core import dtypes, protos
from tf1compat.core.graph import Graph
from tf1compat.core.tensor import Tensor
from tf1compat.migrate.to_jax import to_jax
from tf1compat.runtime.session import Session

# What a function of arrays neither takes nor gives.
_OBJECTS = (dtypes.string, dtypes.resource, dtypes.variant)


@dataclasses.dataclass(frozen=True)
class Loaded:
    """A graph, and a session with its weights.

    Attributes:
      inputs: what is fed, by name: the signature's inputs, or the placeholders.
      outputs: what is computed, by name: the signature's outputs, or what nothing else uses, but
        for what writes variables (initializers, training operations).
    """

    graph: Any
    session: Session
    inputs: dict[str, Tensor]
    outputs: dict[str, Tensor]

    def to_jax(
        self, fetches: Any = None, inputs: Any = None, **options: Any
    ) -> tuple[Callable[..., Any], dict[str, Any]]:
        """`to_jax` of a part of the graph.

        Args:
          fetches: tensors, operations or their names; all `outputs` if None.
          inputs: tensors or their names; all `inputs`, in their order, if None.
          **options: see `to_jax`.
        """
        feeds = list(self.inputs.values()) if inputs is None else inputs
        feeds = [feeds] if isinstance(feeds, str | Tensor) else feeds
        feeds = [self.graph.as_graph_element(item, allow_operation=False) for item in feeds]
        return to_jax(self.outputs if fetches is None else fetches, feeds, self.session, **options)


def load(
    path: str | os.PathLike[str],
    *,
    signature: str | None = None,
    tags: Collection[str] | None = None,
) -> Loaded:
    """Loads a graph and its weights.

    Args:
      path: a SavedModel's folder; a checkpoint (its prefix, or the folder with its state file),
        next to whose files is its `.meta`; a MetaGraph, whose checkpoint is taken if it is there;
        or a GraphDef, frozen or without variables (`.pb`, `.pbtxt`).
      signature: of a SavedModel or MetaGraph; its only one, or "serving_default", if None.
      tags: of a SavedModel's MetaGraph; the only one's, or "serve", if None.

    Returns:
      The graph with a session.

    Raises:
      FileNotFoundError: there is nothing there, or a checkpoint without its MetaGraph.
      ValueError: there is no such signature, or the file is none of these.
    """
    path = os.fspath(path)
    graph = Graph()
    with graph.as_default():
        session = Session(graph=graph)
        if loader_impl.maybe_saved_model_directory(path):
            meta = _saved_model(path, tags, session)
        elif os.path.isfile(path) and not path.endswith(".meta"):
            importer.import_graph_def(_graph_def(path), name="")
            meta = None
        else:
            meta = _checkpoint(path, session)
    definition = _signature(meta, signature)
    if definition is None:
        inputs, outputs = _placeholders(graph), _unused(graph)
    else:
        inputs, outputs = _tensors(graph, definition.inputs), _tensors(graph, definition.outputs)
    return Loaded(graph, session, inputs, outputs)


def _saved_model(path: str, tags: Collection[str] | None, session: Session) -> Any:
    model = loader_impl.SavedModelLoader(path)
    if tags is None:
        found = model.saved_model.meta_graphs
        tags = found[0].meta_info_def.tags if len(found) == 1 else ["serve"]
    return model.load(session, tags)


def _checkpoint(path: str, session: Session) -> Any:
    prefix = path.removesuffix(".meta")
    if os.path.isdir(path):
        prefix = checkpoint_management.latest_checkpoint(path) or os.path.join(path, "checkpoint")
    if not os.path.isfile(f"{prefix}.meta"):
        raise FileNotFoundError(f"There is no graph at {path}: no SavedModel, and no {prefix}.meta")
    definition = protos.MetaGraphDef()
    definition.ParseFromString(_read(f"{prefix}.meta"))
    restorer = saver.import_meta_graph(definition)
    if restorer is not None and checkpoint_management.checkpoint_exists_internal(prefix):
        restorer.restore(session, prefix)
    return definition


def _graph_def(path: str) -> Any:
    definition, data = protos.GraphDef(), _read(path)
    try:
        if path.endswith("txt"):
            return text_format.Parse(data.decode(), definition)
        definition.ParseFromString(data)
    except (message.DecodeError, text_format.ParseError, UnicodeDecodeError) as error:
        raise ValueError(f"{path} is no GraphDef: {error}") from None
    return definition


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _signature(meta: Any, name: str | None) -> Any:
    signatures = {} if meta is None else meta.signature_def
    usual = "serving_default" if len(signatures) != 1 else next(iter(signatures))
    if name is not None and name not in signatures:
        known = ", ".join(sorted(signatures)) or "none"
        raise ValueError(f"There is no signature {name!r}; there are: {known}")
    # Looking up a key that a map of messages lacks would add it.
    return signatures[name or usual] if (name or usual) in signatures else None  # noqa: SIM401


def _tensors(graph: Any, infos: Any) -> dict[str, Tensor]:
    return {key: graph.as_graph_element(infos[key].name) for key in sorted(infos)}


def _placeholders(graph: Any) -> dict[str, Tensor]:
    found = [op for op in graph.get_operations() if op.type.startswith("Placeholder")]
    return {op.name: op.outputs[0] for op in found if op.outputs[0].dtype not in _OBJECTS}


def _hands_on(op: Any) -> bool:
    """Whether an operation gives a variable as it is, or the predicate of a conditional."""
    source = op._inputs[0]._op if op.type == "Identity" else op
    return source.type in ("Switch", "RefSwitch") or (source is not op and source._spec.source)


def _unused(graph: Any) -> dict[str, Tensor]:
    """What is computed for its own sake: nothing of its operation is used, and it writes nothing;
    what a branch or a loop leaves unused has no value outside of it."""
    operations = graph.get_operations()
    used = {tensor._op for op in operations for tensor in op._inputs}
    found = [
        op
        for op in operations
        if op not in used
        and not (op._spec.source or op._spec.writes)
        and op._get_control_flow_context() is None
        and not _hands_on(op)
    ]
    return {
        tensor.name: tensor
        for op in found
        for tensor in op.outputs
        if tensor.dtype.base_dtype not in _OBJECTS
    }
