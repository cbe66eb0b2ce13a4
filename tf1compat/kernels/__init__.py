"""What op types mean: shape functions, lowerings, gradients, facts.  Importing this package
registers them all."""

import importlib
import pkgutil

from tf1compat.backend.twins import Twins
from tf1compat.core import op_registry, shape_inference
from tf1compat.kernels import fallback

shape_inference.fallback = fallback.infer_shapes
twins = Twins(__name__, op_registry.__name__, ("lower", "numpy"))
op_registry.twins = twins.rules

for _module in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_module.name}")
