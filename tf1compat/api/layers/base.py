"""The base of `tf.layers`: layers whose variables are found by name, in variable scopes."""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Iterator
from typing import Any

from tf1compat.api.keras import backend
from tf1compat.api.keras.engine import base_layer
from tf1compat.api.keras.engine.input_spec import InputSpec
from tf1compat.api.util.deprecation import deprecated
from tf1compat.api.variables import variable_scope as vs
from tf1compat.api.variables import variables as variables_lib
from tf1compat.core import context, dtypes, nest, ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import DTypeLike, Initializer, Name, ShapeLike

__all__ = ["InputSpec", "Layer", "keras_style_scope", "set_keras_style"]

_keras_style = False


@tf_export("layers.experimental.keras_style_scope")
@contextlib.contextmanager
def keras_style_scope() -> Iterator[None]:
    """Layers made in the `with` block have variables of their own, which variable scopes can't
    share."""
    global _keras_style
    before, _keras_style = _keras_style, True
    try:
        yield
    finally:
        _keras_style = before


@tf_export("layers.experimental.set_keras_style")
def set_keras_style() -> None:
    """As `keras_style_scope`, from now on."""
    global _keras_style
    _keras_style = True


@tf_export("layers.Layer")
class Layer(base_layer.Layer):
    """Base class of the layers of `tf.layers`.

    Args:
      trainable: whether the variables join the trainable ones.
      name: the layer's name.
      dtype: of the variables; that of the first input by default.
      **kwargs: `_scope`, the variable scope of the layer (by default one named after it, opened
        when it is first called); `_reuse`, whether its variables must exist; and what the base
        class takes.

    Raises:
      ValueError: a scope or reuse is given in Keras style.
    """

    def __init__(
        self,
        trainable: bool = True,
        name: Name = None,
        dtype: DTypeLike | None = None,
        **kwargs: Any,
    ):
        self._use_resource_variables = False
        scope = kwargs.pop("_scope", None)
        self._reuse = kwargs.pop("_reuse", None)
        self._trainable_weights: list[Any] = []
        self.built = False
        super().__init__(trainable=trainable, name=name, dtype=dtype, **kwargs)
        self._keras_style = _keras_style
        if _keras_style:
            for argument, value in (("scope", scope), ("reuse", self._reuse)):
                if value is not None:
                    raise ValueError(
                        f"{argument} argument not allowed when keras style layers are enabled, but "
                        f"saw: {value}"
                    )
        self._scope: Any = None
        self._current_scope: Any = None
        if scope:
            with vs.variable_scope(scope) as captured:
                self._scope = captured

    @property
    @deprecated(
        None,
        "Stop using this property because tf.layers layers no longer track their graph.",
    )
    def graph(self) -> None:
        """None."""
        if context.executing_eagerly():
            raise RuntimeError("Layer.graph not supported when executing eagerly.")
        return None

    @property
    def scope_name(self) -> str:
        """The name of the layer's variable scope.

        Raises:
          ValueError: it has none before the layer is first called.
        """
        if not self._scope:
            raise ValueError(
                f'No name available for layer scope because the layer "{self._name}" has not been '
                "used yet. "
                "The scope name  is determined the first time the layer instance is called. You "
                "must "
                "therefore call the layer before querying `scope_name`."
            )
        return self._scope.name

    def _init_set_name(self, name: Name, zero_based: bool = False) -> None:
        base_name = base_layer.to_snake_case(type(self).__name__)
        if isinstance(name, vs.VariableScope) or not name:
            # The name is one of a kind; the scope is named at the first call.
            self._name = backend.unique_object_name(base_name)
            self._base_name = name.name if name else base_name
        else:
            self._name = self._base_name = name

    def add_loss(self, losses: Any, inputs: Any = None) -> None:
        """Adds losses; they join `GraphKeys.REGULARIZATION_LOSSES`."""
        count, callables = len(self._losses), len(self._callable_losses)
        super().add_loss(losses, inputs=inputs)
        if not context.executing_eagerly():
            new = self._losses[count:]
            for regularizer in self._callable_losses[callables:]:
                loss = regularizer()
                if loss is not None:
                    new.append(loss)
            _add_elements_to_collection(new, ops.GraphKeys.REGULARIZATION_LOSSES)

    def _name_scope(self) -> str:
        return (
            super()._name_scope() if self._keras_style else self._current_scope.original_name_scope
        )

    def _set_scope(self, scope: Any = None) -> None:
        """Captures the layer's variable scope, once."""
        if self._scope is not None:
            return
        if self._reuse:
            opened = vs.variable_scope(scope if scope is not None else self._base_name)
        else:
            opened = vs.variable_scope(scope, default_name=self._base_name)
        with opened as captured:
            self._scope = captured

    def add_weight(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, name: Any, shape: ShapeLike, dtype: DTypeLike | None = None,
        initializer: Initializer | None = None,
        regularizer: Any = None, trainable: bool | None = None, constraint: Any = None,
        use_resource: bool | None = None,
        synchronization: Any = vs.VariableSynchronization.AUTO,
        aggregation: Any = vs.VariableAggregation.NONE, partitioner: Any = None, **kwargs: Any,
    ) -> Any:  # fmt: skip
        """Makes a variable of the layer with `tf.get_variable`, or gets the one of that name.

        Args: see the base class, and `tf.get_variable`.

        Returns:
          A variable, or a `PartitionedVariable`.

        Raises:
          ValueError: a variable synchronised on read is to be trainable.
        """
        for keyword in kwargs:
            if keyword != "experimental_autocast":
                raise TypeError("Unknown keyword argument:", keyword)
        if self._keras_style:
            return super().add_weight(
                name=name, shape=shape, dtype=dtype, initializer=initializer,
                regularizer=regularizer, trainable=trainable and self.trainable,
                constraint=constraint, use_resource=use_resource, partitioner=partitioner, **kwargs,
            )  # fmt: skip
        trainable = base_layer.is_trainable(trainable, synchronization)
        existing: set[int] = set()
        graph = None
        with ops.init_scope():
            if not context.executing_eagerly():
                graph = ops.get_default_graph()
                existing = set(map(id, variables_lib.global_variables()))
        if dtype is None:
            dtype = self.dtype or dtypes.float32
        self._set_scope(None)
        count = len(self._trainable_weights)
        with vs.variable_scope(
            self._scope, reuse=self.built or self._reuse, auxiliary_name_scope=False
        ) as scope:
            self._current_scope = scope
            with ops.name_scope(self._name_scope()):
                if initializer is None:
                    initializer = scope.initializer
                variable = super().add_weight(
                    name, shape, dtype=dtypes.as_dtype(dtype), initializer=initializer,
                    trainable=trainable and self.trainable, constraint=constraint,
                    partitioner=partitioner,
                    use_resource=use_resource or self._use_resource_variables or scope.use_resource,
                    synchronization=synchronization, aggregation=aggregation,
                    getter=vs.get_variable, **kwargs,
                )  # fmt: skip
                if regularizer:
                    partitioned = isinstance(variable, variables_lib.PartitionedVariable)
                    parts = list(variable) if partitioned else [variable]
                    if not any(id(part) in existing for part in parts):
                        self._handle_weight_regularization(name, variable, regularizer)
                if graph is not None and trainable and self.trainable:
                    with graph.as_default():
                        is_there = any(variable is v for v in variables_lib.trainable_variables())
                    if not is_there:
                        # The variable scope made it not trainable.
                        self._non_trainable_weights.extend(self._trainable_weights[count:])
                        del self._trainable_weights[count:]
        return variable

    def __call__(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """Applies the layer in its variable scope; its updates join `GraphKeys.UPDATE_OPS`.

        Args: see the base class.
          scope: the variable scope of the layer, when it is called for the first time.
        """
        scope = kwargs.pop("scope", None)
        if self._keras_style:
            if scope is not None:
                raise ValueError(
                    "scope argument not allowed when keras style layers are enabled, but saw: "
                    f"{scope}"
                )
            return super().__call__(inputs, *args, **kwargs)
        self._set_scope(scope)
        if self.built:
            # One context manager for all further calls: TF gives them one name scope for it.
            if "_always_reuse_variable_scope" not in self.__dict__:
                self._always_reuse_variable_scope = vs.variable_scope(
                    self._scope, reuse=True, auxiliary_name_scope=False
                )
            opened = self._always_reuse_variable_scope
        else:
            opened = vs.variable_scope(self._scope, reuse=self._reuse, auxiliary_name_scope=False)
        with opened as current:
            self._current_scope = current
            if "scope" in self._call_fn_args:
                kwargs["scope"] = current
            outputs = super().__call__(inputs, *args, **kwargs)
        if not context.executing_eagerly():
            _add_elements_to_collection(self.updates, ops.GraphKeys.UPDATE_OPS)
        return outputs

    def __deepcopy__(self, memo: dict[int, Any]) -> Layer:
        """A copy with variables, tensors and scopes shared."""
        result = type(self).__new__(type(self))
        memo[id(self)] = result
        for name, value in self.__dict__.items():
            if name in ("_scope", "_always_reuse_variable_scope", "_self_dependencies"):
                value = copy.copy(value)
            elif not _is_tensor_or_list(value):
                value = copy.deepcopy(value, memo)
            object.__setattr__(result, name, value)
        return result

    def __setattr__(self, name: str, value: Any) -> None:
        # Attributes don't become parts of a layer of `tf.layers`.
        object.__setattr__(self, name, value)

    @property
    def _is_legacy_layer(self) -> bool:
        return True


def own(given: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a layer's constructor, from its `locals()`, to pass on by name."""
    arguments = {name: x for name, x in given.items() if name not in ("self", "__class__")}
    return arguments | arguments.pop("kwargs", {})


def applied(layer: Any, inputs: Any, reuse: Any, name: str | None, **arguments: Any) -> Any:
    """What a function of `tf.layers` does: makes its layer, in the scope `name`, and applies it."""
    return layer(name=name, _reuse=reuse, _scope=name, **arguments).apply(inputs)


def _is_tensor_or_list(value: Any) -> bool:
    if isinstance(value, list | tuple):
        value = value[0] if value else None
    return isinstance(value, ops.Tensor | variables_lib.Variable)


def _add_elements_to_collection(elements: Any, collection_list: Any) -> None:
    """Adds to collections what is not in them yet.

    Args:
      elements: nested.
      collection_list: nested names of collections.

    Raises:
      RuntimeError: eager execution is on.
    """
    if context.executing_eagerly():
        raise RuntimeError(
            "Using collections from Layers not supported in Eager mode. Tried to add "
            f"{elements} to {collection_list}"
        )
    for key in nest.flatten(collection_list):
        collection = ops.get_collection_ref(key)
        present = set(map(id, collection))
        collection.extend(one for one in nest.flatten(elements) if id(one) not in present)


def _is_in_keras_style_scope() -> bool:
    return _keras_style
