"""`tf.contrib.rnn`: more cells and nets; those of `tf.nn` under their first names."""

from __future__ import annotations

from tf1compat.api.rnn import rnn, rnn_cell_impl
from tf1compat.core.export import export_constant

for _name in (
    "BasicLSTMCell", "BasicRNNCell", "DeviceWrapper", "DropoutWrapper", "GRUCell", "LSTMCell",
    "LSTMStateTuple", "LayerRNNCell", "MultiRNNCell", "RNNCell", "ResidualWrapper",
):  # fmt: skip
    export_constant(f"contrib.rnn.{_name}", getattr(rnn_cell_impl, _name))
for _name, _value in {
    "best_effort_input_batch_size": rnn._best_effort_input_batch_size,
    "static_bidirectional_rnn": rnn.static_bidirectional_rnn,
    "static_rnn": rnn.static_rnn,
    "static_state_saving_rnn": rnn.static_state_saving_rnn,
    "transpose_batch_time": rnn._transpose_batch_time,
}.items():
    export_constant(f"contrib.rnn.{_name}", _value)
