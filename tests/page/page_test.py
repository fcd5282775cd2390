#!/usr/bin/env python3
"""The page of kiln view in a real browser, with mouse and keys as a hand has them.

    page_test.py --kiln build/kiln [--pictures FOLDER] [NAME ...]

Needs Debian's chromium, chromium-driver and python3-selenium, and a kiln with the live view: says so and exits with 77
(skipped) where one is missing. --pictures keeps screenshots. What is shown is compared by the pixels of the canvas: their
hash is the one of `kiln render` of the saved file.
"""
import argparse
import base64
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree as ET

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
except ImportError:
    print("skipped: the page in a browser (python3-selenium is not installed)")
    sys.exit(77)

SECONDS = int(os.environ.get("KILN_PAGE_SECONDS", "60"))  # longer waits are a failure

FLAME = """<flame name="{name}" size="320 180" center="0.2 0.1" scale="60" quality="20" brightness="5" gamma="3"
  estimator_radius="5" background="0 0 0" palette_mode="linear">
  <xform weight="2" color="0.1" color_speed="0.4" julian="0.8" julian_power="3" julian_dist="-0.7"
    coefs="0.3 -0.5 0.5 0.3 -0.4 0.1"/>
  <xform weight="1" color="0.9" color_speed="0.5" spherical="0.3" linear="0.6" coefs="0.5 0.2 -0.2 0.5 0.6 -0.2"/>
  <xform weight="0.5" color="0.5" color_speed="0.5" bubble="0.7" coefs="0.8 0 0 0.8 -0.5 0.6"/>
  <color index="0" rgb="20 30 60"/><color index="128" rgb="240 160 60"/><color index="255" rgb="160 220 250"/>
</flame>
"""

PIXELS = """const canvas = document.getElementById('picture');
const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
let text = '';
for (let i = 0; i < data.length; i += 8192) text += String.fromCharCode(...data.subarray(i, i + 8192));
return [canvas.width, canvas.height, btoa(text)];"""


def start_browser():
    options = Options()
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(service=Service(shutil.which("chromedriver")), options=options)


