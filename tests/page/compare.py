# SPDX-License-Identifier: MIT
"""Kept states and what is compared with them; the noise of the picture in words and as a map; the hash as a proof; drafts."""
import base64
import hashlib
import os
import re
import struct
import xml.etree.ElementTree as ET
import zlib

from hand import FLAME, PIXELS, Keys, PageTest, text_of


def pixels_of(png):
    """Rows of bytes and the channels of an 8 bit PNG."""
    at, data, head = 8, b"", b""
    while at < len(png):
        size, kind = struct.unpack(">I4s", png[at:at + 8])
        head = png[at + 8:at + 8 + size] if kind == b"IHDR" else head
        data += png[at + 8:at + 8 + size] if kind == b"IDAT" else b""
        at += size + 12
    width, height, _, color = struct.unpack(">IIBB", head[:10])
    step = {2: 3, 6: 4}[color]
    raw, rows, before = zlib.decompress(data), [], bytearray(width * step)
    for y in range(height):
        kind, line = raw[y * (width * step + 1)], bytearray(raw[y * (width * step + 1) + 1:(y + 1) * (width * step + 1)])
        for x in range(len(line)):
            left, up = (line[x - step] if x >= step else 0), before[x]
            corner = before[x - step] if x >= step else 0
            if kind == 1:
                line[x] = line[x] + left & 255
            elif kind == 2:
                line[x] = line[x] + up & 255
            elif kind == 3:
                line[x] = line[x] + (left + up) // 2 & 255
            elif kind == 4:
                guess = min((left, up, corner), key=lambda one: abs(left + up - corner - one))
                line[x] = line[x] + guess & 255
        rows.append(bytes(line))
        before = line
    return rows, step


class Compared(PageTest):
    """What the tests of this file have in common."""

    def region(self, *part):
        """The screen over a part of the picture, given as shares of it, once it stands still: its pixels."""
        before = None
        while (now := self.shot(*part)) != before:
            before = now
        return now

    def shot(self, left, top, right, bottom):
        frame = self.one("#frame").rect
        box = {"x": frame["x"] + left * frame["width"], "y": frame["y"] + top * frame["height"],
               "width": (right - left) * frame["width"], "height": (bottom - top) * frame["height"], "scale": 1}
        answer = self.cdp("Page.captureScreenshot", format="png", clip=box)
        rows, step = pixels_of(base64.b64decode(answer["data"]))
        return [tuple(row[i:i + 3]) for row in rows for i in range(0, len(row), step)]

    def without_triangles(self):
        self.keys("t")
        self.wait(lambda: self.read("[data-does=triangles]", "aria-pressed") == ["false"], "no triangles")

    def names(self):
        return self.browser.execute_script("return [...document.querySelectorAll('.state input')].map(one => one.value)")

    def states(self):
        return self.many(".state")

    def pressed(self, value):
        return self.one(f"#kept [data-value='{value}']").get_attribute("aria-pressed") == "true"

    def keep_and_change(self):
        """A kept state of a finished picture, and another picture now. The hashes of both."""
        first = self.settled()
        self.keys("k")
        self.wait(lambda: len(self.states()) == 1, "a kept state")
        self.keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_DOWN)
        return first, self.settled(first)


