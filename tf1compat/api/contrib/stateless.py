"""`tf.contrib.stateless`: random numbers that depend on nothing but their seed."""

from __future__ import annotations

from tf1compat.api.random import random_ops
from tf1compat.core.export import export_constant

for _name in (
    "stateless_multinomial",
    "stateless_random_normal",
    "stateless_random_uniform",
    "stateless_truncated_normal",
):
    export_constant(f"contrib.stateless.{_name}", getattr(random_ops, _name))