class View:
    """kiln view in a folder of its own."""

    def __init__(self, flames, options):
        self.folder = tempfile.mkdtemp(prefix="kiln-page-")
        for i, text in enumerate(flames):
            with open(os.path.join(self.folder, f"in{i}.flam3"), "w") as file:
                file.write(text)
        names = [f"in{i}.flam3" for i in range(len(flames))]
        self.process = subprocess.Popen(VIEW + [*names, *options, "--serve", "127.0.0.1:0", "--no-browser"], cwd=self.folder,
                                        stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip()

    def path(self, name):
        return os.path.join(self.folder, name)

    def close(self):
        self.process.terminate()
        self.process.wait(SECONDS)
        self.process.stdout.close()
        shutil.rmtree(self.folder)


class PageTest(unittest.TestCase):
    flames = [FLAME.format(name="rose")]
    options = []
    size = (1280, 720)
    touch = False

    @classmethod
    def setUpClass(cls):
        cls.browser = start_browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.quit()

    def setUp(self):
        self.view = View(self.flames, self.options)
        self.addCleanup(self.view.close)
        width, height = self.size
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=self.touch)
        self.cdp("Emulation.setTouchEmulationEnabled", enabled=self.touch)
        self.open()

    def tearDown(self):
        self.keep_picture(self.id().split(".")[-1])
        errors = [entry["message"] for entry in self.browser.get_log("browser")
                  if entry["level"] == "SEVERE" and "favicon.ico" not in entry["message"]]  # asked for by the browser itself
        self.assertEqual(errors, [], "the browser's console")

    # ---- what the tests say ----

    def open(self):
        self.browser.get("about:blank")
        self.browser.get_log("browser")
        self.browser.get(self.view.address)
        self.settled()

    def cdp(self, command, **arguments):
        return self.browser.execute_cdp_cmd(command, arguments)

    def keep_picture(self, name):
        if PICTURES:
            self.browser.save_screenshot(os.path.join(PICTURES, name + ".png"))

    def one(self, selector):
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def many(self, selector):
        return self.browser.find_elements(By.CSS_SELECTOR, selector)

    def wait(self, what, says):
        end = time.monotonic() + SECONDS
        while not (found := what()):
            self.assertLess(time.monotonic(), end, f"never: {says}")
            time.sleep(0.02)
        return found

    def hash(self):
        return self.one("#hash").get_attribute("data-hash")

    def settled(self, other_than=None):
        """The hash of the finished picture; `other_than`: of one that was there before."""
        return self.wait(lambda: (now := self.hash()) and now != other_than and now, "a finished picture")

    def pixel_hash(self):
        width, height, text = self.browser.execute_script(PIXELS)
        head = b"".join(number.to_bytes(4, "big") for number in (width, height, 8))
        return hashlib.sha256(head + base64.b64decode(text)).hexdigest()

    def field(self, name):
        return self.one(f'[data-field="{name}"]')

    def value(self, name):
        return float(self.field(name).get_attribute("aria-valuenow"))

    def keys(self, *keys):
        ActionChains(self.browser).send_keys(*keys).perform()

    def chord(self, *keys):
        actions = ActionChains(self.browser)
        for key in keys[:-1]:
            actions.key_down(key)
        actions.send_keys(keys[-1])
        for key in keys[:-1]:
            actions.key_up(key)
        actions.perform()

    def drag(self, element, dx, dy, steps=8):
        actions = ActionChains(self.browser, duration=10).move_to_element(element).click_and_hold()
        for i in range(1, steps + 1):
            actions.move_by_offset(dx * i // steps - dx * (i - 1) // steps, dy * i // steps - dy * (i - 1) // steps)
        actions.release().perform()

    def click(self, does):
        self.one(f"[data-does={does}]").click()

    def save(self, name):
        self.keys(Keys.ESCAPE, "s")
        self.keys(name, Keys.ENTER)  # over the name that is proposed, which is selected
        path = self.view.path(name + ".flam3")
        self.wait(lambda: os.path.exists(path), f"{name}.flam3")
        return path

    def rendered_hash(self, path):
        answer = subprocess.run([KILN, "render", path, "-o", path + ".png", "--json"], capture_output=True, text=True, check=True)
        return json.loads(answer.stdout)["pictures"][0]["pixel_hash"]

    def assert_saved_is_shown(self, name):
        shown = self.settled()
        self.assertEqual(self.pixel_hash(), shown, "the canvas holds other pixels than its hash says")
        path = self.save(name)
        self.assertEqual(self.rendered_hash(path), shown, "the saved file is another picture")
        return ET.parse(path).getroot()


def xforms_of(tree):
    return tree.findall(".//xform")


def text_of(path):
    with open(path) as file:
        return file.read()


def flame_of(tree):
    return tree if tree.tag == "flame" else tree.find(".//flame")


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

    def test_xforms_come_and_go(self):
        self.keys("2")
        self.field("to 3").click()
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
        self.assertEqual((flame.get("gamma"), flame.get("size")), ("2.2", "240 180"))

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

    def test_a_refused_name_is_said_in_the_dialog(self):
        self.keys("s")
        self.keys("../outside", Keys.ENTER)
        self.wait(lambda: self.one("#save .question").text, "a word about the name")
        self.assertTrue(self.many("#save[open]"))
        self.assertFalse(os.path.exists(self.view.path("../outside.flam3")))


class Several(PageTest):
    flames = [FLAME.format(name="&lt;img src=x onerror=alert(1)&gt;"), FLAME.format(name="second")]

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


class Library(PageTest):
    options = ["--palettes", os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../flames/palettes.xml")]

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


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kiln", required=True)
    parser.add_argument("--view", help="a program that stands in for `kiln view`")
    parser.add_argument("--pictures")
    parser.add_argument("names", nargs="*")
    given = parser.parse_args()
    KILN, PICTURES = os.path.abspath(given.kiln), given.pictures and os.path.abspath(given.pictures)
    VIEW = [os.path.abspath(given.view)] if given.view else [KILN, "view"]
    for program in ("chromium", "chromedriver"):
        if not shutil.which(program):
            print(f"skipped: the page in a browser ({program} is not installed)")
            sys.exit(77)
    if PICTURES:
        os.makedirs(PICTURES, exist_ok=True)
    unittest.main(argv=[sys.argv[0], *given.names], verbosity=2)
