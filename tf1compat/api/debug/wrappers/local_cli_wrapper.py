"""A session with a prompt (`tensorflow.python.debug.wrappers.local_cli_wrapper`)."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import uuid
from collections.abc import Callable
from typing import Any

from tf1compat.api.debug.cli import (
    analyzer_cli,
    base_ui,
    cli_config,
    cli_shared,
    command_parser,
    profile_analyzer_cli,
    ui_factory,
)
from tf1compat.api.debug.cli import debugger_cli_common as common_cli
from tf1compat.api.debug.cli.command_parser import number, switch, text
from tf1compat.api.debug.cli.debugger_cli_common import RichTextLines
from tf1compat.api.debug.lib import common, debug_data, debug_dump
from tf1compat.api.debug.wrappers import framework
from tf1compat.api.debug.wrappers.framework import OnRunStartAction, OnRunStartResponse
from tf1compat.core.session_interface import SessionInterface

_REGEX = "Regular-expression filter for {} to be watched in the run, e.g., {}"


class LocalCLIDebugWrapperSession(framework.BaseDebugWrapperSession):
    """Asks at a prompt before and after each run, as in TF 1.15.

    Args:
      sess, thread_name_filter: see `BaseDebugWrapperSession`.
      dump_root: the folder of what is dumped, which is removed after each run; there is none yet,
        or it is empty. A temporary one if None.
      log_usage: has no meaning.
      ui_type: "curses" or "readline": the plain prompt.
      config_file_path: the prompt's settings; see `CLIConfig`.

    Raises:
      ValueError: the folder is a file, or not empty.
    """

    def __init__(
        self, sess: SessionInterface, dump_root: str | None = None, log_usage: bool = True,
        ui_type: str = "curses", thread_name_filter: str | None = None,
        config_file_path: str | None = None,
    ):  # fmt: skip
        del log_usage
        super().__init__(sess, thread_name_filter)
        if dump_root:
            root = os.path.expanduser(dump_root)
            if os.path.isfile(root):
                raise ValueError(f"dump_root path points to a file: {root}")
            if os.path.isdir(root) and os.listdir(root):
                raise ValueError(f"dump_root path points to a non-empty directory: {root}")
        else:
            root = os.path.join(tempfile.gettempdir(), f"tfdbg_{uuid.uuid4().hex[:8]}")
        self._dump_root = root
        self._tensor_filters: dict[str, Callable[..., Any]] = {}
        self.add_tensor_filter("has_inf_or_nan", debug_data.has_inf_or_nan)
        self._ui_type = ui_type
        self._config = cli_config.CLIConfig(config_file_path)
        #: What the next run is to be; None if that is asked, or EXPLICIT_USER_EXIT.
        self._response: Any = None
        #: The filter until which it runs, its excluded nodes, and what these runs are.
        self._until: tuple[str, str, OnRunStartResponse] | None = None
        self._runs_through = 1
        self._skips_debug = False
        self._is_run_start = True

    def add_tensor_filter(self, filter_name: str, tensor_filter: Callable[..., Any]) -> None:
        """Adds a filter of dumped tensors, for "run -f" and "lt -f".

        Args:
          filter_name: its name.
          tensor_filter: a function of a `DebugTensorDatum` and its value, as
            `tf_debug.has_inf_or_nan`.
        """
        self._tensor_filters[filter_name] = tensor_filter

    def on_session_init(
        self, request: framework.OnSessionInitRequest
    ) -> framework.OnSessionInitResponse:
        """See `BaseDebugWrapperSession`."""
        return framework.OnSessionInitResponse(framework.OnSessionInitAction.PROCEED)

    def _is_disk_usage_reset_each_run(self) -> bool:
        return True

    def on_run_start(self, request: framework.OnRunStartRequest) -> OnRunStartResponse:
        """See `BaseDebugWrapperSession`."""
        self._is_run_start = True
        self._request = request
        what = (
            request.run_call_count, request.fetches, request.feed_dict,
        )  # fmt: skip
        called = request.is_callable_runner
        self._description = cli_shared.get_run_short_description(*what, called)
        self._info = cli_shared.get_run_start_intro(*what, self._tensor_filters, called)
        self._runs_through -= 1
        if self._until is not None:
            return self._until[2]
        self._exit_if_asked()
        if request.run_call_count > 1 and not self._skips_debug:
            if self._runs_through > 0:
                return OnRunStartResponse(OnRunStartAction.NON_DEBUG_RUN, [])
            if self._runs_through == 0:
                return self._response or OnRunStartResponse(
                    OnRunStartAction.DEBUG_RUN, self._urls()
                )
        if self._response is None:
            ui = ui_factory.get_ui(self._ui_type, config=self._config)
            intro = self._logo()
            intro.append("Upcoming run:")
            intro.extend(self._info)
            ui.set_help_intro(intro)
            self._response = self._ask(ui, "run_info", "run-start: ")
            if self._runs_through > 1:
                self._runs_through -= 1
        self._exit_if_asked()
        return self._response

    def _exit_if_asked(self) -> None:
        if self._response == common_cli.EXPLICIT_USER_EXIT:
            print("Note: user exited from debugger CLI: Calling sys.exit(1).", file=sys.stderr)
            sys.exit(1)

    def on_run_end(self, request: framework.OnRunEndRequest) -> framework.OnRunEndResponse:
        """See `BaseDebugWrapperSession`.

        Raises:
          OpError: the run's, where it failed before anything was dumped.
        """
        self._is_run_start = False
        if request.performed_action == OnRunStartAction.PROFILE_RUN:
            ui = profile_analyzer_cli.create_profiler_ui(
                self._sess.graph, request.run_metadata, self._ui_type, config=self._config
            )
            self._response = self._ask(ui, "lp", "run-end (profiler mode): ")
            return framework.OnRunEndResponse()
        if request.performed_action != OnRunStartAction.DEBUG_RUN:
            self._response = None
            return framework.OnRunEndResponse()
        if request.tf_error is not None and not os.path.isdir(self._dump_root):
            raise request.tf_error
        graphs = None
        if request.run_metadata and request.run_metadata.partition_graphs:
            graphs = request.run_metadata.partition_graphs
        elif request.client_graph_def:
            graphs = [request.client_graph_def]
        dump = debug_dump.DebugDumpDir(self._dump_root, partition_graphs=graphs)
        dump.set_python_graph(self._sess.graph)
        first = "lt"
        if self._until is not None:
            name, excluded, _ = self._until
            passing = dump.find(self._tensor_filters[name], first_n=1, exclude_node_names=excluded)
            if not passing:
                self._remove_dump()
                return framework.OnRunEndResponse()
            self._until = None
            first = f"lt -f {name}" + (
                f" --filter_exclude_node_names {excluded}" if excluded else ""
            )
        ui = analyzer_cli.create_analyzer_ui(
            dump, self._tensor_filters, self._ui_type, self._remove_dump, self._config
        )
        if request.tf_error is not None:
            ui.set_help_intro(cli_shared.get_error_intro(request.tf_error))
            first = "help"
        self._response = self._ask(ui, first, "run-end: ")
        self._remove_dump()
        return framework.OnRunEndResponse()

    def _remove_dump(self) -> None:
        if os.path.isdir(self._dump_root):
            shutil.rmtree(self._dump_root)

    def _urls(self) -> list[str]:
        return [f"file://{self._dump_root}"]

    def _logo(self) -> RichTextLines:
        """What is said before the first run."""
        said = RichTextLines([])
        if self._request.run_call_count <= 1:
            said.extend(cli_shared.get_tfdbg_logo())
            said.extend(common_cli.get_tensorflow_version_lines())
        return said

    def _run_info(self, args: list[str], screen_info: Any = None) -> RichTextLines:
        del args, screen_info
        said = self._logo()
        said.extend(self._info)
        return said

    def _ask(self, ui: base_ui.BaseUI, first_command: str, title: str) -> Any:
        """Has a prompt say what the next run is to be."""
        handlers = (
            ("run", self._run_command, _RUN, "r", self._tensor_filters),
            ("run_info", self._run_info, _RUN_INFO, "ri", ()),
            (
                "print_feed", self._print_feed, _PRINT_FEED, "pf",
                common.get_flattened_names(list(self._request.feed_dict or ())),
            ),
        )  # fmt: skip
        for name, handler, parser, alias, completions in handlers:
            ui.register_command_handler(name, handler, parser.format_help(), [alias])
            ui.register_tab_comp_context([name, alias], list(completions))
        return ui.run_ui(first_command, title + self._description)

    def _print_feed(self, args: list[str], screen_info: Any = None) -> RichTextLines:
        if not self._request.feed_dict:
            return cli_shared.error("The feed_dict of the current run is None or empty.")
        parsed = _PRINT_FEED.parse_args(args)
        wanted, slices = command_parser.parse_tensor_name_with_slicing(parsed.tensor_name)
        for key, value in self._request.feed_dict.items():
            name = common.get_graph_element_name(key)
            if name == wanted:
                return cli_shared.format_tensor(
                    value,
                    f"{name} (feed)",
                    cli_shared.numpy_printoptions_from_screen_info(screen_info),
                    print_all=parsed.print_all,
                    tensor_slicing=slices,
                    highlight_options=cli_shared.parse_ranges_highlight(parsed.ranges),
                    include_numeric_summary=parsed.numeric_summary,
                )
        return cli_shared.error(
            f"The feed_dict of the current run does not contain the key {wanted}"
        )

    def _run_command(self, args: list[str], screen_info: Any = None) -> RichTextLines:
        del screen_info
        parsed = _RUN.parse_args(args)
        name = parsed.till_filter_pass
        if parsed.filter_exclude_node_names and not name:
            raise ValueError(
                "The --filter_exclude_node_names (or -feon) flag is valid only if the "
                "--till_filter_pass (or -f) flag is used."
            )
        if parsed.profile:
            raise common_cli.CommandLineExit(OnRunStartResponse(OnRunStartAction.PROFILE_RUN, []))
        self._skips_debug = parsed.no_debug
        self._runs_through = parsed.times
        debugs = parsed.times <= 1 and not parsed.no_debug
        response = OnRunStartResponse(
            OnRunStartAction.DEBUG_RUN if debugs else OnRunStartAction.NON_DEBUG_RUN,
            self._urls() if debugs else [],
            node_name_regex_whitelist=parsed.node_name_filter or None,
            op_type_regex_whitelist=parsed.op_type_filter or None,
            tensor_dtype_regex_whitelist=parsed.tensor_dtype_filter or None,
        )
        if name:
            if name not in self._tensor_filters:
                return cli_shared.error(f'tensor filter "{name}" does not exist.')
            self._until = (name, parsed.filter_exclude_node_names, response)
        raise common_cli.CommandLineExit(response)


_RUN = command_parser.parser(
    "Run through, with or without debug tensor watching.",
    ("-t", "--times", number("How many Session.run() calls to proceed with.", 1)),
    ("-n", "--no_debug", switch("Run through without debug tensor watching.")),
    (
        "-f", "--till_filter_pass",
        text("Run until a tensor in the graph passes the specified filter."),
    ),
    (
        "-fenn", "--filter_exclude_node_names",
        text(
            "When applying the tensor filter, exclude node with names matching the regular "
            "expression. Applicable only if --tensor_filter or -f is used."
        ),
    ),
    ("--node_name_filter", text(_REGEX.format("node names", "loss, reshape.*"))),
    ("--op_type_filter", text(_REGEX.format("op type", "(MatMul|Add), Variable.*"))),
    ("--tensor_dtype_filter", text(_REGEX.format("tensor dtype", "(float32|float64), int.*"))),
    ("-p", "--profile", switch("Run and profile TensorFlow graph execution.")),
)  # fmt: skip
_RUN_INFO = command_parser.parser("Display information about this Session.run() call.")
_PRINT_FEED = command_parser.get_print_tensor_argparser("Print the value of a feed in feed_dict.")
