# SPDX-License-Identifier: MIT
"""Films in the page: a timeline with keys, easing and tracks made by the mouse, scrubbed, played, exported as `kiln animate` makes it."""
import glob
import json
import os
import re
import subprocess
import xml.etree.ElementTree as ET

from hand import FLAME, ActionChains, By, Keys, PageTest, given


def record_of(path):
    """What a picture says of how it was made."""
    with open(path, "rb") as file:
        return json.loads(re.search(rb"kiln_record\0(\{.*?\})", file.read())[1])


class Films(PageTest):
    """What the tests of this file have in common."""
    size = (1440, 900)
    flames = [FLAME.format(name="rose").replace("estimator_radius", 'temporal_samples="6" estimator_radius')]

    def times(self):
        return [float(time) for time in self.read("#timeline .key", "data-time")]

    def film(self, first="timeline-make-this"):
        self.click("timeline")
        self.one(f"#{first}").click()
        self.wait(self.times, "keys")
        self.settled()

    def hand(self):
        return float(self.read("#timeline .strip", "aria-valuenow")[0])

    def hand_to(self, time):
        """By a click on the strip, where ruler and keys are not."""
        box, spot = self.one("#timeline .strip").rect, self.x_of(time)
        ActionChains(self.browser, duration=10).move_to_element_with_offset(
            self.one("#timeline .strip"), round(spot - box["width"] / 2), round(8 - box["height"] / 2)).click().perform()
        self.wait(lambda: self.hand() == time, f"the hand at {time}")

    def frame(self):
        """The hash of the finished frame under the hand."""
        self.wait(lambda: self.read("#timeline .strip", "aria-busy") == ["false"], "the frame under the hand")
        return self.settled()

    def x_of(self, time):
        """On the strip. The page draws 0 to its last time and a bit at even steps."""
        (first, begin), *_, (last, end) = self.browser.execute_script(  # at once: an edit may draw them anew at any time
            "return [...document.querySelectorAll('#timeline .ruler text')].map(mark => [Number(mark.textContent), Number(mark.getAttribute('x'))])")
        return begin + (time - first) * (end - begin) / (last - first)

    def drag_key(self, time, to):
        self.drag(self.one(f'#timeline .key[data-time="{time}"]'), round(self.x_of(to) - self.x_of(time)), 0)
        self.wait(lambda: to in self.times(), f"a key at {to}: {self.times()}")

    def ease(self, time, easing):
        self.one(f'#timeline .segment[data-time="{time}"]').click()
        self.one(f'#easings [data-easing="{easing}"]').click()

    def add_keys_between(self):
        """Of keys at 0 and 8: others at 2 and 6, one by its button, one by an edit, with easing by clicks."""
        self.hand_to(4)
        self.one("#timeline-add").click()
        self.wait(lambda: self.times() == [0, 4, 8], "a key at the hand")
        self.hand_to(2)
        self.keys("e", "+")
        self.wait(lambda: self.times() == [0, 2, 4, 8], "four keys")
        self.frame()
        self.drag_key(4, 6)
        self.ease(0, "ease-in-out")
        self.ease(2, "bounce")
        self.ease(6, "hold")

    def saved(self, name):
        return ET.parse(self.save(name)).getroot().findall("flame")

    def animated(self, path, *words):
        """Hashes of the frames that the command makes of a file."""
        answer = subprocess.run([given.kiln, "animate", path, "-o", path + "-frames/#####.png", "--json", *words],
                                capture_output=True, text=True, check=True)
        return [frame["pixel_hash"] for frame in json.loads(answer.stdout)["pictures"]]


