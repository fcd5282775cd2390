#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Ten flames as people have them, for measuring: drawn by flam3-genome from fixed seeds.

Usage: bench/genome_flames.py FOLDER; then build/bench/chaos_bench cuda 1 8 FOLDER/*.flam3

Two to six xforms of one to five variations each; two flames get xaos, two a final xform. 1920x1080
at quality 4000: 8.29 G samples. The genomes are not kept here, flam3-genome makes the same again.
"""
import os
import pathlib
import re
import subprocess
import sys

SEEDS = [3, 14, 28, 35, 49, 57, 75, 85, 115, 120]
XAOS = {35, 115}
FINAL = {
    14: '<finalxform color="0" color_speed="0" eyefish="1" coefs="1 0 0 1 0 0"/>',
    28: '<finalxform color="0.3" color_speed="0.2" linear="0.8" spherical="0.2" coefs="1 0.1 -0.1 1 0.2 0"/>',
}


def chaos_row(row, count):
    """Every xform leads on to all others, to some of them rarely."""
    return " ".join("%g" % (0.15 if (row * 3 + k * 5) % 4 == 0 else 1 + (row + k) % 3) for k in range(count))


def genome(seed):
    """The genome of a seed, at full size; `symmetry` elements are flam3-genome's own."""
    text = subprocess.run(
        ["flam3-genome"],
        env=dict(os.environ, seed=str(seed), isaac_seed="kiln%d" % seed),
        capture_output=True, text=True, check=True).stdout
    scale = float(re.search(r'scale="([^"]+)"', text).group(1))
    for name, value in {
        "size": "1920 1080", "scale": "%.6g" % (scale * 1080 / 100), "quality": "4000", "temporal_samples": "1"
    }.items():
        text = re.sub(r'(<flame [^>]*\b%s=)"[^"]*"' % name, r'\g<1>"%s"' % value, text, count=1)
    if seed in XAOS:
        count = len(re.findall("<xform ", text))
        rows = iter(range(count))
        text = re.sub("<xform ", lambda _: '<xform chaos="%s" ' % chaos_row(next(rows), count), text)
    if seed in FINAL:
        text = text.replace("</flame>", "   %s\n</flame>" % FINAL[seed])
    return text.replace("<flame ", '<flame name="genome %d" ' % seed, 1)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for seed in SEEDS:
        (folder / ("genome_%03d.flam3" % seed)).write_text(genome(seed))


if __name__ == "__main__":
    main()
