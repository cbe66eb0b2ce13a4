"""tf.ragged and the functions of strings that make ragged tensors, against TensorFlow 1.15."""

from __future__ import annotations

import numpy as np
import pytest
from case_goldens import CaseGoldens

GOLDENS = CaseGoldens("ragged")
# TF warns so, too: what is gathered has a gradient of slices.
pytestmark = pytest.mark.filterwarnings("ignore:Converting sparse IndexedSlices")


@GOLDENS.cases()
def test_case(tf, group, name):
    GOLDENS.check_case(tf, group, name)


@GOLDENS.mistakes()
def test_mistake(tf, group, name):
    GOLDENS.check_mistake(tf, group, name)


def test_paths_of_tensorflow(tf):
    from tensorflow.python.ops.ragged import ragged_math_ops, ragged_tensor, ragged_tensor_value

    assert ragged_tensor.RaggedTensor is tf.RaggedTensor
    assert ragged_tensor.RaggedTensorSpec is tf.RaggedTensorSpec
    assert ragged_tensor_value.RaggedTensorValue is tf.ragged.RaggedTensorValue
    assert ragged_math_ops.range is tf.ragged.range


def test_value_of_a_fetch(tf):
    x = tf.ragged.placeholder(tf.int32, 1, [])
    value = tf.ragged.constant_value([[1], [2, 3]], dtype=np.int32)
    with tf.Session() as session:
        found, total = session.run([x, tf.reduce_sum(x)], {x: value})
    assert found.to_list() == [[1], [2, 3]]
    assert str(found) == "<tf.RaggedTensorValue [[1], [2, 3]]>"
    assert (found.ragged_rank, found.shape, total) == (1, (2, None), 6)
    with pytest.raises(ValueError, match="to_list"):
        x.to_list()
