"""The passes of a plan, each on graphs of a few operations."""

from __future__ import annotations

import numpy as np
import pytest

from tf1compat.runtime import plan, tiers
from tf1compat.runtime.decisions import NOTHING, Decisions, too_small
from tf1compat.runtime.plan import branches, variable_key
from tf1compat.runtime.trace.values import random_key


def names(ops) -> list[str]:
    return [op.name for op in ops]


def versions(effects, op, variable) -> int:
    """The version of `variable` that `op` sees; 0 is what the run found."""
    return effects.visible[op].get(variable_key(variable._ref()), 0)


class TestPrune:
    def test_keeps_what_the_target_needs(self, tf):
        a = tf.placeholder(tf.float32, name="a")
        b = tf.exp(a, name="b")
        tf.exp(b, name="unneeded")
        c = tf.negative(b, name="c")
        assert names(plan.prune([c.op], set())) == ["a", "b", "c"]

    def test_cuts_at_feeds(self, tf):
        b = tf.exp(tf.placeholder(tf.float32, name="a"), name="b")
        c = tf.negative(b, name="c")
        assert names(plan.prune([c.op], {b})) == ["c"]

    def test_leaves_out_what_nobody_reads(self, tf):
        a = tf.placeholder(tf.float32, name="a")
        unread = tf.exp(tf.negative(a, name="b"), name="c")
        with tf.control_dependencies([unread]):
            d = tf.identity(a, name="d")
        steps = plan.prune([d.op], set())
        assert names(steps) == ["a", "b", "c", "d"]
        assert [len(op._outputs) for op in steps] == [1, 0, 0, 1]
        assert [op._inputs for op in steps[1:3]] == [[], []]
        every = plan.prune([d.op], set(), every=True)
        assert names(every) == names(steps)
        assert every[2] is unread.op
        assert plan.prune([d.op, unread.op], set()) == every

    def test_keeps_an_op_of_which_one_output_is_not_fed(self, tf):
        a, b = tf.split(tf.placeholder(tf.float32, [2], name="x"), 2, name="s")
        c = tf.add(a, b, name="c")
        assert names(plan.prune([c.op], {a})) == ["x", "s/split_dim", "s", "c"]
        assert names(plan.prune([c.op], {a, b})) == ["c"]

    def test_follows_control_edges(self, tf):
        first = tf.no_op(name="first")
        with tf.control_dependencies([first]):
            second = tf.constant(1.0, name="second")
        assert names(plan.prune([second.op], set())) == ["first", "second"]

    def test_leaves_out_what_is_done_and_what_only_that_needs(self, tf):
        a = tf.exp(tf.placeholder(tf.float32, name="x"), name="a")
        with tf.control_dependencies([a]):
            b = tf.constant(1.0, name="b")
        assert names(plan.prune([b.op], set(), done={a.op})) == ["b"]

    def test_an_edge_against_the_order_of_creation(self, tf):
        early = tf.no_op(name="early")
        late = tf.no_op(name="late")
        early._add_control_input(late)
        assert names(plan.prune([early], set())) == ["late", "early"]

    def test_a_cycle_is_refused(self, tf):
        a, b = tf.no_op(name="a"), tf.no_op(name="b")
        a._add_control_input(b)
        b._add_control_input(a)
        with pytest.raises(NotImplementedError, match="The graph has a loop through operation 'a'"):
            plan.prune([a], set())

    def test_an_unsupported_op_is_named(self, tf):
        op = tf.get_default_graph().create_op("Abort", [], name="stop")
        op._spec = type(op._spec)("Abort")
        with pytest.raises(NotImplementedError, match=r"Op type Abort \(operation 'stop'\)"):
            plan.prune([op], set())


