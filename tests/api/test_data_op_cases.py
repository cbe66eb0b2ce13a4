"""Datasets and iterators by their raw ops, against TensorFlow 1.15."""

from __future__ import annotations

import numpy as np
from case_goldens import CaseGoldens

GOLDENS = CaseGoldens("data_op")


@GOLDENS.cases()
def test_case(tf, group, name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    GOLDENS.check_case(tf, group, name)


def test_last_component(tf):
    # TensorFlow's package has no kernel for it.
    flags = np.array([True, False, True, False, True])
    pairs = tf.data.Dataset.from_tensor_slices((np.arange(5), flags))
    kept = tf.raw_ops.FilterByLastComponentDataset(
        input_dataset=pairs._variant_tensor, output_types=[tf.int64], output_shapes=[[]]
    )
    shapes = {"output_types": [tf.int64], "output_shapes": [[3]]}
    batch = tf.raw_ops.BatchDataset(input_dataset=kept, batch_size=3, **shapes)
    found = tf.raw_ops.DatasetToSingleElement(dataset=batch, **shapes)
    with tf.Session() as session:
        np.testing.assert_array_equal(session.run(found), [[0, 2, 4]])
