"""Python source as text: expressions, names, and lines broken as ruff breaks them."""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from tf1compat.core.tensor import Tensor

# Of lines.
WIDTH = 100
# How strongly operators bind.
ATOM, POWER, PRODUCT, SUM, COMPARISON = 9, 6, 5, 4, 1


class Expr(NamedTuple):
    """A Python expression.

    Attributes:
      binds: how strongly its outermost operator binds.
      static: whether Python knows its value (a dimension, a shape) while JAX traces.
    """

    text: str
    binds: int = ATOM
    static: bool = False


def grouped(expr: Expr, binds: int) -> str:
    """An expression as an operand."""
    return expr.text if expr.binds >= binds else f"({expr.text})"


def tupled(parts: Iterable[str]) -> str:
    """Several expressions as one: nothing, itself, or a tuple."""
    parts = list(parts)
    if not parts:
        return "None"
    return parts[0] if len(parts) == 1 else f"({', '.join(parts)})"


def nested_text(texts: Mapping[str, Any]) -> str:
    """Nested dicts of expressions as one."""
    items = (f'"{k}": {nested_text(v) if isinstance(v, dict) else v}' for k, v in texts.items())
    return f"{{{', '.join(items)}}}"


def is_simple(expr: Expr) -> bool:
    """Whether an expression may be repeated: a name, an item of a dict, a number, a dimension."""
    if expr.static:
        return len(expr.text) < WIDTH // 3
    return re.fullmatch(r'[\w.]+(\["[^"]+"\])*', expr.text) is not None


def uses_name(text: str, name: str) -> bool:
    """Whether code has a name in it."""
    return re.search(rf"(?<![\w.]){name}\b", text) is not None


def slice_text(first: str, last: str) -> str:
    """A slice; what is more than a name or a number has spaces around it."""
    if all(re.fullmatch(r"-?\w*", part) for part in (first, last)):
        return f"{first}:{last}"
    return f"{first}{' ' if first else ''}:{' ' if last else ''}{last}"