class TestEffects:
    def test_a_read_without_order_sees_what_the_run_found(self, tf):
        v = tf.Variable(1.0)
        update = tf.assign_add(v, 1.0)
        read = tf.add(v, 0.0, name="read")
        ops = plan.prune([update.op, read.op], set())
        effects = plan.order_effects(ops, set())
        assert versions(effects, read.op, v) == 0
        assert versions(effects, update.op, v) == 1
        assert effects.written == {variable_key(v._ref()): 1}

    def test_a_control_edge_orders_a_read_after_a_write(self, tf):
        v = tf.Variable(1.0)
        update = tf.assign_add(v, 1.0)
        with tf.control_dependencies([update]):
            after = tf.add(v, 0.0)
        ops = plan.prune([after.op], set())
        assert versions(plan.order_effects(ops, set()), after.op, v) == 1

    def test_a_data_edge_orders_too_and_the_order_is_inherited(self, tf):
        v = tf.Variable(1.0)
        update = tf.assign_add(v, 1.0)
        computed = tf.exp(update)
        with tf.control_dependencies([computed]):
            between = tf.no_op()
        with tf.control_dependencies([between]):
            after = tf.add(v, 0.0)
        ops = plan.prune([after.op], set())
        assert versions(plan.order_effects(ops, set()), after.op, v) == 1

    def test_writes_follow_each_other_in_order_of_creation(self, tf):
        v, w = tf.Variable(1.0), tf.Variable(1.0)
        updates = [tf.assign_add(v, 1.0), tf.assign(v, 5.0), tf.assign_sub(w, 1.0)]
        effects = plan.order_effects(plan.prune([u.op for u in updates], set()), set())
        assert [effects.writes[u.op] for u in updates] == [
            {variable_key(v._ref()): 1},
            {variable_key(v._ref()): 2},
            {variable_key(w._ref()): 1},
        ]

    def test_a_fed_reference_orders_nothing(self, tf):
        v = tf.Variable(1.0)
        update = tf.assign_add(v, 1.0)
        after = tf.exp(update)
        ops = plan.prune([after.op], {update})
        assert names(ops) == [after.op.name]
        assert plan.order_effects(ops, {update}).written == {}

    def test_the_branches_of_a_diamond_are_merged(self, tf):
        v, w = tf.Variable(1.0), tf.Variable(1.0)
        with tf.control_dependencies([tf.assign_add(v, 1.0), tf.assign_add(w, 1.0)]):
            both = v + w
        effects = plan.order_effects(plan.prune([both.op], set()), set())
        assert (versions(effects, both.op, v), versions(effects, both.op, w)) == (1, 1)


def levels(tf, *targets, feeds=(), cuts=()):
    ops = plan.prune([t.op for t in targets], set(feeds))
    parts = plan.partition(ops, set(feeds), Decisions(cuts=frozenset(cuts)))
    return [(names(part.device), names(part.host)) for part in parts]


