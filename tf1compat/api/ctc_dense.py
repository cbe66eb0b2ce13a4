"""The loss of dense labels (a part of TF's ctc_ops)."""
