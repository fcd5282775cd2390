# SPDX-License-Identifier: MIT
"""An artist's day: each task from the page as it was opened to its file, by mouse and keys, with what was pressed counted.

docs/measurements/editor.md has the table."""
import filecmp
import json
import os
import subprocess
import xml.etree.ElementTree as ET

from files import Files
from films import key_of, record_of
from hand import FLAME, ActionChains, Keys, PageTest, flame_of, given, xforms_of
from songs import SMALL, WithSong
from times import FilmOfFive, Zoomed
from versions import OfVersions

TINY = FLAME.replace('size="320 180"', 'size="80 45"').replace('scale="60"', 'scale="15"').replace('quality="20"', 'quality="2"')
PACK = "<flames>" + "".join(TINY.format(name=f"pack-{i}").replace("0.3 -0.4 0.1", f"0.3 {-0.4 + 0.003 * i} 0.1") for i in range(150)) + "</flames>"
MANY = ('<flame name="forty" size="90 90" scale="15" quality="1" brightness="5" gamma="3" palette_mode="linear">' +
        "".join(f'<xform weight="1" color="{i / 40}" linear="1" coefs="0.4 0 0 0.4 {i % 8 / 4 - 1} {i // 8 / 2 - 1}"/>' for i in range(40)) +
        '<color index="0" rgb="20 30 60"/><color index="255" rgb="160 220 250"/></flame>')


def kiln(*words):
    """What a command says."""
    return subprocess.run([given.kiln, *words], capture_output=True, text=True, check=True).stdout


