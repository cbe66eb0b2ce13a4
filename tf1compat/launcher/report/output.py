"""The report as text, JSON or a page of HTML."""

from __future__ import annotations

import argparse
import collections
import html
import json
import os
import sys
from collections.abc import Callable, Iterable

from tf1compat.launcher.report.scan import Program, scan
from tf1compat.launcher.report.verdicts import Kind, Verdict, judge

# What a name stops the program by.
_STOPS = (Kind.MISSING, Kind.UNKNOWN)
_ADVICE = {
    Kind.MISSING: "TensorFlow 1.15 has these, tf1compat hasn't: they raise when they are used",
    Kind.UNKNOWN: "written for another release? `from` and `import` of these fail in 1.15, too",
    Kind.DIFFERS: "these run; this is what to know",
    Kind.RESTORED: "Python or a library dropped these: they work under `python -m tf1compat`",
    Kind.ABSENT: "modules that the sources import and this Python doesn't find",
}


def main(arguments: list[str]) -> int:
    """The command line.

    Returns:
      0 if all names of TensorFlow are there; 1 if not; 2 if there is nothing to look at.
    """
    parser = argparse.ArgumentParser(
        prog="python -m tf1compat report",
        description="Says what sources use of TensorFlow 1, and what becomes of it. Runs none.",
    )
    parser.add_argument("path", nargs="+", help="a source, a notebook, or a folder of them")
    parser.add_argument("--format", choices=FORMATS, default="text")
    parser.add_argument("-o", "--output", metavar="FILE", help="where to write it (else printed)")
    options = parser.parse_args(arguments)
    try:
        program = scan(options.path)
    except FileNotFoundError as error:
        print(f"tf1compat report: {error}", file=sys.stderr)
        return 2
    if not program.files and not program.unreadable:
        print(f"tf1compat report: no sources in {', '.join(options.path)}", file=sys.stderr)
        return 2
    verdicts = judge(program)
    text = FORMATS[options.format](program, verdicts)
    if options.output:
        with open(options.output, "w", encoding="utf-8") as file:
            file.write(text)
    else:
        print(text, end="")
    return int(any(verdict.kind in _STOPS for verdict in verdicts))


def as_text(program: Program, verdicts: list[Verdict]) -> str:
    """The report for a terminal: all that needs attention, the rest in numbers."""
    lines = [_summary(program, verdicts)]
    for file, why in program.unreadable:
        lines.append(f"  cannot be read: {file}: {why}")
    for kind, rows in _by_kind(verdicts):
        lines.append(f"\n{kind.value}: {len(rows)}")
        if kind is not Kind.SUPPORTED:
            lines.append(f"  ({_ADVICE[kind]})")
            for row in rows:
                lines.append(f"  {row.name}" + (f"  ({row.note})" if row.note else ""))
                lines.append(f"      {_places(row)}")
    return "\n".join(lines) + "\n"


def as_json(program: Program, verdicts: list[Verdict]) -> str:
    """The report for programs."""
    rows = [
        {
            "kind": verdict.kind.name.lower(),
            "name": verdict.name,
            "note": verdict.note,
            "places": [{"file": file, "line": line} for file, line in verdict.places],
        }
        for verdict in verdicts
    ]
    report = {
        "files": program.files,
        "python2": program.python2,
        "unreadable": [{"file": file, "why": why} for file, why in program.unreadable],
        "names": rows,
    }
    return json.dumps(report, indent=1) + "\n"


_STYLE = """\
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em }
table { border-collapse: collapse; width: 100% }
td { border-top: 1px solid #8884; padding: .3em .6em .3em 0; vertical-align: top }
code { font-size: 14px } .note { color: #888 } :root { color-scheme: light dark }
"""


def as_html(program: Program, verdicts: list[Verdict]) -> str:
    """The report as a page of its own."""
    body = [f"<h1>TensorFlow 1 in {len(program.files)} files</h1>"]
    body.append(f"<p>{html.escape(_summary(program, verdicts))}</p>")
    for file, why in program.unreadable:
        body.append(f"<p>cannot be read: <code>{html.escape(f'{file}: {why}')}</code></p>")
    for kind, rows in _by_kind(verdicts):
        body.append(f"<h2>{kind.value}: {len(rows)}</h2>")
        body.append(f'<p class="note">{html.escape(_ADVICE.get(kind, ""))}</p><table>')
        for row in rows:
            note = f'<br><span class="note">{html.escape(row.note)}</span>' if row.note else ""
            places = html.escape(_places(row))
            body.append(
                f"<tr><td><code>{html.escape(row.name)}</code>{note}</td><td>{places}</td></tr>"
            )
        body.append("</table>")
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>tf1compat report</title>'
        f"<style>\n{_STYLE}</style>\n" + "\n".join(body) + "\n</html>\n"
    )


FORMATS: dict[str, Callable[[Program, list[Verdict]], str]] = {
    "text": as_text,
    "json": as_json,
    "html": as_html,
}


def _summary(program: Program, verdicts: list[Verdict]) -> str:
    names = [verdict for verdict in verdicts if verdict.kind in (Kind.SUPPORTED, *_STOPS)]
    places = sum(len(verdict.places) for verdict in names)
    stops = sum(verdict.kind in _STOPS for verdict in names)
    files = f"{len(program.files)} file{'s' * (len(program.files) != 1)}"
    if program.python2:
        files += f", {len(program.python2)} of Python 2 (translated while they load)"
    return f"{files}: {len(names)} names of TensorFlow in {places} places, {stops} not there"


def _by_kind(verdicts: list[Verdict]) -> Iterable[tuple[Kind, list[Verdict]]]:
    for kind in Kind:
        rows = [verdict for verdict in verdicts if verdict.kind is kind]
        if rows:
            yield kind, rows


def _places(verdict: Verdict) -> str:
    """The files and lines of a name: `train.py:3, 17; model.py:5`."""
    by_file: dict[str, list[str]] = collections.defaultdict(list)
    for file, line in verdict.places:
        by_file[os.path.relpath(file)].append(str(line))
    return "; ".join(f"{file}:{', '.join(lines)}" for file, lines in by_file.items())
