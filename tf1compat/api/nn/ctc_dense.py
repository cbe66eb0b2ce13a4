"""The loss of dense labels (a part of TF's ctc_ops)."""

from __future__ import annotations

from typing import Any, NoReturn

from tf1compat.core.typing import Name, TensorLike


def ctc_loss_dense(
    labels: TensorLike, logits: TensorLike, label_length: Any, logit_length: Any,
    logits_time_major: bool = True,
    unique: Any = None, blank_index: Any = 0, name: Name = None,
) -> NoReturn:  # fmt: skip
    """As `ctc_loss_v2`, for dense labels.

    Raises:
      NotImplementedError: always: TF records it with functional While loops.
    """
    raise NotImplementedError(
        "tf.nn.ctc_loss_v2 of dense labels is not supported by tf1compat yet; labels can be a "
        "SparseTensor"
    )
