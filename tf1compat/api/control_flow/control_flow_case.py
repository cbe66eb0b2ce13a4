"""`tf.case`: one of several branches, by predicates."""

from __future__ import annotations

import collections
import functools
from collections.abc import Callable, Sequence
from typing import Any

from tf1compat.api.array import array_ops, constant_op
from tf1compat.api.math import math_ops
from tf1compat.api.platform import tf_logging
from tf1compat.core import context, dtypes, ops
from tf1compat.core.export import tf_export


@tf_export("case")
def case(
    pred_fn_pairs: Any,
    default: Callable[[], Any] | None = None,
    exclusive: bool = False,
    strict: bool = False,
    name: str = "case",
) -> Any:
    """What the function of the first true predicate returns (as `tf.case` of TF 1.15).

    Args:
      pred_fn_pairs: (scalar bool tensor, function) pairs, or a dict of these.
      default: called if no predicate is true; by default that fails the run.
      exclusive: fail the run if more than one predicate is true.
      strict: keep a list of one element as a list, as in `tf.cond`.
      name: the name scope.

    Returns:
      What the function returned, a structure of tensors.

    Raises:
      TypeError: the pairs are not such pairs.
    """
    from tf1compat.api.control_flow.control_flow_ops import cond

    return case_by(cond, pred_fn_pairs, default, exclusive, name, strict=strict)


@tf_export("contrib.framework.smart_case")
def smart_case(
    pred_fn_pairs: Any,
    default: Callable[[], Any] | None = None,
    exclusive: bool = False,
    name: str = "smart_case",
) -> Any:
    """As `tf.case`, where predicates that are known already cost nothing.

    Args: as of `tf.case`; predicates may also be Python bools.

    Args:
      pred_fn_pairs, default, exclusive, name: as in `tf.case`.

    Returns:
      As `tf.case`.
    """
    from tf1compat.api.control_flow.control_flow_ops import smart_cond

    return case_by(smart_cond, pred_fn_pairs, default, exclusive, name, allow_python_preds=True)


def case_by(
    cond: Callable[..., Any], pred_fn_pairs: Any, default: Any, exclusive: bool, name: str,
    allow_python_preds: bool = False, **kwargs: Any,
) -> Any:  # fmt: skip
    """As `tf.case`, by a function that works as `tf.cond`, which gets `kwargs`."""
    predicates, actions = _checked(pred_fn_pairs, exclusive, name, allow_python_preds)
    with ops.name_scope(name, "case", [predicates]):
        if default is None:
            default, predicates, actions = _without_default(predicates, actions)
        # A chain of conds, recorded from the first predicate inwards.
        fn = default
        for predicate, action in reversed(list(zip(predicates, actions))):
            fn = functools.partial(cond, predicate, true_fn=action, false_fn=fn, **kwargs)
        if not exclusive:
            return fn()
        check = _assert_at_most(1, predicates, "Input error: exclusive=True")
        with ops.control_dependencies([check]):
            return fn()


@tf_export("switch_case")
def switch_case(
    branch_index: Any, branch_fns: Any, default: Callable[[], Any] | None = None,
    name: str = "switch_case",
) -> Any:  # fmt: skip
    """What the function with the number `branch_index` returns (as `tf.switch_case` of TF 1.15).

    Args:
      branch_index: an integer scalar.
      branch_fns: functions; or (number, function) pairs or a dict of these, numbered from 0 on.
      default: called for an index that is none of a function; the last function by default.
      name: the name scope.

    Returns:
      What the function returned, a structure of tensors.

    Raises:
      TypeError, ValueError: the functions are not such, or do not return the same.
    """
    actions = _numbered(branch_fns, default, branch_index)
    with ops.name_scope(name, "case", [branch_index]):
        if context.executing_eagerly():
            index = int(branch_index)
            return actions[index if 0 <= index < len(actions) else -1]()
        from tf1compat.api.control_flow import cond_v2

        return cond_v2.indexed_case(branch_index, actions)


