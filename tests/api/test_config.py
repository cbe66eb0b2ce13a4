"""tf.config: devices and settings."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _settings():
    from tf1compat.runtime import config

    before = dict(config._settings)
    yield
    config._settings.update(before)


def test_devices(tf):
    config = tf.config.experimental
    cpu = config.list_physical_devices("CPU")[0]
    assert repr(cpu) == "PhysicalDevice(name='/physical_device:CPU:0', device_type='CPU')"
    assert cpu in config.get_visible_devices()
    name = "/job:localhost/replica:0/task:0/device:CPU:0"
    assert config.list_logical_devices("CPU")[0] == (name, "CPU")
    assert config.list_physical_devices("TPU") == []


def test_memory_growth(tf):
    config = tf.config.experimental
    with pytest.raises(ValueError, match="Cannot set memory growth on non-GPU devices"):
        config.set_memory_growth(config.list_physical_devices("CPU")[0], True)
    with pytest.raises(ValueError, match="Unrecognized device: 'x'"):
        config.get_memory_growth("x")


def test_settings_are_remembered(tf):
    assert not tf.config.get_soft_device_placement()
    tf.config.set_soft_device_placement(True)
    tf.config.threading.set_inter_op_parallelism_threads(3)
    tf.config.threading.set_intra_op_parallelism_threads(2)
    assert tf.config.get_soft_device_placement()
    assert tf.config.threading.get_inter_op_parallelism_threads() == 3
    assert tf.config.threading.get_intra_op_parallelism_threads() == 2
