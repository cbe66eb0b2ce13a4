"""Regular expressions of the RE2 library, which TF uses, on Python's `re`.

Text is UTF-8; bytes that are no UTF-8 match nothing but negated classes. What the two write
differently is translated; what `re` has and RE2 has not is refused, in RE2's words.
"""

from __future__ import annotations

import functools
import itertools
import re
import unicodedata
from collections.abc import Callable

from tf1compat.core import errors

_POSIX = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "ascii": r"\x00-\x7f",
    "blank": r"\t ",
    "cntrl": r"\x00-\x1f\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": r"!-/:-@\[-`{-~",
    "space": r"\t\n\v\f\r ",
    "upper": "A-Z",
    "word": "0-9A-Za-z_",
    "xdigit": "0-9A-Fa-f",
}
_ESCAPES = "abBdDfnrsStvwWx"
_NOT_UTF8 = "\udc80-\udcff"


def invalid(pattern: str, reason: str) -> errors.InvalidArgumentError:
    """TF's error for a pattern that RE2 refuses."""
    return errors.InvalidArgumentError(None, None, f"Invalid pattern: {pattern}, error: {reason}")


def decode(data: bytes) -> str:
    """Bytes as the text that patterns see."""
    return data.decode("utf-8", "surrogateescape")


def encode(text: str) -> bytes:
    """The inverse of `decode`."""
    return text.encode("utf-8", "surrogateescape")


@functools.lru_cache(maxsize=256)
def compiled(pattern: bytes) -> re.Pattern[str]:
    """A pattern of RE2, ready to match.

    Raises:
      InvalidArgumentError: RE2 does not take it.
    """
    text = decode(pattern)
    try:
        return re.compile(_Translation(text).result(), re.ASCII)
    except re.error as error:
        raise invalid(text, _reason(text, error)) from None
    except RecursionError:
        raise invalid(text, "nested too deeply") from None


def _reason(pattern: str, error: re.error) -> str:
    """RE2's words for what `re` says."""
    text, at = str(error.msg), error.pos or 0
    if "parenthesis" in text or "subpattern" in text:
        return f"missing ): {pattern}"
    if "unterminated character set" in text:
        return f"missing ]: {pattern[pattern.rfind('[') :]}"
    if "nothing to repeat" in text:
        return f"no argument for repetition operator: {pattern[at : at + 1]}"
    if "multiple repeat" in text:
        return f"bad repetition operator: {pattern[max(at - 1, 0) : at + 1]}"
    if "bad character range" in text:
        return f"invalid character class range: {text.removeprefix('bad character range ')}"
    return text


class _Translation:
    """One pattern, translated from left to right."""

    def __init__(self, pattern: str):
        self._pattern = pattern
        self._at = 0
        self._any_newline = False

    def result(self) -> str:
        """The pattern as `re` takes it."""
        flags = re.match(r"\(\?([imsU]+)\)", self._pattern)
        found = []
        multiline = ignore_case = ""
        if flags:  # `re` wants flags of a whole pattern in its own way.
            if "U" in flags[1]:
                raise NotImplementedError(
                    f"The flag U of a regular expression ({self._pattern}) is not supported by "
                    "tf1compat yet"
                )
            self._at = flags.end()
            self._any_newline = "s" in flags[1]
            multiline = "m" if "m" in flags[1] else ""
            ignore_case = "i" if "i" in flags[1] else ""
            if multiline or ignore_case:
                found.append(f"(?{ignore_case}{multiline})")
        while self._at < len(self._pattern):
            found.append(self._atom(bool(multiline)))
        return "".join(found)

    def _take(self, count: int = 1) -> str:
        taken = self._pattern[self._at : self._at + count]
        self._at += count
        return taken

    def _atom(self, multiline: bool) -> str:
        char = self._take()
        if char == "\\":
            return self._escape(in_class=False)
        if char == "[":
            return self._class()
        if char == ".":
            return f"[^{'' if self._any_newline else chr(10)}{_NOT_UTF8}]"
        if char == "$" and not multiline:
            return r"\Z"
        if char == "(" and self._pattern.startswith("?", self._at):
            return self._group()
        if char in "*+?}" and self._pattern.startswith("+", self._at):
            # Possessive in `re`, a repetition of a repetition in RE2.
            raise invalid(self._pattern, f"bad repetition operator: {char}+")
        return char

    def _group(self) -> str:
        rest = self._pattern[self._at - 1 :]
        known = re.match(r"\(\?(P<\w+>|:|[ims]*(-[ims]+)?[:)])", rest)
        if known is None:
            operator = re.match(r"\(\?[<P]?[^\w)]?", rest)
            text = operator[0] if operator else "(?"
            raise invalid(self._pattern, f"invalid perl operator: {text[:3]}")
        if known[0].endswith(")") and known[0] != "(?)":
            raise NotImplementedError(
                f"Flags within a regular expression ({self._pattern}) are not supported by "
                "tf1compat yet"
            )
        self._at += len(known[0]) - 1
        return known[0]

    def _escape(self, in_class: bool) -> str:
        char = self._take()
        if char == "Q":
            end = self._pattern.find(r"\E", self._at)
            end = len(self._pattern) if end < 0 else end
            quoted = self._pattern[self._at : end]
            self._at = end + 2
            return re.escape(quoted)
        if char == "z":
            return r"\Z"
        if char == "A":
            return r"\A"
        if char == "C":
            raise NotImplementedError(
                rf"\C in a regular expression ({self._pattern}) is not supported by tf1compat yet"
            )
        if char in "pP":
            return self._property(char == "P", in_class)
        if char == "x" and self._pattern.startswith("{", self._at):
            end = self._pattern.index("}", self._at)
            code = int(self._pattern[self._at + 1 : end], 16)
            self._at = end + 1
            return re.escape(chr(code))
        if char == "s":  # Without the vertical tab, which `re` counts in.
            return r"\t\n\f\r " if in_class else r"[\t\n\f\r ]"
        if char == "S" and not in_class:
            return r"[^\t\n\f\r ]"
        if not char:
            raise invalid(self._pattern, "trailing \\")
        if char in _ESCAPES or char == "0" or not (char.isalnum() and char.isascii()):
            return "\\" + char
        raise invalid(self._pattern, f"invalid escape sequence: \\{char}")

    def _class(self) -> str:
        """A class in brackets; the opening one is taken."""
        start = self._at - 1
        found = ["["]
        if self._pattern.startswith("^", self._at):
            found.append(self._take())
        first = True
        while True:
            if self._at >= len(self._pattern):
                raise invalid(self._pattern, f"missing ]: {self._pattern[start:]}")
            named = re.compile(r"\[:(\^?)(\w+):\]").match(self._pattern, self._at)
            if named:
                if named[2] not in _POSIX or named[1]:
                    raise invalid(self._pattern, f"invalid character class range: {named[0]}")
                found.append(_POSIX[named[2]])
                self._at = named.end()
                first = False
                continue
            char = self._take()
            if char == "]" and not first:
                return "".join([*found, "]"])
            first = False
            if char == "\\":
                found.append(self._escape(in_class=True))
            else:
                found.append("\\" + char if char in "[]&~|" else char)

    def _property(self, negated: bool, in_class: bool) -> str:
        name = self._take()
        if name == "{":
            end = self._pattern.find("}", self._at)
            name = self._pattern[self._at : end]
            self._at = end + 1
        if name.startswith("^"):
            negated, name = not negated, name[1:]
        if name == "Any":
            ranges = "\x00-\U0010ffff"
        elif len(name) <= 2 and name[:1] in "CLMNPSZ":
            ranges = _category(name, negated)
            negated = False
        else:
            raise NotImplementedError(
                rf"\p{{{name}}} in a regular expression is not supported by tf1compat yet"
            )
        return ranges if in_class else f"[{'^' if negated else ''}{ranges}]"


