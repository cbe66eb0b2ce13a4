"""Rows of ops on strings."""

from __future__ import annotations

import numpy as np

from op_table.case import Case, Spec, ints, val

EURO = "h\u00e9\u20ac\U0001f60a".encode()
BROKEN = b"a\xffb\xe2\x82c\xe2\x82"


def text(values) -> Spec:
    """Strings, given as str or bytes."""
    array = np.array(values, dtype=object)
    flat = [x.encode() if isinstance(x, str) else x for x in array.ravel()]
    return val(np.array(flat, dtype=object).reshape(array.shape), "O")


def _case(op, label, fn, *inputs, **kwargs):
    return Case(op, fn, inputs, label, grad=(), no_jax="strings", **kwargs)


def _fails(op, label, fn, *inputs):
    return _case(op, label, fn, *inputs, raises=True)


def _constants(op, label, fn, *inputs):
    """A row whose inputs are constants of the graph."""

    def record(tf):
        return fn(tf, *[tf.constant(spec.array("", "")) for spec in inputs])

    return Case(op, record, (), f"constant_{label}", grad=(), no_jax="strings")


FLOATS = val([1.5, -1e10, 1e-7, 0.1, float("nan"), float("inf"), float("-inf")])
NUMBERS = val([1, -2, 100])


def _as_string(label, x, **kwargs):
    return _case("AsString", label, lambda tf, x: tf.as_string(x, **kwargs), x)


def _as_string_fails(label, x, **kwargs):
    return _fails("AsString", label, lambda tf, x: tf.as_string(x, **kwargs), x)


AS_STRING = [
    Case(
        "AsString",
        lambda tf, x: tf.strings.as_string(x),
        [NUMBERS],
        dtypes=("int8", "int16", "int32", "int64", "float64", "complex64", "complex128"),
        grad=(),
        no_jax="strings",
    ),
    _as_string("float", FLOATS),
    _as_string("precision", FLOATS, precision=3),
    _as_string("scientific", FLOATS, scientific=True, precision=2),
    _as_string("shortest", FLOATS, shortest=True),
    _as_string("shortest_zeros", FLOATS, shortest=True, precision=3, width=10, fill="0"),
    _as_string("width_float", FLOATS, width=8),
    _as_string("plus", FLOATS, width=8, fill="+"),
    _as_string("left", FLOATS, width=14, fill="-"),
    _as_string("bool", val([True, False], "bool"), width=7, fill="0"),
    _as_string("complex", val([1.5 - 2j], "complex64"), width=9, precision=1, fill="0"),
    *[
        _as_string(f"fill_{i}", val([1, -2, 300], "int32"), width=5, fill=fill)
        for i, fill in enumerate(("0", " ", "-", "+", "#", ""))
    ],
    _as_string("scalar", val(5, "int32"), fill="+"),
    _as_string("empty", val(np.zeros((0, 2)), "float32")),
    _as_string_fails("long_fill", val([1], "int32"), width=5, fill="00"),
    _as_string_fails("fill_letter", val([1], "int32"), fill="x"),
    _as_string_fails("int_precision", val([1], "int32"), precision=2),
    _as_string_fails("int_scientific", val([1], "int32"), scientific=True),
    _as_string_fails("bool_shortest", val([True], "bool"), shortest=True),
    _as_string_fails("both", val([1.0], "float32"), scientific=True, shortest=True),
]


def _replace(label, pattern, rewrite, x, **kwargs):
    return _case(
        "StaticRegexReplace",
        label,
        lambda tf, x: tf.strings.regex_replace(x, pattern, rewrite, **kwargs),
        text(x),
    )


def _bad_pattern(label, pattern):
    return _fails(
        "StaticRegexReplace",
        label,
        lambda tf, x: tf.strings.regex_replace(x, pattern, ""),
        text(["a"]),
    )


