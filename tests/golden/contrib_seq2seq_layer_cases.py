"""Layers of `tensorflow.contrib.seq2seq`: samplers, decoders and attention as Keras knows them."""

from __future__ import annotations

import numpy as np
from case_runs import collect
from contrib_inner import contrib, error, flat, inner, names, static, weights

WORDS, UNITS, SIZE, BATCH, TIME = 5, 3, 2, 4, 3
LENGTHS = [3, 1, 0, 2]


def _ops(name):
    return contrib("seq2seq.python.ops." + name)


def _said(tf, found, *others):
    return [static(tf, found), names(tf.global_variables()), [str(x) for x in others]]


def _training(tf, sampler, layer=True, time_major=False, **options):
    """A decoder of a sampler that is given inputs."""
    shape = (TIME, BATCH, SIZE) if time_major else (BATCH, TIME, SIZE)
    cell = tf.nn.rnn_cell.LSTMCell(UNITS)
    dense = tf.keras.layers.Dense(options.pop("units", WORDS)) if layer else None
    decoder = _ops("basic_decoder").BasicDecoderV2(
        cell, sampler, dense, **options.pop("layer_options", {})
    )
    found = decoder(
        weights(*shape),
        initial_state=cell.zero_state(BATCH, tf.float32),
        sequence_length=LENGTHS,
        **options,
    )
    others = (
        decoder.output_size,
        decoder.output_dtype,
        decoder.batch_size,
        decoder.trainable_weights,
    )
    return flat(tf, found), _said(tf, found, *others)


@inner
def trained_decoder(tf):
    return _training(tf, _ops("sampler").TrainingSampler())


@inner
def trained_decoder_by_time(tf):
    options = {
        "output_time_major": True,
        "impute_finished": True,
        "maximum_iterations": 2,
        "name": "mine",
    }
    sampler = _ops("sampler").TrainingSampler(time_major=True)
    return _training(tf, sampler, layer=False, time_major=True, layer_options=options)


@inner
def scheduled_embeddings(tf):
    sampler = _ops("sampler").ScheduledEmbeddingTrainingSampler(0.5, seed=3, scheduling_seed=4)
    options = {"parallel_iterations": 1}
    embedding = tf.get_variable("embedding", [WORDS, SIZE])
    return _training(tf, sampler, embedding=embedding, layer_options=options)


@inner
def scheduled_outputs(tf):
    fetches, said = [], []
    for next_inputs, auxiliary in ((None, False), (lambda x: x[:, :SIZE] * 2, True)):
        sampler = _ops("sampler").ScheduledOutputTrainingSampler(
            0.5, seed=3, next_inputs_fn=next_inputs
        )
        options = {"auxiliary_inputs": weights(BATCH, TIME, 1, seed=2)} if auxiliary else {}
        made = _training(
            tf, sampler, units=SIZE, layer_options={"parallel_iterations": 1}, **options
        )
        fetches += made[0]
        said.append(made[1])
    return fetches, said


@inner
def greedy_and_drawn_words(tf):
    samplers, fetches, said = _ops("sampler"), [], []
    embedding = tf.get_variable("embedding", [WORDS, SIZE])
    for sampler, table in (
        (samplers.GreedyEmbeddingSampler(), embedding),
        (samplers.GreedyEmbeddingSampler(lambda ids: tf.gather(embedding, ids) * 2), None),
        (samplers.SampleEmbeddingSampler(seed=3), embedding),
        (samplers.SampleEmbeddingSampler(softmax_temperature=0.5, seed=3), embedding),
    ):
        cell = tf.nn.rnn_cell.GRUCell(UNITS)
        decoder = _ops("basic_decoder").BasicDecoderV2(
            cell,
            sampler,
            tf.keras.layers.Dense(WORDS),
            maximum_iterations=4,
            parallel_iterations=1,
        )
        found = decoder(
            table,
            initial_state=tf.constant(weights(BATCH, UNITS)),
            start_tokens=[0, 1, 2, 3],
            end_token=4,
        )
        fetches += flat(tf, found)
        said.append(_said(tf, found))
    return fetches, said


@inner
def samplers_of_functions(tf):
    samplers = _ops("sampler")
    cell = tf.nn.rnn_cell.GRUCell(UNITS)
    inference = samplers.InferenceSampler(
        lambda outputs: outputs[:, :SIZE],
        [SIZE],
        tf.float32,
        lambda samples: tf.reduce_sum(samples, 1) > 0.5,
        next_inputs_fn=lambda samples: samples + 0.5,
    )
    custom = samplers.CustomSampler(
        lambda inputs, more=0.0: (tf.constant([False, True]), inputs + more),
        lambda time, outputs, state: tf.argmax(outputs, 1),
        lambda time, outputs, state, sample_ids: (
            time + tf.cast(sample_ids, tf.int32) > 2,
            outputs[:, :SIZE],
            state,
        ),
        sample_ids_dtype=tf.int64,
    )
    fetches, said = [], [error(lambda: custom.batch_size)]
    for sampler, options in ((inference, {}), (custom, {"more": 0.25})):
        decoder = _ops("basic_decoder").BasicDecoderV2(cell, sampler, maximum_iterations=5)
        start = tf.constant(weights(2, SIZE))
        found = decoder(start, initial_state=tf.constant(weights(2, UNITS)), **options)
        fetches += flat(tf, found)
        said.append(_said(tf, found, sampler.sample_ids_shape, sampler.sample_ids_dtype))
    return fetches, said


