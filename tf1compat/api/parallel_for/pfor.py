"""`tensorflow.python.ops.parallel_for.pfor`: a loop's body, recorded once for all iterations.

What an operation of the body becomes is its converter (`pfor_math`, `pfor_array`, `pfor_nn`,
`pfor_flow`). An operation that does not hang on the index stays as it is; the results of the others
have all iterations stacked along a new first dimension. The nodes are those of TF 1.15.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from tf1compat.api.array import array_ops, shape_ops
from tf1compat.api.control_flow import map_fn, tensor_array_ops
from tf1compat.api.control_flow.while_loop import while_loop
from tf1compat.api.math import math_ops, math_reduce, math_sums
from tf1compat.api.platform import flags, tf_logging
from tf1compat.api.sparse import sparse_serialize_ops
from tf1compat.api.util.object_identity import ObjectIdentityDictionary
from tf1compat.core import context, dtypes, eager, ops, raw_ops, tape
from tf1compat.core.attribute import attribute
from tf1compat.core.sparse_tensor import SparseTensor
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.core.tensor_util import constant_value

_define_bool: Any = vars(flags)["DEFINE_bool"]
_define_bool(
    "op_conversion_fallback_to_while_loop",
    False,
    "If true, falls back to using a while loop for ops for which a converter is not defined.",
)

# Stateful, and yet right to run once where their inputs are the same in all iterations.
_RUN_ONCE = frozenset(
    (
        "VariableV2",
        "VarHandleOp",
        "ReadVariableOp",
        "StackV2",
        "TensorArrayWriteV3",
        "TensorArrayReadV3",
        "TensorArraySizeV3",
    )
)


class WrappedTensor(NamedTuple):
    """What became of a tensor of the body.

    Attributes:
      t: the tensor.
      is_stacked: whether its rows are the iterations; else it is the same in all of them.
      is_sparse_stacked: whether it is a part of a `SparseTensor` with all iterations.
    """

    t: Any
    is_stacked: bool
    is_sparse_stacked: bool


def wrap(tensor: Any, is_stacked: bool = True, is_sparse_stacked: bool = False) -> WrappedTensor:
    """A converter's result (see `WrappedTensor`)."""
    assert isinstance(tensor, ops.Tensor)
    assert is_stacked or not is_sparse_stacked
    return WrappedTensor(tensor, is_stacked, is_sparse_stacked)


def repeated(tensor: Any, length: Any) -> Any:
    """A tensor, `length` times along a new first dimension."""
    kept = array_ops.ones_like(shape_ops.shape(tensor))
    multiples = array_ops.concat([length, kept], 0)
    return array_ops.tile(shape_ops.expand_dims(tensor, 0), multiples)


def is_stateful(op: Any) -> bool:
    """Whether an operation of a body can't be left as it is."""
    if isinstance(op, ops.Operation):
        definition = op._spec.op_def
        return op.type not in _RUN_ONCE and definition is not None and definition.is_stateful
    return op.is_stateful


def create_like(op: Any, inputs: Iterable[Any]) -> Any:
    """An operation with the type and attrs of another, on other inputs."""
    types = [output.dtype for output in op.outputs]
    made = ops.get_default_graph().create_op(
        op.type, list(inputs), types, attrs=dict(op.node_def.attr)
    )
    if tape.active() and eager.record_operation is not None:
        eager.record_operation(made)
    return made


_converters: dict[str, Callable[[PForInput], Any]] = {}


class RegisterPFor:
    """A decorator that makes a function the converter of an op type.

    The function is given a `PForInput` and returns a `WrappedTensor` for each output, or, where the
    op type has none, the new operation.

    Args:
      op_type: the op type.
    """

    def __init__(self, op_type: str):
        self.op_type = op_type

    def __call__(self, converter: Callable[..., Any]) -> Callable[..., Any]:
        """Registers `converter`; an op type that has one raises AssertionError."""
        assert self.op_type not in _converters, f"Re-registering {self.op_type} "
        _converters[self.op_type] = converter
        return converter


