"""Records the op types of those libraries of tf.contrib, and of those modules of TensorFlow's own
op types, that nothing else of TensorFlow 1.15 loads.

Run under the real TensorFlow 1.15:

    python -W ignore oracle/record_contrib_op_defs.py tf1compat/core/data/contrib_op_defs.json

The form is that of op_defs.json.
"""

import importlib
import sys

from record_test_op_defs import op_def, write
from tensorflow.python.framework import op_def_registry
from tensorflow.python.framework.ops import _gradient_registry as gradient_registry

LIBRARIES = (
    "contrib.boosted_trees.python.ops.boosted_trees_ops_loader",
    "python.ops.tensor_forest_ops",
    "contrib.fused_conv.python.ops.fused_conv2d_bias_activation_op",
    "contrib.ffmpeg",
    "contrib.libsvm.python.ops.libsvm_ops",
    "contrib.nearest_neighbor.python.ops.nearest_neighbor_ops",
    "contrib.reduce_slice_ops.python.ops.reduce_slice_ops",
    "contrib.text.python.ops.skip_gram_ops",
)


def main(path):
    importlib.import_module("tensorflow.contrib.util.loader")  # loads most of the others
    before = set(op_def_registry.get_registered_ops())
    for name in LIBRARIES:
        importlib.import_module("tensorflow." + name)
    ops = op_def_registry.get_registered_ops()
    table = {name: op_def(ops[name]) for name in sorted(set(ops) - before)}
    for name in set(gradient_registry.list()) & set(table):
        assert gradient_registry.lookup(name) is None, "declared not differentiable"
        table[name]["gradient"] = "not_differentiable"
    write(path, table)
    print(len(table), "op types")


if __name__ == "__main__":
    main(*sys.argv[1:])
