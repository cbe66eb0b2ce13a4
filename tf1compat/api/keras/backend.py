"""`tf.keras.backend`: names over operations, and Keras's state of a graph
(`tensorflow.python.keras.backend`)."""

from __future__ import annotations

import builtins
import collections
import contextlib
import weakref
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.keras.backend_config import (
    epsilon,
    floatx,
    image_data_format,
    set_epsilon,
    set_floatx,
    set_image_data_format,
)
from tf1compat.api.keras.backend_names import int_shape, ndim, seed_or_drawn
from tf1compat.api.linalg import linalg_ops
from tf1compat.api.math import math_ops
from tf1compat.api.ragged import ragged_factory_ops
from tf1compat.api.ragged.ragged_tensor import RaggedTensor
from tf1compat.api.random import init_ops
from tf1compat.api.variables import variables
from tf1compat.core import (
    context,
    dtypes,
    export,
    nest,
    ops,
    tensor_util,
)
from tf1compat.core.export import tf_export
from tf1compat.core.func_graph import FuncGraph
from tf1compat.core.sparse_tensor import SparseTensor
from tf1compat.core.typing import TensorLike

__all__ = [
    "epsilon", "floatx", "image_data_format", "set_epsilon", "set_floatx", "set_image_data_format",
]  # fmt: skip


class _State:
    """What Keras keeps of a graph. The graph holds it: the learning phase holds the graph."""

    def __init__(self) -> None:
        self.name_uids: dict[Any, int] = collections.defaultdict(int)
        self.learning_phase: Any = None
        # Those that may not be initialised yet, by id, in the order in which they were made.
        self.new_variables: weakref.WeakValueDictionary[int, Any] = weakref.WeakValueDictionary()
        self.tf_optimizers: weakref.WeakSet[Any] = weakref.WeakSet()


_states: weakref.WeakSet[_State] = weakref.WeakSet()
_eager_graph: Any = None
_session: Any = None
_eager_learning_phase: int | None = None
_manual_initialization = False


def _state(graph: Any = None) -> _State:
    graph = graph or get_graph()
    state = getattr(graph, "_keras_state", None)
    if state is None:
        state = graph._keras_state = _State()
        _states.add(state)
    return state


def get_graph() -> Any:
    """The graph that layers record in: the default graph, or in eager execution one of Keras's
    own."""
    global _eager_graph
    if not context.executing_eagerly():
        return ops.get_default_graph()
    if _eager_graph is None:
        _eager_graph = FuncGraph("keras_graph")
        _eager_graph.records_eagerly = True
    return _eager_graph


def in_keras_graph() -> bool:
    """Whether operations are recorded in the graph that Keras has in eager execution."""
    return (
        _eager_graph is not None
        and not context.executing_eagerly()
        and ops.get_default_graph() is _eager_graph
    )


def learning_phases() -> list[Any]:
    """The learning phases of all graphs."""
    return [state.learning_phase for state in _states]


@tf_export("compat.v2.keras.backend.name_scope")
def name_scope(name: str) -> Any:
    """A name scope, unless `name` ends with "/" a new one.

    Args:
      name: the scope's name.

    Returns:
      A context manager.
    """
    return ops.name_scope_v2(name)


# Names.


@tf_export("keras.backend.backend")
def backend() -> str:
    """ "tensorflow"."""
    return "tensorflow"


@tf_export("keras.backend.get_uid")
def get_uid(prefix: str = "") -> int:
    """How often it has been called with this prefix in this graph, this time included.

    Args:
      prefix: a string.

    Returns:
      An int, from 1 on.
    """
    uids = _state().name_uids
    uids[prefix] += 1
    return uids[prefix]


@tf_export("keras.backend.reset_uids")
def reset_uids() -> None:
    """Makes the names of layers start over, in all graphs."""
    for state in _states:
        state.name_uids.clear()


def get_default_graph_uid_map() -> dict[Any, int]:
    """How often names are used, those of the default graph: also in eager execution."""
    return _state(ops.get_default_graph()).name_uids


def unique_object_name(
    name: str, name_uid_map: Any = None, avoid_names: Any = None, namespace: str = "",
    zero_based: bool = False,
) -> str:  # fmt: skip
    """A name that no layer of the graph has: `name` with a number.

    Args:
      name: what to start with.
      name_uid_map: counts, by (namespace, name); those of the default graph by default.
      avoid_names: names not to use.
      namespace: names in different ones don't meet.
      zero_based: whether the first one has no number ("dense", "dense_1", …).
    """
    uids = get_default_graph_uid_map() if name_uid_map is None else name_uid_map
    key = (namespace, name)
    while True:
        if not zero_based:
            uids[key] += 1
        number = uids[key]
        if zero_based:
            uids[key] += 1
        proposed = f"{name}_{number}" if number else name
        if proposed not in (avoid_names or ()):
            return proposed