class Keeping(Compared):
    size = (1440, 900)

    def test_back_to_a_kept_state_by_a_click(self):
        first, second = self.keep_and_change()
        self.keys("k")
        self.wait(lambda: self.names() == ["rose-A", "rose-B"], "two names")
        self.wait(lambda: all(self.read(".state img", "src")), "their pictures")
        self.keep_picture("kept")
        self.states()[0].find_element("css selector", ".tile").click()
        self.assertEqual(self.settled(second), first)
        self.keys(Keys.ESCAPE)
        self.chord(Keys.CONTROL, "z")
        self.assertEqual(self.settled(first), second, "it was one step")
        self.assertEqual(len(self.states()), 2)

    def test_the_same_state_is_kept_once_and_removed(self):
        self.settled()
        self.keys("k", "k")
        self.assertEqual(self.names(), ["rose-A"])
        self.one(".state button[title=Remove]").click()
        self.assertEqual(self.names(), [])

    def test_all_are_saved_as_a_pack_with_their_names(self):
        first, second = self.keep_and_change()
        self.keys("k")
        self.wait(lambda: len(self.states()) == 2, "two states")
        self.many(".state input")[0].click()
        self.chord(Keys.CONTROL, "a")
        self.keys("petal & <leaf>", Keys.ENTER)
        name = self.one("#pack-name")
        name.click()
        self.chord(Keys.CONTROL, "a")
        self.keys("both", Keys.ENTER)
        path = self.view.path("both.flam3")
        self.wait(lambda: os.path.exists(path), "the pack")
        flames = ET.parse(path).getroot().findall("flame")
        self.assertEqual([flame.get("name") for flame in flames], ["petal_&_<leaf>", "rose-B"], "as names are in files")
        hashes = []
        for flame in flames:
            one = self.view.path(f"one{len(hashes)}.flam3")
            ET.ElementTree(flame).write(one)
            hashes.append(self.rendered_hash(one))
        self.assertEqual(hashes, [first, second])
        before = text_of(path)
        self.many(".state button[title=Remove]")[0].click()
        self.one("//section[@id='kept']//button[.='Save all']").click()
        self.wait(lambda: self.many("#kept .question button"), "a question")
        self.assertEqual(text_of(path), before)
        self.keys(Keys.ENTER)
        self.wait(lambda: text_of(path) != before, "another pack")
        self.assertEqual(len(list(ET.parse(path).getroot().iter("flame"))), 1)
        name.click()
        self.chord(Keys.CONTROL, "a")
        self.keys("whole.flam3", Keys.ENTER)  # who writes the ending means the same
        self.wait(lambda: os.path.exists(self.view.path("whole.flam3")), "the pack under its whole name")

    def test_they_stay_over_a_reload(self):
        first, second = self.keep_and_change()
        self.browser.refresh()
        self.settled()
        self.click("kept")
        self.wait(lambda: self.names() == ["rose-A"], "the state")
        self.assertTrue(self.read(".state img", "src")[0].startswith("data:image/jpeg"))
        self.one("#kept [data-value=split]").click()
        self.wait(lambda: self.one("#frame .left").text == "rose-A ×", "it is made, once it is looked at")
        self.wait(lambda: self.one("#compared").get_property("width") == 320, "all of it")
        self.assertEqual(self.compared_hash(), first)
        self.assertEqual(self.hash(), second, "beside the flame")
        self.one(".state .tile").click()
        self.assertEqual(self.settled(second), first)

    def compared_hash(self):
        """Of the pixels of the other side."""
        width, height, text = self.browser.execute_script(PIXELS.replace("'picture'", "'compared'"))
        head = b"".join(number.to_bytes(4, "big") for number in (width, height, 8))
        return hashlib.sha256(head + base64.b64decode(text)).hexdigest()

    def test_they_outlive_tab_and_program(self):
        self.keep_and_change()
        self.one(".state input").click()
        self.chord(Keys.CONTROL, "a")
        self.keys("better", Keys.ENTER)
        here = self.browser.current_window_handle
        self.browser.switch_to.new_window("tab")
        self.browser.get(self.view.address)
        self.settled()
        self.click("kept")
        self.wait(lambda: self.names() == ["better"], "the state, in another tab")
        self.keys("q")
        self.keys("k")
        there = self.browser.current_window_handle
        self.browser.switch_to.window(here)
        self.wait(lambda: len(self.names()) == 2, "that of the other tab")
        self.browser.switch_to.window(there)
        self.browser.close()
        self.browser.switch_to.window(here)
        self.browser.get("about:blank")
        self.view.die()
        self.view.start_again()
        self.browser.switch_to.new_window("tab")
        new = self.browser.current_window_handle
        self.browser.switch_to.window(here)
        self.browser.close()
        self.browser.switch_to.window(new)
        self.browser.get(self.view.address)
        self.settled()
        self.click("kept")
        self.wait(lambda: self.names()[:1] == ["better"] and len(self.names()) == 2, "both of them on another day")
        self.one(".state button[title=Remove]").click()
        self.browser.refresh()
        self.settled()
        self.click("kept")
        self.wait(lambda: len(self.names()) == 1, "what was removed is gone")
        self.forget_console()

    def test_sixty_are_kept_and_no_more(self):
        self.settled()
        self.browser.execute_async_script("""
            const [text, done] = arguments, socket = new WebSocket(location.href.replace('http', 'ws').replace('/?', '/live?'));
            socket.binaryType = 'arraybuffer';
            socket.onopen = () => {
              for (let i = 0; i < 59; ++i) socket.send(JSON.stringify({type: 'state', name: `s${i}`, flame: text.replace('rose', `s${i}`)}));
              socket.send('{"type":"ping","number":1}');
            };
            socket.onmessage = ({data}) => typeof data === 'string' && JSON.parse(data).type === 'pong' && done(socket.close());""",
                                          FLAME.format(name="rose"))
        self.keys("k")
        self.wait(lambda: len(self.names()) == 60, "one is kept of this page")
        self.keys("q", "k")
        self.wait(lambda: self.one("#notice").text == "60 states are kept: remove some first", "a word")
        self.assertEqual(len(self.names()), 60)

    def test_mutations_take_its_place(self):
        self.settled()
        self.keys("k")
        self.wait(lambda: self.one("#kept").is_displayed(), "the strip")
        self.keys("m")
        self.wait(lambda: self.one("#gallery").is_displayed(), "mutations")
        self.assertFalse(self.one("#kept").is_displayed())