REGEX = [
    _replace("groups", r"l+|a(.)", r"<\1>", ["hello world", "aXa"]),
    _replace("first", "o", r"\0\0", ["hello world", "aXa"], replace_global=False),
    _replace("empty_pattern", "", "-", ["abc"]),
    _replace("no_such_group", "b", r"\2x", ["abc"]),
    _replace("bad_rewrite", "b", r"x\q", ["abc"]),
    _replace("utf8", "\u00e9|.$", "-", [EURO]),
    _replace("dot", ".", "-", ["a\nb", BROKEN]),
    _replace("posix", r"[[:alpha:]_]+", "-", ["a_b.c1"]),
    _replace("letters", r"\pL", "-", ["a1\u03b1 "]),
    _replace("not_letters", r"[\PL]", "-", ["a1\u03b1 "]),
    _replace("named", r"(?P<x>b)", r"[\1\\]", ["abcabc"]),
    _replace("quoted", r"\Q.\E", "!", ["a.b"]),
    _replace("multiline", r"(?m)b$", "!", ["ab", "ab\nc"]),
    _replace("end", r"b$", "!", ["ab", "ab\n"]),
    _replace("lazy", r"a??", "!", ["aaa"]),
    _replace("star", r"a*", "!", ["aaa bb", "baac", ""]),
    _replace("border", r"\b", "!", ["aaa bb"]),
    _replace("digit", r"\d", "!", ["\u0661 1"]),
    _replace("ignore_case", r"(?i)B", "!", ["aBc"]),
    _replace("dot_all", r"(?s)a.b", "!", ["a\nb"]),
    _replace("code", r"\x{e9}|\x41", "!", [EURO, "A"]),
    _bad_pattern("open", "("),
    _bad_pattern("close", "a)"),
    _bad_pattern("bracket", "[a"),
    _bad_pattern("look_behind", "(?<=b)a"),
    _bad_pattern("twice", "a**"),
    _bad_pattern("range", "[b-a]"),
    _bad_pattern("star_first", "*a"),
    _bad_pattern("back_reference", r"(a)\1"),
    _case(
        "RegexReplace",
        "tensors",
        lambda tf, x, p, r: tf.regex_replace(x, p, r),
        text([["ab", "b"], ["c", "bb"]]),
        text("b"),
        text("-"),
    ),
    _fails(
        "RegexReplace",
        "vector_pattern",
        lambda tf, x, p: tf.regex_replace(x, p, "-"),
        text(["a"]),
        text(["b"]),
    ),
    _fails(
        "RegexReplace",
        "vector_rewrite",
        lambda tf, x, r: tf.raw_ops.RegexReplace(input=x, pattern="b", rewrite=r),
        text(["a"]),
        text(["b"]),
    ),
    _case(
        "StaticRegexFullMatch",
        "",
        lambda tf, x: tf.strings.regex_full_match(x, "a.c$"),
        text(["abc", "xabcx", "abc\n", ""]),
    ),
    _case(
        "RegexFullMatch",
        "",
        lambda tf, x, p: tf.strings.regex_full_match(x, p),
        text(["abc", "xabcx"]),
        text("a.c"),
    ),
    _fails(
        "RegexFullMatch",
        "bad",
        lambda tf, x, p: tf.strings.regex_full_match(x, p),
        text(["abc"]),
        text("("),
    ),
    _fails(
        "RegexFullMatch",
        "vector",
        lambda tf, x, p: tf.strings.regex_full_match(x, p),
        text(["abc"]),
        text(["a"]),
    ),
]

SQUARE = text([["a", "b"], ["c", "d"]])


def _reduce(label, x, *args, **kwargs):
    return _case("ReduceJoin", label, lambda tf, x: tf.reduce_join(x, *args, **kwargs), x)