class Timeline(Films):
    def test_four_keys_with_easing_by_the_mouse_are_those_of_the_file(self):
        self.film()
        self.hand_to(8)
        self.keys("q", "q")
        self.wait(lambda: self.times() == [0, 8], "a key of what was edited")
        self.add_keys_between()
        self.keep_picture("timeline-four")
        self.hand_to(3)
        shown = self.frame()
        keys = self.saved("four")
        self.assertEqual([key.get("time") for key in keys], ["0", "2", "6", "8"])
        self.assertEqual([key.get("kiln_easing") for key in keys], ["ease-in-out", "bounce", "hold", None])
        path = self.view.path("four.flam3")
        hashes = self.animated(path)
        self.assertEqual(len(hashes), 10, "the last key, a cut, stays as long as the one before")
        self.assertEqual(hashes[3], shown, "the picture under the hand is the frame, with its motion blur")
        self.keys(Keys.ESCAPE, "S")
        self.keys("moment", Keys.ENTER)
        self.wait(lambda: os.path.exists(self.view.path("moment.png")), "the picture")
        self.assertEqual(record_of(self.view.path("moment.png")), record_of(f"{path}-frames/00003.png"),
                         "a saved moment is this frame in its own words too")

    def test_scrubbing_shows_the_frame_under_the_hand_and_is_no_step(self):
        self.film()
        self.hand_to(8)
        self.keys("q", "q", "q")
        self.wait(lambda: self.times() == [0, 8], "two keys")
        at_key, turned = self.settled(), self.value("turn")
        strip, steps = self.one("#timeline .strip"), len(self.many(".step"))
        hand = ActionChains(self.browser, duration=10).move_to_element_with_offset(
            strip, round(self.x_of(8) - strip.rect["width"] / 2), round(8 - strip.rect["height"] / 2)).click_and_hold()
        hand.move_by_offset(round(self.x_of(4) - self.x_of(8)), 0).perform()
        self.wait(lambda: self.hand() == 4, "the hand goes along")
        self.wait(lambda: (now := self.hash()) and now != at_key, "the frame there while the button is held")
        ActionChains(self.browser).release().perform()
        self.wait(lambda: abs(self.value("turn") - turned) > 5, "its numbers in the panel")
        self.assertEqual(len(self.many(".step")), steps)
        self.keys("z")
        self.wait(lambda: self.times() == [0], "undo takes the key away, not the way of the hand")

    def test_keys_are_copied_pasted_removed_and_all_of_it_is_undone(self):
        self.film()
        self.hand_to(5)
        self.keys("e", "e")
        self.wait(lambda: self.times() == [0, 5], "two keys")
        self.one('#timeline .key[data-time="0"]').click()
        self.wait(lambda: self.hand() == 0, "the hand at its key")
        self.one("//section[@id='timeline']//button[text()='Copy']").click()
        self.hand_to(9)
        self.one("//section[@id='timeline']//button[text()='Paste']").click()
        self.wait(lambda: self.times() == [0, 5, 9], "the first key again at the end")
        first, last = self.saved("pasted")[::2]
        self.assertEqual(first.find("xform").get("coefs"), last.find("xform").get("coefs"))
        self.one('#timeline .key[data-time="5"]').click()
        self.wait(lambda: self.hand() == 5, "the hand at the middle one")
        self.keys(Keys.DELETE)
        self.wait(lambda: self.times() == [0, 9], "one less")
        for expected in ([0, 5, 9], [0, 5], [0]):
            self.keys("z")
            self.wait(lambda: self.times() == expected, f"undone to {expected}")
        self.keys("Z", "Z")
        self.wait(lambda: self.times() == [0, 5, 9], "and done again")

    def test_without_auto_key_a_change_between_keys_is_none(self):
        self.film()
        self.hand_to(8)
        self.keys("q")
        self.wait(lambda: self.times() == [0, 8], "two keys")
        self.one("#timeline-auto").click()
        self.hand_to(3)
        before = self.settled()
        self.keys("e", "e")
        self.settled(before)
        self.assertEqual(self.times(), [0, 8])

    def test_a_rate_that_no_film_has_goes_back(self):
        self.film()
        field = self.one("#timeline-fps")
        for typed, holds in (("-1", "30"), ("0", "30"), ("1000", "30"), ("fast", "30"), ("12.5", "12.5"), ("-1", "12.5")):
            field.click()
            self.chord(Keys.CONTROL, "a")
            self.keys(typed, Keys.ENTER)
            self.assertEqual(field.get_property("value"), holds, typed)
        self.browser.execute_script("localStorage.removeItem('timeline-fps')")

    def test_a_film_plays_and_stops_where_it_is(self):
        self.film()
        self.hand_to(10)
        self.keys("q", "q")
        self.wait(lambda: self.times() == [0, 10], "two keys")
        self.one("#timeline header button").click()
        seen = set()
        self.wait(lambda: seen.add(self.hand()) or len(seen) > 4, "the hand goes along")
        self.one("#timeline header button").click()
        self.wait(lambda: self.read("[data-does=play]", "aria-pressed") == ["false"], "it stops")
        self.settled()
        self.assertLessEqual(seen - {10}, set(range(10)), "whole frames")


def key_of(time, turn=0, more=""):
    """A key flame whose first xform is turned."""
    flame = FLAME.format(name="rose").replace("<flame ", f'<flame time="{time}" {more} ', 1)
    return flame.replace('weight="2"', f'weight="{2 + turn}"')


