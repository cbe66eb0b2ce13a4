"""`tf.train.Optimizer`: gradients of a loss, and the steps that apply them to variables."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.distribute import distribution_strategy_context as strategies
from tf1compat.api.distribute.distribute_lib import get_loss_reduction
from tf1compat.api.distribute.reduce_util import ReduceOp
from tf1compat.api.eager import backprop
from tf1compat.api.gradients import gradients_impl
from tf1compat.api.math import math_ops
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.training import slot_creator
from tf1compat.api.training.tracking import base
from tf1compat.api.variables import resource_variable_ops, state_ops, variable_scope, variables
from tf1compat.core import dtypes, nest, ops, raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.graph import Graph
from tf1compat.core.typing import DTypeLike, Initializer, Name, ShapeLike, TensorLike


def _deduplicate_indexed_slices(values: Any, indices: TensorLike) -> tuple[ops.Tensor, ops.Tensor]:
    """Adds up the rows that have the same index.

    Args:
      values: rows, shape [n, ...].
      indices: their indices, shape [n].

    Returns:
      (sums, indices that are all different).
    """
    unique_indices, positions = array_ops.unique(indices)
    count = array_ops.shape(unique_indices)[0]
    return math_ops.unsorted_segment_sum(values, positions, count), unique_indices


def _var_key(var: Any) -> Any:
    """The key of a variable in the tables of slots."""
    return (var.op.graph, var.op.name) if _has_graph(var) else var._unique_id


def _has_graph(var: Any) -> bool:
    """Whether a variable (or tensor) was recorded, rather than made in eager execution."""
    return getattr(var, "_in_graph_mode", True)


class _Processor:
    """How gradients reach one kind of variable.

    Args:
      variable: the variable.
    """

    def __init__(self, variable: Any):
        self._v = variable

    def target(self) -> Any:
        """What to differentiate with respect to."""
        return self._v

    def update_op(self, optimizer: Optimizer, g: Any) -> Any:
        """Records the step that applies gradient `g`; returns its operation."""
        if isinstance(g, ops.IndexedSlices):
            if self._v.constraint is not None:
                raise RuntimeError("Cannot use a constraint function on a sparse variable.")
            return self._apply_sparse(optimizer, g)
        update = self._apply_dense(optimizer, g)
        if self._v.constraint is None:
            return update
        with ops.control_dependencies([update]):
            return self._v.assign(self._v.constraint(self._v))

    def _apply_dense(self, optimizer: Optimizer, g: ops.Tensor) -> Any:
        raise NotImplementedError

    def _apply_sparse(self, optimizer: Optimizer, g: ops.IndexedSlices) -> Any:
        raise NotImplementedError


class _RefVariableProcessor(_Processor):
    def __str__(self) -> str:
        return f"<_RefVariableProcessor({self._v})>"

    def target(self) -> Any:
        return self._v._ref()

    def _apply_dense(self, optimizer: Optimizer, g: ops.Tensor) -> Any:
        return optimizer._apply_dense(g, self._v)

    def _apply_sparse(self, optimizer: Optimizer, g: ops.IndexedSlices) -> Any:
        return optimizer._apply_sparse_duplicate_indices(g, self._v)


class _ResourceVariableProcessor(_Processor):
    def _apply_dense(self, optimizer: Optimizer, g: ops.Tensor) -> Any:
        return optimizer._resource_apply_dense(g, self._v)

    def _apply_sparse(self, optimizer: Optimizer, g: ops.IndexedSlices) -> Any:
        return optimizer._resource_apply_sparse_duplicate_indices(g.values, self._v, g.indices)


class _TensorProcessor(_Processor):
    """A tensor can be differentiated to, and not updated."""

    def update_op(self, optimizer: Optimizer, g: Any) -> Any:
        raise NotImplementedError("Trying to update a Tensor ", self._v)


def _get_processor(v: Any) -> _Processor:
    if not _has_graph(v):
        return _ResourceVariableProcessor(v)
    if v.op.type == "VarHandleOp":
        return _ResourceVariableProcessor(v)
    if isinstance(v, variables.Variable):
        return _RefVariableProcessor(v)
    if isinstance(v, ops.Tensor):
        return _TensorProcessor(v)
    raise NotImplementedError("Trying to optimize unsupported type ", v)


@tf_export("train.Optimizer")
class Optimizer(base.Trackable):
    """Base of optimizers.

    A subclass says which slots it keeps (`_create_slots`), which tensors it needs (`_prepare`), how
    it steps (`_apply_dense`, `_apply_sparse` and their `_resource_` forms) and what it does last
    (`_finish`).

    Args:
      use_locking: the `use_locking` attr of the steps.
      name: the name scope of the steps, and the name of the slots.

    Raises:
      ValueError: `name` is empty.
    """

    # With a slot of its own this class is the `__base__` of its subclasses, as in TF, even where a
    # mixin stands before it: client libraries look there.
    __slots__ = ("_name",)

    # How much of the gradients is computed before any of it is used.
    GATE_NONE = 0
    GATE_OP = 1
    GATE_GRAPH = 2

    def __init__(self, use_locking: bool, name: str):
        if not name:
            raise ValueError("Must specify the optimizer name")
        self._use_locking = use_locking
        self._name = name
        # slot name -> key of the variable -> slot
        self._slots: dict[str, dict[Any, Any]] = {}
        # (name, graph) -> variable
        self._non_slot_dict: dict[Any, Any] = {}
        # slot name -> key of the variable -> what of a checkpoint waits for the slot
        self._deferred_slot_restorations: dict[str, dict[Any, list[Any]]] = {}

    def get_name(self) -> str:
        """The name given at creation."""
        return self._name

    def minimize(
        self,
        loss: Any,
        global_step: TensorLike | None = None,
        var_list: Any = None,
        gate_gradients: int = GATE_OP,
        aggregation_method: Any = None,
        colocate_gradients_with_ops: bool = False,
        name: str | None = None,
        grad_loss: Any = None,
    ) -> Any:
        """Records the gradients of `loss` and the step that applies them.

        Args:
          loss: a tensor.
          global_step: a variable to add 1 to after the step.
          var_list: the variables to train; all trainable ones by default.
          gate_gradients: GATE_NONE, GATE_OP or GATE_GRAPH.
          aggregation_method: a `tf.AggregationMethod`.
          colocate_gradients_with_ops: whether gradients are placed with the operations they belong
            to.
          name: the name of the returned operation; the optimizer's by default.
          grad_loss: the gradient of `loss`; ones by default.

        Returns:
          The operation that does it all.

        Raises:
          ValueError: no variable has a gradient.
        """
        grads_and_vars = self.compute_gradients(
            loss,
            var_list=var_list,
            gate_gradients=gate_gradients,
            aggregation_method=aggregation_method,
            colocate_gradients_with_ops=colocate_gradients_with_ops,
            grad_loss=grad_loss,
        )
        if all(g is None for g, _ in grads_and_vars):
            raise ValueError(
                "No gradients provided for any variable, check your graph for ops that do not "
                f"support gradients, between variables {[str(v) for _, v in grads_and_vars]} "
                f"and loss {loss}."
            )
        return self.apply_gradients(grads_and_vars, global_step=global_step, name=name)

    def compute_gradients(
        self,
        loss: Any,
        var_list: Any = None,
        gate_gradients: int = GATE_OP,
        aggregation_method: Any = None,
        colocate_gradients_with_ops: bool = False,
        grad_loss: Any = None,
    ) -> list[tuple[Any, Any]]:
        """Records the gradients of `loss`; the first half of `minimize`, with the same arguments.

        Returns:
          (gradient, variable) pairs; a gradient is a tensor, an IndexedSlices, or None where there
          is none.

        Raises:
          TypeError: `var_list` holds something else than variables.
          ValueError: an argument is invalid.
        """
        if callable(loss):
            with backprop.GradientTape() as tape:
                if var_list is not None:
                    tape.watch(var_list)
                loss = loss()
            if var_list is None:
                var_list = tape.watched_variables()
            with ops.control_dependencies([loss]):
                grads = tape.gradient(loss, var_list, grad_loss)
            return list(zip(grads, var_list))
        if ops.executing_eagerly():
            raise RuntimeError(
                "`loss` passed to Optimizer.compute_gradients should be a function when eager "
                "execution is enabled."
            )
        loss = self._scale_loss(loss)
        gates = [Optimizer.GATE_NONE, Optimizer.GATE_OP, Optimizer.GATE_GRAPH]
        if gate_gradients not in gates:
            raise ValueError(
                "gate_gradients must be one of: Optimizer.GATE_NONE, Optimizer.GATE_OP, "
                f"Optimizer.GATE_GRAPH.  Not {gate_gradients}"
            )
        self._assert_valid_dtypes([loss])
        if grad_loss is not None:
            self._assert_valid_dtypes([grad_loss])
        if var_list is None:
            var_list = variables.trainable_variables() + ops.get_collection(
                ops.GraphKeys.TRAINABLE_RESOURCE_VARIABLES
            )
        else:
            var_list = nest.flatten(var_list)
        var_list = var_list + ops.get_collection(ops.GraphKeys._STREAMING_MODEL_PORTS)
        processors = [_get_processor(v) for v in var_list]
        if not var_list:
            raise ValueError("No variables to optimize.")
        grads = gradients_impl.gradients(
            loss,
            [processor.target() for processor in processors],
            grad_ys=grad_loss,
            gate_gradients=gate_gradients == Optimizer.GATE_OP,
            aggregation_method=aggregation_method,
            colocate_gradients_with_ops=colocate_gradients_with_ops,
        )
        if gate_gradients == Optimizer.GATE_GRAPH:
            grads = control_flow_ops.tuple(grads)
        grads_and_vars = list(zip(grads, var_list))
        self._assert_valid_dtypes(
            [v for g, v in grads_and_vars if g is not None and v.dtype != dtypes.resource]
        )
        return grads_and_vars

    def apply_gradients(
        self,
        grads_and_vars: Iterable[tuple[Any, Any]],
        global_step: TensorLike | None = None,
        name: str | None = None,
    ) -> Any:
        """Records the step that applies gradients; the second half of `minimize`.

        Args:
          grads_and_vars: (gradient, variable) pairs, as from `compute_gradients`.
          global_step: a variable to add 1 to after the step.
          name: the name of the returned operation; the optimizer's by default.

        Returns:
          The operation that does it all.

        Raises:
          TypeError: a gradient is none.
          ValueError: there is no variable, or none has a gradient.
          RuntimeError: called in a cross-replica context (see `tf.distribute`).
        """
        if strategies.has_strategy():
            replica = strategies.get_replica_context()
            if replica is None:
                raise RuntimeError(
                    "Use `_distributed_apply()` instead of `apply_gradients()` in a cross-replica "
                    "context."
                )
            return replica.merge_call(
                self._distributed_apply, args=(_with_gradients(grads_and_vars), global_step, name)
            )
        pairs = tuple(grads_and_vars)
        if not pairs:
            raise ValueError("No variables provided.")
        steps = [(_checked_gradient(g), v, _get_processor(v)) for g, v in pairs]
        var_list = [v for g, v, _ in steps if g is not None]
        if not var_list:
            names = [str(v) for _, v, _ in steps]
            raise ValueError(f"No gradients provided for any variable: {names}.")
        with ops.init_scope():
            self._create_slots(var_list)
        with ops.name_scope(name, self._name) as scope:
            self._prepare()
            update_ops = []
            for g, v, processor in steps:
                if g is None:
                    continue
                name = v.op.name if _has_graph(v) else ""
                with ops.name_scope(f"update_{name}"), ops.colocate_with(v):
                    update_ops.append(processor.update_op(self, g))
            if global_step is None:
                apply_updates = self._finish(update_ops, scope)
            else:
                finished = self._finish(update_ops, "update")
                with ops.control_dependencies([finished]), ops.colocate_with(global_step):
                    apply_updates = _count_step(global_step, scope)
            return _collected(apply_updates)

    def _distributed_apply(
        self,
        distribution: Any,
        grads_and_vars: Any,
        global_step: TensorLike | None = None,
        name: Name = None,
    ) -> Any:
        """`apply_gradients` in the cross-replica context of a strategy."""
        extended = distribution.extended
        var_list = [v for _, v in grads_and_vars]
        grads = extended.batch_reduce_to("SUM", grads_and_vars)
        with ops.init_scope():
            self._create_slots(var_list)

        def update(v: Any, g: Any) -> Any:
            processor = _get_processor(v)
            own = v.op.name if _has_graph(v) else v.name.partition(":")[0]
            with ops.name_scope(f"update_{own}"):
                return processor.update_op(self, _checked_gradient(g))

        with ops.name_scope(name, self._name) as scope:
            self._prepare()
            update_ops = [
                update_op
                for g, v in zip(grads, var_list, strict=True)
                for update_op in extended.update(v, update, args=(g,), group=False)
            ]
            finished = extended.update_non_slot(
                extended.non_slot_devices(var_list), self._finish, args=(update_ops, "update"),
                group=False,
            )  # fmt: skip
            if global_step is None:
                return _collected(distribution.group(finished, name=scope))
            with ops.control_dependencies(finished):
                return _collected(
                    extended.update(
                        global_step, state_ops.assign_add, args=(1,), kwargs={"name": scope}
                    )
                )

    # Slots.

    def get_slot(self, var: Any, name: str) -> Any:
        """The slot `name` of variable `var`, or None."""
        slots = self._slots.get(name)
        if not slots:
            return None
        container = getattr(var, "_distributed_container", None)
        if container is None:
            return slots.get(_var_key(var))
        slot = slots.get(_var_key(container()))  # Of a copy of a distributed variable: its copy.
        return None if slot is None else slot.get(device=var.device)

    def get_slot_names(self) -> list[str]:
        """The names of the slots, sorted."""
        return sorted(self._slots)

    def variables(self) -> list[Any]:
        """The variables of the optimizer itself in the default graph, by name."""
        graph = ops.get_default_graph()
        slots = itertools.chain.from_iterable(slots.values() for slots in self._slots.values())
        own = [
            v
            for v in itertools.chain(self._non_slot_variables(), slots)
            if not _has_graph(v) or v.graph is graph
        ]
        return sorted(own, key=lambda v: v.name)

    def _slot_dict(self, slot_name: str) -> dict[Any, Any]:
        return self._slots.setdefault(slot_name, {})

    def _slot(self, var: Any, slot_name: str, create: Callable[[], Any]) -> Any:
        slots = self._slot_dict(slot_name)
        key = _var_key(var)
        if key not in slots:
            made = create()
            self._restore_slot_variable(slot_name, var, made)
            slots[key] = made
        return slots[key]

    def _get_or_make_slot(self, var: Any, val: Any, slot_name: str, op_name: str) -> Any:
        """The slot of `var`, made with the value `val` if there is none; see
        `slot_creator.create_slot`.
        """
        return self._slot(var, slot_name, lambda: slot_creator.create_slot(var, val, op_name))

    def _get_or_make_slot_with_initializer(
        self,
        var: Any,
        initializer: Initializer,
        shape: ShapeLike,
        dtype: DTypeLike,
        slot_name: str,
        op_name: str,
    ) -> Any:
        """The slot of `var`, made with an initializer if there is none."""
        return self._slot(
            var,
            slot_name,
            lambda: slot_creator.create_slot_with_initializer(
                var, initializer, shape, dtype, op_name
            ),
        )

    def _zeros_slot(self, var: Any, slot_name: str, op_name: str) -> Any:
        """The slot of `var`, made of zeros if there is none."""
        return self._slot(var, slot_name, lambda: slot_creator.create_zeros_slot(var, op_name))

    def _create_non_slot_variable(
        self, initial_value: TensorLike, name: str, colocate_with: Any
    ) -> Any:
        """A variable of the optimizer that belongs to no one variable; one for each graph."""
        key = (name, colocate_with.graph if _has_graph(colocate_with) else None)
        if key not in self._non_slot_dict:
            with strategies.get_strategy().extended.colocate_vars_with(colocate_with):
                self._non_slot_dict[key] = variable_scope.variable(
                    initial_value,
                    name=name,
                    trainable=False,
                    use_resource=resource_variable_ops.is_resource_variable(colocate_with),
                )
            self._handle_deferred_dependencies(name, self._non_slot_dict[key])
        return self._non_slot_dict[key]

    def _get_non_slot_variable(self, name: str, graph: Graph | None = None) -> Any:
        found: Any = self._non_slot_dict.get((name, None if ops.executing_eagerly() else graph))
        # Of a distributed variable the copy that an update is about.
        return found.get() if hasattr(found, "_distributed_container") else found

    def _non_slot_variables(self) -> Iterable[Any]:
        return self._non_slot_dict.values()

    # Checkpoints of objects.

    @property
    def _checkpoint_dependencies(self) -> list[base.TrackableReference]:
        graph = None if ops.executing_eagerly() else ops.get_default_graph()
        own = [
            base.TrackableReference(name, v)
            for (name, where), v in sorted(self._non_slot_dict.items(), key=lambda item: item[0][0])
            if where is graph
        ]
        return super()._checkpoint_dependencies + own

    def _lookup_dependency(self, name: str) -> Any:
        found = super()._lookup_dependency(name)
        if found is not None:
            return found
        graph = None if ops.executing_eagerly() else ops.get_default_graph()
        return self._get_non_slot_variable(name, graph=graph)

    def _create_or_restore_slot_variable(
        self, slot_variable_position: Any, slot_name: str, variable: Any
    ) -> None:
        """Restores a slot now, or when it is made."""
        slot = self.get_slot(variable, slot_name)
        if slot is not None:
            slot_variable_position.restore(slot)
            return
        waiting = self._deferred_slot_restorations.setdefault(slot_name, {})
        waiting.setdefault(_var_key(variable), []).append(slot_variable_position)

    def _restore_slot_variable(self, slot_name: str, variable: Any, slot_variable: Any) -> None:
        """Restores a slot that has just been made, if it was asked for before."""
        if self._deferred_slot_restorations:
            of_slot = self._deferred_slot_restorations.get(slot_name, {})
            waiting = of_slot.pop(_var_key(variable), [])
            for position in sorted(waiting, key=lambda p: p.restore_uid, reverse=True):
                position.restore(slot_variable)

    # What subclasses define.

    @staticmethod
    def _scale_loss(loss_value: Any) -> Any:
        """The part of a replica in the mean loss of all, where an Estimator takes the mean."""
        graph = ops.get_default_graph()
        graph._is_loss_scaled_by_optimizer = False
        count = strategies.get_strategy().num_replicas_in_sync
        if count == 1 or get_loss_reduction() != ReduceOp.MEAN:
            return loss_value
        graph._is_loss_scaled_by_optimizer = True
        return loss_value * (1.0 / count)

    def _valid_dtypes(self) -> set[dtypes.DType]:
        """The element types that the optimizer can train."""
        return {dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64}

    def _assert_valid_dtypes(self, tensors: Iterable[Any]) -> None:
        valid = self._valid_dtypes()
        for t in tensors:
            dtype = t.dtype.base_dtype
            if dtype not in valid:
                raise ValueError(f"Invalid type {dtype!r} for {t.name}, expected: {list(valid)}.")

    def _create_slots(self, var_list: Sequence[Any]) -> None:
        """Makes the slots of the variables to be trained."""

    def _prepare(self) -> None:
        """Records the tensors that all steps need."""

    def _apply_dense(self, grad: ops.Tensor, var: Any) -> Any:
        """Records the step of a reference variable; returns its operation."""
        raise NotImplementedError()

    def _resource_apply_dense(self, grad: ops.Tensor, handle: Any) -> Any:
        """Records the step of a resource variable (not its bare handle); returns its operation."""
        raise NotImplementedError()

    def _resource_apply_sparse_duplicate_indices(
        self, grad: ops.Tensor, handle: Any, indices: ops.Tensor
    ) -> Any:
        """As `_resource_apply_sparse`, where an index may come more than once."""
        summed, unique = _deduplicate_indexed_slices(values=grad, indices=indices)
        return self._resource_apply_sparse(summed, handle, unique)

    def _resource_apply_sparse(self, grad: ops.Tensor, handle: Any, indices: ops.Tensor) -> Any:
        """Records the step of some rows of a resource variable; returns its operation."""
        raise NotImplementedError()

    def _apply_sparse_duplicate_indices(self, grad: ops.IndexedSlices, var: Any) -> Any:
        """As `_apply_sparse`, where an index may come more than once."""
        summed, unique = _deduplicate_indexed_slices(values=grad.values, indices=grad.indices)
        without_duplicates = ops.IndexedSlices(
            indices=unique, values=summed, dense_shape=grad.dense_shape
        )
        return self._apply_sparse(without_duplicates, var)

    def _apply_sparse(self, grad: ops.IndexedSlices, var: Any) -> Any:
        """Records the step of some rows of a reference variable; returns its operation."""
        raise NotImplementedError()

    def _finish(self, update_ops: list[Any], name_scope: str) -> ops.Operation:
        """Records what comes after all steps; returns one operation for everything."""
        return control_flow_ops.group(*update_ops, name=name_scope)

    def _call_if_callable(self, param: TensorLike) -> Any:
        return param() if callable(param) else param

    def _hyperparameter(self, param: TensorLike, name: str) -> ops.Tensor:
        """A setting, or what the function given for it returns, as a tensor."""
        return ops.convert_to_tensor(self._call_if_callable(param), name=name)


def _checked_gradient(g: Any) -> Any:
    if g is None:
        return None
    try:
        converted = ops.convert_to_tensor_or_indexed_slices(g)
    except TypeError:
        raise TypeError(
            f"Gradient must be convertible to a Tensor or IndexedSlices, or None: {g}"
        ) from None
    if not isinstance(converted, (ops.Tensor, ops.IndexedSlices)):
        raise TypeError(f"Gradient must be a Tensor, IndexedSlices, or None: {converted}")
    return converted


def _collected(apply_updates: Any) -> Any:
    """The step's operation, once it is in the collection of training operations."""
    if ops.executing_eagerly():
        return apply_updates
    if isinstance(apply_updates, ops.Tensor):
        apply_updates = apply_updates.op
    train_op = ops.get_collection_ref(ops.GraphKeys.TRAIN_OP)
    if apply_updates not in train_op:
        train_op.append(apply_updates)
    return apply_updates


