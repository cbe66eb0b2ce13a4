"""AutoGraph: what functions with Python control flow on tensors record, compute and raise."""

from __future__ import annotations

import ast
import functools
from pathlib import Path

import autograph_cases as cases
import numpy as np
import pytest
import recording

from tf1compat.api.autograph.pyct import names
from tf1compat.core import context

GOLDEN = recording.read_json(str(Path(recording.DATA) / "autograph.json.gz"))


@pytest.fixture
def tf(tensorflow):
    """The `tensorflow` module as after `tf.enable_eager_execution()`."""
    tensorflow.reset_default_graph()
    tensorflow.enable_eager_execution()
    yield tensorflow
    context.set_eager_by_default(False)


@pytest.mark.parametrize("name", cases.CASES)
def test_function(tf, name):
    found = cases.describe(tf, name, name not in cases.SEVERAL)
    expected = GOLDEN[name]
    assert found.get("error") == expected.get("error")
    for part in ("nodes", "bodies"):
        assert found.get(part) == expected.get(part)
    for ours, theirs in zip(found.get("values", ()), expected.get("values", ()), strict=True):
        np.testing.assert_allclose(ours, theirs, 1e-6)


def _sign(x):
    if x > 0:
        return 1
    return -1


def test_in_a_graph(tensorflow):
    tensorflow.reset_default_graph()
    converted = tensorflow.autograph.to_graph(_sign)
    x = tensorflow.placeholder(tensorflow.float32, [])
    y = converted(x)
    with tensorflow.Session() as session:
        assert [session.run(y, {x: value}) for value in (2.0, -2.0)] == [1, -1]


def test_in_a_dataset(tf):
    def even(x):
        if tf.equal(x % 2, 0):
            return x
        return x * 10

    found = tf.data.Dataset.range(4).map(even)
    assert [int(x) for x in found] == [0, 10, 2, 30]
    assert [int(x) for x in tf.data.Dataset.range(3).map(lambda x: -x if x > 1 else x)] == [
        0,
        1,
        -2,
    ]


def test_source_of_converted_code(tf):
    text = tf.autograph.to_code(_sign)
    assert text.startswith("def tf___sign(x):")
    assert "ag__.if_stmt" in text


def test_functions_that_are_not_to_be_converted(tf):
    @tf.autograph.experimental.do_not_convert
    def plain(x):
        return 1 if x > 0 else 2

    with pytest.raises(Exception, match="not allowed"):
        tf.function(plain)(tf.constant(1.0))
    with pytest.raises(Exception, match="not allowed"):
        tf.function(lambda x: 1 if x > 0 else 2, autograph=False)(tf.constant(1.0))


def test_methods_partials_and_super(tf):
    class Base:
        def scale(self, x):
            return x * 2 if x > 0 else x

    class Child(Base):
        def __init__(self):
            self.__k = 3.0

        def scale(self, x):
            y = super().scale(x)
            if y > 4:
                y = y + self.__k
            return y

        @tf.function
        def call(self, x, add=0.0):
            return self.scale(x) + add

    child = Child()
    assert float(child.call(tf.constant(3.0))) == 9.0
    assert float(child.call(tf.constant(1.0), add=1.0)) == 3.0
    partial = functools.partial(child.scale, tf.constant(5.0))
    assert float(tf.function(lambda: partial())()) == 13.0


def test_nonlocal_and_global_names(tf):
    def outer(x):
        total = 0.0

        def add(y):
            nonlocal total
            if y > 0:
                total = total + y

        add(x)
        add(-x)
        return total

    assert float(tf.function(outer)(tf.constant(2.0))) == 2.0


def test_features(tf):
    def checked(x):
        assert x > 0, "too small"
        return x

    everything = tf.autograph.experimental.Feature.ALL
    function = tf.function(checked, experimental_autograph_options=everything)
    assert float(function(tf.constant(1.0))) == 1.0
    with pytest.raises(tf.errors.InvalidArgumentError, match="too small"):
        function(tf.constant(-1.0))

    def listed(n):
        found = []
        for i in tf.range(n):
            found.append(i)
        return found

    assert "list_append" in tf.autograph.to_code(listed, experimental_optional_features=everything)


def test_loop_options(tf):
    def f(n):
        i = tf.constant(0)
        while i < n:
            tf.autograph.experimental.set_loop_options(maximum_iterations=3)
            i += 1
        return i

    assert int(tf.function(f)(tf.constant(10))) == 3


def test_a_function_without_source_runs_as_it_is(tf, caplog):
    namespace = {}
    exec(compile("def f(x):\n    return x + 1", "<made up>", "exec"), namespace)
    assert float(tf.function(namespace["f"])(tf.constant(1.0))) == 2.0


def test_many_comprehensions(tf):
    """Each has variables of its own; what is known of them takes time for each of them once."""

    def f(x, n):
        a = [n * 1 for n in range(3)]
        b = [[i * 1 for i in range(j)] for j in a]
        c = {i: [i * 1 for i in j] for i, j in enumerate(b)}
        d = {k for k, v in c.items() if [u * 1 for u in v]}
        e = [q for q in [q + 1 for q in d] if q in [n * 1 for n in a]]
        g = [w + 1 for w in [w * 1 for w in e]]
        h = [last := i for i in [i * 1 for i in [i * 1 for i in range(4)]]]
        m = [k * 1 for k in {k * 1: v for k, v in c.items()}]
        if x > 0:
            y = [x + n for x in g][0]
        else:
            y = [x - last for n in m][0]
        return y + len(h) + n

    g = tf.function(f, autograph=True)
    for x in (1.0, -1.0):
        assert float(g(tf.constant(x), tf.constant(5.0))) == f(x, 5.0)


def test_names_of_comprehensions():
    def parsed(text):
        return ast.parse(text).body

    assert names.loads(*parsed("[x for x in x if y]")) == {"x", "y"}
    assert names.loads(*parsed("[x for x in y for y in z]")) == {"y", "z"}
    assert names.loads(*parsed("[[a for b in c] for c in d]; b")) == {"a", "b", "d"}
    assert names.loads(*parsed("{k: v for k, v in (lambda: k)()}")) == {"k"}
    assert names.stores(*parsed("a = [b for b in c]; [d := e for e in d]")) == {"a", "d"}
    assert names.stores(*parsed("[[(f := g) for g in h] for h in i]; h = 1")) == {"f", "h"}