class Saved(Films):
    """A film in a file, beside a flame."""
    flames = [f"<flames>{key_of(0)}{key_of(20, 1)}</flames>", FLAME.format(name="lily")]

    def names(self):
        return [option.get_attribute("textContent") for option in self.many("#flames option")]

    def test_a_saved_film_opens_as_a_film_whatever_else_is_open(self):
        self.wait(lambda: self.times() == [0, 20], "the timeline opens by itself, with its keys")
        self.assertEqual(self.names(), ["rose · film, 20 frames", "lily"])
        self.keys("b")
        badges = lambda: [one.text for one in self.many("#wall .film") if one.text]
        self.wait(lambda: badges() == ["film 20 frames"], "it is one on the wall, and says what it is")
        self.wait(lambda: len([one for one in self.read("#wall .tile img", "src") if one]) == 2, "small pictures")
        self.keep_picture("film-on-the-wall")
        self.keys(Keys.ESCAPE)
        self.hand_to(10)
        self.settled()
        self.keys("e")
        self.wait(lambda: self.times() == [0, 10, 20], "an edit is a key")
        self.assertIn("•", self.names()[0])
        self.save_over("in0")
        keys = ET.parse(self.view.path("in0.flam3")).getroot().findall("flame")
        self.assertEqual([key.get("time") for key in keys], ["0", "10", "20"])
        self.wait(lambda: "•" not in self.names()[0], "its file has it")

    def save_over(self, name):
        """Over the file that is there."""
        self.keys(Keys.ESCAPE, "s")
        self.keys(name, Keys.ENTER)
        self.wait(lambda: "exists already" in self.one("#save .question").text, "a question")
        self.keys(Keys.ENTER)
        self.wait(lambda: not self.many("#save[open]"), "it is saved")

    def test_its_keys_open_as_flames_and_it_stays(self):
        self.wait(self.times, "a film")
        self.assertEqual(self.one("#timeline-apart").text, "As 2 flames")
        self.one("#timeline-apart").click()
        self.wait(lambda: self.names() == ["rose · film, 20 frames", "lily", "rose", "rose"], "two flames more")
        for index in ("2", "3", "0"):
            self.wait(lambda: self.one("#flames").get_attribute("value") == index, f"flame {index}")
            self.keys(*(() if index == "0" else (Keys.ESCAPE, Keys.PAGE_DOWN)))
        self.wait(lambda: self.times() == [0, 20], "its keys")
        self.keys(Keys.PAGE_DOWN)
        self.wait(lambda: self.one("#timeline .begin").is_displayed(), "a flame of no film")
        self.assertEqual(self.one("#timeline-make-opened").text, "A film of all 3 flames", "that of the film is none of them")

    def test_the_film_is_downloaded_not_the_moment(self):
        self.wait(self.times, "a film")
        self.browser.execute_script("URL.createObjectURL = blob => (blob.text().then(text => window.kept = text), 'blob:none');")
        self.keys("s")
        self.one("//dialog[@id='save']//button[text()='Download']").click()
        text = self.wait(lambda: self.browser.execute_script("return window.kept"), "a file")
        self.assertEqual([key.get("time") for key in ET.fromstring(text).findall("flame")], ["0", "20"])
        self.forget_console()

    def test_beyond_the_last_key_the_hand_sees_that_key(self):
        self.wait(self.times, "a film")
        self.hand_to(20)
        at_key = self.frame()
        weight = self.value("weight")
        self.assertEqual(weight, 3)
        self.hand_to(21)
        self.frame()
        self.wait(lambda: self.hand() == 21 and self.hash() != at_key, "a frame of its own")
        self.assertEqual(self.value("weight"), weight)

    def test_a_key_of_what_is_there_splits_the_easing(self):
        self.wait(self.times, "a film")
        self.ease(0, "ease-in-out")
        self.hand_to(5)
        self.frame()
        before = self.value("weight")
        self.hand_to(10)
        self.frame()
        self.one("#timeline-add").click()
        self.wait(lambda: self.times() == [0, 10, 20], "a key")
        self.hand_to(5)
        self.frame()
        self.assertAlmostEqual(self.value("weight"), before, places=6)

    def test_a_key_where_no_easing_can_be_split_says_so(self):
        self.wait(self.times, "a film")
        says = lambda: "starts over at each key" in self.one("#notice").text
        self.ease(0, "ease-in")
        self.hand_to(5)
        self.frame()
        self.one("#timeline-add").click()
        self.wait(lambda: self.times() == [0, 5, 20], "a key")
        self.assertFalse(says())
        self.ease(5, "bounce")
        self.hand_to(10)
        self.frame()
        self.one("#timeline-add").click()
        self.wait(lambda: self.times() == [0, 5, 10, 20], "a key")
        self.wait(says, "why the film moves otherwise now")

    def test_a_last_key_that_it_jumps_to_is_played_as_long_as_the_one_before(self):
        self.wait(self.times, "a film")
        number = lambda field: self.browser.execute_script("return document.getElementById(arguments[0]).value", field)
        self.ease(0, "hold")
        self.wait(lambda: number("timeline-to") == "40", "the end of what is played")
        self.one("#timeline-export").click()
        self.assertEqual(number("export-to"), "39")

    def test_the_time_of_a_key_can_be_typed(self):
        self.wait(self.times, "a film")
        self.one("#tab-Flame").click()
        self.hand_to(20)
        self.frame()
        self.type_into("time", "12.5", Keys.ENTER)
        self.wait(lambda: self.times() == [0, 12.5], "the key goes there")
        self.assertEqual((self.hand(), self.value("time")), (12.5, 12.5))
        self.type_into("time", "0", Keys.ENTER)
        self.wait(lambda: "there is already a key at 0" in self.one("#notice").text, "a word")
        self.assertEqual((self.times(), self.value("time")), ([0, 12.5], 12.5))
        self.keys(Keys.ESCAPE, "z")
        self.wait(lambda: self.times() == [0, 20], "as one step")
        self.hand_to(8)
        self.frame()
        self.type_into("time", "6", Keys.ENTER)
        self.wait(lambda: self.hand() == 6, "between keys the hand goes there")
        self.frame()
        self.assertEqual(self.times(), [0, 20])

    def test_the_way_to_the_next_key_can_be_chosen_in_the_panel(self):
        self.wait(self.times, "a film")
        self.one("#tab-Flame").click()
        self.browser.execute_script("""const field = document.querySelector('[data-field="kiln_easing"]');
            field.value = 'bounce'; field.dispatchEvent(new Event('change', {bubbles: true}));""")
        says = lambda: self.read("#timeline .segment", "title")
        self.wait(lambda: says() == ["bounce: click for another"], "the line between them says so")
        self.hand_to(9)
        self.frame()
        self.assertEqual(self.browser.execute_script("return document.querySelector('[data-field=\"kiln_easing\"]').value"), "bounce")

    def test_at_a_key_the_panel_has_the_way_that_begins_there(self):
        self.wait(self.times, "a film")
        self.hand_to(10)
        self.one("#timeline-add").click()
        self.wait(lambda: self.times() == [0, 10, 20], "a key under the hand")
        self.frame()
        self.one("#tab-Flame").click()
        self.browser.execute_script("""const field = document.querySelector('[data-field="kiln_easing"]');
            field.value = 'hold'; field.dispatchEvent(new Event('change', {bubbles: true}));""")
        ways = lambda: [title.partition(":")[0] for title in self.read("#timeline .segment", "title")]
        self.wait(lambda: ways() == ["linear", "hold"], "the line after it says so")

    def test_a_range_belongs_to_its_film(self):
        self.wait(self.times, "a film")
        self.keys(Keys.PAGE_DOWN)
        self.wait(lambda: self.one("#timeline .begin").is_displayed(), "a flame of no film")
        self.settled()
        self.one("#timeline-make-this").click()
        self.wait(lambda: self.times() == [0], "a film beside the first one")
        ends = lambda: [self.one(f"#timeline-{end}").get_property("value") for end in ("from", "to")]
        for end, time in (("to", "9"), ("from", "5")):
            self.one(f"#timeline-{end}").click()
            self.chord(Keys.CONTROL, "a")
            self.keys(time, Keys.ENTER)
        self.assertEqual(ends(), ["5", "9"])
        self.keys(Keys.PAGE_UP)
        self.wait(lambda: self.times() == [0, 20], "the first one")
        self.assertEqual(ends(), ["0", "20"], "all of it")

    def test_a_key_that_is_dragged_is_one_step(self):
        self.wait(self.times, "a film")
        self.drag_key(20, 12)
        self.frame()
        self.keys("z")
        self.wait(lambda: self.times() == [0, 20], "where it was")
        self.assertFalse(self.one("[data-does=undo]").is_enabled())

    def test_the_menu_of_ways_stays_where_it_was_opened(self):
        self.wait(self.times, "a film")
        segment = self.one("#timeline .segment").rect
        self.ease(0, "curve")
        self.wait(lambda: self.many("#easings .handles"), "its curve")
        self.keep_picture("easing-curve")
        menu = self.one("#easings").rect
        self.assertLess(abs(menu["x"] - segment["x"]), 60)
        self.assertLessEqual(menu["y"] + menu["height"], 900)
        self.assertGreater(menu["y"], 300, "beside its line, not in the corner")


