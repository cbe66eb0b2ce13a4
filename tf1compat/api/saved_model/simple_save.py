"""`tf.saved_model.simple_save`."""

from __future__ import annotations

from typing import Any

from tf1compat.api.saved_model import (
    builder_impl,
    signature_constants,
    signature_def_utils_impl,
    tag_constants,
)
from tf1compat.api.saved_model.utils_impl import _v1_only
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.session_interface import SessionInterface


@tf_export("saved_model.simple_save")
@_v1_only("simple_save")
def simple_save(
    session: SessionInterface,
    export_dir: Any,
    inputs: Any,
    outputs: Any,
    legacy_init_op: Any = None,
) -> None:
    """Writes the graph of a session and its variables, for serving (as in TF 1.15).

    Args:
      session: the session.
      export_dir: the folder, which must be empty or not there.
      inputs, outputs: {name: tensor} of the signature.
      legacy_init_op: an operation to run when it is loaded.
    """
    signature = signature_def_utils_impl.predict_signature_def(inputs, outputs)
    builder = builder_impl.SavedModelBuilder(export_dir)
    builder.add_meta_graph_and_variables(
        session,
        tags=[tag_constants.SERVING],
        signature_def_map={signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY: signature},
        assets_collection=ops.get_collection(ops.GraphKeys.ASSET_FILEPATHS),
        main_op=legacy_init_op,
        clear_devices=True,
    )
    builder.save()
