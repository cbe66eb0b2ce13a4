"""`MultiDeviceIteratorV2`: elements dealt out to devices, in eager execution."""

import tensorflow as tf
from tensorflow.python.data.ops import multi_device_iterator_ops as iterators


def attempt(label, function):
    try:
        print(label, function())
    except Exception as error:
        print(label, type(error).__name__, str(error).split("\n")[0])


def numbers(element):
    return [tensor.numpy() for tensor in tf.nest.flatten(element)]


Iterator = iterators.MultiDeviceIteratorV2
range_of = tf.data.Dataset.range
with tf.Graph().as_default():
    attempt("graph", lambda: Iterator(range_of(3), ["/cpu:0"]))
tf.enable_v2_behavior()
cpu = tf.config.experimental.list_physical_devices("CPU")[0]
three = [tf.config.experimental.VirtualDeviceConfiguration()] * 3
tf.config.experimental.set_virtual_device_configuration(cpu, three)
DEVICES = ["/cpu:1", "/cpu:2"]
it = Iterator(range_of(7), DEVICES)
print(numbers(it.get_next()), numbers(it.get_next("/cpu:2")), numbers(it.get_next("/cpu:1")))
print(numbers(next(it)), it.element_spec)
attempt("end", lambda: numbers(next(it)))
attempt("end", lambda: numbers(next(it)))
for size in (0, 3):
    it = Iterator(range_of(5), DEVICES, max_buffer_size=2, prefetch_buffer_size=size)
    print([numbers(element) for element in it])
it = Iterator(range_of(3), DEVICES)
for _ in range(2):
    print([optional.has_value().numpy() for optional in it.get_next_as_optional()])
for kwargs in (
    {"dataset": range_of(3)},
    {"devices": DEVICES},
    {"dataset": range_of(3), "devices": DEVICES, "element_spec": 1},
):
    attempt(sorted(kwargs), lambda kwargs=kwargs: Iterator(**kwargs))
it = Iterator(range_of(9), DEVICES)
spec = it._type_spec
same = iterators.MultiDeviceIteratorSpec.from_value(it)
print(spec, spec == same, hash(spec) == hash(same), spec.value_type.__name__)
print([type(part).__name__ for part in spec._to_components(it)])


@tf.function
def following(it):
    return it.get_next()


for _ in range(2):
    print(numbers(following(it)))
