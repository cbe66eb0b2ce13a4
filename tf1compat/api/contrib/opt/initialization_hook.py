"""What the optimizers for several workers have in common: variables that mirror others, and the
hook that makes them equal at the start."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf1compat.api.training import session_run_hook
from tf1compat.api.variables import variables
from tf1compat.core import ops
from tf1compat.core.session_interface import SessionInterface
from tf1compat.core.typing import Name

GLOBAL_VARIABLE_NAME = "global_center_variable"
LOCAL = [ops.GraphKeys.LOCAL_VARIABLES]
GLOBAL = [ops.GraphKeys.GLOBAL_VARIABLES]


def untrained(
    getter: Callable[..., Any], worker_device: Any, name: str, collections: Any, *args: Any,
    **kwargs: Any,
) -> Any:  # fmt: skip
    """A variable that isn't trained: on the worker's device if it is local."""
    kwargs.update(trainable=False, collections=collections)
    if ops.GraphKeys.LOCAL_VARIABLES in collections:
        with ops.device(worker_device):
            return getter(name, *args, **kwargs)
    return getter(name, *args, **kwargs)


def pairs(mine: Any, mirrors: Any, partitioner: Any) -> list[tuple[Any, Any]]:
    """(variable, its mirror), of each part where there is a partitioner."""
    if partitioner is None:
        return [(mine, mirrors)]
    mirrored = list(mirrors)
    return [(v, mirrored[i]) for i, v in enumerate(list(mine))]


class MirrorsGetter:
    """A custom getter that makes two mirrors of each trained variable: one shared by all workers,
    one of the worker's own.

    Args:
      worker_device: where the worker's variables are.
    """

    MIRROR_NAME: str

    def __init__(self, worker_device: Any):
        self._worker_device = worker_device
        self._global_map: dict[Any, Any] = {}
        self._mirror_map: dict[Any, Any] = {}

    def __call__(
        self,
        getter: Callable[..., Any],
        name: Name,
        trainable: bool,
        collections: Any,
        *args: Any,
        **kwargs: Any,
    ) -> Any:
        """Gets a variable, as `tf.variable_scope(custom_getter=...)` wants it."""
        if not trainable:
            return self._untrained(getter, name, trainable, collections, *args, **kwargs)
        with ops.device(self._worker_device):
            mine = getter(name, trainable=True, collections=list(LOCAL), *args, **kwargs)  # noqa: B026
        if kwargs["reuse"] == True:  # noqa: E712 - AUTO_REUSE is true, and not meant
            return mine
        shared = getter(
            name=f"{GLOBAL_VARIABLE_NAME}/{name}",
            trainable=False,
            collections=list(GLOBAL),
            *args,  # noqa: B026
            **kwargs,
        )
        with ops.device(self._worker_device):
            mirror = getter(
                name=f"{self.MIRROR_NAME}/{name}",
                trainable=False,
                collections=list(LOCAL),
                *args,  # noqa: B026
                **kwargs,
            )
        self._mirror_map.update(pairs(mine, mirror, kwargs["partitioner"]))
        self._global_map.update(pairs(mine, shared, kwargs["partitioner"]))
        return mine

    def _untrained(
        self,
        getter: Callable[..., Any],
        name: Name,
        trainable: bool,
        collections: Any,
        *args: Any,
        **kwargs: Any,
    ) -> Any:
        raise NotImplementedError


class InitializationHook(session_run_hook.SessionRunHook):
    """Runs what makes the mirrors equal as soon as a session is created.

    Args:
      is_chief: whether the initializer of the global variables is recorded, too.
      init_op: records it.
    """

    def __init__(self, is_chief: Any, init_op: Callable[[], Any]):
        self._is_chief = is_chief
        self._init_op = init_op

    def begin(self) -> None:
        """Records the initializers."""
        self._local_init_op = variables.local_variables_initializer()
        self._global_init_op = None
        if self._is_chief:
            self._global_init_op = variables.global_variables_initializer()
        self._variable_init_op = self._init_op()

    def after_create_session(self, session: SessionInterface, coord: Any) -> None:
        """Runs the one of the mirrors."""
        session.run(self._variable_init_op)
