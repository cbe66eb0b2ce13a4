"""Static shapes of a new operation's outputs, and TF's words for inputs that its shape function
refuses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.core import constants, op_registry
from tf1compat.core.op_registry import Shape
from tf1compat.core.shapes import BareShapeError, ShapeError, UnknownShapeError, to_string
from tf1compat.core.summary import summarize

# The shape of an op with no shape function of its own; installed by the kernels stage, which can
# trace the lowering.
fallback: Callable[[Any], list[Shape]] | None = None


def infer_shapes(operation: Any) -> list[Shape]:
    """Static shapes of all outputs of an operation being created.

    Raises:
      ValueError: the inputs can't be given to the op; TF's text.
    """
    found: op_registry.OpSpec = operation._spec
    rule = found.shape
    count = len(operation._output_dtypes)
    if rule is None:
        if found.lower is None or fallback is None or count == 0:
            return [None] * count
        return fallback(operation)
    keywords = rule.keywords(operation._attrs) if rule.attrs else {}
    if rule.services:
        keywords["op"] = operation
    shapes = [tensor._shape for tensor in operation._inputs]
    if found.op_def is not None and found.op_def.has_list_inputs:
        shapes = op_registry.group_inputs(operation, shapes)
    try:
        result = rule.function(*shapes, **keywords)
    except ShapeError as error:
        if isinstance(error, UnknownShapeError) and operation._graph.shapes_come_later:
            return [None] * count
        text = _refusal(operation, lambda: rule.function(*shapes, **keywords))
        if error.error_class is not None:
            raise error.error_class(None, None, text) from None
        raise ValueError(text) from None
    if count == 1 and not isinstance(result, list):
        return [result]
    return list(result) if result is not None else [None] * count


class Inquiry:
    """What a shape function was told of its inputs' values, when TF worded an error.

    TF's shape refiner runs a shape function on shapes alone first, then again with the values that
    it asked for, as long as there are new ones: an error says only what was known when it came up.
    """

    def __init__(self, operation: Any):
        self._operation = operation
        self.values: dict[int, Any] = {}
        self.shapes: dict[int, Shape] = {}
        self._asked_values: set[int] = set()
        self._asked_shapes: set[int] = set()

    def value(self, index: int) -> Any:
        """The value of an input, once it was asked for in an earlier round."""
        self._asked_values.add(index)
        return self.values.get(index)

    def shape(self, index: int) -> Shape:
        """An input read as a shape, once it was asked for in an earlier round."""
        self._asked_shapes.add(index)
        return self.shapes.get(index)

    def answer(self) -> bool:
        """Finds what was asked for; False if there is nothing new."""
        inputs = self._operation._inputs
        news = False
        for index in self._asked_values - self.values.keys():
            self.values[index] = constants.input_value(inputs[index])
            news = news or self.values[index] is not None
        for index in self._asked_shapes - self.shapes.keys():
            self.shapes[index] = constants.known_shape(inputs[index])
            news = True
        return news

    def __str__(self) -> str:
        shapes = {i: s for i, s in self.shapes.items() if s is not None and i in self._asked_shapes}
        values = {i: v for i, v in self.values.items() if v is not None and i in self._asked_values}
        quoted = [
            f"input[{i}] = <{summarize(v, 256)}>"
            for i, v in sorted(values.items())
            if i not in shapes
        ]
        partial = [f"input[{i}] = {to_string(s)}" for i, s in sorted(shapes.items())]
        text = f" and with computed input tensors: {', '.join(quoted)}" if quoted else ""
        if partial:
            text += f" and with input tensors computed as partial shapes: {','.join(partial)}"
        return text


def _refusal(operation: Any, shape_function: Callable[[], Any]) -> str:
    """TF's text for inputs that a shape function refuses."""
    operation._inquiry = inquiry = Inquiry(operation)
    try:
        while True:
            shape_function()
            if not inquiry.answer():
                raise AssertionError(
                    f"{operation.type}: the shape function no longer refuses its inputs"
                )
    except BareShapeError as error:
        return str(error)
    except ShapeError as error:
        shapes = ", ".join(to_string(tensor._shape) for tensor in operation._inputs)
        return (
            f"{error} for '{operation.name}' (op: '{operation.type}') with input shapes: "
            f"{shapes}{inquiry}."
        )
    finally:
        del operation._inquiry
