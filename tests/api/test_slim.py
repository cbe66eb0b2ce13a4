"""tf.contrib.slim: nets, data sets and summaries against TensorFlow 1.15."""

from __future__ import annotations

import importlib

import pytest
import record_slim_nets
import recording
import slim_net_cases
from case_goldens import CaseGoldens

NETS = recording.read_json(record_slim_nets.PATH)
GOLDENS = CaseGoldens("slim")


@pytest.mark.parametrize("name", slim_net_cases.NETS)
def test_graph_of_a_net(tf, name):
    found = record_slim_nets.describe(tf, slim_net_cases.NETS[name])
    # A digest of every hundred nodes says where to look.
    assert found == NETS["nets"][name]


@pytest.mark.filterwarnings("ignore:.*Variable.load")
@pytest.mark.parametrize("name", slim_net_cases.VALUES)
def test_value_of_a_net(tf, name):
    value = recording.describe_value(slim_net_cases.fetch(tf, slim_net_cases.VALUES[name]))
    assert recording.value_difference(NETS["values"][name], value, rtol=1e-4) is None


@pytest.mark.parametrize("name", slim_net_cases.MISTAKES)
def test_mistake_in_a_net(tf, name):
    assert recording.raised(tf, slim_net_cases.MISTAKES[name]) == NETS["mistakes"][name]


@GOLDENS.cases()
def test_case(tf, group, name):
    GOLDENS.check_case(tf, group, name)


@GOLDENS.mistakes()
def test_mistake(tf, group, name):
    GOLDENS.check_mistake(tf, group, name)


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("tensorflow.contrib.slim", "nets"),
        ("tensorflow.contrib.slim", "tfexample_decoder"),
        ("tensorflow.contrib.slim.nets", "resnet_v1"),
        ("tensorflow.contrib.slim.python.slim.nets.inception_v3", "inception_v3_arg_scope"),
        ("tensorflow.contrib.slim.python.slim.nets.resnet_utils", "Block"),
        ("tensorflow.contrib.slim.python.slim.nets.vgg", "vgg_16"),
        ("tensorflow.contrib.slim.python.slim.data", "dataset"),
        ("tensorflow.contrib.slim.python.slim.data.tfexample_decoder", "ItemHandler"),
        ("tensorflow.contrib.slim.python.slim.queues", "QueueRunners"),
    ],
)
def test_paths_of_tensorflow(module, name):
    importlib.import_module(module)
    assert getattr(importlib.import_module(module), name, None) or importlib.import_module(
        f"{module}.{name}"
    )