JOIN = [
    _case(
        "StringJoin",
        "",
        lambda tf, a, b, c: tf.string_join([a, b, c], "-"),
        text("a"),
        text(["b", "c"]),
        text(["", b"\xff"]),
    ),
    _case("StringJoin", "one", lambda tf, a: tf.strings.join([a]), text("a")),
    _constants("StringJoin", "pair", lambda tf, a: tf.string_join([a, "x"]), text(["a", "b"])),
    _fails(
        "StringJoin",
        "shapes",
        lambda tf, a, b: tf.string_join([a, b]),
        text(["a"]),
        text(["b", "c"]),
    ),
    _fails(
        "StringJoin",
        "ranks",
        lambda tf, a, b: tf.string_join([a, b]),
        text(["a"]),
        text([["b", "c"]]),
    ),
    _fails(
        "StringJoin",
        "shapes_unknown",
        lambda tf, a, b: tf.string_join([tf.placeholder_with_default(a, None), b]),
        text(["a"]),
        text(["b", "c"]),
    ),
    _fails("StringJoin", "none", lambda tf: tf.string_join([])),
    _reduce("all", SQUARE),
    _reduce("first", SQUARE, 0, separator="-"),
    _reduce("order", SQUARE, [0, 1], separator="-"),
    _reduce("last_kept", SQUARE, -1, keep_dims=True),
    _reduce("nothing", SQUARE, []),
    _reduce("empty", text(np.zeros((2, 0), object)), 1),
    _case(
        "ReduceJoin",
        "axis_fed",
        lambda tf, x, axis: tf.strings.reduce_join(x, axis),
        SQUARE,
        val([1], "int32"),
    ),
    _case(
        "ReduceJoin",
        "axis_fed_kept",
        lambda tf, x, axis: tf.strings.reduce_join(x, axis, keepdims=True),
        SQUARE,
        val(1, "int32"),
    ),
    _case(
        "ReduceJoin",
        "rank_unknown",
        lambda tf, x: tf.reduce_join(tf.placeholder_with_default(x, None)),
        SQUARE,
    ),
    _fails("ReduceJoin", "no_axis", lambda tf, x: tf.reduce_join(x, 5), SQUARE),
    _fails("ReduceJoin", "twice", lambda tf, x: tf.reduce_join(x, [0, -2]), SQUARE),
    _fails(
        "ReduceJoin",
        "no_axis_fed",
        lambda tf, x, axis: tf.reduce_join(x, axis),
        SQUARE,
        val(5, "int32"),
    ),
    _fails("ReduceJoin", "scalar", lambda tf, x: tf.reduce_join(x, 0), text("a")),
    _fails(
        "ReduceJoin",
        "two_names",
        lambda tf, x: tf.reduce_join(x, 0, reduction_indices=1),
        SQUARE,
    ),
    _case(
        "UnsortedSegmentJoin",
        "",
        lambda tf, x, ids: tf.strings.unsorted_segment_join(x, ids, 3, "-"),
        text(["a", "b", "c"]),
        val([1, 0, 1], "int32"),
    ),
    _case(
        "UnsortedSegmentJoin",
        "rows",
        lambda tf, x, ids, n: tf.strings.unsorted_segment_join(x, ids, n),
        text([["a", "x"], ["b", "y"], ["c", "z"]]),
        val([1, 0, 1], "int64"),
        val(2, "int32"),
    ),
    _fails(
        "UnsortedSegmentJoin",
        "outside",
        lambda tf, x, ids: tf.strings.unsorted_segment_join(x, ids, 3),
        text(["a", "b"]),
        val([1, 3], "int32"),
    ),
    _fails(
        "UnsortedSegmentJoin",
        "shapes",
        lambda tf, x, ids: tf.strings.unsorted_segment_join(x, ids, 3),
        text(["a", "b"]),
        val([1, 0, 1], "int32"),
    ),
]


def _split(label, x, *args, **kwargs):
    return _case("StringSplit", label, lambda tf, x: tf.string_split(x, *args, **kwargs), text(x))


def _vector(x):
    x.set_shape([None])  # Of an unknown rank it would be ragged.
    return x


def _split_v2(label, x, *args, **kwargs):
    return _case(
        "StringSplitV2", label, lambda tf, x: tf.strings.split(_vector(x), *args, **kwargs), text(x)
    )