class DayOfStills(Files):
    size = (1440, 900)
    flames = [SMALL.format(name="rose"), MANY]
    options = ["--palettes", PageTest.palettes]

    def setUp(self):
        super().setUp()
        self.count_presses()

    def test_a_number_finely_and_then_exactly(self):
        before = self.value("c")
        hand = ActionChains(self.browser, duration=10).key_down(Keys.ALT).move_to_element(self.field("c")).click_and_hold()
        hand.move_by_offset(15, 0).move_by_offset(15, 0).release().key_up(Keys.ALT).perform()
        self.assertTrue(0 < abs(self.value("c") - before) < 0.02, "30 pixels are little")
        self.type_into("c", "0.123456789", Keys.ENTER)
        self.assert_presses(3)
        self.keys(Keys.ESCAPE)
        self.assertEqual(xforms_of(self.assert_saved_is_shown("exact"))[0].get("coefs").split()[4], "0.123456789")

    def test_an_edit_while_a_render_runs(self):
        first = self.settled()
        self.keys("R")
        self.one("#render-amount").click()
        self.chord(Keys.CONTROL, "a")
        self.keys("20000", Keys.ENTER)
        self.wait(lambda: self.many("#render .job.running"), "it runs")
        self.keys(Keys.ESCAPE)
        self.wait(lambda: not self.many("#render[open]"), "the dialog closes")
        self.keys(Keys.ARROW_RIGHT)
        self.settled(first)
        self.assert_presses(6)
        self.assertTrue(self.many(".job.running"), "the picture of the edit was there before the render")
        self.wait(lambda: os.path.exists(self.view.path("rose.png")), "the render")
        made = ET.fromstring(kiln("convert", self.view.path("rose.png"), "-o", "-"))
        self.assertEqual(xforms_of(made)[0].get("coefs").split()[4], "-0.4", "it is of the flame as it was when it was asked for")

    def test_4000_by_4000(self):
        self.keys(Keys.PAGE_DOWN)
        self.wait_for_name("forty", "the square one")
        before = self.settled(None)
        self.keys("f")
        self.type_into("size 0", "4000", Keys.ENTER)
        side = self.browser.execute_script("const {width, height} = document.getElementById('stage').getBoundingClientRect();"
                                           "return Math.min(width, height)")
        drawn = lambda: self.browser.execute_script("return document.getElementById('picture').width")  # noqa: E731
        self.wait(lambda: drawn() >= 0.75 * side, "a draft as large as the stage, or the picture where that is sooner")
        self.assert_presses(4)
        self.keys(Keys.ESCAPE)
        self.assertEqual(flame_of(ET.parse(self.save("large")).getroot()).get("size"), "4000 4000")
        self.wait(lambda: not self.many("#save[open]"), "the dialog closes")
        self.keys(Keys.ESCAPE, "z")
        self.wait(lambda: self.hash() == before, "undone")

    def test_the_shape_is_locked(self):
        self.keys("f")
        self.type_into("size 0", "640", Keys.ENTER)
        self.assert_presses(3)
        self.keys(Keys.ESCAPE)
        flame = self.assert_saved_is_shown("wide").find(".//flame")
        self.assertEqual((flame.get("size"), flame.get("scale")), ("640 360", "120"), "as much is seen")

    def test_forty_xforms(self):
        self.keys(Keys.PAGE_DOWN)
        self.wait_for_name("forty", "the flame of forty")
        self.many(".chip")[22].click()
        self.keys("h", "d")
        self.wait(lambda: len(self.many(".chip")) == 41, "one more")
        self.assert_presses(4)
        xforms = xforms_of(self.assert_saved_is_shown("many"))
        self.assertEqual((len(xforms), [i for i, one in enumerate(xforms) if one.get("opacity") == "0"]), (41, [22, 40]))

    def test_keys_alone(self):
        self.keys("2", Keys.ARROW_RIGHT, "v")
        self.keys("swirl", Keys.ENTER, "0.4", Keys.ENTER, Keys.ESCAPE, "/")
        self.keys("search: palettes", Keys.ENTER)
        self.keys("glac", Keys.ENTER, Keys.ESCAPE, "s")
        self.keys("by-keys", Keys.ENTER)
        self.wait(lambda: os.path.exists(self.view.path("by-keys.flam3")), "the file")
        self.assert_presses(13)
        self.assertEqual(self.presses()[0], 0, "none of the mouse")
        flame = ET.parse(self.view.path("by-keys.flam3")).getroot()
        self.assertEqual(xforms_of(flame)[1].get("swirl"), "0.4")
        self.assertIn("04101C", ET.tostring(flame, "unicode").upper(), "the first color of glacier")

    def test_two_windows_at_one_flame(self):
        first = self.another_page()
        other = self.browser.current_window_handle
        self.browser.switch_to.window(first)
        before = self.settled()
        self.drag(self.field("c"), 60, 0)
        edited, value = self.settled(before), self.value("c")
        self.assert_presses(1)
        self.browser.switch_to.window(other)
        self.wait(lambda: self.hash() == edited and self.value("c") == value, "the edit in the other window")
        self.assert_saved_is_shown("both")
        self.keys(Keys.ESCAPE, "z")
        self.browser.switch_to.window(first)
        self.wait(lambda: self.hash() == before, "and its undo here")

    def number_menu(self, name, act):
        ActionChains(self.browser).context_click(self.field(name)).perform()
        self.one(f"#{act}").click()

    def linked(self):
        """Fields that follow others, and what."""
        return self.browser.execute_script("return [...document.querySelectorAll('.number.linked:has(.chain)')]"
                                           ".map(field => [field.querySelector('input').dataset.field, field.dataset.link])")

    def links_of(self, tree):
        return [(link.get("number"), link.get("is")) for link in tree.iter("kiln_link")]

    def test_a_number_follows_another(self):
        before = self.settled()
        self.keys("2")
        self.type_into("turn", "=xform1.turn + 72", Keys.ENTER)
        self.assert_presses(3)
        self.wait(lambda: abs(self.value("turn") - 12.9638) < 1e-3, "it follows")
        self.assertEqual(self.linked(), [["turn", "xform1.turn + 72"]])
        self.keys(Keys.ESCAPE)
        followed = self.settled(before)
        self.drag(self.field("turn"), 60, 0)
        self.assertEqual((self.hash(), round(self.value("turn"), 3)), (followed, 12.964), "a hand does not drag it")
        self.keep_picture("linked")
        self.keys("1")
        self.assertEqual(self.linked(), [])
        self.drag(self.field("turn"), 40, 0)
        led = self.value("turn")
        self.assertGreater(abs(led + 59.0362), 1)
        self.keys("2")
        self.wait(lambda: abs(self.value("turn") - led - 72) < 1e-3, "behind what is dragged")
        tree = self.assert_saved_is_shown("tied")
        self.assertEqual(self.links_of(tree), [("xform2.turn", "xform1.turn + 72")])
        self.wait(lambda: not self.many("#save[open]"), "the dialog closes")
        self.keys(Keys.ESCAPE, "z")
        self.wait(lambda: self.hash() == followed, "one step is the drag")
        self.keys("z")
        self.wait(lambda: self.hash() == before and not self.linked(), "and one the link")

    def test_a_link_by_its_menu_a_mistake_and_the_cut(self):
        self.keys("2")
        self.count_presses()
        self.number_menu("color", "link-it")
        self.wait(lambda: self.one("#link-form").is_displayed(), "the form")
        self.assertEqual(self.one("#link-title").text, "xform2.color")
        self.one("#link-form [role=combobox]").click()
        self.keys("xform1.color")
        self.keys(Keys.ENTER)
        self.keys(" +", Keys.ENTER)
        said = self.wait(lambda: self.one("#link-form").is_displayed() and (text := self.one("#link-form [role=status]").text).startswith("is=") and text,
                         "what is wrong, and the form again")
        self.assertIn("a number, or the name of one, is missing here", said)
        self.keys(Keys.END, " 0.25", Keys.ENTER)
        self.wait(lambda: self.linked() == [["color", "xform1.color + 0.25"]], f"taken: {self.linked()}")
        self.wait(lambda: self.value("color") == 0.35, "followed")
        self.type_into("color", "")
        self.wait(lambda: self.read('[data-field="color"]', "value") and
                  self.browser.execute_script("return document.activeElement.value") == "= xform1.color + 0.25", "the formula in its field")
        self.keys(Keys.ESCAPE)
        self.number_menu("color", "cut-link")
        self.wait(lambda: not self.linked(), "cut")
        self.keys("z")
        self.wait(lambda: self.linked(), "back by one step")
        self.type_into("color", "0.5", Keys.ENTER)
        self.wait(lambda: not self.linked() and self.value("color") == 0.5, "a number that is typed cuts it")
        self.keys(Keys.ESCAPE, "1", ",", ".")
        self.forget_console()

    def test_a_tileable_picture(self):
        before = self.settled()
        self.keys("f")
        self.one("#tile").click()
        self.assert_presses(2)
        self.settled(before)
        self.assertEqual(flame_of(self.assert_saved_is_shown("tile")).get("kiln_tile"), "1")
        self.wait(lambda: not self.many("#save[open]"), "the dialog closes")
        self.keys(Keys.ESCAPE)
        self.one("#repeats-look").click()
        size = self.wait(lambda: self.browser.execute_script(
            "const {style} = document.getElementById('repeats'), frame = document.getElementById('frame').getBoundingClientRect();"
            "return style.backgroundImage.startsWith('url(') && [style.backgroundSize, frame.width, frame.height]"), "copies of it")
        self.assertEqual([round(float(side[:-2])) for side in size[0].split()], [round(side) for side in size[1:]], "as large as it")
        self.keep_picture("repeats")
        self.one("#tile").click()
        self.wait(lambda: self.hash() == before, "the plain one again")
        self.assertFalse(self.one("#repeats").is_displayed())

    def first_variations(self, count):
        return [option.text.split("\n")[0] for option in self.many(".trial[open] .option")[:count]]

    def test_favourites_and_recent_variations(self):
        self.keys("v")
        self.keys("swirl", Keys.ENTER, Keys.ESCAPE)
        self.keys("2", "v", Keys.ARROW_DOWN, Keys.ENTER, Keys.ESCAPE)
        self.assert_presses(8)
        self.assertEqual([one.get("swirl") for one in xforms_of(self.saved_now("recent"))], ["1", "0.3", None])
        self.count_presses()
        self.keys("v", "jul")
        star = self.one(".trial [aria-label^='A star for julian:']")
        star.click()
        self.assert_presses(2)
        self.keys(*[Keys.BACKSPACE] * 3)
        self.assertEqual(self.first_variations(2), ["julian", "swirl"])
        self.keep_picture("favourites")
        self.keys(Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.LEFT_ALT + Keys.ENTER)
        self.keys(Keys.NULL)
        self.open()
        self.keys("v")
        self.assertEqual(self.first_variations(2), ["julian", "swirl"], "another day, too")
        self.browser.execute_script("localStorage.clear()")

    def saved_now(self, name):
        return ET.parse(self.save(name)).getroot()


