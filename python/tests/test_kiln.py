# SPDX-License-Identifier: MIT
"""The Python package beside the program: the same files, arrays without a copy, renders that stop."""

import contextlib
import importlib.util
import json
import multiprocessing
import os
import pathlib
import pickle
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import tracemalloc
import wave

import numpy
import pytest

import kiln

root = pathlib.Path(__file__).resolve().parent.parent.parent
program = os.environ["KILN_PROGRAM"]
triangle = root / "examples" / "triangle.flame"


@pytest.fixture
def flame():
    return kiln.load(triangle)[0]


def slow():
    """Minutes of work."""
    flame = kiln.load(root / "flames" / "conch.flam3")[0]
    flame.width, flame.quality = 1280, 20000
    return flame


def test_a_file_is_that_of_the_program(flame, tmp_path):
    flame.gamma = 2.5
    kiln.render(flame, width=200, seed=3, bits=16, crop=(10, 20, 50, 40)).save(tmp_path / "a.png")
    subprocess.run([program, "render", triangle, "-o", tmp_path / "b.png", "--quiet", "--gamma", "2.5",
                    "--width", "200", "--seed", "3", "--bits", "16", "--crop", "10,20,50x40"], check=True,
                   stdout=subprocess.DEVNULL)
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


def test_a_print_says_how_large_it_is(flame):
    whole = kiln.render(flame)
    print_of = kiln.render(flame, dpi=300)
    assert print_of.hash == whole.hash and '"dpi":300' in print_of.record
    assert print_of.encode()[33:].split(b"pHYs")[1][:9] == b"\x00\x00\x2e\x23\x00\x00\x2e\x23\x01"
    with pytest.raises(kiln.Error, match="dpi must be 1 to 100000"):
        kiln.render(flame, dpi=0.5)
    with pytest.raises(kiln.UsageError, match="dpi='fine'"):
        kiln.render(flame, dpi="fine")


def test_a_file_says_who_made_it(flame, tmp_path):
    picture = kiln.render(flame)
    picture.save(tmp_path / "a.png", author="Anna Öz", title="Shells", copyright="(c) Anna", source="https://a.example")
    subprocess.run([program, "render", triangle, "-o", tmp_path / "b.png", "--quiet", "--author", "Anna Öz", "--title", "Shells",
                    "--copyright", "(c) Anna", "--source", "https://a.example"], check=True, stdout=subprocess.DEVNULL)
    signed = (tmp_path / "a.png").read_bytes()
    assert signed == (tmp_path / "b.png").read_bytes()
    assert picture.encode(author="Anna Öz", title="Shells", copyright="(c) Anna", source="https://a.example") == signed
    assert b"Anna" not in picture.encode()
    with pytest.raises(kiln.Error, match="author .*one line"):
        picture.encode(author="two\nlines")
    with pytest.raises(kiln.UsageError, match="title=5: is no text"):
        picture.save(tmp_path / "c.png", title=5)
    assert not (tmp_path / "c.png").exists()


def test_frames_are_those_of_the_program(flame, tmp_path):
    flame.temporal_samples = 3
    subprocess.run([program, "animate", triangle, "-o", tmp_path / "#.png", "--sequence", "--loop", "--nframes",
                    "4", "--temporal-samples", "3", "--quiet"], check=True, stdout=subprocess.DEVNULL)
    frames = kiln.animate([flame], nframes=4, loop=True)
    assert iter(frames) is frames
    count = 0
    for picture in frames:
        assert picture.encode() == (tmp_path / f"{picture.frame}.png").read_bytes()
        assert picture.time == picture.frame
        count += 1
    assert count == 4
    assert [p.frame for p in kiln.animate([flame], nframes=4, loop=True, frames=[1, 3])] == [1, 3]


@pytest.mark.parametrize("last", [4, 1])  # a film of keys, and the frames of a sequence
def test_key_flames_of_other_shapes_have_a_width_as_in_the_program(flame, tmp_path, last):
    other = flame.copy()
    other._scene.set("size", "40 60")
    other.time, flame.time = last, 0
    flame.temporal_samples = other.temporal_samples = 1
    third = other.copy()
    third.time = last + 1
    keys = tmp_path / "keys.flam3"
    keys.write_text("<flames>" + flame.xml + other.xml + third.xml + "</flames>")
    subprocess.run([program, "animate", keys, "-o", tmp_path / "#.png", "--quiet", "--width", "80"], check=True,
                   stdout=subprocess.DEVNULL)
    made = list(kiln.animate([flame, other, third], width=80))
    assert len(made) == last + 1
    for picture in made:
        assert picture.encode() == (tmp_path / f"{picture.frame}.png").read_bytes()
    assert other.height == 60  # what is given stays as it is


