"""Python functions that record ops, one per op type, made from the op definitions on first use.

    raw_ops.MatMul(a, b, transpose_b=True, name="product")

Arguments are the inputs, then the attrs that the inputs don't determine (those without a default
first), then `name`; by position or by keyword.  A function converts its inputs to tensors, infers
and checks attrs, creates the operation and returns its output: a tensor, a list of tensors, a
namedtuple of these for several outputs, the operation for none. Conversion rules and error texts
are those of TF 1.15's op_def_library.
"""

from __future__ import annotations

import collections
import keyword
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from tf1compat.core import (
    context,
    conversion,
    dtypes,
    eager,
    op_defs,
    op_registry,
    tape,
)
from tf1compat.core.attr_value import plain
from tf1compat.core.graph_scopes import VALID_OP_NAME, VALID_SCOPE_NAME
from tf1compat.core.op_dtypes import output_dtypes
from tf1compat.core.scopes import get_graph_from_inputs
from tf1compat.core.tensor import Tensor

# Runs an op at once; installed by the runtime (eager execution).
eager_execute: Callable[[OpFunction, list[Any], Attrs, str | None], Any] | None = None

# They say which numbers a random op draws, and nothing about the program.
SEEDS = ("seed", "seed2")
# Attr values of these classes are told apart by being equal, as zeros of floats are not.
_PLAIN = frozenset([bool, int, float, str, bytes, type, type(None), dtypes.DType])
_SEQUENCES = (list, tuple)
# The attrs of so many calls are kept for each op type.
_MOST_CALLS = 256

# Where the function that TF generates has another default than the op definition: all there are.
_FUNCTION_DEFAULTS: dict[str, dict[str, Any]] = {
    "SdcaOptimizer": {"adaptative": True},
    "SdcaOptimizerV2": {"adaptive": True},
}


class Attrs(dict[str, Any]):
    """Checked attrs of a call; where others come like it, its runs at once are found here.

    Attributes:
      kernels: what the runtime keeps of calls with these attrs (`runtime/eager.py`).
    """

    __slots__ = ("kernels",)

    def __init__(self, values: Mapping[str, Any], kernels: dict[Any, Any] | None = None):
        super().__init__(values)
        self.kernels: dict[Any, Any] = {} if kernels is None else kernels


# What TF's quick path of eager execution takes for attrs of some types.
_PLAIN_KINDS: dict[str, Any] = {
    "int": int | np.integer,
    "float": float | int | np.floating | np.integer,
    "string": str | bytes,
}


