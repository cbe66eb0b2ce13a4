"""The op that follows beams back (`tensorflow.contrib.seq2seq.python.ops.beam_search_ops`)."""

from __future__ import annotations

from typing import Any

from tf1compat.core import raw_ops
from tf1compat.core.export import tf_export
from tf1compat.core.tensor import Tensor
from tf1compat.core.typing import Name


@tf_export("contrib.seq2seq.gather_tree")
def gather_tree(
    step_ids: Any, parent_ids: Any, max_sequence_lengths: Any, end_token: Any, name: Name = None
) -> Tensor:
    """The sequences of a beam search, read from their ends back to their starts.

    Args:
      step_ids: what each beam got at each step, int32 [time, batch, beam].
      parent_ids: which beam of the step before it continued, int32 [time, batch, beam].
      max_sequence_lengths: how many steps count, int32 [batch].
      end_token: what ends a sequence, a scalar int32; it fills up what follows the first one.
      name: the operation's name.

    Returns:
      The sequences, int32 [time, batch, beam].
    """
    return raw_ops.GatherTree(step_ids, parent_ids, max_sequence_lengths, end_token, name=name)
