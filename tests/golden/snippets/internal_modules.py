"""Helpers of TF's internals that client libraries use."""

import functools

import tensorflow as tf
from tensorflow.python.framework import common_shapes, composite_tensor, ops, registry, tensor_like
from tensorflow.python.framework import smart_cond as smart_module
from tensorflow.python.ops import nn_grad
from tensorflow.python.util import (
    decorator_utils,
    deprecation,
    function_utils,
    keyword_args,
    lazy_loader,
    object_identity,
)


def show(function, *args, **kwargs):
    try:
        print(function(*args, **kwargs))
    except (KeyError, LookupError, TypeError, ValueError) as error:
        print(type(error).__name__, error)


shape = tf.TensorShape
for pair in [([2, 1], [3]), ([2, None], [3]), ([2, 3], [2]), (None, [2]), ([None], [1])]:
    show(common_shapes.broadcast_shape, *map(shape, pair))
    show(common_shapes.is_broadcast_compatible, *map(shape, pair))
show(common_shapes.rank, tf.constant([1.0]))
show(common_shapes.has_fully_defined_shape, tf.constant(1))
show(common_shapes.get_conv_output_size, (5, 6), (2, 2), (1, 2), b"VALID")
show(common_shapes.get_conv_output_size, (5, 6), (2, 2), (1, 2), b"SAME")
show(common_shapes.get_conv_output_size, (5, 5), (7, 2), (1, 2), b"VALID")
show(common_shapes.get_conv_output_size, (5, 5), (3, 2), (1, 2), b"OTHER")


def function(a, b=2, *args, **kwargs):
    """A line.

    More.
    """


class Class(object):
    def method(self, x, y):
        pass

    def __call__(self, q):
        pass


for value in [function, Class().method, Class(), functools.partial(function, b=1)]:
    show(function_utils.fn_args, value)
    show(function_utils.has_kwargs, value)
    show(function_utils.get_func_name, value)
show(function_utils.fn_args, functools.partial(function, 1))
show(function_utils.has_kwargs, 3)
show(function_utils.get_func_name, 3)
show(decorator_utils.get_qualified_name, Class)
show(decorator_utils.validate_callable, 3, "decorator")
for doc in [None, "One line.", function.__doc__]:
    show(decorator_utils.add_notice_to_docstring, doc, "Do.", "None.", "(old)", ["Line.", "Next."])
show(keyword_args.keyword_args_only(function), 1)
things = registry.Registry("things")
things.register(function, "a")
show(lambda: list(things.list()))
show(things.lookup, "b")

key = [1]
table = object_identity.ObjectIdentityDictionary()
table[key] = 2
show(lambda: table)
show(lambda: table[[1]])
members = object_identity.ObjectIdentitySet([key])
show(lambda: (key in members, [1] in members, len(members), list(members)))
show(lambda: object_identity.Reference(key) == key)
show(lambda: object_identity.Reference(key).deref() is key)

sparse = tf.SparseTensor([[0]], [1.0], [2])
show(composite_tensor.replace_composites_with_components, {"a": sparse, "b": 3})
show(sparse._component_metadata)
show(lambda: (sparse._is_graph_tensor, sparse._consumers()))
for kind in [tf.SparseTensor, tf.IndexedSlices, tf.Tensor]:
    print(
        issubclass(kind, composite_tensor.CompositeTensor),
        issubclass(kind, tensor_like._TensorLike),
    )
show(smart_module.smart_constant_value, 2)
show(smart_module.smart_cond, True, lambda: 1, lambda: 2)
with deprecation.silence():
    print(deprecation._PRINT_DEPRECATION_WARNINGS)
later = lazy_loader.LazyLoader("json", globals(), "json")
print(later.dumps([1]), "dumps" in dir(later))


@ops.RegisterGradient("GuidedRelu")
def guided(op, grad):
    return tf.where(0.0 < grad, nn_grad._ReluGrad(op, grad), tf.zeros_like(grad))


x = tf.placeholder(tf.float32, [3])
with tf.get_default_graph().gradient_override_map({"Relu": "GuidedRelu"}):
    y = tf.nn.relu(x) * x
print(tf.Session().run(tf.gradients(y, x), {x: [1.0, -2.0, 3.0]}))
