# SPDX-License-Identifier: MIT
"""Touch the light: whose light lies under the hand, and drags, keys and fingers that change it."""
import os
import signal
import time

from films import Films
from hand import FLAME, Keys, flame_of, xforms_of
from stage import Around

LIGHT = FLAME.replace('quality="20"', 'quality="8"').format(name="light")


class Lights(Around):
    """What the tests of this file have in common."""
    flames = [LIGHT]

    def setUp(self):
        super().setUp()
        self.first = self.settled()

    def touch_at(self, x, y):
        """The mouse rests at this share of the picture."""
        left, top, width, height = self.frame()
        at = left + x * width, top + y * height
        self.mouse("mouseMoved", *at, button="none")
        return at

    def begin(self):
        if not self.pressed("touch"):  # to save ends it
            self.click("touch")
        self.assertTrue(self.pressed("touch"))

    def rows(self):
        """[xform, share of the light] of the card."""
        return [(int(xform), float(share)) for xform, share in
                zip(self.read("#touched [role=radio]", "data-xform"), self.read("#touched [role=radio]", "data-share"))]

    def answered(self):
        return self.wait(lambda: not self.many("#ring.open") and self.rows(), "whose light it is")

    def checked(self):
        return [checked == "true" for checked in self.read("#touched [role=radio]", "aria-checked")].index(True)


