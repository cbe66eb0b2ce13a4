"""What parts of `tensorflow.contrib` that its tests lean on, and helpers of
`tensorflow.python.util`, do: cases as in internal_cases.py.
"""

from __future__ import annotations

import importlib
import os
import random
import shutil
import tempfile

import numpy as np
from framework_internal_cases import _graph
from internal_cases import case, error, internal, nodes


def contrib(name):
    return importlib.import_module("tensorflow.contrib." + name)


def rounded(value):
    """Numbers to five digits."""
    array = np.asarray(value, np.float64)
    return np.reshape([float("%.5g" % number) for number in array.flat], array.shape).tolist()


@case
def means_of_samples(tf):
    st = contrib("distributions.python.ops.statistical_testing")
    samples = np.linspace(0.05, 0.95, 60, dtype=np.float32).reshape(20, 3)
    low, high = np.zeros(3, np.float32), np.float32(1.0)
    values = [
        st.true_mean_confidence_interval_by_dkwm(samples, low, high, 0.1),
        st.min_discrepancy_of_true_means_detectable_by_dkwm(1000, 0.0, [1.0, 2.0], 1e-3, 1e-4),
        st.min_num_samples_for_dkwm_mean_test(0.1, 0.0, 1.0),
        st.min_discrepancy_of_true_means_detectable_by_dkwm_two_sample(
            100, 0.0, 1.0, 200, 0.0, [2.0], 1e-3, 1e-3
        ),
        st.min_num_samples_for_dkwm_mean_two_sample_test(0.2, 0.0, 1.0, [0.0], 3.0, 1e-3, 1e-3),
        st._batch_sort_vector(tf.constant([[2.0, 1.0, 3.0]]), ascending=False, name="sorted"),
    ]
    checks = [
        st.assert_true_mean_equal_by_dkwm(samples, low, high, 0.5, 0.1),
        st.assert_true_mean_equal_by_dkwm(samples, low, high, 0.99, 0.1),
        st.assert_true_mean_in_interval_by_dkwm(samples, low, high, 0.0, 0.01, 0.1, "in"),
        st.assert_true_mean_equal_by_dkwm_two_sample(samples, 0.0, 1.0, samples / 2, 0.0, 1.0),
        st.true_mean_confidence_interval_by_dkwm(samples, 0.5, 1.0)[0],
        st.true_mean_confidence_interval_by_dkwm(samples, 0.0, 0.5)[1],
    ]
    with tf.Session() as session:
        said = [[rounded(v) for v in tf.nest.flatten(part)] for part in session.run(values)]
        # Which check it is, without the numbers.
        said += [error(session.run, check)[1].split("] [x (")[0] for check in checks]
    said.append(error(st.true_mean_confidence_interval_by_dkwm, samples, low, high, [0.1]))
    return said + [_graph(tf)]


@case
def losses_of_factorizations(tf):
    utils = contrib("factorization.python.ops.factorization_ops_test_utils")
    matrix = utils.INPUT_MATRIX
    said = [str(matrix.dtype), rounded(matrix)]
    said += [v.tolist() for v in utils.remove_empty_rows_columns(np.diag([1.0, 0.0, 2.0]))]
    random.seed(3)
    with tf.Session() as session:
        for options in (
            {},
            {"row_slices": [3, 1]},
            {"col_slices": [0, 2], "transpose": True},
            {"shuffle": True},
        ):
            found = session.run(utils.np_matrix_to_tf_sparse(matrix, **options))
            said.append([rounded(part) for part in found])
        sparse = utils.np_matrix_to_tf_sparse(matrix)
        rows, columns = np.ones((5, 2), np.float32), np.full((7, 2), 0.5, np.float32)
        said.append(rounded(utils.calculate_loss(sparse, rows, columns)))
        weights = tf.range(5.0), tf.range(7.0)
        said.append(rounded(utils.calculate_loss(sparse, rows, columns, 0.1, 0.5, *weights)))
    return said + [_graph(tf)]


@case
def helpers_of_learners(tf):
    utils = contrib("learn.python.learn.estimators.estimator_test_utils")
    data = contrib("learn.python.learn.estimators.test_data")
    utils.assert_estimator_contract(tf.test.TestCase("run"), tf.contrib.learn.DNNClassifier)
    said = [
        error(utils.assert_estimator_contract, tf.test.TestCase("run"), dict)[0],
        error(utils.assert_in_range, 1.0, 2.0, "k", {"k": 0.5}),
        error(utils.assert_in_range, 1.0, 2.0, "k", {"k": 2.5}),
        error(utils.assert_in_range, 1.0, 2.0, "k", {"k": 2.0}),
        rounded(data.get_quantile_based_buckets(range(11), 3)),
    ]
    for function in (data.iris_input_multiclass_fn, data.iris_input_logistic_fn):
        features, labels = function()
        said.append([str(features["feature"]), str(labels)])
        with tf.Session() as session:
            said.append([rounded(v.sum(0)) for v in session.run([features["feature"], labels])])
    return said