def _with_gradients(grads_and_vars: Any) -> tuple[Any, ...]:
    """Those of the pairs that have a gradient.

    Raises:
      ValueError: there is none.
    """
    pairs = tuple(grads_and_vars)
    found = tuple((g, v) for g, v in pairs if g is not None)
    if pairs and not found:
        raise ValueError(f"No gradients provided for any variable: {[v.name for _, v in pairs]}.")
    if len(found) < len(pairs):
        logging.warning(
            "Gradients do not exist for variables %s when minimizing the loss.",
            [v.name for g, v in pairs if g is None],
        )
    return found


def _count_step(global_step: TensorLike, name: str) -> Any:
    if isinstance(global_step, resource_variable_ops.BaseResourceVariable):
        one = ops.convert_to_tensor(1, dtype=global_step.dtype)
        return raw_ops.AssignAddVariableOp(global_step.handle, one, name=name)
    return state_ops.assign_add(global_step, 1, name=name)


_Mixin = Optimizer if TYPE_CHECKING else object


class FusedOptimizer(_Mixin):
    """Mixin, before `Optimizer`: the step on a variable is a single op, such as `ApplyAdam` or
    `ResourceSparseApplyFtrl`.
    """

    def _op_family(self) -> str:
        """The op type without `Apply` and what stands before it."""
        raise NotImplementedError

    def _op_slots(self, var: Any) -> dict[str, Any]:
        """The slots that the op updates beside `var`, by the op's argument names."""
        return {}

    def _op_scalars(self, var: Any) -> dict[str, ops.Tensor]:
        """The scalars that the op takes, by its argument names."""
        raise NotImplementedError

    def _op_attrs(self) -> dict[str, Any]:
        """The attrs of the op."""
        return {"use_locking": self._use_locking}

    def _op_scalar(self, scalar: ops.Tensor, dtype: dtypes.DType, form: str) -> ops.Tensor:
        """A scalar as the op in this form ("Apply", "ResourceSparseApply", …) takes it."""
        return math_ops.cast(scalar, dtype)

    def _record(
        self, form: str, var: Any, grad: TensorLike, indices: TensorLike | None = None
    ) -> ops.Operation:
        is_resource = form.startswith("Resource")
        given = {"var": var, **self._op_slots(var)}
        if is_resource:
            given = {argument: variable.handle for argument, variable in given.items()}
        # The gradient descents call the gradient `delta` in the dense forms.
        given.update(grad=grad, delta=grad, indices=indices)
        scalars = self._op_scalars(var)
        record = getattr(raw_ops, form + self._op_family())
        dtype = var.dtype.base_dtype
        # In the order of the op's arguments: a cast records a node.
        inputs = [
            given[arg.name]
            if arg.name in given
            else self._op_scalar(scalars[arg.name], dtype, form)
            for arg in record.op_def.input_args
        ]
        done = record(*inputs, **self._op_attrs())
        return done if is_resource else done.op

    def _apply_dense(self, grad: ops.Tensor, var: Any) -> Any:
        return self._record("Apply", var, grad)

    def _resource_apply_dense(self, grad: ops.Tensor, handle: Any) -> Any:
        return self._record("ResourceApply", handle, grad)

    def _apply_sparse(self, grad: ops.IndexedSlices, var: Any) -> Any:
        return self._record("SparseApply", var, grad.values, grad.indices)

    def _resource_apply_sparse(self, grad: ops.Tensor, handle: Any, indices: ops.Tensor) -> Any:
        return self._record("ResourceSparseApply", handle, grad, indices)


class _WrappingOptimizer(_Mixin):
    """Mixin, before `Optimizer`: another one, `_opt`, computes the gradients and has the slots."""

    _opt: Any

    def compute_gradients(self, *args: Any, **kwargs: Any) -> Any:
        """`compute_gradients` of the optimizer within."""
        return self._opt.compute_gradients(*args, **kwargs)

    def get_slot(self, *args: Any, **kwargs: Any) -> Any:
        """`get_slot` of the optimizer within."""
        return self._opt.get_slot(*args, **kwargs)

    def get_slot_names(self, *args: Any, **kwargs: Any) -> Any:
        """`get_slot_names` of the optimizer within."""
        return self._opt.get_slot_names(*args, **kwargs)


def get_filtered_grad_fn(grad_fn: Callable[..., Any]) -> Callable[..., list[Any]]:
    """A function of gradients and variables that leaves out variables without a gradient.

    Args:
      grad_fn: returns pairs of a gradient, or None, and a variable.
    """

    def filtered_grad_fn(*args: Any, **kwargs: Any) -> list[Any]:
        return [(g, v) for g, v in grad_fn(*args, **kwargs) if g is not None]

    return filtered_grad_fn
