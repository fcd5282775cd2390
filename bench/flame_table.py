#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One table of many flames: samples a second, kernels' compile time, burn-in, whole processes; also beside an older build.

Usage: bench/flame_table.py BUILD [--before BUILD] [--backend cuda] [--samples G] FLAME... > table.md

BUILD is a folder with `kiln` and `bench/chaos_bench`. Each flame is measured at 1920x1080 on the GPU: own kernels and the
interpreter (G samples/s), `ready` (what the first pass waited for while own kernels were compiled, with an empty cache),
the burn-in as one core finds it, and whole processes to the PNG with an empty cache and with what the first left there. With
--before the older build's figures stand first in each column; what it does not know is a dash. Hashes of the
histograms by both kinds of kernels must be equal in each build: the last column says whether they are.
"""
import argparse
import os
import pathlib
import re
import statistics
import subprocess
import tempfile
import time

LINE = re.compile(r"([\d.]+) G/s.*hash (\w+)(?:  burn-in +(\d+) in +([\d.]+) ms  ready +([\d.]+) s)?")


def with_cache(folder, **more):
    return {**os.environ, "XDG_CACHE_HOME": folder, **more}


def game(build, backend, flame, kernels, samples):
    """(G/s, hash, burn-in ms or None, ready s or None) of the line at 1920 pixels."""
    with tempfile.TemporaryDirectory() as cache:
        out = subprocess.run([build / "bench/chaos_bench", backend, "1", str(samples), flame], text=True, check=True,
                             stdout=subprocess.PIPE, env=with_cache(cache, KILN_KERNELS=kernels, KILN_BENCH_1080P="1")).stdout
    rate, fingerprint, _, burn_in, ready = LINE.search(next(l for l in out.splitlines() if " 1920x" in l)).groups()
    return float(rate), fingerprint, burn_in and float(burn_in), ready and float(ready)


def process(build, backend, flame, cache):
    with tempfile.TemporaryDirectory() as folder:
        start = time.monotonic()
        subprocess.run([build / "kiln", "render", flame, "--backend", backend, "--width", "1920", "-o", folder + "/a.png"], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=with_cache(cache))
        return time.monotonic() - start


def measure(build, backend, flame, samples):
    own, fingerprint, burn_in, ready = game(build, backend, flame, "own", samples)
    interpreted, other, _, _ = game(build, backend, flame, "interpreter", samples)
    with tempfile.TemporaryDirectory() as cache:
        first, second = process(build, backend, flame, cache), process(build, backend, flame, cache)
    return (own, interpreted, ready, burn_in, first, second), {fingerprint, other}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--before", type=pathlib.Path)
    parser.add_argument("--backend", default="cuda")
    parser.add_argument("--samples", type=float, default=4)
    parser.add_argument("flames", nargs="+")
    args = parser.parse_args()
    builds = [b.resolve() for b in (args.before, args.build) if b]
    print("| flame | own, G/s | interpreter, G/s | ready, s | burn-in, ms | first run, s | second run, s | hashes |")
    print("|---|---|---|---|---|---|---|---|")
    columns = []
    for flame in args.flames:
        figures, hashes = zip(*(measure(build, args.backend, flame, args.samples) for build in builds))
        columns.append(list(zip(*figures)))
        cells = [", ".join("-" if v is None else f"{v:.2f}" if digits == 2 else f"{v:.1f}" for v in values)
                 for values, digits in zip(columns[-1], (1, 1, 2, 1, 2, 2))]
        print(f"| {pathlib.Path(flame).stem} | {' | '.join(cells)} | {'equal' if all(len(h) == 1 for h in hashes) else 'DIFFER'} |",
              flush=True)
    for name, pick in (("median", statistics.median), ("least", min), ("most", max)):
        cells = []
        for i, digits in zip(range(6), (1, 1, 2, 1, 2, 2)):
            values = [[row[i][b] for row in columns] for b in range(len(builds))]
            cells.append(", ".join("-" if None in v else f"{pick(v):.{digits}f}" for v in values))
        print(f"| **{name}** | {' | '.join(cells)} | |")


main()
