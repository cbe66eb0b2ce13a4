"""Rarely used packages of tf.contrib: libsvm, recurrent, session_bundle, solvers, specs, text.

Read by `record_cases.py` under TensorFlow 1.15 and replayed by `tests/api/test_contrib_rest.py`.
"""

from __future__ import annotations

import os
import random
import tempfile

import numpy as np
from case_runs import Case, collect

_RANDOM = np.random.RandomState(0)
_TALL = _RANDOM.randn(6, 4)
# Rounded, as libraries of products differ.
_POSITIVE = np.round(_TALL.T.dot(_TALL) + np.eye(4), 3)
_SHORT, _LONG = _RANDOM.randn(4), _RANDOM.randn(6)


def _solved(tf, found, **kwargs):
    return Case(list(found), said=[found, type(found).__name__], steps=1, **kwargs)


def conjugate_gradient(tf):
    solvers = tf.contrib.solvers
    operator = solvers.util.create_operator(tf.constant(_POSITIVE))
    found = solvers.linear_equations.conjugate_gradient(operator, tf.constant(_SHORT), tol=0.2)
    return _solved(tf, found)


def conjugate_gradient_from(tf):
    from tensorflow.contrib.solvers.python.ops import linear_equations, util

    matrix = tf.constant(_POSITIVE)
    inverse = util.create_operator(tf.diag(1.0 / tf.diag_part(matrix)))
    rhs = tf.constant(_SHORT)
    found = linear_equations.conjugate_gradient(
        util.create_operator(matrix), rhs, inverse, x=rhs, tol=1e-9, max_iter=3, name="named"
    )
    return _solved(tf, found)


def unpreconditioned(tf):
    util = tf.contrib.solvers.util
    rows = tf.placeholder_with_default(_POSITIVE, [None, 4])
    identity = util.identity_operator(rows)
    found = tf.contrib.solvers.linear_equations.conjugate_gradient(
        util.create_operator(rows), tf.constant(_SHORT), identity, max_iter=tf.constant(2)
    )
    return _solved(tf, found)


def least_squares(tf):
    solvers = tf.contrib.solvers
    rows = tf.placeholder_with_default(_TALL, [None, 4])
    found = solvers.least_squares.cgls(
        solvers.util.create_operator(rows), tf.constant(_LONG), tol=0.1
    )
    return _solved(tf, found)


def bidiagonal(tf):
    from tensorflow.contrib.solvers.python.ops import lanczos, util

    tf.set_random_seed(3)
    operator = util.create_operator(tf.constant(_TALL))
    found = lanczos.lanczos_bidiag(operator, 3)
    back = lanczos.bidiag_matmul(found.u, found.alpha, found.beta)
    adjoint = lanczos.bidiag_matmul(found.v, found.alpha, found.beta, adjoint_b=True)
    return Case([*found, back, adjoint], said=[found], steps=1)


def bidiagonal_quick(tf):
    from tensorflow.contrib.solvers.python.ops import lanczos, util

    operator = util.create_operator(tf.constant(_TALL))
    found = lanczos.lanczos_bidiag(
        operator, tf.constant(2), orthogonalize=False, starting_vector=tf.constant(_LONG)
    )
    return _solved(tf, found)


def _net(tf, spec, shape, environment=None):
    from tensorflow.contrib.specs import python as specs

    tf.set_random_seed(2)
    images = tf.constant(np.random.RandomState(1).rand(*shape), tf.float32)
    found = specs.create_net(spec, images, environment)
    lines = []
    specs.tf_print(found, printer=lines.append)
    specs.tf_parameter_summary(found, printer=lines.append)
    specs.tf_parameter_summary(found, printer=lines.append, combine=False)
    said = [
        found,
        specs.tf_structure(found),
        specs.tf_structure(found, include_shapes=True),
        specs.tf_num_params(found),
        *lines,
    ]
    return Case([found], said=said, steps=1)


def convolutions(tf):
    spec = "net = (Cr(n, [3, 3]) | Mp([2, 2])) ** d | Cs(3, _2=2, _1=[1, 2]) | Flat | Fm(10)"
    return _net(tf, spec, (2, 12, 12, 3), {"n": 4, "d": 2})