@case
def operations_of_learners(tf):
    embeddings = contrib("learn.python.learn.ops.embeddings_ops")
    losses = contrib("learn.python.learn.ops.losses_ops")
    sequences = contrib("learn.python.learn.ops.seq2seq_ops")
    tf.set_random_seed(5)
    ids = tf.constant([[0, 2], [1, 1]])
    values = [
        embeddings.embedding_lookup(np.eye(3, dtype=np.float32), ids),
        embeddings.categorical_variable(ids, 3, 2, "cat"),
        losses.mean_squared_error_regressor(tf.ones([2, 2]), tf.ones([2]), tf.ones([2, 1]), [1.0]),
        losses.softmax_classifier(
            tf.ones([2, 2]), tf.constant([[1.0, 0.0], [0.0, 1.0]]), np.eye(2, dtype=np.float32),
            [0.0, 1.0], [1.0, 2.0], "soft",
        ),
    ]  # fmt: skip
    x, y = tf.ones([2, 3, 2]), tf.ones([2, 2, 2])
    inputs, into, out = sequences.seq2seq_inputs(x, y, 3, 2)
    cell = tf.nn.rnn_cell.GRUCell(2)
    decoded, _, sampled, _ = sequences.rnn_seq2seq(inputs, into, cell, scope="s2s")
    values.append(sequences.sequence_classifier(decoded, out + out[:1], sampled))
    values.append(sequences.sequence_classifier(decoded[:2], out))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        said = [[rounded(v) for v in tf.nest.flatten(part)] for part in session.run(values)]
    return said + [_graph(tf), [v.name for v in tf.global_variables()]]


@case
def ends_of_rows(tf):
    envelope = contrib("layers.python.ops.sparse_ops").sparse_row_envelope
    sparse = tf.SparseTensor([[0, 0], [0, 2], [2, 1]], [1, 2, 3], [4, 3])
    with tf.Session() as session:
        said = [v.tolist() for v in session.run([envelope(sparse), envelope(sparse, 1, 0, "e")])]
    return said + [error(envelope, sparse, 0, 0), error(envelope, sparse, 0.5), _graph(tf)]


@case
def decorators_as_classes(tf):
    module = internal("util.tf_decorator")

    class Counting(module.TFDecorator):
        def __init__(self, target):
            super().__init__("counting", target)
            self.calls = 0

        def __call__(self, *args):
            self.calls += 1
            return self.decorated_target(*args)

    def plain(a, b=2):
        """Adds."""
        return a + b

    class Holder:
        @Counting
        def method(self, a):
            return a

    counting = Counting(plain)
    said = [counting(1), counting(2, 3), counting.calls, counting.__name__, counting.__doc__]
    said += [Holder().method(7), module.TFDecorator("n", plain, "Doc.")(4)]
    around = module.make_decorator(counting, lambda *args: counting(*args), "outer", "Other.")
    found, target = module.unwrap(around)
    said += [[d.decorator_name for d in found], target is plain, around.__doc__, around(5)]
    return said + [module.unwrap(counting)[1] is plain]


@case
def errors_of_gradients(tf):
    x = tf.constant([1.0, 2.0])
    with tf.Session():
        found = tf.test.compute_gradient_error(x, [2], x * x, [2])
    return [type(found).__name__, isinstance(found, float), bool(found < 1e-3)]


@case
def models_of_learn(tf):
    models = contrib("learn.python.learn.models")
    x = tf.placeholder(tf.float32, [None, 3], name="x")
    said = []
    for function, shape in (
        (models.linear_regression_zero_init, [None]),
        (models.logistic_regression_zero_init, [None, 2]),
    ):
        with tf.variable_scope(function.__name__):
            said.append([t.name for t in function(x, tf.placeholder(tf.float32, shape))])
    cell = tf.nn.rnn_cell.BasicRNNCell
    outputs, state = models.bidirectional_rnn(cell(2), cell(2), [x, x], dtype=tf.float32)
    said.append([str(t.shape) for t in outputs + [state]])
    for args in (
        (3, cell(2), [x]),
        (cell(2), 3, [x]),
        (cell(2), cell(2), x),
        (cell(2), cell(2), []),
    ):
        said.append(error(models.bidirectional_rnn, *args))
    for kind, both, attention in (("gru", False, None), ("lstm", True, None), ("rnn", False, 2)):
        sizes = [attention and n for n in (2, 3, 4)]
        model = models.get_rnn_model(
            2, kind, 2, lambda x: [x, x], both, lambda e, y: [e, y], None, None, *sizes
        )
        with tf.variable_scope(kind):
            said.append(str(model(x, None)[0].shape))
    wrong = models.get_rnn_model(2, "x", 1, len, False, len, None, None, None, None, None)
    return said + [error(wrong, [x], None), nodes(tf), [v.name for v in tf.global_variables()]]


