"""Attrs that no op type has, and operations that lack some."""

import tensorflow as tf
from tensorflow.core.framework import attr_value_pb2

with tf.Graph().as_default() as graph:
    op = tf.no_op()
    function = attr_value_pb2.NameAttrList(name="called")
    for value in (
        attr_value_pb2.AttrValue(func=function),
        attr_value_pb2.AttrValue(s=b"text"),
        attr_value_pb2.AttrValue(type=tf.int32.as_datatype_enum),
        attr_value_pb2.AttrValue(list=attr_value_pb2.AttrValue.ListValue(i=[1, 2])),
    ):
        op._set_attr("_extra", value)
        print(op.get_attr("_extra"))
    op._set_attr("_extra", attr_value_pb2.AttrValue(func=function))
    print(op.node_def)
    imported = tf.Graph()
    with imported.as_default():
        tf.import_graph_def(graph.as_graph_def(), name="")
    print(imported.get_operations()[0].node_def == op.node_def)

    for op_type in ("Const", "Placeholder"):
        try:
            graph.create_op(op_type, [], [tf.float32], name=op_type.lower())
        except ValueError as error:
            print(error)
