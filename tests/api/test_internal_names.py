"""Names of TF's internal modules against TensorFlow 1.15."""

from __future__ import annotations

import json
import os

import name_cases
import pytest
import recording

from tf1compat.launcher import import_hook

import_hook.install()
_GOLDEN = recording.read_json(os.path.join(recording.DATA, "name_cases.json.gz"))


@pytest.mark.parametrize("name", name_cases.EXPRESSIONS)
def test_gives_what_tensorflow_gives(tf, name):
    said = json.loads(json.dumps(name_cases.run(tf, name)))
    texts = name_cases.EXPRESSIONS[name]
    assert dict(zip(texts, said, strict=True)) == dict(zip(texts, _GOLDEN[name], strict=True))