def operators(tf):
    spec = (
        "net = Conc(3, Idx() | Lrn, Cx(2, [1, 1]) * Cl(2, [1, 1]) + Cm(2, [1, 1]), Ct(1, 1)**0)"
        "| Bn(is_training=False) | Ap([2, 2]) | Unit(3) | Dws(2) | Dwm(3)"
    )
    return _net(tf, spec, (1, 6, 6, 2))


def shared(tf):
    from tensorflow.contrib.specs import python as specs

    specs.Shared.shared_number = 1
    spec = "f = Shared(Fr(4)); net = Flat | Fl(4) | f | f | Var('v', [4]) + Fs(4) | Do(1.0)"
    return _net(tf, spec, (2, 2, 3))


def shapes(tf):
    spec = (
        "net = Reshape([2, 6]) | Expand(1) | Squeeze([1]) | Transpose | Id | Relu | Sig | Tanh"
        "| Smax | Ft(3) | Fx(2) | External('tensorflow.contrib.specs.python.specs_ops', 'Print')"
    ).rpartition("|")[0]
    return _net(tf, spec, (2, 2, 3))


def parameters(tf):
    from tensorflow.contrib.specs import python as specs

    random.seed(5)
    tf.set_random_seed(4)
    found = specs.eval_params("a=Uf(); b=Ui(1, 9); c=Lf(1, 100); d=Li(1, 100); e=Nt(b, 2, 1)")
    found.update(specs.eval_params("f = sqrt(b) + pi", found))
    said = sorted((key, value) for key, value in found.items() if key != "__builtins__")
    named = [specs.get_positional(["a", None], {"_1": 1, "_3": 2, "x": 3, "_0": 4}, over)
             for over in (False, True)]  # fmt: skip
    with specs.specs.ops:
        made = Cr(2, [3, 3])  # noqa: F821
    structure = specs.tf_spec_structure("net = Flat | Fs(3)", input_shape=(2, 2))
    return Case([], said=[said, named, structure, made.args], steps=1)


def _sequences(time_major=False):
    values = np.random.RandomState(0).randn(2, 5, 3)
    return values.transpose(1, 0, 2) if time_major else values


def _recurrent(tf, cell, trained=True, **kwargs):
    from tensorflow.contrib.recurrent.python import recurrent_api

    tf.set_random_seed(3)
    inputs = tf.constant(_sequences(kwargs.get("time_major", False)), tf.float32)
    output, state = recurrent_api.functional_rnn(cell, inputs, dtype=tf.float32, **kwargs)
    found = [output, *tf.contrib.framework.nest.flatten(state)]
    if trained:
        loss = tf.reduce_sum(output * output)
        found += tf.gradients(loss, [inputs, *tf.trainable_variables()])
    library = sorted(
        f.signature.name for f in tf.get_default_graph().as_graph_def().library.function
    )
    return Case(found, said=[output, state, library], steps=1)


def recurrent_basic(tf):
    return _recurrent(tf, tf.nn.rnn_cell.BasicRNNCell(4))


def recurrent_lengths(tf):
    return _recurrent(tf, tf.nn.rnn_cell.BasicLSTMCell(4), sequence_length=[3, 5])


def recurrent_reversed(tf):
    return _recurrent(tf, tf.nn.rnn_cell.GRUCell(4), time_major=True, reverse=True)


def recurrent_while(tf):
    cell = tf.nn.rnn_cell.LSTMCell(4, num_proj=2)
    return _recurrent(tf, cell, trained=False, use_tpu=True, scope="own")


def recurrent_own_output(tf):
    cell = tf.contrib.rnn.OutputProjectionWrapper(tf.nn.rnn_cell.GRUCell(4), 3)
    return _recurrent(tf, cell)


def _both_ways(tf, **kwargs):
    from tensorflow.contrib.recurrent.python import recurrent_api

    tf.set_random_seed(3)
    cells = tf.nn.rnn_cell.GRUCell(2), tf.nn.rnn_cell.BasicLSTMCell(3)
    inputs = tf.constant(_sequences(kwargs.get("time_major", False)), tf.float32)
    found = recurrent_api.bidirectional_functional_rnn(*cells, inputs, dtype=tf.float32, **kwargs)
    return Case(tf.contrib.framework.nest.flatten(found), said=[found], steps=1)


