"""What a tape records for inputs whose gradients nobody asks for."""

import numpy as np
import tensorflow as tf

FUNCTIONS = [
    ("add", tf.add),
    ("subtract", tf.subtract),
    ("multiply", tf.multiply),
    ("pow", tf.pow),
    ("maximum", tf.maximum),
    ("minimum", tf.minimum),
    ("squared_difference", tf.squared_difference),
    ("divide", tf.divide),
]
SHAPES = [((2, 3), ()), ((), (2, 3)), ((2, 3), (2, 3)), ((2, 3), (3,)), ((2, 1), (1, 3))]


def constant(shape):
    return tf.constant(np.arange(1, 1 + np.prod(shape)).reshape(shape).astype(np.float32))


def placeholder(shape):
    return tf.placeholder(tf.float32, [None] * len(shape))


def recorded(function, a, b, watched):
    with tf.GradientTape() as tape:
        for tensor in watched:
            tape.watch(tensor)
        result = function(a, b)
    graph = tf.get_default_graph()
    count = len(graph.get_operations())
    tape.gradient(result, watched)
    operations = graph.get_operations()
    number = {operation.name: i - count for i, operation in enumerate(operations)}
    return [
        (operation.type, [number[tensor.op.name] for tensor in operation.inputs])
        for operation in operations[count:]
    ]


for name, function in FUNCTIONS:
    for shapes in SHAPES:
        for make in (constant, placeholder):
            for watched in ([0], [1], [0, 1]):
                with tf.Graph().as_default():
                    pair = make(shapes[0]), make(shapes[1])
                    nodes = recorded(function, pair[0], pair[1], [pair[i] for i in watched])
                    print(name, shapes, make.__name__, watched, nodes)

for transpose_a in (False, True):
    for transpose_b in (False, True):
        for dtype in (tf.float32, tf.complex64):
            for watched in ([0], [1], [0, 1]):
                with tf.Graph().as_default():
                    pair = [tf.cast(constant((2, 2)), dtype) for _ in range(2)]
                    product = lambda a, b: tf.matmul(  # noqa: E731
                        a, b, transpose_a=transpose_a, transpose_b=transpose_b
                    )
                    nodes = recorded(product, pair[0], pair[1], [pair[i] for i in watched])
                    print(transpose_a, transpose_b, dtype.name, watched, nodes)
                    flags = [
                        (operation.get_attr("transpose_a"), operation.get_attr("transpose_b"))
                        for operation in tf.get_default_graph().get_operations()
                        if operation.type == "MatMul"
                    ]
                    print(flags)

# Functions of functions: an argument is copied only where it is given twice.


def polynomial(x, y):
    return x * x * x * y - x * y * y


derivative = tf.contrib.eager.gradients_function(polynomial)
FUNCTIONS_OF_NUMBERS = [
    lambda: derivative(2.0, 3.0),
    lambda: tf.contrib.eager.gradients_function(lambda x, y: derivative(x, y)[0])(2.0, 3.0),
    lambda: tf.contrib.eager.gradients_function(polynomial, params=[1])(2.0, 3.0),
    lambda: (lambda x: derivative(x, x))(tf.constant(1.0)),
]
for make in FUNCTIONS_OF_NUMBERS:
    with tf.Graph().as_default() as graph, tf.Session() as session:
        values = session.run(make())
        print([operation.type for operation in graph.get_operations()], [float(v) for v in values])
