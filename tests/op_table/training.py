"""Rows of the ops that optimizers record: one step from given variables and slots."""

from __future__ import annotations

from op_table.case import Case, arr, val

# op type without "Apply": slots, then the parameters in the op's order ("grad" is the gradient).
APPLY = {
    "GradientDescent": ([], "alpha delta"),
    "ProximalGradientDescent": ([], "alpha l1 l2 delta"),
    "Adagrad": (["accum"], "lr grad"),
    "AdagradV2": (["accum"], "lr epsilon grad"),
    "AdagradDA": (
        ["gradient_accumulator", "gradient_squared_accumulator"],
        "grad lr l1 l2 global_step",
    ),
    "ProximalAdagrad": (["accum"], "lr l1 l2 grad"),
    "Adadelta": (["accum", "accum_update"], "lr rho epsilon grad"),
    "Adam": (["m", "v"], "beta1_power beta2_power lr beta1 beta2 epsilon grad"),
    "AdaMax": (["m", "v"], "beta1_power lr beta1 beta2 epsilon grad"),
    "Momentum": (["accum"], "lr grad momentum"),
    "RMSProp": (["ms", "mom"], "lr rho momentum epsilon grad"),
    "CenteredRMSProp": (["mg", "ms", "mom"], "lr rho momentum epsilon grad"),
    "Ftrl": (["accum", "linear"], "grad lr l1 l2 lr_power"),
    "FtrlV2": (["accum", "linear"], "grad lr l1 l2 l2_shrinkage lr_power"),
    "AdamWithAmsgrad": (
        ["m", "v", "vhat"],
        "beta1_power beta2_power lr beta1 beta2 epsilon grad",
    ),
    "KerasMomentum": (["accum"], "lr grad momentum"),
    "AddSign": (["m"], "lr alpha sign_decay beta grad"),
    "PowerSign": (["m"], "lr logbase sign_decay beta grad"),
}
# Those that have a form for the gradient of some rows.
SPARSE = (
    "ProximalGradientDescent KerasMomentum Adagrad AdagradV2 AdagradDA ProximalAdagrad Adadelta "
    "Momentum RMSProp CenteredRMSProp Ftrl FtrlV2"
).split()
RESOURCE_ONLY = ("AdamWithAmsgrad", "KerasMomentum")
OPTIONS = {
    "KerasMomentum": ("nesterov", {"use_nesterov": True}),
    "Adam": ("nesterov", {"use_nesterov": True}),
    "Momentum": ("nesterov", {"use_nesterov": True}),
    "Adagrad": ("slots_kept", {"update_slots": False}),
    "AdagradV2": ("slots_kept", {"update_slots": False}),
}
VALUES = {
    "alpha": 0.1,
    "lr": 0.1,
    "l1": 0.05,
    "l2": 0.1,
    "l2_shrinkage": 0.2,
    "lr_power": -0.5,
    "epsilon": 1e-3,
    "rho": 0.9,
    "momentum": 0.8,
    "beta": 0.9,
    "beta1": 0.9,
    "beta2": 0.99,
    "beta1_power": 0.81,
    "beta2_power": 0.98,
    "sign_decay": 0.7,
    "logbase": 1.0,
}


def _step(op, slots, parameters, resource, sparse, options):
    """Records one step; returns what the op returns (a reference, or an operation)."""

    def record(tf, *arguments):
        names = ["var", *slots]
        variables = arguments[: len(names)]
        rest = list(arguments[len(names) :])
        inputs = {
            name: variable.handle if resource else variable
            for name, variable in zip(names, variables)
        }
        for name in parameters:
            if name == "global_step":
                inputs[name] = tf.constant(3, tf.int64)
            elif name in VALUES:
                inputs[name] = tf.constant(VALUES[name], rest[0].dtype)
        inputs["delta" if "delta" in parameters and not sparse else "grad"] = rest[0]
        if sparse:
            inputs["indices"] = rest[1]
        return getattr(tf.raw_ops, op)(**inputs, **options)

    return record


def _rows():
    for name, (slots, text) in APPLY.items():
        parameters = text.split()
        forms = [False, True] if name in SPARSE else [False]
        for sparse in forms:
            for resource in (False, True) if name not in RESOURCE_ONLY else (True,):
                op = f"{'Resource' * resource}{'Sparse' * sparse}Apply{name}"
                variables = [arr(3, 2), *(arr(3, 2, low=1.0, high=2.0) for _ in slots)]
                if name == "CenteredRMSProp":
                    # The mean of squares must exceed the square of the mean.
                    variables[1] = arr(3, 2, low=0.0, high=0.5)
                inputs = [arr(2, 2), val([2, 0], "int32")] if sparse else [arr(3, 2)]
                choices = [("", {}), *([OPTIONS[name]] if name in OPTIONS else [])]
                for label, options in choices:
                    yield Case(
                        op,
                        _step(op, slots, parameters, resource, sparse, options),
                        inputs,
                        label,
                        grad=(),
                        variables=variables,
                        resource=resource,
                    )


CASES = list(_rows())
