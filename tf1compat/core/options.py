"""Switches of tf1compat itself: behaviour of other TF releases than 1.15."""

from __future__ import annotations

import os
import re

# TF 1.15 treats integer and boolean tensors as constants when it differentiates. Releases before
# 1.8 walked through them, so `tf.gradients` also gave gradients with respect to integer tensors.
# True brings that back.
integer_gradients: bool = os.environ.get("TF1COMPAT_INTEGER_GRADIENTS", "0") not in ("", "0")


# The release that programs are told they have. With one of TF 2, `tensorflow.compat.v1` has what
# that module of TF 2 has besides TF 1.15's names, as far as there is something behind it.
tf_version: str = os.environ.get("TF1COMPAT_TF_VERSION") or "1.15.5"
if not re.fullmatch(r"\d+\.\d+(\.\w+)*", tf_version):
    raise ValueError(f"TF1COMPAT_TF_VERSION must be like 2.15 or 1.4.0. Received: {tf_version!r}")
if tf_version.count(".") == 1:
    tf_version += ".0"