def power_text(base: str, exponent: str) -> str:
    """A power; names, attributes and numbers have no spaces between."""
    if all(re.fullmatch(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*|\d[\w.]*", s) for s in (base, exponent)):
        return f"{base}**{exponent}"
    return f"{base} ** {exponent}"


def short_name(tensor: Tensor) -> str:
    """What to call a tensor: the last part of its operation's name."""
    op_def = tensor._op._spec.op_def
    outputs = op_def.output_args if op_def and tensor._value_index else ()
    if len(outputs) == len(tensor._op._outputs):
        return outputs[tensor._value_index].name
    name = re.sub(r"_\d+$", "", tensor._op.name.rpartition("/")[2])
    name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name)
    return f"{name}_value" if name.lower() in vars(builtins) else name


_PLAIN_NAMES = ("zeros", "ones", "const", "fill", "enter", "identity", "read")


def state_name(tensor: Tensor) -> str:
    """What to call what a tensor is the first value of."""
    name = short_name(tensor).lower()
    return "state" if name in _PLAIN_NAMES or not name.isidentifier() else name


def free_name(wanted: str, *taken: set[str]) -> str:
    """A name like this one that is in none of `taken`; it is added to the first."""
    base = re.sub(r"\W+", "_", wanted).strip("_").lower() or "x"
    base = f"_{base}" if base[0].isdigit() or keyword.iskeyword(base) else base
    name, number = base, 1
    while any(name in names for names in taken):
        number += 1
        name = f"{base}_{number}"
    taken[0].add(name)
    return name


def function(name: str, arguments: str, title: str, body: list[str], depth: int = 0) -> list[str]:
    """The lines of a function at a depth; `title` is "" if it has no docstring."""
    head = wrapped(f"def {name}({arguments}):", depth)
    docs = [f'"""{title}"""'] if title else []
    if docs and body[0].startswith(("def ", "@")):
        docs.append("")
    return [*head, *indented(docs), *indented(body)]


def with_shapes(lines: Iterable[str]) -> list[tuple[str, str, bool]]:
    """Lines of code, each with the shape that a comment gives, and whether that stood above it."""
    found, above = [], ""
    for line in lines:
        if re.match(r" *# \[", line):
            above = line.strip()[2:]
            continue
        code, _, shape = line.partition("  # ")
        found.append((code, shape or above, bool(above)))
        above = ""
    return found


def like_both(lines: Iterable[str], others: Iterable[str]) -> list[str]:
    """Lines, with what their shapes have in common with those of other lines of the same code."""
    found = []
    for (code, shape, above), (_, other, _) in zip(
        with_shapes(lines), with_shapes(others), strict=True
    ):
        dims = zip(shape.strip("[]").split(", "), other.strip("[]").split(", "), strict=False)
        same_rank = shape.count(",") == other.count(",") and bool(shape) == bool(other)
        shape = f"[{', '.join(a if a == b else '?' for a, b in dims)}]" if same_rank else ""
        whole = f"{code}  # {shape}"
        if not shape or shape == "[]" != other:
            found.append(code)
        elif above and (code.endswith(("(", "[", "{")) or len(whole) > WIDTH):
            found += [f"{' ' * (len(code) - len(code.lstrip()))}# {shape}", code]
        else:
            found.append(whole)
    return found


def indented(lines: Iterable[str]) -> list[str]:
    return [f"    {line}" if line else line for line in lines]


def returning(lines: list[str], value: str, depth: int) -> list[str]:
    """The lines of a function that returns `value`, which need have no name if it is the last."""
    at = len(lines) - 1
    while at >= 0 and lines[at].startswith((" ", ")")):
        at -= 1
    if at >= 0 and lines[at].startswith(f"{value} = "):
        return [*lines[:at], *_reflowed(lines[at:], value, depth)]
    return [*lines, *wrapped(f"return {value}", depth)]


def _reflowed(lines: list[str], value: str, depth: int) -> list[str]:
    """An assignment as a return, which may be shorter."""
    whole = " ".join(line.strip() for line in lines).removeprefix(f"{value} = ")
    code, mark, shape = whole.partition("  # ")
    if len(lines) > 1:
        code = re.sub(r"([(\[{]) ", r"\1", re.sub(r",? ([)\]}])", r"\1", code))
        if code.startswith("(") and _closing(code, 0) == len(code) - 1:
            code = code[1:-1]
    return wrapped(f"return {code}{mark}{shape}", depth)


def wrapped(line: str, depth: int) -> list[str]:
    """A line `depth` levels deep, or what it is broken into if it is long."""
    room = WIDTH - 4 * depth
    code, mark, shape = line.partition("  # ")
    if len(line) <= room:
        return [line]
    targets = re.match(r"[\w*]+(, [\w*]+)+ = ", code)
    if targets is not None and targets.end() + 8 > room:
        names = targets[0].removesuffix(" = ").split(", ")
        last = _broken(f") = {code[targets.end() :]}", room)
        return ["(", *indented(f"{name}," for name in names), *last]
    above = [f"# {shape}"] if mark else []
    return above + _broken(code, room)


def _broken(code: str, room: int, closing: str = "") -> list[str]:
    if len(code) + len(closing) <= room:
        return [code + closing]
    head = re.match(r"return |[\w, ]+ = ", code)
    start = head.end() if head else 0
    terms = _terms(code[start:])
    if len(terms) > 1 and (head or closing) and not (head and _ends_in_call(code, terms, room)):
        inside = [part for term in terms for part in _broken(term, room - 4)]
        if len(code) - start <= room - 4:
            inside = [code[start:]]
        if closing and not head:
            return _broken_terms(terms, room, closing)
        return [f"{code[:start]}(", *indented(inside), ")" + closing]
    open_at = _last_bracket(code)
    if open_at is None:
        several = code[start:].split(", ")
        if head is not None and len(several) > 1:
            return [f"{code[:start]}(", *indented(f"{part}," for part in several), f"){closing}"]
        return [code + closing]
    close_at = _closing(code, open_at)
    first, inner, last = code[: open_at + 1], code[open_at + 1 : close_at], code[close_at:]
    if head is not None and len(first) > room > len(code) - start + 3:
        return [f"{code[:start]}(", *indented([code[start:]]), ")" + closing]
    parts = split_arguments(inner)
    # Arguments may share a line; the parts of a list, a set, a dict or a tuple may not.
    is_display = not re.search(r"[\w)\]][(\[]$", first) and len(parts) > 1
    if len(inner) + 4 <= room and not is_display:
        return [first, *indented([inner]), last + closing]
    if len(parts) == 1 and not inner.endswith(","):
        return [first, *indented(_broken(inner, room - 4)), last + closing]
    lines = [line for part in parts for line in _broken(part, room - 4, ",")]
    return [first, *indented(lines), last + closing]


def _ends_in_call(code: str, terms: list[str], room: int) -> bool:
    """Whether a line of two operands is broken inside of the brackets of the second."""
    open_at = _last_bracket(code)
    if len(terms) != 2 or open_at is None or _closing(code, open_at) != len(code) - 1:
        return False
    return code[open_at - 1].isalnum() and code[open_at] == "(" and open_at < room


def _broken_terms(terms: list[str], room: int, closing: str) -> list[str]:
    lines = [part for term in terms for part in _broken(term, room)]
    lines[-1] += closing
    return lines


def _terms(code: str) -> list[str]:
    """The operands of the operators that bind least, each with the operator before it."""
    for signs in (
        (" < ", " > ", " <= ", " >= ", " == ", " != "),
        (" + ", " - "),
        (" * ", " / ", " @ ", " % ", " // "),
    ):
        found, depth, last = [], 0, 0
        for i, sign in enumerate(code):
            depth += (sign in "([{") - (sign in ")]}")
            if not depth and any(code.startswith(s, i) for s in signs) and i > last:
                found.append(code[last:i])
                last = i + 1
        if found:
            return [*found, code[last:]]
    return [code]


def _last_bracket(code: str) -> int | None:
    """Where the last bracket opens that is inside of no other, and around more than a number."""
    depth, found = 0, None
    for i, sign in enumerate(code):
        if sign in "([{":
            if not depth and not re.match(r"-?\d*[)\]}]", code[i + 1 :]):
                found = i
            depth += 1
        depth -= sign in ")]}"
    return found


def _closing(code: str, open_at: int) -> int:
    depth = 0
    for i in range(open_at, len(code)):
        depth += (code[i] in "([{") - (code[i] in ")]}")
        if not depth:
            return i
    return -1


def split_arguments(text: str) -> list[str]:
    """The arguments of a call."""
    found, depth = [""], 0
    for sign in text:
        depth += (sign in "([{") - (sign in ")]}")
        if sign == "," and not depth:
            found.append("")
        else:
            found[-1] += sign
    return [part.strip() for part in found if part.strip()]
