#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Is a steered game (--steer auto) worth its time? Each flame is rendered plain and steered, with the same samples and
several seeds, beside a plain picture of many more. What is off, as it is shown (16 bits, no estimator), squared:
that of the steered picture is so many times less, which is worth so many times the samples; divided by how much
longer it took, so many times the time.

    python3 bench/steering.py --kiln build/kiln
    python3 bench/steering.py --kiln build/kiln --backend cuda --width 1920 --quality 100 1000
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def flames():
    found = []
    for path in sorted((ROOT / "flames").glob("*.flam3")) + sorted((ROOT / "flames/found").glob("*.flam3")):
        found.append(path)
    return found


def run(options, arguments):
    """Seconds of the processor, or of the wall on a GPU, and what kiln says."""
    command = [options.kiln, "render", *arguments, "--backend", options.backend, "--threads", str(options.threads),
               "--force", "--bits", "16", "--set", "estimator_radius=0", "--width", str(options.width), "--json", "--quiet"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    text = process.stdout.read()
    message = process.stderr.read()
    _, status, used = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{' '.join(command)}\n{message.decode()}")
    picture = json.loads(text)["pictures"][0]
    return (picture["seconds"] if options.backend == "cuda" else used.ru_utime), picture


def off(options, one, other):
    result = subprocess.run([options.kiln, "compare", one, other, "--json"], capture_output=True, text=True)
    return json.loads(result.stdout)["rms"] ** 2


def measure(options, path, quality, folder):
    """Ratios of squared error and of time, steered over plain; None where the picture was not steered."""
    long, short = f"{folder}/long.png", f"{folder}/short.png"
    flame = [str(path), "--flame", "0"]
    most = min(options.reference * quality, 40000)
    run(options, [*flame, "-o", long, "--quality", str(most), "--seed", "9999"])
    errors, seconds = {"off": [], "auto": []}, {"off": [], "auto": []}
    hashes = {}
    if options.backend == "cuda":  # a steered game waits for kernels of its own, which are kept
        run(options, [*flame, "-o", short, "--quality", str(quality), "--steer", "auto"])
    for seed in range(options.runs):
        for steer in errors:
            took, picture = run(options, [*flame, "-o", short, "--quality", str(quality), "--seed", str(seed), "--steer", steer])
            errors[steer].append(off(options, short, long))
            seconds[steer].append(took)
            hashes.setdefault(seed, set()).add(picture["pixel_hash"])
    if len(hashes[0]) == 1:
        return None
    noise_of_long = statistics.mean(errors["off"]) * quality / (quality + most)
    less = [statistics.mean(errors[steer]) - noise_of_long for steer in ("auto", "off")]
    return less[0] / less[1], statistics.median(seconds["auto"]) / statistics.median(seconds["off"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("flames", nargs="*", type=Path)
    parser.add_argument("--kiln", default=str(ROOT / "build/kiln"))
    parser.add_argument("--backend", default="cpu", choices=("cpu", "cuda"))
    parser.add_argument("--threads", type=int, help="of the host (default: one on the CPU, all beside a GPU)")
    parser.add_argument("--width", type=int, default=480)
    parser.add_argument("--quality", type=int, nargs="+", default=[100])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--reference", type=int, default=25, help="times the samples of the long picture")
    options = parser.parse_args()
    if options.threads is None:
        options.threads = 1 if options.backend == "cpu" else 0
    with tempfile.TemporaryDirectory() as folder:
        for quality in options.quality:
            print(f"\nquality {quality}, {options.width} pixels, {options.backend}\n")
            print("| flame | squared error | times the samples | time | times the time |\n|---|---|---|---|---|")
            samples, times = [], []
            for path in options.flames or flames():
                ratios = measure(options, path, quality, folder)
                if not ratios:
                    print(f"| {path.stem} | played plain | | | |", flush=True)
                    continue
                error, time = ratios
                samples.append(1 / error)
                times.append(1 / error / time)
                print(f"| {path.stem} | {error:.3f} | {1 / error:.2f} | {time:.2f} | {1 / error / time:.2f} |", flush=True)
            if samples:
                print(f"| median of {len(samples)} | | {statistics.median(samples):.2f} | | {statistics.median(times):.2f} |")
                print(f"| least | | {min(samples):.2f} | | {min(times):.2f} |", flush=True)


main()
