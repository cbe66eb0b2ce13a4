"""Op types of boosted trees, against TensorFlow 1.15."""

from __future__ import annotations

import numpy as np
from case_goldens import CaseGoldens

from tf1compat.formats import boosted_trees_pb2
from tf1compat.kernels.trees import boosted_trees

GOLDENS = CaseGoldens("boosted_trees")


@GOLDENS.cases()
def test_case(tf, group, name):
    GOLDENS.check_case(tf, group, name)


def test_a_split_leaf_is_kept_also_where_it_is_zero():
    """As in the ensembles that TensorFlow 1.15 writes: a root without a value alone is not."""
    tree = boosted_trees_pb2.TreeEnsemble().trees.add()
    tree.nodes.add().leaf.SetInParent()
    split = boosted_trees._Split(0.5, 0, 1, np.array([0.0]), np.array([1.0]))
    for node in (0, 1, 2):
        boosted_trees._split(tree, node, split, 1.0)
    kept = [node.metadata.HasField("original_leaf") for node in list(tree.nodes)[:3]]
    assert kept == [False, True, True]
    assert [tree.nodes[i].metadata.original_leaf.scalar for i in (1, 2)] == [0.0, 1.0]