class RegisterPForWithArgs(RegisterPFor):
    """As `RegisterPFor`, of a converter that takes the op type and more arguments.

    Args:
      op_type: the op type.
      *args: what the converter is given after the op type.
      **kw_args: what it is given by name.
    """

    def __init__(self, op_type: str, *args: Any, **kw_args: Any):
        super().__init__(op_type)
        self._args = args
        self._kw_args = kw_args

    def __call__(self, converter: Callable[..., Any]) -> Callable[..., Any]:
        """Registers `converter` with the arguments."""

        def bound(pfor_input: PForInput) -> Any:
            return converter(pfor_input, self.op_type, *self._args, **self._kw_args)

        super().__call__(bound)
        return converter


class PForInput:
    """An operation of the body and what became of its inputs, as a converter is given them.

    Args:
      pfor: the `PFor` that converts it.
      op: the operation.
      inputs: its converted inputs.
    """

    def __init__(self, pfor: PFor, op: Any, inputs: Sequence[WrappedTensor]):
        self.pfor = pfor
        self._op = op
        self._inputs = list(inputs)

    op: Any = attribute("_op", "The operation.")
    inputs: list[WrappedTensor] = attribute("_inputs", "Its converted inputs.")

    @property
    def num_inputs(self) -> int:
        """How many inputs it has."""
        return len(self._inputs)

    @property
    def op_type(self) -> str:
        """Its type."""
        return self._op.type

    @property
    def outputs(self) -> Any:
        """Its outputs in the body."""
        return self._op.outputs

    @property
    def length(self) -> Any:
        """A vector with the number of iterations."""
        return self.pfor.loop_len_vector

    def get_attr(self, attr: str) -> Any:
        """The value of an attr."""
        return self._op.get_attr(attr)

    def input(self, index: int) -> WrappedTensor:
        """An input."""
        assert index < len(self._inputs), (index, self._inputs)
        return self._inputs[index]

    def output(self, index: int) -> Any:
        """An output in the body."""
        assert index < len(self._op.outputs)
        return self._op.outputs[index]

    def stacked_input(self, index: int) -> Any:
        """An input that has to be stacked; ValueError if it is the same in all iterations."""
        return self._of_kind(index, True, "not loop invariant")

    def unstacked_input(self, index: int) -> Any:
        """An input that has to be the same in all iterations; ValueError if it is stacked."""
        return self._of_kind(index, False, "loop invariant")

    def _of_kind(self, index: int, stacked: bool, wanted: str) -> Any:
        found = self.input(index)
        if found.is_stacked == stacked:
            return found.t
        name = f'"{self._op.op_def.input_arg[index].name}"'
        raise ValueError(
            f'Input {name} of op "{self.op_type}" expected to be {wanted}.\nError while converting '
            f"op {self._op}with converted inputs\n{self._inputs}"
        )

    def stack_inputs(self, stack_indices: Iterable[int] | None = None) -> None:
        """Stacks the inputs at some places (all by default) that are not yet."""
        places = range(self.num_inputs) if stack_indices is None else stack_indices
        length = self.length
        for place in places:
            value = self._inputs[place]
            if not value.is_stacked:
                self._inputs[place] = wrap(repeated(value.t, length))

    def expanddim_inputs_for_broadcast(self) -> None:
        """Gives the stacked inputs as many dimensions of 1 after the first as broadcasting them
        needs."""
        if not self._inputs:
            return
        ranks = []
        for value in self._inputs:
            rank = shape_ops.rank(value.t)
            ranks.append(rank if value.is_stacked else rank + 1)
        largest = ranks[0]
        for rank in ranks[1:]:
            largest = raw_ops.Maximum(x=rank, y=largest)
        for place, value in enumerate(self._inputs):
            if value.is_stacked:
                shape = shape_ops.shape(value.t)
                missing = shape_ops.reshape(largest - ranks[place], [1])
                ones = array_ops.tile([1], missing)
                shape = array_ops.concat([shape[:1], ones, shape[1:]], axis=0)
                self._inputs[place] = wrap(shape_ops.reshape(value.t, shape))

    def flattened(self, places: Sequence[int]) -> list[Any]:
        """The inputs: those at `places` with their first two dimensions as one, the others as they
        are in all iterations."""
        self.stack_inputs(places)
        return [
            flatten_first_two(self.stacked_input(i)) if i in places else self.unstacked_input(i)
            for i in range(self.num_inputs)
        ]

    def again(self, inputs: Iterable[Any]) -> Any:
        """The same operation on other inputs."""
        return create_like(self._op, inputs)


