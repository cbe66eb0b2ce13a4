"""The checksums in TF's files: CRC-32C, masked where it lies beside what it sums."""

from __future__ import annotations

from typing import Any

import google_crc32c


def masked(crc: int) -> int:
    """A CRC-32C rotated and shifted, so that sums of what holds sums stay good."""
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def masked_crc(data: Any) -> int:
    """The masked CRC-32C of bytes."""
    return masked(google_crc32c.value(data))
