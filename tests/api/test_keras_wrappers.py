"""`tf.keras.wrappers.scikit_learn` against TensorFlow 1.15."""

from __future__ import annotations

import os

import keras_wrapper_cases as cases
import pytest
import recording
from test_keras import check_case

GOLDEN = recording.read_json(os.path.join(recording.DATA, "keras_wrappers.json.xz"))


@pytest.mark.parametrize("name", cases.CALLS)
def test_call(tf, name):
    check_case(tf, GOLDEN["calls"][name], cases.CALLS[name])


@pytest.mark.parametrize("name", cases.MISTAKES)
def test_mistake(tf, name):
    assert recording.raised(tf, cases.MISTAKES[name]) == GOLDEN["mistakes"][name]