_PforInput = PForInput


def flatten_first_two(x: Any) -> Any:
    """`x` with its first two dimensions as one."""
    shape = shape_ops.shape(x)
    return shape_ops.reshape(x, array_ops.concat([[-1], shape[2:]], axis=0))


def unflatten_first(x: Any, first: Any) -> Any:
    """`x` with its first dimension as two, of which the first is the vector `first`."""
    shape = shape_ops.shape(x)
    return shape_ops.reshape(x, array_ops.concat([first, [-1], shape[1:]], axis=0))


class PForConfig:
    """What a loop's body may ask for over all iterations: it is the argument `pfor_config`."""

    def __init__(self) -> None:
        self._maybe_iters: Any = None
        self._reduced: Any = ObjectIdentityDictionary()
        self._placeholders: Any = ObjectIdentityDictionary()

    def _has_reductions(self) -> int:
        return len(self._reduced)

    def _set_iters(self, iters: Any) -> None:
        self._maybe_iters = iters

    def _lookup_reduction(self, placeholder: Any) -> Any:
        assert isinstance(placeholder, ops.Tensor), (
            f"Expected Tensor, got {placeholder} of type {type(placeholder)}."
        )
        return self._reduced.get(placeholder)

    def reduce_concat(self, x: Any) -> Any:
        """`x` of all iterations, stacked.

        Args:
          x: a tensor of the body.

        Returns:
          A tensor of the body, with one dimension more.
        """
        assert not context.executing_eagerly()
        assert isinstance(x, ops.Tensor)
        if x in self._reduced:  # A placeholder that stands for all iterations already.
            return self._placeholders[x]
        shape = TensorShape([self._maybe_iters]).concatenate(x.shape)
        with ops.control_dependencies([x]):  # So that x is converted first.
            placeholder = array_ops.placeholder(x.dtype, shape)
        self._reduced[placeholder] = x
        self._placeholders[x] = placeholder
        return placeholder

    def reduce_mean(self, x: Any) -> Any:
        """The mean of `x` over all iterations.

        Args:
          x: a tensor of the body.
        """
        return math_reduce.reduce_mean(self.reduce_concat(x), axis=0)

    def reduce_sum(self, x: Any) -> Any:
        """The sum of `x` over all iterations.

        Args:
          x: a tensor of the body.
        """
        return math_reduce.reduce_sum(self.reduce_concat(x), axis=0)