@inner
def samples_of_distributions(tf):
    samplers = _ops("sampler")
    return [
        samplers.bernoulli_sample(probs=[0.2, 0.8], sample_shape=[3], seed=1),
        samplers.bernoulli_sample(logits=[0.2, 0.8], dtype=tf.bool, sample_shape=4, seed=1),
        samplers.categorical_sample(weights(2, 3), sample_shape=[5], seed=2),
        samplers.categorical_sample(weights(2, 2, 3), dtype=tf.int64, seed=2),
    ], []


@inner
def mistakes_of_samplers(tf):
    # What is left of a call that raised is of no interest.
    with tf.Graph().as_default():
        return [], _mistakes(tf)


def _mistakes(tf):
    samplers, basic = _ops("sampler"), _ops("basic_decoder")
    cell = tf.nn.rnn_cell.GRUCell(UNITS)
    training = samplers.TrainingSampler()
    greedy = samplers.GreedyEmbeddingSampler()
    outputs = [tf.zeros([2, 2])]
    said = [
        error(samplers.Sampler),
        error(basic.BasicDecoderV2, 3, training)[:1],
        error(basic.BasicDecoderV2, cell, "sampler"),
        error(basic.BasicDecoderV2, cell, training, output_layer=7),
        error(training.initialize, weights(2, 3, 1)),
        error(samplers.TrainingSampler().initialize, weights(2, 3, 1), sequence_length=3)[:1],
        error(samplers.ScheduledEmbeddingTrainingSampler, 0.5, embedding_fn=3),
        error(samplers.ScheduledEmbeddingTrainingSampler, [[0.5]]),
        error(samplers.ScheduledEmbeddingTrainingSampler(0.5).initialize, weights(2, 3, 1), [1, 2]),
        error(samplers.GreedyEmbeddingSampler, 5),
        error(greedy.initialize, weights(2, 3), start_tokens=[[1]], end_token=1),
        error(greedy.initialize, weights(2, 3), start_tokens=[1], end_token=[1]),
        error(greedy.sample, 0, outputs, None),
        error(samplers.SampleEmbeddingSampler().sample, 0, outputs, None),
        error(_ops("decoder").dynamic_decode, cell)[:1],
        error(_ops("decoder").BaseDecoder().initialize, 3),
        error(lambda: _ops("decoder").BaseDecoder().batch_size),
        error(_ops("beam_search_decoder").BeamSearchDecoderV2, cell, 2, embedding_fn=3),
    ]
    # TF says it of an attribute that is not there.
    said[5] = None
    return said


@inner
def searched_beams(tf):
    beam = _ops("beam_search_decoder")
    embedding = tf.get_variable("embedding", [WORDS, SIZE])
    fetches, said = [], []
    for table, function, options in (
        (embedding, None, {"maximum_iterations": 4}),
        (
            None,
            lambda ids: tf.gather(embedding, ids) + 0.5,
            {
                "length_penalty_weight": 0.7,
                "output_time_major": True,
                "maximum_iterations": 3,
                "name": "beams",
            },
        ),
    ):
        cell = tf.nn.rnn_cell.LSTMCell(UNITS)
        decoder = beam.BeamSearchDecoderV2(
            cell, 2, embedding_fn=function, output_layer=tf.keras.layers.Dense(WORDS), **options
        )
        start = beam.tile_batch(
            tf.nn.rnn_cell.LSTMStateTuple(
                tf.constant(weights(2, UNITS)), tf.constant(weights(2, UNITS, seed=1))
            ),
            2,
        )
        found = decoder(table, start_tokens=[0, 1], end_token=4, initial_state=start)
        fetches += flat(tf, found[0]) + [found[2]]
        said.append(_said(tf, found, decoder.output_size, decoder.output_dtype))
    decoder = beam.BeamSearchDecoderV2(cell, 2, embedding_fn=function)
    said.append(error(decoder.initialize, embedding, [0], 1, start))
    return fetches, said


def _attended(tf, mechanism, **options):
    """A step of a wrapped cell, twice."""
    wrapper = _ops("attention_wrapper").AttentionWrapper
    cell = wrapper(tf.nn.rnn_cell.GRUCell(UNITS), mechanism, **options)
    state = cell.zero_state(BATCH, tf.float32)
    first, state = cell(tf.constant(weights(BATCH, SIZE)), state)
    second, state = cell(tf.constant(weights(BATCH, SIZE, seed=1)), state)
    return first, second, state.alignments, state.attention_state


