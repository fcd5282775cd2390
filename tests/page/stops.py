# SPDX-License-Identifier: MIT
"""The stops of a gradient: they stay with their colors, and pass each other."""
from hand import ActionChains, Keys, PageTest


class Stops(PageTest):
    options = ["--palettes", PageTest.palettes]

    def setUp(self):
        super().setUp()
        self.keys("c")

    def places(self):
        return [int(label.split()[2].rstrip(",")) for label in self.read(".mark", "aria-label")]

    def pressed(self):
        return [i for i, pressed in enumerate(self.read(".mark", "aria-pressed")) if pressed == "true"]

    def take(self, name):
        first = self.settled()
        self.one("#page-Palette .searchlist input").click()
        self.keys(name, Keys.ENTER, Keys.ESCAPE)
        self.settled(first)

    def undo(self):
        before = self.settled()
        self.chord(Keys.CONTROL, "z")
        self.settled(before)

    def test_stops_stay_after_undo_and_hue(self):
        self.take("glac")
        before = self.places()
        self.assertGreater(len(before), 3)
        self.many(".mark")[2].click()
        shown = self.settled()
        self.drag(self.many(".mark")[2], 9, 0)
        self.settled(shown)
        moved = self.places()
        self.assertNotEqual(moved, before)
        for name, typed in (("hue", "0.3"), ("saturation", "0.4"), ("light", "0.7")):
            shown = self.settled()
            self.type_into(name, typed, Keys.ENTER, Keys.ESCAPE)
            self.settled(shown)
            self.assertEqual((self.places(), self.pressed()), (moved, [2]), name)
        for _ in range(3):
            self.undo()
            self.assertEqual((self.places(), self.pressed()), (moved, [2]))
        self.undo()
        self.assertEqual(self.places(), before)

    def test_stops_turn_with_the_palette_and_back(self):
        self.take("glac")
        before = self.places()
        turn = self.one("#page-Palette [data-field=turn]")
        turn.click()
        self.keys("20", Keys.ENTER)
        inside = [place for place in self.places() if place not in (0, 255)]
        self.assertTrue({(place - 20) % 256 for place in before if 20 < place < 255} <= set(inside))
        turn.click()
        self.keys("0", Keys.ENTER)
        self.assertEqual(self.places(), before)
        self.one("//button[text()='Reverse']").click()
        self.assertEqual(self.places(), [255 - place for place in reversed(before)])

    def test_a_double_click_beside_a_stop_takes_that_one(self):
        before = self.places()
        strip = self.one(".gradient .strip")
        middle = before[len(before) // 2]
        x = round(strip.size["width"] * (middle / 255 - 0.5)) + 3
        ActionChains(self.browser).move_to_element_with_offset(strip, x, 0).double_click().perform()
        self.assertEqual((self.places(), self.pressed()), (before, [len(before) // 2]))
        ActionChains(self.browser).move_to_element_with_offset(strip, x + 30, 0).double_click().perform()
        self.assertEqual(len(self.places()), len(before) + 1)

    def test_a_stop_passes_others_and_never_lies_on_one(self):
        self.take("glac")
        before, shown = self.places(), self.settled()
        for to in (-1, 1):
            mark, strip = self.many(".mark")[2], self.one(".gradient .strip").rect
            end = strip["x"] + (strip["width"] if to > 0 else 0)
            self.drag(mark, round(end - mark.rect["x"] - mark.rect["width"] / 2), 0, steps=40)
            shown = self.settled(shown)
            places = self.places()
            self.assertEqual(len(set(places)), len(before))
            self.assertEqual(places[:: len(places) - 1], [0, 255])
            self.assertEqual(sorted(set(before) - set(places)), [before[2]], "the others stay")
            self.assertEqual(places[1 if to < 0 else -2], 1 if to < 0 else 254)
            self.assertEqual(self.pressed(), [1 if to < 0 else len(before) - 2])
            self.undo()
            shown = self.settled()
            self.assertEqual(self.places(), before)

    def test_a_stop_on_another_takes_the_place_beside_it(self):
        self.take("glac")
        before, shown = self.places(), self.settled()
        mark, other = self.many(".mark")[2].rect, self.many(".mark")[3].rect
        self.drag(self.many(".mark")[2], round(other["x"] - mark["x"]), 0, steps=40)
        self.settled(shown)
        self.assertEqual(sorted(set(before) - set(self.places())), [before[2]])
        self.assertEqual(len(set(self.places())), len(before))

    def test_a_stop_that_comes_back_leaves_nothing_behind(self):
        self.take("glac")
        shown, place = self.settled(), self.one(".mark:nth-child(3)")
        hand = ActionChains(self.browser, duration=10).move_to_element(place).click_and_hold()
        hand.move_by_offset(90, 0).move_by_offset(-90, 0).release().perform()
        self.wait(lambda: self.hash() == shown, "the picture before")
