"""`tensorflow.python.eager.context`: graphs and eager execution, and where eager code stands."""

from __future__ import annotations

import collections
import contextlib
import threading
import uuid
from collections.abc import Iterator
from typing import Any, NamedTuple

from tf1compat.api.eager import executor
from tf1compat.api.eager.graph_collection import GraphCollection
from tf1compat.api.random import random_seed
from tf1compat.core import context as core_context
from tf1compat.core import eager, errors, export, protos, scopes
from tf1compat.core.context import executing_eagerly, mode
from tf1compat.core.device import DeviceSpec, canonical_name
from tf1compat.core.graph_import import import_functions

GRAPH_MODE = 0
EAGER_MODE = 1
default_execution_mode = GRAPH_MODE
DEVICE_PLACEMENT_EXPLICIT = 0
DEVICE_PLACEMENT_WARN = 1
DEVICE_PLACEMENT_SILENT = 2
DEVICE_PLACEMENT_SILENT_FOR_INT32 = 3
SYNC = 0
ASYNC = 1
MIRRORING_NONE = 0
MIRRORING_ALL = 1

LogicalDevice = collections.namedtuple("LogicalDevice", ["name", "device_type"])
PhysicalDevice = collections.namedtuple("PhysicalDevice", ["name", "device_type"])

in_eager_mode = executing_eagerly


def eager_mode() -> mode:
    """Context manager: ops run at once."""
    return mode(True)


def graph_mode() -> mode:
    """Context manager: ops are recorded."""
    return mode(False)


class ContextSwitch(NamedTuple):
    """A change of graph or mode.

    Args:
      is_building_function: whether it is to the body of a function.
      enter_context_fn: a function of nothing that makes it again.
      device_stack: the devices asked for in the graph; None in eager execution.
    """

    is_building_function: bool
    enter_context_fn: Any
    device_stack: Any


class _ContextSwitches:
    """The changes that brought a thread where it is."""

    @property
    def stack(self) -> list[ContextSwitch]:
        """Them, the innermost last; the first one is to eager execution if that is the default."""
        made = [ContextSwitch(*switch) for switch in core_context.thread.switches]
        if core_context.eager_by_default():
            made.insert(0, ContextSwitch(False, core_context.enter_eager, None))
        return [
            one._replace(enter_context_fn=eager_mode)
            if one.enter_context_fn is core_context.enter_eager
            else one
            for one in made
        ]


class _Summaries(core_context.ThreadState):
    """Where this thread's summaries go to, and whether they are recorded (`summary_ops_v2`)."""

    def __init__(self) -> None:
        self.writer: Any = None
        self.recording: Any = None
        self.recording_distribution_strategy: Any = True
        self.step: Any = None


def _of_summaries(name: str) -> property:
    return property(
        lambda self: getattr(self._summaries, name),
        lambda self, value: setattr(self._summaries, name, value),
    )


class _EagerTensorCache:
    """Small tensors by keys; the oldest goes when there are too many.

    Args:
      max_items: how many are kept.
      max_tensor_size: how many elements one may have.
    """

    def __init__(self, max_items: int = 256, max_tensor_size: int = 10000):
        self._data: dict[Any, Any] = {}
        self._max_items = max_items
        self._max_tensor_size = max_tensor_size

    def put(self, key: Any, value: Any) -> None:
        """Keeps a tensor, if it is small enough."""
        if value._num_elements() <= self._max_tensor_size:
            self._data[key] = value
            if len(self._data) > self._max_items:
                del self._data[next(iter(self._data))]

    def get(self, key: Any) -> Any:
        """The tensor of a key; None if there is none."""
        return self._data.get(key)

    def flush(self) -> None:
        """Forgets all."""
        self._data.clear()


class FunctionCallOptions:
    """How functions are called.

    Args:
      executor_type: the kind of executor that calls ask for; None for TF's own choice.
      config_proto: a `ConfigProto`, or one in bytes.
    """

    def __init__(self, executor_type: str | None = None, config_proto: Any = None):
        self.executor_type = executor_type
        self.config_proto_serialized = config_proto

    @property
    def config_proto_serialized(self) -> bytes | None:
        """The `ConfigProto` in bytes."""
        return self._config

    @config_proto_serialized.setter
    def config_proto_serialized(self, config: Any) -> None:
        if config is not None and not isinstance(config, bytes):
            if not hasattr(config, "SerializeToString"):
                raise ValueError(
                    "the rewriter config must be either a config_pb2.ConfigProto, or a serialized "
                    f"string of that proto or None. got: {type(config)}"
                )
            config = config.SerializeToString()
        self._config = config


