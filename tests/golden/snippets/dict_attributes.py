"""Dicts that are attributes: how they print, and the order of what is in them."""

import collections
import copy
import os
import tempfile

import tensorflow as tf

tf.compat.v1.enable_v2_behavior()
c = tf.train.Checkpoint()
c.m = {"a": 1}
c.l = [1, 2]
c.t = (1, [2])
c.o = {"n": {"x": [1]}}
c.od = collections.OrderedDict(a=1, b=[2])
c.dd = collections.defaultdict(list)


def text(ordered):
    """An ordered dict in print, with its items in a list: Pythons differ in how they write it."""
    return repr(ordered).replace(repr(collections.OrderedDict(ordered)), str(list(ordered.items())))


for n in "m l t o od dd".split():
    v = getattr(c, n)
    forms = [str(v), repr(v), "{}".format(v), "%r" % (v,), str([v])]
    if n == "od":
        forms = [form.replace(repr(collections.OrderedDict(v)), "ordered") for form in forms]
    print(n, type(v).__name__, *forms)
print(
    isinstance(c.od, collections.OrderedDict),
    list(c.od),
    text(copy.copy(c.od)),
    text(copy.deepcopy(c.od)),
    tf.nest.flatten(c.od),
    type(tf.nest.map_structure(lambda x: x, c.od)).__name__,
)
c.od["z"] = {"q": 1}
print(
    text(c.od),
    c.od.pop("a"),
    text(c.od),
    dict(c.od),
    c.od == collections.OrderedDict([("b", [2]), ("z", {"q": 1})]),
)
c.od.move_to_end("b")
print(text(c.od), text(c.od.copy()), type(c.od.copy()).__name__)


class M(tf.keras.Model):
    def __init__(self):
        super(M, self).__init__()
        self.ls = collections.OrderedDict(
            [("b", tf.keras.layers.Dense(1)), ("a", tf.keras.layers.Dense(2))]
        )

    def call(self, x):
        for layer in self.ls.values():
            x = layer(x)
        return x


m = M()
m(tf.ones([1, 3]))
print([v.name for v in m.variables], [layer.name for layer in m.layers])
p = tf.train.Checkpoint(m=m).save(os.path.join(tempfile.mkdtemp(), "c"))
print(tf.train.list_variables(p))
D = tf.keras.layers.Dense


class M(tf.keras.Model):
    def __init__(self, ls):
        super(M, self).__init__()
        self.ls = ls

    def call(self, x):
        for layer in self.ls.values():
            x = layer(x)
        return x


for d in (
    {"b": D(1, name="b"), "a": D(2, name="a")},
    collections.OrderedDict([("b", D(1, name="b")), ("a", D(2, name="a"))]),
    {"z": {"k": D(1, name="zk"), "c": D(2, name="zc")}, "y": [D(2, name="y")]},
    {2: D(1, name="2"), 10: D(2, name="10")},
):
    m = M(d)
    try:
        m(tf.ones([1, 3]))
    except Exception as e:
        print(type(e).__name__)
    print(
        [v.name for v in m.variables],
        [x.name for x in m.layers],
        [x.name for x in m.submodules] if hasattr(m, "submodules") else None,
    )


class P(tf.Module):
    def __init__(self):
        self.d = {"b": tf.Variable(1.0, name="b"), "a": tf.Variable(2.0, name="a")}


print([v.name for v in P().variables])


class L(tf.keras.layers.Layer):
    def __init__(self):
        super(L, self).__init__()
        self.d = {"b": D(1, name="b"), "a": D(2, name="a")}
        self.d["0"] = D(3, name="0")

    def call(self, x):
        return [layer(x) for layer in self.d.values()]


layer = L()
layer(tf.ones([1, 2]))
print([v.name for v in layer.weights])


class N(tf.keras.Model):
    def __init__(self):
        super(N, self).__init__()
        self.m = tf.contrib.checkpoint.Mapping()
        self.m["b"] = D(1, name="b")
        self.m["a"] = D(2, name="a")

    def call(self, x):
        return self.m["a"](self.m["b"](x))


n = N()
n(tf.ones([1, 3]))
print([v.name for v in n.variables], [layer.name for layer in n.layers])
