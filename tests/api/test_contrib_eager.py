"""`tf.contrib.eager` and eager Keras, as in TF 1.15."""

from __future__ import annotations

from pathlib import Path

import contrib_eager_cases as cases
import pytest
import recording

from tf1compat.core import context

GOLDEN = recording.read_json(str(Path(recording.DATA) / "contrib_eager.json.gz"))


@pytest.fixture
def tf(tensorflow):
    """The `tensorflow` module as after `tf.enable_eager_execution()`."""
    tensorflow.reset_default_graph()
    tensorflow.enable_eager_execution()
    tensorflow.logging.set_verbosity("ERROR")
    yield tensorflow
    context.set_eager_by_default(False)
    tensorflow.set_random_seed(None)


@pytest.mark.parametrize("name", cases.CASES)
def test_case(tf, name, tmp_path):
    _compare(cases.CASES[name](tf, str(tmp_path)), GOLDEN[name])


def _compare(found, expected):
    if isinstance(expected, list):
        assert isinstance(found, list) and len(found) == len(expected)
        for ours, theirs in zip(found, expected, strict=True):
            _compare(ours, theirs)
    elif isinstance(expected, float):
        assert found == pytest.approx(expected, rel=2e-4, abs=1e-5)
    else:
        assert found == expected
