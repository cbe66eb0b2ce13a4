"""The tags of a SavedModel's meta graphs."""

from __future__ import annotations

from tf1compat.core.export import export_constant

SERVING = "serve"
TRAINING = "train"
EVAL = "eval"
GPU = "gpu"
TPU = "tpu"

for _name in ("GPU", "SERVING", "TPU", "TRAINING"):
    export_constant(f"saved_model.{_name}", globals()[_name])
    export_constant(f"saved_model.tag_constants.{_name}", globals()[_name])
