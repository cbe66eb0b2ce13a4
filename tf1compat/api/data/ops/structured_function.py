"""Python functions that datasets call: recorded once, with elements as arguments and results."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable
from typing import Any

from tf1compat.api.autograph.core import ag_ctx
from tf1compat.api.autograph.impl import api as autograph
from tf1compat.api.data.util import nest, structure
from tf1compat.api.functions.defun import Defun
from tf1compat.api.functions.function import Function
from tf1compat.core import ops, tf_decorator
from tf1compat.core.attribute import attribute


def _function_name(func: Callable[..., Any]) -> str:
    _, func = tf_decorator.unwrap(func)
    if not callable(func):
        raise ValueError("Argument must be callable")
    if inspect.isfunction(func):
        return func.__name__
    if inspect.ismethod(func):
        return f"{type(func.__self__).__name__}.{func.__name__}"
    return str(type(func))


class StructuredFunctionWrapper:
    """A recorded function of elements.

    Args:
      func: the Python function; a tuple is handed to it as several arguments.
      transformation_name: of the transformation that calls it, for its name and for errors.
      dataset: the dataset whose elements are its arguments.
      input_classes, input_shapes, input_types: instead of `dataset`, what its elements are.
      input_structure: instead of these, the structure of specs.
      add_to_graph: whether to add the function to the graph's library.
      use_legacy_function: whether to record a `Defun`.
      defun_kwargs: attributes of the function.

    Raises:
      TypeError: the Python function returns what no dataset can contain.
      ValueError: not just one description of the input is given.
    """

    def __init__(
        self,
        func: Callable[..., Any],
        transformation_name: str,
        dataset: Any = None,
        input_classes: Any = None,
        input_shapes: Any = None,
        input_types: Any = None,
        input_structure: Any = None,
        add_to_graph: bool = True,
        use_legacy_function: bool = False,
        defun_kwargs: dict[str, Any] | None = None,
    ):
        legacy = (input_classes, input_shapes, input_types)
        self._input_structure = _input_structure(dataset, legacy, input_structure)
        plain = not callable(func)
        self._func = func if plain else autograph.tf_convert(func, ag_ctx.control_status_ctx())
        self._transformation_name = transformation_name
        self._output_structure: Any = None
        attributes = dict(defun_kwargs or {})
        prefix = transformation_name.replace(".", "_")[:-2] if len(transformation_name) > 2 else ""
        name = f"{prefix}_{_function_name(func)}"
        self._name = name
        if use_legacy_function:
            self._function = self._defined(f"{name}_{ops.uid()}", attributes)
            if add_to_graph:
                self._function.add_to_graph(ops.get_default_graph())
            else:
                _ = self._function.definition
            return
        specs = structure.get_flat_tensor_specs(self._input_structure)
        function = Function(self._flat_call, name, specs, attributes, autograph=False)
        self._function = function._find(None, None)[0]
        if add_to_graph:
            self._function.add_to_graph(ops.get_default_graph())
        self._warn_of_seed()

    def _warn_of_seed(self) -> None:
        outer, inner = ops.get_default_graph(), self._function.graph
        if outer.seed and inner.seed == outer.seed and getattr(inner, "_seed_used", False):
            warnings.warn(
                f"Seed {outer.seed} from outer graph might be getting used by function "
                f"{self._name}, if the random op has not been provided any seed. Explicitly set "
                "the seed in the function if this is not the intended behavior.",
                stacklevel=5,
            )

    def _call(self, *args: Any) -> Any:
        """What the Python function returns for the tensors of an element."""
        element = structure.from_compatible_tensor_list(self._input_structure, args)
        result = self._func(*element) if type(element) is tuple else self._func(element)
        if isinstance(result, list):
            result = tuple(result)
        try:
            self._output_structure = structure.type_spec_from_value(result)
        except (ValueError, TypeError):
            raise TypeError(
                f"Unsupported return value from function passed to {self._transformation_name}: "
                f"{result}."
            ) from None
        return result

    def _flat_call(self, *args: Any) -> Any:
        result = self._call(*args)
        flat = structure.to_tensor_list(self._output_structure, result)
        return [ops.convert_to_tensor(tensor) for tensor in flat]

    def _defined(self, name: str, attributes: dict[str, Any]) -> Any:
        specs = structure.get_flat_tensor_specs(self._input_structure)

        @Defun(*[spec.dtype for spec in specs], func_name=name, **attributes)
        def wrapper_fn(*args: Any) -> Any:
            for tensor, spec in zip(args, specs):
                tensor.set_shape(spec.shape)
            result = self._call(*args)
            return structure.to_tensor_list(self._output_structure, result)

        return wrapper_fn

    output_structure = attribute(
        "_output_structure", "The structure of specs of what the function returns."
    )

    @property
    def output_classes(self) -> Any:
        """The classes of the components of what it returns."""
        return nest.map_structure(lambda s: s._to_legacy_output_classes(), self._output_structure)

    @property
    def output_shapes(self) -> Any:
        """Their shapes."""
        return nest.map_structure(lambda s: s._to_legacy_output_shapes(), self._output_structure)

    @property
    def output_types(self) -> Any:
        """Their dtypes."""
        return nest.map_structure(lambda s: s._to_legacy_output_types(), self._output_structure)

    function = attribute("_function", "The recorded function.")


def _input_structure(dataset: Any, legacy: tuple[Any, Any, Any], input_structure: Any) -> Any:
    if input_structure is not None:
        if dataset is not None or any(part is not None for part in legacy):
            raise ValueError(
                "Either `dataset`, `input_structure`, or all of `input_classes`, `input_shapes`, "
                "and `input_types` must be specified."
            )
        return input_structure
    problem = (
        "Either `dataset`, `input_structure` or all of `input_classes`, `input_shapes`, and "
        "`input_types` must be specified."
    )
    classes, shapes, types = legacy
    if dataset is None:
        if any(part is None for part in legacy):
            raise ValueError(problem)
        return structure.convert_legacy_structure(types, shapes, classes)
    if any(part is not None for part in legacy):
        raise ValueError(problem)
    return dataset.element_spec


def recorded_with_state(
    func: Callable[..., Any],
    transformation_name: str,
    state_structure: Any,
    element_spec: Any,
    new_state: Callable[[StructuredFunctionWrapper], tuple[Any, Any, Any]],
) -> tuple[StructuredFunctionWrapper, Any]:
    """Records a function of a state and an element that gives a new state.

    Dimensions of the state that the function changes are given up: it is recorded anew until the
    shapes of its state are those that it returns.

    Args:
      func: the Python function.
      transformation_name: see `StructuredFunctionWrapper`.
      state_structure: the structure of the initial state.
      element_spec: the structure of the elements.
      new_state: the classes, dtypes and shapes of the new state that a recorded function returns.

    Returns:
      The recorded function, and the structure of its state.

    Raises:
      TypeError: the new state has other classes or dtypes.
    """
    while True:
        wrapped = StructuredFunctionWrapper(
            func,
            transformation_name,
            input_structure=(state_structure, element_spec),
            add_to_graph=False,
        )
        classes, types, shapes = new_state(wrapped)
        old = [
            nest.map_structure(convert, state_structure)
            for convert in (
                lambda spec: spec._to_legacy_output_classes(),
                lambda spec: spec._to_legacy_output_types(),
                lambda spec: spec._to_legacy_output_shapes(),
            )
        ]
        for new_class, old_class in zip(nest.flatten(classes), nest.flatten(old[0])):
            if not issubclass(new_class, old_class):
                raise TypeError(
                    "The element classes for the new state must match the initial state. "
                    f"Expected {old[0]}; got {classes}."
                )
        for new_type, old_type in zip(nest.flatten(types), nest.flatten(old[1])):
            if new_type != old_type:
                raise TypeError(
                    "The element types for the new state must match the initial state. "
                    f"Expected {old[1]}; got {types}."
                )
        flat_old, flat_new = nest.flatten(old[2]), nest.flatten(shapes)
        weakened = [a.most_specific_compatible_shape(b) for a, b in zip(flat_old, flat_new)]
        if all(map(_same_shape, flat_old, weakened)):
            return wrapped, state_structure
        packed = nest.pack_sequence_as(old[2], weakened)
        state_structure = structure.convert_legacy_structure(old[1], packed, old[0])


def _same_shape(original: Any, weakened: Any) -> bool:
    return original.ndims is None or (
        weakened.ndims is not None and original.as_list() == weakened.as_list()
    )


def only_state(wrapped: StructuredFunctionWrapper) -> tuple[Any, Any, Any]:
    """For `recorded_with_state`: all that the function returns is the new state."""
    return wrapped.output_classes, wrapped.output_types, wrapped.output_shapes
