# SPDX-License-Identifier: MIT
"""Every step outlives the day: versions on the disk, gone over by the hand, compared, copied, named, found again after kill -9."""
import glob
import os
import shutil
import time

from hand import FLAME, ActionChains, Keys, PageTest, text_of

STORE = "kiln/versions"


class OfVersions(PageTest):
    """What the tests of this file have in common."""
    size = (1440, 900)
    flames = [FLAME.format(name="rose")]

    def files(self, history="*", day="*"):
        """The files of steps, in the order of their times."""
        found = glob.glob(os.path.join(self.view.path(STORE), history, day, "*.flam3"))
        return sorted(found, key=lambda path: path.split("/")[-2:])

    def edit(self, value):
        """A step."""
        before = self.settled()
        self.type_into("c", str(value), Keys.ENTER, Keys.ESCAPE)
        return self.settled(before)

    def edits(self, *values):
        """The hashes of what was opened and of each step; all of them are on the disk then."""
        hashes = [self.settled()] + [self.edit(value) for value in values]
        self.wait(lambda: len(self.files()) == len(hashes), "a file of each step")
        return hashes

    def open_versions(self):
        self.keys(Keys.ESCAPE, "U")
        self.wait(self.tiles, "the versions")

    def tiles(self):
        return self.many("#versions .state")

    def now(self):
        """The place of the version that is shown."""
        shown = [i for i, name in enumerate(self.read("#versions .state", "class")) if "chosen" in name]
        return shown[0] if shown else -1

    def history(self):
        return os.path.dirname(os.path.dirname(self.files()[0]))

    def age(self, path, day, clock):
        """The same version on another day."""
        folder = os.path.join(os.path.dirname(os.path.dirname(path)), day)
        os.makedirs(folder, exist_ok=True)
        shutil.move(path, os.path.join(folder, clock + ".flam3"))

    def names(self):
        return [option.text for option in self.many("#flames option")]


