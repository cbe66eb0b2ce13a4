"""What client libraries do that nothing documents: graphs, runs and what is said.

Read by `record_cases.py` under TensorFlow 1.15, replayed by `tests/api/test_client_idioms.py`.
"""

from __future__ import annotations

import numpy as np
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


def _sparse(tf, **kwargs):
    from scipy.sparse import csr_matrix

    matrix = csr_matrix(np.array([[0, 2], [3, 0]], np.float32))
    return matrix, tf.keras.backend.variable(matrix, **kwargs)


def keras_sparse_backend(tf):
    backend = tf.keras.backend
    _, sparse = _sparse(tf)
    joined = backend.concatenate([sparse, sparse], axis=0)
    unknown = tf.SparseTensor(
        tf.placeholder(tf.int64, [None, 2]), tf.placeholder(tf.float32), [2, 2]
    )
    fetches = [
        backend.dot(sparse, backend.constant([[1.0], [2.0]])),
        joined.indices,
        joined.values,
        backend.concatenate([sparse, tf.ones([2, 1])]),
        backend.to_dense(sparse),
    ]
    backend.dot(unknown, tf.ones([2, 3]))
    shapes = [v._keras_shape for v in (sparse, backend.variable(tf.ones([2, 1])))]
    return Case(fetches, said=[shapes, backend.eval(sparse).tolist()], steps=1)


def _sparse_model(tf):
    backend = tf.keras.backend
    x = tf.keras.Input([2], sparse=True)
    y = tf.keras.layers.Lambda(lambda a: backend.dot(a, backend.constant([[1.0], [2.0]])))(x)
    model = tf.keras.Model(x, tf.keras.layers.Dense(1, kernel_initializer="ones")(y))
    model.compile("sgd", "mse")
    return model


def keras_sparse_model(tf):
    with tf.Graph().as_default():  # Keras asks in no fixed order what is initialized.
        matrix, sparse = _sparse(tf)
        model, wanted = _sparse_model(tf), np.ones([2, 1], np.float32)
        said = [
            model.predict(matrix, steps=2).tolist(),
            model.train_on_batch(matrix, wanted),
            model.fit(sparse, wanted, verbose=0, steps_per_epoch=2).history["loss"],
            model.evaluate(matrix, wanted, verbose=0, steps=1),
        ]
    return Case(said=[np.round(np.ravel(x).astype(float), 4).tolist() for x in said], steps=0)


def sparse_without_steps(tf):
    _sparse_model(tf).predict(_sparse(tf)[0])


def sparse_value_for_model(tf):
    value = tf.SparseTensorValue(np.array([[0, 1]]), np.ones([1], np.float32), np.array([2, 2]))
    try:
        _sparse_model(tf).predict(value)
    except ValueError as error:  # The rest of the text has the tensors' own.
        raise ValueError(str(error).split("\n")[0]) from None


def proto_of_other_dtype(tf):
    return tf.placeholder_with_default(tf.zeros([2]), [2]) + tf.make_tensor_proto([1, 2])


CASES = {
    "dropped contexts": collect(dropped_graph, dropped_name_scopes, dropped_mode, dropped_others),
    "protos": collect(proto_constants, proto_arguments),
    "sessions": collect(keras_session),
    "keras sparse": collect(keras_sparse_backend, keras_sparse_model),
}
MISTAKES = {
    "protos": collect(proto_of_other_dtype),
    "keras sparse": collect(sparse_without_steps, sparse_value_for_model),
}
