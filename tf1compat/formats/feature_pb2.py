"""The messages of TF's feature.proto."""

from tf1compat.core.example_protos import messages

BytesList = messages["BytesList"]
Feature = messages["Feature"]
FeatureList = messages["FeatureList"]
FeatureLists = messages["FeatureLists"]
Features = messages["Features"]
FloatList = messages["FloatList"]
Int64List = messages["Int64List"]
