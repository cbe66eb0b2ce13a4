"""The two PyPI packages that TF 1.15 takes parts of Keras from, and what it hands them."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any

from tf1compat.core import export


class _PublicNames:
    """The public names below a prefix as attributes, as the module `tf.<prefix>` has them."""

    def __init__(self, prefix: str):
        self._prefix = prefix

    def __getattr__(self, name: str) -> Any:
        dotted_name = f"{self._prefix}.{name}"
        try:
            return export.find(dotted_name)
        except KeyError:
            raise AttributeError(f"tf1compat has no tf.{dotted_name}") from None


KERAS_MODULES = {
    name: _PublicNames(f"keras.{name}") for name in ("backend", "layers", "models", "utils")
}


def module(name: str) -> ModuleType:
    """A module of these packages, imported.

    Args:
      name: e.g. "keras_applications.mobilenet".

    Raises:
      MissingPackageError: the package is not installed; the message says how to install it.
    """
    package = name.partition(".")[0]
    try:
        imported = importlib.import_module(package)
        if package == "keras_preprocessing":
            # Its module `image` looks for them when it is imported.
            imported.set_keras_submodules(KERAS_MODULES["backend"], KERAS_MODULES["utils"])
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        raise export.MissingPackageError(
            f"tf.keras takes this from the package {package}: pip install 'tf1compat[keras]' "
            f"({error})"
        ) from error
