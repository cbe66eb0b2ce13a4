"""`tf.tpu`: computations for replicas (`tensorflow.python.tpu.tpu`).

What is recorded is what TF 1.15 records. It runs wherever JAX runs, several replicas as towers do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.tpu import tpu_function
from tf1compat.api.variables import variable_scope
from tf1compat.api.xla.cluster import (
    ClusterContext,
    check_function_argument_count,
    flat_outputs,
    is_flat,
    nested_outputs,
)
from tf1compat.core import nest, ops, raw_ops
from tf1compat.core.attr_value import to_attr_value
from tf1compat.core.device import DeviceSpec
from tf1compat.core.export import find, tf_export
from tf1compat.core.func_graph import FuncGraph
from tf1compat.core.typing import Name

_NO_VALUE = (
    "TPU function return values must all either be Operations or convertible to Tensors. Got '{}'"
)
_NO_TENSOR = (
    "TPU function return values must all either be Operations or convertible to Tensors. Got "
    'error: "{}"'
)
_ORDER = "TPU functions must return zero-or more Tensor values followed by zero or more Operations."


def _system_device(job: str | None) -> str:
    return "/device:TPU_SYSTEM:0" if job is None else f"/job:{job}/device:TPU_SYSTEM:0"


@tf_export("tpu.initialize_system", "contrib.tpu.initialize_system")
def initialize_system(embedding_config: Any = None, job: str | None = None) -> Any:
    """Records what sets a system of TPUs up; no device here runs it.

    Args:
      embedding_config: a message about tables of embeddings.
      job: the job that has the TPUs.

    Returns:
      A string tensor: a serialized `TopologyProto`.
    """
    config = "" if embedding_config is None else embedding_config.SerializeToString()
    with ops.device(_system_device(job)):
        return raw_ops.ConfigureDistributedTPU(embedding_config=config)


def initialize_system_for_tpu_embedding(embedding_config: Any, job: str | None = None) -> Any:
    """Records what sets up the tables of embeddings of a system of TPUs."""
    with ops.device(_system_device(job)):
        return raw_ops.ConfigureTPUEmbedding(config=embedding_config.SerializeToString())


@tf_export("tpu.shutdown_system", "contrib.tpu.shutdown_system")
def shutdown_system(job: str | None = None) -> Any:
    """Records what shuts a system of TPUs down; no device here runs it.

    Args:
      job: the job's name.

    Returns:
      An operation.
    """
    with ops.device(_system_device(job)):
        return raw_ops.ShutdownDistributedTPU()


@tf_export("tpu.core", "contrib.tpu.core")
def core(num: int) -> str:
    """The device of a core of a replica, for `tf.device`.

    Args:
      num: the core's number.

    Returns:
      A string.
    """
    return f"device:TPU_REPLICATED_CORE:{num}"


class TPUReplicateContext(ClusterContext):
    """Marks the operations of a replicated computation with `_tpu_replicate`.

    Args:
      name: unique; the value of the mark.
      num_replicas: how many replicas there are.
      pivot: what operations without inputs wait for.
    """

    mark = "_tpu_replicate"
    kind = "TPU"
    refused_text = (
        "Operation of type %s (%s) is not supported on the TPU. Execution will fail if this op is "
        "used in the graph. "
    )
    nested_text = "TPU computations cannot be nested"

    def __init__(self, name: str, num_replicas: int, pivot: Any):
        super().__init__(name, pivot)
        self._num_replicas = num_replicas
        self._outside: str | None = None  # the part outside that is recorded now
        self._outside_count = 0
        self._outer_devices: list[Any] | None = None
        self._inner_devices: list[Any] = []
        self._host_cores: list[str] = []
        # The operations whose gradients are recorded, and the one of them that began a part.
        self._colocated: list[Any] = []
        self._colocated_outside: Any = None
        self._replicated_vars: dict[str, Any] = {}

    def Enter(self) -> None:  # noqa: N802
        if self._outer_devices is None:
            self._outer_devices = list(ops.get_default_graph()._device_stack)
        super().Enter()

    def HostComputeCore(self) -> list[str]:  # noqa: N802
        """Which core each part outside belongs to, where one was chosen."""
        return self._host_cores

    def get_replicated_var_handle(self, name: str, vars_: Any) -> Any:
        """The handle that stands for one variable a replica.

        Args:
          name: their common name.
          vars_: the variables.
        """
        if name not in self._replicated_vars:
            graph = ops.get_default_graph()
            inner = graph._get_control_flow_context()
            graph._set_control_flow_context(self.outer_context)
            self._replicated_vars[name] = raw_ops.TPUReplicatedInput(
                [variable.handle for variable in vars_], name=f"{name}/handle"
            )
            graph._set_control_flow_context(inner)
        return self._replicated_vars[name]

    def _set_marks(self, op: Any) -> None:
        op._set_attr(self.mark, to_attr_value(self._name.encode(), "string"))
        if self._outside is not None:
            part = to_attr_value(self._outside.encode(), "string")
            op._set_attr("_xla_outside_compilation", part)
        if self._num_replicas > 1 or self._outside is None:
            op.graph.prevent_fetching(op)

    def enter_outside(self, cluster: str | None = None) -> None:
        """Begins a part that the host runs.

        Args:
          cluster: its name; a new number by default.
        """
        if self._outside is not None:
            raise NotImplementedError("Cannot nest outside_compilation clusters")
        if cluster is None:
            cluster = str(self._outside_count)
            self._outside_count += 1
        self._outside = cluster
        graph = ops.get_default_graph()
        device = DeviceSpec.from_string(graph.current_device())
        if device.device_type == "TPU_REPLICATED_CORE" and device.device_index is not None:
            self._host_cores.append(f"{cluster}:{device.device_index}")
        self._inner_devices = graph._device_stack
        graph._device_stack = list(self._outer_devices or ())

    def exit_outside(self) -> None:
        """Ends a part that the host runs."""
        if self._outside is None:
            raise NotImplementedError(
                "Attempted to exit outside_compilation scope when not in scope"
            )
        self._outside = None
        ops.get_default_graph()._device_stack = self._inner_devices

    def EnterGradientColocation(self, op: Any, gradient_uid: Any) -> None:  # noqa: N802
        if op is None:
            return
        self._colocated.append(op)
        part = op._attrs.get("_xla_outside_compilation")
        if self._outside is not None or part is None:
            return
        if self._colocated_outside is not None:
            raise NotImplementedError(
                "Cannot nest gradient colocation operations outside compilation"
            )
        if gradient_uid == "__unsupported__":
            raise NotImplementedError("No gradient_uid calling gradient within outside_compilation")
        self._colocated_outside = op
        self.enter_outside(f"{part.decode().split('.')[0]}.{gradient_uid}")

    def ExitGradientColocation(self, op: Any, gradient_uid: Any) -> None:  # noqa: N802
        if op is None:
            return
        self._colocated.pop()
        if op is self._colocated_outside:
            self._colocated_outside = None
            self.exit_outside()


def _replicate_contexts() -> list[TPUReplicateContext]:
    found = []
    context = ops.get_default_graph()._get_control_flow_context()
    while context is not None:
        if isinstance(context, TPUReplicateContext):
            found.append(context)
        context = context.outer_context
    return found


@tf_export("tpu.outside_compilation", "contrib.tpu.outside_compilation")
def outside_compilation(computation: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Records a part of a computation that the host runs (as `tf.tpu.outside_compilation` in TF
    1.15).

    Args:
      computation: records the part.
      *args, **kwargs: its arguments.

    Returns:
      What `computation` returns.
    """
    graph = ops.get_default_graph()
    before = graph._get_control_flow_context()
    contexts = _replicate_contexts()
    for context in contexts:
        context.enter_outside()
    found = computation(*args, **kwargs)
    if graph._get_control_flow_context() is not before:
        raise NotImplementedError(
            "Control-flow context cannot be different at start and end of an outside_compilation "
            "scope"
        )
    for context in contexts:
        context.exit_outside()
    return found


