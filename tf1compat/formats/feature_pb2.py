"""The messages of TF's feature.proto."""

from tf1compat.core.example_protos import messages
from tf1compat.core.export import tf_export

BytesList = tf_export("train.BytesList")(messages["BytesList"])
Feature = tf_export("train.Feature")(messages["Feature"])
FeatureList = tf_export("train.FeatureList")(messages["FeatureList"])
FeatureLists = tf_export("train.FeatureLists")(messages["FeatureLists"])
Features = tf_export("train.Features")(messages["Features"])
FloatList = tf_export("train.FloatList")(messages["FloatList"])
Int64List = tf_export("train.Int64List")(messages["Int64List"])
