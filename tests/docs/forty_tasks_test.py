#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Forty tasks that people of this field asked for (VJs, studios, print shops, farms, scientists, generative artists): each by one
or two commands, and what they must have made.

    forty_tasks_test.py --kiln build/kiln [--python build/python] [NUMBER ...]

Those that kiln does not do say why instead; the count of both stands in the last line. A task that needs a program which is not here
is left out by name. Numbers stay: they are those of the list. tasks_test.py has the lines of docs/use/tasks.md.
"""
import argparse
import base64
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile

root = pathlib.Path(__file__).resolve().parent.parent.parent
tasks = {}
SMALL = "--width 160 --quality 5 --temporal-samples 4 --quiet"



def task(number, what, *commands, needs=()):
    def add(check):
        assert len(commands) <= 2, f"task {number} takes {len(commands)} commands"
        tasks[number] = (what, commands, needs, check)
        return check
    return add


def not_done(number, what, why):
    tasks[number] = (what, (), (), why)


def run(line):
    done = subprocess.run(["bash", "-o", "pipefail", "-c", line], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, f"exit code {done.returncode}: {line}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    return done.stdout


def video(name, *wanted):
    """What ffprobe says of a film, with its frames counted."""
    found = json.loads(run(f"ffprobe -v error -count_frames -show_streams -show_format -of json '{name}'"))
    stream = next(s for s in found["streams"] if s["codec_type"] == "video")
    stream["sound"] = any(s["codec_type"] == "audio" for s in found["streams"])
    return stream if not wanted else tuple(str(stream[key]) for key in wanted)


def info(name):
    return json.loads(run(f"kiln info '{name}' --json"))["flames"]


def size(name):
    """Width and height of a PNG."""
    return struct.unpack(">II", pathlib.Path(name).read_bytes()[16:24])


def same(one, other):
    assert one == other, f"{one!r} is not {other!r}"


def names(pattern):
    return sorted(path.name for path in pathlib.Path().glob(pattern))


# ---- pipes and films ----

@task(1, "frames into a pipe", f"kiln animate flames/conch.flam3 --spin 12 --video - {SMALL} | ffmpeg -v error -y -i - -c:v ffv1 pipe.mkv",
      needs=["ffmpeg", "ffprobe"])
def _():
    same(video("pipe.mkv", "nb_read_frames", "width"), ("12", "160"))


@task(2, "HAP and DNxHR", f'kiln animate flames/conch.flam3 --spin 6 --size 320x180 --quality 5 --quiet --video hap.mov --video-options "-c:v hap"',
      f'kiln animate flames/conch.flam3 --spin 6 --size 320x180 --quality 5 --quiet --video dnx.mov --video-options "-c:v dnxhd -profile:v dnxhr_hq"',
      needs=["ffmpeg", "ffprobe"])
def _():
    same(video("hap.mov", "codec_name"), ("hap",))
    same(video("dnx.mov", "codec_name"), ("dnxhd",))


@task(3, "a film that follows a song", "kiln listen song.flac --film flames/conch.flam3 --fps 12 -o song.flam3 --drive brightness=loudness,4..40 --live",
      f"kiln animate song.flam3 --video song.mp4 {SMALL}", needs=["ffmpeg", "ffprobe"])
def _():
    assert video("song.mp4")["sound"]


@task(4, "there and back; backwards", f"kiln animate flames/conch.flam3 --spin 4 --ping-pong --video there.mkv {SMALL}",
      f"kiln animate flames/conch.flam3 --spin 12 -o 'forth_##.png' {SMALL} && kiln animate flames/conch.flam3 --spin 12 --reverse --video back.mkv {SMALL}",
      needs=["ffmpeg", "ffprobe"])
def _():
    same(video("there.mkv", "nb_read_frames"), ("6",))
    same(video("back.mkv", "nb_read_frames"), ("12",))


@task(5, "9:16", "kiln animate flames/conch.flam3 --spin 6 --fill 108x192 --video tall.mp4 --quality 5 --quiet", needs=["ffmpeg", "ffprobe"])
def _():
    same(video("tall.mp4", "width", "height"), ("108", "192"))


@task(6, "60 frames a second in place of 30", f"kiln animate flames/conch.flam3 --spin 12 --dtime 0.5 --fps 60 --video fast.mp4 {SMALL}",
      needs=["ffmpeg", "ffprobe"])
def _():
    same(video("fast.mp4", "nb_read_frames", "r_frame_rate"), ("24", "60/1"))


@task(7, "sound under a loop",
      f"kiln animate flames/conch.flam3 --spin 12 --fps 6 --audio song.flac --video loop.mp4 {SMALL}", needs=["ffmpeg", "ffprobe"])
def _():
    assert video("loop.mp4")["sound"]


@task(8, "a GIF below a size", "kiln animate flames/conch.flam3 --spin 12 --video small.gif --max-bytes 100K --width 240 --quality 5 --quiet",
      needs=["ffmpeg"])
def _():
    assert pathlib.Path("small.gif").stat().st_size <= 102400


@task(9, "slides that fade into each other", "kiln video a.png b.png -o slides.mp4 --fade 0.5s --show 1s --quiet", needs=["ffmpeg", "ffprobe"])
def _():
    assert int(video("slides.mp4")["nb_read_frames"]) > 30


@task(10, "an animated genome of one flat sheep", "kiln sequence flames/conch.flam3 --nframes 16 -o turning.flam3")
def _():
    same(len(info("turning.flam3")), 17)


@task(11, "an edge between two sheep", "kiln sequence flames/conch.flam3 flames/coral.flam3 --loops 0 --nframes 16 -o edge.flam3")
def _():
    same(len(info("edge.flam3")), 17)


@task(12, "flam3-genome's own sequence", "sequence=flames/conch.flam3 nframes=4 flam3-genome > es.flam3",
      "kiln animate es.flam3 -o 'es_####.png' --width 80 --quality 2 --temporal-samples 2 --quiet", needs=["flam3-genome"])
def _():
    assert len(names("es_*.png")) >= 4


@task(13, "an old PNG of flam3, larger",
      "quality=5 ss=0.25 in=flames/conch.flam3 out=f3.png flam3-render && kiln render f3.png -o big.png --width 640 --quality 5",
      needs=["flam3-render"])
def _():
    same(size("big.png")[0], 640)


@task(14, "a dive into a well", "sed 's|</flame>|<kiln_track name=\"zoom\"><key time=\"0\" value=\"0\"/><key time=\"8\" value=\"10\"/></kiln_track>"
      "<kiln_track name=\"quality\"><key time=\"0\" value=\"100\"/><key time=\"8\" value=\"1\"/>"
      "</kiln_track></flame>|' flames/../examples/well.flam3 > dive.flam3",
      "kiln animate dive.flam3 -o 'dive_#.png' --width 80 --frames 0-3 --temporal-samples 1 --quiet")
def _():
    same(len(names("dive_*.png")), 4)


@task(15, "frames numbered from 1001", f"kiln animate flames/conch.flam3 --spin 12 --start-number 1001 --frames 1001-1003 -o 'shot.####.png' {SMALL}")
def _():
    same(names("shot.*"), ["shot.1001.png", "shot.1002.png", "shot.1003.png"])


# ---- compositors, 3D, print ----

@task(16, "depth for a compositor", "kiln layers flames/conch.flam3 -o depth.exr --width 160 --quality 20 --quiet")
def _():
    head = pathlib.Path("depth.exr").read_bytes()[:20000]
    assert b"Z\0\2\0\0\0" in head and b"xform5.X" in head


@task(17, "each xform on a layer of its own", "kiln genome layers flames/conch.flam3 -o layers.flam3",
      "kiln render layers.flam3 -o 'layer_{index}.exr' --width 160 --quality 5 --quiet")
def _():
    same(len(names("layer_*.exr")), len(info("layers.flam3")))


@task(18, "points for Blender and Houdini",
      "kiln points flames/conch.flam3 -o conch.ply --count 1e5", "kiln points flames/conch.flam3 -o conch.csv --count 1000")
def _():
    data = pathlib.Path("conch.ply").read_bytes()
    head, points = data.split(b"end_header\n", 1)
    assert b"element vertex 100000" in head and len(points) == 18 * 100000
    same(len(pathlib.Path("conch.csv").read_text().splitlines()), 1001)


not_done(19, "a tile that repeats", "the picture would have to be plotted modulo the tile, in the kernels")


@task(20, "a mirrored picture", "kiln genome mirror flames/conch.flam3 -o - | kiln render - -o mirror.png --width 160 --quality 5 --quiet")
def _():
    same(size("mirror.png")[0], 160)


not_done(21, "lines for a pen plotter", "a flame is made of points; kiln info --triangles has its triangles as SVG")


@task(22, "WebP and TIFF stills", "kiln render a.png -o still.webp && kiln render a.png -o still.tif", "kiln compare --hash still.webp still.tif")
def _():
    assert pathlib.Path("still.webp").read_bytes()[8:12] == b"WEBP"


@task(23, "a tagged TIFF and JPEG with dpi", "kiln render flames/conch.flam3 -o print.tif --size 2x1in --dpi 100 --bits 16 --quality 5 --quiet",
      "kiln render flames/conch.flam3 -o print.jpg --size 2x1in --dpi 100 --quality 5 --quiet")
def _():
    for name in ("print.tif", "print.jpg"):
        assert b"acsp" in pathlib.Path(name).read_bytes(), f"{name} has no profile"
    if shutil.which("exiftool"):
        for name in ("print.tif", "print.jpg"):
            said = json.loads(run(f"exiftool -json -XResolution -ResolutionUnit -ProfileDescription {name}"))[0]
            same((said["XResolution"], said["ResolutionUnit"]), (100, "inches"))


@task(24, "two screens side by side", "kiln render flames/conch.flam3 -o left.png --fill 512x144 --crop 0,0,256x144 --quality 5 --quiet",
      "kiln render flames/conch.flam3 -o right.png --fill 512x144 --crop 256,0,256x144 --quality 5 --quiet")
def _():
    same((size("left.png"), size("right.png")), ((256, 144), (256, 144)))


@task(25, "a new wallpaper each night", "kiln random -n 1 --seed $(date +%j) -o - --size 192x108 | kiln render - -o wall.png --quality 5 --quiet")
def _():
    same(size("wall.png"), (192, 108))


# ---- many, and programs ----

not_done(26, "a thousand with traits as JSON", "three commands: kiln random, kiln render --json, kiln info --json; chains have forms of their own")


@task(27, "the smallest form of a flame",
      "kiln link flames/conch.flam3 > conch.link", 'kiln render "$(cat conch.link)" -o from_link.png --width 160 --quality 5 --quiet')
def _():
    assert pathlib.Path("conch.link").stat().st_size < pathlib.Path("flames/conch.flam3").stat().st_size / 2


@task(28, "duplicates of a pack", "kiln convert flames/conch.flam3 flames/coral.flam3 flames/conch.flam3 -o twice.flam3 --quiet",
      "kiln sheet twice.flam3 --duplicates --size 64x64 --quality 5 > twice.txt")
def _():
    assert "twice.flam3#2 the same flame as twice.flam3#0" in pathlib.Path("twice.txt").read_text()


@task(29, "flames renamed by number", "kiln convert flames/tides.flam3 -o numbered.flam3 --set 'name=tide_{index}'")
def _():
    same([flame["name"] for flame in info("numbered.flam3")], ["tide_0", "tide_1", "tide_2", "tide_3"])


@task(30, "packs merged, with one quality", "kiln convert flames/tides.flam3 flames/conch.flam3 -o all.flam3 --quality 1000")
def _():
    same({flame["quality"] for flame in info("all.flam3")}, {1000})


@task(31, "one variation changed", "kiln convert flames/conch.flam3 -o bent.flam3 --set xform.0.julian=0.5")
def _():
    assert re.search(r'<xform [^>]*julian="0.5"', pathlib.Path("bent.flam3").read_text())


@task(32, "a palette for GIMP", "kiln palettes flames/conch.flam3 -o conch.gpl", "kiln palettes flames/conch.flam3 -o conch.ugr")
def _():
    assert pathlib.Path("conch.gpl").read_text().startswith("GIMP Palette")


@task(33, "what differs between two flames",
      "kiln convert flames/conch.flam3 -o weak.flam3 --set gamma=3 && (kiln diff flames/conch.flam3 weak.flam3 > diff.txt || [ $? = 1 ])")
def _():
    assert "gamma" in pathlib.Path("diff.txt").read_text()


@task(34, "is this picture mine, unaltered?", "kiln verify a.png")
def _():
    pass


@task(35, "are all nodes alike?", "kiln selftest --backend cpu --json > node.json", "kiln --version --json > version.json")
def _():
    assert json.loads(pathlib.Path("node.json").read_text()) and json.loads(pathlib.Path("version.json").read_text())


@task(36, "a batch within a time",
      "kiln render flames/conch.flam3 flames/coral.flam3 -o 'budget_{stem}.png' --width 320 --quality 100000 --time-limit 0.3 --json > budget.json")
def _():
    assert len(names("budget_*.png")) == 2


@task(37, "genome in, picture out",
      "python3 -c 'import json; print(json.dumps({\"genome\": open(\"flames/conch.flam3\").read(), \"output\": \"-\", \"width\": 160, \"quality\": 5}))'"
      " | kiln render --jobs - > answer.json")
def _():
    answer = json.loads(pathlib.Path("answer.json").read_text())
    same(answer["media_type"], "image/png")
    pathlib.Path("answer.png").write_bytes(base64.b64decode(answer["picture"], validate=True))
    same(size("answer.png"), (160, 90))
    run("kiln render flames/conch.flam3 -o own.png --width 160 --quality 5 --quiet && kiln compare --hash answer.png own.png")


@task(38, "thumbnails in the file manager",
      "cat flames/../packaging/desktop/kiln.thumbnailer", "kiln render flames/conch.flam3 -o thumb.png --fit 256x256 --quality 10 --quiet")
def _():
    assert "kiln" in pathlib.Path("flames/../packaging/desktop/kiln.thumbnailer").read_text() and max(size("thumb.png")) == 256


@task(39, "a notebook: sweep a parameter", """python3 -c "
import kiln
flame = kiln.load('flames/conch.flam3')[0]
flames = []
for weight in (0.1, 0.5, 1):
    one = flame.copy()
    one.xforms[0].weight = weight
    flames.append(one)
