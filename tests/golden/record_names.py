"""Records what the expressions of name_cases.py give.

Run by a Python that has TensorFlow 1.15, with the names of the modules to record again, or none:

    python -W ignore record_names.py [module...]
"""

from __future__ import annotations

import json
import os
import sys

import name_cases
import recording


def main():
    import tensorflow as tf

    path = os.path.join(recording.DATA, "name_cases.json.gz")
    said = recording.read_json(path) if sys.argv[1:] else {}
    for name in sys.argv[1:] or name_cases.EXPRESSIONS:
        said[name] = json.loads(json.dumps(name_cases.run(tf, name)))
        for text, value in zip(name_cases.EXPRESSIONS[name], said[name]):
            print(name, text, "->", str(value)[:300])
    recording.write_json(path, said)


if __name__ == "__main__":
    main()
