"""Records of files, read one by one and as many as are at hand."""

from __future__ import annotations

import struct

import pytest

from tf1compat.api.lib.io import tf_record
from tf1compat.core import errors
from tf1compat.formats.crc32c import masked_crc

RECORDS = [b"x" * size for size in (3, 0, 40, 1, 700, 5, 5, 16)]


def _written(records):
    parts = []
    for data in records:
        length = struct.pack("<Q", len(data))
        parts += [length, struct.pack("<I", masked_crc(length))]
        parts += [data, struct.pack("<I", masked_crc(data))]
    return b"".join(parts)


def _one_by_one(reader):
    while (record := reader.read()) is not None:
        yield record


def _some(reader):
    while some := reader.read_some():
        yield from some


def _read(path, way):
    """The records, where the next one is then, and the error."""
    reader = tf_record.RecordReader(str(path))
    found = []
    try:
        for record in way(reader):
            found.append(record)
    except errors.DataLossError as error:
        return found, reader.offset, error.message
    finally:
        reader.close()
    return found, reader.offset, None


# What is damaged: nothing, a length, a record, the end; and which records are good.
FAULTS = {
    "none": (lambda data: data, 8, 898, None),
    "length": (lambda data: data[:91] + b"?" + data[92:], 3, 91, "corrupted record at 91"),
    "record": (lambda data: data[:70] + b"?" + data[71:], 2, 47, "corrupted record at 47"),
    "end": (lambda data: data[:-1], 7, 878, "truncated record at 866"),
    "header": (lambda data: data[:-25], 7, 866, None),
}


@pytest.mark.parametrize("block", [1, 20, 64, 1 << 18])
@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("way", [_one_by_one, _some])
def test_records(way, fault, block, tmp_path, monkeypatch):
    monkeypatch.setattr(tf_record, "_BLOCK", block)
    damage, good, offset, text = FAULTS[fault]
    path = tmp_path / "records"
    path.write_bytes(damage(_written(RECORDS)))
    found, at, said = _read(path, way)
    assert (found, said) == (RECORDS[:good], text)
    assert at == offset


def test_what_follows_a_damaged_record_is_read(tmp_path):
    path = tmp_path / "records"
    path.write_bytes(FAULTS["record"][0](_written(RECORDS)))
    reader = tf_record.RecordReader(str(path))
    assert [reader.read_some(), reader.read_some()] == [RECORDS[:1], RECORDS[1:2]]
    with pytest.raises(errors.DataLossError):
        reader.read_some()
    assert reader.read_some() == RECORDS[3:]
    assert reader.read_some() == []
    reader.seek(91)
    assert reader.read() == RECORDS[3]
    reader.close()
