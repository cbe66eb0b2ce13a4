"""`tf.make_template`: functions that share the variables that their first call makes."""

from __future__ import annotations

import functools
import itertools
import traceback
from collections.abc import Callable
from typing import Any

from tf1compat.api import variable_scope
from tf1compat.api.deprecation import deprecated
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.training.tracking import base
from tf1compat.core import ops
from tf1compat.core.export import tf_export

_TOO_LATE = (
    "created when calling a template after the first time, perhaps you used tf.Variable when you "
    "meant tf.get_variable: "
)


@tf_export("make_template")
def make_template(
    name_: str,
    func_: Callable[..., Any],
    create_scope_now_: bool = False,
    unique_name_: str | None = None,
    custom_getter_: Callable[..., Any] | None = None,
    **kwargs: Any,
) -> Template:
    """Wraps a function so that all its calls use the same variables.

    The first call makes the variables (with `tf.get_variable`), under a scope of their own; later
    calls reuse them.

    Args:
      name_: the name of the scope; made unique.
      func_: the function.
      create_scope_now_: whether the scope's name is taken now, not at the first call.
      unique_name_: the scope's name, exactly; calls of several templates of that name share it.
      custom_getter_: as in `tf.variable_scope`.
      **kwargs: arguments to bind to `func_`.

    Returns:
      A `Template`, to be called as `func_` without the bound arguments.

    Raises:
      ValueError: `name_` is None.
    """
    if kwargs:
        func_ = functools.partial(func_, **kwargs)
    return Template(
        name_,
        func_,
        create_scope_now=create_scope_now_,
        unique_name=unique_name_,
        custom_getter=custom_getter_,
    )


class Template(base.Trackable):
    """A function with variables of its own; see `make_template`.

    Args:
      name: the name of the scope; made unique.
      func: the function.
      create_scope_now: whether the scope's name is taken now, not at the first call.
      unique_name: the scope's name, exactly.
      custom_getter: as in `tf.variable_scope`.

    Raises:
      ValueError: `name` is None.
    """

    def __init__(
        self,
        name: str,
        func: Callable[..., Any],
        create_scope_now: bool = False,
        unique_name: str | None = None,
        custom_getter: Callable[..., Any] | None = None,
    ):
        if name is None:
            raise ValueError("name cannot be None.")
        self._func = func
        # For error texts: where the template was made, without the frames of this module.
        self._stack = traceback.format_stack()[:-2]
        self._name = name
        self._unique_name = unique_name
        self._custom_getter = custom_getter
        self._variable_scope: variable_scope.VariableScope | None = None
        self._variables_created = False
        self._first_call = True
        if create_scope_now:
            scope_name = unique_name or variable_scope._get_unique_variable_scope(name)
            with variable_scope._pure_variable_scope(
                scope_name, custom_getter=custom_getter
            ) as scope:
                self._variable_scope = scope

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self._variable_scope:
            # A scope that was made in advance has no variables before the first call.
            with variable_scope.variable_scope(self._variable_scope, reuse=not self._first_call):
                return self._call(args, kwargs)
        with variable_scope.variable_scope(
            self._unique_name, self._name, custom_getter=self._custom_getter
        ) as scope:
            self._variable_scope = scope
            return self._call(args, kwargs)

    def _call(self, args: Any, kwargs: Any) -> Any:
        try:
            if self._variables_created:
                return self._call_again(args, kwargs)
            first, self._first_call = self._first_call, False
            try:
                from tf1compat.api.training.tracking import util

                with util.capture_dependencies(self):
                    result = self._func(*args, **kwargs)
            except BaseException:
                self._first_call = first
                raise
            # A call inside the first one does not end it.
            self._variables_created = first
            return result
        except Exception as error:
            text = error.args[0] if error.args else ""
            origin = "".join(_own_part(self._stack, traceback.format_stack()))
            error.args = (f"{text}\n\noriginally defined at:\n{origin}", *error.args[1:])
            raise

    def _call_again(self, args: Any, kwargs: Any) -> Any:
        trainable = ops.get_collection_ref(ops.GraphKeys.TRAINABLE_VARIABLES)
        everything = ops.get_collection_ref(ops.GraphKeys.GLOBAL_VARIABLES)
        trainable_before, before = len(trainable), len(everything)
        result = self._func(*args, **kwargs)
        if len(trainable) != trainable_before:
            raise ValueError(f"Trainable variable {_TOO_LATE}{trainable[trainable_before:]}")
        if len(everything) != before:
            logging.info(f"New variables {_TOO_LATE}%s", everything[before:])
        return result

    @property
    def name(self) -> str:
        """The name that the template was made with."""
        return self._name

    @property
    def func(self) -> Callable[..., Any]:
        """The function."""
        return self._func

    @property
    def variable_scope(self) -> variable_scope.VariableScope | None:
        """The scope of the variables; None before it is made."""
        return self._variable_scope

    @property
    @deprecated(
        "2017-02-21",
        "The .var_scope property is deprecated. Please change your code to use the "
        ".variable_scope property",
    )
    def var_scope(self) -> variable_scope.VariableScope | None:
        """The older name of `variable_scope`."""
        return self._variable_scope

    @property
    def variable_scope_name(self) -> str | None:
        """The scope's name with a slash at the end; None before it is made."""
        if self._variable_scope is None:
            return None
        name = self._variable_scope.name
        return name if not name or name.endswith("/") else name + "/"

    def _of_collection(self, key: str) -> list[Any]:
        if not self._variables_created:
            return []
        return ops.get_collection(key, self.variable_scope_name)

    @property
    def trainable_variables(self) -> list[Any]:
        """The trainable variables of the template."""
        return self._of_collection(ops.GraphKeys.TRAINABLE_VARIABLES)

    @property
    def global_variables(self) -> list[Any]:
        """The global variables of the template."""
        return self._of_collection(ops.GraphKeys.GLOBAL_VARIABLES)

    @property
    def local_variables(self) -> list[Any]:
        """The local variables of the template."""
        return self._of_collection(ops.GraphKeys.LOCAL_VARIABLES)

    @property
    def variables(self) -> list[Any]:
        """The global and the local variables of the template."""
        return self.global_variables + self.local_variables

    @property
    def non_trainable_variables(self) -> list[Any]:
        """The global variables of the template that are not trainable."""
        trainable = set(self.trainable_variables)
        return [v for v in self.global_variables if v not in trainable]

    @property
    def weights(self) -> list[Any]:
        """The variables, as layers call them."""
        return self.variables

    @property
    def trainable_weights(self) -> list[Any]:
        """The trainable variables, as layers call them."""
        return self.trainable_variables

    @property
    def non_trainable_weights(self) -> list[Any]:
        """The variables that are not trainable, as layers call them."""
        return self.non_trainable_variables


def _own_part(stack: list[str], other: list[str]) -> list[str]:
    """The frames of `stack` from the first on that `other` does not share; at least the last."""
    shared = sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], zip(stack, other)))
    return stack[shared:] if shared < min(len(stack), len(other)) else stack[-1:]
