"""What datasets of CSV files, records and databases give and refuse."""

import os
import tempfile

import numpy as np
import tensorflow as tf

FOLDER = tempfile.mkdtemp()
TABLE = os.path.join(FOLDER, "table.csv")
DATABASE = os.path.join(FOLDER, "database")
experimental = tf.data.experimental
with open(TABLE, "w") as file:
    file.write('a,b,c\n1,2.5,x\n3,,y\n4,5,"z,w"\n')


def show(make, *args, **options):
    """Prints the elements of a dataset, or why there are none."""
    with tf.Graph().as_default(), tf.Session() as session:
        try:
            iterator = tf.data.make_initializable_iterator(make(*args, **options))
            element = iterator.get_next()
            session.run(iterator.initializer)
            while True:
                found = session.run(element)
                values = found.values() if isinstance(found, dict) else tf.nest.flatten(found)
                print("  ", [np.asarray(value).tolist() for value in values])
        except tf.errors.OutOfRangeError:
            print("   end")
        except (ValueError, tf.errors.OpError) as error:
            text = str(error).split("\n")[0].replace(FOLDER, "FOLDER")
            print("   {}: {}".format(type(error).__name__, text))


def csv(*defaults, **options):
    print("csv", defaults, options)
    show(experimental.CsvDataset, TABLE, defaults, **options)


def sql(query, *types):
    print("sql", query, types)
    show(experimental.SqlDataset, "sqlite", DATABASE, query, types)


def unknown(value):
    return tf.placeholder_with_default(value, None)


csv([1, 2])
csv("", [""], header=True, select_cols=[0, 1])
csv([[1]])
show(lambda: experimental.CsvDataset(TABLE, [unknown([1, 2])]))
csv("", "", "", buffer_size=0)
csv("", "", "", buffer_size=-1)
csv("", "", "", buffer_size=1)
csv("", "", "", compression_type="FOO")
for make in (tf.data.TFRecordDataset, tf.data.TextLineDataset):
    print(make.__name__)
    show(make, TABLE, "FOO")
    show(make, TABLE, buffer_size=-1)
    show(make, TABLE, buffer_size=0)
print("fixed length")
show(tf.data.FixedLengthRecordDataset, TABLE, 3, buffer_size=-1)
show(tf.data.FixedLengthRecordDataset, TABLE, 3, compression_type="FOO")
show(tf.data.FixedLengthRecordDataset, TABLE, 3, compression_type="GZIP")
print("make_csv_dataset")
for default in (1.0, 2.5, 0.0):
    show(
        experimental.make_csv_dataset,
        TABLE,
        2,
        column_defaults=[tf.int32, default, "k"],
        num_epochs=1,
        shuffle=False,
    )
sql("select 1, 'a', 2.5", tf.int32, tf.string, tf.float64)
sql("select 1, 'a'", tf.int32)
sql("select 1", tf.int32, tf.string)
sql("", tf.int32)
sql("foo", tf.int32)
sql("select * from absent", tf.int32)
sql("create table t(a int)", tf.int32)
sql("select a from t", tf.int32)
sql("select 1; select 2", tf.int32)
sql("select 1", tf.float32)
sql("select 300, -3, 2.7, '12', null", tf.uint8, tf.uint8, tf.int32, tf.int64, tf.string)
sql("select 300, -3, 2.7, '1.5e1x', null", tf.int8, tf.uint16, tf.string, tf.float64, tf.int32)
sql("select 'abc', 2, 0, x'6162', ' 7 '", tf.int32, tf.bool, tf.bool, tf.string, tf.int32)
