"""What gives the variables of a `tf.function` their initial values, recorded by itself."""

import tensorflow as tf
from tensorflow.python.eager import def_function
from tensorflow.python.eager import function as function_lib

tf.enable_eager_execution()


def shown(function):
    try:
        print(function())
    except Exception as error:
        print(type(error).__name__, error)


made = []


def scaled(x, power=1):
    if not made:
        made.extend([tf.Variable(2.0), tf.Variable(tf.ones([2]) * 3.0)])
    return made[0] * x**power + made[1]


function = def_function.function(scaled)
start = function.get_initialization_function(tf.constant(1.0))
print([(op.name, op.type) for op in start.graph.get_operations()])
print(start.inputs, len(start.captured_inputs), start.structured_outputs)
try:
    made[0].numpy()
except tf.errors.FailedPreconditionError:
    print("no value yet")
print(start(), [v.numpy().tolist() for v in made])
made[0].assign(9.0)
print(function(tf.constant(1.0)).numpy(), made[0].numpy())
start()
print(function(tf.constant(1.0)).numpy())
shown(lambda: function.get_initialization_function(tf.constant(1.0)))
print(function.function_spec.arg_names, function.function_spec.is_method)
print(function.function_spec.canonicalize_function_inputs(1, power=2))

kept = []


def of_argument(x):
    if not kept:
        kept.append(tf.Variable(x))
    return kept[0] * x


shown(lambda: def_function.function(of_argument).get_initialization_function(tf.constant(1.0)))


def without(x):
    return x + 1.0


plain = def_function.function(without)
print(plain.get_initialization_function(tf.constant(1.0))())
print(plain(tf.constant(3.0)).numpy())

signature = [tf.TensorSpec([2], tf.float32), [tf.TensorSpec([], tf.int32)]]
nested = function_lib.defun(lambda x, y: x, input_signature=signature)
print(nested.flat_input_signature == tuple(tf.nest.flatten(signature)), nested.input_signature)
