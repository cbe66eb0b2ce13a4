"""How fast graphs are recorded: building 1,000 nodes, and `tf.gradients` through them."""

from __future__ import annotations

import sys
import time

from harness import compare, median, parse_args, print_table, ratio, serve, write_json


def dense_chain(tf):
    """Matmul, bias, activation, sharing constant weights: layer after layer."""
    net = tf.placeholder(tf.float32, [None, 16], name="x")
    weights = tf.constant(0.1, shape=[16, 16])
    bias = tf.constant(0.1, shape=[16])
    for i in range(333):
        with tf.name_scope("layer%d" % i):
            net = tf.nn.relu(tf.nn.bias_add(tf.matmul(net, weights), bias))
    return net, [weights, bias]


def elementwise_chain(tf):
    """Scalar-broadcasting arithmetic: add, multiply, tanh."""
    x = net = tf.placeholder(tf.float32, [None, 16], name="x")
    scale = tf.constant(0.5)
    for _ in range(333):
        net = tf.tanh(tf.add(tf.multiply(net, scale), x))
    return net, [x]


def layers_net(tf):
    """tf.layers: variables, initializers and scopes as user code makes them."""
    net = tf.placeholder(tf.float32, [None, 16], name="x")
    while len(tf.get_default_graph().get_operations()) < 1000:
        net = tf.layers.dense(net, 16, activation=tf.nn.relu)
    return net, tf.trainable_variables()


CASES = {
    "dense chain": dense_chain,
    "elementwise chain": elementwise_chain,
    "tf.layers": layers_net,
}


def measure(case, n):
    import tensorflow as tf

    build = gradients = 0.0
    for _ in range(n):
        with tf.Graph().as_default() as graph:
            start = time.perf_counter()
            net, xs = CASES[case](tf)
            loss = tf.reduce_sum(net)
            built = time.perf_counter()
            forward = len(graph.get_operations())
            before = time.perf_counter()
            tf.gradients(loss, xs)
            gradients += time.perf_counter() - before
            build += built - start
            total = len(graph.get_operations())
    return {
        "build_ms": build / n * 1e3,
        "gradients_ms": gradients / n * 1e3,
        "nodes": forward,
        "gradient_nodes": total - forward,
    }


def main():
    args = parse_args(__doc__, rounds=5, repeats=3)
    if args.worker:
        return serve(measure)
    results = compare(
        ("tf1compat", "tf115"), dict.fromkeys(CASES, args.repeats), args.rounds, args.oracle
    )
    rows = []
    for case in CASES:
        for what, key, nodes in [
            ("build", "build_ms", "nodes"),
            ("tf.gradients", "gradients_ms", "gradient_nodes"),
        ]:
            counts = {b: int(median(results, case, b, nodes)) for b in results[case]}
            if len(set(counts.values())) > 1:
                sys.exit("%s, %s: the graphs differ in size: %s" % (case, what, counts))
            row = [
                case,
                what,
                counts["tf1compat"],
                "%.1f" % median(results, case, "tf1compat", key),
            ]
            if args.oracle:
                row.append("%.1f" % median(results, case, "tf115", key))
                row.append("%.2f" % ratio(results, case, key, "tf1compat", "tf115"))
            rows.append(row)
    header = ["graph", "what", "nodes", "tf1compat ms"]
    print_table(header + (["tf115 ms", "ratio"] if args.oracle else []), rows)
    write_json(args.json, "graph_building", results)


if __name__ == "__main__":
    main()
