"""What `tensorflow.python.pywrap_tensorflow` has of TF's C API that needs no object of C.

Sessions, graphs and files of the C API are not here: they are refused by name.
"""

# ruff: noqa: N802 - TF's names

from __future__ import annotations

import contextlib
import itertools
import socket
from collections.abc import Iterator, Mapping, MappingView
from typing import Any

from tf1compat.api.data.util import nest as data_nest
from tf1compat.api.eager import core, execute
from tf1compat.api.framework import equal_graph_def, versions
from tf1compat.api.variables import resource_variable_ops, variables
from tf1compat.core import dtypes, errors, nest, op_defs, op_dtypes, protos, raw_ops, tensor
from tf1compat.core.attr_text import attr_text

# Numbers.

_CODES = (
    "OK CANCELLED UNKNOWN INVALID_ARGUMENT DEADLINE_EXCEEDED NOT_FOUND ALREADY_EXISTS "
    "PERMISSION_DENIED RESOURCE_EXHAUSTED FAILED_PRECONDITION ABORTED OUT_OF_RANGE UNIMPLEMENTED "
    "INTERNAL UNAVAILABLE DATA_LOSS UNAUTHENTICATED"
).split()
_ATTRS = "STRING INT FLOAT BOOL TYPE SHAPE TENSOR PLACEHOLDER FUNC".split()
_TYPES = {
    f"TF_{dtypes.cpp_name(dtype).upper()}": dtype.as_datatype_enum
    for dtype in map(dtypes.as_dtype, range(1, 24))
}
_PLACEMENTS = "EXPLICIT WARN SILENT SILENT_FOR_INT32".split()

globals().update(
    {f"TF_{name}": code for code, name in enumerate(_CODES)},
    **{f"TF_ATTR_{name}": number for number, name in enumerate(_ATTRS)},
    **{f"TFE_DEVICE_PLACEMENT_{name}": number for number, name in enumerate(_PLACEMENTS)},
    **_TYPES,
    TF_COMPLEX=dtypes.complex64.as_datatype_enum,
)


def TF_DataTypeSize(dt: int) -> int:
    """How many bytes an element of a dtype has; 0 if that varies.

    Args:
      dt: the dtype's number.
    """
    dtype = dtypes.as_dtype(dt)
    varies = dtype in (dtypes.string, dtypes.resource, dtypes.variant)
    return 0 if varies else dtype.size


def TF_bfloat16_type() -> Any:
    """The NumPy type of bfloat16."""
    return dtypes.bfloat16.as_numpy_dtype


def TF_Version() -> str:
    """The version of TensorFlow."""
    return versions.VERSION


def TF_PickUnusedPortOrDie() -> int:
    """A local port that nobody listens at."""
    with socket.socket() as found:
        found.bind(("localhost", 0))
        return found.getsockname()[1]


# What TF was built with.


def IsGoogleCudaEnabled() -> bool:
    """False: there are no kernels of CUDA's."""
    return False


IsBuiltWithROCm = GpuSupportsHalfMatMulAndConv = IsMklEnabled = IsGoogleCudaEnabled

# Switches of TF's own way to XLA, which isn't taken here: what they are set to they say again.

_xla_switches = {"constant_folding_disabled": 0, "lazy_compilation": 1}


def _set_switch(name: str, value: Any) -> int:
    before, _xla_switches[name] = _xla_switches[name], int(value)
    return before


def TF_GetXlaConstantFoldingDisabled() -> int:
    """What `TF_SetXlaConstantFoldingDisabled` set."""
    return _xla_switches["constant_folding_disabled"]


def TF_SetXlaConstantFoldingDisabled(should_enable: bool) -> None:
    """Switches off what XLA works out while it compiles; without meaning here."""
    _set_switch("constant_folding_disabled", should_enable)


def TF_SetXlaEnableLazyCompilation(enable: bool) -> int:
    """Whether XLA waits until something has run a few times; without meaning here.

    Returns:
      What it was.
    """
    return _set_switch("lazy_compilation", enable)


def TF_SetXlaAutoJitMode(mode: str) -> None:
    """What XLA compiles by itself; without meaning here, where `runtime/tiers.py` decides it."""


def TF_SetXlaMinClusterSize(size: int) -> None:
    """How many operations are worth compiling; as `TF_SetXlaAutoJitMode`."""


# Structures.

IsSequence = nest.is_sequence
IsSequenceOrComposite = nest.is_sequence_or_composite
IsCompositeTensor = nest.is_composite
IsTypeSpec = nest._is_type_spec
IsAttrs = nest._is_attrs
Flatten = nest.flatten
IsSequenceForData = data_nest.is_sequence
FlattenForData = data_nest.flatten
IsResourceVariable = resource_variable_ops.is_resource_variable