# Sessions and the learning phase.


@tf_export("keras.backend.get_session")
def get_session(op_input_list: Any = ()) -> Any:
    """The default session, or Keras's own for the graph of some tensors, or else the default graph;
    with its variables initialised.

    Args:
      op_input_list: tensors of the graph, which may be none.

    Returns:
      A `Session`.
    """
    session = plain_session(op_input_list)
    if not _manual_initialization:
        with session.graph.as_default():
            initialize_variables(session)
    return session


@tf_export("keras.backend.manual_variable_initialization")
def manual_variable_initialization(value: bool) -> None:
    """Whether the program initialises variables itself, rather than `get_session`.

    Args:
      value: a bool.
    """
    global _manual_initialization
    _manual_initialization = value


def get_default_session_config() -> Any:
    """The `ConfigProto` of Keras's own session: what asks for a device that is not there goes
    where it can."""
    return export.find("ConfigProto")(allow_soft_placement=True)


def plain_session(op_input_list: Any = ()) -> Any:
    """`get_session`, without initialising anything."""
    global _session
    session = ops.get_default_session()
    if session is None:
        if ops.inside_function():
            raise RuntimeError("Cannot get session inside Tensorflow graph function.")
        if _session is None or _session.graph is not ops._get_graph_from_inputs(op_input_list):
            _session = export.find("Session")(config=get_default_session_config())
        session = _session
    return session


def track_tf_optimizer(tf_optimizer: Any) -> None:
    """Has the variables of a `TFOptimizer` initialised with those of layers."""
    _state().tf_optimizers.add(tf_optimizer)


def initialize_variables(session: Any) -> None:
    """Initialises those of the default graph's variables that are not yet."""
    state = _state()
    if not state.new_variables and not state.tf_optimizers:
        return
    found = {id(v): v for v in state.new_variables.values()}
    for tf_optimizer in state.tf_optimizers:
        found.update((id(v), v) for v in tf_optimizer.optimizer.variables())
    pending = [v for v in found.values() if not getattr(v, "_keras_initialized", False)]
    if pending:
        flags = session.run([variables.is_variable_initialized(v) for v in pending])
        missing = [v for v, flag in zip(pending, flags, strict=True) if not flag]
        for v in pending:
            v._keras_initialized = True
        if missing:
            session.run(variables.variables_initializer(missing))
    state.new_variables.clear()


@tf_export("keras.backend.set_session")
def set_session(session: Any) -> None:
    """Makes `session` the one that `get_session` gives.

    Args:
      session: a `Session`.
    """
    global _session
    _session = session


def _placeholder_phase() -> Any:
    with get_graph().as_default(), name_scope(""):
        return array_ops.placeholder_with_default(False, shape=(), name="keras_learning_phase")


@tf_export("keras.backend.clear_session")
def clear_session() -> None:
    """Starts over: an empty default graph, no session, no learning phase, names from the start."""
    global _session, _eager_graph, _eager_learning_phase
    ops.reset_default_graph()
    reset_uids()
    _session = _eager_graph = _eager_learning_phase = None
    _state().learning_phase = _placeholder_phase()


def global_learning_phase_is_set() -> bool:
    """Whether `set_learning_phase` was called eagerly."""
    return _eager_learning_phase is not None


def symbolic_learning_phase() -> Any:
    """The learning phase of the default graph: a placeholder that defaults to False, or 0 or 1 if
    it was set."""
    state = _state()
    if state.learning_phase is None:
        state.learning_phase = _placeholder_phase()
    return state.learning_phase


def learning_phase_is_fed() -> bool:
    """Whether training functions take the learning phase as their last argument."""
    return not context.executing_eagerly() and not isinstance(symbolic_learning_phase(), int)


@tf_export("keras.backend.learning_phase")
def learning_phase() -> Any:
    """Whether layers that are not told train: 0 or 1, or a tensor.

    Returns:
      0 or 1 in eager execution; in a graph what was set, else a scalar bool placeholder that is
      False by default.
    """
    if in_keras_graph() and _eager_learning_phase is None:
        return symbolic_learning_phase()
    with ops.init_scope():
        if context.executing_eagerly():
            return _eager_learning_phase or 0
        return symbolic_learning_phase()


