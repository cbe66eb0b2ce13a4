"""The messages of TF's feature.proto."""

from tf1compat.core.export import tf_export
from tf1compat.core.own_protos import message

BytesList = tf_export("train.BytesList")(message("BytesList"))
Feature = tf_export("train.Feature")(message("Feature"))
FeatureList = tf_export("train.FeatureList")(message("FeatureList"))
FeatureLists = tf_export("train.FeatureLists")(message("FeatureLists"))
Features = tf_export("train.Features")(message("Features"))
FloatList = tf_export("train.FloatList")(message("FloatList"))
Int64List = tf_export("train.Int64List")(message("Int64List"))
