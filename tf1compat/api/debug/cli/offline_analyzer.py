"""Shows a dump: `python -m tensorflow.python.debug.cli.offline_analyzer --dump_dir=…`."""

from __future__ import annotations

import argparse
import sys

from tf1compat.api.debug.cli import analyzer_cli
from tf1compat.api.debug.lib import debug_data, debug_dump


def _flag(text: str) -> bool:
    return text.lower() == "true"


def main(argv: list[str] | None = None) -> None:
    """Opens a prompt with a dump.

    Args:
      argv: the arguments; those of the process if None.
    """
    parser = argparse.ArgumentParser()
    yes = {"nargs": "?", "const": True, "default": True, "type": _flag}
    parser.add_argument("--dump_dir", type=str, default="", help="tfdbg dump directory to load")
    parser.add_argument("--log_usage", **yes, help="Has no meaning")
    parser.add_argument(
        "--ui_type", type=str, default="curses",
        help="Command-line user interface type (curses | readline); both are the plain prompt",
    )  # fmt: skip
    parser.add_argument(
        "--validate_graph", **yes,
        help="Whether the dumped tensors will be validated against the GraphDefs",
    )  # fmt: skip
    flags, _ = parser.parse_known_args(argv)
    if not flags.dump_dir:
        print("ERROR: dump_dir flag is empty.", file=sys.stderr)
        sys.exit(1)
    print(f"tfdbg offline: FLAGS.dump_dir = {flags.dump_dir}")
    dump = debug_dump.DebugDumpDir(flags.dump_dir, validate=flags.validate_graph)
    ui = analyzer_cli.create_analyzer_ui(
        dump, {"has_inf_or_nan": debug_data.has_inf_or_nan}, ui_type=flags.ui_type
    )
    ui.run_ui("lt", f"tfdbg offline @ {flags.dump_dir}")


if __name__ == "__main__":
    main()