print(len({p.tobytes() for p in kiln.previews(flames, 64, 36, 5)}))
" > sweep.txt""", needs=["python"])
def _():
    same(pathlib.Path("sweep.txt").read_text(), "3\n")


@task(40, "a notebook: hits, and a dimension by boxes", """python3 -c "
import kiln, numpy as np
flame = kiln.load('flames/../examples/triangle.flame')[0]
hits = kiln.render(flame, linear=True, width=512, quality=100).hits > 0
sides = [1, 2, 4, 8, 16]
boxes = [hits[:hits.shape[0] // s * s, :hits.shape[1] // s * s].reshape(hits.shape[0] // s, s, -1, s).any((1, 3)).sum() for s in sides]
print(-np.polyfit(np.log(sides), np.log(boxes), 1)[0])
" > dimension.txt""", needs=["python"])
def _():
    assert 1.4 < float(pathlib.Path("dimension.txt").read_text()) < 1.75, pathlib.Path("dimension.txt").read_text()


def prepare():
    """What several tasks begin with."""
    os.symlink(root / "flames", "flames")
    for name in ("conch", "coral"):
        run(f"kiln render flames/{name}.flam3 -o {'ab'[name == 'coral']}.png --width 160 --quality 5 --quiet")
    if shutil.which("ffmpeg"):
        run("ffmpeg -v error -y -f lavfi -i \"aevalsrc='0.7*sin(2*PI*55*t)*exp(-12*mod(t,0.5)):s=44100:d=2'\" song.flac")