def test_sequences_have_easing_hold_and_beats(flame, tmp_path):
    other = flame.copy()
    other.brightness = flame.brightness * 2
    other.time = 1
    def program_makes(*words):
        pair = tmp_path / "pair.flam3"
        pair.write_text("<flames>" + flame.xml + other.xml + "</flames>")
        subprocess.run([program, "animate", pair, "-o", tmp_path / "#.png", "--sequence", "--loops", "0", "--quiet",
                        "--temporal-samples", "1", "--width", "80", *words], check=True, stdout=subprocess.DEVNULL)
    def same(count, **words):
        made = list(kiln.animate([flame, other], loops=0, width=80, **words))
        assert len(made) == count
        for picture in made:
            assert picture.encode() == (tmp_path / f"{picture.frame}.png").read_bytes()
        return [picture.hash for picture in made]
    flame.temporal_samples = other.temporal_samples = 1
    program_makes("--nframes", "4", "--easing", "ease-in", "--hold", "2")
    eased = same(8, nframes=4, easing="ease-in", hold=2)
    assert len(set(eased)) > 4
    assert eased != [p.hash for p in kiln.animate([flame, other], loops=0, width=80, nframes=4, hold=2)]
    program_makes("--bpm", "300", "--beats", "1", "--fps", "24")
    same(5, bpm=300, beats=1, fps=24)  # 4.8 frames
    for wrong, said in (({"easing": "ease-in"}, "of a sequence"), ({"bpm": 120, "nframes": 4}, "in place of nframes"),
                        ({"bpm": 0}, "above 0"), ({"nframes": 4, "easing": "soon"}, "easing soon: must be")):
        with pytest.raises(kiln.Error, match=said):
            list(kiln.animate([flame], **wrong))


def test_arrays_are_the_pictures_memory(flame):
    for options, kind in (({}, numpy.uint8), ({"bits": 16}, numpy.uint16), ({"linear": True}, numpy.float32)):
        picture = kiln.render(flame, **options)
        assert picture.pixels.dtype == kind
        assert picture.pixels.shape == (flame.height, flame.width, 4)
        assert picture.pixels.ctypes.data == picture.pixels.ctypes.data
        assert not picture.pixels.flags.writeable and picture.pixels.base is not None
        assert numpy.shares_memory(numpy.asarray(picture), picture.pixels)
        assert (picture.hits is None) == (kind != numpy.float32)
    assert picture.hits.shape == (flame.height, flame.width) and picture.hits.sum() > 0
    pixels = picture.pixels
    mean = float(pixels.mean())
    del picture  # the array keeps what it shows
    kiln.render(flame, seed=9, linear=True)
    assert float(pixels.mean()) == mean


def test_a_large_picture_is_there_once(flame):
    """Python itself allocates nothing of a picture's size."""
    tracemalloc.start()
    pixels = kiln.render(flame, width=2000, quality=1).pixels
    assert pixels.nbytes == 2000 * 1500 * 4
    assert tracemalloc.get_traced_memory()[1] < 100_000
    tracemalloc.stop()


def test_properties_are_what_the_file_says(flame):
    assert (flame.name, flame.size, flame.center, flame.gamma) == ("triangle", (160, 120), (0.5, 0.5), 4.0)
    assert flame.bloom == (0.0, 2.0, 0.0) and flame.interpolation == "linear"
    for name in kiln.Flame.__dict__:
        kind = kiln.Flame.__dict__[name]
        if not isinstance(kind, property):
            continue
        assert kind.__doc__, name
        if kind.fset and name not in ("hue",):
            value = getattr(flame, name)
            setattr(flame, name, value)  # what is read can be said
            same = getattr(flame, name) == value
            assert same.all() if isinstance(same, numpy.ndarray) else same, name
    flame.brightness, flame.background, flame.bloom = 1 / 7, (0.1, 0.2, 0.3), (0.25, 4, 0)
    again = kiln.parse(flame.xml)[0]
    assert (again.brightness, again.background, again.bloom) == (1 / 7, (0.1, 0.2, 0.3), (0.25, 4.0, 0.0))
    copy = flame.copy()
    copy.width = 320
    assert (copy.height, flame.width) == (240, 160)
    flame.set_palette(f"{root}/flames/palettes.xml#dusk")
    assert kiln.render(flame).hash != kiln.render(copy, width=160).hash


