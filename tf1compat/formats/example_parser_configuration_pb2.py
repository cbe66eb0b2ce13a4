"""The messages of TF's example_parser_configuration.proto; they have no public name."""

from __future__ import annotations

from typing import Any

from tf1compat.core.own_protos import example_parser_configuration


def __getattr__(name: str) -> Any:
    if name != "ExampleParserConfiguration":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return example_parser_configuration()
