# SPDX-License-Identifier: MIT
"""The time of a film in the page: zoomed and moved along, several keys at once, seconds beside frames."""
from films import ActionChains, Films, Keys, key_of
from hand import webdriver


class FilmOfFive(Films):
    flames = [f"<flames>{''.join(key_of(time, i) for i, time in enumerate((0, 20, 40, 60, 200)))}</flames>"]

    def setUp(self):
        super().setUp()
        self.wait(lambda: len(self.times()) == 5, "its keys")

    def key(self, time):
        return self.one(f'#timeline .key[data-time="{time}"]')

    def chosen(self):
        return [float(one.get_attribute("data-time")) for one in self.many("#timeline .key.chosen")]

    def seen(self):
        """Times at the ends of the ruler."""
        marks = self.browser.execute_script("return [...document.querySelectorAll('#timeline .ruler text')].map(one => Number(one.textContent))")
        return marks[0], marks[-1]

    def frame_around(self, first, last):
        """A frame that is dragged around keys, below the ruler."""
        strip = self.one("#timeline .strip")
        box = strip.rect
        y = round(44 - box["height"] / 2)  # beside the small pictures
        start, end = round(self.x_of(first) - 40), round(self.x_of(last) + 40)
        hand = ActionChains(self.browser, duration=10).move_to_element_with_offset(strip, round(start - box["width"] / 2), y).click_and_hold()
        for i in range(1, 5):
            hand.move_by_offset((end - start) * i // 4 - (end - start) * (i - 1) // 4, 0)
        hand.release().perform()

    def choose(self, *times):
        for time in times:
            ActionChains(self.browser).key_down(Keys.SHIFT).click(self.key(time)).key_up(Keys.SHIFT).perform()


class Zoomed(FilmOfFive):
    def wheel(self, x, delta, alt=True):
        """At a place of the strip, with Alt as a hand holds it."""
        strip = self.one("#timeline .strip")
        origin = webdriver.common.actions.wheel_input.ScrollOrigin.from_element(strip, round(x - strip.rect["width"] / 2), 0)
        actions = ActionChains(self.browser)
        if alt:
            actions.key_down(Keys.ALT)
        actions.scroll_from_origin(origin, 0, delta)
        if alt:
            actions.key_up(Keys.ALT)
        actions.perform()

    def test_alt_and_wheel_come_closer_where_the_mouse_is(self):
        whole, x = self.seen(), self.x_of(40)
        self.assertFalse(self.one("#timeline-fit").is_enabled())
        self.wheel(x, -400)
        self.wait(lambda: self.seen() != whole, "closer")
        self.assertAlmostEqual(self.x_of(40), x, delta=3, msg="what is under the mouse stays")
        self.assertLess(self.seen()[1], 200)
        self.keep_picture("timeline-zoomed")
        self.assertTrue(self.one("#timeline .part").is_displayed())
        before = self.x_of(40)
        self.wheel(x, 120, alt=False)
        self.wait(lambda: self.x_of(40) < before - 100, "the wheel alone moves along")
        self.one("#timeline-fit").click()
        self.wait(lambda: self.seen() == whole, "all of it")
        self.assertFalse(self.one("#timeline .part").is_displayed())
        self.wheel(x, 120, alt=False)
        self.assertEqual(self.seen(), whole)
        self.assertEqual(self.times(), [0, 20, 40, 60, 200], "nothing of it is an edit")
        self.assertFalse(self.one("[data-does=undo]").is_enabled())

    def test_zoomed_the_hand_and_keys_go_by_single_frames(self):
        self.hand_to(40)
        for _ in range(6):
            self.one("[aria-label='Zoom in']").click()
        first, last = self.seen()
        self.assertLess(last - first, 40)
        self.assertTrue(first <= 40 <= last, "the hand is seen")
        self.hand_to(43)
        self.drag_key(40, 41)
        self.assertEqual(self.times(), [0, 20, 41, 60, 200])
        self.one("#timeline .strip").send_keys(Keys.END)
        self.wait(lambda: self.hand() == 200, "the last key")
        self.wait(lambda: self.seen()[0] <= 200 <= self.seen()[1], "it is seen")

    def test_the_bar_moves_along(self):
        for _ in range(4):
            self.one("[aria-label='Zoom in']").click()
        first = self.seen()[0]
        self.drag(self.one("#timeline .part"), 300, 0)
        self.wait(lambda: self.seen()[0] > first + 20, "later")


class Grouped(FilmOfFive):
    def test_keys_in_a_frame_move_as_one_and_as_one_step(self):
        self.frame_around(20, 60)
        self.wait(lambda: self.chosen() == [20, 40, 60], "three of them")
        self.assertEqual(self.hand(), 0, "a frame is no time")
        self.keep_picture("timeline-chosen")
        self.drag(self.key(40), round(self.x_of(70) - self.x_of(40)), 0)
        self.wait(lambda: self.times() == [0, 50, 70, 90, 200], f"all three: {self.times()}")
        self.assertEqual(self.chosen(), [50, 70, 90])
        self.frame()
        self.assertEqual([key.get("time") for key in self.saved("moved")], ["0", "50", "70", "90", "200"])
        self.keys(Keys.ESCAPE, "z")
        self.wait(lambda: self.times() == [0, 20, 40, 60, 200], "one step of undo")
        self.assertFalse(self.one("[data-does=undo]").is_enabled())

    def test_shift_and_clicks_choose_and_delete_takes_all_of_them(self):
        self.choose(20, 60)
        self.wait(lambda: self.chosen() == [0, 20, 60], "with the one under the hand")
        self.choose(0)
        self.wait(lambda: self.chosen() == [20, 60], "not that one any more")
        self.assertIn("2 keys chosen", self.one("#timeline header").text)
        self.key(60).send_keys(Keys.DELETE)
        self.wait(lambda: self.times() == [0, 40, 200], "without them")
        self.frame()
        self.keys("z")
        self.wait(lambda: self.times() == [0, 20, 40, 60, 200], "one step")
        self.hand_to(100)
        self.chord(Keys.CONTROL, "a")
        self.wait(lambda: len(self.chosen()) == 5, "all")
        self.keys(Keys.DELETE)
        self.wait(lambda: self.times() == [0], "one stays")

    def test_a_grip_stretches_their_times(self):
        self.frame_around(20, 60)
        self.wait(lambda: self.chosen() == [20, 40, 60], "three of them")
        self.drag(self.one("#timeline .grip.last"), round(self.x_of(100) - self.x_of(60)), 0)
        self.wait(lambda: self.times() == [0, 20, 60, 100, 200], f"twice as long: {self.times()}")
        self.drag(self.one("#timeline .grip.first"), round(self.x_of(60) - self.x_of(20)), 0)
        self.wait(lambda: self.times() == [0, 60, 80, 100, 200], f"half as long: {self.times()}")
        self.drag(self.one("#timeline .grip.last"), round(self.x_of(200) - self.x_of(100)), 0)
        self.assertEqual(len(set(self.times())), 5, "not onto another")

    def test_they_are_copied_to_the_hand_with_their_distances(self):
        self.choose(20, 40)
        self.choose(0)
        self.one("//section[@id='timeline']//button[text()='Copy']").click()
        self.wait(lambda: "2 keys are copied" in self.one("#notice").text, "a word")
        self.hand_to(100)
        self.one("//section[@id='timeline']//button[text()='Paste']").click()
        self.wait(lambda: self.times() == [0, 20, 40, 60, 100, 120, 200], "both again")
        self.assertEqual(self.chosen(), [100, 120])
        weights = [float(key.find("xform").get("weight")) for key in self.saved("copied")]
        self.assertEqual(weights, [2, 3, 4, 5, 3, 4, 6])

    def test_alt_drags_copies_of_all_and_arrows_move_all(self):
        self.choose(20, 40)
        self.choose(0)
        hand = ActionChains(self.browser, duration=10).key_down(Keys.ALT).move_to_element(self.key(20)).click_and_hold()
        by = round(self.x_of(120) - self.x_of(20))
        hand.move_by_offset(by // 2, 0).move_by_offset(by - by // 2, 0).release().key_up(Keys.ALT).perform()
        self.wait(lambda: len(self.times()) == 7, "copies")
        copies = self.chosen()
        self.assertEqual(copies[1] - copies[0], 20)
        self.key(int(copies[0])).send_keys(Keys.ARROW_RIGHT)
        self.wait(lambda: self.chosen() == [time + 1 for time in copies], "one frame later")
        self.one("#timeline .segment[data-time='0']").click()
        self.one("#easings [data-easing=hold]").click()
        ways = lambda: [title.partition(":")[0] for title in self.read("#timeline .segment", "title")]
        self.wait(lambda: ways() == ["hold"] + ["linear"] * 5, "of one that is not chosen: that one alone")

    def test_a_click_below_the_ruler_takes_the_hand_there(self):
        box = self.one("#timeline .strip").rect
        ActionChains(self.browser, duration=10).move_to_element_with_offset(
            self.one("#timeline .strip"), round(self.x_of(130) - box["width"] / 2), round(44 - box["height"] / 2)).click().perform()
        self.wait(lambda: self.hand() == 130, "the hand there")


class Seconds(FilmOfFive):
    def type(self, name, text):
        self.one(f"#timeline-{name}").click()
        self.chord(Keys.CONTROL, "a")
        self.keys(text, Keys.ENTER)

    def text(self, name):
        return self.one(f"#timeline-{name}").get_property("value")

    def test_both_can_be_typed(self):
        self.type("now", "2 s")
        self.wait(lambda: self.hand() == 60, "two seconds at 30")
        self.assertEqual((self.text("now"), self.text("seconds")), ("60", "2 s"))
        self.type("seconds", "1.5s")
        self.wait(lambda: self.hand() == 45, "and a half")
        self.type("fps", "10")
        self.wait(lambda: self.text("seconds") == "4.5 s", "at another rate")
        self.type("to", "12 s")
        self.wait(lambda: self.text("to") == "120", "the end of what is played")
        self.type("now", "soon")
        self.assertEqual((self.hand(), self.text("now")), (45, "45"))
        self.browser.execute_script("localStorage.removeItem('timeline-fps')")

    def test_what_times_mean(self):
        told = self.browser.execute_script(
            "return import(new URL('film/times.js', location.href).href).then(({framesOf, secondsText}) =>"
            " [...['60', '8 s', '1,5 s', '.5s', '1:20', '-2 s', '2 sec', '12.5'].map(text => framesOf(text, 30)),"
            " ...['', 's', '8 m', '1:75'].map(text => Number.isNaN(framesOf(text, 30))), secondsText(40, 30)])")
        self.assertEqual(told, [60, 240, 45, 15, 2400, -60, 60, 12.5, True, True, True, True, "1.33 s"])


class LoopInSeconds(Films):
    def test_a_loop_lasts_so_many_seconds(self):
        self.click("timeline")
        self.one("#timeline-frames").click()
        self.chord(Keys.CONTROL, "a")
        self.keys("3 s", Keys.ENTER)
        self.one("#timeline-make-loop").click()
        self.wait(lambda: self.one("#timeline-to").get_property("value") == "90", "three seconds of 30 frames")


class TimeByFingers(FilmOfFive):
    size = (390, 844)
    touch = True

    def fingers(self, kind, *xs):
        strip = self.one("#timeline .strip").rect
        self.cdp("Input.dispatchTouchEvent", type=kind,
                 touchPoints=[{"x": strip["x"] + x, "y": strip["y"] + 10, "id": i} for i, x in enumerate(xs)])

    def test_a_pinch_comes_closer(self):
        whole = self.seen()
        self.fingers("touchStart", 150)
        self.fingers("touchStart", 150, 200)
        for i in range(1, 6):
            self.fingers("touchMove", 150 - 15 * i, 200 + 15 * i)
        self.fingers("touchEnd")
        self.wait(lambda: self.seen() != whole, "closer")
        first, last = self.seen()
        self.assertLess(last - first, 0.6 * (whole[1] - whole[0]))
        self.assertEqual(self.times(), [0, 20, 40, 60, 200])
        self.keep_picture("timeline-pinched")
