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


GRAPHS = {"modules": {f.__name__: f for f in (modules, regularization)}}


def no_identifier(tf):
    tf.Module("a-b")


MISTAKES = {"modules": {"no_identifier": no_identifier}}
