"""The tree of a random forest: tests and leaves in arrays, and as TF's messages."""

from __future__ import annotations

from typing import Any

import numpy as np

from tf1compat.formats import fertile_stats_pb2, generic_tree_model_pb2
from tf1compat.formats import tensor_forest_params_pb2 as params_pb2
from tf1compat.kernels.trees.forest_data import LESS, MATCHES, Examples, Test

_f32 = np.float32
_LEAF = -1  # In place of a child.


def fill_values(message: Any, values: Any, is_set: Any = None) -> None:
    """Fills in a Vector, or a SparseVector with what is not 0.

    Args:
      message: either of them.
      values: floats.
      is_set: which of them a Vector says; all by default.
    """
    if "sparse_value" in message.DESCRIPTOR.fields_by_name:
        message.SetInParent()
        for index in np.flatnonzero(values):
            message.sparse_value[int(index)].float_value = values[index]
        return
    message.SetInParent()
    for i, value in enumerate(values):
        added = message.value.add()
        if is_set is None or is_set[i]:
            added.float_value = value


def values_of(message: Any, count: int) -> Any:
    """The values of a Vector or a SparseVector, float32."""
    found = np.zeros(count, _f32)
    if "sparse_value" in message.DESCRIPTOR.fields_by_name:
        for index, value in message.sparse_value.items():
            found[index] = value.float_value
    else:
        for index, value in enumerate(message.value):
            found[index] = value.float_value
    return found


def make_test(node: Any, feature: int, threshold: Any, kind: int) -> None:
    """Fills in the test of a BinaryNode."""
    if kind == MATCHES:
        matches = generic_tree_model_pb2.MatchingValuesTest()
        matches.feature_id.id.value = str(feature)
        matches.value.add().float_value = threshold
        node.custom_left_child_test.Pack(matches)
        return
    test = node.inequality_left_child_test
    test.feature_id.id.value = str(feature)
    test.threshold.float_value = threshold
    test.type = kind


def read_test(node: Any) -> tuple[int, Any, int]:
    """(feature, threshold, kind) of a BinaryNode."""
    if node.WhichOneof("left_child_test") == "custom_left_child_test":
        matches = generic_tree_model_pb2.MatchingValuesTest()
        node.custom_left_child_test.Unpack(matches)
        return int(matches.feature_id.id.value), _f32(matches.value[0].float_value), MATCHES
    test = node.inequality_left_child_test
    kind = test.type if test.type < MATCHES else LESS  # As TF's evaluator takes it.
    return int(test.feature_id.id.value), _f32(test.threshold.float_value), kind


