import tensorflow as tf


@tf.RegisterGradient("mulGrad")
def _mul_grad(op, grad):
    print("called for", op.name, op.type, grad)
    return [grad * 10.0, None]


g = tf.get_default_graph()
a = tf.Variable(3.0, name="a")
b = tf.Variable(4.0, name="b")
with g.gradient_override_map({"Mul": "mulGrad"}):
    c = tf.multiply(a, b, name="Multiply")
plain = tf.multiply(a, b)

op = tf.get_default_graph().get_operation_by_name("Multiply")
print(op)
print(op.node_def)
print(op.get_attr("_gradient_op_type"))
print(plain.op.node_def)
try:
    plain.op.get_attr("_gradient_op_type")
except ValueError as e:
    print(e)

grads = tf.gradients(c, [a, b])
print(grads)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(grads[0]))
    print(sess.run(tf.gradients(plain, [a, b])))