# ---- replicas ----------


@tf_export("tpu.replicate", "contrib.tpu.replicate")
def replicate(
    computation: Callable[..., Any], inputs: Any = None, infeed_queue: Any = None,
    device_assignment: Any = None, name: Name = None, maximum_shapes: Any = None,
) -> Any:  # fmt: skip
    """Records a computation for several replicas (as `tf.tpu.replicate` in TF 1.15).

    Args:
      computation: takes the inputs of a replica; returns tensors, followed by operations.
      inputs: [replica][input]: structures of what can be converted to tensors.
      infeed_queue: what more goes into the computation.
      device_assignment: on which cores the replicas run.
      name: not used.
      maximum_shapes: to which inputs are padded; not supported.

    Returns:
      [replica]: what the computation returned, of which a single value is in a list; an operation
      where it returned no tensors.

    Raises:
      TypeError: the inputs are no list of lists, or not what the computation takes.
      ValueError: the replicas' inputs differ, or the computation returned something else.
    """
    return split_compile_and_replicate(
        computation, inputs, infeed_queue, device_assignment, name, maximum_shapes=maximum_shapes
    )[1]


def _checked_inputs(computation: Any, inputs: Any, infeed_queue: Any) -> list[list[Any]]:
    """The inputs of all replicas as flat lists of tensors."""
    for replica in inputs[1:]:
        nest.assert_same_structure(inputs[0], replica)
    flat = [[ops.convert_to_tensor(x) for x in nest.flatten(replica)] for replica in inputs]
    kinds = [x.dtype for x in flat[0]]
    for i, replica in enumerate(flat):
        own = [x.dtype for x in replica]
        if own != kinds:
            raise ValueError(
                f"Replicas must have matching input types. Replica 0 had input types {kinds}, "
                f"replica {i} had input types {own}"
            )
    count = len(inputs[0])
    problem = check_function_argument_count(computation, count, infeed_queue)
    if problem is not None:
        names = str([x.name for x in inputs[0]])
        more = ""
        if infeed_queue is not None:
            more = f" and {infeed_queue.number_of_tuple_elements} additional inputs from infeed"
        raise TypeError(
            "Supplied computation cannot be called with the specified inputs. You specified "
            f"{count} inputs: {names}{more}, but the computation needs {problem}"
        )
    return flat


