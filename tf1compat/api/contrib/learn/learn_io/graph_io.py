"""Batches of files, by queues (`tensorflow.contrib.learn.python.learn.learn_io.graph_io`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.array.constant_op import constant
from tf1compat.api.contrib.input_pipeline import input_pipeline_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.io import io_ops, parsing_ops
from tf1compat.api.math import math_ops
from tf1compat.api.platform import gfile
from tf1compat.api.queues import data_flow_ops
from tf1compat.api.summary import summary
from tf1compat.api.training import input as input_ops
from tf1compat.api.training import queue_runner_impl as queue_runner
from tf1compat.api.util.deprecation import deprecated
from tf1compat.core import dtypes, errors, ops
from tf1compat.core.export import tf_export
from tf1compat.core.sparse_tensor import SparseTensor
from tf1compat.core.typing import Name

KEY_FEATURE_NAME = "__key__"

_USE_DATA = deprecated(None, "Use tf.data.")


@tf_export("contrib.learn.read_batch_examples")
@_USE_DATA
def read_batch_examples(
    file_pattern: Any, batch_size: Any, reader: Any, randomize_input: bool = True,
    num_epochs: int | None = None, queue_capacity: int = 10000, num_threads: int = 1,
    read_batch_size: Any = 1, parse_fn: Callable[..., Any] | None = None, name: Name = None,
    seed: int | None = None,
) -> Any:  # fmt: skip
    """A batch of what a reader gives; see `read_keyed_batch_examples`.

    Args:
      file_pattern, batch_size, reader, randomize_input, num_epochs, queue_capacity, num_threads,
        read_batch_size, parse_fn, name, seed: as in `read_keyed_batch_examples`.

    Returns:
      A string tensor [batch_size], or what `parse_fn` makes of it.
    """
    return read_keyed_batch_examples(
        file_pattern=file_pattern, batch_size=batch_size, reader=reader,
        randomize_input=randomize_input, num_epochs=num_epochs, queue_capacity=queue_capacity,
        num_threads=num_threads, read_batch_size=read_batch_size, parse_fn=parse_fn, name=name,
        seed=seed,
    )[1]  # fmt: skip


@tf_export("contrib.learn.read_keyed_batch_examples")
@_USE_DATA
def read_keyed_batch_examples(
    file_pattern: Any, batch_size: Any, reader: Any, randomize_input: bool = True,
    num_epochs: int | None = None, queue_capacity: int = 10000, num_threads: int = 1,
    read_batch_size: Any = 1, parse_fn: Callable[..., Any] | None = None, name: Name = None,
    seed: int | None = None,
) -> Any:  # fmt: skip
    """A batch of what a reader gives, with the keys.

    Args:
      file_pattern: a pattern of file names, or a list of such.
      batch_size: how many elements a batch has: an int, or a scalar tensor.
      reader: a function without arguments that gives a reader (`tf.TFRecordReader`).
      randomize_input: whether files and elements are shuffled.
      num_epochs: how often each file is read; for ever by default.
      queue_capacity: how many elements wait, at most.
      num_threads: how many readers there are.
      read_batch_size: how many elements a reader reads at a time.
      parse_fn: a function of a reader's values.
      name: of the scope.
      seed: of the shuffling.

    Returns:
      The keys, [batch_size] strings; and the values: strings, or what `parse_fn` gives.

    Raises:
      ValueError: an argument is wrong, or there is no such file.
    """
    return _read_keyed_batch_examples_helper(
        file_pattern, batch_size, reader, randomize_input, num_epochs, queue_capacity, num_threads,
        read_batch_size, parse_fn=parse_fn, setup_shared_queue=False, name=name, seed=seed,
    )  # fmt: skip


@tf_export("contrib.learn.read_keyed_batch_examples_shared_queue")
@_USE_DATA
def read_keyed_batch_examples_shared_queue(
    file_pattern: Any, batch_size: Any, reader: Any, randomize_input: bool = True,
    num_epochs: int | None = None, queue_capacity: int = 10000, num_threads: int = 1,
    read_batch_size: Any = 1, parse_fn: Callable[..., Any] | None = None, name: Name = None,
    seed: int | None = None,
) -> Any:  # fmt: skip
    """`read_keyed_batch_examples`, with a queue of file names that all workers share.

    Args:
      file_pattern, batch_size, reader, randomize_input, num_epochs, queue_capacity, num_threads,
        read_batch_size, parse_fn, name, seed: as in `read_keyed_batch_examples`.

    Returns:
      As `read_keyed_batch_examples`.
    """
    return _read_keyed_batch_examples_helper(
        file_pattern, batch_size, reader, randomize_input, num_epochs, queue_capacity, num_threads,
        read_batch_size, parse_fn=parse_fn, setup_shared_queue=True, name=name, seed=seed,
    )  # fmt: skip


def _get_file_names(file_pattern: Any, randomize_input: bool) -> list[str]:
    patterns = file_pattern if isinstance(file_pattern, list) else [file_pattern]
    if not patterns:
        raise ValueError("No files given to dequeue_examples.")
    names = [name for pattern in patterns for name in gfile.Glob(pattern)]
    if not names:
        raise ValueError(f"No files match {file_pattern}.")
    return names if randomize_input else sorted(names)


def _get_examples(
    file_name_queue: Any, reader: Any, num_threads: int, read_batch_size: Any, filter_fn: Any,
    parse_fn: Any,
) -> list[Any]:  # fmt: skip
    """What each of the readers gives."""
    found: list[Any] = []
    with ops.name_scope("read"):
        for _ in range(num_threads):
            keys, values = control_flow_ops.smart_cond(
                read_batch_size > 1,
                lambda: reader().read_up_to(file_name_queue, read_batch_size),
                lambda: reader().read(file_name_queue),
            )
            if filter_fn:
                mask = filter_fn(keys, values)
                keys = array_ops.boolean_mask(keys, mask)
                values = array_ops.boolean_mask(values, mask)
            parsed = parse_fn(values) if parse_fn else values
            if parse_fn and isinstance(parsed, dict):
                parsed[KEY_FEATURE_NAME] = keys
                found.append(parsed)
            else:
                found.append((keys, parsed))
    return found


def _check_sizes(
    batch_size: Any,
    queue_capacity: int,
    read_batch_size: Any,
    num_threads: int,
    num_epochs: int | None,
) -> None:
    def known(size: Any) -> bool:
        return not isinstance(size, ops.Tensor)

    if not queue_capacity or queue_capacity <= 0:
        raise ValueError(f"Invalid queue_capacity {queue_capacity}.")
    if batch_size is None or (known(batch_size) and not 0 < batch_size < queue_capacity):
        raise ValueError(f"Invalid batch_size {batch_size}, with queue_capacity {queue_capacity}.")
    if read_batch_size is None or (known(read_batch_size) and read_batch_size <= 0):
        raise ValueError(f"Invalid read_batch_size {read_batch_size}.")
    if not num_threads or num_threads <= 0:
        raise ValueError(f"Invalid num_threads {num_threads}.")
    if num_epochs is not None and num_epochs <= 0:
        raise ValueError(f"Invalid num_epochs {num_epochs}.")


def _read_keyed_batch_examples_helper(
    file_pattern: Any, batch_size: Any, reader: Any, randomize_input: bool = True,
    num_epochs: int | None = None, queue_capacity: int = 10000, num_threads: int = 1,
    read_batch_size: Any = 1, filter_fn: Any = None, parse_fn: Callable[..., Any] | None = None,
    setup_shared_queue: bool = False, name: Name = None, seed: int | None = None,
) -> Any:  # fmt: skip
    file_names = _get_file_names(file_pattern, randomize_input)
    _check_sizes(batch_size, queue_capacity, read_batch_size, num_threads, num_epochs)
    with ops.name_scope(name, "read_batch_examples", [file_pattern]) as scope:
        with ops.name_scope("file_name_queue") as queue_scope:
            if setup_shared_queue:
                file_name_queue = data_flow_ops.FIFOQueue(1, [dtypes.string], shapes=[[]])
                next_name = input_pipeline_ops.seek_next(
                    file_names, shuffle=randomize_input, num_epochs=num_epochs, seed=seed
                )
                enqueue = file_name_queue.enqueue(next_name)
                queue_runner.add_queue_runner(queue_runner.QueueRunner(file_name_queue, [enqueue]))
            else:
                file_name_queue = input_ops.string_input_producer(
                    constant(file_names, name="input"), shuffle=randomize_input,
                    num_epochs=num_epochs, name=queue_scope, seed=seed,
                )  # fmt: skip
        examples = _get_examples(
            file_name_queue, reader, num_threads, read_batch_size, filter_fn, parse_fn
        )
        batching = {
            "capacity": queue_capacity, "enqueue_many": read_batch_size > 1, "name": scope,
            "allow_smaller_final_batch": num_epochs is not None,
        }  # fmt: skip
        if not randomize_input:
            batch = input_ops.batch_join(examples, batch_size, **batching)
        else:
            if isinstance(batch_size, ops.Tensor):
                least = int(queue_capacity * 0.4)
            else:
                least = max(queue_capacity - 3 * batch_size, batch_size)
            batch = input_ops.shuffle_batch_join(
                examples, batch_size, min_after_dequeue=least, seed=seed, **batching
            )
        if parse_fn and isinstance(batch, dict):
            return batch.pop(KEY_FEATURE_NAME), batch
        return batch


@tf_export("contrib.learn.read_keyed_batch_features")
@_USE_DATA
def read_keyed_batch_features(
    file_pattern: Any, batch_size: Any, features: Any, reader: Any, randomize_input: bool = True,
    num_epochs: int | None = None, queue_capacity: int = 10000, reader_num_threads: Any = 1,
    feature_queue_capacity: Any = 100, num_enqueue_threads: Any = 2, parse_fn: Callable[...,
    Any] | None = None,
    name: Name = None, read_batch_size: Any = None,
) -> Any:  # fmt: skip
    """A batch of parsed Examples, with the keys.

    Args:
      features: see `tf.parse_example`.
      reader_num_threads: how many readers there are.
      feature_queue_capacity, num_enqueue_threads: see `queue_parsed_features`.
      read_batch_size: how many Examples a reader reads at a time; a batch by default.
      The others: see `read_keyed_batch_examples`.

    Returns:
      The keys, [batch_size] strings; {name: a feature}.

    Raises:
      ValueError: an argument is wrong, or there is no such file.
    """
    with ops.name_scope(name, "read_batch_features", [file_pattern]) as scope:
        keys, examples = read_keyed_batch_examples(
            file_pattern, batch_size, reader, randomize_input=randomize_input,
            num_epochs=num_epochs, queue_capacity=queue_capacity, num_threads=reader_num_threads,
            read_batch_size=batch_size if read_batch_size is None else read_batch_size,
            parse_fn=parse_fn, name=scope,
        )  # fmt: skip
        return queue_parsed_features(
            parsing_ops.parse_example(examples, features), keys=keys,
            feature_queue_capacity=feature_queue_capacity,
            num_enqueue_threads=num_enqueue_threads, name=scope,
        )  # fmt: skip


@tf_export("contrib.learn.read_keyed_batch_features_shared_queue")
@_USE_DATA
def read_keyed_batch_features_shared_queue(
    file_pattern: Any, batch_size: Any, features: Any, reader: Any, randomize_input: bool = True,
    num_epochs: int | None = None, queue_capacity: int = 10000, reader_num_threads: Any = 1,
    feature_queue_capacity: Any = 100, num_queue_runners: Any = 2, parse_fn: Callable[...,
    Any] | None = None,
    name: Name = None,
) -> Any:  # fmt: skip
    """`read_keyed_batch_features`, with a queue of file names that all workers share.

    Args:
      file_pattern, batch_size, features, reader, randomize_input, num_epochs, queue_capacity,
        reader_num_threads, feature_queue_capacity, num_queue_runners, parse_fn, name: as in
        `read_keyed_batch_features`.

    Returns:
      As `read_keyed_batch_features`.
    """
    with ops.name_scope(name, "read_batch_features", [file_pattern]) as scope:
        keys, examples = read_keyed_batch_examples_shared_queue(
            file_pattern, batch_size, reader, randomize_input=randomize_input,
            num_epochs=num_epochs, queue_capacity=queue_capacity, num_threads=reader_num_threads,
            read_batch_size=batch_size, parse_fn=parse_fn, name=scope,
        )  # fmt: skip
        return queue_parsed_features(
            parsing_ops.parse_example(examples, features), keys=keys,
            feature_queue_capacity=feature_queue_capacity, num_enqueue_threads=num_queue_runners,
            name=scope,
        )  # fmt: skip


@_USE_DATA
def queue_parsed_features(
    parsed_features: dict[str, Any], keys: Any = None, feature_queue_capacity: int = 100,
    num_enqueue_threads: int = 2, name: Name = None,
) -> tuple[Any, dict[str, Any]]:  # fmt: skip
    """Puts a queue after what parses, so that parsing goes on beside the training.

    Args:
      parsed_features: {name: a tensor or sparse tensor}.
      keys: the examples' keys.
      feature_queue_capacity: how many batches wait, at most.
      num_enqueue_threads: how many threads fill the queue.
      name: of the scope.

    Returns:
      The keys, or None; {name: the feature from the queue}.
    """
    args = [*parsed_features.values(), *([] if keys is None else [keys])]
    with ops.name_scope(name, "queue_parsed_features", args):
        names = sorted(parsed_features)
        given: list[Any] = []
        for key in names:
            feature = parsed_features[key]
            if isinstance(feature, SparseTensor):
                given += [feature.indices, feature.values, feature.dense_shape]
            else:
                given.append(feature)
        given += [] if keys is None else [keys]
        queue = data_flow_ops.FIFOQueue(feature_queue_capacity, [x.dtype for x in given])
        summary.scalar(
            f"queue/parsed_features/{queue.name}/fraction_of_{feature_queue_capacity}_full",
            math_ops.cast(queue.size(), dtypes.float32) * (1.0 / feature_queue_capacity),
        )
        runner = queue_runner.QueueRunner(
            queue, [queue.enqueue(given) for _ in range(num_enqueue_threads)],
            queue_closed_exception_types=(errors.OutOfRangeError, errors.CancelledError),
        )  # fmt: skip
        queue_runner.add_queue_runner(runner)
        taken = queue.dequeue()
        taken = taken if isinstance(taken, list) else [taken]
        for tensor, like in zip(taken, given, strict=True):
            tensor.set_shape(like.get_shape())
        rest = iter(taken)
        found = {
            key: SparseTensor(next(rest), next(rest), next(rest))
            if isinstance(parsed_features[key], SparseTensor)
            else next(rest)
            for key in names
        }
        return next(rest, None), found


@tf_export("contrib.learn.read_batch_features")
@_USE_DATA
def read_batch_features(
    file_pattern: Any, batch_size: Any, features: Any, reader: Any, randomize_input: bool = True,
    num_epochs: int | None = None, queue_capacity: int = 10000, feature_queue_capacity: Any = 100,
    reader_num_threads: Any = 1, num_enqueue_threads: Any = 2, parse_fn: Callable[...,
    Any] | None = None,
    name: Name = None, read_batch_size: Any = None,
) -> dict[str, Any]:  # fmt: skip
    """A batch of parsed Examples; see `read_keyed_batch_features`.

    Args:
      file_pattern, batch_size, features, reader, randomize_input, num_epochs, queue_capacity,
        feature_queue_capacity, parse_fn, name: as in `read_keyed_batch_features`.
      reader_num_threads, num_enqueue_threads, read_batch_size: as in `read_keyed_batch_features`.

    Returns:
      {name: a tensor or SparseTensor}.
    """
    return read_keyed_batch_features(
        file_pattern, batch_size, features, reader, randomize_input=randomize_input,
        num_epochs=num_epochs, queue_capacity=queue_capacity,
        feature_queue_capacity=feature_queue_capacity, reader_num_threads=reader_num_threads,
        num_enqueue_threads=num_enqueue_threads, read_batch_size=read_batch_size,
        parse_fn=parse_fn, name=name,
    )[1]  # fmt: skip


@tf_export("contrib.learn.read_batch_record_features")
@_USE_DATA
def read_batch_record_features(
    file_pattern: Any, batch_size: Any, features: Any, randomize_input: bool = True,
    num_epochs: int | None = None, queue_capacity: int = 10000, reader_num_threads: Any = 1,
    name: Name = "dequeue_record_examples",
) -> dict[str, Any]:  # fmt: skip
    """`read_batch_features`, of TFRecord files.

    Args:
      file_pattern, batch_size, features, randomize_input, num_epochs, queue_capacity,
        reader_num_threads, name: as in `read_batch_features`.

    Returns:
      {name: a tensor or SparseTensor}.
    """
    return read_batch_features(
        file_pattern=file_pattern, batch_size=batch_size, features=features,
        reader=io_ops.TFRecordReader, randomize_input=randomize_input, num_epochs=num_epochs,
        queue_capacity=queue_capacity, reader_num_threads=reader_num_threads, name=name,
    )  # fmt: skip