SPLIT = [
    _split("", ["a b  c", " d", ""]),
    _split("keep_empty", ["a b  c", " d", ""], skip_empty=False),
    _split("set", ["a,b; c", " d", "]-["], ", ;]"),
    _split("bytes", ["abc", EURO], ""),
    _split("delimiter", ["a,b"], delimiter=","),
    _constants("StringSplit", "", lambda tf, x: tf.string_split(x), text(["a b"])),
    _fails("StringSplit", "matrix", lambda tf, x: tf.string_split(x), SQUARE),
    _fails("StringSplit", "sep", lambda tf, x: tf.string_split(x, ["a"]), text(["a"])),
    _fails("StringSplit", "two", lambda tf, x: tf.string_split(x, "a", delimiter="b"), text(["a"])),
    _fails("StringSplit", "result", lambda tf, x: tf.string_split(x, result_type="x"), text(["a"])),
    _split_v2("", ["a b  c", " d ", "", "a\x0bb\x1cc"]),
    _split_v2("sep", ["a<>b<><>c", " d ", "", "<>"], "<>"),
    _split_v2("space", ["a b  c "], " "),
    _split_v2("max", ["a b  c d", " d e"], maxsplit=1),
    _split_v2("max_sep", ["a,b,,c,d", "d,e", ",,"], ",", maxsplit=2),
    _split_v2("max_0", ["  a b "], maxsplit=0),
    _split_v2("overlap", ["aXXXb", "XX"], "XX"),
    _case(
        "StringSplitV2", "source", lambda tf, x: tf.strings.split(source=_vector(x)), text(["a b"])
    ),
    _fails(
        "StringSplitV2",
        "sep_vector",
        lambda tf, x: tf.strings.split(x, ["a"]),
        text(["a"]),
    ),
]


def _substr(label, x, pos, length, **kwargs):
    return _case(
        "Substr",
        label,
        lambda tf, x, pos, length: tf.strings.substr(x, pos, length, **kwargs),
        text(x),
        val(pos, "int32"),
        val(length, "int32"),
    )


def _substr_fails(label, x, pos, length, **kwargs):
    return _fails(
        "Substr",
        label,
        lambda tf, x, pos, length: tf.substr(x, pos, length, **kwargs),
        text(x),
        val(pos, "int64"),
        val(length, "int64"),
    )


SUBSTR = [
    _substr("", ["hello", "world"], 1, 3),
    _substr("from_end", ["hello", "world"], -2, 3),
    _substr("each", ["hello", "world"], [1, 2], [2, 9]),
    _substr("at_end", "hello", 5, 1),
    _substr("broadcast", [["hello"], ["abcdefg"]], [1, 2], [1, 2]),
    _substr("broadcast_text", "hello", [1, 2], [1, 2]),
    _substr("characters", ["h\u00e9\u00e9", EURO], [1, -2], [1, 2], unit="UTF8_CHAR"),
    _substr_fails("outside", ["hello", "wo"], 3, 1),
    _substr_fails("outside_front", ["hello", "wo"], -3, 1),
    _substr_fails("outside_characters", "h\u00e9\u00e9", 5, 1, unit="UTF8_CHAR"),
    _substr_fails("pos_and_len", ["hello", "b"], [1, 2], [2]),
    _substr_fails("ranks", ["hello", "b"], [1, 2], [[1, 2]]),
    _substr_fails("shapes", ["a", "b", "c"], [1, 2], [1, 2]),
]

WORDS = ["a", "hello world", "hello world and some", "x" * 40, "x" * 64, "y" * 65, "zq" * 100, ""]

