"""The converter of a while loop in the body of a parallel loop (see `pfor`).

It becomes one while loop for all iterations. The loop's variables are whether any iteration goes
on, the indices of those that do, what entered the loop, of these iterations alone, and TensorArrays
with the results: an iteration that ends writes them at its index.
"""

from __future__ import annotations

from typing import Any

from tf1compat.api.array import constant_op, shape_ops
from tf1compat.api.control_flow import control_flow_ops, tensor_array_ops
from tf1compat.api.control_flow.while_context import WhileContext
from tf1compat.api.control_flow.while_loop import while_loop
from tf1compat.api.math import math_cast, math_reduce
from tf1compat.api.parallel_for.pfor import (
    PFor,
    PForInput,
    WrappedTensor,
    is_stateful,
    repeated,
    wrap,
)
from tf1compat.api.queues import data_flow_ops
from tf1compat.api.util.object_identity import ObjectIdentityDictionary
from tf1compat.core import dtypes, ops
from tf1compat.core.attribute import attribute
from tf1compat.core.tensor_shape import TensorShape

# The same in all iterations, whatever they are of.
_NEVER_STACKED = ("Shape", "Rank", "ShapeN", "ZerosLike", "TensorArrayV3", "TensorArraySizeV3")
_UNKNOWN = TensorShape(None)


class WhileOp:
    """A while loop as one operation of the body.

    Args:
      exit_node: a result of the loop.
      pfor_ops: the operations of the body.
      pfor_config: the body's `PForConfig`.
    """

    type = "While"

    def __init__(self, exit_node: Any, pfor_ops: Any, pfor_config: Any):
        self._pfor_config = pfor_config
        self._pfor_ops = set(pfor_ops)
        assert isinstance(exit_node, ops.Tensor)
        loop = exit_node.op._get_control_flow_context()
        assert isinstance(loop, WhileContext)
        self._name = loop.name
        self._condition = loop.pivot.op.inputs[0]
        self._is_inside_loop = self.op_is_inside_loop(self._condition.op)
        self._outputs: list[Any] = []
        self._switches: list[Any] = []
        self._merges: list[Any] = []
        self._enters: list[Any] = []
        self._body_outputs: list[Any] = []
        self._body_controls: list[Any] = []
        for leaving in loop.loop_exits:
            assert not self._is_inside_loop or self.op_is_inside_loop(leaving.op)
            switch = leaving.op.inputs[0].op
            merge = switch.inputs[0].op
            enter, again = (value.op for value in merge.inputs)
            for op, kind in (
                (switch, "Switch"),
                (merge, "Merge"),
                (enter, "Enter"),
                (again, "NextIteration"),
            ):
                assert op.type == kind, op
            self._outputs.append(leaving)
            self._switches.append(switch)
            self._merges.append(merge)
            self._enters.append(enter.outputs[0])
            self._body_outputs.append(again.inputs[0])
            self._body_controls.append(again.control_inputs)
        # Resources enter as they are: they can't be divided among iterations.
        self._direct_enters: list[Any] = []
        self._is_stateful = False
        variables = [enter.op for enter in self._enters]
        for op in ops.get_default_graph().get_operations():
            context = op._get_control_flow_context()
            if context is None or context.name != self._name:
                continue
            self._is_stateful |= is_stateful(op)
            if op.type == "Enter" and op not in variables:
                output = op.outputs[0]
                resource = output.dtype in (dtypes.resource, dtypes.variant)
                (self._direct_enters if resource else self._enters).append(output)

    name: str = attribute("_name", "The name of the loop's context.")
    outputs: list[Any] = attribute("_outputs", "The loop's results.")
    is_inside_loop: bool = attribute("_is_inside_loop", "Whether it was made in the body.")
    is_stateful: bool = attribute("_is_stateful", "Whether an operation in it is stateful.")

    def __str__(self) -> str:
        return f"while_loop({self._name})"

    @property
    def _all_enters(self) -> list[Any]:
        return self._enters + self._direct_enters

    @property
    def inputs(self) -> list[Any]:
        """What enters the loop."""
        return [enter.op.inputs[0] for enter in self._all_enters]

    @property
    def control_inputs(self) -> list[Any]:
        """What its Enters wait for."""
        return [control for enter in self._all_enters for control in enter.op.control_inputs]

    def op_is_inside_loop(self, op: Any) -> bool:
        """Whether an operation is one of the body.

        Args:
          op: an operation.
        """
        return op in self._pfor_ops

    def __call__(self, pfor_input: PForInput) -> list[WrappedTensor]:
        """Records the loop for all iterations.

        Args:
          pfor_input: the loop, with its converted inputs.

        Returns:
          What its results become.
        """
        return _Conversion(self, pfor_input).record()

    def _converter(
        self, parent: PFor, indices: Any, partitioned: bool, inputs: Any, stacked: list[bool]
    ) -> PFor:
        """A `PFor` of the loop's condition or body, for some iterations."""
        pfor = PFor(
            parent.loop_var,
            shape_ops.size(indices),
            pfor_ops=self._pfor_ops,
            all_indices=indices,
            all_indices_partitioned=partitioned,
            pfor_config=self._pfor_config,
        )
        for enter in self._direct_enters:
            found = parent._convert_helper(enter.op.inputs[0])
            assert not found.is_stacked, (enter, found.t)
            pfor._add_conversion(enter, wrap(found.t, False))
        values = [
            wrap(value, is_stacked) for value, is_stacked in zip(inputs, stacked, strict=True)
        ]
        for enter, value in zip(self._enters, values, strict=True):
            pfor._add_conversion(enter, value)
        for merge, switch, value in zip(self._merges, self._switches, values, strict=False):
            pfor._add_conversion(merge.outputs[0], value)
            # Nothing takes the number of the input; a value of another dtype would show if it did.
            number = wrap(constant_op.constant(-1.0), False)
            pfor._add_conversion(merge.outputs[1], number)
            pfor._add_conversion(switch.outputs[1], value)
        return pfor