class DayOfPacks(Files):
    size = (1440, 900)
    flames = [TINY.format(name="rose").replace('gamma="3"', 'gamma="2.2"')]

    def setUp(self):
        super().setUp()
        self.write("pack.flam3", PACK)
        self.count_presses()

    def open_pack(self):
        self.chord(Keys.CONTROL, "o")
        self.wait(lambda: "pack.flam3" in self.entries(), "the file")
        self.keys("pack.f", Keys.ENTER)
        return self.wait(lambda: (tiles := self.many("#wall .tile")) and len(tiles) == 151 and tiles, "the wall of them")

    def bar(self, says):
        self.one(f"//div[contains(@class, 'chosen-bar')]/button[text()='{says} …']").click()

    def test_150_are_opened_and_three_picked(self):
        tiles = self.open_pack()
        for tile in tiles[3:6]:
            ActionChains(self.browser).key_down(Keys.CONTROL).click(tile).key_up(Keys.CONTROL).perform()
        self.many(".chosen-bar .star")[4].click()
        self.bar("Save")
        self.keys(Keys.ENTER)
        path = self.view.path("chosen.flam3")
        self.wait(lambda: os.path.exists(path), "the pack of three")
        self.assert_presses(8)
        self.assertEqual([flame["name"] for flame in json.loads(kiln("info", "--json", path))["flames"]], ["pack-2", "pack-3", "pack-4"])
        self.wait(lambda: [one.text for one in self.many("#wall .tile em") if one.text] == ["★★★★★"] * 3, "five stars each")

    def test_a_look_onto_all_then_a_contact_sheet_and_a_picture_of_each(self):
        self.keys("Y")
        self.open_pack()
        self.count_presses()
        self.chord(Keys.CONTROL, "a")
        self.bar("Paste settings")
        self.keys(Keys.ENTER)
        self.assert_presses(3, "a look onto 151, after Shift+Y")
        self.count_presses()
        self.bar("Contact sheet")
        self.keep_picture("contact-sheet")
        self.keys(Keys.ENTER)
        self.assert_presses(2, "a contact sheet of them")
        self.wait(lambda: os.path.exists(self.view.path("sheet.png")), "the sheet")
        self.keys(Keys.ESCAPE)
        self.bar("Save")
        self.keys(Keys.ENTER)
        path = self.view.path("chosen.flam3")
        self.wait(lambda: os.path.exists(path), "all of them in a file")
        self.assertEqual([one.get("gamma") for one in ET.parse(path).getroot()], ["2.2"] * 151)
        kiln("sheet", path, "-o", path + ".png", "--quiet")
        self.assertTrue(filecmp.cmp(self.view.path("sheet.png"), path + ".png", shallow=False), "that of the command line")
        self.wait(lambda: not self.many("#many[open]"), "the dialog closes")
        self.count_presses()
        self.bar("Render")
        self.keys(Keys.ENTER)
        self.assert_presses(2, "a picture of each that is chosen")
        self.wait(lambda: len(self.many("#many .job")) == 152, "a job of each, and that of the sheet")
        seventh = self.view.path("pack-7.png")
        self.wait(lambda: os.path.exists(seventh), "the first pictures")  # the rest would be a minute
        by_command = json.loads(kiln("render", path, "--flame", "pack-7", "-o", path + "-7.png", "--json"))["pictures"][0]["pixel_hash"]
        self.assertEqual(record_of(seventh)["pixel_hash"], by_command)


