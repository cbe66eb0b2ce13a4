"""`tf.variable_scope` and `tf.get_variable`: variables by name, made on first use and shared
after.
"""

from __future__ import annotations

import contextlib
import copy
import enum
import functools
import threading
from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import Any

from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.util.deprecation import deprecated
from tf1compat.api.variables import ref_variable, resource_variable_ops, variable_store, variables
from tf1compat.core import context, dtypes, ops
from tf1compat.core.export import export_constant, tf_export
from tf1compat.core.typing import DTypeLike, Initializer, Regularizer, ShapeLike

VariableSynchronization = variables.VariableSynchronization
VariableAggregation = variables.VariableAggregation
_VariableStore = variable_store.VariableStore
_PartitionInfo = variable_store._PartitionInfo
_get_default_variable_store = variable_store._get_default_variable_store
EagerVariableStore = variable_store.EagerVariableStore
with_variable_store = variable_store.with_variable_store
variable = variables.VariableV1


class _ReuseMode(enum.Enum):
    """How `tf.get_variable` treats an existing variable, beyond True and False."""

    # Get the variable if it exists, else make it.
    AUTO_REUSE = 1


AUTO_REUSE = _ReuseMode.AUTO_REUSE
export_constant("AUTO_REUSE", AUTO_REUSE)


@tf_export("enable_resource_variables")
def enable_resource_variables() -> None:
    """Makes `tf.Variable` and `tf.get_variable` create resource variables by default."""
    variable_store.use_resource_by_default = True


@tf_export("disable_resource_variables")
@deprecated(None, "non-resource variables are not supported in the long term")
def disable_resource_variables() -> None:
    """Makes `tf.Variable` and `tf.get_variable` create reference variables by default: TF 1.15's
    default.
    """
    variable_store.use_resource_by_default = False


@tf_export("resource_variables_enabled")
def resource_variables_enabled() -> bool:
    """Whether variables are resource variables by default."""
    return variable_store.use_resource_by_default


@tf_export("no_regularizer")
def no_regularizer(_: Any) -> None:
    """A regularizer that adds no loss; keeps an outer scope's regularizer away.

    Args:
      _: the variable, which is not read.
    """
    return None