MECHANISMS = [
    ("LuongAttentionV2", {}),
    ("LuongAttentionV2", {"scale": True, "probability_fn": "hardmax", "name": "mine"}),
    ("BahdanauAttentionV2", {}),
    ("BahdanauAttentionV2", {"normalize": True, "kernel_initializer": "ones"}),
    ("LuongMonotonicAttentionV2", {"scale": True, "score_bias_init": 0.5}),
    ("BahdanauMonotonicAttentionV2", {"normalize": True, "mode": "recursive"}),
    ("BahdanauMonotonicAttentionV2", {"sigmoid_noise": 0.5, "sigmoid_noise_seed": 3}),
]


@inner
def layers_of_attention(tf):
    module, fetches, said = _ops("attention_wrapper"), [], []
    for index, (name, options) in enumerate(MECHANISMS):
        memory = tf.constant(weights(BATCH, TIME, SIZE, seed=index))
        lengths = [3, 1, 3, 2] if index % 2 else None
        mechanism = getattr(module, name)(UNITS, memory, lengths, **options)
        with tf.variable_scope("m%d" % index):
            found = _attended(tf, mechanism, attention_layer_size=SIZE if index % 2 else None)
        fetches += flat(tf, found)
        config = mechanism.get_config()
        again = type(mechanism).from_config(config)
        said += [
            static(tf, found),
            names(mechanism.weights),
            sorted(set(config) - {"query_layer", "memory_layer"}),
            [repr(config[key]) for key in sorted(config) if key in ("units", "memory", "dtype")],
            config["memory_layer"]["class_name"],
            [again.keys is None, again.memory_layer.name, type(again.query_layer).__name__],
            [str(mechanism.alignments_size), str(mechanism.batch_size)],
        ]
    return fetches, said


@inner
def memory_of_attention_comes_later(tf):
    module = _ops("attention_wrapper")
    memory = tf.constant(weights(BATCH, TIME, SIZE))
    mechanism = module.BahdanauAttentionV2(UNITS, None)
    said = [error(mechanism, [memory, memory])]
    mechanism = module.BahdanauAttentionV2(UNITS, None, name="later")
    values = mechanism([memory, tf.constant([1, 2, 3, 3])], setup_memory=True)
    found = mechanism([tf.constant(weights(BATCH, UNITS)), tf.zeros([BATCH, TIME])])
    said += [
        static(tf, [values, found]),
        error(mechanism, [memory]),
        error(mechanism._setup_memory, memory),
        error(module.LuongAttentionV2(UNITS, None)._setup_memory, memory, [1], [True]),
        error(module.LuongAttentionV2, UNITS, memory, probability_fn="mine")[:1],
        error(module.LuongAttentionV2, UNITS, memory, memory_layer=3),
    ]
    masked = tf.keras.layers.Masking()(tf.constant(np.eye(4, dtype="f").reshape(1, 4, 4)[:, :3]))
    masking = module.LuongAttentionV2(UNITS, None, name="masking")
    values = masking(masked, setup_memory=True, mask=tf.constant([[True, True, False]]))
    alignments = masking([tf.constant(weights(1, UNITS)), tf.zeros([1, 3])])
    return flat(tf, [found, values, alignments]), said


@inner
def decoded_with_attention(tf):
    module = _ops("attention_wrapper")
    memory = tf.constant(weights(BATCH, TIME, SIZE))
    mechanism = module.LuongAttentionV2(UNITS, memory, [3, 1, 2, 2])
    cell = module.AttentionWrapper(
        tf.nn.rnn_cell.GRUCell(UNITS), mechanism, attention_layer_size=2, alignment_history=True
    )
    sampler = _ops("sampler").TrainingSampler()
    decoder = _ops("basic_decoder").BasicDecoderV2(cell, sampler, tf.keras.layers.Dense(WORDS))
    outputs, state, lengths = decoder(
        tf.constant(weights(BATCH, TIME, SIZE, seed=1)),
        initial_state=cell.zero_state(BATCH, tf.float32),
        sequence_length=LENGTHS,
    )
    targets = tf.constant([[0, 1, 2], [3, 4, 0], [1, 2, 3], [4, 0, 1]])
    loss = _ops("loss").SequenceLoss(name="of_sequences")
    value = loss(targets, outputs.rnn_output, tf.sequence_mask(LENGTHS, TIME, tf.float32))
    gradients = tf.gradients(value, tf.trainable_variables())
    dense = [tf.convert_to_tensor(g) for g in gradients if g is not None]
    found = [outputs, state.alignment_history.stack(), lengths, value, dense]
    said = [static(tf, found), [g is None for g in gradients], names(tf.trainable_variables())]
    return flat(tf, found), said


CASES = {
    "layers": collect(
        trained_decoder,
        trained_decoder_by_time,
        scheduled_embeddings,
        scheduled_outputs,
        greedy_and_drawn_words,
        samplers_of_functions,
        samples_of_distributions,
        mistakes_of_samplers,
        searched_beams,
        layers_of_attention,
        memory_of_attention_comes_later,
        decoded_with_attention,
    )
}
MISTAKES = {}