class Played(Films):
    flames = [f"<flames>{key_of(0)}{key_of(40, 4)}</flames>"]

    def play_until(self, least):
        self.wait(self.times, "a film")
        self.one("#timeline header button").click()
        self.wait(lambda: least <= self.hand() < 38, f"the hand at {least}")

    def is_playing(self):
        return self.read("[data-does=play]", "aria-pressed") == ["true"]

    def test_it_stops_where_it_is_seen(self):
        self.play_until(4)
        self.one("#timeline header button").click()
        self.wait(lambda: not self.is_playing(), "it stops")
        self.frame()
        self.assertGreaterEqual(self.hand(), 4)
        self.assertAlmostEqual(self.value("weight"), 2 + self.hand() / 10, places=4)

    def test_an_edit_stops_it_where_it_is_seen_and_is_a_key_there(self):
        for edit in (lambda: self.keys("e"), lambda: self.drag(self.field("color"), 40, 0)):
            self.play_until(4)
            edit()
            self.wait(lambda: len(self.times()) == 3, "a key")
            self.wait(lambda: not self.is_playing(), "it stands still")
            self.frame()
            first, made, last = self.times()
            self.assertEqual((first, last, self.hand()), (0, 40, made))
            self.assertGreaterEqual(made, 4)
            self.assertAlmostEqual(self.value("weight"), 2 + made / 10, places=4, msg="of the flame that was seen, not of the hand")
            self.keys(Keys.ESCAPE, "z")
            self.wait(lambda: self.times() == [0, 40], "one step")

    def test_a_drag_goes_on_that_stopped_it(self):
        color = self.value("color")
        self.play_until(4)
        self.drag(self.field("color"), 80, 0, steps=30)
        self.wait(lambda: len(self.times()) == 3, "a key")
        self.frame()
        self.assertGreater(self.value("color"), color + 0.13, "all of the way counts")

    def test_edits_at_once_that_stop_it_are_all_made(self):
        opacity = self.value("opacity")
        size = self.value("size")
        self.play_until(4)
        self.browser.execute_script("""for (const key of ['+', 'h', 'n'])
            document.body.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));""")
        self.wait(lambda: len(self.times()) == 3, "a key")
        self.wait(lambda: not self.is_playing(), "it stands still")
        self.frame()
        self.assertEqual(len(self.many(".chip")), 4, "another xform")
        self.keys("1")
        self.assertEqual((opacity, self.value("opacity")), (1, 0), "the first one is muted")
        self.assertAlmostEqual(self.value("size"), 1.05 * size, places=4, msg="and larger")

    def test_from_the_last_frame_it_begins_anew(self):
        self.wait(self.times, "a film")
        for loop, keys, at in ((True, (), 40), (False, (), 40), (False, (Keys.ARROW_LEFT,), 39)):
            if loop == (not self.one("#timeline-loop").is_selected()):
                self.one("#timeline-loop").click()
            self.one("#timeline .strip").send_keys(Keys.END, *keys)
            self.wait(lambda: self.hand() == at, f"the hand at {at}, the end or the last frame")
            self.frame()
            self.one("#timeline .strip").send_keys(Keys.SPACE)
            self.wait(lambda: 0 < self.hand() < 30, "it plays from its begin")
            self.one("#timeline .strip").send_keys(Keys.SPACE)
            self.wait(lambda: not self.is_playing(), "it stops")


