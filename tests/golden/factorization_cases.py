"""Clustering and matrix factorization: k-means, mixtures of Gaussians, alternating least squares.

Read by `record_cases.py` under TensorFlow 1.15 and replayed by `tests/api/test_factorization.py`.
"""

from __future__ import annotations

import functools

import numpy as np
from case_runs import Case, collect
from session_runs import Done

_RNG = np.random.RandomState(0)
CENTERS = np.array([[0, 1], [3, 0.5], [-2, 3]], "f")
# Of few digits, so that products are exact where nearly equal ones are subtracted.
POINTS = (np.round(4 * (CENTERS[np.arange(24) % 3] + _RNG.randn(24, 2))) / 4).astype("f")
MATRIX = _RNG.rand(5, 2).dot(_RNG.rand(2, 7)).astype("f") * (_RNG.rand(5, 7) < 0.7)


def _core(tf):
    from tensorflow.python.ops import clustering_ops

    return clustering_ops.KMeans


def _contrib(tf):
    return tf.contrib.factorization.KMeans


class Started(Case):
    """A case whose clusters are chosen before the first step."""

    def __init__(self, init_op, is_initialized, fetches, updates, init_runs=1, steps=3):
        super(Started, self).__init__(fetches, updates, steps=steps)
        self._init_op, self._is_initialized = init_op, is_initialized
        self._init_runs = init_runs

    def run(self, tf):
        found = []
        with tf.Session() as session:
            session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
            for _ in range(self._init_runs):
                session.run(self._init_op)
                found.append((self._is_initialized, session.run(self._is_initialized)))
            for _ in range(self.steps):
                for fetches in (self.fetches, self.updates):
                    found += zip(fetches, session.run(fetches))
            variables = tf.global_variables()
            found += zip(variables, session.run(variables))
        return found


def _kmeans(make, inputs, init_runs, kwargs, tf):
    tf.set_random_seed(3)
    kwargs = dict(kwargs)
    if callable(kwargs.get("initial_clusters")):
        kwargs["initial_clusters"] = functools.partial(kwargs["initial_clusters"], tf)
    graph = make(tf)([tf.constant(x) for x in inputs], 3, **kwargs).training_graph()
    all_scores, index, scores, is_initialized, init_op, training_op = graph
    if kwargs.get("distance_metric") == "cosine":
        # So that the little that 1 - 1 leaves is not compared.
        scores = [1.0 - x for x in scores]
    fetches = [x for found in (all_scores, index, scores) for x in found]
    # TensorFlow may read the counts of mini-batches before it adds to them, or after.
    updates = [] if kwargs.get("use_mini_batch") else [training_op]
    return Started(init_op, is_initialized, fetches, updates, init_runs)


def _first_points(tf, inputs, count):
    return inputs[0][: tf.minimum(count, 2)]


HALVES = [POINTS[:10], POINTS[10:]]
KMEANS = {
    "random": (_contrib, [POINTS], 1, {}),
    "random_core": (_core, [POINTS], 1, {"random_seed": 5, "use_mini_batch": True}),
    "core_seed": (_core, [POINTS], 1, {"random_seed": None, "distance_metric": "cosine"}),
    "plus_plus": (_contrib, HALVES, 1, {"initial_clusters": "kmeans_plus_plus"}),
    # One center a run: of two, TensorFlow lets the second see the first or not.
    "kmc2": (_contrib, [POINTS], 3, {"initial_clusters": "kmc2", "kmc2_chain_length": 24}),
    "kmc2_cosine": (
        _core, [POINTS], 3,
        {"initial_clusters": "kmc2", "kmc2_chain_length": 20, "distance_metric": "cosine",
         "use_mini_batch": True, "mini_batch_steps_per_iteration": 2, "random_seed": 1},
    ),
    "given": (_contrib, [POINTS], 1, {"initial_clusters": CENTERS}),
    "given_cosine": (
        _contrib, HALVES, 1, {"initial_clusters": CENTERS + 1, "distance_metric": "cosine"},
    ),
    "function": (_contrib, [POINTS], 2, {"initial_clusters": _first_points}),
    "mini_batch_cosine": (
        _contrib, [POINTS], 1,
        {"initial_clusters": CENTERS + 1, "distance_metric": "cosine", "use_mini_batch": True},
    ),
    "mini_batch_late": (
        _contrib, [POINTS], 1,
        {"initial_clusters": CENTERS, "use_mini_batch": True,
         "mini_batch_steps_per_iteration": 2},
    ),
}  # fmt: skip


