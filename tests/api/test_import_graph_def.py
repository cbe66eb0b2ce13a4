"""tf.import_graph_def against TensorFlow 1.15."""

from __future__ import annotations

import base64
import os

import import_cases
import pytest
import recording

GOLDEN = recording.read_json(os.path.join(recording.DATA, "import.json.gz"))


def check(expected, found):
    assert sorted(expected) == sorted(found), found.get("error")
    if "error" in expected:
        assert found["error"] == expected["error"]
        return
    assert found["returned"] == expected["returned"]
    difference = recording.first_graph_difference(expected["graph"], found["graph"])
    assert difference is None, difference
    differences = recording.shape_differences(expected["graph"]["shapes"], found["graph"]["shapes"])
    assert not differences, "\n".join(differences)


@pytest.mark.parametrize("name", import_cases.TEXTS)
def test_text(tf, name):
    text, arguments = import_cases.TEXTS[name]
    check(GOLDEN["texts"][name], import_cases.outcome(tf, text, arguments))


@pytest.mark.parametrize("name", import_cases.SCOPES)
def test_in_a_scope(tf, name):
    scope = import_cases.SCOPES[name]
    found = import_cases.outcome(tf, import_cases.SCOPED_TEXT, {}, scope)
    check(GOLDEN["scopes"][name], found)


@pytest.mark.parametrize("value", ["text", b"text", None, 3])
def test_not_a_graph_def(tf, value):
    with pytest.raises(TypeError, match=r"^graph_def must be a GraphDef proto\.$"):
        tf.import_graph_def(value)


@pytest.mark.parametrize("name", [n for n in import_cases.TEXTS if "error" in GOLDEN["texts"][n]])
def test_a_refused_graph_def_leaves_no_trace(tf, name):
    text, arguments = import_cases.TEXTS[name]
    import_cases.outcome(tf, text, arguments)
    left = {op.name for op in tf.get_default_graph().get_operations()}
    assert left <= {"z", "import/_inputs/Const"}


@pytest.mark.parametrize("name", import_cases.PROGRAMS)
def test_program(tf, name):
    """A GraphDef that TensorFlow wrote gives the same graph, and the same values."""
    golden = GOLDEN["programs"][name]
    graph_def = tf.GraphDef.FromString(base64.b64decode(golden["graph_def"]))
    tf.import_graph_def(graph_def, name="")
    graph = recording.describe_graph(tf.get_default_graph())
    difference = recording.first_graph_difference(golden["graph"], graph)
    assert difference is None, difference
    differences = recording.shape_differences(golden["graph"]["shapes"], graph["shapes"])
    assert not differences, "\n".join(differences)
    feeds, fetches = _feeds_and_fetches(tf, name)
    with tf.Session() as session:
        values = session.run(fetches, feeds)
    for want, value in zip(golden["values"], values, strict=True):
        difference = recording.value_difference(want, recording.describe_value(value), 1e-6)
        assert difference is None, difference


def _feeds_and_fetches(tf, name):
    with tf.Graph().as_default():
        return import_cases.PROGRAMS[name](tf)


@pytest.mark.parametrize("name", import_cases.PROGRAMS)
def test_own_graph_def(tf, name):
    """What `as_graph_def` writes can be read."""
    import_cases.PROGRAMS[name](tf)
    graph_def = tf.get_default_graph().as_graph_def()
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(graph_def, name="")
    written = graph.as_graph_def()
    by_name = {node.name: node for node in written.node}
    assert len(by_name) == len(graph_def.node)
    assert all(by_name[node.name] == node for node in graph_def.node)
    assert written.library == graph_def.library
