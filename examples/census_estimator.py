"""Wide and deep learning on a census table: feature columns, a canned estimator, serving.

The table is made up; income depends on age, education and occupation in it.

python -m tf1compat examples/census_estimator.py
"""

from __future__ import absolute_import, division, print_function

import csv
import os
import shutil
import tempfile

import numpy as np
import tensorflow as tf

tf.logging.set_verbosity(tf.logging.ERROR)

COLUMNS = ["age", "education", "occupation", "hours", "income"]
DEFAULTS = [[0.0], [""], [""], [0.0], [""]]
EDUCATION = ["school", "college", "bachelor", "master", "doctorate"]
OCCUPATION = ["craft", "sales", "office", "health", "transport", "teaching", "farming"]

steps = int(os.environ.get("STEPS", 300))
rounds = int(os.environ.get("ROUNDS", 3))
folder = tempfile.mkdtemp()


def write_table(name, rows, seed):
    """Writes a table of people as a CSV file and returns its path."""
    rng = np.random.RandomState(seed)
    path = os.path.join(folder, name)
    with open(path, "w") as file:
        writer = csv.writer(file)
        for _ in range(rows):
            age, hours = rng.randint(18, 70), rng.randint(10, 60)
            education, occupation = rng.randint(len(EDUCATION)), rng.randint(len(OCCUPATION))
            prime = 1.0 - abs(age - 48) / 20.0
            worth = 2.0 * prime + 0.9 * education + 0.05 * (hours - 35) + (occupation % 3 == 1)
            rich = worth + rng.randn() > 2.5
            income = ">50K" if rich else "<=50K"
            writer.writerow([age, EDUCATION[education], OCCUPATION[occupation], hours, income])
    return path


def input_fn(path, epochs, batch_size=50):
    """Reads a table: batches of features by name, and labels."""

    def parse(lines):
        features = dict(zip(COLUMNS, tf.decode_csv(lines, record_defaults=DEFAULTS)))
        return features, features.pop("income")

    dataset = tf.data.TextLineDataset(path).repeat(epochs).batch(batch_size).map(parse)
    return dataset.make_one_shot_iterator().get_next()


def columns():
    """The columns of the linear part and those of the net."""
    fc = tf.feature_column
    age, hours = fc.numeric_column("age"), fc.numeric_column("hours")
    ages = fc.bucketized_column(age, [25, 35, 45, 55, 65])
    education = fc.categorical_column_with_vocabulary_list("education", EDUCATION)
    occupation = fc.categorical_column_with_hash_bucket("occupation", 20)
    both = fc.crossed_column(["education", "occupation"], hash_bucket_size=100)
    wide = [ages, education, occupation, both]
    deep = [
        fc.numeric_column("age", normalizer_fn=lambda x: (x - 44.0) / 15.0),
        fc.numeric_column("hours", normalizer_fn=lambda x: (x - 35.0) / 15.0),
        fc.indicator_column(education),
        fc.embedding_column(occupation, 4),
    ]
    return wide, deep, [age, hours, education, occupation]


train_path, test_path = write_table("train.csv", 2000, 0), write_table("test.csv", 500, 1)
wide_columns, deep_columns, serving_columns = columns()
model = tf.estimator.DNNLinearCombinedClassifier(
    linear_feature_columns=wide_columns,
    dnn_feature_columns=deep_columns,
    dnn_hidden_units=[16, 8],
    dnn_optimizer=tf.train.AdagradOptimizer(0.1),
    label_vocabulary=["<=50K", ">50K"],
    config=tf.estimator.RunConfig(os.path.join(folder, "model"), tf_random_seed=7),
)
for _ in range(rounds):
    model.train(lambda: input_fn(train_path, None), steps=max(1, steps // rounds))
    found = model.evaluate(lambda: input_fn(test_path, 1))
    print("step %4d  loss %.4f" % (found["global_step"], found["average_loss"]), end="  ")
    print("accuracy %.3f  auc %.4f" % (found["accuracy"], found["auc"]))

spec = tf.feature_column.make_parse_example_spec(serving_columns)
receiver = tf.estimator.export.build_parsing_serving_input_receiver_fn(spec)
exported = model.export_savedmodel(os.path.join(folder, "exported"), receiver)
predict = tf.contrib.predictor.from_saved_model(exported.decode(), "predict")
for age, education, occupation, hours in [
    (22, "school", "farming", 20),
    (48, "doctorate", "teaching", 45),
]:
    feature = {
        "age": tf.train.Feature(float_list=tf.train.FloatList(value=[age])),
        "hours": tf.train.Feature(float_list=tf.train.FloatList(value=[hours])),
        "education": tf.train.Feature(bytes_list=tf.train.BytesList(value=[education.encode()])),
        "occupation": tf.train.Feature(bytes_list=tf.train.BytesList(value=[occupation.encode()])),
    }
    example = tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString()
    served = predict({"examples": [example]})
    print("%d, %s, %s:" % (age, education, occupation), served["classes"][0, 0].decode(), end="  ")
    print("with probability %.3f" % served["probabilities"][0].max())
shutil.rmtree(folder)