def test_flames_by_chance():
    flames = kiln.random(2, seed=5)
    assert [flame.name for flame in flames] == ["random-5", "random-6"]
    assert kiln.random(1, seed=6)[0].xml == flames[1].xml
    assert len(kiln.mutate(flames[0], 3, strength=0.2, direction="palette")) == 3
    assert len(kiln.breed(flames, 2, method="graft")) == 2
    with pytest.raises(kiln.Error):
        kiln.mutate(flames[0], direction="sideways")


def test_the_light_of_a_place_has_names(flame):
    light = flame.light_at(flame.width / 2, flame.height / 2, radius=flame.width)
    assert light["points"] > 1000 and abs(sum(one["light"] for one in light["xforms"]) - 1) < 1e-6
    assert abs(sum(one["light"] for one in light["ways"]) - 1) < 1e-6
    assert {one["xform"] for one in light["xforms"]} <= set(range(len(flame.xforms)))
    assert flame.light_at(flame.width / 2, flame.height / 2, radius=flame.width, threads=1) == light
    assert flame.light_at(flame.width / 2, flame.height / 2, radius=flame.width, seed=5) != light
    with pytest.raises(kiln.Error, match="outside of the picture"):
        flame.light_at(-1, 5)


def test_previews_are_the_pixels_of_renders():
    flames = kiln.random(3, seed=5)
    pixels = kiln.previews(flames, 32, 32, 5)
    assert pixels.shape == (3, 32, 32, 4) and pixels.dtype == "uint8"
    for flame, small in zip(flames, pixels):
        flame.width = 32
        flame.size, flame.quality = (32, 32), 5
        assert (kiln.render(flame).pixels == small).all()
    assert kiln.previews([], 32, 32, 5).shape == (0, 32, 32, 4)
    assert (kiln.previews(flames[:1], 32, 32, 5, seed=1) != pixels[:1]).any()
    with pytest.raises(kiln.Error):
        kiln.previews(flames, 0, 32, 5)


def test_a_song_is_heard(tmp_path):
    if shutil.which("ffmpeg") is None:
        pytest.skip("there is no ffmpeg")
    path = tmp_path / "clicks.wav"
    with wave.open(str(path), "wb") as song:
        song.setnchannels(1)
        song.setsampwidth(2)
        song.setframerate(22050)
        samples = numpy.zeros(22050 * 10, numpy.int16)
        for beat in range(20):
            at = int((0.25 + beat * 0.5) * 22050)
            samples[at:at + 60] = 20000 * (-1) ** numpy.arange(60)
        song.writeframes(samples.tobytes())
    song = kiln.listen(path, fps=25)
    assert abs(song.bpm - 120) < 0.5 and abs(song.seconds - 10) < 0.01 and len(song.beats) == 20
    assert numpy.abs(song.beats - (0.25 + 0.5 * numpy.arange(20))).max() < 0.02
    assert song.bass.shape == (250,) and song.bass.dtype == "float32" and song.beat.sum() == 20
    assert song.loudness.max() <= 1 and song.tracks["bar"].sum() == len(song.bars)
    with pytest.raises(kiln.Error):
        kiln.listen(tmp_path / "none.wav")
    with pytest.raises(kiln.Error):
        kiln.listen(path, fps=0)


def test_stubs_are_the_table_of_attributes():
    stub = (pathlib.Path(kiln.__file__).parent / "__init__.pyi").read_text()
    flame = stub[stub.index("class Flame:"):stub.index("class Points(")]
    kinds = {"float": "number", "int": "whole", "Tuple[int, int]": "wholes"}
    stubs = {name: "numbers" if kind.startswith("Tuple[float") else kinds.get(kind, kind)
             for name, kind in re.findall(r"^    (\w+): (.+)$", flame, re.M)}
    table = {row["name"].removeprefix("kiln_"): row for row in json.loads(kiln._kiln.attributes())}
    types = {name: {"word": "str", "text": "str"}.get(row["type"], row["type"]) for name, row in table.items()
             if row["type"] != "special"}
    assert stubs == {**types, "width": "whole"}
    for name, value in kiln.Flame.__dict__.items():
        if isinstance(value, property):
            assert re.search(rf"^    (def )?{name}[:(]", flame, re.M), name
            assert name not in types or table[name]["help"] in value.__doc__