@tf_export("VariableScope")
class VariableScope:
    """The defaults of `tf.get_variable` inside a `tf.variable_scope`.

    Args:
      reuse: False: variables must be new; True: they must exist; AUTO_REUSE: either.
      name: prefix of the variables' names.
      initializer, regularizer, caching_device, partitioner, custom_getter, dtype, use_resource,
        constraint: the defaults of `tf.get_variable`'s arguments of those names.
      name_scope: the name scope that was opened with this scope.
    """

    def __init__(
        self,
        reuse: Any,
        name: str = "",
        initializer: Initializer | None = None,
        regularizer: Regularizer | None = None,
        caching_device: Any = None,
        partitioner: Any = None,
        custom_getter: Callable[..., Any] | None = None,
        name_scope: str = "",
        dtype: DTypeLike = dtypes.float32,
        use_resource: bool | None = None,
        constraint: Any = None,
    ):
        self._name = name
        self._initializer = initializer
        self._regularizer = regularizer
        self._reuse = reuse
        self._caching_device = caching_device
        self._partitioner = partitioner
        self._custom_getter = custom_getter
        self._name_scope = name_scope
        self._dtype = dtype
        self._use_resource = use_resource
        self._constraint = constraint

    name = property(attrgetter("_name"), doc="The prefix of the variables' names.")
    original_name_scope = property(
        attrgetter("_name_scope"),
        doc='The name scope that was opened with this scope, e.g. "net/".',
    )
    reuse = property(
        attrgetter("_reuse"),
        doc="Whether variables must be new (False), must exist (True) or may be either "
        "(AUTO_REUSE).",
    )
    initializer = property(attrgetter("_initializer"), doc="The default initializer.")
    dtype = property(attrgetter("_dtype"), doc="The default element type.")
    use_resource = property(attrgetter("_use_resource"), doc="Whether resource variables are made.")
    regularizer = property(attrgetter("_regularizer"), doc="The default regularizer.")
    caching_device = property(attrgetter("_caching_device"), doc="The default caching device.")
    partitioner = property(attrgetter("_partitioner"), doc="The default partitioner.")
    custom_getter = property(attrgetter("_custom_getter"), doc="The default custom getter.")
    constraint = property(attrgetter("_constraint"), doc="The default constraint.")

    def reuse_variables(self) -> None:
        """From now on variables must exist."""
        self._reuse = True

    def set_initializer(self, initializer: Initializer) -> None:
        """Sets the default initializer."""
        self._initializer = initializer

    def set_dtype(self, dtype: DTypeLike) -> None:
        """Sets the default element type."""
        self._dtype = dtype

    def set_use_resource(self, use_resource: bool | None) -> None:
        """Sets whether resource variables are made."""
        self._use_resource = use_resource

    def set_regularizer(self, regularizer: Regularizer) -> None:
        """Sets the default regularizer."""
        self._regularizer = regularizer

    def set_caching_device(self, caching_device: Any) -> None:
        """Sets the default caching device."""
        self._caching_device = caching_device

    def set_partitioner(self, partitioner: Any) -> None:
        """Sets the default partitioner."""
        self._partitioner = partitioner

    def set_custom_getter(self, custom_getter: Callable[..., Any]) -> None:
        """Sets the default custom getter."""
        self._custom_getter = custom_getter

    def get_collection(self, name: Any) -> list[Any]:
        """The items of collection `name` that belong to this scope."""
        return ops.get_collection(name, f"{self._name}/" if self._name else "")

    def trainable_variables(self) -> list[Any]:
        """The trainable variables of this scope."""
        return self.get_collection(ops.GraphKeys.TRAINABLE_VARIABLES)

    def global_variables(self) -> list[Any]:
        """The global variables of this scope."""
        return self.get_collection(ops.GraphKeys.GLOBAL_VARIABLES)

    def local_variables(self) -> list[Any]:
        """The local variables of this scope."""
        return self.get_collection(ops.GraphKeys.LOCAL_VARIABLES)

    def get_variable(
        self,
        var_store: variable_store.VariableStore,
        name: str,
        shape: ShapeLike | None = None,
        dtype: DTypeLike | None = None,
        initializer: Initializer | None = None,
        regularizer: Regularizer | None = None,
        reuse: Any = None,
        trainable: bool | None = None,
        collections: Any = None,
        caching_device: Any = None,
        partitioner: Any = None,
        validate_shape: bool = True,
        use_resource: bool | None = None,
        custom_getter: Callable[..., Any] | None = None,
        constraint: Any = None,
        synchronization: Any = VariableSynchronization.AUTO,
        aggregation: Any = VariableAggregation.NONE,
    ) -> Any:
        """As `tf.get_variable` inside this scope, with the variables of `var_store`."""

        def own(value: Any, default: Any) -> Any:
            return default if value is None else value

        # The names of variables come from variable scopes alone.
        with ops.name_scope(None):
            if dtype is not None and initializer is not None and not callable(initializer):
                init_dtype = ops.convert_to_tensor(initializer).dtype.base_dtype
                if init_dtype != dtype:
                    raise ValueError(
                        f"Initializer type '{init_dtype}' and explicit dtype '{dtype}' don't match."
                    )
            return var_store.get_variable(
                self._name + "/" + name if self._name else name,
                shape=shape,
                dtype=own(dtype, self._dtype),
                initializer=own(initializer, self._initializer),
                regularizer=own(regularizer, self._regularizer),
                # Eager code has no reuse of its own: the store has its variables or forgets them.
                reuse=False if ops.executing_eagerly() else own(reuse, self._reuse),
                trainable=trainable,
                collections=collections,
                caching_device=own(caching_device, self._caching_device),
                partitioner=own(partitioner, self._partitioner),
                validate_shape=validate_shape,
                use_resource=own(use_resource, self._use_resource),
                custom_getter=own(custom_getter, self._custom_getter),
                constraint=own(constraint, self._constraint),
                synchronization=synchronization,
                aggregation=aggregation,
            )

    def _get_partitioned_variable(
        self,
        var_store: variable_store.VariableStore,
        name: str | None,
        partitioner: Any,
        shape: ShapeLike,
        dtype: DTypeLike | None,
        initializer: Initializer | None,
        trainable: bool,
        collections: Any,
    ) -> Any:
        if self._custom_getter is not None:
            raise ValueError(
                "Private access to _get_partitioned_variable is not allowed when a custom getter "
                f"is set.  Current custom getter: {self._custom_getter}.  It is likely that you're "
                "using create_partitioned_variables.  If so, consider instead using get_variable "
                "with a non-empty partitioner parameter instead."
            )
        with ops.name_scope(None):
            return var_store._get_partitioned_variable(
                "/".join(part for part in (self._name, name) if part),
                partitioner,
                shape=shape,
                dtype=self._dtype if dtype is None else dtype,
                initializer=self._initializer if initializer is None else initializer,
                reuse=self._reuse,
                regularizer=self._regularizer,
                trainable=trainable,
                collections=collections,
                caching_device=self._caching_device,
                use_resource=self._use_resource,
                constraint=self._constraint,
            )