class DayOfVersions(OfVersions):
    def test_yesterdays_version(self):
        hashes = self.edits(0.1, 0.2)
        self.age(self.files()[1], "2026-11-20", "10-00-00.000")
        self.die_and_start_anew()
        self.wait(lambda: self.hash() == hashes[0], "the file")
        self.count_presses()
        self.keys("U")
        self.wait(self.tiles, "the versions")
        self.many("#versions .tile")[0].click()
        self.wait(lambda: self.hash() == hashes[1], "that of another day")
        self.assert_presses(2)
        self.assert_saved_is_shown("yesterday")
        self.forget_console()


class DayOfLongFilms(FilmOfFive):
    flames = [FilmOfFive.flames[0], f"<flames>{''.join(key_of(10 * i, i % 7) for i in range(200))}</flames>".replace('quality="20"', 'quality="2"')]

    def test_retimed(self):
        self.count_presses()
        self.drag_key(60, 80)
        self.assert_presses(1, "one key")
        self.count_presses()
        self.frame_around(40, 200)
        self.wait(lambda: self.chosen() == [40, 80, 200], "from there on")
        self.drag(self.key(40), round(self.x_of(60) - self.x_of(40)), 0)
        self.wait(lambda: self.times() == [0, 20, 60, 100, 220], f"later: {self.times()}")
        self.assert_presses(2, "ripple")
        self.count_presses()
        self.hand_to(100)
        self.chord(Keys.CONTROL, "a")
        self.drag(self.one("#timeline .grip.last"), round(self.x_of(110) - self.x_of(220)), 0)
        self.wait(lambda: self.times() == [0, 10, 30, 50, 110], f"twice as fast: {self.times()}")
        self.assert_presses(3, "all keys")
        self.frame()
        self.assertEqual([float(key.get("time")) for key in self.saved("retimed")], [0, 10, 30, 50, 110])

    def test_a_long_one(self):
        self.keys(Keys.PAGE_DOWN)
        self.wait(lambda: len(self.times()) == 200, "two hundred keys")
        self.count_presses()
        Zoomed.wheel(self, self.x_of(1200), -900)
        self.wait(lambda: self.seen()[1] - self.seen()[0] < 1000, "closer")
        self.hand_to(1200)
        self.keys("M", "chorus", Keys.ENTER)
        self.one("#timeline-fit").click()
        self.wait(lambda: self.seen()[0] == 0, "all of it")
        self.assert_presses(4)
        self.one("#timeline .strip").send_keys(Keys.HOME)
        self.wait(lambda: self.hand() == 0, "the begin")
        self.keys("}")
        self.wait(lambda: self.hand() == 1200, "at the marker")
        keys = self.saved("long")
        self.assertEqual((len(keys), [(one.get("time"), one.get("name")) for one in keys[0].findall("kiln_marker")]), (200, [("1200", "chorus")]))
        self.assertIn("chorus", kiln("info", self.view.path("long.flam3")))


