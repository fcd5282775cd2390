#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The window of kiln view on a desk of its own (Xvfb), with mouse and keys as a hand has them.

    window_test.py --kiln build/kiln [--picture FILE.png] [TEST ...]

Needs Debian's xvfb, xauth, xdotool, libglfw3 and libgl1-mesa-dri, and a kiln with the window: says so and exits with 77 (skipped)
where one is missing. With KILN_TEST_WINDOW the program reads back what the window shows of a finished picture and says
its hash, which has to be the one of `kiln render` of the saved file. --picture keeps a screenshot (ImageMagick's import).
"""
import json
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import xml.etree.ElementTree as ET

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "bench"))
from view_latency import Socket  # noqa: E402: a page's end of a WebSocket

SECONDS = int(os.environ.get("KILN_PAGE_SECONDS", "60"))  # longer waits are a failure
KILN, PICTURE = "", ""

FLAME = """<flame name="{name}" size="320 180" center="0.2 0.1" scale="60" rotate="{rotate}" quality="20" brightness="5" gamma="3"
  estimator_radius="5" background="0 0 0" palette_mode="linear">
  <xform weight="2" color="0.1" color_speed="0.4" julian="0.8" julian_power="3" julian_dist="-0.7"
    coefs="0.3 -0.5 0.5 0.3 -0.4 0.1"/>
  <xform weight="1" color="0.9" color_speed="0.5" spherical="0.3" linear="0.6" coefs="0.5 0.2 -0.2 0.5 0.6 -0.2"/>
  <color index="0" rgb="20 30 60"/><color index="128" rgb="240 160 60"/><color index="255" rgb="160 220 250"/>
</flame>
"""


class Window:
    """kiln view --window in a folder of its own."""

    def __init__(self, flames, options=()):
        self.folder = tempfile.mkdtemp(prefix="kiln-window-")
        for i, text in enumerate(flames):
            with open(self.path(f"in{i}.flam3"), "w") as file:
                file.write(text)
        names = [f"in{i}.flam3" for i in range(len(flames))]
        self.process = subprocess.Popen([KILN, "view", "--window", *names, "--backend", "cpu", *options], cwd=self.folder, text=True,
                                        env=dict(os.environ, KILN_TEST_WINDOW="1"), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.lines = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()

    def path(self, name):
        return os.path.join(self.folder, name)

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line.strip())

    def line(self):
        try:
            return self.lines.get(timeout=SECONDS)
        except queue.Empty:
            raise AssertionError("the program said nothing more") from None

    def close(self):
        self.process.terminate()
        self.process.wait(SECONDS)
        self.process.stdout.close()
        shutil.rmtree(self.folder)


def hand(*words):
    """One thing after the other, by xdotool."""
    subprocess.run(["xdotool", *map(str, words)], check=True)


class Desk(unittest.TestCase):
    """What the tests say."""
    options = ()
    flames = [FLAME.format(name="rose", rotate=0), FLAME.format(name="other", rotate=30)]

    def setUp(self):
        self.window = Window(self.flames, self.options)
        self.addCleanup(self.window.close)
        self.begin()
        self.first = self.settled()
        hand("search", "--sync", "--onlyvisible", "--name", "kiln", "mousemove", "--window", "%1", 100, 60)

    def begin(self):
        pass

    def line(self):
        """What the program says next. Of a finished picture `shown` becomes the hash."""
        line = self.window.line()
        if line.startswith("settled "):
            self.shown = line.split()[1]
        return line

    def settled(self, other_than=None):
        """The hash of the next finished picture; `other_than`: of one that was there before."""
        while not self.line().startswith("settled ") or self.shown == other_than:
            pass
        return self.shown

    def saved(self, key="s"):
        hand("key", key)
        while (line := self.line()).startswith("settled "):
            pass
        return self.window.path(line)

    def rendered(self, path):
        # --force: the picture of one flame stands where that of another is wanted
        out = subprocess.run([KILN, "render", path, "-o", self.window.path("rendered.png"), "--force", "--backend", "cpu", "--json"],
                             check=True, stdout=subprocess.PIPE, text=True).stdout
        return json.loads(out)["pictures"][0]["pixel_hash"]

    def assert_shown_is_rendered(self):
        """What is saved now has the picture that is shown, or comes to be: slow hands have pictures on the way."""
        path = self.saved()
        wanted = self.rendered(path)
        while self.shown != wanted:
            self.settled()
        return ET.parse(path).getroot().find(".//flame")

    def center(self, flame):
        return [float(number) for number in flame.get("center").split()]


class WindowTest(Desk):
    def test_shows_the_picture_of_a_render(self):
        self.assertEqual(self.first, self.rendered(self.window.path("in0.flam3")))
        if PICTURE:
            subprocess.run(["import", "-window", "root", PICTURE], check=True)

    def test_a_drag_moves_the_camera_and_is_one_step_of_undo(self):
        hand("mousedown", 1, "mousemove_relative", 20, 10, "mousemove_relative", 10, 5, "mouseup", 1)
        self.settled(self.first)
        x, y = self.center(self.assert_shown_is_rendered())
        shown = self.shown
        self.assertAlmostEqual(x, 0.2 - 30 / 60, delta=0.02)
        self.assertAlmostEqual(y, 0.1 - 15 / 60, delta=0.02)
        hand("key", "z")
        self.assertEqual(self.settled(shown), self.first)
        hand("key", "shift+z")
        self.assertEqual(self.settled(self.first), shown)

    def test_the_wheel_keeps_what_is_under_the_mouse(self):
        hand("click", 4, "click", 4)
        self.settled(self.first)
        flame = self.assert_shown_is_rendered()
        scale, (x, y) = float(flame.get("scale")), self.center(flame)
        self.assertAlmostEqual(scale, 60 * 1.1 ** 2, places=6)
        for now, before, shift in ((x, 0.2, 100 - 160), (y, 0.1, 60 - 90)):  # pixels from the middle
            self.assertAlmostEqual(now + shift / scale, before + shift / 60, delta=0.02)

    def test_shift_and_drag_turn(self):
        hand("keydown", "Shift_L", "mousedown", 1, "mousemove_relative", 60, 0, "mouseup", 1, "keyup", "Shift_L")
        self.settled(self.first)
        flame = self.assert_shown_is_rendered()
        # from (-60, -30) to (0, -30) about the middle
        self.assertAlmostEqual(float(flame.get("rotate")), 63.4, delta=2)

    def test_keys(self):
        hand("key", "b")
        bright = self.settled(self.first)
        self.assertAlmostEqual(float(self.assert_shown_is_rendered().get("brightness")), 5.5)
        hand("key", "shift+g")
        dark = self.settled(bright)
        self.assertAlmostEqual(float(self.assert_shown_is_rendered().get("gamma")), 3 / 1.1)
        hand("key", "Next")
        other = self.settled(dark)
        self.assertEqual(other, self.rendered(self.window.path("in1.flam3")))
        for key in ("Right", "bracketleft", "minus", "m", "r"):
            hand("key", key)
            shown, other = other, self.settled(other)
            self.assertNotEqual(shown, other)
        self.assert_shown_is_rendered()
        # a picture that is saved says how it was made, and is made again from that
        path = self.saved("shift+s")
        self.assertTrue(path.endswith(".png"))
        self.assertEqual(self.rendered(path), self.shown)

    def test_escape_ends(self):
        hand("key", "Escape")
        self.assertEqual(self.window.process.wait(SECONDS), 0)


class PageBesideTest(Desk):
    """A page at the same flame."""
    options = ("--serve", "127.0.0.1:0")

    def begin(self):
        address = self.window.line()
        port, token = address.split(":")[2].split("/")[0], address.split("=")[1]
        self.page = Socket(int(port), token)
        self.addCleanup(self.page.socket.close)
        self.page.socket.settimeout(SECONDS)

    def said(self, wanted):
        while True:
            head, _ = self.page.receive()
            if head["type"] == "frame":
                self.page.send({"type": "shown", "frame": head["frame"]})
            if wanted(head):
                return head

    def test_each_shows_what_the_other_changes(self):
        hand("key", "b")
        bright = self.settled(self.first)
        told = self.said(lambda head: head["type"] == "flame" and 'brightness="5.5"' in head["flame"])
        self.assertEqual(self.said(lambda head: head["type"] == "frame" and head["settled"])["hash"], bright)
        self.page.send({"type": "edit", "number": 3, "flame": told["flame"].replace('brightness="5.5"', 'brightness="7"')})
        shown = self.settled(bright)
        self.assertEqual(self.said(lambda head: head["type"] == "frame" and head["settled"] and head["number"] == 3)["hash"], shown)
        self.assertEqual(self.assert_shown_is_rendered().get("brightness"), "7")


class NoWindowTest(unittest.TestCase):
    def refusal(self, **environment):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "in.flam3"), "w") as file:
                file.write(FLAME.format(name="rose", rotate=0))
            with open(os.path.join(folder, "libglfw.so.3"), "w") as file:
                file.write("no library")
            environment = {key: value.format(folder=folder) for key, value in environment.items()}
            said = subprocess.run([KILN, "view", "--window", "in.flam3", "--backend", "cpu"], cwd=folder, text=True, timeout=SECONDS,
                                  env=dict(os.environ, **environment), capture_output=True)
            self.assertEqual(said.stdout, "")
            return said.returncode, said.stderr

    def test_without_a_desk_it_says_so(self):
        code, text = self.refusal(DISPLAY="", WAYLAND_DISPLAY="")
        self.assertEqual(code, 6, text)
        self.assertIn("kiln view without --window serves a page", text)

    def test_without_glfw_it_says_so(self):
        code, text = self.refusal(LD_LIBRARY_PATH="{folder}")
        self.assertEqual(code, 4, text)
        self.assertIn("apt install libglfw3", text)


def skip(reason):
    print(f"skipped: the window on a desk ({reason})")
    sys.exit(77)


def main():
    global KILN, PICTURE
    arguments = sys.argv[1:]
    KILN = os.path.abspath(arguments[arguments.index("--kiln") + 1])
    if "--picture" in arguments:
        PICTURE = os.path.abspath(arguments[arguments.index("--picture") + 1])
    for program in ("xvfb-run", "xauth", "xdotool"):
        if not shutil.which(program):
            skip(f"{program} is not installed")
    if "--on-desk" not in arguments:
        os.environ["LIBGL_ALWAYS_SOFTWARE"] = "1"
        # -noreset: else the desk begins anew when its last window closes, and loses who comes just then
        os.execvp("xvfb-run", ["xvfb-run", "-a", "-s", "-screen 0 1024x640x24 -noreset", sys.executable, *sys.argv, "--on-desk"])
    with tempfile.NamedTemporaryFile("w", suffix=".flam3") as file:
        file.write(FLAME.format(name="rose", rotate=0))
        file.flush()
        probe = subprocess.Popen([KILN, "view", "--window", file.name, "--backend", "cpu"], stderr=subprocess.PIPE, text=True)
        time.sleep(1)
        if probe.poll() == 4:
            skip(probe.stderr.read().strip())
        probe.terminate()
        probe.wait()
    names = [word for word in arguments if "Test" in word and not os.path.sep in word]
    unittest.main(argv=[sys.argv[0], *names], verbosity=2)


if __name__ == "__main__":
    main()
