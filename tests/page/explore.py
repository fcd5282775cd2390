# SPDX-License-Identifier: MIT
"""Finding flames: the wall that follows what is chosen, with direction, locks and breeding, and its tree; variations and palettes
tried as the arrow keys go through their lists; palettes in order, and of files."""
import os
import re
import signal
import struct
import subprocess
import time
import zlib

from hand import FLAME, ActionChains, Keys, PageTest, flame_of, given, xforms_of

UGR = """Dusk {
gradient:
  title="Dusk" smooth=no
  index=0 color=255 index=200 color=65535
}
Night {
gradient:
  title="Night" smooth=no
  index=0 color=8388608 index=200 color=16711680
}
"""


def picture_of(stripes):
    """A PNG of 60 x 60 with upright stripes of these colors."""
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    row = b"\0" + b"".join(bytes(color) * (60 // len(stripes)) for color in stripes)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 60, 60, 8, 2, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(row * 60)) + chunk(b"IEND", b""))


class Explore(PageTest):
    """What the tests of this file have in common."""

    def ready(self):
        return self.many("#gallery > .grid .tile:not(:disabled)")

    def wall(self):
        """The whole wall, when all of it is there."""
        return self.wait(lambda: len(tiles := self.ready()) == 12 and tiles, "twelve small pictures")

    def pictures(self):
        self.wall()
        return self.read("#gallery > .grid .tile img", "src")

    def other_wall(self, before):
        return self.wait(lambda: len(now := self.read("#gallery > .grid .tile img", "src")) == 12 and not set(now) & set(before) and now,
                         "other small pictures")

    def shift_click(self, element):
        ActionChains(self.browser).key_down(Keys.SHIFT).click(element).key_up(Keys.SHIFT).perform()

    def tree(self):
        """Column and row of each place, and whether the flame stands there."""
        return self.browser.execute_script("return [...document.querySelectorAll('.tried .tile')].map(tile => [Number(tile.dataset.column),"
                                           " Number(tile.dataset.row), tile.hasAttribute('aria-current')])")

    def choose(self, label, value):
        self.one(f'#gallery select[aria-label="{label}"] option[value="{value}"]').click()

    def saved(self, name):
        return self.assert_saved_is_shown(name)

    def saved_beside_the_wall(self, name):
        """Escape, with which saving begins, closes the wall unless a list of a field is open."""
        tree = self.saved(name)
        if not self.one("#gallery").is_displayed():
            self.keys("m")
        return tree, self.pictures()


class Following(Explore):
    size = (1440, 900)

    def test_the_wall_follows_what_is_chosen_and_the_tree_leads_back(self):
        first = self.settled()
        self.keys("m")
        wall = self.pictures()
        self.assertFalse(self.one(".tried").is_displayed(), "nothing was tried yet")
        self.ready()[3].click()
        second_wall = self.other_wall(wall)
        second = self.settled(first)
        self.assertEqual(self.tree(), [[0, 0, False], [1, 0, True]])
        self.ready()[0].click()
        self.other_wall(second_wall)
        third = self.settled(second)
        self.keep_picture("wall")
        self.many(".tried .tile")[0].click()
        self.wait(lambda: self.hash() == first, "the first flame")
        self.assertEqual(self.pictures(), wall, "the wall is the one from before")
        self.ready()[5].click()
        self.other_wall(wall)
        self.settled(first)
        self.assertEqual(self.tree(), [[0, 0, False], [1, 0, False], [2, 0, False], [1, 1, True]])
        self.keep_picture("tree")
        self.many(".tried .tile")[2].click()
        self.wait(lambda: self.hash() == third, "the third flame")
        self.saved("third")
        self.wait(lambda: all(self.browser.execute_script(
            "return [...document.querySelectorAll('.tried img')].map(image => image.naturalWidth > 0)")) and len(self.many(".tried img")) == 4,
            "each has its picture")

    def test_each_choice_is_one_step_of_undo(self):
        first = self.settled()
        self.keys("m")
        wall = self.pictures()
        self.ready()[2].click()
        self.other_wall(wall)
        self.settled(first)
        self.keys("z")
        self.wait(lambda: self.hash() == first, "the first flame")
        self.wait(lambda: self.tree() == [[0, 0, True], [1, 0, False]], "its place in the tree")
        self.assertEqual(self.pictures(), wall)
        self.assertFalse(self.one("[data-does=undo]").is_enabled())

    def test_an_edit_elsewhere_is_followed(self):
        first = self.settled()
        self.keys("m")
        wall = self.pictures()
        self.keys("q")
        self.settled(first)
        self.other_wall(wall)
        self.assertEqual(self.tree(), [[0, 0, False], [1, 0, True]])

    def test_keys_choose_and_stay(self):
        first = self.settled()
        self.keys("m")
        wall = self.pictures()
        self.browser.execute_script("arguments[0].focus()", self.ready()[0])
        self.keys(Keys.ARROW_RIGHT, Keys.ARROW_DOWN, Keys.ENTER)
        self.settled(first)
        self.other_wall(wall)
        place = "return [...document.querySelectorAll('#gallery > .grid .tile')].indexOf(document.activeElement)"
        self.wait(lambda: self.browser.execute_script(place) == 7, "the focus where it was")

    def test_direction_and_locks(self):
        self.keys("m")
        wall = self.pictures()
        self.choose("What changes", "palette")
        wall = self.other_wall(wall)
        first = self.settled()
        before, wall = self.saved_beside_the_wall("before")
        self.ready()[1].click()
        wall = self.other_wall(wall)
        second = self.settled(first)
        after, wall = self.saved_beside_the_wall("palette")
        self.assertEqual([xform.attrib for xform in xforms_of(after)], [xform.attrib for xform in xforms_of(before)])
        colors = lambda tree: [(one.attrib, re.sub(r"\s", "", one.text or "")) for one in flame_of(tree) if one.tag in ("color", "palette")]
        self.assertNotEqual(colors(before), colors(after))
        self.choose("What changes", "any")
        wall = self.other_wall(wall)
        for lock in ("palette", "1", "3"):
            self.one(f'[data-lock="{lock}"]').click()
            wall = self.other_wall(wall)
        self.one("#gallery .segments [data-value='1']").click()
        wall = self.other_wall(wall)
        self.ready()[4].click()
        self.settled(second)
        locked = self.saved("locked")
        self.assertEqual(colors(after), colors(locked))
        shape = lambda xform: {name: value for name, value in xform.attrib.items() if name not in ("weight", "chaos")}
        there = [shape(xform) for xform in xforms_of(locked)]
        self.assertEqual([shape(xform) in there for xform in xforms_of(after)], [True, False, True])
        self.keep_picture("locks")


class Breeding(Explore):
    size = (1440, 900)
    flames = [FLAME.format(name="first"), FLAME.format(name="second").replace("bubble", "eyefish").replace("julian", "juliascope")
              .replace('coefs="0.8 0 0 0.8', 'coefs="0.5 0.5 -0.5 0.5').replace("spherical", "swirl")]

    def test_with_another_of_the_list(self):
        first = self.settled()
        self.keys("m")
        wall = self.pictures()
        self.one("#gallery .segments [data-value=children]").click()
        self.assertIn("Second parent?", self.one("#gallery header").text)
        wall = self.other_wall(wall)
        self.choose("The other one", "1")
        wall = self.other_wall(wall)
        self.choose("How they breed", "unite")
        wall = self.other_wall(wall)
        self.keep_picture("children")
        self.ready()[0].click()
        self.other_wall(wall)
        self.settled(first)
        child = xforms_of(self.saved("child"))
        self.assertEqual(len(child), 6)
        self.assertTrue(any(xform.get("eyefish") for xform in child) and any(xform.get("bubble") for xform in child))

    def test_with_one_of_the_wall_and_one_of_the_tree(self):
        first = self.settled()
        self.keys("m")
        wall = self.pictures()
        self.shift_click(self.ready()[2])
        second_wall = self.other_wall(wall)
        self.assertEqual(self.hash(), first, "it is not chosen")
        self.assertEqual(self.one('#gallery select[aria-label="The other one"]').get_attribute("value"), "picture")
        self.ready()[0].click()
        third_wall = self.other_wall(second_wall)
        self.settled(first)
        self.shift_click(self.many(".tried .tile")[0])
        self.other_wall(third_wall)
        self.assertEqual(len(self.tree()), 2, "nothing was chosen but one child")


    def test_whom_with_is_a_choice_of_pictures(self):
        first = self.settled()
        self.keys("m")
        wall = self.pictures()
        self.one("#gallery .segments [data-value=children]").click()
        wall = self.other_wall(wall)
        self.ready()[4].click()
        self.other_wall(wall)
        self.assertEqual(self.hash(), first, "it is not chosen, but bred with")
        self.assertEqual(self.one('#gallery select[aria-label="The other one"]').get_attribute("value"), "picture")
        self.assertNotIn("Second parent?", self.one("#gallery header").text)

    def test_a_wall_from_before_is_no_choice_of_mates(self):
        first = self.settled()
        self.keys("m")
        wall = self.pictures()
        self.ready()[3].click()
        next_wall = self.other_wall(wall)
        second = self.settled(first)
        self.one("#gallery .segments [data-value=children]").click()
        self.wait(lambda: "Second parent?" in self.one("#gallery header").text, "a question")
        self.other_wall(next_wall)
        self.many(".tried .tile")[0].click()
        self.wait(lambda: self.hash() == first, "the first flame")
        self.assertEqual(self.pictures(), wall, "its wall")
        self.ready()[5].click()
        self.settled(first)
        self.wait(lambda: len(self.tree()) == 3, "it is taken")
        self.assertNotIn(self.hash(), (first, second))

    def test_a_wall_is_asked_for_while_the_page_goes_to_another_flame(self):
        self.settled()
        self.keys("m")
        wall = self.pictures()
        self.keys(Keys.PAGE_DOWN)
        self.browser.execute_script("""const again = [...document.querySelectorAll('#gallery button')].find(one => one.textContent === 'Again');
            new MutationObserver(() => again.click()).observe(document.querySelector('title'), {childList: true});""")
        self.wait(lambda: self.browser.title == "second - kiln", "the other flame")
        self.keys(Keys.PAGE_UP)
        self.wait(lambda: self.browser.title == "first - kiln", "the first again")
        self.keys(Keys.PAGE_DOWN)
        self.wait(lambda: self.browser.title == "second - kiln", "the other flame")
        self.other_wall(wall)  # and nothing in the console

    def test_a_closed_flame_is_no_mate(self):
        self.settled()
        self.keys("m")
        wall = self.pictures()
        self.one("#gallery .segments [data-value=children]").click()
        others = "return [...document.querySelector('[aria-label=\"The other one\"]').options].map(one => one.textContent)"
        self.assertEqual(self.browser.execute_script(others), ["choose …", "second"])
        self.choose("The other one", "1")
        self.other_wall(wall)
        self.browser.execute_script("document.activeElement.blur()")
        for key, name in ((Keys.PAGE_DOWN, "second"), ("X", "first")):
            self.keys(key)
            self.wait(lambda name=name: self.browser.title == f"{name} - kiln", name)
        self.wait(lambda: self.browser.execute_script(others) == ["choose …"], "nobody is left")


class Trying(Explore):
    def swirls(self, tree):
        return [xform.get("swirl") for xform in xforms_of(tree)]

    def fans(self, tree):
        return [name for xform in xforms_of(tree) for name in ("fan", "fan2") if xform.get(name)]

    def glimpses(self):
        return self.browser.execute_script("return [...document.querySelectorAll('.glimpse')].filter(image => image.naturalWidth > 0)"
                                           ".map(image => image.dataset.of)")

    def test_variations_are_tried_and_taken_back(self):
        first = self.settled()
        self.keys("2", "v")
        self.wait(lambda: "linear" in self.glimpses(), "small pictures of those in sight")
        frame = self.one("#frame").rect
        self.assertGreater(self.one(".chooser[open]").rect["x"], frame["x"] + 0.6 * frame["width"], "the picture is seen")
        self.keep_picture("chooser")
        self.keys("fan", Keys.ARROW_DOWN)
        second = self.settled(first)
        self.keys(Keys.ARROW_UP)
        self.settled(second)
        self.keys(Keys.ESCAPE)
        self.wait(lambda: self.hash() == first, "the flame before")
        self.wait(lambda: not self.one("[data-does=undo]").is_enabled(), "no step of undo")
        self.assertEqual(self.fans(self.saved("escaped")), [])

    def test_what_is_tried_is_one_step(self):
        first = self.settled()
        self.keys("2", "v")
        self.keys("swirl", Keys.ARROW_DOWN, Keys.ARROW_UP)
        shown = self.settled(first)
        self.keys(Keys.ENTER)
        self.wait(lambda: not self.many(".chooser[open]"), "the chooser closes")
        self.assertEqual(self.value("swirl"), 0.3)
        self.assertEqual(self.settled(), shown, "it stays as it was shown")
        self.assertEqual(self.swirls(self.saved("tried")), [None, "0.3", None])
        self.keys("z")
        self.wait(lambda: self.hash() == first, "one step back")
        self.assertFalse(self.one("[data-does=undo]").is_enabled())

    def test_what_is_typed_stays_when_the_shelf_answers_late(self):
        os.kill(self.view.process.pid, signal.SIGSTOP)
        self.addCleanup(os.kill, self.view.process.pid, signal.SIGCONT)
        self.keys("1", "v")
        self.keys("swirl")
        os.kill(self.view.process.pid, signal.SIGCONT)
        self.wait(lambda: self.browser.execute_script("return document.querySelector('.trial .glimpse[src]') !== null"), "it answers")
        time.sleep(0.5)
        self.keys(Keys.ENTER, Keys.ESCAPE)
        self.assertEqual(self.swirls(self.saved("late")), ["1", None, None])

    def test_another_form_has_other_pictures(self):
        self.keys("v")
        self.wait(lambda: "spherical" in self.glimpses(), "a small picture")
        picture = "return document.querySelector('.glimpse[data-of=spherical]').src"
        before = self.browser.execute_script(picture)
        self.one(".chooser [data-value=post_]").click()
        self.wait(lambda: self.browser.execute_script(picture) not in ("", before), "another one")
        self.keys("spherical", Keys.ENTER)
        self.wait(lambda: not self.many(".chooser[open]"), "the chooser closes")
        self.assertEqual(xforms_of(self.saved("post"))[0].get("post_spherical"), "1")


class Palettes(Explore):
    options = ["--palettes", PageTest.palettes]

    def setUp(self):
        super().setUp()
        self.keys("c")

    def names(self):
        return self.browser.execute_script("return [...document.querySelectorAll('#page-Palette .option b')].map(one => one.textContent)")

    def means(self):
        """The mean color of each palette, in the order of the list, told by its file."""
        with open(self.palettes) as file:
            text = file.read()
        data = {name: bytes.fromhex(re.sub(r"\s", "", colors)) for colors, name in
                ((re.search(r'data="([^"]*)"', tag)[1], re.search(r'name="([^"]*)"', tag)[1]) for tag in re.findall(r"<palette [^>]*>", text))}
        return [[sum(data[name][channel::4]) for channel in (1, 2, 3)] for name in self.names()]

    def sort(self, by):
        self.one(f"#page-Palette .segments [data-value='{by}']").click()
        self.keep_picture("palettes-" + by)

    def test_in_order(self):
        listed = self.names()
        self.assertGreater(len(listed), 5)
        self.sort("name")
        self.assertEqual(self.names(), sorted(listed))
        self.sort("light")
        light = [0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in self.means()]
        self.assertEqual(light, sorted(light, reverse=True))
        self.sort("warmth")
        warmth = [(r - b) / max(r, g, b) for r, g, b in self.means()]
        self.assertEqual(warmth, sorted(warmth, reverse=True))
        self.sort("color")
        self.assertEqual(sorted(self.names()), sorted(listed))
        self.assertNotEqual(self.names(), listed)
        self.sort("as listed")
        self.assertEqual(self.names(), listed)

    def bring(self, name, content):
        path = self.view.path(name)
        with open(path, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        self.one("#palette-file").send_keys(path)

    def test_of_a_file(self):
        first, listed = self.settled(), self.names()
        self.bring("evening.ugr", UGR)
        self.wait(lambda: self.names() == ["Dusk", "Night", *listed], "the palettes of the file")
        second = self.settled(first)
        self.keep_picture("palettes-file")
        colors = flame_of(self.saved("dusk")).find("palette").text.split()
        self.assertEqual(colors[0][:6], "FF0000", "UltraFractal has blue first")
        self.one("#page-Palette .searchlist input").click()
        self.keys("night", Keys.ENTER, Keys.ESCAPE)
        self.settled(second)
        self.assertEqual(flame_of(self.saved("night")).find("palette").text.split()[0][:6], "000080")

    def test_of_a_flame(self):
        first, listed = self.settled(), self.names()
        self.bring("other.flam3", FLAME.format(name="tea").replace("240 160 60", "0 255 0"))
        self.wait(lambda: self.names() == ["tea", *listed], "its palette")
        self.settled(first)
        self.assertIn("00FF00", flame_of(self.saved("green")).find("palette").text)

    def test_of_a_picture_and_of_a_picture_of_kiln(self):
        first, listed = self.settled(), self.names()
        self.bring("photo.png", picture_of([(20, 0, 40)] * 3 + [(40, 90, 160)] * 2 + [(250, 220, 120)]))
        self.wait(lambda: self.names() == ["from dark to light", "like beside like", *listed], "its colors")
        second = self.settled(first)
        self.keep_picture("palettes-picture")
        colors = flame_of(self.saved("photo")).find("palette").text.split()
        self.assertEqual((colors[0][:6], colors[-1][:6]), ("140028", "FADC78"))
        own = self.view.path("own.png")
        subprocess.run([given.kiln, "render", self.view.path("photo.flam3"), "-o", own, "-q"], check=True, stdout=subprocess.DEVNULL)
        self.one("#palette-file").send_keys(own)
        self.wait(lambda: len(self.names()) == len(listed) + 3, "the palette of its flame")
        self.assertEqual(self.settled(), second, "which is the one that it has")

    def test_what_is_no_palette_is_said(self):
        self.bring("broken.map", "no colors at all\n")
        self.wait(lambda: "broken.map" in self.one("#notice").text, "why not")
        self.assertIn("error", self.one("#notice").get_attribute("class"))


class Pocket(Explore):
    """The wall on a phone."""
    size = (390, 844)
    touch = True

    def test_nothing_is_outside_and_a_held_finger_breeds(self):
        self.keys("m")
        wall = self.pictures()
        out = self.browser.execute_script("""
            const out = element => element.checkVisibility() && element.getBoundingClientRect().right > innerWidth + 0.5;
            return [...document.querySelectorAll('#gallery *')].filter(out).map(element => element.outerHTML.slice(0, 80));""")
        self.assertEqual(out, [])
        small = [button.accessible_name for button in self.many("#gallery button") if button.is_displayed()
                 and min(button.size["width"], button.size["height"]) < 43.5]
        self.assertEqual(small, [], "too small for a finger")
        self.assertGreater(self.one("#frame").size["width"], 150, "the picture is left room")
        self.keep_picture("wall-phone")
        spot = self.ready()[1].rect
        touch = {"x": spot["x"] + 20, "y": spot["y"] + 20}
        self.cdp("Input.dispatchTouchEvent", type="touchStart", touchPoints=[touch])
        self.wait(lambda: self.many("#gallery [data-value=children][aria-pressed=true]"), "children")
        self.cdp("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        self.other_wall(wall)
        self.assertFalse(self.one("[data-does=undo]").is_enabled(), "it is not chosen")
        self.keep_picture("children-phone")
