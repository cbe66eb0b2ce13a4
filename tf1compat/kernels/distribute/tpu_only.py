"""Op types that only TPUs have kernels for, in TF 1.15, too: they are recorded, and do not run."""

from __future__ import annotations

from tf1compat.core import op_defs
from tf1compat.core.op_registry import without_kernel

without_kernel("InfeedDequeue", "OutfeedDequeue", shape=lambda *, shape: shape)
without_kernel("InfeedDequeueTuple", "OutfeedDequeueTuple", shape=lambda *, shapes: shapes)

without_kernel(
    "ConfigureDistributedTPU", "ShutdownDistributedTPU", "ConfigureTPUEmbedding",
    "InfeedEnqueue", "InfeedEnqueueTuple",
    "InfeedEnqueuePrelinearizedBuffer", "OutfeedEnqueue",
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
