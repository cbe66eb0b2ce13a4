"""tf.Module and the losses that are averaged over a batch: cases as in layer_cases.py."""

from __future__ import annotations


def _nothing(step):
    return {}


def modules(tf):
    class MyDense(tf.Module):
        def __init__(self, size, name=None):
            super(MyDense, self).__init__(name=name)
            with self.name_scope:
                self.w = tf.Variable(tf.fill([2, size], 0.5), name="w")
                self.b = tf.Variable(tf.zeros([size]), trainable=False, name="b")

        @tf.Module.with_name_scope
        def __call__(self, x):
            return tf.matmul(x, self.w) + self.b

    class Net(tf.Module):
        def __init__(self):
            super(Net, self).__init__("the_net")
            self.layers = [MyDense(2), {"last": MyDense(1, "top")}]
            self.again = self.layers[0]
            self.bias = tf.Variable(1.0)

    net = Net()
    y = net.layers[0](tf.ones([1, 2]))
    y = net.layers[1]["last"](y) + net.bias
    said = [net.name, [v.name for v in net.variables], [v.name for v in net.trainable_variables]]
    said += [[m.name for m in net.submodules], [m.name for m in net.layers[0].submodules]]
    paths = [path for path, _ in net._flatten(with_path=True, recursive=False)]
    said += [sorted(str(path) for path in paths if not path[0].startswith("_self"))]
    return [y], _nothing, said


def regularization(tf):
    return [tf.nn.scale_regularization_loss([1.0, 2.0])], _nothing, []


def average_loss(tf):
    average = tf.nn.compute_average_loss
    loss = tf.constant([1.0, 2.0])
    unknown = tf.placeholder(tf.float32, None)
    fetches = [
        average(loss, tf.constant([1.0, 0.0])),
        average(loss, [[3.0], [1.0]], 8.0),
        average([[1.0, 2.0], [3.0, 4.0]], [1.0, 2.0]),
        average(tf.constant([1.0, 2.0], tf.float64), 0.5),
        average(unknown),
        average(unknown, unknown),
    ]
    return fetches, lambda step: {unknown: [[1.0, 2.0], [3.0, 4.0]]}, [str(y) for y in fetches]


GRAPHS = {"modules": {f.__name__: f for f in (modules, regularization, average_loss)}}


def no_identifier(tf):
    tf.Module("a-b")


def a_scalar_loss(tf):
    tf.nn.compute_average_loss(tf.constant(1.0))


MISTAKES = {"modules": {f.__name__: f for f in (no_identifier, a_scalar_loss)}}
