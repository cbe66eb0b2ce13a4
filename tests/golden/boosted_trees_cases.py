"""Op types of boosted trees: ensembles as they grow, predictions, splits, quantiles.

Read by `record_cases.py` under TensorFlow 1.15 and replayed by `tests/api/test_boosted_trees.py`.
"""

from __future__ import annotations

import numpy as np
from case_runs import collect
from op_cases import _OneByOne


def _ints(*values):
    return np.array(values, np.int32)


def _floats(*values):
    return np.array(values, np.float32)


def _column(*values):
    return np.array(values, np.float32).reshape(-1, 1)


_FEATURES = [_ints(0, 1, 2, 3, 4), _ints(1, 9, 3, 4, 6), _ints(0, 1, 2, 7, 8)]
_NO_SPLIT = [
    _ints(),
    _floats(),
    _ints(),
    np.zeros([0, 1], np.float32),
    np.zeros([0, 1], np.float32),
]
# Of each layer: (feature, nodes, gains, thresholds, moves on the left, on the right).
_LAYERS = [
    [(0, _ints(0), _floats(0.5), _ints(3), _column(-1.0), _column(1.0)),
     (2, _ints(0), _floats(0.9), _ints(1), _column(2.0), _column(-3.0))],
    [(1, _ints(1), _floats(0.5), _ints(3), _column(-1.0), _column(1.0)),
     (2, _ints(1, 2), _floats(0.4, -0.2), _ints(1, 7), _column(2.0, 0.25), _column(-3.0, 0.5))],
    [(1, _ints(0), _floats(0.5), _ints(5), _column(0.3), _column(0.4))],
    [(1, _ints(1, 2), _floats(-0.5, -0.1), _ints(5, 5), _column(0.3, 0.1), _column(0.4, 0.1))],
    [(1, *_NO_SPLIT)],
]  # fmt: skip


class _Ensemble:
    def __init__(self, tf, name):
        self.raw = tf.raw_ops
        self.handle = self.raw.BoostedTreesEnsembleResourceHandleOp(container="", shared_name=name)
        self.state = self.run("GetEnsembleStates")

    def run(self, op, **inputs):
        name = "IsBoostedTreesEnsembleInitialized" if op == "Is" else "BoostedTrees" + op
        return getattr(self.raw, name)(tree_ensemble_handle=self.handle, **inputs)

    def create(self):
        return self.run("CreateEnsemble", stamp_token=np.int64(0), tree_ensemble_serialized="")

    def grown(self, layer, pruning, max_depth=2):
        features, *columns = zip(*layer)
        names = "node_ids gains thresholds left_node_contribs right_node_contribs".split()
        return self.run(
            "UpdateEnsemble", feature_ids=_ints(*features), max_depth=max_depth,
            learning_rate=np.float32(0.1), pruning_mode=pruning,
            **{name: list(column) for name, column in zip(names, columns)}
        )  # fmt: skip

    def predictions(self, *cached):
        # `cached`: more pairs of the trees and nodes where examples were before.
        attrs = {"bucketized_features": _FEATURES, "logits_dimension": 1}
        found = [self.run("Predict", **attrs)]
        for trees, nodes in (((0,) * 5, (0,) * 5), *cached):
            found.append(
                self.run("TrainingPredict", cached_tree_ids=_ints(*trees),
                         cached_node_ids=_ints(*nodes), **attrs)
            )  # fmt: skip
        return found


def _growth(pruning):
    def record(tf):
        ensemble = _Ensemble(tf, "growth%d" % pruning)
        fetches = [ensemble.run("Is"), ensemble.state, ensemble.create(), ensemble.run("Is")]
        fetches += [ensemble.state, ensemble.predictions()[0]]
        for gradient in (1.5, 0.001):
            bias = ensemble.run(
                "CenterBias", mean_gradients=_column(gradient), mean_hessians=_column(2.0), l1=0.0,
                l2=0.2,
            )  # fmt: skip
            fetches += [bias, ensemble.state]
        for layer in _LAYERS:
            fetches += [ensemble.grown(layer, pruning), ensemble.state, *ensemble.predictions()]
        fetches += ensemble.predictions(((0, 0, 1, 1, 0), (0, 1, 0, 0, 2)))
        fetches.append(
            ensemble.run("ExampleDebugOutputs", bucketized_features=_FEATURES, logits_dimension=1)
        )
        return _OneByOne(fetches)

    return record


def copied(tf):
    first, second = _Ensemble(tf, "first"), _Ensemble(tf, "second")
    stamp, text = first.run("SerializeEnsemble")
    load = second.run("DeserializeEnsemble", stamp_token=stamp, tree_ensemble_serialized=text)
    bad = second.run("DeserializeEnsemble", stamp_token=stamp, tree_ensemble_serialized="\xff")
    layers = [first.grown(layer, 2) for layer in _LAYERS[:2]]
    return _OneByOne(
        [first.create(), *layers, second.create(), load, second.state, *second.predictions(), bad]
    )


