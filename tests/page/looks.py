# SPDX-License-Identifier: MIT
"""Look, palette, camera and xforms go from flame to flame, each apart, onto one or onto several that are chosen on the wall."""
import os
import xml.etree.ElementTree as ET

from hand import FLAME, ActionChains, Keys, PageTest, flame_of, xforms_of

WARM = (FLAME.format(name="warm").replace('gamma="3"', 'gamma="2.2" rotate="30" kiln_bloom="0.2 5 1"').replace("20 30 60", "90 0 0")
        .replace('center="0.2 0.1" scale="60"', 'center="-0.5 0" scale="120"').replace('size="320 180"', 'size="640 360"'))
FILM = "<flames>" + "".join(FLAME.replace('name="{name}"', f'name="film" time="{time}" rotate="{time}"') for time in (0, 20)) + "</flames>"


class Looks(PageTest):
    size = (1440, 900)
    flames = [WARM, FLAME.format(name="rose"), FLAME.format(name="third"), FILM]

    def go(self, index):
        self.one(f"#flames option[value='{index}']").click()
        self.wait(lambda: self.one("#flames").get_attribute("value") == str(index), "another flame")
        self.keys(Keys.ESCAPE)  # or the list has the keys
        return self.settled()

    def part(self, *names):
        """These are pressed, the others are not."""
        for button in self.many("#settings [data-part]"):
            if (button.get_attribute("aria-pressed") == "true") != (button.get_attribute("data-part") in names):
                button.click()

    def paste(self, *names):
        self.keys(Keys.ESCAPE, "V")
        self.wait(lambda: self.many("#settings[open]"), "the dialog")
        self.part(*names)
        self.one("#settings [type=submit]").click()

    def test_each_part_goes_apart(self):
        self.keys("Y")
        before = self.go(1)
        own = flame_of(self.assert_saved_is_shown("own"))
        warm = {"look": ("gamma", "2.2"), "camera": ("rotate", "30")}
        for part in ("look", "palette", "camera"):
            self.paste(part)
            self.settled(before)
            if part == "look":
                self.keep_picture("settings-look")
            got = flame_of(self.assert_saved_is_shown(part))
            for name, (attribute, value) in warm.items():
                self.assertEqual(got.get(attribute) == value, name == part, (part, attribute))
            text = ET.tostring(got, "unicode")
            self.assertEqual("5A0000" in text or 'rgb="90 0 0"' in text, part == "palette")
            self.assertEqual(got.get("size"), own.get("size"), "the picture's size stays")
            self.assertEqual(float(got.get("scale")), 60, "120 of 640 pixels are 60 of 320")
            self.keys(Keys.ESCAPE, "z")
            self.wait(lambda: self.hash() == before, "undone by one step")

    def test_xforms_go_apart(self):
        self.go(1)
        self.keys("Y")
        self.go(0)
        first = self.settled()
        self.type_into("weight", "3", Keys.ENTER, Keys.ESCAPE)
        self.paste("xforms")
        self.wait(lambda: self.hash() == first, "those of the other are as these were")
        self.assertEqual(flame_of(self.assert_saved_is_shown("xforms")).get("rotate"), "30")

    def test_onto_several_that_are_chosen_on_the_wall(self):
        hashes = [self.go(i) for i in (0, 1, 2, 3)]
        self.go(0)
        self.keys("Y", "b")
        tiles = self.wait(lambda: (found := self.many("#wall .tile")) and len(found) == 4 and found, "the wall")
        ActionChains(self.browser).key_down(Keys.CONTROL).click(tiles[1]).key_up(Keys.CONTROL).perform()
        ActionChains(self.browser).key_down(Keys.SHIFT).click(tiles[3]).key_up(Keys.SHIFT).perform()
        self.assertEqual(self.one(".chosen-bar b").text, "3 chosen")
        self.wait(lambda: len(self.many("#wall .tile img[src]")) == 4, "small pictures")
        self.keep_picture("wall-chosen")
        self.one("//div[contains(@class, 'chosen-bar')]/button[text()='Paste settings …']").click()
        self.keep_picture("settings-1440")
        self.part("look", "palette", "xforms")
        self.one("#settings [type=submit]").click()
        self.wait(lambda: "xforms of a film are not replaced" in self.one("#notice").text, "a word about the film")
        self.keys(Keys.ESCAPE, Keys.ESCAPE)
        self.wait(lambda: not self.one("#wall").is_displayed(), "the picture")
        for i in (1, 2):
            now = self.go(i)
            self.assertNotEqual(now, hashes[i])
            self.assertEqual(flame_of(self.assert_saved_is_shown(f"chosen{i}")).get("gamma"), "2.2")
            self.keys(Keys.ESCAPE, "z")
            self.wait(lambda: self.hash() == hashes[i], "undone, in this one alone")
        self.assertEqual(self.go(3), hashes[3], "the film is as it was")

    def test_stars_a_pack_pictures_and_a_film_of_the_chosen(self):
        self.keys(Keys.ESCAPE, "b")
        tiles = self.wait(lambda: (found := self.many("#wall .tile")) and len(found) == 4 and found, "the wall")
        for tile in tiles[1:3]:
            ActionChains(self.browser).key_down(Keys.CONTROL).click(tile).key_up(Keys.CONTROL).perform()
        self.many(".chosen-bar .star")[3].click()
        self.wait(lambda: self.one('#wall .tile[data-index="2"] em').text == "★★★★", "four stars")
        with open(self.view.path("kiln/stars")) as file:
            self.assertEqual([line.split()[0] for line in file], ["4", "4"])
        bar = "//div[contains(@class, 'chosen-bar')]/button[text()='{}']"
        self.one(bar.format("Save …")).click()
        self.keys("two", Keys.ENTER)
        self.wait(lambda: not self.many("#many[open]"), "the pack")
        self.assertEqual([one.get("name") for one in ET.parse(self.view.path("two.flam3")).getroot()], ["rose", "third"])
        self.one(bar.format("Render …")).click()
        self.keys("set-", Keys.ENTER)
        self.wait(lambda: all(os.path.exists(self.view.path(f"set-{name}.png")) for name in ("rose", "third")), "two pictures")
        self.keys(Keys.ESCAPE)
        self.one(bar.format("Save …")).click()
        self.assertEqual(self.many("#many .queue"), [], "renders have nothing to do with it")
        self.keys("two.v2", Keys.ENTER)
        self.wait(lambda: os.path.exists(self.view.path("two.v2.flam3")), "a name with a dot")
        self.wait(lambda: not self.many("#many[open]"), "the pack")
        self.one(bar.format("Make a film")).click()
        self.wait(lambda: "film, 6" in self.one("#flames option:last-child").get_attribute("textContent"), "a film of both")

    def test_a_film_takes_a_look_in_all_its_keys(self):
        self.keys("Y")
        before = self.go(3)
        self.paste("look")
        self.settled(before)
        keys = self.assert_film("graded")
        self.assertEqual([key.get("gamma") for key in keys], ["2.2", "2.2"])
        self.assertEqual([key.get("rotate") for key in keys], ["0", "20"])

    def assert_film(self, name):
        return ET.parse(self.save(name)).getroot().findall("flame")

    def test_without_a_copy_it_is_said(self):
        self.keys("V")
        self.wait(lambda: "no settings are copied yet" in self.one("#notice").text, "a word")
        self.assertEqual(len(xforms_of(self.assert_saved_is_shown("same"))), 3)


class LooksOnAPhone(PageTest):
    size = (390, 844)
    touch = True
    flames = [WARM, FLAME.format(name="rose")]

    def test_the_dialog_fits(self):
        self.keys("Y")
        self.keys("V")
        self.wait(lambda: self.many("#settings[open]"), "the dialog")
        self.keep_picture("settings-390")
        box = self.one("#settings").rect
        self.assertGreaterEqual(box["x"], 0)
        self.assertLessEqual(box["x"] + box["width"], 390)
