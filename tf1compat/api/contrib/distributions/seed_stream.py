"""`tf.contrib.distributions.SeedStream`."""

from __future__ import annotations

import hashlib
from typing import Any

from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export


@tf_export("contrib.distributions.SeedStream")
class SeedStream:
    """Seeds that are different at each call, and different for each salt.

    Args:
      seed: an int, another stream whose seed is taken, or None for seeds of None.
      salt: a word that names who draws.
    """

    def __init__(self, seed: int, salt: Any) -> None:
        self._seed = seed.original_seed if isinstance(seed, SeedStream) else seed
        self._salt = salt
        self._counter = 0

    def __call__(self) -> int | None:
        """The next seed."""
        self._counter += 1
        if self._seed is None:
            return None
        text = str((self._seed, self._counter, self._salt))
        return int(hashlib.sha512(text.encode()).hexdigest(), 16)

    original_seed = attribute("_seed", "The seed that the stream was made with.")
    salt = attribute("_salt", "The salt that the stream was made with.")
