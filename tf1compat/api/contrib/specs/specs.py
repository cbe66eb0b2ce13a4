"""Networks of specs (`tensorflow.contrib.specs.python.specs`)."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from tf1compat.api.contrib.specs import params_ops, specs_lib, specs_ops


def _bindings(text: str, names: Any, environment: dict[str, Any] | None) -> dict[str, Any]:
    specs_lib.check_keywords(text)
    bindings = dict(environment or {})
    exec(text, vars(names), bindings)
    return bindings


def eval_params(params: str, environment: dict[str, Any] | None = None) -> dict[str, Any]:
    """The values of parameters, written as assignments ("n=64; d=Ui(1, 5)").

    Args:
      params: the assignments, of which `params_ops` has the names.
      environment: other names that they may use.

    Returns:
      The environment and what was assigned.

    Raises:
      ValueError: it has statements that specs may not have.
    """
    return _bindings(params, params_ops, environment)


def eval_spec(spec: str, environment: dict[str, Any] | None = None) -> dict[str, Any]:
    """What a spec assigns ("left = Cr(64, [5, 5]); right = Fr(64)"); see `eval_params`."""
    return _bindings(spec, specs_ops, environment)


def create_net_fun(spec: str, environment: dict[str, Any] | None = None) -> Callable[[Any], Any]:
    """The function of a tensor that a spec assigns to `net`.

    Raises:
      ValueError: it assigns none.
    """
    net = eval_spec(spec, environment).get("net")
    if net is None:
        raise ValueError(f"spec failed to create 'net': {spec}")
    return net.funcall


def create_net(spec: str, inputs: Any, environment: dict[str, Any] | None = None) -> Any:
    """What the function of a spec gives for a tensor; see `create_net_fun`."""
    return create_net_fun(spec, environment)(inputs)


class LocalImport:
    """Gives names to the module around a `with` statement while it lasts.

    Args:
      names: a dict, or a module.
    """

    def __init__(self, names: Any):
        self.names: dict[str, Any] = names if isinstance(names, dict) else vars(names)

    def __enter__(self) -> None:
        self._globals = sys._getframe(1).f_globals
        self.old = {name: self._globals.get(name) for name in self.names}
        self._globals.update(self.names)

    def __exit__(self, *exc_info: Any) -> None:
        self._globals.update(self.old)
        for name, value in self.old.items():
            if value is None:
                del self._globals[name]


ops = LocalImport(specs_ops)
