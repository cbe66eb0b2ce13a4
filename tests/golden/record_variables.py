"""Records the goldens of variables, scopes and optimizers. Run by a Python with TensorFlow 1.15:

python record_variables.py
"""

from __future__ import annotations

import inspect
import os
import warnings

import recording
import update_rule_cases
import variable_cases

warnings.filterwarnings("ignore")


def describe(tf, case):
    """Builds one case in an empty graph; returns its graph and what it says."""
    tf.reset_default_graph()
    said = case(tf)
    return {"graph": recording.describe_graph(tf.get_default_graph()), "said": said}


def update_rules(tf):
    """Runs every update rule; returns the ops' argument names and the values."""
    arguments, values = {}, {}
    for case, (op_type, _, _, _) in update_rule_cases.CASES.items():
        names = arguments[op_type] = list(
            inspect.signature(getattr(tf.raw_ops, op_type)).parameters
        )
        for indices in ("unique", "repeated") if "indices" in names else ("unique",):
            run = update_rule_cases.run(tf, case, names, indices)
            values["{} {}".format(case, indices)] = run
    return {"arguments": arguments, "values": values}


def main():
    import tensorflow as tf

    tf.logging.set_verbosity(tf.logging.ERROR)
    golden = {"graphs": {}, "mistakes": {}}
    for group, cases in variable_cases.GRAPHS.items():
        golden["graphs"][group] = {name: describe(tf, case) for name, case in cases.items()}
    for name, case in variable_cases.MISTAKES.items():
        golden["mistakes"][name] = recording.raised(tf, case)
        assert golden["mistakes"][name], name
    golden["update_rules"] = update_rules(tf)
    recording.write_json(os.path.join(recording.DATA, "variables.json.gz"), golden)


if __name__ == "__main__":
    main()
