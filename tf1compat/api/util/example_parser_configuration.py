"""What a ParseExample says, for parsers of other languages
(`tensorflow.python.util.example_parser_configuration`)."""

from __future__ import annotations

from typing import Any

from tf1compat.core import own_protos, tensor_proto
from tf1compat.core.operation import Operation
from tf1compat.core.tensor_shape import TensorShape


def _check(what: str, found: int, of: str, wanted: int) -> None:
    if found != wanted:
        raise ValueError(f"{what} does not match {of} ({found} vs {wanted})")


def extract_example_parser_configuration(parse_example_op: Operation, sess: Any) -> Any:
    """The configuration of a parser that does what an operation does.

    Args:
      parse_example_op: a ParseExample.
      sess: a session, in which its keys and defaults are fetched.

    Returns:
      An `ExampleParserConfiguration`.

    Raises:
      ValueError: the operation's attrs contradict each other.
    """
    get = parse_example_op.get_attr
    sparse, dense = get("Nsparse"), get("Ndense")
    sparse_types, dense_types, shapes = (
        get(name) for name in ("sparse_types", "Tdense", "dense_shapes")
    )
    _check("len(sparse_types) attribute", len(sparse_types), "Nsparse attribute", sparse)
    _check("len(dense_types) attribute", len(dense_types), "Ndense attribute", dense)
    _check("len(dense_shapes) attribute", len(shapes), "Ndense attribute", dense)
    # The records come first, and their names.
    fetches = list(parse_example_op.inputs[2:])
    wanted = sparse + 2 * dense
    _check("len(fetch_list)", len(fetches), "total features + num_dense", wanted)
    values = sess.run(fetches)
    keys, defaults = values[: sparse + dense], values[sparse + dense :]
    outputs = [tensor.name for tensor in parse_example_op.outputs]
    config = own_protos.example_parser_configuration()()
    for i, key in enumerate(keys[:sparse]):
        feature = config.feature_map[key].var_len_feature
        feature.dtype = sparse_types[i].as_datatype_enum
        feature.indices_output_tensor_name = outputs[i]
        feature.values_output_tensor_name = outputs[sparse + i]
        feature.shapes_output_tensor_name = outputs[2 * sparse + i]
    for i, key in enumerate(keys[sparse:]):
        feature = config.feature_map[key].fixed_len_feature
        feature.dtype = dense_types[i].as_datatype_enum
        feature.shape.CopyFrom(TensorShape(shapes[i]).as_proto())
        feature.default_value.CopyFrom(tensor_proto.make_tensor_proto(defaults[i]))
        feature.values_output_tensor_name = outputs[3 * sparse + i]
    return config