def _metadata_of(computation: Any, device_assignment: Any) -> dict[str, Any]:
    attrs: dict[str, Any] = {
        "allow_soft_placement": find("config.get_soft_device_placement")(),
        "step_marker_location": getattr(computation, "step_marker_location", "STEP_MARK_AT_ENTRY"),
    }
    if device_assignment is not None:
        attrs["topology"] = device_assignment.topology.serialized()
        attrs["device_assignment"] = device_assignment.core_assignment.flatten().tolist()
        attrs["num_cores_per_replica"] = device_assignment.num_cores_per_replica
    return attrs


def _call(computation: Callable[..., Any], arguments: list[Any]) -> Any:
    """Calls a computation, all of whose variables are resources, and none in parts."""
    scope = variable_scope.get_variable_scope()
    used_resource, outer = scope.use_resource, scope.custom_getter

    def custom_getter(getter: Callable[..., Any], name: Any, *args: Any, **kwargs: Any) -> Any:
        if kwargs["partitioner"] is not None:
            logging.warning(
                "Partitioned variables are not supported on TPU. Got `partitioner` that is "
                f"{kwargs['partitioner']} for variable {name}. Setting `partitioner` to `None`."
            )
            kwargs["partitioner"] = None
        return (
            getter(name, *args, **kwargs) if outer is None else outer(getter, name, *args, **kwargs)
        )

    scope.set_use_resource(True)
    scope.set_custom_getter(custom_getter)
    outputs = computation(*arguments)
    scope.set_use_resource(used_resource)
    scope.set_custom_getter(outer)
    return outputs


def _output_identity(tensor: Any) -> Any:
    with ops.device(tensor.device or core(0)):
        found = array_ops.identity(tensor)
    found.op._set_attr("_tpu_output_identity", to_attr_value(True, "bool"))
    return found


