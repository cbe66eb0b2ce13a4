import tensorflow as tf

with tf.variable_scope("foo"):
    with tf.variable_scope("bar"):
        v = tf.get_variable("v", [1])
        t = v + 1.0
print(v.name, t.name)
with tf.variable_scope("foo") as scope:
    w = tf.get_variable("w", [2, 2], tf.float64)
    print(scope.name, scope.original_name_scope, tf.get_variable_scope().reuse)
with tf.variable_scope(scope, reuse=True):
    print(tf.get_variable("w", [2, 2], tf.float64) is w, tf.ones([1]).name)
    print(tf.get_variable_scope().reuse)
with tf.name_scope("names"):
    print(tf.get_variable("plain", []).name, tf.Variable(1.0).name, tf.constant(1.0).name)
with tf.variable_scope(None, default_name="layer"):
    print(tf.get_variable("a", []).name)
with tf.variable_scope(None, default_name="layer"):
    print(tf.get_variable("a", []).name)
for action in (
    lambda: tf.get_variable("plain", []),
    lambda: tf.get_variable("shapeless"),
):
    try:
        action()
    except ValueError as e:
        print(str(e).split(" Originally")[0])
with tf.variable_scope("foo", reuse=True):
    for name, shape in (("missing", [1]), ("w", [3])):
        try:
            tf.get_variable(name, shape)
        except ValueError as e:
            print(e)
print([u.name for u in tf.global_variables()])
print(tf.get_collection(tf.GraphKeys.TRAINABLE_VARIABLES, scope="foo/bar"))
