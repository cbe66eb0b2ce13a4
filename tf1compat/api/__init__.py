"""What users call: see ARCHITECTURE.md."""

# The folders by subject, whose modules are TF's of the same name, wherever TF has them, or parts of
# those. The other folders are TF's own packages.
SUBJECTS = (
    "array",
    "checks",
    "client",
    "control_flow",
    "framework",
    "functions",
    "gradients",
    "image",
    "io",
    "learning",
    "linalg",
    "lookup",
    "math",
    "metrics",
    "nn",
    "quantization",
    "queues",
    "random",
    "rnn",
    "signal",
    "sparse",
    "summary",
    "text",
    "trees",
    "util",
    "variables",
)