def test_stubs_name_every_option():
    stub = (pathlib.Path(kiln.__file__).parent / "__init__.pyi").read_text()
    assert len(kiln._kiln.settings) > 10
    usual = kiln._kiln.Options()
    for name, member in kiln._kiln.settings.items():
        kind = re.search(rf"^    {name}: (.+)$", stub, re.M)
        assert kind, name
        if not kind[1].startswith("Optional"):
            assert kind[1] == type(getattr(usual, member)).__name__, name
        assert name in kiln.render.__doc__, name


def test_what_is_wrong_has_a_kind(flame, tmp_path):
    for kind, wrong in (("usage", lambda: setattr(flame, "filter_shape", "round")),
                        ("usage", lambda: kiln.render(flame, bits=12)),
                        ("usage", lambda: kiln.render(flame, crop=(0, 0, 9999, 1))),
                        ("input", lambda: kiln.load(tmp_path / "none.flame")),
                        ("input", lambda: kiln.parse("<flame size='1'/>")),
                        ("unsupported", lambda: kiln.parse(flame.xml.replace("linear", "plasma_swirl"))),
                        ("output", lambda: kiln.render(flame).save(tmp_path / "no" / "folder.png")),
                        ("usage", lambda: kiln.render(flame, linear=True).save(tmp_path / "a.png"))):
        with pytest.raises(kiln.Error) as raised:
            wrong()
        assert raised.value.kind == kind, str(raised.value)
    with pytest.warns(UserWarning, match="plasma_swirl"):
        kiln.parse(flame.xml.replace("linear", "plasma_swirl", 1), approximate=True)
    assert flame.flam3_xml() == flame.xml
    flame.bloom = (0.5, 2, 0)
    with pytest.raises(kiln.Error, match="setting kiln_bloom"):
        flame.flam3_xml()
    with pytest.warns(UserWarning, match="kiln_bloom"):
        assert "kiln_bloom" not in flame.flam3_xml(approximate=True)
    with pytest.raises(ValueError):
        kiln.Session(backend="gpu")


def test_a_wrong_call_is_told_the_right_one(flame, tmp_path):
    two = tmp_path / "two.flame"
    two.write_text(f"<flames>{flame.xml}{flame.xml}</flames>")
    for wrong, said in ((lambda: kiln.render(flame, widht=100), "render() has no 'widht': did you mean 'width'?"),
                        (lambda: kiln.render_shard(flame, "a.kiln", 1, 2, sead=1), "did you mean 'seed'"),
                        (lambda: kiln.grade(flame, "a.kiln", bitts=1), "did you mean 'bits'"),
                        (lambda: kiln.animate([flame], nframe=2), "did you mean 'nframes'"),
                        (lambda: kiln.render(flame, xyzzy=1), "help(kiln.render)"),
                        (lambda: kiln.render(flame, seed="one"), "seed='one'"),
                        (lambda: kiln.render(flame, crop=5), "crop=5"),
                        (lambda: kiln.render([flame]), "[0]"),
                        (lambda: kiln.render(None), "not NoneType"),
                        (lambda: kiln.render(two), "has 2 flames: kiln.load("),
                        (lambda: kiln.render(flame, session="cpu"), "is not a kiln.Session"),
                        (lambda: kiln.animate(flame), "[flame]"),
                        (lambda: kiln.Session(backend="gpu"), "automatic, cpu or cuda")):
        with pytest.raises(kiln.Error) as raised:
            wrong()
        assert said in str(raised.value) and raised.value.kind == "usage", str(raised.value)
        assert isinstance(raised.value, TypeError) and isinstance(raised.value, ValueError)


def test_a_file_is_its_flame(flame, tmp_path):
    for path in (triangle, str(triangle)):
        assert kiln.render(path, width=80).hash == kiln.render(flame, width=80).hash
    assert [p.hash for p in kiln.animate(triangle, nframes=2, width=80)] == \
        [p.hash for p in kiln.animate([flame], nframes=2, width=80)]
    with pytest.raises(kiln.Error) as raised:
        kiln.render(tmp_path / "none.flame")
    assert raised.value.kind == "input"