@tf_export("keras.backend.set_learning_phase")
def set_learning_phase(value: int) -> None:
    """Sets the learning phase to 0 or 1.

    Args:
      value: 0 (inference) or 1 (training).

    Raises:
      ValueError: it is something else.
    """
    global _eager_learning_phase
    if value not in {0, 1}:
        raise ValueError("Expected learning phase to be 0 or 1.")
    with ops.init_scope():
        if context.executing_eagerly():
            _eager_learning_phase = value
        else:
            _state().learning_phase = value


@tf_export("keras.backend.learning_phase_scope")
@contextlib.contextmanager
def learning_phase_scope(value: int) -> Iterator[None]:
    """Sets the learning phase to 0 or 1 for the `with` block.

    Args:
      value: 0 (inference) or 1 (training).

    Yields:
      Nothing, once, for the block.
    """
    global _eager_learning_phase
    if value not in {0, 1}:
        raise ValueError("Expected learning phase to be 0 or 1.")
    eager = _eager_learning_phase
    state = _state()
    before = state.learning_phase
    set_learning_phase(value)
    try:
        yield
    finally:
        _eager_learning_phase = eager
        state.learning_phase = before


@contextlib.contextmanager
def eager_learning_phase_scope(value: int) -> Iterator[None]:
    """Sets the learning phase of eager execution, and of what functions record, to 0 or 1.

    Args:
      value: 0 (inference) or 1 (training).

    Yields:
      Nothing, once, for the `with` block.
    """
    global _eager_learning_phase
    assert value in {0, 1}
    assert ops.executing_eagerly_outside_functions()
    before, _eager_learning_phase = _eager_learning_phase, value
    try:
        yield
    finally:
        _eager_learning_phase = before


@tf_export("keras.backend.in_train_phase")
def in_train_phase(x: Any, alt: Any, training: Any = None) -> Any:
    """`x` when training, else `alt`; either may be a function of nothing.

    Args:
      x, alt: tensors of one shape, or functions of nothing that give such.
      training: a bool or a bool tensor; the learning phase by default.

    Returns:
      One of the two, or a tensor that is one of the two when it runs.
    """
    if training is None:
        training = learning_phase()
    if not tensor_util.is_tensor(training) and training in (0, 1):
        chosen = x if training else alt
        return chosen() if callable(chosen) else chosen
    return switch(training, x, alt)


@tf_export("keras.backend.in_test_phase")
def in_test_phase(x: Any, alt: Any, training: Any = None) -> Any:
    """`alt` when training, else `x`.

    Args:
      x, alt: tensors of one shape, or functions of nothing that give such.
      training: a bool or a bool tensor; the learning phase by default.

    Returns:
      One of the two, or a tensor that is one of the two when it runs.
    """
    return in_train_phase(alt, x, training=training)


@tf_export("keras.backend.switch")
def switch(condition: Any, then_expression: Any, else_expression: Any) -> Any:
    """One of two tensors (or functions of nothing) by a bool; element by element if it is no
    scalar.

    Args:
      condition: a bool tensor, a scalar or of the first dimensions of the others.
      then_expression, else_expression: tensors of one shape, or functions of nothing that give
        such.

    Returns:
      A tensor of that shape.
    """
    if condition.dtype != dtypes.bool:
        condition = math_ops.cast(condition, "bool")
    rank = ndim(condition)

    def function(expression: Any) -> Callable[[], Any]:
        return expression if callable(expression) else lambda: expression

    if not rank:
        return control_flow_ops.cond(
            condition, function(then_expression), function(else_expression)
        )
    chosen, other = function(then_expression)(), function(else_expression)()
    wanted = ndim(chosen)
    if rank > wanted:
        raise ValueError(
            "Rank of `condition` should be less than or equal to rank of `then_expression` and "
            f"`else_expression`. ndim(condition)={rank}, ndim(then_expression)={wanted}"
        )
    if rank > 1:
        cond_shape = array_ops.concat([array_ops.shape(condition), [1] * (wanted - rank)], axis=0)
        condition = array_ops.reshape(condition, cond_shape)
        expr_shape = array_ops.shape(chosen)
        difference = expr_shape - cond_shape
        tiles = array_ops.where(difference > 0, expr_shape, array_ops.ones_like(expr_shape))
        condition = array_ops.tile(condition, tiles)
    return array_ops.where(condition, chosen, other)


# Variables and placeholders.


def track_variable(v: Any) -> None:
    """Has `get_session` initialise the variable."""
    if not context.executing_eagerly():
        _state(getattr(v, "graph", None)).new_variables[id(v)] = v


