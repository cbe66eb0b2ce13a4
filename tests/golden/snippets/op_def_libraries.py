"""Op types that are added to a library, and operations recorded by the names of their types."""

import tensorflow as tf
from google.protobuf import text_format
from tensorflow.core.framework import op_def_pb2
from tensorflow.python.framework import op_def_library, op_def_registry, test_ops


def said(function, *args, **kwargs):
    try:
        result = function(*args, **kwargs)
    except Exception as error:
        result = "{}: {}".format(type(error).__name__, str(error).split(" in binary")[0])
    print(result)


library = op_def_library.OpDefLibrary()


def add(text):
    said(library.add_op, text_format.Merge(text, op_def_pb2.OpDef()))


add("name: 'A' input_arg { name: 'a' type_attr: 'T' }")
add("name: 'B' output_arg { name: 'a' type_attr: 'T' } attr { name: 'T' type: 'int' }")
add("name: 'C' input_arg { name: 'a' type: DT_FLOAT number_attr: 'N' }")
add("name: 'D' input_arg { name: 'a' type: DT_INT32 number_attr: 'N' } "
    "attr { name: 'N' type: 'type' }")  # fmt: skip
add("name: 'E' input_arg { name: 'a' type: DT_FLOAT type_attr: 'T' } "
    "attr { name: 'T' type: 'type' }")  # fmt: skip
add("name: 'F' output_arg { name: 'a' }")
add("name: 'G' input_arg { name: 'a' type_list_attr: 'T' } attr { name: 'T' type: 'type' }")
add("name: 'H' input_arg { name: 'a' type: DT_INT32 }")
add("name: 'H' input_arg { name: 'a' type: DT_INT32 }")
said(library.add_op, 3)
said(library.add_op_list, [])
said(library.apply_op, "H", a=3, name="of_h")
said(library.apply_op, "Add", x=1, y=2)
library.add_op(op_def_registry.get_registered_ops()["Add"])
said(library.apply_op, "Add", x=1, y=2)

library = test_ops._op_def_lib
add("name: 'Simple' input_arg { name: 'a' type: DT_INT32 }")
said(library.apply_op, "Simple", a=3)
said(library.apply_op, "OutTypeList", T=tf.float32)
said(library.apply_op, "AttrBoolList", a=3)
said(library.apply_op, "AttrShape", a=[5, "bad"])
said(library.apply_op, "AttrShape", a="bad")
said(library.apply_op, "NInPolymorphicTwice", a=[1, 2], b=[5])
said(test_ops.n_in_polymorphic_twice, [1, 2], [5])
said(test_ops.attr_bool_list, 3)
said(test_ops.attr_shape, "bad")