HASH = [
    _case(
        "StringToHashBucket",
        "",
        lambda tf, x: tf.string_to_hash_bucket(x, 1000003),
        text([WORDS, WORDS]),
    ),
    _case(
        "StringToHashBucketFast",
        "",
        lambda tf, x: tf.string_to_hash_bucket_fast(x, 2**62),
        text(WORDS),
    ),
    _case(
        "StringToHashBucketFast",
        "all_lengths",
        lambda tf, x: tf.string_to_hash_bucket_fast(x, 2**62),
        text(["".join(chr(65 + i * 7 % 26) for i in range(n)) for n in range(200)]),
    ),
    _constants(
        "StringToHashBucketFast",
        "",
        lambda tf, x: tf.strings.to_hash_bucket_fast(x, 10),
        text(WORDS),
    ),
    _case(
        "StringToHashBucketStrong",
        "",
        lambda tf, x: tf.string_to_hash_bucket_strong(x, 1000003, [1, -2]),
        text(WORDS),
    ),
    _fails(
        "StringToHashBucketStrong",
        "key",
        lambda tf, x: tf.strings.to_hash_bucket_strong(x, 10, [1]),
        text(WORDS),
    ),
    _fails(
        "StringToHashBucketFast",
        "no_bucket",
        lambda tf, x: tf.strings.to_hash_bucket_fast(x, 0),
        text(WORDS),
    ),
    *[
        _case(
            "Fingerprint",
            label,
            lambda tf, x: tf.raw_ops.Fingerprint(data=x, method="farmhash64"),
            x,
        )
        for label, x in (
            ("strings", text(["a", "b"])),
            ("string_rows", SQUARE),
            ("numbers", ints(3, 2, 2)),
        )
    ],
    _fails(
        "Fingerprint",
        "method",
        lambda tf, x: tf.raw_ops.Fingerprint(data=x, method="x"),
        ints(3, 2),
    ),
]

CASE = [
    _case("StringLower", "", lambda tf, x: tf.strings.lower(x), text([EURO, "HI \u00c9"])),
    _case("StringUpper", "", lambda tf, x: tf.strings.upper(x), text([EURO, "hi \u00e9"])),
    _case(
        "StringLower",
        "utf8",
        lambda tf, x: tf.strings.lower(x, encoding="utf-8"),
        text([EURO.upper(), "HI \u00c9", b"A\xff"]),
    ),
    _case(
        "StringUpper",
        "utf8",
        lambda tf, x: tf.strings.upper(x, encoding="utf-8"),
        text([EURO, "h\u00e9 \u00df \u0149"]),
    ),
    _fails(
        "StringUpper", "encoding", lambda tf, x: tf.strings.upper(x, encoding="UTF-8"), text("a")
    ),
    _case(
        "StringStrip",
        "",
        lambda tf, x: tf.string_strip(x),
        text([b" a b \n\t\v\f\r", b"", b"\xc2\xa0a\0 "]),
    ),
    _case("StringLength", "", lambda tf, x: tf.strings.length(x), text([[EURO], ["ab"]])),
    _case(
        "StringLength",
        "characters",
        lambda tf, x: tf.strings.length(x, unit="UTF8_CHAR"),
        text([EURO, b"\xff\x80", b"\x80"]),
    ),
    _fails("StringLength", "unit", lambda tf, x: tf.strings.length(x, unit="X"), text([EURO])),
    _case(
        "EncodeBase64", "", lambda tf, x: tf.encode_base64(x), text([b"a", b"\xff\xfe\xfd>>?", b""])
    ),
    _case(
        "EncodeBase64",
        "pad",
        lambda tf, x: tf.io.encode_base64(x, pad=True),
        text([b"a", b"\xff\xfe\xfd>>?"]),
    ),
    _case(
        "DecodeBase64",
        "",
        lambda tf, x: tf.decode_base64(x),
        text(["YQ", "YQ==", "__79Pj4_", "", "YR"]),
    ),
    *[
        _fails("DecodeBase64", f"bad_{i}", lambda tf, x: tf.io.decode_base64(x), text([x]))
        for i, x in enumerate(("Y", "YQ+/", "YQ=a", "YQ="))
    ],
    _case(
        "StringFormat",
        "",
        lambda tf, x, y: tf.strings.format("a {} b {}", [x, y]),
        ints(2, 3),
        text("x"),
    ),
    _case(
        "StringFormat",
        "summarize",
        lambda tf, x: tf.strings.format("a %", x, placeholder="%", summarize=1),
        ints(4, 5),
    ),
    _fails("StringFormat", "count", lambda tf, x: tf.strings.format("{} {}", [x]), ints(2)),
]