@tf_export("keras.backend.variable")
def variable(value: Any, dtype: Any = None, name: Any = None, constraint: Any = None) -> Any:
    """A variable with that first value, of dtype `floatx()` by default.

    Args:
      value: an array, a number or a tensor, or a SciPy matrix.
      dtype: the dtype.
      name: the variable's name.
      constraint: a function that is applied to it after each update.

    Returns:
      A variable, or a SparseTensor for a sparse matrix.
    """
    if hasattr(value, "tocoo"):
        coo = value.tocoo()
        indices = np.stack([coo.row, coo.col], axis=1)
        sparse = SparseTensor(indices=indices, values=coo.data, dense_shape=coo.shape)
        sparse._keras_shape = coo.shape  # pyright: ignore[reportAttributeAccessIssue]
        return sparse
    v = variables.VariableV1(
        value, dtype=dtypes.as_dtype(dtype or floatx()), name=name, constraint=constraint,
        use_resource=True,
    )  # fmt: skip
    if isinstance(value, np.ndarray):
        v._keras_shape = value.shape
    elif hasattr(value, "shape"):
        v._keras_shape = int_shape(value)
    track_variable(v)
    return v


@tf_export("keras.backend.constant")
def constant(value: Any, dtype: Any = None, shape: Any = None, name: Any = None) -> Any:
    """A constant, of dtype `floatx()` by default.

    Args:
      value: a number or numbers.
      dtype: the dtype.
      shape: the shape; that of `value` by default.
      name: the operation's name.

    Returns:
      A tensor.
    """
    return constant_op.constant(value, dtype=dtype or floatx(), shape=shape, name=name)


@tf_export("keras.backend.placeholder")
def placeholder(
    shape: Any = None, ndim: Any = None, dtype: Any = None, sparse: bool = False, name: Any = None,
    ragged: bool = False,
) -> Any:  # fmt: skip
    """A placeholder, of dtype `floatx()` by default; `ndim` gives the rank alone.

    Args:
      shape: the shape, with None for what is not known.
      ndim: the rank, where there is no shape.
      dtype: the dtype.
      sparse: whether it is a SparseTensor.
      name: the operation's name.
      ragged: whether it is a RaggedTensor.

    Returns:
      A placeholder.
    """
    if sparse and ragged:
        raise ValueError("Cannot set both sparse and ragged to True when creating a placeholder.")
    if not shape and ndim:
        shape = (None,) * ndim
    with get_graph().as_default():
        if ragged:
            # The dimensions that are not known, from the second on, are the ragged ones.
            rest = tuple(shape)[1:]
            rank = next((i for i, size in enumerate(rest) if size is not None), len(rest))
            return ragged_factory_ops.placeholder(
                dtype or floatx(), ragged_rank=rank, value_shape=rest[rank:], name=name
            )
        if sparse:
            return array_ops.sparse_placeholder(dtype or floatx(), shape=shape, name=name)
        return array_ops.placeholder(dtype or floatx(), shape=shape, name=name)


def is_placeholder(x: Any) -> bool:
    """Whether it is a placeholder (or consists of some)."""
    if nest.is_composite(x):
        return builtins.any(map(is_placeholder, nest.flatten(x, expand_composites=True)))
    return getattr(getattr(x, "op", None), "type", None) == "Placeholder"


def is_keras_tensor(x: Any) -> bool:
    """Whether it is the output of a layer.

    Raises:
      ValueError: it is no tensor.
    """
    if not isinstance(x, ops.Tensor | variables.Variable | SparseTensor | RaggedTensor):
        raise ValueError(
            f"Unexpectedly found an instance of type `{type(x)}`. Expected a symbolic tensor "
            "instance."
        )
    return hasattr(x, "_keras_history")


def identity(x: Any, name: Any = None) -> Any:
    """A tensor of the same contents."""
    return array_ops.identity(x, name=name)


def logsumexp(x: Any, axis: TensorLike | None = None, keepdims: bool = False) -> Any:
    """The logarithm of the sum of exponentials."""
    return math_ops.reduce_logsumexp(x, axis, keepdims)


def _variable_of(fill: Callable[..., Any], shape: Any, dtype: Any, name: Any) -> Any:
    """A variable that `fill` fills at first; a tensor where the shape is not known."""
    with ops.init_scope():
        dtype = dtype or floatx()
        value = fill(shape=shape, dtype=dtypes.as_dtype(dtype), name=name)
        if builtins.all(value.shape.as_list()):
            return variable(value, dtype=dtype, name=name)
        track_variable(value)
        return value


