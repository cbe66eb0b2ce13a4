"""Small inner modules of `tensorflow.contrib`."""

from __future__ import annotations

import re

import numpy as np
from case_runs import collect
from contrib_inner import contrib, error, inner


def _plain(said):
    """Without addresses and qualified names of functions, which differ."""
    return [
        part if not isinstance(part, str) else re.sub(r"<function .*", "f", part) for part in said
    ]


@inner
def types_of_arguments(tf):
    check = contrib("labeled_tensor.python.ops._typecheck")
    values = [1, "a", None, [1, 2], [1, "a"], (1, "a"), {"a": 1}, {1: 1}, {1}, np.float32(1)]
    types = [
        check.Union(int, str),
        check.Optional(str),
        check.List(int),
        check.Sequence(check.Union(int, str)),
        check.Collection(int),
        check.Tuple(int, str),
        check.Mapping(str, int),
        check.Dict(int, int),
    ]
    said = [[repr(t), [isinstance(value, t) for value in values]] for t in types]
    check.register_type_abbreviation(np.float32, "a number")

    @check.accepts(int, check.Optional(str))
    def given(a, b=None):
        return a, b

    @check.returns(check.List(np.float32))
    def one(value):
        return value

    @check.returns(int, check.Union(str, np.float32))
    def two(*values):
        return values

    said += [
        list(given(1)),
        list(given(1, "b")),
        given.__name__,
        two(1, "a")[1],
        _plain(error(given, "a")),
        _plain(error(given, 1, 2)),
        _plain(error(one, [2])),
        _plain(error(two, 1)),
        _plain(error(two, 1, 2)),
        _plain(error(check.accepts(int), given)),
        _plain(error(check.accepts(int, int), lambda a, b="c": a)),
        error(check.returns(), given),
        error(check.List, int, int)[0],
        issubclass(check.Error, TypeError),
    ]
    return [], said


@inner
def messages_of_the_projector(tf):
    pb2 = contrib("tensorboard.plugins.projector.projector_config_pb2")
    config = pb2.ProjectorConfig(model_checkpoint_path="here")
    embedding = config.embeddings.add(tensor_name="words")
    embedding.sprite.CopyFrom(pb2.SpriteMetadata(image_path="x.png", single_image_dim=[2, 3]))
    return [], [str(config), str(pb2.EmbeddingInfo(bookmarks_path="b"))]


CASES = {"inner": collect(types_of_arguments, messages_of_the_projector)}
MISTAKES = {}
