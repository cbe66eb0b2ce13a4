"""Checkpoint files that TensorFlow 1.15 wrote are read, and written the same, byte for byte."""

import shutil
from pathlib import Path

import numpy as np
import pytest
import record_checkpoints

from tf1compat.core import errors
from tf1compat.formats import bundle, crc32c

FILES = Path(record_checkpoints.FOLDER)


def _expected():
    found = {
        "a": np.arange(6, dtype=np.float32).reshape(2, 3),
        "scope/text": np.array([b"hello", b"", b"x" * 300], object),
        "empty": np.zeros([0, 3], np.float32),
        "zeros": np.zeros([40], np.int64),
        "part": np.arange(400, dtype=np.float32).reshape(200, 2),
    }
    for dtype in record_checkpoints.DTYPES:
        found[dtype] = np.array([[0, 1, 3]]).astype(dtype)
    return found


@pytest.mark.parametrize("version", ["v1", "v2", "sharded"])
def test_reads(tf, version):
    names = _expected()
    restored = tf.raw_ops.RestoreV2(
        prefix=str(FILES / version),
        tensor_names=list(names),
        shape_and_slices=[""] * len(names),
        dtypes=[array.dtype for array in names.values()],
    )
    with tf.Session() as session:
        for value, expected in zip(session.run(restored), names.values(), strict=True):
            np.testing.assert_array_equal(value, expected)
            assert value.dtype == expected.dtype


@pytest.mark.parametrize("version", [1, 2])
def test_writes_the_same_bytes(tf, tmp_path, version):
    record_checkpoints.variables(tf)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        saver = tf.train.Saver(write_version=version)
        saver.save(session, str(tmp_path / f"v{version}"), write_meta_graph=False)
    files = sorted(FILES.glob(f"v{version}*"))
    assert sorted(path.name for path in tmp_path.glob("v*")) == [path.name for path in files]
    if version == 2:  # TensorFlow compresses files of version 1.
        for path in files:
            assert (tmp_path / path.name).read_bytes() == path.read_bytes()
    reader = tf.train.NewCheckpointReader(str(tmp_path / f"v{version}"))
    golden = tf.train.NewCheckpointReader(str(FILES / f"v{version}"))
    assert reader.debug_string() == golden.debug_string()


def test_writes_the_same_shards(tf, tmp_path):
    record_checkpoints.variables(tf)
    with tf.device("/cpu:0"):
        tf.get_variable("elsewhere", initializer=np.float32([1, 2]))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        tf.train.Saver(sharded=True).save(session, str(tmp_path / "sharded"))
    assert not list(tmp_path.glob("*_temp_*"))
    for path in FILES.glob("sharded*"):
        assert (tmp_path / path.name).read_bytes() == path.read_bytes()


@pytest.mark.parametrize("version", ["v1", "v2"])
@pytest.mark.parametrize(
    ("spec", "rows", "columns"),
    [
        ("200 2 0,3:-", slice(0, 3), slice(None)),
        ("200 2 60,100:1,1", slice(60, 160), slice(1, 2)),
        ("200 2 -:0,1", slice(None), slice(0, 1)),
    ],
)
def test_slices(tf, version, spec, rows, columns):
    part = tf.raw_ops.RestoreV2(
        prefix=str(FILES / version),
        tensor_names=["part"],
        shape_and_slices=[spec],
        dtypes=[tf.float32],
    )[0]
    expected = _expected()["part"][rows, columns]
    assert part.shape.as_list() == list(expected.shape)
    with tf.Session() as session:
        np.testing.assert_array_equal(session.run(part), expected)


@pytest.mark.parametrize(
    ("damage", "error"),
    [
        (lambda data: bytes([data[0] ^ 1]) + data[1:], "DataLossError"),
        (lambda data: data[:5], "OutOfRangeError"),
        (lambda data: None, "NotFoundError"),
    ],
    ids=["changed", "cut", "gone"],
)
def test_damaged_data(tf, tmp_path, damage, error):
    for path in FILES.glob("v2*"):
        shutil.copy(path, tmp_path / path.name)
    path = tmp_path / "v2.data-00000-of-00001"
    data = damage(path.read_bytes())
    path.unlink()
    if data is not None:
        path.write_bytes(data)
    reader = tf.train.NewCheckpointReader(str(tmp_path / "v2"))
    with pytest.raises(getattr(tf.errors, error)):
        for name in reader.get_variable_to_shape_map():
            reader.get_tensor(name)


@pytest.mark.parametrize("name", ["v1", "v2.index"])
def test_damaged_table(tf, tmp_path, name):
    data = bytearray((FILES / name).read_bytes())
    data[10] ^= 1
    (tmp_path / name).write_bytes(data)
    with pytest.raises(tf.errors.DataLossError):
        tf.train.NewCheckpointReader(str(tmp_path / name.removesuffix(".index")))


def test_a_failed_save_leaves_no_files(tf, tmp_path):
    save = tf.raw_ops.SaveV2(
        prefix=str(tmp_path / "x"),
        tensor_names=["a", "a"],
        shape_and_slices=["", ""],
        tensors=[tf.constant(1.0), tf.constant(2.0)],
    )
    with tf.Session() as session, pytest.raises(tf.errors.InvalidArgumentError):
        session.run(save)
    assert not list(tmp_path.iterdir())


def test_old_checkpoints_go(tf, tmp_path):
    tf.get_variable("x", initializer=1.0)
    saver = tf.train.Saver(max_to_keep=2)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        paths = [saver.save(session, str(tmp_path / "m"), global_step=i) for i in range(4)]
    assert saver.last_checkpoints == paths[2:]
    state = tf.train.get_checkpoint_state(str(tmp_path))
    assert list(state.all_model_checkpoint_paths) == paths[2:]
    assert tf.train.latest_checkpoint(str(tmp_path)) == paths[3]
    assert {path.name.split(".")[0] for path in tmp_path.iterdir()} == {"checkpoint", "m-2", "m-3"}
    other = tf.train.Saver(tf.global_variables(), name="other")
    other.recover_last_checkpoints([*paths])
    assert other.last_checkpoints == paths[2:]


def test_big_tables_have_many_blocks(tf, tmp_path):
    values = [tf.constant(float(i)) for i in range(8)]
    names = [f"{'long' * 40000}/{i}" for i in range(8)]
    path = str(tmp_path / "x")
    save = tf.raw_ops.SaveV2(
        prefix=path, tensor_names=names, shape_and_slices=[""] * 8, tensors=values
    )
    with tf.Session() as session:
        session.run(save)
    reader = tf.train.NewCheckpointReader(path)
    assert [reader.get_tensor(name) for name in names] == list(range(8))


def test_variants_have_the_bytes_that_tf_writes():
    # The state of an iterator after three elements of `Dataset.range(10).repeat()`.
    written = (
        b"M\n\x14tensorflow::Iterator\x12,@@Iterator::Model::ForeverRepeat::Range:next"
        b"\x1a\x07\x08\t\x12\x00R\x01\x03`4\xbe\xe7"
    )
    found = bundle.Variant.decoded(written, 0x26833D3F)
    assert found.type_name == "tensorflow::Iterator"
    assert [tensor.tolist() for tensor in found.tensors] == [3]
    parts, crc = found.encoded()
    # Protobuf may say the one element in another way: what is read back is the same.
    again = bundle.Variant.decoded(b"".join(parts), crc32c.masked(crc))
    assert (again.metadata, again.tensors) == (found.metadata, found.tensors)
    with pytest.raises(errors.DataLossError):
        bundle.Variant.decoded(written[:-5] + b"\x04" + written[-4:], 0x26833D3F)
