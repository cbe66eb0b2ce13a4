"""Records what the real TensorFlow 1.15 makes of delicate numbers:

python3.7 -W ignore tests/golden/record_numbers.py [OP ...]
"""

from __future__ import annotations

import collections
import json
import os
import pathlib
import signal
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import number_cases
import recording
import tensorflow as tf
from op_table import store

NO_KERNEL = ("OpKernel", "no supported kernel")


def session(tf):
    """Without graph rewriting: the numbers must be the kernels'."""
    config = tf.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    config.graph_options.optimizer_options.opt_level = -1
    return tf.Session(config=config)


def run(cases):
    """Runs cases in a process of its own; one that ends the process is found by running each
    alone, and its golden is the signal's number."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        os.close(read)
        signal.alarm(60)
        goldens = [store.pack(number_cases.run(tf, case, session)) for case in cases]
        with os.fdopen(write, "w") as file:
            json.dump(goldens, file)
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as file:
        text = file.read()
    status = os.waitpid(child, 0)[1]
    if status == 0:
        return json.loads(text)
    if len(cases) == 1:
        return [{"crash": status & 127}]
    return [golden for case in cases for golden in run([case])]


def main():
    tf.logging.set_verbosity(tf.logging.ERROR)
    chosen, path = sys.argv[1:], os.path.join(recording.DATA, "numbers.json.xz")
    goldens = recording.read_json(path) if chosen else {}
    cases = number_cases.cases()
    goldens = {case.key: goldens.get(case.key) for case in cases}
    by_op = collections.defaultdict(list)
    for case in cases:
        if not chosen or case.op in chosen:
            by_op[case.op].append(case)
    for group in by_op.values():
        for case, golden in zip(group, run(group)):
            goldens[case.key] = golden
            if "crash" in golden:
                print(case.key, "ends with signal", golden["crash"], flush=True)
            elif "error" in golden:
                print(case.key, golden["error"], flush=True)
                if any(part in golden["error"][1] for part in NO_KERNEL):
                    goldens[case.key] = {"unsupported": True}
    recording.write_json(path, goldens)
    print(len(goldens), "cases")


if __name__ == "__main__":
    main()
