"""What TensorFlow's `inspect` and its relatives say of functions that are decorated."""

import functools
import json

import tensorflow as tf
from tensorflow.python.util import (
    decorator_utils,
    function_utils,
    lock_util,
    object_identity,
    serialization,
    tf_contextlib,
    tf_decorator,
    tf_inspect,
)


def show(function, *args, **kwargs):
    try:
        print(function.__name__, function(*args, **kwargs))
    except Exception as error:
        print(function.__name__, type(error).__name__, error)


def base(x, y=2, *rest, **more):
    return x


def required(a, b, c=3):
    return a


@functools.wraps(required)
def wrapped(*args, **kwargs):
    return required(*args, **kwargs)


def keyword_only(features, *, mode):
    return features, mode


def decorated(target, name, spec=None):
    def call(*args, **kwargs):
        return target(*args, **kwargs)

    return tf_decorator.make_decorator(target, call, name, "", spec)


class Callable(object):
    def __init__(self, size):
        self.size = size

    def __call__(self, inputs, training=False):
        return inputs

    def method(self, inputs):
        return inputs


@tf_contextlib.contextmanager
def manager(a, b=2):
    yield a + b


twice = decorated(decorated(base, "one"), "two")
told = decorated(base, "told", tf_inspect.ArgSpec(["p", "q"], None, None, (5,)))
for function in (base, twice, told, wrapped, keyword_only, manager, Callable, Callable(1), 3):
    show(tf_inspect.getargspec, function)
for function in (
    base,
    twice,
    told,
    wrapped,
    keyword_only,
    manager,
    Callable(1),
    Callable(1).method,
):
    show(function_utils.fn_args, function)
    show(function_utils.has_kwargs, function)
for partial in (
    functools.partial(base, 1),
    functools.partial(base, y=1),
    functools.partial(base, other=1),
    functools.partial(required, b=4),
    functools.partial(required, a=4),
    functools.partial(required, a=4, b=5),
    functools.partial(required, other=5),
    functools.partial(functools.partial(required, 1), b=2),
):
    show(tf_inspect.getargspec, partial)
show(tf_inspect.getcallargs, twice, 1, 5, 6, q=7)
show(tf_inspect.getcallargs, base)
show(tf_inspect.getcallargs, keyword_only, 1)
print(sorted(tf_inspect.getcallargs(Callable(1).method, 7)))
show(decorator_utils.add_notice_to_docstring, "One", "Do.", "None.", "(new)", [])
print(manager._tf_decorator.decorator_name)

lock = lock_util.GroupLock(num_groups=2)
lock.acquire(0)
lock.release(0)
lock.release(0)
with lock.group(1):
    print("held", lock._num_groups)

kept = Callable(1)
by_key = object_identity.ObjectIdentityWeakKeyDictionary()
by_key[kept] = 1
members = object_identity.ObjectIdentityWeakSet()
members.add(kept)
print(len(by_key), by_key[kept], len(members), kept in members)
del kept
print(list(members), len(members))

for value in (tf.float32, tf.TensorShape([None, 2])):
    try:
        print(json.dumps(value, default=serialization.get_json_type))
    except TypeError as error:
        print(error)


def model_fn(features, labels, *, mode):
    raise NotImplementedError


@functools.wraps(model_fn)
def wrapped_model_fn(*args, **kwargs):
    raise NotImplementedError


for function in (model_fn, wrapped_model_fn, decorated(model_fn, "model")):
    try:
        print(type(tf.estimator.Estimator(function, "/tmp/unused")).__name__)
    except ValueError as error:
        print(str(error).split(" must ")[-1])