class Touching(Lights):
    def test_the_mouse_rests_and_the_light_has_names(self):
        self.assertFalse(self.one("#touched").is_displayed())
        self.begin()
        self.touch_at(0.5, 0.5)
        rows = self.answered()
        self.assertAlmostEqual(sum(share for _, share in rows), 1, delta=0.03)
        self.assertEqual(sorted((share for _, share in rows), reverse=True), [share for _, share in rows])
        lit = self.read("#overlay .affine.lit", "data-xform")
        self.assertEqual(sorted(int(i) for i in lit), sorted(xform for xform, _ in rows))
        self.assertEqual(len(self.many(".chip.lit")), len(rows), "the panel lights up, too")
        self.wait(lambda: self.one("#veil.shown"), "what others made steps back")
        self.assertFalse(self.undoable(), "to look is no edit")
        self.keep_picture("touched")
        self.keys(Keys.ESCAPE)
        self.assertFalse(self.one("#touched").is_displayed())
        self.assertFalse(self.many("#overlay .lit") + self.many(".chip.lit"), "nothing is lit any more")
        self.assertEqual(self.hash(), self.first)

    def test_a_click_chooses_who_made_most_of_it(self):
        self.keys("2")
        self.begin()
        self.touch_at(0.5, 0.5)
        (most, _), *_ = self.answered()
        self.assertNotEqual(most, 1)
        self.hand(*self.touch_at(0.5, 0.5), 0, 0)
        self.wait(lambda: self.chosen() == [most], "its chip is pressed")
        self.assertFalse(self.undoable())
        self.touch_at(0.1, 0.9)
        self.assertEqual(self.rows()[0][0], most, "what was clicked stays while the hand goes elsewhere")
        self.keys("1")  # an xform of the panel, whatever it made here
        self.assertEqual(self.checked(), [xform for xform, _ in self.rows()].index(0))

    def test_a_drag_sideways_recolors_as_one_step(self):
        self.begin()
        at = self.touch_at(0.5, 0.5)
        (most, _), *_ = self.answered()
        self.hand(*at, -52, 9)
        second = self.settled(self.first)
        xform = xforms_of(self.assert_saved_is_shown("recolored"))[most]
        self.assertAlmostEqual(float(xform.get("color")), 0.5 - 0.2, delta=0.001)
        self.assertIn(xform.get("opacity"), (None, "1"))
        self.keys("z")
        self.assertEqual(self.settled(second), self.first, "one step")
        self.assertFalse(self.undoable())
        self.chord(Keys.SHIFT, "z")
        self.assertEqual(self.settled(self.first), second)

    def test_a_drag_down_dims_and_at_the_bottom_mutes(self):
        self.begin()
        at = self.touch_at(0.5, 0.5)
        (most, _), *_ = self.answered()
        self.hand(*at, 7, 130)
        second = self.settled(self.first)
        self.answered()
        self.hand(*at, 0, 200)
        third = self.settled(second)
        self.answered()
        self.assertIn("muted", self.read(".chip", "aria-label")[most])
        self.assertIn(most, [xform for xform, _ in self.rows()], "it stays under the hand, to be lit again")
        self.keep_picture("touched-muted")
        self.hand(*at, 5, -65)
        fourth = self.settled(third)
        self.assertNotIn(fourth, (self.first, second))
        xform = xforms_of(self.assert_saved_is_shown("lit"))[most]
        self.assertAlmostEqual(float(xform.get("opacity")), 0.75, delta=0.001, msg="from what it was before it was muted")
        self.assertIsNone(xform.get("kiln_opacity"))
        self.assertEqual(float(xform.get("color")), 0.5, "a drag changes one of the two")
        self.keys("z")
        self.assertEqual(self.settled(fourth), third)
        xform = xforms_of(self.assert_saved_is_shown("muted"))[most]
        self.assertEqual((float(xform.get("opacity")), float(xform.get("kiln_opacity"))), (0, 0.5))
        self.keys("z")
        self.assertEqual(self.settled(third), second)
        self.keys("z")
        self.assertEqual(self.settled(second), self.first, "three drags, three steps")
        self.assertFalse(self.undoable())

    def test_a_drag_that_is_quicker_than_the_answer(self):
        self.begin()
        left, top, width, height = self.frame()
        self.hand(left + width / 2, top + height / 2, 0, 0)  # without a rest before it
        self.answered()
        self.wait(lambda: self.chosen() != [0], "who made it is chosen once it is known")
        most = self.chosen()[0]
        self.assertFalse(self.undoable())
        os.kill(self.view.process.pid, signal.SIGSTOP)  # no answer before the drag is over
        self.keys(Keys.ESCAPE, "P")
        self.hand(left + width / 2, top + height / 2, 0, 65)
        self.assertFalse(self.undoable())
        os.kill(self.view.process.pid, signal.SIGCONT)
        second = self.settled(self.first)
        xform = xforms_of(self.assert_saved_is_shown("quick"))[most]
        self.assertAlmostEqual(float(xform.get("opacity")), 0.75, delta=0.001)
        self.keys("z")
        self.assertEqual(self.settled(second), self.first)

    def test_where_nothing_is_nothing_changes(self):
        self.keys(*"o" * 14)  # away from it, until a corner is dark
        away, before = self.settled(self.first), None
        while away != before:  # a busy machine shows some of the steps, finished
            time.sleep(0.7)
            away, before = self.settled(), away
        self.begin()
        at = self.touch_at(0.01, 0.02)
        self.wait(lambda: "No light here" in self.one("#touched").text, "a word about it")
        steps = len(self.many(".step"))
        self.hand(*at, 60, 60)
        self.assertEqual(len(self.many(".step")), steps)
        self.assertFalse(self.one("#touched .controls").is_displayed())
        self.assertEqual(self.hash(), away)
        left, top, *_ = self.frame()
        self.one("#tab-Camera").click()
        before = self.value("center 0")
        self.hand(left - 12, top + 100, 40, 0)  # beside the picture the hand is the camera's
        self.wait(lambda: self.value("center 0") != before, "the camera moves")

    def test_keys_alone(self):
        self.keys(Keys.ESCAPE)
        self.chord(Keys.SHIFT, "p")
        self.keys(*[Keys.ARROW_RIGHT] * 3, *[Keys.ARROW_LEFT] * 3)
        self.answered()
        most = self.rows()[0][0]
        self.keys(Keys.ENTER)
        self.wait(lambda: self.chosen() == [most], "Enter chooses it")
        self.assertEqual(self.browser.execute_script("return document.activeElement.dataset.light"), "color")
        self.keys(*[Keys.ARROW_RIGHT] * 8)
        self.settled(self.first)
        self.keys(Keys.TAB, *[Keys.ARROW_LEFT] * 20, Keys.TAB, Keys.ESCAPE)
        tree = self.assert_saved_is_shown("keys")
        self.assertAlmostEqual(float(xforms_of(tree)[most].get("color")), 0.54, delta=0.001)
        self.assertAlmostEqual(float(xforms_of(tree)[most].get("opacity")), 0.9, delta=0.001)

    def test_another_flame_and_the_tool_goes_on(self):
        self.begin()
        self.hand(*self.touch_at(0.5, 0.5), 0, 0)
        self.answered()
        self.keys("r")
        self.wait(lambda: not self.many("#ring.open") and (self.rows() or "No light" in self.one("#touched").text), "an answer of it")
        second = self.settled(self.first)
        self.keys("z")
        self.assertEqual(self.settled(second), self.first)

    def test_the_program_comes_back_and_answers(self):
        self.begin()
        self.hand(*self.touch_at(0.5, 0.5), 0, 0)
        self.answered()
        self.view.die()
        self.touch_at(0.4, 0.5)
        self.view.start_again()
        self.wait(lambda: "again" in self.one("#notice").text or self.settled(), "it is there")
        self.settled()
        self.hand(*self.touch_at(0.45, 0.55), 0, 0)
        self.wait(lambda: not self.many("#ring.open"), "it is answered")
        self.forget_console()


