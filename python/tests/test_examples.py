# SPDX-License-Identifier: MIT
"""What examples/ has for ComfyUI and Blender: the nodes as they are, the add-on with a Blender that only remembers."""
import importlib.util
import pathlib
import sys
import types

import kiln
import numpy
import pytest

root = pathlib.Path(__file__).resolve().parent.parent.parent
triangle = root / "examples" / "triangle.flame"


def example(name):
    spec = importlib.util.spec_from_file_location("example_" + pathlib.Path(name).stem, root / "examples" / name)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def calls(monkeypatch):
    """Which functions of kiln were called, and with which options."""
    made = []

    def listened(name):
        function = getattr(kiln, name)

        def call(*given, **options):
            made.append((name, options))
            return function(*given, **options)
        monkeypatch.setattr(kiln, name, call)
    for name in ("load", "render", "animate"):
        listened(name)
    return made


def test_frames_know_how_many_they_are():
    flame = kiln.load(triangle)[0]
    frames = kiln.animate([flame], nframes=3, width=16)
    assert len(frames) == 3 and len(list(frames)) == 3
    assert len(kiln.animate([flame], nframes=3, frames=(number for number in (0, 2)))) == 2


def test_comfyui_renders_once_where_no_mask_is_wanted(calls):
    nodes = example("comfyui/kiln_nodes.py")
    text = triangle.read_text()
    for frames, function in ((1, "render"), (2, "animate")):
        del calls[:]
        image, mask = nodes.KilnRender().render(text, 32, 5.0, frames, 0)
        assert [name for name, _ in calls] == [function]
        assert tuple(image.shape) == (frames, 24, 32, 3) and tuple(mask.shape) == (frames, 24, 32)
        assert float(mask.min()) == 1
        again, alpha = nodes.KilnRender().render(text, 32, 5.0, frames, 0, mask=True)
        assert numpy.array_equal(again, image) and float(alpha.min()) == 0 and float(alpha.max()) > 0.5
    assert numpy.array_equal(numpy.asarray(nodes.KilnRender().render(text, 32, 5.0, 1, 0)[0][0]),
                             kiln.render(kiln.parse(text)[0], width=32, quality=5.0).pixels[..., :3].astype(numpy.float32) / 255)


class BlenderImage(dict):
    alpha_mode, colorspace_settings = "", types.SimpleNamespace(name="")

    def __init__(self, name, width, height, **_):
        self.name, self.size, self.made = name, (width, height), []
        self.pixels = types.SimpleNamespace(foreach_set=lambda values: self.made.append(numpy.array(values)))

    def scale(self, width, height):
        self.size = width, height

    def update(self):
        pass


class BlenderImages(list):
    def new(self, *given, **options):
        self.append(BlenderImage(*given, **options))
        return self[-1]


@pytest.fixture
def blender(monkeypatch):
    bpy = types.SimpleNamespace(
        path=types.SimpleNamespace(abspath=str), data=types.SimpleNamespace(images=BlenderImages()),
        app=types.SimpleNamespace(handlers=types.SimpleNamespace(persistent=lambda function: function)),
        props=types.SimpleNamespace(**{name: lambda **_: None for name in ("StringProperty", "IntProperty", "FloatProperty")}))
    names = types.SimpleNamespace(enum_items=("Linear", "sRGB"))
    space = types.SimpleNamespace(bl_rna=types.SimpleNamespace(properties={"name": names}))
    bpy.types = types.SimpleNamespace(Operator=object, Panel=object, ColorManagedInputColorspaceSettings=space)
    monkeypatch.setitem(sys.modules, "bpy", bpy)
    return bpy


def test_blender_plays_films_again_and_leaves_stills_alone(blender, calls, tmp_path):
    addon = example("blender/kiln_flames.py")
    flames = kiln.load(triangle) * 2
    flames = [flame.copy() for flame in flames]
    flames[1].time, flames[1].hue = 3, 0.5
    film = tmp_path / "film.flam3"
    film.write_text("<flames>" + "".join(flame.xml for flame in flames) + "</flames>")
    still = addon.new_image(str(triangle), 16, 2)
    moving = addon.new_image(str(film), 16, 2)
    assert (still["kiln_frames"], moving["kiln_frames"]) == (0, 3)
    addon.fill(still, 9)
    del calls[:]
    for frame in (1, 3, 4, 0):  # the first, the last, the first again, the last again
        addon.on_frame(types.SimpleNamespace(frame_current=frame))
    assert len(still.made) == 1, "a still is made again"
    assert [name for name, _ in calls] == ["load", "animate"] * 4, "files of stills are read again"
    first, last, again, before = moving.made
    assert numpy.array_equal(first, again) and numpy.array_equal(last, before) and not numpy.array_equal(first, last)
