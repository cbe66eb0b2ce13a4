"""`tensorflow.python.saved_model.load_v1_in_v2`: a SavedModel of a session as an object."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.eager import lift_to_graph, wrap_function
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.saved_model import (
    function_deserialization,
    loader_impl,
    signature_serialization,
)
from tf1compat.api.training import saver as saver_lib
from tf1compat.api.training import scaffold
from tf1compat.api.training.tracking import tracking
from tf1compat.core import dtypes, ops


class _Initializer(tracking.CapturableResource):
    """What a SavedModel wants to be run at the loading; it is saved again with the object.

    Args:
      init_fn: a function of the paths of files.
      asset_paths: the files.
    """

    def __init__(self, init_fn: Callable[..., Any], asset_paths: list[tracking.TrackableAsset]):
        super().__init__()
        self._asset_paths = asset_paths
        self._init_fn = init_fn

    def _create_resource(self) -> Any:
        return array_ops.placeholder(dtype=dtypes.resource, shape=[], name="unused_resource")

    def _initialize(self) -> Any:
        return self._init_fn(*[path.asset_path for path in self._asset_paths])


class _EagerSavedModelLoader(loader_impl.SavedModelLoader):
    """Loads without a session."""

    def get_meta_graph_def_from_tags(self, tags: Any) -> Any:
        """The meta graph with these tags; the only one if they are None.

        Raises:
          RuntimeError, ValueError: there is none, or there are several.
        """
        if tags is not None:
            return super().get_meta_graph_def_from_tags(tags)
        meta_graphs = self._saved_model.meta_graphs
        if len(meta_graphs) != 1:
            found = [meta_graph.meta_info_def.tags for meta_graph in meta_graphs]
            raise ValueError(
                "Importing a SavedModel with tf.saved_model.load requires a 'tags=' argument if "
                f"there is more than one MetaGraph. Got 'tags=None', but there are {len(found)} "
                f"MetaGraphs in the SavedModel with tag sets {found}. Pass a 'tags=' argument to "
                "load this SavedModel."
            )
        return meta_graphs[0]

    def _restore(self, wrapped: Any, saver: Any) -> None:
        """Restores the variables; in a graph this is what initializes them."""
        definition = saver.saver_def
        graph = wrapped.graph
        file_name = graph.as_graph_element(definition.filename_tensor_name)
        restore = wrapped.prune(
            feeds=[file_name],
            fetches=[file_name, graph.as_graph_element(definition.restore_op_name)],
        )
        initializer, _ = restore(constant_op.constant(self._variables_path))
        if ops.executing_eagerly_outside_functions():
            return
        ops.add_to_collection(ops.GraphKeys.TABLE_INITIALIZERS, initializer)
        is_inside = False
        for variable in graph.get_collection_ref(ops.GraphKeys.GLOBAL_VARIABLES):
            is_inside = is_inside or variable.graph is graph
            variable._initializer_op = initializer
        if is_inside:
            logging.warning(
                "Some variables could not be lifted out of a loaded function. Run the "
                "tf.initializers.tables_initializer() operation to restore these variables."
            )

    def _signatures_of(self, wrapped: Any, meta_graph_def: Any) -> dict[str, Any]:
        """The signatures as functions."""
        found = {}
        for key, signature in meta_graph_def.signature_def.items():
            feeds = [wrapped.graph.as_graph_element(i.name) for i in signature.inputs.values()]
            try:
                function = wrapped.prune(feeds=feeds, fetches=dict(signature.outputs.items()))
            except lift_to_graph.UnliftableError as error:
                text = error.args[0] if error.args else ""
                error.args = (
                    "A SavedModel signature needs an input for each placeholder the signature's "
                    f"outputs use. An output for signature '{key}' depends on a placeholder which "
                    f"is not an input (i.e. the placeholder is not fed a value).\n\n{text}",
                    *error.args[1:],
                )
                raise
            function._arg_keywords = list(signature.inputs)
            function._num_positional_args = 1 if len(feeds) == 1 else 0
            found[key] = function
        return found

    def _wrapped(self, meta_graph_def: Any) -> tuple[Any, Any]:
        """The meta graph as a function without arguments, and its saver."""
        suffix = f"_load_{ops.uid()}"
        library = meta_graph_def.graph_def.library
        functions = function_deserialization.load_function_def_library(library, suffix)
        library.Clear()
        for function in functions.values():
            library.function.add().CopyFrom(function.function_def)
        for node in meta_graph_def.graph_def.node:
            function_deserialization.fix_node_def(node, functions, suffix, "MetaGraph import")
        savers = []

        def imported() -> None:
            savers.append(saver_lib._import_meta_graph_with_return_elements(meta_graph_def)[0])

        wrapped = wrap_function.wrap_function(functools.partial(imported), signature=[])
        return wrapped, savers[0]

    def load_as_object(self, tags: Any) -> Any:
        """The object."""
        meta_graph_def = self.get_meta_graph_def_from_tags(tags)
        wrapped, saver = self._wrapped(meta_graph_def)
        if saver is not None:
            self._restore(wrapped, saver)
        root = tracking.AutoTrackable()
        initializer = self._initializer(wrapped, meta_graph_def)
        initialized, _ = initializer._initialize()
        with ops.init_scope():
            if not ops.executing_eagerly():
                ops.add_to_collection(ops.GraphKeys.TABLE_INITIALIZERS, initialized)
                for variable in wrapped.graph.get_collection_ref(ops.GraphKeys.LOCAL_VARIABLES):
                    variable._initializer_op = initialized
        info = meta_graph_def.meta_info_def
        attributes = {
            "initializer": initializer,
            "asset_paths": initializer._asset_paths,
            "signatures": signature_serialization.create_signature_map(
                self._signatures_of(wrapped, meta_graph_def)
            ),
            "variables": list(wrapped.graph.variables),
            "tensorflow_version": info.tensorflow_version,
            "tensorflow_git_version": info.tensorflow_git_version,
            "graph": wrapped.graph,
            "prune": wrapped.prune,
        }
        for name, value in attributes.items():
            setattr(root, name, value)
        return root

    def _initializer(self, wrapped: Any, meta_graph_def: Any) -> _Initializer:
        with wrapped.graph.as_default():
            init_op = (
                loader_impl.get_init_op(meta_graph_def) or scaffold.Scaffold.default_local_init_op()
            )
            # A tensor that waits for it can be fetched.
            anchor = constant_op.constant(0.0, name="dummy_fetch")
        assets = loader_impl.get_asset_tensors(self._export_dir, meta_graph_def)
        init_fn = wrapped.prune(
            feeds=[wrapped.graph.as_graph_element(name) for name in assets],
            fetches=[anchor, wrapped.graph.as_graph_element(init_op)],
        )
        return _Initializer(init_fn, [tracking.TrackableAsset(path) for path in assets.values()])


def load(export_dir: Any, tags: Any) -> Any:
    """A SavedModel of a session as an object.

    Args:
      export_dir: the folder.
      tags: the tags of the meta graph; None for the only one.
    """
    return _EagerSavedModelLoader(export_dir).load_as_object(tags)
