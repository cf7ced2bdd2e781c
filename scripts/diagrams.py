#!/usr/bin/env python3
"""usage: diagrams.py LEGWORK FOLDER   draws how_base.svg, how_math.svg and how_dynamics.svg from what the program says"""

import html
import json
import math
import os
import subprocess
import sys
import tempfile

ink, soft, blue, red = "#1d2a33", "#4a5a66", "#2d4f69", "#b04a4a"


def inspect(legwork, *words):
    return json.loads(subprocess.run([legwork, "inspect", *words, "--json", "-"], check=True, capture_output=True, text=True).stdout)


def svg(width, height, parts):
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="Helvetica, Arial, sans-serif" font-size="13">'
            f'<defs><marker id="a" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 L8 4 L0 8 z" fill="{red}"/></marker></defs>'
            f'<rect width="{width}" height="{height}" fill="#fff"/>')
    return head + "\n".join(parts) + "</svg>\n"


def text(x, y, words, color=ink, more=""):
    return f'<text x="{x:.0f}" y="{y:.0f}" fill="{color}" {more}>{words}</text>'


def one_description(legwork):
    """One option, described once, and everything that is made of it."""
    folder = tempfile.mkdtemp()

    def line(command, of, stream="stdout"):
        run = subprocess.run(command, shell=True, capture_output=True, text=True, cwd=folder, env={"PATH": "/usr/bin:/bin", "L": legwork})
        return next(" ".join(found.split()) for found in getattr(run, stream).splitlines() if of in found)

    seen = [("legwork drop --help", line("$L drop --help", "--seconds s")),
            ("legwork drop box --seconds -1", line("$L drop box --seconds -1", "--seconds", "stderr")),
            ("legwork drop box --save fall.toml", line("$L drop box --save fall.toml >/dev/null; cat fall.toml", "seconds =")),
            ("legwork run, with seconds = \"long\" in the file", line("printf 'verb = \"drop\"\ncreature = \"box\"\n[options]\nseconds = \"long\"\n' > s.toml; $L run s.toml", "s.toml", "stderr")),
            ("docs/options.md", line("$L drop --help-markdown", "--seconds"))]
    parts = [text(20, 24, "described once", ink, 'font-weight="bold"'), text(20, 50, 'v.number("seconds", o.seconds,', blue, 'font-family="monospace"'),
             text(20, 70, '  {0, 86400, "s", "how long to simulate"});', blue, 'font-family="monospace" xml:space="preserve"')]
    for k, (where, words) in enumerate(seen):
        y = 112 + 52 * k
        parts.append(f'<path d="M32 80 V{y + 4} H52" fill="none" stroke="{red}" stroke-width="1.5" marker-end="url(#a)"/>')
        parts.append(text(60, y, html.escape(where), soft) + text(60, y + 20, html.escape(words), ink, 'font-family="monospace" font-size="12.5"'))
    return svg(760, 128 + 52 * len(seen), parts)


