"""What a dataset is made of."""

from __future__ import annotations

import collections
from typing import Any

from tf1compat.core import dtypes


def obtain_all_variant_tensor_ops(dataset: Any) -> list[Any]:
    """The operations that make the datasets from which `dataset` is made, and itself."""
    queue = collections.deque([dataset._variant_tensor.op])
    seen: dict[Any, None] = {}
    found: list[Any] = []
    while queue:
        op = queue.popleft()
        seen[op] = None
        if op.outputs[0].dtype == dtypes.variant:
            found.append(op)
        queue.extend(tensor.op for tensor in op.inputs if tensor.op not in seen)
    return found
