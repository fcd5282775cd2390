#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The tasks of docs/use/tasks.md: each of its numbered command lines as typed, and what it must have made.

    tasks_test.py --kiln build/kiln [--python build/python] [NUMBER ...]

A block of the page after `<!-- task N -->` is task N; its lines run in one scratch folder, in the page's order. 1 to 30 are what
users asked for first, 31 to 50 what they asked for then: a list that users gave, so numbers stay. Lines that go on until they are
stopped, or need what this machine lacks, have a form of their own here. With NUMBERs those alone are looked at.
"""
import argparse
import base64
import json
import math
import os
import pathlib
import re
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import urllib.request
import zlib

root = pathlib.Path(__file__).resolve().parent.parent.parent
others_stop_it = {17, 46, 55}
checks = {}


def task(number):
    return lambda check: checks.setdefault(number, check)


def same(one, other):
    assert one == other, f"{one!r} is not {other!r}"


class Skip(Exception):
    pass


# ---- what is asked of files ----

def run(line, code=0):
    """What a line of bash says, of which the exit code is right."""
    done = subprocess.run(["bash", "-o", "pipefail", "-c", line], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300)
    assert done.returncode == code, f"exit code {done.returncode} instead of {code}: {line}\n{done.stderr}"
    return done.stdout + done.stderr


def bytes_of(name):
    return pathlib.Path(name).read_bytes()


def chunks(name):
    """Type and data of each chunk of a PNG, whose checksums are right."""
    png, at, found = bytes_of(name), 8, []
    same(png[:8], b"\x89PNG\r\n\x1a\n")
    while at < len(png):
        size, = struct.unpack_from(">I", png, at)
        kind, data = png[at + 4:at + 8], png[at + 8:at + 8 + size]
        same(zlib.crc32(kind + data), struct.unpack_from(">I", png, at + 8 + size)[0])
        found.append((kind.decode(), data))
        at += 12 + size
    same(found[-1][0], "IEND")
    return found


def png(name, width, height, bits=8, alpha=False):
    same(struct.unpack(">IIBB", chunks(name)[0][1][:10]), (width, height, bits, 6 if alpha else 2))


def pixels(name):
    """Width, height and [r g b ...] in 8 bits, of a picture that kiln made again."""
    run(f"kiln render '{name}' -o pixels.ppm --bits 8")
    _, size, _, data = bytes_of("pixels.ppm").split(b"\n", 3)
    width, height = map(int, size.split())
    same(len(data), width * height * 3)
    return width, height, data


def mean(name):
    data = pixels(name)[2]
    return sum(data) / len(data)


def same_pixels(one, other):
    run(f"kiln compare --hash '{one}' '{other}'")


def psnr(one, other):
    return json.loads(run(f"kiln compare '{one}' '{other}' --json", code=1))["psnr_db"]


def info(name):
    return json.loads(run(f"kiln info '{name}' --json"))


def genome(name):
    return run(f"kiln convert '{name}' -o -")


def flames_in(name):
    return len(re.findall(r"<flame ", pathlib.Path(name).read_text()))


def stream(name):
    """What ffprobe says of the video, with the frames counted."""
    if not shutil.which("ffprobe"):
        raise Skip("no ffprobe here")
    return json.loads(run(f"ffprobe -v error -count_frames -select_streams v -show_streams -of json {name}"))["streams"][0]


def attribute(name, key, kind):
    """The bytes of an attribute of an OpenEXR file."""
    exr, head = bytes_of(name), f"{key}\0{kind}\0".encode()
    same(exr[:4], b"\x76\x2f\x31\x01")
    at = exr.index(head) + len(head)
    return exr[at + 4:at + 4 + struct.unpack_from("<I", exr, at)[0]]


class Viewed:
    """kiln view as the line starts it, and a page that talks to it (docs/inside/live-inside.md)."""

    def __init__(self, line, browser=" --no-browser"):
        words = line + ("" if browser in line else browser) + " --serve 127.0.0.1:0"
        self.program = subprocess.Popen(["bash", "-c", "exec " + words], stdout=subprocess.PIPE, text=True)
        self.address = self.program.stdout.readline().strip()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.program.terminate()
        self.program.wait(60)

    def connect(self):
        host, token = re.match(r"http://([^/]*)/\?token=(.*)", self.address).groups()
        self.socket = socket.create_connection(host.split(":"), 60)
        key = base64.b64encode(bytes(16)).decode()
        self.socket.sendall((f"GET /live?token={token} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nUpgrade: websocket\r\n"
                             f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
        self.stream = self.socket.makefile("rb")
        assert b" 101 " in self.stream.readline()
        while self.stream.readline() != b"\r\n":
            pass

    def send(self, message):
        data = json.dumps(message).encode()
        size = struct.pack(">B", 0x80 | len(data)) if len(data) < 126 else struct.pack(">BH", 0x80 | 126, len(data))
        self.socket.sendall(b"\x81" + size + bytes(4) + data)  # the mask is zeros

    def wait(self, kind):
        while True:
            first, size = self.stream.read(2)
            if size > 125:
                size = int.from_bytes(self.stream.read(2 if size == 126 else 8), "big")
            data = self.stream.read(size)
            if first == 0x81 and json.loads(data)["type"] == kind:
                return json.loads(data)


# ---- 1 to 30 ----

@task(1)
def draft(said):
    png("draft.png", 480, 270)
    assert mean("draft.png") > 5


@task(2)
def large(said):
    png("4k.png", 3840, 2160)


@task(3)
def for_a_compositor(said):
    png("layer.png", 640, 360, 16, alpha=True)


@task(4)
def folder(said):
    made = sorted(pathlib.Path("album").glob("*.png"))
    same(len(made), sum(flames_in(file) for file in pathlib.Path("flames").glob("*.flam3")))
    same({struct.unpack(">I", chunks(file)[0][1][:4])[0] for file in made}, {160})


@task(5)
def pack(said):
    assert '"drift" needs variation hexnix3D' in said and "1 picture, 1 failed" in said, said
    png("other_glaze.png", 160, 90)
    assert not pathlib.Path("other_drift.png").exists()


@task(6)
def blanks(said):
    assert 'name="red_rose"' in genome("red rose.png")  # as flam3 writes blanks
    run("kiln render flames/coral.flam3 -o coral_small.png --width 160 --quality 10")
    same_pixels("coral_small.png", "red rose.png")


@task(7)
def palette(said):
    run("kiln render flames/conch.flam3 -o by_number.png --palettes flames/palettes.xml --palette 3 --width 320 --quality 30")
    same_pixels("by_number.png", "dusk.png")
    assert psnr("dusk.png", plain()) < 40


def plain():
    run("kiln render flames/conch.flam3 -o plain.png --width 320 --quality 30")
    return "plain.png"


@task(8)
def look(said):
    assert mean("bright.png") > 1.2 * mean(plain())
    assert re.search(r'brightness="8"', genome("bright.png")) and re.search(r'gamma="4"', genome("bright.png"))


@task(9)
def background(said):
    data = pixels("evening.png")[2]  # the darkest pixels have little light over it
    for channel, behind in enumerate((0x10, 0x20, 0x40)):
        assert behind <= min(data[channel::3]) < behind + 8, min(data[channel::3])


@task(10)
def window(said):
    png("part.png", 160, 120)
    run("kiln render flames/conch.flam3 -o whole.png --size 640x360 --quality 30")
    width, _, whole = pixels("whole.png")
    rows = [whole[3 * (width * y + 300):3 * (width * y + 460)] for y in range(100, 220)]
    assert b"".join(rows) == pixels("part.png")[2]


@task(11)
def camera(said):
    assert 'rotate="30"' in genome("close.png") and 'zoom="1"' in genome("close.png"), genome("close.png")


@task(12)
def phone(said):
    png("phone.png", 540, 1200)


@task(13)
def goes_on(said):
    run("kiln render flames/conch.flam3 -o whole.png --width 320 --quality 20")
    same_pixels("whole.png", "still.png")
    line = "kiln render flames/conch.flam3 -o stopped.png --width 320 --quality 6000 --state stopped.kiln --checkpoint 60 --resume"
    for seconds in 1, 2, 4, 8:  # on a busy machine the first may be over before there is anything to keep
        run(f"timeout -s INT {seconds} {line} || [ $? = 124 ]")
        if pathlib.Path("stopped.kiln").exists():
            break
    assert pathlib.Path("stopped.kiln").exists(), "what was stopped kept nothing"
    run(line)
    run("kiln render flames/conch.flam3 -o whole.png --width 320 --quality 6000")
    same_pixels("whole.png", "stopped.png")


@task(14)
def picture_to_flame(said):
    same(flames_in("project.flam3"), 1)
    run("kiln render project.flam3 -o from_flame.png")
    same_pixels("draft.png", "from_flame.png")


@task(15)
def same_again(said):
    png("again.png", 320, 180, 16, alpha=True)
    same_pixels("coral.png", "again.png")


@task(16)
def formula(said):
    for part in ("julian_power", "julian_dist", "k = trunc(|power| U)", "flam3, variation 32"):
        assert part in said, said


@task(17)
def editor(line):
    with Viewed(line) as view:
        page = urllib.request.urlopen(view.address, timeout=60).read().decode()
        assert "<!doctype html>" in page.lower() and "kiln" in page


@task(18)
def contact_sheet(said):
    flames = sum(flames_in(file) for file in pathlib.Path("flames").glob("*.flam3"))
    assert f"{flames} flames" in said, said
    width, height = struct.unpack(">II", chunks("sheet.png")[0][1][:8])
    assert width // 120 * (height // 80) >= flames


@task(19)
def by_chance(said):
    same(flames_in("random.flam3"), 3)
    run("kiln random -n 3 -o random_again.flam3 --seed 7")
    same(bytes_of("random.flam3"), bytes_of("random_again.flam3"))
    run("kiln render random.flam3 -o 'random_{index}.png' --size 60x60 --quality 5")
    assert max(mean(f"random_{i}.png") for i in range(3)) > 2


@task(20)
def cousins(said):
    same(flames_in("cousins.flam3"), 4)
    run("kiln render cousins.flam3 -o 'mutant_{index}.png' --width 80 --quality 5")
    same(len({bytes_of(f"mutant_{i}.png") for i in range(4)}), 4)


@task(21)
def openexr(said):
    same(len(attribute("linear.exr", "chromaticities", "chromaticities")), 32)
    assert "<flame" in genome("linear.exr")
    same(struct.unpack("<4i", attribute("linear.exr", "dataWindow", "box2i")), (0, 0, 319, 179))


@task(22)
def loop(said):
    same(len(list(pathlib.Path("loop").glob("*.png"))), 24)
    steps = [psnr(f"loop/{i:04}.png", f"loop/{(i + 1) % 24:04}.png") for i in (11, 23)]
    assert abs(steps[0] - steps[1]) < 6, f"from the last frame to the first it jumps: {steps}"


@task(23)
def film(said):
    video = stream("tides.mp4")
    same((video["codec_name"], video["width"], video["color_space"]), ("h264", 160, "bt709"))
    same(int(video["nb_read_frames"]), 120)


@task(24)
def resumed(said):
    pathlib.Path("loop/0007.png").unlink()
    line = next(line for number, line, _ in lines_of_page() if number == 24)
    assert '"kept":23' in run(line + " --json")


@task(25)
def shards(said):
    run("kiln render flames/conch.flam3 -o whole.png --width 320 --quality 50")
    same_pixels("whole.png", "shards.png")


@task(26)
def cost(said):
    assert re.search(r"66.4 G samples, .* GiB of memory .*, about [0-9:]+", said), said


@task(27)
def python(said):
    run("kiln render flames/conch.flam3 -o whole.png --width 320 --quality 20")
    same(bytes_of("whole.png"), bytes_of("python.png"))


@task(28)
def farm(said):
    video = stream("farm.mp4")
    same((video["codec_name"], video["color_space"], int(video["nb_read_frames"])), ("h264", "bt709", 120))


@task(29)
def all_gpus(line):
    small = line.replace("--quality 1000", "--width 320 --quality 20")
    run(small.replace("all", "cpu,cpu"))
    run(small.replace("shared.png", "whole.png").replace("--devices all", "--backend cpu"))
    same_pixels("whole.png", "shared.png")


@task(30)
def wild(said):
    assert "needs variation hexnix3D" in said
    assert b'"approximate":["variation hexnix3D"]' in bytes_of("wild.png")


# ---- 31 to 50 ----

@task(31)
def poster(said):
    png("print.png", 936, 636)
    same(dict(chunks("print.png"))["pHYs"], struct.pack(">IIB", 5906, 5906, 1))


@task(32)
def morph(said):
    same(len(list(pathlib.Path("morph").glob("*.png"))), 24)
    run("kiln render flames/amoeba.flam3 -o amoeba.png --width 160 --quality 10")
    assert psnr("morph/0000.png", "amoeba.png") > 24 > 18 > psnr("morph/0023.png", "amoeba.png")


@task(33)
def gif(said):
    same(bytes_of("loop.gif")[:6], b"GIF89a")
    assert b"NETSCAPE2.0\x03\x01\x00\x00" in bytes_of("loop.gif")
    same(int(stream("loop.gif")["nb_read_frames"]), 12)


@task(34)
def film_with_alpha(said):
    video = stream("layer.mov")
    same((video["codec_name"], int(video["nb_read_frames"])), ("prores", 8))
    assert video["pix_fmt"].startswith("yuva444"), video["pix_fmt"]


@task(35)
def colors(said):
    same([round(x, 5) for x in struct.unpack("<8f", attribute("aces.exr", "chromaticities", "chromaticities"))],
         [0.713, 0.293, 0.165, 0.83, 0.128, 0.044, 0.32168, 0.33767])


@task(36)
def graded(said):
    assert mean("brighter.png") > 1.2 * mean("still.png")


@task(37)
def better(said):
    run("kiln render flames/conch.flam3 -o whole.png --width 320 --quality 50")
    same_pixels("whole.png", "better.png")


@task(38)
def noise(said):
    assert float(re.search(r"noise ([0-9.]+) %", said)[1]) <= 1, said
    png("good.png", 320, 180)


@task(39)
def wide(said):
    png("wide.png", 3440, 1440)


@task(40)
def single_files(said):
    for time in (0, 40, 80, 120):
        same(flames_in(f"one_tides_{time}.flam3"), 1)


@task(41)
def palettes(said):
    made = [f"palette_{name}.png" for name in ("dusk", "glacier", "11")]
    same(len({bytes_of(name) for name in made}), 3)
    assert max(psnr(made[0], made[1]), psnr(made[1], made[2])) < 40


@task(42)
def photo(said):
    run("kiln render flames/conch.flam3 -o own.png --width 160 --quality 10")
    assert psnr("photo.png", "own.png") < 40
    run("kiln render photo.png -o photo_again.png")
    same_pixels("photo.png", "photo_again.png")


@task(43)
def gradient(said):
    data = pixels("red.png")[2]
    assert max(data[0::3]) > 100 and max(data[1::3]) == max(data[2::3]), (max(data[0::3]), max(data[1::3]), max(data[2::3]))


@task(44)
def frames_for_blender(said):
    frames = sorted(pathlib.Path("exr").glob("*.exr"))
    same([frame.name for frame in frames], ["0000.exr", "0001.exr", "0002.exr", "0003.exr"])
    for frame in frames:
        assert b"R\0\x02\0\0\0" in attribute(frame, "channels", "chlist"), "R is no float"


@task(45)
def notebook(cell):
    kiln = python_package()
    shown = eval(cell, {"kiln": kiln})._repr_png_()
    same(struct.unpack(">II", shown[16:24]), (320, 180))


@task(46)
def under_the_hands(line):
    with Viewed(line) as view:
        view.connect()
        flame = view.wait("flame")["flame"]
        view.send({"type": "edit", "number": 1, "gesture": 1, "flame": re.sub(r'brightness="[^"]*"', 'brightness="9.5"', flame, count=1)})
        view.wait("flame")
        view.send({"type": "save", "name": "saved.flam3"})
        same(view.wait("saved")["name"], "saved.flam3")
    assert 'brightness="9.5"' in pathlib.Path("saved.flam3").read_text()
    run("kiln render saved.flam3 -o saved.png --width 80 --quality 5")


@task(47)
def over_night(said):
    png("night.png", 160, 90)
    same(struct.unpack(">I", chunks("morning.png")[0][1][:4]), (160,))
    assert "nothing.flam3" in said and not pathlib.Path("nothing.png").exists(), said


@task(48)
def all_around(said):
    png("around.png", 1024, 512)
    png("dome.png", 512, 512)
    png("pair.png", 960, 270)
    assert 'kiln_projection="sphere"' in genome("around.png")
    dome, row = pixels("dome.png")[2], 3 * 512
    assert not any(dome[:row // 4]) and any(dome[256 * row:257 * row]), "the corner is outside of the dome"
    # the middle of the sphere, seen as a plane by another program, is the picture of the plane
    run("ffmpeg -y -loglevel error -i around.png -vf v360=e:flat:h_fov=60:v_fov=36:w=160:h=90 seen.png")
    run(f"kiln render flames/wild/harbour.flame -o plane.png --set 'size=160 90' --quality 20 --set scale={160 / (2 * math.tan(math.radians(30)) / 0.32)}")
    assert psnr("seen.png", "plane.png") > 20, psnr("seen.png", "plane.png")
    for side, x in (("left", 0), ("right", 480)):
        run(f"ffmpeg -y -loglevel error -i pair.png -vf crop=480:270:{x}:0 {side}.png")
    assert 12 < psnr("left.png", "right.png") < 40, psnr("left.png", "right.png")


@task(49)
def signed(said):
    texts = [data for kind, data in chunks("signed.png") if kind in ("tEXt", "iTXt")]
    assert b"Author\0Anna Example" in texts and b"Copyright\0(c) 2026 Anna Example" in texts
    assert any(text.startswith(b"XML:com.adobe.xmp\0") and b"<rdf:li>Anna Example</rdf:li>" in text for text in texts)


@task(50)
def eight_k(said):
    png("8k.png", 7680, 4320)
    assert 'size="7680 4320"' in genome("8k.png"), genome("8k.png")[:300]


# ---- the page ----

@task(51)
def one_part(said):
    png("bent.png", 320, 180)
    assert ' julian="0.5"' in genome("bent.png")
    same(set(re.findall(r'color_speed="([^"]*)"', genome("bent.png"))), {"0"})


@task(52)
def differences(said):
    for line in ("gamma: 3.2, then 3", "xform.1.opacity: 1, then 0.5"):
        assert line in said, said


@task(53)
def twice(said):
    assert "tides.flam3#3 the same flame as flames/tides.flam3#0" in said, said


@task(54)
def as_it_was_made(said):
    assert "posted.png: same" in said and "right: 10 pictures" in said, said


@task(56)
def whose_light(said):
    first = re.search(r"  xform 3 +([0-9.]+) % of the light", said)
    assert first and 60 < float(first[1]) < 97, said
    assert "xform 3 after 3" in said, said


def python_package():
    try:
        import kiln
    except ImportError as why:
        raise Skip(f"no package for Python: {why}")
    return kiln


@task(55)
def service(line):
    with Viewed(line, browser="") as served:
        host, token = re.match(r"(http://[^/]*)/\?token=(.*)", served.address).groups()
        flame = bytes_of("flames/conch.flam3")
        asked = urllib.request.Request(f"{host}/render?width=64&quality=5", flame, {"Authorization": "Bearer " + token})
        with urllib.request.urlopen(asked, timeout=60) as answer:
            pathlib.Path("served.png").write_bytes(answer.read())
            run("kiln render flames/conch.flam3 -o of_command.png --width 64 --quality 5")
            same_pixels("served.png", "of_command.png")
            assert answer.headers["Kiln-Pixel-Hash"].encode() in bytes_of("served.png")


def lines_of_page():
    """Number, line and kind (sh, python) of the lines of each task."""
    page = (root / "docs/use/tasks.md").read_text()
    found = []
    for number, kind, block in re.findall(r"<!-- task (\d+) -->\n(?:<!-- not run: [^\n]* -->\n)?```(\w+)\n(.*?)```", page, re.S):
        found += [(int(number), line, kind) for line in block.replace("\\\n", "").splitlines()]
    return found


def result_of(lines, check):
    """Runs the lines of a task and then its check."""
    number, line, kind = lines[0]
    if kind == "python" or number in others_stop_it | {29}:
        return check(line)
    if number == 27:
        python_package()
    if number == 28:  # what the tasks of the farm do, of which the page tells just before
        run("for i in 1 2 3 4; do SLURM_ARRAY_TASK_ID=$i SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=4 bash examples/animate.sbatch "
            "flames/tides.flam3 farm --width 160 --quality 20 || exit 1; done")
    said = ""
    for _, line, _ in lines:
        exits = re.search(r"#.*exits (\d+)", line)
        said += run(line, int(exits[1]) if exits else 0)
    check(said)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kiln", required=True)
    parser.add_argument("--python", help="folder of the package kiln")
    parser.add_argument("numbers", nargs="*", type=int)
    args = parser.parse_args()
    lines = lines_of_page()
    numbers = [number for number in dict.fromkeys(number for number, _, _ in lines) if not args.numbers or number in args.numbers]
    same(set(checks), set(range(1, 57)))
    same({number for number, _, _ in lines}, set(checks))
    failed, skipped = [], []
    with tempfile.TemporaryDirectory(prefix="kiln-tasks-") as scratch:
        os.chdir(scratch)
        for name in ("flames", "examples", "scripts", "docs"):
            os.symlink(root / name, name)
        pathlib.Path("bin").mkdir()
        os.symlink(pathlib.Path(root, args.kiln).resolve(), "bin/kiln")
        os.symlink(sys.executable, "bin/python3")
        os.environ.update(PATH=f"{scratch}/bin:{os.environ['PATH']}", HOME=scratch, PYTHONPATH=args.python or "")
        sys.path.insert(0, args.python or scratch)
        for number in numbers:
            try:
                result_of([line for line in lines if line[0] == number], checks[number])
            except Skip as why:
                skipped.append(f"task {number}: {why}")
            except Exception as why:  # whatever it is, the other tasks are looked at
                failed.append(f"task {number}, {checks[number].__name__}: {type(why).__name__}: {why}")
        os.chdir(root)
    print("\n".join(skipped + failed))
    print(f"{len(numbers) - len(failed) - len(skipped)} tasks done, {len(failed)} failed, {len(skipped)} skipped")
    return 1 if failed or len(skipped) == len(numbers) else 0


if __name__ == "__main__":
    sys.exit(main())