class OpFunction:
    """The Python function of one op type."""

    def __init__(self, op_def: op_defs.OpDef):
        self.op_def = op_def
        self.spec = op_registry.spec(op_def.name)
        self.__name__ = op_def.name
        self.__doc__ = f"Records a {op_def.name} op ({', '.join(op_def.parameters)}, name)."
        self._inputs = op_def.input_args
        self._attr_names = op_def.parameters[len(op_def.input_args) :]
        self._ref_positions = [i for i, arg in enumerate(self._inputs) if arg.is_ref]
        self._parameters = op_def.python_parameters
        # Both the Python names and those of the op definition are understood.
        self._positions = {name: i for i, name in enumerate(op_def.parameters)}
        self._positions.update({name: i for i, name in enumerate(self._parameters)})
        # Attrs by the names by which errors call them.
        self._shown = dict(zip(op_def.parameters, self._parameters, strict=True))
        of_function = _FUNCTION_DEFAULTS.get(op_def.name, {})
        self._defaults = [
            of_function.get(name, op_def.attrs[name].default) for name in self._attr_names
        ]
        self._has_default = [op_def.attrs[name].has_default for name in self._attr_names]
        self._required = len(op_def.parameters) - sum(self._has_default)
        self._default_attrs = Attrs(
            {
                name: default
                for name, default, has in zip(self._attr_names, self._defaults, self._has_default)
                if has
            }
        )
        self._is_random = self.spec.random and all(seed in self._default_attrs for seed in SEEDS)
        # Attrs by what they were given as.
        self._known: dict[tuple[Any, ...], Attrs] = {}
        outputs = op_def.output_args
        self._single = len(outputs) == 1 and not outputs[0].is_list
        # For the runtime: what it keeps of this op type in eager execution.
        self.eager_kernels: dict[Any, Any] = {}
        self._result_type = (
            collections.namedtuple(op_def.name, [_identifier(arg.name) for arg in outputs])  # noqa: PYI024
            if len(outputs) > 1
            else None
        )
        self._default_types = {
            attr.name: attr.default
            for attr in op_def.attrs.values()
            if attr.type == "type" and attr.has_default
        }

    def __repr__(self) -> str:
        return f"<function raw_ops.{self.__name__}>"

    def __call__(self, *args: Any, name: str | None = None, **kwargs: Any) -> Any:
        count = len(self._inputs)
        # TF looks at these first of all.
        lists = self.op_def.has_list_inputs and not context.executing_eagerly()
        if len(args) == count == self._required and not kwargs:
            if lists:
                self._check_lists(args)
            return self._call([*args], self._default_attrs, name)
        seeds = {}
        if self._is_random:  # Other seeds don't make it another call.
            seeds = {seed: kwargs.pop(seed) for seed in SEEDS if seed in kwargs}
        key = None
        if count <= len(args) <= len(self._parameters):
            key = _key(args[count:], kwargs)
            try:
                attrs = self._known.get(key)
            except TypeError:  # something unhashable
                key = attrs = None
            if attrs is not None:
                if lists:
                    self._check_lists(args)
                return self._call([*args[:count]], self._seeded(attrs, seeds), name)
        if not all(map(_is_plain, (*args[count:], *kwargs.values()))):
            key = None
        values, name = self._bound(args, kwargs, name)
        if lists:
            self._check_lists(values)
        given = self._truths(values)
        if any(map(operator.is_not, given, values[count:])):
            key = None  # A graph takes no such value.
        attrs = self._attrs_of(given)
        if key is not None:
            if len(self._known) >= _MOST_CALLS:
                self._known.clear()
            self._known[key] = attrs
        return self._call(values[:count], self._seeded(attrs, seeds), name)

    def _seeded(self, attrs: Attrs, seeds: dict[str, Any]) -> Attrs:
        """Attrs with other seeds, which don't tell what was found for them."""
        if not seeds:
            return attrs
        checked = {
            seed: self._default_attrs[seed] if value is None else self._checked(seed, value)
            for seed, value in seeds.items()
        }
        return Attrs({**attrs, **checked}, attrs.kernels)

    def attrs(self, **given: Any) -> Attrs:
        """Checked attrs, of calls that come again: those given, and the defaults of others."""
        return self._attrs_of([given.get(attr, _MISSING) for attr in self._attr_names])

    def call(self, inputs: list[Any], attrs: Attrs) -> Any:
        """A call with checked attrs."""
        return self._call(inputs, attrs, None)

    def _truths(self, values: Sequence[Any]) -> Sequence[Any]:
        """The values of a call's attrs, with the truth of whatever was given for a bool where TF
        asks for no more: in its quick path of eager execution, if it takes all the other values,
        which sequences as inputs and values of other kinds than their attrs' keep it from."""
        inputs, values = values[: len(self._inputs)], values[len(self._inputs) :]
        if not context.executing_eagerly() or any(isinstance(x, list | tuple) for x in inputs):
            return values
        given = list(values)
        for i, (name, value) in enumerate(zip(self._attr_names, values, strict=True)):
            if value is None or value is _MISSING:
                continue
            kind = self.op_def.attrs[name].type
            if kind == "bool":
                given[i] = bool(value)
            elif kind in _PLAIN_KINDS and not isinstance(value, _PLAIN_KINDS[kind]):
                return values
        return given

    def _attrs_of(self, values: Sequence[Any]) -> Attrs:
        attrs = Attrs({})
        for i, (attr, value) in enumerate(zip(self._attr_names, values, strict=True)):
            if (value is _MISSING or value is None) and self._has_default[i]:
                attrs[attr] = self._defaults[i]
            else:
                attrs[attr] = self._checked(attr, value)
        return attrs

    def _bound(
        self, args: tuple[Any, ...], kwargs: dict[str, Any], name: str | None
    ) -> tuple[list[Any], str | None]:
        """A value for each parameter, and the operation's name.

        Raises:
          TypeError: these are not the arguments of the function.
        """
        names = self._parameters
        values: list[Any] = list(args)
        total = len(names)
        if len(values) > total:
            if len(values) == total + 1 and name is None:
                name = values.pop()
            else:
                raise TypeError(
                    f"{self.__name__}() takes at most {total + 1} arguments ({len(values)} given)"
                )
        if len(values) < total:
            values.extend([_MISSING] * (total - len(values)))
        for key, value in kwargs.items():
            position = self._positions.get(key)
            if position is None:
                raise TypeError(f"{self.__name__}() got an unexpected keyword argument '{key}'")
            if values[position] is not _MISSING:
                raise TypeError(f"{self.__name__}() got multiple values for argument '{key}'")
            values[position] = value
        for value in values[: self._required]:
            if value is _MISSING:
                raise TypeError(_missing_text(self.__name__, names, values[: self._required]))
        return values, name

    def _call(self, inputs: list[Any], attrs: Attrs, name: str | None) -> Any:
        if context.executing_eagerly() and eager_execute is not None:
            try:
                return eager_execute(self, inputs, attrs, name)
            except eager.SymbolicInput as symbolic:
                graph = symbolic.graph
            with graph.as_default():
                return self.outputs_of(self.record(inputs, attrs, name))
        return self.outputs_of(self.record(inputs, attrs, name))

    def record(self, inputs: list[Any], attrs: dict[str, Any], name: str | None) -> Any:
        """Creates the operation; `attrs` are checked already."""
        if name is None:
            name = self.op_def.name
        elif isinstance(name, bytes):
            name = name.decode()
        graph = context.default_graph()
        if self.op_def.has_list_inputs or graph.building_function:
            return self._record_converting(inputs, attrs, name)
        for value in inputs:
            if type(value) is not Tensor:
                return self._record_converting(inputs, attrs, name)
        for value in inputs:
            if value._op._graph is not graph:
                graph = get_graph_from_inputs(inputs)
                break
        # Nothing is converted, so no op is made inside the op's own scope: the scope need not be
        # opened.
        name = name[:-1] if name[-1:] == "/" else _checked_unique_name(graph, name)
        return self._finish(graph, inputs, self._infer(inputs), attrs, name)

    def _infer(self, tensors: list[Tensor]) -> dict[str, Any]:
        """The attrs that single-tensor inputs determine."""
        known: dict[str, Any] = {}
        for arg, tensor in zip(self._inputs, tensors, strict=True):
            base = tensor._dtype.base_dtype
            attr = arg.type_attr
            expected = arg.type if attr is None else known.get(attr)
            if expected is base:
                continue
            if expected is None:
                assert attr is not None, arg.name
                allowed = self.op_def.attrs[attr].allowed
                if allowed is not None and base not in allowed:
                    self._check_type(attr, base, arg.name)
                known[attr] = base
                continue
            prefix = (
                f"Input '{arg.name}' of '{self.op_def.name}' Op has type {tensor._dtype.name} "
                "that does not match"
            )
            if attr is None:
                raise TypeError(f"{prefix} expected type of {expected.name}.")
            first = next(a.name for a in self._inputs if a.type_attr == attr)
            raise TypeError(f"{prefix} type {expected.name} of argument '{first}'.")
        return known

    def _record_converting(self, inputs: list[Any], attrs: dict[str, Any], name: str) -> Any:
        graph = get_graph_from_inputs(
            [
                item
                for value in inputs
                for item in (value if isinstance(value, list | tuple) else [value])
            ]
        )
        if graph is context.default_graph():
            with graph.name_scope(name) as scope:
                flat, known = self._convert(inputs, graph)
        else:
            with graph.as_default(), graph.name_scope(name) as scope:
                flat, known = self._convert(inputs, graph)
        return self._finish(graph, flat, known, attrs, scope[:-1])

    def _check_lists(self, inputs: Sequence[Any]) -> None:
        """Refuses what is no list of tensors of one type; lists of several are converted in their
        turn."""
        lengths: dict[str, tuple[str, int]] = {}
        for arg, value in zip(self._inputs, inputs, strict=False):
            if not arg.is_list or arg.type_list_attr:
                continue
            if not isinstance(value, list | tuple):
                raise TypeError(
                    f"Expected list for '{arg.name}' argument to '{snake_case(self.op_def.name)}' "
                    f"Op, not {value!r}."
                )
            first, length = lengths.setdefault(arg.number_attr or "", (arg.name, len(value)))
            if len(value) != length:
                raise ValueError(
                    f"List argument '{arg.name}' to '{snake_case(self.op_def.name)}' Op with "
                    f"length {len(value)} must match length {length} of argument '{first}'."
                )

    def _convert(self, inputs: list[Any], graph: Any) -> tuple[list[Tensor], dict[str, Any]]:
        """Converts the inputs to tensors; type attrs that earlier inputs determine guide later
        ones.

        Returns:
          The flat list of tensors and the attrs that they determine.
        """
        known: dict[str, Any] = {}
        source: dict[str, str] = {}
        flat: list[Tensor] = []
        for arg, value in zip(self._inputs, inputs, strict=True):
            if arg.is_list:
                if not isinstance(value, list | tuple):
                    raise TypeError(
                        f"Expected list for '{arg.name}' argument to '{self.op_def.name}' Op, not "
                        f"{value!s}."
                    )
                tensors = self._convert_list(arg, list(value), known, source)
                flat.extend(tensors)
                base = [tensor._dtype.base_dtype for tensor in tensors]
                if arg.number_attr:
                    self.learn_length(arg, tensors, known, source)
                    if arg.type_attr and arg.type_attr not in known:
                        if not base:
                            raise TypeError(
                                "Don't know how to infer type variable from empty input list "
                                f"passed to input '{arg.name}' of '{self.op_def.name}' Op."
                            )
                        known[arg.type_attr] = base[0]
                        source[arg.type_attr] = arg.name
                        self._check_type(arg.type_attr, base[0], arg.name)
                elif arg.type_list_attr:
                    self._learn_types(arg, base, known, source)
            else:
                tensor = self._convert_one(arg, value, known, source)
                flat.append(tensor)
                if arg.type_attr and arg.type_attr not in known:
                    known[arg.type_attr] = tensor._dtype.base_dtype
                    source[arg.type_attr] = arg.name
                    self._check_type(arg.type_attr, known[arg.type_attr], arg.name)
        if graph.building_function:
            flat = [t if t._op._graph is graph else graph.capture(t) for t in flat]
        return flat, known

    def _convert_one(
        self, arg: Any, value: Any, known: dict[str, Any], source: dict[str, str]
    ) -> Tensor:
        dtype = arg.type
        preferred = None
        if dtype is None:
            dtype = known.get(arg.type_attr)
            if dtype is None:
                preferred = self._default_types.get(arg.type_attr)
        try:
            return conversion.convert(value, dtype, arg.name, arg.is_ref, preferred)
        except TypeError as error:
            if dtype is None:
                raise
            raise TypeError(
                f"Expected {dtype.name} passed to parameter '{arg.name}' of op "
                f"'{self.op_def.name}', got {value!r} of type '{type(value).__name__}' instead. "
                f"Error: {error}"
            ) from None
        except ValueError:
            try:
                observed = conversion.convert(value, as_ref=arg.is_ref).dtype.name
            except ValueError as error:
                raise ValueError(
                    f"Tried to convert '{arg.name}' to a tensor and failed. Error: {error}"
                ) from None
            prefix = (
                f"Input '{arg.name}' of '{self.op_def.name}' Op has type {observed} that does "
                "not match"
            )
            if arg.type is not None:
                raise TypeError(f"{prefix} expected type of {arg.type.name}.") from None
            if arg.type_attr not in known:
                known[arg.type_attr] = self._default_types[arg.type_attr]
                source[arg.type_attr] = "Default in OpDef"
            raise TypeError(
                f"{prefix} type {known[arg.type_attr].name} of argument '{source[arg.type_attr]}'."
            ) from None

    def _convert_list(
        self, arg: Any, values: list[Any], known: dict[str, Any], source: dict[str, str]
    ) -> list[Tensor]:
        dtype: Any = arg.type
        preferred = None
        if dtype is None and arg.number_attr:
            dtype = known.get(arg.type_attr)
            if dtype is None:
                dtype = next((v._dtype for v in values if isinstance(v, Tensor)), None)
            if dtype is None:
                preferred = self._default_types.get(arg.type_attr)
        if dtype is not None and not arg.is_ref:
            dtype = dtype.base_dtype
        try:
            tensors = [
                conversion.convert(value, dtype, f"{arg.name}_{i}", arg.is_ref, preferred)
                for i, value in enumerate(values)
            ]
            if arg.number_attr and len({t._dtype.base_dtype for t in tensors}) > 1:
                raise TypeError
            return tensors
        except (TypeError, ValueError):
            observed = []
            for value in values:
                try:
                    observed.append(
                        conversion.convert(value, as_ref=arg.is_ref).dtype.base_dtype.name
                    )
                except (TypeError, ValueError):
                    observed.append("<NOT CONVERTIBLE TO TENSOR>")
            prefix = (
                f"Tensors in list passed to '{arg.name}' of '{self.op_def.name}' Op "
                f"have types [{', '.join(observed)}]"
            )
            if not arg.number_attr:
                raise TypeError(f"{prefix} that are invalid. Tensors: {values}") from None
            if arg.type is not None:
                raise TypeError(
                    f"{prefix} that do not match expected type {arg.type.name}."
                ) from None
            if arg.type_attr in known:
                raise TypeError(
                    f"{prefix} that do not match type {known[arg.type_attr].name} inferred from "
                    f"earlier arguments."
                ) from None
            raise TypeError(f"{prefix} that don't all match.") from None

    def learn_length(
        self,
        arg: Any,
        tensors: list[Tensor],
        known: dict[str, Any],
        source: dict[str, str],
        name: str = "",
    ) -> None:
        op_type = name or self.op_def.name
        if arg.number_attr in known:
            if len(tensors) != known[arg.number_attr]:
                raise ValueError(
                    f"List argument '{arg.name}' to '{op_type}' Op with length {len(tensors)} must "
                    f"match length {known[arg.number_attr]} of argument "
                    f"'{source[arg.number_attr]}'."
                )
            return
        known[arg.number_attr] = len(tensors)
        source[arg.number_attr] = arg.name
        minimum = self.op_def.attrs[arg.number_attr].minimum
        if minimum is not None and len(tensors) < minimum:
            raise ValueError(
                f"List argument '{arg.name}' to '{op_type}' Op with length {len(tensors)} "
                f"shorter than minimum length {minimum}."
            )

    def _learn_types(
        self, arg: Any, base: list[Any], known: dict[str, Any], source: dict[str, str]
    ) -> None:
        attr = arg.type_list_attr
        if attr in known:
            if known[attr] != base:
                raise TypeError(
                    f"Input '{arg.name}' of '{self.op_def.name}' Op has type list of "
                    f"{', '.join(x.name for x in base)} that does not match type list "
                    f"{', '.join(x.name for x in known[attr])} of argument '{source[attr]}'."
                )
            return
        for dtype in base:
            self._check_type(attr, dtype, arg.name)
        self._check_length(self.op_def.attrs[attr], base)
        known[attr] = base
        source[attr] = arg.name

    def _check_type(self, attr: str, dtype: Any, parameter: str) -> None:
        allowed = self.op_def.attrs[attr].allowed
        if allowed is not None and dtype not in allowed:
            raise TypeError(
                f"Value passed to parameter '{parameter}' has DataType {dtype.name} not in list of "
                f"allowed values: {', '.join(x.name for x in allowed)}"
            )

    def _finish(
        self,
        graph: Any,
        flat: list[Tensor],
        known: dict[str, Any],
        given: dict[str, Any],
        name: str,
    ) -> Any:
        """Checks the attrs and creates the operation."""
        removed = self.op_def.removed_text(graph._producer)
        if removed is not None:
            raise NotImplementedError(removed)
        attrs = {**known, **given}
        self.check_constraints(given)
        if graph._control_flow_context is None:
            operation = self._create(graph, flat, attrs, name)
        else:
            # The Switch or Enter of an input from outside is made in the op's own scope.
            with graph.name_scope(name + "/"):
                operation = self._create(graph, flat, attrs, name)
        if tape.active() and eager.record_operation is not None:
            eager.record_operation(operation)
        if eager.operation_recorded is not None:
            eager.operation_recorded(operation)
        return operation

    def _create(self, graph: Any, flat: list[Tensor], attrs: dict[str, Any], name: str) -> Any:
        op_def = self.op_def
        outputs = output_dtypes(self.spec, attrs)
        if not self._ref_positions:
            return graph._add(self.spec, name, flat, attrs, outputs)
        for arg, tensor in zip(self._inputs, flat, strict=False):
            if arg.is_ref and not tensor._dtype._is_ref_dtype:
                _refuse_captured(graph, flat, name)
                raise TypeError(
                    f"'{op_def.name}' Op requires that input '{arg.name}' be a mutable tensor "
                    "(e.g.: a tf.Variable)"
                )
        # An op that mutates a ref is kept where the ref is.
        owners = [flat[position]._op for position in self._ref_positions]
        return self._add_colocated(graph, owners, flat, attrs, outputs, name)

    def _add_colocated(
        self,
        graph: Any,
        owners: list[Any],
        flat: list[Tensor],
        attrs: dict[str, Any],
        outputs: list[Any],
        name: str,
    ) -> Any:
        if not owners:
            return graph._add(self.spec, name, flat, attrs, outputs)
        with graph.colocate_with(owners[0]):
            return self._add_colocated(graph, owners[1:], flat, attrs, outputs, name)

    def _checked(self, attr: str, value: Any) -> Any:
        """An attr value in plain form.

        Raises:
          TypeError, ValueError: it has the wrong type.
        """
        kind = self.op_def.attrs[attr].type
        shown = self._shown.get(attr, attr)
        if kind.startswith("list("):
            if not isinstance(value, list | tuple):
                raise TypeError(
                    f"Expected list for '{shown}' argument to '{snake_case(self.op_def.name)}' Op, "
                    f"not {value!r}."
                )
            element = kind[5:-1]
            return [plain(item, element, shown) for item in value]
        return plain(value, kind, shown)

    def check_constraints(self, attrs: dict[str, Any]) -> None:
        """Refuses attr values that the op def does not allow."""
        for attr, value in attrs.items():
            definition = self.op_def.attrs[attr]
            if definition.allowed is not None or definition.minimum is not None:
                self._check_constraints(definition, value)

    def _check_constraints(self, definition: op_defs.AttrDef, value: Any) -> None:
        kind = definition.type
        if definition.allowed is not None:
            if kind in ("type", "list(type)"):
                for item in value if kind == "list(type)" else (value,):
                    self._check_type(definition.name, item, definition.name)
            else:
                for item in value if kind.startswith("list(") else (value,):
                    if item not in definition.allowed:
                        options = '", "'.join(option.decode() for option in definition.allowed)
                        raise ValueError(
                            f"Attr '{definition.name}' of '{self.op_def.name}' Op passed string "
                            f"'{item.decode()}' not in: \"{options}\"."
                        )
        if definition.minimum is not None:
            if kind.startswith("list("):
                self._check_length(definition, value)
            elif value < definition.minimum:
                raise ValueError(
                    f"Attr '{definition.name}' of '{self.op_def.name}' Op passed {value} "
                    f"less than minimum {definition.minimum}."
                )

    def _check_length(self, definition: op_defs.AttrDef, values: list[Any]) -> None:
        if definition.minimum is not None and len(values) < definition.minimum:
            raise ValueError(
                f"Attr '{definition.name}' of '{self.op_def.name}' Op passed list of "
                f"length {len(values)} less than minimum {definition.minimum}."
            )

    def outputs_of(self, operation: Any) -> Any:
        """What the Python function returns for its operation."""
        if self._single:
            return operation._outputs[0]
        result = self.group(operation._outputs, operation._attrs)
        if result is None or (self.op_def.is_stateful and isinstance(result, list) and not result):
            return operation
        return result

    def group(self, outputs: list[Any], attrs: dict[str, Any]) -> Any:
        """A tensor, a list of tensors, a namedtuple of these for several outputs; None for no
        outputs."""
        if self._single:
            return outputs[0]
        grouped: list[Any] = []
        position = 0
        for arg in self.op_def.output_args:
            if arg.is_list:
                size = (
                    attrs[arg.number_attr]
                    if arg.number_attr
                    else len(attrs[str(arg.type_list_attr)])
                )
                grouped.append(outputs[position : position + size])
                position += size
            else:
                grouped.append(outputs[position])
                position += 1
        if self._result_type is not None:
            return self._result_type(*grouped)
        return grouped[0] if grouped else None

    def default_type(self, attr: str | None) -> Any:
        """The default of a type attr, or None."""
        return self._default_types.get(attr) if attr else None