class Comparing(Compared):
    size = (1440, 900)

    def dark(self, *region):
        pixels = self.region(*region)
        return sum(max(pixel) <= 2 for pixel in pixels) / len(pixels)

    def test_a_split_shows_the_kept_picture_to_its_left(self):
        self.settled()
        self.without_triangles()
        self.keys("k")
        self.wait(lambda: self.states(), "a kept state, beside which the picture is smaller")
        before = self.region(0.3, 0.3, 0.45, 0.6), self.region(0.55, 0.3, 0.7, 0.6)
        self.chord(Keys.SHIFT, "c")
        self.wait(lambda: self.pressed("split"), "the split")
        self.keys("l")
        self.type_into("brightness", "30", Keys.ENTER, Keys.ESCAPE)
        self.settled(self.hash())
        self.keep_picture("split")
        kept = self.region(0.3, 0.3, 0.45, 0.6)
        apart = max(abs(a - b) for one, other in zip(kept, before[0]) for a, b in zip(one, other))
        self.assertLessEqual(apart, 2, "the kept one, as it is enlarged on the screen")
        now = self.region(0.55, 0.3, 0.7, 0.6)
        self.assertGreater(sum(map(max, now)), 1.2 * sum(map(max, before[1])), "the brighter one")

    def test_the_line_is_moved_by_mouse_and_keys(self):
        self.keep_and_change()
        self.chord(Keys.SHIFT, "c")
        line = self.wait(lambda: next(iter(self.many("#split[aria-valuenow]")), None), "the line")
        camera = self.view_of_flame()
        width = self.one("#frame").size["width"]
        self.drag(line, -int(0.25 * width), 40)
        self.assertAlmostEqual(float(line.get_attribute("aria-valuenow")), 25, delta=1)
        self.keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
        self.assertAlmostEqual(float(line.get_attribute("aria-valuenow")), 29, delta=1)
        self.assertEqual(self.view_of_flame(), camera, "it is no drag of the camera")
        clip = self.browser.execute_script("return getComputedStyle(document.getElementById('compared')).clipPath")
        right = float(re.search(r"0px ([\d.]+)px", clip)[1])
        canvas = self.browser.execute_script("return document.getElementById('compared').width")
        self.assertAlmostEqual(right / canvas, 0.71, delta=0.02)

    def test_line_and_words_stay_in_sight(self):
        self.keep_and_change()
        self.chord(Keys.SHIFT, "c")
        self.wait(lambda: self.pressed("split"), "the split")
        self.keys("t", *">>>>>>>>>")
        inside = """const stage = document.getElementById('stage').getBoundingClientRect();
            return ['#split i', '#frame .left', '#frame .right'].filter(name => {
              const it = document.querySelector(name).getBoundingClientRect();
              return it.left < stage.left - 1 || it.right > stage.right + 1 || it.top < stage.top - 1 || it.bottom > stage.bottom + 1;
            });"""
        self.wait(lambda: self.one("#frame").size["height"] > 2 * self.one("#stage").size["height"], "a picture larger than the stage")
        self.assertEqual(self.browser.execute_script(inside), [])

    def view_of_flame(self):
        self.keys("f")
        return [self.value(name) for name in ("center 0", "center 1", "scale")]

    def test_a_difference_is_black_where_nothing_differs(self):
        first = self.settled()
        self.without_triangles()
        self.keys("k")
        self.chord(Keys.SHIFT, "c")
        self.chord(Keys.SHIFT, "c")
        self.wait(lambda: self.pressed("difference"), "the difference")
        self.one("#kept [data-value='16']").click()
        self.wait(lambda: self.dark(0.1, 0.1, 0.9, 0.9) == 1, "nothing differs, not even 16 times as strong")
        self.keys(Keys.ESCAPE)
        self.chord(Keys.SHIFT, Keys.ARROW_RIGHT)
        self.settled(first)
        self.keep_picture("difference")
        self.assertLess(self.dark(0.1, 0.1, 0.9, 0.9), 0.8)
        self.chord(Keys.SHIFT, "c")
        self.wait(lambda: self.pressed("blink"), "by turns")
        self.chord(Keys.SHIFT, "c")
        self.wait(lambda: self.pressed("off"), "off")
        self.assertFalse(self.one("#compared").is_displayed())
        self.chord(Keys.SHIFT, "c")
        self.one("#frame .left").click()
        self.wait(lambda: self.pressed("off"), "off by its name")

    def hashes(self):
        return [one.get_attribute("title") if one.is_displayed() else "" for one in self.many("#frame .hash")]

    def test_both_say_their_hash_once_they_are_finished(self):
        first, second = self.keep_and_change()
        self.chord(Keys.SHIFT, "c")
        self.wait(lambda: self.hashes() == [first, second], "both hashes")
        self.keep_picture("compare-hashes")
        self.browser.refresh()
        self.settled()
        self.click("kept")
        self.wait(lambda: self.names() == ["rose-A"], "the state")
        self.one("#kept [data-value=split]").click()
        self.wait(lambda: self.hashes() == [first, second], "of the one that was made for this")
        gone = self.browser.execute_script("""document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'q', bubbles: true}));
            return document.querySelector('#frame .of-now').hidden;""")
        self.assertTrue(gone, "what is edited has none yet")
        self.wait(lambda: self.hashes()[1] not in ("", second), "of what is edited")
        self.one(".state .tile").click()
        self.wait(lambda: self.hashes() == [first, first], "the same")
        self.assertIn("equal to the last bit", self.one("#frame .hash").text)

    def test_blinking_shows_one_and_the_other(self):
        self.keep_and_change()
        self.click("kept") if not self.one("#kept").is_displayed() else None
        self.one("#kept [data-value=blink]").click()
        seen = set()
        self.wait(lambda: seen.add(self.one("#compared").is_displayed()) or len(seen) == 2, "by turns")
        self.assertTrue(self.one("#frame .left").is_displayed(), "the way out stays")
        self.one("#frame .left").click()
        self.wait(lambda: self.pressed("off"), "off")
        self.assertFalse(self.one("#compared").is_displayed())

    def test_cleaning_is_switched_on_and_compared(self):
        raw = self.settled()
        self.without_triangles()
        self.keys("k")
        self.wait(self.states, "a kept state")
        self.keys("l")
        self.type_into("kiln_clean", "1", Keys.ENTER, Keys.ESCAPE)
        self.settled(raw)
        self.assertEqual(self.assert_saved_is_shown("cleaned").find(".//*[@kiln_clean]").get("kiln_clean"), "1")
        self.chord(Keys.SHIFT, "c")
        self.chord(Keys.SHIFT, "c")
        self.wait(lambda: self.pressed("difference"), "the difference")
        self.one("#kept [data-value='16']").click()
        self.wait(lambda: self.dark(0.1, 0.1, 0.9, 0.9) < 0.9, "what cleaning took away")

    def test_a_state_that_was_kept_too_early_is_seen_later(self):
        first = self.settled()
        self.keys(Keys.ARROW_RIGHT, "k")  # no picture of it is there yet
        second = self.settled(first)
        self.wait(lambda: self.read(".state img", "src")[0], "its picture")
        self.keys(Keys.ARROW_RIGHT)
        self.settled(second)
        self.chord(Keys.SHIFT, "c")
        self.wait(lambda: self.one("#frame .left").text == "rose-A ×", "the finished one")
        shown = self.browser.execute_async_script("""
            const done = arguments[0], canvas = document.getElementById('compared');
            const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
            let text = '';
            for (let i = 0; i < data.length; i += 8192) text += String.fromCharCode(...data.subarray(i, i + 8192));
            done([canvas.width, canvas.height, btoa(text)]);""")
        self.assertEqual(self.hash_of(*shown), second, "to the last bit")

    def hash_of(self, width, height, text):
        head = b"".join(number.to_bytes(4, "big") for number in (width, height, 8))
        return hashlib.sha256(head + base64.b64decode(text)).hexdigest()

    def test_a_state_that_is_chosen_after_another_gets_its_own_picture(self):
        """Also where the picture of the one before is on its way still."""
        self.settled()
        pictures = self.browser.execute_script("""return import(new URL('explore/kept.js', location.href).href).then(({KeptStates}) => {
            const [one, other] = [1, 2].map(() => ({text: '<flame/>', isFinished: false, blob: null})), asked = [];
            const kept = Object.assign(Object.create(KeptStates.prototype), {
              wishes: 0, wanted: null, compare: {mode: 'split'}, connection: {say: ({number}) => asked.push(number)}
            });
            for (kept.chosen of [one, other]) kept.seeOther();
            asked.forEach(number => kept.seen({number}, `picture ${number}`));
            return Promise.all([one.blob, other.blob]);
          });""")
        self.assertEqual(pictures, [None, "picture 2"])

    def test_a_picture_that_was_wanted_of_a_program_that_died_is_made_by_the_next(self):
        self.keep_and_change()
        self.browser.refresh()
        self.settled()
        self.click("kept")
        self.wait(lambda: self.names() == ["rose-A"], "the state")
        self.view.die()
        self.wait(lambda: "does not answer" in self.one("#notice").text, "a word")
        self.one("#kept [data-value=split]").click()
        self.wait(lambda: self.one("#frame .left").text == "rose-A (being made) ×", "nobody makes it")
        self.view.start_again()
        self.wait(lambda: self.one("#frame .left").text == "rose-A ×", "the finished one")
        self.forget_console()

    def test_without_a_kept_state_it_says_how(self):
        self.settled()
        self.chord(Keys.SHIFT, "c")
        self.wait(lambda: "K keeps" in self.one("#notice").text, "a word")


