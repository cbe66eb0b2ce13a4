"""Every `Apply…` op with fixed inputs: what TensorFlow 1.15 makes of the variable and its slots."""

from __future__ import annotations

import numpy as np

# Argument name -> value for the scalar settings; others are arrays of the variable's shape.
SETTINGS = {
    "lr": 0.1,
    "alpha": 0.1,
    "rho": 0.9,
    "epsilon": 1e-3,
    "momentum": 0.8,
    "beta": 0.7,
    "beta1": 0.85,
    "beta2": 0.95,
    "beta1_power": 0.7,
    "beta2_power": 0.9,
    "l1": 0.05,
    "l2": 0.02,
    "l2_shrinkage": 0.03,
    "lr_power": -0.5,
    "global_step": 3,
    "logbase": 1.1,
    "sign_decay": 0.6,
}
# Slots that hold sums of squares.
_POSITIVE = ("accum", "accum_update", "v", "vhat", "ms", "gradient_squared_accumulator")
_SHAPE = (4, 3)
_INDICES = {"unique": [2, 0], "repeated": [2, 0, 2, 1, 2]}

_FORMS = {
    "ApplyAdaMax": 3,
    "ApplyAdadelta": 3,
    "ApplyAdagrad": 2,
    "ApplyAdagradDA": 3,
    "ApplyAdagradV2": 2,
    "ApplyAdam": 3,
    "ApplyAddSign": 2,
    "ApplyCenteredRMSProp": 4,
    "ApplyFtrl": 3,
    "ApplyFtrlV2": 3,
    "ApplyGradientDescent": 1,
    "ApplyMomentum": 2,
    "ApplyPowerSign": 2,
    "ApplyProximalAdagrad": 2,
    "ApplyProximalGradientDescent": 1,
    "ApplyRMSProp": 3,
    "ResourceApplyAdam": 3,
    "ResourceApplyAdamWithAmsgrad": 4,
    "ResourceApplyKerasMomentum": 2,
    "ResourceSparseApplyAdagrad": 2,
    "ResourceSparseApplyKerasMomentum": 2,
    "SparseApplyAdadelta": 3,
    "SparseApplyAdagrad": 2,
    "SparseApplyAdagradDA": 3,
    "SparseApplyAdagradV2": 2,
    "SparseApplyCenteredRMSProp": 4,
    "SparseApplyFtrl": 3,
    "SparseApplyFtrlV2": 3,
    "SparseApplyMomentum": 2,
    "SparseApplyProximalAdagrad": 2,
    "SparseApplyProximalGradientDescent": 1,
    "SparseApplyRMSProp": 3,
}
# Case -> (op type, number of variables, dtype, other settings and attrs).
CASES = {}
for _name, _count in _FORMS.items():
    for _dtype in ("float32", "float64"):
        CASES["{} {}".format(_name, _dtype)] = (_name, _count, _dtype, {})
for _name, _others in (
    ("ApplyAdam", {"use_nesterov": True}),
    ("ApplyMomentum", {"use_nesterov": True}),
    ("SparseApplyMomentum", {"use_nesterov": True}),
    ("ResourceApplyKerasMomentum", {"use_nesterov": True}),
    ("ApplyAdagrad", {"update_slots": False}),
    ("SparseApplyAdagrad", {"update_slots": False}),
    ("ApplyFtrl", {"lr_power": -0.7}),
    ("SparseApplyFtrl", {"lr_power": -0.7}),
    ("ApplyFtrl", {"l1": 0.0}),
    ("ApplyAdagradDA", {"l1": 0.0}),
    ("ApplyProximalAdagrad", {"l1": 0.0}),
    ("SparseApplyProximalGradientDescent", {"l1": 0.0}),
):
    _text = ", ".join("{}={}".format(*item) for item in _others.items())
    CASES["{} {}".format(_name, _text)] = (_name, _FORMS[_name], "float32", _others)


def run(tf, case, names, indices="unique"):
    """Runs one case.

    Args:
        tf: the `tensorflow` module.
        case: a key of `CASES`.
        names: the names of the op's arguments, attrs included.
        indices: which indices a sparse op gets: "unique" or "repeated".

    Returns:
        The values of the variable and its slots after the update, as flat lists.
    """
    op_type, count, dtype, others = CASES[case]
    rng = np.random.RandomState(7)
    settings = dict(SETTINGS, **others)
    is_resource = op_type.startswith("Resource")
    tf.reset_default_graph()
    variables, given = [], {}
    for i, name in enumerate(names):
        if i < count:
            value = rng.uniform(-1, 1, _SHAPE)
            value = np.abs(value) + 0.05 if name in _POSITIVE and _squares(op_type) else value
            variable = tf.Variable(value.astype(dtype), use_resource=is_resource)
            variables.append(variable)
            given[name] = variable.handle if is_resource else variable._ref()
        elif name == "indices":
            given[name] = tf.constant(_INDICES[indices])
        elif name in ("grad", "delta"):
            shape = (len(_INDICES[indices]),) + _SHAPE[1:] if "indices" in names else _SHAPE
            given[name] = tf.constant(rng.uniform(-1, 1, shape).astype(dtype))
        elif name in settings:
            kind = np.int64 if name == "global_step" else dtype
            given[name] = tf.constant(np.asarray(settings[name], kind))
    attrs = {key: value for key, value in others.items() if key not in SETTINGS}
    update = getattr(tf.raw_ops, op_type)(**dict(given, **attrs))
    with tf.Session() as sess:
        sess.run([v.initializer for v in variables])
        sess.run(getattr(update, "op", update))
        return [value.ravel().tolist() for value in sess.run(variables)]


def _squares(op_type):
    """Whether the slot called `accum` holds sums of squares and not a momentum."""
    return "Momentum" not in op_type