class PFor:
    """Records what a loop's body is for all iterations at once.

    Args:
      loop_var: the placeholder of the index in the body.
      loop_len: how many iterations there are.
      pfor_ops: the operations of the body.
      all_indices: the indices of the iterations that are left, inside control flow.
      all_indices_partitioned: whether some may not be.
      pfor_config: the `PForConfig` that the body was given.
    """

    def __init__(
        self,
        loop_var: Any,
        loop_len: Any,
        pfor_ops: Iterable[Any],
        all_indices: Any = None,
        all_indices_partitioned: bool = False,
        pfor_config: PForConfig | None = None,
    ):
        assert isinstance(loop_var, ops.Tensor)
        assert loop_var.op.type == "Placeholder"
        assert all_indices is not None or not all_indices_partitioned
        known = constant_value(loop_len)
        if known is not None:
            loop_len = known
        self._loop_var = loop_var
        self._loop_len_vector = shape_ops.reshape(loop_len, [1])
        self._all_indices_partitioned = all_indices_partitioned
        self.all_indices = math_sums.range(loop_len) if all_indices is None else all_indices
        self._converted: Any = ObjectIdentityDictionary()
        self._converted[loop_var] = wrap(self.all_indices)
        self._pfor_ops = set(pfor_ops)
        self._pfor_config = pfor_config
        # Whether what was pushed to a stack of the body hangs on the index.
        self.stacks: dict[Any, bool] = {}

    loop_len_vector: Any = attribute("_loop_len_vector", "A vector with the iterations' number.")
    loop_var: Any = attribute("_loop_var", "The placeholder of the index.")
    pfor_ops: Any = attribute("_pfor_ops", "The operations of the body.")
    pfor_config: Any = attribute("_pfor_config", "The `PForConfig` of the body.")
    all_indices_partitioned: bool = attribute(
        "_all_indices_partitioned", "Whether it is for control flow that some iterations left."
    )

    def op_is_inside_loop(self, op: Any) -> bool:
        """Whether an operation is one of the body.

        Args:
          op: an operation.
        """
        assert isinstance(op, ops.Operation)
        return op in self._pfor_ops

    def convert(self, y: Any) -> Any:
        """What a result of the body is for all iterations.

        Args:
          y: a tensor, a `SparseTensor`, None, or an operation without outputs.

        Returns:
          A tensor with all iterations stacked, whether they differ or not; or an operation.
        """
        if y is None:
            return None
        if isinstance(y, SparseTensor):
            return self._convert_sparse(y)
        assert isinstance(y, ops.Tensor | ops.Operation), y
        found = self._convert_helper(y)
        return self.stacked(found) if isinstance(found, WrappedTensor) else found

    def stacked(self, value: WrappedTensor) -> Any:
        """A converted tensor, repeated if it is the same in all iterations."""
        return value.t if value.is_stacked else repeated(value.t, self._loop_len_vector)

    def _convert_sparse(self, y: Any) -> Any:
        parts = [self._convert_helper(part) for part in (y.indices, y.values, y.dense_shape)]
        if all(part.is_sparse_stacked for part in parts):
            return SparseTensor(*(part.t for part in parts))
        assert not any(part.is_sparse_stacked for part in parts), (
            "Error converting SparseTensor. All components should be logically stacked, or none."
        )
        indices, values, shape = (self.stacked(part) for part in parts)
        rank = indices.shape.as_list()[-1]
        serialized = map_fn.map_fn(
            lambda args: raw_ops.SerializeSparse(
                sparse_indices=args[0],
                sparse_values=args[1],
                sparse_shape=args[2],
                out_type=dtypes.variant,
            ),
            [indices, values, shape],
            dtype=dtypes.variant,
        )
        return sparse_serialize_ops.deserialize_sparse(
            serialized, dtype=values.dtype, rank=None if rank is None else rank + 1
        )

    def _add_conversion(self, old_output: Any, new_output: Any) -> None:
        self._converted[old_output] = new_output

    def _is_changed(self, value: Any) -> bool:
        """Whether a tensor or operation became another one."""
        found = self._converted[value]
        return (found.t if isinstance(found, WrappedTensor) else found) is not value

    def _convert_helper(self, op_or_tensor: Any) -> Any:
        waiting = [op_or_tensor]
        while waiting:
            y = waiting[-1]
            if y in self._converted:
                waiting.pop()
                continue
            whole: Any = y if isinstance(y, ops.Operation) else y.op
            if isinstance(y, ops.Operation):
                assert not y.outputs, (
                    "We only support converting Operation objects with no outputs. Got %s",
                    y,
                )
            inside = True
            if whole.type == "Exit":
                from tf1compat.api.parallel_for import pfor_while

                loop = pfor_while.WhileOp(y, self._pfor_ops, self._pfor_config)
                inside = loop.is_inside_loop
                whole = loop if inside else whole
            else:
                inside = self.op_is_inside_loop(whole)
            if inside:
                before = [
                    value
                    for value in [*whole.inputs, *_controlling(whole)]
                    if value not in self._converted
                ]
                if before:
                    waiting += before
                    continue
            self._convert_operation(y, whole, inside)
            waiting.pop()
        return self._converted[op_or_tensor]

    def _convert_operation(self, y: Any, whole: Any, inside: bool) -> None:
        """Records what an operation becomes, whose inputs are converted."""
        inputs: list[WrappedTensor] = []
        controls: list[Any] = []
        changed = controls_changed = False
        if inside:
            inputs = [self._converted[value] for value in whole.inputs]
            changed = any(self._is_changed(value) for value in whole.inputs)
            for value in _controlling(whole):
                controls_changed |= self._is_changed(value)
                found = self._converted[value]
                op = found.t.op if isinstance(found, WrappedTensor) else found
                if op not in controls:
                    controls.append(op)
        if getattr(y, "op", y).type == "Exit":
            controls = []  # The converter of the loop sees to them.
        with ops.control_dependencies(controls), ops.name_scope(whole.name + "/pfor/"):
            found = self._become(y, whole, inside, inputs, changed, controls_changed)
        if y is whole:
            assert isinstance(found, ops.Operation)
            self._converted[y] = found
            return
        assert len(whole.outputs) == len(found), (whole, whole.outputs, found)
        for old, new in zip(whole.outputs, found, strict=True):
            assert isinstance(new, WrappedTensor), (new, y, whole)
            self._converted[old] = new

    def _become(
        self,
        y: Any,
        whole: Any,
        inside: bool,
        inputs: list[WrappedTensor],
        changed: bool,
        controls_changed: bool,
    ) -> Any:
        config = self._pfor_config
        reduced = None if config is None else config._lookup_reduction(y)
        if reduced is not None:
            assert reduced in self._converted, (
                f"Unable to handle reduction of {reduced}, possibly as it was used inside a control"
                " flow construct. Note that reductions across pfor iterations are currently not "
                "supported inside control flow constructs."
            )
            return [wrap(self.stacked(self._converted[reduced]), False)]
        stateful = inside and is_stateful(whole)
        same = not inside or not (stateful or changed or controls_changed)
        if same and y.graph is ops.get_default_graph():
            return whole if y is whole else [wrap(x, False) for x in whole.outputs]
        is_loop = not isinstance(whole, ops.Operation)
        if not (stateful or is_loop or any(x.is_stacked for x in inputs)):
            made = create_like(whole, [x.t for x in inputs])
            return made if y is whole else [wrap(x, False) for x in made.outputs]
        converter = whole if is_loop else _converters.get(whole.type)
        if converter is None:
            if not flags.FLAGS[
                "op_conversion_fallback_to_while_loop"
            ].value:  # Without parsing argv.
                raise ValueError(
                    f"No converter defined for {whole.type}\n{whole}\ninputs: {inputs}. \nEither "
                    "add a converter or set --op_conversion_fallback_to_while_loop=True, which may "
                    "run slower"
                )
            converter = _one_by_one
        found = converter(PForInput(self, whole, inputs))
        return [found] if isinstance(found, WrappedTensor) else found


def _controlling(op: Any) -> list[Any]:
    """What an operation waits for: the outputs of its control inputs, or these themselves."""
    return [value for control in op.control_inputs for value in (control.outputs or [control])]


def _one_by_one(pfor_input: PForInput) -> Any:
    """A loop over the iterations, for an op type without a converter."""
    tf_logging.warn("Using a while_loop for converting %s", pfor_input.op_type)
    types = [x.dtype for x in pfor_input.outputs]
    iters = pfor_input.length[0]

    def body(i: Any, *arrays: Any) -> Any:
        inputs = [x.t[i, ...] if x.is_stacked else x.t for x in pfor_input.inputs]
        results = pfor_input.again(inputs).outputs
        return (
            i + 1,
            *(
                array.write(i, shape_ops.expand_dims(result, 0))
                for array, result in zip(arrays, results, strict=True)
            ),
        )

    arrays = [tensor_array_ops.TensorArray(dtype, iters) for dtype in types]
    done = while_loop(lambda i, *_: math_ops.less(i, iters), body, [0, *arrays])[1:]
    return [wrap(array.concat()) for array in done]
