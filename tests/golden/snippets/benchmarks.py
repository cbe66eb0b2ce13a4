"""What benchmarks report, and what they return."""

import io
import json
import re
import sys

import tensorflow as tf


class Multiplying(tf.test.Benchmark):
    def benchmark_given(self):
        self.report_benchmark(iters=3, wall_time=0.5)
        numbers = {"x": 1.5, "y": "s", "z": 2}
        self.report_benchmark(iters=3, cpu_time=0.0, throughput=0.0, extras=numbers, name="named")

    def benchmark_traced(self):
        with tf.Session() as session:
            x = tf.Variable(tf.ones([10, 10]))
            session.run(x.initializer)
            for kept in ({}, {"store_trace": True, "store_memory_usage": False}):
                found = self.run_op_benchmark(
                    session, tf.matmul(x, x), min_iters=2, burn_iters=1, extras={"e": 1}, **kept
                )
                print(sorted(found), sorted(found["extras"]), found["name"], found["iters"])
        trace = json.loads(found["extras"]["full_trace_chrome_format"])
        print(sorted(trace), any(event["name"] == "MatMul" for event in trace["traceEvents"]))


printed, sys.stdout = sys.stdout, io.StringIO()
benchmark = Multiplying()
benchmark.benchmark_given()
benchmark.benchmark_traced()
printed, sys.stdout = sys.stdout.getvalue(), printed
print(re.sub("(wall_time|double_value): [-0-9.e]+", r"\1: …", printed))