class TouchingByFingers(Lights):
    size = (390, 844)
    touch = True

    def finger(self, kind, *points):
        self.cdp("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)])

    def middle_of_light(self):
        left, top, width, height = self.frame()
        return left + width / 2, top + height / 2

    def test_tap_and_drag(self):
        self.begin()
        x, y = self.middle_of_light()
        self.finger("touchStart", (x, y))
        self.finger("touchEnd")
        self.answered()
        self.wait(lambda: self.chosen() != [0], "a tap chooses")
        self.keep_picture("touched-phone")
        self.finger("touchStart", (x, y))
        for i in range(1, 6):
            self.finger("touchMove", (x, y + 13 * i))
        self.finger("touchEnd")
        self.settled(self.first)
        most = self.chosen()[0]
        self.assertAlmostEqual(float(xforms_of(self.assert_saved_is_shown("finger"))[most].get("opacity")), 0.75, delta=0.01)

    def test_two_fingers_are_the_cameras(self):
        self.begin()
        x, y = self.middle_of_light()
        self.finger("touchStart", (x, y))
        self.answered()
        self.finger("touchMove", (x, y + 30))
        self.finger("touchStart", (x, y + 30), (x + 40, y))
        for i in range(1, 6):
            self.finger("touchMove", (x, y + 30), (x + 40 + 12 * i, y))
        self.finger("touchEnd")
        self.settled(self.first)
        flame = flame_of(self.assert_saved_is_shown("pinched"))
        self.assertGreater(float(flame.get("scale")), 75)
        for xform in xforms_of(flame):
            self.assertIn(xform.get("opacity"), (None, "1"), "what the first finger changed went back")

    def test_all_of_it_is_on_the_screen(self):
        self.begin()
        x, y = self.middle_of_light()
        self.finger("touchStart", (x, y))
        self.finger("touchEnd")
        self.answered()
        card, (_, top, _, height) = self.one("#touched").rect, self.frame()
        self.assertGreaterEqual(card["y"], top + height, "the picture stays free")
        self.assertLessEqual(card["y"] + card["height"], 844)
        self.assertLessEqual(card["x"] + card["width"], 390)
        self.assertEqual([name for name in ("color", "opacity") if not self.one(f"[data-light={name}]").is_displayed()], [])

    def test_lying(self):
        self.cdp("Emulation.setDeviceMetricsOverride", width=844, height=390, deviceScaleFactor=1, mobile=True)
        self.begin()
        x, y = self.middle_of_light()
        self.finger("touchStart", (x, y))
        self.finger("touchEnd")
        self.answered()
        self.keep_picture("touched-lying")
        self.assertLess(self.one("#touched").rect["height"], 330)


class TouchingOthers(Lights):
    """Flames whose light does not come straight from an xform."""
    flames = [LIGHT.replace("<color index=\"0\"", '<finalxform linear="0.9" spherical="0.05" coefs="1 0 0 1 0.1 0"/>'
                            '<symmetry kind="-3"/><color index="0"', 1)]

    def test_final_and_symmetry(self):
        self.begin()
        for x, y in ((0.66, 0.5), (0.35, 0.6), (0.5, 0.21)):
            self.hand(*self.touch_at(x, y), 0, 0)
            self.wait(lambda: not self.many("#ring.open") and (self.rows() or "No light" in self.one("#touched").text), "an answer")
            for xform, _ in self.rows():
                self.assertLess(xform, 3, "an xform of the list, not a copy of symmetry")
        self.assertIn("symmetry", self.one("#touched").text)
        self.hand(*self.touch_at(0.66, 0.5), -80, 0)
        self.settled(self.first)
        self.assert_saved_is_shown("others")
        self.keep_picture("touched-others")


class TouchingInAFilm(Films):
    flames = [LIGHT]
    mouse, rows, answered = Lights.mouse, Lights.rows, Lights.answered

    def test_a_drag_between_keys_is_a_key_there(self):
        self.film()
        self.hand_to(4)
        self.settled()
        self.click("touch")
        left, top, width, height = Lights.frame(self)
        at = left + width / 2, top + height / 2
        self.mouse("mouseMoved", *at, button="none")
        most = self.answered()[0][0]
        self.assertEqual(self.times(), [0], "to look makes no key")
        Lights.hand(self, *at, 0, 65)
        self.wait(lambda: self.times() == [0, 4], "a key of what was dragged")
        keys = self.saved("touched")
        self.assertAlmostEqual(float(xforms_of(keys[1])[most].get("opacity")), 0.75, delta=0.001)
        self.assertIn(xforms_of(keys[0])[most].get("opacity"), (None, "1"))
        self.keys("z")
        self.wait(lambda: self.times() == [0], "one step")