def IsNamedtuple(instance: Any, strict: bool) -> bool:
    """Whether a value is a named tuple.

    Args:
      instance: anything.
      strict: not one of a class that derives from a named tuple's.
    """
    return nest._is_namedtuple(instance) and (not strict or type(instance).__base__ is tuple)


def SameNamedtuples(o1: Any, o2: Any) -> bool:
    """Whether two named tuples have the same name and the same fields.

    Raises:
      RuntimeError: one is no named tuple.
    """
    if not (hasattr(o1, "_fields") and hasattr(o2, "_fields")):
        raise RuntimeError("Expected namedtuple-like objects (that have _fields attr)")
    return nest._same_namedtuples(o1, o2)


def IsMapping(o: Any) -> bool:
    """Whether a value is a mapping."""
    return isinstance(o, Mapping)


def IsMappingView(o: Any) -> bool:
    """Whether a value is the keys, values or items of a mapping."""
    return isinstance(o, MappingView)


def IsTensor(o: Any) -> bool:
    """Whether a value is a Tensor."""
    return isinstance(o, tensor.Tensor)


def IsVariable(o: Any) -> bool:
    """Whether a value is a Variable."""
    return isinstance(o, variables.Variable)


# Comparisons.


def EqualGraphDefWrapper(actual: bytes, expected: bytes) -> bytes:
    """Where two serialized GraphDefs first differ, in TF 1.15's words; empty if they don't."""
    graphs = (protos.GraphDef.FromString(one) for one in (actual, expected))
    return equal_graph_def._graph_difference(*graphs).encode()


def EqualAttrValueWrapper(actual: bytes, expected: bytes) -> bytes:
    """How two serialized AttrValues differ, in TF 1.15's words; empty if they don't."""
    ours, theirs = (attr_text(protos.AttrValue.FromString(one)) for one in (actual, expected))
    if ours == theirs:
        return b""
    return f"Actual AttrValue {ours} does not match Expected AttrValue {theirs}.".encode()


# Eager execution.

_uids = itertools.count()


def TFE_Py_UID() -> int:
    """A number that nobody was given before."""
    return next(_uids)


def TFE_Py_RegisterExceptionClass(e: Any) -> None:
    """Names the class of errors of `TFE_Py_Execute`, which is `core._NotOkStatusException` here.

    Raises:
      TypeError: it is no class of errors.
    """
    if not issubclass(e, Exception):
        raise TypeError(
            "TFE_Py_RegisterExceptionClass: Registered class should be subclass of Exception."
        )


def TFE_Py_FastPathExecute(
    ctx: Any, device_name: str | None, op_name: str, name: str | None, callbacks: Any, *args: Any
) -> Any:
    """Runs an operation at once, as the functions of TF's generated modules do.

    Args:
      ctx, device_name: where; what the eager context says.
      op_name: its type.
      name: its name.
      callbacks: called with (op type, inputs, attrs, outputs, name), or None.
      *args: the inputs in the order of the op's definition, lists for those of several tensors;
        then names and values of attrs by turns.

    Returns:
      The output; a list of them if there are several, None if there is none.

    Raises:
      ValueError: inputs are missing.
      core._FallbackException: something else than a tensor is to become one, and cannot.
      core._NotOkStatusException: the operation fails.
    """
    op_def = op_defs.get(op_name)
    count = len(op_def.input_args) if op_def is not None else len(args)
    if len(args) < count:
        raise ValueError(
            "Tuple size smaller than intended. Expected to be at least "
            f"{5 + count}, was {5 + len(args)}"
        )
    attrs = dict(zip(args[count::2], args[count + 1 :: 2], strict=True))
    with _run_at(ctx, device_name):
        if op_def is None:
            raise errors.NotFoundError(None, None, op_dtypes.unknown_op_type(op_name))
        own = {key: attrs[key] for key in op_def.parameters if key in attrs}
        try:
            result = raw_ops.function(op_name)(*args[:count], **own, name=name)
        except (TypeError, ValueError) as error:
            raise core._FallbackException(str(error)) from error
    for callback in callbacks or ():
        flat = nest.flatten(list(args[:count]))
        callback(op_name, flat, tuple(args[count:]), nest.flatten([result]), name)
    return list(result) if isinstance(result, tuple) else result


def TFE_Py_Execute(
    ctx: Any, device_name: str | None, op_name: str, inputs: Any, attrs: Any, num_outputs: int
) -> list[Any]:
    """Runs an operation at once: `execute.execute`, with what it raises as a status.

    Raises:
      core._NotOkStatusException: the operation fails.
    """
    with _run_at(ctx, device_name):
        return execute.execute(op_name, num_outputs, inputs, attrs, ctx)


@contextlib.contextmanager
def _run_at(ctx: Any, device_name: str | None) -> Iterator[None]:
    """Within it operations run at a device, and errors are statuses."""
    try:
        with ctx.device(device_name or None):
            yield
    except errors.OpError as error:
        raise core._NotOkStatusException(error.message, error.error_code or 0) from None
