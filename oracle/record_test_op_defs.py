"""Records the op types of TensorFlow 1.15's test_ops, which its tests of graph building record.

Run under the real TensorFlow 1.15:

    python -W ignore oracle/record_test_op_defs.py tf1compat/core/data/test_op_defs.json

The form is that of op_defs.json.
"""

import json
import sys

from tensorflow.core.framework import types_pb2
from tensorflow.python.framework import op_def_registry

FLAGS = ("is_stateful", "is_commutative", "is_aggregate", "allows_uninitialized_input")


def dtype_name(number):
    return types_pb2.DataType.Name(number)


def shape(proto):
    return {"unknown_rank": True} if proto.unknown_rank else [dim.size for dim in proto.dim]


def tensor(proto):
    return {
        "tensor": {
            "dtype": dtype_name(proto.dtype),
            "int_val": list(proto.int_val),
            "tensor_shape": {},
        }
    }


PLAIN = {
    "s": lambda value: value.decode(),
    "type": dtype_name,
    "shape": shape,
    "tensor": tensor,
}


def plain(value):
    """An AttrValue as JSON has it."""
    if value.HasField("list"):
        for field, items in value.list.ListFields():
            return [PLAIN.get(field.name, lambda x: x)(item) for item in items]
        return []
    field = value.WhichOneof("value")
    return PLAIN.get(field, lambda x: x)(getattr(value, field))


def arg(proto):
    found = {"name": proto.name}
    for field in ("type_attr", "type_list_attr", "number_attr"):
        if getattr(proto, field):
            found[field] = getattr(proto, field)
    if proto.type:
        found["type"] = dtype_name(proto.type)
    if proto.is_ref:
        found["is_ref"] = True
    return found


def attr(proto):
    found = {"name": proto.name, "type": proto.type}
    if proto.HasField("default_value"):
        found["default"] = plain(proto.default_value)
    if proto.HasField("allowed_values"):
        found["allowed"] = plain(proto.allowed_values)
    if proto.has_minimum:
        found["minimum"] = proto.minimum
    return found


def op_def(proto):
    found = {
        "inputs": [arg(one) for one in proto.input_arg],
        "outputs": [arg(one) for one in proto.output_arg],
        "attrs": [attr(one) for one in proto.attr],
        "gradient": "none",
    }
    found.update((flag, True) for flag in FLAGS if getattr(proto, flag))
    if proto.HasField("deprecation"):
        found["removed"] = [proto.deprecation.version, proto.deprecation.explanation]
    return found


def write(path, table):
    """Writes op types as JSON, a line each: they are read one by one."""
    rows = [
        json.dumps({name: row}, separators=(",", ":"), sort_keys=True)[1:-1]
        for name, row in sorted(table.items())
    ]
    with open(path, "w") as file:
        file.write("{\n%s\n}\n" % ",\n".join(rows))


def main(path):
    before = set(op_def_registry.get_registered_ops())
    from tensorflow.python.framework import test_ops  # noqa: F401  (registers them)

    ops = op_def_registry.get_registered_ops()
    table = {name: op_def(ops[name]) for name in sorted(set(ops) - before)}
    write(path, table)
    print(len(table), "op types")


if __name__ == "__main__":
    main(*sys.argv[1:])
