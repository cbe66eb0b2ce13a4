"""What stands around the bodies of functions that are converted by the toolbox."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.autograph.core.converter import Feature
from tf1compat.api.autograph.impl import api


class FunctionScope(api.FunctionScope):
    """Context manager around the body of a function.

    Args:
      function_name: the function's name.
      scope_name: the name by which the function knows this.
      options: `ConversionOptions`.
    """

    def __init__(self, function_name: str, scope_name: str, options: Any):
        super().__init__(function_name, options)
        self.name = scope_name
        self.use_name_scope = options.uses(Feature.NAME_SCOPES)
        self.use_auto_deps = options.uses(Feature.AUTO_CONTROL_DEPS)


def with_function_scope(thunk: Callable[[Any], Any], scope_name: str, options: Any) -> Any:
    """What a lambda's body gives within a scope.

    Args:
      thunk: the body, as a function of the scope.
      scope_name: the name by which it knows the scope.
      options: `ConversionOptions`.

    Returns:
      What the body gives.
    """
    with FunctionScope("lambda_", scope_name, options) as scope:
        return thunk(scope)