@functools.cache
def _runs_of_categories() -> list[tuple[str, int, int]]:
    """Unicode as runs of characters of one general category: (category, first, last)."""
    found, first = [], 0
    for category, run in itertools.groupby(map(unicodedata.category, map(chr, range(0x110000)))):
        end = first + sum(1 for _ in run)
        found.append((category, first, end - 1))
        first = end
    return found


@functools.lru_cache(maxsize=32)
def _category(name: str, negated: bool) -> str:
    """The characters of a general category of Unicode, or the others, as ranges of a class."""
    ranges: list[list[int]] = []
    for category, first, last in _runs_of_categories():
        if category.startswith(name) != negated:
            if ranges and ranges[-1][1] == first - 1:
                ranges[-1][1] = last
            else:
                ranges.append([first, last])
    return "".join(f"\\U{low:08x}-\\U{high:08x}" for low, high in ranges)


def full_match(pattern: bytes, text: bytes) -> bool:
    """Whether a pattern matches all of a text."""
    return compiled(pattern).fullmatch(decode(text)) is not None


def replacer(pattern: bytes, rewrite: bytes, everywhere: bool) -> Callable[[bytes], bytes]:
    r"""A function that replaces what a pattern matches in a text.

    Args:
      pattern: the pattern.
      rewrite: what to put there; \0 is what matched, \1 what its first group matched.
      everywhere: whether to replace all matches, or the first one.
    """
    expression = compiled(pattern)
    parts, valid = _rewrite_parts(decode(rewrite), expression.groups)

    def replace(data: bytes) -> bytes:
        text = decode(data)
        found, at, last_end = [], 0, -1
        while at <= len(text) and (valid or everywhere):
            match = expression.search(text, at)
            if match is None:
                break
            start, end = match.span()
            found.append(text[at:start])
            if start == end == last_end:  # No empty match right after another one.
                found.append(text[end : end + 1])
                at = end + 1
                continue
            found += [part if isinstance(part, str) else match[part] or "" for part in parts]
            at = last_end = end
            if not everywhere:
                break
        return encode("".join(found) + text[at:])

    return replace


def _rewrite_parts(rewrite: str, groups: int) -> tuple[list[str | int], bool]:
    """The texts and the numbers of groups that a rewriting is made of, and whether it is valid.

    RE2 only logs that one is not, and uses what is before the mistake.
    """
    parts: list[str | int] = []
    at = 0
    while at < len(rewrite):
        char, following = rewrite[at], rewrite[at + 1 : at + 2]
        if char != "\\":
            parts.append(char)
            at += 1
            continue
        if following in "0123456789" and following:
            if int(following) <= groups:
                parts.append(int(following))
        elif following == "\\":
            parts.append("\\")
        else:
            return parts, False
        at += 2
    return parts, True
