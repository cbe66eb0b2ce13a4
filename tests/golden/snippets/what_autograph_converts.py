"""What AutoGraph leaves as it is, by rules that tests change; functions that it converts."""

import collections
import functools
import sys
import types
import unittest

import tensorflow as tf
from tensorflow.python.autograph import utils
from tensorflow.python.autograph.core import config, converter
from tensorflow.python.autograph.impl import api, conversion


def show(function, *args, **kwargs):
    print(function(*args, **kwargs))


def whitelisted(value, **kwargs):
    show(conversion.is_whitelisted_for_graph, value, **kwargs)


def function():
    return tf.constant(1)


def like():
    pass


like.__module__ = types.ModuleType("tensorflow_foo")


class Case(unittest.TestCase):
    def test(self):
        pass


Pair = collections.namedtuple("Pair", "a b")


class Own(Pair):
    def method(self):
        return self.a


sys.modules["left_alone"] = types.ModuleType("left_alone")
before = config.CONVERSION_RULES
show(lambda: [str(rule) for rule in before[:2]])
show(lambda: {type(rule).__name__ for rule in before})


class Left(object):
    def __call__(self):
        pass

    def left(self):
        pass


Left.__module__ = "left_alone"
Left.__call__.__module__ = "left_alone"


class Derived(Left):
    def converted(self):
        pass


def look():
    made = Derived()
    for value in (function, utils, tf.constant, like, Case("test").test, Case, Pair, Own):
        whitelisted(value)
    for value in (Own(1, 2).method, functools.partial(function)):
        whitelisted(value)
    whitelisted(Own, allow_namedtuple_subclass=True)
    whitelisted(Pair, allow_namedtuple_subclass=True)
    for value in (Left.__call__, made, made.__call__, made.left, Derived, made.converted):
        whitelisted(value)
    whitelisted(made, check_call_override=False)


look()
config.CONVERSION_RULES = (config.DoNotConvert("left_alone"),) + before
look()
config.CONVERSION_RULES = (config.Convert("left_alone"), config.DoNotConvert("left_alone")) + before
whitelisted(Left)
config.CONVERSION_RULES = before

context = converter.ProgramContext(
    options=converter.ConversionOptions(recursive=True), autograph_module=api
)


def absolute(x):
    if x < 0:
        x = -x
    return x


converted = conversion.convert(absolute, context)
print(converted.__code__ is conversion.convert(absolute, context).__code__)
with tf.compat.v1.Session() as session:
    print(session.run(converted(tf.constant(-3))))


def around():
    ag__ = 3

    def uses():
        return ag__

    return uses


try:
    conversion.convert(around(), context)
except ValueError as error:
    print(str(error).partition("> ")[2])