def _gmm(inputs, kwargs, tf):
    found = tf.contrib.factorization.gmm(
        [tf.constant(x) for x in inputs], num_clusters=3, random_seed=2, **kwargs
    )
    loss, scores, assignments, training_op, init_op, is_initialized = found
    # TensorFlow can only give the scores of one input.
    fetches = [loss] + assignments[0] + ([scores] if len(inputs) == 1 else [])
    return Started(init_op, is_initialized, fetches, [training_op])


GMM = {
    "full": ([POINTS], {"initial_clusters": CENTERS}),
    "random": ([POINTS], {"initial_clusters": "random"}),
    "diagonal": ([POINTS], {"initial_clusters": CENTERS, "covariance_type": "diag"}),
    "means": (
        [POINTS[:12], POINTS[12:]],
        {"initial_clusters": CENTERS.tolist(), "params": "m", "covariance_type": "diag"},
    ),
    "weights": ([POINTS], {"initial_clusters": CENTERS, "params": "w"}),
}


def _entries(tf, matrix=MATRIX, rows=None):
    rows = list(range(len(matrix))) if rows is None else rows
    indices = [(i, j) for i in rows for j in np.flatnonzero(matrix[i])]
    values = [matrix[i, j] for i, j in indices]
    # Not constants, which TensorFlow would work out while it looks for static shapes.
    indices = tf.placeholder_with_default(np.array(indices, np.int64), [None, 2])
    values = tf.placeholder_with_default(np.array(values, "f"), [None])
    shape = tf.placeholder_with_default(np.array(matrix.shape, np.int64), [2])
    return tf.SparseTensor(indices, values, shape)


class Sweeps(Case):
    """Rows, then columns are solved for, in turns."""

    def __init__(self, model, entries, columns, projections, said=()):
        super(Sweeps, self).__init__(said=said)
        self._init = [model.initialize_op, model.worker_init]
        self._turns = [
            (model.row_update_prep_gramian_op, model.initialize_row_update_op,
             list(model.update_row_factors(entries))),
            (model.col_update_prep_gramian_op, model.initialize_col_update_op,
             list(model.update_col_factors(*columns))),
        ]  # fmt: skip
        self._projections = projections

    def run(self, tf):
        found = []
        with tf.Session() as session:
            for op in self._init:
                session.run(op)
            for i in range(4):
                prepare, begin, fetches = self._turns[i % 2]
                session.run(prepare)
                session.run(begin)
                found += zip(fetches, session.run(fetches))
            for turn, projection in zip((0, 1), self._projections):
                session.run(self._turns[turn][0])
                session.run(self._turns[turn][1])
                found.append((projection, session.run(projection)))
            variables = tf.global_variables()
            found += zip(variables, session.run(variables))
        return found


def _wals(kwargs, tf):
    tf.set_random_seed(7)
    model = tf.contrib.factorization.WALSModel(5, 7, 2, **kwargs)
    rows, columns = _entries(tf), _entries(tf, MATRIX.T)
    projections = [
        model.project_row_factors(rows, projection_weights=0.5),
        model.project_col_factors(columns, True, tf.range(1.0, 8.0)),
    ]
    said = [len(x) for x in (model.row_factors, model.col_factors)]
    return Sweeps(model, rows, (columns, True), projections, said)


def transposed(tf):
    """Rows of the transposed matrix, and columns of the matrix; only the numbers."""
    tf.set_random_seed(7)
    model = tf.contrib.factorization.WALSModel(5, 7, 2, col_init=MATRIX[:2].T, regularization=0.1)
    rows, columns = _entries(tf), _entries(tf, MATRIX.T)
    projections = [model.project_row_factors(columns, True), model.project_col_factors(rows)]
    found = Sweeps(model, rows, (rows, False), projections).run(tf)
    tf.reset_default_graph()
    return Done(values=[value for _, value in found if value is not None])


def _list_of(count):
    return [0.5 + 0.25 * i for i in range(count)]