class _Conversion:
    """One loop while it is converted."""

    def __init__(self, loop: WhileOp, pfor_input: PForInput):
        self.loop = loop
        self.parent = pfor_input.pfor
        self.count = len(loop._outputs)  # The first inputs are the loop's variables.
        self.stacked: list[bool] = []
        self.condition_stacked = False

    def record(self) -> list[WrappedTensor]:
        """Records the loop."""
        with ops.name_scope("while_init"):
            inputs, arrays = self._begin()
        start = [True, self.parent.all_indices, *inputs, *arrays]
        done = while_loop(
            lambda not_all_done, *_: not_all_done,
            self._turn,
            start,
            shape_invariants=[_UNKNOWN] * len(start),
        )
        results: list[WrappedTensor] = []
        for is_stacked, array in zip(self.stacked, done[-self.count :], strict=False):
            if self.condition_stacked:
                results.append(wrap(array.stack()))
            else:  # All iterations ended at once, and wrote one element.
                results.append(wrap(array.read(0), is_stacked))
        return results

    def _begin(self) -> tuple[list[Any], list[Any]]:
        """What enters the loop, and the TensorArrays."""
        loop, length = self.loop, self.parent.loop_len_vector
        size = length[0]
        known: Any = ObjectIdentityDictionary()
        inputs: list[Any] = []
        for i, enter in enumerate(loop._enters):
            value, known[enter] = self._entering(enter)
            inputs.append(value)
            if i < self.count:
                known[loop._switches[i].outputs[1]] = known[enter]
        arrays: list[Any] = []
        for i, enter in enumerate(loop._enters):
            is_stacked = self._may_be_stacked(known, enter)
            if i < self.count:
                inside = enter.op in loop._pfor_ops
                later = inside and self._may_be_stacked(known, loop._body_outputs[i])
                if later and not is_stacked:
                    inputs[i] = repeated(inputs[i], length)
                    is_stacked = True
                arrays.append(tensor_array_ops.TensorArray(inputs[i].dtype, size))
            self.stacked.append(is_stacked)
        return inputs, arrays

    def _entering(self, enter: Any) -> tuple[Any, bool]:
        found = self.parent._convert_helper(enter.op.inputs[0])
        controls = [self.parent._convert_helper(x).t for x in enter.op.control_inputs]
        value = found.t
        if controls:
            with ops.control_dependencies(controls):
                value = shape_ops.identity(value)
        return value, found.is_stacked

    def _may_be_stacked(self, known: Any, tensor: Any) -> bool:
        """Whether a tensor of the loop may hang on the index."""
        if tensor in known:
            return known[tensor]
        op = tensor.op
        if not self.loop.op_is_inside_loop(op):
            return False
        found = op.type not in _NEVER_STACKED and (
            is_stateful(op)
            or op.type == "Exit"
            or any(self._may_be_stacked(known, value) for value in op.inputs)
        )
        known[tensor] = found
        return found

    def _turn(self, not_all_done: Any, indices: Any, *args: Any) -> tuple[Any, ...]:
        """One turn of the loop, for the iterations that are left."""
        loop, size = self.loop, len(self.loop._enters)
        inputs, arrays = list(args[:size]), args[size:]
        with ops.name_scope("while_cond"):
            # Whether they all decide alike is not known yet.
            pfor = loop._converter(self.parent, indices, True, inputs, self.stacked)
            condition = pfor._convert_helper(loop._condition)
        self.condition_stacked = condition.is_stacked
        end = self._end_some if condition.is_stacked else self._end_all
        not_all_done, indices, inputs, written = end(condition.t, indices, inputs, arrays)
        with ops.name_scope("while_body"):
            results = self._body(indices, inputs, not_all_done)
        return (not_all_done, indices, *results, *inputs[self.count :], *written)

    def _end_all(self, condition: Any, indices: Any, inputs: Any, arrays: Any) -> Any:
        """All iterations end at once, or none."""
        not_all_done = shape_ops.reshape(condition, [])
        written = [
            control_flow_ops.cond(
                not_all_done,
                lambda array=array: array,
                lambda array=array, value=value: array.write(0, value),
            )
            for array, value in zip(arrays, inputs, strict=False)
        ]
        return not_all_done, indices, inputs, written

    def _end_some(self, conditions: Any, indices: Any, inputs: Any, arrays: Any) -> Any:
        """Some iterations end, and write their results."""
        not_all_done = math_reduce.reduce_any(conditions)
        parts = math_cast.cast(conditions, dtypes.int32)
        done, left = data_flow_ops.dynamic_partition(indices, parts, 2)
        kept: list[Any] = []
        written: list[Any] = []
        for i, (value, is_stacked) in enumerate(zip(inputs, self.stacked, strict=True)):
            if is_stacked:
                ended, value = data_flow_ops.dynamic_partition(value, parts, 2)
            else:
                ended = repeated(value, [shape_ops.size(done)])
            kept.append(value)
            if i < self.count:
                written.append(arrays[i].scatter(done, ended))
        return not_all_done, left, kept, written

    def _body(self, indices: Any, inputs: list[Any], not_all_done: Any) -> list[Any]:
        loop = self.loop
        pfor = loop._converter(self.parent, indices, self.condition_stacked, inputs, self.stacked)

        def converted(i: int) -> Any:
            controls = [
                pfor._convert_helper(value).t
                for op in loop._body_controls[i]
                for value in op.outputs
            ]
            output = loop._body_outputs[i]
            if self.stacked[i]:
                result = pfor.convert(output)
            else:
                found = pfor._convert_helper(output)
                assert not found.is_stacked, output
                result = found.t
            with ops.control_dependencies(controls):
                return shape_ops.identity(result)

        return [
            control_flow_ops.cond(  # Where all are done, nobody looks at the results.
                not_all_done,
                lambda i=i: converted(i),
                lambda output=output: constant_op.constant([], dtype=output.dtype),
            )
            for i, output in enumerate(loop._body_outputs)
        ]