def _key(given: Sequence[Any], named: dict[str, Any]) -> tuple[Any, ...]:
    """What a call is known by: its values for attrs, by position and by name, and their classes."""
    values = (*given, *named.values())
    kinds = (*map(type, values),)
    if list in kinds or tuple in kinds:
        values = [
            (*value, *map(type, value)) if value.__class__ in _SEQUENCES else value
            for value in values
        ]
    return (len(given), *named, *kinds, *values)


def _is_plain(value: Any) -> bool:
    """Whether an attr value is told from others by being equal: 0.0 and -0.0 are."""
    kind = value.__class__
    if kind in _SEQUENCES:
        return all(map(_is_plain, value))
    return kind in _PLAIN and (kind is not float or value != 0.0)


class _Missing:
    def __repr__(self) -> str:
        return "<missing>"

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = object.__hash__


_MISSING = _Missing()


def _missing_text(function: str, names: list[str], values: list[Any]) -> str:
    """Python's own words for arguments that a call lacks."""
    missing = [repr(name) for name, value in zip(names, values, strict=False) if value is _MISSING]
    text = missing[0]
    if len(missing) > 1:
        comma = "," if len(missing) > 2 else ""
        text = f"{', '.join(missing[:-1])}{comma} and {missing[-1]}"
    plural = "s" if len(missing) > 1 else ""
    return f"{function}() missing {len(missing)} required positional argument{plural}: {text}"