def _nested_output_identity(tensor: Any) -> Any:
    with ops.device(core(0)):
        found = array_ops.identity(tensor)
        found.op._set_attr("_tpu_output_identity", to_attr_value(True, "bool"))
        return array_ops.identity(found)


def split_compile_and_replicate(
    computation: Callable[..., Any], inputs: Any = None, infeed_queue: Any = None,
    device_assignment: Any = None, name: Name = None, use_tpu: bool = True,
    maximum_shapes: Any = None,
) -> Any:  # fmt: skip
    """As `replicate`; returns [what tells whether compiling succeeded, the outputs]."""
    inputs = [[]] if inputs is None else inputs
    attrs = _metadata_of(computation, device_assignment)
    if not isinstance(inputs, list) or any(not isinstance(x, list | tuple) for x in inputs):
        raise TypeError("tpu.replicate() inputs must be a list of lists/tuples")
    replicas = len(inputs)
    if not replicas:
        return []
    flat = _checked_inputs(computation, inputs, infeed_queue)
    if maximum_shapes:
        raise NotImplementedError(
            "maximum_shapes of tf.tpu.replicate is not supported by tf1compat"
        )
    joined = [
        raw_ops.TPUReplicatedInput(list(values), name=f"input{i}")
        for i, values in enumerate(zip(*flat, strict=True))
    ]
    graph = ops.get_default_graph()
    prefix = f"cluster_{graph.name}" if isinstance(graph, FuncGraph) else "cluster"
    cluster = graph.unique_name(prefix)
    pivot = control_flow_ops.no_op(name=f"{cluster}/pivot")
    context = TPUReplicateContext(cluster, replicas, pivot)
    try:
        context.Enter()
        metadata = raw_ops.TPUReplicateMetadata(num_replicas=replicas, use_tpu=use_tpu, **attrs)
        shards = tpu_function.tpu_shard_context(replicas)
        with shards, ops.control_dependencies([metadata]):
            joined = [
                array_ops.identity(x, name=f"replicated_input_{i}") for i, x in enumerate(joined)
            ]
            for tensor in joined:
                tensor.op._set_attr("_tpu_input_identity", to_attr_value(True, "bool"))
            arguments = list(nest.pack_sequence_as(inputs[0], joined))
            if infeed_queue is not None:
                infeed_queue.set_number_of_shards(replicas)
                arguments += infeed_queue.generate_dequeue_op()
            outputs = _call(computation, arguments)
        flat_ones = is_flat(outputs)
        if flat_ones:
            tensors, controls = flat_outputs(
                outputs, _output_identity, core(0), (_NO_VALUE, _ORDER)
            )
        else:
            tensors = nested_outputs(outputs, _nested_output_identity, "tpu.rewrite", _NO_TENSOR)
            controls = []
        context.ExitResult(tensors)
    finally:
        context.report_unsupported_operations()
        context.Exit()
    if context.HostComputeCore():
        cores = [text.encode() for text in context.HostComputeCore()]
        metadata._set_attr("host_compute_core", to_attr_value(cores, "list(string)"))
    with ops.control_dependencies([metadata]):
        if use_tpu:
            status = raw_ops.TPUCompilationResult()
            own = to_attr_value(cluster.encode(), "string")
            status.op._set_attr("_tpu_compilation_status", own)
        else:
            status = control_flow_ops.no_op(name="compilation_status")
    if not tensors:
        shards = [control_flow_ops.group(controls, name=f"shard_{i}") for i in range(replicas)]
        return [status, shards]
    found: list[Any] = [[] for _ in range(replicas)]
    for i, tensor in enumerate(tensors):
        parts = raw_ops.TPUReplicatedOutput(tensor, num_replicas=replicas, name=f"output{i}")
        with ops.control_dependencies(controls):
            for replica in range(replicas):
                part = array_ops.identity(parts[replica], name=f"output_{i}_shard_{replica}")
                found[replica].append(part)
    if not flat_ones:
        found = [nest.pack_sequence_as(outputs, replica) for replica in found]
    return [status, found]