CLEAN = FLAME.replace('quality="20"', 'quality="400"')
NOISY = FLAME.replace('quality="20"', 'quality="80"').replace('estimator_radius="5"', 'estimator_radius="0"')


class Noise(Compared):
    size = (1440, 900)
    flames = [NOISY.format(name="noisy"), CLEAN.format(name="clean").replace('brightness="5"', 'brightness="1"')]

    def words(self):
        return self.one("#noise").text

    def test_it_is_said_when_the_picture_is_finished(self):
        self.settled()
        said = self.wait(lambda: re.fullmatch(r"([\d.]+) %, clean at quality (\d+)", self.words()), "the noise")
        self.keep_picture("noise")
        self.assertGreater(float(said[1]), 1)
        quality = float(said[2])
        self.keys("f")
        self.type_into("quality", str(int(1.3 * quality)), Keys.ENTER, Keys.ESCAPE)
        self.settled(self.hash())
        self.wait(lambda: re.fullmatch(r"(0\.\d+|1\.0) %, clean", self.words()), "at that quality it is clean")

    def test_an_edit_takes_it_back(self):
        self.settled()
        self.wait(self.words, "the noise")
        os.kill(self.view.process.pid, 19)
        self.addCleanup(os.kill, self.view.process.pid, 18)
        self.keys(Keys.ARROW_RIGHT)
        self.wait(lambda: self.words() == "", "nothing is known of the new one")

    def test_the_map_shines_where_the_picture_is_noisy(self):
        self.settled()
        self.without_triangles()
        self.wait(self.words, "the noise")
        self.keys("%")
        self.wait(lambda: self.one("#heat").is_displayed() and self.one("#legend").is_displayed(), "the map")
        self.keep_picture("heat")
        heat = self.browser.execute_script("""
            const canvas = document.getElementById('heat'), picture = document.getElementById('picture');
            const of = one => one.getContext('2d').getImageData(0, 0, one.width, one.height).data;
            const map = of(canvas), light = of(picture), found = [];
            for (let y = 0; y < canvas.height; ++y)
              for (let x = 0; x < canvas.width; ++x) {
                let sum = 0, count = 0;
                for (let v = 8 * y; v < Math.min(8 * y + 8, picture.height); ++v)
                  for (let u = 8 * x; u < Math.min(8 * x + 8, picture.width); ++u, ++count)
                    sum += light[4 * (v * picture.width + u)] + light[4 * (v * picture.width + u) + 1];
                const i = 4 * (y * canvas.width + x);
                found.push([sum / count, map[i] + map[i + 1] + map[i + 2]]);
              }
            return [canvas.width, canvas.height, found];""")
        self.assertEqual(heat[:2], [40, 23])
        empty = [level for light, level in heat[2] if light < 1]
        lit = [level for light, level in heat[2] if light > 60]
        self.assertGreater(len(empty), 20)
        self.assertGreater(sum(lit) / len(lit), 2 * sum(empty) / len(empty))
        self.keys("%")
        self.wait(lambda: not self.one("#heat").is_displayed(), "it goes")

    def test_the_map_goes_with_the_flame(self):
        self.settled()
        self.wait(self.words, "the noise")
        self.one("#noise").click()
        first = self.browser.execute_script("return document.getElementById('heat').toDataURL()")
        self.keys(Keys.PAGE_DOWN)
        self.wait(lambda: self.words().endswith("%, clean"), "the other flame is clean")
        self.assertNotEqual(self.browser.execute_script("return document.getElementById('heat').toDataURL()"), first)


