"""Records what the real TensorFlow 1.15 says of wrong inputs, each row in a process of its own:

python3.7 -W ignore tests/golden/record_bad_inputs.py [OP ...]

For each row of `bad_input_cases.rows()` that it can run: the cases that it refuses, as
`[class, text]`, or that end its process, as "the process ends".
"""

from __future__ import annotations

import json
import os
import pathlib
import resource
import signal
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

import bad_input_cases
import recording
import tensorflow as tf

PATH = os.path.join(recording.DATA, "bad_inputs.json.xz")
NO_KERNEL = ("No OpKernel", "Cannot assign a device", "no supported kernel")
SECONDS, MEMORY = 6, 12 << 30


def session():
    """Without graph rewriting: it is the kernels that have to notice."""
    config = tf.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    config.graph_options.optimizer_options.opt_level = -1
    return tf.Session(config=config)


def _work(case, done, write):
    """Writes the name of each case before it runs, and then what was said."""
    signal.alarm(SECONDS)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    with os.fdopen(write, "w") as file:
        row = bad_input_cases.Row(tf, case, session, "/device:CPU:0")
        for name, i, value in row.cases():
            if name not in done:
                print(json.dumps(name), file=file, flush=True)
                signal.alarm(SECONDS)
                found = row.run(i, value)
                print(json.dumps(None if isinstance(found, dict) else found), file=file, flush=True)


def record(case):
    """The cases that are refused; None if TensorFlow can't run the row at all."""
    done = {}
    while True:
        read, write = os.pipe()
        child = os.fork()
        if not child:
            os.close(read)
            try:
                _work(case, done, write)
            finally:
                os._exit(1 if sys.exc_info()[0] else 0)
        os.close(write)
        with os.fdopen(read) as file:
            lines = [json.loads(line) for line in file if line.endswith("\n")]
        status = os.waitpid(child, 0)[1]
        done.update(zip(lines[::2], lines[1::2]))
        if status == 0:
            break
        if not lines:
            return None
        done[lines[-1]] = "the process ends"
    found = {name: said for name, said in done.items() if said is not None}
    texts = [said[1] for said in found.values() if isinstance(said, list)]
    return None if any(part in text for text in texts for part in NO_KERNEL) else found


def main():
    tf.logging.set_verbosity(tf.logging.ERROR)
    chosen = sys.argv[1:]
    goldens = recording.read_json(PATH) if chosen else {}
    for key, case in bad_input_cases.rows().items():
        if not chosen or case.op in chosen:
            found = record(case)
            goldens.pop(key, None)
            if found is not None:
                goldens[key] = found
            print(key, "-" if found is None else len(found), flush=True)
    recording.write_json(PATH, goldens)


if __name__ == "__main__":
    main()
