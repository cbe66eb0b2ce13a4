"""`tf.nn.ctc_loss_v2` of dense labels records and gives what it does in TensorFlow 1.15."""

import json
import re

import numpy as np
import recording
from case_goldens import CaseGoldens

from tf1compat.api.eager import context

GOLDENS = CaseGoldens("ctc")


def _without_hashes(graph):
    # Of functions that capture tensors the hash in the name is another one than TensorFlow's.
    graph = graph | {"library": {"functions": {}, "gradients": {}}}
    return json.loads(re.sub(r"\b(cond|body)_[A-Za-z0-9]{11}", r"\1", json.dumps(graph)))


@GOLDENS.cases()
def test_case(tf, group, name):
    built = GOLDENS.module.CASES[group][name](tf)
    expected = GOLDENS._golden["cases"][group][name]
    found = _without_hashes(recording.describe_graph(tf.get_default_graph()))
    difference = recording.first_graph_difference(_without_hashes(expected["graph"]), found)
    assert difference is None, difference
    for want, (_, value) in zip(expected["values"], built.run(tf), strict=True):
        difference = recording.value_difference(want, recording.describe_value(value), 2e-5)
        assert difference is None, difference


@GOLDENS.mistakes()
def test_mistake(tf, group, name):
    GOLDENS.check_mistake(tf, group, name)


def test_eager_loss_is_the_graph_s(tf):
    rng = np.random.RandomState(0)
    logits, labels = rng.randn(5, 2, 4).astype("f"), [[1, 2, 2], [3, 1, 0]]
    with tf.Session() as session:
        expected = session.run(tf.nn.ctc_loss_v2(labels, logits, [3, 2], [5, 4]))
    with context.eager_mode():
        found = tf.nn.ctc_loss_v2(labels, logits, [3, 2], [5, 4]).numpy()
    np.testing.assert_allclose(found, expected, rtol=1e-5)
