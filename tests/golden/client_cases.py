"""What client libraries do that nothing documents: graphs, runs and what is said.

Read by `record_cases.py` under TensorFlow 1.15, replayed by `tests/api/test_client_idioms.py`.
"""

from __future__ import annotations

from case_runs import Case, collect


def dropped_graph(tf):
    outside, graph = tf.get_default_graph(), tf.Graph()
    graph.as_default().__enter__()
    said = [tf.get_default_graph() is outside]
    held = graph.as_default()
    held.__enter__()
    said.append(tf.get_default_graph() is graph)
    del held
    return Case(said=[*said, tf.get_default_graph() is outside], steps=0)


def dropped_name_scopes(tf):
    tf.name_scope("dropped").__enter__()
    held = tf.name_scope("held")
    held.__enter__()
    tf.constant(1.0)
    tf.get_default_graph().name_scope("also").__enter__()
    fetch = tf.constant(2.0)
    del held
    tf.variable_scope("variables").__enter__()
    v = tf.get_variable("v", initializer=3.0)
    return Case([fetch, tf.add(v, 1.0)], said=[tf.get_variable_scope().name], steps=1)


def dropped_mode(tf):
    from tensorflow.python.eager import context

    context.eager_mode().__enter__()
    return Case([tf.constant(1.0)], said=[tf.executing_eagerly()], steps=1)


def dropped_others(tf):
    graph = tf.get_default_graph()
    anchor = tf.no_op("anchor")
    session = tf.Session()
    session.as_default().__enter__()
    tf.device("/gpu:1").__enter__()
    graph.colocate_with(anchor).__enter__()
    graph.gradient_override_map({"Square": "Mine"}).__enter__()
    graph.container("c").__enter__()
    fetch = tf.square(tf.constant(3.0))
    said = [tf.get_default_session() is session, repr(fetch.device)]
    return Case([fetch], said=said, steps=1)


def proto_constants(tf):
    proto = tf.make_tensor_proto([1, 2])
    fetches = [
        tf.constant(proto),
        tf.constant(proto, tf.float32, name="of_its_own_dtype"),
        tf.constant(proto, shape=[2, 1], name="of_its_own_shape"),
        tf.convert_to_tensor(proto, name="converted"),
        tf.constant(tf.make_tensor_proto(2.5, shape=[2, 2]), name="short"),
        tf.constant(tf.make_tensor_proto([b"a", b"bc"]), name="strings"),
    ]
    return Case(fetches, steps=1)


def proto_arguments(tf):
    proto = tf.make_tensor_proto([1, 2])
    image = tf.zeros([1, 2, 2, 1])
    fetches = [
        tf.add(proto, 1),
        tf.fill(proto, 3.0),
        tf.reshape(tf.ones([2]), proto),
        tf.stack([proto, proto]),
        tf.space_to_batch(image, tf.make_tensor_proto([[0, 0], [0, 0]]), 2),
        tf.strided_slice(tf.ones([4, 4]), tf.make_tensor_proto([0, 1]), proto),
        tf.get_variable("v", initializer=proto),
    ]
    return Case(fetches, steps=1)


def keras_session(tf):
    from tensorflow.python.keras import backend

    said = [backend.get_default_session_config().allow_soft_placement]
    with tf.Graph().as_default():
        with tf.device("/job:localhost/replica:0/task:0/device:CPU:3"):
            elsewhere = tf.constant(2.0) * 3.0
        said.append(tf.keras.backend.get_session().run(elsewhere))
    return Case(said=said, steps=0)


def proto_of_other_dtype(tf):
    return tf.placeholder_with_default(tf.zeros([2]), [2]) + tf.make_tensor_proto([1, 2])


CASES = {
    "dropped contexts": collect(dropped_graph, dropped_name_scopes, dropped_mode, dropped_others),
    "protos": collect(proto_constants, proto_arguments),
    "sessions": collect(keras_session),
}
MISTAKES = {"protos": collect(proto_of_other_dtype)}