class Versions(OfVersions):
    def test_each_step_is_a_file_that_renders_as_it_was(self):
        hashes = self.edits(0.1, 0.2, 0.3)
        self.assertEqual([self.rendered_hash(path) for path in self.files()], hashes)
        self.assertRegex(os.path.basename(self.history()), r"^in0-[0-9a-f]{8}$")
        self.keys("z", "z")
        self.edit(0.7)
        self.wait(lambda: len(self.files()) == 5, "a branch is a version more, and undo takes none away")
        self.assertIn("a folder of each flame", text_of(self.view.path(STORE + "/README.txt")))

    def test_a_drag_is_one_version(self):
        first = self.settled()
        self.drag(self.field("c"), 60, 0, steps=20)
        last = self.settled(first)
        self.wait(lambda: len(self.files()) == 2 and self.rendered_hash(self.files()[-1]) == last, "the drag's end")

    def picture_of_last(self):
        """The pixels of the small picture of the newest version; empty: it has none yet."""
        return self.browser.execute_script("""const image = [...document.querySelectorAll('#versions img')].pop();
            if (!image?.hasAttribute('src') || !image.complete || !image.naturalWidth) return '';
            const canvas = document.createElement('canvas');
            [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
            canvas.getContext('2d').drawImage(image, 0, 0);
            return canvas.toDataURL();""")

    def test_its_picture_is_of_the_end_of_the_drag(self):
        first = self.settled()
        self.open_versions_of_none()
        place = self.field("c").rect
        x, y = place["x"] + place["width"] / 2, place["y"] + place["height"] / 2
        mouse = lambda kind, dx: self.cdp(  # noqa: E731  (held over several steps of the test)
            "Input.dispatchMouseEvent", type=kind, x=x + dx, y=y, button="left", buttons=int(kind != "mouseReleased"), clickCount=1)
        mouse("mousePressed", 0)
        for dx in range(3, 33, 3):
            mouse("mouseMoved", dx)
        self.wait(lambda: len(self.tiles()) == 2, "a version")
        amid, before = self.wait(self.picture_of_last, "its picture while the hand rests"), self.value("c")
        for dx in range(33, 93, 3):
            mouse("mouseMoved", dx)
        mouse("mouseReleased", 90)
        self.wait(lambda: self.value("c") > before + 0.1, "the drag goes on")
        self.settled(first)
        time.sleep(2)
        last = self.wait(self.picture_of_last, "its picture")
        self.assertNotEqual(last, amid)
        self.open()
        self.open_versions()
        self.wait(lambda: len(self.tiles()) == 2, "the same versions")
        self.assertEqual(self.wait(self.picture_of_last, "its picture"), last)

    def open_versions_of_none(self):
        self.keys(Keys.ESCAPE, "U")
        self.wait(lambda: self.one("#versions").is_displayed(), "the strip")

    def test_a_day_survives_kill_9(self):
        hashes = self.edits(0.1, 0.2, 0.3, 0.4)
        self.die_and_start_anew()
        self.wait(lambda: self.hash() == hashes[0], "the file")
        self.open_versions()
        self.assertEqual(len(self.tiles()), 5)
        self.many("#versions .tile")[3].click()
        self.wait(lambda: self.hash() == hashes[3], "the step before the last")
        self.assertEqual(self.now(), 3)
        self.keys("z")
        self.wait(lambda: self.hash() == hashes[0], "one step of undo")
        time.sleep(1)
        self.assertEqual(len(self.files()), 5, "to look at a version makes none")
        self.many("#versions .tile")[3].click()
        self.wait(lambda: self.hash() == hashes[3], "the step before the last")
        self.keys(Keys.ESCAPE, "q")
        self.wait(lambda: len(self.files()) == 6, "what is edited from there is a version more")
        self.wait(lambda: self.now() == 5, "and it is shown")
        self.forget_console()

    def test_a_week_is_gone_over_by_the_hand_as_one_step(self):
        hashes = self.edits(*[i / 10 for i in range(1, 8)])
        for i, path in enumerate(self.files()[:6]):
            self.age(path, f"2026-11-{20 + i // 2}", f"10-0{i}-00.000")
        self.open_versions()
        self.assertEqual(len(self.tiles()), 8)
        self.wait(lambda: len(self.many("#versions img[src]")) >= 6, "small pictures")
        self.keep_picture("versions-1440")
        line = self.one("#versions .days")
        self.assertGreaterEqual(len(self.many("#versions .days text")), 3)
        width, height = line.rect["width"], line.rect["height"]
        place = lambda i: round((i + 0.5) / 8 * width - width / 2)  # noqa: E731
        hand = ActionChains(self.browser, duration=30).move_to_element_with_offset(line, place(7), 0).click_and_hold()
        for i in (6, 4, 2, 1):
            hand.move_to_element_with_offset(line, place(i), 0)
        hand.release().perform()
        self.wait(lambda: self.hash() == hashes[1], "the second version")
        self.keys("z")
        self.wait(lambda: self.hash() == hashes[7], "all of the way was one step")
        line.send_keys(Keys.ARROW_LEFT)
        self.wait(lambda: self.hash() == hashes[6], "one back by a key")

    def test_any_two_are_compared(self):
        hashes = self.edits(0.1, 0.2, 0.3)
        self.open_versions()
        self.many("#versions [aria-label='Compare with this one']")[0].click()
        self.wait(lambda: self.one("#compared").is_displayed(), "the first beside the last")
        self.many("#versions .tile")[2].click()
        self.wait(lambda: self.hash() == hashes[2], "the first beside the third")
        self.wait(lambda: "being made" not in self.one(".side.left").text, "finished on both sides")
        self.assertRegex(self.one(".side.left").text, r"\d\d:\d\d:\d\d")
        self.keep_picture("versions-compared")
        self.chord(Keys.SHIFT, "c")
        self.assertTrue(self.many("#frame.difference"))
        self.chord(Keys.SHIFT, "c")
        self.assertTrue(self.many("#frame.blink"), "by turns")
        self.chord(Keys.SHIFT, "c")
        self.assertFalse(self.one("#compared").is_displayed())

    def test_a_copy_is_one_key_and_goes_its_own_way(self):
        hashes = self.edits(0.1, 0.2)
        self.keys("D")
        self.wait(lambda: len(self.names()) == 2, "two flames")
        self.wait(lambda: self.one("#flames").get_attribute("value") == "1", "the copy")
        self.assertEqual(self.names(), ["• rose", "• rose copy"])
        self.wait(lambda: self.hash() == hashes[2], "its picture")
        self.edit(0.9)
        self.open_versions()
        self.wait(lambda: len(self.tiles()) == 4, "it has what it came from")
        self.keys(Keys.ESCAPE, Keys.PAGE_UP)
        self.wait(lambda: len(self.tiles()) == 3, "and the first has nothing of it")
        self.many("#versions [aria-label='A copy of this version']")[0].click()
        self.wait(lambda: len(self.names()) == 3, "a copy of a version")
        self.wait(lambda: self.hash() == hashes[0], "its picture")
        self.wait(lambda: len(self.kept_files()) == 3, "edits that are in no file")

    def test_a_name_keeps_a_version_and_the_others_go_by_their_age(self):
        self.edits(0.1, 0.2, 0.3)
        self.age(self.files()[0], "2020-01-01", "10-00-00.000")
        self.age(self.files()[1], "2020-01-01", "11-00-00.000")
        self.open_versions()
        name = self.many("#versions .tools input")[0]
        name.click()
        self.keys("warm night", Keys.ENTER)
        self.wait(lambda: glob.glob(self.history() + "/names.txt"), "its name on the disk")
        self.assertEqual(text_of(self.history() + "/names.txt"), "2020-01-01/10-00-00.000 warm night\n")
        self.one("#versions [data-value=kept]").click()
        self.assertEqual([tile.get_attribute("value") for tile in self.many("#versions .tools input")], ["warm night"])
        self.die_and_start_anew()
        self.wait(lambda: len(self.files(day="2020-01-01")) == 1, "the one without a name is gone")
        self.assertIn("10-00-00.000", self.files()[0])
        self.assertEqual(len(self.files()), 3)
        self.forget_console()

    def test_a_kept_state_is_a_version_with_its_name(self):
        self.edits(0.1, 0.2)
        self.keys("k")
        self.wait(lambda: glob.glob(self.history() + "/names.txt"), "its name on the disk")
        self.assertIn("rose-A", text_of(self.history() + "/names.txt"))
        self.open_versions()
        self.assertEqual([tile.get_attribute("value") for tile in self.many("#versions .tools input")], ["", "", "rose-A"])

    def test_saved_under_a_name_its_versions_go_along(self):
        hashes = self.edits(0.1, 0.2)
        self.save("other")
        self.edit(0.3)
        self.open_versions()
        self.wait(lambda: len(self.tiles()) == 4, "all of them")
        self.view.words[self.view.words.index("in0.flam3")] = "other.flam3"
        self.new_tab_of_another_run()
        self.wait(lambda: self.hash() == hashes[2], "the saved file")
        self.open_versions()
        self.wait(lambda: len(self.tiles()) == 4, "all of them the day after")
        self.forget_console()

    def test_a_full_disk_is_said_and_nothing_is_lost(self):
        first = self.settled()
        os.makedirs(self.view.path("kiln"), exist_ok=True)
        with open(self.view.path(STORE), "w"):
            pass  # no folder can be made there
        self.type_into("c", "0.125", Keys.ENTER, Keys.ESCAPE)
        last = self.settled(first)
        self.wait(lambda: self.one("#unkept").is_displayed(), "a word in the status")
        self.open_versions()
        self.many("#versions .tile")[0].click()
        self.wait(lambda: self.hash() == first, "what waits can be gone to")
        os.remove(self.view.path(STORE))
        self.wait(lambda: not self.one("#unkept").is_displayed(), "no word any more")
        self.wait(lambda: len(self.files()) == 2, "both are there after all")
        self.assertEqual(self.rendered_hash(self.files()[1]), last)
        self.forget_console()


