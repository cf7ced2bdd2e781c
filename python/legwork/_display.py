"""How a result shows itself: the 3D page in a notebook, a figure with matplotlib."""

from __future__ import annotations

import html
import pathlib
import tempfile
from typing import Any


from ._core import Result, has_report_page
from ._errors import Error


def to_html(result: Result, height: int = 620) -> str | None:
    """The page in a frame of its own, so that neither changes the other. Its text is an attribute of the frame: browsers
    do not open data: addresses of more than 2 MB."""
    if not has_report_page() or len(result) == 0:
        return None
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "page.html"
        result.report(path)
        page = html.escape(path.read_text(encoding="utf-8")).encode("ascii", "xmlcharrefreplace").decode()
    return (
        f'<iframe srcdoc="{page}" sandbox="allow-scripts allow-downloads" allow="clipboard-write; fullscreen" '
        f'style="width: 100%; height: {height}px; border: 0" title="{html.escape(repr(result))}"></iframe>'
    )


def mime_bundle(result: Result, include: Any = None, exclude: Any = None) -> dict[str, str]:
    bundle = {"text/plain": repr(result)}
    page = to_html(result)
    if page:
        bundle["text/html"] = page
    return bundle


def _diagram(axes: Any, result: Result) -> None:
    gait = result.gait
    assert gait is not None
    names = list(gait.legs)
    for row, name in enumerate(names):
        bars = [(s.down, max(s.up - s.down, 0.0)) for s in gait.legs[name].stances]
        axes.broken_barh(bars, (row - 0.35, 0.7), facecolors="0.25")
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.set_title(f"{gait.name}, {gait.speed:.2f} m/s" if gait.speed == gait.speed else gait.name)


def _forces(axes: Any, result: Result) -> None:
    weight = result.creature.mass * result.gravity
    upward = result.contact_force[:, :, 2].sum(axis=1)
    axes.plot(result.time, upward / weight if weight > 0 else upward, color="C0")
    axes.set_ylabel("ground force / weight" if weight > 0 else "ground force / N")


def _positions(axes: Any, result: Result) -> None:
    axes.plot(result.time, result.q)
    axes.set_ylabel("q")


def plot(result: Result, figure: Any = None) -> Any:
    """The gait diagram where there are legs, and the vertical force of the ground where it was recorded; else all
    positions. Returns the panels and not the figure, which a notebook would show twice."""
    if figure is None:
        try:
            import matplotlib.pyplot as pyplot  # type: ignore[import]
        except ImportError as missing:
            raise Error("needs matplotlib", "install python3-matplotlib", "plot") from missing
        figure = pyplot.figure(figsize=(7, 4), layout="constrained")
    if not hasattr(figure, "subplots"):
        raise Error(f"a {type(figure).__name__} is none", "give one of matplotlib.pyplot.figure()", "plot: figure")
    draw = []
    if result.gait is not None:
        draw.append(_diagram)
    if len(result.contact_force):
        draw.append(_forces)
    if not draw:
        draw.append(_positions)
    panels = figure.subplots(len(draw), 1, sharex=True, squeeze=False)[:, 0]
    for axes, function in zip(panels, draw):
        function(axes, result)
    panels[-1].set_xlabel("time / s")
    return panels