def twists_at_the_paw(legwork):
    """The dog's right hind leg from the side; at its paw, what one rad/s at each joint does there."""
    joints = {"rh_thigh": "rh_hip", "rh_shank": "rh_stifle", "rh_metatarsus": "rh_hock", "rh_paw": "rh_paw"}
    points = [w for link in joints for w in ("--point", f"{link},0,0,0")]
    state = inspect(legwork, "dog", "--pose", "stand", *points)
    at = {p["link"]: p["position"] for p in state["points"]}
    paw = [p for p in state["points"] if p["link"] == "rh_paw"][0]
    rows = dict(zip(paw["jacobian_rows"], paw["jacobian"]))
    x0, z0, scale = at["rh_paw"][0], at["rh_paw"][2], 560

    def place(p, shift=0):
        return 170 + shift + (p[0] - x0) * scale, 330 - (p[2] - z0) * scale

    parts = [text(20, 24, "the dog's right hind leg, from the side", ink, 'font-weight="bold"'),
             text(400, 24, "the paw's velocity for 1 rad/s at each joint", ink, 'font-weight="bold"')]
    for shift in (0, 380):
        way = " ".join(f"{x:.1f},{y:.1f}" for x, y in (place(at[link], shift) for link in joints))
        parts.append(f'<polyline points="{way}" fill="none" stroke="#c9d3da" stroke-width="12" stroke-linecap="round" stroke-linejoin="round"/>')
    px, py = place(at["rh_paw"])
    for link, dof in joints.items():
        x, y = place(at[link])
        if link != "rh_paw":
            parts.append(f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{px:.1f}" y2="{py:.1f}" stroke="{soft}" stroke-dasharray="4 4"/>')
            k = state["dofs"].index(dof)
            vx, vz = rows["vx"][k], rows["vz"][k]
            qx, qy = place(at["rh_paw"], 380)
            parts.append(f'<line x1="{qx:.1f}" y1="{qy:.1f}" x2="{qx + vx * 330:.1f}" y2="{qy - vz * 330:.1f}" stroke="{red}" stroke-width="2" marker-end="url(#a)"/>')
            parts.append(text(qx + vx * 330 + (8 if vx > 0 else -8), qy - vz * 330 + (16 if abs(vz) < 0.02 else -6 if vz > 0.05 else 4),
                              f"{dof[3:]} {math.hypot(vx, vz):.2f} m/s", ink, 'text-anchor="%s"' % ("start" if vx > 0 else "end")))
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="6" fill="{blue}"/>' + text(x + 12, y + 4, dof[3:]))
    parts.append(text(20, 372, "dashed: r, from a joint's link to the paw's", soft))
    parts.append(text(400, 372, "v' = v + ω × r: one shift of origin each, and no rotation", soft))
    return svg(800, 390, parts)


def mass_matrix(legwork):
    """Which degrees of freedom of the roach feel each other: the mass matrix, and how little of it is there."""
    state = inspect(legwork, "roach", "--pose", "stand")
    M, dofs, cell, left = state["mass_matrix"], state["dofs"], 9, 84
    n = len(M)
    parts = [text(left, 22, f"the roach's mass matrix, {n} × {n}", ink, 'font-weight="bold"')]
    for i in range(n):
        for j in range(n):
            share = abs(M[i][j]) / math.sqrt(M[i][i] * M[j][j])
            if share > 1e-12:
                tone = min(1.0, 0.15 + 0.85 * share)
                color = "#%02x%02x%02x" % tuple(round(255 + tone * (c - 255)) for c in (0x2d, 0x4f, 0x69))
                parts.append(f'<rect x="{left + cell * j}" y="{32 + cell * i}" width="{cell - 1}" height="{cell - 1}" fill="{color}"/>')
    parts.append(f'<rect x="{left - 1}" y="31" width="{cell * n + 1}" height="{cell * n + 1}" fill="none" stroke="{soft}"/>')
    for i in range(0, n, 4):
        parts.append(text(left - 6, 40 + cell * i, dofs[i], soft, 'text-anchor="end" font-size="9"'))
    filled = sum(abs(M[i][j]) > 0 for i in range(n) for j in range(n))
    x = left + 30 + cell * n
    for k, line in enumerate(["dark: as large as the diagonal allows", f"empty: exactly 0, {100 * (1 - filled / n / n):.0f} % of all", "",
                              "Six blocks are six legs. They feel each", "other only through the body's columns,", "and so the recursions go along each leg",
                              "and never from leg to leg: their cost", "is linear in the links, without M."]):
        parts.append(text(x, 60 + 20 * k, line, soft if k < 2 else ink))
    return svg(x + 260, 50 + cell * n, parts)


legwork, folder = os.path.abspath(sys.argv[1]), sys.argv[2]
for name, draw in (("how_base", one_description), ("how_math", twists_at_the_paw), ("how_dynamics", mass_matrix)):
    with open(f"{folder}/{name}.svg", "w") as file:
        file.write(draw(legwork))
