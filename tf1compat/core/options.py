"""Switches of tf1compat itself: behaviour of other TF releases than 1.15."""

from __future__ import annotations

import os

# TF 1.15 treats integer and boolean tensors as constants when it differentiates. Releases before
# 1.8 walked through them, so `tf.gradients` also gave gradients with respect to integer tensors.
# True brings that back.
integer_gradients: bool = os.environ.get("TF1COMPAT_INTEGER_GRADIENTS", "0") not in ("", "0")
