# SPDX-License-Identifier: MIT
"""The thirty-two tasks of an editor, one after the other, each by its shortest way with what was pressed counted.

docs/measurements/editor.md has the table; that what comes out is right in all its cases is tested where each of them has its tests."""
import os
import xml.etree.ElementTree as ET

from hand import ActionChains, Keys, flame_of, webdriver, xforms_of
from songs import SMALL
from whole import Whole


class Hour(Whole):
    size = (1440, 900)
    flames = [SMALL.format(name="rose"), SMALL.format(name="lily").replace('julian_power="3"', 'julian_power="2"')]
    options = ["--palettes", Whole.palettes]

    def task(self, says, most, *steps):
        """Keys, or what a hand does; afterwards the keys are the picture's again."""
        self.count_presses()
        for step in steps:
            step() if callable(step) else self.keys(step)
        self.assert_presses(most, says)
        self.keys(Keys.ESCAPE)

    def pick(self, selector):
        return lambda: self.one(selector).click()

    def pull(self, what, dx, dy=0):
        """By its selector, or by the name of a field."""
        return lambda: self.drag(self.one(what) if what[0] in "#.[" else self.field(what), dx, dy)

    def saved_now(self, name):
        tree = ET.parse(self.save(name)).getroot()
        self.wait(lambda: not self.many("#save[open]"), "the dialog closes")
        self.keys(Keys.ESCAPE)
        return tree

    def test_shape(self):
        part = "#overlay .chosen circle[data-part={}]".format
        self.task("move", 1, self.pull(part("o"), 30, 20))
        self.task("turn and scale", 1, self.pull(part("ring"), 30, 20))
        self.task("another triangle", 1, self.pick("#overlay .affine:not(.chosen) circle[data-part=o]"))
        self.assertNotEqual(self.chosen(), [0])
        self.task("add, copy, remove", 3, "n", "d", Keys.DELETE)
        self.assertEqual(len(self.chips()), 4)
        self.task("a place earlier", 1, ",")
        self.task("name", 2, self.pick("[aria-label='name']"), "petal", Keys.ENTER)
        self.assertTrue(any("petal" in chip for chip in self.chips()))
        self.task("mute, and not", 2, "h", "h")
        self.task("solo, and not", 2, "H", "H")
        self.task("weight of all", 2, "a", self.pull("weight", 30))
        self.task("a variation", 3, "1", "v", "swirl", Keys.ENTER, "0.4")
        self.task("its pre form", 3, "v", self.pick(".trial .segments [data-value=pre_]"), "bubble", Keys.ENTER)
        self.task("post transform", 2, "p", self.pull(part("o"), 20, 20))
        self.task("final xform", 1, "0")
        self.task("xaos", 3, "1", self.pick('[data-field="xaos 1 2"]'), "0.25", Keys.ENTER)
        self.task("weight", 1, self.pull("weight", 20))
        self.task("color", 1, self.pull("#ribbon .colors i", 20))
        self.task("speed", 1, self.pull("color_speed", 20))
        self.task("opacity", 1, self.pull("opacity", -20))
        self.task("direct color", 1, self.pull("var_color", -40))
        tree = self.saved_now("shape")
        first = xforms_of(tree)[0]
        self.assertEqual(len(tree.findall(".//finalxform")), 1)
        self.assertEqual((first.get("swirl"), first.get("pre_bubble"), first.get("chaos").split()[1]), ("0.4", "1", "0.25"))
        self.assertIsNotNone(first.get("post"))
        self.assertLess(float(first.get("var_color")), 1, "direct color goes back")
        for name, before in (("color", 0.1), ("color_speed", 0.4), ("opacity", 1)):
            self.assertNotEqual(float(first.get(name, 1)), before, name)
        self.task("symmetry of three", 1, self.pick("//*[@id='symmetry']//button[text()='Add']"))
        self.assertEqual(len(xforms_of(self.saved_now("three"))), 4 + 2)
        self.task("an xform to another flame", 3, "y", Keys.PAGE_DOWN, lambda: self.chord(Keys.CONTROL, "v"))
        self.wait(lambda: len(self.chips()) == 4, "one more in the other flame")

    def test_color_camera_and_light(self):
        first = self.settled()
        self.task("a palette", 3, "c", self.pick("#page-Palette .searchlist input"), "glac", Keys.ENTER)
        second = self.settled(first)
        self.task("a stop of it", 2, "c", lambda: self.drag(self.many(".mark")[2], 40, 0))
        third = self.settled(second)
        self.task("its hue", 3, "c", self.pick("#page-Palette .strip"), lambda: self.drag(self.one("#page-Palette .number"), 40, 0))
        self.settled(third)
        self.task("light", 2, "l", self.pull("brightness", 30))
        self.task("a curve", 2, "l", self.curve)
        self.keys("t")  # without triangles all of the stage is the camera's
        self.task("camera by mouse", 1, self.pull("#stage", 40, 20))
        self.task("closer", 0, self.wheel)
        self.task("in space", 2, "f", self.pull("#gizmo", 30, 10))
        self.task("depth blur", 2, "f", self.pull("cam_dof", 30))
        flame = flame_of(self.saved_now("light"))
        self.assertGreater(float(flame.get("brightness")), 5)
        self.assertGreater(float(flame.get("scale")), 30)
        self.assertEqual(len(flame.get("overall_curve").split()), 6)
        self.assertNotIn(None, [flame.get(name) for name in ("cam_yaw", "cam_dof")])
        self.task("fit", 1, "I")
        self.task("reset of the camera", 1, "O")
        self.wait(lambda: self.hash(), "the picture")
        self.task("undo, redo", 2, "z", "Z")
        before = self.settled()
        self.task("random", 1, "r")
        self.settled(before)
        self.task("a mutation", 2, "m", lambda: self.wait(lambda: self.many(".tile:not(:disabled)"), "the wall")[0].click())
        self.assert_saved_is_shown("mutated")

    def curve(self):
        svg = self.one(".curves svg")
        self.browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", svg)
        self.drag(svg, 0, -int(svg.rect["height"] * 0.2))

    def wheel(self):
        origin = webdriver.common.actions.wheel_input.ScrollOrigin.from_element(self.one("#stage"), 40, 10)
        ActionChains(self.browser).scroll_from_origin(origin, 0, -240).perform()

    def test_files(self):
        first = self.settled()
        exists = lambda name: lambda: self.wait(lambda: os.path.exists(self.view.path(name)), name)  # noqa: E731
        self.task("save", 2, "s", Keys.ENTER, exists("rose.flam3"))
        self.wait(lambda: not self.many("#save[open]"), "the dialog closes")
        self.task("render at another size", 4, "R", self.pick("#render-width"), lambda: self.chord(Keys.CONTROL, "a"), "240", Keys.ENTER,
                  exists("rose.png"))
        self.assertEqual(self.rendered_hash(self.view.path("rose.flam3")), first)
        self.wait(lambda: not self.many("#render[open]"), "the dialog closes")
        self.task("copy and paste", 3, lambda: self.chord(Keys.CONTROL, "c"), lambda: self.wait(lambda: "copied" in self.one("#notice").text, "a word"),
                  lambda: self.chord(Keys.CONTROL, "v"), lambda: self.wait(lambda: self.many("#bring[open]"), "the question"), Keys.ENTER)
        count = lambda: len(self.many("#flames option:not([hidden])"))  # noqa: E731
        self.wait(lambda: count() == 3, "a flame more")
        self.task("open", 2, lambda: self.chord(Keys.CONTROL, "o"), lambda: self.wait(lambda: self.many("#open .option"), "files"), "in1", Keys.ENTER)
        self.wait(lambda: count() == 4, "one more")
        self.task("one of the wall", 2, "b", lambda: self.wait(lambda: len(self.many("#wall .tile")) == 4, "the wall"), self.pick("#wall .tile"))
        self.wait(lambda: self.one("#flames").get_attribute("value") == "0", "the first one")
        self.settled()
        self.task("keep, edit and compare", 3, "k", Keys.ARROW_RIGHT, "C")
        self.wait(lambda: self.one("#compared").is_displayed(), "both beside each other")
        self.keys("C", "C", "C")
        self.task("close with what is not saved", 2, "X", lambda: self.wait(lambda: self.many("#close[open]"), "the question"), Keys.ENTER)
        self.wait(lambda: count() == 3, "one less")
        self.task("a film of two keys", 4, "T", self.pick("#timeline-make-this"),
                  lambda: self.wait(lambda: self.many("#timeline .key"), "a key"), self.later, "q")
        self.wait(lambda: len(self.many("#timeline .key")) == 2, "two keys")
        self.assertEqual(len(self.saved_now("film").findall("flame")), 2)

    def later(self):
        strip = self.one("#timeline .strip")
        ActionChains(self.browser, duration=10).move_to_element_with_offset(strip, 0, round(8 - strip.rect["height"] / 2)).click().perform()
