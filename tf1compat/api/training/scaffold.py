"""`tf.train.Scaffold` (of TF's `monitored_session`): what a monitored session finds in a graph."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any

from tf1compat.api.array import array_ops
from tf1compat.api.control_flow import control_flow_ops
from tf1compat.api.lookup import lookup_ops
from tf1compat.api.platform import tf_logging as logging
from tf1compat.api.summary import summary
from tf1compat.api.training import saver as training_saver
from tf1compat.api.variables import resources, variables
from tf1compat.core import ops
from tf1compat.core.export import tf_export


@tf_export("train.Scaffold")
class Scaffold:
    """The operations that initialise, check, save and summarise a graph.

    What is not given is found in the graph's collections by `finalize`, or made.

    Args:
      init_op: initialises the variables.
      init_feed_dict: feeds of `init_op`.
      init_fn: called with the scaffold and the session after `init_op`.
      ready_op: gives the names of the variables that are not ready.
      ready_for_local_init_op: gives the names of those that `local_init_op` waits for.
      local_init_op: initialises the local variables and tables.
      summary_op: all summaries in one.
      saver: a `Saver`.
      copy_from_scaffold: another scaffold, which has what is not given.

    Raises:
      TypeError: `copy_from_scaffold` is no scaffold.
    """

    def __init__(
        self, init_op: Any = None, init_feed_dict: Any = None, init_fn: Callable[...,
        Any] | None = None,
        ready_op: Any = None, ready_for_local_init_op: Any = None, local_init_op: Any = None,
        summary_op: Any = None, saver: Any = None, copy_from_scaffold: Any = None,
    ):  # fmt: skip
        if copy_from_scaffold is not None and not isinstance(copy_from_scaffold, Scaffold):
            raise TypeError("copy_from_scaffold is not a Scaffold instance.")

        def given(value: Any, attribute: str) -> Any:
            return getattr(copy_from_scaffold, attribute, None) if value is None else value

        self._user_init_fn = user_init_fn = given(init_fn, "_user_init_fn")
        self._init_fn = (lambda sess: user_init_fn(self, sess)) if user_init_fn else None
        self._init_op = given(init_op, "init_op")
        self._init_feed_dict = given(init_feed_dict, "init_feed_dict")
        self._ready_op = given(ready_op, "ready_op")
        self._ready_for_local_init_op = given(ready_for_local_init_op, "ready_for_local_init_op")
        self._local_init_op = given(local_init_op, "local_init_op")
        self._summary_op = given(summary_op, "summary_op")
        self._saver = given(saver, "saver")

    def finalize(self) -> Scaffold:
        """Finds or makes what is missing and finalizes the graph; returns the scaffold."""
        keys = ops.GraphKeys
        if self._init_op is None:
            self._init_op = Scaffold.get_or_default("init_op", keys.INIT_OP, _default_init_op)
        if self._ready_op is None:
            self._ready_op = Scaffold.get_or_default("ready_op", keys.READY_OP, _default_ready_op)
        if self._ready_for_local_init_op is None:
            self._ready_for_local_init_op = Scaffold.get_or_default(
                "ready_for_local_init_op",
                keys.READY_FOR_LOCAL_INIT_OP,
                _default_ready_for_local_init_op,
            )
        if self._local_init_op is None:
            self._local_init_op = Scaffold.get_or_default(
                "local_init_op", keys.LOCAL_INIT_OP, Scaffold.default_local_init_op
            )
        if self._summary_op is None:
            self._summary_op = Scaffold.get_or_default(
                "summary_op", keys.SUMMARY_OP, summary.merge_all
            )
        if self._saver is None:
            self._saver = training_saver._get_saver_or_default()
        self._saver.build()
        ops.get_default_graph().finalize()
        logging.info("Graph was finalized.")
        return self

    init_fn = property(
        attrgetter("_init_fn"), doc="A function of the session, called after `init_op`; or None."
    )
    init_op = property(attrgetter("_init_op"), doc="What initialises the variables.")
    ready_op = property(
        attrgetter("_ready_op"), doc="Gives the names of the variables that are not ready."
    )
    ready_for_local_init_op = property(
        attrgetter("_ready_for_local_init_op"),
        doc="Gives the names of the variables that `local_init_op` waits for.",
    )
    local_init_op = property(
        attrgetter("_local_init_op"), doc="What initialises the local variables and tables."
    )
    summary_op = property(
        attrgetter("_summary_op"), doc="All summaries in one; None if there are none."
    )
    saver = property(attrgetter("_saver"), doc="The `Saver`.")
    init_feed_dict = property(attrgetter("_init_feed_dict"), doc="The feeds of `init_op`.")

    @staticmethod
    def get_or_default(
        arg_name: str, collection_key: Any, default_constructor: Callable[[], Any]
    ) -> Any:
        """The one item of a collection; made and added if there is none.

        Raises:
          RuntimeError: there are several.
        """
        elements = ops.get_collection(collection_key)
        if len(elements) > 1:
            raise RuntimeError(
                'More than one item in the collection "%s". '
                "Please indicate which one to use by passing it to "
                "the tf.Scaffold constructor as:  "
                "tf.Scaffold(%s=item to use)",
                collection_key,
                arg_name,
            )
        if elements:
            return elements[0]
        op = default_constructor()
        if op is not None:
            ops.add_to_collection(collection_key, op)
        return op

    @staticmethod
    def default_local_init_op() -> Any:
        """Initialises local variables, tables and local resources."""
        return control_flow_ops.group(
            variables.local_variables_initializer(),
            lookup_ops.tables_initializer(),
            resources.initialize_resources(resources.local_resources()),
        )


def _default_init_op() -> Any:
    return control_flow_ops.group(
        variables.global_variables_initializer(),
        resources.initialize_resources(resources.shared_resources()),
    )


def _default_ready_op() -> Any:
    uninitialized = variables.report_uninitialized_variables()
    return array_ops.concat([uninitialized, resources.report_uninitialized_resources()], 0)


def _default_ready_for_local_init_op() -> Any:
    uninitialized = variables.report_uninitialized_variables(variables.global_variables())
    missing = resources.report_uninitialized_resources(resources.shared_resources())
    return array_ops.concat([uninitialized, missing], 0)
