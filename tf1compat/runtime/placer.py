"""Whether the devices that operations ask for exist, as TF's placer finds out.

A program runs where JAX runs it; the names of devices are TF's. So that a script learns at once
what TF would tell it, an operation on a device that is not there is refused.
"""

from __future__ import annotations

import functools
import os
import sys
import time
from typing import Any

from tf1compat.core import dtypes, eager, errors
from tf1compat.core.device import DeviceSpec
from tf1compat.core.no_kernel import no_kernel
from tf1compat.core.operation import Operation
from tf1compat.runtime.cluster import eager_tasks
from tf1compat.runtime.cluster.tasks import tasks_of
from tf1compat.runtime.colocation import Colocation, described, resource_of
from tf1compat.runtime.device_lib import devices_of
from tf1compat.runtime.devices import LOCALHOST
from tf1compat.runtime.eager_inputs import forget_constants
from tf1compat.runtime.plan.calls import call_of


class Placer:
    """Looks at the devices of a graph's operations, each once.

    Args:
      graph: the graph of a session.
      device_config: the `ConfigProto` that says what devices there are, or None.
      task: what their names begin with.
      config: the session's `ConfigProto`, or None.
      devices: all devices there are, if there are more than those of this process.
    """

    def __init__(self, graph: Any, device_config: Any, task: str, config: Any, devices: Any = None):
        self._all_devices = devices
        self._graph = graph
        self._device_config = device_config
        self._task = task
        self._is_soft = config is not None and config.allow_soft_placement
        self._logs = config is not None and config.log_device_placement
        self._prunes = config is not None and config.graph_options.place_pruned_graph
        self._seen = 0  # operations
        self._colocation = Colocation(self._is_soft)
        self._grouped = 0  # operations: all that are seen, once one is not plainly on the CPU
        self._plain = frozenset({"", "/device:CPU:0", f"{task}/device:CPU:0"})
        self._accepted = set(self._plain)
        if self._logs:
            self._log_devices()

    @functools.cached_property
    def _devices(self) -> list[tuple[str, str]]:
        """Names and descriptions of the devices. Asking for them starts JAX's."""
        if self._all_devices is not None:
            return sorted((device.name, "") for device in self._all_devices)
        found = devices_of(self._device_config)
        return [(self._task + device.name, device.physical_device_desc) for device in found]

    @property
    def has_new(self) -> bool:
        """Whether the graph has operations that were not looked at."""
        return self._seen != self._graph.version

    def place(self) -> None:
        """Looks at the operations that were added since the last call.

        Raises:
          InvalidArgumentError: one is on a device that is not there.
        """
        if self._seen == self._graph.version or self._prunes:
            return
        ops = list(self._graph._nodes_by_name.values())
        new = ops[self._seen :]
        if self._grouped or any(op._device not in self._plain for op in new):
            self._colocation.add(ops[self._grouped :])
            self._grouped = len(ops)
            self._check(new)
        self._seen = len(ops)
        if self._logs:
            self._log(ops)

    def place_run(self, ops: list[Any]) -> None:
        """Looks at the operations of a run that are of functions' bodies, as those are in no
        graph; at all where the session was asked to look at no others.

        Raises:
          InvalidArgumentError: one is on a device that is not there.
        """
        ops = [op for op in ops if isinstance(op, Operation)]  # what calls return is no operation
        for op in _in_order([op for op in ops if op._device not in self._accepted]):
            call = call_of(op)
            # The body of a function that is called by its own name goes where the call is.
            by_name = call is not None and call._graph._get_function(call.type) is not None
            if call is not None and not by_name and self._is_missed(op):
                raise self._refusal(op, call)
        for op in ops:
            if op._spec.host:
                self._check_pipeline(op)
        if self._prunes:
            self._check(ops)
            if self._logs:
                self._log(ops)

    def _check(self, ops: list[Operation]) -> None:
        accepted, asked = self._accepted, self._requested
        for op in _in_order([op for op in ops if asked(op) not in accepted]):
            if self._is_missed(op):
                raise self._refusal(op)

    def _check_pipeline(self, end: Operation) -> None:
        """Looks at the functions of the datasets that an operation goes through: it makes an
        iterator, for example. What they ask for they get, soft placement or not."""
        if any(output._dtype is dtypes.variant for output in end._outputs):
            return
        waiting, seen = [end], {end}
        while waiting:
            op = waiting.pop()
            made_by = [t._op for t in op._inputs if t._dtype is dtypes.variant]
            for body in self._called_by_attrs(op):
                for inside in _in_order(body):
                    if self._is_missed(inside, soft=False):
                        raise self._refusal(inside, end)
                made_by += [inside for inside in body if inside._spec.host]
            waiting += [op for op in made_by if op not in seen]
            seen.update(made_by)

    def _called_by_attrs(self, op: Operation) -> list[list[Operation]]:
        """The operations of the functions that an operation names in its attrs, if these may ask
        for a device of their own."""
        op_def = op._spec.op_def
        kinds = {} if op_def is None or op._spec.one_device else op_def.attrs
        bodies = []
        for name, value in op._attrs.items():
            if name in kinds and kinds[name].type == "func":
                called = value if isinstance(value, str) else value.name
                function = op._graph._get_function(called) or self._graph._get_function(called)
                bodies += [] if function is None else [function.graph.get_operations()]
        return bodies

    def _is_missed(self, op: Operation, soft: bool = True) -> bool:
        """Whether an operation asks for a device that is not there.

        Args:
          soft: whether it may be another one then, if the session allows that.
        """
        requested = self._requested(op)
        if requested in self._accepted and (soft or not self._is_soft):
            return False
        if self._chosen(requested, soft) is not None or _names_a_replicas_core(op):
            if soft:
                self._accepted.add(requested)
            return False
        return not (_names_a_gpu(op) and _is_for_gpus_only(op))

    def name_of_cpu(self, op: Operation) -> str | None:
        """The name of the CPU that an operation asks for; None if it asks for none, or for what is
        no CPU."""
        requested = self._requested(op)
        chosen = self._chosen(requested) if requested else None
        is_cpu = chosen is not None and DeviceSpec.from_string(chosen).device_type == "CPU"
        return chosen if is_cpu else None

    def _requested(self, op: Operation) -> str:
        """The device that an operation asks for: that of its resource, if that has one; else that
        of what it has to be beside."""
        source = resource_of(op)
        return (source and self._colocation.device(source)) or self._colocation.device(op)

    def _chosen(self, requested: str, soft: bool = True) -> str | None:
        """The device that TF takes for what is requested; None if there is none."""
        spec = DeviceSpec.from_string(requested)
        specs = [spec]
        if self._is_soft and soft:
            specs.append(spec.replace(device_type=None, device_index=None))
        for spec in specs:
            for name, _ in self._devices:
                if _matches(spec, name):
                    return name
        return None

    def _refusal(self, op: Operation, call: Operation | None = None) -> errors.InvalidArgumentError:
        if op._spec.no_kernel:
            return no_kernel(op)
        node = described(op) if call is None else f"{{{{node {op.name}}}}}"
        available = ", ".join(name for name, _ in self._devices)
        requested = self._requested(op)
        if requested != op._device:
            text = (
                f"Cannot assign a device for operation {op.name}: Could not satisfy explicit "
                f"device specification '{op._device}' because the node {node} was colocated with a "
                f"group of nodes that required incompatible device '{requested}'. All available "
                f"devices [{available}]. \n\t [[{node}]]"
            )
            return errors.InvalidArgumentError(None, None, text)
        text = (
            f"Cannot assign a device for operation {op.name}: {node} was explicitly assigned to "
            f"{op._device} but available devices are [ {available} ]. Make sure "
            "the device specification refers to a valid device."
        )
        if _names_a_gpu(op):
            text += " The requested device appears to be a GPU, but CUDA is not enabled."
        text += f"\n\t [[{op.name}]]"
        if call is not None:
            text += f"\n\t [[{call.name}]]"
        return errors.InvalidArgumentError(None, None, text)

    # `log_device_placement`.

    def _log_devices(self) -> None:
        lines = "".join(f"{name} -> {what}\n" for name, what in self._devices if what)
        _print(f"Device mapping:\n{lines}", "direct_session.cc:359")

    def _log(self, ops: list[Operation]) -> None:
        for op in _in_order(ops):
            _print(f"{op.name}: ({op.type}): {self._chosen(self._requested(op))}\n", "placer.cc:54")