def _examples():
    state = np.random.RandomState(0)
    return {
        "node_ids": _ints(0, 0, 1, 2, 1, 0),
        "gradients": state.uniform(-1, 1, (6, 1)).astype(np.float32),
        "hessians": state.uniform(0.1, 1, (6, 1)).astype(np.float32),
    }


_BUCKETS = _ints(0, 1, 1, 2, 0, 2)


def splits(tf):
    raw, given = tf.raw_ops, _examples()
    sizes = {"max_splits": 3, "num_buckets": 3}
    rule = {"node_id_range": _ints(0, 3), "l2": 0.2, "tree_complexity": 0.01}
    both = [_BUCKETS, _BUCKETS[::-1].copy()]
    sums = raw.BoostedTreesMakeStatsSummary(bucketized_features_list=both, **given, **sizes)
    gains = raw.BoostedTreesCalculateBestGainsPerFeature(
        stats_summary_list=tf.unstack(sums), l1=0.05, min_node_weight=0.2, max_splits=3, **rule
    )
    dense = raw.BoostedTreesAggregateStats(feature=np.stack(both, 1), **given, **sizes)
    found = [sums, gains, dense]
    for kind, l1, least in (("inequality", 0.05, 0.2), ("equality", 0.0, 0.5)):
        found.append(
            raw.BoostedTreesCalculateBestFeatureSplit(
                stats_summary=dense, l1=l1, min_node_weight=least, logits_dimension=1,
                split_type=kind, **rule
            )
        )  # fmt: skip
    sparse = raw.BoostedTreesSparseAggregateStats(
        feature_indices=np.array([[0, 0], [1, 1], [3, 0], [4, 1]], np.int32),
        feature_values=_ints(1, 0, 2, 1), feature_shape=_ints(6, 2), **given, **sizes
    )  # fmt: skip
    found += [sparse, raw.BoostedTreesSparseCalculateBestFeatureSplit(
        stats_summary_indices=sparse[0], stats_summary_values=sparse[1],
        stats_summary_shape=sparse[2], l1=0.1, min_node_weight=0.1, logits_dimension=1, **rule
    )]  # fmt: skip
    found.append(
        raw.BoostedTreesBucketize(
            float_values=[_floats(-1, 0, 0.5, 2, 9)], bucket_boundaries=[_floats(0, 1, 3)]
        )
    )
    return _OneByOne(found)


def quantiles(tf):
    raw = tf.raw_ops
    handle = raw.BoostedTreesQuantileStreamResourceHandleOp(container="", shared_name="q")
    few = _floats(1, 3, 2, 2, 5, 4, 7), _floats(1, 1, 1, 1, 1, 1, 2)
    many = np.random.RandomState(1).uniform(0, 1, 300).astype(np.float32), np.ones(300, np.float32)

    def summary(batch, epsilon):
        return raw.BoostedTreesMakeQuantileSummaries(
            float_values=[batch[0]], example_weights=batch[1], epsilon=epsilon
        )

    def stream(op, **inputs):
        name = "BoostedTreesQuantileStreamResource" + op
        return getattr(raw, name)(quantile_stream_resource_handle=handle, **inputs)

    fetches = [
        raw.BoostedTreesCreateQuantileStreamResource(
            quantile_stream_resource_handle=handle, epsilon=0.02, num_streams=np.int64(1)
        ),
        raw.IsBoostedTreesQuantileStreamResourceInitialized(quantile_stream_resource_handle=handle),
    ]
    limits = stream("GetBucketBoundaries", num_features=1)
    for batches, count in (((few,), 3), ((few, many), 4), ((many, few, many), 10)):
        for quantiles in (False, True):
            fetches += [stream("AddSummaries", summaries=summary(batch, 0.02)) for batch in batches]
            fetches += [
                stream("Flush", num_buckets=np.int64(count), generate_quantiles=quantiles),
                limits,
            ]
    fetches += [summary(few, 0.01), summary(many, 0.1), summary(many, 0.3)]
    # TensorFlow takes no vectors whose rank it knows.
    known = tf.placeholder_with_default(_floats(1, 2), None)
    fetches += [stream("Deserialize", bucket_boundaries=[known]), limits]
    return _OneByOne(fetches)


CASES = {
    "ensembles": {
        "unpruned": _growth(0),
        "pruned_before": _growth(1),
        "pruned_after": _growth(2),
        "copied": copied,
    },
    "splits": collect(splits),
    "quantiles": collect(quantiles),
}
MISTAKES = {}
