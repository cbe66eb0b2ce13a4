"""The builder that TensorFlow's own tests write SavedModels with."""

import os
import tempfile

import tensorflow as tf
from tensorflow.python.saved_model import builder_impl, constants, loader, loader_impl, utils
from tensorflow.python.saved_model import signature_def_utils as signatures

folder = tempfile.mkdtemp()
path = os.path.join(folder, "hello.txt")
with open(path, "w") as file:
    file.write("hello")


def show(function, *args, **kwargs):
    try:
        print(function(*args, **kwargs))
    except Exception as error:
        print(type(error).__name__, str(error).replace(folder, "FOLDER"))


builder = builder_impl._SavedModelBuilder(os.path.join(folder, "model"))
print(builder_impl._SavedModelBuilder in tf.saved_model.Builder.__mro__)
with tf.Session(graph=tf.Graph()) as session:
    v = tf.Variable(3.0, name="v")
    w = tf.Variable(0.0, name="w", collections=[])
    asset = tf.constant(path, name="asset")
    init = tf.group(tf.assign(w, v + 1.0), name="init")
    train = tf.group(tf.assign(v, 5.0), name="train")
    session.run(v.initializer)
    show(builder.add_meta_graph, ["foo"])
    info = {"x": utils.build_tensor_info(v.value())}
    signature = signatures.build_signature_def(info, info, "m")
    show(
        builder.add_meta_graph_and_variables,
        session,
        ["foo"],
        signature_def_map={constants.INIT_OP_SIGNATURE_KEY: signature},
    )
    show(
        builder.add_meta_graph_and_variables,
        session,
        ["foo"],
        signature_def_map={"predict": signature},
        assets_list=[asset],
        init_op=init,
        train_op=train,
    )
    show(builder.add_meta_graph_and_variables, session, ["foo"])
    show(builder.add_meta_graph, ["bar", "baz"], None, None, True)
    show(builder.add_meta_graph, ["bar"], assets_list=[tf.constant(3)])
builder.save()
for meta_graph in loader_impl.parse_saved_model(os.path.join(folder, "model")).meta_graphs:
    print(list(meta_graph.meta_info_def.tags), sorted(meta_graph.collection_def))
    print([(file.filename, file.tensor_info.name) for file in meta_graph.asset_file_def])
    for name in sorted(meta_graph.signature_def):
        print(name, str(meta_graph.signature_def[name]).replace("\n", " "))
print(sorted(os.listdir(os.path.join(folder, "model", "assets"))))
with tf.Session(graph=tf.Graph()) as session:
    loader.load(session, ["foo"], os.path.join(folder, "model"))
    print(session.run(["v:0", "w:0"]))
    print(os.path.basename(session.run("asset:0").decode()))
