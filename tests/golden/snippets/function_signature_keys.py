"""Which arguments a function is recorded anew for, and what of it a SavedModel holds."""

import tempfile

import tensorflow as tf

tf.compat.v1.enable_v2_behavior()
Spec = tf.TensorSpec


@tf.function
def f(x):
    print("records", x)
    return 1


def get(*args, **kwargs):
    found = f.get_concrete_function(*args, **kwargs)
    print(found.inputs[0].name, found.structured_input_signature)


f(tf.constant(1.0))
f(tf.constant(2.0))
for spec in (Spec([]), Spec([]), Spec([], name="x"), Spec([], name="y"), Spec([None]), Spec([3])):
    print("==", spec)
    get(spec)
    get(x=spec)
get(tf.constant(1.0))
f(tf.ones([3]))
f((tf.constant(1.0), 2))
get((Spec([]), 2))
get((Spec([], name="part"), 2))


@tf.function(experimental_relax_shapes=True)
def relaxed(x):
    print("records relaxed", x)
    return x


for count in (1, 2, 3, 1):
    relaxed(tf.ones([count]))
print(relaxed.get_concrete_function(tf.ones([3])).inputs)
print(relaxed.get_concrete_function(Spec([3])).inputs)


class Module(tf.Module):
    @tf.function
    def scaled(self, x, by=2.0, on=True):
        print("records scaled", x, by, on)
        return x * by if on else x


module = Module()
module.scaled(tf.constant(1.0))
for place in ("first", "again"):
    print("== saved", place)
    tf.compat.v2.saved_model.save(module, tempfile.mkdtemp())
module.scaled(tf.constant(3.0))