def both_ways(tf):
    return _both_ways(tf, scope="own")


def both_ways_lengths(tf):
    return _both_ways(tf, sequence_length=[2, 5])


def both_ways_quick(tf):
    return _both_ways(tf, fast_reverse=True, time_major=True)


def recurrent_cell(tf):
    from tensorflow.contrib.recurrent.python.ops import recurrent

    def cell(theta, state, inputs):
        h = tf.tanh(tf.matmul(inputs["x"], theta["w"]) + state["h"])
        return {"h": h}, {"twice": h * 2.0}

    def gradient(theta, state, inputs, extras, d_state):
        d = d_state["h"] * (1.0 - tf.square(extras["twice"] / 2.0))
        d_w = tf.matmul(inputs["x"], d, transpose_a=True)
        return {"w": d_w}, {"h": d}, {"x": tf.matmul(d, theta["w"], transpose_b=True)}

    theta = {"w": tf.constant(np.arange(9.0).reshape(3, 3) / 9.0, tf.float32)}
    inputs = {"x": tf.constant(_sequences(True), tf.float32)}
    found = []
    for given in ({}, {"cell_grad": gradient}, {"max_input_length": tf.constant(3)}):
        states, last = recurrent.Recurrent(theta, {"h": tf.zeros([2, 3])}, inputs, cell, **given)
        gradients = tf.gradients([last["h"], states["h"][0]], [theta["w"], inputs["x"]])
        found += [states["h"], last["h"], *gradients]
    return Case(found, said=found, steps=1)


def recurrent_one_step(tf):
    from tensorflow.contrib.recurrent.python.ops import recurrent

    def cell(theta, state, inputs):
        return state + inputs * theta, []

    found = recurrent.Recurrent(
        tf.constant(2.0), tf.zeros([5, 3]), tf.ones([1, 5, 3]), cell, max_input_length=1
    )
    return Case(list(found), said=[found], steps=1)


def _served(tf):
    """A model and signatures of it."""
    from tensorflow.contrib.session_bundle import exporter

    x = tf.placeholder(tf.float32, [None, 2], name="x")
    y = tf.matmul(x, tf.Variable([[1.0], [2.0]], name="w"), name="y")
    return {
        "default_graph_signature": exporter.classification_signature(x, y),
        "named_graph_signatures": {
            "regression": exporter.regression_signature(x, y),
            "scores": exporter.classification_signature(x, scores_tensor=y),
            "any": exporter.generic_signature({"in": x, "out": y}),
        },
    }


def _unpacked(tf, packed):
    from tensorflow.contrib.session_bundle import manifest_pb2

    name = packed.type_url.rpartition(".")[2]
    kind = tf.GraphDef if name == "GraphDef" else getattr(manifest_pb2, name)
    message = kind.FromString(packed.value)
    if name == "GraphDef":
        message = [(node.name, node.device) for node in message.node]
    return packed.type_url, message


def _exported(tf, steps, exports_to_keep=None, **kwargs):
    """What exports of some steps write."""
    from tensorflow.contrib.session_bundle import constants, exporter

    step = tf.train.get_or_create_global_step()
    writer = exporter.Exporter(tf.train.Saver(sharded=True))
    writer.init(**kwargs)
    said = []
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for i in steps:
            session.run(step.assign(i))
            said.append(writer.export("out/", step, session, exports_to_keep))
    said += [(path, sorted(inner), sorted(names)) for path, inner, names in sorted(os.walk("out"))]
    meta = tf.MetaGraphDef()
    with open(os.path.join(said[len(steps) - 1].decode(), "export.meta"), "rb") as file:
        meta.ParseFromString(file.read())
    for key in (constants.SIGNATURES_KEY, constants.ASSETS_KEY, constants.GRAPH_KEY):
        said += [_unpacked(tf, packed) for packed in meta.collection_def[key].any_list.value]
    said += [meta.collection_def[constants.INIT_OP_KEY], meta.saver_def]
    return Case(said=said, steps=0)


def export(tf):
    os.chdir(tempfile.mkdtemp())
    return _exported(tf, [3], **_served(tf))


