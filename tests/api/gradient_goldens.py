"""Replays the cases of tests/golden/{gradient,function}_cases.py against what TF 1.15 recorded."""

import json
from pathlib import Path

import recording

GOLDEN = recording.read_json(str(Path(recording.DATA) / "gradients.json.gz"))


def check_graph(tf, group, name, case):
    """The case records TF's graph, with TF's static shapes, and says what it said in TF."""
    expected = GOLDEN["graphs"][group][name]
    with tf.Graph().as_default() as graph:
        said = case(tf)
    actual = recording.describe_graph(graph)
    difference = recording.first_graph_difference(expected["graph"], actual)
    assert difference is None, difference
    shapes = recording.shape_differences(expected["graph"]["shapes"], actual["shapes"])
    assert not shapes, "\n".join(shapes)
    said = json.loads(recording._renumber(json.dumps(said)))
    assert said == json.loads(recording._renumber(json.dumps(expected["said"])))


def check_mistake(tf, group, name, case):
    """The case raises TF's exception with TF's text."""
    assert recording.raised(tf, case) == GOLDEN["mistakes"][group][name]


def check_run(tf, group, name, case):
    """The tensors that the case returns have the values that they had in TF."""
    expected = GOLDEN["runs"][group][name]
    fetches = case(tf)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        found = session.run(fetches)
    assert len(found) == len(expected)
    for i, (want, have) in enumerate(zip(expected, found)):
        difference = recording.value_difference(want, recording.describe_value(have), 1e-5)
        assert difference is None, f"fetch {i} ({fetches[i].name}): {difference}"
