"""Private methods and attributes of Keras's layers that subclasses call."""

import tensorflow as tf

K = tf.keras


def shown(function):
    try:
        print(function())
    except Exception as error:
        print(type(error).__name__, error)


class Both(K.layers.Layer):
    def __init__(self, **kwargs):
        super(Both, self).__init__(**kwargs)
        self.first = K.layers.Dense(2, name="first")
        self.others = [K.layers.Dense(1, name="second")]

    def call(self, x, training=None, **kwargs):
        self.add_metric(tf.reduce_sum(x), name="total", aggregation="mean")
        return self.others[0](self.first(x))


layer = Both(name="both")
x = K.Input((3,), name="x")
shown(lambda: layer._get_node_attribute_at_index(0, "input_tensors", "thing"))
layer(x)
shown(lambda: layer._get_node_attribute_at_index(0, "input_tensors", "thing").name)
shown(lambda: layer._get_node_attribute_at_index(3, "input_tensors", "thing"))
for one in (layer, layer.first, Both(dtype="float32")):
    print(one._call_accepts_kwargs, one._call_fn_args, one._dtype_defaulted_to_floatx)
print(layer._get_existing_metric("total").name, layer._get_existing_metric("other"))
print([v.name for v in layer._gather_children_attribute("weights")])
print(layer._gather_children_attribute("updates"))
print(layer._call_arg_was_passed("training", (1,), {}))
print(layer._call_arg_was_passed("training", (1,), {}, True))
print(layer._call_arg_was_passed("training", (), {"training": 1}))
print(layer._get_call_arg_value("training", (1,), {}))
print(layer._get_call_arg_value("x", (5,), {}, inputs_in_args=True))
shown(lambda: layer._get_call_arg_value("training", (), {}))
layer._maybe_create_attribute("kept", [1])
layer._maybe_create_attribute("kept", [2])
print(layer.kept, len(layer._layers))
layer._set_dtype_policy("float16")
print(layer.dtype)
layer._set_dtype_policy(None)
print(layer.dtype)
tensors = layer._set_connectivity_metadata_(x, x, (), {"training": True})
print([tensor.name for tensor in tensors], layer._inbound_nodes[-1].arguments)
layer._metrics.append(layer._metrics[0])
shown(lambda: layer._get_existing_metric("total"))


# Optimizers.


class Halving(K.optimizers.Optimizer):
    """As SGD, with half of each gradient, for float32 alone."""

    def __init__(self, rate=0.1, **kwargs):
        super(Halving, self).__init__("Halving", **kwargs)
        self._set_hyper("rate", rate)

    def _create_slots(self, var_list):
        print([v.op.name for v in var_list])

    def _valid_dtypes(self):
        return {tf.float32}

    def _resource_apply_dense(self, grad, var):
        rate = self._call_if_callable(self._get_hyper("rate", var.dtype))
        return var.assign_sub(rate * grad / 2.0)

    def get_config(self):
        return dict(super(Halving, self).get_config(), rate=self._serialize_hyperparameter("rate"))


variable = tf.Variable([4.0, 2.0], use_resource=True)
wide = tf.Variable([4.0, 2.0], dtype=tf.float64, use_resource=True)
narrow = Halving()
step = narrow.apply_gradients([(tf.constant([1.0, 2.0]), variable)])
shown(lambda: narrow.get_updates(wide[0], [wide]))
shown(lambda: K.optimizers.SGD()._assert_valid_dtypes([tf.constant(1)]))
print(sorted(str(dtype) for dtype in K.optimizers.SGD()._valid_dtypes()))
print(narrow._call_if_callable(lambda: 3), narrow._call_if_callable(4))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(step)
    print(sess.run(variable).tolist())
loss = tf.constant(2.0)
print(tf.train.GradientDescentOptimizer(0.1)._scale_loss(loss) is loss)
