"""The messages that TF 1.15 offers under public names, as the tensorboard package ships them."""

from __future__ import annotations

import importlib

from tf1compat.core.export import export_constant
from tf1compat.formats import MESSAGES

for _name, (_module, _message) in MESSAGES.items():
    _found = getattr(importlib.import_module(f"tensorboard.compat.proto.{_module}"), _message, None)
    if _found is not None:
        export_constant(_name, _found)
