"""`tf.Graph`: the recorded program."""

from __future__ import annotations

import contextlib
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tf1compat.core import (
    context,
    conversion,
    dtypes,
    errors,
    inferred_attrs,
    op_registry,
    protos,
    tf2,
)
from tf1compat.core import device as device_lib
from tf1compat.core.attribute import attribute
from tf1compat.core.export import tf_export
from tf1compat.core.graph_internals import GraphInternals
from tf1compat.core.graph_scopes import (
    INHERITED_SCOPES,
    VALID_OP_NAME,
    Colocation,
    ControlDependencies,
    DefaultGraph,
    NameScope,
    UnplacedOperation,
)
from tf1compat.core.op_dtypes import output_dtypes, unknown_op_type
from tf1compat.core.operation import Operation
from tf1compat.core.tensor import Tensor, TensorBase, uids
from tf1compat.core.typing import DTypeLike

# The version of the GraphDefs that TF 1.15.5 writes.
PRODUCER = 134


@tf_export("Graph")
class Graph(GraphInternals):
    """A recorded program: operations in creation order, names, collections and what is current
    while recording."""

    __module__ = "tensorflow.python.framework.ops"  # as texts and `str` of the type show it

    building_function = False
    # Stands before the names of resources that have none: those of a function are its own.
    resource_prefix = ""
    # Whether an operation on one of its tensors is recorded in it also in eager execution.
    records_eagerly = False
    # Whether shapes that are not known while recording are looked at when they are.
    shapes_come_later = False
    # What numbers it and its tensors.
    _tensor_ids = uids

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._operations: list[Operation] = []
        self._nodes_by_name: dict[str, Operation] = {}
        self._next_id_counter = 0
        self._names_in_use: dict[str, int] = {}
        self._name_stack = ""
        self._collections: dict[Any, list[Any]] = {}
        self._producer = PRODUCER
        self._seed: int | None = None
        self._finalized = False
        self._functions: dict[str, Any] = {}
        # Counts changes of existing operations: cached plans of sessions depend on it.
        self._mutations = 0
        # (operation, which input) -> its dtype, where a tensor of another one is now.
        self._mistyped: dict[tuple[Operation, int], Any] = {}
        self._moved_edges: set[tuple[Operation, int]] = set()
        # Counts static shapes made narrower: what is unknown while recording depends on it.
        self._refined = 0
        self._gradient_calls: list[Any] = []
        self._device_stack: list[Any] = []
        self._colocation_scopes: list[Colocation] = []
        self._control_stack: list[ControlDependencies] = []
        self._control_flow_context: Any = None
        self._attr_scope_map: dict[str, Any] = {}
        self._kernel_labels: dict[str, str] = {}
        self._gradient_overrides: dict[str, str] = {}
        self._unfeedable: set[Tensor] = set()
        self._unfetchable: set[Any] = set()
        self._container = ""
        self._variable_creators: list[Any] = []
        # The dtype that Keras's variables are read in, if they cast themselves.
        self._auto_cast_variable_read_dtype: Any = None
        # What holds of `tf.distribute` (api/distribute/distribution_strategy_context.py).
        self._distribution_strategy_stack: list[Any] = []
        self._global_distribute_strategy_scope: Any = None
        self._is_loss_scaled_by_optimizer = False
        self._first_scopes: dict[str, Any] | None = None  # see `switch_to_thread_local`
        self._default_original_op: Operation | None = None
        self._gradient_function_map: dict[str, Any] = {}
        # Tells graphs (with the functions inside them) apart, e.g. for optimizers.
        self._graph_key = f"grap-key-{next(self._tensor_ids)}/"
        if tf2.enabled():
            self.switch_to_thread_local()

    # Creating operations.

    def create_op(
        self,
        op_type: str,
        inputs: list[Tensor],
        dtypes: list[Any] | None = None,
        input_types: list[Any] | None = None,
        name: str | None = None,
        attrs: dict[str, Any] | None = None,
        op_def: Any = None,
        compute_shapes: bool = True,
        compute_device: bool = True,
    ) -> Operation:
        """Adds an operation (low level; as `tf.Graph.create_op`).

        Args:
          op_type: the op type.
          inputs: the input tensors, flat.
          dtypes: the output dtypes; worked out from the op type where there is a schema.
          name: its name; made unique unless it ends with "/".
          attrs: attrs as `AttrValue` protos (or plain values).

        Raises:
          TypeError, ValueError: inputs that are not tensors of this graph, or don't fit the op.
        """
        for value in inputs:
            if not isinstance(value, Tensor):
                raise TypeError(f"Input #{inputs.index(value)} is not a tensor: {value}")
        if name is None:
            name = op_type
        op_def = op_registry.spec(op_type).op_def
        if op_def is not None:
            inferred_attrs.check_kinds(op_def, attrs or {}, name)
        spec, plain, outputs = self._checked(op_type, attrs or {}, dtypes, inputs, name)
        unique = name[:-1] if name.endswith("/") else self.unique_name(name)
        return self._add(spec, unique, list(inputs), plain, outputs, compute_device)

    def _checked(
        self,
        op_type: str,
        attrs: Mapping[str, Any],
        dtypes: list[Any] | None,
        inputs: Sequence[Tensor] | None = None,
        name: str = "",
    ) -> tuple[op_registry.OpSpec, dict[str, Any], list[Any]]:
        """The spec of an op type, its attrs as operations have them, and its outputs' dtypes; what
        the inputs determine is inferred if they are given."""
        from tf1compat.core.attr_value import from_attr_value

        spec = op_registry.spec(op_type)
        if spec.op_def is None and not spec.supported and op_type not in self._functions:
            raise errors.NotFoundError(None, None, unknown_op_type(op_type))
        plain = {}
        for key, value in attrs.items():
            kind = spec.op_def.attrs[key].type if spec.op_def and key in spec.op_def.attrs else None
            is_proto = type(value).__name__ == "AttrValue"
            plain[key] = from_attr_value(value, kind) if is_proto else value
        if spec.op_def is not None and inputs is not None:
            inferred_attrs.complete(spec.op_def, inputs, plain, name)
        elif spec.op_def is not None:
            for attr in spec.op_def.attrs.values():
                if attr.name not in plain and attr.has_default:
                    plain[attr.name] = attr.default
        if dtypes is None or spec.op_def is not None:
            dtypes = list(output_dtypes(spec, plain))
        return spec, plain, list(dtypes)

    def _add_node(
        self, op: Operation, node_def: Any, inputs: list[Tensor], dtypes: list[Any] | None
    ) -> None:
        """Adds an operation that is made from a `NodeDef`, which says all that holds of it."""
        spec, attrs, outputs = self._checked(node_def.op, node_def.attr, dtypes)
        self._add(spec, node_def.name, list(inputs), attrs, outputs, False, op)
        op._device = node_def.device

    def _add(
        self,
        spec: op_registry.OpSpec,
        name: str,
        inputs: list[Tensor],
        attrs: dict[str, Any],
        outputs: list[Any],
        compute_device: bool = True,
        op: Operation | None = None,
    ) -> Operation:
        """Creates and adds one operation whose inputs and attrs are already checked.

        Args:
          op: an object that is still to become an operation; a new one by default.
        """
        if self._finalized:
            self._check_not_finalized()
        if not VALID_OP_NAME.match(name):
            raise ValueError(f"'{name}' is not a valid node name")
        control = self._control_dependencies_for(inputs) if self._control_stack else []
        with self._lock:
            if op is None:
                op = Operation.__new__(Operation)
            op._record(self, spec, name, inputs, attrs, control, outputs)
            op._original_op = self._default_original_op
            self._operations.append(op)
            self._nodes_by_name[name] = op
            if compute_device:  # Else it is imported, and checked when all of it is there.
                self._enter_context(op)
            self._decorate(op, compute_device)
        return op

    def _enter_context(self, op: Operation) -> None:
        """Checks that a new operation's inputs can be had where it is, in a loop for example."""
        context_ = self._control_flow_context
        if context_ is not None:
            context_.check_inputs(op)
            context_.AddOp(op)
        else:
            for tensor in op._inputs:
                if tensor._op._control_flow_context is not None:
                    tensor._op._control_flow_context.check_escape(op, tensor)

    def error_text(self, op: Any, text: str) -> str:
        """The text of a run-time error of `op`, with the node and the user's line that made it."""
        file, line = op.definition
        return f"{text}\n\t [[node {op.name} (defined at {file}:{line}) ]]"

    def _decorate(self, op: Operation, compute_device: bool) -> None:
        """Gives a new operation what the surrounding `with` blocks say: attrs, device,
        colocation."""
        attrs = op._attrs
        for key, value in self._attr_scope_map.items():
            if key not in attrs:
                if callable(value):
                    value = value(op.node_def)
                if value is not None:
                    op._set_attr(key, value)
        op_type = op._spec.name
        if op_type in self._kernel_labels:
            attrs["_kernel"] = self._kernel_labels[op_type].encode()
        if op_type in self._gradient_overrides:
            attrs["_gradient_op_type"] = self._gradient_overrides[op_type].encode()
        for controller in self._control_stack:
            controller.seen.add(op)
        if compute_device:
            self._apply_device_functions(op)
        if self._colocation_scopes:
            groups: set[bytes] = set()
            op._colocations = self._colocation_scopes
            for colocation in reversed(self._colocation_scopes):
                other = colocation.op
                groups.update(other.colocation_groups())
                if other._device:
                    op._device = other._device
            attrs["_class"] = sorted(groups)
        if self._container and op._is_stateful and attrs.get("container") == b"":
            attrs["container"] = self._container.encode()

    def _apply_device_functions(self, op: Operation | UnplacedOperation) -> None:
        if self._device_stack:
            op._device_scopes = self._device_stack
        for scope in reversed(self._device_stack):
            if scope.clears:
                break
            scope.apply(op)

    def current_device(self) -> str:
        """The device that an operation recorded now would have, "" if none is said."""
        probe = UnplacedOperation()
        self._apply_device_functions(probe)
        return probe.device

    def _next_id(self) -> int:
        self._next_id_counter += 1
        return self._next_id_counter

    _last_id: int = attribute("_next_id_counter")
    version: int = attribute("_next_id_counter", "The number of operations added so far.")

    @property
    def graph_def_versions(self) -> Any:
        """The `VersionDef` of the GraphDefs this graph writes."""
        from tf1compat.core.graph_def import versions

        return versions(self)

    def _changed(self) -> None:
        self._mutations += 1
        self._refined += 1

    # Seed, finalization.

    @property
    def seed(self) -> int | None:
        """The graph-level random seed."""
        return self._seed

    @seed.setter
    def seed(self, seed: int | None) -> None:
        self._seed = seed

    finalized: bool = attribute("_finalized", "Whether the graph refuses new operations.")

    def finalize(self) -> None:
        """Refuses new operations from now on."""
        self._finalized = True

    def _unsafe_unfinalize(self) -> None:
        self._finalized = False

    def _check_not_finalized(self) -> None:
        if self._finalized:
            raise RuntimeError("Graph is finalized and cannot be modified.")

    # Looking up.

    def get_operations(self) -> list[Operation]:
        """All operations, in creation order."""
        return list(self._operations)

    def as_graph_element(
        self, obj: Any, allow_tensor: bool = True, allow_operation: bool = True
    ) -> Any:
        """The tensor or operation that `obj` (a name, a tensor, an operation, a variable) stands
        for.

        Raises:
          TypeError: `obj` can't stand for one.
          ValueError: it is of another graph, or of the wrong kind.
          KeyError: there is no such name.
        """
        if allow_tensor and allow_operation:
            kinds = "Tensor or Operation"
        elif allow_tensor:
            kinds = "Tensor"
        elif allow_operation:
            kinds = "Operation"
        else:
            raise ValueError("allow_tensor and allow_operation can't both be False.")
        convert = getattr(obj, "_as_graph_element", None)
        if convert is not None:
            obj = convert()
        if isinstance(obj, bytes | str):
            name = obj.decode() if isinstance(obj, bytes) else str(obj)
            if ":" in name:
                if not allow_tensor:
                    raise ValueError(f"Name {name!r} appears to refer to a Tensor, not a {kinds}.")
                return self._tensor_named(name)
            if allow_operation:
                if name not in self._nodes_by_name:
                    raise KeyError(f"The name {name!r} refers to an Operation not in the graph.")
                return self._nodes_by_name[name]
            form = ' Tensor names must be of the form "<op_name>:<output_index>".'
            if name in self._nodes_by_name:
                raise ValueError(f"The name {name!r} refers to an Operation, not a {kinds}." + form)
            raise ValueError(
                f"The name {name!r} looks like an (invalid) Operation name, not a {kinds}." + form
            )
        if isinstance(obj, Tensor) and allow_tensor:
            if obj.graph is not self:
                raise ValueError(f"Tensor {obj} is not an element of this graph.")
            return obj
        if isinstance(obj, Operation) and allow_operation:
            if obj._graph is not self:
                raise ValueError(f"Operation {obj} is not an element of this graph.")
            return obj
        raise TypeError(f"Can not convert a {type(obj).__name__} into a {kinds}.")

    def _tensor_named(self, name: str) -> Tensor:
        op_name, _, index = name.partition(":")
        if not index.lstrip("-").isdigit():
            raise ValueError(
                f"The name {name!r} looks a like a Tensor name, but is not a valid one. "
                'Tensor names must be of the form "<op_name>:<output_index>".'
            )
        op = self._nodes_by_name.get(op_name)
        if op is None:
            raise KeyError(
                f"The name {name!r} refers to a Tensor which does not exist. The operation, "
                f"{op_name!r}, does not exist in the graph."
            )
        if int(index) >= len(op._outputs):
            raise KeyError(
                f"The name {name!r} refers to a Tensor which does not exist. The operation, "
                f"{op_name!r}, exists but only has {len(op._outputs)} outputs."
            )
        return op._outputs[int(index)]

    def get_operation_by_name(self, name: str) -> Operation:
        """The operation called `name`.

        Raises:
          TypeError: `name` is not a string.
          KeyError: there is no such operation.
        """
        if not isinstance(name, str | bytes):
            raise TypeError(f"Operation names are strings (or similar), not {type(name).__name__}.")
        return self.as_graph_element(name, allow_tensor=False, allow_operation=True)

    def get_tensor_by_name(self, name: str) -> Tensor:
        """The tensor called `name` ("<op name>:<output index>").

        Raises:
          TypeError: `name` is not a string.
          KeyError: there is no such tensor.
          ValueError: it is an operation's name.
        """
        if not isinstance(name, str | bytes):
            raise TypeError(f"Tensor names are strings (or similar), not {type(name).__name__}.")
        return self.as_graph_element(name, allow_tensor=True, allow_operation=False)

    def _get_operation_by_name_unsafe(self, name: str) -> Operation:
        return self._nodes_by_name[name]

    @property
    def _c_graph(self) -> Graph:
        """What functions of TF's C API take for this graph: here the graph itself."""
        return self

    # Protos.

    def as_graph_def(self, from_version: int | None = None, add_shapes: bool = False) -> Any:
        """The recorded program as a `GraphDef` proto.

        Args:
          from_version: not looked at, as in TF 1.15, which gives the whole graph.
          add_shapes: adds `_output_shapes` attrs.
        """
        from tf1compat.core.graph_def import graph_def

        return graph_def(self, add_shapes=add_shapes)

    def _as_graph_def(self, from_version: int | None = None, add_shapes: bool = False) -> Any:
        return self.as_graph_def(from_version, add_shapes), self.version

    def _is_function(self, name: str) -> bool:
        return name in self._functions

    def _get_function(self, name: Any) -> Any:
        return self._functions.get(name.decode() if isinstance(name, bytes) else name)

    def _add_function(self, function: Any) -> None:
        """Adds a function (with `.name`) to the graph's library."""
        self._functions[function.name] = function

    # Collections.

    @property
    def collections(self) -> list[Any]:
        """The names of the collections."""
        return list(self._collections)

    def add_to_collection(self, name: Any, value: Any) -> None:
        """Appends `value` to collection `name`."""
        self._check_not_finalized()
        self._collections.setdefault(name, []).append(value)

    def add_to_collections(self, names: Any, value: Any) -> None:
        """Appends `value` to each of the collections `names` (a name or several; each once)."""
        names = (names,) if isinstance(names, str) else set(names)
        for name in names:
            self.add_to_collection(name, value)

    def get_collection_ref(self, name: Any) -> list[Any]:
        """The list of collection `name` itself."""
        return self._collections.setdefault(name, [])

    def get_collection(self, name: Any, scope: str | None = None) -> list[Any]:
        """A copy of collection `name`; with `scope` (a regular expression), only items whose name
        it matches."""
        items = self._collections.get(name, [])
        if scope is None:
            return list(items)
        pattern = re.compile(scope)
        return [item for item in items if hasattr(item, "name") and pattern.match(item.name)]

    def get_all_collection_keys(self) -> list[str]:
        """The names of all collections that are strings."""
        return [name for name in self._collections if isinstance(name, str)]

    def clear_collection(self, name: Any) -> None:
        """Empties collection `name`."""
        self._check_not_finalized()
        self._collections.pop(name, None)

    # Names.

    def unique_name(self, name: str, mark_as_used: bool = True) -> str:
        """A name within the current scope that no operation has: `name`, `name_1`, …"""
        if self._name_stack:
            name = f"{self._name_stack}/{name}"
        key = name.lower()
        in_use = self._names_in_use
        count = in_use.get(key, 0)
        if mark_as_used:
            in_use[key] = count + 1
        if count > 0:
            base = key
            while key in in_use:
                key = f"{base}_{count}"
                count += 1
            if mark_as_used:
                in_use[key] = 1
            name = f"{name}_{count - 1}"
        return name

    def name_scope(self, name: Any) -> contextlib.AbstractContextManager[str]:
        """Prefixes the names of operations; "name/" re-enters a scope as it is, None or "" leaves
        all scopes."""
        return NameScope(self, name)

    def get_name_scope(self) -> str:
        """The current name scope, without the final slash."""
        return self._name_stack

    # Devices, colocation, containers.

    @contextlib.contextmanager
    def device(self, device_name_or_function: Any) -> Iterator[None]:
        """Puts a device string (or what a function of the operation returns) on operations; None
        clears."""
        before = self._device_stack
        self._device_stack = [
            *before,
            device_lib.DeviceScope(device_name_or_function, device_lib.place_of_block(3)),
        ]
        try:
            yield
        finally:
            self._device_stack = before

    @contextlib.contextmanager
    def colocate_with(self, op: Any, ignore_existing: bool = False) -> Iterator[None]:
        """Colocates new operations with `op` (attr `_class`), and clears device scopes."""
        if op is None and not ignore_existing:
            raise ValueError(
                "Trying to reset colocation (op is None) but ignore_existing is not True"
            )
        op = self._op_to_colocate_with(op)
        devices, self._device_stack = self._device_stack, []
        groups = self._colocation_scopes
        kept = [] if ignore_existing else groups
        self._colocation_scopes = (
            kept if op is None else [*kept, Colocation(op, *device_lib.place_of_block(3))]
        )
        try:
            yield
        finally:
            self._device_stack = devices
            self._colocation_scopes = groups

    @contextlib.contextmanager
    def _colocate_with_for_gradient(
        self, op: Any, gradient_uid: Any, ignore_existing: bool = False
    ) -> Iterator[None]:
        with self.colocate_with(op, ignore_existing):
            inside = self._control_flow_context
            if gradient_uid is not None and inside is not None:
                inside.EnterGradientColocation(op, gradient_uid)
                try:
                    yield
                finally:
                    inside.ExitGradientColocation(op, gradient_uid)
            else:
                yield

    def _op_to_colocate_with(self, value: Any) -> Operation | None:
        if value is None or isinstance(value, Operation):
            return value
        # A resource variable is colocated with its handle.
        handle = getattr(value, "handle", None)
        if handle is not None and isinstance(getattr(handle, "op", None), Operation):
            capture = getattr(self, "capture", None)
            if capture is not None:
                return capture(handle).op
            return handle.op if handle.op.graph is self else None
        if getattr(handle, "_is_eager", False):
            # As in TF 1.15, which reads the variable on the way to its handle.
            return conversion.convert(value, as_ref=True).op
        if isinstance(value, TensorBase):
            return value.op  # pyright: ignore[reportAttributeAccessIssue]
        converted = getattr(value, "_as_graph_element", None)
        if converted is not None:
            return converted().op
        return conversion.convert(value, as_ref=True).op

    @contextlib.contextmanager
    def container(self, container_name: str) -> Iterator[str]:
        """Names the resource container of stateful operations."""
        before = self._container
        self._container = container_name
        try:
            yield container_name
        finally:
            self._container = before

    # Control dependencies and control flow.

    def control_dependencies(self, control_inputs: Any) -> contextlib.AbstractContextManager[None]:
        """Makes new operations run after `control_inputs`; None drops all such dependencies.

        Raises:
          TypeError: one of them is no operation or tensor.
        """
        if control_inputs is None:
            return ControlDependencies(self, [], clears=True)
        present = {op for controller in self._control_stack for op in controller.ops}
        ops = []
        for item in control_inputs:
            if hasattr(item, "_handle") and hasattr(item, "op"):
                item = item.op
            elif isinstance(item, TensorBase) and not isinstance(item, Tensor):
                item = item.op  # pyright: ignore[reportAttributeAccessIssue]
            item = self.as_graph_element(item)
            op = item._op if isinstance(item, Tensor) else item
            if op not in present:
                ops.append(op)
                present.add(op)
        return ControlDependencies(self, ops)

    def _control_dependencies_for(self, inputs: list[Tensor]) -> list[Operation]:
        sources = {tensor._op for tensor in inputs}
        found: list[Operation] = []
        for controller in self._control_stack:
            # An input that was itself made in the block already waits for the block's operations.
            if not any(op in controller.seen for op in sources):
                found.extend(op for op in controller.ops if op not in sources)
        return list(dict.fromkeys(found))

    def _current_control_dependencies(self) -> set[Operation]:
        return {op for controller in self._control_stack for op in controller.ops}

    def _control_dependencies_for_inputs(self, input_ops: Any) -> list[Operation]:
        return self._control_dependencies_for([op.outputs[0] for op in input_ops if op.outputs])

    def _record_op_seen_by_control_dependencies(self, op: Operation) -> None:
        for controller in self._control_stack:
            controller.seen.add(op)

    def _get_control_flow_context(self) -> Any:
        return self._control_flow_context

    def _set_control_flow_context(self, ctx: Any) -> None:
        self._control_flow_context = ctx

    # What `with` blocks put on operations.

    @contextlib.contextmanager
    def _attr_scope(self, attr_map: dict[str, Any]) -> Iterator[None]:
        if not isinstance(attr_map, dict):
            raise TypeError(
                "attr_map must be a dictionary mapping strings to AttrValue protocol buffers"
            )
        for key, value in attr_map.items():
            known = value is None or isinstance(value, protos.AttrValue) or callable(value)
            if not (isinstance(key, str) and known):
                raise TypeError(
                    "attr_map must be a dictionary mapping strings to AttrValue protocol buffers "
                    "or callables that emit AttrValue protocol buffers"
                )
        before = self._attr_scope_map
        merged = {**before, **attr_map}
        self._attr_scope_map = {key: value for key, value in merged.items() if value is not None}
        try:
            yield
        finally:
            self._attr_scope_map = before

    @contextlib.contextmanager
    def _kernel_label_map(self, op_to_kernel_label_map: dict[str, str]) -> Iterator[None]:
        if not isinstance(op_to_kernel_label_map, dict):
            raise TypeError(
                "op_to_kernel_label_map must be a dictionary mapping strings to strings"
            )
        texts = [text for item in op_to_kernel_label_map.items() for text in item]
        if not all(isinstance(text, str) for text in texts):
            raise TypeError(
                "op_to_kernel_label_map must be a dictionary mapping strings to strings"
            )
        before = self._kernel_labels
        self._kernel_labels = {**before, **op_to_kernel_label_map}
        try:
            yield
        finally:
            self._kernel_labels = before

    @contextlib.contextmanager
    def gradient_override_map(self, op_type_map: dict[str, str]) -> Iterator[None]:
        """Stamps new operations of some types with another registered gradient.

        Args:
          op_type_map: op type -> the name given to `tf.RegisterGradient`.

        Raises:
          TypeError: the map is not one of strings to strings.
        """
        if not isinstance(op_type_map, dict):
            raise TypeError("op_type_map must be a dictionary mapping strings to strings")
        for op_type, mapped in op_type_map.items():
            if not (isinstance(op_type, str) and isinstance(mapped, str)):
                raise TypeError("op_type_map must be a dictionary mapping strings to strings")
        before = self._gradient_overrides
        self._gradient_overrides = {**before, **op_type_map}
        try:
            yield
        finally:
            self._gradient_overrides = before

    @contextlib.contextmanager
    def _original_op(self, op: Operation) -> Iterator[None]:
        before = self._default_original_op
        self._default_original_op = op
        try:
            yield
        finally:
            self._default_original_op = before

    @contextlib.contextmanager
    def _variable_creator_scope(self, creator: Any, priority: int = 100) -> Iterator[None]:
        before = self._variable_creators
        self._variable_creators = sorted([*before, (priority, creator)], key=lambda item: item[0])
        try:
            yield
        finally:
            self._variable_creators = before

    @contextlib.contextmanager
    def _enable_auto_casting_variables(self, dtype: DTypeLike | None) -> Iterator[None]:
        before = self._auto_cast_variable_read_dtype
        self._auto_cast_variable_read_dtype = None if dtype is None else dtypes.as_dtype(dtype)
        try:
            yield
        finally:
            self._auto_cast_variable_read_dtype = before

    @property
    def _variable_creator_stack(self) -> list[Any]:
        return list(self._variable_creators)

    # Feeding and fetching.

    def prevent_feeding(self, tensor: Tensor) -> None:
        """Forbids feeding `tensor`."""
        self._unfeedable.add(tensor)

    def is_feedable(self, tensor: Any) -> bool:
        """Whether `tensor` may be fed."""
        return tensor not in self._unfeedable

    def prevent_fetching(self, op: Any) -> None:
        """Forbids fetching `op`."""
        self._unfetchable.add(op)

    def is_fetchable(self, tensor_or_op: Any) -> bool:
        """Whether `tensor_or_op` may be fetched."""
        op = tensor_or_op._op if isinstance(tensor_or_op, Tensor) else tensor_or_op
        return op not in self._unfetchable

    def switch_to_thread_local(self) -> None:
        """From here on threads record in scopes of their own (see `ThreadScopes`), which begin
        in the scopes of devices and control dependencies that hold now, as in TF.
        """
        if self._first_scopes is None:
            self._first_scopes = {name: getattr(self, name) for name in INHERITED_SCOPES}

    def as_default(self) -> contextlib.AbstractContextManager[Graph]:
        """Makes this the graph that new operations join, inside the `with` block."""
        return DefaultGraph(self)


context.use_graph_class(Graph)
