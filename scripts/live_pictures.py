#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The pictures of the page of kiln view in docs/use/live/, from our own flames, by the hand of the page's tests.

    scripts/live_pictures.py [--kiln build/kiln]

Needs what tests/page/page_test.py needs, and ffmpeg. Dates and times in them are those of now."""
import argparse
import datetime
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tests/page"))
from hand import ActionChains, Keys, View, given, start_browser, text_of  # noqa: E402
from versions import OfVersions  # noqa: E402

OUT = os.path.join(ROOT, "docs/use/live")


def flame(name):
    return text_of(os.path.join(ROOT, "flames", name + ".flam3"))


class Sitting(OfVersions):
    """A run of the program in a browser of this size, until the end of a `with`."""

    def __init__(self, flames, size):
        super().__init__("runTest")
        self.flames, self.size = flames, size

    def runTest(self):
        pass

    def __enter__(self):
        self.view = View(self.flames, [])
        self.browser = start_browser()
        width, height = self.size
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.open()
        self.settled()
        self.browser.execute_script("document.getElementById('hints').hidden = true")
        return self

    def __exit__(self, *_):
        self.browser.quit()
        self.view.close()

    def take(self, name):
        with tempfile.TemporaryDirectory() as folder:
            png = os.path.join(folder, name + ".png")
            self.browser.save_screenshot(png)
            subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", png, "-quality", "58", "-compression_level", "6",
                            os.path.join(OUT, name + ".webp")], check=True)
        print(name, os.path.getsize(os.path.join(OUT, name + ".webp")), "bytes")


def page():
    with Sitting([flame("seahorse")], (1280, 720)) as sitting:
        sitting.take("page")


def versions():
    """A week of one flame, of which today's last but one is shown."""
    with Sitting([flame("conch")], (1440, 900)) as sitting:
        start = sitting.value("turn")
        for step in range(1, 8):
            sitting.type_into("turn", str(start + 6 * step), Keys.ENTER, Keys.ESCAPE)
            sitting.wait(lambda count=step + 1: len(sitting.files()) == count, "a version")
        today = datetime.date.today()
        for i, path in enumerate(sitting.files()[:6]):
            sitting.age(path, str(today - datetime.timedelta(days=6 - 2 * (i // 2))), f"{10 + 3 * (i % 2)}-{11 * i:02}-00.000")
        sitting.open_versions()
        sitting.wait(lambda: len([one for one in sitting.read("#versions img", "src") if one]) >= 7, "small pictures")
        sitting.settled()
        sitting.browser.execute_script("document.activeElement.blur()")
        sitting.take("versions")


def settings():
    """The wall, where three are chosen."""
    names = ["lanterns", "conch", "seahorse", "meadow", "rosewindow", "halo", "whirligig", "tides"]
    with Sitting([flame(name) for name in names], (1440, 900)) as sitting:
        sitting.keys("Y")
        sitting.keys(Keys.ESCAPE, "b")
        tiles = sitting.wait(lambda: (all_ := sitting.many("#wall .tile")) and len(all_) >= len(names) and all_, "the wall")
        sitting.wait(lambda: all(sitting.read("#wall .tile img", "src")), "small pictures")
        for tile in tiles[1:4]:
            ActionChains(sitting.browser).key_down(Keys.CONTROL).click(tile).key_up(Keys.CONTROL).perform()
        ActionChains(sitting.browser).move_by_offset(0, 300).perform()
        sitting.take("settings")


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--kiln", default=os.path.join(ROOT, "build/kiln"))
given.kiln = os.path.abspath(parser.parse_args().kiln)
given.view, given.pictures = [given.kiln, "view"], None
for make in (page, versions, settings):
    make()