def exports(tf):
    from tensorflow.contrib.session_bundle import gc

    os.chdir(tempfile.mkdtemp())
    with open("words.txt", "w") as file:
        file.write("a b")
    asset = tf.constant("words.txt")
    with tf.device("/cpu:0"):
        served = _served(tf)
    return _exported(
        tf, [0, 4, 5, 12], gc.union(gc.mod_export_version(5), gc.largest_export_versions(1)),
        init_op=tf.no_op("before"), clear_devices=True, assets_collection=[asset], **served
    )  # fmt: skip


def kept(tf):
    from tensorflow.contrib.session_bundle import gc

    versions = [3, 1, None, 0, 7, 5, 5, 12, 10]
    paths = [gc.Path("p%d" % i, version) for i, version in enumerate(versions)]
    filters = [
        gc.largest_export_versions(3), gc.largest_export_versions(0),
        gc.one_of_every_n_export_versions(5), gc.one_of_every_n_export_versions(1),
    ]  # fmt: skip
    filters += [gc.negation(filters[0]), gc.union(filters[0], filters[2])]
    known = [path for path in paths if path.export_version is not None]
    found = [keep(paths) for keep in filters] + [gc.mod_export_version(5)(known)]
    return Case(said=found, steps=0)


_WORDS = "the quick brown fox jumps over the lazy dog again".split()


def _pairs(tf, *args, **kwargs):
    from tensorflow.contrib.text.python.ops import skip_gram_ops

    tf.set_random_seed(7)
    function = "skip_gram_sample"
    if "vocab_freq_index" in kwargs:
        function = "skip_gram_sample_with_text_vocab"
        os.chdir(tempfile.mkdtemp())
        with open("counts.csv", "w") as file:
            file.write("the,en,40\nquick,en,3\nfox,en,2\nlazy,en,9\nover,en,1\n")
        args += ("counts.csv",)
    return list(getattr(skip_gram_ops, function)(*args, **kwargs))


def pairs(tf):
    return Case(_pairs(tf, tf.constant(_WORDS)))


def pairs_some(tf):
    options = {"start": 2, "limit": tf.constant(5), "emit_self_as_target": True}
    return Case(_pairs(tf, tf.constant(_WORDS), min_skips=1, max_skips=4, seed=3, **options))


def pairs_of_numbers(tf):
    numbers = tf.placeholder_with_default(np.arange(9), [None])
    found = _pairs(tf, numbers, 2, 2, name="named") + _pairs(tf, numbers, 0, 2, limit=0)
    return Case(found + _pairs(tf, numbers, 0, 2, start=7, limit=9))


def pairs_known(tf):
    known = {"vocab_freq_index": 2, "vocab_min_count": 2}
    return Case(
        _pairs(tf, tf.constant(_WORDS), **known)
        + _pairs(tf, tf.constant(_WORDS), vocab_subsampling=0.1, seed=5, **known)
    )


def pairs_batched(tf):
    # Not run: which elements a batch has hangs on threads.
    found = _pairs(tf, tf.constant(_WORDS), batch_size=4)
    return Case(said=found, steps=0)


def lines(tf):
    from tensorflow.contrib.libsvm.python.ops import libsvm_ops

    content = tf.constant([["1 2:3 4:5.5", "-2 "], ["3 1:1e2   0:7", " 0 9:-1.5"]])
    found = libsvm_ops.decode_libsvm(content, 6)
    more = libsvm_ops.decode_libsvm(
        tf.placeholder_with_default(["1.5 1:2"], None), 6, tf.int32, tf.float64
    )
    parts = [x for one in (found, more) for x in (one[0].indices, one[0].values, one[1])]
    parts += [found[0].dense_shape, more[0].dense_shape]
    return Case(parts, said=[*found, *more], steps=1)


