"""Operations on devices that are not there, or that have to be together and cannot: what is said.

Each case is run as it is and with soft placement.
"""

from __future__ import annotations

import re

DEVICES = (
    "/cpu:0", "/cpu:1", "/gpu:0", "/job:a", "/job:localhost/task:0", "/job:localhost/task:1",
    "/job:localhost/replica:0", "/job:localhost/replica:1", "/device:XLA_CPU:0", "",
)  # fmt: skip

# Constants: (name, device, groups that it is in).
GROUPS = {
    "three": [("a", "/cpu:0", ""), ("b", "", "a"), ("c", "/cpu:1", "a")],
    "of_a_member": [("a", "/cpu:0", ""), ("b", "", "a"), ("c", "/cpu:1", "b")],
    "forward": [("a", "/cpu:0", "b"), ("b", "/cpu:1", "")],
    "two": [("a", "/cpu:0", ""), ("b", "/cpu:1", ""), ("c", "", "ab")],
    "two_of_two": [
        ("a", "/cpu:0", ""), ("b", "/cpu:1", ""), ("d", "", "a"), ("e", "", "b"), ("c", "", "ab"),
    ],
    "turned": [
        ("a", "/cpu:0", ""), ("b", "/cpu:1", ""), ("d", "", "a"), ("e", "", "b"), ("c", "", "ba"),
    ],
    "of_no_operation": [("a", "/cpu:0", "z"), ("b", "/cpu:1", "z")],
    "parts": [("a", "/job:localhost", ""), ("b", "/cpu:1", "a"), ("c", "/task:0", "a")],
    "parts_that_differ": [("a", "/job:localhost", ""), ("b", "/cpu:1", "a"), ("c", "/cpu:0", "a")],
}  # fmt: skip
for first in DEVICES:
    for second in DEVICES:
        if first != second:
            GROUPS[first + "|" + second] = [("a", first, ""), ("b", second, "a")]


def together(tf, rows):
    """Constants in groups."""
    constants = []
    for name, device, groups in rows:
        with tf.device(device or None):
            constants.append(tf.constant(1.0, name=name))
        names = [b"loc:@" + group.encode() for group in groups]
        if names:
            value = tf.AttrValue(list=tf.AttrValue.ListValue(s=names))
            constants[-1].op._set_attr("_class", value)
    return [constants]


def written(tf, device, other, use_resource):
    """A variable on one device, written on another."""
    with tf.device(device):
        variable = tf.Variable(1.0, name="v", use_resource=use_resource)
    value = tf.constant(2.0)
    with tf.device(other):
        if use_resource:
            op = tf.raw_ops.AssignVariableOp(resource=variable.handle, value=value, name="w")
        else:
            op = tf.raw_ops.Assign(ref=variable._ref(), value=value, name="w").op
    return [op]


def _generated(function):
    from tensorflow.python.data.ops import dataset_ops

    return dataset_ops._GeneratorDataset(0, function, function, function)


PIPELINES = {
    "map": lambda tf, data, f: data.map(f),
    "parallel_map": lambda tf, data, f: data.map(f, 2),
    "filter": lambda tf, data, f: data.filter(lambda x: f(x) >= 0),
    "flat_map": lambda tf, data, f: data.flat_map(
        lambda x: tf.data.Dataset.from_tensors(f(x))
    ),
    "interleave": lambda tf, data, f: data.interleave(
        lambda x: tf.data.Dataset.from_tensors(f(x)), 2
    ),
    "take_while": lambda tf, data, f: data.apply(
        tf.data.experimental.take_while(lambda x: f(x) >= 0)
    ),
    "scan": lambda tf, data, f: data.apply(
        tf.data.experimental.scan(tf.constant(0, tf.int64), lambda s, x: (s + f(x), f(x)))
    ),
    "group": lambda tf, data, f: data.apply(
        tf.data.experimental.group_by_window(lambda x: f(x) % 2, lambda k, d: d.batch(2), 2)
    ),
    "generated": lambda tf, data, f: _generated(f),
    "mapped_batch": lambda tf, data, f: data.map(f).batch(2).prefetch(1),
}  # fmt: skip


def pipeline(tf, name, device):
    """A dataset whose function has an operation on a device."""

    def function(x):
        with tf.device(device):
            return x * 2

    data = tf.data.Dataset.range(3)
    if name == "reduce":
        return [data.reduce(tf.constant(0, tf.int64), lambda a, b: a + function(b))]
    if name == "one_shot":
        return [tf.data.make_one_shot_iterator(data.map(function)).get_next()]
    if name == "outside":
        with tf.device(device):
            data = data.map(lambda x: x * 2)
    else:
        data = PIPELINES[name](tf, data, function)
    iterator = tf.data.make_initializable_iterator(data)
    return [iterator.initializer, iterator.get_next()]


CASES = {"groups " + name: (together, rows) for name, rows in GROUPS.items()}
for pair in (
    ("/cpu:0", "/cpu:0"), ("/cpu:0", "/cpu:1"), ("/cpu:0", "/gpu:0"), ("", "/gpu:0"),
    ("", "/device:XLA_CPU:0"), ("/job:localhost", "/job:ps"),
):  # fmt: skip
    for is_resource in (False, True):
        kind = "resource " if is_resource else "reference "
        CASES[kind + "|".join(pair)] = (written, *pair, is_resource)
for kind in (*PIPELINES, "reduce", "one_shot", "outside"):
    for place in ("/gpu:3", "/job:ps/task:1", "/cpu:2"):
        CASES["dataset " + kind + " " + place] = (pipeline, kind, place)


def run(tf, name, soft):
    """What is said of a case: the class and text of the error, or "" if it runs."""
    make, *args = CASES[name]
    config = tf.ConfigProto(allow_soft_placement=soft, device_count={"CPU": 2})
    with tf.Graph().as_default(), tf.Session(config=config) as session:
        try:
            for fetch in make(tf, *args):
                session.run(fetch)
        except tf.errors.OpError as error:
            return type(error).__name__ + ": " + shortened(error.message)
    return ""


def shortened(text):
    """A text without places of files, and without what TensorFlow adds of where devices were
    asked for and of which kernels there are."""
    text = text.split("Additional information")[0].split("\n\nOriginal stack")[0]
    text = re.sub(r"\(defined at [^)]*\) ?", "", text)
    text = re.sub(
        r"placed on device .*? (?=and node |was colocated|: Cannot)", "", text, flags=re.S
    )
    text = text.split("\nColocation Debug Info")[0]
    text = re.sub(r" +", " ", text).replace(" :", ":").replace(" ]", "]").strip()
    # Which operation it is was said, where the rest is left out.
    return text.split("\n\t [[node")[0].strip()
