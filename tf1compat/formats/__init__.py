"""TF's files and messages.  The protos load when one of their names is first used."""

from tf1compat.core.export import export_lazy

# Public name -> (module of tensorboard.compat.proto, message).
MESSAGES = {
    "AttrValue": ("attr_value_pb2", "AttrValue"),
    "ConfigProto": ("config_pb2", "ConfigProto"),
    "Event": ("event_pb2", "Event"),
    "GPUOptions": ("config_pb2", "GPUOptions"),
    "GraphDef": ("graph_pb2", "GraphDef"),
    "GraphOptions": ("config_pb2", "GraphOptions"),
    "HistogramProto": ("histogram_pb2", "HistogramProto"),
    "LogMessage": ("event_pb2", "LogMessage"),
    "MetaGraphDef": ("meta_graph_pb2", "MetaGraphDef"),
    "NameAttrList": ("attr_value_pb2", "NameAttrList"),
    "NodeDef": ("node_def_pb2", "NodeDef"),
    "OptimizerOptions": ("config_pb2", "OptimizerOptions"),
    "RunMetadata": ("config_pb2", "RunMetadata"),
    "RunOptions": ("config_pb2", "RunOptions"),
    "SessionLog": ("event_pb2", "SessionLog"),
    "Summary": ("summary_pb2", "Summary"),
    "SummaryMetadata": ("summary_pb2", "SummaryMetadata"),
    "TensorInfo": ("meta_graph_pb2", "TensorInfo"),
    "summary.Event": ("event_pb2", "Event"),
    "summary.SessionLog": ("event_pb2", "SessionLog"),
    "summary.Summary": ("summary_pb2", "Summary"),
    "summary.SummaryDescription": ("summary_pb2", "SummaryDescription"),
    "summary.TaggedRunMetadata": ("event_pb2", "TaggedRunMetadata"),
    "train.ClusterDef": ("cluster_pb2", "ClusterDef"),
    "train.JobDef": ("cluster_pb2", "JobDef"),
    "train.SaverDef": ("saver_pb2", "SaverDef"),
}

# The same of those that the tensorboard package does not ship, with our modules.
_EXAMPLES = {
    "feature_pb2": (
        "BytesList",
        "Feature",
        "FeatureList",
        "FeatureLists",
        "Features",
        "FloatList",
        "Int64List",
    ),
    "example_pb2": ("Example", "SequenceExample"),
    "tensorflow_server_pb2": ("ServerDef",),
}

_PROFILES = ("AdviceProto", "GraphNodeProto", "MultiGraphNodeProto", "OpLogProto")

for _name in MESSAGES:
    export_lazy(_name, "tf1compat.formats.protos")
for _module, _names in _EXAMPLES.items():
    for _name in _names:
        export_lazy(f"train.{_name}", f"tf1compat.formats.{_module}")
for _name in _PROFILES:
    export_lazy(f"profiler.{_name}", "tf1compat.formats.tfprof_exports")