class TestPartition:
    def test_the_usual_run_is_one_region(self, tf):
        x = tf.placeholder(tf.float32, name="x")
        y = tf.multiply(tf.exp(x, name="e"), 2.0, name="y")
        assert levels(tf, y, feeds=[x]) == [(["e", "y"], [])]

    def test_a_host_step_ends_a_level(self, tf):
        x = tf.placeholder(tf.float32, name="x")
        a = tf.exp(x, name="a")
        called = tf.py_func(np.sin, [a], tf.float32, name="called")
        b = tf.exp(called, name="b")
        parts = levels(tf, b, feeds=[x])
        assert parts == [(["a"], ["called"]), (["b"], [])]

    def test_what_does_not_wait_for_the_host_runs_with_what_does(self, tf):
        x = tf.placeholder(tf.float32, name="x")
        called = tf.py_func(np.sin, [x], tf.float32, name="called")
        other = tf.exp(x, name="other")
        last = tf.add(called, other, name="last")
        assert levels(tf, last, feeds=[x]) == [([], ["called"]), (["other", "last"], [])]

    def test_a_control_edge_from_the_host_counts(self, tf):
        x = tf.placeholder(tf.float32, name="x")
        called = tf.py_func(np.sin, [x], tf.float32, name="called")
        with tf.control_dependencies([called]):
            after = tf.exp(x, name="after")
        assert levels(tf, after, feeds=[x]) == [([], ["called"]), (["after"], [])]

    def test_a_cut_pushes_an_op_and_what_needs_it_to_the_next_level(self, tf):
        x = tf.placeholder(tf.int32, [2], name="x")
        shape = tf.add(x, x, name="shape")
        filled = tf.fill(shape, 1.0, name="filled")
        last = tf.exp(filled, name="last")
        assert levels(tf, last, feeds=[x]) == [(["shape", "filled", "last"], [])]
        cut = (filled.op, 0)
        assert levels(tf, last, feeds=[x], cuts=[cut]) == [
            (["shape"], []),
            (["filled", "last"], []),
        ]

    def test_constants_belong_to_no_level(self, tf):
        x = tf.placeholder(tf.float32, [2, 2], name="x")
        axes = tf.range(0, 2, name="axes")
        total = tf.reduce_sum(x, axes, name="total")
        assert levels(tf, total, feeds=[x]) == [(["total"], [])]

    def test_text_stays_on_the_host(self, tf):
        text = tf.placeholder(tf.string, [2], name="text")
        same = tf.identity(text, name="same")
        assert levels(tf, same, feeds=[text]) == [([], ["same"])]


class TestCalls:
    def test_a_call_becomes_its_body(self, tf):
        @tf.function
        def double(x):
            return tf.add(x, x, name="inside")

        y = double(tf.placeholder(tf.float32, [], name="x"))
        ops = plan.prune([y.op], set())
        assert names(ops)[:2] == ["x", "inside"]
        assert y.op not in ops
        assert ops[-1]._outputs == [y]

    def test_a_generator_is_that_of_its_call_in_every_plan(self, tf):
        @tf.function
        def draw():
            return tf.random_uniform([])

        @tf.function
        def twice():
            return draw() + draw()

        y = twice()
        first, second = (
            [random_key(op) for op in plan.prune([y.op], set()) if op._spec.random]
            for _ in range(2)
        )
        assert first == second
        assert len(set(first)) == 2

    def test_calls_inside_a_body_are_expanded_too(self, tf):
        @tf.function
        def inner(x):
            return tf.exp(x, name="deep")

        @tf.function
        def outer(x):
            return inner(x) + 1.0

        y = outer(tf.placeholder(tf.float32, [], name="x"))
        ops = plan.prune([y.op], set())
        assert "deep" in names(ops)
        position = names(ops).index
        assert position("x") < position("deep") < len(ops) - 1

    def test_an_effect_in_a_body_is_ordered_with_those_outside(self, tf):
        v = tf.Variable(1.0, use_resource=True)

        @tf.function
        def update():
            v.assign_add(1.0)
            return v.read_value()

        inside = update()
        with tf.control_dependencies([inside]):
            after = v.read_value()
        effects = plan.order_effects(plan.prune([after.op], set()), set())
        key = variable_key(v.handle)
        assert effects.written == {key: 1}
        assert effects.visible[after.op][key] == 1


def grouped(fetches, feeds=()):
    """The steps of a program: names, and for branches the names inside."""
    targets = [tensor.op for tensor in fetches]
    ops = plan.prune(targets, set(feeds))
    effects = plan.order_effects(ops, set(feeds))
    steps = branches.group(ops, set(feeds), effects, fetches)
    return [names(step.branches) if hasattr(step, "branches") else step.name for step in steps]


