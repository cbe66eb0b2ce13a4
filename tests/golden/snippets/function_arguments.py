"""What a `tf.function` is recorded again for, and what it refuses."""

import collections

import tensorflow as tf

tf.enable_eager_execution()
recorded = []


@tf.function
def f(x, y=None):
    recorded.append(x)
    return tf.constant(1)


def count(*args):
    before = len(recorded)
    try:
        f(*args)
    except (AttributeError, TypeError) as error:
        return type(error).__name__, str(error)
    return len(recorded) - before


class Unhashable(object):
    __hash__ = None


class Bare(object):
    __slots__ = ()
    __hash__ = None


P = collections.namedtuple("P", "a b")
Q = collections.namedtuple("Q", "a b")
ordered = collections.OrderedDict([("a", 1), ("b", 2)])
for values in (
    [1, 1, True, 1.0, 2, "1", None, False, 0, 0.0],
    [P(1, 2), Q(1, 2), (1, 2), [1, 2], {0: 1, 1: 2}, P(1, 3), (1, (2,))],
    [ordered, {"b": 2, "a": 1}, {"a": 1, "b": 2}, collections.defaultdict(int, a=1, b=2)],
    [frozenset([1]), frozenset([1]), frozenset([2]), tf.float32, tf.int32, tf.float32],
    [{1, 2}, set(), [1, {2}], {1: {2}}, tf.TensorShape([1]), collections.deque([1])],
    [Unhashable(), Bare(), bytearray(b"a"), {1: 2}.keys(), {1: 2}.items()],
    [{1: 2}.values(), {1: 2}.values()],
):
    for value in values:
        print(type(value).__name__, count(value))
print(count(tf.constant(1), {1}), count(1, 2), count(2, 1), count(1, 2))
