"""A NodeDef names the output of an input that was put in the place of another."""

import tensorflow as tf

x = tf.constant(2.0, name="x")


def body(i, y):
    y = tf.cond(y > 1.0, lambda: y * x, lambda: y)
    return i + 1, y


_, out = tf.while_loop(lambda i, y: i < 3, body, [tf.constant(0), x])
tf.gradients(out, x)
halves = tf.split(tf.ones([4]), 2, name="halves")
total = tf.add(halves[0], halves[0], name="total").op
print(total.node_def.input)
total._update_input(0, halves[1])
print(total.node_def.input)
total._update_input(0, halves[0])
total._add_control_input(x.op)
print(total)
graph = tf.get_default_graph()
for op in graph.get_operations():
    print(op.name, [str(name) for name in op.node_def.input])
definition = graph.as_graph_def()
print([n.name for n in definition.node if any(name.endswith(":0") for name in n.input)])
with tf.Graph().as_default() as imported:
    tf.import_graph_def(definition, name="")
    print(
        [
            o.name
            for o in imported.get_operations()
            if any(name.endswith(":0") for name in o.node_def.input)
        ]
    )
