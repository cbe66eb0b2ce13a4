"""Rows of ops that read bytes and text: raw numbers, CSV, serialized tensors, examples, files."""

from __future__ import annotations

import zlib

from op_table.case import Case, val
from op_table.string import text

# Serialized `tf.train.Example`s and SequenceExamples.


def _packed(field, data):
    """A field of a message: its number, its length, its bytes."""
    return bytes([field << 3 | 2, len(data)]) + data


def _entry(key, data):
    return _packed(1, _packed(1, key) + _packed(2, data))


def _int64s(*values):
    return _packed(3, _packed(1, bytes(values)))


def _floats(*quads):
    return _packed(2, _packed(1, b"".join(quads)))


ONE, TWO, THREE = b"\x00\x00\x80?", b"\x00\x00\x00@", b"\x00\x00@@"
E1 = _packed(
    1,
    _entry(b"a", _int64s(1, 2))
    + _entry(b"b", _floats(ONE))
    + _entry(b"c", _packed(1, _packed(1, b"x") + _packed(1, b"yy"))),
)
E3 = _packed(1, _entry(b"b", _floats(ONE, TWO)))


def _case(op, label, fn, *inputs, **kwargs):
    return Case(op, fn, inputs, label, grad=(), no_jax="strings", **kwargs)


def _fails(op, label, fn, *inputs):
    return _case(op, label, fn, *inputs, raises=True)


def _raw(label, values, kind, **kwargs):
    return _case(
        "DecodeRaw",
        label,
        lambda tf, x: tf.decode_raw(x, getattr(tf, kind), **kwargs),
        text(values),
    )


def _padded(label, values, length, kind, raises=False):
    return _case(
        "DecodePaddedRaw",
        label,
        lambda tf, x: tf.raw_ops.DecodePaddedRaw(
            input_bytes=x, fixed_length=length, out_type=getattr(tf, kind)
        ),
        text(values),
        raises=raises,
    )


RAW = [
    _raw("", ["abcd", "efgh"], "int16"),
    _raw("big_endian", ["abcd", "efgh"], "int16", little_endian=False),
    _raw("bytes", [["abcd"], ["efgh"]], "uint8"),
    _raw("float", "abcd", "float32"),
    _raw("complex", "abcdabcd", "complex64"),
    _raw("bool", ["a\0"], "bool"),
    _raw("empty_strings", ["", ""], "int32"),
    _fails("DecodeRaw", "sizes", lambda tf, x: tf.decode_raw(x, tf.uint8), text(["abcd", "e"])),
    _fails("DecodeRaw", "multiple", lambda tf, x: tf.io.decode_raw(x, tf.int16), text(["abc"])),
    _fails("DecodeRaw", "no_type", lambda tf, x: tf.decode_raw(x), text(["abc"])),
    _fails("DecodeRaw", "two", lambda tf, x: tf.decode_raw(x, tf.int8, bytes=x), text(["abc"])),
    _padded("", ["abcd", "e", ""], 4, "uint8"),
    _padded("int16", ["abc"], 4, "int16"),
    _padded("multiple", ["abcd"], 3, "int16", raises=True),
    _padded("negative", ["abcd"], -2, "int16", raises=True),
]


def _csv(label, lines, defaults, raises=False, **kwargs):
    return _case(
        "DecodeCSV",
        label,
        lambda tf, x: tf.decode_csv(x, defaults, **kwargs),
        text(lines),
        raises=raises,
    )


def _csv_fails(label, lines, defaults, **kwargs):
    return _csv(label, lines, defaults, True, **kwargs)


