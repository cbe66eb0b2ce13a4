"""tf.contrib.graph_editor: graphs looked at, copied and rewired.

Read by `record_cases.py` under TensorFlow 1.15 and replayed by `tests/api/test_graph_editor.py`.
"""

from __future__ import annotations

import re

import numpy as np
from case_runs import Case, collect


def _names(tops):
    return sorted(top.name for top in tops)


def _chain(tf):
    """a -> (b, c) -> d -> e, and a waiting f."""
    with tf.name_scope("net"):
        a = tf.constant([1.0, 2.0], name="a")
        b = tf.square(a, name="b")
        c = tf.multiply(a, b, name="c")
        d = tf.add(b, c, name="d")
        with tf.control_dependencies([c]):
            e = tf.negative(d, name="e")
        f = tf.identity(e, name="f")
    return a, b, c, d, e, f


def selections(tf):
    ge = tf.contrib.graph_editor
    a, b, c, d, e, f = _chain(tf)
    g = tf.get_default_graph()
    ios = ge.ControlOutputs(g)
    said = [
        _names(ge.get_backward_walk_ops(d)),
        _names(ge.get_backward_walk_ops([e.op], inclusive=False, stop_at_ts=[b])),
        _names(ge.get_backward_walk_ops(e, within_ops=[e.op, d.op, a.op], control_inputs=True)),
        _names(ge.get_backward_walk_ops(e, within_ops_fn=lambda op: op.type != "Add")),
        _names(ge.get_forward_walk_ops(b)),
        _names(ge.get_forward_walk_ops([c.op], inclusive=False)),
        _names(ge.get_forward_walk_ops(c.op, control_outputs=ios, stop_at_ts=[c])),
        _names(ge.get_walks_intersection_ops([a.op], [d.op])),
        _names(ge.get_walks_intersection_ops(a, e, control_ios=ios, forward_inclusive=False)),
        _names(ge.get_walks_union_ops([c.op], [b.op])),
        [_names(ts) for ts in ge.compute_boundary_ts([b.op, c.op, d.op])],
        _names(ge.get_within_boundary_ops(g, [d.op], [a.op, e.op], inclusive=False)),
        _names(ge.get_within_boundary_ops(g, [d.op], [a.op])),
        _names(ge.get_ops_ios([d.op, c.op], control_ios=ios)),
        _names(ge.get_name_scope_ops(g, "net/")),
        _names(ge.filter_ts_from_regex(g, "net/[a-c]")),
        _names(ge.filter_ops(g, lambda op: op.type == "Mul")),
        _names(ge.filter_ops_from_regex(g, re.compile("e$"))),
        len(ge.filter_ts(g, True)),
        _names(ge.get_tensors(g)),
        _names(ge.get_generating_ops([b, c])),
        _names(ge.get_consuming_ops([a, b])),
        _names(ge.make_list_of_t(b)),
        _names(ge.make_list_of_op([b.op, b], check_graph=False)),
        _names(ge.select_ops("net/b", b.op, [c.op, d], "(?#ts)net", graph=g)),
        _names(ge.select_ops("(?#ops)net/e", "f", graph=g, restrict_ops_regex=True)),
        _names(ge.select_ts("net/b", b, [c.op], "(?#ops)net", graph=g)),
        [_names(x) for x in ge.select_ops_and_ts("net/c", "(?#ts)net/d", graph=g)],
        _names(ge.select_ops(g, positive_filter=lambda op: op.type == "Identity")),
        sorted((key.name, _names(value)) for key, value in ios.get_all().items()),
        [ge.can_be_regex(x) for x in ("a", re.compile("a"), 3)],
        [ge.placeholder_name(), ge.placeholder_name(b), ge.placeholder_name(b, "x", "p")],
        [ge.placeholder_name(tf.placeholder(tf.float32, name="geph__x_0"), scope="")],
        ge.check_cios(True),
        [ge.make_placeholder_from_tensor(b), ge.make_placeholder_from_tensor(b, scope="s")],
        [ge.ph(tf.int32), ge.ph(tf.int32, [2], "s", prefix="p")],
    ]
    return Case(said=said, steps=0)