@case
def analyses_of_models(tf):
    module = contrib("tfprof.model_analyzer")
    tf.matmul(tf.ones([2, 3]), tf.get_variable("w", [3, 4]))
    graph = tf.get_default_graph()
    said = []
    for name in ("TRAINABLE_VARS_PARAMS_STAT_OPTIONS", "FLOAT_OPS_OPTIONS"):
        options = getattr(module, name)
        said.append(sorted([key, str(value)] for key, value in options.items()))
        found = module.print_model_analysis(graph, tfprof_options=dict(options, output="none"))
        said.append([found.total_parameters, found.total_float_ops])
    return said + [sorted([k, str(v)] for k, v in module.PRINT_ALL_TIMING_MEMORY.items())]


@case
def arguments_of_callers(tf):
    module = internal("ops.distributions.util")

    def caller(a, b=2, *args, **kwargs):
        local = a
        return sorted(module.parent_frame_arguments().items()), local

    return [caller(1), caller(1, 3, 4, x=5)]


@case
def pairs_with_several_labels(tf):
    loss = contrib("losses.python.metric_learning.metric_loss_ops").npairs_loss_multilabel
    labels = [
        tf.SparseTensor([[i] for i in places], [1.0] * len(places), [4])
        for places in ([0, 1], [1, 3], [2])
    ]
    points = tf.constant([[1.0, 2.0], [0.5, -1.0], [3.0, 0.0]])
    value = loss(labels, points, points + 1.0)
    with tf.Session() as session:
        said = rounded(session.run(value))
    return [said, error(loss, [1], points, points), nodes(tf)]


@case
def old_names_of_cells_in_checkpoints(tf):
    module = contrib("rnn.python.tools.checkpoint_convert")
    said = [list(module.RNN_NAME_REPLACEMENTS.items())]
    folder = tempfile.mkdtemp()
    try:
        names = ["a/gru_cell/gates/weights", "b/attention_decoder/LSTMCell/B", "c/nas_rnn/weights"]
        kept = {name: tf.Variable([1.0, float(i)]) for i, name in enumerate(names + ["d"])}
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            old = tf.train.Saver(kept).save(session, os.path.join(folder, "old"))
        made, renamed = module.convert_names(old, os.path.join(folder, "new"))
        said += [sorted(made), sorted(renamed.items())]
        reader = tf.train.NewCheckpointReader(os.path.join(folder, "new"))
        for name in sorted(reader.get_variable_to_shape_map()):
            said.append([name, reader.get_tensor(name).tolist()])
    finally:
        shutil.rmtree(folder)
    return said


@case
def inputs_from_generators(tf):
    make = contrib("learn.python.learn.learn_io.generator_io").generator_input_fn

    def samples():
        for i in range(4):
            yield {"a": np.array([i, i + 1]), "b": np.array([i * 0.5]), "y": np.array([-i])}

    def numbers():
        yield 3

    said = []
    for key in (None, "y", ["y", "b"]):
        with tf.Graph().as_default():
            found = make(samples, key, batch_size=2, shuffle=False)()
            coordinator = tf.train.Coordinator()
            with tf.Session() as session:
                session.run(tf.local_variables_initializer())
                threads = tf.train.start_queue_runners(session, coordinator)
                value = session.run(found)
                coordinator.request_stop()
                coordinator.join(threads)
            said.append(str(tf.nest.map_structure(lambda x: x.tolist(), value)))
    for wrong in (
        (3,),
        (len,),
        (lambda: 3,),
        (numbers,),
        (samples, 3),
        (samples, [3]),
        (samples, ["z"]),
    ):
        said.append(error(make, *wrong))
    return said


@case
def old_names_of_learn(tf):
    hooks = contrib("learn.python.learn.basic_session_run_hooks")
    cache = contrib("learn.python.learn.summary_writer_cache")
    cells = contrib("cudnn_rnn.python.layers.cudnn_rnn")
    said = [issubclass(hooks.StopAtStepHook, tf.train.StopAtStepHook)]
    said.append(type(hooks.NanTensorHook(tf.constant(1.0), True)).__name__)
    said.append(cache.get_summary_writer is cache.SummaryWriterCache.get)
    names = ("INPUT_AUTO_MODE", "INPUT_SKIP_MODE", "RNN_BIDIRECTION")
    return said + [getattr(cells, "CUDNN_" + name) for name in names]
