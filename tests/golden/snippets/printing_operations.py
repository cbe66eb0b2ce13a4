import tensorflow as tf

a = tf.constant([1.5, 2.5], name="a")
b = tf.placeholder(tf.float32, [2], name="b")
with tf.name_scope("scope"):
    with tf.device("/device:GPU:0"):
        c = tf.add(a, b, name="c")
with tf.control_dependencies([c]):
    d = tf.identity(c, name="d")
print(a.op)
print(b.op)
print(c.op)
print(d.op)
print(repr(c.op), c.op.type, c.op.name, c.op.device, c.name, c.value_index)
print(list(c.op.inputs), c.op.outputs, d.op.control_inputs, c.consumers())
print(c.graph is tf.get_default_graph(), c.op.op_def.name)
print(tf.global_variables_initializer().name, tf.no_op(), tf.group(c, d), sep="\n")
print(tf.get_default_graph().as_graph_def())