# The scopes live in the graph's collections, under a key that is no string and so is not exported.
_VARSCOPESTORE_KEY = ("__varscope",)


class _VariableScopeStore(threading.local):
    """The current variable scope of a graph, per thread, and how often each scope name was
    opened.
    """

    def __init__(self) -> None:
        super().__init__()
        self.current_scope = VariableScope(False)
        self.variable_scopes_count: dict[str, int] = {}

    def open_variable_scope(self, scope_name: str) -> None:
        self.variable_scopes_count[scope_name] = self.variable_scope_count(scope_name) + 1

    def close_variable_subscopes(self, scope_name: str | None) -> None:
        """Default names inside the scope start over when it is left."""
        for name in self.variable_scopes_count:
            if scope_name is None or name.startswith(scope_name + "/"):
                self.variable_scopes_count[name] = 0

    def variable_scope_count(self, scope_name: str) -> int:
        return self.variable_scopes_count.get(scope_name, 0)


def get_variable_scope_store() -> _VariableScopeStore:
    """The variable scopes of the default graph."""
    return variable_store.kept_in_graph(_VARSCOPESTORE_KEY, _VariableScopeStore)


@tf_export("get_variable_scope")
def get_variable_scope() -> VariableScope:
    """The current variable scope.

    Returns:
      A `VariableScope`.
    """
    return get_variable_scope_store().current_scope


