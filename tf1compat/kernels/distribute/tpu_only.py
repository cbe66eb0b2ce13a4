"""Op types that only TPUs have kernels for, in TF 1.15, too: they are recorded, and do not run."""

from __future__ import annotations

from collections.abc import Sequence

from tf1compat.core import op_defs
from tf1compat.core.op_registry import register, without_kernel
from tf1compat.core.shapes import Shape


def _said(*, shape: Shape) -> Shape:
    return shape


def _each_said(*, shapes: Sequence[Shape]) -> list[Shape]:
    return list(shapes)


for _direction in ("Infeed", "Outfeed"):
    register(f"{_direction}Dequeue", shape=_said)
    register(f"{_direction}DequeueTuple", shape=_each_said)

without_kernel(
    "ConfigureDistributedTPU", "ShutdownDistributedTPU", "ConfigureTPUEmbedding",
    "InfeedDequeue", "InfeedDequeueTuple", "InfeedEnqueue", "InfeedEnqueueTuple",
    "InfeedEnqueuePrelinearizedBuffer", "OutfeedDequeue", "OutfeedDequeueTuple", "OutfeedEnqueue",
    "OutfeedEnqueueTuple", "Prelinearize", "PrelinearizeTuple", "TPUOrdinalSelector",
    "TPUPartitionedCall", "WorkerHeartbeat", "TPUEmbeddingActivations",
    "RecvTPUEmbeddingActivations", "SendTPUEmbeddingGradients", "EnqueueTPUEmbeddingIntegerBatch",
    "EnqueueTPUEmbeddingSparseBatch", "EnqueueTPUEmbeddingSparseTensorBatch", "XlaDequantize",
    "XlaIf", "XlaWhile", "XlaSend", "XlaRecv",
)  # fmt: skip
without_kernel(
    *(
        name
        for name in op_defs.names()
        if name.startswith(("LoadTPUEmbedding", "RetrieveTPUEmbedding"))
    )
)
