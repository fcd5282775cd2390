#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The page of kiln view in a real browser, with mouse and keys as a hand has them.

    page_test.py --kiln build/kiln [--pictures FOLDER] [NAME ...]

Needs Debian's chromium, chromium-driver and python3-selenium, and a kiln with the live view: says so and exits with 77
(skipped) where one is missing. --pictures keeps screenshots. What is shown is compared by the pixels of the canvas: their
hash is the one of `kiln render` of the saved file.
"""
import argparse
import os
import re
import shutil
import signal
import sys
import unittest

from explore import Breeding, Following, Palettes, Pocket, Trying  # noqa: F401
from hand import FLAME, ActionChains, Keys, PageTest, flame_of, given, text_of, webdriver, xforms_of
from compare import Comparing, Drafts, Keeping, Long, Noise, OnAPhone, Proof  # noqa: F401  (what unittest finds here it runs)
from day import DayOfFilms, DayOfLongFilms, DayOfPacks, DayOfStills, DayOfVersions  # noqa: F401
from exports import Asked, Bytes, Posted, Shows  # noqa: F401
from files import Chance, Kept, Opening, Phone as PhoneWall, Renders, Tabs, Wall  # noqa: F401
from films import Crashed, Crowded, Exporting, Loops, ManyKeys, Played, Saved, Timeline, TimelineAt800, TimelineAt1920  # noqa: F401
from films import TimelineOnAPhone, Tracked  # noqa: F401
from fields import Numbers, Saying  # noqa: F401
from formulas import Formulas, FormulasOfAFilm, FormulasOfAFilmThatDiffer, FormulasOfAFlame, FormulasOnAPhone  # noqa: F401
from hour import Hour  # noqa: F401
from lights import Touching, TouchingByFingers, TouchingInAFilm, TouchingOthers  # noqa: F401
from looks import Looks, LooksOnAPhone  # noqa: F401
from moves import Controls, Microphone, Osc  # noqa: F401
from networks import SlowNetwork  # noqa: F401
from places import Depth, Lying, Phone, Pinch, Targets  # noqa: F401
from rooms import ChipParts, ReadableChips, TwoPages  # noqa: F401
from stage import Closing, Composing, Finger, Framing, Greeting, Motions, Room, Sight, Sizes, Space, Turning  # noqa: F401
from stops import Stops  # noqa: F401
from songs import Markers, Songs, SongsOnAPhone, Strips, Together  # noqa: F401
from times import Grouped, LoopInSeconds, Seconds, TimeByFingers, Zoomed  # noqa: F401
from unlost import Chosen, Dying, Leaving, Nothing  # noqa: F401
from versions import Versions, VersionsOfAFilm, VersionsOnAPhone  # noqa: F401
from wander import Wandering  # noqa: F401
from whole import Attributes, Clipboard, Curves, Hands, Histograms, OtherCurves, Small, Symmetry, Wide, Xaos, Xforms  # noqa: F401


class Editing(PageTest):
    def test_drag_a_triangle_scrub_a_parameter_save_reload(self):
        first = self.settled()
        c, f, dist = self.value("c"), self.value("f"), self.value("julian_dist")
        self.drag(self.one("#overlay .chosen circle[data-part=o]"), 60, -35)
        second = self.settled(first)
        scale = self.one("#frame").size["width"] / 320 * 60  # pixels of the screen a unit
        self.assertAlmostEqual(self.value("c"), c + 60 / scale, delta=0.01)
        self.assertAlmostEqual(self.value("f"), f - 35 / scale, delta=0.01)
        self.drag(self.field("julian_dist"), 40, 0)
        self.assertGreater(self.value("julian_dist"), dist + 0.1)
        third = self.settled(second)
        tree = self.assert_saved_is_shown("dragged")
        self.assertAlmostEqual(float(xforms_of(tree)[0].get("julian_dist")), self.value("julian_dist"), places=6)
        self.open()
        self.assertEqual(self.settled(), third, "another picture after the page was loaded again")

    def test_a_drag_is_one_step_of_undo(self):
        first = self.settled()
        self.drag(self.one("#overlay .chosen circle[data-part=x]"), 30, 20)
        second = self.settled(first)
        self.chord(Keys.CONTROL, "z")
        self.assertEqual(self.settled(second), first)
        self.assertFalse(self.one("[data-does=undo]").is_enabled())
        self.chord(Keys.CONTROL, Keys.SHIFT, "z")
        self.assertEqual(self.settled(first), second)

    def test_ring_turns_and_enlarges(self):
        turn, size = self.value("turn"), self.value("size")
        self.drag(self.one("#overlay .chosen circle[data-part=ring]"), 40, 30)
        self.assertNotAlmostEqual(self.value("turn"), turn, delta=1)
        self.assertNotAlmostEqual(self.value("size"), size, delta=0.01)
        self.assert_saved_is_shown("turned")

    def test_post_affine_and_final_xform(self):
        self.keys("p")
        self.drag(self.one("#overlay .chosen circle[data-part=y]"), 25, 25)
        self.keys("0", Keys.ARROW_RIGHT)
        tree = self.assert_saved_is_shown("final")
        self.assertIsNotNone(xforms_of(tree)[0].get("post"))
        self.assertEqual(len(tree.findall(".//finalxform")), 1)

    def test_camera_by_mouse(self):
        stage = self.one("#stage")
        first = self.settled()
        self.keys("t")  # without triangles all of the stage is the camera's
        self.drag(stage, 50, 20)
        second = self.settled(first)
        ActionChains(self.browser).scroll_from_origin(webdriver.common.actions.wheel_input.ScrollOrigin.from_element(stage, 40, 10), 0, -240).perform()
        third = self.settled(second)
        self.assertNotEqual(second, third)
        flame = flame_of(self.assert_saved_is_shown("camera"))
        self.assertGreater(float(flame.get("scale")), 60)
        self.assertNotEqual(flame.get("center"), "0.2 0.1")

    def test_the_picture_follows_the_hand_before_another_is_there(self):
        self.settled()
        os.kill(self.view.process.pid, signal.SIGSTOP)
        self.addCleanup(os.kill, self.view.process.pid, signal.SIGCONT)
        self.keys("t")
        before = self.one("#picture").rect
        self.drag(self.one("#stage"), 50, 20)
        after = self.one("#picture").rect
        self.assertAlmostEqual(after["x"] - before["x"], 50, delta=0.5)
        self.assertAlmostEqual(after["y"] - before["y"], 20, delta=0.5)
        os.kill(self.view.process.pid, signal.SIGCONT)
        self.settled()
        self.assertAlmostEqual(self.one("#picture").rect["x"], before["x"], delta=0.01, msg="the new one lies in its frame")

    def test_xforms_come_and_go(self):
        self.keys("2")
        self.field("xaos 2 3").click()
        self.keys("0.25", Keys.ENTER, Keys.ESCAPE)
        self.keys("1", Keys.DELETE)
        self.assertEqual(len(self.many("#overlay .affine")), 2)
        self.keys("n", "d")
        self.assertEqual(len(self.many("#overlay .affine")), 4)
        xforms = xforms_of(self.assert_saved_is_shown("counted"))
        self.assertEqual(len(xforms), 4)
        self.assertEqual(xforms[0].get("chaos").split()[:2], ["1", "0.25"], "the row lost the wrong entry")

    def test_keys_alone(self):
        self.keys("2", Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, "q", "+")
        self.keys("v")
        self.keys("swirl")
        self.keys(Keys.ENTER)
        self.assertEqual(self.value("swirl"), 1)
        self.keys("0.4", Keys.ENTER, Keys.ARROW_UP)
        tree = self.assert_saved_is_shown("keys")
        self.assertGreater(float(xforms_of(tree)[1].get("swirl")), 0.4)
        self.assertNotIn("0.6 -0.2", xforms_of(tree)[1].get("coefs"))

    def test_a_variation_removed(self):
        self.keys("2")
        self.one("button[aria-label='Remove spherical']").click()
        tree = self.assert_saved_is_shown("removed")
        self.assertIn(xforms_of(tree)[1].get("spherical"), (None, "0"))

    def test_palette_look_and_size(self):
        self.one("#tab-Palette").click()
        before = self.settled()
        stops = self.many(".mark")
        self.assertGreater(len(stops), 1)
        self.drag(stops[len(stops) // 2], 30, 0)
        second = self.settled(before)
        self.one("#tab-Look").click()
        self.field("gamma").click()
        self.keys("2.2", Keys.ENTER)
        third = self.settled(second)
        self.one("#tab-Camera").click()
        self.field("size 0").click()
        self.keys("240", Keys.ENTER)
        self.settled(third)
        flame = flame_of(self.assert_saved_is_shown("colors"))
        self.assertEqual((flame.get("gamma"), flame.get("size")), ("2.2", "240 135"))

    def test_take_a_mutation(self):
        first = self.settled()
        self.keys("m")
        tile = self.wait(lambda: next(iter(self.many(".tile:not(:disabled)")), None), "a small picture")
        tile.click()
        second = self.settled(first)
        self.keys(Keys.ESCAPE)
        self.chord(Keys.CONTROL, "z")
        self.assertEqual(self.settled(second), first)

    def test_a_file_that_is_there_is_replaced_only_when_told(self):
        path = self.save("twice")
        before = text_of(path)
        self.wait(lambda: not self.many("#save[open]"), "the dialog closes")
        self.keys("q", "s")
        self.keys("twice", Keys.ENTER)
        self.wait(lambda: self.many("#save .question button"), "a question")
        self.assertEqual(text_of(path), before)
        self.keys(Keys.ENTER)
        self.wait(lambda: text_of(path) != before, "another file")

    def test_save_the_picture(self):
        shown = self.settled()
        self.chord(Keys.SHIFT, "s")
        self.keys("shown", Keys.ENTER)
        path = self.view.path("shown.png")
        self.wait(lambda: os.path.exists(path), "shown.png")
        self.assertEqual(self.rendered_hash(path), shown)

    def test_a_flame_by_chance_and_back(self):
        first = self.settled()
        self.keys("r")
        second = self.settled(first)
        self.keys("z")
        self.assertEqual(self.settled(second), first)

    def test_a_refused_edit_is_said_and_undone(self):
        first = self.settled()
        for xform in "123":
            self.keys(xform)
            self.field("weight").click()
            self.keys("0", Keys.ENTER, Keys.ESCAPE)
        self.wait(lambda: self.many("#notice.error"), "a word about weights")
        self.keys("z")
        self.assertGreater(self.value("weight"), 0)
        self.keys("z", "z")
        self.wait(lambda: self.hash() == first, "the first picture")

    def test_a_number_moves_only_while_the_button_is_held(self):
        before = self.value("c")
        hand = ActionChains(self.browser, duration=10).move_to_element(self.field("c")).click_and_hold()
        hand.move_by_offset(0, -150).release().perform()  # straight up, out of it
        hand = ActionChains(self.browser, duration=10).move_to_element(self.field("c"))
        hand.move_by_offset(9, 0).move_by_offset(9, 0).perform()
        self.assertEqual(self.value("c"), before)

    def test_undo_shows_in_the_field_that_has_the_focus(self):
        self.keys("l")
        field = self.field("brightness")
        field.click()
        self.keys("9", Keys.ENTER)
        self.wait(lambda: self.value("brightness") == 9, "the typed value")
        self.chord(Keys.CONTROL, "z")
        self.wait(lambda: field.get_attribute("value") == "5", "the value before")

    def test_a_refused_name_is_said_in_the_dialog(self):
        self.keys("s")
        self.keys("../outside", Keys.ENTER)
        self.wait(lambda: self.one("#save .question").text, "a word about the name")
        self.assertTrue(self.many("#save[open]"))
        self.assertFalse(os.path.exists(self.view.path("../outside.flam3")))


class Several(PageTest):
    flames = [FLAME.format(name="&lt;img src=x onerror=alert(1)&gt;"),
              FLAME.format(name="second").replace('coefs="0.3 -0.5', 'coefs="0.1 -0.5')]  # equal ones: a loop that stands still

    def test_names_are_text(self):
        self.assertEqual(self.many("#bar img, #bar script"), [])
        self.assertEqual(self.one("#flames").get_attribute("value"), "0")
        self.assertIn("img", self.one("#flames option").text)

    def test_play_and_stop(self):
        first = self.settled()
        self.keys(Keys.SPACE)
        self.wait(lambda: self.many("body.playing"), "the animation")
        before = self.pixel_hash()
        self.wait(lambda: self.pixel_hash() != before, "another picture of it")
        self.keys(Keys.SPACE)
        self.wait(lambda: not self.many("body.playing"), "its end")
        self.assertEqual(self.settled(), first)
        self.assertEqual(self.pixel_hash(), first)

    def test_next_and_previous(self):
        self.keys(Keys.PAGE_DOWN)
        self.wait(lambda: self.one("#flames").get_attribute("value") == "1", "the second flame")
        self.keys(Keys.PAGE_UP)
        self.wait(lambda: self.one("#flames").get_attribute("value") == "0", "the first flame")


LARGE = FLAME.replace('size="320 180"', 'size="1120 801"').replace('scale="60"', 'scale="240"')


class Large(PageTest):
    flames = [LARGE.format(name="finished"), LARGE.format(name="slow").replace('quality="20"', 'quality="100000"')]

    def test_stripes_are_put_together(self):
        """A JPEG of several stripes and a PNG of one differ by noise, in every band of the picture."""
        pixels = "const canvas = document.getElementById('picture');" \
                 "const {data} = canvas.getContext('2d').getImageData(0, 0, 1120, 801);"
        self.browser.execute_script(pixels + "window.finished = data;")
        self.keys(Keys.PAGE_DOWN)
        self.wait(lambda: re.match(r"quality (1[6-9]|[2-9]\d|\d{3}).* of 1", self.one("#quality").text), "a picture that is not finished")
        bands = self.browser.execute_script(pixels + """
            const bands = new Array(Math.ceil(801 / 16)).fill(0);
            data.forEach((value, i) => bands[Math.floor(i / 4 / 1120 / 16)] += Math.abs(value - window.finished[i]));
            return bands.map(sum => sum / (16 * 1120 * 4));""")
        self.assertLess(max(bands), 4)


class Library(PageTest):
    options = ["--palettes", PageTest.palettes]

    def test_choose_a_palette(self):
        first = self.settled()
        self.keys("c")
        self.one("#page-Palette .searchlist input").click()
        self.keys("glac", Keys.ENTER)
        self.settled(first)
        self.keys(Keys.ESCAPE)
        shown = self.browser.execute_script("return getComputedStyle(document.querySelector('.mark')).backgroundColor")
        self.assertEqual(shown, "rgb(4, 16, 28)", "the first color of glacier")
        self.assert_saved_is_shown("glacier")

    def test_help_lists_the_keys(self):
        self.keys("?")
        self.assertGreater(len(self.many("#help[open] kbd")), 40)
        self.keys(Keys.ESCAPE)
        self.assertEqual(self.many("#help[open]"), [])

    def test_everything_comes_from_the_program(self):
        names = self.browser.execute_script("return performance.getEntriesByType('resource').map(entry => entry.name)")
        origin = self.view.address.partition("?")[0]
        self.assertGreater(len(names), 20)
        self.assertEqual([name for name in names if not name.startswith((origin, "data:"))], [])


class Tablet(PageTest):
    size = (768, 1024)
    touch = True

    def fingers(self, kind, *points):
        self.cdp("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)])

    def test_two_fingers_move_the_camera(self):
        first = self.settled()
        frame = self.one("#frame").rect
        x, y = frame["x"] + frame["width"] * 0.85, frame["y"] + frame["height"] * 0.2
        self.fingers("touchStart", (x, y), (x - 60, y))
        for i in range(1, 6):
            self.fingers("touchMove", (x + 6 * i, y + 6 * i), (x - 60 - 6 * i, y - 6 * i))
        self.fingers("touchEnd")
        self.settled(first)
        flame = flame_of(self.assert_saved_is_shown("pinched"))
        self.assertGreater(float(flame.get("scale")), 65)
        self.assertGreater(abs(float(flame.get("rotate"))), 5)

    def test_a_finger_drags_a_triangle(self):
        first, c = self.settled(), self.value("c")
        spot = self.one("#overlay .chosen circle[data-part=o]").rect
        x, y = spot["x"] + spot["width"] / 2, spot["y"] + spot["height"] / 2
        self.fingers("touchStart", (x, y))
        for i in range(1, 6):
            self.fingers("touchMove", (x + 8 * i, y))
        self.fingers("touchEnd")
        self.settled(first)
        self.assertGreater(self.value("c"), c + 0.05)


def load_tests(_loader, classes, _pattern):
    """All of them, or with KILN_PAGE_PART=0/2 every second class, from the first on."""
    part, parts = map(int, os.environ.get("KILN_PAGE_PART", "0/1").split("/"))
    return unittest.TestSuite(list(classes)[part::parts])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kiln", required=True)
    parser.add_argument("--view", help="a program that stands in for `kiln view`")
    parser.add_argument("--pictures")
    parser.add_argument("names", nargs="*")
    parser.parse_args(namespace=given)
    given.kiln = os.path.abspath(given.kiln)
    given.pictures = given.pictures and os.path.abspath(given.pictures)
    given.view = [os.path.abspath(given.view)] if given.view else [given.kiln, "view"]
    for program in ("chromium", "chromedriver"):
        if not shutil.which(program):
            print(f"skipped: the page in a browser ({program} is not installed)")
            sys.exit(77)
    if given.pictures:
        os.makedirs(given.pictures, exist_ok=True)
    unittest.main(argv=[sys.argv[0], *given.names], verbosity=2)
