"""Evaluates the recorded expressions of tests/golden/data/core.json with our modules."""

import json
import pickle
import sys
from pathlib import Path

import numpy as np
import pytest
from tensorboard.compat.proto import tensor_pb2

from tf1compat.core import device, dtypes, errors, shapes, tensor_proto, tensor_shape

GOLDEN = Path(__file__).parents[1] / "golden"
sys.path.insert(0, str(GOLDEN))
import core_cases  # noqa: E402

_GOLDENS = json.loads((GOLDEN / "data" / "core.json").read_text())


class _PlacedOp:
    """As much of an operation as device scopes need."""

    device = ""

    def _set_device_from_string(self, device):
        self.device = device


def _device_of(*scopes):
    op = _PlacedOp()
    for scope in reversed([device.DeviceScope(scope) for scope in scopes]):
        if scope.clears:
            break
        scope.apply(op)
    return op.device


NAMESPACE = {
    "np": np,
    "pickle": pickle,
    "dtypes": dtypes,
    "D": tensor_shape.Dimension,
    "S": tensor_shape.TensorShape,
    "shapes": tensor_shape,
    "broadcast": shapes.broadcast,
    "merge": shapes.merge,
    "with_rank": shapes.with_rank,
    "with_rank_at_least": shapes.with_rank_at_least,
    "num_elements": shapes.num_elements,
    "subtract_dims": shapes.subtract_dims,
    "divide_dims": shapes.divide_dims,
    "errors": errors,
    "op": core_cases.FakeOp,
    "device": device,
    "DeviceSpec": device.DeviceSpec,
    "device_of": _device_of,
    "node": core_cases.FakeNode,
    "make": tensor_proto.make_tensor_proto,
    "array": tensor_proto.make_ndarray,
    "TensorProto": tensor_pb2.TensorProto,
}


def goldens(section):
    """The recorded outcomes of a section, by expression."""
    return _GOLDENS[section]


def cases(section):
    """Parametrizes a test with every expression of a section."""
    return pytest.mark.parametrize("expression", _GOLDENS[section])


def check(section, expression):
    """Our outcome of an expression must be TensorFlow's."""
    ours = json.loads(json.dumps(core_cases.evaluate(expression, NAMESPACE)))
    assert ours == _GOLDENS[section][expression]
