"""`tensorflow.contrib.nearest_neighbor.python.ops.nearest_neighbor_ops`."""

from __future__ import annotations

from typing import Any

from tf1compat.core import raw_ops


def hyperplane_lsh_probes(
    point_hyperplane_product: Any,
    num_tables: Any,
    num_hyperplanes_per_table: Any,
    num_probes: Any,
    name: str | None = None,
) -> Any:
    """Buckets to look for points' neighbours in, the likeliest first.

    As tf.contrib.nearest_neighbor's in TF 1.15.

    Args:
      point_hyperplane_product: [batch, tables * hyperplanes] float32 or float64, inner products.
      num_tables: how many hash tables.
      num_hyperplanes_per_table: how many hyperplanes hash for each; 30 at most.
      num_probes: how many buckets of a point; the first are its own in each table.
      name: name for the operation.

    Returns:
      (probes, table_ids), int32s [batch, num_probes]: buckets, and the tables they are in.

    Raises:
      InvalidArgumentError, InternalError: when it runs, for numbers that don't fit.
    """
    return raw_ops.HyperplaneLSHProbes(
        point_hyperplane_product, num_tables, num_hyperplanes_per_table, num_probes, name=name
    )