def _identifier(name: str) -> str:
    return name + "_" if keyword.iskeyword(name) else name


def snake_case(op_type: str) -> str:
    """`BatchMatMulV2` -> `batch_mat_mul_v2`: the name of the op's generated function in TF."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])|(?<!^)(?=[A-Z][a-z])", "_", op_type).lower()


def _checked_unique_name(graph: Any, name: str) -> str:
    if not name:
        return name  # A scope of no name is the root; it is the operation that needs one.
    pattern = VALID_SCOPE_NAME if graph._name_stack else VALID_OP_NAME
    if not pattern.match(name):
        raise ValueError(f"'{name}' is not a valid scope name")
    return graph.unique_name(name)


_made: dict[str, OpFunction] = {}


def function(op_type: str) -> OpFunction:
    """The Python function of an op type.

    Raises:
      AttributeError: TF 1.15 has no such op.
    """
    found = _made.get(op_type)
    if found is None:
        op_def = op_defs.get(op_type)
        if op_def is None:
            raise AttributeError(f"TF 1.15 has no op {op_type}")
        found = _made[op_type] = OpFunction(op_def)
        globals()[op_type] = found
    return found


def __getattr__(name: str) -> OpFunction:
    if not name[:1].isupper():
        raise AttributeError(f"module 'raw_ops' has no attribute {name!r}")
    return function(name)


def _refuse_captured(graph: Any, flat: list[Tensor], name: str) -> None:
    """Refuses to change a variable's ref that a function has captured: as a value.

    Raises:
      TypeError: one of the inputs is such.
    """
    if not graph.building_function:
        return
    sources = [graph.captured_source(tensor) for tensor in flat]
    wanted = [(b if a is None else a)._dtype for a, b in zip(sources, flat)]
    if any(dtype._is_ref_dtype for dtype in wanted):
        raise TypeError(
            f"In op '{name}', input types ({[tensor._dtype for tensor in flat]}) are not "
            f"compatible with expected types ({wanted})"
        )
