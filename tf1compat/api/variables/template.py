"""`tf.make_template`: functions that share the variables that their first call makes."""

from __future__ import annotations

import functools
import itertools
import traceback
from collections.abc import Callable
from typing import Any

from tf1compat.api.functions import function
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.training.tracking import base, util
from tf1compat.api.util.deprecation import deprecated
from tf1compat.api.variables import variable_scope
from tf1compat.core import export, ops
from tf1compat.core.attribute import attribute
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
    return make_template_internal(
        name_, func_, create_scope_now_, unique_name_, custom_getter_, **kwargs
    )


def make_template_internal(
    name_: str,
    func_: Callable[..., Any],
    create_scope_now_: bool = False,
    unique_name_: str | None = None,
    custom_getter_: Callable[..., Any] | None = None,
    create_graph_function_: bool = False,
    **kwargs: Any,
) -> Template:
    """`make_template`, whose function may become a graph function.

    Args:
      create_graph_function_: whether `func_` is called as `tf.contrib.eager.defun` makes it.
      The others are as in `make_template`.

    Returns:
      A `Template`; an `EagerTemplate` in eager execution.

    Raises:
      ValueError: `name_` is None, or `unique_name_` is given in eager execution.
    """
    if kwargs:
        func_ = functools.wraps(func_)(functools.partial(func_, **kwargs))
    if not ops.executing_eagerly():
        return Template(
            name_, func_, create_scope_now_, unique_name_, custom_getter_, create_graph_function_
        )
    if unique_name_ is not None:
        raise ValueError("unique_name_ cannot be used when eager exeuction is enabled.")
    return EagerTemplate(name_, func_, create_scope_now_, custom_getter_, create_graph_function_)


@export.internal_class("tensorflow.python.ops.template")
class Template(base.Trackable):
    """A function with variables of its own; see `make_template`.

    Args:
      name: the name of the scope; made unique.
      func: the function.
      create_scope_now: whether the scope's name is taken now, not at the first call.
      unique_name: the scope's name, exactly.
      custom_getter: as in `tf.variable_scope`.
      create_graph_function: whether `func` is called as a graph function.

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
        create_graph_function: bool = False,
    ):
        if name is None:
            raise ValueError("name cannot be None.")
        self._func = function.defun(func) if create_graph_function else func
        # For error texts: where the template was made, without the frames of this module.
        self._stack = [line for line in traceback.format_stack() if __file__ not in line]
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
        trainable_before = list(self._all(ops.GraphKeys.TRAINABLE_VARIABLES))
        before = list(self._all(ops.GraphKeys.GLOBAL_VARIABLES))
        result = self._func(*args, **kwargs)
        trainable = _new(self._all(ops.GraphKeys.TRAINABLE_VARIABLES), trainable_before)
        if trainable:
            raise ValueError(f"Trainable variable {_TOO_LATE}{trainable}")
        others = _new(self._all(ops.GraphKeys.GLOBAL_VARIABLES), before)
        if others:
            logging.info(f"New variables {_TOO_LATE}%s", others)
        return result

    def _all(self, key: str) -> list[Any]:
        """All variables of a collection, where a call might add some."""
        return ops.get_collection_ref(key)

    name: str = attribute("_name", "The name that the template was made with.")
    func: Callable[..., Any] = attribute("_func", "The function.")
    variable_scope: variable_scope.VariableScope | None = attribute(
        "_variable_scope", "The scope of the variables; None before it is made."
    )

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
        return _new(self.global_variables, self.trainable_variables)

    weights: list[Any] = attribute("variables", "The variables, as layers call them.")
    trainable_weights: list[Any] = attribute(
        "trainable_variables", "The trainable variables, as layers call them."
    )
    non_trainable_weights: list[Any] = attribute(
        "non_trainable_variables", "The variables that are not trainable, as layers call them."
    )


class EagerTemplate(Template):
    """A template in eager execution, which keeps its variables itself; see `make_template`.

    Args:
      name, func, create_scope_now, custom_getter, create_graph_function: as for `Template`.

    Raises:
      RuntimeError: not in eager execution.
    """

    def __init__(
        self,
        name: str,
        func: Callable[..., Any],
        create_scope_now: bool = False,
        custom_getter: Callable[..., Any] | None = None,
        create_graph_function: bool = False,
    ):
        if not ops.executing_eagerly():
            raise RuntimeError(
                f"{type(self)} objects can only be used when eager execution is enabled, use "
                "tf.Template for graph construction"
            )
        super().__init__(
            name,
            func,
            create_scope_now,
            custom_getter=custom_getter,
            create_graph_function=create_graph_function,
        )
        # What a template inside of another one makes is the outer one's, too.
        outer = variable_scope._get_default_variable_store()
        self._store = variable_scope.EagerVariableStore(outer if outer.keeps_eager else None)

    def _call(self, args: Any, kwargs: Any) -> Any:
        assert self._variable_scope is not None
        try:
            with self._store.as_default():
                return super()._call(args, kwargs)
        finally:
            # The scopes inside are counted where the store of the caller is.
            scopes = variable_scope.get_variable_scope_store()
            scopes.close_variable_subscopes(self._variable_scope.name)

    def _all(self, key: str) -> list[Any]:
        return self._of_collection(key)

    def _of_collection(self, key: str) -> list[Any]:
        if not self._variables_created or key == ops.GraphKeys.LOCAL_VARIABLES:
            return []
        if key == ops.GraphKeys.TRAINABLE_VARIABLES:
            found = self._store.trainable_variables()
        else:
            found = self._store.variables()
        prefix = self.variable_scope_name or ""
        return [variable for variable in found if variable.name.startswith(prefix)]


def _new(variables: list[Any], before: list[Any]) -> list[Any]:
    known = {id(variable) for variable in before}
    return [variable for variable in variables if id(variable) not in known]


def _own_part(stack: list[str], other: list[str]) -> list[str]:
    """The frames of `stack` from the first on that `other` does not share; at least the last."""
    shared = sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], zip(stack, other)))
    return stack[shared:] if shared < min(len(stack), len(other)) else stack[-1:]
