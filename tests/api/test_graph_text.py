"""GraphDefs as text: what protobuf itself writes."""

from google.protobuf import text_format

from tf1compat.formats.graph_text import graph_text


def _graph(tf):
    """A graph with attrs of all kinds, a loop and functions."""
    with tf.Graph().as_default() as graph, tf.device("/cpu:0"):
        x = tf.placeholder(tf.float32, [None, 3], name="x")
        dense = tf.layers.dense(x * 0.1 + 1e-30, 2, activation=tf.nn.leaky_relu, name="dense")
        tf.while_loop(lambda i: i < 3, lambda i: i + 1, [tf.constant(0)])
        tf.constant([b"a\"'\\\n\0", b"\xff"])
        tf.constant([1.0, float("nan"), float("inf"), 1e6, 16777216.0])
        tf.data.Dataset.range(3).map(lambda i: i + 1).make_one_shot_iterator().get_next()
        tf.train.AdamOptimizer(0.3).minimize(tf.reduce_mean(dense))
    return graph


def test_is_what_protobuf_writes(tf):
    graph_def = _graph(tf).as_graph_def(add_shapes=True)
    assert len(graph_def.library.function) > 0
    assert graph_text(graph_def) == text_format.MessageToString(graph_def)


def test_odd_names_and_fields(tf):
    graph_def = tf.GraphDef()
    for name in ('quote"d', "back\\slash", "é", "tab\t", ""):
        node = graph_def.node.add(name=name, op="NoOp", input=[name, "^b"])
        node.attr[name].s = name.encode()
        node.attr["none"].SetInParent()
    noted = graph_def.node.add(name="x", device=r"\d").experimental_debug_info
    noted.original_node_names.append("y")
    graph_def.node.add().attr["f"].func.attr["g"].list.f.append(1.0)
    graph_def.versions.producer = 134
    assert graph_text(graph_def) == text_format.MessageToString(graph_def)
    assert graph_text(tf.GraphDef()) == ""