class _Thread(threading.local):
    """Who runs this thread's operations, and how functions are called in it."""

    def __init__(self) -> None:
        self.executor = executor.new_executor(False)
        self.options = FunctionCallOptions()
        self.device_policy = DEVICE_PLACEMENT_SILENT
        self.mirroring_policy: int | None = None
        # That of all other contexts than the program's is of no consequence.
        self.scope_name = ""


_collection = GraphCollection()


def _configured(getter: str, setter: str | None = None) -> property:
    """A property of the context that functions of `tf.config` read and write."""
    return property(
        lambda self: export.find(getter)(),
        None if setter is None else lambda self, value: export.find(setter)(value),
    )


def _of_config(name: str) -> Any:
    """A method of the context that is a function of `tf.config.experimental`."""
    return lambda self, *args, **kwargs: export.find(f"config.experimental.{name}")(*args, **kwargs)


class Context:
    """What is current in this thread's eager execution.

    Args:
      config: a `ConfigProto`, which `config` repeats: devices are JAX's.
      device_policy: what may be copied between devices.
      execution_mode: `SYNC` or `ASYNC`.
      server_def: None.

    Raises:
      ValueError: another execution mode.
      NotImplementedError: a `server_def`.
    """

    summary_writer = _of_summaries("writer")
    summary_recording = _of_summaries("recording")
    summary_recording_distribution_strategy = _of_summaries("recording_distribution_strategy")
    summary_step = _of_summaries("step")

    log_device_placement = _configured(
        "debugging.get_log_device_placement", "debugging.set_log_device_placement"
    )
    soft_device_placement = _configured(
        "config.get_soft_device_placement", "config.set_soft_device_placement"
    )
    intra_op_parallelism_threads = _configured(
        "config.threading.get_intra_op_parallelism_threads",
        "config.threading.set_intra_op_parallelism_threads",
    )
    inter_op_parallelism_threads = _configured(
        "config.threading.get_inter_op_parallelism_threads",
        "config.threading.set_inter_op_parallelism_threads",
    )
    optimizer_jit = _configured("config.optimizer.get_jit", "config.optimizer.set_jit")
    list_physical_devices = _of_config("list_physical_devices")
    list_logical_devices = _of_config("list_logical_devices")
    get_visible_devices = _of_config("get_visible_devices")
    set_visible_devices = _of_config("set_visible_devices")
    get_memory_growth = _of_config("get_memory_growth")
    set_memory_growth = _of_config("set_memory_growth")
    get_virtual_device_configuration = _of_config("get_virtual_device_configuration")
    set_virtual_device_configuration = _of_config("set_virtual_device_configuration")

    def __init__(
        self,
        config: Any = None,
        device_policy: int | None = None,
        execution_mode: int | None = None,
        server_def: Any = None,
    ):
        if execution_mode not in (None, SYNC, ASYNC):
            raise ValueError(f"execution_mode should be None/SYNC/ASYNC. Got {execution_mode}")
        if server_def is not None:
            raise NotImplementedError("tf1compat runs eager operations in this process alone.")
        self._config = config
        self._thread = _Thread()
        self._summaries = _Summaries()
        self._collectives: tuple[Any, ...] | None = None
        # Nothing is kept in them: a tensor of zeros is quickly made.
        self._zeros_cache, self._ones_rank_cache = _EagerTensorCache(), _EagerTensorCache()
        if device_policy is not None:
            self.device_policy = device_policy
        if execution_mode is not None:
            self.execution_mode = execution_mode

    def ensure_initialized(self) -> None:
        """Does nothing: there is nothing to start."""

    def executing_eagerly(self) -> bool:
        """Whether ops created now run at once."""
        return executing_eagerly()

    @property
    def executor(self) -> executor.Executor:
        """Who runs this thread's operations."""
        return self._thread.executor

    @executor.setter
    def executor(self, value: executor.Executor) -> None:
        self._thread.executor = value

    def is_async(self) -> bool:
        """Whether operations of this thread may run later, which is only told."""
        return self._thread.executor.is_async()

    @property
    def execution_mode(self) -> int:
        """`ASYNC` if operations may run later, else `SYNC`."""
        return ASYNC if self.is_async() else SYNC

    @execution_mode.setter
    def execution_mode(self, mode: int | None) -> None:
        if mode not in (None, SYNC, ASYNC):
            raise ValueError(f"Execution mode should be None/SYNC/ASYNC. Got {mode}")
        self.executor = executor.new_executor(mode == ASYNC)

    @property
    def device_policy(self) -> int:
        """What may be copied between devices, which is anything here."""
        return self._thread.device_policy

    @device_policy.setter
    def device_policy(self, policy: int) -> None:
        self._thread.device_policy = policy

    @property
    def mirroring_policy(self) -> int | None:
        """Whether copies on other devices are kept."""
        return self._thread.mirroring_policy

    @mirroring_policy.setter
    def mirroring_policy(self, policy: int) -> None:
        self._thread.mirroring_policy = policy

    @property
    def function_call_options(self) -> FunctionCallOptions:
        """How functions are called in this thread."""
        return self._thread.options

    @function_call_options.setter
    def function_call_options(self, options: FunctionCallOptions) -> None:
        self._thread.options = options

    @property
    def context_switches(self) -> _ContextSwitches:
        """The changes of graph and mode in this thread."""
        return _ContextSwitches()

    @property
    def post_execution_callbacks(self) -> list[Any]:
        """What is called after each operation."""
        return eager.callbacks

    def add_post_execution_callback(self, callback: Any) -> None:
        """Has `callback(op_type, inputs, attrs, outputs, op_name)` called after each operation."""
        eager.callbacks.append(callback)

    def clear_post_execution_callbacks(self) -> None:
        """Has nothing called any more."""
        eager.callbacks.clear()

    def enable_graph_collection(self) -> None:
        """Has `export_run_metadata` tell of the functions that run from now on."""
        _collection.start()

    def disable_graph_collection(self) -> None:
        """Ends what `enable_graph_collection` and `enable_run_metadata` began."""
        _collection.stop()

    def enable_run_metadata(self) -> None:
        """As `enable_graph_collection`: times are the profiler's."""
        _collection.start()

    def disable_run_metadata(self) -> None:
        """Ends what `enable_run_metadata` and `enable_graph_collection` began."""
        _collection.stop()

    def export_run_metadata(self) -> Any:
        """A `RunMetadata` of what ran since it was enabled, or since the last one."""
        return _collection.export()

    def get_optimizer_experimental_options(self) -> dict[str, Any]:
        """As `tf.config.optimizer.get_experimental_options`."""
        return export.find("config.optimizer.get_experimental_options")()

    def set_optimizer_experimental_options(self, options: dict[str, Any]) -> None:
        """As `tf.config.optimizer.set_experimental_options`."""
        export.find("config.optimizer.set_experimental_options")(options)

    @property
    def device_name(self) -> str:
        """Where ops are to run; "" if that was not said."""
        name = core_context.thread.eager_device
        if not name:
            return ""
        spec = DeviceSpec.from_string("/job:localhost/replica:0/task:0")
        spec.merge_from(DeviceSpec.from_string(canonical_name(name)))
        if spec.device_type and spec.device_index is None:
            spec.device_index = 0
        return spec.to_string()

    def device(self, name: str | None) -> Any:
        """Context manager: eager ops run on a device.

        Args:
          name: the device.
        """
        return device(name)

    def has_function(self, name: str | bytes) -> bool:
        """Whether the default graph has a function.

        Args:
          name: its name.
        """
        text = name.decode() if isinstance(name, bytes) else name
        return scopes.get_default_graph()._is_function(text)

    def add_function_def(self, fdef: Any) -> None:
        """Lets eager code run a function by its name.

        Args:
          fdef: the `FunctionDef`.
        """
        graph = scopes.get_default_graph()
        name = fdef.signature.name
        known = graph._get_function(name)
        if known is not None and known.definition != fdef:
            raise errors.InvalidArgumentError(
                None,
                None,
                f"Cannot add function '{name}' because a different function with the same name "
                "already exists.",
            )
        import_functions(graph, protos.load("function_pb2", "FunctionDefLibrary")(function=[fdef]))

    def add_function(self, fn: Any) -> None:
        """As `add_function_def`.

        Args:
          fn: a function that was recorded, which has a `definition`.
        """
        self.add_function_def(fn.definition)

    def remove_function(self, name: str | bytes) -> None:
        """Takes a function back out.

        Args:
          name: its name.

        Raises:
          InvalidArgumentError: there is no such function.
        """
        text = name.decode() if isinstance(name, bytes) else name
        graph = scopes.get_default_graph()
        if not graph._is_function(text):
            raise errors.InvalidArgumentError(
                None, None, f"Tried to remove non-existent function '{text}'."
            )
        del graph._functions[text]

    def set_server_def(self, server_def: Any, keep_alive_secs: int = 600) -> None:
        """Lets eager operations run on the other tasks of a cluster, as `tf.device` says.

        Args:
          server_def: a `ServerDef`, which has the cluster and this process's job.
          keep_alive_secs: unused: servers keep nothing of who goes away.

        Raises:
          ValueError: it is None.
        """
        if not server_def:
            raise ValueError("server_def is None.")
        others = type(server_def.cluster)()
        others.job.extend(job for job in server_def.cluster.job if job.name != server_def.job_name)
        eager.connect_tasks(others)

    @property
    def device_spec(self) -> Any:
        """The same as a `tf.DeviceSpec`."""
        return DeviceSpec.from_string(self.device_name)

    @property
    def scope_name(self) -> str:
        """The name scope, with a slash at its end."""
        return core_context.thread.eager_scope if self is _context else self._thread.scope_name

    @scope_name.setter
    def scope_name(self, s: str) -> None:
        if self is _context:
            core_context.thread.eager_scope = s
        else:
            self._thread.scope_name = s

    def devices(self) -> list[str]:
        """The names of the devices."""
        listed = export.find("config.experimental.list_logical_devices")()
        return [logical.name for logical in listed]

    def num_gpus(self) -> int:
        """How many of them are GPUs."""
        return len(export.find("config.experimental.list_logical_devices")("GPU"))

    @property
    def config(self) -> Any:
        """A `ConfigProto` of what was set."""
        config = protos.load("config_pb2", "ConfigProto")()
        if self._config is not None:
            config.CopyFrom(self._config)
        for kind in ("CPU", "GPU"):
            config.device_count[kind] = len(self.list_physical_devices(kind))
        config.gpu_options.experimental.SetInParent()
        config.allow_soft_placement = self.soft_device_placement
        config.log_device_placement |= self.log_device_placement
        config.intra_op_parallelism_threads = self.intra_op_parallelism_threads
        config.inter_op_parallelism_threads = self.inter_op_parallelism_threads
        if self.optimizer_jit:
            config.graph_options.optimizer_options.global_jit_level = 1
        rewrites = config.graph_options.rewrite_options
        for option, value in self.get_optimizer_experimental_options().items():
            is_toggle = rewrites.DESCRIPTOR.fields_by_name[option].enum_type is not None
            if is_toggle or value:
                setattr(
                    rewrites, option, (rewrites.OFF, rewrites.ON)[value] if is_toggle else value
                )
        if self._collectives is not None:
            leader, scoped, by_nccl, filters = self._collectives
            rewrites.scoped_allocator_optimization = rewrites.ON
            rewrites.scoped_allocator_opts.enable_op.extend(scoped)
            config.experimental.collective_group_leader = leader
            config.experimental.collective_nccl = by_nccl
            config.device_filters.extend(filters or ())
        return config

    def configure_collective_ops(
        self,
        collective_leader: str = "",
        scoped_allocator_enabled_ops: Any = ("CollectiveReduce",),
        use_nccl_communication: bool = False,
        device_filters: Any = None,
    ) -> None:
        """Has `config` tell of collectives.

        Args:
          collective_leader: the task at which they meet.
          scoped_allocator_enabled_ops: op types whose memory TF would join.
          use_nccl_communication: whether TF would exchange them by NCCL.
          device_filters: the devices that this task sees.

        Raises:
          ValueError: it was told something else before.
        """
        told = (
            collective_leader,
            scoped_allocator_enabled_ops,
            use_nccl_communication,
            device_filters,
        )
        if self._collectives not in (None, told):
            raise ValueError("Collective ops are already configured.")
        self._collectives = told

    def zeros_cache(self) -> _EagerTensorCache:
        """Where TF keeps zeros."""
        return self._zeros_cache

    def ones_rank_cache(self) -> _EagerTensorCache:
        """Where TF keeps ones, and ranks."""
        return self._ones_rank_cache

    def start_step(self) -> None:
        """Does nothing: what lives for one step only ends with its operation here."""

    def end_step(self) -> None:
        """Does nothing: see `start_step`."""

    @property
    def _handle(self) -> Context:
        # What functions of the C API are given.
        return self