def _eager_device(requested: str) -> tuple[str, bool]:
    """(the full name of the device of eager operations, whether it is there)."""
    spec = DeviceSpec("localhost", 0, 0, "CPU", 0).make_merged_spec(
        DeviceSpec.from_string(requested)
    )
    name = spec.to_string()
    there = any(name == LOCALHOST + device.name for device in devices_of(None))
    return name, there or name in eager_tasks.devices()


def _place(name: str) -> str:
    """What an eager tensor is told of its device, where its value does not tell: it is one of
    several names of the CPU, or another task's."""
    spec = DeviceSpec.from_string(name)
    is_told = name == f"{LOCALHOST}/device:CPU:0" or spec.device_type == "GPU"
    return "" if name.startswith(f"{LOCALHOST}/") and is_told else name


@functools.cache
def check_eager_value(requested: str, is_int32: bool) -> str:
    """Refuses the device for a value that becomes a tensor in eager execution, if it is not there.

    Returns:
      The device's name, if the tensor is to be told.

    Raises:
      RuntimeError: it is not, whatever `set_soft_device_placement` says, as in TF 1.15. An int32
        is not copied to what is no first CPU, so that nobody looks for it.
    """
    name, there = _eager_device(requested)
    if is_int32 and "/device:CPU:0" not in name:
        return ""
    if there:
        return _place(name)
    raise RuntimeError(f"{name} unknown device.")


