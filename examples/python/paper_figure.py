"""A figure for a paper: how a dog's gait and the ground's forces change with the slope, with matplotlib.

usage: paper_figure.py [PICTURE.png [SECONDS]]
"""

import sys

import matplotlib

matplotlib.use("agg")
import matplotlib.pyplot as plt
import numpy as np

import legwork as lw


def force_of(walk: lw.Result, foot: int) -> np.ndarray:
    """Vertical force of the ground on a foot and what hangs on it, its toes: (frames,)."""
    links = {foot}
    for number, link in enumerate(walk.creature.links):  # parents come before children
        if link.parent in links:
            links.add(number)
    return walk.contact_force[:, np.isin(walk.creature.contact_links, list(links)), 2].sum(axis=1)


def main(picture: str = "paper_figure.png", seconds: str = "5") -> None:
    slopes = (0, 6)
    walks = {slope: lw.walk("dog", seconds=seconds, terrain=f"slope:{slope}deg") for slope in slopes}

    figure, axes = plt.subplots(2, len(slopes), figsize=(7, 3.6), sharex=True, sharey="row")
    for column, (slope, walk) in enumerate(walks.items()):
        stances, forces = axes[:, column]
        weight = walk.creature.mass * walk.gravity
        feet = {leg.name: leg.foot for leg in walk.creature.legs}
        for row, (name, foot) in enumerate(feet.items()):
            bars = [(s.down, s.up - s.down) for s in walk.gait.legs[name].stances]
            stances.broken_barh(bars, (row - 0.4, 0.8), color=f"C{row}")
            forces.plot(walk.time, force_of(walk, foot) / weight, color=f"C{row}", lw=1, label=name)
        stances.set_yticks(range(len(feet)), list(feet))
        stances.set_title(f"{slope}°: {walk.gait.speed:.2f} m/s", fontsize=9)
        forces.set_xlabel("time / s")
    axes[1, 0].set_ylabel("force / weight")
    axes[1, -1].legend(fontsize=7, ncol=4, loc="upper right")
    figure.tight_layout()
    figure.savefig(picture, dpi=110)


if __name__ == "__main__":
    main(*sys.argv[1:])
