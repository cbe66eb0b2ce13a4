"""Ends of chains."""

from __future__ import annotations

from typing import Any

from tf1compat.core.tensor import Tensor
from tf1compat.runtime.plan.chains import Chains


class _Counted:
    """Follows Identity operations, and counts how often it is asked."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, tensor: Tensor) -> Tensor | None:
        self.calls += 1
        return tensor.op.inputs[0] if tensor.op.type == "Identity" else None


def test_each_link_is_walked_once(tf: Any) -> None:
    first = tf.placeholder(tf.float32, [])
    chain = [first]
    for _ in range(200):
        chain.append(tf.identity(chain[-1]))
    for order in (chain, chain[::-1], chain[::3]):
        follow = _Counted()
        ends = Chains(follow)
        assert all(ends.end(tensor) is first for tensor in order)
        assert follow.calls <= 3 * len(chain)


def test_a_changed_graph_is_walked_anew(tf: Any) -> None:
    first, other = tf.placeholder(tf.float32, []), tf.placeholder(tf.float32, [])
    middle = tf.identity(first)
    last = tf.identity(tf.identity(middle))
    ends = Chains(_Counted())
    assert ends.end(last) is first
    middle.op._update_input(0, other)
    assert ends.end(last) is other