def child_is_well(work):
    """Whether `work` is true in a child of fork(), within a minute."""
    child = os.fork()
    if not child:
        signal.alarm(60)
        try:
            os._exit(0 if work() else 1)
        finally:
            os._exit(2)
    return os.waitpid(child, 0)[1] == 0


def test_a_child_of_fork_renders(flame):
    session = kiln.Session(backend="cpu", threads=2)
    whole = kiln.render(flame, session=session).hash
    assert child_is_well(lambda: kiln.render(flame, session=session).hash == whole)
    if kiln.devices()[1:]:  # what opens a GPU here
        assert kiln.render(flame).hash == whole

        def refused():
            with pytest.raises(kiln.Error, match="spawn"):
                kiln.render(flame)
            return kiln.render(flame, session=kiln.Session(backend="cpu")).hash == whole

        assert child_is_well(refused)
    else:
        assert kiln.render(flame).hash == whole
        with multiprocessing.get_context("fork").Pool(2) as pool:
            assert pool.map_async(hash_of, [flame.xml] * 4).get(timeout=60) == [whole] * 4


def hash_of(xml):
    return kiln.render(kiln.parse(xml)[0]).hash


def test_a_child_renders_while_a_thread_of_its_parent_does(flame):
    session = kiln.Session(backend="cpu", threads=2)
    whole = kiln.render(flame, session=session).hash
    with another_thread_renders(session):
        assert child_is_well(lambda: kiln.render(flame, session=session).hash == whole)


@contextlib.contextmanager
def another_thread_renders(session):
    """Within it, for a minute at most; gives that thread."""
    begun, enough = threading.Event(), threading.Event()
    end = time.monotonic() + 60

    def watch(*news):
        begun.set()
        if enough.is_set() or time.monotonic() > end:
            raise StopIteration

    def work():
        with pytest.raises(StopIteration):
            kiln.render(slow(), session=session, progress=watch)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        assert begun.wait(60)
        yield thread
    finally:
        enough.set()
        thread.join()


def test_ctrl_c_ends_the_wait_for_a_busy_device(flame):
    session = kiln.Session(backend="cpu", threads=1)
    with another_thread_renders(session) as other:
        timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            kiln.render(flame, session=session)
        assert other.is_alive()
        timer.join()


def test_pictures_show_themselves(flame):
    signature = b"\x89PNG\r\n\x1a\n"
    assert kiln.render(flame)._repr_png_().startswith(signature)
    assert flame._repr_png_().startswith(signature)
    assert kiln.render(flame, linear=True)._repr_png_() is None
    assert "triangle" in repr(flame) and "160 x 120" in repr(kiln.render(flame))
    wide = flame.copy()
    wide.width = 960
    shown = [int.from_bytes(one._repr_png_()[16:20], "big") for one in (flame, wide)]
    assert shown == [160, 480], "as wide as it is, at most 480"
    assert (wide.width, wide.quality) == (960, flame.quality)


def test_progress_is_told(capsys):
    flame = kiln.load(root / "flames" / "conch.flam3")[0]
    told = []
    kiln.render(flame, width=640, quality=200, progress=lambda *news: told.append(news))
    assert told and all(0 <= done <= 1 for done, _, _ in told) and told[0][2] == "iterate"
    kiln.render(flame, width=640, quality=200, progress=True)
    assert "s to go" in capsys.readouterr().err


def test_a_flame_that_is_changed_meanwhile_is_the_next_picture():
    flame = kiln.load(root / "flames" / "conch.flam3")[0]
    flame.width, flame.quality, flame.name = 640, 200, "before"

    def change(*news):
        flame.name = "after"

    assert 'name="before"' in kiln.render(flame, progress=change)._native.genome
    assert flame.name == "after"


def test_an_exception_of_progress_ends_the_render():
    class Enough(Exception):
        pass

    def enough(done, remaining_s, stage):
        raise Enough

    with pytest.raises(Enough):
        kiln.render(slow(), progress=enough)