def _number(label, values, **kwargs):
    return _case(
        "StringToNumber", label, lambda tf, x: tf.string_to_number(x, **kwargs), text(values)
    )


def _no_number(i, value, kind):
    return _fails(
        "StringToNumber",
        f"bad_{kind}_{i}",
        lambda tf, x: tf.string_to_number(x, getattr(tf, kind)),
        text([value]),
    )


NUMBER = [
    _number(
        "",
        [
            "1.5",
            " 2 ",
            "-3e5",
            "0x10",
            "-0X1f",
            "1e400",
            "inf",
            "-INF",
            "1.",
            ".5",
            "+1.5",
            "\t1\n",
        ],
    ),
    _number("rounding", ["16777217.00000000001", "16777217", "16777219", "0.1", "1e-46"]),
    _number("nan", ["nan", "-NaN"]),
    _case(
        "StringToNumber",
        "float64",
        lambda tf, x: tf.strings.to_number(x, tf.float64),
        text([["1e400", "-1e-400", "0.1"]]),
    ),
    _case(
        "StringToNumber",
        "int32",
        lambda tf, x: tf.strings.to_number(x, tf.int32),
        text(["1", " 2 ", "-3\n", "-0"]),
    ),
    _case(
        "StringToNumber",
        "int64",
        lambda tf, x: tf.strings.to_number(x, tf.int64),
        text(["3000000000", "-9223372036854775808"]),
    ),
    *[
        _no_number(i, x, "float32")
        for i, x in enumerate(("1.5x", "", "infinity", "1_0", "1f", ".", "1 2", "0x1.8p3", "1e"))
    ],
    *[
        _no_number(i, x, "int32")
        for i, x in enumerate(("1.0", "+1", "0x10", "3000000000", "- 1", "--1", "-", ""))
    ],
    _no_number(0, "9223372036854775808", "int64"),
]


def _transcode(label, x, *args, **kwargs):
    return _case(
        "UnicodeTranscode",
        label,
        lambda tf, x: tf.strings.unicode_transcode(x, *args, **kwargs),
        text(x),
    )


def _decode(label, x, **kwargs):
    return _case(
        "UnicodeDecodeWithOffsets",
        label,
        lambda tf, x: tf.raw_ops.UnicodeDecodeWithOffsets(
            input=x, **dict({"input_encoding": "UTF-8"}, **kwargs)
        ),
        text(x),
    )


def _encode(label, codes, splits, encoding="UTF-8", **kwargs):
    return _case(
        "UnicodeEncode",
        label,
        lambda tf, codes, splits: tf.raw_ops.UnicodeEncode(
            input_values=codes, input_splits=splits, output_encoding=encoding, **kwargs
        ),
        val(codes, "int32"),
        val(splits, "int64"),
    )


CODES = [104, 233, 8364, 0x1F60A]
WRONG = [104, 0xD800, -1, 0x1F60AAA]