WALS = {
    "plain": ({},),
    "regular": ({"regularization": 0.1, "unobserved_weight": 0.3, "use_scoped_vars": True},),
    "no_weights": ({"row_weights": None, "col_weights": None, "regularization": 0.01},),
    "shards": (
        {"num_row_shards": 2, "num_col_shards": 3, "regularization": 0.1,
         "row_weights": [_list_of(3), _list_of(2)], "col_weights": 0.4},
    ),
    "no_copies": (
        {"use_factors_weights_cache": False, "use_gramian_cache": False, "regularization": 0.1,
         "row_weights": _list_of(5), "row_init": np.ones([5, 2], "f")},
    ),
    "given": (
        {"row_init": lambda: np.eye(5, 2).astype("f"), "col_init": MATRIX[:2].T,
         "use_gramian_cache": False, "regularization": 0.1},
    ),
}  # fmt: skip


def _model_fn(make, features, mode, tf):
    """What an estimator's function records."""
    tf.train.create_global_step()
    estimator = make(tf)
    if hasattr(estimator, "fit"):
        spec = estimator._call_model_fn(features(tf), None, mode)
    else:
        spec = estimator._call_model_fn(features(tf), None, mode, estimator.config)
    said = [sorted(map(str, spec.predictions or {})), sorted(spec.eval_metric_ops)]
    said.append([type(hook).__name__.strip("_") for hook in spec.training_hooks])
    said.append(sorted(getattr(spec, "export_outputs", None) or {}))
    return Case(said=said, steps=0)


def _dict(tf):
    return {"b": tf.constant(POINTS[:, :1]), "a": tf.constant(POINTS[:, 1:])}


def _axes(tf):
    return {
        "input_rows": _entries(tf), "input_cols": _entries(tf, MATRIX.T),
        "project_row": tf.constant(True), "projection_weights": tf.ones([5]),
    }  # fmt: skip


def _wals_estimator(tf, **kwargs):
    return tf.contrib.factorization.WALSMatrixFactorization(
        5, 7, 2, regularization_coeff=0.1, row_init=np.ones([5, 2], "f"), col_init=MATRIX[:2].T,
        **kwargs
    )  # fmt: skip


def _columned(tf):
    return tf.contrib.factorization.KMeansClustering(
        2, feature_columns=[tf.feature_column.numeric_column("a")]
    )


def _new(tf, **kwargs):
    return tf.estimator.experimental.KMeans(2, seed=1, relative_tolerance=0.1, **kwargs)


def _old(tf, **kwargs):
    return tf.contrib.learn.KMeansClustering(2, relative_tolerance=0.1, **kwargs)


def _mixture(tf, **kwargs):
    return tf.contrib.factorization.GMM(2, initial_clusters=CENTERS[:2], **kwargs)


MODEL_FNS = {
    "kmeans": (_new, _dict, "train"),
    "kmeans_columns": (_columned, _dict, "infer"),
    "kmeans_learn": (_old, _dict, "train"),
    "gmm": (_mixture, _dict, "eval"),
    "wals": (lambda tf: _wals_estimator(tf, max_sweeps=3), _axes, "train"),
    "wals_infer": (_wals_estimator, _axes, "infer"),
    "wals_eval": (_wals_estimator, _axes, "eval"),
}


def _points(tf):
    return tf.constant(POINTS), None


def _once(tf):
    return lambda: tf.train.limit_epochs(tf.constant(POINTS), num_epochs=1)


def chosen_kmeans(tf):
    """Estimators that choose centers, with one batch for each round of training."""
    values = []
    for name in ("random", "kmeans_plus_plus"):
        config = tf.estimator.RunConfig(tf_random_seed=1)
        estimator = tf.estimator.experimental.KMeans(
            3, "chosen_" + name, initial_clusters=name, use_mini_batch=False, config=config
        )
        for _ in range(3):
            estimator.train(_once(tf))
            values += [estimator.get_variable_value("global_step"), estimator.cluster_centers()]
    return Done(values=values)


def new_kmeans(tf):
    """The estimators of today, trained."""
    values, said = [], []
    for name, module in (("core", tf.estimator.experimental), ("old", tf.contrib.factorization)):
        make = getattr(module, "KMeans" if name == "core" else "KMeansClustering")
        estimator = make(3, name, initial_clusters=CENTERS, use_mini_batch=False)
        estimator.train(_once(tf))
        estimator.train(_once(tf))
        values += [estimator.cluster_centers(), estimator.score(_once(tf))]
        values.append(np.array(list(estimator.predict_cluster_index(_once(tf)))))
        values.append(np.array(list(estimator.transform(_once(tf)))))
        said.append(sorted(estimator.get_variable_names()))
        folder = estimator.export_savedmodel(
            name + "_exported",
            tf.estimator.export.build_raw_serving_input_receiver_fn(
                {"x": tf.placeholder(tf.float32, [None, 2], name="x")}
            ),
        )
        with tf.Session(graph=tf.Graph()) as session:
            loaded = tf.saved_model.loader.load(session, ["serve"], folder.decode())
            said.append(sorted(loaded.signature_def))
        tf.reset_default_graph()
    return Done(said, values)