def test_ctrl_c_ends_the_render_within_a_tenth_of_a_second():
    delays = []
    for _ in range(3):  # a busy machine may take the thread away for longer than the limit
        asked = []

        def interrupt():
            asked.append(time.monotonic())
            os.kill(os.getpid(), signal.SIGINT)

        timer = threading.Timer(0.5, interrupt)
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            kiln.render(slow())
        delays.append(time.monotonic() - asked[0])
        timer.join()
    assert min(delays) < 0.1, delays


def test_a_state_goes_on(tmp_path):
    flame = kiln.load(root / "flames" / "conch.flam3")[0]
    flame.width, flame.quality = 320, 4000
    state = tmp_path / "a.kiln"

    class Enough(Exception):
        pass

    def enough(*news):
        raise Enough

    with pytest.raises(Enough):
        kiln.render(flame, state=state, progress=enough)
    assert [path.name for path in tmp_path.iterdir()] == ["a.kiln"]
    picture = kiln.render(flame, state=state)
    assert 0 < picture.statistics["earlier_samples"] < picture.statistics["samples"]
    assert picture.encode() == kiln.render(flame).encode()
    again = kiln.load(state)[0]
    again.gamma = 2
    graded = kiln.grade(again, state, bits=16)
    assert graded.encode() == kiln.render(again, bits=16).encode()
    with pytest.raises(kiln.Error, match="a.kiln: the state is of another flame, seed"):
        kiln.render(flame, state=state, seed=1)


def test_it_ends_when_it_is_good_or_out_of_time(flame, tmp_path):
    good = kiln.render(flame, width=320, until_noise=0.0004)
    said = good.statistics
    assert said["ended_by"] == "noise" and 0 < said["noise"] + said["noise_error"] <= 0.0004
    plain = kiln.render(flame, width=320, quality=said["quality"])
    assert plain.hash == good.hash and plain.statistics["samples"] == said["samples"]
    assert plain.statistics["noise"] is None and plain.statistics["ended_by"] == ""
    subprocess.run([program, "render", triangle, "-o", tmp_path / "b.png", "--quiet", "--width", "320",
                    "--until-noise", "0.04"], check=True, stdout=subprocess.DEVNULL)
    assert good.encode() == (tmp_path / "b.png").read_bytes()
    most = kiln.render(flame, width=320, quality=20, until_noise=1e-5)
    assert most.statistics["quality"] == 20 and most.statistics["ended_by"] == ""
    soon = kiln.render(flame, width=320, quality=1e7, time_limit=0.2, halves=True)
    assert soon.statistics["ended_by"] == "time" and soon.statistics["noise"] > 0
    with pytest.raises(kiln.Error) as raised:
        kiln.render(flame, until_noise=2)
    assert raised.value.kind == "usage"


def test_shards_are_the_picture(tmp_path):
    flame = kiln.load(root / "flames" / "conch.flam3")[0]
    flame.width, flame.quality = 320, 200
    states = [tmp_path / f"{number}.kiln" for number in (1, 2)]
    said = [kiln.render_shard(flame, state, number, 2) for number, state in enumerate(states, 1)]
    kiln.merge(states, tmp_path / "all.kiln")
    picture = kiln.grade(flame, tmp_path / "all.kiln")
    assert picture.hash == kiln.render(flame).hash
    assert 0 < said[0]["samples"] < picture.statistics["samples"]
    for kind, wrong in (("usage", lambda: kiln.render_shard(flame, tmp_path / "3.kiln", 3, 2)),
                        ("usage", lambda: kiln.render_shard(flame, tmp_path / "3.kiln", 1, 2, time_limit=1)),
                        ("input", lambda: kiln.merge([states[0], states[0]], tmp_path / "b.kiln")),
                        ("input", lambda: kiln.grade(flame, states[0]))):
        with pytest.raises(kiln.Error) as raised:
            wrong()
        assert raised.value.kind == kind, str(raised.value)
    assert not (tmp_path / "b.kiln").exists()


def test_devices_are_listed(flame):
    devices = kiln.devices()
    assert devices[0]["kind"] == "cpu" and devices[0]["memory_bytes"] > 0
    if len(devices) == 1:
        with pytest.raises(kiln.Error) as raised:
            kiln.Session(devices="all")
        assert raised.value.kind == "device"
    else:
        assert kiln.render(flame, session=kiln.Session(devices="all")).hash == kiln.render(flame).hash


def test_devices_share_a_picture(flame):
    shared = kiln.Session(backend="cpu", threads=1, devices=[0, 0])
    one, both = kiln.render(flame), kiln.render(flame, session=shared)
    assert both.hash == one.hash and both.statistics["device"] != one.statistics["device"]


