"""`tensorflow.python.util.example_parser_configuration`: what a ParseExample of a graph looks for,
for who parses examples elsewhere."""

from __future__ import annotations

from typing import Any

from tf1compat.core import tensor_util
from tf1compat.core.operation import Operation
from tf1compat.core.session_interface import SessionInterface
from tf1compat.core.tensor_shape import TensorShape
from tf1compat.formats import example_parser_configuration_pb2


def extract_example_parser_configuration(
    parse_example_op: Operation, sess: SessionInterface
) -> Any:
    """The features that an operation parses, with their defaults and the tensors that they become.

    Args:
      parse_example_op: a `ParseExample`.
      sess: works out keys and defaults.

    Returns:
      An `ExampleParserConfiguration`.

    Raises:
      ValueError: the attrs of the operation do not fit its inputs.
    """
    get = parse_example_op.get_attr
    sparse, dense = get("Nsparse"), get("Ndense")
    sparse_types, dense_types, shapes = get("sparse_types"), get("Tdense"), get("dense_shapes")
    fetches = list(parse_example_op.inputs)[2:]  # after the examples and their names
    for what, found, of, wanted in (
        ("sparse_types) attribute", sparse_types, "Nsparse attribute", sparse),
        ("dense_types) attribute", dense_types, "Ndense attribute", dense),
        ("dense_shapes) attribute", shapes, "Ndense attribute", dense),
        ("fetch_list)", fetches, "total features + num_dense", sparse + 2 * dense),
    ):
        if len(found) != wanted:
            raise ValueError(f"len({what} does not match {of} ({len(found)} vs {wanted})")
    fetched = sess.run(fetches)
    outputs = [output.name for output in parse_example_op.outputs]
    config = example_parser_configuration_pb2.ExampleParserConfiguration()
    for i, key in enumerate(fetched[sparse : sparse + dense]):
        fixed = config.feature_map[key].fixed_len_feature
        default = tensor_util.make_tensor_proto(fetched[sparse + dense + i])
        fixed.default_value.CopyFrom(default)
        fixed.shape.CopyFrom(TensorShape(shapes[i]).as_proto())
        fixed.dtype = dense_types[i].as_datatype_enum
        fixed.values_output_tensor_name = outputs[3 * sparse + i]
    for i, key in enumerate(fetched[:sparse]):
        feature = config.feature_map[key].var_len_feature
        feature.dtype = sparse_types[i].as_datatype_enum
        feature.indices_output_tensor_name = outputs[i]
        feature.values_output_tensor_name = outputs[sparse + i]
        feature.shapes_output_tensor_name = outputs[2 * sparse + i]
    return config
