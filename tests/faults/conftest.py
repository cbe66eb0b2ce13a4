"""The flag of the long parts."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="session")
def long(pytestconfig: Any) -> bool:
    """Whether the long parts run too."""
    return pytestconfig.getoption("--faults-long")
