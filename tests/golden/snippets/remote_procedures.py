"""tf.contrib.rpc: calls of a server of gRPC's, one or many, and what becomes of those that fail."""

import time
from concurrent import futures

import grpc
import tensorflow as tf


def refuse(request, context):
    context.abort(grpc.StatusCode.INVALID_ARGUMENT, "no " + request.decode())


def slow(request, context):
    time.sleep(3)
    return request


class Service(grpc.GenericRpcHandler):
    METHODS = {"/it/Wrap": lambda request, _: b"<" + request + b">", "/it/Refuse": refuse}
    METHODS["/it/Slow"] = slow

    def service(self, details):
        found = self.METHODS.get(details.method)
        return found and grpc.unary_unary_rpc_method_handler(found)


server = grpc.server(futures.ThreadPoolExecutor(4))
server.add_generic_rpc_handlers((Service(),))
HERE = "127.0.0.1:%d" % server.add_insecure_port("127.0.0.1:0")
server.start()
session = tf.Session()


def show(*args, **kwargs):
    try:
        made = kwargs.pop("op", tf.contrib.rpc.rpc)(*args, protocol="grpc", **kwargs)
        shapes = [tensor.shape for tensor in tf.contrib.framework.nest.flatten(made)]
        print(shapes, session.run(made))
    except Exception as error:
        print(type(error).__name__, str(error).split("\n")[0])


def later(value):
    return tf.placeholder_with_default(value, None)


show(HERE, "/it/Wrap", "a")
show([HERE, HERE], "/it/Wrap", ["a", "b"])
show(HERE, "/it/Wrap", tf.constant([], tf.string))
show(later([HERE]), "/it/Wrap", "a")
show(HERE, "/it/Refuse", "a")
show(HERE, "/it/Refuse", ["a", "b"])
show(HERE, "/it/Unknown", "a")
show(HERE, "/it/Slow", "a", timeout_in_ms=100)
show([HERE] * 3, "/it/Wrap", ["a", "b"])
show([[HERE]], "/it/Wrap", "a")
show(later([HERE] * 3), "/it/Wrap", later(["a", "b"]))
show(HERE, "/it/Wrap", later([["a"]]))
for protocol in ("", "http"):
    try:
        session.run(tf.contrib.rpc.rpc(HERE, "/it/Wrap", "a", protocol=protocol))
    except tf.errors.InvalidArgumentError as error:
        print(error.message.split("\n")[0])

show(HERE, "/it/Wrap", "a", op=tf.contrib.rpc.try_rpc)
methods = ["/it/Wrap", "/it/Refuse", "/it/Unknown", "/it/Slow"]
calls = tf.contrib.rpc.try_rpc(HERE, methods, "a", protocol="grpc", timeout_in_ms=2000)
answers = session.run(calls)
print(answers.response, answers.status_code)
print([text.split(b"\n")[0] for text in answers.status_message])
print([node.name for node in tf.get_default_graph().as_graph_def().node if "Rpc" in node.op])
server.stop(0)