_context = Context()
_thread = _context._thread
summaries = _context._summaries


def context() -> Context:
    """The one `Context`."""
    return _context


context_safe = context


def ensure_initialized() -> None:
    """Does nothing: there is nothing to start."""


def num_gpus() -> int:
    """How many GPUs there are."""
    return _context.num_gpus()


def list_devices() -> list[str]:
    """The names of the devices."""
    return _context.devices()


def scope_name() -> str:
    """The name scope of eager code, with a slash at its end."""
    return _context.scope_name


@contextlib.contextmanager
def namescope(name: str) -> Iterator[None]:
    """Context manager: `name` is the name scope of eager code, as it is."""
    before = core_context.thread.eager_scope
    core_context.thread.eager_scope = name
    try:
        yield
    finally:
        core_context.thread.eager_scope = before


def device(name: str | None) -> Any:
    """Context manager: eager ops run on a device.

    Raises:
      ValueError: `name` is no string.
    """
    if name is not None and not isinstance(name, str):
        raise ValueError(f"Expecting a string device name. Got {type(name)}({name})")
    return scopes.device(name)


def shared_name(name: str | None = None) -> str | None:
    """The name by which something is shared: in eager execution one that nobody has by default."""
    return str(uuid.uuid4()) if name is None and executing_eagerly() else name


