"""What barriers, readers and sessions that wait say, and what containers print."""

import tensorflow as tf
from tensorflow.python.ops import data_flow_ops, session_ops
from tensorflow.python.training import session_manager
from tensorflow.python.training.tracking import data_structures

config = tf.ConfigProto(operation_timeout_in_ms=20000)


def said(function, *args, **kwargs):
    try:
        result = function(*args, **kwargs)
    except (tf.errors.OpError, ValueError, TypeError) as error:
        result = "{}: {}".format(type(error).__name__, str(error).split("\n")[0])
    print(result)


def insert(component, keys, values):
    return lambda barrier: barrier.insert_many(component, keys, values)


def close(cancels=False):
    return lambda barrier: barrier.close(cancel_pending_enqueues=cancels)


for steps in (
    [insert(0, ["a"], [1.0]), close(), insert(0, ["b"], [1.0]), insert(1, ["a"], [1]),
     insert(1, ["b"], [1]), close()],
    [insert(0, ["a"], [1.0]), close(), insert(1, ["a", "b"], [1, 2])],
    [insert(0, ["a"], [1.0]), close(True), insert(1, ["a"], [1]), insert(0, ["b"], [1.0])],
    [close(), insert(0, ["a"], [1.0])],
):  # fmt: skip
    with tf.Graph().as_default(), tf.Session(config=config) as session:
        barrier = data_flow_ops.Barrier((tf.float32, tf.int32), shapes=((), ()), name="closed")
        for step in [make(barrier) for make in steps]:
            said(session.run, step)
        said(session.run, barrier.incomplete_size())
print(type(barrier).__module__, session_ops.TensorHandle.__module__)

with tf.Graph().as_default(), tf.Session(config=config) as session:
    reader = tf.IdentityReader()
    queue = tf.FIFOQueue(3, tf.string, [[]])
    session.run(queue.enqueue("work"))
    session.run(reader.read(queue))
    said(session.run, reader.serialize_state())
    session.run(reader.reset())
    said(session.run, reader.serialize_state())

    tf.Variable(1.0, name="unset")
    manager = session_manager.SessionManager(
        ready_op=tf.report_uninitialized_variables(), recovery_wait_secs=0.1
    )
    said(manager.wait_for_session, "", max_wait_secs=0.3)

    objects = data_structures.List()
    print({objects: 1}[objects], data_structures.Mapping(a=objects))
