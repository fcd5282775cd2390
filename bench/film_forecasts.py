#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What kiln animate --dry-run says of five different films, and what they take.

    bench/film_forecasts.py [--kiln build/kiln] [--rounds 3] [--films 2,4]

Each film is forecast and made in turn, so a machine that is busy now and then is so for both; the median of the
rounds counts. Load by others makes forecasts of a burst too short: the last columns say how busy the machine was
(load before the run, and the seconds of all cores that the film took, ffmpeg's too, over the cores)."""
import argparse
import json
import os
import pathlib
import resource
import statistics
import subprocess
import tempfile
import time

root = pathlib.Path(__file__).resolve().parent.parent
track = """<kiln_track name="zoom" ends="ping-pong"><key time="0" value="0" easing="ease-in-out"/><key time="30"
value="0.6"/></kiln_track><kiln_track xform="2" name="turn" ends="cycle"><key time="0" value="0"/><key time="60"
value="360"/></kiln_track></flame>"""
films = [("blur, H.264", "conch", "--spin 2s --width 480 --quality 40 --temporal-samples 64 --video a.mp4"),
         ("no blur, GIF", "rosewindow", "--spin 2s --width 320 --quality 20 --temporal-samples 1 --video a.gif"),
         ("key flames, WebP", "tides", "--frames 0-59 --width 400 --quality 20 --temporal-samples 16 --video a.webp"),
         ("tracks, much blur, frames", "tracks", "--frames 0-59 --width 240 --quality 20 --temporal-samples 500 -o #.png"),
         ("1080p, HEVC", "halo", "--spin 12 --width 1920 --quality 20 --temporal-samples 8 --video a.mkv"),
         ("HDR10", "conch", "--spin 1s --width 640 --quality 40 --temporal-samples 8 --video a.mp4 --hdr pq"),
         ("VP9", "conch", "--spin 1s --width 480 --quality 20 --temporal-samples 8 --video a.webm"),
         ("APNG", "conch", "--spin 1s --width 320 --quality 20 --temporal-samples 8 --video a.apng")]


def flame_of(name, folder):
    if name != "tracks":
        return root / "flames" / f"{name}.flam3"
    text = (root / "flames" / "conch.flam3").read_text()
    (folder / "tracks.flam3").write_text(text.replace("</flame>", track, 1))
    return folder / "tracks.flam3"


def cpu_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kiln", default=root / "build" / "kiln", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--films", default="1,2,3,4,5", help="numbers, from 1 to %d" % len(films))
    parser.add_argument("more", nargs="*", help="options for all, behind --")
    asked = parser.parse_args()
    print(f"{'film':28} {'forecast':>8} {'taken':>8} {'ratio':>6} {'CPU/core':>8} {'load':>5} {'kB':>7}")
    for number in map(int, asked.films.split(",")):
        name, flame, words = films[number - 1]
        rows = []
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place)
            command = [asked.kiln.resolve(), "animate", flame_of(flame, folder), *words.split(), "--force", *asked.more]
            for _ in range(asked.rounds):
                load = os.getloadavg()[0]
                said = json.loads(subprocess.run([*command, "--dry-run", "--json", "-q"], cwd=folder, check=True,
                                                 capture_output=True).stdout)["seconds"]
                start, before = time.monotonic(), cpu_seconds()
                subprocess.run([*command, "-q"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
                taken = time.monotonic() - start
                made = sum(file.stat().st_size for file in folder.iterdir() if file.suffix != ".flam3")
                rows.append((said / taken, said, taken, (cpu_seconds() - before) / os.cpu_count(), load, made))
        ratio, said, taken, cpu, load, made = (statistics.median(column) for column in zip(*rows))
        print(f"{name:28} {said:8.1f} {taken:8.1f} {ratio:6.2f} {cpu:8.1f} {load:5.1f} {made / 1000:7.0f}", flush=True)


main()
