#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a sample costs on a CPU as a sphere, in a dome, for two eyes and out of focus, in samples of the same flame without depth.

    bench/projections.py KILN [--flames conch,sierpinski,wild/harbour] [--pairs 9] [--quality 400]
    bench/projections.py KILN --instructions     counted by valgrind, which has no AVX-512: of x86-64-v3

The plain picture and the other take turns on one thread, and a row is the median of the pairs' ratios: seconds of the processor in the
program (user time) for each sample. Instructions are those of so many more samples, so that what a picture costs once is not in them.
"""
import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import tempfile

FLAMES = pathlib.Path(__file__).resolve().parent.parent / "flames"
FLAT = {"cam_pitch": 0, "cam_yaw": 0, "cam_persp": 0, "cam_dof": 0, "cam_zpos": 0}
DEEP = {**FLAT, "cam_pitch": 0.3, "cam_yaw": 0.2, "cam_persp": 0.3}
VIEWS = {
    "depth": ("plane", DEEP),
    "depth of field": ("plane", {**DEEP, "cam_dof": 0.1}),
    "stereo": ("stereo", DEEP),
    "sphere": ("sphere", FLAT),
    "sphere, depth": ("sphere", DEEP),
    "dome": ("dome", FLAT),
    "dome, depth": ("dome", DEEP),
    "sphere, depth of field": ("sphere", {**DEEP, "cam_dof": 0.1}),
}


def words_of(kiln, flame, view, quality, folder):
    projection, camera = view
    path = next(path for path in (FLAMES / f"{flame}.flam3", FLAMES / f"{flame}.flame") if path.exists())
    return [kiln, "render", str(path), "-o", f"{folder}/picture.png", "--force", "--json", "-q", "--backend", "cpu", "--threads", "1",
            "--size", "400x400", "--quality", str(quality), "--set", "estimator_radius=0", "--projection", projection,
            *(word for name, value in camera.items() for word in ("--set", f"{name}={value}"))]


def samples_of(out):
    return json.loads(out)["pictures"][0]["samples"]


def seconds_a_sample(words):
    with tempfile.TemporaryFile("w+") as out:
        child = subprocess.Popen(words, stdout=out)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            raise SystemExit(f"{' '.join(words)}: exit code {child.returncode}")
        out.seek(0)
        return usage.ru_utime / samples_of(out.read())


def counted(words):
    """(instructions, samples) of a picture."""
    done = subprocess.run(["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", *words],
                          env={**os.environ, "KILN_ISA": "v3"}, check=True, text=True, capture_output=True)
    return int(re.search(r"I\s+refs:\s+([0-9,]+)", done.stderr)[1].replace(",", "")), samples_of(done.stdout)


def instructions_a_sample(args, flame, view, folder):
    (few, few_samples), (many, many_samples) = (counted(words_of(args.kiln, flame, view, quality, folder)) for quality in (5, 25))
    return (many - few) / (many_samples - few_samples)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("kiln")
    options.add_argument("--flames", default="conch,sierpinski,wild/harbour", help="of flames/")
    options.add_argument("--views", default="|".join(VIEWS), help="of them, with | between")
    options.add_argument("--pairs", type=int, default=9)
    options.add_argument("--quality", type=int, default=400)
    options.add_argument("--instructions", action="store_true")
    args = options.parse_args()
    print("| flame | view | plain | view | ratio |" + ("" if args.instructions else " pairs |"))
    print("|---|---|---|---|---|" + ("" if args.instructions else "---|"))
    plain = ("plane", FLAT)
    with tempfile.TemporaryDirectory() as folder:
        for flame in args.flames.split(","):
            once = instructions_a_sample(args, flame, plain, folder) if args.instructions else 0
            for name in args.views.split("|"):
                if args.instructions:
                    count = instructions_a_sample(args, flame, VIEWS[name], folder)
                    print(f"| {flame} | {name} | {once:.1f} | {count:.1f} | {count / once:.2f} |", flush=True)
                    continue
                pairs = [[seconds_a_sample(words_of(args.kiln, flame, view, args.quality, folder)) for view in (plain, VIEWS[name])]
                         for _ in range(args.pairs)]
                ratios = sorted(other / one for one, other in pairs)
                before, after = (statistics.median(pair[k] for pair in pairs) * 1e9 for k in (0, 1))
                print(f"| {flame} | {name} | {before:.1f} ns | {after:.1f} ns | {statistics.median(ratios):.2f} | "
                      f"{ratios[0]:.2f} to {ratios[-1]:.2f} |", flush=True)


if __name__ == "__main__":
    main()
