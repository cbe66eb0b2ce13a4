"""What op types mean: shape functions, lowerings, gradients, facts.  Importing this package
registers them all."""

import importlib
import pkgutil

from tf1compat.backend.twins import Twins
from tf1compat.core import op_registry, shape_inference
from tf1compat.kernels.framework import fallback

shape_inference.fallback = fallback.infer_shapes
twins = Twins(__name__, op_registry.__name__, ("lower", "numpy", "stacked"))
op_registry.twins = twins.rules

_LIBRARIES = f"{__name__}.libraries."  # imported when they are asked for
for _module in pkgutil.walk_packages(__path__, f"{__name__}."):
    if not _module.name.startswith(_LIBRARIES):
        importlib.import_module(_module.name)