def have(need, args):
    return bool(args.python) if need == "python" else shutil.which(need)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kiln", required=True)
    parser.add_argument("--python", help="the folder that holds the package kiln")
    parser.add_argument("number", nargs="*", type=int)
    args = parser.parse_args()
    same(sorted(tasks), list(range(1, 41)))
    done, failed, left, others = [], [], [], []
    with tempfile.TemporaryDirectory() as folder:
        os.makedirs(f"{folder}/bin")
        os.symlink(os.path.abspath(args.kiln), f"{folder}/bin/kiln")
        os.symlink(sys.executable, f"{folder}/bin/python3")
        os.environ["PATH"] = f"{folder}/bin:{os.environ['PATH']}"
        if args.python:
            os.environ["PYTHONPATH"] = os.path.abspath(args.python)
        os.environ.setdefault("flam3_palettes", str(root / "flames/palettes.xml"))
        os.chdir(folder)
        prepare()
        for number in args.number or sorted(tasks):
            what, commands, needs, check = tasks[number]
            if not commands:
                others.append(number)
                print(f"{number}: {what}: not done: {check}")
                continue
            if missing := [need for need in needs if not have(need, args)]:
                left.append(number)
                print(f"{number}: {what}: left out, no {missing[0]} here")
                continue
            try:
                for command in commands:
                    run(command)
                check()
                done.append(number)
            except (AssertionError, OSError, KeyError, ValueError, subprocess.TimeoutExpired) as trouble:
                failed.append(number)
                print(f"{number}: {what}: FAILED: {trouble}")
            sys.stdout.flush()
        os.chdir("/")
    print(f"{len(done)} of {len(args.number or tasks)} tasks by one or two commands; {len(others)} not done, {len(left)} left out, {len(failed)} failed")
    assert args.number or len(done) + len(left) >= 33
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
