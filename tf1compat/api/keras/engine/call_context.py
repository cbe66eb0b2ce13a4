"""Which layer is being called, and with what."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from typing import Any


class CallContext(threading.local):
    """The innermost layer call of a thread.

    Attributes:
      in_call: whether there is one.
      inputs: its inputs.
      training: the `training` argument that it was given, for the layers inside it.
      frozen: whether it, or a layer around it, is not trainable.
    """

    def __init__(self) -> None:
        super().__init__()
        self.in_call = False
        self.inputs: Any = None
        self.training: Any = None
        self.frozen = False

    @contextlib.contextmanager
    def enter(self, layer: Any, inputs: Any, training: Any) -> Iterator[None]:
        """The call of `layer` during the `with` block."""
        before = self.in_call, self.inputs, self.training, self.frozen
        frozen = self.frozen or not layer.trainable
        self.in_call, self.inputs, self.training, self.frozen = True, inputs, training, frozen
        try:
            yield
        finally:
            self.in_call, self.inputs, self.training, self.frozen = before


call_context = CallContext()