@tf_export("tpu.shard", "contrib.tpu.shard")
def shard(
    computation: Callable[..., Any], inputs: Any = None, num_shards: int = 1,
    input_shard_axes: Any = None, outputs_from_all_shards: Any = True,
    output_shard_axes: Any = None, infeed_queue: Any = None, device_assignment: Any = None,
    name: Name = None,
) -> Any:  # fmt: skip
    """Splits inputs, and records a computation for each part (as `tf.tpu.shard` in TF 1.15).

    Args:
      computation: see `replicate`.
      inputs: a list of what can be converted to tensors.
      num_shards: into how many parts inputs are split.
      input_shard_axes: along which axis each is split; the first by default.
      outputs_from_all_shards: for each output, or for all: whether the parts are joined; else it is
        one of them.
      output_shard_axes: along which axis each is joined; the first by default.
      infeed_queue, device_assignment, name: see `replicate`.

    Returns:
      The outputs.

    Raises:
      ValueError: there is no part, or a list is of another length.
    """
    return split_compile_and_shard(
        computation, inputs, num_shards, input_shard_axes, outputs_from_all_shards,
        output_shard_axes, infeed_queue, device_assignment, name,
    )[1]  # fmt: skip


def split_compile_and_shard(
    computation: Callable[..., Any], inputs: Any = None, num_shards: int = 1,
    input_shard_axes: Any = None, outputs_from_all_shards: Any = True,
    output_shard_axes: Any = None, infeed_queue: Any = None, device_assignment: Any = None,
    name: Name = None,
) -> Any:  # fmt: skip
    """As `shard`; returns (what tells whether compiling succeeded, the outputs)."""
    if num_shards <= 0:
        raise ValueError("num_shards must be a positive integer.")
    inputs = [] if inputs is None else inputs
    if not isinstance(inputs, list):
        raise TypeError("tpu.shard()'s inputs must be a list of Tensors or None.")
    tensors = [ops.convert_to_tensor(x) for x in inputs]
    axes = [0] * len(tensors) if input_shard_axes is None else input_shard_axes
    if len(axes) != len(tensors):
        raise ValueError("Length of input_shard_axes must be equal to the number of inputs.")
    split = [array_ops.split(x, num_shards, axis=axis) for x, axis in zip(tensors, axes)]
    parts = [list(part) for part in zip(*split)] if split else [[]] * num_shards
    status, outputs = split_compile_and_replicate(
        computation, parts, infeed_queue=infeed_queue, device_assignment=device_assignment,
        name=name,
    )  # fmt: skip
    if isinstance(outputs[0], ops.Operation):
        return status, [outputs[0]]
    count = len(outputs[0])
    axes = [0] * count if output_shard_axes is None else output_shard_axes
    if len(axes) != count:
        raise ValueError("Length of output_shard_axes must be equal to the number of outputs.")
    if isinstance(outputs_from_all_shards, bool):
        outputs_from_all_shards = [outputs_from_all_shards] * count
    if len(outputs_from_all_shards) != count:
        raise ValueError(
            "Length of outputs_from_all_shards must be equal to the number of outputs."
        )
    results = []
    for axis, joins, shards in zip(axes, outputs_from_all_shards, zip(*outputs)):
        if not joins:
            results.append(shards[0])
        elif shards[0].shape.ndims == 0:
            results.append(array_ops.stack(list(shards)))
        else:
            results.append(array_ops.concat(list(shards), axis=axis))
    return status, results


@tf_export("tpu.batch_parallel", "contrib.tpu.batch_parallel")
def batch_parallel(
    computation: Callable[..., Any], inputs: Any = None, num_shards: int = 1,
    infeed_queue: Any = None, device_assignment: Any = None, name: Name = None,
) -> Any:  # fmt: skip
    """As `shard`, along the first axis of all inputs and outputs.

    Args:
      computation, inputs, num_shards, infeed_queue, device_assignment, name: as in `shard`.

    Returns:
      As `shard`.
    """
    return shard(
        computation, inputs, num_shards=num_shards, infeed_queue=infeed_queue,
        device_assignment=device_assignment, name=name,
    )  # fmt: skip


