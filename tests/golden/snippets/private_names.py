"""Private names of graphs, operations and sessions that client code looks at."""

import numpy as np
import tensorflow as tf
from tensorflow.core.protobuf import config_pb2


def shown(function):
    try:
        result = function()
    except Exception as error:
        print(type(error).__name__, str(error).split("\n\nOriginal")[0])
        return
    if isinstance(result, list):
        print([(type(x).__name__, np.asarray(x).tolist()) for x in result])
    else:
        print(result)


graph = tf.Graph()
with graph.as_default():
    a = tf.placeholder(tf.float32, [None], name="a")
    b = tf.placeholder(tf.float32, name="b")
    c = tf.add(a, b, name="c")
    d = tf.multiply(c, 2.0, name="d")
    v = tf.Variable(1.0, name="v")
    step = tf.assign_add(v, 1.0, name="step")
    s = tf.constant("x", name="s")
    h = tf.constant(3.0, name="h")

    print(sorted((i, op.name) for i, op in graph._nodes_by_id.items()), graph._version)
    with graph.control_dependencies([s]), graph.control_dependencies([h]):
        print(len(graph._control_dependencies_stack))
    with graph.gradient_override_map({"Add": "Foo"}):
        print(graph._gradient_override_map)
    with graph._kernel_label_map({"Add": "bar"}):
        print(graph._op_to_kernel_label_map)
    graph.prevent_feeding(h)
    graph.prevent_fetching(d.op)
    print(h in graph._unfeedable_tensors, d.op in graph._unfetchable_ops)
    print(graph._get_op_def("Add").name, graph._get_op_def("Add").input_arg[1].type_attr)
    try:
        graph._get_op_def("Nope")
    except tf.errors.NotFoundError as error:
        print(str(error)[:35])
    print(graph._as_graph_element_locked("h", True, True).name)
    print(graph._create_op_internal("Identity", [h], [tf.float32], name="h").name)
    with graph._mutation_lock():
        pass
    with graph._session_run_lock():
        print(graph._graph_def_versions.producer, graph._stack_state_is_thread_local)
    with tf.device("/cpu:0"), graph.colocate_with(h):
        print(len(list(graph._graph_device_function_stack.peek_objs())))
        print([op.name for op in graph._colocation_stack.peek_objs()])
        print(len(list(graph._device_function_stack.peek_objs())))
    print(c.op._node_def.name, c.op._op_def.name, c.op._id_value, c.op._get_attr_type("T"))

sess = tf.Session(graph=graph)
sess.run(v.initializer)


def options(feed=(), fetch=(), target=()):
    made = config_pb2.CallableOptions()
    made.feed.extend(feed)
    made.fetch.extend(fetch)
    made.target.extend(target)
    return made


def call(*args, **names):
    shown(lambda: sess._make_callable_from_options(options(**names))(*args))


function = sess._make_callable_from_options(options(["a:0", "b"], ["c:0", "c"], ["step"]))
one = np.ones([2], np.float32)
shown(lambda: function(one, np.float32(2)))
print(sess.run(v))
for wrong in ([one], [one, one, one], [["a"], np.float32(1)], [one, 3.0], [one, [1]]):
    shown(lambda: function(*wrong))
call(feed=["zz:0"], fetch=["c:0"])
call(fetch=["zz"])
call(fetch=["c:3"])
call(feed=["a:0", "a:0"], fetch=["c:0"])
call(fetch=["c:0"], target=["nope", "no"])
call(fetch=["s:0", "h:0", "h:0"], target=["step"])
call(target=["step:0"])
call()
shown(lambda: sess._make_callable_from_options(3))
with graph.as_default():
    tf.identity(h, name="late")
print(sess._extend_graph())
call(fetch=["late:0"])
late = sess._make_callable_from_options(options(fetch=["h:0"]))
shown(lambda: late(run_metadata=1))
sess.close()
shown(late)
call(fetch=["h:0"])
