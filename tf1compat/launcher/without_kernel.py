"""Op types of TF 1.15 that are recorded, and that nothing here runs: why, for `coverage`.

They need hardware or services that a program on JAX does not have, or TensorFlow's own package has
no kernel for them either.
"""

from __future__ import annotations

import re

# Why, and the op types: names, or patterns that a whole name has to match.
_REASONS = {
    "of the TPU's own runtime; JAX drives TPUs by itself": (
        "(Load|Retrieve)TPUEmbedding.*Parameters.*",
        "EnqueueTPUEmbedding.*",
        "(Recv|Send)TPUEmbedding.*",
        "TPUEmbeddingActivations",
        "Configure(DistributedTPU|TPUEmbedding)",
        "ShutdownDistributedTPU",
        "TPU(OrdinalSelector|PartitionedCall)",
        "(Infeed|Outfeed)(Enqueue|Dequeue).*",
        "Prelinearize(Tuple)?",
        "WorkerHeartbeat",
    ),
    "inside programs that TensorFlow's XLA compiles": ("Xla(Send|Recv|Dequantize)",),
    "of Google's cloud services": (
        "Bigtable.*",
        "DatasetToBigtable",
        "BigQueryReader",
        "GenerateBigQueryReaderPartitions",
        "Gcs.*",
    ),
    "of graphs that Hexagon processors run": ("RemoteFusedGraphExecute",),
    "TensorFlow's package has no kernel for it on any device": ("ReinterpretStringToFloat",),
}


def reasons(missing: list[str]) -> dict[str, list[str]]:
    """Those of op types that make no sense here, by the reason."""
    found: dict[str, list[str]] = {}
    for reason, patterns in _REASONS.items():
        whole = re.compile("|".join(f"(?:{pattern})" for pattern in patterns))
        names = [name for name in missing if whole.fullmatch(name)]
        if names:
            found[reason] = names
    return found
