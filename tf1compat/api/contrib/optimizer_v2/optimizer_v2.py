"""`tensorflow.contrib.optimizer_v2.optimizer_v2`: the base of optimizers whose settings and
variables are kept in a state of each graph."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.eager import backprop
from tf1compat.api.gradients import gradients_impl
from tf1compat.api.math import math_ops
from tf1compat.api.training import optimizer as optimizer_v1
from tf1compat.api.training import slot_creator
from tf1compat.api.variables import variable_scope, variables
from tf1compat.core import dtypes, nest, ops
from tf1compat.core.typing import DTypeLike, Initializer, Name, ShapeLike, TensorLike


class _StatefulStep:
    """An optimizer as the processors of gradients want one: the state is handed on.

    Args:
      optimizer: the optimizer.
      state: its state.
    """

    def __init__(self, optimizer: OptimizerV2, state: _OptimizerV2State):
        self._optimizer, self._state = optimizer, state

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._optimizer, name)
        return lambda *args: method(*args, self._state)


class _OptimizerV2State:
    """The settings and variables of an optimizer in one graph.

    Args:
      op_name: the name of the slots.
    """

    def __init__(self, op_name: str):
        self._op_name = op_name
        # name -> dtype (None for the setting's own) -> tensor
        self._hyper: dict[str, dict[Any, ops.Tensor]] = {}
        self._slots: dict[str, dict[str, Any]] = {}
        self._non_slot_dict: dict[str, Any] = {}
        self._non_slot_devices: Any = None

    def _set_hypers(self, hyper: dict[str, tuple[bool, Any]], dynamic: bool) -> None:
        """Makes tensors of those settings that are (not) read anew in each step."""
        for name, (is_dynamic, value) in sorted(hyper.items()):
            if is_dynamic == dynamic:
                value = value() if callable(value) else value
                self._hyper[name] = {None: ops.convert_to_tensor(value, name=name)}

    def _for_step(self, hyper: dict[str, Any], non_slot_devices: Any) -> _OptimizerV2State:
        """The state for one step: the same variables, and the settings of now."""
        state = _OptimizerV2State(self._op_name)
        state._slots, state._non_slot_dict = self._slots, self._non_slot_dict
        state._set_hypers(hyper, dynamic=True)
        state._hyper.update(self._hyper)
        state._non_slot_devices = non_slot_devices
        return state

    def _variables(self) -> list[Any]:
        found = list(self._non_slot_dict.values())
        found += [v for slots in self._slots.values() for v in slots.values()]
        return sorted(found, key=lambda v: v.name)

    def _slot(self, var: Any, slot_name: str, create: Callable[[], Any]) -> Any:
        slots = self._slots.setdefault(slot_name, {})
        if var.op.name not in slots:
            slots[var.op.name] = create()
        return slots[var.op.name]

    def create_slot(
        self, var: Any, val: Any, slot_name: str, optional_op_name: str | None = None
    ) -> Any:
        """The slot of a variable, made with the value `val` if there is none."""
        op_name = optional_op_name or self._op_name
        return self._slot(var, slot_name, lambda: slot_creator.create_slot(var, val, op_name))

    def create_slot_with_initializer(
        self, var: Any, initializer: Initializer, shape: ShapeLike, dtype: Any, slot_name: str,
        optional_op_name: str | None = None,
    ) -> Any:  # fmt: skip
        """The slot of a variable, made with an initializer if there is none."""
        op_name = optional_op_name or self._op_name

        def create() -> Any:
            return slot_creator.create_slot_with_initializer(
                var, initializer, shape, dtype, op_name
            )

        return self._slot(var, slot_name, create)

    def zeros_slot(self, var: Any, slot_name: str, optional_op_name: str | None = None) -> Any:
        """The slot of a variable, made of zeros if there is none."""
        op_name = optional_op_name or self._op_name
        return self._slot(var, slot_name, lambda: slot_creator.create_zeros_slot(var, op_name))

    def get_slot(self, var: Any, name: str) -> Any:
        """The slot of a variable, or None."""
        return self._slots.get(name, {}).get(var.op.name)

    def get_slot_names(self) -> list[str]:
        """The names of the slots, sorted."""
        return sorted(self._slots)

    def create_non_slot(self, initial_value: Any, name: str, colocate_with: Any = None) -> Any:
        """A variable of the optimizer that belongs to no one variable."""
        if name not in self._non_slot_dict:
            with ops.colocate_with(colocate_with or self._non_slot_devices):
                made = variable_scope.variable(initial_value, name=name, trainable=False)
            self._non_slot_dict[name] = made
        return self._non_slot_dict[name]

    def get_non_slot(self, name: str) -> Any:
        """The variable that `create_non_slot` made, or None."""
        return self._non_slot_dict.get(name)

    def get_hyper(self, name: str, dtype: DTypeLike | None = None) -> ops.Tensor:
        """A setting as a tensor, cast to `dtype` if one is given."""
        by_dtype = self._hyper[name]
        if dtype not in by_dtype:
            by_dtype[dtype] = math_ops.cast(by_dtype[None], dtype)
        return by_dtype[dtype]


class OptimizerV2(optimizer_v1.Optimizer):
    """Base of optimizers that hand a state to what a subclass defines: `_create_vars`, `_prepare`,
    `_apply_dense`, `_apply_sparse`, their `_resource_` forms, and `_finish`.

    Args:
      use_locking: the `use_locking` attr of the steps.
      name: the name scope of the steps, and the name of the slots.

    Raises:
      RuntimeError: the subclass defines `_create_slots`.
      ValueError: `name` is empty.
    """

    def __init__(self, use_locking: bool, name: Any):
        if type(self)._create_slots is not OptimizerV2._create_slots:
            raise RuntimeError(
                "Override _create_vars instead of _create_slots when descending from OptimizerV2 "
                f"(class {type(self).__name__})"
            )
        super().__init__(use_locking, name)
        self._states: dict[Any, _OptimizerV2State] = {}
        self._hyper: dict[str, tuple[bool, Any]] = {}

    def _set_hyper(self, name: str, value: Any) -> None:
        """Keeps a setting: a value, or a function to be called at each step."""
        self._hyper[name] = (callable(value), value)

    def minimize(
        self, loss: Any, global_step: TensorLike | None = None, var_list: Any = None,
        gate_gradients: int = optimizer_v1.Optimizer.GATE_OP, aggregation_method: Any = None,
        name: Name = None, grad_loss: Any = None, stop_gradients: Any = None,
        scale_loss_by_num_replicas: bool = False,
    ) -> Any:  # fmt: skip  # pyright: ignore[reportIncompatibleMethodOverride]
        """As `tf.train.Optimizer.minimize`.

        Args: see there, and
          stop_gradients: tensors that are not differentiated through.
          scale_loss_by_num_replicas: whether the loss is divided by the number of replicas: one.
        """
        pairs = self.compute_gradients(
            loss, var_list, gate_gradients, aggregation_method, grad_loss, stop_gradients
        )
        if all(g is None for g, _ in pairs):
            raise ValueError(
                "No gradients provided for any variable, check your graph for ops that do not "
                f"support gradients, between variables {[str(v) for _, v in pairs]} and loss "
                f"{loss}."
            )
        return self.apply_gradients(pairs, global_step=global_step, name=name)

    def compute_gradients(
        self, loss: Any, var_list: Any = None,
        gate_gradients: int = optimizer_v1.Optimizer.GATE_OP, aggregation_method: Any = None,
        grad_loss: Any = None, stop_gradients: Any = None,
        scale_loss_by_num_replicas: bool = False,
    ) -> list[tuple[Any, Any]]:  # fmt: skip  # pyright: ignore[reportIncompatibleMethodOverride]
        """As `tf.train.Optimizer.compute_gradients`; for the further arguments see `minimize`."""
        if callable(loss):
            with backprop.GradientTape() as tape:
                if var_list is not None:
                    tape.watch(var_list)
                loss = loss()
            var_list = tape.watched_variables() if var_list is None else var_list
            return list(zip(tape.gradient(loss, var_list, grad_loss), var_list))
        gates = [self.GATE_NONE, self.GATE_OP, self.GATE_GRAPH]
        if gate_gradients not in gates:
            raise ValueError(
                "gate_gradients must be one of: Optimizer.GATE_NONE, Optimizer.GATE_OP, "
                f"Optimizer.GATE_GRAPH.  Not {gate_gradients}"
            )
        self._assert_valid_dtypes([loss] if grad_loss is None else [loss, grad_loss])
        if var_list is None:
            var_list = variables.trainable_variables() + ops.get_collection(
                ops.GraphKeys.TRAINABLE_RESOURCE_VARIABLES
            )
        var_list = nest.flatten(var_list) + ops.get_collection(ops.GraphKeys._STREAMING_MODEL_PORTS)
        targets = [optimizer_v1._get_processor(v).target() for v in var_list]
        if not var_list:
            raise ValueError("No variables to optimize.")
        grads = gradients_impl.gradients(
            loss,
            targets,
            grad_ys=grad_loss,
            gate_gradients=gate_gradients == self.GATE_OP,
            aggregation_method=aggregation_method,
            stop_gradients=stop_gradients,
        )
        if gate_gradients == self.GATE_GRAPH:
            grads = control_flow_ops.tuple(grads)
        pairs = list(zip(grads, var_list))
        self._assert_valid_dtypes(
            [v for g, v in pairs if g is not None and v.dtype != dtypes.resource]
        )
        return pairs

    def apply_gradients(
        self, grads_and_vars: Any, global_step: Any = None, name: str | None = None
    ) -> Any:
        """As `tf.train.Optimizer.apply_gradients`."""
        pairs = tuple(grads_and_vars)
        if not pairs:
            raise ValueError("No variables provided.")
        given = [(g, v) for g, v in pairs if g is not None]
        if not given:
            names = [str(v) for _, v in pairs]
            raise ValueError(f"No gradients provided for any variable: {names}.")
        var_list = [v for _, v in given]
        with ops.name_scope(name, self._name) as scope:
            own = self._get_or_create_state(var_list)
            state = own._for_step(self._hyper, min(var_list, key=lambda v: v.name))
        with ops.init_scope():
            self._create_vars(var_list, state)
        with ops.name_scope(scope):
            self._prepare(state)
            step: Any = _StatefulStep(self, state)
            update_ops = []
            for g, v in given:
                g = optimizer_v1._checked_gradient(g)
                processor = optimizer_v1._get_processor(v)
                with ops.name_scope(f"update_{v.op.name}"):
                    update_ops.append(processor.update_op(step, g))
            updated = control_flow_ops.group(update_ops)
            with ops.control_dependencies([updated]):
                finished = self._finish(state)
            finished = updated if finished is None else finished
            if global_step is None:
                applied = control_flow_ops.group([finished], name=scope)
            else:
                with ops.control_dependencies([finished]):
                    applied = global_step.assign_add(1, read_value=False, name=scope)
            if isinstance(applied, ops.Tensor):
                applied = applied.op
            train_op = ops.get_collection_ref(ops.GraphKeys.TRAIN_OP)
            if applied not in train_op:
                train_op.append(applied)
            return applied

    def _get_or_create_state(self, var_list: Any = None) -> _OptimizerV2State:
        graph = var_list[0].graph if var_list else ops.get_default_graph()
        if graph not in self._states:
            state = self._states[graph] = _OptimizerV2State(self._name)
            with ops.init_scope():
                state._set_hypers(self._hyper, dynamic=False)
        return self._states[graph]

    def _get_per_graph_state(self) -> Any:
        return self._states.get(ops.get_default_graph())

    def get_slot(self, var: Any, name: str) -> Any:
        """The slot `name` of variable `var`, or None."""
        state = self._states.get(var.graph)
        return None if state is None else state.get_slot(var, name)

    def get_slot_names(self) -> list[str]:
        """The names of the slots, sorted."""
        state = self._get_per_graph_state()
        return [] if state is None else state.get_slot_names()

    def variables(self) -> list[Any]:
        """The variables of the optimizer itself in the default graph, by name."""
        state = self._get_per_graph_state()
        return [] if state is None else state._variables()

    # What subclasses define. A state stands last, where it isn't the only argument.

    def _create_vars(self, var_list: Any, state: Any) -> None:
        """Makes the slots and the further variables."""

    def _prepare(self, state: Any) -> None:
        """Records what all steps need."""

    def _apply_dense(self, grad: Any, var: Any, state: Any) -> Any:
        """Records the step of a reference variable; returns its operation."""
        raise NotImplementedError()

    def _resource_apply_dense(self, grad: Any, handle: Any, state: Any) -> Any:
        """Records the step of a resource variable; returns its operation."""
        raise NotImplementedError()

    def _resource_apply_sparse_duplicate_indices(
        self, grad: Any, handle: Any, indices: Any, state: Any
    ) -> Any:
        """As `_resource_apply_sparse`, where an index may come more than once."""
        summed, unique = optimizer_v1._deduplicate_indexed_slices(values=grad, indices=indices)
        return self._resource_apply_sparse(summed, handle, unique, state)

    def _resource_apply_sparse(self, grad: Any, handle: Any, indices: Any, state: Any) -> Any:
        """Records the step of some rows of a resource variable; returns its operation."""
        raise NotImplementedError()

    def _apply_sparse_duplicate_indices(self, grad: Any, var: Any, state: Any) -> Any:
        """As `_apply_sparse`, where an index may come more than once."""
        summed, unique = optimizer_v1._deduplicate_indexed_slices(
            values=grad.values, indices=grad.indices
        )
        without_duplicates = ops.IndexedSlices(
            indices=unique, values=summed, dense_shape=grad.dense_shape
        )
        return self._apply_sparse(without_duplicates, var, state)

    def _apply_sparse(self, grad: Any, var: Any, state: Any) -> Any:
        """Records the step of some rows of a reference variable; returns its operation."""
        raise NotImplementedError()

    def _finish(self, state: Any) -> Any:
        """Records what comes after all steps; returns its operation, or None."""
        return None