CSV = [
    _csv("", ["1,2.5,a", "2,3,b"], [[0], [0.0], [""]]),
    _csv("scalar", "1,2.5,a", [[0], [0.0], [""]]),
    _csv("matrix", [["1,2"], ["3,4"]], [[0], 7]),
    _csv("quotes", ['1,,"a,b"', '2,3,"a""b"'], [[0], [7.0], [""]]),
    _csv("quoted_numbers", ['"1","2"'], [[0], [9]]),
    _csv("delimiter", ["1|2"], [[0], [1]], field_delim="|"),
    _csv("missing", ["NA,2", ",3"], [[5], [1]], na_value="NA"),
    _csv("last_empty", ["1,"], [[0], [9]]),
    _csv("selected", ["1,2,3"], [[5], [1]], select_cols=[0, 2]),
    _csv("no_quotes", ['a"x,"b"'], [[""], [""]], use_quote_delim=False),
    _csv("spaces", [" 1 , 2"], [[0], [0.0]]),
    _case(
        "DecodeCSV",
        "wide",
        lambda tf, x: tf.io.decode_csv(
            x, [tf.constant([0], tf.int64), tf.constant([0], tf.float64)]
        ),
        text(["9999999999,2"]),
    ),
    _fails(
        "DecodeCSV",
        "required",
        lambda tf, x: tf.decode_csv(x, [tf.constant([], tf.int32), [0]]),
        text([",1"]),
    ),
    _csv_fails("float", ["1,x"], [[0], [1.0]]),
    _csv_fails("int", ["1.5,2"], [[0], [0]]),
    _csv_fails("too_large", ["9999999999,2"], [[0], [0]]),
    _csv_fails("few", ["1,2"], [[0], [1.0], [""]]),
    _csv_fails("many", ["1,2,3,4"], [[0], [1.0], [""]]),
    _csv_fails("empty_line", [""], [[0]]),
    _csv_fails("long_delimiter", ["1"], [[0]], field_delim="||"),
    _csv_fails("open_quote", ['"a","b'], [[""], [""]]),
    _csv_fails("quote_inside", ['"a"x,b'], [[""], [""]]),
    _csv_fails("quote_unquoted", ['a"x,b'], [[""], [""]]),
    _csv_fails("line_end", ["1,2\r\n"], [[0], [9]]),
    _csv_fails("select_order", ["1,2,3"], [[5], [1]], select_cols=[2, 0]),
    _csv_fails("select_count", ["1,2,3"], [[5], [1]], select_cols=[0]),
    _csv_fails("select_missing", ["1,2,3"], [[5], [1]], select_cols=[0, 7]),
    _csv_fails("long_default", ["1,2"], [[0, 1], 0]),
    _csv_fails("default_type", ["1,2"], [[True], [0]]),
]


def _round_trip(kind):
    return _case(
        "ParseTensor",
        kind,
        lambda tf, x: tf.parse_tensor(tf.serialize_tensor(x), x.dtype),
        val([[1, 0], [3, 4]], kind),
    )


TENSORS = [
    _case("SerializeTensor", "", lambda tf, x: tf.serialize_tensor(x), val([[1, 2]], "int32")),
    _case("SerializeTensor", "text", lambda tf, x: tf.io.serialize_tensor(x), text(["a", "bb"])),
    _case("SerializeTensor", "scalar", lambda tf, x: tf.serialize_tensor(x), val(3.0, "float16")),
    _case("SerializeTensor", "empty", lambda tf, x: tf.serialize_tensor(x), val([], "int64")),
    _case("SerializeTensor", "bool", lambda tf, x: tf.serialize_tensor(x), val([True], "bool")),
    *[_round_trip(kind) for kind in ("float32", "int64", "bool", "complex64")],
    _case(
        "ParseTensor",
        "text",
        lambda tf, x: tf.io.parse_tensor(tf.serialize_tensor(x), tf.string),
        text(["a", b"\xff"]),
    ),
    _fails(
        "ParseTensor",
        "type",
        lambda tf, x: tf.parse_tensor(tf.serialize_tensor(x), tf.int32),
        val([1.5], "float32"),
    ),
    _fails("ParseTensor", "vector", lambda tf, x: tf.parse_tensor(x, tf.int32), text(["zz"])),
    _case(
        "DecodeCompressed",
        "",
        lambda tf, x: tf.io.decode_compressed(x, "ZLIB"),
        text([[zlib.compress(b"abc")], [zlib.compress(b"")]]),
    ),
    _case("DecodeCompressed", "none", lambda tf, x: tf.decode_compressed(x), text("abc")),
    _fails("DecodeCompressed", "bad", lambda tf, x: tf.decode_compressed(x, "ZLIB"), text(["abc"])),
    _fails("DecodeCompressed", "type", lambda tf, x: tf.decode_compressed(x, "X"), text(["abc"])),
    _case(
        "DecodeJSONExample",
        "",
        lambda tf, x: tf.parse_example(
            tf.decode_json_example(x), {"a": tf.FixedLenFeature([2], tf.int64)}
        ),
        text(['{"features":{"feature":{"a":{"int64List":{"value":["1", 2]}}}}}']),
    ),
]


