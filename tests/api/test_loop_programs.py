"""Random programs of nested loops and branches compute what Python computes.

A program is a list of statements, interpreted twice: by NumPy, and by the graph that it records. It
has two values [2] to begin with, `x` (fed) and `y`, two variables, a fed bool and a fed number of
turns.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st

sys.path.append(str(Path(__file__).parents[1]))
import quick_compilation

from tf1compat.runtime import tiers
from tf1compat.runtime.compile import cache

Y = np.array([0.3, -0.4])
STARTS = {"v": np.array([0.1, 0.2]), "w": np.array([-0.3, 0.5])}
MOST = 10  # turns


class Let(NamedTuple):
    """A name for an expression."""

    name: str
    value: Any


class Assign(NamedTuple):
    """Writes a variable; the name is its new value."""

    name: str
    variable: str
    adds: bool
    value: Any


class Cond(NamedTuple):
    """Two blocks, and the expression that each gives; `by` is "fed", "data" or "known"."""

    name: str
    by: str
    data: Any
    branches: Any


class While(NamedTuple):
    """Loop variables that begin as other values; the sum of the first one's values is collected.

    `until` is "count", "fed" or "data".
    """

    name: str
    until: str
    turns: int
    starts: list[str]
    inner: list[str]
    body: list[Any]
    following: list[Any]
    last: list[str]


class Writer:
    """Makes up programs."""

    def __init__(self, seed: int):
        self._random = random.Random(seed)
        self._count = 0
        self.resource = self._random.random() < 0.5

    def _name(self) -> str:
        self._count += 1
        return f"t{self._count}"

    def expression(self, names: list[str], depth: int) -> Any:
        """A nested tuple: ("add", left, right) and the like, or the name of a value."""
        kind = self._random.choice(["name", "name", "number", "mul", "add", "tanh", "sin"])
        if depth <= 0 or kind == "name":
            return self._random.choice(names)
        if kind == "number":
            return round(self._random.uniform(-1, 1), 2)
        count = 2 if kind in ("mul", "add") else 1
        return (kind, *(self.expression(names, depth - 1) for _ in range(count)))

    def block(self, names: list[str], depth: int, count: int) -> tuple[list[Any], list[str]]:
        """So many statements, and the names that there are after them."""
        names, made = list(names), []
        kinds = ["let", "let", "assign", *(["while", "while", "cond", "cond"] if depth else ())]
        for _ in range(count):
            kind = self._random.choice(kinds)
            made.append(getattr(self, f"_{kind}")(names, depth))
            names.append(made[-1].name)
            if kind == "while":
                names += made[-1].last
        return made, names

    def _let(self, names: list[str], depth: int) -> Let:
        return Let(self._name(), self.expression(names, 3))

    def _assign(self, names: list[str], depth: int) -> Assign:
        variable, adds = self._random.choice("vw"), self._random.random() < 0.5
        return Assign(self._name(), variable, adds, self.expression(names, 2))

    def _cond(self, names: list[str], depth: int) -> Cond:
        branches = []
        for _ in range(2):
            body, inside = self.block(names, depth - 1, self._random.randint(0, 2))
            branches.append((body, self.expression(inside, 2)))
        by = self._random.choice(["fed", "data", "known"])
        return Cond(self._name(), by, self.expression(names, 1), branches)

    def _while(self, names: list[str], depth: int) -> While:
        starts = self._random.sample(names, self._random.randint(1, 2))
        inner = [self._name() for _ in starts]
        body, inside = self.block([*names, *inner], depth - 1, self._random.randint(1, 3))
        following = [self.expression(inside, 1) for _ in inner]
        until = self._random.choice(["count", "fed", "data"])
        turns = self._random.randint(0, 3)
        last = [self._name() for _ in inner]
        return While(self._name(), until, turns, starts, inner, body, following, last)


class InPython:
    """Runs a program in NumPy."""

    def __init__(self, flag: bool, turns: int, variables: dict[str, np.ndarray]):
        self._flag, self._turns = flag, turns
        self.variables = dict(variables)

    def _value(self, expression: Any, env: dict[str, Any]) -> Any:
        if isinstance(expression, str):
            return env[expression]
        if isinstance(expression, float):
            return np.full(2, expression)
        kind, *parts = expression
        values = [self._value(part, env) for part in parts]
        return {"mul": np.multiply, "add": np.add, "tanh": np.tanh, "sin": np.sin}[kind](*values)

    def run(self, block: list[Any], env: dict[str, Any]) -> dict[str, Any]:
        """The values after a block."""
        env = dict(env)
        for statement in block:
            getattr(self, f"_{type(statement).__name__.lower()}")(statement, env)
        return env

    def _let(self, s: Let, env: dict[str, Any]) -> None:
        env[s.name] = self._value(s.value, env)

    def _assign(self, s: Assign, env: dict[str, Any]) -> None:
        value = self._value(s.value, env) + (self.variables[s.variable] if s.adds else 0)
        env[s.name] = self.variables[s.variable] = value

    def _cond(self, s: Cond, env: dict[str, Any]) -> None:
        data = self._value(s.data, env).sum() > 0.1
        taken = {"fed": self._flag, "data": data, "known": True}[s.by]
        body, value = s.branches[0 if taken else 1]
        env[s.name] = self._value(value, self.run(body, env))

    def _while(self, s: While, env: dict[str, Any]) -> None:
        values, total = [env[name] for name in s.starts], np.zeros(2)
        most = {"count": s.turns, "fed": self._turns, "data": MOST}[s.until]
        for _ in range(most):
            if s.until == "data" and np.abs(values[0]).sum() >= 1.5:
                break
            inside = self.run(s.body, {**env, **dict(zip(s.inner, values, strict=True))})
            values = [np.tanh(self._value(f, inside) + 0.3) for f in s.following]
            total = total + values[0]
        env.update(zip(s.last, values, strict=True))
        env[s.name] = total


class InGraph:
    """Records a program. Statements wait for those before: `env["before"]`."""

    def __init__(self, tf: Any, flag: Any, turns: Any, resource: bool):
        self._tf, self._flag, self._turns = tf, flag, turns
        self.variables = {
            name: tf.get_variable(name, initializer=tf.constant(start), use_resource=resource)
            for name, start in STARTS.items()
        }

    def _value(self, expression: Any, env: dict[str, Any]) -> Any:
        tf = self._tf
        if isinstance(expression, str):
            return env[expression]
        if isinstance(expression, float):
            return tf.fill([2], tf.constant(expression, tf.float64))
        kind, *parts = expression
        values = [self._value(part, env) for part in parts]
        return {"mul": tf.multiply, "add": tf.add, "tanh": tf.tanh, "sin": tf.sin}[kind](*values)

    def run(self, block: list[Any], env: dict[str, Any]) -> dict[str, Any]:
        """Records a block; the tensors after it."""
        env = dict(env)
        for statement in block:
            with self._tf.control_dependencies([env["before"]]):
                getattr(self, f"_{type(statement).__name__.lower()}")(statement, env)
        return env

    def _let(self, s: Let, env: dict[str, Any]) -> None:
        env[s.name] = self._value(s.value, env)

    def _assign(self, s: Assign, env: dict[str, Any]) -> None:
        tf, variable = self._tf, self.variables[s.variable]
        value = tf.identity(self._value(s.value, env))
        with tf.control_dependencies([value]):
            update = variable.assign_add(value) if s.adds else variable.assign(value)
        with tf.control_dependencies([update]):
            # What is read of a reference would change with it.
            env[s.name] = env["before"] = variable.read_value() * 1.0

    def _cond(self, s: Cond, env: dict[str, Any]) -> None:
        tf = self._tf
        data = tf.reduce_sum(self._value(s.data, env)) > 0.1
        taken = {"fed": self._flag, "data": data, "known": tf.constant(True)}[s.by]

        def branch(body: list[Any], value: Any) -> Any:
            def record() -> Any:
                inside = self.run(body, {**env, "before": tf.identity(env["before"])})
                with tf.control_dependencies([inside["before"]]):
                    return tf.identity(self._value(value, inside))

            return record

        env[s.name] = env["before"] = tf.cond(taken, *(branch(*parts) for parts in s.branches))

    def _while(self, s: While, env: dict[str, Any]) -> None:
        tf = self._tf
        most = {"count": s.turns, "fed": self._turns, "data": MOST}[s.until]

        def test(i: Any, seen: Any, *values: Any) -> Any:
            small = tf.reduce_sum(tf.abs(values[0])) < 1.5
            return tf.logical_and(i < most, small) if s.until == "data" else i < most

        def body(i: Any, seen: Any, *values: Any) -> Any:
            named = dict(zip(s.inner, values, strict=True))
            inside = self.run(s.body, {**env, **named, "before": tf.identity(i)})
            with tf.control_dependencies([inside["before"]]):
                values = [tf.tanh(self._value(f, inside) + 0.3) for f in s.following]
                return [i + 1, seen.write(i, values[0]), *values]

        seen = tf.TensorArray(tf.float64, 0, dynamic_size=True, element_shape=[2])
        start = [0, seen, *(tf.identity(env[name]) for name in s.starts)]
        env["before"], seen, *values = tf.while_loop(test, body, start)
        env.update(zip(s.last, values, strict=True))
        env[s.name] = tf.reduce_sum(seen.stack(), 0)


def check(tf: Any, seed: int) -> None:
    """A program gives the same values and gradients in both, in three runs."""
    writer = Writer(seed)
    program, names = writer.block(["x", "y"], 2, 3)
    wanted = names[-3:]
    x = tf.placeholder(tf.float64, [2])
    flag, turns = tf.placeholder(tf.bool, []), tf.placeholder(tf.int32, [])
    recorder = InGraph(tf, flag, turns, writer.resource)
    env = recorder.run(program, {"x": x, "y": tf.constant(Y), "before": tf.constant(0)})
    values = [tf.identity(env[name]) for name in wanted]
    with tf.control_dependencies([env["before"], *values]):
        last = {name: v.read_value() for name, v in recorder.variables.items()}
    (slope,) = tf.gradients(tf.add_n([tf.reduce_sum(value) for value in values]), x)
    slope = tf.zeros([2]) if slope is None else slope
    variables = STARTS
    draw = random.Random(seed)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for _ in range(3):
            point = np.array([draw.uniform(-1, 1), draw.uniform(-1, 1)])
            feeds = {x: point, flag: draw.random() < 0.5, turns: draw.randint(0, 3)}
            found, after, sloped = session.run([values, last, slope], feeds)

            def in_python(x: np.ndarray, feeds: Any = feeds, before: Any = variables) -> Any:
                python = InPython(feeds[flag], feeds[turns], before)
                env = python.run(program, {"x": x, "y": Y})
                return [env[name] for name in wanted], python.variables

            expected, variables = in_python(point)
            np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)
            for name, value in variables.items():
                np.testing.assert_allclose(after[name], value, rtol=1e-9, atol=1e-12)
            # No gradient goes through a variable, nor through the number of turns.
            if not any(word in repr(program) for word in ("Assign", "'data'")):
                steps = 1e-6 * np.eye(2)
                ends = [[sum(map(np.sum, in_python(point + d)[0])) for d in (e, -e)] for e in steps]
                differences = [(a - b) / 2e-6 for a, b in ends]
                np.testing.assert_allclose(sloped, differences, rtol=1e-4, atol=1e-6)


@pytest.mark.filterwarnings("ignore:Converting sparse IndexedSlices")
def test_a_program_computes_what_python_computes(tensorflow):
    with tiers.tier(tiers.HOST):
        for seed in range(60):
            tensorflow.reset_default_graph()
            check(tensorflow, seed)


@pytest.mark.filterwarnings("ignore:Converting sparse IndexedSlices")
@settings(
    max_examples=6, derandomize=True, database=None, deadline=None,
    phases=(Phase.explicit, Phase.generate),
)  # fmt: skip
@given(seed=st.integers(0, 1 << 30))
@example(seed=3)
def test_a_compiled_program_computes_what_python_computes(tensorflow, seed):
    tensorflow.reset_default_graph()
    with pytest.MonkeyPatch.context() as patch, tiers.tier(tiers.XLA):
        patch.setattr(cache, "compiled", quick_compilation.compiled)
        check(tensorflow, seed)


if __name__ == "__main__":
    from tf1compat import namespace

    for seed in range(*map(int, sys.argv[1:])):
        namespace.tensorflow().reset_default_graph()
        check(namespace.tensorflow(), seed)
        print(seed)
