"""Device names: parsing, printing and merging, as `tf.DeviceSpec` and `tf.device` in TF 1.15."""

import sys
from functools import cache
from typing import Any, Self

from tf1compat.core import function_utils
from tf1compat.core.export import tf_export


def _str_or_none(value: Any) -> str | None:
    return None if value is None else str(value)


def _int_or_none(value: Any) -> int | None:
    return None if value is None else int(value)


def _device_type(value: Any) -> str | None:
    return value.upper() if value in ("cpu", "gpu") else _str_or_none(value)


_FIELDS = ("job", "replica", "task", "device_type", "device_index")


@cache
def _parse(spec: str | None) -> tuple[Any, ...]:
    """The five fields of a device string, those not named being None."""
    fields: dict[str, Any] = dict.fromkeys(_FIELDS)

    def set_device(kind: str, index: str) -> None:
        if fields["device_type"] is not None:
            raise ValueError(f"Cannot specify multiple device types: {spec}")
        fields["device_type"] = kind
        if index != "*":
            fields["device_index"] = int(index)

    for part in (spec or "").split("/"):
        key, *values = part.split(":")
        if key in ("job", "replica", "task") and len(values) == 1:
            fields[key] = values[0]
        elif key.upper() in ("CPU", "GPU") and len(values) <= 1:
            set_device(key.upper(), *(values or ["*"]))
        elif key == "device" and len(values) == 2:
            set_device(*values)
        elif key:
            raise ValueError(f"Unknown attribute: '{key}' in '{spec or ''}'")
    return tuple(fields.values())


@tf_export("compat.v2.DeviceSpec")
class DeviceSpecV2:
    """A possibly partial device: job, replica, task, device type and index.

    As `tf.DeviceSpec` in TF 2: `to_string` prints the canonical form
    `/job:<name>/replica:<id>/task:<id>/device:<type>:<id>`.

    Args:
      job: a job's name, such as "worker".
        replica, task: numbers.
        device_type: "CPU" or "GPU".
        device_index: a number. Each is None where the device is not fixed.
    """

    __slots__ = ("_job", "_replica", "_task", "_device_type", "_device_index")

    def __init__(
        self,
        job: Any = None,
        replica: Any = None,
        task: Any = None,
        device_type: Any = None,
        device_index: Any = None,
    ) -> None:
        self._set(job, replica, task, device_type, device_index)

    def _set(self, job: Any, replica: Any, task: Any, device_type: Any, device_index: Any) -> None:
        self._job = _str_or_none(job)
        self._replica = _int_or_none(replica)
        self._task = _int_or_none(task)
        self._device_type = _device_type(device_type)
        self._device_index = _int_or_none(device_index)

    @property
    def job(self) -> str | None:
        """The job's name."""
        return self._job

    @property
    def replica(self) -> int | None:
        """The replica's index."""
        return self._replica

    @property
    def task(self) -> int | None:
        """The task's index."""
        return self._task

    @property
    def device_type(self) -> str | None:
        """The device's type, e.g. "CPU" or "GPU"."""
        return self._device_type

    @property
    def device_index(self) -> int | None:
        """The device's index, or None for any."""
        return self._device_index

    def _fields(self) -> tuple[Any, ...]:
        return self._job, self._replica, self._task, self._device_type, self._device_index

    @classmethod
    def from_string(cls, spec: str | None) -> Self:
        """Parses a device string, e.g. "/job:ps/task:0/gpu:1".

        Raises:
          ValueError: for an unknown part, or two device types.
        """
        return cls(*_parse(spec))

    def parse_from_string(self, spec: str | None) -> Self:
        """A spec with every field from `spec`."""
        return self.from_string(spec)

    def to_string(self) -> str:
        """The canonical device string."""
        job, replica, task, device_type, device_index = self._fields()
        out = "" if job is None else f"/job:{job}"
        if replica is not None:
            out += f"/replica:{replica}"
        if task is not None:
            out += f"/task:{task}"
        if device_type is not None:
            out += f"/device:{device_type}:{'*' if device_index is None else device_index}"
        return out

    def _merged_fields(self, dev: "DeviceSpecV2") -> tuple[Any, ...]:
        return tuple(
            mine if theirs is None else theirs
            for mine, theirs in zip(self._fields(), dev._fields(), strict=True)
        )

    def make_merged_spec(self, dev: "DeviceSpecV2") -> Self:
        """A new spec: `dev`'s fields where set, else this spec's."""
        return type(self)(*self._merged_fields(dev))

    def replace(self, **kwargs: Any) -> Self:
        """A new spec with the given fields replaced."""
        return type(self)(**(dict(zip(_FIELDS, self._fields(), strict=True)) | kwargs))

    def __eq__(self, other: object) -> bool:
        # By class and text, so not equal to one of the other TF's.
        return type(other) is type(self) and self.to_string() == other.to_string()  # type: ignore[attr-defined]

    def __hash__(self) -> int:
        return hash(self.to_string())