def views(tf):
    ge = tf.contrib.graph_editor
    a, b, c, d, e, f = _chain(tf)
    g = tf.get_default_graph()
    view = ge.sgv(b.op, c.op, d.op)
    other = ge.sgv("net/[de]$", "(?#ts)net/a", graph=g)
    scoped = ge.sgv_scope("net", g)

    def told(v):
        text = re.sub(r"graphid=\d+", "graphid", str(v))
        return [text, _names(v.consumers()), bool(v), len(v.inputs), len(v.outputs)]

    said = [
        *map(told, [view, other, scoped, ge.SubGraphView()]),
        told(view.remap([0], [1, 0, 1])) if len(view.outputs) > 1 else told(view.remap([0], [0])),
        told(scoped.remap_outputs([0, 0])),
        told(scoped.remap_outputs([0, 0]).remap_outputs_make_unique()),
        told(ge.sgv(a.op).remap_outputs_to_consumers()),
        told(other.remap_inputs([1]).remap_default()),
        told(ge.sgv(b.op, f.op).remove_unused_ops()),
        [view.op(0).name, view.find_op_by_name("net/c").name, other.is_passthrough(a)],
        [view.input_index(a), view.output_index(d), list(view.inputs + [1])[1:]],
        [_names(other.connected_inputs), _names(other.connected_outputs)],
        [_names(view.copy().ops), ge.make_view(view) is view, len(other.passthroughs)],
    ]
    with view as same:
        said.append(same is view)
    return Case(said=said, steps=0)


def rewired(tf):
    """A tensor led elsewhere, then training through what is new."""
    ge = tf.contrib.graph_editor
    a, b, c, d, e, f = _chain(tf)
    w = tf.get_variable("w", initializer=[3.0, 4.0])
    new = tf.multiply(w, 2.0, name="new")
    said = [ge.reroute_ts([new], [b], can_modify=[c.op])]
    said.append(ge.swap_ts([a], [w.value()], cannot_modify=[new.op]))
    said.append(ge.reroute_ts(a, a))
    ge.add_control_inputs(f.op, [b.op, d.op])
    ge.remove_control_inputs(f.op, b.op)
    ge.remove_control_inputs(e.op, [c.op])
    (dw,) = tf.gradients(f, w)
    return Case([f, dw], said=said, steps=1)


def rewired_views(tf):
    ge = tf.contrib.graph_editor
    with tf.name_scope("one"):
        x = tf.constant([1.0, 2.0])
        y = tf.exp(x, name="y")
    with tf.name_scope("two"):
        p = tf.constant([3.0, 4.0])
        q = tf.negative(p, name="q")
    z = tf.add(y, q, name="z")
    u = tf.subtract(y, q, name="u")
    ge.swap_inputs(y.op, q.op)
    ge.swap_outputs(y.op, q.op)
    ge.reroute_ios(ge.sgv(y.op), ge.sgv(q.op))
    ge.swap_ios(ge.sgv(z.op), ge.sgv(u.op))
    ge.reroute_outputs(z.op, u.op)
    ge.reroute_inputs(ge.sgv(q.op), ge.sgv(y.op))
    return Case([z, u, y, q], steps=1)


def edited(tf):
    ge = tf.contrib.graph_editor
    a, b, c, d, e, f = _chain(tf)
    g = tf.get_default_graph()
    ios = ge.ControlOutputs(g)
    _, inputs, outputs = ge.detach(ge.sgv(c.op, d.op), control_ios=ios)
    said = [inputs, outputs]
    with tf.name_scope("other"):
        x = tf.constant([5.0, 6.0], name="x")
        y = tf.sqrt(x, name="y")
        z = tf.log(y, name="z")
    ge.connect(ge.sgv(y.op), ge.sgv(e.op).remap_inputs([0]))
    _, detached = ge.bypass(ge.sgv(z.op))
    said.append(detached)
    i = tf.identity(z, name="i")
    ge.connect(ge.sgv(x.op), ge.sgv(i.op), disconnect_first=True)
    ge.detach_control_inputs(ge.sgv(e.op))
    return Case([i], said=said, steps=1)