@tf_export("keras.backend.zeros")
def zeros(shape: Any, dtype: Any = None, name: Any = None) -> Any:
    """A variable of zeros.

    Args:
      shape: the shape, of ints.
      dtype: the dtype, `floatx()` by default.
      name: the variable's name.

    Returns:
      A variable, or a tensor where the shape is not known.
    """
    return _variable_of(array_ops.zeros, shape, dtype, name)


@tf_export("keras.backend.ones")
def ones(shape: Any, dtype: Any = None, name: Any = None) -> Any:
    """A variable of ones.

    Args:
      shape: the shape, of ints.
      dtype: the dtype, `floatx()` by default.
      name: the variable's name.

    Returns:
      A variable, or a tensor where the shape is not known.
    """
    return _variable_of(array_ops.ones, shape, dtype, name)


@tf_export("keras.backend.eye")
def eye(size: int, dtype: Any = None, name: Any = None) -> Any:
    """A variable that is an identity matrix.

    Args:
      size: the number of rows.
      dtype: the dtype, `floatx()` by default.
      name: the variable's name.

    Returns:
      A variable [size, size].
    """
    dtype = dtype or floatx()
    return variable(linalg_ops.eye(size, dtype=dtypes.as_dtype(dtype)), dtype, name)


@tf_export("keras.backend.random_uniform_variable")
def random_uniform_variable(
    shape: Any,
    low: float,
    high: float,
    dtype: Any = None,
    name: Any = None,
    seed: int | None = None,
) -> Any:
    """A variable of uniformly distributed numbers.

    Args:
      shape: the shape, of ints.
      low, high: the range.
      dtype: the dtype, `floatx()` by default.
      name: the variable's name.
      seed: the seed; drawn from NumPy by default.

    Returns:
      A variable.
    """
    dtype = dtype or floatx()
    seed = seed_or_drawn(seed, 10e8)
    draw = init_ops.RandomUniform(low, high, dtype=dtypes.as_dtype(dtype), seed=seed)
    return variable(draw(shape), dtype=dtype, name=name)


@tf_export("keras.backend.random_normal_variable")
def random_normal_variable(
    shape: Any,
    mean: float,
    scale: float,
    dtype: Any = None,
    name: Any = None,
    seed: int | None = None,
) -> Any:
    """A variable of normally distributed numbers.

    Args:
      shape: the shape, of ints.
      mean, scale: the mean and the standard deviation.
      dtype: the dtype, `floatx()` by default.
      name: the variable's name.
      seed: the seed; drawn from NumPy by default.

    Returns:
      A variable.
    """
    dtype = dtype or floatx()
    seed = seed_or_drawn(seed, 10e8)
    draw = init_ops.RandomNormal(mean, scale, dtype=dtypes.as_dtype(dtype), seed=seed)
    return variable(draw(shape), dtype=dtype, name=name)


# Facts about tensors.


@tf_export("keras.backend.dtype")
def dtype(x: Any) -> str:
    """The dtype's name.

    Args:
      x: a variable or tensor.

    Returns:
      A string, such as "float32".
    """
    return x.dtype.base_dtype.name


@tf_export("keras.backend.count_params")
def count_params(x: Any) -> Any:
    """The number of elements, from the static shape.

    Args:
      x: a variable or tensor of known shape.

    Returns:
      An int.
    """
    return np.prod(x.shape.as_list())


@tf_export("keras.backend.is_sparse")
def is_sparse(tensor: TensorLike) -> bool:
    """Whether it is a SparseTensor.

    Args:
      tensor: a tensor.

    Returns:
      A bool.
    """
    return type(tensor).__name__ == "SparseTensor"


@tf_export("keras.backend.cast_to_floatx")
def cast_to_floatx(x: Any) -> np.ndarray:
    """`x` as an array of dtype `floatx()`.

    Args:
      x: an array or what becomes one.

    Returns:
      An array.
    """
    return np.asarray(x, dtype=floatx())


# The rest of TF's module.
if TYPE_CHECKING:

    def __getattr__(name: str) -> Any: ...


from tf1compat.api.keras.backend_ctc import *  # noqa: E402, F403
from tf1compat.api.keras.backend_function import *  # noqa: E402, F403
from tf1compat.api.keras.backend_names import *  # noqa: E402, F403
from tf1compat.api.keras.backend_nn import *  # noqa: E402, F403
from tf1compat.api.keras.backend_ops import *  # noqa: E402, F403
from tf1compat.api.keras.backend_rnn import *  # noqa: E402, F403
from tf1compat.api.keras.backend_shapes import *  # noqa: E402, F403
from tf1compat.api.keras.backend_values import *  # noqa: E402, F403
