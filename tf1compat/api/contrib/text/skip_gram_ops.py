"""`tensorflow.contrib.text.python.ops.skip_gram_ops`: words and the words near them."""

from __future__ import annotations

import csv
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.contrib.lookup import lookup_ops as lookup
from tf1compat.api.lookup.static_tables import InitializableLookupTableBase, TextFileInitializer
from tf1compat.api.math import math_ops
from tf1compat.api.platform import gfile
from tf1compat.api.random import random_ops, random_seed
from tf1compat.api.training import input as input_ops
from tf1compat.core import dtypes, ops, raw_ops
from tf1compat.core.typing import TensorLike


def skip_gram_sample(
    input_tensor: TensorLike,
    min_skips: Any = 1,
    max_skips: Any = 5,
    start: TensorLike = 0,
    limit: TensorLike = -1,
    emit_self_as_target: Any = False,
    vocab_freq_table: Any = None,
    vocab_min_count: Any = None,
    vocab_subsampling: float | None = None,
    corpus_size: Any = None,
    batch_size: int | None = None,
    batch_capacity: int | None = None,
    seed: int | None = None,
    name: str | None = None,
) -> Any:
    """Pairs of a token and a token near it, for each token of a sequence.

    How far away a token's labels may be is drawn for each one (https://arxiv.org/abs/1301.3781).

    Args:
      input_tensor: the sequence [n]: strings or integers.
      min_skips: the least distance that is drawn, an int32 scalar.
      max_skips: the greatest one.
      start: where in the sequence it begins.
      limit: how many tokens there are from there; -1: all.
      emit_self_as_target: whether a token is a label of itself.
      vocab_freq_table: a lookup table, token -> how often it comes; others are left out.
      vocab_min_count: tokens that come less often are left out.
      vocab_subsampling: in [0, 1]; tokens of a larger part of the corpus are left out at random
        (http://arxiv.org/abs/1310.4546, equation 5).
      corpus_size: how many tokens the corpus has; needed for `vocab_subsampling`.
      batch_size: if given, pairs are put into a queue, and taken from it in batches.
      batch_capacity: of that queue; 100 batches by default.
      seed: a seed.
      name: a name scope, `skip_gram_sample` by default.

    Returns:
      (tokens, labels), both [m], or [batch_size].

    Raises:
      ValueError: settings that need others; `vocab_freq_table` is no table of these.
    """
    settings = (vocab_min_count, vocab_subsampling, corpus_size)
    if vocab_freq_table is None and any(setting is not None for setting in settings):
        raise ValueError(
            f"vocab_freq_table is not provided, but vocab_min_count={vocab_min_count}, "
            f"vocab_subsampling={vocab_subsampling}, or corpus_size={corpus_size} is not None. "
            "These settings are useless without a vocab_freq_table."
        )
    if (vocab_subsampling is None) != (corpus_size is None):
        raise ValueError(
            f"vocab_subsampling is {vocab_subsampling} while corpus_size is {corpus_size} - both "
            "must be provided in order for subsampling to work."
        )
    given = [input_tensor, min_skips, max_skips, start, limit]
    with ops.name_scope(name, "skip_gram_sample", given):
        if vocab_freq_table is not None:
            input_tensor = _known_tokens(input_tensor, vocab_freq_table, *settings, seed)
        seed1, seed2 = random_seed.get_seed(seed)
        pairs = raw_ops.SkipGramGenerateCandidates(
            input_tensor, min_skips, max_skips, start, limit, emit_self_as_target,
            seed=seed1, seed2=seed2,
        )  # fmt: skip
        if not batch_size or batch_size < 0:
            return tuple(pairs)
        has_capacity = batch_capacity is not None and batch_capacity > 0
        return input_ops.batch(
            list(pairs),
            batch_size,
            capacity=batch_capacity if has_capacity else 100 * batch_size,
            enqueue_many=True,
        )