def test_other_threads_run_meanwhile(flame):
    counts = [0]
    done = threading.Event()

    def count():
        while not done.is_set():
            counts[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    start = time.monotonic()
    kiln.render(kiln.load(root / "flames" / "conch.flam3")[0], width=640, quality=200)
    seconds = time.monotonic() - start
    done.set()
    thread.join()
    assert counts[0] > 20 * seconds


def test_sessions_are_for_all_threads(flame):
    session = kiln.Session(backend="cpu", threads=2)
    assert session.device.startswith("cpu")
    whole = kiln.render(flame).hash
    hashes = []
    threads = [threading.Thread(target=lambda: hashes.append(kiln.render(flame, session=session).hash))
               for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert hashes == [whole] * 4


def test_the_page_runs(tmp_path, monkeypatch):
    """Every block of docs/use/python.md, in order."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "flames").symlink_to(root / "flames")
    blocks = re.findall(r"^```python\n(.*?)^```$", (root / "docs" / "use" / "python.md").read_text(), re.M | re.S)
    assert len(blocks) >= 5
    names = {}
    for block in blocks:
        if block.startswith("import matplotlib") and not importlib.util.find_spec("matplotlib"):
            continue
        exec(compile(block, "docs/use/python.md", "exec"), names)
    assert (tmp_path / "conch.png").stat().st_size > 1000


def test_the_version_is_the_programs():
    said = subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout
    assert kiln.__version__ in said


def test_a_picture_is_saved_as_its_name_says_and_over_no_flames(flame, tmp_path):
    picture = kiln.render(flame, width=32, quality=1)
    mine = tmp_path / "mine.flam3"
    mine.write_text(flame.xml)
    for name in ("mine.flam3", "a.gif", "a.exr", "a"):
        with pytest.raises(kiln.Error) as said:
            picture.save(tmp_path / name)
        assert said.value.kind == "usage"
    assert mine.read_text() == flame.xml and [path.name for path in tmp_path.iterdir()] == ["mine.flam3"]


def test_flames_are_pickled_and_compared(flame):
    copy = pickle.loads(pickle.dumps(flame))
    assert copy == flame and copy is not flame
    copy.gamma = 2.25
    assert copy != flame and flame != flame.xml
    picture = kiln.render(flame, width=32, quality=5)
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(small_hash, [flame]) == [picture.hash]


def test_a_pickled_flame_keeps_the_shape_of_its_pixels(tmp_path):
    picture = tmp_path / "wide.png"
    subprocess.run([program, "render", triangle, "-o", picture, "--quiet", "--width", "32", "--pixel-aspect", "2"], check=True)
    wide = kiln.load(picture)[0]
    copy = pickle.loads(pickle.dumps(wide))
    assert copy == wide and copy != kiln.parse(wide.xml)[0]
    assert small_hash(copy) == small_hash(wide)


def small_hash(flame):
    return kiln.render(flame, width=32, quality=5).hash


def test_colors_are_a_palette(flame):
    flame.set_palette(numpy.array([[0, 0, 0], [255, 0, 51]], dtype=numpy.uint8))
    whole = flame.xml
    flame.set_palette(numpy.array([[0, 0, 0, 1], [1, 0, 0.2, 1]]))
    assert flame.xml == whole
    flame.set_palette([[0, 0, 0], [1, 0, 0.2]])
    assert flame.xml == whole
    for wrong in (numpy.zeros((256, 2)), numpy.zeros(3), [[2.0, 0, 0]], [["red"]], None):
        with pytest.raises(kiln.Error):
            flame.set_palette(wrong)
    assert flame.xml == whole


def test_slips_are_named(flame):
    for call, part in ((lambda: kiln.render(flame.xml), "kiln.parse"),
                       (lambda: kiln.random(n=3), "random(count=1, seed=0)"),
                       (lambda: kiln.random("many"), "random(count=1, seed=0)"),
                       (lambda: kiln.breed(flame), "a list of flames")):
        with pytest.raises(kiln.UsageError) as said:
            call()
        assert part in str(said.value) and len(str(said.value)) < 300
    with pytest.raises(kiln.Error, match="1 to 2000 pixels"):
        kiln.previews([flame], 64000, 64000, 1)
