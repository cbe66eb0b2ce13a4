"""A comparison as text, and as a page of HTML with the curves drawn over each other."""

from __future__ import annotations

import html

from tf1compat.migrate.compare import Comparison
from tf1compat.migrate.recording import Recording

# So many nodes are listed.
_MOST_NODES = 20
_WIDTH, _HEIGHT, _EDGE = 640, 220, 8
_COLORS = ("#1b6ca8", "#d1495b")


def as_text(comparison: Comparison, wanted: Recording, found: Recording) -> str:
    """The comparison for a terminal."""
    lines = [f"first:  {_title(wanted)}", f"second: {_title(found)}", ""]
    largest, tensor = comparison.largest
    if comparison.same:
        lines.append(f"The same, in {comparison.runs} runs.")
    else:
        lines.append(f"They differ: {comparison.reason}")
    if largest:
        lines.append(f"Largest relative error within the tolerance: {largest:.1e}, of {tensor}")
    value = comparison.value
    if value is not None:
        name = value.tensor or "what is run"
        lines += [
            "",
            f"First value that differs: {name}, in run {value.run} (step {value.step} of its kind)",
            f"  relative error {value.error:.3g}",
            f"  {value.what}",
        ]
    if comparison.nodes:
        lines += ["", f"Nodes that differ: {len(comparison.nodes)}"]
        lines += [f"  {node}" for node in comparison.nodes[:_MOST_NODES]]
        if len(comparison.nodes) > _MOST_NODES:
            lines.append(f"  and {len(comparison.nodes) - _MOST_NODES} more")
    return "\n".join(lines) + "\n"


def as_html(comparison: Comparison, wanted: Recording, found: Recording) -> str:
    """The comparison as a page that needs nothing else."""
    text = html.escape(as_text(comparison, wanted, found))
    parts = [
        "<!doctype html><html lang='en'><meta charset='utf-8'><title>Comparison</title>",
        "<style>body{font:15px/1.5 sans-serif;max-width:60em;margin:2em auto;padding:0 1em}",
        "pre{background:#f4f4f4;padding:1em;overflow:auto}figure{margin:1.5em 0}</style>",
        f"<h1>{'The same' if comparison.same else 'They differ'}</h1><pre>{text}</pre>",
    ]
    others = found.curves()
    for name, curve in wanted.curves().items():
        if len(curve) > 1 and name in others:
            parts.append(_figure(name, [curve, others[name]]))
    return "\n".join([*parts, "</html>"]) + "\n"


def _title(recording: Recording) -> str:
    about = recording.about
    program = " ".join(about.get("argv", ["a program"]))
    return f"{program}  ({about.get('tensorflow', 'TensorFlow')}, {len(recording.runs)} runs)"


def _figure(name: str, curves: list[list[tuple[int, float]]]) -> str:
    points = [point for curve in curves for point in curve if abs(point[1]) < float("inf")]
    if not points:
        return ""
    runs, values = zip(*points)
    left, right, low, high = min(runs), max(runs), min(values), max(values)

    def place(run: int, value: float) -> str:
        x = _EDGE + (_WIDTH - 2 * _EDGE) * (run - left) / max(right - left, 1)
        y = _EDGE + (_HEIGHT - 2 * _EDGE) * (high - value) / ((high - low) or 1.0)
        return f"{x:.1f},{y:.1f}"

    lines = []
    for curve, color, width in zip(curves, _COLORS, (4, 1.5)):
        path = " ".join(place(*point) for point in curve if abs(point[1]) < float("inf"))
        style = f"fill='none' stroke='{color}' stroke-width='{width}'"
        lines.append(f"<polyline {style} points='{path}'/>")
    caption = f"{html.escape(name)}: {low:.6g} to {high:.6g}; blue the first, red the second"
    return (
        f"<figure><svg viewBox='0 0 {_WIDTH} {_HEIGHT}' width='{_WIDTH}' role='img'>"
        f"{''.join(lines)}</svg><figcaption>{caption}</figcaption></figure>"
    )