def _parse(op, label, make, *serialized, raises=False, single=False):
    """A row that parses examples with the features that `make(tf)` gives."""

    def record(tf, x):
        function = tf.parse_single_example if single else tf.parse_example
        return function(x, make(tf))

    inputs = text(serialized[0] if single else list(serialized))
    return _case(op, label, record, inputs, raises=raises)


def _examples(label, make, *serialized):
    return _parse("ParseExample", label, make, *serialized)


def _examples_fail(label, make, *serialized):
    return _parse("ParseExample", label, make, *serialized, raises=True)


def _single(label, make, serialized, raises=False):
    return _parse("ParseSingleExample", label, make, serialized, raises=raises, single=True)


EXAMPLES = [
    _examples(
        "",
        lambda tf: {
            "a": tf.FixedLenFeature([2], tf.int64, [7, 8]),
            "b": tf.VarLenFeature(tf.float32),
            "c": tf.VarLenFeature(tf.string),
        },
        E1,
        E3,
    ),
    _examples("shape", lambda tf: {"a": tf.FixedLenFeature([1, 2], tf.int64)}, E1, E1),
    _examples("scalar", lambda tf: {"b": tf.FixedLenFeature([], tf.float32)}, E1),
    _examples(
        "padded",
        lambda tf: {
            "a": tf.FixedLenSequenceFeature([], tf.int64, True),
            "b": tf.FixedLenSequenceFeature([1], tf.float32, True, -1.0),
            "c": tf.FixedLenSequenceFeature([], tf.string, True, "z"),
        },
        E1,
        E3,
    ),
    _examples("nothing", lambda tf: {"z": tf.VarLenFeature(tf.int64)}, E1, b""),
    _examples_fail("missing", lambda tf: {"a": tf.FixedLenFeature([2], tf.int64)}, E1, E3),
    _examples_fail("count", lambda tf: {"a": tf.FixedLenFeature([3], tf.int64)}, E1),
    _examples_fail("dtype", lambda tf: {"a": tf.FixedLenFeature([], tf.float32)}, E1),
    _examples_fail("sparse_dtype", lambda tf: {"a": tf.VarLenFeature(tf.float32)}, E1),
    _examples_fail("stride", lambda tf: {"a": tf.FixedLenSequenceFeature([3], tf.int64, True)}, E1),
    _examples_fail("no_features", lambda tf: {}, E1),
    _examples_fail("no_shape", lambda tf: {"a": tf.FixedLenFeature(None, tf.int64)}, E1),
    _examples_fail("open_shape", lambda tf: {"a": tf.FixedLenFeature([None], tf.int64)}, E1),
    _examples_fail("inner_shape", lambda tf: {"a": tf.FixedLenFeature([2, None], tf.int64)}, E1),
    _examples_fail("no_dtype", lambda tf: {"a": tf.VarLenFeature(None)}, E1),
    _examples_fail("no_feature", lambda tf: {"a": 3}, E1),
    _examples_fail("int32", lambda tf: {"a": tf.FixedLenFeature([2], tf.int32)}, E1),
    _examples_fail("sequence", lambda tf: {"a": tf.FixedLenSequenceFeature([], tf.int64)}, E1),
    _fails(
        "ParseExample",
        "names",
        lambda tf, x: tf.io.parse_example(
            x, {"a": tf.FixedLenFeature([2], tf.int64)}, example_names=["n1", "n2"]
        ),
        text([E1, E3]),
    ),
    _fails(
        "ParseExample",
        "scalar_input",
        lambda tf, x: tf.io.parse_example(x, {"a": tf.FixedLenFeature([2], tf.int64)}),
        text(E1),
    ),
    _single(
        "",
        lambda tf: {
            "a": tf.FixedLenFeature([2], tf.int64),
            "c": tf.VarLenFeature(tf.string),
            "z": tf.FixedLenFeature([], tf.float32, 0.5),
        },
        E1,
    ),
    _single("padded", lambda tf: {"a": tf.FixedLenSequenceFeature([1], tf.int64, True)}, E1),
    _single("missing", lambda tf: {"a": tf.FixedLenFeature([2], tf.int64)}, E3, True),
    _single("count", lambda tf: {"a": tf.FixedLenFeature([3], tf.int64)}, E1, True),
    _single("sparse_dtype", lambda tf: {"a": tf.VarLenFeature(tf.float32)}, E1, True),
    _single("no_features", lambda tf: {}, E1, True),
    _case(
        "ParseExample",
        "one_named",
        lambda tf, x: tf.parse_single_example(
            tf.reshape(x, []),
            {"a": tf.FixedLenFeature([2], tf.int64), "c": tf.VarLenFeature(tf.string)},
            example_names="n",
        ),
        text(E1),
    ),
]

