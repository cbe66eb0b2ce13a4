"""Records what the real TensorFlow 1.15 says of hostile GraphDefs, each in a process of its own:

python3.7 -W ignore tests/golden/record_hostile.py
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

import hostile_cases
import recording


def main():
    import tensorflow as tf

    goldens = {}
    for name, graph_def, feeds in hostile_cases.CASES:
        read, write = os.pipe()
        child = os.fork()
        if not child:
            signal.alarm(30)
            resource.setrlimit(resource.RLIMIT_AS, (16 << 30, 16 << 30))
            os.write(write, json.dumps(hostile_cases.run(tf, graph_def, feeds)).encode()[:60000])
            os._exit(0)
        os.close(write)
        with os.fdopen(read) as file:
            text = file.read()
        os.waitpid(child, 0)
        goldens[name] = json.loads(text) if text else "the process ends"
        print(name, str(goldens[name])[:200], file=sys.stderr)
    recording.write_json(os.path.join(recording.DATA, "hostile.json"), goldens)


if __name__ == "__main__":
    main()