class VersionsOfAFilm(PageTest):
    size = (1440, 900)
    flames = ["<flames>" + FLAME.format(name="rose").replace('name="rose"', 'name="rose" time="0"')
              + FLAME.format(name="end").replace('name="end"', 'name="end" time="30" rotate="20"') + "</flames>"]

    def test_films_have_versions_too(self):
        self.wait(lambda: len(self.many("#timeline .key")) == 2, "the film")
        first = self.settled()
        self.type_into("c", "0.1", Keys.ENTER, Keys.ESCAPE)
        second = self.settled(first)
        self.one("//section[@id='timeline']//button[text()='No film']").click()
        self.wait(lambda: not self.one("#timeline .key").is_displayed(), "the flame alone")
        self.keys(Keys.ESCAPE, "U")
        self.wait(lambda: len(self.many("#versions .state")) == 3, "all three")
        self.many("#versions .tile")[0].click()
        self.wait(lambda: self.one("#timeline .key").is_displayed(), "the film again")
        self.wait(lambda: self.hash() == first, "as it was opened")
        self.many("#versions .tile")[1].click()
        self.wait(lambda: self.hash() == second, "and as it was edited")
        self.keys(Keys.ESCAPE, "D")
        self.wait(lambda: "rose copy · film, 30 frames" in self.one("#flames").text, "a copy of the film")


class VersionsOnAPhone(OfVersions):
    size = (390, 844)
    touch = True

    def test_a_finger_goes_back(self):
        hashes = self.edits(0.1, 0.2)
        self.keys("U")
        self.wait(lambda: len(self.tiles()) == 3, "the versions")
        self.wait(lambda: len(self.many("#versions img[src]")) == 3, "small pictures")
        self.keep_picture("versions-390")
        self.many("#versions .tile")[1].click()
        self.wait(lambda: self.hash() == hashes[1], "the second one")
