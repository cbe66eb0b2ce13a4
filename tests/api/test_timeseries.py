"""tf.contrib.timeseries against TensorFlow 1.15: graphs, numbers, SavedModels, errors."""

from __future__ import annotations

import pytest
from case_goldens import CaseGoldens

GOLDENS = CaseGoldens("timeseries")


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))


@GOLDENS.cases()
def test_case(tf, group, name):
    # Gradients over windows of a periodic series nearly cancel, in float32.
    GOLDENS.check_case(tf, group, name, rtol=1e-4)


@GOLDENS.mistakes()
def test_mistake(tf, group, name):
    GOLDENS.check_mistake(tf, group, name)


def test_served_state_is_recorded_in_order(tf):
    """The batch's size is sliced before the ones that it is joined with, as in TF 1.15."""
    series = tf.contrib.timeseries
    estimator = series.StructuralEnsembleRegressor(
        periodicities=5, num_features=1, cycle_num_latent_values=3
    )
    with tf.Graph().as_default() as graph:
        estimator.build_raw_serving_input_receiver_fn()()
        names = [op.name for op in graph.get_operations()]
    assert names.index("strided_slice_1") < names.index("ones") < names.index("concat")