@functools.cache
def check_eager_device(requested: str, op_type: str) -> str:
    """Refuses the task of an eager operation if it is none that there is.

    A device that is not there is no error: the operation runs on one that is, whatever
    `set_soft_device_placement` says, as in TF 1.15.

    Returns:
      The device's name, if the tensors that the operation gives are to be told.

    Raises:
      InvalidArgumentError: there is no such task.
    """
    name, there = _eager_device(requested)
    if there:
        return _place(name)
    if not name.startswith(LOCALHOST + "/"):
        devices = [LOCALHOST + device.name for device in devices_of(None)]
        devices += eager_tasks.devices()
        raise errors.InvalidArgumentError(
            None,
            None,
            f"Could not satisfy device specification '{name}'. All available devices "
            f"[{', '.join(devices)}]. Eager operation: Name: {op_type}",
        )
    return ""


def connect_tasks(cluster_def: Any) -> None:
    """Lets eager operations run on the tasks of a cluster.

    Args:
      cluster_def: a `ClusterDef`.
    """
    eager_tasks.connect(tasks_of(cluster_def))
    for check in (check_eager_value, check_eager_device):
        check.cache_clear()
    forget_constants()


eager.connect_tasks = connect_tasks


def _names_a_replicas_core(op: Operation) -> bool:
    """Whether an operation is to be on a core of a replica of `tf.tpu`, whichever that is."""
    return DeviceSpec.from_string(op._device).device_type == "TPU_REPLICATED_CORE"


def _names_a_gpu(op: Operation) -> bool:
    return DeviceSpec.from_string(op._device).device_type == "GPU"


def _is_for_gpus_only(op: Operation) -> bool:
    """Whether TF has the operation, or all that uses it, for GPUs only: a GPU is not missed then,
    as these are computed anywhere here."""
    users = [user for output in op._outputs for user in output.consumers()]
    return op._spec.gpu_only or (bool(users) and all(user._spec.gpu_only for user in users))


def _in_order(ops: list[Operation]) -> list[Operation]:
    """Operations in the order in which TF places them: those that only make a value come last."""
    return sorted(ops, key=_only_makes_a_value)


def _only_makes_a_value(op: Operation) -> bool:
    outputs = op._output_dtypes
    return not op._inputs and len(outputs) == 1 and not outputs[0]._is_ref_dtype


def _matches(spec: DeviceSpec, name: str) -> bool:
    wanted, found = spec._fields(), DeviceSpec.from_string(name)._fields()
    return all(want is None or want == has for want, has in zip(wanted, found, strict=True))


def _print(text: str, source: str) -> None:
    """Prints as TF does: on stdout, and as a line of its log on stderr."""
    sys.stdout.write(text)
    sys.stdout.flush()
    # 1 is what JAX sets, though TF would then say nothing.
    if os.environ.get("TF_CPP_MIN_LOG_LEVEL", "0") in ("0", "1"):
        now = time.time()
        stamp = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(now))
        sys.stderr.write(
            f"{stamp}.{int(now % 1 * 1e6):06d}: I tensorflow/core/common_runtime/{source}] "
            f"{text.rstrip()}\n"
        )
