"""What TF's graph optimizer is asked by hand, where its answers are the machine's or refused."""

from __future__ import annotations

import pytest

import tf1compat as tf
from tf1compat.api.framework import meta_graph
from tf1compat.api.grappler import cluster, item, tf_optimizer
from tf1compat.core.graph import Graph
from tf1compat.formats import device_properties_pb2


def _metagraph(build):
    with Graph().as_default() as graph:
        graph.get_collection_ref("train_op").extend(build())
        return meta_graph.create_meta_graph_def(graph=graph)


def _fed():
    fed = tf.placeholder(tf.float32, [3, None])
    return [fed * tf.Variable([1.0]), tf.add(tf.random_uniform(()), 1.0, name="add")]


def _loop():
    start = tf.TensorArray(tf.int32, 3), 0
    done = tf.while_loop(lambda _, i: i < 3, lambda a, i: (a.write(i, i * (1 + 1)), i + 1), start)
    return [tf.identity(done[0].stack(), name="out")]


def _configured(*optimizers, **switches):
    config = tf.ConfigProto()
    config.graph_options.rewrite_options.optimizers.extend(optimizers)
    for name, value in switches.items():
        setattr(config.graph_options.rewrite_options, name, value)
    return config


def test_costs_are_of_what_ran():
    with cluster.Provision(disable_detailed_stats=False, disable_timeline=False) as provided:
        costs, seconds, steps = provided.MeasureCosts(item.Item(_metagraph(_fed)))
    assert seconds > 0
    assert {node.node_name for device in steps.dev_stats for node in device.node_stats} >= {"add"}
    (add,) = [cost for cost in costs if cost.node == "add"]
    assert (add.op.op, list(add.op_memory.output_memory)) == ("Add", [4])
    assert len(add.op.inputs) == 2
    assert add.op.device.type == "CPU"


def test_a_loop_does_the_same_afterwards():
    graph_def = tf_optimizer.OptimizeGraph(_configured(), _metagraph(_loop))
    with Graph().as_default():
        (out,) = tf.import_graph_def(graph_def, return_elements=["out:0"], name="")
        with tf.Session() as session:
            assert session.run(out).tolist() == [0, 2, 4]


@pytest.mark.parametrize(
    "config", [_configured("layout"), _configured(layout_optimizer=1), _configured("memory")]
)
def test_other_optimizations_are_refused_by_name(config):
    with pytest.raises(NotImplementedError, match="prunes and folds .* doesn't do (layout|memory)"):
        tf_optimizer.OptimizeGraph(config, _metagraph(_loop))


def test_a_described_device_has_no_costs():
    device = device_properties_pb2.NamedDevice(name="/GPU:0")
    with cluster.Provision(devices=[device]) as provided:
        with pytest.raises(NotImplementedError, match="MeasureCosts"):
            provided.MeasureCosts(item.Item(_metagraph(_fed)))
        device.properties.type = "GPU"
        with pytest.raises(tf.errors.InvalidArgumentError, match="architecture"):
            provided.EstimatePerformance(device)
