"""Hashes of points by the sides of hyperplanes that they are on."""

from __future__ import annotations

import heapq
from typing import Any

import numpy as np

from tf1compat.core import errors
from tf1compat.core.op_registry import Shape, not_differentiable, op
from tf1compat.kernels.text.string import invalid

_MOST_HYPERPLANES = 30  # A bucket is an int32.


def _probes(products: np.ndarray, count: int) -> list[tuple[int, int]]:
    """(bucket, table) of a point's probes: those of its own, then the likeliest others.

    Of sets of hyperplanes that the point may be on the other side of, those come first
    whose squared products have the smallest sum (Lv et al., Multi-probe LSH, 2007).

    Args:
      products: [tables, hyperplanes], the point's inner products.
      count: how many probes are wanted; fewer are given if there are no more.
    """
    tables, planes = products.shape
    bits = 1 << np.arange(planes)[::-1]
    main = ((products >= 0) @ bits).tolist()
    found = list(zip(main, range(tables), strict=True))[:count]
    order = np.argsort(np.abs(products), axis=1, kind="stable")
    costs = np.take_along_axis(products.astype(np.float64) ** 2, order, 1).tolist()
    flips = bits[order].tolist()
    # A set ends with its plane of the largest product; from it follow two: with the next one, and
    # with the next one in the last one's place. So each set comes once, after cheaper ones.
    heap = [(costs[table][0], table, flips[table][0], 0) for table in range(tables)]
    heapq.heapify(heap)
    while heap and len(found) < count:
        cost, table, mask, last = heapq.heappop(heap)
        found.append((main[table] ^ mask, table))
        if last + 1 < planes:
            longer = cost + costs[table][last + 1]
            flipped = mask | flips[table][last + 1]
            heapq.heappush(heap, (longer, table, flipped, last + 1))
            replaced = longer - costs[table][last], table, flipped ^ flips[table][last], last + 1
            heapq.heappush(heap, replaced)
    return found


@op("HyperplaneLSHProbes", host=True)
class HyperplaneLSHProbes:
    def shape(products: Any, tables: Any, planes: Any, probes: Any) -> list[Shape]:
        return [None, None]

    def lower(products: Any, tables: Any, planes: Any, probes: Any) -> list[Any]:
        if products.ndim != 2:
            raise invalid(
                f"Need a two-dimensional products tensor, got {products.ndim} dimensions."
            )
        tables, planes, probes = int(tables), int(planes), int(probes)
        if planes < 1:
            raise invalid(f"num_hyperplanes_per_table must be at least 1 but got {planes}.")
        if planes > _MOST_HYPERPLANES:
            raise invalid(
                f"Need num_hyperplanes_per_table <= {_MOST_HYPERPLANES}, got {planes}. If you "
                "need more hyperplanes, change this Op to work for larger integer types (int64)."
            )
        if tables < 1:
            raise invalid(f"num_tables must be at least 1 but got {tables}.")
        if probes < 1:
            raise invalid("num_probes must be at least 1.")
        if tables * planes != products.shape[1]:
            raise invalid(
                f"Expected number of hyperplanes is {tables * planes} but received "
                f"{products.shape[1]} inner products per point."
            )
        found = []
        for number, row in enumerate(products):
            found.append(_probes(row.reshape(tables, planes), probes))
            if len(found[-1]) < probes:
                raise errors.InternalError(
                    None, None,
                    f"Failed to get probe number {len(found[-1])} for point number {number}.",
                )  # fmt: skip
        pairs = np.array(found, np.int32).reshape(len(found), probes, 2)
        return [pairs[..., 0], pairs[..., 1]]


not_differentiable("HyperplaneLSHProbes")
