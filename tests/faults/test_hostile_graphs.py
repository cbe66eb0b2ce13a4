"""Graphs that nobody means well with, or that are very deep: clean errors, and no limit of
Python's recursion."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import hostile_cases
import numpy as np
import pytest
import recording

GOLDENS = recording.read_json(str(Path(recording.DATA) / "hostile.json"))

# Where what is said differs from TensorFlow's: a reason for each.
OTHERWISE = {
    "next_iteration_alone": "TensorFlow runs it, once too often: InternalError",
    "tensor_huge_of_two": "as protobuf prints numbers today",
    "negative_shape": "found a step earlier",
    "huge_shape": "a feed of another shape is refused first",
    "tensor_huge": "the memory that it takes is what is refused",
    "tensor_negative": "text",
    "tensor_overflowing": "text",
    "tensor_other_dtype": "said at the import, so a ValueError",
    "python_function": "without TensorFlow's own traceback",
    "function_not_there": "class and text",
}


@pytest.mark.parametrize("tier", ["host", "xla"])
@pytest.mark.parametrize(
    ("name", "graph_def", "feeds"), hostile_cases.CASES, ids=[c[0] for c in hostile_cases.CASES]
)
def test_graph_def(tf: Any, tier: str, name: str, graph_def: str, feeds: dict) -> None:
    from tf1compat.runtime import tiers

    with tiers.tier(tier):
        found, expected = hostile_cases.run(tf, graph_def, feeds), GOLDENS[name]
    if isinstance(found, list):
        kind = getattr(tf.errors, found[0], None) or {"Cycle": NotImplementedError}.get(found[0])
        assert kind is not None or found[0] in ("ValueError", "TypeError"), found
    if name in OTHERWISE or expected == "the process ends":
        assert isinstance(found, list) and found != expected
    else:
        assert _shortened(found) == _shortened(expected)


def _shortened(result: Any) -> Any:
    """Without the op def, which TensorFlow prints in more ways than one."""
    return (
        result
        if isinstance(result, str)
        else [result[0], re.split("; (NodeDef|Op<)", result[1])[0]]
    )


def test_every_case_is_recorded() -> None:
    assert set(GOLDENS) == {name for name, _, _ in hostile_cases.CASES}


def _nested(tf: Any, depth: int) -> Any:
    """So many conditionals inside each other, all on one predicate."""
    graph = tf.GraphDef()

    def node(name: str, op: str, *inputs: str, kind: int = 1) -> str:
        definition = graph.node.add(name=name, op=op, input=inputs)
        definition.attr["dtype" if op == "Placeholder" else "T"].type = kind
        if op == "Merge":
            definition.attr["N"].i = len(inputs)
        return name

    value, predicate = node("x", "Placeholder"), node("p", "Placeholder", kind=10)
    for i in range(depth):
        value = node(f"s{i}", "Switch", value, predicate) + ":1"
        predicate = node(f"p{i}", "Switch", predicate, predicate, kind=10) + ":1"
    value = node("inner", "Neg", value)
    for i in reversed(range(depth)):
        value = node(f"m{i}", "Merge", node(f"f{i}", "Neg", f"s{i}"), value)
    return graph


def _on_their_own(tf: Any, depth: int) -> Any:
    """So many conditionals inside each other, whose predicates are computed in them."""
    graph = tf.GraphDef()

    def node(name: str, op: str, *inputs: str) -> str:
        definition = graph.node.add(name=name, op=op, input=inputs)
        definition.attr["dtype" if op == "Placeholder" else "T"].type = 1
        if op == "Merge":
            definition.attr["N"].i = len(inputs)
        return name

    value = node("x", "Placeholder")
    for i in range(depth):
        switch = node(f"s{i}", "Switch", value, node(f"p{i}", "Greater", value, f"n{i}"))
        node(f"n{i}", "Sub", value, "one") if not i else node(f"n{i}", "Neg", value)
        value = node(f"a{i}", "Abs", switch + ":1")
    constant = graph.node.add(name="one", op="Const")
    constant.attr["dtype"].type = 1
    constant.attr["value"].tensor.CopyFrom(tf.make_tensor_proto(1.0))
    value = node("inner", "Neg", value)
    for i in reversed(range(depth)):
        value = node(f"m{i}", "Merge", node(f"f{i}", "Neg", f"s{i}"), value)
    return graph


def _identities(tf: Any, depth: int) -> Any:
    graph = tf.GraphDef()
    graph.node.add(name="x", op="Placeholder").attr["dtype"].type = 1
    graph.node.add(name="p", op="Placeholder").attr["dtype"].type = 10
    for i in range(depth):
        op = "Identity" if i % 2 else "Neg"
        before = f"m{depth - i}" if i else "x"
        graph.node.add(name=f"m{depth - i - 1}", op=op, input=[before]).attr["T"].type = 1
    return graph


@pytest.mark.parametrize("make", [_nested, _identities])
def test_deep_graph(tf: Any, make: Any, long: bool) -> None:
    """Imported, run, differentiated, exported: deeper than Python's recursion goes."""
    depth = (2000 if make is _nested else 100_000) if long else (1100 if make is _nested else 5000)
    assert depth > sys.getrecursionlimit()
    x, p, y = tf.import_graph_def(make(tf, depth), name="", return_elements=["x:0", "p:0", "m0:0"])
    sign = -1.0 if make is _nested else (-1.0) ** (depth - depth // 2)
    with tf.Session() as session:
        from tf1compat import set_tier

        set_tier("host", session)
        assert session.run(y, {x: 2.0, p: True}) == 2 * sign
        if make is _identities or long:
            (gradient,) = tf.gradients(y, x)
            assert session.run(gradient, {x: 2.0, p: True}) == sign
    assert len(tf.get_default_graph().as_graph_def().node) > depth


def test_deep_conditionals_in_xla(tf: Any, long: bool, compiled_quickly: None) -> None:
    """Deeper than XLA's own go: the predicates are worked out first."""
    from tf1compat import set_tier

    depth = 2000 if long else 300
    x, p, y = tf.import_graph_def(
        _nested(tf, depth), name="", return_elements=["x:0", "p:0", "m0:0"]
    )
    fetches = [y, *tf.gradients(y, x)]
    with tf.Session() as session:
        set_tier("xla", session)
        for pred in (True, False):
            assert session.run(fetches, {x: 2.0, p: pred}) == [-2.0, -1.0]
    with tf.Session() as session:  # A predicate that the program works out.
        set_tier("xla", session)
        inside = tf.import_graph_def(
            _nested(tf, depth), {"p": x > 1.0, "x": x}, return_elements=["m0:0"], name="computed"
        )
        assert session.run(inside, {x: 2.0}) == [-2.0]


@pytest.mark.parametrize("tier", ["host", "xla"])
def test_conditionals_on_their_own(tf: Any, tier: str, long: bool, compiled_quickly: None) -> None:
    """No program of XLA holds so many, nor could it be cut so often: the host has them."""
    from tf1compat.runtime import tiers

    graph_def = _on_their_own(tf, 2000 if long else 150)
    x, y = tf.import_graph_def(graph_def, name="", return_elements=["x:0", "m0:0"])
    fetches = [y, *tf.gradients(y, x)]
    with tiers.tier(tier), tf.Session() as session:
        for value in (2.0, 0.0):
            expected = [-2.0, -1.0] if value else [0.0, 0.0]
            assert session.run(fetches, {x: value}) == expected


def _functions(tf: Any, depth: int) -> Any:
    """A call of a function that calls another, and so on."""
    graph = tf.GraphDef()
    for i in range(depth):
        function = graph.library.function.add()
        function.signature.name = f"f{i}"
        function.signature.input_arg.add(name="x", type=1)
        function.signature.output_arg.add(name="y", type=1)
        op = f"f{i + 1}" if i < depth - 1 else "Neg"
        node = function.node_def.add(name="n", op=op, input=["x"])
        if op == "Neg":
            node.attr["T"].type = 1
        function.ret["y"] = "n:y:0"
    graph.node.add(name="x", op="Placeholder").attr["dtype"].type = 1
    graph.node.add(name="y", op="f0", input=["x"])
    return graph


@pytest.mark.parametrize("tier", ["host", "xla"])
def test_functions_inside_each_other(
    tf: Any, tier: str, long: bool, compiled_quickly: None
) -> None:
    from tf1compat.runtime import tiers

    depth = 2000 if long else 1100
    assert depth > sys.getrecursionlimit()
    graph_def = _functions(tf, depth)
    x, y = tf.import_graph_def(graph_def, name="", return_elements=["x:0", "y:0"])
    with tiers.tier(tier), tf.Session() as session:
        assert session.run(y, {x: 2.0}) == -2.0
        if long:
            (gradient,) = tf.gradients(y, x)
            assert session.run(gradient, {x: 2.0}) == -1.0
    assert len(tf.get_default_graph().as_graph_def().library.function) == depth


def test_deep_graph_in_xla_and_jax(tf: Any, compiled_quickly: None) -> None:
    from tf1compat import migrate, set_tier

    depth = 1500
    x, p, y = tf.import_graph_def(
        _identities(tf, depth), name="", return_elements=["x:0", "p:0", "m0:0"]
    )
    with tf.Session() as session:
        set_tier("xla", session)
        assert session.run(y, {x: 2.0}) == 2.0
    function, params = migrate.to_jax(y, [x])
    assert function(params, np.float32(2)) == 2.0


def test_loaded_graph_runs_no_python(tf: Any) -> None:
    """A token in a file refers to no function of this process: not even to one that is there."""
    called = []
    tf.py_func(lambda x: called.append(x), [1.0], tf.float32, name="own")
    tokens = [
        op.get_attr("token")
        for op in tf.get_default_graph().get_operations()
        if op.type == "PyFunc"
    ]
    text = hostile_cases.ONE + hostile_cases.node(
        "a", "PyFunc", "c", Tin=hostile_cases.LIST, Tout=hostile_cases.LIST,
        token=f's: "{tokens[0].decode()}x"',
    )  # fmt: skip
    found = hostile_cases.run(tf, text, {})
    assert found[0] == "InvalidArgumentError" and "is not found" in found[1]
    assert not called
