# SPDX-License-Identifier: MIT
"""Around the picture: how it is looked at, lines and loupe, the camera as a whole and in space, what triangles turn about, the room
of the panel, motion elements, closing a flame, the first minute, fingers."""
import os
import re
import signal
import xml.etree.ElementTree as ET

from hand import FLAME, ActionChains, Keys, PageTest, flame_of, text_of, xforms_of

CTRL, ALT = 2, 1  # of Chromium's events
BIG = FLAME.replace('size="320 180"', 'size="1600 900"').replace('scale="60"', 'scale="300"').replace('quality="20"', 'quality="4"')


class Around(PageTest):
    """What the tests of this file have in common."""

    def frame(self, name="frame"):
        return self.browser.execute_script("const {x, y, width, height} = document.getElementById(arguments[0]).getBoundingClientRect();"
                                           "return [x, y, width, height];", name)

    def mouse(self, kind, x, y, button="left", modifiers=0, **more):
        self.cdp("Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button, modifiers=modifiers, **more)

    def hand(self, x, y, dx, dy, button="left", modifiers=0):
        """A drag at a place of the screen."""
        buttons = {"left": 1, "middle": 4}[button]
        self.mouse("mousePressed", x, y, button, modifiers, buttons=buttons, clickCount=1)
        for i in range(1, 6):
            self.mouse("mouseMoved", x + dx * i / 5, y + dy * i / 5, button, modifiers, buttons=buttons)
        self.mouse("mouseReleased", x + dx, y + dy, button, modifiers, clickCount=1)

    def wheel(self, x, y, by, modifiers=0):
        self.mouse("mouseWheel", x, y, "none", modifiers, deltaX=0, deltaY=by)

    def pressed(self, does):
        return self.read(f"[data-does={does}]", "aria-pressed")[0] == "true"

    def middle(self, selector):
        spot = self.one(selector).rect
        return spot["x"] + spot["width"] / 2, spot["y"] + spot["height"] / 2

    def flame(self, name):
        return flame_of(self.assert_saved_is_shown(name))

    def undoable(self):
        return self.one("[data-does=undo]").is_enabled()


class Sight(Around):
    flames = [BIG.format(name="big")]

    def test_pixel_by_pixel_and_all_of_it(self):
        shown = self.settled()
        whole = self.frame()
        self.assertLess(whole[2], 1000)
        self.keys("j")
        x, y, width, height = self.frame()
        self.assertEqual([width, height], [1600, 900])
        self.assertEqual([x % 1, y % 1], [0, 0], "pixels lie on pixels")
        self.assertEqual(self.one("#percent").text, "100 %")
        self.assertTrue(self.pressed("oneToOne"))
        self.keep_picture("one-to-one")
        self.keys("j")
        self.assertEqual(self.frame(), whole)
        self.keys(">", ">", ">")
        self.assertAlmostEqual(self.frame()[2], whole[2] * 1.25 ** 3, delta=1)
        self.keys(Keys.HOME)
        self.assertEqual(self.frame(), whole)
        self.assertEqual(self.hash(), shown)
        self.assertFalse(self.undoable(), "to look is no edit")

    def test_ctrl_wheel_comes_closer_to_what_is_under_the_mouse(self):
        shown, (x, y, width, height) = self.settled(), self.frame()
        at = x + 0.3 * width, y + 0.6 * height
        for _ in range(8):
            self.wheel(*at, -120, CTRL)
        x, y, width, height = self.frame()
        self.assertGreater(width, 1600)
        self.assertAlmostEqual(x + 0.3 * width, at[0], delta=2)
        self.assertAlmostEqual(y + 0.6 * height, at[1], delta=2)
        label = self.many("#overlay .label")[0].rect
        self.wheel(*at, -120, CTRL)
        self.assertNotEqual(self.many("#overlay .label")[0].rect, label, "triangles go along")
        self.assertEqual((self.hash(), self.undoable()), (shown, False))
        for _ in range(8):
            self.wheel(*at, -120, CTRL)
        self.assertTrue(self.many("#picture.sharp"), "pixels have edges")
        self.keep_picture("pixels")

    def test_middle_button_and_ctrl_move_it(self):
        shown = self.settled()
        self.keys("t", "j")
        for button, modifiers in (("middle", 0), ("left", CTRL)):
            x, y, *_ = self.frame()
            self.hand(500, 400, 60, -25, button, modifiers)
            self.assertEqual(self.frame()[:2], [x + 60, y - 25])
        self.assertEqual((self.hash(), self.undoable()), (shown, False))

    def test_a_locked_camera(self):
        shown = self.settled()
        self.keys("t", "L")
        x, y, *_ = self.frame()
        self.hand(500, 400, 40, 30)
        self.wheel(500, 400, -240)
        self.keys("i", Keys.ARROW_RIGHT)
        self.assertGreater(self.frame()[2], 1000)
        self.assertEqual((self.hash(), self.undoable()), (shown, False))
        self.open()
        self.assertTrue(self.pressed("lock"), "it stays locked")
        self.keys("L", "t")
        self.hand(500, 400, 40, 30)
        self.assertNotEqual(self.settled(shown), shown, "the camera again")

    def test_an_edit_while_one_looks_closely(self):
        shown = self.settled()
        self.keys("j", "q")
        self.settled(shown)
        self.assertEqual(self.frame()[2], 1600)
        self.assertEqual(self.frame("picture")[2:], [1600, 900])


class Composing(Around):
    def test_lines(self):
        x, y, width, height = self.frame()
        names = []
        for _ in range(3):
            self.keys(";")
            names.append(self.one("#guides-name").text)
            if names[-1] == "thirds":
                first = re.match(r"M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)", self.one("#guides .over").get_attribute("d"))
                left, top, right, bottom = (float(number) for number in first.groups())
                bar = self.one("#stage").rect["y"]
                self.assertAlmostEqual(left, x + width / 3, delta=0.1)
                self.assertEqual((left, round(top + bar, 1)), (right, round(y, 1)))
                self.assertAlmostEqual(bottom - top, height, delta=0.1)
            self.keep_picture("lines-" + names[-1])
        self.assertEqual(names, ["thirds", "golden", "center"])
        self.open()
        self.assertEqual(self.one("#guides-name").text, "center")
        self.keys(";")
        self.assertFalse(self.one("#guides").is_displayed())

    def test_the_loupe_shows_what_is_under_it(self):
        self.settled()
        self.keys("J")
        x, y, width, height = self.frame()
        self.mouse("mouseMoved", x + width * 0.4, y + height * 0.5, "none")
        here, there = self.browser.execute_script("""
            const picture = document.getElementById('picture'), glass = document.getElementById('loupe');
            const at = (canvas, x, y) => [...canvas.getContext('2d').getImageData(x, y, 1, 1).data];
            return [at(glass, glass.width / 2, glass.height / 2), at(picture, picture.width * 0.4, picture.height * 0.5)];""")
        self.assertEqual(here, there)
        self.assertGreater(sum(here[:3]), 30, "a place with light")
        self.keep_picture("loupe")
        self.mouse("mouseMoved", 1200, 600, "none")
        self.assertFalse(self.one("#loupe").is_displayed(), "off the stage it goes")
        self.keys("J")
        self.mouse("mouseMoved", x + width * 0.4, y + height * 0.5, "none")
        self.assertFalse(self.one("#loupe").is_displayed())

    def test_the_picture_alone(self):
        before = self.frame()
        self.keys("F")
        self.wait(lambda: self.browser.execute_script("return document.fullscreenElement !== null"), "the full screen")
        self.wait(lambda: self.frame()[2] > before[2] + 200, "a larger picture")
        self.assertFalse(self.one("#panel").is_displayed() or self.one("#bar").is_displayed())
        self.keep_picture("alone")
        self.keys("F")
        self.wait(lambda: not self.browser.execute_script("return document.fullscreenElement !== null"), "its end")
        self.wait(lambda: self.frame() == before, "as before")
        self.assertTrue(self.one("#panel").is_displayed())


class Framing(Around):
    def test_the_flame_is_fitted(self):
        first = self.settled()
        self.keys("t")
        for _ in range(4):
            self.wheel(500, 300, 480)
        self.hand(500, 300, 300, 150)
        self.keys("]", "]", "]")
        away = self.settled(first)
        self.keys("I")
        self.settled(away)
        left, right, top, bottom = self.browser.execute_script("""
            const canvas = document.getElementById('picture'), {width, height} = canvas;
            const {data} = canvas.getContext('2d').getImageData(0, 0, width, height), columns = Array(width).fill(0), rows = Array(height).fill(0);
            for (let i = 0; i < width * height; ++i) {
              const light = data[4 * i] + data[4 * i + 1] + data[4 * i + 2];
              columns[i % width] += light;
              rows[Math.floor(i / width)] += light;
            }
            const ends = light => {
              const all = light.reduce((sum, one) => sum + one, 0);
              let sum = 0;
              const at = light.map(one => (sum += one) / all);
              return [at.findIndex(share => share > 0.02) / light.length, at.findIndex(share => share > 0.98) / light.length];
            };
            return [...ends(columns), ...ends(rows)];""")
        self.assertGreater(max(right - left, bottom - top), 0.7, "it fills the picture")
        self.assertAlmostEqual((left + right) / 2, 0.5, delta=0.08)
        self.assertAlmostEqual((top + bottom) / 2, 0.5, delta=0.08)
        self.assertEqual(self.flame("fitted").get("rotate"), "15", "the turn stays")
        self.keys("z")
        self.wait(lambda: self.hash() == away, "one step back")

    def test_reset(self):
        first = self.settled()
        self.keys("i", "]", Keys.SHIFT)
        self.chord(Keys.SHIFT, Keys.ARROW_RIGHT)
        second = self.settled(first)
        self.keys("O")
        self.assertEqual(self.settled(second), first, "as it came")
        self.keys("O")
        self.settled(first)
        flame = self.flame("plain")
        self.assertEqual((flame.get("center"), flame.get("scale"), flame.get("rotate") or "0"), ("0 0", "80", "0"))


class Turning(Around):
    flames = [FLAME.format(name="rose").replace('coefs="0.8 0 0 0.8 -0.5 0.6"', 'coefs="0.5 0.2 -0.2 0.5 0.6 -0.2"')]

    def o(self):
        return self.value("c"), self.value("f")

    def test_about_a_point(self):
        self.settled()
        c, f = self.o()
        self.keys("E", "E")
        self.assertEqual(self.read(".segments[aria-label='Turns about'] button[aria-pressed=true]", "data-value"), ["point"])
        self.keys(*"eeeeeeeeeeeeeeeeee")  # 90 degrees about the origin
        self.assertAlmostEqual(self.value("c"), -f, places=5)
        self.assertAlmostEqual(self.value("f"), c, places=5)
        self.keep_picture("pivot")
        x, y = self.middle("#overlay .pivot circle")
        spot = self.one("#overlay .affine[data-xform='1'] circle.dot.o").rect
        self.hand(x, y, spot["x"] + spot["width"] / 2 - x + 4, spot["y"] + spot["height"] / 2 - y - 3)  # rests on the corner
        a, d, c, f = (self.value(name) for name in "adcf")
        self.keys("+")
        self.assertAlmostEqual(self.value("c"), 0.6 + (c - 0.6) * 1.05, places=4)
        self.assertAlmostEqual(self.value("f"), -0.2 + (f + 0.2) * 1.05, places=4)
        self.assertAlmostEqual(self.value("a"), a * 1.05, places=4)
        self.assertAlmostEqual(self.value("d"), d * 1.05, places=4)
        ActionChains(self.browser).double_click(self.one("#overlay .pivot circle:nth-of-type(2)")).perform()
        self.assertFalse(self.one("#overlay .pivot").is_displayed())
        before = self.o()
        self.keys("q")
        self.assertEqual(self.o(), before)

    def test_several_about_their_middle(self):
        self.keys("a", "E")
        before = self.places("before")
        self.hand(*self.middle("#overlay .chosen circle.dot.ring"), 30, 40)
        after = self.places("after")
        for k in (0, 1):
            self.assertAlmostEqual(sum(place[k] for place in before), sum(place[k] for place in after), places=4)
        self.assertNotAlmostEqual(before[1][0], after[1][0], places=2)

    def places(self, name):
        return [[float(number) for number in xform.get("coefs").split()[4:]] for xform in xforms_of(self.assert_saved_is_shown(name))]

    def test_names_do_not_collide(self):
        boxes = self.browser.execute_script("""
            return [...document.querySelectorAll('#overlay .label')].map(label => {
              const {left, right, top, bottom} = label.getBoundingClientRect();
              return [left, right, top, bottom];
            });""")
        self.assertEqual(len(boxes), 3)
        for i, (left, right, top, bottom) in enumerate(boxes):
            for other in boxes[:i]:
                self.assertFalse(left < other[1] and other[0] < right and top < other[3] and other[2] < bottom, "one lies on another")

    def test_clicks_at_one_place_choose_one_after_the_other(self):
        x, y = self.browser.execute_script("""
            const points = [...document.querySelector('#overlay .affine[data-xform="1"] polygon').points];
            const {left, top} = document.getElementById('overlay').getBoundingClientRect();
            const mean = name => points.reduce((sum, point) => sum + point[name] / 3, 0);
            return [left + mean('x'), top + mean('y')];""")
        chosen = []
        for _ in range(3):
            self.hand(x, y, 0, 0)
            chosen += self.chosen()
        self.assertEqual(chosen[0], chosen[2])
        self.assertEqual(set(chosen), {1, 2})


class Space(Around):
    def test_the_globe_turns_the_camera(self):
        first = self.settled()
        self.assertFalse(self.one("#gizmo").is_displayed())
        self.keys("f")
        self.keep_picture("globe")
        x, y = self.middle("#gizmo svg")
        self.hand(x, y, 50, -60)
        second = self.settled(first)
        self.assertAlmostEqual(self.value("cam_yaw"), 30, delta=0.01)
        self.assertAlmostEqual(self.value("cam_pitch"), 36, delta=0.01)
        self.wheel(x, y, -120)
        third = self.settled(second)
        self.assertEqual(float(self.flame("tilted").get("cam_persp")), 0.02)
        self.keys("x", Keys.ESCAPE)
        self.assertTrue(self.one("#gizmo").is_displayed(), "while it is tilted")
        self.keep_picture("tilted")
        ActionChains(self.browser).double_click(self.one("#gizmo")).perform()
        self.assertEqual(self.settled(third), first)
        self.keys("z", "z")
        self.wait(lambda: self.hash() == second, "wheel and double-click are a step each")

    def test_alt_drag_and_the_picture_bends_at_once(self):
        self.settled()
        self.keys("t")
        os.kill(self.view.process.pid, signal.SIGSTOP)
        self.addCleanup(os.kill, self.view.process.pid, signal.SIGCONT)
        self.hand(500, 300, 0, -80, modifiers=ALT)
        self.wait(lambda: self.frame("picture")[3] < 0.95 * self.frame()[3], "a picture that is bent")
        os.kill(self.view.process.pid, signal.SIGCONT)
        self.settled()
        self.assertGreater(float(self.flame("alt").get("cam_pitch")), 0.4)
        self.keys("f")
        self.one("#gizmo").send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
        self.assertAlmostEqual(self.value("cam_yaw"), 10, delta=1e-5)


class Room(Around):
    options = ["--palettes", PageTest.palettes]

    def test_the_panel_is_widened_hidden_and_stays(self):
        panel, before = self.one("#panel").rect, self.frame()
        self.hand(panel["x"], 400, -120, 0)
        self.assertEqual(self.one("#panel").rect["width"], panel["width"] + 120)
        self.wait(lambda: self.frame()[2] < before[2] - 50, "a smaller picture")
        self.open()
        self.assertEqual(self.one("#panel").rect["width"], panel["width"] + 120)
        self.one("#sash").send_keys(Keys.ARROW_RIGHT)
        self.assertEqual(self.one("#panel").rect["width"], panel["width"] + 100)
        self.keys("\\")
        self.assertFalse(self.one("#panel").is_displayed())
        self.wait(lambda: self.frame()[2] > before[2] + 50, "a larger picture")
        self.open()
        self.assertFalse(self.one("#panel").is_displayed(), "it stays away")
        self.click("panel")
        ActionChains(self.browser).double_click(self.one("#sash")).perform()
        self.assertEqual(self.one("#panel").rect["width"], panel["width"])
        self.hand(panel["x"], 400, 250, 0)
        self.assertFalse(self.one("#panel").is_displayed(), "dragged away")

    def fold(self, words):
        return self.one(f"//button[@class='fold'][text()='{words}']")

    def test_headings_fold_and_stay_folded(self):
        self.assertTrue(self.field("a").is_displayed())
        self.fold("Triangle").click()
        self.assertFalse(self.field("a").is_displayed())
        self.assertTrue(self.field("julian").is_displayed(), "the next one is not")
        self.keys(Keys.ESCAPE, "2")  # the page is built anew
        self.assertFalse(self.field("a").is_displayed())
        self.open()
        self.assertFalse(self.field("a").is_displayed())
        self.keys("/")
        self.keys("xforms a", Keys.ENTER)
        self.assertTrue(self.field("a").is_displayed() or self.one(":focus").is_displayed())
        self.keys(Keys.ESCAPE, "l")
        self.fold("Light").click()
        self.assertFalse(self.field("gamma").is_displayed())
        self.assertTrue(self.one(".curves svg").is_displayed())
        self.keys("/")
        self.keys("vibrancy", Keys.ENTER)
        self.assertTrue(self.field("vibrancy").is_displayed(), "what is looked for is shown")
        self.assertEqual(self.browser.execute_script("return document.activeElement.dataset.field"), "vibrancy")

    def test_the_palette_is_always_there(self):
        first = self.settled()
        for tab in ("Look", "Camera", "Flame", "Steps", "Xforms"):
            self.one(f"#tab-{tab}").click()
            self.assertTrue(self.one("#ribbon canvas").is_displayed())
        self.assertEqual([mark.text for mark in self.many(".colors i")], ["1", "2", "3"])
        width = self.one(".colors").rect["width"]
        self.drag(self.many(".colors i")[1], -100, 0)
        self.settled(first)
        self.assertEqual(self.chosen(), [1])
        self.assertAlmostEqual(float(xforms_of(self.assert_saved_is_shown("ribbon"))[1].get("color")), 0.9 - 100 / width, delta=0.01)
        self.chord(Keys.CONTROL, "z")
        self.wait(lambda: self.hash() == first, "the drag is one step")
        ActionChains(self.browser).move_to_element_with_offset(self.one("#ribbon"), 60, 0).click().perform()
        self.assertEqual(self.one("#tab-Palette").get_attribute("aria-selected"), "true")


class Motions(Around):
    flames = [FLAME.format(name="first"), FLAME.format(name="second").replace("bubble", "eyefish")]

    def test_numbers_that_swing(self):
        self.one("button[aria-label='Add a motion']").click()
        self.type_into("motion 1", "2", Keys.ENTER, Keys.ESCAPE)
        self.one("select[aria-label='Wave of motion 1']").send_keys("hill")
        for name, typed in (("julian dist", "0.4"), ("triangle", "0")):
            self.one("//button[text()='Add a number']").click()
            self.keys(name, Keys.ENTER, typed, Keys.ENTER, Keys.ESCAPE)
        self.type_into("motion 1 coefs 4", "0.25", Keys.ENTER, Keys.ESCAPE)
        self.keep_picture("motion")
        motion = xforms_of(self.assert_saved_is_shown("moving"))[0].find("motion")
        self.assertEqual((motion.get("motion_frequency"), motion.get("motion_function")), ("2", "hill"))
        self.assertEqual(motion.get("julian_dist"), "0.4")
        self.assertEqual([float(number) for number in motion.get("coefs").split()], [0, 0, 0, 0, 0.25, 0])
        self.open()
        self.assertEqual(self.value("motion 1 coefs 4"), 0.25, "the program has it")
        shown = self.settled()
        self.one("//button[text()='Play its turn']").click()
        self.wait(lambda: self.many("body.playing"), "the animation")
        before = self.pixel_hash()
        self.wait(lambda: self.pixel_hash() != before, "another picture of it")
        self.keys(Keys.SPACE)
        self.wait(lambda: not self.many("body.playing"), "its end")
        self.assertEqual(self.settled(), shown)
        self.one("button[aria-label='Stop the motion of julian_dist']").click()
        self.one("button[aria-label='Remove motion 1']").click()
        self.wait(lambda: not self.many(".motion"), "it goes")
        self.assertIsNone(xforms_of(self.assert_saved_is_shown("still"))[0].find("motion"))


class Closing(Around):
    flames = [FLAME.format(name=name).replace("0.3 -0.4 0.1", f"0.3 {c} 0.1") for name, c in (("one", -0.4), ("two", -0.1), ("three", 0.2))]

    def names(self):
        return self.browser.execute_script("return [...document.querySelectorAll('#flames option:not([hidden])')].map(one => one.textContent)")

    def title(self, name):
        self.wait(lambda: self.browser.title == f"{name} - kiln", name)

    def test_flames_are_closed(self):
        shown = self.settled()
        self.keys(Keys.PAGE_DOWN)
        self.title("two")
        self.settled(shown)
        self.keys("X")
        self.title("three")
        self.wait(lambda: self.names() == ["one", "three"], "two of them")
        self.assert_saved_is_shown("open")
        self.keys(Keys.ESCAPE, Keys.PAGE_UP)
        self.title("one")
        self.keys(Keys.PAGE_UP)
        self.title("three")
        self.keys("b")
        self.wait(lambda: len(self.many("#wall .tile")) == 2, "the wall of two")
        self.keys(Keys.ESCAPE)
        self.open()
        self.assertEqual(self.names(), ["one", "three"])
        self.title("three")
        self.keys("X")
        self.title("one")
        self.keys("X")
        self.wait(lambda: "last flame" in self.one("#notice").text, "a word")
        self.assertEqual(self.names(), ["one"])
        self.keys(Keys.SPACE)  # a turn of the one that is left
        self.wait(lambda: self.many("body.playing"), "the animation")
        self.keys(Keys.SPACE)
        self.wait(lambda: not self.many("body.playing"), "its end")
        self.keys("N")
        self.wait(lambda: len(self.names()) == 2, "another one")

    def test_unsaved_edits_are_asked_for(self):
        first = self.settled()
        self.keys(Keys.ARROW_RIGHT)
        self.settled(first)
        self.title("• one")
        self.keys("X")
        self.wait(lambda: self.many("#close[open]"), "the question")
        self.assertIn("one has edits", self.one("#close .name").text)
        self.keep_picture("close")
        self.keys(Keys.ESCAPE)
        self.wait(lambda: not self.many("#close[open]"), "its end")
        self.assertEqual(len(self.names()), 3)
        self.keys("X")
        self.keys(Keys.ENTER)
        self.title("two")
        self.assertEqual(self.names(), ["two", "three"])
        kept = lambda: [name for _, _, files in os.walk(self.view.path("kiln/edits")) for name in files if name.endswith(".flam3")]
        self.wait(lambda: not kept(), "its edits are not kept any more")

    def test_from_the_wall(self):
        self.keys("b")
        self.wait(lambda: len(self.many("#wall .tile")) == 3, "the wall")
        self.keys(Keys.ARROW_RIGHT, Keys.DELETE)
        shown = lambda: self.browser.execute_script("return [...document.querySelectorAll('#wall .tile span')].map(one => one.textContent)")
        self.wait(lambda: shown() == ["one", "three"], "one less")
        tile = self.many("#wall .tile")[1]
        ActionChains(self.browser).move_to_element(tile).move_to_element(tile.find_element("tag name", "i")).click().perform()
        self.wait(lambda: len(self.many("#wall .tile")) == 1, "one is left")

    def test_pages_that_are_at_it_go_on(self):
        self.settled()
        first = self.browser.current_window_handle
        self.browser.switch_to.new_window("tab")
        self.browser.get(self.view.address)
        self.title("one")
        self.keys("X")
        self.title("two")
        self.browser.close()
        self.browser.switch_to.window(first)
        self.title("two")
        self.assert_saved_is_shown("here")


class Greeting(Around):
    def test_three_words_and_a_tour(self):
        self.assertTrue(self.one("#hints").is_displayed())
        self.keep_picture("hints")
        self.one("#hints button").click()
        seen = []
        for _ in range(5):
            seen.append(self.one("#tour p").text)
            ring, words = self.one("#tour-ring").rect, self.one("#tour").rect
            self.assertGreater(ring["width"], 40)
            self.assertTrue(0 <= words["x"] and words["x"] + words["width"] <= self.size[0], "the words are on the screen")
            self.assertTrue(0 <= words["y"] and words["y"] + words["height"] <= self.size[1], "the words are on the screen")
            self.keep_picture(f"tour-{len(seen)}-{self.size[0]}")
            self.keys(Keys.ENTER)
        self.assertEqual(len(set(seen)), 5)
        self.assertFalse(self.one("#tour").is_displayed())
        self.open()
        self.assertFalse(self.one("#hints").is_displayed(), "once is enough")
        self.keys("?")
        self.one("//dialog[@id='help']//button[contains(text(), 'Tour')]").click()
        self.assertEqual(self.one("#tour p").text, seen[0])
        self.wait(lambda: self.one("#tour p").text == seen[1], "it goes on by itself")
        self.keys(Keys.ESCAPE)
        self.assertFalse(self.one("#tour").is_displayed())

    def test_the_first_drag_ends_the_words(self):
        self.drag(self.one("#stage"), 20, 10)
        self.assertFalse(self.one("#hints").is_displayed())


class Finger(Around):
    size = (390, 844)
    touch = True
    options = ["--palettes", PageTest.palettes]
    flames = [FLAME.format(name="rose"), FLAME.format(name="other")]

    def test_all_targets_are_large(self):
        small = """
            const small = [], seen = new Set();
            for (const one of document.querySelectorAll('button, select, input, summary, [role=slider], [role=separator]')) {
              if (!one.checkVisibility({visibilityProperty: true}) || one.closest('#overlay, svg')) continue;
              const target = one.closest('label') ?? one, {width, height, right, left} = target.getBoundingClientRect();
              const says = one.ariaLabel || one.dataset.field || one.textContent || one.id;
              if (height < 43.5 || width < 22) small.push(`${says} ${Math.round(width)}x${Math.round(height)}`);
              if (right > innerWidth + 0.5 && !one.closest('.sideways, .options')) small.push(`${says} ends at ${right}`);
            }
            return small;"""
        self.keys("1")
        self.one("button[aria-label='Add a motion']").click()
        for tab in self.many("#tabs button"):
            self.browser.execute_script("arguments[0].click()", tab)
            self.assertEqual(self.browser.execute_script(small), [], tab.text)
            self.keep_picture("finger-" + tab.text)

    def test_the_panel_grows_under_a_finger(self):
        before = self.one("#panel").rect
        x, y = 195, before["y"] - 5
        self.cdp("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        for i in range(1, 6):
            self.cdp("Input.dispatchTouchEvent", type="touchMove", touchPoints=[{"x": x, "y": y + 24 * i}])
        self.cdp("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        after = self.one("#panel").rect
        self.assertAlmostEqual(after["height"], before["height"] - 115, delta=12)
        self.keep_picture("finger-less")

    def test_a_finger_looks_closer_at_a_locked_picture(self):
        shown = self.settled()
        self.click("lock")
        x, y, width, height = self.frame()
        points = lambda off: [{"x": x + width / 2 - off, "y": y + 30, "id": 0}, {"x": x + width / 2 + off, "y": y + 30, "id": 1}]
        self.cdp("Input.dispatchTouchEvent", type="touchStart", touchPoints=points(40))
        for i in range(1, 6):
            self.cdp("Input.dispatchTouchEvent", type="touchMove", touchPoints=points(40 + 12 * i))
        self.cdp("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        self.assertAlmostEqual(self.frame()[2] / width, 2.5, delta=0.3)
        self.assertEqual(self.hash(), shown)


class Sizes(Around):
    """Pictures to look at."""
    options = ["--palettes", PageTest.palettes]

    def test_pictures(self):
        for width, height in ((800, 600), (1440, 900), (1920, 1080)):
            self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
            self.open()
            self.keep_picture(f"stage-{width}")
            self.keys("f")
            self.hand(*self.middle("#gizmo svg"), 20, -40)
            self.keys("E", "E", ";")
            self.settled()
            self.keep_picture(f"stage-{width}-tilted")
            self.keys("z", ";", ";", ";", "x", "?")
            self.keep_picture(f"stage-{width}-help")
            outside = self.browser.execute_script("return [...document.querySelectorAll('#bar *, #sight *, #panel *, #ribbon *')].filter(one =>"
                                                  " one.checkVisibility() && one.getBoundingClientRect().right > innerWidth + 0.5).length")
            self.assertEqual(outside, 0)
            self.keys(Keys.ESCAPE)
