#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How one picture and one animation scale over the GPUs of a host.

    bench/several_gpus.py --kiln build/kiln [--gpus 1,2,4] [--runs 2] [--quick]

For each number of GPUs: 32768 x 32768 at quality 200, 7680 x 4320 at quality 4000, and the frames of
an animation of 1920 x 1080 at quality 500. Prints seconds of the chaos game with the meeting of the
histograms (iterate), of the meeting alone (gather), of everything behind it (output), of the file,
and of the whole process; how many times one GPU; and the hashes, which must be the same. The best
of the runs counts. Kernels are compiled before the first run. --quick: small pictures, to try it.
"""

import argparse
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent


def run(words):
    """The seconds that a command took and what it printed."""
    begun = time.monotonic()
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(" ".join(words) + "\n" + done.stderr)
    return time.monotonic() - begun, done.stdout


def gpu_count(kiln):
    listed = run([kiln, "devices", "--json"])[1]
    return listed.count('"cuda"')


def still(args, size, quality, gpus):
    """One row of a still: the best run by its chaos game."""
    best = None
    for _ in range(args.runs):
        picture = args.folder / "still.png"
        wall, out = run([args.kiln, "render", str(args.flame), "-o", str(picture), "--json", "-q", "--size", size,
                         "--quality", str(quality), "--set", "estimator_radius=0", "--devices", gpus])
        row = json.loads(out)["pictures"][0]
        picture.unlink()
        row["wall_s"] = wall
        if best is None or row["iterate_s"] < best["iterate_s"]:
            best = row
    return best


def stills(args, size, quality):
    print(f"\n{args.flame.stem}, {size} at quality {quality}")
    print("| GPUs | samples | iterate s | gather s | G samples/s | times one | output s | file s | process s | hash |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    one, hashes = None, set()
    for gpus in args.teams:
        row = still(args, size, quality, gpus)
        one = one or row["iterate_s"]
        hashes.add(row["pixel_hash"])
        print(f"| {gpus} | {row['samples'] / 1e9:.1f} G | {row['iterate_s']:.3f} | {row.get('gather_s', 0):.3f} "
              f"| {row['samples'] / row['iterate_s'] / 1e9:.1f} | {one / row['iterate_s']:.2f} | {row['output_s']:.2f} "
              f"| {row['encode_s']:.2f} | {row['wall_s']:.2f} | {row['pixel_hash'][:12]} |", flush=True)
    print("one hash" if len(hashes) == 1 else "DIFFERENT HASHES")
    return len(hashes) == 1


def digest_of(folder):
    """Of all frames in the order of their names: equal pictures are equal files but for their record."""
    names = sorted(folder.glob("*.png"))
    return hashlib.sha256(b"".join(path.read_bytes() for path in names)).hexdigest(), len(names)


def animations(args, frames, width, quality):
    print(f"\ntides, {frames} frames, {width} wide, quality {quality}")
    print("| GPUs | frames | process s | frames/s | times one | hash of the files |\n|---|---|---|---|---|---|")
    one, hashes = None, set()
    for gpus in args.teams:
        seconds = []
        for number in range(args.runs):
            folder = args.folder / f"frames-{gpus.replace(',', '-')}-{number}"
            folder.mkdir()
            seconds.append(run([args.kiln, "animate", str(ROOT / "flames/tides.flam3"), "-q", "-o", str(folder / "####.png"),
                                "--frames", f"0-{frames - 1}", "--width", str(width), "--quality", str(quality),
                                "--temporal-samples", "1", "--devices", gpus])[0])
            digest, count = digest_of(folder)
            hashes.add(digest)
            for path in folder.glob("*.png"):
                path.unlink()
        rate = count / min(seconds)
        one = one or rate
        print(f"| {gpus} | {count} | {min(seconds):.2f} | {rate:.1f} | {rate / one:.2f} | {digest[:12]} |", flush=True)
    print("one hash" if len(hashes) == 1 else "DIFFERENT HASHES")
    return len(hashes) == 1


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--kiln", required=True)
    options.add_argument("--flame", type=pathlib.Path, default=ROOT / "flames/conch.flam3")
    options.add_argument("--gpus", help="numbers of GPUs to compare (default 1, 2, 4 ... all); cpu: one and two of the CPU")
    options.add_argument("--runs", type=int, default=2)
    options.add_argument("--quick", action="store_true")
    args = options.parse_args()
    if args.gpus == "cpu":
        args.teams = ["cpu", "cpu,cpu"]
    else:
        count = gpu_count(args.kiln)
        numbers = [int(n) for n in args.gpus.split(",")] if args.gpus else [n for n in (1, 2, 4, 8) if n <= count]
        args.teams = [",".join(str(i) for i in range(n)) for n in numbers if n <= count]
        if not args.teams:
            sys.exit("there is no GPU here; --gpus cpu tries the script on the CPU")
        for name in (args.flame, ROOT / "flames/tides.flam3"):
            run([args.kiln, "warm", str(name)])
    os.environ["KILN_KERNELS"] = "own"
    with tempfile.TemporaryDirectory() as folder:
        args.folder = pathlib.Path(folder)
        if args.quick:
            same = [stills(args, "512x512", 200), stills(args, "320x180", 4000), animations(args, 8, 160, 50)]
        else:
            same = [stills(args, "32768x32768", 200), stills(args, "7680x4320", 4000), animations(args, 118, 1920, 500)]
    sys.exit(0 if all(same) else 1)


if __name__ == "__main__":
    main()