@tf_export("get_variable")
def get_variable(
    name: str,
    shape: ShapeLike | None = None,
    dtype: DTypeLike | None = None,
    initializer: Initializer | None = None,
    regularizer: Regularizer | None = None,
    trainable: bool | None = None,
    collections: Any = None,
    caching_device: Any = None,
    partitioner: Any = None,
    validate_shape: bool = True,
    use_resource: bool | None = None,
    custom_getter: Callable[..., Any] | None = None,
    constraint: Any = None,
    synchronization: Any = VariableSynchronization.AUTO,
    aggregation: Any = VariableAggregation.NONE,
) -> Any:
    """Gets the variable of that name in the current variable scope, or makes it.

    Args left None take the current scope's default, if it has one.

    Args:
      name: the name inside the scope.
      shape: the shape; None if `initializer` is a tensor.
      dtype: the element type, float32 by default.
      initializer: a function of shape and dtype, a function of nothing, or a tensor; Glorot uniform
        by default for floats, zeros for integers.
      regularizer: a function of the variable; what it gives joins
        `GraphKeys.REGULARIZATION_LOSSES`.
      trainable, collections, caching_device, constraint, synchronization, aggregation: as in
        `tf.Variable`.
      partitioner: a function of shape and dtype that says into how many parts to cut each
        dimension.
      validate_shape: False allows an initial value of unknown shape.
      use_resource: whether to make a resource variable.
      custom_getter: called in place of the getter proper, which it is given as its first argument.

    Returns:
      A variable, or a `PartitionedVariable`.

    Raises:
      ValueError: the variable exists and must not, or the reverse; or it has another shape or type.
    """
    return get_variable_scope().get_variable(
        _get_default_variable_store(),
        name,
        shape=shape,
        dtype=dtype,
        initializer=initializer,
        regularizer=regularizer,
        trainable=trainable,
        collections=collections,
        caching_device=caching_device,
        partitioner=partitioner,
        validate_shape=validate_shape,
        use_resource=use_resource,
        custom_getter=custom_getter,
        constraint=constraint,
        synchronization=synchronization,
        aggregation=aggregation,
    )


@tf_export("get_local_variable")
def get_local_variable(
    name: str,
    shape: ShapeLike | None = None,
    dtype: DTypeLike | None = None,
    initializer: Initializer | None = None,
    regularizer: Regularizer | None = None,
    trainable: bool = False,
    collections: Any = None,
    caching_device: Any = None,
    partitioner: Any = None,
    validate_shape: bool = True,
    use_resource: bool | None = None,
    custom_getter: Callable[..., Any] | None = None,
    constraint: Any = None,
    synchronization: Any = VariableSynchronization.AUTO,
    aggregation: Any = VariableAggregation.NONE,
) -> Any:
    """As `tf.get_variable`, for a local variable: never trainable, in
    `GraphKeys.LOCAL_VARIABLES`.

    Args:
      name, shape, dtype, initializer, regularizer, trainable, collections, caching_device,
        partitioner, validate_shape, use_resource, custom_getter, constraint, synchronization,
        aggregation: as in `tf.get_variable`; `trainable` is ignored.
      name, shape, dtype, initializer, regularizer, trainable, collections, caching_device,
        partitioner, validate_shape, use_resource, custom_getter, constraint, synchronization: as in
        `tf.get_variable`.

    Returns:
      The variable.
    """
    return get_variable(
        name,
        shape=shape,
        dtype=dtype,
        initializer=initializer,
        regularizer=regularizer,
        trainable=False,
        collections=[*(collections or ()), ops.GraphKeys.LOCAL_VARIABLES],
        caching_device=caching_device,
        partitioner=partitioner,
        validate_shape=validate_shape,
        use_resource=use_resource,
        custom_getter=custom_getter,
        constraint=constraint,
        synchronization=synchronization,
        aggregation=aggregation,
    )


def _get_partitioned_variable(**arguments: Any) -> Any:
    """The parts of `tf.create_partitioned_variables`."""
    scope = get_variable_scope()
    return scope._get_partitioned_variable(_get_default_variable_store(), **arguments)

    # One object for every time this scope is entered: what a user sets on it stays set.


_INHERITED = (
    "initializer",
    "regularizer",
    "caching_device",
    "partitioner",
    "custom_getter",
    "dtype",
    "use_resource",
)