def copied(tf):
    ge = tf.contrib.graph_editor
    with tf.variable_scope("net"):
        x = tf.placeholder(tf.float32, [None, 2], name="x")
        w = tf.get_variable("w", initializer=np.ones((2, 3), "f"))
        with tf.device("/cpu:0"):
            y = tf.nn.relu(tf.matmul(x, w), name="y")
        tf.add_to_collection("net/mine", y)
        tf.add_to_collection("losses", y)
        loss = tf.reduce_sum(y, name="loss")
    view, info = ge.copy(ge.sgv_scope("net", tf.get_default_graph()), dst_scope="again")
    other = tf.constant([[1.0, 2.0]])
    view2, info2 = ge.copy_with_input_replacements(
        ge.sgv(y.op, loss.op),
        {y.op.inputs[0]: tf.ones([3, 3])},
        dst_scope="third",
        src_scope="net",
    )
    twice = ge.graph_replace([loss, {"y": y}], {x: other})
    again = ge.graph_replace(loss, {y: y * 2.0}, dst_scope="again", reuse_dst_scope=True)
    said = [_names(view.ops), len(view.inputs), _names(view2.ops), _names(view2.outputs)]
    said += [info.transformed(loss).name, info.original(info.transformed(y.op)).name]
    said += [info.transformed(other), info2.transformed(x, lambda t: "none"), twice, again]
    said.append(re.sub(r"\d{5,}", "id", str(info2)))
    feeds = {x: [[1.0, 2.0]], "again/net/x:0": [[3.0, 4.0]]}
    fetches = [loss, "third/loss:0", twice, again]
    return Case(fetches, feeds=lambda step: feeds, said=said, steps=1)


def copied_elsewhere(tf):
    ge = tf.contrib.graph_editor
    other = tf.Graph()
    with other.as_default():
        x = tf.constant([1.0, 2.0], name="x")
        y = tf.multiply(x, 3.0, name="scope/y")
    ge.copy(ge.sgv_scope("scope", other), tf.get_default_graph(), "new", "scope")
    copier = ge.Transformer()

    def doubled(info, op, new_inputs, **kwargs):
        def rename(node):
            node.name += "_copy"
            return node

        return ge.copy_op_handler(info, op, new_inputs, copy_shape=True, nodedef_fn=rename)

    copier.transform_op_handler = doubled
    _, info = copier(other, tf.get_default_graph(), "")
    return Case([info.transformed(y)], said=[info.transformed([x, y.op])], steps=1)


def checkpointed(tf):
    """Gradients that compute the forward pass once more, between checkpoints."""
    ge = tf.contrib.graph_editor
    tf.set_random_seed(5)
    x = tf.constant(np.linspace(-1, 1, 6).reshape(2, 3).astype("f"))
    net, checkpoints = x, []
    for i in range(4):
        net = tf.layers.dense(net, 3, tf.tanh, name="layer%d" % i)
        if i % 2 == 1:
            checkpoints.append(net)
    loss = tf.reduce_mean(tf.square(net), name="loss")
    variables = tf.trainable_variables()

    forward = ge.get_forward_walk_ops([v.op for v in variables], inclusive=True)
    backward = ge.get_backward_walk_ops(loss, inclusive=True)
    ops = [op for op in forward if op in backward]
    stopped = {c: tf.stop_gradient(c, name=c.op.name + "_stop") for c in checkpoints}
    first = ge.get_backward_walk_ops([c.op for c in checkpoints], stop_at_ts=checkpoints)
    first = [op for op in first if op in ops]
    view = ge.sgv([op for op in first if op not in [v.op for v in variables]])
    copy, info = ge.copy_with_input_replacements(view, stopped)
    for op in view.ops:
        info._transformed_ops[op]._set_device(op.node_def.device)
    again = [info.transformed(c, lambda t: t) for c in checkpoints]
    ge.reroute_ts(list(stopped.values()), checkpoints, can_modify=copy.ops)
    d_checkpoints = tf.gradients(loss, [*checkpoints[-1:], *variables])
    dc = d_checkpoints[0]
    grads = dict(zip(variables, d_checkpoints[1:]))
    for i in range(len(checkpoints) - 1, -1, -1):
        ge.add_control_inputs(again[i].op, [dc.op])
        targets = ([checkpoints[i - 1]] if i else []) + variables
        found = tf.gradients([again[i]], targets, grad_ys=[dc])
        for v, dv in zip(variables, found[len(targets) - len(variables) :]):
            if dv is not None:
                grads[v] = dv
        dc = found[0] if found[0] is not None else dc
    plain = tf.gradients(loss, variables)
    return Case([loss, plain, [grads[v] for v in variables]], steps=1)


CASES = {
    "editor": collect(
        selections,
        views,
        rewired,
        rewired_views,
        edited,
        copied,
        copied_elsewhere,
        checkpointed,
    )
}


def _mistake(function):
    def mistake(tf):
        function(tf, tf.contrib.graph_editor, *_chain(tf))

    return mistake


