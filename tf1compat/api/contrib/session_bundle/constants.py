"""Names of files and collections of an export
(`tensorflow.contrib.session_bundle.constants`)."""

from __future__ import annotations

VERSION_FORMAT_SPECIFIER = "%08d"
ASSETS_DIRECTORY = "assets"
EXPORT_BASE_NAME = "export"
EXPORT_SUFFIX_NAME = "meta"
META_GRAPH_DEF_FILENAME = f"{EXPORT_BASE_NAME}.{EXPORT_SUFFIX_NAME}"
VARIABLES_FILENAME = EXPORT_BASE_NAME
VARIABLES_FILENAME_PATTERN = f"{VARIABLES_FILENAME}-?????-of-?????"
VARIABLES_FILENAME_PATTERN_V2 = f"{VARIABLES_FILENAME}.data-?????-of-?????"
VARIABLES_INDEX_FILENAME_V2 = f"{VARIABLES_FILENAME}.index"

# Collections of the graph.
INIT_OP_KEY = "serving_init_op"
SIGNATURES_KEY = "serving_signatures"
ASSETS_KEY = "serving_assets"
GRAPH_KEY = "serving_graph"

# Names of signatures.
REGRESSION_SIGNATURE = "regression_signature"
CLASSIFICATION_SIGNATURE = "classification_signature"
GENERIC_SIGNATURE = "generic_signature"
