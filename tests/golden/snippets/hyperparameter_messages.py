"""Hyperparameters as messages: what is written, what comes back, what is refused."""

from __future__ import print_function

import tensorflow as tf
from tensorflow.contrib.training.python.training import hparam_pb2
from tensorflow.python.util import tf_inspect

HParams = tf.contrib.training.HParams


def shown(function):
    try:
        found = function()
    except Exception as error:
        found = "{}: {}".format(type(error).__name__, error)
    print(found)


many = HParams(
    a=1, b=0.5, c="x", d=[1, 2], e=True, f=[0.5, 2.0], g=["p", "q"], h=[True, False], i=(3, 4)
)
message = many.to_proto()
print(type(message) is hparam_pb2.HParamDef, message.DESCRIPTOR.full_name, len(message.hparam))
print(sorted(HParams(message).values().items()))
print(sorted(HParams.from_proto(message, "scope").values().items()))
print(HParams.from_proto(message).parse("a=4,d=[9]").to_proto().hparam["d"])
for value in 1, 0.1, "x", b"x", [1, 2], [0.1], ["a", b"b"], True, [True, 2], 2**40, 1e300:
    print(repr(value), HParams(k=value).to_proto().SerializeToString())
for value in None, [None], {"a": 1}:
    shown(lambda: HParams(k=value).to_proto())
shown(lambda: HParams(message, z=1))
shown(lambda: HParams(3))
shown(lambda: HParams({}).values())
shown(lambda: HParams(3, z=1))

message = hparam_pb2.HParamDef()
shown(lambda: HParams(message).values())
message.hparam["a"].int64_value = 4
shown(lambda: HParams(message).values())
message.hparam["y"].int64_list.SetInParent()
shown(lambda: HParams(message))
del message.hparam["y"]
message.hparam["w"].Clear()
shown(lambda: HParams(message))
message.hparam["w"].bool_value = True
message.hparam["get"].int64_value = 4
shown(lambda: HParams(message))

print(tf_inspect._inspect.isfunction(shown))
