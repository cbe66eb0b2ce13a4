"""What a ParseExample looks for, as a message."""

import numpy as np
import tensorflow as tf
from tensorflow.python.util import example_parser_configuration as parser

features = {
    "x": tf.FixedLenFeature([2], tf.float32, [1.0, 2.0]),
    "name": tf.FixedLenFeature([], tf.string, ""),
    "required": tf.FixedLenFeature([1], tf.int64),
    "tags": tf.VarLenFeature(tf.string),
    "ids": tf.VarLenFeature(tf.int64),
}
parsed = tf.parse_example(tf.placeholder(tf.string, [None], name="in"), features)
op = parsed["x"].op
with tf.Session() as session:
    found = parser.extract_example_parser_configuration(op, session)
    for key in sorted(found.feature_map):
        print(key)
        print(found.feature_map[key])
    print(sorted(tf.GraphDef().ListFields()), found.feature_map["x"].WhichOneof("config"))
    copy = type(found)()
    copy.ParseFromString(found.SerializeToString())
    print(copy == found, type(found).__name__)
    default = tf.make_ndarray(copy.feature_map["x"].fixed_len_feature.default_value)
    print(np.array_equal(default, [1.0, 2.0]))
    try:
        parser.extract_example_parser_configuration(tf.no_op(), session)
    except ValueError as error:
        print(error)