class TestBranches:
    def test_one_step_from_switch_to_merge(self, tf):
        x = tf.placeholder(tf.float32, [], name="x")
        y = tf.cond(x > 0, lambda: tf.exp(x, name="e"), lambda: tf.sin(x, name="s"), name="c")
        inside = ["c/e/Switch", "c/e", "c/s/Switch", "c/s", "c/Merge"]
        steps = grouped([tf.negative(y, name="after")], [x])
        assert steps[-2:] == [sorted(inside, key=steps[-2].index), "after"]

    def test_what_comes_between_separates(self, tf):
        x = tf.placeholder(tf.float32, [])
        p = x > 0
        y = tf.cond(p, lambda: tf.exp(x), lambda: x) + 1.0
        z = tf.cond(p, lambda: tf.exp(y), lambda: y)
        assert sum(isinstance(step, list) for step in grouped([z], [x])) == 2

    def test_one_after_the_other_is_one_step(self, tf):
        x = tf.placeholder(tf.float32, [])
        p = x > 0
        y = tf.cond(p, lambda: tf.exp(x), lambda: x)
        z = tf.cond(p, lambda: tf.exp(y), lambda: y)
        assert sum(isinstance(step, list) for step in grouped([z], [x])) == 1

    def test_fed_bools_decide_when_the_program_is_made(self, tf):
        x, training = tf.placeholder(tf.float32, []), tf.placeholder(tf.bool, [])
        y = tf.cond(training, lambda: tf.exp(x), lambda: x)
        assert not any(isinstance(step, list) for step in grouped([y], [x, training]))

    def test_host_steps_keep_branches_apart(self, tf):
        x = tf.placeholder(tf.float32, [])
        y = tf.cond(x > 0, lambda: tf.py_func(lambda v: v, [x], tf.float32), lambda: x)
        assert not any(isinstance(step, list) for step in grouped([y], [x]))

    def test_fetching_from_inside_keeps_branches_apart(self, tf):
        x = tf.placeholder(tf.float32, [])
        inside = []

        def branch():
            inside.append(tf.exp(x))
            return inside[0]

        tf.cond(x > 0, branch, lambda: x)
        assert not any(isinstance(step, list) for step in grouped(inside, [x]))


class TestDecisions:
    def test_they_only_grow(self):
        first = Decisions(cuts=frozenset({("op", 0)}), sizes={"stack": 256})
        both = first | Decisions(apart=frozenset({"pred"}), sizes={"stack": 128, "list": 32})
        assert both.cuts == first.cuts
        assert both.apart == {"pred"}
        assert [both.size(owner) for owner in ("stack", "list", "other")] == [256, 64, 64]
        assert both | first == both

    def test_what_was_decided_before_is_refused(self):
        found = too_small("stack", 64, 100)
        decided = found.added_to(NOTHING)
        assert decided.size("stack") == 128
        with pytest.raises(NotImplementedError, match="'stack' has to hold as much"):
            found.added_to(decided)

    @pytest.mark.parametrize("tier", [tiers.HOST, tiers.XLA])
    def test_nothing_is_written_on_the_graph(self, tf, tier):
        @tf.function
        def noisy(x):
            return x + tf.random_uniform([])

        x = tf.placeholder(tf.float32, [None])
        v = tf.Variable(1.0)
        rows = tf.boolean_mask(x, x > 0.0)  # cuts the program

        def doubled(s):
            return tf.reshape(tf.py_func(lambda s: s + s, [s], tf.float32), [])

        total = tf.while_loop(lambda s: s < 9.0, doubled, [v])
        y = noisy(tf.cond(total > 8.0, lambda: rows, lambda: x))
        elements = tf.data.Dataset.range(3).map(lambda i: i + 1).make_one_shot_iterator()
        fetches = [y, elements.get_next()]
        graph = tf.get_default_graph()
        init = v.initializer

        def written():
            return {op: set(op.__dict__) for op in graph.get_operations()}, set(graph.__dict__)

        before = written()
        with tiers.tier(tier), tf.Session() as session:
            session.run(init)
            for size in (2, 3):
                session.run(fetches, {x: np.ones(size)})
        assert written() == before
