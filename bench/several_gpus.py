#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How pictures and films scale over the GPUs of a host.

    bench/several_gpus.py --kiln build/kiln [--gpus 1,2,4] [--runs 2] [--parts all,films,...] [--quick]

Parts, each for every number of GPUs:
  print    32768 x 32768 at quality 200
  large    7680 x 4320 at quality 4000
  usual    1920 x 1080 at quality 4000, on one GPU, on `--devices all`, and on as many as are named: whole
           processes, of which that of "all" may not be slower than that of one
  films    480 and 118 frames of 1920 x 1080 at quality 500
  cleaned  the 480 frames with --clean, which have the counts of their neighbors
  killed   a film on all GPUs that is killed amid its frames and resumed on one

Prints seconds of the chaos game with the meeting of the histograms (iterate), of the meeting alone
(gather), of everything behind it (output), of the file, and of the whole process; how many times one
GPU; of films also when the first frame was there and how many were ready in each half second, by the
times of their files; and the hashes, which must be the same. The best of the runs counts. Kernels
are compiled before the first run. --quick: small pictures, to try it.
"""

import argparse
import hashlib
import json
import os
import pathlib
import signal
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


def still(args, size, quality, gpus, runs=None):
    """One row of a still: the best run by its chaos game."""
    best = None
    for _ in range(runs or args.runs):
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


def usual(args, size, quality):
    """Whole processes: whoever says "all" waits no longer than who says nothing."""
    print(f"\n{args.flame.stem}, {size} at quality {quality}, whole processes")
    print("| GPUs | devices | process s | iterate s | hash |\n|---|---|---|---|---|")
    hashes, walls = set(), {}
    all_of_them = "cpu" if args.on_cpu else "all"
    for gpus in [args.teams[0], all_of_them, args.teams[-1]]:
        rows = [still(args, size, quality, gpus, 1) for _ in range(args.runs + 1)]
        best = min(rows, key=lambda row: row["wall_s"])
        walls[gpus] = best["wall_s"]
        hashes.add(best["pixel_hash"])
        print(f"| {gpus} | {best['device']} | {best['wall_s']:.2f} | {best['iterate_s']:.3f} "
              f"| {best['pixel_hash'][:12]} |", flush=True)
    more = walls[all_of_them] / walls[args.teams[0]] - 1
    print(f"all: {100 * more:+.1f} % of one" + ("" if more <= 0.05 else ": SLOWER"))
    return len(hashes) == 1 and more <= 0.05


def film_words(args, folder, frames, width, quality, gpus, more=()):
    return [args.kiln, "animate", str(ROOT / "flames/tides.flam3"), "-q", "-o", str(folder / "####.png"),
            "--frames", f"0-{frames - 1}", "--width", str(width), "--quality", str(quality),
            "--temporal-samples", "1", "--devices", gpus, "--dtime", str(min(1, 120 / frames)), *more]


def ready_times(folder, begun):
    """When each frame's file was there, in seconds from the start of the process."""
    return sorted(path.stat().st_mtime - begun for path in folder.glob("*.png"))


def in_half_seconds(times):
    counts = [0] * (int(2 * times[-1]) + 1)
    for at in times:
        counts[max(0, int(2 * at))] += 1
    return " ".join(str(count) for count in counts)


def empty(folder):
    for path in folder.glob("*.png"):
        path.unlink()


def films(args, frames, width, quality, more=()):
    print(f"\ntides, {frames} frames, {width} wide, quality {quality} {' '.join(more)}")
    print("| GPUs | frames | process s | frames/s | times one | first frame s | in each half second "
          "| hash of the files |\n|---|---|---|---|---|---|---|---|")
    one, hashes = None, set()
    for gpus in args.teams:
        best = None
        for number in range(args.runs):
            folder = args.folder / f"frames-{gpus.replace(',', '-')}-{number}"
            folder.mkdir(exist_ok=True)
            begun = time.time()
            seconds = run(film_words(args, folder, frames, width, quality, gpus, more))[0]
            digest, count = digest_of(folder)
            hashes.add(digest)
            times = ready_times(folder, begun)
            if best is None or seconds < best[0]:
                best = (seconds, times)
            empty(folder)
        rate = count / best[0]
        one = one or rate
        print(f"| {gpus} | {count} | {best[0]:.2f} | {rate:.1f} | {rate / one:.2f} | {best[1][0]:.2f} "
              f"| {in_half_seconds(best[1])} | {digest[:12]} |", flush=True)
    print("one hash" if len(hashes) == 1 else "DIFFERENT HASHES")
    return len(hashes) == 1


def killed(args, frames, width, quality, more=()):
    """Killed on all GPUs when a third of the frames is there, resumed on one: the frames of one GPU."""
    print(f"\ntides, {frames} frames {' '.join(more)}: killed on {args.teams[-1]}, resumed on {args.teams[0]}")
    whole, folder = args.folder / "whole", args.folder / "killed"
    for one in (whole, folder):
        one.mkdir(exist_ok=True)
        empty(one)
    run(film_words(args, whole, frames, width, quality, args.teams[0], more))
    film = subprocess.Popen(film_words(args, folder, frames, width, quality, args.teams[-1], more),
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while len(list(folder.glob("*.png"))) < frames // 3 and film.poll() is None:
        time.sleep(0.01)
    film.send_signal(signal.SIGKILL)
    film.wait()
    kept = len(list(folder.glob("*.png")))
    run(film_words(args, folder, frames, width, quality, args.teams[0], [*more, "--resume"]))
    same = digest_of(whole) == digest_of(folder)
    print(f"{kept} frames were there; " + ("the same frames" if same else "OTHER FRAMES"), flush=True)
    for one in (whole, folder):
        empty(one)
    return same and 0 < kept < frames


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--kiln", required=True)
    options.add_argument("--flame", type=pathlib.Path, default=ROOT / "flames/conch.flam3")
    options.add_argument("--gpus", help="numbers of GPUs to compare (default 1, 2, 4 ... all); cpu: one and two of the CPU")
    options.add_argument("--runs", type=int, default=2)
    options.add_argument("--parts", help="some of them, e.g. usual,films (default: all)")
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
    args.on_cpu = args.gpus == "cpu"
    cleaned = ["--clean", "1"]
    parts = {
        "usual": [lambda: usual(args, "1920x1080", 4000)],
        "films": [lambda: films(args, 118, 1920, 500), lambda: films(args, 480, 1920, 500)],
        "cleaned": [lambda: films(args, 480, 1920, 500, cleaned)],
        "killed": [lambda: killed(args, 118, 1920, 500), lambda: killed(args, 118, 1920, 500, cleaned)],
        "large": [lambda: stills(args, "7680x4320", 4000)],
        "print": [lambda: stills(args, "32768x32768", 200)],
    }
    if args.quick:
        parts = {
            "usual": [lambda: usual(args, "320x180", 200)],
            "films": [lambda: films(args, 8, 160, 50)],
            "cleaned": [lambda: films(args, 24, 160, 50, cleaned)],
            "killed": [lambda: killed(args, 30, 160, 100, cleaned)],
            "large": [lambda: stills(args, "512x512", 200)],
            "print": [lambda: stills(args, "320x180", 4000)],
        }
    wanted = args.parts.split(",") if args.parts else list(parts)
    for part in wanted:
        if part not in parts:
            sys.exit(f"--parts {part}: there are {', '.join(parts)}")
    with tempfile.TemporaryDirectory() as folder:
        args.folder = pathlib.Path(folder)
        same = [measure() for part in wanted for measure in parts[part]]
    sys.exit(0 if all(same) else 1)


if __name__ == "__main__":
    main()
