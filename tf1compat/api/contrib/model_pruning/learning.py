"""Training with `tf.contrib.slim.learning`, masks updated after each step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.contrib.slim import learning
from tf1compat.core.export import tf_export
from tf1compat.core.graph import Graph
from tf1compat.core.session_interface import SessionInterface
from tf1compat.core.typing import TensorLike

_USE_DEFAULT = 0
train_step = learning.train_step


@tf_export("contrib.model_pruning.train")
def train(
    train_op: Any, logdir: str, mask_update_op: Any, train_step_fn: Any = train_step,
    train_step_kwargs: Any = _USE_DEFAULT, log_every_n_steps: int = 1, graph: Graph | None = None,
    master: Any = "", is_chief: bool = True, global_step: TensorLike | None = None,
    number_of_steps: Any = None,
    init_op: Any = _USE_DEFAULT, init_feed_dict: Any = None, local_init_op: Any = _USE_DEFAULT,
    init_fn: Callable[..., Any] | None = None, ready_op: Any = _USE_DEFAULT,
    summary_op: Any = _USE_DEFAULT,
    save_summaries_secs: Any = 600, summary_writer: Any = _USE_DEFAULT,
    startup_delay_steps: int = 0, saver: Any = None, save_interval_secs: Any = 600,
    sync_optimizer: Any = None, session_config: Any = None, trace_every_n_steps: Any = None,
) -> Any:  # fmt: skip
    """Trains as `tf.contrib.slim.learning.train` does, and updates the masks after each step.

    Args:
      train_op, logdir: see there, as for all but the next.
      mask_update_op: what updates masks and thresholds.

    Returns:
      The loss of the last step, where slim's training gives a pair.

    Raises:
      TypeError: at the end, as in TensorFlow 1.15, which takes the loss of slim's training for a
        pair. The net is trained and saved then.
    """

    def step_and_update(
        sess: SessionInterface, train_op: Any, global_step: TensorLike, train_step_kwargs: Any
    ) -> Any:
        loss, should_stop = train_step_fn(sess, train_op, global_step, train_step_kwargs)
        sess.run(mask_update_op)
        return loss, should_stop

    loss, _ = learning.train(
        train_op, logdir, train_step_fn=step_and_update, train_step_kwargs=train_step_kwargs,
        log_every_n_steps=log_every_n_steps, graph=graph, master=master, is_chief=is_chief,
        global_step=global_step, number_of_steps=number_of_steps, init_op=init_op,
        init_feed_dict=init_feed_dict, local_init_op=local_init_op, init_fn=init_fn,
        ready_op=ready_op, summary_op=summary_op, save_summaries_secs=save_summaries_secs,
        summary_writer=summary_writer, startup_delay_steps=startup_delay_steps, saver=saver,
        save_interval_secs=save_interval_secs, sync_optimizer=sync_optimizer,
        session_config=session_config, trace_every_n_steps=trace_every_n_steps,
    )  # fmt: skip
    return loss