class _pure_variable_scope:
    """A variable scope without the name scope.

    Args:
      name_or_scope: a name to go into, or a scope to go back to.
      old_name_scope: the name scope that goes with it.
      The others are as in `tf.variable_scope`.
    """

    def __init__(
        self,
        name_or_scope: str | VariableScope,
        reuse: Any = None,
        initializer: Initializer | None = None,
        regularizer: Regularizer | None = None,
        caching_device: Any = None,
        partitioner: Any = None,
        custom_getter: Callable[..., Any] | None = None,
        old_name_scope: str | None = None,
        dtype: DTypeLike = dtypes.float32,
        use_resource: bool | None = None,
        constraint: Any = None,
    ):
        self._name_or_scope = name_or_scope
        self._reuse = reuse
        self._old_name_scope = old_name_scope
        self._constraint = constraint
        self._own = {
            "initializer": initializer,
            "regularizer": regularizer,
            "caching_device": caching_device,
            "partitioner": partitioner,
            "custom_getter": custom_getter,
            "dtype": dtype,
            "use_resource": use_resource,
        }
        _get_default_variable_store()
        self._scopes = get_variable_scope_store()
        self._entered: Any = None
        if isinstance(name_or_scope, VariableScope):
            # One object for every time this scope is entered: what its user sets on it stays set.
            self._reopened = self._derive(
                name_or_scope,
                name_or_scope.name,
                self._reuse or name_or_scope.reuse,
                name_or_scope.original_name_scope,
            )

    def _derive(self, base: VariableScope, name: str, reuse: Any, name_scope: str) -> VariableScope:
        """A scope with the defaults of `base`, save for those given here."""
        scope = VariableScope(reuse, name=name, name_scope=name_scope, constraint=self._constraint)
        for key in _INHERITED:
            inherited, own = getattr(base, key), self._own[key]
            if key == "custom_getter" and own is not None:
                own = _maybe_wrap_custom_getter(own, inherited)
            setattr(scope, f"_{key}", inherited if own is None else own)
        return scope

    def __enter__(self) -> VariableScope:
        scopes, target = self._scopes, self._name_or_scope
        self._outer = outer = scopes.current_scope
        if isinstance(target, VariableScope):
            scopes.open_variable_scope(target.name)
            self._counts = copy.copy(scopes.variable_scopes_count)
            scope = self._reopened
        else:
            name = f"{outer.name}/{target}" if outer.name else target
            self._reuse = self._reuse or outer.reuse
            name_scope = target if self._old_name_scope is None else self._old_name_scope
            scope = self._derive(outer, name, self._reuse, name_scope)
            scopes.open_variable_scope(name)
        scopes.current_scope = self._entered = scope
        return scope

    def __exit__(self, *exc_info: Any) -> None:
        scopes = self._scopes
        if scopes.current_scope is not self._entered:
            raise RuntimeError("Improper nesting of variable_scope.")
        if isinstance(self._name_or_scope, VariableScope):
            scopes.variable_scopes_count = self._counts
        else:
            scopes.close_variable_subscopes(self._entered.name)
        scopes.current_scope = self._outer