def _numbered(functions: Any, default: Any, branch_index: Any) -> list[Callable[[], Any]]:
    """The functions in the order of their numbers, the default last."""
    if not isinstance(branch_index, ops.Tensor):
        raise TypeError(f"branch_index must a Tensor, got {type(branch_index)}")
    if not branch_index.dtype.is_integer:
        raise TypeError(f"branch_index must an integer Tensor, got {branch_index.dtype}")
    if not functions:
        raise ValueError("Must provide at least one item in branch_fns")
    if not isinstance(functions, list | tuple | dict):
        raise TypeError("branch_fns must be a list, tuple, or dict")
    if isinstance(functions, dict):
        functions = functions.items()
    if all(callable(fn) for fn in functions):
        functions = list(enumerate(functions))
    for pair in functions:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise TypeError("Each entry in branch_fns must be a 2-tuple")
        key, fn = pair
        if not isinstance(key, int):
            raise TypeError(f"key must be a Python `int`, got {type(key)}")
        if not callable(fn):
            raise TypeError(f"fn for key {key} must be callable.")
    keys = [key for key, _ in functions]
    if min(keys) < 0 or max(keys) >= len(keys) or len(set(keys)) != len(keys):
        found = ",".join(map(str, sorted(keys)))
        raise ValueError(
            f"branch indices (keys) must form contiguous range of [0 to {len(keys)}) but found "
            f"{{{found}}}"
        )
    actions = [fn for _, fn in sorted(functions, key=lambda pair: pair[0])]
    return actions if default is None else [*actions, default]


def _checked(
    pairs: Any, exclusive: bool, name: str, allow_python_preds: bool
) -> tuple[Sequence[Any], Sequence[Any]]:
    """The predicates and the functions."""
    if not isinstance(pairs, list | tuple | dict):
        raise TypeError("fns must be a list, tuple, or dict")
    if isinstance(pairs, collections.OrderedDict):
        pairs = pairs.items()
    elif isinstance(pairs, dict):
        pairs = _sorted_pairs(pairs, exclusive, name)
    for pair in pairs:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise TypeError("Each entry in pred_fn_pairs must be a 2-tuple")
        pred, fn = pair
        if not isinstance(pred, ops.Tensor):
            if not allow_python_preds:
                raise TypeError(f"pred must be a Tensor, got: {pred}")
            if not isinstance(pred, bool):
                raise TypeError(f"pred must be a Tensor or bool, got: {pred}")
        elif pred.dtype != dtypes.bool:
            raise TypeError(f"pred must be Tensor of type bool: {pred.name}")
        if not callable(fn):
            raise TypeError(f"fn for pred {pred.name} must be callable.")  # pyright: ignore
    predicates, actions = zip(*pairs)
    return predicates, actions


def _sorted_pairs(pairs: dict[Any, Any], exclusive: bool, name: str) -> list[tuple[Any, Any]]:
    if context.executing_eagerly():
        if not exclusive:
            raise ValueError(
                "Unordered dictionaries are not supported for the `pred_fn_pairs` argument when "
                "`exclusive=False` and eager mode is enabled."
            )
        return list(pairs.items())
    if not exclusive:
        tf_logging.warn(
            f"{name}: An unordered dictionary of predicate/fn pairs was provided, but "
            "exclusive=False. The order of conditional tests is deterministic but not guaranteed."
        )
    return sorted(pairs.items(), key=lambda pair: pair[0].name)


def _without_default(
    predicates: Sequence[Any], actions: Sequence[Any]
) -> tuple[Callable[[], Any], Sequence[Any], Sequence[Any]]:
    """Makes the last function the default, which checks that its predicate is true.

    Returns:
      (the default, the other predicates, the other functions).
    """
    from tf1compat.api.control_flow.control_flow_ops import Assert

    *others, predicate = predicates
    *other_actions, action = actions

    def default() -> Any:
        several = (
            f"Implementation error: selected default action #{len(others)} was called, but some of "
            "other predicates are True: "
        )
        none = (
            "Input error: None of conditions evaluated as True:",
            array_ops.stack(predicates, name="preds_c"),
        )
        checks = [_assert_at_most(0, others, several), Assert(predicate, data=none)]
        with ops.control_dependencies(checks):
            return action()

    return default, others, other_actions


def _assert_at_most(count: int, predicates: Sequence[Any], message: str) -> Any:
    """An Assert that no more than `count` predicates are true."""
    from tf1compat.api.control_flow.control_flow_ops import Assert

    stacked = array_ops.stack(predicates, name="preds_c")
    found = math_ops.reduce_sum(math_ops.cast(stacked, dtypes.int32), name="num_true_conds")
    allowed = constant_op.constant_v1(count, name="n_true_conds")
    names = ", ".join(getattr(predicate, "name", "?") for predicate in predicates)
    text = f"{message}: more than {count} conditions ({names}) evaluated as True:"
    holds = math_ops.less_equal(found, allowed)
    return Assert(holds, data=[text, stacked], summarize=len(predicates))