class ManyKeys(Films):
    """What is done for each key is done once, whatever their number."""
    count = 60
    flames = [f"<flames>{''.join(key_of(2 * i, i) for i in range(60))}</flames>"]

    def test_a_way_of_the_hand_asks_for_nothing_of_each_key(self):
        self.wait(lambda: len(self.times()) == self.count, "its keys")
        pictures = lambda: len([one for one in self.read("#timeline .key img", "src") if one])
        self.wait(lambda: pictures() == self.count, "their pictures")
        self.browser.execute_script("""
            window.counts = {texts: 0, widths: 0, films: 0};
            const {serializeToString} = XMLSerializer.prototype, {parseFromString} = DOMParser.prototype;
            XMLSerializer.prototype.serializeToString = function(node) { ++counts.texts; return serializeToString.call(this, node); };
            DOMParser.prototype.parseFromString = function(text, type) {
              counts.films += text.startsWith('<flames');
              return parseFromString.call(this, text, type);
            };
            const strip = document.querySelector('#timeline .strip'), {clientWidth} = strip;
            Object.defineProperty(strip, 'clientWidth', {get() { ++counts.widths; return clientWidth; }});""")
        for time in (30, 51, 7):
            self.browser.execute_script("document.querySelector('#timeline-now').value = arguments[0];"
                                        "document.querySelector('#timeline-now').dispatchEvent(new Event('change'));", time)
            self.wait(lambda: self.hand() == time, "the hand there")
            self.frame()
        counts = self.browser.execute_script("return window.counts")
        self.assertEqual(counts["films"], 0, "the page has the film")
        self.assertLess(counts["texts"], self.count)
        self.assertLess(counts["widths"], self.count)


