"""Summaries and layouts by TensorBoard's own functions, as protos."""

import tensorflow as tf
from tensorboard import summary
from tensorboard.plugins.custom_scalar import layout_pb2

series = layout_pb2.MarginChartContent.Series(value="loss", lower="lo", upper="hi")
chart = layout_pb2.Chart(title="t", margin=layout_pb2.MarginChartContent(series=[series]))
layout = layout_pb2.Layout(category=[layout_pb2.Category(title="c", chart=[chart])])
made = [
    summary.custom_scalar_pb(layout),
    summary.scalar_pb("a", 1.5),
    summary.histogram_pb("h", [1.0, 2.0, 2.5], bucket_count=2),
    summary.text_pb("t", "words"),
]
for proto in made:
    value = tf.Summary.FromString(proto.SerializeToString()).value[0]
    print(value.tag, value.metadata.plugin_data.plugin_name)
    print(tf.make_ndarray(value.tensor).tolist())