def skip_gram_sample_with_text_vocab(
    input_tensor: TensorLike,
    vocab_freq_file: str,
    vocab_token_index: int = 0,
    vocab_token_dtype: Any = dtypes.string,
    vocab_freq_index: int = 1,
    vocab_freq_dtype: Any = dtypes.float64,
    vocab_delimiter: str = ",",
    vocab_min_count: Any = 0,
    vocab_subsampling: float | None = None,
    corpus_size: Any = None,
    min_skips: Any = 1,
    max_skips: Any = 5,
    start: TensorLike = 0,
    limit: TensorLike = -1,
    emit_self_as_target: Any = False,
    batch_size: int | None = None,
    batch_capacity: int | None = None,
    seed: int | None = None,
    name: str | None = None,
) -> Any:
    """As `skip_gram_sample`, with a file that says how often tokens come.

    Args:
      input_tensor: as there, and so are all that are not said here.
      vocab_freq_file: the path of a text file, a token a line.
      vocab_token_index: the column of the token.
      vocab_token_dtype: its type.
      vocab_freq_index: the column that says how often it comes.
      vocab_freq_dtype: the type of that.
      vocab_delimiter: what stands between columns.
      vocab_min_count: as there.
      vocab_subsampling: as there.
      corpus_size: as there; by default the sum over the file.
      min_skips: as there.
      max_skips: as there.
      start: as there.
      limit: as there.
      emit_self_as_target: as there.
      batch_size: as there.
      batch_capacity: as there.
      seed: as there.
      name: as there.

    Returns:
      As there.

    Raises:
      ValueError: there are no such columns, or they are one; a token comes less often than never;
        `corpus_size` is less than the sum over the file.
    """
    if vocab_token_index < 0 or vocab_freq_index < 0:
        raise ValueError(
            f"vocab_token_index={vocab_token_index} and vocab_freq_index={vocab_freq_index} must "
            "both be >= 0."
        )
    if vocab_token_index == vocab_freq_index:
        raise ValueError(
            "vocab_token_index and vocab_freq_index should be different, but are both "
            f"{vocab_token_index}."
        )
    total, lines = 0.0, 0
    with gfile.GFile(vocab_freq_file, mode="r") as file:
        for row in csv.reader(file, delimiter=vocab_delimiter):
            if max(vocab_token_index, vocab_freq_index) >= len(row):
                raise ValueError(
                    f"Row in vocab file only has {len(row)} columns, so vocab_token_index="
                    f"{vocab_token_index} or vocab_freq_index={vocab_freq_index} is out of bounds. "
                    f"Row content: {row}"
                )
            count = vocab_freq_dtype.as_numpy_dtype(row[vocab_freq_index])
            if count < 0:
                raise ValueError(
                    f"Row in vocab file has negative frequency of {count!s}. Row content: {row}"
                )
            total += count
            lines += 1
    if not corpus_size:
        corpus_size = total
    elif total - corpus_size > 1e-6:
        raise ValueError(
            f"`corpus_size`={corpus_size} must be greater than or equal to the sum of all the "
            f"frequency counts ({total!s}) of `vocab_freq_file` ({vocab_freq_file})."
        )
    initializer = TextFileInitializer(
        filename=vocab_freq_file,
        key_dtype=vocab_token_dtype,
        key_index=vocab_token_index,
        value_dtype=vocab_freq_dtype,
        value_index=vocab_freq_index,
        vocab_size=lines,
        delimiter=vocab_delimiter,
    )
    return skip_gram_sample(
        input_tensor,
        min_skips=min_skips,
        max_skips=max_skips,
        start=start,
        limit=limit,
        emit_self_as_target=emit_self_as_target,
        vocab_freq_table=lookup.HashTable(initializer, default_value=-1),
        vocab_min_count=vocab_min_count,
        vocab_subsampling=vocab_subsampling,
        corpus_size=None if vocab_subsampling is None else corpus_size,
        batch_size=batch_size,
        batch_capacity=batch_capacity,
        seed=seed,
        name=name,
    )


def _known_tokens(
    tokens: Any, table: Any, least: Any, subsampling: float | None, corpus_size: Any, seed: Any
) -> Any:
    """The tokens that a table has and that come often enough; frequent ones at random."""
    if not isinstance(table, InitializableLookupTableBase):
        raise ValueError(
            "vocab_freq_table must be a subclass of InitializableLookupTableBase (such as "
            f"HashTable) instead of type {type(table)}."
        )
    with ops.name_scope("filter_vocab", values=[table, tokens, least]):
        counts = table.lookup(tokens)
        mask = math_ops.not_equal(counts, table.default_value)
        if least is not None:
            enough = math_ops.greater_equal(counts, math_ops.cast(least, counts.dtype))
            mask = math_ops.logical_and(mask, enough)
        tokens = array_ops.boolean_mask(tokens, mask)
        counts = array_ops.boolean_mask(counts, mask)
    if not subsampling:
        return tokens
    if not 0 <= subsampling <= 1:
        raise ValueError(
            f"Invalid vocab_subsampling={subsampling} - it should be within range [0, 1]."
        )
    with ops.name_scope("subsample_vocab", values=[tokens, counts, subsampling]):
        size = math_ops.cast(corpus_size, dtypes.float64)
        counts = math_ops.cast(counts, dtypes.float64)
        part = math_ops.cast(subsampling, dtypes.float64)
        root = math_ops.sqrt(counts / (part * size)) + 1.0
        kept = root * (part * size / counts)
        drawn = random_ops.random_uniform(
            array_ops.shape(counts), minval=0, maxval=1, dtype=dtypes.float64, seed=seed
        )
        return array_ops.boolean_mask(tokens, math_ops.less_equal(drawn, kept))
