"""tf.train.Checkpoint against TensorFlow 1.15."""

from __future__ import annotations

import gc
import importlib
import os

import numpy as np
import object_checkpoint_cases
import pytest
import recording
from case_goldens import CaseGoldens

GOLDENS = CaseGoldens("object_checkpoint")


@pytest.fixture
def _folders(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("_folders")
@GOLDENS.cases()
def test_case(tf, group, name):
    GOLDENS.check_case(tf, group, name)


@pytest.mark.usefixtures("_folders")
@GOLDENS.mistakes()
def test_mistake(tf, group, name):
    GOLDENS.check_mistake(tf, group, name)


def test_a_checkpoint_that_tensorflow_wrote(tf):
    net, optimizer, step, _ = object_checkpoint_cases.program(tf)
    checkpoint = tf.train.Checkpoint(net=net, optimizer=optimizer, step=step)
    path = os.path.join(recording.DATA, "checkpoints", "objects")
    with tf.Session() as session:
        status = checkpoint.restore(path)
        status.assert_nontrivial_match().expect_partial().run_restore_ops()
        assert session.run(step) == 1
        np.testing.assert_allclose(session.run(net.odd_name), [[2.9]], rtol=1e-5)
        np.testing.assert_allclose(
            session.run(optimizer.get_slot(net.odd_name, "m")), [[0.6]], rtol=1e-5
        )


def test_what_is_not_used_is_said(tf, caplog):
    path = os.path.join(recording.DATA, "checkpoints", "objects")
    checkpoint = tf.train.Checkpoint(step=tf.train.get_or_create_global_step())
    checkpoint.restore(path).expect_partial()
    assert "Unresolved" not in caplog.text
    checkpoint.restore(path)
    del checkpoint
    gc.collect()
    assert "Unresolved object in checkpoint: (root).net.dense.kernel" in caplog.text
    assert "(root).optimizer's state 'm' for (root).net.w" in caplog.text


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("tensorflow.contrib.checkpoint", "NumpyState"),
        ("tensorflow.python.training.checkpoint_management", "CheckpointManager"),
        ("tensorflow.python.training.tracking.base", "Trackable"),
        ("tensorflow.python.training.tracking.data_structures", "NoDependency"),
        ("tensorflow.python.training.tracking.tracking", "AutoTrackable"),
        ("tensorflow.python.training.tracking.util", "Checkpoint"),
    ],
)
def test_paths_of_tensorflow(tf, module, name):
    assert hasattr(importlib.import_module(module), name)
