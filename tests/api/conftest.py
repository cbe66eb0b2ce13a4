"""Cases import TF's internal modules, as legacy code does."""

import pytest

from tf1compat.launcher import import_hook


@pytest.fixture(scope="package", autouse=True)
def importable_tensorflow():
    import_hook.install()
