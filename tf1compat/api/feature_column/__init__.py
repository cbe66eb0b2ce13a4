"""tf.feature_column: what a model reads from the features of examples.

TF 1.15 has two generations of columns: those whose names begin with an underscore
(`feature_column.py`), which `tf.contrib.feature_column` makes, and those that
`tf.feature_column` makes (`feature_column_v2.py`), which are read in the old and in the new way.
What a column does is written once, by kind, in `column_kinds.py`.
"""