@tf_export("tpu.rewrite", "contrib.tpu.rewrite")
def rewrite(
    computation: Callable[..., Any], inputs: Any = None, infeed_queue: Any = None,
    device_assignment: Any = None, name: Name = None,
) -> Any:  # fmt: skip
    """As `replicate`, of one replica.

    Args:
      computation: takes the inputs; returns tensors, followed by operations.
      inputs: a list of structures of what can be converted to tensors.
      infeed_queue, device_assignment, name: see `replicate`.

    Returns:
      What the computation returned, of which a single value is in a list; an operation where it
      returned no tensors.
    """
    return replicate(
        computation, None if inputs is None else [inputs], infeed_queue=infeed_queue,
        device_assignment=device_assignment, name=name,
    )[0]  # fmt: skip


# Inference.

_OF_VARIABLES = frozenset(
    "ReadVariableOp AssignVariableOp AssignAddVariableOp AssignSubVariableOp VarHandleOp Variable "
    "VariableV2".split()
)


class _TPUInferenceContext(control_flow_ops.XLAControlFlowContext):
    """Around a computation for inference: variables are made and read outside of it."""

    def __init__(self, name: str):
        super().__init__()
        self._name = name

    grad_state = property(lambda self: None)

    def AddOp(self, op: Any) -> None:  # noqa: N802
        if op.type in _OF_VARIABLES:
            raise NotImplementedError(
                f"Operation of type {op.type} ({op.name}) is not supported on the TPU for "
                "inference. Execution will fail if this op is used in the graph. Make sure your "
                "variables are using variable_scope."
            )
        if self._outer_context:
            self._outer_context.AddInnerOp(op)

    AddInnerOp = AddOp  # noqa: N815

    def AddValue(self, val: Any) -> Any:  # noqa: N802
        return self._outer_context.AddValue(val) if self._outer_context else val


def under_tpu_inference_context() -> bool:
    """Whether a computation for inference is being recorded."""
    context = ops.get_default_graph()._get_control_flow_context()
    while context is not None and not isinstance(context, _TPUInferenceContext):
        context = context.outer_context
    return context is not None


def rewrite_for_inference(
    computation: Callable[..., Any], inputs: Any = None, infeed_queue: Any = None,
    device_assignment: Any = None, name: Name = None,
) -> Any:  # fmt: skip
    """As `rewrite`, of a computation whose variables (of `tf.get_variable`) are read before it,
    and never change.

    Args:
      computation: takes the inputs; returns tensors, followed by operations.
      inputs, infeed_queue, device_assignment, name: see `rewrite`.

    Returns:
      As `rewrite`.

    Raises:
      NotImplementedError: the computation makes, reads or changes variables by other means.
    """

    def guaranteed(getter: Callable[..., Any], name: str, *args: Any, **kwargs: Any) -> Any:
        with ops.control_dependencies(None):
            variable = getter(name, *args, **kwargs)
            return array_ops.guarantee_const(variable, name=f"{name}/GuaranteeConst")

    def with_constants(*args: Any, **kwargs: Any) -> Any:
        context = _TPUInferenceContext(ops.get_default_graph().unique_name("rewrite_for_inference"))
        scope = variable_scope.get_variable_scope()
        before = scope.custom_getter, scope.caching_device
        context.Enter()
        try:
            scope.set_custom_getter(guaranteed)
            scope.set_caching_device(lambda op: op.device)
            result = computation(*args, **kwargs)
            scope.set_custom_getter(before[0])
            scope.set_caching_device(before[1])
        finally:
            context.Exit()
        return result

    return rewrite(with_constants, inputs, infeed_queue, device_assignment, name)


def validate_inference_rewrite_for_variables(graph: Any) -> None:
    """Checks that `rewrite_for_inference` has found variables.

    Args:
      graph: the graph.

    Raises:
      RuntimeError: it found none.
    """
    if not any(op.type == "GuaranteeConst" for op in graph.get_operations()):
        raise RuntimeError(
            "No GuaranteeConst ops found in the graph after running "
            "tpu.rewrite_for_inference(...). Please check that you are using tf.get_variable() to "
            "create and access variables in your tpu computation."
        )
