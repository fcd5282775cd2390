# SPDX-License-Identifier: MIT
"""Numbers, letters and what is said of an edit: typed, scrubbed, refused, undone."""
from hand import Keys, PageTest, flame_of, xforms_of


class Numbers(PageTest):
    def test_a_new_variation_takes_the_number_that_is_typed(self):
        self.keys("v")
        self.keys("sinus")
        self.keys(Keys.ENTER, "0.4", Keys.ENTER)
        self.assertEqual(self.value("sinusoidal"), 0.4)

    def test_sums_and_commas(self):
        for typed, value in (("0,5", 0.5), ("1/4", 0.25), ("-(2 + 1)*0.5", -1.5), ("1e-3", 0.001), ("2-3", -1), ("", 0)):
            self.type_into("c", typed or Keys.BACKSPACE, Keys.ENTER)
            self.assertAlmostEqual(self.value("c"), value, msg=typed)

    def test_what_is_no_number_is_marked(self):
        before = self.value("c")
        self.type_into("c", "1/", Keys.ENTER)
        self.assertEqual(self.field("c").get_attribute("aria-invalid"), "true")
        self.assertEqual((self.field("c").get_attribute("value"), self.value("c")), ("1/", before))
        self.keys("2", Keys.ENTER)
        self.assertEqual(self.field("c").get_attribute("aria-invalid"), "false")
        self.assertEqual(self.value("c"), 0.5)

    def test_an_empty_number_says_its_default(self):
        self.keys("l")
        self.type_into("brightness", Keys.BACKSPACE)
        self.assertEqual(self.field("brightness").get_attribute("placeholder"), "4")
        self.keys(Keys.ENTER)
        self.assertEqual(self.value("brightness"), 4)

    def test_a_number_in_focus_can_be_scrubbed(self):
        self.type_into("c", "1", Keys.ENTER)
        self.drag(self.field("c"), 50, 0)
        self.assertAlmostEqual(self.value("c"), 1.15, delta=0.02)
        self.chord(Keys.CONTROL, "z")
        self.wait(lambda: self.value("c") == 1, "the drag is one step")

    def test_a_number_in_focus_has_all_its_digits(self):
        self.type_into("c", "0.123456789", Keys.ENTER, Keys.ESCAPE)
        shown = lambda: self.field("c").get_property("value")
        self.assertEqual(shown(), "0.1235")
        self.field("c").click()
        self.assertEqual(shown(), "0.123456789")
        self.keys(Keys.END, Keys.BACKSPACE, "1", Keys.ENTER)
        self.assertEqual(self.value("c"), 0.123456781)
        self.keys(Keys.ARROW_UP)
        self.assertGreater(len(shown()), 8, "while it is moved, too")
        self.keys(Keys.ESCAPE)
        self.assertLess(len(shown()), 7)

    def test_several_go_as_far_each_from_its_own(self):
        shown = self.settled()
        self.keys("a")
        self.drag(self.field("weight"), 30, 0)
        shown = self.settled(shown)
        self.field("color").click()
        self.keys(*[Keys.ARROW_UP] * 3, Keys.ESCAPE)
        shown = self.settled(shown)
        self.field("opacity").click()
        self.keys(Keys.ARROW_DOWN, Keys.ESCAPE)
        shown = self.settled(shown)
        xforms = xforms_of(self.assert_saved_is_shown("moved"))
        values = lambda name: [float(xform.get(name)) for xform in xforms]
        by = values("weight")[0] - 2
        self.assertGreater(by, 0.1)
        for name, before, by in (("weight", [2, 1, 0.5], by), ("color", [0.1, 0.9, 0.5], 0.03), ("opacity", [1, 1, 1], -0.025)):
            for one, other in zip(values(name), before):
                self.assertAlmostEqual(one - other, by, places=6, msg=name)
        self.wait(lambda: not self.many("#save[open]"), "the dialog closes")
        self.type_into("weight", "0.25", Keys.ENTER, Keys.ESCAPE)
        self.settled(shown)
        xforms = xforms_of(self.assert_saved_is_shown("typed"))
        self.assertEqual(values("weight"), [0.25] * 3, "what is typed is for all")

    def test_fields_end_where_files_do(self):
        """Typed as far as it goes, as scrubbed: still shown."""
        fields = {"l": ("logscale_k2", "kiln_clean", "estimator_radius", "estimator_minimum", "estimator_curve", "filter", "kiln_bloom 0",
                        "kiln_bloom 1", "kiln_glare 1", "kiln_glare 2"), "f": ("zoom", "kiln_dome", "passes"), "g": ("temporal_samples",)}
        for tab, names in fields.items():
            self.keys(tab)
            for name in names:
                for far in ("-1e12", "1e12"):
                    if name in ("passes", "temporal_samples") and far == "1e12":
                        continue  # a long time
                    self.type_into(name, far, Keys.ENTER, Keys.ESCAPE)
                    self.wait(lambda: not self.quality().startswith("edited"), "an answer")
                    self.assertNotIn("edit:", self.quality(), f"{name} {far}")
                    self.keys("z")

    def quality(self):
        return self.one("#quality").text

    def test_bloom_and_glare_spread_no_more_than_all_the_light(self):
        self.keys("l")
        steps = [("kiln_bloom 0", "1", {"kiln_bloom 0": 1}),  # a glare without rays takes nothing
                 ("kiln_glare 0", "4", {"kiln_bloom 0": 1, "kiln_glare 2": 0}),
                 ("kiln_bloom 0", "0.75", {"kiln_bloom 0": 0.75}),
                 ("kiln_glare 2", "1", {"kiln_glare 2": 0.25}),
                 ("kiln_bloom 0", "1", {"kiln_bloom 0": 0.75})]
        for name, typed, values in steps:
            self.type_into(name, typed, Keys.ENTER, Keys.ESCAPE)
            self.assertEqual({field: self.value(field) for field in values}, values, f"{name} {typed}")

    def test_width_and_height_keep_the_shape_and_the_framing(self):
        self.keys("f")
        shown = self.settled()
        self.type_into("size 0", "160", Keys.ENTER, Keys.ESCAPE)
        shown = self.settled(shown)
        half = flame_of(self.assert_saved_is_shown("half"))
        self.assertEqual((half.get("size"), half.get("scale")), ("160 90", "30"))
        self.wait(lambda: not self.many("#save[open]"), "the dialog closes")
        self.one("//button[.='Lock the shape']").click()
        self.type_into("size 1", "180", Keys.ENTER, Keys.ESCAPE)
        self.settled(shown)
        tall = flame_of(self.assert_saved_is_shown("tall"))
        self.assertEqual((tall.get("size"), tall.get("scale")), ("160 180", "30"))

    def test_two_turns_of_120_degrees(self):
        self.type_into("turn", "0", Keys.ENTER)
        for turn, shown in ((120, 120), (240, -120)):
            self.type_into("turn", str(turn), Keys.ENTER)
            self.assertAlmostEqual(self.value("turn"), shown, delta=0.01)
        corner = self.one("#overlay .chosen circle[data-part=ring]")
        size = self.value("size")
        self.type_into("turn", "0", Keys.ENTER)
        self.turn_ring(120)
        self.turn_ring(120)
        self.assertAlmostEqual(self.value("turn"), -120, delta=2)
        self.assertAlmostEqual(self.value("size"), size, delta=size / 30)
        self.assertTrue(corner.is_displayed())

    def test_the_camera_turns_on_beyond_180_degrees(self):
        self.keys("f")
        self.type_into("rotate", "120", Keys.ENTER, Keys.ESCAPE)
        self.keys("]" * 24)
        self.assertAlmostEqual(self.value("rotate"), -120, delta=1e-6)
        self.keys("[" * 48)
        self.assertAlmostEqual(self.value("rotate"), 0, delta=1e-6)

    def turn_ring(self, degrees):
        """The ring along its circle about O, as a hand does it."""
        points = self.browser.execute_script("""
            const at = part => { const {cx, cy} = document.querySelector(`#overlay .chosen circle[data-part=${part}]`);
                                 return [cx.baseVal.value, cy.baseVal.value]; };
            const {left, top} = document.getElementById('overlay').getBoundingClientRect();
            const [ox, oy] = at('o'), [x, y] = at('ring'), path = [];
            for (let i = 0; i <= 24; ++i) {
              const turn = arguments[0] * i / 24 * Math.PI / 180, cos = Math.cos(turn), sin = Math.sin(turn);
              path.push([left + ox + cos * (x - ox) - sin * (y - oy), top + oy + sin * (x - ox) + cos * (y - oy)]);
            }
            return path.map(point => point.map(Math.round));""", degrees)
        kinds = ["mousePressed", *["mouseMoved"] * (len(points) - 1), "mouseReleased"]
        for kind, (x, y) in zip(kinds, [*points, points[-1]]):
            self.cdp("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=1, clickCount=1)


class Saying(PageTest):
    options = ["--palettes", PageTest.palettes]

    def test_a_refused_edit_stays_said_until_it_is_mended(self):
        first = self.settled()
        self.keys("f")
        self.one("//button[.='Lock the shape']").click()
        self.type_into("size 0", "16384", Keys.ENTER)
        self.type_into("size 1", "16384", Keys.ENTER)
        self.wait(lambda: self.one("#quality").text.startswith("not shown: "), "that it is not shown")
        self.assertIn("16384", self.one("#quality").text)
        self.assertEqual(self.field("size 1").get_attribute("aria-invalid"), "true")
        self.browser.execute_script("setTimeout = work => work();")  # all that has its time is over
        self.assertTrue(self.many("#notice.error:not(:empty)"))
        self.type_into("size 1", "180", Keys.ENTER)
        self.wait(lambda: not self.one("#notice").text, "nothing is wrong any more")
        self.assertEqual(self.field("size 1").get_attribute("aria-invalid"), "false")
        self.type_into("size 0", "320", Keys.ENTER)
        # the framing follows the size, so its scale has been to 16384 and back: a picture, not the first one's bits
        self.wait(lambda: self.one("#quality").text and not self.one("#quality").text.startswith("not shown"), "a picture")
        self.settled(first)

    def test_undo_of_a_refused_edit_is_finished_again(self):
        first = self.settled()
        self.keys("f")
        self.type_into("size 1", "16384", Keys.ENTER)
        self.type_into("size 0", "16384", Keys.ENTER)
        self.wait(lambda: self.one("#quality").text.startswith("not shown: "), "that it is not shown")
        self.chord(Keys.CONTROL, "z")
        self.wait(lambda: not self.one("#notice").text, "nothing is wrong any more")
        self.chord(Keys.CONTROL, "z")
        self.wait(lambda: self.hash() == first, "the first picture")

    def test_undo_at_the_beginning_leaves_the_finished_picture(self):
        first = self.settled()
        self.keys("z", "Z")
        self.assertEqual(self.settled(), first)
        self.assertTrue(self.one("#quality").text.startswith("finished"))

    def test_undo_in_a_search_is_that_of_the_letters(self):
        first = self.settled()
        self.keys(Keys.ARROW_RIGHT)
        second = self.settled(first)
        self.keys("c")
        search = self.one("#page-Palette .searchlist input")
        search.click()
        self.keys("gla")
        self.chord(Keys.CONTROL, "z")
        self.assertNotEqual(search.get_attribute("value"), "gla")
        self.assertEqual(self.hash(), second)
        self.assertTrue(self.one("[data-does=undo]").is_enabled())
        self.chord(Keys.CONTROL, "a")
        self.keys("glac", Keys.ENTER)  # taken: what was done last is that
        third = self.settled(second)
        self.chord(Keys.CONTROL, "z")
        self.assertEqual(self.settled(third), second)

    def test_single_letters_can_be_switched_off(self):
        first = self.settled()
        self.keys("?")
        self.one("#letters").click()
        self.keys(Keys.ESCAPE)
        self.keys("n", "q", "3", "+")
        self.assertEqual((len(self.many(".chip")), self.chosen()), (3, [0]))
        self.assertEqual(self.hash(), first)
        self.keys(Keys.ARROW_RIGHT)  # no letter
        self.settled(first)
        self.keys(Keys.F1)
        self.one("#letters").click()
        self.keys(Keys.ESCAPE, "n")
        self.assertEqual(len(self.many(".chip")), 4)

    def test_chips_have_names(self):
        self.keys("0")
        names = [chip.accessible_name for chip in self.many(".chip")]
        self.assertEqual(names, ["Xform 1", "Xform 2", "Xform 3", "Final xform (0)"])

    def test_edits_at_once_are_a_step_each(self):
        """Of different gestures none replaces another, however fast they come."""
        size = self.value("size")
        self.browser.execute_script("""
            const press = key => document.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true}));
            const now = performance.now();
            performance.now = () => now;  // on a busy machine as well
            press('q'); press('+'); press(']');  // the first goes at once, the others wait
            delete performance.now;""")
        self.wait(lambda: self.value("rotate") == 5, "the camera turns")
        self.keys("z")
        self.wait(lambda: self.value("rotate") == 0, "it is turned back")
        self.assertAlmostEqual(self.value("size"), size * 1.05, places=3)
        self.keys("z")
        self.wait(lambda: abs(self.value("size") - size) < 1e-6, "the size before")
        self.assertTrue(self.one("[data-does=undo]").is_enabled(), "the first of them")
