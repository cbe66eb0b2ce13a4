"""The messages that TF 1.15 offers under public names, as the tensorboard package ships them."""

from __future__ import annotations

from tf1compat.core import protos
from tf1compat.core.export import export_constant
from tf1compat.formats import MESSAGES

for _name, (_module, _message) in MESSAGES.items():
    _found = protos.load(_module, _message)
    if _found is not None:
        export_constant(_name, _found)