CASES = {
    "libsvm": collect(lines),
    "recurrent": collect(
        recurrent_basic, recurrent_lengths, recurrent_reversed, recurrent_while,
        recurrent_own_output, both_ways, both_ways_lengths, both_ways_quick, recurrent_cell,
        recurrent_one_step,
    ),
    "solvers": collect(
        conjugate_gradient, conjugate_gradient_from, unpreconditioned, least_squares, bidiagonal,
        bidiagonal_quick,
    ),
    "session_bundle": collect(export, exports, kept),
    "specs": collect(convolutions, operators, shared, shapes, parameters),
    "text": collect(pairs, pairs_some, pairs_of_numbers, pairs_known, pairs_batched),
}  # fmt: skip


def _spec(text, function="create_net_fun"):
    def call(tf):
        from tensorflow.contrib.specs import python as specs

        return getattr(specs, function)(text)

    return call


def _bundle(method="init", **kwargs):
    def call(tf):
        from tensorflow.contrib.session_bundle import exporter

        tf.Variable(1)
        getattr(exporter.Exporter(tf.train.Saver()), method)(**kwargs)

    return call


def _asset(*args):
    return lambda tf: _bundle(assets_collection=[tf.constant(*args)])(tf)


def _twice(tf):
    from tensorflow.contrib.session_bundle import exporter

    tf.Variable(1)
    writer = exporter.Exporter(tf.train.Saver())
    writer.init()
    writer.init()


def _exported_twice(tf):
    os.chdir(tempfile.mkdtemp())
    _exported(tf, [3, 3], **_served(tf))


def _sampled(*args, **kwargs):
    """Pairs of words, run."""

    def call(tf):
        found = _pairs(tf, tf.constant(kwargs.pop("words", _WORDS)), *args, **kwargs)
        with tf.Session() as session:
            session.run(found)

    return call


def _decoded(*content):
    def call(tf):
        from tensorflow.contrib.libsvm.python.ops import libsvm_ops

        found = libsvm_ops.decode_libsvm(tf.constant(content), 6)
        with tf.Session() as session:
            session.run(found)

    return call


MISTAKES = {
    "libsvm": {
        "no_label": _decoded("1", "  "),
        "label": _decoded("a 1:2"),
        "label_type": _decoded("1.5 1:2"),
        "plus": _decoded("+1 1:2"),
        "index": _decoded("1 b:2"),
        "negative": _decoded("1 -2:2"),
        "no_colon": _decoded("1 3"),
        "value": _decoded("1 1:x"),
    },
    "session_bundle": {
        "not_initialized": _bundle("export", export_dir_base="x", global_step_tensor=None),
        "twice": _twice,
        "exported_twice": _exported_twice,
        "init_op": _bundle(init_op=3),
        "no_tensor": _bundle(assets_collection=[3]),
        "no_constant": lambda tf: _bundle(assets_collection=[tf.placeholder(tf.string, [])])(tf),
        "no_string": _asset(3),
        "no_scalar": _asset(["a", "b"]),
        "empty": _asset(""),
    },
    "text": {
        "negative": _sampled(-1),
        "less": _sampled(6),
        "rank": _sampled(words=[_WORDS]),
        "no_scalar": _sampled([1]),
        "useless": _sampled(vocab_min_count=1),
        "no_size": _sampled(vocab_freq_table=4, vocab_subsampling=0.1),
        "no_subsampling": _sampled(vocab_freq_table=4, corpus_size=3),
        "no_table": _sampled(vocab_freq_table=4),
        "subsampling": _sampled(vocab_freq_index=2, vocab_subsampling=3.0),
        "small": _sampled(vocab_freq_index=2, corpus_size=50),
        "columns": _sampled(vocab_freq_index=2, vocab_token_index=5),
        "one_column": _sampled(vocab_freq_index=2, vocab_token_index=2),
        "no_column": _sampled(vocab_freq_index=2, vocab_token_index=-1),
    },
    "specs": {
        "keyword": _spec("import os; net = Idx()"),
        "params": _spec("while True: pass", "eval_params"),
        "quoted": _spec("net = External('no.while', \"def\")"),
        "no_net": _spec("left = Cr(4, [3, 3])"),
        "unknown": _spec("net = Nothing"),
        "callable": _spec(3, "Function"),
        "import": _spec("g = 1", "Import"),
        "scope": lambda tf: _spec("net = Shared(Idx(), scope='x')")(tf),
        "name": lambda tf: _spec("net = Shared(Idx(), name='x')")(tf),
    },
}
