#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Rates of formulas beside the variations of kiln's own that they are (tests/variations/formulas.txt), in G samples a second.

Usage: bench/formula_rates.py KILN [--before KILN ...] [--backend cuda] [--quality 2000] [--rounds 3] [NAME ...] > table.md

KILN is a program. Each flame has the variation, or the formula, in two of its three xforms, at 1920x1080; `pre_` stands in front of
names that work before the others. Rates are medians of the rounds, the flames of a row by turns, each time by the interpreter and
by the flame's own kernels (on a CPU there is one column). A row's pictures must be one on that device and on a CPU: the last column
says whether they are. With --before the same formulas by those programs' interpreters, in columns of their own.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import tempfile
from xml.sax.saxutils import quoteattr

FORMULAS = pathlib.Path(__file__).resolve().parent.parent / "tests/variations/formulas.txt"
USUAL = ["linear", "spherical", "swirl", "handkerchief", "spiral", "pdj", "julia", "ngon", "pre_swirl"]
MOST = {"own": 1.1, "interpreter": 2, "cpu": 2}  # times the variation's time


def typed():
    """{name: (parameters, parts)} of the file's blocks."""
    blocks = {}
    for line in FORMULAS.read_text().splitlines():
        word, _, rest = line.partition(" ")
        if word == "variation":
            name, *parameters = rest.split()
            blocks[name] = ([p.split("=") for p in parameters], {})
        elif word in ("let", "x", "y", "z"):
            blocks[name][1][word] = rest
    return blocks


def in_formula(parameter):
    return "p" + parameter if parameter in ("x", "y") else parameter


def flame(blocks, row, as_formula):
    stage, name = ("pre_", row[4:]) if row.startswith("pre_") else ("", row)
    parameters, parts = blocks[name]
    formula = ""
    if as_formula:
        inside = "".join(f'<parameter name="{in_formula(p)}" default="7" from="0" to="9"/>' for p, _ in parameters)
        formula = "<variation name=\"typed\" " + " ".join(f"{k}={quoteattr(v)}" for k, v in parts.items()) + f">{inside}</variation>"
    called = stage + ("typed" if as_formula else name)
    values = "".join(f' {called}_{in_formula(p) if as_formula else p}="{v}"' for p, v in parameters)
    beside = ' linear="0.4"' if stage or name != "linear" else ""
    return f"""<flame size="1920 1080" center="0 0" scale="300" estimator_radius="0">{formula}
<xform color="0" weight="1" coefs="0.6 0.2 -0.3 0.5 0.4 -0.1" {called}="0.8"{values}{beside if stage else ""}/>
<xform color="0" weight="0.6" coefs="-0.4 0.5 0.45 0.3 -0.2 0.3" {called}="0.5"{values}{beside}/>
<xform color="1" weight="0.5" coefs="0.5 0 0 0.5 0.3 0.6" linear="1"/>
<palette count="2" format="RGB">102030FFE0C0</palette></flame>"""


def render(kiln, file, backend, kernels, quality):
    """(G samples/s, hash of the pixels)"""
    env = dict(os.environ, KILN_KERNELS=kernels) if kernels != "cpu" else None
    out = subprocess.run([kiln, "render", file, "-o", file + ".png", "--force", "--backend", backend, "--quality", str(quality), "--json",
                          "--quiet"], env=env, text=True, check=True, stdout=subprocess.PIPE).stdout
    picture = json.loads(out)["pictures"][0]
    return picture["samples_per_s"] / 1e9, picture["pixel_hash"]


def measured(args, ways, files):
    """{(program, way, as formula): rate} of a row, and its hashes."""
    programs = [(args.kiln, way, f) for way in ways for f in (False, True)]
    programs += [(before, ways[-1], True) for before in args.before]
    rates, hashes = {}, set()
    for program, way, f in programs:  # what has to be compiled or loaded
        hashes.add(render(program, files[f], args.backend, way, 10)[1])
    hashes |= {render(args.kiln, files[f], "cpu", "cpu", 10)[1] for f in (False, True)}
    for turn in range(args.rounds):
        for one in programs if turn % 2 else reversed(programs):
            program, way, f = one
            rates.setdefault(one, []).append(render(program, files[f], args.backend, way, args.quality)[0])
    return {one: statistics.median(all_of_one) for one, all_of_one in rates.items()}, hashes


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kiln")
    parser.add_argument("--before", action="append", default=[])
    parser.add_argument("--backend", default="cuda")
    parser.add_argument("--quality", type=float, default=2000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("names", nargs="*", default=USUAL)
    args = parser.parse_intermixed_args()
    blocks = typed()
    ways = ["cpu"] if args.backend == "cpu" else ["own", "interpreter"]
    heads = [f"{way}: {what}" for way in ways for what in ("variation", "formula", f"times ({MOST[way]})")]
    heads += [f"formula, {pathlib.Path(before).name}" for before in args.before]
    print("| | " + " | ".join(heads) + " | pictures |\n|---" + "|---" * (len(heads) + 1) + "|")
    with tempfile.TemporaryDirectory() as folder:
        for row in args.names:
            files = {}
            for f in (False, True):
                files[f] = f"{folder}/{row}_{f}.flame"
                pathlib.Path(files[f]).write_text(flame(blocks, row, f))
            rates, hashes = measured(args, ways, files)
            cells = []
            for way in ways:
                kilns, formulas = rates[args.kiln, way, False], rates[args.kiln, way, True]
                cells += [f"{kilns:.3g}", f"{formulas:.3g}", f"{kilns / formulas:.2f}"]
            cells += [f"{rates[before, ways[-1], True]:.3g}" for before in args.before]
            print(f"| {row} | {' | '.join(cells)} | {'one' if len(hashes) == 1 else 'DIFFER'} |", flush=True)


if __name__ == "__main__":
    main()