def set_global_seed(seed: int) -> None:
    """Sets the seed of eager execution."""
    random_seed._eager.set(seed)


def global_seed() -> int | None:
    """The seed of eager execution."""
    return random_seed._eager.seed


def internal_operation_seed() -> int:
    """The next seed for an op without one."""
    return random_seed._eager.next_op_seed()


def is_async() -> bool:
    """Whether operations may run later, which is only told: here they have run on return."""
    return _context.is_async()


def async_wait() -> None:
    """Does nothing: see `is_async`."""


def async_clear_error() -> None:
    """Does nothing: see `is_async`."""


enable_run_metadata = _context.enable_run_metadata
disable_run_metadata = _context.disable_run_metadata
enable_graph_collection = _context.enable_graph_collection
disable_graph_collection = _context.disable_graph_collection
export_run_metadata = _context.export_run_metadata
set_server_def = _context.set_server_def
add_function = _context.add_function
remove_function = _context.remove_function


@contextlib.contextmanager
def _set(name: str, value: Any) -> Iterator[None]:
    """Within it something about the context is another."""
    before = getattr(_context, name)
    setattr(_context, name, value)
    try:
        yield
    finally:
        setattr(_context, name, before)


def execution_mode(mode: int | None) -> Any:
    """Context manager: within it ops may run asynchronously, which they don't here."""
    return _set("executor", executor.new_executor(mode == ASYNC))


def executor_scope(e: executor.Executor) -> Any:
    """Context manager: within it `e` runs the ops of this thread."""
    return _set("executor", e)


def device_policy(policy: int) -> Any:
    """Context manager: what may be copied between devices, which is anything here."""
    return _set("device_policy", policy)


def mirroring_policy(policy: int) -> Any:
    """Context manager: whether copies on other devices are kept, which is only told."""
    return _set("mirroring_policy", policy)


@export.tf_export("experimental.function_executor_type")
def function_executor_type(executor_type: str | None) -> Any:
    """Context manager: the kind of executor that calls of functions ask for.

    Args:
      executor_type: the name of one of TF's; a function's call refuses others.

    Returns:
      The context manager.
    """
    config = _thread.options.config_proto_serialized
    return _set("function_call_options", FunctionCallOptions(executor_type, config))