class Long(Compared):
    size = (1440, 900)
    flames = [FLAME.format(name="long").replace('quality="20"', 'quality="1000000"')]

    def open(self):
        self.browser.get("about:blank")
        self.browser.get(self.view.address)

    def test_on_the_way_it_says_when_it_will_be_clean(self):
        said = self.wait(lambda: re.fullmatch(r"([\d.]+) %, clean( in (\d+) s)?", self.one("#noise").text), "the noise")
        self.assertLess(float(said[1]), 30)


class Proof(Compared):
    def test_a_click_on_the_hash_copies_it(self):
        shown = self.settled()
        self.cdp("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
        self.one("#hash").click()
        self.wait(lambda: "This is the render" in self.one("#notice").text, "what it proves")
        copied = self.browser.execute_async_script("navigator.clipboard.readText().then(arguments[0])")
        self.assertEqual(copied, shown)
        self.assertEqual(self.rendered_hash(self.save("proved")), copied)


class Drafts(Compared):
    def budgets(self):
        return self.browser.execute_script("return window.budgets")

    def test_the_choice_goes_to_the_program_and_is_kept(self):
        self.settled()
        self.browser.execute_script("""
            window.budgets = [];
            const send = WebSocket.prototype.send;
            WebSocket.prototype.send = function(text) {
              const message = JSON.parse(text);
              if (message.type === 'view') window.budgets.push(message.budget_ms);
              send.call(this, text);
            };""")
        self.one("#drafts").click()
        self.assertEqual(self.one("#drafts").text, "drafts: clear")
        self.assertEqual(self.budgets(), [100])
        self.open()
        self.assertEqual(self.one("#drafts").text, "drafts: clear")
        self.one("#drafts").click()
        self.assertEqual(self.one("#drafts").text, "drafts: fast")


class OnAPhone(Compared):
    size = (390, 844)
    touch = True

    def test_all_of_it_is_on_the_screen_and_large_enough(self):
        self.settled()
        self.click("kept")
        self.one("//section[@id='kept']//button[.='Keep this one']").click()
        self.wait(lambda: len(self.states()) == 1, "a state")
        self.one(".state .tools button").click()
        self.wait(lambda: self.one("#split").is_displayed(), "the split")
        self.keep_picture("kept-phone")
        for button in self.many("#kept button, #status button"):
            if not button.is_displayed():
                continue
            place = button.rect
            self.assertLessEqual(place["x"] + place["width"], 390, button.accessible_name)
            self.assertGreaterEqual(min(place["width"], place["height"]), 44, button.accessible_name)
        self.assertGreater(self.one("#frame").size["width"], 150, "the picture is left room")
