import tensorflow as tf

a, b = tf.constant(1.0, name="a"), tf.constant(2.0, name="b")
op = (a + b).op
inputs = op.inputs
print(type(inputs), str(inputs).split(" object")[0], isinstance(inputs, (list, tuple)))
print(len(inputs), inputs[0].name, inputs[-1].name, a in inputs, bool(inputs), not a.op.inputs)
print(op.inputs is op.inputs, inputs == [a, b], inputs != (a, b), inputs[:] == [a, b])
print([x.name for x in inputs[1:] + [a]], [x.name for x in reversed(inputs)])
for act in (
    lambda: inputs + [a],
    lambda: [a] + inputs,
    lambda: inputs[5],
    lambda: inputs["a"],
    lambda: inputs.append(a),
    lambda: tf.add_n(inputs),
    lambda: tf.Session().run(inputs),
):
    try:
        print(act())
    except Exception as error:
        print(type(error).__name__, str(error).split(" object at")[0])
with tf.Session() as session:
    print(session.run(list(inputs)))
print(op.op_def)
print(tf.Variable(1.0).op.op_def.is_stateful, a.op.op_def.attr[1].type, type(op.op_def).__name__)
