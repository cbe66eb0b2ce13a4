"""Messages between the tasks of a cluster, and their secret."""

from __future__ import annotations

import os
import random

import ml_dtypes
import numpy as np
import pytest

from tf1compat.core import errors
from tf1compat.runtime.cluster import endpoint, wire

ARRAYS = [
    np.arange(6, dtype=np.float32).reshape(2, 3),
    np.array(3.5),
    np.zeros((0, 2), np.int8),
    np.array([True, False]),
    np.array([1 + 2j], np.complex64),
    np.array([1.5], ml_dtypes.bfloat16),
    np.array([[b"a", b""], [b"\x00\xff", b"long" * 9]], object),
    np.array(b"scalar", object),
    np.arange(8)[::2],
]


def test_arrays_come_as_they_were():
    header, arrays = wire.unpack(wire.pack({"part": 7}, ARRAYS))
    assert header == {"part": 7}
    for found, sent in zip(arrays, ARRAYS, strict=True):
        assert found.dtype == sent.dtype and found.shape == sent.shape
        assert found.tolist() == sent.tolist()


def test_changed_messages_are_refused_or_read():
    """No change of a message does anything but give other values, or an error that says so."""
    message = wire.pack({"part": 7}, ARRAYS)
    draw = random.Random(5)
    refused = 0
    for _ in range(2000):
        changed = bytearray(message)
        for _ in range(draw.randint(1, 4)):
            changed[draw.randrange(len(changed))] = draw.randrange(256)
        if draw.random() < 0.3:
            del changed[draw.randrange(len(changed)) :]
        try:
            wire.unpack(bytes(changed))
        except errors.InvalidArgumentError as error:
            assert error.message.startswith("Malformed message")
            refused += 1
    assert refused > 1000


@pytest.fixture
def secret(tmp_path, monkeypatch):
    path = tmp_path / "folder" / "token"
    monkeypatch.delenv(wire.TOKEN, raising=False)
    monkeypatch.setenv(wire.TOKEN_FILE, str(path))
    return path


def test_the_token_is_made_once_and_private(secret):
    found = wire.token()
    assert len(found) == 64 and wire.token() == found
    assert [path.name for path in secret.parent.iterdir()] == ["token"]
    if os.name == "posix":
        assert secret.stat().st_mode & 0o777 == 0o600
        secret.chmod(0o644)
        with pytest.raises(PermissionError, match="of mode 0600"):
            wire.token()


def test_the_environment_goes_first(secret, monkeypatch):
    monkeypatch.setenv(wire.TOKEN, "given")
    assert wire.token() == "given" and not secret.exists()


@pytest.mark.parametrize(
    ("address", "is_near"),
    [
        ("localhost:1", True),
        ("127.0.0.1:1", True),
        ("127.9.9.9:1", True),
        ("[::1]:1", True),
        (":1", True),
        ("10.0.0.1:1", False),
        ("localhost.example.org:1", False),
        ("0.0.0.0:1", False),
    ],
)
def test_nothing_is_sent_beyond_the_machine_unless_allowed(address, is_near, monkeypatch):
    monkeypatch.delenv(endpoint.INSECURE, raising=False)
    assert endpoint.is_loopback(address) == is_near
    if is_near:
        endpoint.check_allowed([address])
    else:
        with pytest.raises(NotImplementedError, match="TF1COMPAT_CLUSTER_INSECURE=1"):
            endpoint.check_allowed([address])
    monkeypatch.setenv(endpoint.INSECURE, "1")
    endpoint.check_allowed([address])