def _maybe_wrap_custom_getter(
    custom_getter: Callable[..., Any], old_getter: Callable[..., Any] | None
) -> Callable[..., Any]:
    """The inner scope's getter, which gets the outer scope's as the getter to call."""
    if old_getter is None:
        return custom_getter

    def wrapped_custom_getter(getter: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        return custom_getter(functools.partial(old_getter, getter), *args, **kwargs)

    return wrapped_custom_getter


def _get_unique_variable_scope(prefix: str) -> str:
    """`prefix`, or `prefix_1`, …: a scope name that was not opened yet in the current scope."""
    scopes, outer = get_variable_scope_store(), get_variable_scope().name
    name = f"{outer}/{prefix}" if outer else prefix
    if scopes.variable_scope_count(name) == 0:
        return prefix
    index = 1
    while scopes.variable_scope_count(f"{name}_{index}") > 0:
        index += 1
    return f"{prefix}_{index}"


@tf_export("variable_scope")
class variable_scope:
    """Opens a variable scope, and a name scope with it.

    Args:
      name_or_scope: a name (opens a scope inside the current one), a `VariableScope` (goes back to
        it), or None.
      default_name: the name when `name_or_scope` is None; made unique.
      values: tensors that decide the graph.
      initializer, regularizer, caching_device, partitioner, custom_getter, dtype, use_resource,
        constraint: defaults of `tf.get_variable` inside.
      reuse: True: variables must exist; AUTO_REUSE: get or make; None or False: as outside.
      auxiliary_name_scope: False opens no name scope.

    Raises:
      TypeError: an argument is of the wrong kind.
      ValueError: `reuse` with nothing to reuse.
    """

    def __init__(
        self,
        name_or_scope: Any,
        default_name: Any = None,
        values: Any = None,
        initializer: Initializer | None = None,
        regularizer: Regularizer | None = None,
        caching_device: Any = None,
        partitioner: Any = None,
        custom_getter: Callable[..., Any] | None = None,
        reuse: Any = None,
        dtype: DTypeLike | None = None,
        use_resource: bool | None = None,
        constraint: Any = None,
        auxiliary_name_scope: bool = True,
    ):
        if default_name is None and name_or_scope is None:
            raise TypeError("If default_name is None then name_or_scope is required")
        # False says no more than None: an outer scope's reuse holds.
        reuse = None if reuse is False else reuse
        if not (reuse is True or reuse is None or reuse is AUTO_REUSE):
            raise ValueError("The reuse parameter must be True or False or None.")
        self._name_or_scope = name_or_scope
        self._default_name = default_name
        self._reuse = reuse
        self._defaults = {
            "initializer": initializer,
            "regularizer": regularizer,
            "caching_device": caching_device,
            "partitioner": partitioner,
            "custom_getter": custom_getter,
            "dtype": dtype,
            "use_resource": use_resource,
            "constraint": constraint,
        }
        self._graph = ops._get_graph_from_inputs([] if values is None else values)
        self._pure_scope: _pure_variable_scope | None = None
        self._name_scope: Any = None
        if not isinstance(auxiliary_name_scope, bool):
            raise TypeError(
                "The auxiliary_name_scope must be `True` or `False`, "
                f"while get {auxiliary_name_scope}"
            )
        self._auxiliary_name_scope = auxiliary_name_scope

    def __enter__(self) -> VariableScope:
        with contextlib.ExitStack() as entered:
            if not ops.get_default_graph().building_function and not context.executing_eagerly():
                entered.enter_context(self._graph.as_default())
            if self._pure_scope is None:
                scope = self._enter_first_time(entered)
            else:
                if self._name_scope is not None:
                    entered.enter_context(self._name_scope)
                scope = entered.enter_context(self._pure_scope)
            self._exit_stack = entered.pop_all()
        return scope

    def _enter_first_time(self, entered: contextlib.ExitStack) -> VariableScope:
        target = self._name_or_scope
        if target is not None and not isinstance(target, (VariableScope, str)):
            raise TypeError("VariableScope: name_or_scope must be a string or VariableScope.")
        if target is None and self._reuse:
            raise ValueError("reuse=True cannot be used without a name_or_scope")
        if target is None:
            name_scope = self._default_name
        else:
            name = target if isinstance(target, str) else target.name
            # Going back to a scope opens a fresh name scope with its last name.
            name_scope = name if isinstance(target, str) else name.split("/")[-1]
        if not self._auxiliary_name_scope:
            current = ops.get_name_scope()
            name_scope = f"{current}/" if current else current
        old_name_scope = None
        if name_scope or target is None or not self._auxiliary_name_scope:
            name_scope = ops.name_scope(name_scope)
            old_name_scope = entered.enter_context(name_scope)
            self._name_scope = name_scope
            if isinstance(target, VariableScope):
                old_name_scope = target.original_name_scope
        if target is None:
            assert self._default_name is not None
            target = _get_unique_variable_scope(self._default_name)
        pure_scope = _pure_variable_scope(
            target, reuse=self._reuse, old_name_scope=old_name_scope, **self._defaults
        )
        scope = entered.enter_context(pure_scope)
        self._pure_scope = pure_scope
        return scope

    def __exit__(self, *exc_info: Any) -> None:
        self._exit_stack.__exit__(*exc_info)


@tf_export("variable_op_scope")
@contextlib.contextmanager
def variable_op_scope(
    values: Any,
    name_or_scope: Any,
    default_name: str | None = None,
    initializer: Initializer | None = None,
    regularizer: Regularizer | None = None,
    caching_device: Any = None,
    partitioner: Any = None,
    custom_getter: Callable[..., Any] | None = None,
    reuse: Any = None,
    dtype: DTypeLike | None = None,
    use_resource: bool | None = None,
    constraint: Any = None,
) -> Iterator[VariableScope]:
    """The older form of `tf.variable_scope`, with `values` first.

    Args:
      values: tensors that must be in the graph that is used.
      name_or_scope, default_name, initializer, regularizer, caching_device, partitioner,
        custom_getter, reuse, dtype, use_resource, constraint: as in `tf.variable_scope`.

    Yields:
      The scope, once, for the block.
    """
    logging.warn(
        "tf.variable_op_scope(values, name, default_name) is deprecated, "
        "use tf.variable_scope(name, default_name, values)"
    )
    with variable_scope(
        name_or_scope,
        default_name=default_name,
        values=values,
        initializer=initializer,
        regularizer=regularizer,
        caching_device=caching_device,
        partitioner=partitioner,
        custom_getter=custom_getter,
        reuse=reuse,
        dtype=dtype,
        use_resource=use_resource,
        constraint=constraint,
    ) as scope:
        yield scope


# What the last creator in the chain takes; the rest is what creators tell each other.
_OF_BOTH_KINDS = frozenset(
    "initial_value trainable collections validate_shape caching_device name dtype variable_def "
    "import_scope constraint synchronization aggregation shape".split()
)


def default_variable_creator(next_creator: None = None, **kwargs: Any) -> variables.Variable:
    """Makes the variable that `tf.Variable(...)` returns: the last in the chain of variable
    creators.
    """
    assert next_creator is None
    use_resource = kwargs.get("use_resource")
    if use_resource is None:
        use_resource = get_variable_scope().use_resource
    if use_resource is None:
        use_resource = variable_store.use_resource_by_default
    if use_resource or context.executing_eagerly():
        taken = _OF_BOTH_KINDS | {"distribute_strategy"}
        return resource_variable_ops.ResourceVariable(**_only(kwargs, taken))
    return ref_variable.RefVariable(**_only(kwargs, _OF_BOTH_KINDS | {"expected_shape"}))


def _only(kwargs: dict[str, Any], names: frozenset[str]) -> dict[str, Any]:
    return {name: value for name, value in kwargs.items() if name in names}


def default_variable_creator_v2(
    next_creator: None = None, **kwargs: Any
) -> resource_variable_ops.ResourceVariable:
    """As `default_variable_creator`, for the variables of TF 2.

    Args:
      next_creator: None, as nothing comes after it.
      **kwargs: the arguments of `tf.Variable`.
    """
    assert next_creator is None
    taken = (_OF_BOTH_KINDS | {"distribute_strategy"}) - {"collections"}
    return resource_variable_ops.ResourceVariable(**_only(kwargs, taken))


@tf_export("variable_creator_scope")
@contextlib.contextmanager
def variable_creator_scope(variable_creator: Callable[..., Any]) -> Iterator[None]:
    """Sends the creation of variables in the `with` block through a function.

    Args:
      variable_creator: called as `variable_creator(next_creator, **kwargs)` with the arguments of
        `tf.Variable`; it returns a variable, as a rule `next_creator(**kwargs)`.

    Yields:
      Nothing, once, for the block.
    """
    with ops.get_default_graph()._variable_creator_scope(variable_creator):
        yield