class Tree:
    """A decision tree, at first one leaf.

    Args:
      params: a TensorForestParams.
    """

    def __init__(self, params: Any):
        self.params = params
        self._is_sparse = params.leaf_type == params_pb2.MODEL_SPARSE_CLASSIFICATION
        self.feature, self.threshold, self.kind = [0], [_f32(0)], [0]
        self.left, self.right = [_LEAF], [_LEAF]
        self._values = np.zeros((1, params.num_outputs), _f32)  # With room for more nodes.
        # A message says 0 of all leaves but the first, as long as it has seen nothing of a class.
        self._seen = np.zeros(params.num_outputs, bool)

    def __len__(self) -> int:
        return len(self.left)

    def is_leaf(self, node: int) -> bool:
        """Whether a node is one."""
        return self.left[node] == _LEAF

    def _add_leaf(self, values: Any) -> int:
        self.feature.append(0)
        self.threshold.append(_f32(0))
        self.kind.append(0)
        self.left.append(_LEAF)
        self.right.append(_LEAF)
        node = len(self) - 1
        if node >= len(self._values):
            self._values = np.concatenate([self._values, np.zeros_like(self._values)])
        self._values[node] = values
        return node

    def split(self, node: int, test: tuple[int, Any, int], left: Any, right: Any) -> list[int]:
        """Makes two leaves, with these values, of one; returns their numbers."""
        self.feature[node], self.threshold[node], self.kind[node] = test
        self.left[node], self.right[node] = self._add_leaf(left), self._add_leaf(right)
        return [self.left[node], self.right[node]]

    def count(self, leaves: Any, labels: Any, weights: Any) -> None:
        """Adds examples of classes to their leaves, one after the other."""
        np.add.at(self._values, (leaves, labels), weights)
        self._seen[labels[leaves == 0]] = True

    def leaves_of(self, examples: Examples) -> Any:
        """The leaf of each example, int32."""
        return self._paths(examples)[-1]

    def _paths(self, examples: Examples) -> list[Any]:
        """The node of each example after 0, 1, … tests; a leaf's examples stay there."""
        feature, kind = np.array(self.feature), np.array(self.kind)
        threshold = np.array(self.threshold)
        left, right = np.array(self.left, np.int32), np.array(self.right, np.int32)
        here = np.zeros(examples.count, np.int32)
        paths = [here]
        while True:
            rows = np.flatnonzero(left[here] != _LEAF)
            if not len(rows):
                return paths
            nodes = here[rows]
            test = Test(feature[nodes], threshold[nodes], kind[nodes])
            after = here.copy()
            after[rows] = np.where(test.holds(examples, rows), left[nodes], right[nodes])
            here = after
            paths.append(here)

    def predictions(self, leaves: Any) -> Any:
        """What the leaves say: [examples, outputs]; shares of the classes' weights."""
        found = self._values[leaves]
        if self.params.is_regression:
            return found
        total = np.zeros(len(found), _f32)
        for column in found.T:
            total = total + column
        total = np.where(total > 0, total, 1)
        return found / total[:, None]

    def serialized_paths(self, examples: Examples) -> Any:
        """A serialized TreePath for each example."""
        paths = np.stack(self._paths(examples), 1).tolist()
        messages = [self._message(node) for node in range(len(self))]
        found = np.empty(examples.count, object)
        for row, path in enumerate(paths):
            visited = [messages[node] for node in dict.fromkeys(path)]
            message = fertile_stats_pb2.TreePath(nodes_visited=visited)
            found[row] = message.SerializeToString(deterministic=True)
        return found

    def _message(self, node: int) -> Any:
        message = generic_tree_model_pb2.TreeNode()
        if node:
            message.node_id.value = node
        if self.is_leaf(node):
            vector = message.leaf.sparse_vector if self._is_sparse else message.leaf.vector
            fill_values(vector, self._values[node], None if node else self._seen)
            return message
        split = message.binary_node
        split.left_child_id.value, split.right_child_id.value = self.left[node], self.right[node]
        make_test(split, self.feature[node], self.threshold[node], self.kind[node])
        return message

    def serialized(self) -> bytes:
        """The tree as a Model."""
        message = generic_tree_model_pb2.Model()
        message.decision_tree.SetInParent()
        message.decision_tree.nodes.extend(self._message(node) for node in range(len(self)))
        return message.SerializeToString(deterministic=True)

    def load(self, serialized: bytes) -> None:
        """Takes the nodes of a serialized Model."""
        nodes = generic_tree_model_pb2.Model.FromString(serialized).decision_tree.nodes
        if not nodes:
            return
        self.feature, self.threshold, self.kind = [], [], []
        self.left, self.right = [], []
        for i, value in enumerate(nodes[0].leaf.vector.value):
            self._seen[i] = value.HasField("float_value")
        for node in nodes:
            leaf = node.leaf
            vector = leaf.sparse_vector if leaf.HasField("sparse_vector") else leaf.vector
            index = self._add_leaf(values_of(vector, self.params.num_outputs))
            if node.HasField("binary_node"):
                split = node.binary_node
                test = read_test(split)
                self.feature[index], self.threshold[index], self.kind[index] = test
                self.left[index] = split.left_child_id.value
                self.right[index] = split.right_child_id.value