class Crashed(Films):
    def make_film(self):
        """Two keys, an easing and a track, of which no file knows; their text as the program keeps it."""
        self.film()
        self.hand_to(8)
        self.keys("q", "q")
        self.wait(lambda: self.times() == [0, 8], "two keys")
        self.ease(0, "bounce")
        self.one("#tab-Camera").click()
        ActionChains(self.browser).context_click(self.field("zoom")).perform()
        self.one("#animate-it").click()
        self.wait(lambda: len(self.many(".track")) == 1, "a track")
        return self.wait(lambda: (kept := self.kept_flames()) and kept[0].find("kiln_track") is not None and kept, "it is kept")

    def kept_flames(self):
        files = self.kept_files()
        return ET.parse(files[0]).getroot().findall("flame") if files else []

    def assert_is_back(self, flames):
        self.wait(lambda: self.times() == [0, 8], "its keys")
        self.wait(lambda: len(self.many(".track")) == 1, "its track")
        text = lambda flame: ET.canonicalize(ET.tostring(flame), strip_text=True)
        self.assertEqual([text(flame) for flame in self.saved("back")], [text(flame) for flame in flames])
        self.assertEqual([flame.get("kiln_easing") for flame in flames], ["bounce", None])

    def test_a_film_is_offered_after_a_crash_and_comes_back_whole(self):
        flames = self.make_film()
        self.die_and_start_anew()
        self.one("#offer .first").click()
        self.assert_is_back(flames)
        self.assertFalse(self.one("[data-does=undo]").is_enabled(), "nothing was before it")

    def test_a_page_gives_its_film_back(self):
        flames = self.make_film()
        self.hand_to(4)
        self.settled()
        self.view.die()
        self.wait(lambda: "does not answer" in self.one("#notice").text, "a word")
        self.view.start_again()
        self.wait(lambda: "started again" in self.one("#notice").text, "the program")
        self.wait(lambda: self.hand() == 4, "the hand where it was")
        self.assert_is_back(flames)
        self.assertEqual(self.many("#offer:not([hidden])"), [], "and is not offered once more")
        self.wait(lambda: not self.many("#save[open]"), "the dialog closes")
        self.keys(Keys.ESCAPE, "z")
        self.wait(lambda: self.one("#timeline .begin").is_displayed(), "as one step")
        self.forget_console()


class Loops(Films):
    flames = [FLAME.format(name="rose"), FLAME.format(name="lily").replace('julian_power="3"', 'julian_power="2"')]

    def test_a_loop_of_this_flame_in_three_clicks_has_no_seam(self):
        self.click("timeline")
        self.one("#timeline-make-loop").click()
        self.wait(self.times, "a film")
        first = self.settled()
        self.keep_picture("timeline-loop")
        self.hand_to(30)
        self.settled(first)
        self.hand_to(60)
        self.save("loop")
        hashes = self.animated(self.view.path("loop.flam3"), "--frames", "0,1,59", "--width", "80", "--quality", "2")
        self.assertEqual(len(set(hashes)), 3)
        turns = ET.parse(self.view.path("loop.flam3")).getroot().findall(".//kiln_track[@name='turn']")
        self.assertEqual([track.get("ends") for track in turns], ["cycle"] * 3)

    def test_a_transition_between_two_in_three_clicks(self):
        self.count_presses()
        self.click("timeline")
        self.one("#timeline [data-to='1']").click()
        self.wait(lambda: self.times() == [0, 60], "two keys")
        self.assert_presses(3)
        first, last = self.saved("between")
        self.assertEqual((first.find("xform").get("julian_power"), last.find("xform").get("julian_power")), ("3", "2"))
        self.assertEqual(first.get("kiln_easing"), "ease-in-out")


