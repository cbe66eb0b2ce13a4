"""Classifies sentences with a TPUEstimator, as scripts around BERT do; here without a TPU.

The sentences are made up, in TFRecord files: the model has to find which of two words is first.

python -m tf1compat examples/text_tpu_estimator.py
"""

from __future__ import absolute_import, division, print_function

import os
import shutil
import tempfile

import numpy as np
import tensorflow as tf

tf.logging.set_verbosity(tf.logging.ERROR)
flags = tf.flags
flags.DEFINE_bool("use_tpu", False, "Whether to use TPU or GPU/CPU.")
flags.DEFINE_integer("train_batch_size", 32, "Total batch size for training.")
flags.DEFINE_integer("eval_batch_size", 40, "Total batch size for eval.")
flags.DEFINE_integer("predict_batch_size", 4, "Total batch size for predict.")
flags.DEFINE_integer("num_train_steps", int(os.environ.get("STEPS", 300)), "Number of steps.")
flags.DEFINE_integer("iterations_per_loop", 50, "Steps in each estimator call.")
flags.DEFINE_float("learning_rate", 0.003, "The initial learning rate for Adam.")
FLAGS = flags.FLAGS

LENGTH, WORDS, WIDTH = 12, 30, 16


def write_examples(path, count, seed):
    """Sentences of word ids; the label says which of the words 1 and 2 comes first."""
    rng = np.random.RandomState(seed)
    with tf.python_io.TFRecordWriter(path) as writer:
        for _ in range(count):
            ids = rng.randint(3, WORDS, LENGTH)
            first, second = sorted(rng.choice(LENGTH, 2, replace=False))
            label = rng.randint(2)
            ids[first], ids[second] = (1, 2) if label else (2, 1)
            feature = {
                "input_ids": tf.train.Feature(int64_list=tf.train.Int64List(value=ids)),
                "label_ids": tf.train.Feature(int64_list=tf.train.Int64List(value=[label])),
            }
            example = tf.train.Example(features=tf.train.Features(feature=feature))
            writer.write(example.SerializeToString())
    return path


def file_based_input_fn_builder(path, is_training):
    """An input_fn for TPUEstimator: the batch size comes in params."""
    names = {
        "input_ids": tf.FixedLenFeature([LENGTH], tf.int64),
        "label_ids": tf.FixedLenFeature([], tf.int64),
    }

    def decode(record):
        # TPUs know int32 alone.
        example = tf.parse_single_example(record, names)
        return {name: tf.to_int32(value) for name, value in example.items()}

    def input_fn(params):
        dataset = tf.data.TFRecordDataset(path)
        if is_training:
            dataset = dataset.repeat()
        return dataset.apply(
            tf.contrib.data.map_and_batch(
                decode, batch_size=params["batch_size"], drop_remainder=is_training
            )
        )

    return input_fn


def create_model(ids):
    """Self-attention over embedded words: the logits of two classes."""
    init = tf.truncated_normal_initializer(stddev=0.1)
    with tf.variable_scope("text"):
        table = tf.get_variable("word_embeddings", [WORDS, WIDTH], initializer=init)
        places = tf.get_variable("position_embeddings", [LENGTH, WIDTH], initializer=init)
        x = tf.gather(table, ids) + places
        q, k, v = [tf.layers.dense(x, WIDTH, name=n) for n in ("query", "key", "value")]
        attention = tf.nn.softmax(tf.matmul(q, k, transpose_b=True) / np.sqrt(WIDTH))
        x = tf.contrib.layers.layer_norm(x + tf.matmul(attention, v), begin_norm_axis=-1)
        pooled = tf.layers.dense(tf.reduce_mean(x, 1), WIDTH, tf.tanh, name="pooler")
    return tf.layers.dense(pooled, 2, name="output")


def model_fn(features, labels, mode, params):
    """The model_fn for TPUEstimator."""
    logits = create_model(features["input_ids"])
    if mode == tf.estimator.ModeKeys.PREDICT:
        predictions = {"probabilities": tf.nn.softmax(logits)}
        return tf.contrib.tpu.TPUEstimatorSpec(mode=mode, predictions=predictions)
    log_probs = tf.nn.log_softmax(logits, axis=-1)
    one_hot_labels = tf.one_hot(features["label_ids"], depth=2)
    per_example_loss = -tf.reduce_sum(one_hot_labels * log_probs, axis=-1)
    loss = tf.reduce_mean(per_example_loss)
    if mode == tf.estimator.ModeKeys.TRAIN:
        step = tf.train.get_or_create_global_step()
        rate = tf.train.polynomial_decay(FLAGS.learning_rate, step, FLAGS.num_train_steps, 0.0)
        optimizer = tf.train.AdamOptimizer(rate)
        if FLAGS.use_tpu:
            optimizer = tf.contrib.tpu.CrossShardOptimizer(optimizer)
        variables = tf.trainable_variables()
        grads, _ = tf.clip_by_global_norm(tf.gradients(loss, variables), clip_norm=1.0)
        train_op = optimizer.apply_gradients(zip(grads, variables), global_step=step)
        return tf.contrib.tpu.TPUEstimatorSpec(mode=mode, loss=loss, train_op=train_op)

    def metric_fn(per_example_loss, label_ids, logits):
        predictions = tf.argmax(logits, axis=-1, output_type=tf.int32)
        return {
            "eval_accuracy": tf.metrics.accuracy(label_ids, predictions),
            "eval_loss": tf.metrics.mean(per_example_loss),
        }

    eval_metrics = (metric_fn, [per_example_loss, features["label_ids"], logits])
    return tf.contrib.tpu.TPUEstimatorSpec(mode=mode, loss=loss, eval_metrics=eval_metrics)


def main(_):
    folder = tempfile.mkdtemp()
    train = write_examples(os.path.join(folder, "train.tf_record"), 1600, 0)
    test = write_examples(os.path.join(folder, "eval.tf_record"), 200, 1)
    run_config = tf.contrib.tpu.RunConfig(
        model_dir=os.path.join(folder, "model"),
        tf_random_seed=5,
        save_checkpoints_steps=100,
        tpu_config=tf.contrib.tpu.TPUConfig(
            iterations_per_loop=FLAGS.iterations_per_loop,
            per_host_input_for_training=tf.contrib.tpu.InputPipelineConfig.PER_HOST_V2,
        ),
    )
    estimator = tf.contrib.tpu.TPUEstimator(
        use_tpu=FLAGS.use_tpu,
        model_fn=model_fn,
        config=run_config,
        train_batch_size=FLAGS.train_batch_size,
        eval_batch_size=FLAGS.eval_batch_size,
        predict_batch_size=FLAGS.predict_batch_size,
    )
    for part in (1, 2, 3):
        steps = max(1, FLAGS.num_train_steps * part // 3)
        estimator.train(file_based_input_fn_builder(train, True), max_steps=steps)
        found = estimator.evaluate(file_based_input_fn_builder(test, False))
        print("step %4d  loss %.4f" % (found["global_step"], found["eval_loss"]), end="  ")
        print("accuracy %.3f" % found["eval_accuracy"])
    predictions = estimator.predict(file_based_input_fn_builder(test, False))
    for _, prediction in zip(range(3), predictions):
        print("probabilities %.3f %.3f" % tuple(prediction["probabilities"]))
    predictions.close()
    shutil.rmtree(folder)


if __name__ == "__main__":
    tf.app.run()
