"""tf.contrib: a module or package of this folder for each of its parts, loaded on first use."""

from __future__ import annotations

import pkgutil

from tf1compat.core.export import export_lazy

for _part in pkgutil.iter_modules(__path__):
    export_lazy(f"contrib.{_part.name}", f"{__name__}.{_part.name}")
