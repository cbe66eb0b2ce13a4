"""What `tf.xla.experimental.compile` and `tf.tpu.replicate` share: the context that marks
operations of a computation, and what a computation may return."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.platform import tf_logging as logging
from tf1compat.core import nest, ops
from tf1compat.core.attr_value import to_attr_value

_SUMMARIES = frozenset(
    "AudioSummary AudioSummaryV2 HistogramSummary ImageSummary MergeSummary Print ScalarSummary "
    "TensorSummary TensorSummaryV2".split()
)
_MOST_WARNINGS = 5


class ClusterContext(control_flow_ops.XLAControlFlowContext):
    """Marks each operation of a computation that XLA compiles as a whole.

    Args:
      name: unique; the value of the mark.
      pivot: what operations without inputs wait for.
    """

    # The attr that is the mark, and what errors call such computations.
    mark = ""
    refused_text = "Operation of type %s (%s) is not supported."
    nested_text = "Computations cannot be nested, (operator name: {name})"
    kind = ""

    def __init__(self, name: str, pivot: Any):
        super().__init__()
        self._name = name
        self._pivot = pivot
        self._unsupported: list[Any] = []

    @property
    def grad_state(self) -> Any:
        return None

    @property
    def back_prop(self) -> Any:
        loop = self.GetWhileContext()
        return loop.back_prop if loop else False

    def GetControlPivot(self) -> Any:  # noqa: N802
        return self._pivot

    def report_unsupported_operations(self) -> None:
        """Warns of what XLA leaves out."""
        found = self._unsupported
        if found:
            lines = "\n".join(f"  {op.type} ({op.name})" for op in found[:_MOST_WARNINGS])
            logging.warning("%d unsupported operations found: \n%s", len(found), lines)
        if len(found) > _MOST_WARNINGS:
            logging.warning("... and %d more", len(found) - _MOST_WARNINGS)

    def _set_marks(self, op: Any) -> None:
        op._set_attr(self.mark, to_attr_value(self._name.encode(), "string"))
        op.graph.prevent_fetching(op)

    def AddOp(self, op: Any) -> None:  # noqa: N802
        if op.type == "Placeholder":
            logging.error(self.refused_text, op.type, op.name)
        if op.type in _SUMMARIES:
            self._unsupported.append(op)
        if any(tensor.dtype._is_ref_dtype for tensor in op.inputs):
            raise NotImplementedError(
                f"Non-resource Variables are not supported inside {self.kind} computations "
                f"(operator name: {op.name})"
            )
        if self.mark in op._attrs:
            raise ValueError(self.nested_text.format(name=op.name))
        self._set_marks(op)
        inside, outside = self._split_controls(op)
        if not op.inputs:
            if not inside:
                op._add_control_input(self._pivot)
        else:
            for index, tensor in enumerate(op.inputs):
                own = self.AddValue(tensor)
                if own is not tensor:
                    op._update_input(index, own)
        if outside:
            with ops.control_dependencies(None):
                self.Enter()
                waits = [array_ops.identity(x.outputs[0]).op for x in outside if x.outputs]
                self.Exit()
            op._add_control_inputs(waits)
        context: Any = self
        while context is not None:
            context._values.update(tensor.name for tensor in op.outputs)
            context = context._outer_context
        if self._outer_context:
            self._outer_context.AddInnerOp(op)

    def AddInnerOp(self, op: Any) -> None:  # noqa: N802
        self.AddOp(op)
        if self._outer_context:
            self._outer_context.AddInnerOp(op)

    def AddValue(self, val: Any) -> Any:  # noqa: N802
        if val.name in self._values:
            return self._external_values.get(val.name, val)
        self._values.add(val.name)
        own = val
        if self._outer_context:
            own = self._outer_context.AddValue(val)
            self._values.add(own.name)
        self._external_values[val.name] = own
        return own

    def _split_controls(self, op: Any) -> tuple[list[Any], list[Any]]:
        """The control inputs from inside the computation, which stay, and those from outside."""
        inside: list[Any] = []
        outside: list[Any] = []
        for control in op.control_inputs:
            context = control._get_control_flow_context()
            while context is not None and context is not self:
                context = context._outer_context
            (outside if context is None else inside).append(control)
        op._remove_all_control_inputs()
        op._add_control_inputs(inside)
        return inside, outside


def is_flat(outputs: Any) -> bool:
    """Whether what a computation returned is None, one object, or a sequence of objects."""
    if isinstance(outputs, Sequence):
        return not any(isinstance(part, Sequence | dict) for part in outputs)
    return not isinstance(outputs, dict)


def flat_outputs(
    outputs: Any, identity: Callable[[Any], Any], device: Any, texts: tuple[str, str]
) -> tuple[list[Any], list[Any]]:
    """The outputs of a computation that returned no nesting.

    Args:
      outputs: what it returned.
      identity: records what stands for a tensor at the end of the computation.
      device: where values become tensors.
      texts: what is said of a value that is none, and of operations before tensors.

    Returns:
      (tensors, operations).

    Raises:
      ValueError: they are not tensors followed by operations.
    """
    if outputs is None:
        outputs = ()
    found = list(outputs) if isinstance(outputs, Sequence) else [outputs]
    found.append(control_flow_ops.no_op())
    try:
        with ops.device(device):
            found = [x if isinstance(x, ops.Operation) else ops.convert_to_tensor(x) for x in found]
    except Exception as error:
        raise ValueError(texts[0].format(error)) from error
    operations = [x for x in found if isinstance(x, ops.Operation)]
    tensors = [x for x in found if not isinstance(x, ops.Operation)]
    if any(isinstance(x, ops.Operation) for x in found[: len(tensors)]):
        raise ValueError(texts[1])
    return [identity(tensor) for tensor in tensors], operations


def nested_outputs(outputs: Any, identity: Callable[[Any], Any], name: str, text: str) -> list[Any]:
    """The tensors of a nesting that a computation returned.

    Args:
      outputs: what it returned.
      identity: records what stands for a tensor at the end of the computation.
      name: of the function that records it.
      text: what is said of a value that is no tensor.

    Raises:
      ValueError: there is something else in it.
    """
    found = []
    for value in nest.flatten(outputs):
        if isinstance(value, ops.Operation):
            raise ValueError(
                f"{name} does not support Operation as return value in non-flat output structure. "
                "You can set returned Operations as control dependencies of returned Tensors so "
                f'Operations are triggered when Tensors are evaluated. Operation found: "'
                f'{value.name}"'
            )
        try:
            tensor = ops.convert_to_tensor(value)
        except Exception as error:
            raise ValueError(text.format(error)) from error
        found.append(identity(tensor))
    return found


def check_function_argument_count(
    func: Callable[..., Any], input_arity: int, infeed_queue: Any
) -> str | None:
    """How many arguments a function needs, if it does not take those that there are.

    Args:
      func: the function.
      input_arity: how many the caller gives.
      infeed_queue: gives some more, if it is not None.
    """
    given = input_arity
    if infeed_queue is not None:
        given += infeed_queue.number_of_tuple_elements
    parameters: Iterable[inspect.Parameter] = inspect.signature(func).parameters.values()
    plain = [x for x in parameters if x.kind is x.POSITIONAL_OR_KEYWORD]
    needed = sum(x.default is x.empty for x in plain)
    takes_more = any(x.kind is x.VAR_POSITIONAL for x in parameters)
    if needed <= given and (takes_more or given <= len(plain)):
        return None
    exact = needed == len(plain) and not takes_more
    count = needed if given < needed else len(plain)
    kind = "exactly" if exact or (needed == len(plain) and given >= needed) else ""
    kind = kind or ("at least" if given < needed else "at most")
    return f"{kind} {count} argument{'' if count == 1 else 's'}"
