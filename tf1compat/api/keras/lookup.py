"""Initializers, regularizers and constraints as layers take them: by name, or callables."""

from __future__ import annotations

from tf1compat.api.keras.constraints import get as constraint
from tf1compat.api.keras.initializers import get as initializer
from tf1compat.api.keras.regularizers import get as regularizer

__all__ = ["constraint", "initializer", "regularizer"]
