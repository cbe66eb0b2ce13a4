"""tf.contrib.receptive_field.

Read by `record_cases.py` under TensorFlow 1.15 and replayed by `tests/api/test_contrib_field.py`.
"""

from __future__ import annotations

from case_runs import Case, collect


def _net(tf, second_stride=2, kernel=3, padding="VALID", size=None):
    """Two ways that meet, a pooling, and a padding before them."""
    tf.set_random_seed(1)
    slim = tf.contrib.slim
    x = tf.placeholder(tf.float32, [1, size, size, 1], name="input_image")
    h = tf.pad(x, [[0, 0], [1, 0], [2, 1], [0, 0]], name="pad")
    one = slim.conv2d(h, 1, [1, 1], stride=4, scope="one", padding="VALID")
    two = slim.conv2d(h, 1, [kernel, 3], stride=2, scope="two", padding=padding)
    two = slim.max_pool2d(two, [2, 2], stride=second_stride, scope="pool", padding=padding)
    return x, one, two, tf.nn.relu(one + two if size is None else two, name="output")


def _told(tf, *args, **kwargs):
    field = tf.contrib.receptive_field.compute_receptive_field_from_graph_def(*args, **kwargs)
    return [x.item() if x is not None else None for x in list(field)[:6] if x is not None]


def one_way(tf):
    x, one, two, _ = _net(tf)
    graph = tf.get_default_graph()
    found = [_told(tf, graph, x, two), _told(tf, graph.as_graph_def(), "input_image", one.op.name)]
    compute = tf.contrib.receptive_field.compute_receptive_field_from_graph_def
    field = compute(graph, x, two)
    centers = field.compute_input_center_coordinates([[0, 1], [2, 5]])
    found += [
        centers.tolist(),
        field.compute_feature_coordinates(centers).tolist(),
        field.compute_input_center_coordinates([[3]], axis=[1]).tolist(),
    ]
    return Case(said=found, steps=0)


def known_size(tf):
    x, _, two, y = _net(tf, padding="SAME", size=21)
    graph = tf.get_default_graph()
    found = [_told(tf, graph, x, y, input_resolution=[21, 21])]
    info, nodes = tf.contrib.receptive_field.get_compute_order(
        graph.as_graph_def(), "input_image", [21, 21]
    )
    found += [(n, info[n].order, info[n].input_size, info[n].output_size) for n in sorted(info)]
    return Case(said=found, steps=0)


def stopped(tf):
    x, _, _, y = _net(tf)
    graph = tf.get_default_graph()
    return Case(said=[_told(tf, graph, x, y, stop_propagation=["one"])], steps=0)


def unknown_size(tf):
    x, _, two, _ = _net(tf, padding="SAME")
    field = tf.contrib.receptive_field.compute_receptive_field_from_graph_def(
        tf.get_default_graph(), x, two
    )
    return Case(said=[field.size, field.stride, field.padding], steps=0)


CASES = {"field": collect(one_way, known_size, stopped, unknown_size)}


def _asked(source="input_image", target="output", **kwargs):
    def mistake(tf):
        _net(tf, **kwargs)
        _told(tf, tf.get_default_graph(), source, target)

    return mistake


def _unknown(tf):
    x = tf.placeholder(tf.float32, [1, 4, 4, 1], name="input_image")
    _told(tf, tf.get_default_graph(), x, tf.nn.elu(x))


def _directions(tf):
    x, one, _, _ = _net(tf)
    field = tf.contrib.receptive_field.compute_receptive_field_from_graph_def(
        tf.get_default_graph(), x, one
    )
    field.compute_feature_coordinates([[1, 2, 3]])


def _not_read(tf):
    x = tf.placeholder(tf.float32, [1, 4, 4, 1], name="input_image")
    y = tf.nn.conv2d(x, tf.ones([2, 2, 1, 1]), [1, 1, 1, 1], "SAME")
    _told(tf, tf.get_default_graph(), x, y)


MISTAKES = {
    "field": {
        "stride": _asked(second_stride=1),
        "center": _asked(),
        "input": _asked(source="none"),
        "output": _asked(target="none"),
        "unknown": _unknown,
        "directions": _directions,
        "weights": _not_read,
    }
}