@tf_export("DeviceSpec")
class DeviceSpecV1(DeviceSpecV2):
    """`tf.DeviceSpec` of TF 1.15: a `DeviceSpecV2` whose fields can be set."""

    __slots__ = ()

    @DeviceSpecV2.job.setter
    def job(self, value: Any) -> None:
        self._job = _str_or_none(value)

    @DeviceSpecV2.replica.setter
    def replica(self, value: Any) -> None:
        self._replica = _int_or_none(value)

    @DeviceSpecV2.task.setter
    def task(self, value: Any) -> None:
        self._task = _int_or_none(value)

    @DeviceSpecV2.device_type.setter
    def device_type(self, value: Any) -> None:
        self._device_type = _device_type(value)

    @DeviceSpecV2.device_index.setter
    def device_index(self, value: Any) -> None:
        self._device_index = _int_or_none(value)

    def parse_from_string(self, spec: str | None) -> Self:
        """Takes every field from `spec`; returns self."""
        self._set(*_parse(spec))
        return self

    def merge_from(self, dev: DeviceSpecV2) -> None:
        """Takes over the fields that `dev` sets."""
        self._set(*self._merged_fields(dev))


DeviceSpec = DeviceSpecV1


def check_valid(spec: str) -> None:
    """Raises ValueError if `spec` is no valid device string."""
    _parse(spec)


def is_device_spec(obj: Any) -> bool:
    """Whether `obj` is a `DeviceSpec`."""
    return isinstance(obj, DeviceSpecV2)


def canonical_name(device: "DeviceSpec | str | None") -> str:
    """The canonical string of a DeviceSpec or device string; "" for None."""
    if device is None:
        return ""
    if not isinstance(device, DeviceSpecV2):
        device = DeviceSpec.from_string(device)
    return device.to_string()


@cache
def _merge(fields: tuple[Any, ...], inner: str) -> str:
    """The device of a node already placed on `inner`, inside a scope that sets `fields`."""
    return DeviceSpec(*fields).make_merged_spec(DeviceSpec.from_string(inner)).to_string()


class MergeDevice:
    """A device function that fills in the parts of a node's device that are not set yet.

    Args:
      spec: a device string, or a DeviceSpec (whose later changes count, as in TF 1.15).
    """

    def __init__(self, spec: "DeviceSpec | str | None") -> None:
        self._spec = spec if isinstance(spec, DeviceSpecV2) else DeviceSpec.from_string(spec)

    def __call__(self, node_def: Any) -> DeviceSpec:
        return self._spec.make_merged_spec(DeviceSpec.from_string(node_def.device or ""))

    def shortcut_string_merge(self, node_def: Any) -> str:
        """The merged device as a string; `node_def` is anything with a `device`."""
        return _merge(self._spec._fields(), node_def.device or "")

    @property
    def is_null_merge(self) -> bool:
        """Whether this function never changes a device."""
        return not self._spec.to_string()

    def __repr__(self) -> str:
        return f"{super().__repr__()} (spec: {self._spec.to_string()})"


def merge_device(spec: "DeviceSpec | MergeDevice | str | None") -> MergeDevice:
    """The device function of `tf.device(spec)`, in which the innermost setting of a field wins.

    Raises:
      ValueError: if `spec` is not valid.
    """
    if isinstance(spec, MergeDevice):
        return spec
    return MergeDevice(spec) if isinstance(spec, DeviceSpecV2) else _string_merger(spec)


@cache
def _string_merger(spec: str | None) -> MergeDevice:
    return MergeDevice(spec)


def place_of_block(depth: int) -> tuple[str, int]:
    """The file and line of a caller: the one that opens a `with` block, asked inside of it.

    Args:
      depth: how many calls further out it is than the caller of this function's body; 1 is that
        caller.
    """
    frame = sys._getframe(depth)
    return frame.f_code.co_filename, frame.f_lineno


class DeviceScope:
    """One level of `with graph.device(…)`.

    Args:
      device: a device string, DeviceSpec or `MergeDevice`; a function of the operation that gives
        one of the first two, used as it is; or None.
      place: the file and line of the block.

    Attributes:
      clears: whether this level (None) hides those around it.
      device, place: as given.
    """

    __slots__ = ("_function", "clears", "device", "place")

    def __init__(self, device: Any, place: tuple[str, int] | None = None) -> None:
        self.device = device
        self.place = place
        self.clears = device is None
        if device is not None and not callable(device):
            device = merge_device(device)
        # A merge with nothing is decided here, once, as in TF.
        is_null = isinstance(device, MergeDevice) and device.is_null_merge
        self._function = None if is_null else device

    def apply(self, op: Any) -> None:
        """Sets the device of `op`, to which the levels inside this one were applied already."""
        function = self._function
        if isinstance(function, MergeDevice):
            op._set_device_from_string(function.shortcut_string_merge(op))
        elif function is not None:
            op._set_device_from_string(_device_string(function(op)))

    @property
    def display_name(self) -> str:
        """What the block asks for, as TF's error texts show it: a function by its name and line."""
        device = self.device
        if not callable(device) or isinstance(device, MergeDevice):
            return str(device)
        code = function_utils.get_func_code(device)
        file, line = ("unknown", -1) if code is None else (code.co_filename, code.co_firstlineno)
        return f"{function_utils.get_func_name(device)}<{file}, {line}>"


def _device_string(device: Any) -> str:
    if isinstance(device, DeviceSpecV2):
        return device.to_string()
    if isinstance(device, bytes):
        return device.decode()
    if not isinstance(device, str):
        raise TypeError(f"Expected binary or unicode string, got {device!r}")
    return device
