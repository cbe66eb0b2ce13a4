"""The messages of TF's session bundles (manifest.proto): signatures and assets."""

from __future__ import annotations

from typing import Any

from tf1compat.formats.message_tables import messages

_MESSAGES = {
    "Signatures": "default_signature:1:Signature named_signatures:2:Signature{string}",
    "TensorBinding": "tensor_name:1:string",
    "AssetFile": "tensor_binding:1:TensorBinding filename:2:string",
    "Signature": (
        "regression_signature:1:RegressionSignature@type "
        "classification_signature:2:ClassificationSignature@type "
        "generic_signature:3:GenericSignature@type"
    ),
    "RegressionSignature": "input:1:TensorBinding output:2:TensorBinding",
    "ClassificationSignature": (
        "input:1:TensorBinding classes:2:TensorBinding scores:3:TensorBinding"
    ),
    "GenericSignature": "map:1:TensorBinding{string}",
}


def __getattr__(name: str) -> Any:
    if name not in _MESSAGES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    # The package is TF's: its name is written into files, by `Any`.
    globals().update(messages("session_bundle_manifest", "tensorflow.serving", _MESSAGES, {}))
    return globals()[name]