def _copied_loop(tf):
    n = tf.constant(3)
    x = tf.constant([1.0, 2.0], name="x")
    _, y = tf.while_loop(lambda i, v: i < n, lambda i, v: (i + 1, v * 2.0), [0, x])
    tf.contrib.graph_editor.graph_replace(y, {x: tf.constant([5.0, 7.0])})


def _other(tf):
    with tf.Graph().as_default():
        return tf.constant([1.0, 2.0], name="elsewhere")


MISTAKES = {
    "editor": {
        "loop": _copied_loop,
        "regex": _mistake(lambda tf, ge, *ts: ge.make_regex(3)),
        "no graph": _mistake(lambda tf, ge, *ts: ge.select_ops("net")),
        "keyword": _mistake(lambda tf, ge, *ts: ge.select_ts(ts[0], grap=3)),
        "no tf.Graph": _mistake(lambda tf, ge, *ts: ge.select_ops("a", graph=3)),
        "no tf.Graph for ts": _mistake(lambda tf, ge, *ts: ge.select_ts("a", graph=3)),
        "two graphs": _mistake(lambda tf, ge, *ts: ge.make_list_of_t([ts[0], _other(tf)])),
        "graph": _mistake(
            lambda tf, ge, *ts: ge.make_list_of_op(tf.get_default_graph(), allow_graph=False)
        ),
        "graph as ts": _mistake(lambda tf, ge, *ts: ge.get_consuming_ops(tf.get_default_graph())),
        "tensors": _mistake(lambda tf, ge, *ts: ge.get_tensors(3)),
        "sizes": _mistake(lambda tf, ge, *ts: ge.swap_ts(ts[:2], ts[0])),
        "dtypes": _mistake(lambda tf, ge, *ts: ge.reroute_ts(ts[0], tf.constant([1, 2]))),
        "shapes": _mistake(lambda tf, ge, *ts: ge.reroute_ts(ts[0], tf.constant([1.0]))),
        "no such control": _mistake(
            lambda tf, ge, *ts: ge.remove_control_inputs(ts[4].op, ts[0].op)
        ),
        "control twice": _mistake(lambda tf, ge, *ts: ge.add_control_inputs(ts[4].op, ts[2].op)),
        "range": _mistake(lambda tf, ge, *ts: ge.sgv(ts[3].op).remap_inputs([2])),
        "repetition": _mistake(lambda tf, ge, *ts: ge.sgv(ts[3].op).remap_inputs([0, 0])),
        "not in view": _mistake(lambda tf, ge, *ts: ge.sgv(ts[3].op).find_op_by_name("a")),
        "input": _mistake(lambda tf, ge, *ts: ge.sgv(ts[3].op).input_index(ts[5])),
        "mismatch": _mistake(lambda tf, ge, *ts: ge.make_view(ge.sgv(ts[0].op), graph=tf.Graph())),
        "other view": _mistake(
            lambda tf, ge, *ts: ge.swap_inputs(ge.sgv(ts[1].op), ge.sgv(_other(tf).op))
        ),
        "seeds": _mistake(
            lambda tf, ge, *ts: ge.get_within_boundary_ops(ts[0].op, ts[0].op, ts[0].op)
        ),
        "cios": _mistake(lambda tf, ge, *ts: ge.check_cios(control_outputs=3)),
        "cios twice": _mistake(
            lambda tf, ge, *ts: ge.check_cios(
                control_outputs=3, control_ios=ge.ControlOutputs(tf.get_default_graph())
            )
        ),
        "control outputs": _mistake(lambda tf, ge, *ts: ge.ControlOutputs(3)),
        "placeholder": _mistake(lambda tf, ge, *ts: ge.placeholder_name(3)),
        "not connected": _mistake(
            lambda tf, ge, *ts: ge.graph_replace(ts[0], {tf.constant(1.0): ts[1]})
        ),
        "scope": _mistake(lambda tf, ge, *ts: ge.copy(ts[1].op, src_scope="elsewhere")),
        "destination": _mistake(lambda tf, ge, *ts: ge.copy(ts[1].op, dst_graph=3)),
        "update other graph": _mistake(lambda tf, ge, *ts: ts[1].op._update_input(0, _other(tf))),
        "update index": _mistake(lambda tf, ge, *ts: ts[1].op._update_input(3, ts[0])),
        "update no tensor": _mistake(lambda tf, ge, *ts: ts[1].op._update_input(0, 3)),
        "control no op": _mistake(lambda tf, ge, *ts: ts[1].op._add_control_input(3)),
    }
}
