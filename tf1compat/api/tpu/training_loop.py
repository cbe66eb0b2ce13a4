"""`tf.contrib.tpu.while_loop` and `repeat` (`tensorflow.python.tpu.training_loop`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import constant_op
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.control_flow import while_loop as loops
from tf1compat.api.tpu import tpu_function
from tf1compat.api.xla.cluster import check_function_argument_count
from tf1compat.core import ops
from tf1compat.core.export import tf_export
from tf1compat.core.typing import Name


def _refuse_arguments(
    function: Callable[..., Any], inputs: list[Any], infeed_queue: Any, what: str, but: str
) -> None:
    is_condition = what == "condition"
    problem = check_function_argument_count(
        function, len(inputs), None if is_condition else infeed_queue
    )
    if problem is None:
        return
    names = str([tensor.name for tensor in inputs])
    given = f"You specified {len(inputs)} inputs: {names}"
    begin = f"Supplied loop {what} function cannot be called with the specified inputs. {given}"
    if infeed_queue is None:
        raise TypeError(f"{begin}, but the loop {but} needs {problem}")
    if is_condition:
        raise TypeError(
            f"{begin}, but the loop {but} needs {problem}. Note that infeed is not passed to the "
            "loop condition."
        )
    raise TypeError(
        f"{begin} and {infeed_queue.number_of_tuple_elements} additional inputs from infeed, but "
        f"the computation needs {problem}"
    )


def _dequeued(infeed_queue: Any) -> list[Any]:
    if not infeed_queue:
        return []
    shards = tpu_function.get_tpu_context().number_of_shards
    if shards is None:
        raise ValueError(
            "Can't build training loop with infeed when there is no tpu_shard_context. Are you "
            "building a loop or graph directly rather than from inside tpu.rewrite, "
            "tpu.batch_parallel, tpu.shard, or tpu.replicate?"
        )
    infeed_queue.set_number_of_shards(shards)
    return list(infeed_queue.generate_dequeue_op())


@tf_export("contrib.tpu.while_loop")
def while_loop(
    condition: Callable[..., Any], body: Callable[..., Any], inputs: Any = None,
    infeed_queue: Any = None, name: Name = None,
) -> Any:  # fmt: skip
    """A loop in a computation of `tf.contrib.tpu` (as `tf.contrib.tpu.while_loop` in TF 1.15).

    Args:
      condition: takes the values of the loop; returns whether it goes on.
      body: takes them, and what comes from the queue; returns them anew, and operations.
      inputs: the first values.
      infeed_queue: what more goes into the body.
      name: not used.

    Returns:
      The last values.

    Raises:
      TypeError: a function takes other arguments, or the body returns other types.
      ValueError: the body returns operations before tensors.
    """
    values = [ops.convert_to_tensor(x) for x in (() if inputs is None else inputs)]
    kinds = [x.dtype for x in values]
    _refuse_arguments(body, values, infeed_queue, "body", "body")
    _refuse_arguments(condition, values, infeed_queue, "condition", "condition")

    def holds(*now: Any) -> Any:
        return condition(*now[: len(kinds)])

    def turn(*now: Any) -> Any:
        dequeued = _dequeued(infeed_queue)
        found = body(*now[: len(kinds)], *dequeued)
        found = found if isinstance(found, list | tuple) else (found,)
        found = [x if isinstance(x, ops.Operation) else ops.convert_to_tensor(x) for x in found]
        tensors: Any = [x for x in found if not isinstance(x, ops.Operation)]
        operations: list[Any] = [x for x in found if isinstance(x, ops.Operation)]
        if any(isinstance(x, ops.Operation) for x in found[: len(tensors)]):
            raise ValueError(
                "TPU training loop body must return zero or more Tensor values followed by zero or "
                "more Operations."
            )
        found_kinds = [x.dtype for x in tensors]
        if found_kinds != kinds:
            raise TypeError(
                "Mismatch between input types and output types for training loop body: "
                f"{kinds} vs {found_kinds}"
            )
        operations += dequeued
        if not tensors:
            tensors = constant_op.constant_v1(0)
        if operations:
            tensors = control_flow_ops.tuple(tensors, control_inputs=operations)
        return tensors

    return loops.while_loop(
        holds, turn, values or [constant_op.constant_v1(0)], name="", parallel_iterations=1
    )


def _listed(values: Any) -> list[Any]:
    return list(values) if isinstance(values, list | tuple) else [values]


@tf_export("contrib.tpu.repeat")
def repeat(
    n: Any, body: Callable[..., Any], inputs: Any = None, infeed_queue: Any = None,
    name: Name = None,
) -> Any:  # fmt: skip
    """A loop of `n` turns in a computation of `tf.contrib.tpu`; see `while_loop`.

    Args:
      n: how many turns.
      body, inputs, infeed_queue, name: as in `while_loop`.

    Returns:
      The last values; an operation if there are none.
    """
    last = _listed(
        while_loop(
            lambda i, *_: i < n,
            lambda i, *values: [i + 1, *_listed(body(*values))],
            inputs=[0, *([] if inputs is None else _listed(inputs))],
            infeed_queue=infeed_queue,
            name=name,
        )
    )
    return last[0].op if len(last) == 1 else last[1:]