# context k: [3]; l: [[1, 2], [3, 1]]; v: [[1], [], [2, 3]]
S1 = _packed(1, _entry(b"k", _int64s(3))) + _packed(
    2,
    _entry(b"l", _packed(1, _floats(ONE, TWO)) + _packed(1, _floats(THREE, ONE)))
    + _entry(b"v", _packed(1, _int64s(1)) + _packed(1, b"") + _packed(1, _int64s(2, 3))),
)
S2 = _packed(1, _entry(b"k", _int64s(4))) + _packed(
    2, _entry(b"l", _packed(1, _floats(TWO, THREE)))
)


def _context(tf):
    return {"k": tf.FixedLenFeature([], tf.int64), "q": tf.FixedLenFeature([1], tf.int64, [5])}


def _lists(tf):
    return {
        "l": tf.FixedLenSequenceFeature([2], tf.float32),
        "m": tf.FixedLenSequenceFeature([], tf.float32, True),
        "v": tf.VarLenFeature(tf.int64),
    }


def _sequence(label, data, context=None, lists=None, raises=False, many=False, **kwargs):
    def record(tf, x):
        function = tf.io.parse_sequence_example if many else tf.parse_single_sequence_example
        features = [make and make(tf) for make in (context, lists)]
        return [{str(k): v for k, v in part.items()} for part in function(x, *features, **kwargs)]

    op = "ParseSequenceExample" if many else "ParseSingleSequenceExample"
    return _case(op, label, record, text(data), raises=raises)


def _sequences(label, data, context=None, lists=None, raises=False):
    return _sequence(label, data, context, lists, raises, many=True)


SEQUENCES = [
    _sequence("", S1, _context, _lists),
    _sequence("sparse", S2, lambda tf: {"k": tf.VarLenFeature(tf.int64)}, _lists),
    _sequence(
        "missing_list", S2, None, lambda tf: {"m": tf.FixedLenSequenceFeature([], tf.float32)}, True
    ),
    _sequence("missing", S1, lambda tf: {"z": tf.FixedLenFeature([], tf.float32)}, None, True),
    _sequence(
        "count", S1, None, lambda tf: {"l": tf.FixedLenSequenceFeature([3], tf.float32)}, True
    ),
    _sequence("no_features", S1, None, None, True),
    _sequence("unsupported", S1, _lists, None, True),
    _sequences("", [S1, S2], _context, _lists),
    _sequences("sparse", [S1, S2], lambda tf: {"k": tf.VarLenFeature(tf.int64)}),
    _sequences(
        "missing_list",
        [S1, S2],
        None,
        lambda tf: {"m": tf.FixedLenSequenceFeature([], tf.float32)},
        True,
    ),
    _sequences("missing", [S1, S2], lambda tf: {"z": tf.FixedLenFeature([], tf.int64)}, None, True),
]

FILES = [
    _fails("ReadFile", "missing", lambda tf, x: tf.read_file(x), text("/no/such/file")),
    _fails("ReadFile", "vector", lambda tf, x: tf.io.read_file(x), text(["/no/such/file"])),
    _case("ReadFile", "empty", lambda tf, x: tf.read_file(x), text("/dev/null")),
    _fails(
        "WriteFile",
        "vector",
        lambda tf, x: tf.write_file(x, "a"),
        text(["/no/such/file"]),
    ),
    _case("WriteFile", "", lambda tf, x: tf.io.write_file(x, "a"), text("/dev/null")),
    _case("MatchingFiles", "", lambda tf, x: tf.matching_files(x), text("/dev/nul[l]")),
    _case(
        "MatchingFiles",
        "several",
        lambda tf, x: tf.io.matching_files(x),
        text(["/dev/zer?", "/dev/null*", "/dev/nothing*"]),
    ),
    _fails("MatchingFiles", "folder", lambda tf, x: tf.matching_files(x), text("/no/such/*")),
    _fails("MatchingFiles", "matrix", lambda tf, x: tf.matching_files(x), text([["/dev/null"]])),
]

CASES = [*RAW, *CSV, *TENSORS, *EXAMPLES, *SEQUENCES, *FILES]
