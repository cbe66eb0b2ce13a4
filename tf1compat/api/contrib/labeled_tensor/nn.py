"""Neural networks' operations (`tensorflow.contrib.labeled_tensor.python.ops.nn`)."""

from __future__ import annotations

from tf1compat.api.contrib.labeled_tensor.core import define_binary_op, define_unary_op
from tf1compat.core.export import find

for _name in "relu relu6 crelu elu softplus l2_loss softmax log_softmax".split():
    globals()[_name] = define_unary_op(_name, find(f"nn.{_name}"))
for _name in ("sigmoid", "softmax", "sparse_softmax"):
    _name += "_cross_entropy_with_logits"
    globals()[_name] = define_binary_op(_name, find(f"contrib.nn.deprecated_flipped_{_name}"))