class Exporting(Films):
    def test_a_film_is_exported_and_its_frames_are_those_of_the_file(self):
        self.film()
        self.hand_to(5)
        self.keys("q", "q")
        self.wait(lambda: self.times() == [0, 5], "two keys")
        self.save("short")
        self.wait(lambda: not self.many("#save[open]"), "the dialog closes")
        self.one("#timeline-export").click()
        self.keys("short")
        for option in self.many("#export-format option"):
            if option.text.startswith("GIF"):
                option.click()
        self.one("#export-keeps").click()
        self.keep_picture("timeline-export")
        self.one("#export button[type=submit]").click()
        self.wait(lambda: self.many("#export .job.done"), "a film")
        probe = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-show_entries", "stream=nb_read_frames", "-of", "csv=p=0",
                                self.view.path("short.gif")], capture_output=True, text=True, check=True)
        self.assertEqual(probe.stdout.strip().strip(","), "5")
        made = sorted(glob.glob(self.view.path("short-frames/*.png")))
        self.assertEqual(len(made), 5)
        hashes = self.animated(self.view.path("short.flam3"), "--bits", "16")
        again = [subprocess.run([given.kiln, "compare", one, other], capture_output=True).returncode for one, other in
                 zip(made, sorted(glob.glob(self.view.path("short.flam3-frames/*.png"))))]
        self.assertEqual(len(hashes), 5)
        self.assertEqual(again, [0] * 5, "each is equal to the last bit")


class Tracked(Films):
    def test_an_edit_of_an_animated_number_is_no_key_flame(self):
        self.film()
        self.hand_to(8)
        self.keys("q")
        self.wait(lambda: self.times() == [0, 8], "two keys")
        self.one("#tab-Look").click()
        self.hand_to(0)
        self.frame()
        ActionChains(self.browser).context_click(self.field("brightness")).perform()
        self.one("#animate-it").click()
        self.wait(lambda: len(self.many(".track")) == 1, "a track")
        for count, time in enumerate((4, 6), 2):
            self.hand_to(time)
            self.frame()
            self.drag(self.field("brightness"), 60, 0)
            self.wait(lambda: len(self.many(".curve .dot")) == count, "a key of the track")
            self.frame()
            self.assertEqual(self.times(), [0, 8], "and no other")
        self.keep_picture("timeline-track-alone")

    def test_keys_are_not_laid_on_others_and_the_last_of_a_track_takes_it_along(self):
        self.film()
        self.hand_to(8)
        self.keys("q")
        self.wait(lambda: self.times() == [0, 8], "two keys")
        self.drag(self.one('#timeline .key[data-time="8"]'), round(self.x_of(0) - self.x_of(8)), 0)
        self.wait(lambda: self.hand() != 8, "it was dragged")
        self.frame()
        self.assertEqual(len(set(self.times())), 2, "not onto the other")
        self.assertEqual(self.one("#notice").text, "", "and nothing was refused")
        self.drag_key(int(max(self.times())), 8)
        self.one("#tab-Camera").click()
        for time in (0, 8):
            self.hand_to(time)
            self.frame()
            if time == 0:
                ActionChains(self.browser).context_click(self.field("zoom")).perform()
                self.one("#animate-it").click()
                self.wait(lambda: len(self.many(".track")) == 1, "a track")
        self.type_into("zoom", "1", Keys.ENTER, Keys.ESCAPE)
        self.wait(lambda: len(self.many(".curve .dot")) == 2, "two keys of it")
        self.drag(self.many(".curve .dot")[1], round(self.x_of(0) - self.x_of(8)), 0)
        self.frame()
        self.assertEqual(self.one("#notice").text, "", "nothing is refused")
        keys = [float(key.get("time")) for key in self.track("dragged").findall("key")]
        self.assertEqual(len(set(keys)), 2, "not onto the other")
        self.keys(Keys.ESCAPE)
        for left in (1, 0):
            self.many(".curve .dot")[0].send_keys(Keys.DELETE)
            self.wait(lambda: len(self.many(".curve .dot")) == left, f"{left} keys")
        self.wait(lambda: not self.many(".track"), "no track")
        self.frame()
        self.assertIn(self.one("#notice").text, ("", "saved dragged.flam3"), "nothing is refused")
        self.assertIsNone(self.track("without"))

    def test_a_number_is_animated_by_the_menu_of_its_field(self):
        self.film()
        self.one("#tab-Camera").click()
        field = self.field("zoom")
        ActionChains(self.browser).context_click(field).perform()
        self.one("#animate-it").click()
        self.wait(lambda: len(self.many(".track")) == 1, "a track")
        self.hand_to(8)
        self.field("zoom").click()
        self.keys("1", Keys.ENTER)
        self.wait(lambda: len(self.many(".curve .dot")) == 2, "two keys of it")
        self.drag(self.many(".curve .dot")[1], 0, 20)
        self.one(".curve .grip").click()
        self.one("#easings [data-easing=bounce]").click()
        self.keep_picture("timeline-track")
        keys = self.track("zoomed").findall("key")
        self.assertEqual([key.get("time") for key in keys], ["0", "8"])
        self.assertEqual(keys[0].get("easing"), "bounce")
        self.assertLess(float(keys[1].get("value")), 0.9)

    def test_a_word_is_animated_too(self):
        self.film()
        self.one("#tab-Palette").click()
        field = '[data-field="palette_mode"]'
        ActionChains(self.browser).context_click(self.one(field)).perform()
        self.assertEqual([item.get_attribute("id") for item in self.many("#number-menu button") if item.is_displayed()], ["animate-it"])
        self.one("#animate-it").click()
        self.wait(lambda: len(self.many(".curve .dot")) == 1, "a key of it")
        self.hand_to(8)
        self.frame()
        self.one(field).send_keys("step")
        self.wait(lambda: len(self.many(".curve .dot")) == 2, "another one")
        self.assertEqual(self.read(".curve .dot", "aria-label"), ["linear at 0", "step at 8"])
        first, second = (float(y) for y in self.read(".curve .dot", "cy"))
        self.assertGreater(first, second)
        self.drag(self.many(".curve .dot")[1], round(self.x_of(6) - self.x_of(8)), -20)
        self.frame()
        keys = self.track("words").findall("key")
        self.assertEqual([(key.get("time"), key.get("value")) for key in keys], [("0", "linear"), ("6", "step")])

    def track(self, name):
        return self.saved(name)[0].find("kiln_track")


