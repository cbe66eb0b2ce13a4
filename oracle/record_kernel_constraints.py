"""Marks the type attrs in op_defs.json that no CPU kernel's registration looks at (`any_kernel`).

For a dtype that such an attr may not have TensorFlow finds a kernel all the same, and says then
that the attr's value is not allowed; for other attrs it says that no device has a kernel.

Run under the real TensorFlow 1.15:

    python -W ignore oracle/record_kernel_constraints.py tf1compat/core/data/op_defs.json
"""

import json
import sys

import tensorflow as tf
from record_test_op_defs import write
from tensorflow.python.framework import kernels


def main(path):
    with open(path) as file:
        op_defs = json.load(file)
    for name in sorted(op_defs):
        found = [
            {constraint.name for constraint in kernel.constraint}
            for kernel in kernels.get_registered_kernels_for_op(name).kernel
            if kernel.device_type == "CPU"
        ]
        for attr in op_defs[name]["attrs"]:
            attr.pop("any_kernel", None)
            is_dtype = attr["type"] == "type" and "allowed" in attr
            if found and is_dtype and not all(attr["name"] in names for names in found):
                attr["any_kernel"] = True
    write(path, op_defs)


if __name__ == "__main__":
    print(tf.__version__)
    main(sys.argv[1])
