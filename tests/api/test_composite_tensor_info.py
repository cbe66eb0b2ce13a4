"""`TensorInfo` protos of what is made of several tensors."""

from __future__ import annotations

import pytest


def test_ragged_tensor(tf):
    given = tf.ragged.placeholder(tf.float32, 2, name="given")
    info = tf.saved_model.build_tensor_info(given)
    names = [component.name for component in info.composite_tensor.components]
    parts = [given.flat_values, *given.nested_row_splits]
    assert sorted(names) == sorted(part.name for part in parts)
    assert info.composite_tensor.type_spec.type_spec_class_name == "RaggedTensorSpec"
    found = tf.saved_model.get_tensor_from_tensor_info(info)
    assert found.flat_values is given.flat_values
    assert found.nested_row_splits == given.nested_row_splits


def test_signature(tf):
    given = tf.ragged.placeholder(tf.int64, 1)
    signature = tf.saved_model.build_signature_def({"x": tf.saved_model.build_tensor_info(given)})
    assert signature.inputs["x"].WhichOneof("encoding") == "composite_tensor"


def test_missing_component(tf):
    info = tf.saved_model.build_tensor_info(tf.ragged.placeholder(tf.float32, 1))
    info.composite_tensor.components[0].name = "nothing:0"
    with pytest.raises(KeyError, match="nothing"):
        tf.saved_model.get_tensor_from_tensor_info(info)
