import tensorflow as tf

g1 = tf.Graph()
with g1.as_default():
    a = tf.constant(1.0, name="a")
    v = tf.get_variable("v", initializer=2.0)
    init = tf.global_variables_initializer()
print(a.graph is g1, tf.get_default_graph() is g1)
print([op.name for op in g1.get_operations()])
print(g1.get_tensor_by_name("a:0"), g1.as_graph_element("v"), g1.get_operation_by_name("a").name)
print(g1.unique_name("a"), g1.unique_name("b"), g1.unique_name("a", mark_as_used=False))
print(sorted(g1.collections, key=str), sorted(g1.get_all_collection_keys()))
print(g1.finalized, g1.seed, g1.version)

sess = tf.Session(graph=g1)
for wrong in (
    lambda: sess.run(v),
    lambda: sess.run(tf.constant(1.0)),
    lambda: sess.run("nothing"),
    lambda: sess.run("nothing:0"),
    lambda: sess.run(3),
    lambda: g1.get_tensor_by_name("a"),
    lambda: g1.get_operation_by_name("a:0"),
    lambda: a.eval(),
):
    try:
        wrong()
    except Exception as e:
        print(type(e).__name__ + ":", str(e).split("\n")[0])
sess.run(init)
print(sess.run("v:0"), sess.run(["a:0", v, init]), sess.run({"x": (a, [v])}), sess.run([]))
print(sess.graph is g1, v.eval(session=sess))
sess.close()
try:
    sess.run(a)
except RuntimeError as e:
    print(e)
