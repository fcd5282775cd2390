#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Wide flames as artists draw them in Fractorium, for measuring: drawn by chance from fixed seeds.

Usage: bench/wide_flames.py KILN FOLDER; then build/bench/chaos_bench cuda 1 8 FOLDER/*.flame

Three to seven xforms of two to eight variations each, of flam3's and of other programs', pre_ and post_ forms, in most of
them a final xform; 1920x1080 at quality 1000. KILN lists the variations; the flames are not kept here, the same come again.
The seeds are those of 60 whose points stay within the picture and reach much of it.
"""
import json
import math
import pathlib
import random
import subprocess
import sys

SEEDS = [5, 10, 13, 15, 22, 27, 29, 31, 36, 37, 38, 41, 50, 58, 59]


def usual(parameter, chance):
    low, high = (0.4, 1.6) if parameter["default"] else (-0.8, 0.8)
    value = chance.uniform(low, high) * (parameter["default"] or 1)
    return round(value) if float(parameter["default"]).is_integer() and abs(parameter["default"]) > 1 else value


def words(variation, form, weight, chance):
    yield f'{form}{variation["name"]}="{weight:.4g}"'
    for parameter in variation["parameters"]:
        yield f'{form}{parameter["name"]}="{usual(parameter, chance):.4g}"'


def xform(listed, chance, final=False):
    turn, size, flat = chance.uniform(-math.pi, math.pi), chance.uniform(0.35, 0.9), chance.uniform(0.6, 1.1)
    if final:
        turn, size, flat = chance.uniform(-0.3, 0.3), 1, 1
    a, d, b, e = size * math.cos(turn), size * math.sin(turn), -size * flat * math.sin(turn), size * flat * math.cos(turn)
    shift = (0, 0) if final else (chance.uniform(-0.9, 0.9), chance.uniform(-0.9, 0.9))
    count = chance.choice([2, 2, 3, 3, 4, 5, 8])
    chosen = chance.sample([v for v in listed if v["name"] not in ("pre_blur", "linear")], count)
    inner = [1] if final else [chance.uniform(0.3, 1) for _ in range(count - 1)]
    texts = [f'linear="{0.6 / (1 if final else 2):.4g}"']
    for variation, weight in zip(chosen, inner):
        texts += words(variation, "", 0.7 * weight / sum(inner), chance)
    if chance.random() < 0.6:
        texts += words(chosen[-1], chance.choice(["pre_", "post_"]), chance.uniform(0.2, 0.6), chance)
    kind = "finalxform" if final else f'xform weight="{chance.uniform(0.3, 1):.4g}"'
    return (f'<{kind} color="{chance.random():.4g}" {" ".join(texts)} '
            f'coefs="{a:.5g} {d:.5g} {b:.5g} {e:.5g} {shift[0]:.5g} {shift[1]:.5g}"/>')


def flame(listed, seed):
    # JWildfire's own came later and have a kernel of their own: with them each seed would be another flame
    listed = [variation for variation in listed if not variation["family"].startswith("jwildfire")]
    chance = random.Random(f"wide {seed}")
    xforms = [xform(listed, chance) for _ in range(chance.randint(3, 7))]
    if chance.random() < 0.7:
        xforms.append(xform(listed, chance, final=True))
    colors = "".join(f'<color index="{i}" rgb="{128 + 127 * math.sin(i / 20 + seed):.0f} {128 + 127 * math.sin(i / 33):.0f} 160"/>' for i in range(256))
    return (f'<flame name="wide {seed}" version="EMBER-WIN-22.21.4.2" size="1920 1080" scale="270" quality="1000" '
            f'temporal_samples="1">{"".join(xforms)}{colors}</flame>')


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    kiln, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    listed = json.loads(subprocess.run([kiln, "variations", "--json"], check=True, capture_output=True).stdout)
    for seed in [int(s) for s in sys.argv[3:]] or SEEDS:
        (folder / f"wide_{seed:02d}.flame").write_text(flame(listed, seed) + "\n")


if __name__ == "__main__":
    main()
