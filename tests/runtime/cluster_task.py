"""A process with some tasks of a cluster: `cluster_task.py '{"ps": […], …}' ps:0 ps:1`."""

import json
import sys

from tf1compat import namespace

tf = namespace.tensorflow()
spec, *tasks = sys.argv[1:]
for task in tasks:
    job, _, index = task.partition(":")
    server = tf.train.Server(json.loads(spec), job, int(index))
print("up", flush=True)
server.join()
