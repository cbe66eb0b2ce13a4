"""What functions take in: values of the time of a call, eager tensors, variables; `_decorate`."""

import tensorflow as tf
from tensorflow.python.eager import context, def_function, function
from tensorflow.python.framework import func_graph, ops, tensor_spec

tf.compat.v1.enable_eager_execution()


def show(make, *args):
    try:
        print(make(*args))
    except (NotImplementedError, TypeError, ValueError) as error:
        print(type(error).__name__, str(error).strip().split("\n")[-1])


value = 1.0
log = []


@function.defun
def deferred():
    graph = ops.get_default_graph()
    spec = tensor_spec.TensorSpec([], tf.float32)
    first = graph.capture_call_time_value(lambda: tf.constant(value), spec)
    log.append(first)
    pair = graph.capture_call_time_value(
        lambda: {"a": tf.constant([value] * 2), "b": [tf.constant(2.0)]},
        {"a": tensor_spec.TensorSpec([None], tf.float32), "b": [spec]},
        key="pair",
    )
    again = graph.capture_call_time_value(lambda: 1 / 0, spec, key="pair")
    return first + pair["a"] + again["b"][0] + tf.constant(outside)


outside = tf.constant(3.0)
for value in (1.0, 5.0):
    show(lambda: deferred().numpy().tolist())
concrete = deferred._get_concrete_function_internal()
value = 7.0
show(lambda: [t.name for t in concrete.inputs])
show(lambda: [t.numpy().tolist() for t in concrete.captured_inputs])
show(lambda: len(concrete.graph.deferred_external_captures))
show(lambda: concrete.graph.deferred_internal_captures)
show(lambda: [t.shape.as_list() for t in concrete.graph.inputs])


@function.defun
def mistaken():
    graph = ops.get_default_graph()
    return graph.capture_call_time_value(lambda: [1.0, 2.0], tensor_spec.TensorSpec([], tf.float32))


show(mistaken)


@function.defun
def no_spec():
    return ops.get_default_graph().capture_call_time_value(lambda: 1, [tf.float32])


show(no_spec)


@function.defun
def with_gradient(x):
    scale = ops.get_default_graph().capture_call_time_value(
        lambda: tf.constant(value), tensor_spec.TensorSpec([], tf.float32)
    )
    return x * scale


x = tf.constant(2.0)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = with_gradient(x)
show(lambda: [y.numpy(), tape.gradient(y, x).numpy()])

variable = tf.Variable(4.0)


@function.defun
def reads():
    return variable + 1.0


body = reads.get_concrete_function().graph
show(
    lambda: [(len(body.variable_captures), v is variable) for v in body.variable_captures.values()]
)
show(lambda: list(body.variable_captures) == [ops.tensor_id(body.internal_captures[0])])

with context.graph_mode():
    graph = func_graph.FuncGraph("body")
with graph.as_default():
    big = tf.constant(0)
with context.eager_mode():
    numbers = tf.zeros([200])
with graph.as_default():
    taken = graph.capture_eager_tensor(numbers, "numbers")
    show(lambda: [taken.op.type, taken.name, graph.capture_eager_tensor(numbers, "more") is taken])
    show(lambda: [graph.saveable, sorted(graph.saving_errors)])
    graph.mark_as_unsaveable("because")
    show(lambda: [graph.saveable, sorted(graph.saving_errors)])
show(lambda: [op.name for op in graph.get_operations()])

one = def_function.function(lambda: 1)
one._decorate(lambda inner: lambda: 1 + inner())
show(lambda: one().numpy())
show(one._decorate, lambda inner: inner)
show(lambda: def_function.RUN_FUNCTIONS_EAGERLY)

for given in [outside, tf.constant(["a", "b"])]:
    with tf.Graph().as_default():
        show(lambda: tf.constant(given).op.get_attr("value"))
        show(lambda: tf.constant(given, shape=[2, 2]).shape)
show(tf.compat.v1.make_tensor_proto, outside, tf.int32)
show(tf.compat.v1.make_tensor_proto, [outside])
def_function.run_functions_eagerly(True)
show(lambda: def_function.RUN_FUNCTIONS_EAGERLY)
def_function.run_functions_eagerly(False)
