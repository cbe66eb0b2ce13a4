"""TF's test_ops: op types that tests of graph building record. Few of them have a kernel."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from tf1compat.core import dtypes, errors, op_registry
from tf1compat.core.graph import PRODUCER
from tf1compat.core.op_registry import op, register
from tf1compat.core.operation import Operation
from tf1compat.core.shapes import Shape, ShapeError
from tf1compat.core.typing import LoweringContext
from tf1compat.kernels.variables import resources

_OP_TYPES = op_registry.load_library("test_op_defs.json")


def _no_kernel(op: Operation, known: str = "<no registered kernels>") -> NoReturn:
    types = [f"T=DT_{dtypes.cpp_name(op._attrs['T']).upper()}"] if "T" in op._attrs else []
    raise errors.InvalidArgumentError(
        op.node_def,
        op,
        f"No OpKernel was registered to support Op '{op.type}' used by node {op.name} with these "
        f"attrs: [{', '.join(types)}]\nRegistered devices: [CPU]\nRegistered kernels:\n  {known}\n",
    )


def _label(op: Operation, labels: tuple[str, ...]) -> np.ndarray:
    """What the kernel chosen by the graph's labels says."""
    label = op._attrs.get("_kernel", b"").decode() or "default"
    if label not in labels:
        _no_kernel(op)
    return np.array(f"My label is: {label}".encode(), object)


@op("KernelLabel", host=True)
class KernelLabel:
    def shape() -> Shape:
        return ()

    def lower(*, op: Operation) -> Any:
        return _label(op, ("default", "overload_1", "overload_2"))


@op("KernelLabelRequired", host=True)
class KernelLabelRequired:
    def shape(input: Any) -> Shape:
        if input is not None and len(input) != 1:
            raise ShapeError(f"Shape must be rank 1 but is rank {len(input)}")
        return ()

    def lower(input: Any, *, op: Operation) -> Any:
        return _label(op, ("overload_1", "overload_2"))


@op("GraphDefVersion", host=True)
class GraphDefVersion:
    def shape() -> Shape:
        return ()

    def lower() -> Any:
        return np.array(PRODUCER, np.int32)


@op("RequiresOlderGraphVersion")
class RequiresOlderGraphVersion:
    def shape(*, op: Operation) -> Shape:
        if op.graph.graph_def_versions.producer != PRODUCER - 1:
            raise ShapeError("Wrong graph version for shape")
        return ()

    def lower(*, op: Operation) -> Any:
        _no_kernel(op)


@op("DevicePlacementOp", host=True)
class DevicePlacementOp:
    def shape() -> Shape:
        return ()

    def lower() -> Any:
        return np.array(b"/job:localhost/replica:0/task:0/device:CPU:0", object)


@op("TestAttr", host=True)
class TestAttr:
    def shape() -> Shape:
        return None

    def lower(*, T: dtypes.DType, op: Operation) -> Any:
        if T.name != "float32":
            _no_kernel(op, "device='CPU'; T in [DT_FLOAT]")
        return np.array(1, np.float32)


@op("StubResourceHandleOp", source=True, host=True)
class StubResourceHandleOp:
    def shape() -> Shape:
        return ()


@op("ResourceCreateOp", host=True, reads=(0,), effect=True)
class ResourceCreateOp:
    def shape(resource: Any) -> list[Shape]:
        return []

    def lower(resource: Any, *, ctx: LoweringContext) -> list[Any]:
        resources.find(ctx, resource, lambda source: source.name)
        return []


@op("ResourceInitializedOp", host=True, reads=(0,))
class ResourceInitializedOp:
    def shape(resource: Any) -> Shape:
        return ()

    def lower(resource: Any, *, ctx: LoweringContext) -> Any:
        return np.array(resources.exists(ctx, resource))


@op("ResourceUsingOp", host=True, reads=(0,), effect=True)
class ResourceUsingOp:
    def shape(resource: Any) -> list[Shape]:
        return []

    def lower(resource: Any, *, ctx: LoweringContext) -> list[Any]:
        if not resources.exists(ctx, resource):
            container, name = (
                resource.source._attrs[key].decode() for key in ("container", "shared_name")
            )
            container = container or "localhost"
            raise errors.NotFoundError(
                None,
                None,
                f"Container {container} does not exist. (Could not find resource: "
                f"{container}/{name or resource.source.name})",
            )
        return []


for _name in _OP_TYPES:
    if not op_registry.spec(_name).supported:
        # Without shape functions: TF knows nothing of their outputs.
        register(_name, shape=lambda *_: None, lower=lambda *_, op: _no_kernel(op), host=True)