class TimelineAt800(Films):
    size = (800, 600)

    def test_all_of_it_is_on_the_screen(self):
        width, height = self.size
        self.film("timeline-make-loop")
        outside = self.browser.execute_script("""return [...document.querySelectorAll('#timeline *')].filter(one => {
            const {left, right, bottom} = one.getBoundingClientRect();
            return one.checkVisibility() && !one.closest('.keys, .ruler, .hand, svg') &&
                (right > innerWidth || left < 0 || (bottom > innerHeight && !one.closest('.rows')));
          }).map(one => `${one.tagName} ${one.id} ${one.className} ${one.textContent}`);""")
        self.keep_picture(f"timeline-{width}")
        self.assertEqual(outside, [])
        self.assertGreater(self.one("#frame").rect["height"], height / 4, "the picture is seen")
        self.one("#timeline-export").click()
        self.keep_picture(f"timeline-{width}-export")
        box = self.one("#export").rect
        self.assertLessEqual(box["y"] + box["height"], height)


class Crowded(Films):
    size = (1440, 700)

    def test_the_picture_is_seen_whatever_is_open_below_it(self):
        self.keys("U")
        self.wait(lambda: self.one("#versions").is_displayed(), "versions")
        self.film("timeline-make-loop")
        self.one("#timeline-song").click()
        self.keep_picture("crowded")
        self.assertGreaterEqual(self.one("#stage").rect["height"], 140)
        self.assertEqual(self.one("#bar").rect["y"], 0, "the bar is where it was")
        self.assertLessEqual(self.one("#status").rect["y"] + self.one("#status").rect["height"], 700)
        self.one("#timeline .close, #timeline [data-role=close]").click()
        self.wait(lambda: self.one("#stage").rect["height"] > 300, "its room again")


class TimelineAt1920(TimelineAt800):
    size = (1920, 1080)


class TimelineOnAPhone(Films):
    size = (390, 844)
    touch = True

    def test_it_fits_and_a_finger_scrubs(self):
        self.film("timeline-make-loop")
        self.assertEqual(self.browser.execute_script("return document.documentElement.scrollWidth"), 390)
        self.assertGreater(self.one("#frame").rect["height"], 60, "the picture is seen")
        strip = self.one("#timeline .strip").rect
        y = strip["y"] + strip["height"] - 20
        point = lambda x: [{"x": strip["x"] + x, "y": y, "id": 0}]
        self.cdp("Input.dispatchTouchEvent", type="touchStart", touchPoints=point(100))
        self.cdp("Input.dispatchTouchEvent", type="touchMove", touchPoints=point(200))
        self.cdp("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        self.wait(lambda: self.hand() > 10, "the hand follows the finger")
        self.keep_picture("timeline-phone")
        small = self.browser.execute_script("""return [...document.querySelectorAll('#timeline button, #timeline select')].map(one => {
            const {width, height} = one.getBoundingClientRect();
            return [one.id || one.className || one.textContent, width, height];
          }).filter(([name, width, height]) => width && Math.min(width, height) < 44);""")
        self.assertEqual([one for one in small if one[0] not in ("key", "segment")], [])
