"""`tensorflow.python.distribute.model_combinations`: models to combine with strategies."""

from __future__ import annotations

from tf1compat.api.distribute import combinations
from tf1compat.api.distribute.model_collection import simple_models


def _named(kind: type) -> combinations.NamedObject:
    return combinations.NamedObject(kind.__name__, kind())


simple_functional_model = _named(simple_models.SimpleFunctionalModel)
simple_sequential_model = _named(simple_models.SimpleSequentialModel)
simple_subclass_model = _named(simple_models.SimpleSubclassModel)
simple_tfmodule_model = _named(simple_models.SimpleTFModuleModel)