class DayOfFilms(WithSong):
    flames = [SMALL.format(name="rose").replace("estimator_radius", 'temporal_samples="1" estimator_radius')]

    def setUp(self):
        super().setUp()
        self.count_presses()

    def test_a_seamless_loop_of_8_seconds_as_mp4(self):
        self.keys("T")
        self.one("#timeline-frames").click()
        self.keys("8 s")
        self.one("#timeline [data-loop=mp4]").click()
        self.wait(lambda: self.many("#export[open]"), "the dialog")
        self.keys(Keys.ENTER)
        self.assert_presses(4)
        path = self.view.path("rose.mp4")
        self.wait(lambda: os.path.exists(path), "the film")
        probe = json.loads(subprocess.run(["ffprobe", "-v", "error", "-count_packets", "-show_entries", "stream=nb_read_packets:format=duration",
                                           "-of", "json", path], capture_output=True, text=True, check=True).stdout)
        self.assertEqual((probe["streams"][0]["nb_read_packets"], float(probe["format"]["duration"])), ("240", 8))
        self.keys(Keys.ESCAPE)
        tracks = self.saved("loop")[0].findall("kiln_track")
        for track in tracks:
            first, last = [(float(key.get("time")), float(key.get("value"))) for key in track.findall("key")][::len(track.findall("key")) - 1]
            self.assertEqual((track.get("ends"), last[0] - first[0], (last[1] - first[1]) % 360), ("cycle", 240, 0), "it ends where it begins")

    def test_around_it_in_space(self):
        self.keys("T")
        self.one("#timeline-make-this").click()
        self.wait(self.times, "a key")
        self.hand_to(8)
        self.keys("f")
        self.drag(self.one("#gizmo"), 30, 14)
        self.wait(lambda: self.times() == [0, 8], "a key of the turned camera")
        self.assert_presses(5)
        self.hand_to(4)
        shown = self.frame()
        keys = self.saved("orbit")
        self.assertNotEqual(float(keys[1].get("cam_yaw", 0)), 0)
        self.assertEqual(self.animated(self.view.path("orbit.flam3"), "--frames", "4"), [shown])

    def test_a_number_that_follows_another_does_so_all_along(self):
        self.keys("T")
        self.one("#timeline-make-this").click()
        self.wait(self.times, "a key")
        self.keys("2")
        self.type_into("color", "=1 - xform1.color", Keys.ENTER, Keys.ESCAPE)
        self.hand_to(8)
        self.keys("1")
        self.type_into("color", "0.75", Keys.ENTER, Keys.ESCAPE)
        self.wait(lambda: self.times() == [0, 8], "a key of it")
        self.hand_to(4)
        self.keys("2")
        middle = self.wait(lambda: self.value("color") not in (0.25, 0.9) and self.value("color"), "between them")
        self.assertAlmostEqual(middle, 1 - (0.1 + 0.75) / 2, 5)
        shown = self.frame()
        keys = self.saved("tied")
        self.assertEqual([key.find("kiln_link").get("is") for key in keys], ["1 - xform1.color"] * 2)
        self.assertEqual(self.animated(self.view.path("tied.flam3"), "--frames", "4"), [shown], "the frame of the command line")

    def test_to_music_with_its_beats_seen(self):
        self.keys("T")
        self.one("#timeline-make-this").click()
        self.wait(self.times, "a key")
        self.take_song()
        self.one("#timeline-song").click()
        self.assert_presses(7, "a song with its beats")
        self.assertGreater(sum(ink > 0 for ink in self.ink("#timeline canvas.beats")), 8, "beats on the strip")
        self.count_presses()
        self.keys("l")
        self.menu_of("brightness", "drive-it")
        self.keys(Keys.ENTER)
        self.wait(lambda: self.many('[data-driven="brightness"] .line'), "its course")
        self.assert_presses(4, "a number that it drives")
        self.hand_to(70)
        shown = self.frame()
        keys = self.saved("music")
        self.assertEqual((keys[0].find("kiln_sound").get("file"), keys[0].find("kiln_track").get("sound")), ("song.wav", "bass"))
        self.assertEqual(self.animated(self.view.path("music.flam3"), "--frames", "70"), [shown], "the frame of the command line")