UNICODE = [
    _transcode("utf16", [EURO, BROKEN], "UTF-8", "UTF-16-BE"),
    _transcode("utf32", [EURO], "UTF-8", "UTF-32-BE"),
    _transcode("replace", [EURO, BROKEN], "UTF-8", "UTF-8"),
    _transcode("ignore", [EURO, BROKEN], "UTF-8", "UTF-8", errors="ignore"),
    _transcode(
        "controls",
        [b"a\x00\x01\tb" + BROKEN],
        "UTF-8",
        "UTF-8",
        replacement_char=32,
        replace_control_characters=True,
    ),
    _transcode("latin", [b"h\xe9"], "latin1", "UTF-8"),
    _transcode("shift_jis", [b"\x81\x40"], "shift_jis", "UTF-8"),
    *[
        _fails(
            "UnicodeTranscode",
            label,
            lambda tf, x: tf.strings.unicode_transcode(x, "UTF-8", "UTF-8", errors="strict"),
            text(x),
        )
        for label, x in (("strict", [EURO, BROKEN]),)
    ],
    _fails(
        "UnicodeTranscode",
        "replacement",
        lambda tf, x: tf.strings.unicode_transcode(x, "UTF-8", "UTF-8", replacement_char=-2),
        text("a"),
    ),
    _fails(
        "UnicodeTranscode",
        "encoding",
        lambda tf, x: tf.strings.unicode_transcode(x, "bogus", "UTF-8"),
        text("a"),
    ),
    _decode("", [EURO, "", BROKEN]),
    _decode("matrix", [[EURO, ""]]),
    _decode("ignore", [BROKEN], errors="ignore"),
    _decode("utf16", ["h\u00e9".encode("utf-16-be")], input_encoding="UTF-16-BE"),
    _decode("ascii", [b"a\xffb"], input_encoding="US-ASCII"),
    _decode("surrogate", [b"\xed\xa0\x80b"]),
    _case(
        "UnicodeDecode",
        "",
        lambda tf, x: tf.raw_ops.UnicodeDecode(input=x, input_encoding="UTF-8"),
        text([EURO, "ab"]),
    ),
    _case(
        "UnicodeDecode",
        "scalar",
        lambda tf, x: tf.strings.unicode_decode(tf.reshape(x, []), "UTF-8"),
        text(EURO),
    ),
    _case(
        "UnicodeDecodeWithOffsets",
        "scalar",
        lambda tf, x: tf.strings.unicode_decode_with_offsets(tf.reshape(x, []), "UTF-8"),
        text(EURO),
    ),
    _fails(
        "UnicodeDecode",
        "strict",
        lambda tf, x: tf.raw_ops.UnicodeDecode(input=x, input_encoding="UTF-8", errors="strict"),
        text([BROKEN]),
    ),
    _encode("", CODES, [0, 1, 4]),
    _encode("utf16", CODES, [0, 1, 4], "UTF-16-BE"),
    _encode("utf32", CODES, [0, 1, 4], "UTF-32-BE"),
    _encode("replace", WRONG, [0, 1, 4]),
    _encode("ignore", WRONG, [0, 1, 4], errors="ignore"),
    _case(
        "UnicodeEncode",
        "vector",
        lambda tf, x: tf.strings.unicode_encode(tf.reshape(x, [4]), "UTF-8"),
        val(CODES, "int32"),
    ),
    _fails(
        "UnicodeEncode",
        "strict",
        lambda tf, x: tf.strings.unicode_encode(x, "UTF-8", errors="strict"),
        val(WRONG, "int32"),
    ),
    _fails("UnicodeEncode", "scalar", lambda tf: tf.strings.unicode_encode(3, "UTF-8")),
    _case(
        "UnicodeScript",
        "",
        lambda tf, x: tf.strings.unicode_script(x),
        val([97, 0x3B1, 0x4E00, 48, -1, 0x10FFFF, 0x5D0, 32, 0x1F60A, 0x110000], "int32"),
    ),
]


def _ngrams(label, splits, **kwargs):
    settings = {
        "separator": "|",
        "left_pad": "L",
        "right_pad": "R",
        "preserve_short_sequences": False,
    }
    settings.update(kwargs)
    return _case(
        "StringNGrams",
        label,
        lambda tf, x, splits: tf.raw_ops.StringNGrams(data=x, data_splits=splits, **settings),
        text(["a", "b", "c", "d"]),
        val(splits, "int64"),
    )


NGRAMS = [
    _ngrams("", [0, 3, 3, 4], ngram_widths=[1, 2], pad_width=0),
    _ngrams("pad", [0, 3, 4], ngram_widths=[3], pad_width=-1),
    _ngrams("pad_1", [0, 3, 4], ngram_widths=[3], pad_width=1),
    _ngrams("short", [0, 3, 3, 4], ngram_widths=[5, 2], pad_width=0, preserve_short_sequences=True),
]

FACT = [Case("Fact", lambda tf: tf.user_ops.my_fact(), grad=(), no_jax="strings")]

CASES = [
    *FACT,
    *AS_STRING,
    *REGEX,
    *JOIN,
    *SPLIT,
    *SUBSTR,
    *HASH,
    *CASE,
    *NUMBER,
    *UNICODE,
    *NGRAMS,
]