def tolerance(tf):
    """Stops when the loss rests."""
    estimator = tf.contrib.factorization.KMeansClustering(
        3, "rests", initial_clusters=CENTERS, use_mini_batch=False, relative_tolerance=1e-4
    )
    estimator.train(lambda: _points(tf), max_steps=30)
    return Done(values=[estimator.get_variable_value("global_step")])


def old_kmeans(tf):
    estimator = tf.contrib.learn.KMeansClustering(
        3, "learn", initial_clusters=CENTERS, use_mini_batch=False, relative_tolerance=1e-4
    )
    estimator.fit(input_fn=lambda: _points(tf), max_steps=30)
    values = [estimator.clusters(), estimator.get_variable_value("global_step")]
    values.append(estimator.score(input_fn=lambda: _points(tf), steps=1))
    values.append(np.array(list(estimator.predict_cluster_idx(input_fn=_once(tf)))))
    values.append(estimator.transform(input_fn=_once(tf)))
    return Done([sorted(estimator.get_variable_names())], values)


def mixture(tf):
    estimator = _mixture(tf, model_dir="gmm")
    estimator.fit(input_fn=lambda: _points(tf), steps=3)
    values = [estimator.weights(), estimator.clusters(), estimator.covariances()]
    values.append(estimator.score(input_fn=lambda: _points(tf), steps=1))
    values.append(np.array(list(estimator.predict_assignments(input_fn=_once(tf)))))
    return Done([sorted(estimator.get_variable_names())], values)


def wals(tf):
    def input_fn(project_row=True, rows=(0, 1, 2, 3, 4)):
        features = _axes(tf)
        del features["projection_weights"]
        features["input_rows"] = _entries(tf, MATRIX, rows)
        features["project_row"] = tf.constant(project_row)
        return features, None

    estimator = _wals_estimator(tf, model_dir="wals", max_sweeps=4)
    estimator.fit(input_fn=input_fn, steps=20)
    values = estimator.get_row_factors() + estimator.get_col_factors()
    values.append(estimator.get_variable_value("global_step"))
    for project_row in (True, False):
        values.append(estimator.evaluate(input_fn=lambda: input_fn(project_row), steps=1)["loss"])
        found = estimator.get_projections(input_fn=lambda: input_fn(project_row))
        values.append(np.array([next(found) for _ in range(3)]))
    return Done([sorted(estimator.get_variable_names())], values)


CASES = {
    "kmeans": {name: functools.partial(_kmeans, *row) for name, row in KMEANS.items()},
    "gmm": {name: functools.partial(_gmm, *row) for name, row in GMM.items()},
    "wals": {name: functools.partial(_wals, *row) for name, row in WALS.items()},
    "model_fns": {name: functools.partial(_model_fn, *row) for name, row in MODEL_FNS.items()},
    "estimators": collect(
        transposed, new_kmeans, chosen_kmeans, tolerance, old_kmeans, mixture, wals
    ),
}


MISTAKES = {
    "clustering": {
        "algorithm": lambda tf: tf.contrib.factorization.KMeans(POINTS, 3, "x"),
        "distance": lambda tf: tf.contrib.factorization.KMeans(POINTS, 3, distance_metric="x"),
        "estimator's algorithm": lambda tf: _new(tf, initial_clusters="kmc2"),
        "estimator's distance": lambda tf: tf.contrib.factorization.KMeansClustering(
            3, distance_metric=None
        ),
        "covariance": lambda tf: tf.contrib.factorization.GmmAlgorithm(
            [tf.constant(POINTS)], 3, covariance_type="x"
        ),
    },
    "wals": {
        "weights": lambda tf: tf.contrib.factorization.WALSModel(5, 7, 2, row_weights=-1),
        "mode": lambda tf: _model_fn(_wals_estimator, _axes, "x", tf),
    },
}
